package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/acode-ls/acode-ls/internal/mcp"
	"github.com/acode-ls/acode-ls/lsp"
)

// folder is a workspace with the given files.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		put(t, root, name, content)
	}
	return root
}

func put(t testing.TB, root, name, content string) {
	t.Helper()
	path := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func content(t testing.TB, root, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// peer is a server on a folder, with the ends of its pipes.
type peer struct {
	t    testing.TB
	root string
	link *lsp.Link
	logs *observer.ObservedLogs

	in   *io.PipeWriter // what the server reads
	out  *io.PipeReader // what it writes
	end  context.CancelFunc
	done chan error
}

// serve starts a server; change may set more options.
func serve(t testing.TB, root string, change ...func(*mcp.Options)) *peer {
	t.Helper()
	core, logs := observer.New(zap.InfoLevel)
	log := zap.New(core)
	link, err := lsp.OpenLink(root, lsp.LinkOptions{Version: "test", Log: log, Alone: true})
	if err != nil {
		t.Fatal(err)
	}
	hub, err := link.Hub()
	if err != nil {
		t.Fatal(err)
	}
	opts := mcp.Options{Workspace: link, Hub: hub, Version: "test", Log: log}
	for _, c := range change {
		c(&opts)
	}
	p := &peer{t: t, root: root, link: link, logs: logs, done: make(chan error, 1)}
	var ctx context.Context
	ctx, p.end = context.WithCancel(t.Context())
	in, out := io.Pipe()
	p.in = out
	var serverOut *io.PipeWriter
	p.out, serverOut = io.Pipe()
	go func() { p.done <- mcp.Serve(ctx, in, serverOut, opts) }()
	t.Cleanup(func() {
		p.end()
		if err := link.Close(); err != nil {
			t.Errorf("closing the link: %v", err)
		}
	})
	return p
}

// wait waits until the server has ended.
func (p *peer) wait() error {
	err := <-p.done
	p.done <- err
	return err
}

// client is the SDK's client of a server.
type client struct {
	*peer
	session *sdk.ClientSession
	schemas map[string]*jsonschema.Schema // of results, by tool
	calls   map[string]bool               // tools whose results were validated

	mu       sync.Mutex
	changed  chan struct{}
	progress chan *sdk.ProgressNotificationParams
}

func connect(t testing.TB, root string, change ...func(*mcp.Options)) *client {
	t.Helper()
	return connectAs(t, "test client", root, change...)
}

func connectAs(t testing.TB, name, root string, change ...func(*mcp.Options)) *client {
	t.Helper()
	c := &client{
		peer: serve(t, root, change...), schemas: map[string]*jsonschema.Schema{}, calls: map[string]bool{},
		changed: make(chan struct{}, 100), progress: make(chan *sdk.ProgressNotificationParams, 100),
	}
	me := sdk.NewClient(&sdk.Implementation{Name: name, Version: "1"}, &sdk.ClientOptions{
		ResourceListChangedHandler:  func(context.Context, *sdk.ResourceListChangedRequest) { c.changed <- struct{}{} },
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { c.progress <- r.Params },
	})
	var err error
	if c.session, err = me.Connect(t.Context(), &sdk.IOTransport{Reader: c.out, Writer: c.in}, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.session.Close() })
	listed, err := c.session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range listed.Tools {
		c.schemas[tool.Name] = compile(t, tool.OutputSchema)
	}
	return c
}

func compile(t testing.TB, schema any) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// result is one of a tool.
type result struct {
	text       string // the texts, one after the other
	texts      []string
	isError    bool
	structured map[string]any
	raw        string // structured content
}

// at returns what is at a path of keys in the structured content.
func (r result) at(keys ...string) any {
	var v any = r.structured
	for _, key := range keys {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}

// try calls a tool with arguments in JSON, and holds its result to the schema.
func (c *client) try(ctx context.Context, tool, arguments string) (result, error) {
	c.t.Helper()
	got, err := c.session.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		return result{}, err
	}
	r := result{isError: got.IsError}
	for _, item := range got.Content {
		text, ok := item.(*sdk.TextContent)
		if !ok {
			return result{}, errors.New("an item that is no text")
		}
		r.texts = append(r.texts, text.Text)
	}
	r.text = strings.Join(r.texts, "\n")
	if got.StructuredContent == nil {
		if !got.IsError {
			c.t.Errorf("%s %s: no structured content", tool, arguments)
		}
		return r, nil
	}
	if err := c.schemas[tool].Validate(got.StructuredContent); err != nil {
		c.t.Errorf("%s %s: the result breaks its schema: %v", tool, arguments, err)
	}
	c.mu.Lock()
	c.calls[tool] = true
	c.mu.Unlock()
	r.structured, _ = got.StructuredContent.(map[string]any)
	raw, err := json.Marshal(got.StructuredContent)
	r.raw = string(raw)
	return r, err
}

func (c *client) call(tool, arguments string) result {
	c.t.Helper()
	r, err := c.try(c.t.Context(), tool, arguments)
	if err != nil {
		c.t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	return r
}

// must calls a tool that has to succeed.
func (c *client) must(tool, arguments string) result {
	c.t.Helper()
	r := c.call(tool, arguments)
	if r.isError {
		c.t.Fatalf("%s %s: %s", tool, arguments, r.text)
	}
	return r
}

// refused calls a tool that has to fail, and returns what it says.
func (c *client) refused(tool, arguments string) string {
	c.t.Helper()
	r := c.call(tool, arguments)
	if !r.isError {
		c.t.Fatalf("%s %s is no error: %s", tool, arguments, r.text)
	}
	return strings.ReplaceAll(r.text, c.root, "ROOT")
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("line ")
		b.WriteString(strings.Repeat("x", i%7))
		b.WriteByte('\n')
	}
	return b.String()
}
