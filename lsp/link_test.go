package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/acode-ls/acode-ls/internal/fake"
	"github.com/acode-ls/acode-ls/lsp"
)

// This file tests how processes of agents meet an editor's server.

// runtimeFolder gives the test sockets of its own.
func runtimeFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "acode") // t.TempDir is too long a path for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	t.Setenv("XDG_RUNTIME_DIR", dir)
	t.Setenv("TMPDIR", dir)
	return dir
}

func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(root, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

type linked struct {
	*lsp.Link
	t    *testing.T
	logs *observer.ObservedLogs
}

func openLink(t *testing.T, root string) linked {
	t.Helper()
	core, logs := observer.New(zap.InfoLevel)
	l, err := lsp.OpenLink(root, lsp.LinkOptions{Version: "test", Log: zap.New(core)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return linked{l, t, logs}
}

// ask sends a request and returns the answer, or the error after "error: ".
// In both, ROOT stands for the URI of the folder.
func (l linked) ask(method, params string) string {
	l.t.Helper()
	uri := fileURI(l.Root())
	var raw json.RawMessage
	if err := l.Call(context.Background(), method, json.RawMessage(strings.ReplaceAll(params, "ROOT", uri)), &raw); err != nil {
		return "error: " + strings.ReplaceAll(err.Error(), l.Root(), "ROOT")
	}
	return strings.TrimSpace(strings.ReplaceAll(string(raw), uri, "ROOT"))
}

func (l linked) must(method, params string) string {
	l.t.Helper()
	out := l.ask(method, params)
	if strings.HasPrefix(out, "error: ") {
		l.t.Fatalf("%s %s: %s", method, params, out)
	}
	return out
}

// state returns what session s knows of a file, in short.
func (l linked) state(name string) string {
	l.t.Helper()
	out := l.must("acode/state", fmt.Sprintf(`{"session":"s","textDocument":{"uri":"ROOT/%s"}}`, name))
	var r struct {
		Files []struct {
			State      string
			Stale      bool
			ReadRanges []struct{ StartLine, EndLine int }
		}
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		l.t.Fatal(err)
	}
	f := r.Files[0]
	s := f.State
	for _, r := range f.ReadRanges {
		s += fmt.Sprintf(" %d-%d", r.StartLine, r.EndLine)
	}
	if f.Stale {
		s += " stale"
	}
	return s
}

// startEditor starts an editor with a server that agents may connect to.
func startEditor(t *testing.T, roots ...string) *fake.Editor {
	t.Helper()
	client, server := net.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := lsp.Serve(context.Background(), server, lsp.ServerOptions{Version: "test", Agents: true}); err != nil {
			t.Error(err)
		}
	}()
	e, err := fake.Dial(t.Context(), client, fake.Options{Personality: fake.VSCode, Roots: roots})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stopEditor(t, e); <-done })
	return e
}

func stopEditor(t *testing.T, e *fake.Editor) {
	t.Helper()
	select {
	case <-e.Closed():
		return
	default:
	}
	if err := e.Exit(context.Background()); err != nil && err != io.EOF {
		t.Error(err)
	}
	e.Wait()
}

// attach waits until a server listens, which it does right after it is
// initialized.
func (l linked) attach() {
	l.t.Helper()
	for !l.Attached(l.t.Context()) {
		if l.t.Context().Err() != nil {
			l.t.Fatal("no server listens")
		}
	}
}

func (l linked) detach() {
	l.t.Helper()
	for l.Attached(l.t.Context()) {
		if l.t.Context().Err() != nil {
			l.t.Fatal("the server still listens")
		}
	}
}

// TestLink plays the same requests alone and beside an editor's server: the
// answers are the same.
func TestLink(t *testing.T) {
	const doc = `"session":"s","textDocument":{"uri":"ROOT/a.txt"}`
	for _, attached := range []bool{false, true} {
		t.Run(fmt.Sprint("attached ", attached), func(t *testing.T) {
			runtimeFolder(t)
			root := folderOf(t, map[string]string{"a.txt": numberedLines(10), "crlf.txt": "a\r\nb\r\nc\r\n", "empty.txt": ""})
			if attached {
				startEditor(t, root)
			}
			l := openLink(t, root)
			if attached {
				l.attach()
			}
			for i, test := range []struct{ method, params, want string }{
				{"acode/session", `{"session":"s","event":"start","agent":"x"}`, `{"session":"s","summary":""}`},
				{"acode/session", `{"session":"s","event":"pause"}`, `error: event "pause" is neither start nor end`},
				{"acode/session", `{"event":"end"}`, `error: no session`},
				{"acode/none", `{}`, `error: method not found: "acode/none"`},

				// What another tool showed: only lines that are there, at their places.
				{"acode/observe", `{` + doc + `,"shown":[{"startLine":2,"text":"line 0002\r\nline 0003\nother\nline 0005"},{"startLine":9,"text":"line 0001\n"},{"startLine":10,"text":"line 0010\nline 0011\n"}]}`, ""},
				{"state", "a.txt", "partial_read 2-3 5-5 10-10"},
				{"acode/observe", `{` + doc + `,"shown":[{"startLine":0,"text":"x"}]}`, `error: startLine 0 is less than 1`},
				{"acode/observe", `{` + doc + `,"shown":[],"ranges":[]}`, `error: an observation with ranges and shown; name one`},
				{"acode/observe", `{` + doc + `}`, `error: an observation with neither ranges nor shown`},

				// Edits as agents write them.
				{"acode/edit", `{` + doc + `,"edits":[{"oldText":"line 0004","newText":"x"}]}`, "blocked no_coverage: File was partially read — use read_file with target line range first. (expanded 1)"},
				{"acode/edit", `{` + doc + `,"edits":[{"oldText":"line 0004","newText":"four"},{"oldText":"four\nline","newText":"4\nLine"}]}`, "applied"},
				{"file", "a.txt", "line 0001 line 0002 line 0003 4 Line 0005 line 0006 line 0007 line 0008 line 0009 line 0010"},
				{"state", "a.txt", "partial_read 2-5 10-10"},
				{"acode/edit", `{` + doc + `,"edits":[{"oldText":"line","newText":"x"}]}`, "blocked invalid: The text to replace was found 8 times; give more of it, or replace all. (expanded 0)"},
				{"acode/edit", `{` + doc + `,"edits":[{"oldText":"nowhere","newText":"x"}]}`, "blocked invalid: The text to replace was not found. (expanded 0)"},
				{"acode/edit", `{` + doc + `,"edits":[{"oldText":"","newText":"x"}]}`, "blocked invalid: The text to replace is empty, and the file is not. (expanded 0)"},
				{"acode/edit", `{` + doc + `,"edits":[{"startLine":2,"endLine":3,"newText":"two"},{"startLine":11,"endLine":10,"newText":"eleven"}],"dryRun":true}`, "allowed"},
				{"acode/edit", `{` + doc + `,"edits":[{"startLine":2,"endLine":3,"newText":"two"},{"startLine":11,"endLine":10,"newText":"eleven"}]}`, "applied"},
				{"file", "a.txt", "line 0001 two 4 Line 0005 line 0006 line 0007 line 0008 line 0009 line 0010 eleven"},
				{"acode/edit", `{` + doc + `,"edits":[{"startLine":12,"endLine":11,"newText":"x"}]}`, "blocked invalid: Line 12 is past the end of the file, which has 10 lines. (expanded 0)"},
				{"acode/edit", `{` + doc + `,"edits":[{"startLine":2,"endLine":11,"newText":"x"}]}`, "blocked invalid: Lines 2-11 are not all in the file, which has 10 lines. (expanded 0)"},
				{"acode/edit", `{` + doc + `,"edits":[{"startLine":2,"endLine":0,"newText":"x"}]}`, "error: edits[0]: lines 2-0 run backwards"},
				{"acode/edit", `{` + doc + `,"edits":[{"startLine":2,"newText":"x"}]}`, "error: edits[0]: name both the first and the last line"},
				{"acode/edit", `{` + doc + `,"edits":[{"oldText":"x"}]}`, "error: edits[0]: no new text"},
				{"acode/edit", `{` + doc + `,"edits":[{"newText":"x"}]}`, "error: edits[0]: neither an old text nor lines"},
				{"acode/edit", `{` + doc + `,"edits":[]}`, "error: no edits"},
				{"acode/edit", `{` + doc + `,"edits":[{"oldText":"two","newText":"x"},{"startLine":1,"endLine":1,"newText":"x"}]}`, "error: edits by text and edits by lines in one call; make two of it"},
				{"acode/edit", `{` + doc + `,"content":"x","edits":[]}`, "error: content and edits at once; name one"},
				{"acode/edit", `{` + doc + `,"content":"x","expectedSha256":"` + strings.Repeat("0", 64) + `"}`, "blocked version: The file no longer has the expected content. Read it again. (expanded 0)"},
				{"acode/edit", `{` + doc + `,"content":"x","expectedSha256":"0"}`, `error: sha256 "0" is not 64 hexadecimal digits`},
				{"acode/edit", `{` + doc + `,"edits":[{"oldText":"line 0006","newText":"six"},{"oldText":"line 0008\n","newText":""}]}`, "blocked no_coverage: File was partially read — use read_file with target line range first. (expanded 2)"},
				{"acode/edit", `{` + doc + `,"edits":[{"oldText":"line 0006","newText":"six"},{"oldText":"none","newText":""}]}`, "blocked invalid: Edit 2: the text to replace was not found. (expanded 0)"},
				{"acode/edit", `{` + doc + `,"edits":[{"oldText":"line 0007","newText":"seven"}],"noExpand":true}`, "blocked no_coverage: File was partially read — use read_file with target line range first. (expanded 0)"},
				{"acode/edit", `{"session":"s","textDocument":{"uri":"ROOT/none.txt"},"edits":[{"oldText":"x","newText":"y"}]}`, "blocked invalid: The file does not exist. (expanded 0)"},
				{"acode/read", `{` + doc + `,"startLine":7,"endLine":7,"maxBytes":5}`, "error: reading a.txt: what is to be shown has 13 bytes as JSON, and there is room for 5; ask for fewer lines"},
				{"acode/unsaved", `{}`, `{"documents":[]}`},
				{"acode/applyEdit", `{"session":"s","edit":{"documentChange":[]}}`, "error: edit: it has neither changes nor documentChanges"},
				{"acode/edit", `{"session":"s","textDocument":{"uri":"ROOT/new.txt"},"content":"one\ntwo\n"}`, "applied"},
				{"state", "new.txt", "model_authored 1-2"},
				{"acode/edit", `{"session":"s","textDocument":{"uri":"ROOT/empty.txt"},"edits":[{"oldText":"","newText":"all\n"}]}`, "applied"},
				{"file", "empty.txt", "all"},

				// Line feeds match the ends of lines, and become them.
				{"acode/observe", `{"session":"s","textDocument":{"uri":"ROOT/crlf.txt"},"shown":[{"startLine":1,"text":"a\nb\nc\n"}]}`, ""},
				{"acode/edit", `{"session":"s","textDocument":{"uri":"ROOT/crlf.txt"},"edits":[{"oldText":"a\nb\n","newText":"A\nB\n"}]}`, "applied"},
				{"file", "crlf.txt", "A\r B\r c\r"},

				// Outside the folder.
				{"acode/edit", `{"session":"s","textDocument":{"uri":"file:///elsewhere.txt"},"content":"x"}`, ""},
				{"acode/round", `{"session":"s"}`, "null"},
				{"acode/session", `{"session":"s","event":"end"}`, `{"session":"s","summary":""}`},
			} {
				got := l.short(test.method, test.params)
				if test.want != "" && got != test.want {
					t.Errorf("%d: %s %s:\n got %s\nwant %s", i, test.method, test.params, got, test.want)
				}
			}
			if got := l.must("acode/session", `{"session":"s","event":"start"}`); !strings.Contains(got, `a.txt: partial read`) || !strings.Contains(got, "new.txt: model authored") {
				t.Errorf("a session that goes on knows %s", got)
			}
		})
	}
}

// short asks, and shortens verdicts.
func (l linked) short(method, params string) string {
	l.t.Helper()
	switch method {
	case "state":
		return l.state(params)
	case "file":
		return l.file(params)
	case "acode/edit":
		out := l.ask(method, params)
		if strings.HasPrefix(out, "error: ") {
			return out
		}
		var r struct {
			Allowed, Applied bool
			FailureReason    string
			Blocks           []struct{ Reason, Message string }
			Expanded         []any
		}
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			l.t.Fatal(err)
		}
		switch {
		case r.Applied:
			return "applied"
		case !r.Allowed:
			return fmt.Sprintf("blocked %s: %s (expanded %d)", r.Blocks[0].Reason, r.Blocks[0].Message, len(r.Expanded))
		case r.FailureReason != "":
			return "failed: " + r.FailureReason
		}
		return "allowed"
	}
	return l.ask(method, params)
}

// file returns the lines of a file on disk.
func (l linked) file(name string) string {
	l.t.Helper()
	b, err := os.ReadFile(filepath.Join(l.Root(), name))
	if err != nil {
		l.t.Fatal(err)
	}
	return strings.TrimSuffix(strings.ReplaceAll(string(b), "\n", " "), " ")
}

func (l linked) write(name, content string) {
	l.t.Helper()
	if err := os.WriteFile(filepath.Join(l.Root(), name), []byte(content), 0o644); err != nil {
		l.t.Fatal(err)
	}
}

// TestOwnTools follows an agent that edits with tools of its own (C-127,
// C-186): the guard is asked before, and told afterwards.
func TestOwnTools(t *testing.T) {
	const doc = `"session":"s","textDocument":{"uri":"ROOT/a.txt"}`
	runtimeFolder(t)
	root := folderOf(t, map[string]string{"a.txt": numberedLines(6)})
	l := openLink(t, root)
	l.must("acode/observe", `{`+doc+`,"shown":[{"startLine":2,"text":"line 0002\nline 0003\n"}]}`)
	expect := func(params, want string) {
		t.Helper()
		if got := l.short("acode/edit", `{`+doc+`,"expect":true,`+params+`}`); got != want {
			t.Errorf("expect %s: %s, want %s", params, got, want)
		}
	}
	edited := func(texts, want string) {
		t.Helper()
		l.must("acode/edited", `{`+doc+`,"texts":[`+texts+`]}`)
		if got := l.state("a.txt"); got != want {
			t.Errorf("after the edit: %s, want %s", got, want)
		}
	}
	expect(`"edits":[{"oldText":"line 0005","newText":"x"}]`, "blocked no_coverage: File was partially read — use read_file with target line range first. (expanded 1)")

	// Exactly what was expected: new lines are the agent's.
	expect(`"edits":[{"oldText":"line 0002\n","newText":"2a\n2b\n"}]`, "allowed")
	l.write("a.txt", strings.Replace(numberedLines(6), "line 0002\n", "2a\n2b\n", 1))
	edited(`"2a\n2b\n"`, "partial_read 2-4 6-6")

	// A formatter ran at once: what the agent wrote and is there counts.
	expect(`"edits":[{"oldText":"2a\n2b\n","newText":"2c\n  2d\n2e\n"}]`, "allowed")
	l.write("a.txt", strings.Replace(numberedLines(6), "line 0002\n", "2c\n2d\n2e\nformatted\n", 1))
	edited(`"2c\n  2d\n2e\n"`, "partial_read 2-4 6-6 8-8 stale")

	// Not told: who looks next finds what was expected.
	l.must("acode/read", `{`+doc+`}`)
	expect(`"content":"all\nnew\n"`, "allowed")
	l.write("a.txt", "all\nnew\n")
	if got := l.state("a.txt"); got != "fully_read 1-2" {
		t.Errorf("without a word: %s", got)
	}

	// Once only: the same text again by somebody else is somebody else's.
	l.write("a.txt", "other\n")
	l.state("a.txt")
	l.write("a.txt", "all\nnew\n")
	if got := l.state("a.txt"); got != "partial_read 1-1 stale" && got != "fully_read 1-2" {
		t.Errorf("again: %s", got)
	}

	// A new file is the agent's own.
	const made = `"session":"s","textDocument":{"uri":"ROOT/new.txt"}`
	if got := l.short("acode/edit", `{`+made+`,"expect":true,"content":"a\nb\n"}`); got != "allowed" {
		t.Error(got)
	}
	l.write("new.txt", "a\nb\n")
	l.must("acode/edited", `{`+made+`,"texts":["a\nb\n"]}`)
	if got := l.state("new.txt"); got != "model_authored 1-2" {
		t.Errorf("a new file: %s", got)
	}
}
