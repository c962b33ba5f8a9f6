//go:build unix

package config_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/acode-ls/acode-ls/internal/config"
)

func TestLoadOddFiles(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "config.yml")
	if err := os.WriteFile(outside, []byte(limit(5)), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		make func(w workspace) error
		want string
	}{
		{"link out of the root", func(w workspace) error { return os.Symlink(outside, w.file) },
			".agent/config.yml: cannot be read: path escapes from parent"},
		{"folder linked out of the root", func(w workspace) error {
			os.Remove(filepath.Dir(w.file))
			return os.Symlink(filepath.Dir(outside), filepath.Dir(w.file))
		}, ".agent/config.yml: cannot be read: path escapes from parent"},
		{"link inside the root", func(w workspace) error {
			os.WriteFile(filepath.Join(w.root, "real.yml"), []byte(limit(6)), 0o644)
			return os.Symlink("../real.yml", w.file)
		}, "6"},
		{"link to nothing", func(w workspace) error { return os.Symlink("nothing", w.file) }, "8000"},
		{"link to itself", func(w workspace) error { return os.Symlink("config.yml", w.file) },
			".agent/config.yml: cannot be read: too many levels of symbolic links"},
		{"named pipe", func(w workspace) error { return syscall.Mkfifo(w.file, 0o644) },
			".agent/config.yml: cannot be read: not a regular file"},
	} {
		w := newWorkspace(t)
		if err := test.make(w); err != nil {
			t.Fatal(err)
		}
		if got := load(w.root); got != test.want {
			t.Errorf("%s: Load = %s, want %s", test.name, got, test.want)
		}
	}
}

// TestSourceFollowsLinks changes what a link inside the root points at.
func TestSourceFollowsLinks(t *testing.T) {
	w := newWorkspace(t)
	target := workspace{t, w.root, filepath.Join(w.root, "real.yml")}
	if err := os.Symlink("../real.yml", w.file); err != nil {
		t.Fatal(err)
	}
	source := config.NewSource(w.root)
	for _, n := range []int{5, 6} {
		target.write(limit(n))
		target.age(time.Duration(n) * time.Hour)
		if c, problems := source.Config(); c.Tools.Truncation.InlineLimit != n {
			t.Errorf("limit %d, want %d; %v", c.Tools.Truncation.InlineLimit, n, problems)
		}
	}
}

// TestSourceForgets has a problem of the folder that goes away with it.
func TestSourceForgets(t *testing.T) {
	w := newWorkspace(t)
	dir := filepath.Dir(w.file)
	os.Remove(dir)
	if err := os.Symlink(".agent", dir); err != nil {
		t.Fatal(err)
	}
	source := config.NewSource(w.root)
	if _, problems := source.Config(); len(problems) != 1 {
		t.Errorf("a folder linked to itself has problems %v, want 1", problems)
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	if _, problems := source.Config(); len(problems) != 0 {
		t.Errorf("no folder has problems %v", problems)
	}
}
