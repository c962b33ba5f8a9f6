package fake

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestPlace(t *testing.T) {
	const text = "a😀b\r\nçé\rlast"
	for _, test := range []struct {
		enc   Encoding
		at    Position
		want  int
		exact bool
	}{
		{UTF16, Position{0, 0}, 0, true},
		{UTF16, Position{0, 1}, 1, true},
		{UTF16, Position{0, 2}, 1, false}, // between surrogates
		{UTF16, Position{0, 3}, 5, true},
		{UTF16, Position{0, 4}, 6, true},
		{UTF16, Position{0, 5}, 6, false}, // past the end of the line
		{UTF16, Position{1, 1}, 10, true},
		{UTF16, Position{2, 4}, 17, true},
		{UTF8, Position{0, 2}, 1, false},
		{UTF8, Position{0, 5}, 5, true},
		{UTF8, Position{1, 2}, 10, true},
		{UTF8, Position{1, 3}, 10, false},
		{UTF32, Position{0, 2}, 5, true},
		{UTF32, Position{1, 2}, 12, true},
	} {
		offset, exact, err := place(text, test.at, test.enc)
		if offset != test.want || exact != test.exact || err != nil {
			t.Errorf("place(%v, %s) = %d, %t, %v, want %d, %t", test.at, test.enc, offset, exact, err, test.want, test.exact)
		}
		if back := position(text, offset, test.enc); exact && back != test.at {
			t.Errorf("position(%d, %s) = %v, want %v", offset, test.enc, back, test.at)
		}
	}
	for _, p := range []Position{{3, 0}, {-1, 0}, {0, -1}} {
		if _, _, err := place(text, p, UTF16); err == nil {
			t.Errorf("place(%v) is no error", p)
		}
	}
	if offset, exact, err := place("a\n", Position{1, 0}, UTF8); offset != 2 || !exact || err != nil {
		t.Errorf("the place after a final line end is %d, %t, %v", offset, exact, err)
	}
}

func edit(a, b, c, d int, text string) TextEdit {
	return TextEdit{Range: Range{Position{a, b}, Position{c, d}}, NewText: text}
}

func TestApplyEdits(t *testing.T) {
	for _, test := range []struct {
		edits []TextEdit
		want  string // empty if it is an error
	}{
		{nil, "one\ntwo\n"},
		{[]TextEdit{edit(0, 0, 1, 0, "1\n")}, "1\ntwo\n"},
		{[]TextEdit{edit(1, 0, 1, 3, "2"), edit(0, 0, 0, 3, "1")}, "1\n2\n"},
		{[]TextEdit{edit(0, 1, 0, 1, "x"), edit(0, 1, 0, 1, "y")}, "oxyne\ntwo\n"},
		{[]TextEdit{edit(0, 1, 0, 1, "x"), edit(0, 1, 0, 2, "y")}, "oxye\ntwo\n"},
		{[]TextEdit{edit(0, 0, 0, 2, ""), edit(0, 2, 0, 3, "E")}, "E\ntwo\n"},
		{[]TextEdit{edit(0, 0, 0, 2, ""), edit(0, 1, 0, 3, "")}, ""},
		{[]TextEdit{edit(0, 0, 0, 3, ""), edit(0, 1, 0, 1, "x")}, ""},
		{[]TextEdit{edit(0, 2, 0, 1, "")}, ""},
		{[]TextEdit{edit(3, 0, 3, 0, "")}, ""},
	} {
		got, err := ApplyEdits("one\ntwo\n", test.edits, UTF16)
		if got != test.want || (err != nil) != (test.want == "") {
			t.Errorf("ApplyEdits(%v) = %q, %v, want %q", test.edits, got, err, test.want)
		}
	}
}

func TestDifference(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func() string {
		var b strings.Builder
		for range rng.IntN(6) {
			b.WriteString([]string{"a", "\n", "\r", "\r\n", "é", "è", "😀", "😁"}[rng.IntN(8)])
		}
		return b.String()
	}
	for range 5000 {
		from, to := random(), random()
		for _, enc := range []Encoding{UTF8, UTF16, UTF32} {
			d := difference(from, to, enc)
			got, err := ApplyEdits(from, []TextEdit{d}, enc)
			if got != to || err != nil {
				t.Fatalf("difference(%q, %q, %s) = %v, which leads to %q, %v", from, to, enc, d, got, err)
			}
			if err := check(from, d.Range, enc); err != nil {
				t.Fatalf("difference(%q, %q, %s) = %v: %v", from, to, enc, d, err)
			}
		}
	}
}

func TestLineEnds(t *testing.T) {
	if diff := cmp.Diff([]string{"a\r\n", "b\r", "c\n", "\n", ""}, lines("a\r\nb\rc\n\n")); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	for text, want := range map[string]string{"": "\n", "a\n": "\n", "a\r\nb\n": "\n", "a\r\nb\r\nc\n": "\r\n", "a\rb\r": "\r\n"} {
		if got := eolOf(text); got != want {
			t.Errorf("eolOf(%q) = %q, want %q", text, got, want)
		}
	}
	if got := withEOL("a\r\nb\rc\nd", "\r\n"); got != "a\r\nb\r\nc\r\nd" {
		t.Errorf("withEOL = %q", got)
	}
}

func TestURI(t *testing.T) {
	const path = "/c:/a b@é&.txt"
	vscode, neovim := &Editor{opts: Options{Personality: VSCode}}, &Editor{opts: Options{Personality: Neovim}}
	if got, want := vscode.URI(path), "file:///c%3A/a%20b%40%C3%A9%26.txt"; got != want {
		t.Errorf("VS Code spells %s, want %s", got, want)
	}
	if got, want := neovim.URI(path), "file:///c:/a%20b@%C3%A9&.txt"; got != want {
		t.Errorf("Neovim spells %s, want %s", got, want)
	}
	for _, e := range []*Editor{vscode, neovim} {
		if got, err := pathOf(e.URI(path)); got != path || err != nil {
			t.Errorf("pathOf(%s) = %q, %v", e.URI(path), got, err)
		}
	}
}

func TestReadMessage(t *testing.T) {
	for body, ok := range map[string]bool{
		`{"jsonrpc":"2.0","id":1,"result":null}`:                          true,
		`{"jsonrpc":"2.0","method":"x"}`:                                  true,
		`{"jsonrpc":"2.0","id":1}`:                                        false,
		`{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1}}`:          false,
		`{"jsonrpc":"2.0","id":1,"method":"x","result":1}`:                false,
		`{"jsonrpc":"1.0","method":"x"}`:                                  false,
		`{"jsonrpc":"2.0","method":7}`:                                    false,
		`[{"jsonrpc":"2.0","method":"x"}]`:                                false,
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}`: true,
	} {
		_, err := readMessage(bufio.NewReader(strings.NewReader(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body))))
		if (err == nil) != ok {
			t.Errorf("readMessage(%s): %v", body, err)
		}
	}
	for _, frame := range []string{"Content-Length: 2\n\n{}", "content-length: 2\r\n\r\n{}", "X: 1\r\n\r\n{}", "\r\n{}", "Content-Length: 99\r\n\r\n{}"} {
		if _, err := readMessage(bufio.NewReader(strings.NewReader(frame))); err == nil {
			t.Errorf("readMessage(%q) is no error", frame)
		}
	}
}

// script is a server that the test plays itself.
type script struct {
	*testing.T
	editor *Editor
	in     *bufio.Reader
	conn   net.Conn
	dir    string
}

// play starts an editor and shakes hands with it.
func play(t *testing.T, opts Options) *script {
	t.Helper()
	client, server := net.Pipe()
	s := &script{T: t, editor: New(client, opts), in: bufio.NewReader(server), conn: server, dir: t.TempDir()}
	t.Cleanup(func() { server.Close(); s.editor.Disconnect() })
	hello := make(chan error, 1)
	go func() { hello <- s.editor.Initialize(t.Context()) }()
	m := s.next("initialize")
	s.write(message{ID: m.ID, Result: json.RawMessage(`{"capabilities":{"positionEncoding":"utf-16","textDocumentSync":{"openClose":true,"change":2}}}`)})
	s.next("initialized")
	if err := <-hello; err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *script) next(method string) message {
	s.Helper()
	if err := s.conn.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		s.Fatal(err)
	}
	m, err := readMessage(s.in)
	if err != nil || m.Method != method {
		s.Fatalf("the editor says %q %s, %v, want %q", m.Method, m.Result, err, method)
	}
	return m
}

func (s *script) write(m message) {
	s.Helper()
	c := conn{rwc: s.conn}
	if err := c.write(m); err != nil {
		s.Fatal(err)
	}
}

// do runs what makes the editor write, and returns when it is done.
func (s *script) do(f func() error) func() {
	done := make(chan error, 1)
	go func() { done <- f() }()
	return func() {
		s.Helper()
		if err := <-done; err != nil {
			s.Fatal(err)
		}
	}
}

func (s *script) open(name, content string) string {
	s.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		s.Fatal(err)
	}
	done := s.do(func() error { return s.editor.Open(path) })
	s.next("textDocument/didOpen")
	done()
	return path
}

// ask has the editor learn that the server heard all so far.
func (s *script) ask() {
	s.Helper()
	done := s.do(func() error { _, err := s.editor.Call(context.Background(), "x", nil); return err })
	m := s.next("x")
	s.write(message{ID: m.ID, Result: json.RawMessage("null")})
	done()
}

func (s *script) publish(path string, version any, end int) {
	s.Helper()
	raw, err := json.Marshal(object{"uri": s.editor.URI(path), "version": version, "diagnostics": []object{{
		"range": Range{Position{0, 0}, Position{0, end}}, "message": "m",
	}}})
	if err != nil {
		s.Fatal(err)
	}
	s.write(message{Method: "textDocument/publishDiagnostics", Params: raw})
}

func (s *script) fault(want string) {
	s.Helper()
	s.ask() // what was written before has been read
	faults := s.editor.Faults()
	if want == "" && len(faults) == 0 {
		return
	}
	if len(faults) != 1 || want == "" || !strings.Contains(faults[0].Error(), want) {
		s.Errorf("the editor finds %v, want %q", faults, want)
	}
}

// TestFaults sees the editor find what a server may do wrong.
func TestFaults(t *testing.T) {
	push := Options{Personality: VSCode}
	t.Run("none", func(t *testing.T) {
		s := play(t, push)
		s.publish(s.open("a", "one\n"), 1, 3)
		s.fault("")
	})
	t.Run("outside the text", func(t *testing.T) {
		s := play(t, push)
		s.publish(s.open("a", "one\n"), 1, 4)
		s.fault("does not lie between characters")
	})
	t.Run("older text", func(t *testing.T) {
		s := play(t, push)
		path := s.open("a", "one\n")
		done := s.do(func() error { return s.editor.Edit(path, edit(0, 0, 0, 0, "x")) })
		s.next("textDocument/didChange")
		done()
		s.publish(path, 1, 3) // may have crossed the change
		s.fault("")
		s.publish(path, 1, 3)
		s.fault("though the server knows version 2")
	})
	t.Run("future text", func(t *testing.T) {
		s := play(t, push)
		path := s.open("a", "one\n")
		s.ask()
		s.publish(path, 2, 3)
		s.fault("which never was")
	})
	t.Run("without version", func(t *testing.T) {
		s := play(t, push)
		s.publish(s.open("a", "one\n"), nil, 3)
		s.fault("without version")
	})
	t.Run("not open", func(t *testing.T) {
		s := play(t, push)
		s.ask()
		s.publish("/nowhere", 1, 0)
		s.fault("which is not open")
	})
	t.Run("unknown notification", func(t *testing.T) {
		s := play(t, push)
		s.write(message{Method: "acode/unknown"})
		s.fault("notifies of acode/unknown")
	})
	t.Run("unknown request", func(t *testing.T) {
		s := play(t, push)
		s.write(message{ID: json.RawMessage("1"), Method: "acode/unknown"})
		s.next("")
		s.fault("asks for acode/unknown")
	})
	t.Run("not offered", func(t *testing.T) {
		s := play(t, Options{Personality: Neovim})
		s.write(message{ID: json.RawMessage("1"), Method: "client/registerCapability", Params: json.RawMessage(`{"registrations":[{"method":"x"}]}`)})
		s.next("")
		s.fault("registers x, which was not offered")
	})
	t.Run("edit outside", func(t *testing.T) {
		s := play(t, push)
		path := s.open("a", "one\n")
		s.apply(path, 1, edit(0, 0, 0, 9, "x"))
		s.next("textDocument/didChange")
		s.next("")
		s.fault("does not lie between characters")
	})
	t.Run("edit without version", func(t *testing.T) {
		s := play(t, push)
		path := s.open("a", "one\n")
		s.apply(path, nil, edit(0, 0, 0, 1, "x"))
		s.next("textDocument/didChange")
		s.next("")
		s.fault("without version")
	})
}

func (s *script) apply(path string, version any, edits ...TextEdit) {
	s.Helper()
	raw, err := json.Marshal(object{"edit": object{"documentChanges": []object{{
		"textDocument": object{"uri": s.editor.URI(path), "version": version}, "edits": edits,
	}}}})
	if err != nil {
		s.Fatal(err)
	}
	s.write(message{ID: json.RawMessage("7"), Method: "workspace/applyEdit", Params: raw})
}

// TestPersonalities sees each editor apply a stale edit in its own way.
func TestPersonalities(t *testing.T) {
	for _, test := range []struct {
		editor  Personality
		version any
		applied bool
		want    string
	}{
		{VSCode, 1, true, "X\n"},
		{VSCode, 0, false, "one\n"},
		{VSCode, 2, false, "one\n"},
		{VSCode, nil, true, "X\n"},
		{Neovim, 2, true, "X\n"},
		{Neovim, 1, true, "one\n"}, // it says so
		{Neovim, 0, true, "X\n"},
		{Neovim, 9, true, "X\n"},
	} {
		t.Run(fmt.Sprint(test.editor, test.version), func(t *testing.T) {
			s := play(t, Options{Personality: test.editor})
			path := s.open("a", "one\n")
			s.apply(path, test.version, edit(0, 0, 0, 3, "X"))
			if test.editor == VSCode && test.applied {
				s.next("textDocument/didChange")
			}
			m := s.next("")
			var r struct{ Applied bool }
			if err := json.Unmarshal(m.Result, &r); err != nil || r.Applied != test.applied {
				t.Errorf("the editor answers %s", m.Result)
			}
			if test.editor == Neovim && test.want == "X\n" {
				s.next("textDocument/didChange")
			}
			if got, _, _ := s.editor.Text(path); got != test.want {
				t.Errorf("the buffer holds %q, want %q", got, test.want)
			}
		})
	}
}

func TestNeovimTellsLater(t *testing.T) {
	s := play(t, Options{Personality: Neovim})
	path := s.open("a", "one")
	for _, text := range []string{"x", "y"} {
		if err := s.editor.Edit(path, edit(0, 0, 0, 0, text)); err != nil {
			t.Fatal(err)
		}
	}
	done := s.do(s.editor.Flush)
	m := s.next("textDocument/didChange")
	done()
	want := `{"contentChanges":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"text":"yx"}],"textDocument":{"uri":"` + s.editor.URI(path) + `","version":4}}`
	if diff := cmp.Diff(want, string(m.Params)); diff != "" {
		t.Errorf("didChange (-want +got):\n%s", diff)
	}
	if got, _, _ := s.editor.Text(path); got != "yxone\n" {
		t.Errorf("the buffer holds %q", got)
	}
}

func TestCallOfADeadServer(t *testing.T) {
	s := play(t, Options{Personality: VSCode})
	s.conn.Close()
	if _, err := s.editor.Call(t.Context(), "x", nil); !errors.Is(err, ErrClosed) {
		t.Errorf("Call fails with %v, want %v", err, ErrClosed)
	}
	if err := s.editor.Wait(); err != nil {
		t.Errorf("Wait returns %v", err)
	}
}
