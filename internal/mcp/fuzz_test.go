package mcp

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/workspace"
)

func fuzzed(f *testing.F) *server {
	f.Helper()
	hub, err := workspace.Open(f.TempDir(), workspace.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { hub.Close() })
	return &server{opts: Options{Hub: hub}}
}

// renamed is what snakeCase makes of an answer, done slowly.
func renamed(s *server, v any, depth int) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = renamed(s, e, depth+1)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for key, value := range v {
			uri, isString := value.(string)
			object, isObject := value.(map[string]any)
			switch {
			case depth == 0 && key == "content":
				out[key] = renamed(s, value, depth+1)
			case key == "uri" && isString && strings.HasPrefix(uri, "file:"):
				out["path"] = s.path(uri)
			case key == "uri":
				out[key] = value
			case key == "sha256" && isObject:
				sums := map[string]any{}
				for document, sum := range object {
					sums[s.path(document)] = renamed(s, sum, depth+2)
				}
				out[key] = sums
			case key == "textDocument" && isObject:
				if uri, isDocument := object["uri"].(string); isDocument && strings.HasPrefix(uri, "file:") {
					out["path"] = s.path(uri)
				} else if value, ok := object["uri"]; ok {
					out["uri"] = value
				}
			default:
				out[snake(key)] = renamed(s, value, depth+1)
			}
		}
		return out
	}
	return v
}

func FuzzSnakeCase(f *testing.F) {
	s := fuzzed(f)
	root := filepath.ToSlash(s.opts.Hub.Root())
	for _, seed := range []string{
		`{"content":"a\n\u0000ä","shownRanges":[{"startLine":1,"endLine":2}],"sha256":"00","metadata":{"toolName":"x","omissions":[{"signatures":[{"read":{"textDocument":{"uri":"file:///x/a.go"},"startLine":1}}]}]}}`,
		`{"blocks":[{"uri":"file://` + root + `/%C3%A4%20b","unreadRanges":[]}],"sha256":{"file:///a":"1","file://` + root + `/aB":"2","http:":"3"}}`,
		`{"artifacts":[{"uri":"acode-artifact:/x.txt","nextCursor":null}]}`, `{"textDocument":{},"uri":7,"content":{"content":"aB"}}`,
		`[]`, `"x"`, `{}`, ` { "aB" : 1e5 , "a" : [ ] } `, `{"textDocument":{"a":1}}`, `{"uri":"file:///%80"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		out, content, err := s.snakeCase([]byte(answer), "", "")
		if !jsontext.Value(answer).IsValid() { // also a name that comes twice
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", answer, err)
		}
		var in, got any
		if err := json.Unmarshal([]byte(answer), &in); err != nil {
			t.Fatal(err)
		}
		if !json.Valid(out) {
			t.Fatalf("%s became %s", answer, out)
		}
		object, _ := in.(map[string]any)
		if text, ok := object["content"].(string); ok {
			var shown string
			if err := json.Unmarshal(content, &shown); err != nil || shown != text {
				t.Fatalf("content of %s is %s: %v", answer, content, err)
			}
		}
		if !jsontext.Value(out).IsValid() { // two names became one
			return
		}
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(renamed(s, in, 0), got); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", answer, diff)
		}
	})
}

func FuzzWorkspaceEdit(f *testing.F) {
	s := fuzzed(f)
	for _, seed := range []string{
		`{"changes":{"a":[{"newText":"uri"}],"file:///b":[]}}`,
		`{"documentChanges":[{"textDocument":{"uri":"ä","version":null}},{"kind":"rename","oldUri":"a","newUri":"/b"}],"changes":[]}`,
		`{"uri":1}`, `{"x":{"changes":{"a":1}}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, edit string) {
		if !jsontext.Value(edit).IsValid() {
			return
		}
		once, err := s.workspaceEdit(jsontext.Value(edit))
		if err != nil || !json.Valid(once) {
			t.Fatalf("%s became %s: %v", edit, once, err)
		}
		twice, err := s.workspaceEdit(once)
		if err != nil || string(once) != string(twice) {
			t.Fatalf("%s became %s and then %s: %v", edit, once, twice, err)
		}
	})
}

func FuzzArguments(f *testing.F) {
	for _, seed := range []string{`{"path":"a","start_line":1}`, `{"edits":[{"old_text":"a","new_text":"b"},{}]}`, `{"a":1,"a":2}`, `{}0`, `{`, `null`, `[]`, "{\"a\":\"\xff\"}", `{"depth":1e99}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		for _, tool := range tools {
			a, err := parseArguments(tool.name, []byte(raw))
			if err == nil {
				_, err = tool.prepare(a)
			}
			if err != nil && !strings.HasPrefix(err.Error(), tool.name) {
				t.Fatalf("%s %q: %v", tool.name, raw, err)
			}
			isRight := json.Valid([]byte(raw)) && strings.HasPrefix(strings.TrimSpace(raw), "{")
			if err == nil && !isRight && strings.TrimSpace(raw) != "" && strings.TrimSpace(raw) != "null" {
				t.Fatalf("%s takes %q", tool.name, raw)
			}
		}
	})
}

// FuzzLines reads lines of any length as strings.SplitAfter has them.
func FuzzLines(f *testing.F) {
	f.Add("a\nb\r\n\n", 16)
	f.Add("", 16)
	f.Add(strings.Repeat("long", 50)+"\nend", 17)
	f.Fuzz(func(t *testing.T, input string, buffer int) {
		in := bufio.NewReaderSize(strings.NewReader(input), buffer%100)
		var got []string
		for {
			text, err := readLine(in)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(text))
		}
		want := strings.SplitAfter(input, "\n")
		if want[len(want)-1] == "" {
			want = want[:len(want)-1]
		}
		if diff := cmp.Diff(strings.Join(want, "|"), strings.Join(got, "|")); diff != "" {
			t.Fatalf("lines of %q (-want +got):\n%s", input, diff)
		}
	})
}
