package workspace_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// rewrite is an operation that gives a file the text new.
func rewrite(path, new string) workspace.Op {
	return workspace.Op{Kind: workspace.EditFile, Path: path, Edits: func(l text.Lines) ([]awareness.Edit, error) {
		return []awareness.Edit{{End: len(l.Text()), New: new}}, nil
	}}
}

func expect(t *testing.T, h *workspace.Hub, ops ...workspace.Op) workspace.Verdict {
	t.Helper()
	v, err := h.Expect("s", ops)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func mustRead(t *testing.T, h *workspace.Hub, name string) {
	t.Helper()
	if _, err := h.Read("s", name, workspace.Selection{}); err != nil {
		t.Fatal(err)
	}
}

// TestExpect: an edit that an agent's own tool makes is the agent's, whoever
// hears of it, also after a restart and in a compacted journal (C-127).
func TestExpect(t *testing.T) {
	for _, test := range []struct {
		name   string
		before func(t *testing.T, h *workspace.Hub) // the edit is heard of
	}{
		{"at once", func(*testing.T, *workspace.Hub) {}},
		{"compacted", big},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, "a.txt", numbered(4))
			first := open(t, root, workspace.Options{})
			mustRead(t, first, "a.txt")
			if v := expect(t, first, rewrite("a.txt", "line 1\nnew\nline 3\nline 4\nlast\n")); !v.Allowed() {
				t.Fatalf("blocked: %+v", v.Blocks)
			}
			if v := expect(t, first, rewrite("new.txt", "a\nb\n")); !v.Allowed() {
				t.Fatalf("blocked: %+v", v.Blocks)
			}
			mustState(t, first, "s", "a.txt", "fully_read 1-4 of 4") // nothing happened yet
			test.before(t, first)
			write(t, root, "a.txt", "line 1\nnew\nline 3\nline 4\nlast\n")
			write(t, root, "new.txt", "a\nb\n")
			second := open(t, root, workspace.Options{})
			mustState(t, second, "s", "a.txt", "fully_read 1-5 of 5")
			if _, err := second.Edited("s", "new.txt", nil); err != nil {
				t.Fatal(err)
			}
			mustState(t, second, "s", "new.txt", "model_authored 1-2 of 2")
			mustState(t, first, "s", "a.txt", "fully_read 1-5 of 5")
		})
	}
}

// TestExpectedOnce: what was expected of another text, or was made before, is
// somebody else's.
func TestExpectedOnce(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", numbered(4))
	h := open(t, root, workspace.Options{})
	mustRead(t, h, "a.txt")
	added := numbered(4) + "last\n"
	expect(t, h, rewrite("a.txt", added))
	write(t, root, "a.txt", "other\n"+numbered(4))
	mustState(t, h, "s", "a.txt", "partial_read 2-5 of 5 stale")
	write(t, root, "a.txt", added)
	mustState(t, h, "s", "a.txt", "partial_read 1-4 of 5 stale") // its base is not what was expected

	mustRead(t, h, "a.txt")
	expect(t, h, rewrite("a.txt", added+"more\n"))
	write(t, root, "a.txt", added+"more\n")
	mustState(t, h, "s", "a.txt", "fully_read 1-6 of 6")
	write(t, root, "a.txt", added)
	mustState(t, h, "s", "a.txt", "fully_read 1-5 of 5 stale")
	write(t, root, "a.txt", added+"MORE\n")
	mustState(t, h, "s", "a.txt", "partial_read 1-5 of 6 stale")

	// What is refused is not expected.
	write(t, root, "b.txt", numbered(100))
	if v := expect(t, h, rewrite("b.txt", "x\n")); v.Allowed() {
		t.Error("an unread file may be overwritten")
	}
	write(t, root, "b.txt", "x\n")
	mustState(t, h, "s", "b.txt", "never_read  of 1")
}

// TestCounts: counts add up over processes, restarts and compaction, and a
// retry of what was expanded is the same edit (C-154, GATE-1, GATE-3).
func TestCounts(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", numbered(100))
	h := open(t, root, workspace.Options{})
	edit := func(h *workspace.Hub, line int, want bool) {
		t.Helper()
		v, err := h.Check("s", []workspace.Op{replace("a.txt", line, line, "x\n")})
		if err != nil || v.Allowed() != want {
			t.Errorf("line %d: allowed %v, want %v (%v)", line, v.Allowed(), want, err)
		}
	}
	if _, err := h.Read("s", "a.txt", workspace.Selection{Lines: awareness.Range{Start: 1, End: 10}}); err != nil {
		t.Fatal(err)
	}
	edit(h, 1, true)
	edit(h, 50, false)
	other := open(t, root, workspace.Options{NoSessions: true})
	if _, err := other.Process(workspace.Output{Session: "s", Tool: "make", Content: strings.NewReader(strings.Repeat("line\n", 5000)), Size: -1}); err != nil {
		t.Fatal(err)
	}
	edit(h, 50, true) // again
	edit(h, 60, false)
	edit(h, 61, false) // another edit: that was no retry with what was missing
	edit(h, 61, true)
	big(t, h)
	again := open(t, root, workspace.Options{})
	edit(again, 1, true)
	counts, err := again.Counts("s")
	if err != nil {
		t.Fatal(err)
	}
	g := counts["s"].Guard
	if diff := gocmp.Diff([]int{5, 3, 3, 2}, []int{g.Checked, g.Blocked, g.Expanded, g.Resolved}); diff != "" {
		t.Errorf("checked, blocked, expanded, resolved (-want +got):\n%s", diff)
	}
	if tools := counts["s"].Tools; tools["make"].Calls != 1 || tools["make"].Truncated != 1 || tools["read_file"].Calls != 2 {
		t.Errorf("tools %+v", tools)
	}
	info, err := os.Stat(filepath.Join(root, ".acode", "sessions", "s.jsonl"))
	if err != nil || info.Size() > 1<<20 {
		t.Errorf("the journal was not compacted: %v, %v", info.Size(), err)
	}
}

// TestCountHalfARecord: a count is not appended to half a record, which would
// take it along.
func TestCountHalfARecord(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", numbered(10))
	h := open(t, root, workspace.Options{})
	mustRead(t, h, "a.txt")
	journal := filepath.Join(root, ".acode", "sessions", "s.jsonl")
	before, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	write(t, root, ".acode/sessions/s.jsonl", string(before)+`{"k":"sho`)
	other := open(t, root, workspace.Options{NoSessions: true})
	if _, err := other.Process(workspace.Output{Session: "s", Tool: "x", Content: strings.NewReader("x\n"), Size: -1}); err != nil {
		t.Fatal(err)
	}
	mustState(t, open(t, root, workspace.Options{}), "s", "a.txt", "fully_read 1-10 of 10")
}

// TestActiveSession: a session of which there is nothing to show is not the one
// that is meant.
func TestActiveSession(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", numbered(10))
	h := open(t, root, workspace.Options{Watch: true})
	mustRead(t, h, "a.txt")
	if _, err := h.Process(workspace.Output{Session: "default", Tool: "x", Content: strings.NewReader("x\n"), Size: -1}); err != nil {
		t.Fatal(err)
	}
	if got := h.ActiveSession(); got != "s" {
		t.Errorf("the active session is %s", got)
	}
	if _, err := h.StartSession("t", "agent"); err != nil {
		t.Fatal(err)
	}
	if got := h.ActiveSession(); got != "t" {
		t.Errorf("after another has begun, the active session is %s", got)
	}
}

// TestExpectOnDisk: the agent's own tool replaces what is on disk, whatever an
// editor has not saved: that is what the guard asks about.
func TestExpectOnDisk(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", numbered(6))
	h := open(t, root, workspace.Options{})
	mustRead(t, h, "a.txt")
	if err := h.DidOpen(filepath.Join(root, "a.txt"), 1, "typed\n"+numbered(6)); err != nil {
		t.Fatal(err)
	}
	if v := expect(t, h, rewrite("a.txt", numbered(5))); !v.Allowed() {
		t.Errorf("blocked: %+v", v.Blocks)
	}
	write(t, root, "a.txt", numbered(6)+"somebody's\n")
	if v := expect(t, h, rewrite("a.txt", numbered(5))); v.Allowed() {
		t.Error("a line that nobody read may be destroyed")
	}
}

// TestObserveDisk: what a tool shows of the disk counts for the lines that the
// unsaved buffer has too.
func TestObserveDisk(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", numbered(6))
	h := open(t, root, workspace.Options{})
	if err := h.DidOpen(filepath.Join(root, "a.txt"), 1, "typed\nline 1\nline 2\nother\nline 4\nline 5\nline 6\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := h.ObserveText("s", "a.txt", []workspace.Piece{{Start: 2, Text: "line 2\nline 3\nline 4\nline 5\n"}}); err != nil {
		t.Fatal(err)
	}
	mustState(t, h, "s", "a.txt", "partial_read 3, 5-6 of 7")
}

// TestEdited: what the agent's own tool wrote counts where it is certain that
// it is that.
func TestEdited(t *testing.T) {
	for _, test := range []struct {
		name, after string
		written     []string
		want        string
	}{
		{"once", "a\n}\nb\n}\n", []string{"b\n"}, "partial_read 3 of 4"},
		{"several times", "a\n}\nb\n}\n", []string{"}\n"}, "never_read  of 4"},
		{"with others", "a\n}\nb\n}\n", []string{"b\n}\n"}, "partial_read 3-4 of 4"},
		{"in a line", "one two three\n", []string{"two"}, "never_read  of 1"},
		{"CRLF", "a\r\nb\r\nc\r\n", []string{"b\nc\n"}, "partial_read 2-3 of 3"},
		{"without line end", "a\nb", []string{"b"}, "partial_read 2 of 2"},
		{"empty", "a\n\nb\n", []string{"\n", ""}, "never_read  of 3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, "a.txt", test.after)
			h := open(t, root, workspace.Options{})
			if _, err := h.Edited("s", "a.txt", test.written); err != nil {
				t.Fatal(err)
			}
			mustState(t, h, "s", "a.txt", test.want)
		})
	}

	// After somebody has looked already; and lines judged in part are known whole.
	root := t.TempDir()
	write(t, root, "a.txt", "x = 1\ny = 2\nz = 3\n")
	h := open(t, root, workspace.Options{})
	mustRead(t, h, "a.txt")
	expect(t, h, replace("a.txt", 2, 2, "y = 20\nyy = 2\n"))
	write(t, root, "a.txt", "x = 1\n  y = 20\n  yy = 2\nz = 3\n")
	if _, _, err := h.State("s", "a.txt"); err != nil { // a watcher
		t.Fatal(err)
	}
	if _, err := h.Edited("s", "a.txt", []string{"y = 20", "yy = 2"}); err != nil {
		t.Fatal(err)
	}
	mustState(t, h, "s", "a.txt", "fully_read 1-4 of 4")
}

// TestForeignJournal: what came with a folder from elsewhere is not believed.
func TestForeignJournal(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", numbered(3))
	h := open(t, root, workspace.Options{})
	mustRead(t, h, "a.txt")
	h.Close()
	journal := filepath.Join(root, ".acode", "sessions", "s.jsonl")
	own, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func() error{
		"open to others": func() error { return os.Chmod(journal, 0o644) },
		"newer":          func() error { return os.WriteFile(journal, []byte(`{"k":"session","v":99}`+"\n"+string(own)), 0o600) },
		"a link": func() error {
			if err := os.Remove(journal); err != nil {
				return err
			}
			return os.Symlink("../../a.txt", journal)
		},
	} {
		if err := os.WriteFile(journal, own, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := change(); err != nil {
			t.Fatal(err)
		}
		before, _ := os.ReadFile(journal)
		h := open(t, root, workspace.Options{})
		if _, _, err := h.State("s", "a.txt"); err == nil {
			t.Errorf("%s: it is believed", name)
		}
		if _, err := h.Process(workspace.Output{Session: "s", Tool: "x", Content: strings.NewReader("x\n"), Size: -1}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if name != "newer" {
			if after, _ := os.ReadFile(journal); string(after) != string(before) {
				t.Errorf("%s: it was written to", name)
			}
		}
		h.Close()
		if err := os.RemoveAll(journal); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(root, "a.txt"), 0o644); err != nil {
			t.Fatal(err)
		}
	}

	// A record with numbers that overflow forgets the file, and nothing else.
	bad := string(own) + `{"k":"change","p":"a.txt","h":[{"s":2,"o":9223372036854775807}]}` + "\n"
	if err := os.WriteFile(journal, []byte(bad), 0o600); err != nil {
		t.Fatal(err)
	}
	mustState(t, open(t, root, workspace.Options{}), "s", "a.txt", "never_read  of 3")
}
