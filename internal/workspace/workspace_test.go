package workspace_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/config"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// configured returns the settings of a file with the given content.
func configured(content string) *config.Config {
	c, problems := config.Parse("config.yml", []byte(content))
	if len(problems) > 0 {
		panic(problems[0].String())
	}
	return c
}

// readLimit returns the settings under which a read shows so many characters.
func readLimit(characters int) *config.Config {
	return configured(fmt.Sprintf("tools: {truncation: {overrides: {read_file: {inline_limit: %d}}}}", characters))
}

func open(t *testing.T, root string, opts workspace.Options) *workspace.Hub {
	t.Helper()
	h, err := workspace.Open(root, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

func write(t *testing.T, root, name, content string) {
	t.Helper()
	path := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, root, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func numbered(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

// replace is an operation that replaces whole lines of a file.
func replace(path string, first, last int, with string) workspace.Op {
	return workspace.Op{Path: path, Edits: func(l text.Lines) ([]awareness.Edit, error) {
		return []awareness.Edit{{Start: l.Start(first), End: l.Start(last + 1), New: with}}, nil
	}}
}

func TestGuardOnDisk(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", numbered(200))
	h := open(t, root, workspace.Options{})
	if _, err := h.Read("", "a.txt", workspace.Selection{Lines: awareness.Range{Start: 1, End: 100}}); err != nil {
		t.Fatal(err)
	}
	out, err := h.Apply(context.Background(), "", "", []workspace.Op{replace("a.txt", 90, 105, "new\n")})
	if err != nil {
		t.Fatal(err)
	}
	if out.Applied || len(out.Blocks) != 1 || out.Blocks[0].Message != "Lines 101-105 were not read. Read that range first." {
		t.Fatalf("Apply over unread lines = %+v", out)
	}
	if len(out.Expanded) != 1 || !strings.Contains(out.Expanded[0].Text, "   101\tline 101\n") {
		t.Fatalf("Expanded = %+v", out.Expanded)
	}
	out, err = h.Apply(context.Background(), "", "", []workspace.Op{replace("a.txt", 90, 105, "new\n")})
	if err != nil || !out.Applied {
		t.Fatalf("retry: %+v, %v", out, err)
	}
	lines := strings.SplitAfter(numbered(200), "\n")
	want := strings.Join(lines[:89], "") + "new\n" + strings.Join(lines[105:], "")
	if diff := cmp.Diff(want, read(t, root, "a.txt")); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
	check := func(h *workspace.Hub) {
		t.Helper()
		_, state, err := h.State("", "a.txt")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]awareness.Range{{Start: 1, End: 90}}, state[0].Read); diff != "" || state[0].Stale {
			t.Errorf("read (-want +got):\n%s\nstale %v", diff, state[0].Stale)
		}
	}
	check(h)
	check(open(t, root, workspace.Options{})) // from the journal
}

func TestManyFilesAtOnce(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", numbered(3))
	write(t, root, "b.txt", numbered(3))
	h := open(t, root, workspace.Options{})
	for _, name := range []string{"a.txt", "b.txt"} {
		if _, err := h.Read("s", name, workspace.Selection{}); err != nil {
			t.Fatal(err)
		}
	}
	out, err := h.Apply(context.Background(), "s", "", []workspace.Op{
		replace("a.txt", 1, 1, "A\n"),
		{Kind: workspace.RenameFile, Path: "a.txt", NewPath: "sub/c.txt"},
		{Kind: workspace.DeleteFile, Path: "b.txt"},
		{Kind: workspace.CreateFile, Path: "new/d.txt"},
		{Path: "new/d.txt", Edits: func(l text.Lines) ([]awareness.Edit, error) {
			return []awareness.Edit{{New: "hello\n"}}, nil
		}},
	})
	if err != nil || !out.Applied {
		t.Fatalf("Apply = %+v, %v", out, err)
	}
	if got := read(t, root, "sub/c.txt"); got != "A\nline 2\nline 3\n" {
		t.Errorf("sub/c.txt = %q", got)
	}
	if got := read(t, root, "new/d.txt"); got != "hello\n" {
		t.Errorf("new/d.txt = %q", got)
	}
	for _, gone := range []string{"a.txt", "b.txt"} {
		if _, err := os.Stat(filepath.Join(root, gone)); !os.IsNotExist(err) {
			t.Errorf("%s is still there", gone)
		}
	}
	_, states, err := h.State("s", "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range states {
		got = append(got, fmt.Sprintf("%s %s %v", s.Name, s.State, s.Stale))
	}
	if diff := cmp.Diff([]string{"new/d.txt model_authored false", "sub/c.txt fully_read false"}, got); diff != "" {
		t.Errorf("state (-want +got):\n%s", diff)
	}
	entries, _ := filepath.Glob(filepath.Join(root, "*", ".*acode-tmp"))
	if len(entries) > 0 {
		t.Errorf("left behind: %v", entries)
	}
}

// TestCheckSeesEarlierOps: the second operation on a file is judged on what the
// first left, when an edit is only asked about too (C-137).
func TestCheckSeesEarlierOps(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", numbered(10))
	h := open(t, root, workspace.Options{NoAutoExpand: true})
	if _, err := h.Read("s", "a.txt", workspace.Selection{Lines: awareness.Range{Start: 1, End: 5}}); err != nil {
		t.Fatal(err)
	}
	ops := []workspace.Op{replace("a.txt", 1, 1, "one\ntwo\nthree\n"), replace("a.txt", 7, 8, "x\n")}
	v, err := h.Check("s", ops)
	if err != nil {
		t.Fatal(err)
	}
	// Line 8 of what the first operation left is line 6 of the file.
	if len(v.Blocks) != 1 || v.Blocks[0].Message != "Line 8 was not read. Read that line first." {
		t.Errorf("Check = %+v", v)
	}
}
