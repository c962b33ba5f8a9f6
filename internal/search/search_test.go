package search_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/search"
)

// tree is what most tests search.
var tree = map[string]string{
	"a.go":               "package a\n\nfunc A() {}\n// foo\n",
	"b/b.go":             "foo\r\nbar foo\r\nlast foo",
	"b/c.txt":            "1\n2\nFOO\n4\n5\nfoo\n7\n8\n9\nfoo\n",
	"b/cr":               "one\rfoo two\rthree",
	"b/empty":            "",
	"b/-x":               "foo flag\n",
	"binary":             "foo\n\x00",
	".hidden/x":          "foo hidden\n",
	".gitignore":         "ignored\n",
	"ignored/x":          "foo ignored\n",
	".git/x":             "foo git\n",
	".acode/sessions/x":  "foo own\n",
	"invalid":            "foo \xff bar\n\xffoo\n",
	"umlaut/ä":           "Ä foo\nÖFFENTLICH öffentlich\n",
	"long":               strings.Repeat("x", 1<<20) + "needle\n",
	"b/many":             strings.Repeat("match\n", 100),
	"sub/.gitignore":     "*.log\n!keep.log\n",
	"sub/x.log":          "kept out\n",
	"sub/keep.log":       "kept in\n",
	"new\nline":          "newline\n",
	"many/deep/ly/d.go":  "deep\n",
	"many/deep/ly/d.md":  "deep\n",
	"many/other/ly/d.go": "deep\n",
}

func newTree(t *testing.T) *os.Root {
	t.Helper()
	dir := t.TempDir()
	for name, content := range tree {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), content)
	}
	outside := filepath.Join(t.TempDir(), "secret")
	writeFile(t, outside, "foo outside\n")
	for name, target := range map[string]string{"link": "a.go", "links": "b", "out": outside, "outs": filepath.Dir(outside)} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return openRoot(t, dir)
}

func TestSearch(t *testing.T) {
	root := newTree(t)
	for _, test := range []struct {
		name  string
		query search.Query
		want  string
	}{
		{"all", search.Query{Pattern: "foo"}, `a.go:4:// foo|b/-x:1:foo flag|b/b.go:1:foo|b/b.go:2:bar foo|b/b.go:3:last foo|b/c.txt:6:foo|b/c.txt:10:foo|b/cr:2:foo two|invalid:1:foo ` + "\xff" + ` bar|umlaut/ä:1:Ä foo`},
		{"file", search.Query{Pattern: "foo", Path: "b/b.go"}, "b/b.go:1:foo|b/b.go:2:bar foo|b/b.go:3:last foo"},
		{"folder", search.Query{Pattern: "foo$", Path: "./b/", Max: 3}, "b/b.go:1:foo|b/b.go:2:bar foo|b/b.go:3:last foo|more"},
		{"anchors", search.Query{Pattern: "^foo$"}, "b/b.go:1:foo|b/c.txt:6:foo|b/c.txt:10:foo"},
		{"text anchors", search.Query{Pattern: `\Afoo\z`, Path: "b/c.txt"}, "b/c.txt:6:foo|b/c.txt:10:foo"},
		{"ignoring case", search.Query{Pattern: "foo", Path: "b/c.txt", IgnoreCase: true}, "b/c.txt:3:FOO|b/c.txt:6:foo|b/c.txt:10:foo"},
		{"ignoring case beyond ASCII", search.Query{Pattern: "^öffentlich", IgnoreCase: true}, "umlaut/ä:2:ÖFFENTLICH öffentlich"},
		{"own flag", search.Query{Pattern: "(?i)fo{2}", Path: "b/c.txt", Max: 1}, "b/c.txt:3:FOO|more"},
		{"alternatives", search.Query{Pattern: "1|9", Path: "b/c.txt"}, "b/c.txt:1:1|b/c.txt:9:9"},
		{"optional literal", search.Query{Pattern: "(foo)*2|f(oo)?x|(?:one){0,1}three", Path: "b"}, "b/c.txt:2:2|b/cr:3:three"},
		{"repeated literal", search.Query{Pattern: "(?:match){1,2}", Path: "b/many", Max: 1}, "b/many:1:match|more"},
		{"literal on more than a line", search.Query{Pattern: "o.*foo", Path: "b/cr"}, ""},
		{"invalid UTF-8", search.Query{Pattern: "^\ufffdoo"}, "invalid:2:\xffoo"},
		{"any byte", search.Query{Pattern: `foo . bar`}, "invalid:1:foo \xff bar"},
		{"a flag as pattern", search.Query{Pattern: "--help|-x"}, ""},
		{"a flag as path", search.Query{Pattern: "foo", Path: "b/-x"}, "b/-x:1:foo flag"},
		{"ignored", search.Query{Pattern: "kept"}, "sub/keep.log:1:kept in"},
		{"ignored but named", search.Query{Pattern: "foo", Path: "ignored/x"}, "ignored/x:1:foo ignored"},
		{"ignored folder, named", search.Query{Pattern: "foo", Path: "ignored"}, "ignored/x:1:foo ignored"},
		{"hidden folder, named", search.Query{Pattern: "foo", Path: ".hidden"}, ".hidden/x:1:foo hidden"},
		{"binary, named", search.Query{Pattern: "foo", Path: "binary"}, ""},
		{"link, named", search.Query{Pattern: "foo", Path: "link"}, "link:4:// foo"},
		{"name with a line end", search.Query{Pattern: "newline"}, `"new\nline":1:newline`},
		{"context", search.Query{Pattern: "(?i)foo", Path: "b/c.txt", Context: 1}, "b/c.txt-2-2|b/c.txt:3:FOO|b/c.txt-4-4|b/c.txt-5-5|b/c.txt:6:foo|b/c.txt-7-7|--|b/c.txt-9-9|b/c.txt:10:foo"},
		{"context of several files", search.Query{Pattern: "^// foo|foo flag", Context: 9}, "a.go-1-package a|a.go-2-|a.go-3-func A() {}|a.go:4:// foo|--|b/-x:1:foo flag"},
		{"context beyond the limit", search.Query{Pattern: "foo", Path: "b/c.txt", Context: 2, Max: 1}, "b/c.txt-4-4|b/c.txt-5-5|b/c.txt:6:foo|b/c.txt-7-7|b/c.txt-8-8|more"},
		{"context ends before a match beyond the limit", search.Query{Pattern: "foo", Path: "b/b.go", Context: 2, Max: 1}, "b/b.go:1:foo|more"},
		{"limit not reached", search.Query{Pattern: "foo", Path: "b/c.txt", Max: 2}, "b/c.txt:6:foo|b/c.txt:10:foo"},
		{"limit at the end of a file", search.Query{Pattern: "foo", Path: "b", Max: 1}, "b/-x:1:foo flag|more"},
		{"glob", search.Query{Pattern: "deep", Glob: "*.md"}, "many/deep/ly/d.md:1:deep"},
		{"glob of a path", search.Query{Pattern: "deep", Glob: "many/**/*.go"}, "many/deep/ly/d.go:1:deep|many/other/ly/d.go:1:deep"},
		{"glob of a folder", search.Query{Pattern: "deep", Glob: "deep/"}, "many/deep/ly/d.go:1:deep|many/deep/ly/d.md:1:deep"},
		{"glob with braces", search.Query{Pattern: "deep", Glob: "many/{deep,other}/**/*.{go,txt}"}, "many/deep/ly/d.go:1:deep|many/other/ly/d.go:1:deep"},
		{"braces in braces", search.Query{Pattern: "deep", Glob: "*.{x,{m,g}{d,o}}"}, "many/deep/ly/d.go:1:deep|many/deep/ly/d.md:1:deep|many/other/ly/d.go:1:deep"},
		{"excluding glob", search.Query{Pattern: "deep", Glob: "!*.{go,txt}"}, "many/deep/ly/d.md:1:deep"},
		{"excluded folder", search.Query{Pattern: "deep", Glob: "!/many/deep"}, "many/other/ly/d.go:1:deep"},
		{"glob without braces to expand", search.Query{Pattern: "deep", Glob: `{d}.go`}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			result, err := search.Search(t.Context(), root, test.query)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, show(result)); diff != "" {
				t.Errorf("Search(%+v) (-want +got):\n%s", test.query, diff)
			}
		})
	}
}

func show(r search.Result) string {
	var lines []string
	matches := 0
	for _, line := range search.Render(r) {
		lines = append(lines, line.Text)
		if line.Hit != nil && line.Hit.IsMatch {
			matches++
		}
	}
	if matches != r.Matches {
		lines = append(lines, fmt.Sprintf("%d matches, not %d", matches, r.Matches))
	}
	if r.More {
		lines = append(lines, "more")
	}
	return strings.Join(lines, "|")
}

func TestLongLine(t *testing.T) {
	result, err := search.Search(t.Context(), newTree(t), search.Query{Pattern: "needle$"})
	if err != nil || len(result.Hits) != 1 || len(result.Hits[0].Text) != 1<<20+6 {
		t.Errorf("Search = %d hits, %v; want the whole line", len(result.Hits), err)
	}
}

func TestTooLarge(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "large"), "needle\n")
	writeFile(t, filepath.Join(dir, "small"), "needle\n")
	if err := os.Truncate(filepath.Join(dir, "large"), 1<<40); err != nil {
		t.Fatal(err)
	}
	result, err := search.Search(t.Context(), openRoot(t, dir), search.Query{Pattern: "needle"})
	if err != nil {
		t.Fatal(err)
	}
	want := search.Result{Hits: []search.Hit{{Path: "small", Line: 1, Text: "needle", IsMatch: true}}, Matches: 1, Skipped: []string{"large"}}
	if diff := cmp.Diff(want, result); diff != "" {
		t.Errorf("Search (-want +got):\n%s", diff)
	}
}

func TestSearchErrors(t *testing.T) {
	root := newTree(t)
	for _, test := range []struct {
		name  string
		query search.Query
		want  string
	}{
		{"group not closed", search.Query{Pattern: "a("}, "missing closing )"},
		{"groups that close the flag's", search.Query{Pattern: "a)(b", IgnoreCase: true}, "unexpected )"},
		{"lookahead", search.Query{Pattern: "a(?=b)"}, "there is no lookaround"},
		{"lookbehind", search.Query{Pattern: "(?<!a)b"}, "there is no lookaround"},
		{"backreference", search.Query{Pattern: `(a)\1`}, "there are no backreferences"},
		{"unknown escape", search.Query{Pattern: `\y`}, `invalid escape sequence: \y`},
		{"backslash at the end", search.Query{Pattern: `a\`}, "trailing backslash"},
		{"too many repetitions", search.Query{Pattern: "a{1001}"}, "invalid repeat count"},
		{"invalid UTF-8", search.Query{Pattern: "\xff"}, "invalid UTF-8"},
		{"several lines", search.Query{Pattern: `a\nb`}, "searched one by one"},
		{"CRLF", search.Query{Pattern: "(?:a|b\r\n)"}, "searched one by one"},
		{"bracket of a glob", search.Query{Glob: "[a"}, "a bracket is not closed"},
		{"empty glob", search.Query{Glob: "!"}, "it is empty"},
		{"backslash at the end of a glob", search.Query{Glob: `a*\`}, "ends in a backslash"},
		{"braces", search.Query{Glob: strings.Repeat("{a,b}", 20)}, "more than 256 globs"},
		{"no such path", search.Query{Path: "nowhere"}, "no such file"},
		{"outside", search.Query{Path: "../x"}, "not in the folder"},
		{"absolute", search.Query{Path: "/etc/passwd"}, "not in the folder"},
		{"link to the outside", search.Query{Path: "out"}, "escapes"},
		{"link to a folder outside", search.Query{Path: "outs/secret"}, "escapes"},
		{"git's own", search.Query{Path: ".git/x"}, "not for reading"},
		{"acode's own", search.Query{Path: "b/../.acode"}, "not for reading"},
		{"negative limit", search.Query{Max: -1}, "must not be negative"},
	} {
		t.Run(test.name, func(t *testing.T) {
			result, err := search.Search(t.Context(), root, test.query)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Search(%+v) = %v, %v; want an error with %q", test.query, result, err, test.want)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := search.Search(ctx, root, search.Query{Pattern: "foo"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Search after the end of the context: %v", err)
	}
}

func TestList(t *testing.T) {
	root := newTree(t)
	for _, test := range []struct {
		dir   string
		depth int
		want  string
	}{
		{"", 1, ".gitignore .hidden/ a.go=30 b/ binary=5 invalid=14 link@ links@ long=1048583 many/ new\nline=8 out@ outs@ sub/ umlaut/"},
		{"many", 0, "many/deep/ many/deep/ly/ many/deep/ly/d.go=5 many/deep/ly/d.md=5 many/other/ many/other/ly/ many/other/ly/d.go=5"},
		{"./many/", 2, "many/deep/ many/deep/ly/ many/other/ many/other/ly/"},
		{"sub", 1, "sub/.gitignore=16 sub/keep.log=8"},
		{"ignored", 1, "ignored/x=12"},
		{"links", 1, "links/-x=9 links/b.go=22 links/c.txt=26 links/cr=17 links/empty=0 links/many=600"},
	} {
		var got []string
		for entry, err := range search.List(t.Context(), root, test.dir, test.depth) {
			if err != nil {
				t.Fatal(err)
			}
			switch entry.Kind {
			case search.Dir:
				got = append(got, entry.Path+"/")
			case search.Link:
				got = append(got, entry.Path+"@")
			default:
				got = append(got, fmt.Sprintf("%s=%d", entry.Path, entry.Size))
			}
		}
		got = strings.Split(strings.ReplaceAll(strings.Join(got, " "), ".gitignore=8", ".gitignore"), " ")
		if diff := cmp.Diff(strings.Split(test.want, " "), got); diff != "" {
			t.Errorf("List(%q, %d) (-want +got):\n%s", test.dir, test.depth, diff)
		}
	}
	for _, dir := range []string{"nowhere", "a.go", "..", "outs", "/", ".git", "b/.acode"} {
		var last error
		for _, last = range search.List(t.Context(), root, dir, 0) {
		}
		if last == nil || !strings.Contains(last.Error(), fmt.Sprintf("listing %q", dir)) {
			t.Errorf("List(%q) ends in %v, want an error that names it", dir, last)
		}
	}
}

// A pipe must make neither wait.
func TestPipes(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"pipe", ".gitignore"} {
		if output, err := exec.Command("mkfifo", filepath.Join(dir, name)).CombinedOutput(); err != nil {
			t.Fatalf("mkfifo: %v: %s", err, output)
		}
	}
	root := openRoot(t, dir)
	for entry, err := range search.List(t.Context(), root, "", 0) {
		t.Errorf("List has %v, %v", entry, err)
	}
	if result, err := search.Search(t.Context(), root, search.Query{Pattern: "x"}); err != nil || len(result.Hits) > 0 {
		t.Errorf("Search = %v, %v", result, err)
	}
	if _, err := search.Search(t.Context(), root, search.Query{Pattern: "x", Path: "pipe"}); err == nil {
		t.Error("Search in a pipe gives no error")
	}
}

// The user's own rules count, wherever git has them from.
func TestExcludesFile(t *testing.T) {
	dir, home := repository(t), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	for _, name := range []string{"a.mine", "a.own", "a.txt"} {
		writeFile(t, filepath.Join(dir, name), "")
	}
	writeFile(t, filepath.Join(home, ".config", "git", "ignore"), "*.mine\n")
	compareWithGit(t, dir, ".")
	writeFile(t, filepath.Join(home, "rules"), "*.own\n")
	writeFile(t, filepath.Join(home, ".gitconfig"), "[core]\n\texcludesFile = ~/rules\n")
	compareWithGit(t, dir, ".")
	tree := filepath.Join(t.TempDir(), "tree")
	for _, args := range [][]string{
		{"-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-q", "--allow-empty", "-m", "x"},
		{"worktree", "add", "-q", tree},
	} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if output, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v: %s", args, err, output)
		}
	}
	writeFile(t, filepath.Join(dir, ".git", "info", "exclude"), "*.txt\n")
	writeFile(t, filepath.Join(tree, "a.txt"), "")
	writeFile(t, filepath.Join(tree, "a.mine"), "")
	compareWithGit(t, tree, ".")
}
