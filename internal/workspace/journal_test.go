package workspace_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

const journalOfS = ".acode/sessions/s.jsonl"

// sameAsReopened fails if a hub that is opened now knows other than h does.
func sameAsReopened(t *testing.T, h *workspace.Hub, ids ...string) {
	t.Helper()
	fresh, err := workspace.Open(h.Root(), workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer fresh.Close()
	for _, id := range ids {
		if live, reopened := all(t, h, id), all(t, fresh, id); live != reopened {
			t.Errorf("session %s lives as\n%s\nand reopens as\n%s", id, live, reopened)
		}
	}
}

// all tells what a session knows of all files.
func all(t *testing.T, h *workspace.Hub, id string) string {
	t.Helper()
	_, states, err := h.State(id, "")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range states {
		fmt.Fprintf(&b, "%s: %s, %d rounds\n", f.Name, told(f), f.Rounds)
	}
	return b.String()
}

// TestJournal walks through every kind of record (C-191).
func TestJournal(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", numbered(20))
	write(t, root, "b.txt", numbered(5))
	write(t, root, "long.txt", strings.Repeat("x", 100_000)+"\nend\n")
	h := open(t, root, workspace.Options{})
	ed := attach(t, h)
	steps := []struct {
		name string
		do   func() error
	}{
		{"read", func() error { look(t, h, "s", "a.txt", 3, 12); return nil }},
		{"agent edit", func() error { return failed(apply(t, h, replace("a.txt", 5, 6, "five\n"))) }},
		{"refused edit that hands out lines", func() error {
			if apply(t, h, replace("a.txt", 14, 15, "")) == "" {
				return fmt.Errorf("it was not refused")
			}
			return nil
		}},
		{"change on disk", func() error {
			write(t, root, "a.txt", strings.Replace(read(t, root, "a.txt"), "line 9\n", "nine\nneun\n", 1))
			return h.DiskChanged("a.txt")
		}},
		{"open, type, undo, close", func() error {
			ed.open("a.txt")
			before := ed.text("a.txt")
			ed.line("a.txt", 4, "")
			ed.replace("a.txt", before)
			ed.line("a.txt", 7, "seven\n")
			ed.save("a.txt")
			ed.close("a.txt")
			return nil
		}},
		{"observe", func() error {
			_, err := h.Observe("s", "b.txt", []awareness.Range{{Start: 2, End: 3}}, nil)
			return err
		}},
		{"bytes of a long line", func() error {
			_, err := h.Read("s", "long.txt", workspace.Selection{StartByte: 0, EndByte: 40_000})
			return err
		}},
		{"more bytes of it", func() error {
			for _, start := range []int{40_000, 80_000} {
				if _, err := h.Read("s", "long.txt", workspace.Selection{StartByte: start, EndByte: start + 40_000}); err != nil {
					return err
				}
			}
			return nil
		}},
		{"create", func() error {
			return failed(apply(t, h, workspace.Op{Kind: workspace.CreateFile, Path: "new.txt"}, insert("new.txt", "one\ntwo\n")))
		}},
		{"rename", func() error {
			return failed(apply(t, h, workspace.Op{Kind: workspace.RenameFile, Path: "new.txt", NewPath: "old.txt"}))
		}},
		{"moved", func() error {
			if err := os.Rename(filepath.Join(root, "old.txt"), filepath.Join(root, "older.txt")); err != nil {
				return err
			}
			return h.Moved("old.txt", "older.txt")
		}},
		{"delete", func() error {
			return failed(apply(t, h, workspace.Op{Kind: workspace.DeleteFile, Path: "older.txt"}))
		}},
		{"round", func() error { return h.Round("s") }},
		{"forget", func() error { return h.Forget("s", "b.txt") }},
	}
	for _, step := range steps {
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		t.Run(step.name, func(t *testing.T) { sameAsReopened(t, h, "s") })
	}
	if got := state(t, h, "s", "long.txt"); got != "fully_read 1-2 of 2" {
		t.Errorf("long.txt = %s, want all bytes of it read (C-163)", got)
	}
}

func failed(failure string) error {
	if failure == "" {
		return nil
	}
	return fmt.Errorf("%s", failure)
}

func insert(path, content string) workspace.Op {
	return workspace.Op{Path: path, Edits: edits(awareness.Edit{New: content})}
}

// TestDamagedJournal opens journals that somebody or something damaged: what
// they no longer prove is unread, never the reverse (C-191).
func TestDamagedJournal(t *testing.T) {
	tests := []struct {
		name   string
		damage func(lines [][]byte) [][]byte
		want   string
	}{
		{"none", func(l [][]byte) [][]byte { return l }, "partial_read 1-3, 5-6, 8 of 10"},
		{"half a record at the end", func(l [][]byte) [][]byte {
			return append(l, []byte(`{"k":"show","p":"a.txt","r":[[1,1`))
		}, "partial_read 1-3, 5-6, 8 of 10"},
		{"only half a record", func([][]byte) [][]byte { return [][]byte{[]byte(`{"k":"sess`)} }, "never_read  of 10"},
		{"an empty journal", func([][]byte) [][]byte { return nil }, "never_read  of 10"},
		{"zeros at the end", func(l [][]byte) [][]byte { return append(l, make([]byte, 4096)) }, "partial_read 1-3, 5-6, 8 of 10"},
		{"zeros in a line at the end", func(l [][]byte) [][]byte { return append(l, append(make([]byte, 64), '\n')) }, "never_read  of 10"},
		{"a change that cannot be read", func(l [][]byte) [][]byte {
			i := slices.IndexFunc(l, func(b []byte) bool { return bytes.Contains(b, []byte(`"k":"change"`)) })
			l[i] = append([]byte("garbage "), l[i]...)
			return l
		}, "never_read  of 10"},
		{"a change cut short", func(l [][]byte) [][]byte {
			i := slices.IndexFunc(l, func(b []byte) bool { return bytes.Contains(b, []byte(`"k":"change"`)) })
			l[i] = append(l[i][:len(l[i])/2], '\n')
			return l
		}, "never_read  of 10"},
		{"a change of lines that are not there", func(l [][]byte) [][]byte {
			return append(l, []byte(`{"k":"change","p":"a.txt","h":[{"s":9,"o":5}],"a":true}`+"\n"))
		}, "never_read  of 10"},
		{"a record of no known kind", func(l [][]byte) [][]byte {
			return append(l, []byte(`{"k":"shuffle","p":"a.txt"}`+"\n"))
		}, "never_read  of 10"},
		{"lines that were never there shown", func(l [][]byte) [][]byte {
			return append(l, []byte(`{"k":"show","p":"a.txt","r":[[-5,0],[11,99]]}`+"\n"))
		}, "partial_read 1-3, 5-6, 8 of 10"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, "a.txt", numbered(10))
			h := open(t, root, workspace.Options{})
			look(t, h, "s", "a.txt", 1, 3)
			look(t, h, "s", "a.txt", 5, 6)
			// A line above: without it, what follows stands one line off.
			if failure := apply(t, h, replace("a.txt", 1, 1, "one\neins\n")); failure != "" {
				t.Fatal(failure)
			}
			if failure := apply(t, h, replace("a.txt", 2, 2, "")); failure != "" {
				t.Fatal(failure)
			}
			look(t, h, "s", "a.txt", 8, 8)
			h.Close()
			content, err := os.ReadFile(filepath.Join(root, journalOfS))
			if err != nil {
				t.Fatal(err)
			}
			lines := bytes.SplitAfter(content, []byte("\n"))
			if len(lines[len(lines)-1]) == 0 {
				lines = lines[:len(lines)-1]
			}
			write(t, root, journalOfS, string(bytes.Join(test.damage(lines), nil)))
			again := open(t, root, workspace.Options{})
			mustState(t, again, "s", "a.txt", test.want)
			// Whatever was there, the journal goes on.
			look(t, again, "s", "a.txt", 10, 10)
			if got := state(t, again, "s", "a.txt"); !strings.Contains(got, "10 of 10") {
				t.Errorf("after another read: %s", got)
			}
			sameAsReopened(t, again, "s")
		})
	}
}

// big makes the journal of session s so large that it is compacted when it is
// read anew.
func big(t *testing.T, h *workspace.Hub) {
	t.Helper()
	write(t, h.Root(), "big.txt", strings.Repeat("a line\n", 450_000))
	look(t, h, "s", "big.txt", 1, 1)
	info, err := os.Stat(filepath.Join(h.Root(), journalOfS))
	if err != nil || info.Size() < 4<<20 {
		t.Fatalf("the journal is not large: %v", err)
	}
	if err := os.Remove(filepath.Join(h.Root(), "big.txt")); err != nil {
		t.Fatal(err)
	}
	if err := h.Forget("s", "big.txt"); err != nil {
		t.Fatal(err)
	}
}

func TestCompaction(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", numbered(10))
	h := open(t, root, workspace.Options{})
	big(t, h)
	look(t, h, "s", "a.txt", 2, 6)
	if failure := apply(t, h, replace("a.txt", 3, 3, "three\n")); failure != "" {
		t.Fatal(failure)
	}
	if err := h.Round("s"); err != nil {
		t.Fatal(err)
	}
	taken := strings.Replace(read(t, root, "a.txt"), "line 4\n", "", 1) // by a person
	before := read(t, root, "a.txt")
	write(t, root, "a.txt", taken)
	write(t, root, "a.txt", strings.Replace(taken, "line 5\n", "typed\n", 1))
	live := all(t, h, "s")

	second := open(t, root, workspace.Options{})
	if got := all(t, second, "s"); got != live {
		t.Errorf("compacted, session s is\n%s\nand was\n%s", got, live)
	}
	if info, err := os.Stat(filepath.Join(root, journalOfS)); err != nil || info.Size() > 4096 {
		t.Fatalf("the journal was not compacted: %v bytes, %v", info.Size(), err)
	}
	if got := all(t, h, "s"); got != live {
		t.Errorf("after another process compacted, session s is\n%s\nand was\n%s", got, live)
	}
	// What the compacted journal does not tell, nobody knows: undo.
	write(t, root, "a.txt", before)
	sameAsReopened(t, second, "s")
	for _, hub := range []*workspace.Hub{h, second} {
		look(t, hub, "s", "a.txt", 9, 9)
		sameAsReopened(t, hub, "s")
	}
	if a, b := all(t, h, "s"), all(t, second, "s"); a != b {
		t.Errorf("two hubs on one journal know\n%s\nand\n%s", a, b)
	}
}

// TestCompactionLosesNothing has hubs open a large journal, and compact it,
// while another writes.
func TestCompactionLosesNothing(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", numbered(400))
	h := open(t, root, workspace.Options{})
	var others sync.WaitGroup
	for round := range 4 {
		big(t, h)
		for range 4 {
			others.Go(func() {
				other, err := workspace.Open(root, workspace.Options{})
				if err != nil {
					t.Error(err)
					return
				}
				other.Close()
			})
		}
		for i := range 50 {
			line := round*100 + 2*i + 1
			look(t, h, "s", "a.txt", line, line)
		}
		others.Wait()
	}
	_, states, err := open(t, root, workspace.Options{}).State("s", "a.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got := len(states[0].Read); got != 200 {
		t.Errorf("%d of the 200 lines that were shown are known", got)
	}
}

// TestStateFolder: the folder of the journals is what others left there.
func TestStateFolder(t *testing.T) {
	link := func(t *testing.T, to, from string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(from), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, from); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name      string
		make      func(t *testing.T, root, outside string)
		journaled bool
		err       string // of a read
	}{
		{"nothing", func(*testing.T, string, string) {}, true, ""},
		{"a link out of the root", func(t *testing.T, root, outside string) {
			link(t, outside, filepath.Join(root, ".acode"))
		}, false, ""},
		{"a link inside the root", func(t *testing.T, root, _ string) {
			write(t, root, "other/a.txt", "")
			link(t, "other", filepath.Join(root, ".acode"))
		}, false, ""},
		{"a file", func(t *testing.T, root, _ string) { write(t, root, ".acode", "") }, false, ""},
		{"sessions a link out of the root", func(t *testing.T, root, outside string) {
			link(t, outside, filepath.Join(root, ".acode/sessions"))
		}, false, ""},
		{"the lock a link out of the root", func(t *testing.T, root, outside string) {
			link(t, filepath.Join(outside, "lock"), filepath.Join(root, ".acode/sessions/lock"))
		}, false, ""},
		{"the lock a folder", func(t *testing.T, root, _ string) { write(t, root, ".acode/sessions/lock/x", "") }, false, ""},
		{"the journal a link to a file", func(t *testing.T, root, _ string) {
			write(t, root, "victim.txt", "precious\n")
			link(t, "../../victim.txt", filepath.Join(root, journalOfS))
		}, true, "reading the journal of session s: it is not a regular file"},
		{"the journal a link to nothing", func(t *testing.T, root, _ string) {
			link(t, "../../victim.txt", filepath.Join(root, journalOfS))
		}, true, "reading the journal of session s: it is not a regular file"},
		{"the journal a folder", func(t *testing.T, root, _ string) { write(t, root, journalOfS+"/x", "") }, true,
			"reading the journal of session s: it is not a regular file"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root, outside := t.TempDir(), t.TempDir()
			write(t, root, "a.txt", numbered(10))
			test.make(t, root, outside)
			before := tree(t, root)
			h := open(t, root, workspace.Options{})
			if h.Journaled() != test.journaled {
				t.Errorf("Journaled() = %v, want %v", h.Journaled(), test.journaled)
			}
			for range 2 {
				_, err := h.Read("s", "a.txt", workspace.Selection{Lines: awareness.Range{Start: 2, End: 3}})
				if got := fmt.Sprint(err); err == nil && test.err != "" || err != nil && got != test.err {
					t.Errorf("Read: %v, want %q", err, test.err)
				}
			}
			if test.err == "" {
				mustState(t, h, "s", "a.txt", "partial_read 2-3 of 10")
			}
			if got := tree(t, root); got != before {
				t.Errorf("the workspace is\n%s\nand was\n%s", got, before)
			}
			if got := tree(t, outside); strings.Count(got, "\n") != 1 {
				t.Errorf("outside the root is\n%s", got)
			}
		})
	}
}

func TestStateFolderIsPrivate(t *testing.T) { // C-191
	root := t.TempDir()
	write(t, root, "a.txt", numbered(10))
	write(t, root, ".acode/sessions/old", "") // 0755
	h := open(t, root, workspace.Options{})
	look(t, h, "s", "a.txt", 1, 1)
	for path, want := range map[string]os.FileMode{
		".acode": 0o700, ".acode/sessions": 0o700, journalOfS: 0o600, ".acode/sessions/lock": 0o600,
	} {
		info, err := os.Stat(filepath.Join(root, path))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, want %v (%v)", path, info.Mode().Perm(), want, err)
		}
	}
	if got := read(t, root, ".acode/.gitignore"); got != "*\n" {
		t.Errorf(".gitignore = %q", got)
	}
}

// TestOpenAtOnce: of processes that begin at one moment none goes without a
// journal.
func TestOpenAtOnce(t *testing.T) {
	for range 30 {
		root := t.TempDir()
		start := make(chan struct{})
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				<-start
				h, err := workspace.Open(root, workspace.Options{})
				if err != nil || !h.Journaled() {
					t.Errorf("Open: %v, journaled %v", err, h.Journaled())
					return
				}
				h.Close()
			})
		}
		close(start)
		all.Wait()
	}
}

// TestStateFolderRemoved cleans the work tree under a running hub, as git clean
// does.
func TestStateFolderRemoved(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", numbered(10))
	h := open(t, root, workspace.Options{})
	changed := map[string]bool{}
	h.OnChange(func(_ string, names []string) {
		for _, name := range names {
			changed[name] = true
		}
	})
	look(t, h, "s", "a.txt", 1, 3)
	if err := os.RemoveAll(filepath.Join(root, ".acode")); err != nil {
		t.Fatal(err)
	}
	clear(changed)
	mustState(t, h, "s", "a.txt", "never_read  of 10")
	if !changed["a.txt"] {
		t.Error("nobody was told that a.txt is no longer known")
	}
	look(t, h, "s", "a.txt", 5, 6)
	mustState(t, h, "s", "a.txt", "partial_read 5-6 of 10")
	sameAsReopened(t, h, "s")
}

// TestJournalReplaced puts another journal in the place of the one that is
// read, a longer one.
func TestJournalReplaced(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", numbered(100))
	h := open(t, root, workspace.Options{})
	look(t, h, "s", "a.txt", 1, 3)
	if err := os.RemoveAll(filepath.Join(root, ".acode")); err != nil {
		t.Fatal(err)
	}
	other := open(t, root, workspace.Options{})
	for n := 10; n <= 50; n += 2 {
		look(t, other, "s", "a.txt", n, n)
	}
	if a, b := all(t, h, "s"), all(t, other, "s"); a != b {
		t.Errorf("two hubs on one journal know\n%s\nand\n%s", a, b)
	}
}

func TestIdleJournals(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", numbered(10))
	h := open(t, root, workspace.Options{})
	look(t, h, "old", "a.txt", 1, 3)
	look(t, h, "s", "a.txt", 4, 5)
	h.Close()
	past := time.Now().Add(-25 * time.Hour)
	if err := os.Chtimes(filepath.Join(root, ".acode/sessions/old.jsonl"), past, past); err != nil {
		t.Fatal(err)
	}
	h = open(t, root, workspace.Options{})
	mustState(t, h, "old", "a.txt", "never_read  of 10")
	mustState(t, h, "s", "a.txt", "partial_read 4-5 of 10")
}

func TestSessions(t *testing.T) { // C-193
	root := t.TempDir()
	write(t, root, "a.txt", numbered(10))
	h := open(t, root, workspace.Options{})
	look(t, h, "", "a.txt", 1, 1)
	look(t, h, "one", "a.txt", 2, 2)
	look(t, h, "two", "a.txt", 3, 3)
	list := func(h *workspace.Hub) string {
		var b strings.Builder
		for _, s := range h.Sessions() {
			fmt.Fprintf(&b, "%s %d %v; ", s.ID, s.Files, s.Active)
		}
		return b.String()
	}
	if got, want := list(h), "two 1 true; one 1 false; default 1 false; "; got != want {
		t.Errorf("Sessions() = %q, want %q", got, want)
	}
	if err := h.Select("one"); err != nil {
		t.Fatal(err)
	}
	look(t, h, "", "a.txt", 5, 5)
	mustState(t, h, "one", "a.txt", "partial_read 2, 5 of 10")
	other := open(t, root, workspace.Options{})
	look(t, other, "three", "a.txt", 7, 8)
	if got, want := list(h), "three 1 false; one 1 true; two 1 false; default 1 false; "; got != want {
		t.Errorf("Sessions() = %q, want %q", got, want)
	}
	mustState(t, h, "three", "a.txt", "partial_read 7-8 of 10")
	for _, id := range []string{"a/b", "../x", "a b", strings.Repeat("x", 129), "\x00"} {
		if _, err := h.Read(id, "a.txt", workspace.Selection{}); err == nil {
			t.Errorf("a session %q was begun", id)
		}
	}
}

// TestCompactedOnce: a journal that is nearly all state is not written again
// each time it is read.
func TestCompactedOnce(t *testing.T) {
	root := t.TempDir()
	write(t, root, "big.txt", strings.Repeat("a line\n", 450_000))
	look(t, open(t, root, workspace.Options{}), "s", "big.txt", 1, 1)
	journal := func() os.FileInfo {
		t.Helper()
		look(t, open(t, root, workspace.Options{}), "s", "big.txt", 2, 2)
		info, err := os.Stat(filepath.Join(root, journalOfS))
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	first := journal()
	for range 3 {
		if again := journal(); !os.SameFile(first, again) {
			t.Fatal("the journal was written again")
		}
	}
}
