package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"github.com/acode-ls/acode-ls/internal/config"
	"github.com/acode-ls/acode-ls/internal/envelope"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// ServerOptions set up a Server.
type ServerOptions struct {
	Root      string // workspace of clients that name none; the working directory if empty
	Session   string // selected from the start, if not empty
	Version   string
	Log       *zap.Logger
	Workspace workspace.Options
	MaxResult int  // bytes that an answer with content has at most; 0 for 1 MiB
	Agents    bool // whether processes of agents may connect, by a socket

	// AfterFunc runs f after d and returns what stops it. Nil means
	// time.AfterFunc; tests give their own clock.
	AfterFunc func(d time.Duration, f func()) (stop func() bool)
}

func (o ServerOptions) maxResult() int { return cmp.Or(o.MaxResult, envelope.DefaultCap) }

// Server is the language server for one client.
type Server struct {
	opts ServerOptions
	log  *zap.Logger
	conn *Conn

	phase    atomic.Int32 // of the life cycle
	client   initializeParams
	encoding text.Encoding

	// Shared with the servers of agents.
	workspaces *workspaces
	docs       *documents

	agents   *agents // nil if none may connect
	settings atomic.Pointer[settings]
	news     news
}

// workspaces are the folders a server works in.
type workspaces struct {
	mu   sync.RWMutex
	hubs []*workspace.Hub
}

// Phases of the life cycle.
const (
	phaseNew int32 = iota
	phaseRunning
	phaseShutdown
)

// ErrNoShutdown says that the client ended the connection without shutting the
// server down first.
var ErrNoShutdown = errors.New("exit without shutdown")

// Serve serves one client until it exits or its input ends.
func Serve(ctx context.Context, rwc io.ReadWriteCloser, opts ServerOptions) error {
	s := newServer(rwc, opts)
	defer s.close()
	if opts.Agents {
		s.agents = newAgents(ctx, s)
		defer s.agents.close()
	}
	exit := s.conn.Run(ctx)
	if exit == nil && s.phase.Load() != phaseShutdown && s.conn.isClosed() && s.news.exited.Load() {
		return ErrNoShutdown
	}
	return exit
}

func newServer(rwc io.ReadWriteCloser, opts ServerOptions) *Server {
	if opts.Log == nil {
		opts.Log = zap.NewNop()
	}
	if opts.AfterFunc == nil {
		opts.AfterFunc = func(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }
	}
	opts.Workspace.Log = opts.Log
	opts.Workspace.Watch = true
	opts.Workspace.OwnSessions = true
	s := &Server{opts: opts, log: opts.Log, workspaces: new(workspaces), docs: new(documents)}
	s.settings.Store(&defaultSettings)
	s.news.server = s
	s.conn = NewConn(rwc, s.handlers(), Options{Log: opts.Log, Gate: s.gate})
	return s
}

func (s *Server) close() {
	s.news.stop()
	s.workspaces.mu.Lock()
	defer s.workspaces.mu.Unlock()
	for _, h := range s.workspaces.hubs {
		if err := h.Close(); err != nil {
			s.log.Error("closing the workspace", zap.String("root", h.Root()), zap.Error(err))
		}
	}
	s.workspaces.hubs = nil
}

// handlers returns the method table. What is not in it does not exist.
func (s *Server) handlers() map[string]Handler {
	return s.awareness(map[string]Handler{
		"initialize":  s.initialize,
		"initialized": s.initialized,
		"shutdown":    s.shutdown,
		"exit":        s.exit,

		"textDocument/didOpen":                s.didOpen,
		"textDocument/didChange":              s.didChange,
		"textDocument/didSave":                s.didSave,
		"textDocument/didClose":               s.didClose,
		"textDocument/diagnostic":             s.diagnostic,
		"textDocument/codeLens":               s.codeLens,
		"codeLens/resolve":                    s.resolveCodeLens,
		"textDocument/hover":                  s.hover,
		"textDocument/codeAction":             s.codeAction,
		"workspace/executeCommand":            s.executeCommand,
		"workspace/textDocumentContent":       s.textDocumentContent,
		"workspace/didChangeWatchedFiles":     s.didChangeWatchedFiles,
		"workspace/didRenameFiles":            s.didRenameFiles,
		"workspace/didDeleteFiles":            s.didDeleteFiles,
		"workspace/didChangeConfiguration":    s.didChangeConfiguration,
		"workspace/didChangeWorkspaceFolders": s.didChangeWorkspaceFolders,
	})
}

// gate keeps messages out that do not belong to the phase.
func (s *Server) gate(method string) *Error {
	switch phase := s.phase.Load(); {
	case method == "exit":
		return nil
	case phase == phaseNew && method != "initialize":
		return Errorf(CodeServerNotInitialized, "%s before initialize", method)
	case phase == phaseRunning && method == "initialize":
		return Errorf(CodeInvalidRequest, "initialize a second time")
	case phase == phaseShutdown:
		return Errorf(CodeInvalidRequest, "%s after shutdown", method)
	}
	return nil
}

func (s *Server) initialize(_ context.Context, params json.RawMessage) (any, error) {
	p, err := decode[initializeParams](params)
	if err != nil {
		return nil, err
	}
	s.client = p
	encoding := chooseEncoding(p.Capabilities.General.PositionEncodings)
	s.encoding = encodings[encoding]
	roots, err := s.roots(p)
	if err != nil {
		return nil, err
	}
	for _, root := range roots {
		if err := s.addFolder(root); err != nil {
			return nil, Errorf(CodeRequestFailed, "%v", err)
		}
	}
	s.configure(p.InitializationOptions, "initializationOptions")
	s.phase.Store(phaseRunning)
	return s.capabilities(encoding), nil
}

var encodings = map[string]text.Encoding{"utf-8": text.UTF8, "utf-16": text.UTF16, "utf-32": text.UTF32}

// chooseEncoding prefers UTF-8, in which a column is a number of bytes, and
// takes UTF-16 where the client does not say.
func chooseEncoding(offered []string) string {
	for _, e := range []string{"utf-8", "utf-16", "utf-32"} {
		if slices.Contains(offered, e) {
			return e
		}
	}
	return "utf-16"
}

// roots returns the folders the client works in.
func (s *Server) roots(p initializeParams) ([]string, error) {
	var roots []string
	for _, f := range p.WorkspaceFolders {
		path, err := filePath(f.URI)
		if err != nil {
			s.log.Warn("ignoring a workspace folder", zap.String("uri", f.URI), zap.Error(err))
			continue
		}
		roots = append(roots, path)
	}
	switch {
	case len(roots) > 0:
		return roots, nil
	case p.RootURI != "":
		path, err := filePath(p.RootURI)
		return []string{path}, err
	case p.RootPath != "":
		return []string{p.RootPath}, nil
	case s.opts.Root != "":
		return []string{s.opts.Root}, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("finding the working directory: %w", err)
	}
	return []string{dir}, nil
}

func (s *Server) addFolder(root string) error {
	h, err := workspace.Open(root, s.opts.Workspace)
	if err != nil {
		return err
	}
	for _, other := range s.folders() {
		if other.Root() == h.Root() {
			return h.Close()
		}
	}
	if s.opts.Session != "" {
		if err := h.Select(s.opts.Session); err != nil {
			h.Close()
			return err
		}
	}
	h.Attach(&editor{server: s, hub: h})
	h.OnChange(func(session string, names []string) { s.news.changed(h, session, names) })
	h.OnArtifacts(s.artifactsChanged)
	h.OnRefusal(func(r workspace.Refusal) { s.news.refused(s.newEditRefused(h, r)) })
	h.Sweep()
	s.workspaces.mu.Lock()
	s.workspaces.hubs = append(s.workspaces.hubs, h)
	s.workspaces.mu.Unlock()
	s.agents.listen(h.Root())
	h.OnProblems(func() { s.news.document(document{h, config.File}) })
	for _, other := range s.folders() {
		s.evict(other, func(path string) bool { return s.hubOf(path) == other })
	}
	s.adopt()
	return nil
}

// folders returns the workspace folders.
func (s *Server) folders() []*workspace.Hub {
	s.workspaces.mu.RLock()
	defer s.workspaces.mu.RUnlock()
	return slices.Clone(s.workspaces.hubs)
}

// pulls reports whether the client asks for diagnostics itself. Then none are
// pushed.
func (s *Server) pulls() bool { return s.client.Capabilities.TextDocument.Diagnostic != nil }

func (s *Server) capabilities(encoding string) any {
	type object = map[string]any
	anyFile := object{"filters": []object{{"scheme": "file", "pattern": object{"glob": "**"}}}}
	caps := object{
		"positionEncoding":       encoding,
		"textDocumentSync":       object{"openClose": true, "change": 2, "save": object{"includeText": false}},
		"codeLensProvider":       object{"resolveProvider": true},
		"hoverProvider":          true,
		"codeActionProvider":     object{"codeActionKinds": []string{"quickfix", "source"}},
		"executeCommandProvider": object{"commands": commandNames()},
		"experimental":           object{"acode": object{"protocol": agentProtocol}},
		"workspace": object{
			"workspaceFolders":    object{"supported": true, "changeNotifications": true},
			"textDocumentContent": object{"schemes": []string{artifactScheme}},
			"fileOperations":      object{"didRename": anyFile, "didDelete": anyFile},
		},
	}
	if s.pulls() {
		caps["diagnosticProvider"] = object{"identifier": source, "interFileDependencies": false, "workspaceDiagnostics": false}
	}
	return object{"capabilities": caps, "serverInfo": object{"name": "acode-ls", "version": s.opts.Version}}
}

func (s *Server) initialized(ctx context.Context, _ json.RawMessage) (any, error) {
	if s.client.Capabilities.Workspace.Configuration {
		s.firstConfiguration(ctx)
	}
	if s.client.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration {
		Release(ctx)
		watch := map[string]any{"registrations": []any{map[string]any{
			"id": "watch", "method": "workspace/didChangeWatchedFiles",
			"registerOptions": map[string]any{"watchers": []any{map[string]string{"globPattern": "**/*"}}},
		}}}
		if err := s.conn.Call(ctx, "client/registerCapability", watch, nil); err != nil {
			s.log.Warn("the client does not watch files", zap.Error(err))
		}
	}
	return nil, nil
}

// firstConfiguration waits a little for the client's settings before the next
// message is handled, so that nothing is shown that they switch off.
func (s *Server) firstConfiguration(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.pullConfiguration(ctx)
	}()
	select {
	case <-done:
	case <-time.After(time.Second):
		Release(ctx)
		<-done
	}
}

func (s *Server) shutdown(context.Context, json.RawMessage) (any, error) {
	s.phase.Store(phaseShutdown)
	return nil, nil
}

func (s *Server) exit(context.Context, json.RawMessage) (any, error) {
	s.news.exited.Store(true)
	return nil, s.conn.Close()
}

func (s *Server) didChangeWorkspaceFolders(_ context.Context, params json.RawMessage) (any, error) {
	p, err := decode[struct {
		Event struct {
			Added   []folder `json:"added"`
			Removed []folder `json:"removed"`
		} `json:"event"`
	}](params)
	if err != nil {
		return nil, err
	}
	for _, f := range p.Event.Added {
		path, err := filePath(f.URI)
		if err == nil {
			err = s.addFolder(path)
		}
		if err != nil {
			s.log.Warn("adding a workspace folder", zap.String("uri", f.URI), zap.Error(err))
		}
	}
	for _, f := range p.Event.Removed {
		path, err := filePath(f.URI)
		if err != nil {
			continue
		}
		if err := s.removeFolder(path); err != nil {
			s.log.Warn("removing a workspace folder", zap.String("uri", f.URI), zap.Error(err))
		}
	}
	return nil, nil
}

// removeFolder closes a folder, unless it is the last: requests that name no
// file need one.
func (s *Server) removeFolder(path string) error {
	folders := s.folders()
	i := slices.IndexFunc(folders, func(h *workspace.Hub) bool {
		name, err := h.Name(path)
		return err == nil && name == "."
	})
	if i < 0 || len(folders) == 1 {
		return nil
	}
	h := folders[i]
	s.evict(h, func(string) bool { return false })
	s.workspaces.mu.Lock()
	s.workspaces.hubs = slices.DeleteFunc(s.workspaces.hubs, func(other *workspace.Hub) bool { return other == h })
	s.workspaces.mu.Unlock()
	s.adopt()
	s.agents.leave(h.Root())
	return h.Close()
}

// BuildVersion returns the version of the program that is running.
func BuildVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
