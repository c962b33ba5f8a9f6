package config_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/acode-ls/acode-ls/internal/config"
)

// workspace is a root whose file of settings changes.
type workspace struct {
	*testing.T
	root, file string
}

func newWorkspace(t *testing.T) workspace {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, ".agent"), 0o755); err != nil {
		t.Fatal(err)
	}
	return workspace{t, root, filepath.Join(root, filepath.FromSlash(config.File))}
}

func (w workspace) write(content string) {
	w.Helper()
	if err := os.WriteFile(w.file, []byte(content), 0o644); err != nil {
		w.Fatal(err)
	}
}

// age sets the time of the last change of the file.
func (w workspace) age(ago time.Duration) {
	w.Helper()
	at := time.Now().Add(-ago)
	if err := os.Chtimes(w.file, at, at); err != nil {
		w.Fatal(err)
	}
}

// keepTime makes a change that the time of the file does not show.
func keepTime(w workspace, change func()) {
	w.Helper()
	info, err := os.Stat(w.file)
	if err != nil {
		w.Fatal(err)
	}
	change()
	if err := os.Chtimes(w.file, info.ModTime(), info.ModTime()); err != nil {
		w.Fatal(err)
	}
}

func limit(n int) string { return fmt.Sprintf("tools: {truncation: {inline_limit: %d}}\n", n) }

func TestLoad(t *testing.T) {
	for _, test := range []struct {
		name string
		make func(w workspace)
		want string // of inline_limit, or the error
	}{
		{"no file", func(w workspace) {}, "8000"},
		{"a file", func(w workspace) { w.write(limit(5)) }, "5"},
		{"an empty file", func(w workspace) { w.write("") }, "8000"},
		{"no folder", func(w workspace) { os.Remove(filepath.Dir(w.file)) }, "8000"},
		{"a file for the folder", func(w workspace) {
			os.Remove(filepath.Dir(w.file))
			os.WriteFile(filepath.Dir(w.file), nil, 0o644)
		}, "8000"},
		{"two problems", func(w workspace) { w.write("a: 1\nb: 2\n") },
			".agent/config.yml:1:1: unknown key \"a\"\n.agent/config.yml:2:1: unknown key \"b\""},
		{"1 MiB", func(w workspace) { w.write(limit(5) + strings.Repeat("#", 1<<20-len(limit(5)))) }, "5"},
		{"over 1 MiB", func(w workspace) { w.write(limit(5) + strings.Repeat("#", 1<<20-len(limit(5))+1)) },
			".agent/config.yml: cannot be read: larger than 1048576 bytes"},
		{"a folder", func(w workspace) { os.Mkdir(w.file, 0o755) }, ".agent/config.yml: cannot be read: not a regular file"},
	} {
		w := newWorkspace(t)
		test.make(w)
		if got := load(w.root); got != test.want {
			t.Errorf("%s: Load = %s, want %s", test.name, got, test.want)
		}
	}
	if got := load(filepath.Join(t.TempDir(), "missing")); got != "8000" {
		t.Errorf("no root: Load = %s, want 8000", got)
	}
}

// load returns what Load makes of inline_limit, or its error.
func load(root string) string {
	c, err := config.Load(root)
	if err != nil {
		if _, ok := errors.AsType[config.Problems](err); !ok || c != nil {
			return fmt.Sprintf("not only problems: %v, %v", c, err)
		}
		return err.Error()
	}
	return fmt.Sprint(c.Tools.Truncation.InlineLimit)
}

// TestSource changes a file step by step.
func TestSource(t *testing.T) {
	w := newWorkspace(t)
	source := config.NewSource(w.root)
	var last *config.Config
	for _, step := range []struct {
		name     string
		change   func()
		limit    int
		problems int
		kept     bool // it is the same Config as before
	}{
		{"no file", func() {}, 8000, 0, false},
		{"still none", func() {}, 8000, 0, true},
		{"a file", func() { w.write(limit(5)) }, 5, 0, false},
		{"the same", func() {}, 5, 0, true},
		{"touched", func() { w.age(time.Hour) }, 5, 0, true},
		{"settled", func() {}, 5, 0, true},
		{"as large and as old as before, in the tick of its reading", func() {
			w.write(limit(6))
			w.age(0)
			source.Config()
			keepTime(w, func() { w.write(limit(7)) })
		}, 7, 0, false},
		{"settled again", func() { w.age(time.Hour) }, 7, 0, true},
		{"as old as before", func() { keepTime(w, func() { w.write(limit(77)) }) }, 77, 0, false},
		{"as large and as old as before, another file", func() {
			keepTime(w, func() {
				os.Rename(w.file, w.file+".old")
				w.write(limit(78))
			})
		}, 78, 0, false},
		{"of the future", func() { w.write(limit(8)); w.age(-time.Hour) }, 8, 0, false},
		{"bad", func() { w.write(limit(0)) }, 8, 1, true},
		{"still bad", func() { w.age(time.Hour) }, 8, 1, true},
		{"worse", func() { w.write("a: 1\nb: 1\n") }, 8, 2, true},
		{"good again", func() { w.write(limit(9)) }, 9, 0, false},
		{"replaced by a folder", func() { os.Remove(w.file); os.Mkdir(w.file, 0o755) }, 9, 1, true},
		{"still a folder", func() { w.age(time.Hour) }, 9, 1, true},
		{"back as it was", func() { os.Remove(w.file); w.write(limit(9)) }, 9, 0, false},
		{"removed", func() { os.Remove(w.file) }, 8000, 0, false},
		{"bad from the start", func() { source = config.NewSource(w.root); w.write(limit(0)) }, 8000, 1, false},
		{"removed while bad", func() { os.Remove(w.file) }, 8000, 0, false},
	} {
		step.change()
		c, problems := source.Config()
		if got := c.Tools.Truncation.InlineLimit; got != step.limit || len(problems) != step.problems || (c == last) != step.kept {
			t.Errorf("%s: limit %d, problems %v, kept %v; want %d, %d, %v",
				step.name, got, problems, c == last, step.limit, step.problems, step.kept)
		}
		last = c
	}
}

// TestSourceIsShared asks from several goroutines while the file changes.
func TestSourceIsShared(t *testing.T) {
	w := newWorkspace(t)
	source := config.NewSource(w.root)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 100 {
				if c, problems := source.Config(); c.Tool("x").InlineLimit != c.Tools.Truncation.InlineLimit {
					t.Errorf("half a Config, problems %v", problems)
				}
			}
		})
	}
	for n := range 50 {
		temp := w.file + ".new"
		if err := os.WriteFile(temp, []byte(limit(n)), 0o644); err != nil {
			t.Fatal(err)
		}
		_ = os.Rename(temp, w.file) // refused on Windows while it is read
	}
	group.Wait()
	w.write(limit(5))
	if c, _ := source.Config(); c.Tools.Truncation.InlineLimit != 5 {
		t.Errorf("the last limit is %d, want 5", c.Tools.Truncation.InlineLimit)
	}
}
