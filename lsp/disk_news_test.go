package lsp

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/text"
)

// TestDiskNews holds that what the client tells of files is followed where the
// server itself does not watch them.
func TestDiskNews(t *testing.T) {
	for _, test := range []struct {
		name    string
		handler func(*Server) Handler
		params  func(uri string) any
	}{
		{"saved", func(s *Server) Handler { return s.didSave },
			func(uri string) any { return map[string]any{"textDocument": documentID{uri}} }},
		{"watched", func(s *Server) Handler { return s.didChangeWatchedFiles },
			func(uri string) any { return map[string]any{"changes": []documentID{{uri}}} }},
		{"deleted", func(s *Server) Handler { return s.didDeleteFiles },
			func(uri string) any { return map[string]any{"files": []documentID{{uri}}} }},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, root := onDisk(t, text.UTF16)
			s.opts.AfterFunc = func(time.Duration, func()) func() bool { return func() bool { return true } }
			path := filepath.Join(root, "a.txt")
			if err := os.WriteFile(path, []byte("one\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			uri := fileURI(path)
			if _, err := s.read(context.Background(), marshal(t, map[string]any{"textDocument": documentID{uri}})); err != nil {
				t.Fatal(err)
			}
			s.news.states = nil
			if err := os.WriteFile(path, []byte("two\nthree\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := test.handler(s)(context.Background(), marshal(t, test.params(uri))); err != nil {
				t.Fatal(err)
			}
			got := slices.Collect(maps.Keys(s.news.states[s.folders()[0]]["default"]))
			if diff := cmp.Diff([]string{"a.txt"}, got); diff != "" {
				t.Errorf("news (-want +got):\n%s", diff)
			}
		})
	}
}
