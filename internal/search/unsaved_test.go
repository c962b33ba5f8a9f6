package search_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/search"
)

// TestUnsaved searches texts in place of files, also where ripgrep sees no match
// in the file.
func TestUnsaved(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"a": "on disk 1\n", "b": "on disk 1\n", "c": "on disk 1\n", "dir/d": "nothing\n", "e": "on disk 1\n", ".gitignore": "ignored\n", "ignored": "",
	} {
		writeFile(t, filepath.Join(dir, name), content)
	}
	for i := range 9 { // among which ripgrep is worth asking again
		writeFile(t, filepath.Join(dir, "other", fmt.Sprint(i)), "nothing\n")
	}
	unsaved := map[string]string{
		"a": "", "b": "first\r\nbuffer 2", "dir/d": "buffer ä 3\n", "e": "buffer 4\x00\n", "ignored": "buffer 5\n", "missing": "buffer 6\n",
	}
	for _, rg := range []*search.Ripgrep{nil, search.FindRipgrep(forever)} {
		for _, test := range []struct{ path, want string }{
			{"", "b:2:buffer 2|c:1:on disk 1|dir/d:1:buffer ä 3"}, {"dir/d", "dir/d:1:buffer ä 3"}, {"a", ""},
		} {
			got, err := search.With(t.Context(), openRoot(t, dir), search.Query{Pattern: "[a-z]+ ?. [0-9]|[a-z] [0-9]", Path: test.path, Unsaved: unsaved}, rg)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, show(got)); diff != "" {
				t.Errorf("%q, with ripgrep %v (-want +got):\n%s", test.path, rg != nil, diff)
			}
		}
	}
}

// TestTooManyBytes stops at whole matches with their context, of one file and
// of several.
func TestTooManyBytes(t *testing.T) {
	const most = 16 << 20
	match, other := strings.Repeat("x", 1<<20), strings.Repeat("y", 1<<20)
	for _, test := range []struct {
		name    string
		query   search.Query
		files   []string
		hits    int
		matches int
	}{
		{"one file", search.Query{Pattern: "x"}, []string{strings.Repeat(match+"\n", 20)}, 15, 15},
		{"several files", search.Query{Pattern: "x"}, []string{strings.Repeat(match+"\n", 9), strings.Repeat(match+"\n", 9)}, 16, 16},
		{"with context", search.Query{Pattern: "x", Context: 1}, []string{strings.Repeat(other+"\n"+match+"\n"+other+"\n", 5), strings.Repeat(other+"\n"+match+"\n", 5)}, 15, 5},
		{"a long line", search.Query{Pattern: "x"}, []string{strings.Repeat(match, 17)}, 0, 0},
		{"with a limit", search.Query{Pattern: "x", Max: 18}, []string{strings.Repeat(match+"\n", 9), strings.Repeat(match+"\n", 12)}, 16, 16},
	} {
		dir := t.TempDir()
		for i, content := range test.files {
			writeFile(t, filepath.Join(dir, fmt.Sprint(i)), content)
		}
		got, err := search.Search(t.Context(), openRoot(t, dir), test.query)
		if err != nil {
			t.Fatal(err)
		}
		bytes := 0
		for _, hit := range got.Hits {
			bytes += len(hit.Text)
		}
		if len(got.Hits) != test.hits || got.Matches != test.matches || !got.More || bytes > most {
			t.Errorf("%s: %d hits of %d bytes with %d matches, more %v; want %d with %d", test.name, len(got.Hits), bytes, got.Matches, got.More, test.hits, test.matches)
		}
	}
}

// TestForeignRepository ignores what the environment says of another repository.
func TestForeignRepository(t *testing.T) {
	dir, other := repository(t), repository(t)
	writeFile(t, filepath.Join(dir, ".git", "info", "exclude"), "secret\n")
	writeFile(t, filepath.Join(dir, "secret"), "foo\n")
	writeFile(t, filepath.Join(dir, "public"), "foo\n")
	t.Setenv("GIT_DIR", filepath.Join(other, ".git"))
	t.Setenv("GIT_WORK_TREE", other)
	t.Setenv("GIT_PREFIX", "x/")
	t.Setenv("GIT_CONFIG", filepath.Join(other, ".git", "config"))
	got, err := search.Search(t.Context(), openRoot(t, dir), search.Query{Pattern: "foo"})
	if err != nil || show(got) != "public:1:foo" {
		t.Errorf("Search = %q, %v", show(got), err)
	}
}

// TestGitHangs ends a search whose git does not answer with its context.
func TestGitHangs(t *testing.T) {
	bin, dir := t.TempDir(), t.TempDir()
	fifo := filepath.Join(bin, "fifo")
	if output, err := exec.Command("mkfifo", fifo).CombinedOutput(); err != nil {
		t.Fatalf("mkfifo: %v: %s", err, output)
	}
	writeFile(t, filepath.Join(bin, "git"), "#!/bin/sh\necho here > "+fifo+"\nexec sleep 1000\n")
	if err := os.Chmod(filepath.Join(bin, "git"), 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "a"), "foo\n")
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, err := os.ReadFile(fifo) // waits until git has started
		if cancel(); err != nil {
			t.Error(err)
		}
	}()
	if _, err := search.Search(ctx, openRoot(t, dir), search.Query{Pattern: "foo"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Search = %v", err)
	}
}
