//go:build unix

package hook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acode-ls/acode-ls/internal/hook"
)

// TestLinks sees files by their real paths: one file has one ledger, and what a
// link leads out to is not the workspace's.
func TestLinks(t *testing.T) {
	w := newWorld(t, map[string]string{"real/a.txt": "one\n", "real/d.txt": "one\n"})
	outside := filepath.Join(t.TempDir(), "b.txt")
	if err := os.WriteFile(outside, []byte("one\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"link": "real", "out.txt": outside} {
		if err := os.Symlink(to, filepath.Join(w.root, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(w.root, filepath.Join(filepath.Dir(outside), "root")); err != nil {
		t.Fatal(err)
	}
	event := func(path string) string {
		return `{"session_id":"s","cwd":"$ROOT","hook_event_name":"PreToolUse","tool_name":"Edit",` +
			`"tool_input":{"file_path":` + quote(path) + `,"old_string":"one","new_string":"two"}}`
	}
	for _, test := range []struct {
		name, path, root string
		denied           bool
	}{
		{"out of the workspace", "out.txt", "", false},
		{"new, behind a link", "link/new/c.txt", "", false},
		{"behind a link", "link/a.txt", "", true},
		{"by another way", "real/a.txt", "", false}, // the refusal has shown it
		{"in a workspace that is a link", "link/d.txt", filepath.Join(filepath.Dir(outside), "root"), true},
	} {
		answer, told := w.run(event(test.path), hook.Options{Root: test.root})
		if strings.Contains(answer, "deny") != test.denied || told != "" {
			t.Errorf("%s: it answers %q and tells %q", test.name, answer, told)
		}
	}
	if got, want := w.state(), "s\n  real/a.txt fully_read 1-1\n  real/d.txt fully_read 1-1\n"; got != want {
		t.Errorf("the state is %q, want %q", got, want)
	}
}

// TestRootOfLinks knows home and the folder for temporary files by whatever
// name.
func TestRootOfLinks(t *testing.T) {
	base := tree(t, "real/.git", "real/sub", "other")
	if err := os.Symlink("real", filepath.Join(base, "link")); err != nil {
		t.Fatal(err)
	}
	sub := filepath.Join(base, "real", "sub")
	for name, folders := range map[string][2]string{"home": {"link", "other"}, "temporary": {"other", "link"}} {
		setFolders(t, filepath.Join(base, folders[0]), filepath.Join(base, folders[1]))
		if got, told := rootOf(t, sub, hook.Options{}); got != sub {
			t.Errorf("%s: the workspace is %q, want %q; told %q", name, got, sub, told)
		}
	}
}
