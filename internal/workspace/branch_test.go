package workspace_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/acode-ls/acode-ls/internal/workspace"
)

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

var otherA = strings.Replace(numbered(10), "line 9\n", "nine\n", 1)

// repository has the branches main and other, which differ in a.txt.
func repository(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	git(t, root, "init", "-q", "-b", "main")
	write(t, root, "a.txt", numbered(10))
	write(t, root, "b.txt", numbered(10))
	git(t, root, "add", ".")
	git(t, root, "commit", "-q", "-m", "main")
	git(t, root, "checkout", "-q", "-b", "other")
	write(t, root, "a.txt", otherA)
	git(t, root, "commit", "-q", "-a", "-m", "other")
	git(t, root, "checkout", "-q", "main")
	return root
}

// TestBranchSwitch: files that another branch holds differently are unread,
// all others keep what is known of them (C-130).
func TestBranchSwitch(t *testing.T) {
	const unread, known = "never_read  of 10", "partial_read 2-5 of 10"
	type scene struct {
		root string
		h    *workspace.Hub
		ed   *editor
	}
	tests := []struct {
		name string
		do   func(t *testing.T, s *scene)
		a    string
	}{
		{"no switch", func(*testing.T, *scene) {}, known},
		{"a commit is no switch", func(t *testing.T, s *scene) {
			write(t, s.root, "c.txt", "")
			git(t, s.root, "add", ".")
			git(t, s.root, "commit", "-q", "-m", "c")
		}, known},
		{"switch", func(t *testing.T, s *scene) { git(t, s.root, "checkout", "-q", "other") }, unread},
		{"there and back unseen", func(t *testing.T, s *scene) {
			git(t, s.root, "checkout", "-q", "other")
			git(t, s.root, "checkout", "-q", "main")
		}, known},
		{"there and back", func(t *testing.T, s *scene) {
			git(t, s.root, "checkout", "-q", "other")
			mustState(t, s.h, "s", "b.txt", known)
			mustState(t, s.h, "s", "a.txt", unread)
			git(t, s.root, "checkout", "-q", "main")
		}, unread},
		{"to a commit", func(t *testing.T, s *scene) { git(t, s.root, "checkout", "-q", "--detach", "other") }, unread},
		{"to a branch with the same files", func(t *testing.T, s *scene) { git(t, s.root, "checkout", "-q", "-b", "third") }, known},
		{"to a branch without the file, and back", func(t *testing.T, s *scene) {
			git(t, s.root, "checkout", "-q", "--orphan", "empty")
			git(t, s.root, "rm", "-q", "-f", "a.txt")
			git(t, s.root, "commit", "-q", "-m", "empty")
			mustState(t, s.h, "s", "a.txt", "never_read  of 0")
			git(t, s.root, "checkout", "-q", "main")
		}, known},
		{"the files first, then the branch", func(t *testing.T, s *scene) {
			write(t, s.root, "a.txt", otherA)
			mustState(t, s.h, "s", "a.txt", known+" stale")
			write(t, s.root, ".git/HEAD", "ref: refs/heads/other\n")
		}, unread},
		{"the branch first, then the files", func(t *testing.T, s *scene) {
			write(t, s.root, ".git/HEAD", "ref: refs/heads/other\n")
			write(t, s.root, "a.txt", otherA)
		}, unread},
		{"a new process", func(t *testing.T, s *scene) {
			s.h.Close()
			git(t, s.root, "checkout", "-q", "other")
			s.h = open(t, s.root, workspace.Options{})
		}, unread},
		{"open, not yet reloaded", func(t *testing.T, s *scene) {
			s.ed.open("a.txt")
			s.ed.open("b.txt")
			git(t, s.root, "checkout", "-q", "other")
		}, unread},
		{"open, reloaded after the switch", func(t *testing.T, s *scene) {
			s.ed.open("a.txt")
			s.ed.open("b.txt")
			git(t, s.root, "checkout", "-q", "other")
			s.ed.replace("a.txt", otherA)
		}, unread},
		{"open, the switch seen, then reloaded", func(t *testing.T, s *scene) {
			s.ed.open("a.txt")
			s.ed.open("b.txt")
			git(t, s.root, "checkout", "-q", "other")
			mustState(t, s.h, "s", "b.txt", known)
			s.ed.replace("a.txt", otherA)
		}, unread},
		{"open, reloaded before the switch", func(t *testing.T, s *scene) {
			s.ed.open("a.txt")
			s.ed.open("b.txt")
			write(t, s.root, "a.txt", otherA)
			s.ed.replace("a.txt", otherA)
			mustState(t, s.h, "s", "a.txt", known+" stale")
			write(t, s.root, ".git/HEAD", "ref: refs/heads/other\n")
		}, unread},
		{"open with no final line end in the buffer", func(t *testing.T, s *scene) {
			s.ed.must(s.h.DidOpen("a.txt", 1, strings.TrimSuffix(numbered(10), "\n")))
			git(t, s.root, "checkout", "-q", "-b", "third")
		}, known},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := repository(t)
			h := open(t, root, workspace.Options{})
			s := &scene{root, h, attach(t, h)}
			for _, name := range []string{"a.txt", "b.txt"} {
				look(t, h, "s", name, 2, 5)
			}
			test.do(t, s)
			mustState(t, s.h, "s", "a.txt", test.a)
			mustState(t, s.h, "s", "b.txt", known)
		})
	}
}

// TestBranchSwitchBetweenProcesses: each process does one thing, as a hook
// does, and the first thing that was known is compared with (C-130, C-186).
func TestBranchSwitchBetweenProcesses(t *testing.T) {
	root := repository(t)
	h := open(t, root, workspace.Options{})
	look(t, h, "s", "a.txt", 2, 5)
	h.Close()
	git(t, root, "checkout", "-q", "other")
	h = open(t, root, workspace.Options{})
	v, err := h.Check("s", []workspace.Op{replace("a.txt", 3, 3, "three\n")})
	if err != nil || v.Allowed() {
		t.Errorf("Check after a switch of branches = %+v, %v", v, err)
	}
}

func TestBranchSwitchInLinkedTree(t *testing.T) { // C-130
	main := repository(t)
	root := filepath.Join(t.TempDir(), "linked")
	git(t, main, "worktree", "add", "-q", "-b", "third", root)
	h := open(t, root, workspace.Options{})
	look(t, h, "s", "a.txt", 2, 5)
	git(t, main, "checkout", "-q", "other")
	git(t, main, "checkout", "-q", "main")
	mustState(t, h, "s", "a.txt", "partial_read 2-5 of 10")
	git(t, root, "checkout", "-q", "other")
	mustState(t, h, "s", "a.txt", "never_read  of 10")
}

// patience is how long a test waits for what the operating system tells.
const patience = 20 * time.Second

// await waits until a hub has said that a file changed.
func await(t *testing.T, news chan string, name, why string) {
	t.Helper()
	timeout := time.After(patience)
	for {
		select {
		case got := <-news:
			if got == name {
				return
			}
		case <-timeout:
			t.Fatalf("nothing was said of %s although %s", name, why)
		}
	}
}

func TestWatch(t *testing.T) {
	root := repository(t)
	write(t, root, "sub/d.txt", numbered(10))
	h := open(t, root, workspace.Options{Watch: true})
	news := make(chan string, 1000)
	h.OnChange(func(_ string, names []string) {
		for _, name := range names {
			news <- name
		}
	})
	drain := func() {
		for len(news) > 0 {
			<-news
		}
	}
	for _, name := range []string{"a.txt", "b.txt", "sub/d.txt"} {
		look(t, h, "s", name, 2, 5)
	}
	drain()
	write(t, root, "b.txt", strings.Replace(numbered(10), "line 3\n", "three\n", 1))
	await(t, news, "b.txt", "it was written")
	mustState(t, h, "s", "b.txt", "partial_read 2-5 of 10 changed 3 stale")

	// An editor that saves by renaming: the file is gone for a moment.
	drain()
	path := filepath.Join(root, "b.txt")
	if err := os.Rename(path, path+"~"); err != nil {
		t.Fatal(err)
	}
	await(t, news, "b.txt", "it was renamed")
	write(t, root, "b.txt", strings.Replace(numbered(10), "line 8\n", "eight\n", 1))
	await(t, news, "b.txt", "it was written anew")
	mustState(t, h, "s", "b.txt", "partial_read 2-5 of 10 stale")

	// A program that saves by emptying the file first.
	for n := range 20 {
		drain()
		write(t, root, "b.txt", "")
		for range 30 { // about a millisecond, in which the empty file may be seen
			state(t, h, "s", "a.txt")
		}
		write(t, root, "b.txt", strings.Replace(numbered(10), "line 8\n", strings.Repeat("8", n+1)+"\n", 1))
		await(t, news, "b.txt", "it was saved")
	}
	mustState(t, h, "s", "b.txt", "partial_read 2-5 of 10 stale")

	drain()
	git(t, root, "checkout", "-q", "-f", "other")
	await(t, news, "a.txt", "the branch is another")
	mustState(t, h, "s", "a.txt", "never_read  of 10")

	drain()
	if err := os.RemoveAll(filepath.Join(root, "sub")); err != nil {
		t.Fatal(err)
	}
	await(t, news, "sub/d.txt", "it was removed")
	mustState(t, h, "s", "sub/d.txt", "never_read  of 0")

	drain()
	other := open(t, root, workspace.Options{})
	look(t, other, "s", "a.txt", 7, 7)
	await(t, news, "a.txt", "another process read it")
	mustState(t, h, "s", "a.txt", "partial_read 7 of 10")
}
