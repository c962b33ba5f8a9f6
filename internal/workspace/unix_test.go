//go:build unix

package workspace_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

func init() { roles["full"] = fullDisk }

// TestNotAFile: what is no file is refused at once, never waited for.
func TestNotAFile(t *testing.T) {
	root := t.TempDir()
	write(t, root, "dir/a.txt", "")
	write(t, root, "file.txt", "")
	if err := syscall.Mkfifo(filepath.Join(root, "fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", filepath.Join(root, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	huge, err := os.Create(filepath.Join(root, "huge"))
	if err != nil {
		t.Fatal(err)
	}
	defer huge.Close()
	if err := huge.Truncate(300 << 20); err != nil {
		t.Fatal(err)
	}
	h := open(t, root, workspace.Options{})
	for _, test := range []struct{ path, want string }{
		{"dir", "dir is a directory"},
		{".", ". is a directory"},
		{"fifo", "fifo is not a regular file"},
		{"socket", "socket: no such device or address"},
		{"huge", "huge has 314572800 bytes, over the limit of 268435456"},
		{"missing", "missing: no such file or directory"},
		{"file.txt/a", "not a directory"},
		{"dir/missing/a", "dir/missing/a: no such file or directory"},
	} {
		_, err := h.Read("s", test.path, workspace.Selection{})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Read(%q): %v, want %q", test.path, err, test.want)
		}
		if strings.Contains(test.want, "no such file") {
			continue // may be created
		}
		before := tree(t, filepath.Join(root, "dir"))
		for _, op := range []workspace.Op{
			{Kind: workspace.EditFile, Path: test.path, Edits: edits(awareness.Edit{New: "x"})},
			{Kind: workspace.CreateFile, Path: test.path, Overwrite: true},
			{Kind: workspace.RenameFile, Path: "file.txt", NewPath: test.path, Overwrite: true},
		} {
			if got := apply(t, h, op); !strings.HasPrefix(got, "blocked: ") {
				t.Errorf("operation %d on %q: %q", op.Kind, test.path, got)
			}
		}
		if after := tree(t, filepath.Join(root, "dir")); after != before {
			t.Errorf("dir is\n%s\nand was\n%s", after, before)
		}
	}
	if err := os.Remove(huge.Name()); err != nil {
		t.Fatal(err)
	}
	leftovers(t, root)
}

// TestUmask: the umask is for files that are new; others keep their mode
// (C-192).
func TestUmask(t *testing.T) {
	old := syscall.Umask(0o027)
	defer syscall.Umask(old)
	root := t.TempDir()
	h := open(t, root, workspace.Options{})
	for _, mode := range []os.FileMode{0o755, 0o600, 0o666, 0o777, 0o240} {
		name := fmt.Sprintf("%o.txt", mode)
		write(t, root, name, "old\n")
		if err := os.Chmod(filepath.Join(root, name), mode); err != nil {
			t.Fatal(err)
		}
		look(t, h, "s", name, 1, 1)
		if got := apply(t, h, replace(name, 1, 1, "new\n")); got != "" {
			t.Errorf("editing %s: %s", name, got)
		}
		if info, err := os.Stat(filepath.Join(root, name)); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s has mode %o (%v)", name, info.Mode().Perm(), err)
		}
	}
	if got := apply(t, h, insert("fresh/new.txt", "new\n")); got != "" {
		t.Fatal(got)
	}
	for path, want := range map[string]os.FileMode{"fresh": 0o750, "fresh/new.txt": 0o640} {
		if info, err := os.Stat(filepath.Join(root, path)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o (%v)", path, info.Mode().Perm(), want, err)
		}
	}
	readOnly := filepath.Join(root, "readonly.txt")
	write(t, root, "readonly.txt", "old\n")
	if err := os.Chmod(readOnly, 0o444); err != nil {
		t.Fatal(err)
	}
	look(t, h, "s", "readonly.txt", 1, 1)
	if got := apply(t, h, replace("readonly.txt", 1, 1, "new\n")); got != "readonly.txt is read-only" {
		t.Errorf("editing a read-only file: %q", got)
	}
}

// fullDisk is a process that cannot write files over 16 KB.
func fullDisk(root string, _ int) error {
	signal.Ignore(syscall.SIGXFSZ)
	h, err := workspace.Open(root, workspace.Options{})
	if err != nil {
		return err
	}
	defer h.Close()
	read := func(first, last int) error {
		_, err := h.Read("s", "a.txt", workspace.Selection{Lines: awareness.Range{Start: first, End: last}})
		return err
	}
	if err := read(1, 3); err != nil {
		return err
	}
	var old, limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		return err
	}
	limit = old
	limit.Cur = 16 << 10
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	// Many files and one that is too large: nothing of it is to be done.
	ops := []workspace.Op{
		replace("a.txt", 2, 2, "changed\n"),
		{Kind: workspace.RenameFile, Path: "b.txt", NewPath: "sub/c.txt"},
		insert("new/d.txt", "new\n"),
		insert("new/e.txt", strings.Repeat("new\n", 8<<10)),
	}
	out, err := h.Apply(context.Background(), "s", "", ops)
	if err != nil || out.Applied || !strings.Contains(out.Failure, "new/e.txt: file too large") {
		return fmt.Errorf("an edit on a full disk: %+v, %v", out, err)
	}
	// The journal cannot grow, nor be written anew.
	for i := range 300 {
		if err := read(2*i+10, 2*i+10); err != nil {
			return err
		}
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		return err
	}
	return read(700, 700)
}

// TestFullDisk: what was not written is written once it can be (C-137, C-191).
func TestFullDisk(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", numbered(1000))
	write(t, root, "b.txt", numbered(3))
	before := tree(t, root)
	if err := process(t, "full", root, 0).Run(); err != nil {
		t.Fatal(err)
	}
	if after := tree(t, root); after != before {
		t.Errorf("the workspace is\n%s\nand was\n%s", after, before)
	}
	if info, err := os.Stat(filepath.Join(root, journalOfS)); err != nil || info.Size() < 12<<10 {
		t.Errorf("the journal never met the limit: %d bytes, %v", info.Size(), err)
	}
	h := open(t, root, workspace.Options{})
	_, states, err := h.State("s", "a.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got := len(states[0].Read); got != 302 {
		t.Errorf("%d ranges are known, want 302", got)
	}
	if left, _ := filepath.Glob(filepath.Join(root, ".acode/sessions/*.tmp")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	look(t, h, "s", "a.txt", 900, 901)
	sameAsReopened(t, h, "s")
}

// TestSameStamp changes a file and leaves its size and times as they were:
// the guard reads what is there (C-128).
func TestSameStamp(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", numbered(9))
	past := time.Now().Add(-time.Hour)
	same := func() {
		t.Helper()
		if err := os.Chtimes(filepath.Join(root, "a.txt"), past, past); err != nil {
			t.Fatal(err)
		}
	}
	same()
	h := open(t, root, workspace.Options{})
	look(t, h, "s", "a.txt", 1, 5)
	mustState(t, h, "s", "a.txt", "partial_read 1-5 of 9")
	mustState(t, h, "s", "a.txt", "partial_read 1-5 of 9")
	content := strings.Replace(numbered(9), "line 2\nline 3\n", "LINE 2\nline x\n", 1)
	write(t, root, "a.txt", content)
	same()
	v, err := h.Check("s", []workspace.Op{replace("a.txt", 5, 5, "five\n")})
	if err != nil || len(v.Warnings) != 1 || awareness.Ranges(v.Warnings[0].Changed) != "2-3" {
		t.Errorf("Check = %+v, %v, want a warning of lines 2-3", v, err)
	}
	mustState(t, h, "s", "a.txt", "partial_read 1-5 of 9 changed 2-3 stale")

	// Touched, or changed and changed back, is not changed.
	write(t, root, "a.txt", numbered(9))
	mustState(t, h, "s", "a.txt", "partial_read 1-5 of 9")
	now := time.Now()
	if err := os.Chtimes(filepath.Join(root, "a.txt"), now, now); err != nil {
		t.Fatal(err)
	}
	mustState(t, h, "s", "a.txt", "partial_read 1-5 of 9")
}

// TestQuickChange changes a file again and again right after it was hashed, in
// place, to the same size and at a time that a coarse clock gives twice
// (C-128).
func TestQuickChange(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", "one 0000\n")
	h := open(t, root, workspace.Options{})
	look(t, h, "s", "a.txt", 1, 1)
	now := time.Now()
	for i := 1; i <= 100; i++ {
		write(t, root, "a.txt", fmt.Sprintf("one %04d\n", i))
		if err := os.Chtimes(filepath.Join(root, "a.txt"), now, now.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		mustState(t, h, "s", "a.txt", "fully_read 1 of 1 changed 1 stale")
		write(t, root, "a.txt", "one 0000\n")
		if err := os.Chtimes(filepath.Join(root, "a.txt"), now, now.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		mustState(t, h, "s", "a.txt", "fully_read 1 of 1")
	}
}
