//go:build unix

package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/acode-ls/acode-ls/internal/fake"
	"github.com/acode-ls/acode-ls/lsp"
)

// TestUnsaved: an agent's process sees what the editor has not saved, and its
// edits land there (C-151).
func TestUnsaved(t *testing.T) {
	const doc = `"session":"s","textDocument":{"uri":"ROOT/a.txt"}`
	runtimeFolder(t)
	root := folderOf(t, map[string]string{"a.txt": "one\ntwo\n"})
	l := openLink(t, root)
	if got := l.must("acode/read", `{`+doc+`}`); !strings.Contains(got, `"content":"one\ntwo\n"`) {
		t.Errorf("alone: %s", got)
	}
	// A server that starts later is found, with the same ledger.
	e := startEditor(t, root)
	path := filepath.Join(l.Root(), "a.txt")
	if err := e.Open(path); err != nil {
		t.Fatal(err)
	}
	l.attach()
	if err := e.Set(path, "zero\none\ntwo\n"); err != nil {
		t.Fatal(err)
	}
	heard(t, e)
	if got := l.state("a.txt"); got != "partial_read 2-3 stale" {
		t.Errorf("after typing: %s", got)
	}
	if got := l.short("acode/edit", `{`+doc+`,"edits":[{"oldText":"two","newText":"TWO"}]}`); got != "applied" {
		t.Error(got)
	}
	if got, _, _ := e.Text(path); got != "zero\none\nTWO\n" {
		t.Errorf("the buffer holds %q", got)
	}
	if got := l.file("a.txt"); got != "one two" {
		t.Errorf("the disk holds %q", got)
	}
	if err := e.Save(path); err != nil {
		t.Fatal(err)
	}
	heard(t, e)
	// A server that ends is done without, with the same ledger.
	stopEditor(t, e)
	l.detach()
	if got := l.state("a.txt"); got != "partial_read 2-3 stale" {
		t.Errorf("after the editor: %s", got)
	}
	if got := l.short("acode/edit", `{`+doc+`,"edits":[{"oldText":"zero\n","newText":""}]}`); !strings.HasPrefix(got, "blocked partial_overlap: Line 1") && !strings.HasPrefix(got, "blocked no_coverage") {
		t.Errorf("the person's line: %s", got)
	}
}

// heard waits until the server has heard all that the editor told it.
func heard(t *testing.T, e *fake.Editor) {
	t.Helper()
	if _, err := e.Call(t.Context(), "acode/sessions", map[string]any{}); err != nil {
		t.Fatal(err)
	}
}

// TestTwoServers: of two servers on one folder the second takes over when the
// first ends.
func TestTwoServers(t *testing.T) {
	runtimeFolder(t)
	root := folderOf(t, map[string]string{"a.txt": "one\n"})
	first := startEditor(t, root)
	l := openLink(t, root)
	l.attach()
	second := startEditor(t, root)
	l.must("acode/read", `{"session":"s","textDocument":{"uri":"ROOT/a.txt"}}`)
	stopEditor(t, first)
	l.detach()
	l.attach()
	path := filepath.Join(l.Root(), "a.txt")
	if err := second.Open(path); err != nil {
		t.Fatal(err)
	}
	heard(t, second)
	if got := l.short("acode/edit", `{"session":"s","textDocument":{"uri":"ROOT/a.txt"},"content":"two\n"}`); got != "applied" {
		t.Error(got)
	}
	if got, _, _ := second.Text(path); got != "two\n" {
		t.Errorf("the buffer of the second holds %q", got)
	}
}

// socketOf returns the path at which the server of a folder listens.
func socketOf(t *testing.T, runtime, root string) string {
	t.Helper()
	startEditor(t, root)
	openLink(t, root).attach()
	found, err := filepath.Glob(filepath.Join(runtime, "*", "*.sock"))
	if err != nil || len(found) != 1 {
		t.Fatalf("sockets: %q, %v", found, err)
	}
	return found[0]
}

// TestSocketLeftBehind: what is left of a killed server is in nobody's way.
func TestSocketLeftBehind(t *testing.T) {
	runtime := runtimeFolder(t)
	root := folderOf(t, map[string]string{"a.txt": "one\n"})
	var path string
	t.Run("first", func(t *testing.T) { path = socketOf(t, runtime, root) })
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	link := openLink(t, root)
	if link.Attached(t.Context()) {
		t.Error("attached to a dead socket")
	}
	link.must("acode/read", `{"session":"s","textDocument":{"uri":"ROOT/a.txt"}}`)
	startEditor(t, root)
	link.attach()
	if got := link.state("a.txt"); got != "fully_read 1-1" {
		t.Error(got)
	}
}

// TestOtherProtocol: processes that would misunderstand each other work beside
// each other, and say what to do.
func TestOtherProtocol(t *testing.T) {
	runtime := runtimeFolder(t)
	root := folderOf(t, map[string]string{"a.txt": "one\n"})
	var path string
	t.Run("first", func(t *testing.T) { path = socketOf(t, runtime, root) })
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var served sync.WaitGroup
	served.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			served.Go(func() {
				answer := func(context.Context, json.RawMessage) (any, error) {
					return nil, lsp.Errorf(lsp.CodeInvalidRequest, "version 9 speaks another protocol; restart the editor's server")
				}
				lsp.NewConn(conn, map[string]lsp.Handler{"acode/hello": answer}, lsp.Options{}).Run(context.Background())
			})
		}
	})
	link := openLink(t, root)
	for range 3 {
		link.must("acode/read", `{"session":"s","textDocument":{"uri":"ROOT/a.txt"}}`)
	}
	const want = "restart the editor's server"
	if logs := link.logs.FilterMessage("not asking the editor's server").All(); len(logs) != 1 || !strings.Contains(fmt.Sprint(logs[0].ContextMap()["error"]), want) {
		t.Errorf("logged %v, want %q once", logs, want)
	}
	l.Close()
	served.Wait()
}

// TestOpenFolder: a folder for sockets into which others may look is not used,
// neither to listen nor to connect (C-195).
func TestOpenFolder(t *testing.T) {
	runtime := runtimeFolder(t)
	root := folderOf(t, map[string]string{"a.txt": "one\n"})
	var path string
	t.Run("first", func(t *testing.T) { path = socketOf(t, runtime, root) })
	startEditor(t, root)
	openLink(t, root).attach()
	if err := os.Chmod(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	link := openLink(t, root)
	if link.Attached(t.Context()) {
		t.Error("connected through a folder open to others")
	}
	if link.logs.FilterMessage("not asking the editor's server").Len() == 0 {
		t.Error("not a word about it")
	}
}

// TestManyAgents: many processes and an editor have one ledger, and no line of
// it is lost (LED-08).
func TestManyAgents(t *testing.T) {
	runtimeFolder(t)
	const lines = 400
	root := folderOf(t, map[string]string{"a.txt": numberedLines(lines)})
	startEditor(t, root)
	openLink(t, root).attach()
	var agents sync.WaitGroup
	for i := range 8 {
		l := openLink(t, root)
		alone, err := lsp.OpenLink(root, lsp.LinkOptions{Version: "test", Alone: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { alone.Close() })
		agents.Go(func() {
			for n := i*50 + 1; n <= i*50+50; n++ {
				link := l.Link
				if n%2 == 0 {
					link = alone
				}
				err := link.Call(context.Background(), "acode/read", map[string]any{
					"session": "s", "textDocument": map[string]any{"uri": fileURI(root) + "/a.txt"}, "startLine": n, "endLine": n,
				}, nil)
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	agents.Wait()
	if got := openLink(t, root).state("a.txt"); got != fmt.Sprintf("fully_read 1-%d", lines) {
		t.Errorf("after all: %s", got)
	}
}

// TestServerEndsWithoutAnswer: what may be asked twice is asked again without
// the server; an edit is not, since it may have been made.
func TestServerEndsWithoutAnswer(t *testing.T) {
	runtime := runtimeFolder(t)
	root := folderOf(t, map[string]string{"a.txt": "one\n"})
	var path string
	t.Run("first", func(t *testing.T) { path = socketOf(t, runtime, root) })
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	var served sync.WaitGroup
	served.Go(func() {
		for {
			rwc, err := l.Accept()
			if err != nil {
				return
			}
			var conn *lsp.Conn
			dies := func(context.Context, json.RawMessage) (any, error) { return nil, conn.Close() }
			conn = lsp.NewConn(rwc, map[string]lsp.Handler{
				"acode/hello": func(_ context.Context, params json.RawMessage) (any, error) { return params, nil },
				"acode/read":  dies, "acode/edit": dies, "acode/applyEdit": dies,
			}, lsp.Options{})
			served.Go(func() { conn.Run(context.Background()) })
		}
	})
	link := openLink(t, root)
	const doc = `"session":"s","textDocument":{"uri":"ROOT/a.txt"}`
	if got := link.must("acode/read", `{`+doc+`}`); !strings.Contains(got, `"content":"one\n"`) {
		t.Errorf("reading: %s", got)
	}
	for method, params := range map[string]string{
		"acode/edit": `{` + doc + `,"content":"two\n"}`, "acode/applyEdit": `{"session":"s","edit":{"documentChanges":[]}}`,
	} {
		if got, want := link.ask(method, params), "error: the editor's server ended before it answered; read the file again to see whether the edit was made"; got != want {
			t.Errorf("%s: %s, want %s", method, got, want)
		}
	}
	if got := link.file("a.txt"); got != "one" {
		t.Errorf("the file holds %q", got)
	}
	l.Close()
	served.Wait()
}

// dialRaw connects to the only server that listens.
func dialRaw(t *testing.T, runtime string) *lsp.Conn {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(runtime, "*", "*.sock"))
	if err != nil || len(found) == 0 {
		t.Fatalf("sockets: %q, %v", found, err)
	}
	rwc, err := net.Dial("unix", found[0])
	if err != nil {
		t.Fatal(err)
	}
	conn := lsp.NewConn(rwc, nil, lsp.Options{})
	done := make(chan struct{})
	go func() { defer close(done); conn.Run(context.Background()) }()
	t.Cleanup(func() { conn.Close(); <-done })
	return conn
}

// TestHelloFirst: who has not said hello gets no answer, and one of another
// protocol is told what to do (C-195).
func TestHelloFirst(t *testing.T) {
	runtime := runtimeFolder(t)
	root := folderOf(t, map[string]string{"a.txt": "one\n"})
	startEditor(t, root)
	openLink(t, root).attach()
	conn := dialRaw(t, runtime)
	for _, test := range []struct{ method, params, want string }{
		{"acode/state", `{}`, "acode/state: client answered -32002: acode/state before acode/hello"},
		{"initialize", `{}`, "initialize: client answered -32002: initialize before acode/hello"},
		{"acode/hello", `{"protocol":99,"version":"9.9"}`, "acode/hello: client answered -32600: version 9.9 speaks protocol 99, the running server test protocol 1; restart the editor's server"},
		{"acode/state", `{}`, "acode/state: client answered -32002: acode/state before acode/hello"},
		{"acode/hello", `{"protocol":1,"version":"1"}`, "<nil>"},
		{"acode/hello", `{"protocol":1,"version":"1"}`, "acode/hello: client answered -32600: acode/hello a second time"},
		{"acode/state", `{}`, "<nil>"},
		{"shutdown", `{}`, `shutdown: client answered -32601: method not found: "shutdown"`},
	} {
		if got := fmt.Sprint(conn.Call(t.Context(), test.method, json.RawMessage(test.params), nil)); got != test.want {
			t.Errorf("%s %s: %s, want %s", test.method, test.params, got, test.want)
		}
	}
}

// TestOneFolder: an agent of one folder reaches no other that the same editor
// has open.
func TestOneFolder(t *testing.T) {
	runtimeFolder(t)
	root, other := folderOf(t, map[string]string{"a.txt": "one\n"}), folderOf(t, map[string]string{"b.txt": "two\n"})
	startEditor(t, root, other)
	l := openLink(t, root)
	l.attach()
	outside := fileURI(openLink(t, other).Root())
	doc := `"session":"s","textDocument":{"uri":"` + outside + `/b.txt"}`
	if got := l.ask("acode/read", `{`+doc+`}`); !strings.Contains(got, "is outside the workspace root") {
		t.Errorf("reading: %s", got)
	}
	if got := l.short("acode/edit", `{`+doc+`,"content":"x\n"}`); !strings.HasPrefix(got, "blocked outside_root") {
		t.Errorf("editing: %s", got)
	}
	l.must("acode/round", `{"session":"s"}`)
	if _, err := os.Stat(filepath.Join(other, ".acode")); !os.IsNotExist(err) {
		t.Errorf("the other folder has .acode (%v)", err)
	}
}

// TestStoppedServer: a server that accepts and does not answer holds an agent
// up once, not at each call.
func TestStoppedServer(t *testing.T) {
	runtime := runtimeFolder(t)
	root := folderOf(t, map[string]string{"a.txt": "one\n"})
	var path string
	t.Run("first", func(t *testing.T) { path = socketOf(t, runtime, root) })
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	link := openLink(t, root)
	for range 5 {
		link.must("acode/read", `{"session":"s","textDocument":{"uri":"ROOT/a.txt"}}`)
	}
	if logs := link.logs.FilterMessage("not asking the editor's server").Len(); logs != 1 {
		t.Errorf("it was asked %d times, want once", logs)
	}
}
