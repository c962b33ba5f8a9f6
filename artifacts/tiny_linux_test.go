package artifacts_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/acode-ls/acode-ls/artifacts"
)

// TestTinyDisk fills a file system of 64 KB. Who may not mount one has the
// limit of file sizes in TestFull.
func TestTinyDisk(t *testing.T) {
	root := t.TempDir()
	if err := syscall.Mount("tiny", root, "tmpfs", 0, "size=64k"); err != nil {
		t.Logf("mounting a file system: %v", err)
		return
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(root, 0); err != nil {
			t.Error(err)
		}
	})
	s := open(t, root, artifacts.Options{})
	if err := fill(s); err != nil {
		t.Error(err)
	}
	noTemp(t, root)
	wantWhole(t, root, 2)
	// Fill it to the last byte: each step may be the one that fails.
	made := 2
	for size := 8 << 10; size > 0; {
		_, _, err := put(s, "s", "", strings.Repeat("x", size))
		switch {
		case err == nil:
			made++
		case is[*artifacts.SpaceError](err):
			size /= 2
		default:
			t.Fatal(err)
		}
		noTemp(t, root)
		wantWhole(t, root, made)
	}
	if removed, err := s.CleanAll(); removed.Artifacts != made || err != nil {
		t.Errorf("removed %+v of %d, %v", removed, made, err)
	}
	gone(t, root)
}

// TestHandles: no operation leaves a file open, whether it succeeds or not.
func TestHandles(t *testing.T) {
	root := t.TempDir()
	s := open(t, root, artifacts.Options{Compress: true, Quota: 100_000, PerMinute: 20})
	handles := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	broken := mustPut(t, s, "u", "broken")
	edit(t, filepath.Join(root, broken.Path), func([]byte) []byte { return []byte("BROKEN") })
	before := handles()
	for i := range 30 { // more than the rate allows
		info, _, _ := put(s, "s", "", strings.Repeat("x", 20_000*i))
		for _, id := range []string{info.ID, broken.ID, "art_1_a", "x"} {
			_, _ = read(s, "", id)
			_, _ = s.Export("s", id, filepath.Join(t.TempDir(), "out"), false)
		}
		if w, err := s.Create("t", artifacts.Meta{Max: 3}); err == nil {
			_, _ = w.Write([]byte("four"))
		}
		if w, err := s.Create("t", artifacts.Meta{}); err == nil {
			w.Abort()
		}
		_, _, _ = s.List("", "", 2)
		_, _ = s.Sweep(never)
	}
	_, _ = s.Clean("s")
	_, _ = s.End("s")
	_, _ = s.CleanAll()
	// The lock of the owner is given up with the folder. There are fewer when
	// what other tests left open is collected.
	if after := handles(); after > before-1 {
		t.Errorf("%d files are open, %d before", after, before)
	}
	gone(t, root)
}
