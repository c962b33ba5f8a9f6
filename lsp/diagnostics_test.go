package lsp_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/acode-ls/acode-ls/internal/fake"
)

// TestDiagnosticsNeverOld types while diagnostics are published all the time.
// The editor finds those about a text of which the server knows a later one,
// or that do not lie in their text.
func TestDiagnosticsNeverOld(t *testing.T) {
	l := newLab(t)
	root := l.folder(t)
	path := filepath.Join(root, "a.txt")
	if err := os.WriteFile(path, []byte(strings.Repeat("some line\n", 50)), 0o644); err != nil {
		t.Fatal(err)
	}
	s := l.start(t, pipe, serverOptions{root: root})
	e, err := fake.Dial(t.Context(), s.rwc, fake.Options{Personality: fake.VSCode, Roots: []string{root}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	call := func(method string, params object) {
		if _, err := e.Call(ctx, method, params); err != nil {
			t.Fatalf("%s: %v", method, err)
		}
	}
	if err := e.Open(path); err != nil {
		t.Fatal(err)
	}
	document := object{"uri": e.URI(path)}
	call("acode/read", object{"textDocument": document, "startLine": 10, "endLine": 20})

	stop := make(chan struct{})
	fired := make(chan int)
	go func() {
		n := 0
		for {
			select {
			case <-stop:
				fired <- n
				return
			default:
				if s.clock.fire() {
					n++
				}
				runtime.Gosched()
			}
		}
	}()
	for i := range 400 {
		te := fake.TextEdit{NewText: fmt.Sprintf("new %d\n", i)}
		if i%3 == 2 { // the text becomes shorter too
			te.NewText, te.Range.End.Line = "", 2
		}
		if err := e.Edit(path, te); err != nil {
			t.Fatal(err)
		}
		call("textDocument/hover", object{"textDocument": document, "position": fake.Position{}})
	}
	close(stop)
	if n := <-fired; n < 10 {
		t.Fatalf("only %d publications", n)
	}
	for _, fault := range e.Faults() {
		t.Error(fault)
	}
	call("shutdown", nil)
	if err := e.Notify("exit", nil); err != nil {
		t.Fatal(err)
	}
	<-s.done
}
