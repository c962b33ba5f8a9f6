//go:build unix

package artifacts_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/acode-ls/acode-ls/artifacts"
)

func init() {
	roles["full"] = full
	roles["readonly"] = readOnly
}

// full makes an artifact where files cannot be as large, and small ones after.
func full(root *os.Root, _ string) error {
	signal.Ignore(syscall.SIGXFSZ)
	limit := syscall.Rlimit{Cur: 50_000, Max: 50_000}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	return fill(openIn(root, artifacts.Options{}))
}

// fill wants the refusal of a large artifact, at whatever step, and that
// nothing is left of it.
func fill(s *artifacts.Store) error {
	kept, _, err := put(s, "s", "", "small")
	if err != nil {
		return err
	}
	for _, size := range []int{60_000, 1 << 20} {
		_, evicted, err := put(s, "s", "", strings.Repeat("x", size))
		if !is[*artifacts.SpaceError](err) || len(evicted) > 0 {
			return fmt.Errorf("%d bytes: %v, %w", size, evicted, err)
		}
		var space *artifacts.SpaceError
		if errors.As(err, &space) && space.Err == nil {
			return fmt.Errorf("%d bytes: %w, which is not of the disk", size, err)
		}
	}
	if got, err := read(s, "s", kept.ID); err != nil || got != "small" {
		return fmt.Errorf("what was there is %q, %w", got, err)
	}
	_, _, err = put(s, "s", "", "small again")
	return err
}

// TestFull: a full disk is an error that says so, and leaves nothing half made
// (C-60, NFR-007).
func TestFull(t *testing.T) {
	root := t.TempDir()
	cmd, in, out := process(t, "full", root, "")
	in.Close()
	if data, err := io.ReadAll(out); len(data) > 0 || err != nil {
		t.Error(string(data), err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	noTemp(t, root)
	wantWhole(t, root, 2)
}

func wantWhole(t *testing.T, root string, count int) {
	t.Helper()
	infos, _, err := open(t, root, artifacts.Options{}).List("", "", 0)
	if err != nil || len(infos) != count {
		t.Errorf("%d artifacts, want %d, %v", len(infos), count, err)
	}
	contents := 0
	for _, name := range names(t, root) {
		if strings.HasSuffix(name, ".txt") {
			contents++
		}
	}
	if contents != count {
		t.Errorf("%d contents, want %d", contents, count)
	}
}

// readOnly makes artifacts where it may not, without the rights of root.
func readOnly(root *os.Root, id string) error {
	if os.Getuid() == 0 {
		if err := syscall.Setgid(65534); err != nil {
			return err
		}
		if err := syscall.Setuid(65534); err != nil {
			return err
		}
	}
	s := openIn(root, artifacts.Options{Now: later})
	if got, err := read(s, "s", id); err != nil || got != "content" {
		return fmt.Errorf("reading: %q, %w", got, err)
	}
	if infos, _, err := s.List("s", "", 0); err != nil || len(infos) != 1 {
		return fmt.Errorf("listing: %v, %w", infos, err)
	}
	if _, err := s.Create("s", artifacts.Meta{}); !errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("creating: %w", err)
	}
	removed, err := s.Clean("s")
	if !errors.Is(err, fs.ErrPermission) || removed != (artifacts.Removed{}) {
		return fmt.Errorf("cleaning: %+v, %w", removed, err)
	}
	return nil
}

// TestReadOnly: in a folder that cannot be written, artifacts are read, and
// none are made.
func TestReadOnly(t *testing.T) {
	root := t.TempDir()
	info := mustPut(t, open(t, root, artifacts.Options{Detached: true}), "s", "content")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && os.Getuid() == 0 {
			err = os.Chown(path, 65534, 65534)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(root, folder), 0o500); err != nil {
		t.Fatal(err)
	}
	before := treeOf(t, root)
	cmd, in, _ := process(t, "readonly", root, info.ID)
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	// Reading may tell the time of retrieval, which is all that may change.
	if after := treeOf(t, root); strings.Count(after, "\n") != strings.Count(before, "\n") {
		t.Errorf("the tree was\n%s\nand is\n%s", before, after)
	}
	if err := os.Chmod(filepath.Join(root, folder), 0o700); err != nil {
		t.Fatal(err)
	}
}
