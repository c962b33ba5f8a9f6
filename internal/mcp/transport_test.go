package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/acode-ls/acode-ls/internal/mcp"
	"github.com/acode-ls/acode-ls/lsp"
)

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// message is what a server writes on a line.
type message struct {
	ID     *json.RawMessage
	Method string
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

// raw sends lines to a server, closes its input, and returns what it writes
// until it ends.
func raw(t *testing.T, p *peer, lines string) []message {
	t.Helper()
	go func() {
		_, _ = io.WriteString(p.in, lines) // fails when the server ends early, which shows in what is missing
		p.in.Close()
	}()
	var out []message
	r := bufio.NewReader(p.out)
	for {
		line, err := r.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			break
		}
		if err != nil {
			t.Fatalf("reading %q: %v", line, err)
		}
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		out = append(out, m)
	}
	if err := p.wait(); err != nil {
		t.Errorf("Serve: %v", err)
	}
	return out
}

func callTool(id int, name, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", id, name, arguments)
}

// TestInputEnds closes the input while calls are under way: all are answered.
func TestInputEnds(t *testing.T) {
	const calls = 2000
	root := folder(t, map[string]string{"a": numbered(300)})
	var b strings.Builder
	b.WriteString(hello)
	for i := range calls {
		b.WriteString(callTool(i+1, "read_file", `{"path":"a"}`))
	}
	got := map[string]bool{}
	for _, m := range raw(t, serve(t, root), b.String()) {
		if m.ID == nil || m.Error != nil || len(m.Result) == 0 {
			t.Fatalf("message %+v", m)
		}
		got[string(*m.ID)] = true
	}
	if len(got) != calls+1 {
		t.Errorf("%d answers, want %d", len(got), calls+1)
	}
}

func TestInputWithoutLastLineEnd(t *testing.T) {
	out := raw(t, serve(t, folder(t, nil)), hello+strings.TrimSpace(callTool(1, "awareness_state", `{}`)))
	if len(out) != 2 || string(*out[1].ID) != "1" || out[1].Error != nil {
		t.Errorf("got %+v", out)
	}
}

func TestNoMessages(t *testing.T) {
	lines := []string{
		`nonsense`, `{"jsonrpc":"2.0","id":1`, `[]`, `[{"jsonrpc":"2.0","id":7,"method":"ping"}]`, `{}`, `7`,
		`{"jsonrpc":"1.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":"ping"} x`,
		"\x00\xff", strings.Repeat("[", 100_000),
	}
	input := hello + strings.Join(lines, "\n") + "\n\r\n  \n" + `{"jsonrpc":"2.0","id":"last","method":"ping"}` + "\r\n"
	out := raw(t, serve(t, folder(t, nil)), input)
	if len(out) != len(lines)+2 {
		t.Fatalf("%d answers to %d lines: %+v", len(out), len(lines)+2, out)
	}
	refused := 0
	for _, m := range out {
		switch {
		case m.ID != nil && m.Error == nil: // initialize and ping
		case m.ID != nil || m.Error.Message == "" || m.Error.Code != -32700 && m.Error.Code != -32600:
			t.Errorf("%+v", m)
		default:
			refused++
		}
	}
	if refused != len(lines) {
		t.Errorf("%d of %d lines were refused", refused, len(lines))
	}
}

func TestLongMessages(t *testing.T) {
	root := folder(t, nil)
	long := strings.Repeat("0123456789abcdef", 1<<16)
	text, err := json.Marshal(strings.Repeat("line\n", 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	var tooLong strings.Builder
	for range 65 {
		tooLong.WriteString(long)
	}
	input := hello + tooLong.String() + "\n" + callTool(1, "write_file", `{"path":"a","content":`+string(text)+`}`)
	out := raw(t, serve(t, root), input)
	if len(out) != 3 {
		t.Fatalf("%d answers", len(out))
	}
	if e := out[1].Error; e == nil || !strings.Contains(e.Message, "67108864 bytes") {
		t.Errorf("a message of 65 MiB: %+v", out[1])
	}
	if out[2].Error != nil || len(content(t, root, "a")) != 5<<20 {
		t.Errorf("one of 6 MB: %+v", out[2].Error)
	}
}

// TestMethods holds what is answered beside tools and resources.
func TestMethods(t *testing.T) {
	out := raw(t, serve(t, folder(t, nil)), strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, // before initialize
		strings.TrimSpace(hello),
		`{"jsonrpc":"2.0","id":2,"method":"no/such"}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call"}`,
		`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":7}}`,
		`{"jsonrpc":"2.0","id":5,"method":"resources/templates/list"}`,
		`{"jsonrpc":"2.0","method":"tools/call","params":{}}`,
		`{"jsonrpc":"2.0","id":99,"result":{}}`,
	}, "\n")+"\n")
	got := map[string]message{}
	for _, m := range out {
		got[string(*m.ID)] = m
	}
	for id, isError := range map[string]bool{"0": false, "1": true, "2": true, "3": true, "4": true, "5": false} {
		if m, ok := got[id]; !ok || (m.Error != nil) != isError {
			t.Errorf("%s: %+v", id, m)
		}
	}
	var init struct {
		Capabilities map[string]map[string]bool
	}
	if err := json.Unmarshal(got["0"].Result, &init); err != nil || len(init.Capabilities) != 2 || !init.Capabilities["resources"]["listChanged"] {
		t.Errorf("capabilities %+v: %v", init, err)
	}
}

// TestNewProtocol calls a tool without a handshake, as of 2026-07-28.
func TestNewProtocol(t *testing.T) {
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"claude-code","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	out := raw(t, serve(t, folder(t, nil)),
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"awareness_state","arguments":{},`+meta+`}}`+"\n"+
			`{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{"resourcesListChanged":true},`+meta+`}}`+"\n")
	for _, m := range out {
		if m.ID == nil || string(*m.ID) != "1" {
			continue
		}
		var r struct {
			ResultType        string
			StructuredContent struct{ Session string }
		}
		if err := json.Unmarshal(m.Result, &r); err != nil || r.ResultType != "complete" || !strings.HasPrefix(r.StructuredContent.Session, "claude-code-") {
			t.Errorf("result %s: %v", m.Result, err)
		}
		return
	}
	t.Errorf("no answer: %+v", out)
}

// TestClientIsGone breaks the output.
func TestClientIsGone(t *testing.T) {
	p := serve(t, folder(t, nil))
	p.out.Close()
	go func() { _, _ = io.WriteString(p.in, hello) }() // the server may be gone
	if err := p.wait(); err != nil {
		t.Errorf("Serve: %v", err)
	}
}

// waiting answers no read before it is cancelled.
type waiting struct {
	*lsp.Link
	come chan struct{} // closed when a read waits, if it is not nil
}

func (w waiting) Call(ctx context.Context, method string, params, result any) error {
	if method == "acode/read" {
		if w.come != nil {
			close(w.come)
		}
		<-ctx.Done()
		return ctx.Err()
	}
	return w.Link.Call(ctx, method, params, result)
}

func TestCancelledCall(t *testing.T) {
	p := serve(t, folder(t, nil), func(o *mcp.Options) { o.Workspace = waiting{o.Workspace.(*lsp.Link), nil} })
	out := raw(t, p, hello+callTool(1, "read_file", `{"path":"a"}`)+callTool(2, "awareness_state", `{}`)+
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`+"\n")
	answered := 0
	for _, m := range out {
		switch id := string(*m.ID); {
		case id == "1" && !strings.Contains(string(m.Result), `"the call was cancelled"`) && m.Error == nil:
			t.Errorf("the cancelled call: %s", m.Result)
		case id == "2" && m.Error != nil:
			t.Errorf("the other call: %+v", m.Error)
		}
		answered++
	}
	if answered != 3 {
		t.Errorf("%d answers, want 3", answered)
	}
}

// TestServeEndsAtOnce ends a server that waits for its workspace.
func TestServeEndsAtOnce(t *testing.T) {
	come := make(chan struct{})
	p := serve(t, folder(t, nil), func(o *mcp.Options) { o.Workspace = waiting{o.Workspace.(*lsp.Link), come} })
	go func() { _, _ = io.WriteString(p.in, hello+callTool(1, "read_file", `{"path":"a"}`)) }() // which is read until the end
	go func() { _, _ = io.Copy(io.Discard, p.out) }()
	<-come
	p.end()
	if err := p.wait(); !errors.Is(err, context.Canceled) {
		t.Errorf("Serve: %v", err)
	}
}

// TestNoTypeNames holds that clients do not hear of the types of this program.
func TestNoTypeNames(t *testing.T) {
	lines := []string{
		`[]`, `[{"jsonrpc":"2.0","id":7,"method":"ping"}]`, `7`, `"x"`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":7}`,
		`{"jsonrpc":2,"id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":"ping","params":7}`, `{"jsonrpc":"2.0","id":1,"error":7}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":7}}`, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":[]}`,
		`{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":{}}}`, `{"jsonrpc":"2.0","id":5,"method":"tools/call"}`,
		`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":null}`, `{"jsonrpc":"2.0","id":8,"method":"tools/list","params":{"cursor":1}}`,
		`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"read_file","arguments":"unmarshaling \"a\" into a *b.C"}}`,
		`{"jsonrpc":"2.0","id":10,"method":"unmarshaling x into a y","params":{}}`, `{"jsonrpc":"2.0","id":11,"method":"initialize","params":7}`,
	}
	typeName := regexp.MustCompile(`\*?\b(jsonrpc2?|mcp|json|sdk)\.[A-Za-z]|\bGo (value|struct)|unmarshal\w* .* into|Params(Raw)?\b`)
	for _, m := range raw(t, serve(t, folder(t, nil)), hello+strings.Join(lines, "\n")+"\n") {
		if m.Error != nil && typeName.MatchString(strings.ReplaceAll(m.Error.Message, "unmarshaling x into a y", "")) {
			t.Errorf("%d: %s", m.Error.Code, m.Error.Message)
		}
	}
}
