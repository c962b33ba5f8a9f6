package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/fake"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// onDisk returns a server over a new folder, whose handlers are called
// directly.
func onDisk(t testing.TB, encoding text.Encoding) (*Server, string) {
	t.Helper()
	root := t.TempDir()
	client, conn := net.Pipe()
	s := newServer(conn, ServerOptions{Root: root})
	s.opts.Workspace.Watch = false
	s.encoding = encoding
	t.Cleanup(func() { s.close(); conn.Close(); client.Close() })
	if err := s.addFolder(root); err != nil {
		t.Fatal(err)
	}
	return s, s.folders()[0].Root()
}

func marshal(t testing.TB, v any) json.RawMessage {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// FuzzWorkspaceEdit holds that whatever is sent as an edit, each of its members
// is an operation or the whole is refused; $ROOT stands for the folder.
func FuzzWorkspaceEdit(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `{}`, `[]`, `{"changes":{}}`, `{"documentChanges":[]}`, `{"documentChanges":[null]}`,
		`{"changes":{"file://$ROOT/a.txt":[{"range":{"start":{"line":0,"character":0},"end":{"line":1,"character":0}},"newText":"x\n"}],"file://$ROOT/b.txt":[]}}`,
		`{"documentChanges":[{"textDocument":{"uri":"file://$ROOT/a.txt","version":null},"edits":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":2}},"newText":"x","annotationId":"y"},{"range":{"start":{"line":2,"character":0},"end":{"line":2,"character":0}},"newText":""}]}]}`,
		`{"documentChanges":[{"kind":"create","uri":"file://$ROOT/new.txt","options":{"overwrite":true,"ignoreIfExists":true}},{"kind":"rename","oldUri":"file://$ROOT/a.txt","newUri":"file://$ROOT/c.txt"},{"kind":"delete","uri":"file://$ROOT/b.txt","options":{"recursive":true,"ignoreIfNotExists":true}}]}`,
		`{"documentChanges":[{"kind":"delete","uri":"file://$ROOT/a.txt"}],"DocumentChanges":[]}`,
		`{"documentChanges":[{"kind":"delete","Kind":null,"uri":"file://$ROOT/a.txt"}]}`,
		`{"documentChanges":[{"kind":"delete","uri":"file://$ROOT/a.txt","textDocument":{"uri":"file://$ROOT/a.txt"},"edits":[]}]}`,
		`{"documentChanges":[{"kind":"explode","uri":"file://$ROOT"}]}`,
		`{"changes":{"file://$ROOT/a.txt":null},"documentChanges":null}`,
		`{"documentChanges":[{"textDocument":{"uri":"file://$ROOT/a.txt","version":1e3},"edits":[{"range":{"start":{"line":4294967295,"character":4294967295},"end":{"line":0,"character":0}},"newText":"x"}]}]}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		s, root := onDisk(t, text.UTF16)
		for _, name := range []string{"a.txt", "b.txt"} {
			if err := os.WriteFile(filepath.Join(root, name), []byte("one\ntwo\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		edit := json.RawMessage(strings.ReplaceAll(raw, "$ROOT", root))
		o, err := s.decodeEdit(edit)
		if err == nil {
			if got, want := describe(t, o), members(t, edit); !slices.Equal(got, want) {
				t.Errorf("decodeEdit(%s) = %q, want %q", edit, got, want)
			}
		} else if _, ok := err.(*Error); !ok {
			t.Errorf("decodeEdit(%s) fails with %v, which is no *Error", edit, err)
		}
		if !json.Valid(edit) {
			return // the transport has refused it
		}
		for _, handle := range []Handler{s.checkEdit, s.applyEdit} {
			_, err := handle(context.Background(), marshal(t, map[string]any{"edit": edit}))
			if e, ok := err.(*Error); err != nil && (!ok || e.Code != CodeInvalidParams) {
				t.Errorf("an edit %s fails with %v", edit, err)
			}
		}
	})
}

var anyLines = text.Split(strings.Repeat(strings.Repeat("x", 200)+"\n", 200))

// describe names the operations that were decoded. The edits of one are
// counted where their places can be found.
func describe(t *testing.T, o operations) []string {
	var out []string
	for _, op := range o.ops {
		name := fmt.Sprint([]string{"edit", "create", "rename", "delete"}[op.Kind])
		if op.Kind == workspace.EditFile {
			if edits, err := op.Edits(anyLines); err == nil {
				name += fmt.Sprint(" ", len(edits))
			} else {
				name += " ?"
			}
		}
		out = append(out, name)
	}
	return out
}

// members names the operations of an edit, as one reads it who knows JSON and
// the specification and nothing else.
func members(t *testing.T, raw json.RawMessage) []string {
	var edit map[string]any
	if err := json.Unmarshal(raw, &edit); err != nil {
		t.Fatalf("%s was decoded: %v", raw, err)
	}
	count := func(edits any) string {
		list := edits.([]any)
		for _, e := range list {
			r := e.(map[string]any)["range"].(map[string]any)
			for _, end := range []string{"start", "end"} {
				p := r[end].(map[string]any)
				if p["line"].(float64) > 200 {
					return "edit ?"
				}
			}
		}
		return fmt.Sprint("edit ", len(list))
	}
	var out []string
	if list, ok := edit["documentChanges"].([]any); ok {
		for _, m := range list {
			member := m.(map[string]any)
			if kind, ok := member["kind"].(string); ok {
				out = append(out, kind)
			} else {
				out = append(out, count(member["edits"]))
			}
		}
		return out
	}
	changes, _ := edit["changes"].(map[string]any)
	var uris []string
	for uri := range changes {
		uris = append(uris, uri)
	}
	slices.Sort(uris)
	for _, uri := range uris {
		out = append(out, count(changes[uri]))
	}
	return out
}

// FuzzApply holds the server's edits of files against the fake editor's slow
// ones, in two encodings.
func FuzzApply(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 1))
		wire, encoding := fake.UTF8, text.UTF8
		if seed%2 == 1 {
			wire, encoding = fake.UTF16, text.UTF16
		}
		s, root := onDisk(t, encoding)
		before := randomText(rng, rng.IntN(12))
		path := filepath.Join(root, "a.txt")
		if err := os.WriteFile(path, []byte(before), 0o644); err != nil {
			t.Fatal(err)
		}
		document := map[string]any{"uri": fileURI(path), "version": nil}
		if n := text.Split(before).Len(); n > 0 {
			if _, err := s.observe(context.Background(), marshal(t, map[string]any{
				"textDocument": document, "ranges": []lineRange{{1, n}},
			})); err != nil {
				t.Fatal(err)
			}
		}
		edits := randomEdits(rng, before, wire)
		written := slices.Clone(edits)
		if eol := text.Split(before).EOL(); eol != "" {
			for i := range written {
				written[i].NewText = lineEnds(written[i].NewText, eol)
			}
		}
		want, err := fake.ApplyEdits(before, written, wire)
		if err != nil {
			t.Fatalf("ApplyEdits(%q, %v) fails: %v", before, edits, err)
		}
		result, err := s.applyEdit(context.Background(), marshal(t, map[string]any{
			"edit": map[string]any{"documentChanges": []any{map[string]any{"textDocument": document, "edits": edits}}},
		}))
		if err != nil {
			t.Fatal(err)
		}
		if r := result.(applyResult); !r.Applied {
			t.Fatalf("the edit %+v of %q is not applied: %+v", edits, before, r)
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%v edits of %q: %+v (-want +got):\n%s", wire, before, edits, diff)
		}
	})
}

func randomText(rng *rand.Rand, lines int) string {
	eols := []string{"\n"}
	switch rng.IntN(4) {
	case 0:
		eols = []string{"\r\n"}
	case 1:
		eols = []string{"\n", "\r\n", "\r"}
	}
	var b strings.Builder
	for i := range lines {
		b.WriteString(randomLine(rng))
		if i < lines-1 || rng.IntN(3) > 0 {
			b.WriteString(eols[rng.IntN(len(eols))])
		}
	}
	return b.String()
}

func randomLine(rng *rand.Rand) string {
	var b strings.Builder
	for range rng.IntN(6) {
		b.WriteString([]string{"a", "b", " ", "ç", "€", "😀", "e\u0301"}[rng.IntN(7)])
	}
	return b.String()
}

// randomEdits returns edits that do not overlap, not in order, with positions
// that an editor may send: also past the end of a line and, in UTF-16, between
// surrogates.
func randomEdits(rng *rand.Rand, content string, enc fake.Encoding) []fake.TextEdit {
	places := []fake.Position{{}}
	all := text.Split(content)
	for n := 1; n <= all.Len(); n++ {
		width := text.Columns(all.Line(n), map[fake.Encoding]text.Encoding{fake.UTF8: text.UTF8, fake.UTF16: text.UTF16}[enc])
		for col := range width + 2 {
			places = append(places, fake.Position{Line: n - 1, Character: col})
		}
	}
	if all.Terminated() && all.Len() > 0 {
		places = append(places, fake.Position{Line: all.Len()})
	}
	edits := []fake.TextEdit{} // null is malformed
	for at := rng.IntN(4); at < len(places); at += 1 + rng.IntN(12) {
		end := min(len(places)-1, at+rng.IntN(8))
		if end < at {
			break
		}
		edits = append(edits, fake.TextEdit{Range: fake.Range{Start: places[at], End: places[end]}, NewText: randomText(rng, rng.IntN(3))})
		// The next one begins behind it, past what rounding might join.
		at = end + 4
	}
	// Edits of one place stay in order, so only the order of others is free.
	rng.Shuffle(len(edits), func(i, j int) { edits[i], edits[j] = edits[j], edits[i] })
	return edits
}

func lineEnds(s, eol string) string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	return strings.ReplaceAll(s, "\n", eol)
}
