package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// TestBytes: an edit of line 2 changes that and nothing else (C-185, C-192).
func TestBytes(t *testing.T) {
	tests := []struct{ name, before, new, after string }{
		{"LF", "a\nb\nc\n", "B\n", "a\nB\nc\n"},
		{"CRLF takes LF", "a\r\nb\r\nc\r\n", "B\nBB\n", "a\r\nB\r\nBB\r\nc\r\n"},
		{"CR", "a\rb\rc\r", "B\n", "a\rB\rc\r"},
		{"mixed", "a\r\nb\nc\rd\r\n", "B\n", "a\r\nB\nc\rd\r\n"},
		{"no final line end", "a\nb\nc", "B\n", "a\nB\nc"},
		{"last line without end", "a\nb", "B", "a\nB"},
		{"byte order mark", "\ufeffa\nb\nc\n", "B\n", "\ufeffa\nB\nc\n"},
		{"byte order mark and CRLF", "\ufeffa\r\nb\r\n", "B\n", "\ufeffa\r\nB\r\n"},
		{"a second byte order mark", "\ufeff\ufeffa\nb\n", "B\n", "\ufeff\ufeffa\nB\n"},
		{"invalid UTF-8 elsewhere", "caf\xe9, and much plain text after it, \xff\nb\nna\xefve, quite so\n", "B\n", "caf\xe9, and much plain text after it, \xff\nB\nna\xefve, quite so\n"},
		{"separators that end no line", "a\u2028x\x0b\x0cy\u0085\nb\nc\n", "B\n", "a\u2028x\x0b\x0cy\u0085\nB\nc\n"},
		{"blank at the end of lines", "a \t\nb\n \n\n\n", "B\n", "a \t\nB\n \n\n\n"},
		{"line taken out", "a\nb\nc\n", "", "a\nc\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, "a.txt", test.before)
			h := open(t, root, workspace.Options{})
			look(t, h, "s", "a.txt", 2, 2)
			out, err := h.Apply(context.Background(), "s", "", []workspace.Op{replace("a.txt", 2, 2, test.new)})
			if err != nil || !out.Applied {
				t.Fatalf("Apply = %+v, %v", out, err)
			}
			if got := read(t, root, "a.txt"); got != test.after {
				t.Errorf("file = %q, want %q", got, test.after)
			}
			if out.Sums["a.txt"] != awareness.Sum(test.after) {
				t.Error("the sum is not that of the file's bytes")
			}
			if got := state(t, h, "s", "a.txt"); strings.Contains(got, "stale") {
				t.Errorf("state = %q after the agent's own edit", got)
			}
			sameAsReopened(t, h, "s")
		})
	}
}

// TestBytesOfOddLines: lines that cannot be shown verbatim cannot be edited
// (C-185).
func TestBytesOfOddLines(t *testing.T) {
	root := t.TempDir()
	write(t, root, "latin1.txt", strings.Repeat("plain words\n", 20)+"caf\xe9\nend\n")
	write(t, root, "binary", "\x00\x01\x02\x03")
	write(t, root, "utf16.txt", "\xff\xfea\x00\n\x00")
	h := open(t, root, workspace.Options{})
	for _, name := range []string{"latin1.txt", "binary", "utf16.txt"} {
		if _, err := h.Read("s", name, workspace.Selection{}); err != nil {
			t.Fatal(err)
		}
	}
	mustState(t, h, "s", "latin1.txt", "partial_read 1-20, 22 of 22")
	write(t, root, "turned", "text\n")
	look(t, h, "s", "turned", 1, 1)
	write(t, root, "turned", "\x00\x01\x02\x03")
	for _, test := range []struct {
		op   workspace.Op
		want string
	}{
		{replace("latin1.txt", 21, 21, "café\n"), "blocked: Line 21 is not valid UTF-8 and cannot be edited by an agent."},
		{insert("turned", "x"), "blocked: File is not UTF-8 text. An agent cannot edit it."},
		{insert("binary", "x"), "blocked: File is not UTF-8 text. An agent cannot edit it."},
		{insert("utf16.txt", "x"), "blocked: File is not UTF-8 text. An agent cannot edit it."},
		{workspace.Op{Kind: workspace.CreateFile, Path: "binary", Overwrite: true}, "blocked: File is not UTF-8 text. An agent cannot edit it."},
		{workspace.Op{Kind: workspace.DeleteFile, Path: "latin1.txt"}, "blocked: Line 21 is not valid UTF-8 and cannot be edited by an agent."},
	} {
		if got := apply(t, h, test.op); got != test.want {
			t.Errorf("operation on %s: %q, want %q", test.op.Path, got, test.want)
		}
	}
}

// TestGuard is the guard's rules as the hub asks them.
func TestGuard(t *testing.T) {
	create := func(path string, op workspace.Op) workspace.Op {
		op.Kind, op.Path = workspace.CreateFile, path
		return op
	}
	rename := func(from, to string, op workspace.Op) workspace.Op {
		op.Kind, op.Path, op.NewPath = workspace.RenameFile, from, to
		return op
	}
	remove := func(path string, op workspace.Op) workspace.Op {
		op.Kind, op.Path = workspace.DeleteFile, path
		return op
	}
	overwrite := workspace.Op{Overwrite: true}
	tests := []struct {
		name string
		ops  []workspace.Op
		want string // failure
		tree string // of what is changed; "" for the tree as it was
	}{
		{"C-115: never read", []workspace.Op{replace("unread.txt", 1, 1, "y\n")},
			"blocked: File has not been read — use read_file with target line range first.", ""},
		{"C-115: an empty file", []workspace.Op{insert("empty.txt", "x\n")}, "", `empty.txt "x\n"`},
		{"C-115: a missing file", []workspace.Op{insert("new.txt", "x\n")}, "", `new.txt "x\n"`},
		{"C-118: whole lines", []workspace.Op{replace("half.txt", 1, 5, "")}, "", `half.txt "line 6\nline 7\nline 8\nline 9\nline 10\n"`},
		{"C-118: one line too many", []workspace.Op{replace("half.txt", 1, 6, "")},
			"blocked: Line 6 was not read. Read that line first.", ""},
		{"C-119: joined line", []workspace.Op{replace("half.txt", 5, 5, "x")},
			"blocked: Line 6 was not read. Read that line first.", ""},
		{"C-125: create what exists", []workspace.Op{create("read.txt", workspace.Op{})}, "blocked: File read.txt exists already.", ""},
		{"C-125: overwrite what was not read", []workspace.Op{create("half.txt", overwrite)},
			"blocked: Lines 6-10 were not read. Read that range first.", ""},
		{"C-125: overwrite", []workspace.Op{create("read.txt", overwrite), insert("read.txt", "x\n")}, "", `read.txt "x\n"`},
		{"ignore if it exists", []workspace.Op{create("unread.txt", workspace.Op{IgnoreIfExists: true})}, "", ""},
		{"C-136: delete what was half read", []workspace.Op{remove("half.txt", workspace.Op{})},
			"blocked: Lines 6-10 were not read. Read that range first.", ""},
		{"C-136: delete", []workspace.Op{remove("read.txt", workspace.Op{})}, "", "-read.txt"},
		{"C-136: delete nothing", []workspace.Op{remove("gone.txt", workspace.Op{})}, "blocked: File gone.txt does not exist.", ""},
		{"C-136: delete nothing, ignored", []workspace.Op{remove("gone.txt", workspace.Op{IgnoreIfNotExists: true})}, "", ""},
		{"C-136: rename unread", []workspace.Op{rename("unread.txt", "moved.txt", workspace.Op{})}, "", `-unread.txt moved.txt "x\n"`},
		{"C-136: rename over what exists", []workspace.Op{rename("read.txt", "half.txt", workspace.Op{})}, "blocked: File half.txt exists already.", ""},
		{"C-136: rename over what was not read", []workspace.Op{rename("read.txt", "half.txt", overwrite)},
			"blocked: Lines 6-10 were not read. Read that range first.", ""},
		{"C-136: rename over what was read", []workspace.Op{rename("unread.txt", "read.txt", overwrite)}, "", `-unread.txt read.txt "x\n"`},
		{"C-136: rename over what was read, and edit", []workspace.Op{rename("unread.txt", "read.txt", overwrite), replace("read.txt", 1, 1, "y\n")},
			"blocked: File has not been read — use read_file with target line range first.", ""},
		{"C-136: edit and rename", []workspace.Op{replace("read.txt", 1, 2, "y\n"), rename("read.txt", "moved.txt", workspace.Op{})},
			"", `-read.txt moved.txt "y\n"`},
		{"C-136: swap", []workspace.Op{rename("read.txt", "t", workspace.Op{}), rename("unread.txt", "read.txt", workspace.Op{}), rename("t", "unread.txt", workspace.Op{})},
			"", `read.txt "x\n" unread.txt "a\nb\n"`},
		{"C-136: delete and create", []workspace.Op{remove("read.txt", workspace.Op{}), create("read.txt", workspace.Op{}), insert("read.txt", "x\n")},
			"", `read.txt "x\n"`},
		{"C-136: rename away and create", []workspace.Op{rename("read.txt", "moved.txt", workspace.Op{}), insert("read.txt", "x\n")},
			"", `read.txt "x\n" moved.txt "a\nb\n"`},
		{"C-136: delete a folder", []workspace.Op{remove("dir", workspace.Op{Recursive: true})},
			"blocked: File has not been read — use read_file with target line range first.", ""},
		{"C-136: delete a folder that was read", []workspace.Op{remove("seen", workspace.Op{Recursive: true})}, "", "-seen/a.txt -seen/b.txt"},
		{"C-136: delete a folder and use it", []workspace.Op{remove("seen", workspace.Op{Recursive: true}), insert("seen/c.txt", "x\n")},
			"blocked: The edit also moves or deletes seen as a whole; make two edits of it.", ""},
		{"C-136: delete a folder not recursively", []workspace.Op{remove("seen", workspace.Op{})},
			"blocked: Folder seen is not empty; delete it recursively.", ""},
		{"C-136: rename a folder", []workspace.Op{rename("dir", "sub/ordner", workspace.Op{})},
			"", `-dir/a.txt -dir/b.txt sub/ordner/a.txt "a\n" sub/ordner/b.txt "b\n"`},
		{"C-136: rename a folder over another", []workspace.Op{rename("dir", "seen", overwrite)}, "blocked: File seen exists already.", ""},
		{"C-136: rename a folder into itself", []workspace.Op{rename("dir", "dir/dir", workspace.Op{})}, "blocked: Folder dir/dir lies inside dir.", ""},
		{"C-136: rename a folder and use it", []workspace.Op{rename("dir", "sub", workspace.Op{}), insert("sub/a.txt", "x\n")},
			"blocked: The edit also moves or deletes sub as a whole; make two edits of it.", ""},
		{"C-136: the workspace itself", []workspace.Op{remove(".", workspace.Op{Recursive: true})},
			"blocked: The workspace itself cannot be renamed or deleted.", ""},
		{"C-137: one of many", []workspace.Op{replace("read.txt", 1, 1, "x\n"), remove("seen", workspace.Op{Recursive: true}), replace("unread.txt", 1, 1, "y\n")},
			"blocked: File has not been read — use read_file with target line range first.", ""},
		{"C-150: outside", []workspace.Op{insert("../x.txt", "x\n")}, "blocked: ../x.txt is outside the workspace root", ""},
		{"C-150: rename outside", []workspace.Op{rename("read.txt", "/tmp/x.txt", workspace.Op{})}, "blocked: /tmp/x.txt is outside the workspace root", ""},
		{"C-150: a link is not deleted through", []workspace.Op{remove("link.txt", workspace.Op{})},
			"blocked: Path link.txt is a link; name the file itself, read.txt.", ""},
		{"C-150: a link is not renamed through", []workspace.Op{rename("link.txt", "x.txt", workspace.Op{})},
			"blocked: Path link.txt is a link; name the file itself, read.txt.", ""},
		{"C-150: a link is edited through", []workspace.Op{replace("link.txt", 1, 1, "x\n")}, "", `read.txt "x\nb\n"`},
		{"the program's own files", []workspace.Op{insert(".acode/x", "x\n")}, "blocked: .acode/x is outside the workspace root: it belongs to acode-ls.", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, "read.txt", "a\nb\n")
			write(t, root, "half.txt", numbered(10))
			write(t, root, "unread.txt", "x\n")
			write(t, root, "empty.txt", "")
			write(t, root, "dir/a.txt", "a\n")
			write(t, root, "dir/b.txt", "b\n")
			write(t, root, "seen/a.txt", "a\n")
			write(t, root, "seen/b.txt", "b\n")
			if err := os.Symlink("read.txt", filepath.Join(root, "link.txt")); err != nil {
				t.Fatal(err)
			}
			h := open(t, root, workspace.Options{})
			look(t, h, "s", "half.txt", 1, 5)
			for _, name := range []string{"read.txt", "seen/a.txt", "seen/b.txt"} {
				look(t, h, "s", name, 1, 0)
			}
			before := tree(t, root)
			if got := apply(t, h, test.ops...); got != test.want && !(test.want != "" && strings.HasPrefix(got, test.want)) {
				t.Errorf("Apply = %q, want %q", got, test.want)
			}
			leftovers(t, root)
			if got := difference(before, tree(t, root)); got != test.tree {
				t.Errorf("changed: %s\nwant: %s", got, test.tree)
			}
			sameAsReopened(t, h, "s")
			if test.want != "" {
				mustState(t, h, "s", "read.txt", "fully_read 1-2 of 2")
				mustState(t, h, "s", "seen/b.txt", "fully_read 1 of 1")
			}
		})
	}
}

// difference tells which files a tree lacks and which are new or other ones.
func difference(before, after string) string {
	files := func(tree string) map[string]string {
		m := map[string]string{}
		for line := range strings.Lines(tree) {
			f := strings.SplitN(strings.TrimSpace(line), " ", 3)
			if len(f) == 3 {
				m[f[0]] = f[2]
			}
		}
		return m
	}
	old, new := files(before), files(after)
	var out []string
	for line := range strings.Lines(before) {
		name, _, _ := strings.Cut(line, " ")
		if _, was := old[name]; was && new[name] == "" {
			out = append(out, "-"+name)
		}
	}
	for line := range strings.Lines(before + after) {
		name, _, _ := strings.Cut(line, " ")
		if new[name] != "" && new[name] != old[name] {
			out = append(out, name+" "+new[name])
			old[name] = new[name]
		}
	}
	return strings.Join(out, " ")
}

// TestUndone lets the disk part of an edit fail after the guard allowed it and
// the editor did its part: nothing of it is to be seen (C-137, C-171).
func TestUndone(t *testing.T) {
	// Steps come in this order: renames and deletions, then writes.
	ops := func() []workspace.Op {
		return []workspace.Op{
			replace("open.txt", 1, 1, "changed\n"),
			replace("a.txt", 1, 1, "changed\n"),
			{Kind: workspace.RenameFile, Path: "b.txt", NewPath: "to/b.txt"},
			{Kind: workspace.RenameFile, Path: "c.txt", NewPath: "d.txt", Overwrite: true},
			replace("d.txt", 2, 2, "changed\n"),
			{Kind: workspace.DeleteFile, Path: "e.txt"},
			{Kind: workspace.DeleteFile, Path: "dir", Recursive: true},
			replace("f.txt", 1, 1, "changed\n"),
			insert("new/deep/g.txt", "new\n"),
			insert("h.txt", "new\n"),
		}
	}
	must := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
	}
	tests := []struct {
		name    string
		meddle  func(t *testing.T, root string, ed *editor)
		failure string
	}{
		{"the file to write is a folder", func(t *testing.T, root string, _ *editor) {
			must(t, os.Mkdir(filepath.Join(root, "h.txt"), 0o755))
		}, "h.txt appeared on disk meanwhile; nothing was written"},
		{"the file to write is there", func(t *testing.T, root string, _ *editor) {
			write(t, root, "h.txt", "precious\n")
		}, "h.txt appeared on disk meanwhile; nothing was written"},
		{"the target of a rename is there", func(t *testing.T, root string, _ *editor) {
			write(t, root, "to/b.txt", "precious\n")
		}, "to/b.txt appeared on disk meanwhile; nothing was written"},
		{"the folder of a rename is a file", func(t *testing.T, root string, _ *editor) {
			write(t, root, "to", "precious\n")
		}, "to/b.txt: file exists"},
		{"the folder of a new file is taken away", func(t *testing.T, root string, _ *editor) {
			must(t, os.RemoveAll(filepath.Join(root, "new")))
		}, "new/deep/g.txt: no such file or directory"},
		{"what was staged is gone", func(t *testing.T, root string, _ *editor) {
			staged, err := filepath.Glob(filepath.Join(root, ".h.txt.*.acode-tmp"))
			if err != nil || len(staged) != 1 {
				t.Fatalf("staged: %v, %v", staged, err)
			}
			must(t, os.Remove(staged[0]))
		}, "h.txt: no such file or directory"},
		{"a file changed", func(t *testing.T, root string, _ *editor) {
			write(t, root, "f.txt", "precious\n")
		}, "f.txt changed on disk meanwhile; nothing was written"},
		{"a file to delete changed", func(t *testing.T, root string, _ *editor) {
			write(t, root, "e.txt", "precious\n")
		}, "e.txt changed on disk meanwhile; nothing was written"},
		{"a file to overwrite changed", func(t *testing.T, root string, _ *editor) {
			write(t, root, "d.txt", "precious\n")
		}, "d.txt changed on disk meanwhile; nothing was written"},
		{"a file is gone", func(t *testing.T, root string, _ *editor) {
			must(t, os.Remove(filepath.Join(root, "a.txt")))
		}, "a.txt: no such file or directory"},
		{"a file in a folder changed", func(t *testing.T, root string, _ *editor) {
			write(t, root, "dir/x.txt", "precious\n")
		}, "dir/x.txt changed on disk meanwhile; nothing was written"},
		{"a file is new in a folder", func(t *testing.T, root string, _ *editor) {
			write(t, root, "dir/sub/precious.txt", "precious\n")
		}, "other files are in dir meanwhile; nothing was written"},
		{"a file was opened", func(_ *testing.T, _ string, ed *editor) { ed.open("f.txt") },
			"f.txt was opened in the editor meanwhile; nothing was written"},
		{"a file in a folder was opened", func(_ *testing.T, _ string, ed *editor) { ed.open("dir/x.txt") },
			"dir/x.txt was opened in the editor meanwhile; nothing was written"},
		{"the target of a rename was opened", func(t *testing.T, root string, ed *editor) {
			must(t, ed.hub.DidOpen("to/b.txt", 1, "precious\n"))
		}, "to/b.txt was opened in the editor meanwhile; nothing was written"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			files := []string{"open.txt", "a.txt", "b.txt", "c.txt", "d.txt", "e.txt", "f.txt", "dir/x.txt", "dir/sub/y.txt"}
			for _, name := range files {
				write(t, root, name, name+"\nsecond line\n")
			}
			h := open(t, root, patient)
			ed := attach(t, h, "open.txt")
			for _, name := range files {
				look(t, h, "s", name, 1, 0)
			}
			ed.answer = func(ctx context.Context, ed *editor, e workspace.EditorEdit) error {
				test.meddle(t, root, ed)
				return honest(inOne)(ctx, ed, e)
			}
			// The tree as the meddling alone leaves it.
			meddled := t.TempDir()
			must(t, os.CopyFS(meddled, os.DirFS(root)))
			must(t, os.RemoveAll(filepath.Join(meddled, ".acode")))
			if test.name == "what was staged is gone" {
				write(t, meddled, ".h.txt.x.acode-tmp", "")
			}
			test.meddle(t, meddled, &editor{t: t, hub: open(t, meddled, patient), buffers: map[string]*buffer{}})

			want := test.failure + "; the edit of open.txt is in the editor all the same"
			if got := apply(t, h, ops()...); got != want {
				t.Errorf("Apply = %q, want %q", got, want)
			}
			if got, want := tree(t, root), tree(t, meddled); got != want {
				t.Errorf("the workspace is\n%s\nwant\n%s", got, want)
			}
			mustState(t, h, "s", "open.txt", "fully_read 1-2 of 2")
			for _, name := range []string{"b.txt", "c.txt", "dir/sub/y.txt"} {
				mustState(t, h, "s", name, "fully_read 1-2 of 2")
			}
			mustState(t, h, "s", "new/deep/g.txt", "never_read  of 0")
		})
	}
	t.Run("nothing", func(t *testing.T) {
		root := t.TempDir()
		for _, name := range []string{"open.txt", "a.txt", "b.txt", "c.txt", "d.txt", "e.txt", "f.txt", "dir/x.txt"} {
			write(t, root, name, name+"\nsecond line\n")
		}
		h := open(t, root, patient)
		attach(t, h, "open.txt")
		for _, name := range []string{"open.txt", "a.txt", "b.txt", "c.txt", "d.txt", "e.txt", "f.txt", "dir/x.txt"} {
			look(t, h, "s", name, 1, 0)
		}
		told := map[string]bool{}
		h.OnChange(func(_ string, names []string) {
			for _, name := range names {
				told[name] = true
			}
		})
		before := tree(t, root)
		if got := apply(t, h, ops()...); got != "" {
			t.Fatal(got)
		}
		want := `-b.txt -c.txt -dir/x.txt -e.txt a.txt "changed\nsecond line\n" d.txt "c.txt\nchanged\n" f.txt "changed\nsecond line\n" ` +
			`h.txt "new\n" new/deep/g.txt "new\n" to/b.txt "b.txt\nsecond line\n"`
		if got := difference(before, tree(t, root)); got != want {
			t.Errorf("changed: %s\nwant: %s", got, want)
		}
		leftovers(t, root)
		for _, name := range []string{"open.txt", "a.txt", "b.txt", "to/b.txt", "c.txt", "d.txt", "e.txt", "dir/x.txt", "f.txt", "new/deep/g.txt", "h.txt"} {
			if !told[name] {
				t.Errorf("nobody was told of %s", name)
			}
		}
	})
}

// TestChangedAndBack changes a file on disk and back while an edit of it waits
// for the editor: what the ledger gets is an edit of the text as it was judged.
func TestChangedAndBack(t *testing.T) { // C-171
	root := t.TempDir()
	write(t, root, "open.txt", numbered(10))
	write(t, root, "a.txt", numbered(10))
	h := open(t, root, patient)
	ed := attach(t, h, "open.txt")
	look(t, h, "s", "open.txt", 1, 5)
	look(t, h, "s", "a.txt", 1, 5)
	ed.answer = func(ctx context.Context, ed *editor, e workspace.EditorEdit) error {
		for _, content := range []string{"above\n" + numbered(10), numbered(10)} {
			write(t, root, "a.txt", content)
			if content != numbered(10) {
				ed.must(h.DiskChanged("a.txt"))
			}
		}
		return honest(inOne)(ctx, ed, e)
	}
	if failure := apply(t, h, twoEdits("open.txt"), twoEdits("a.txt")); failure != "" {
		t.Fatal(failure)
	}
	mustState(t, h, "s", "a.txt", "partial_read 1-5 of 10")
}

// TestIdentity: however a file is named, it is one file (C-150).
func TestIdentity(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	write(t, outside, "secret.txt", "secret\n")
	write(t, root, "dir/a.txt", numbered(10))
	write(t, root, "Dir.txt", "upper\n")
	write(t, root, "dir.txt", "lower\n")
	if err := os.Mkdir(filepath.Join(root, ".ACODE"), 0o755); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{
		"link.txt": "dir/a.txt", "linkdir": "dir", "chain.txt": "link.txt", "loop": "loop", "nothing": "gone.txt",
		"out.txt": filepath.Join(outside, "secret.txt"), "outdir": outside, "up": "..", "own": ".acode",
	} {
		if err := os.Symlink(to, filepath.Join(root, from)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(filepath.Join(root, "dir/a.txt"), filepath.Join(root, "hard.txt")); err != nil {
		t.Fatal(err)
	}
	via := filepath.Join(t.TempDir(), "root")
	if err := os.Symlink(root, via); err != nil {
		t.Fatal(err)
	}
	h := open(t, via, workspace.Options{})
	look(t, h, "s", "link.txt", 2, 5)
	for _, path := range []string{
		"dir/a.txt", "link.txt", "linkdir/a.txt", "chain.txt", "./dir//a.txt", "dir/../dir/a.txt", "linkdir/../dir/a.txt",
		filepath.Join(root, "dir/a.txt"), filepath.Join(via, "linkdir/a.txt"),
	} {
		if name, err := h.Name(path); err != nil || name != "dir/a.txt" {
			t.Errorf("Name(%q) = %q, %v", path, name, err)
		}
		mustState(t, h, "s", path, "partial_read 2-5 of 10")
	}
	for path, want := range map[string]string{"hard.txt": "hard.txt", "Dir.txt": "Dir.txt", "dir.txt": "dir.txt", "dir/new/x": "dir/new/x", "linkdir/new": "dir/new"} {
		if name, err := h.Name(path); err != nil || name != want {
			t.Errorf("Name(%q) = %q, %v, want %q", path, name, err, want)
		}
	}
	for _, path := range []string{
		"..", "../x", "/etc/passwd", outside, "out.txt", "outdir/secret.txt", "outdir/new.txt", "up", "up/x", "dir/../../x",
		"own/sessions/s.jsonl", ".acode", ".acode/sessions/s.jsonl", "dir/../.acode/x", ".ACODE", ".ACODE/sessions/s.jsonl",
	} {
		if name, err := h.Name(path); !errors.Is(err, workspace.ErrOutsideRoot) {
			t.Errorf("Name(%q) = %q, %v, want it outside the root", path, name, err)
		}
	}
	for _, path := range []string{"loop", "nothing", "a\x00b"} {
		if name, err := h.Name(path); err == nil {
			t.Errorf("Name(%q) = %q", path, name)
		}
	}
	if got := apply(t, h, replace("chain.txt", 2, 2, "two\n")); got != "" {
		t.Fatal(got)
	}
	if got := read(t, root, "dir/a.txt"); got != strings.Replace(numbered(10), "line 2\n", "two\n", 1) {
		t.Errorf("dir/a.txt = %q", got)
	}
	if to, err := os.Readlink(filepath.Join(root, "chain.txt")); err != nil || to != "link.txt" {
		t.Errorf("chain.txt leads to %q, %v", to, err)
	}
}

// TestLinkSwapped swaps a folder for a link out of the root and back while the
// hub reads and writes in it: nothing outside is ever shown or written (C-150).
func TestLinkSwapped(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	write(t, outside, "a.txt", "secret\n")
	write(t, root, "real/a.txt", "public\n")
	path := filepath.Join(root, "dir")
	stop := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			_ = os.Symlink([]string{outside, "real"}[i%2], path+"~")
			_ = os.Rename(path+"~", path)
		}
	}()
	h := open(t, root, workspace.Options{})
	shown := 0
	for range 500 {
		r, err := h.Read("s", "dir/a.txt", workspace.Selection{})
		if err == nil && r.Content == "public\n" {
			shown++
		} else if err == nil {
			t.Errorf("Read shows %q", r.Content)
		}
		_, _ = h.Apply(context.Background(), "s", "", []workspace.Op{insert("dir/new.txt", "new\n")})
	}
	close(stop)
	<-stopped
	if got := tree(t, outside); strings.Count(got, "\n") != 2 || read(t, outside, "a.txt") != "secret\n" {
		t.Errorf("outside the root is\n%s", got)
	}
	if shown == 0 {
		t.Log("the file was never seen inside the root")
	}
}

// TestRead: what is shown is what is credited (C-133, C-163, C-172, C-183,
// C-184).
func TestRead(t *testing.T) {
	root := t.TempDir()
	long := strings.Repeat("é", 1500)
	write(t, root, "a.txt", numbered(1000))
	write(t, root, "long.txt", "start\n"+long+"\nend\n")
	write(t, root, "huge.txt", strings.Repeat("x", 9000))
	write(t, root, "empty.txt", "")
	write(t, root, "odd.txt", "one\n\xff\nthree\n")
	lines := func(a, b int) workspace.Selection {
		return workspace.Selection{Lines: awareness.Range{Start: a, End: b}}
	}
	for _, test := range []struct {
		path    string
		sel     workspace.Selection
		state   string
		total   int
		cut     bool
		failure string
	}{
		{"a.txt", lines(10, 20), "partial_read 10-20 of 1000", 1000, false, ""},
		{"a.txt", lines(990, 0), "partial_read 990-1000 of 1000", 1000, false, ""},
		{"a.txt", lines(0, 5), "partial_read 1-5 of 1000", 1000, false, ""},
		{"a.txt", lines(995, 5000), "partial_read 995-1000 of 1000", 1000, false, ""},
		{"a.txt", lines(1001, 1001), "", 0, false, "line 1001 is past the end of a.txt, which has 1000 lines"},
		{"a.txt", lines(5, 4), "", 0, false, "lines 5-4 run backwards"},
		{"a.txt", lines(-1, 4), "", 0, false, "lines -1-4: lines count from 1"},
		{"long.txt", lines(2, 2), "partial_read 2 of 3", 3, false, ""},
		{"long.txt", lines(1, 2), "partial_read 1 of 3", 3, true, ""},
		{"huge.txt", lines(1, 1), "never_read  of 1", 1, true, ""},
		{"empty.txt", workspace.Selection{}, "fully_read  of 0", 0, false, ""},
		{"odd.txt", workspace.Selection{}, "partial_read 1, 3 of 3", 3, false, ""},
		{"long.txt", workspace.Selection{StartByte: 0, EndByte: 100_000}, "fully_read 1-3 of 3", 3, false, ""},
		{"long.txt", workspace.Selection{StartByte: 7, EndByte: 3000}, "partial_read  of 3", 3, false, ""},
		{"huge.txt", workspace.Selection{EndByte: 8000}, "", 1, false, "bytes 0-8000 hold 8000 characters, over the limit of 4000; ask for fewer"},
		{"odd.txt", workspace.Selection{StartByte: 4, EndByte: 5}, "never_read  of 3", 3, false, ""},
		{"odd.txt", workspace.Selection{StartByte: 3, EndByte: 2}, "", 3, false, "bytes 3-2 lie outside the 12 bytes of odd.txt"},
		{"odd.txt", workspace.Selection{StartByte: 12, EndByte: 13}, "", 3, false, "bytes 12-13 lie outside the 12 bytes of odd.txt"},
	} {
		h := open(t, t.TempDir(), workspace.Options{Config: readLimit(1000)})
		if err := os.CopyFS(h.Root(), os.DirFS(root)); err != nil {
			t.Fatal(err)
		}
		r, err := h.Read("s", test.path, test.sel)
		if fmt.Sprint(err) != test.failure && !(err == nil && test.failure == "") {
			t.Errorf("Read(%s, %v): %v, want %q", test.path, test.sel, err, test.failure)
		}
		if err != nil {
			continue
		}
		if r.Total != test.total || r.WasTruncated != test.cut || r.Bytes != awareness.Sum(read(t, root, test.path)) {
			t.Errorf("Read(%s, %v) has %d lines, cut %v, want %d, %v", test.path, test.sel, r.Total, r.WasTruncated, test.total, test.cut)
		}
		mustState(t, h, "s", test.path, test.state)
	}
}

func TestObserve(t *testing.T) { // C-134
	root := t.TempDir()
	write(t, root, "a.txt", numbered(10))
	write(t, root, "odd.txt", "one\n\xff\nthree\n")
	h := open(t, root, workspace.Options{})
	sum := func(s string) *awareness.Hash { h := awareness.Sum(s); return &h }
	for _, test := range []struct {
		path  string
		lines []awareness.Range
		sum   *awareness.Hash
		err   bool
		state string
	}{
		{"a.txt", nil, nil, false, "never_read  of 10"},
		{"a.txt", []awareness.Range{{Start: 1, End: 0}, {Start: 7, End: 6}}, nil, false, "never_read  of 10"},
		{"a.txt", []awareness.Range{{Start: 2, End: 3}, {Start: 12, End: 13}}, nil, true, "never_read  of 10"},
		{"a.txt", []awareness.Range{{Start: 2, End: 3}}, sum("other"), true, "never_read  of 10"},
		{"a.txt", []awareness.Range{{Start: 2, End: 3}, {Start: 9, End: 9}}, sum(numbered(10)), false, "partial_read 2-3, 9 of 10"},
		{"a.txt", []awareness.Range{{}}, nil, false, "fully_read 1-10 of 10"},
		{"odd.txt", []awareness.Range{{}}, nil, false, "partial_read 1, 3 of 3"},
	} {
		_, err := h.Observe("s", test.path, test.lines, test.sum)
		if (err != nil) != test.err {
			t.Errorf("Observe(%s, %v): %v", test.path, test.lines, err)
		}
		mustState(t, h, "s", test.path, test.state)
	}
}

// TestExpand: a refusal hands out all the lines that are missing, or none
// (C-131, C-132).
func TestExpand(t *testing.T) {
	for _, test := range []struct {
		opts workspace.Options
		line string // each of 100
		last int    // of the lines to edit, from line 1 on
		want bool
	}{
		{workspace.Options{}, "short\n", 40, true},
		{workspace.Options{}, "short\n", 41, false},
		{workspace.Options{NoAutoExpand: true}, "short\n", 3, false},
		{workspace.Options{Config: configured("tools: {awareness: {auto_expand_lines: 2}}")}, "short\n", 3, false},
		{workspace.Options{Config: readLimit(100)}, "0123456789\n", 18, true},
		{workspace.Options{Config: readLimit(100)}, "0123456789\n", 19, false},
		{workspace.Options{}, "\xff\n", 3, false},
	} {
		root := t.TempDir()
		write(t, root, "a.txt", strings.Repeat(test.line, 100)+strings.Repeat("plain\n", 1000))
		h := open(t, root, test.opts)
		look(t, h, "s", "a.txt", 200, 200)
		op := replace("a.txt", 1, test.last, "new\n")
		v, err := h.Check("s", []workspace.Op{op})
		if err != nil || v.Allowed() {
			t.Fatalf("Check = %+v, %v", v, err)
		}
		if (len(v.Expanded) > 0) != test.want {
			t.Errorf("%d lines of %q with %+v: expanded %v, want %v", test.last, test.line, test.opts, v.Expanded, test.want)
		}
		if v, err = h.Check("s", []workspace.Op{op}); err != nil || v.Allowed() != test.want {
			t.Errorf("the retry is allowed: %v (%v), want %v", v.Allowed(), err, test.want)
		}
	}
}

func TestRounds(t *testing.T) { // C-129
	root := t.TempDir()
	write(t, root, "a.txt", numbered(10))
	h := open(t, root, workspace.Options{})
	warning := func() string {
		t.Helper()
		v, err := h.Check("s", []workspace.Op{replace("a.txt", 1, 1, "x\n")})
		if err != nil || len(v.Warnings) != 1 {
			t.Fatalf("Check = %+v, %v", v, err)
		}
		return v.Warnings[0].Message
	}
	look(t, h, "s", "a.txt", 1, 5)
	write(t, root, "a.txt", strings.Replace(numbered(10), "line 2\n", "two\n", 1))
	for _, n := range []string{"1 round", "1 round", "2 rounds"} {
		if got, want := warning(), "You last saw this file "+n+" ago; it may have changed."; got != want {
			t.Errorf("warning = %q, want %q", got, want)
		}
	}
	if err := h.Round("s"); err != nil {
		t.Fatal(err)
	}
	for range 2 { // from now on only what is announced counts
		if got, want := warning(), "You last saw this file 4 rounds ago; it may have changed."; got != want {
			t.Errorf("warning = %q, want %q", got, want)
		}
	}
	sameAsReopened(t, h, "s")
}

// TestInvalidRange: a refused operation names what is wrong with it.
func TestInvalidEdit(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", numbered(3))
	h := open(t, root, workspace.Options{})
	look(t, h, "s", "a.txt", 1, 3)
	for _, test := range []struct {
		edits []awareness.Edit
		want  string
	}{
		{[]awareness.Edit{{Start: 5, End: 4}}, "blocked: Edit runs backwards, from byte 5 to 4."},
		{[]awareness.Edit{{Start: 0, End: 400}}, "blocked: Edit of bytes 0-400 lies outside the 21 bytes of the file."},
		{[]awareness.Edit{{Start: 0, End: 4}, {Start: 3, End: 5}}, "blocked: Edits overlap at line 1."},
	} {
		if got := apply(t, h, workspace.Op{Path: "a.txt", Edits: edits(test.edits...)}); got != test.want {
			t.Errorf("Apply(%v) = %q, want %q", test.edits, got, test.want)
		}
	}
}

// TestRenameForOthers: what other agents know moves with a renamed file too
// (C-136, C-193).
func TestRenameForOthers(t *testing.T) {
	rename := func(from, to string) workspace.Op {
		return workspace.Op{Kind: workspace.RenameFile, Path: from, NewPath: to, Overwrite: true}
	}
	for _, test := range []struct {
		ops  []workspace.Op
		want string
	}{
		{[]workspace.Op{rename("a.txt", "sub/c.txt")}, "b.txt: partial_read 2 of 10, 1 rounds\nsub/c.txt: partial_read 1 of 10, 1 rounds\n"},
		{[]workspace.Op{rename("a.txt", "t"), rename("b.txt", "a.txt"), rename("t", "b.txt")},
			"a.txt: partial_read 2 of 10, 1 rounds\nb.txt: partial_read 1 of 10, 1 rounds\n"},
		{[]workspace.Op{rename("a.txt", "b.txt")}, "b.txt: partial_read 1 of 10, 1 rounds\n"},
		{[]workspace.Op{rename("a.txt", "c.txt"), replace("c.txt", 1, 1, "new\n")},
			"b.txt: partial_read 2 of 10, 1 rounds\nc.txt: partial_read 1 of 10 changed 1 stale, 1 rounds\n"},
	} {
		root := t.TempDir()
		write(t, root, "a.txt", numbered(10))
		write(t, root, "b.txt", numbered(10))
		h := open(t, root, workspace.Options{})
		look(t, h, "s", "a.txt", 1, 0)
		look(t, h, "s", "b.txt", 1, 0)
		look(t, h, "other", "a.txt", 1, 1)
		look(t, h, "other", "b.txt", 2, 2)
		if failure := apply(t, h, test.ops...); failure != "" {
			t.Fatal(failure)
		}
		if got := all(t, h, "other"); got != test.want {
			t.Errorf("another session knows\n%s\nwant\n%s", got, test.want)
		}
		sameAsReopened(t, h, "s", "other")
	}
}
