package shell_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/shell"
)

// sources are the files that commands print, by name.
var sources = map[string]string{
	"a.go":     "package a\n\nfunc A() {\n}\n\nfunc B() {\n}\n",
	"sub/b.go": "package b\nvar x = 1",
	"c.txt":    "one\r\ntwo\r\nthree\r\n",
	"d.txt":    "a\rb\nc\n",
	"empty":    "",
	"sp ace":   "spaced\n",
	"it's-1-x": "package b\nvar x = 1\n",
	"else.c":   "if {\n} else {\n}\n",
	"[a].go":   "package a\n",
}

// write puts files into a new folder.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// piece is a shell.Piece with a path relative to the folder.
type piece struct {
	Path string
	Line int
	Text string
}

func relative(t *testing.T, dir string, pieces []shell.Piece) []piece {
	t.Helper()
	var out []piece
	for _, p := range pieces {
		path, err := filepath.Rel(dir, p.Path)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, piece{filepath.ToSlash(path), p.StartLine, p.Text})
	}
	return out
}

func TestShown(t *testing.T) {
	whole := piece{"a.go", 1, sources["a.go"]}
	for _, test := range []struct {
		name, command, output string
		want                  []piece
	}{
		{"whole", "cat a.go", sources["a.go"], []piece{whole}},
		{"no final line end", "cat sub/b.go", "package b\nvar x = 1", []piece{{"sub/b.go", 1, "package b\nvar x = 1\n"}}},
		{"CRLF that the agent turned into LF", "cat c.txt", "one\ntwo\nthree\n", []piece{{"c.txt", 1, "one\r\ntwo\r\nthree\r\n"}}},
		{"a lone CR ends a line", "sed -n 2p d.txt", "c\n", []piece{{"d.txt", 3, "c\n"}}},
		{"empty", "cat empty", "", nil},
		{"cut off", "cat a.go", "package a\n\nfunc A", []piece{{"a.go", 1, "package a\n\n"}}},
		{"cut off at what is the last line too", "cat a.go", "package a\n\nfunc A() {\n}", []piece{{"a.go", 1, "package a\n\nfunc A() {\n}\n"}}},
		{"cut off inside a line, like the last", "cat else.c", "if {\n}", []piece{{"else.c", 1, "if {\n"}}},
		{"the middle left out", "cat a.go", "package a\n\n... [2 lines]\n\nfunc B() {\n}\n",
			[]piece{{"a.go", 1, "package a\n\n"}, {"a.go", 5, "\nfunc B() {\n}\n"}}},
		{"a masked line", "cat a.go", "package a\n\nfunc [REDACTED: key] {\n}\n\nfunc B() {\n}\n",
			[]piece{{"a.go", 1, "package a\n\n"}, {"a.go", 4, "}\n\nfunc B() {\n}\n"}}},
		{"masked lines", "cat a.go", "package a\n\nfunc [REDACTED: key] {\n}\n\nfunc [REDACTED: key] {\n}\n",
			[]piece{{"a.go", 1, "package a\n\n"}, {"a.go", 4, "}\n\n"}, {"a.go", 7, "}\n"}}},
		{"other text", "cat a.go", "package z\nimport q\n", nil},
		{"range", "sed -n '3,4p' a.go", "func A() {\n}\n", []piece{{"a.go", 3, "func A() {\n}\n"}}},
		{"range that ends before it starts", "sed -n '4,2p' a.go", "}\n", []piece{{"a.go", 4, "}\n"}}},
		{"a last line twice", "sed -n '$p;$p' sub/b.go", "var x = 1\nvar x = 1", []piece{{"sub/b.go", 2, "var x = 1\n"}, {"sub/b.go", 2, "var x = 1\n"}}},
		{"from a line on", "tail -n +6 a.go", "func B() {\n}\n", []piece{{"a.go", 6, "func B() {\n}\n"}}},
		{"input that is not known", "head -n 1; cat a.go", "package a\n", nil},
		{"two files", "head -1 a.go sub/b.go", "==> a.go <==\npackage a\n\n==> sub/b.go <==\npackage b\n",
			[]piece{{"a.go", 1, "package a\n"}, {"sub/b.go", 1, "package b\n"}}},
		{"joined lines are neither's", "cat sub/b.go a.go", "package b\nvar x = 1package a\n\nfunc A() {\n}\n\nfunc B() {\n}\n",
			[]piece{{"sub/b.go", 1, "package b\n"}, {"a.go", 2, "\nfunc A() {\n}\n\nfunc B() {\n}\n"}}},
		{"cd", "cd sub && cat b.go", "package b\nvar x = 1", []piece{{"sub/b.go", 1, "package b\nvar x = 1\n"}}},
		{"numbers", "cat -n a.go | sed -n '3,4p'", "     3\tfunc A() {\n     4\t}\n", []piece{{"a.go", 3, "func A() {\n}\n"}}},
		{"nl", "nl -ba a.go | tail -n 1", "     7\t}\n", []piece{{"a.go", 7, "}\n"}}},
		{"quotes", `cat 'sp ace' "it's-1-x"`, "spaced\npackage b\nvar x = 1\n",
			[]piece{{"sp ace", 1, "spaced\n"}, {"it's-1-x", 1, "package b\nvar x = 1\n"}}},
		{"marks between", "head -1 a.go; echo ---; head -1 sub/b.go", "package a\n---\npackage b\n",
			[]piece{{"a.go", 1, "package a\n"}, {"sub/b.go", 1, "package b\n"}}},
		{"before a program", "head -1 a.go; make", "package a\nfunc A() {\n", []piece{{"a.go", 1, "package a\n"}}},
		{"after a program", "make; head -1 a.go", "func A() {\npackage a\n", []piece{{"a.go", 1, "package a\n"}}},
		{"after a program that may fail", "make && head -1 a.go; true", "package a\n", nil},
		{"after a program that succeeded", "make && head -1 a.go", "package a\n", []piece{{"a.go", 1, "package a\n"}}},
		{"or", "cat empty || cat a.go", sources["a.go"], nil},
		{"or not", "head -1 a.go || make; head -1 sub/b.go", "package a\npackage b\n",
			[]piece{{"a.go", 1, "package a\n"}, {"sub/b.go", 1, "package b\n"}}},
		{"errors left out", "cat a.go 2>/dev/null", sources["a.go"], []piece{whole}},
		{"missing file", "cat nowhere a.go", sources["a.go"], nil},

		{"search", "grep -n func a.go", "3:func A() {\n6:func B() {\n",
			[]piece{{"a.go", 3, "func A() {\n"}, {"a.go", 6, "func B() {\n"}}},
		{"search with context", "grep -n -A1 A a.go", "3:func A() {\n4-}\n", []piece{{"a.go", 3, "func A() {\n}\n"}}},
		{"searches", "grep -n B a.go; echo ---; grep -n b sub/b.go", "6:func B() {\n---\n1:package b\n",
			[]piece{{"a.go", 6, "func B() {\n"}, {"sub/b.go", 1, "package b\n"}}},
		{"searches that may both have found it", "grep -n x sub/b.go; grep -n x \"it's-1-x\"", "2:var x = 1\n2:var x = 1\n", nil},
		{"search in a folder", "grep -rn x . | head -20", "./sub/b.go:2:var x = 1\n./it's-1-x:2:var x = 1\n",
			[]piece{{"sub/b.go", 2, "var x = 1\n"}, {"it's-1-x", 2, "var x = 1\n"}}},
		{"context of a path with separators", "rg -n -B1 x", "it's-1-x-1-package b\nit's-1-x:2:var x = 1\n",
			[]piece{{"it's-1-x", 1, "package b\nvar x = 1\n"}}},
		{"search of a glob", "grep -n func *.go", "a.go:3:func A() {\nb.go:3:func A() {\n", []piece{{"a.go", 3, "func A() {\n"}}},
		{"search of names in braces", "rg -n x sub/{a,b}.go \"it's-1-x\"", "sub/b.go:2:var x = 1\n", []piece{{"sub/b.go", 2, "var x = 1\n"}}},
		{"search of a glob that is one file", "grep -n package [a].go", "1:package a\n", nil},
		{"search of a variable", "grep -n func $F a.go", "a.go:3:func A() {\n", nil},
		{"what a glob is piped into", "grep -n func *.go | grep -v *.go", "a.go:3:func A() {\n", nil},
		{"search without numbers", "grep func a.go", "func A() {\nfunc B() {\n", nil},
		{"search without numbers that seems to have them", "grep func a.go", "3:func A() {\n", nil},
		{"an option that is not known", "grep -nZ func a.go", "3:func A() {\n", nil},
		{"a long option that is not known", "grep -n --frob func a.go", "3:func A() {\n", nil},
		{"search for parts", "grep -no func a.go", "3:func\n", nil},
		{"a number that is not one", "grep -n func a.go", "99999999999999999999:func A() {\n0:x\n8:}\n", nil},
		{"search in input", "sed -n '3,$p' a.go | grep -n B", "4:func B() {\n", []piece{{"a.go", 6, "func B() {\n"}}},

		{"variable", "cat $F", sources["a.go"], nil},
		{"glob", "cat [a].go", "package a\n", nil},
		{"substitution", "cat a.go $(true)", sources["a.go"], nil},
		{"compound", "if true; then cat a.go; fi", sources["a.go"], nil},
		{"shell state", "source x; cat a.go", sources["a.go"], nil},
		{"background", "cat a.go &", sources["a.go"], nil},
		{"here document", "cat <<X\na.go\nX", "a.go\n", nil},
		{"to a file", "cat a.go > out", sources["a.go"], nil},
		{"part of it", "cat a.go | cut -c1-3", "pac\n", nil},
		{"unclosed", "cat 'a.go", sources["a.go"], nil},
		{"unclosed double quote", `head -1 a.go; echo "x`, "package a\n", nil},
		{"nothing behind and", "cat a.go &&", sources["a.go"], nil},
		{"nothing behind an operator", "cat a.go |", sources["a.go"], nil},
		{"bytes", "head -c 20 a.go", "package a\n", nil},
		{"a folder", "cat sub", "", nil},
		{"requests of a forge", "gh pr view 12", "+++ b/a.go\n@@ -1 +1 @@\n package a\n", nil},
		{"a device", "cat /dev/zero", "x", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := write(t, sources)
			got := relative(t, dir, shell.Shown(dir, test.command, test.output))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("Shown(%q, %q) (-want +got):\n%s", test.command, test.output, diff)
			}
		})
	}
}

func TestDiff(t *testing.T) {
	dir := write(t, map[string]string{"sub/b.go": "one\ntwo\nthree\n", ".git/HEAD": ""})
	const head = "diff --git a/sub/b.go b/sub/b.go\nindex 1..2 100644\n--- a/sub/b.go\n+++ b/sub/b.go\n"
	for _, test := range []struct {
		name, output string
		want         []piece
	}{
		{"new side", head + "@@ -1,3 +1,3 @@ func\n one\n-2\n+two\n three\n", []piece{{"sub/b.go", 1, "one\ntwo\nthree\n"}}},
		{"an older version", head + "@@ -1,3 +1,3 @@\n one\n-2\n+deux\n three\n", nil},
		{"cut off", head + "@@ -1,3 +1,3 @@\n one\n-2\n+two\n", []piece{{"sub/b.go", 1, "one\ntwo\n"}}},
		{"behind the end", head + "@@ -9,3 +9,3 @@\n one\n", nil},
		{"deleted", "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n", nil},
		{"text that looks like a head", head + "@@ -1 +1,2 @@\n one\n+++ b/x\n@@ -2 +3 @@\n three\n", []piece{{"sub/b.go", 3, "three\n"}}},
		{"broken", head + "@@ -1,-3 +1,99999999999999999999 @@\n one\n", nil},
		{"no head", "@@ -1,3 +1,3 @@\n one\n", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			sub := filepath.Join(dir, "sub")
			for _, command := range []string{"git --no-pager diff HEAD", "git diff -- *.go", "gh pr diff 12"} {
				got := relative(t, dir, shell.Shown(sub, command, test.output))
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("Shown(%q, %q) (-want +got):\n%s", command, test.output, diff)
				}
			}
		})
	}
}

func TestHits(t *testing.T) {
	dir := write(t, sources)
	for _, test := range []struct {
		name, path, output string
		want               []piece
	}{
		{"in one file", "a.go", "3:func A() {\n4-}\n--\n6:func B() {", []piece{{"a.go", 3, "func A() {\n}\n"}, {"a.go", 6, "func B() {\n"}}},
		{"in many", "", "a.go:6:func B() {\nsub/b.go-1-package b", []piece{{"a.go", 6, "func B() {\n"}, {"sub/b.go", 1, "package b\n"}}},
		{"absolute", "", filepath.Join(dir, "a.go") + ":7:}", []piece{{"a.go", 7, "}\n"}}},
		{"names alone", "", "a.go\nsub/b.go", nil},
		{"two separators", "", "a.go:3-func A() {", nil},
		{"another line", "a.go", "4:func A() {", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, relative(t, dir, shell.Hits(dir, test.path, test.output))); diff != "" {
				t.Errorf("Hits(%q, %q) (-want +got):\n%s", test.path, test.output, diff)
			}
		})
	}
}
