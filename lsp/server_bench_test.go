package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acode-ls/acode-ls/internal/fake"
)

// BenchmarkRequests measures whole exchanges with a server in this process,
// framing and JSON of both sides included.
func BenchmarkRequests(b *testing.B) {
	for _, size := range []int{100, 10_000} {
		l := newLab(b)
		root := l.folder(b)
		path := filepath.Join(root, "a.txt")
		if err := os.WriteFile(path, []byte(strings.Repeat("some line of text\n", size)), 0o644); err != nil {
			b.Fatal(err)
		}
		s := l.start(b, pipe, serverOptions{root: root})
		e, err := fake.Dial(b.Context(), s.rwc, fake.Options{Personality: fake.VSCode, Roots: []string{root}, Pull: true})
		if err != nil {
			b.Fatal(err)
		}
		if err := e.Open(path); err != nil {
			b.Fatal(err)
		}
		ctx := context.Background()
		document := object{"uri": e.URI(path)}
		call := func(b *testing.B, method string, params object) {
			if _, err := e.Call(ctx, method, params); err != nil {
				b.Fatal(err)
			}
		}
		call(b, "acode/read", object{"textDocument": document, "startLine": 1, "endLine": size / 2})
		edit := object{"documentChanges": []object{{"textDocument": object{"uri": e.URI(path), "version": nil},
			"edits": []fake.TextEdit{{Range: fake.Range{Start: fake.Position{Line: 10}, End: fake.Position{Line: 11}}, NewText: "new\n"}}}}}
		for _, request := range []struct {
			method string
			params object
		}{
			{"textDocument/hover", object{"textDocument": document, "position": fake.Position{Line: 3}}},
			{"textDocument/diagnostic", object{"textDocument": document}},
			{"acode/state", object{"textDocument": document}},
			{"acode/read", object{"textDocument": document, "startLine": 1, "endLine": 20}},
			{"acode/checkEdit", object{"edit": edit}},
		} {
			b.Run(fmt.Sprintf("%s/%d lines", strings.ReplaceAll(request.method, "/", "."), size), func(b *testing.B) {
				for b.Loop() {
					call(b, request.method, request.params)
				}
			})
		}
		b.Run(fmt.Sprintf("textDocument.didChange/%d lines", size), func(b *testing.B) {
			for b.Loop() {
				// A request behind it shows when it was handled.
				te := fake.TextEdit{Range: fake.Range{Start: fake.Position{Line: 5}, End: fake.Position{Line: 5, Character: 1}}, NewText: "x"}
				if err := e.Notify("textDocument/didChange", nextChange(path, e, te)); err != nil {
					b.Fatal(err)
				}
				call(b, "codeLens/resolve", object{})
			}
		})
	}
}

// changes counts the versions of the benchmark's document, which the editor
// itself, whose edits are slow on purpose, does not see.
var changes = 1

func nextChange(path string, e *fake.Editor, te fake.TextEdit) any {
	changes++
	return object{
		"textDocument":   object{"uri": e.URI(path), "version": changes},
		"contentChanges": []json.RawMessage{mustMarshal(object{"range": te.Range, "text": te.NewText})},
	}
}

func mustMarshal(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}
