//go:build unix

package main

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acode-ls/acode-ls/internal/fake"
	"github.com/acode-ls/acode-ls/lsp"
)

// startEditor starts an editor with a server in a folder with the given file,
// which it opens.
func startEditor(t *testing.T, content string) (e *fake.Editor, root, path string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "acode") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	t.Setenv("XDG_RUNTIME_DIR", dir)
	root, err = filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(root, "a.txt")
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	client, server := net.Pipe()
	status := make(chan int, 1)
	go func() {
		status <- run(context.Background(), []string{"serve", "--root", root}, streams{server, server, io.Discard})
	}()
	e, err = fake.Dial(t.Context(), client, fake.Options{Personality: fake.VSCode, Roots: []string{root}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Exit(context.Background()); err != nil && err != io.EOF {
			t.Error(err)
		}
		if s := <-status; s != exitOK {
			t.Errorf("the server ended with %d", s)
		}
	})
	l, err := lsp.OpenLink(root, lsp.LinkOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for !l.Attached(t.Context()) {
		if t.Context().Err() != nil {
			t.Fatal("no server listens")
		}
	}
	if err := e.Open(path); err != nil {
		t.Fatal(err)
	}
	return e, root, path
}

// TestBesideEditor: commands see and change what an editor has not saved
// (C-151, C-153).
func TestBesideEditor(t *testing.T) {
	e, root, path := startEditor(t, "one\ntwo\nthree\n")
	if status, _, errs := program(t, "", "read", "--root", root, path); status != exitOK {
		t.Fatal(errs)
	}
	if err := e.Set(path, "zero\none\ntwo\nthree\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Call(t.Context(), "acode/sessions", map[string]any{}); err != nil { // now it has heard
		t.Fatal(err)
	}
	status, out, errs := program(t, "", "state", "--root", root, "--json", path)
	if want := `"read_ranges":[{"start_line":2,"end_line":4}],"unread_ranges":[{"start_line":1,"end_line":1}]`; status != exitOK || !strings.Contains(out, want) {
		t.Errorf("state: %d %s %s, want %s", status, out, errs, want)
	}
	if status, _, errs = program(t, "", "edit", "--root", root, path, "--lines", "3-3", "--text", "TWO", "--dry-run"); status != exitOK {
		t.Errorf("trying an edit: %d %s", status, errs)
	}
	if status, _, errs = program(t, "", "edit", "--root", root, path, "--lines", "3-3", "--text", "TWO"); status != exitOK || !strings.Contains(errs, "You last saw this file") {
		t.Errorf("editing: %d %s, want a warning", status, errs)
	}
	if got, _, _ := e.Text(path); got != "zero\none\nTWO\nthree\n" {
		t.Errorf("the buffer holds %q", got)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "one\ntwo\nthree\n" {
		t.Errorf("the disk holds %q (%v)", b, err)
	}
	status, out, errs = program(t, "", "edit", "--root", root, "--json", path, "--lines", "1-1", "--text", "x")
	if want := `"blocks":[{"path":"a.txt","uri":`; status != exitBlocked || !strings.Contains(out, want) || !strings.Contains(out, `"expanded":[{"path":"a.txt"`) {
		t.Errorf("editing what was not read: %d %s %s, want %s", status, out, errs, want)
	}
	if status, out, _ = program(t, "", "doctor", "--root", root); !strings.Contains(out, "a server runs here: (devel), process ") {
		t.Errorf("doctor: %d %s", status, out)
	}
	if status, _, errs = program(t, "", "edit", "--root", root, path, "--lines", "9-9", "--text", "x"); status != exitBlocked || !strings.Contains(errs, "which has 4 lines") {
		t.Errorf("editing line 9: %d %s", status, errs)
	}
}

func program(t *testing.T, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	r := start(t, stdin, args...)
	return r.status, r.stdout, r.stderr
}
