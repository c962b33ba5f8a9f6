// Package mcp serves a workspace to agents over the Model Context Protocol.
//
// It keeps no ledger and judges no edit: whatever concerns files goes to the
// workspace, as acode/* requests. What other tools print goes through the hub
// of this process, which redacts, cuts and stores it. Results of tools are
// written as JSON once, and what a request answered is passed on as it is, but
// for the names of its keys.
package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"

	"github.com/acode-ls/acode-ls/internal/workspace"
)

// Workspace answers acode/* requests.
type Workspace interface {
	// Call sends params as JSON and decodes the answer into result, a pointer
	// or nil. The text of an error is a sentence to show.
	Call(ctx context.Context, method string, params, result any) error

	// OnArtifacts sets what is told when the artifacts of a session change.
	OnArtifacts(func(session string))
}

// Options set up Serve.
type Options struct {
	Workspace Workspace
	Hub       *workspace.Hub // that output of tools goes through
	Session   string         // that all calls are of; "" to find or begin one
	Version   string
	Log       *zap.Logger
	MaxResult int // bytes of JSON that a result of a tool has at most; 0 for 1 MiB

	now func() time.Time // which tests set; nil for time.Now
}

const defaultMaxResult = 1 << 20

// lane is what a call may have to wait in for others of its kind.
type lane int

const (
	asking  lane = iota // of the workspace
	walking             // through the tree
	running             // a command
)

// widths are how many calls of a lane are worked on at once.
var widths = [...]int{asking: 64, walking: 4, running: 16}

const instructions = `Read the lines of a file with read_file before you change or overwrite them: an edit of lines that were not shown to you is refused, and nothing is changed. ` +
	`A refusal names the lines that are missing and, where they are few, shows them; then send the same edit again, else read those lines first. ` +
	`Lines shown whole by search_files, git_diff or get_artifact count as read, as do lines you wrote yourself. ` +
	`Long output is cut, and a marker such as "... [X lines / Y chars omitted] ..." stands for what is missing; what is far too long is stored, and you get a reference "[Artifact: ID]", of which get_artifact fetches lines, bytes or what a JSONPath query finds. ` +
	`awareness_state says which lines of which files you have read and what has changed since.`

// Serve answers a client on in and out until it leaves, and then returns nil,
// or until ctx ends. Calls that are under way are answered first; only
// commands are ended when the client leaves.
func Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser, opts Options) error {
	s, err := newServer(ctx, opts)
	if err != nil {
		return err
	}
	defer s.close()
	err = s.protocol.Run(ctx, &transport{in: in, out: out, left: s.clientLeft, splices: s.splices})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && s.present.Err() == nil: // a client that left need not read all its answers
		return fmt.Errorf("serving MCP: %w", err)
	}
	return nil
}

// server serves one client.
type server struct {
	opts     Options
	log      *zap.Logger
	protocol *sdk.Server
	files    *os.Root
	session  session
	splices  *splices
	now      func() time.Time

	ctx        context.Context // of all calls; ends with Serve
	end        context.CancelFunc
	present    context.Context // ends when the client leaves
	clientLeft context.CancelFunc

	lanes [len(widths)]chan struct{} // full of calls
}

func newServer(ctx context.Context, opts Options) (*server, error) {
	files, err := os.OpenRoot(opts.Hub.Root())
	if err != nil {
		return nil, fmt.Errorf("opening the workspace: %w", err)
	}
	if opts.Log == nil {
		opts.Log = zap.NewNop()
	}
	opts.MaxResult = cmp.Or(opts.MaxResult, defaultMaxResult)
	s := &server{opts: opts, log: opts.Log, files: files, splices: newSplices(), now: opts.now}
	if s.now == nil {
		s.now = time.Now
	}
	for i, width := range widths {
		s.lanes[i] = make(chan struct{}, width)
	}
	s.session.server = s
	s.ctx, s.end = context.WithCancel(ctx)
	s.present, s.clientLeft = context.WithCancel(s.ctx)
	s.protocol = sdk.NewServer(
		&sdk.Implementation{Name: "acode-ls", Title: "acode-ls", Version: opts.Version},
		&sdk.ServerOptions{
			Instructions: instructions,
			Capabilities: &sdk.ServerCapabilities{
				Tools:     &sdk.ToolCapabilities{},
				Resources: &sdk.ResourceCapabilities{ListChanged: true},
			},
		})
	for _, t := range tools {
		s.protocol.AddTool(t.declaration(), s.handler(t))
	}
	s.addResources()
	opts.Workspace.OnArtifacts(s.artifactsChanged)
	return s, nil
}

func (s *server) close() {
	s.opts.Workspace.OnArtifacts(func(string) {})
	s.session.finish()
	s.end()
	if err := s.files.Close(); err != nil {
		s.log.Warn("closing the workspace", zap.Error(err))
	}
}

// call is one call of a tool.
type call struct {
	*server
	tool    tool
	request *sdk.CallToolRequest
	session string
}

// handler returns what answers calls of t. It returns no errors: the model is
// to see them.
func (s *server) handler(t tool) sdk.ToolHandler {
	return func(ctx context.Context, request *sdk.CallToolRequest) (r *sdk.CallToolResult, _ error) {
		defer func() {
			if p := recover(); p != nil {
				s.log.Error("panic in a tool", zap.String("tool_name", t.name), zap.Any("panic", p), zap.ByteString("stack", debug.Stack()))
				r = failed(fmt.Errorf("%s: internal error", t.name))
			}
		}()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.ctx, cancel)()
		r, err := s.call(ctx, t, request)
		if err != nil {
			r = failed(err)
		}
		return r, nil
	}
}

func (s *server) call(ctx context.Context, t tool, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	args, err := parseArguments(t.name, request.Params.Arguments)
	if err != nil {
		return nil, err
	}
	run, err := t.prepare(args)
	if err != nil {
		return nil, err
	}
	select {
	case s.lanes[t.lane] <- struct{}{}:
		defer func() { <-s.lanes[t.lane] }()
	case <-ctx.Done():
		return nil, errCancelled
	}
	id, err := s.session.id(ctx, request.ClientInfo())
	if err != nil {
		return nil, err
	}
	out, err := run(ctx, &call{server: s, tool: t, request: request, session: id})
	if err != nil {
		if ctx.Err() != nil {
			return nil, errCancelled
		}
		return nil, err
	}
	r, err := s.result(out)
	if err != nil {
		return nil, err
	}
	s.credit(ctx, t.name, id, out.shown)
	return r, nil
}

var errCancelled = errors.New("the call was cancelled")
