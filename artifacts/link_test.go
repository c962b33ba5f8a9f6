//go:build unix

package artifacts_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/acode-ls/acode-ls/artifacts"
)

// TestLinks puts something else in the place of each folder and file, before
// and after the store used it. Whatever is tried, nothing outside is read or
// changed, also not where the link stays inside the root (THR-2.3 to THR-2.6).
func TestLinks(t *testing.T) {
	places := map[string]func(info artifacts.Info, temp string) string{
		"state":        func(artifacts.Info, string) string { return ".acode" },
		"folder":       func(artifacts.Info, string) string { return folder },
		"content":      func(info artifacts.Info, _ string) string { return info.Path },
		"sidecar":      func(info artifacts.Info, _ string) string { return folder + "/" + info.ID + ".meta.json" },
		"temp":         func(_ artifacts.Info, temp string) string { return folder + "/" + temp },
		"temp sidecar": func(_ artifacts.Info, temp string) string { return folder + "/" + temp + ".meta.json" },
		"lock":         func(artifacts.Info, string) string { return folder + "/lock" },
	}
	for place, path := range places {
		for _, how := range []string{"inside", "outside", "dangling", "pipe"} {
			for _, used := range []bool{false, true} {
				name := place + " " + how + map[bool]string{true: " after", false: " before"}[used]
				t.Run(name, func(t *testing.T) {
					root, outside := t.TempDir(), t.TempDir()
					maker := open(t, root, artifacts.Options{Detached: true, Now: later})
					info := mustPut(t, maker, "s", "secret")
					s := maker
					if !used {
						s = open(t, root, artifacts.Options{Detached: true, Now: later})
					}
					if used {
						mustRead(t, s, "s", info.ID, "secret")
					}
					w, err := s.Create("s", artifacts.Meta{})
					if err != nil {
						t.Fatal(err)
					}
					// Too much to be buffered: it is in the file before that is moved.
					if _, err := w.Write(make([]byte, 1<<16)); err != nil {
						t.Fatal(err)
					}
					at := filepath.Join(root, path(info, ".tmp-"+w.ID()))
					target := filepath.Join(map[string]string{"inside": root, "outside": outside}[how], "target")
					replaceByLink(t, at, target, how)
					before := treeOf(t, target)

					got, err := read(s, "s", info.ID)
					if served := strings.HasPrefix(place, "temp") || place == "lock"; served != (err == nil) || got != "" && !served {
						t.Errorf("Get: %q, %v", got, err)
					}
					if err != nil && (strings.Contains(err.Error(), root) || strings.Contains(err.Error(), outside)) {
						t.Errorf("an absolute path in %q", err)
					}
					_, _, errCommit := w.Commit("", "")
					if refused := place != "content" && place != "sidecar"; refused != (errCommit != nil) {
						t.Errorf("Commit: %v", errCommit)
					}
					_, _, errPut := put(s, "s", "", "new")
					if refused := place == "state" || place == "folder" || place == "lock"; refused != (errPut != nil) {
						t.Errorf("put: %v", errPut)
					}
					_, _, _ = s.List("", "", 0)
					_, _ = s.Clean("s")
					_, _ = s.Sweep(func(string, time.Time) bool { return true })
					_, _ = s.CleanAll()
					_, _ = s.Close(false)
					if after := treeOf(t, target); after != before {
						t.Errorf("the target was\n%s\nand is\n%s", before, after)
					}
				})
			}
		}
	}
}

// replaceByLink moves what is at a path to target, and leaves a link to it, or
// something else.
func replaceByLink(t *testing.T, at, target, how string) {
	t.Helper()
	var err error
	switch how {
	case "dangling", "pipe":
		err = os.RemoveAll(at)
	default:
		err = os.Rename(at, target)
	}
	if err != nil {
		t.Fatal(err)
	}
	switch how {
	case "pipe":
		err = syscall.Mkfifo(at, 0o600)
	case "inside": // os.Root follows relative links alone
		var relative string
		if relative, err = filepath.Rel(filepath.Dir(at), target); err == nil {
			err = os.Symlink(relative, at)
		}
	default:
		err = os.Symlink(target, at)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// treeOf describes a file or folder with what is in it.
func treeOf(t *testing.T, path string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(path, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return nil // it is not there
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		b.WriteString(path + " " + info.Mode().String())
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %v %x", info.ModTime(), sha256.Sum256(data))
		}
		b.WriteString("\n")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestExportLink: a link at the place of an export is refused, or replaced
// itself.
func TestExportLink(t *testing.T) {
	root, out := t.TempDir(), t.TempDir()
	s := open(t, root, artifacts.Options{})
	info := mustPut(t, s, "s", "content")
	for _, target := range []string{filepath.Join(out, "mine"), filepath.Join(out, "missing")} {
		if err := os.WriteFile(filepath.Join(out, "mine"), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(out, "link")
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Export("s", info.ID, path, false); !is[*artifacts.ExistsError](err) {
			t.Error(err)
		}
		if _, err := s.Export("s", info.ID, path, true); err != nil {
			t.Error(err)
		}
		stat, err := os.Lstat(path)
		if err != nil || !stat.Mode().IsRegular() {
			t.Errorf("%v, %v", stat.Mode(), err)
		}
		if data, err := os.ReadFile(filepath.Join(out, "mine")); string(data) != "mine" {
			t.Errorf("the target has %q, %v", data, err)
		}
		mustRemove(t, path)
	}
	if _, err := os.Lstat(filepath.Join(out, "missing")); err == nil {
		t.Error("the target was made")
	}
}
