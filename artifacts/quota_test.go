package artifacts_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/artifacts"
)

// TestEviction: the oldest that nobody retrieved gives way first, then the
// oldest; others' artifacts never (THR-3.5, THR-3.6, C-75).
func TestEviction(t *testing.T) {
	root := t.TempDir()
	now := newClock()
	s := open(t, root, artifacts.Options{Now: now.Now, Quota: 1000})
	name := map[string]string{}
	make := func(session, label string, size int) (string, string) {
		t.Helper()
		now.pass(time.Minute)
		info, evicted, err := put(s, session, "", strings.Repeat("x", size))
		if err != nil {
			t.Fatalf("%s: %v", label, err)
		}
		name[info.ID] = label
		var gave []string
		for _, e := range evicted {
			gave = append(gave, name[e.ID])
		}
		return info.ID, strings.Join(gave, " ")
	}
	want := func(got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%q gave way, want %q", got, want)
		}
	}
	other, _ := make("t", "other", 1000)
	a, _ := make("s", "a", 300)
	b, _ := make("s", "b", 300)
	c, gave := make("s", "c", 400)
	want(gave, "")
	mustRead(t, s, "s", a, strings.Repeat("x", 300))
	_, gave = make("s", "d", 100)
	want(gave, "b")
	e, gave := make("s", "e", 600)
	want(gave, "c")
	mustRead(t, s, "s", e, strings.Repeat("x", 600))
	_, gave = make("s", "f", 100) // d is not retrieved
	want(gave, "d")
	f2, gave := make("s", "g", 400)
	want(gave, "f a")
	mustRead(t, s, "s", e, strings.Repeat("x", 600))
	mustRead(t, s, "t", other, strings.Repeat("x", 1000))
	for _, store := range []*artifacts.Store{s, open(t, root, artifacts.Options{})} {
		for _, id := range []string{a, b, c} {
			_, err := store.Get("s", id)
			var missing *artifacts.NotFoundError
			if !errors.As(err, &missing) || missing.Reason != artifacts.Evicted {
				t.Errorf("%s: %v", name[id], err)
			}
			if _, err := store.Get("t", id); err == nil || strings.Contains(err.Error(), "evicted") {
				t.Errorf("another session learns of %s: %v", name[id], err)
			}
		}
		var listed []string
		infos, _, err := store.List("", "", 0)
		for _, info := range infos {
			listed = append(listed, name[info.ID])
		}
		if diff := cmp.Diff([]string{"other", "e", "g"}, listed); diff != "" || err != nil {
			t.Errorf("(-want +got):\n%s%v", diff, err)
		}
	}
	if removed, err := s.Sweep(func(string, time.Time) bool { return true }); removed != (artifacts.Removed{}) || err != nil {
		t.Error(removed, err)
	}
	// One that is being read stays, and what then does not fit is refused.
	reading, err := s.Get("s", e)
	if err != nil {
		t.Fatal(err)
	}
	if _, evicted, err := put(s, "s", "", strings.Repeat("x", 500)); !is[*artifacts.SpaceError](err) || len(evicted) > 0 {
		t.Error(evicted, err)
	}
	mustRead(t, s, "s", f2, strings.Repeat("x", 400))
	reading.Close()
	_, gave = make("s", "h", 1000)
	want(gave, "e g")
	if removed, err := s.End("s"); removed != (artifacts.Removed{Artifacts: 1, Bytes: 1000}) || err != nil {
		t.Error(removed, err)
	}
	if _, err := s.Get("s", a); err == nil || strings.Contains(err.Error(), "evicted") {
		t.Errorf("after the end: %v", err)
	}
	if _, err := s.End("t"); err != nil {
		t.Error(err)
	}
	gone(t, root)
}

// TestTooLargeForQuota: content stops being written as soon as it cannot fit.
func TestTooLargeForQuota(t *testing.T) {
	root := t.TempDir()
	s := open(t, root, artifacts.Options{Quota: 100_000})
	kept := mustPut(t, s, "s", "kept")
	w, err := s.Create("s", artifacts.Meta{})
	if err != nil {
		t.Fatal(err)
	}
	written := 0
	for range 1000 {
		var n int
		if n, err = w.Write(make([]byte, 1000)); err != nil {
			break
		}
		written += n
	}
	var space *artifacts.SpaceError
	if !errors.As(err, &space) || space.Quota != 100_000 || written > 200_000 {
		t.Errorf("after %d bytes: %v", written, err)
	}
	if want := fmt.Sprintf("writing artifact %s: no room in the session's quota of 100000 bytes", w.ID()); err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	noTemp(t, root)
	mustRead(t, s, "s", kept.ID, "kept")
	// What is compressed takes what it takes on disk.
	zipped := open(t, root, artifacts.Options{Quota: 100_000, Compress: true})
	mustRead(t, zipped, "z", mustPut(t, zipped, "z", strings.Repeat("x", 4<<20)).ID, strings.Repeat("x", 4<<20))
}

// TestRate: a session makes so many a minute, in whatever processes (THR-3.7).
func TestRate(t *testing.T) {
	root := t.TempDir()
	now := newClock()
	opts := artifacts.Options{Now: now.Now, PerMinute: 3, Quota: 10}
	s, second := open(t, root, opts), open(t, root, opts)
	mustPut(t, s, "s", "1234567")
	now.pass(30 * time.Second)
	mustPut(t, second, "s", "1234567") // which evicts the first
	w, err := s.Create("s", artifacts.Meta{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Create("s", artifacts.Meta{})
	var rate *artifacts.RateError
	if !errors.As(err, &rate) || rate.Limit != 3 {
		t.Errorf("with one on the way: %v", err)
	}
	if want := "creating an artifact: the session has made 3 artifacts in the last minute, the most it may"; err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	w.Abort()
	w, err = s.Create("s", artifacts.Meta{})
	if err != nil {
		t.Fatalf("aborted ones count: %v", err)
	}
	mustPut(t, second, "s", "")
	if _, _, err := w.Commit("", ""); !is[*artifacts.RateError](err) {
		t.Errorf("another process was faster: %v", err)
	}
	noTemp(t, root)
	mustPut(t, s, "t", "") // another session
	now.pass(30 * time.Second)
	mustPut(t, s, "s", "") // the first is a minute old
	if _, err := s.Create("s", artifacts.Meta{}); !is[*artifacts.RateError](err) {
		t.Errorf("over the limit: %v", err)
	}
	now.pass(30 * time.Second)
	mustPut(t, s, "s", "")
}

// TestList: the order is that of making, the cursor stays good, and what is
// damaged is left out.
func TestList(t *testing.T) {
	root := t.TempDir()
	now := newClock()
	s := open(t, root, artifacts.Options{Now: now.Now})
	var made []string
	for i := range 10 {
		now.pass(time.Millisecond)
		made = append(made, mustPut(t, s, []string{"s", "t"}[i%2], "x").ID)
	}
	list := func(session, cursor string, limit int) ([]string, string) {
		t.Helper()
		infos, next, err := s.List(session, cursor, limit)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, info := range infos {
			ids = append(ids, info.ID)
		}
		return ids, next
	}
	same := func(got []string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	ids, next := list("", "", 0)
	same(ids, made...)
	if next != "" {
		t.Errorf("cursor %q at the end", next)
	}
	ids, next = list("t", "", 2)
	same(ids, made[1], made[3])
	if strings.Contains(next, made[3]) {
		t.Errorf("cursor %q is not opaque", next)
	}
	ids, end := list("t", next, 3)
	same(ids, made[5], made[7], made[9])
	if end != "" {
		t.Errorf("cursor %q at the end", end)
	}
	// What the cursor names and what follows it goes, others come.
	if err := os.Remove(filepath.Join(root, folder, made[3]+".meta.json")); err != nil {
		t.Fatal(err)
	}
	mustRemove(t, filepath.Join(root, folder, made[5]+".txt"))
	edit(t, filepath.Join(root, folder, made[9]+".meta.json"), func([]byte) []byte { return []byte("{") })
	now.pass(time.Millisecond)
	late := mustPut(t, s, "t", "x").ID
	ids, _ = list("t", next, 3)
	same(ids, made[7], late)
	for _, cursor := range []string{"x", "!", made[3], "../..", "YXJ0XzE", next + "A", strings.Repeat("A", 1000)} {
		if _, _, err := s.List("t", cursor, 1); !is[*artifacts.CursorError](err) {
			t.Errorf("cursor %q: %v", cursor, err)
		}
	}
}

// TestExport: C-82.
func TestExport(t *testing.T) {
	for _, compress := range []bool{false, true} {
		root, out := t.TempDir(), t.TempDir()
		s := open(t, root, artifacts.Options{Compress: compress})
		content := strings.Repeat("0123456789\n", 200_000)
		info := mustPut(t, s, "s", content)
		path := filepath.Join(out, "x.txt")
		export := func(force bool) error {
			got, err := s.Export("s", info.ID, path, force)
			if err == nil && got != info {
				t.Errorf("exported %+v", got)
			}
			if err != nil && strings.Contains(err.Error(), out) {
				t.Errorf("an absolute path in %q", err)
			}
			return err
		}
		is1 := func(want string) {
			t.Helper()
			data, err := os.ReadFile(path)
			if err != nil || string(data) != want {
				t.Errorf("%d bytes, want %d, %v", len(data), len(want), err)
			}
			entries, err := os.ReadDir(out)
			for _, entry := range entries {
				if strings.HasPrefix(entry.Name(), ".") {
					t.Errorf("%s is left, %v", entry.Name(), err)
				}
			}
		}
		if err := export(false); err != nil {
			t.Fatal(err)
		}
		is1(content)
		if stat, err := os.Stat(path); err != nil || stat.Mode().Perm()&0o177 != 0 && filepath.Separator == '/' {
			t.Error(stat.Mode(), err)
		}
		if err := os.WriteFile(path, []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
		err := export(false)
		if want := "exporting artifact " + info.ID + ": x.txt already exists"; !is[*artifacts.ExistsError](err) || !errors.Is(err, fs.ErrExist) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
		is1("mine")
		if err := export(true); err != nil {
			t.Fatal(err)
		}
		is1(content)
		mustRemove(t, path)
		if err := os.Mkdir(path, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := export(true); err == nil || !strings.HasSuffix(err.Error(), "x.txt is a folder") {
			t.Error(err)
		}
		path = filepath.Join(out, "missing", "x.txt")
		if err := export(true); !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
		if _, err := s.Export("t", info.ID, filepath.Join(out, "y"), true); !is[*artifacts.NotFoundError](err) {
			t.Error(err)
		}
	}
}
