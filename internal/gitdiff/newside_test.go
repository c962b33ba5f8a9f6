package gitdiff_test

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/gitdiff"
)

const twoHunks = `diff --git a/a.go b/a.go
index 1..2 100644
--- a/a.go
+++ b/a.go
@@ -1,3 +1,4 @@ func main() {
 one
-two
+TWO
+2.5
 three
@@ -10 +11,2 @@
 ten
+eleven
diff --git a/b.go b/b.go
--- a/b.go
+++ b/b.go
@@ -0,0 +1 @@
+only
`

func TestNewSide(t *testing.T) {
	header := func(rest string) string { return "diff --git a/x b/x\n" + rest }
	for _, test := range []struct{ name, diff, hidden, want string }{
		{"whole", twoHunks, "", "6 a.go:1 one|8 a.go:2 TWO|9 a.go:3 2.5|10 a.go:4 three|12 a.go:11 ten|13 a.go:12 eleven|18 b.go:1 only"},
		{"nothing", "", "", ""},
		{"without the first header", twoHunks, "1 2 3 4", "18 b.go:1 only"},
		{"without the path", twoHunks, "4", "18 b.go:1 only"},
		{"without a hunk header", twoHunks, "5", "18 b.go:1 only"},
		{"gap in a hunk", twoHunks, "7 8", "6 a.go:1 one|12 a.go:11 ten|13 a.go:12 eleven|18 b.go:1 only"},
		{"gap over a hunk header", twoHunks, "10 11", "6 a.go:1 one|8 a.go:2 TWO|9 a.go:3 2.5|18 b.go:1 only"},
		{"gap over a file", twoHunks, "8 9 10 11 12 13 14 15 16", "6 a.go:1 one"},
		{"gap that may reach the next file", "diff --git a/a b/a\n+++ b/a\n@@ -1,2 +1,2 @@\n one\n-two\n+two\n@@ -9 +9 @@\n nine\n", "5 6", "4 a:1 one"},
		{"end of a hunk hidden", twoHunks, "13", "6 a.go:1 one|8 a.go:2 TWO|9 a.go:3 2.5|10 a.go:4 three|12 a.go:11 ten|18 b.go:1 only"},
		{"CRLF", header("+++ b/x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n"), "", "5 x:1 b"},
		{"no line end", header("+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n@@ -9 +9 @@\n c"), "", "6 x:1 b|9 x:9 c"},
		{"lines like headers", header("+++ b/x\n@@ -1,3 +1,3 @@\n--- a/y\n+++ b/y\n @@ -5 +5 @@\n diff --git a/z b/z\n"), "", "5 x:1 ++ b/y|6 x:2 @@ -5 +5 @@|7 x:3 diff --git a/z b/z"},
		{"lines like headers after a gap", header("+++ b/x\n@@ -1,9 +1,9 @@\n a\n b\n+++ b/y\n-@@ -5 +5 @@\n"), "5", "4 x:1 a"},
		{"split by a lone CR", header("+++ b/x\n@@ -1,2 +1,2 @@\n a\nb\n c\n@@ -9 +9 @@\n d\n"), "", "4 x:1 a|8 x:9 d"},
		{"empty line where there is none", header("+++ b/x\n@@ -1,2 +1,2 @@\n\n c\n"), "", ""},
		{"path with a space", header("+++ b/x y\t\n@@ -1 +1 @@\n a\n"), "", "4 x y:1 a"},
		{"quoted path", header(`+++ "b/\303\244\t\"\\\a.go"` + "\n@@ -1 +1 @@\n a\n"), "", "4 ä\t\"\\\a.go:1 a"},
		{"badly quoted path", header(`+++ "b/\9.go"` + "\n@@ -1 +1 @@\n a\n"), "", ""},
		{"quote not closed", header(`+++ "b/a` + "\n@@ -1 +1 @@\n a\n"), "", ""},
		{"quoted path ends in a backslash", header(`+++ "b/a\` + "\n@@ -1 +1 @@\n a\n"), "", ""},
		{"deleted", header("deleted file mode 100644\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"), "", ""},
		{"new link", header("new file mode 120000\n+++ b/x\n@@ -0,0 +1 @@\n+to\n"), "", ""},
		{"submodule", header("index 1..2 160000\n+++ b/x\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n"), "", ""},
		{"binary", header("Binary files a/x and b/x differ\ndiff --git a/y b/y\n+++ b/y\n@@ -0,0 +1 @@\n+a\n"), "", "6 y:1 a"},
		{"merge", "diff --cc x\n--- a/x\n+++ b/x\n@@@ -1,2 -1,2 +1,2 @@@\n  a\n++b\n" + header("+++ b/x\n@@ -0,0 +1 @@\n+a\n"), "", "10 x:1 a"},
		{"more lines than promised", header("+++ b/x\n@@ -1 +1 @@\n-a\n-b\n+c\n+d\n"), "", ""},
		{"more new lines than promised", header("+++ b/x\n@@ -1,2 +1 @@\n+a\n+b\n c\n"), "", "4 x:1 a"},
		{"broken hunk headers", header("+++ b/x\n@@ -1 +x @@\n a\n@@ -1 +99999999999999999999 @@\n a\n@@ -1 +-1 @@\n a\n@@ -1,-1 +1 @@\n a\n@@\n a\n@@ -1 +1\n a\n"), "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for line := range gitdiff.NewSide(without(test.diff, strings.Fields(test.hidden))) {
				got = append(got, fmt.Sprintf("%d %s:%d %s", line.Output, line.Path, line.Number, line.Text))
			}
			if diff := cmp.Diff(strings.Split(test.want, "|"), strings.Split(strings.Join(got, "|"), "|")); diff != "" {
				t.Errorf("NewSide (-want +got):\n%s", diff)
			}
		})
	}
}

func numbered(diff string) iter.Seq2[int, string] { return without(diff, nil) }

func without(diff string, hidden []string) iter.Seq2[int, string] {
	isHidden := map[string]bool{}
	for _, number := range hidden {
		isHidden[number] = true
	}
	return func(yield func(int, string) bool) {
		n := 0
		for line := range strings.Lines(diff) {
			if n++; !isHidden[strconv.Itoa(n)] && !yield(n, line) {
				return
			}
		}
	}
}

// FuzzNewSide edits files at random and compares what NewSide says of git's
// diff, of which a random part is hidden, with the files.
func FuzzNewSide(f *testing.F) {
	for seed := range uint64(60) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 0))
		dir := repository(t)
		names := []string{"a", "b c", "ä", "q\"\\", "d/e", "-f", "new"}
		for _, name := range names[:len(names)-1] {
			writeFile(t, dir, name, randomText(r, 60))
		}
		git(t, dir, "add", ".")
		for _, name := range names {
			switch r.IntN(6) {
			case 0:
				_ = os.Remove(filepath.Join(dir, name))
			case 1:
				_ = os.Rename(filepath.Join(dir, name), filepath.Join(dir, "moved "+strconv.Itoa(r.IntN(3))))
			default:
				edit(t, r, filepath.Join(dir, name))
			}
		}
		git(t, dir, "add", "-N", ".")
		diff := diff(t, dir, gitdiff.Options{})
		compareAdded(t, dir, diff)
		checkShown(t, r, dir, diff)
	})
}

// compareAdded compares the number of added lines with what git counts.
func compareAdded(t *testing.T, dir, diff string) {
	t.Helper()
	lines := strings.SplitAfter(diff, "\n")
	got := 0
	for line := range gitdiff.NewSide(numbered(diff)) {
		if lines[line.Output-1][0] == '+' {
			got++
		}
	}
	want := 0
	for line := range strings.Lines(git(t, dir, "diff", "--numstat")) {
		added, _, _ := strings.Cut(line, "\t")
		if n, err := strconv.Atoi(added); err == nil {
			want += n
		}
	}
	if got != want {
		t.Errorf("NewSide finds %d added lines, git %d", got, want)
	}
}

// checkShown hides lines of the diff and checks that each line that NewSide
// finds is one of the file.
func checkShown(t *testing.T, r *rand.Rand, dir, diff string) {
	t.Helper()
	var hidden []string
	total := strings.Count(diff, "\n")
	for range r.IntN(6) {
		at := r.IntN(total + 1)
		for n := range r.IntN(20) {
			hidden = append(hidden, strconv.Itoa(at+n))
		}
	}
	for line := range gitdiff.NewSide(without(diff, hidden)) {
		content, err := os.ReadFile(filepath.Join(dir, line.Path))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(content), "\n")
		if line.Number > len(lines) || strings.TrimSuffix(lines[line.Number-1], "\r") != line.Text {
			t.Errorf("NewSide finds %+v, which is not in the file", line)
		}
	}
}

func randomText(r *rand.Rand, lines int) string {
	var b strings.Builder
	for range r.IntN(lines) {
		b.WriteString(randomLine(r))
	}
	if r.IntN(3) == 0 {
		b.WriteString("no end")
	}
	return b.String()
}

func randomLine(r *rand.Rand) string {
	bodies := []string{"", "a", "b", "\t}", "++ b/a", "-- a/a", "@@ -1,3 +1,3 @@", "diff --git a/a b/a", "ä", "\xff", "\\ No newline", " x", "+"}
	return bodies[r.IntN(len(bodies))] + []string{"\n", "\n", "\r\n"}[r.IntN(3)]
}

func edit(t *testing.T, r *rand.Rand, name string) {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		content = nil
	}
	lines := strings.SplitAfter(string(content), "\n")
	for range r.IntN(6) {
		at := r.IntN(len(lines))
		switch r.IntN(3) {
		case 0:
			lines[at] = ""
		case 1:
			lines[at] = randomLine(r)
		default:
			lines[at] = randomLine(r) + lines[at]
		}
	}
	if err := os.WriteFile(name, []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Fatal(err)
	}
}
