package truncation_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/truncation"
)

func lines(l ...string) string { return strings.Join(l, "\n") + "\n" }

// smallDiff changes a file by a hunk of n lines.
func smallDiff(name string, n int) string {
	return fmt.Sprintf("diff --git a/%s b/%s\nindex 1..2 100644\n--- a/%s\n+++ b/%s\n", name, name, name, name) + smallHunk(1, n)
}

func smallHunk(first, n int) string {
	return fmt.Sprintf("@@ -%d,0 +%d,%d @@\n", first, first, n) + strings.Repeat("+0123456789\n", n)
}

func TestSmartDiff(t *testing.T) {
	lead := lines("commit 1234567", "Author: A <a@example.com>", "", "    say why", "")
	tests := []struct {
		name   string
		text   string
		inline int
		want   string
	}{
		{"a hunk does not fit",
			smallDiff("a", 2) + smallHunk(9, 40) + smallHunk(99, 1) + smallDiff("b", 1), 300,
			smallDiff("a", 2) + "... [1 hunks omitted / 41 lines / 497 chars] ...\n" + smallHunk(99, 1) + smallDiff("b", 1)},
		{"no hunk at all",
			smallDiff("a", 100) + smallDiff("b", 90), 190,
			smallDiff("a", 0)[:53] + "... [1 hunks omitted / 101 lines / 1218 chars] ...\n" +
				smallDiff("b", 90)[:53] + "@@ -1,0 +1,90 @@\n" + strings.Repeat("+0123456789\n", 2) + "... [88 lines / 1056 chars omitted] ..."},
		{"message before a file",
			lead + smallDiff("a", 2) + smallHunk(9, 40) + "-- \n2.40.0\n", 250,
			lead + smallDiff("a", 2) + "... [1 hunks omitted / 41 lines / 497 chars] ...\n" + "-- \n2.40.0\n"},
		{"short message before a hunk",
			lead + smallDiff("a", 2) + smallHunk(9, 20), 390,
			lead + smallDiff("a", 2) + "... [1 hunks omitted / 21 lines / 257 chars] ..."},
		{"long message after the hunks",
			strings.Repeat(lead, 5) + smallDiff("a", 2) + smallHunk(9, 40), 450,
			strings.Repeat(lead, 5) + smallDiff("a", 2) + "... [1 hunks omitted / 41 lines / 497 chars] ..."},
		{"message that does not fit",
			strings.Repeat(lead, 5) + smallDiff("a", 30), 500,
			"... [25 lines / 275 chars omitted] ...\n" + smallDiff("a", 30)},
		{"hunks and the next message",
			smallDiff("a", 2) + smallHunk(9, 40) + strings.Repeat(lead, 5) + smallDiff("b", 2), 250,
			smallDiff("a", 2) + "... [1 hunks omitted / 66 lines / 772 chars] ...\n" + smallDiff("b", 2)},
		{"a header too many",
			smallDiff("a", 1) + smallDiff("b", 40) + smallDiff("c", 1), 180,
			smallDiff("a", 1) + "... [1 files omitted showing 1 hunks / 550B diff] ...\n" + smallDiff("c", 1)},
		{"no header further inside than one that does not fit",
			smallDiff("a", 1) + smallDiff(strings.Repeat("b", 50), 1) + smallDiff("c", 1) + smallDiff("d", 1), 260,
			smallDiff("a", 1) + "... [2 files omitted showing 2 hunks / 358B diff] ...\n" + smallDiff("d", 1)},
		{"lines that look like headers",
			lines("--- a/x", "+++ b/x", "@@ -1,4 +1,4 @@", "--- a/y", "+++ b/y", "--- a/z", "+++ b/z", " @@ -1,4 +1,4 @@", " diff --git a/b") + smallHunk(9, 40), 250,
			lines("--- a/x", "+++ b/x", "@@ -1,4 +1,4 @@", "--- a/y", "+++ b/y", "--- a/z", "+++ b/z", " @@ -1,4 +1,4 @@", " diff --git a/b") +
				"... [1 hunks omitted / 41 lines / 497 chars] ..."},
		{"a merge",
			lines("diff --cc f", "index 1,2..3", "--- a/f", "+++ b/f", "@@@ -1,3 -1,2 +1,3 @@@", "  both", "- first", " -second", "++one", " +two") +
				"@@@ -9,0 -9,0 +9,40 @@@\n" + strings.Repeat("++0123456789\n", 40), 200,
			lines("diff --cc f", "index 1,2..3", "--- a/f", "+++ b/f", "@@@ -1,3 -1,2 +1,3 @@@", "  both", "- first", " -second", "++one", " +two") +
				"... [1 hunks omitted / 41 lines / 544 chars] ..."},
		{"no end of line, spaces taken away, LaTeX",
			lines("--- a/x", "+++ b/x", "@@ -1,3 +1,3 @@", "", ` \ x`, "-a", `\ No newline at end of file`, "+b", `\ Kein Zeilenumbruch am Dateiende.`) + smallHunk(9, 40), 250,
			lines("--- a/x", "+++ b/x", "@@ -1,3 +1,3 @@", "", ` \ x`, "-a", `\ No newline at end of file`, "+b", `\ Kein Zeilenumbruch am Dateiende.`) +
				"... [1 hunks omitted / 41 lines / 497 chars] ..."},
		{"CRLF",
			strings.ReplaceAll(smallDiff("a", 2)+smallHunk(9, 40)+smallDiff("b", 1), "\n", "\r\n"), 250,
			strings.ReplaceAll(smallDiff("a", 2), "\n", "\r\n") + "... [1 hunks omitted / 41 lines / 538 chars] ...\n" +
				strings.ReplaceAll(smallDiff("b", 1), "\n", "\r\n")},
		{"CRLF, spaces taken away",
			strings.ReplaceAll(lines("--- a/x", "+++ b/x", "@@ -1,2 +1,2 @@", "", "-a", "+b", "Binary files a and b differ")+smallDiff("a", 40), "\n", "\r\n"), 250,
			strings.ReplaceAll(lines("--- a/x", "+++ b/x", "@@ -1,2 +1,2 @@", "", "-a", "+b", "Binary files a and b differ")+smallDiff("a", 40)[:53], "\n", "\r\n") +
				"... [1 hunks omitted / 41 lines / 538 chars] ..."},
		{"CR inside of lines",
			lines("--- a/x", "+++ b/x", "@@ -1 +1 @@", "-10%\r20%", "+10%\r30%") + smallHunk(9, 40), 250,
			lines("--- a/x", "+++ b/x", "@@ -1 +1 @@", "-10%\r20%", "+10%\r30%") + "... [1 hunks omitted / 41 lines / 497 chars] ..."},
		{"a binary file in full",
			lines("diff --git a/b b/b", "index 1..2 100644", "GIT binary patch", "literal 900") + strings.Repeat("zcmZ1234567890\n", 20) + lines("", "literal 0", "HcmV?d00001", "") + smallDiff("a", 2), 250,
			lines("diff --git a/b b/b", "index 1..2 100644") + "... [1 hunks omitted / 26 lines / 353 chars] ...\n" + smallDiff("a", 2)},
		{"only binary files",
			strings.Repeat("Binary files a/x and b/x differ\n", 20), 600,
			strings.Repeat("Binary files a/x and b/x differ\n", 10) + "... [5 files omitted showing 0 hunks / 160B diff] ...\n" +
				strings.Repeat("Binary files a/x and b/x differ\n", 5)},
		{"plain diff -ru",
			lines("Only in a: x", "diff -ru a/f b/f", "--- a/f\t2024-01-01", "+++ b/f\t2024-01-02", "@@ -1 +1 @@", "-a", "+b", "Binary files a/g and b/g differ", "diff -ru a/h b/h", "--- a/h\t2024-01-01", "+++ b/h\t2024-01-02") + smallHunk(9, 40), 250,
			lines("Only in a: x", "diff -ru a/f b/f", "--- a/f\t2024-01-01", "+++ b/f\t2024-01-02", "@@ -1 +1 @@", "-a", "+b", "Binary files a/g and b/g differ", "diff -ru a/h b/h", "--- a/h\t2024-01-01", "+++ b/h\t2024-01-02") +
				"... [1 hunks omitted / 41 lines / 497 chars] ..."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := smart(t, tt.text, limits(tt.inline, 0.6))
			if diff := cmp.Diff(tt.want, r.Content); diff != "" || r.Strategy != truncation.Smart {
				t.Errorf("strategy %s (-want +got):\n%s", r.Strategy, diff)
			}
		})
	}
}

func TestSmartDiffNotice(t *testing.T) {
	opts := limits(250, 0.6)
	opts.Notice, opts.FirstLine = true, 101
	r := smart(t, smallDiff("a", 2)+smallHunk(9, 40)+smallDiff("b", 2), opts)
	want := smallDiff("a", 2) + "... [1 hunks omitted / 41 lines / 497 chars] ...\n[Lines 108-148 truncated]\n" + smallDiff("b", 2)
	if diff := cmp.Diff(want, r.Content); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNotQuiteADiff covers texts that look like a diff but are none.
func TestNotQuiteADiff(t *testing.T) {
	good := smallDiff("a", 20) + smallDiff("b", 20)
	for name, s := range map[string]string{
		"too few lines":       strings.TrimSuffix(good, "+0123456789\n"),
		"a line of no kind":   strings.Replace(good, "+0123456789\n", "0123456789\n", 1),
		"one side too long":   strings.Replace(good, "+0123456789\n", "-0123456789\n", 1),
		"no counts":           strings.ReplaceAll(good, "@@ -", "@@ "),
		"huge counts":         strings.ReplaceAll(good, ",20 @@", ",99999999999999999999 @@"),
		"mostly other text":   good + numbered(200, "\n"),
		"names and no hunks":  strings.Repeat("--- a\n+++ b\n", 50),
		"only lines of names": strings.Repeat("diff --git a/a b/a\n", 50),
		"words of a merge":    strings.ReplaceAll(good, "@@", "@@@"),
	} {
		if r := smart(t, s, limits(300, 0.6)); r.Strategy != truncation.HeadTail {
			t.Errorf("%s: strategy %s, want head_tail", name, r.Strategy)
		}
	}
	if r := smart(t, good, limits(300, 0.6)); r.Strategy != truncation.Smart {
		t.Errorf("strategy %s, want smart", r.Strategy)
	}
}

// TestManyFiles is the scenario of a refactoring: 3 MB in 200 files.
func TestManyFiles(t *testing.T) {
	var b strings.Builder
	for i := range 200 {
		b.WriteString(smallDiff(fmt.Sprintf("f%03d", i), 276))
		for range 3 {
			b.WriteString(smallHunk(1000, 276))
		}
		if 10 <= i && i < 120 {
			b.WriteString(smallHunk(5000, 276))
		}
	}
	r, err := truncation.Truncate(text.Split(b.String()), truncation.Smart, limits(20_000, 0.6))
	if want := "\n... [185 files omitted showing 850 hunks / 2.7MB diff] ...\n"; err != nil || !strings.Contains(r.Content, want) {
		t.Errorf("%v, no %q in %q", err, want, regexp.MustCompile(`(?m)^\.\.\. .*`).FindAllString(r.Content, -1))
	}
	var want []string
	for i := range 200 {
		if i < 10 || i >= 195 {
			want = append(want, fmt.Sprintf("+++ b/f%03d", i))
		}
	}
	if diff := cmp.Diff(want, regexp.MustCompile(`(?m)^\+\+\+.*`).FindAllString(r.Content, -1)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// TestFewFiles checks that up to 15 files all keep their headers.
func TestFewFiles(t *testing.T) {
	for n := 1; n <= 17; n++ {
		var b strings.Builder
		for i := range n {
			b.WriteString(smallDiff(string(rune('a'+i)), 100))
		}
		r := smart(t, b.String(), limits(100*n+100, 0.6))
		if got := strings.Count(r.Content, "+++ "); got != min(n, 15) {
			t.Errorf("%d of %d headers remain in\n%s", got, n, r.Content)
		}
	}
}

func TestDiffSizes(t *testing.T) {
	for size, want := range map[int]string{900: "900B", 1024: "1KB", 500_000: "488KB", 500_500: "489KB", 1<<20 - 600: "1023KB", 1<<20 - 500: "1.0MB", 2_830_000: "2.7MB"} {
		middle := smallDiff("b", 1)
		hunk := "@@ -1,0 +1,1 @@\n+" + strings.Repeat("x", size-len(middle)-18) + "\n"
		s := smallDiff("a", 1) + middle + hunk + smallDiff("c", 1)
		r := smart(t, s, limits(180, 0.6))
		if want := "... [1 files omitted showing 2 hunks / " + want + " diff] ..."; !strings.Contains(r.Content, want) {
			t.Errorf("no %q in %q", want, r.Content)
		}
	}
}

// repository makes commits in a new git repository.
type repository struct {
	t   *testing.T
	dir string
}

func (r repository) git(args ...string) string {
	r.t.Helper()
	return r.gitWith("", args...)
}

func (r repository) gitWith(stdin string, args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	cmd.Stdin = strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2024-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_COMMITTER_DATE=2024-01-01T00:00:00Z")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatalf("git %q: %v\n%s", args, err, &stderr)
	}
	return string(out)
}

func (r repository) write(name, content string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(content), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// changedRepository has two commits, with changes of all kinds in the last.
func changedRepository(t *testing.T) repository {
	t.Helper()
	r := repository{t, t.TempDir()}
	body := numbered(60, "\n") + "\n"
	binary := strings.Repeat("\x00\x01\xff\xfe", 200)
	r.git("init", "-q", "-b", "main")
	names := []string{"changed", "renamed", "moved", "deleted", "mode", "with space", "größe.txt", "crlf", "no newline"}
	for i, name := range names {
		r.write(name, strings.ReplaceAll(body, "Line", fmt.Sprintf("Line of %d", i)))
	}
	r.write("crlf", strings.ReplaceAll(body, "\n", "\r\n"))
	r.write("binary", binary)
	r.git("add", ".")
	r.git("commit", "-qm", "first")
	edit := func(name string) {
		content, err := os.ReadFile(filepath.Join(r.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []string{"5", "30", "55"} {
			content = regexp.MustCompile(`(?m) `+n+`(\r?)$`).ReplaceAll(content, []byte(" "+n+" changed: --- a\rb$1"))
		}
		r.write(name, string(content))
	}
	r.git("mv", "renamed", "renamed to")
	r.git("mv", "moved", "moved to")
	r.git("rm", "-q", "deleted")
	for _, name := range []string{"changed", "renamed to", "with space", "größe.txt", "crlf", "no newline"} {
		edit(name)
	}
	r.write("no newline", strings.TrimSuffix(body, "\n"))
	r.write("binary", binary+"\x00")
	r.write("new", body)
	r.write("empty", "")
	r.git("add", ".")
	r.git("update-index", "--chmod=+x", "mode")
	r.git("commit", "-qm", "second\n\n---\nnot a header\n+++ neither")
	return r
}

// TestGitDiff lets git read what remains of its diffs.
func TestGitDiff(t *testing.T) {
	r := changedRepository(t)
	isMark := regexp.MustCompile(`(?m)^\.\.\. \[.*\] \.\.\.\n?`)
	for _, args := range [][]string{
		{"diff", "HEAD~", "HEAD"},
		{"diff", "HEAD~", "HEAD", "-M", "--binary"},
		{"diff", "HEAD~", "HEAD", "-U1"},
		{"diff", "HEAD~", "HEAD", "--stat", "-p"},
		{"format-patch", "--stdout", "HEAD~"},
		{"log", "-p", "-2"},
	} {
		s := r.git(args...)
		all := r.gitWith(s, "apply", "--numstat")
		shown := 0
		for inline := len(s) / 5; inline < len(s); inline += len(s) / 5 {
			got := smart(t, s, limits(inline, 0.6))
			if got.Strategy != truncation.Smart {
				t.Errorf("git %q: strategy %s with limit %d of %d", args, got.Strategy, inline, len(s))
				continue
			}
			if inline > len(s)/5 {
				some := r.gitWith(isMark.ReplaceAllString(got.Content, ""), "apply", "--numstat")
				shown = max(shown, strings.Count(some, "\n"))
			}
		}
		if n := strings.Count(all, "\n"); n < 10 || shown < min(n, 10) {
			t.Errorf("git %q: %d of %d files were shown at most", args, shown, n)
		}
	}
}

func TestGitMerge(t *testing.T) {
	r := repository{t, t.TempDir()}
	body := numbered(40, "\n") + "\n"
	change := func(name string, to ...string) {
		r.write("f", strings.NewReplacer(to...).Replace(body))
		r.git("add", "f")
		r.git("commit", "-qm", name)
	}
	r.git("init", "-q", "-b", "main")
	change("base")
	r.git("checkout", "-qb", "other")
	change("other", "Line 5\n", "other\n", "Line 35\n", "")
	r.git("checkout", "-q", "main")
	change("main", "Line 5\n", "main\n", "Line 36\n", "more\nLine 36\n")
	r.git("merge", "-q", "-s", "ours", "other")
	r.write("f", strings.NewReplacer("Line 5\n", "main and other\n", "Line 35\n", "both\n").Replace(body))
	r.git("commit", "-qa", "--amend", "--no-edit")
	s := r.git("show", "--cc", "HEAD")
	if strings.Count(s, "\n@@@ ") != 2 {
		t.Fatalf("git made no two hunks of a merge:\n%s", s)
	}
	got := smart(t, s, limits(240, 0.6))
	if n := strings.Count(got.Content, "\n@@@ "); n != 1 || !strings.Contains(got.Content, "... [1 hunks omitted / ") {
		t.Errorf("%d hunks remain, want 1:\n%s", n, got.Content)
	}
}

// piece is a part of a random diff that must not be cut.
type piece struct {
	start, end, file int
	isHunk           bool
}

// randomDiff returns a diff and its parts.
func randomDiff(r *rand.Rand) (string, []piece) {
	var b strings.Builder
	var pieces []piece
	add := func(file int, isHunk bool, s string) {
		pieces = append(pieces, piece{b.Len(), b.Len() + len(s), file, isHunk})
		b.WriteString(s)
	}
	odd := []string{"", "x", "-- a", "++ b", "@@ -1 +1 @@", "diff --git a b", "... [1 lines / 2 chars omitted] ...", "äöü世界", `\ x`, "a\rb", "\xff", "GIT binary patch"}
	for file := range 1 + r.IntN(25) {
		if r.IntN(4) == 0 {
			add(file, false, strings.Repeat("commit message\n", r.IntN(5)))
		}
		header := fmt.Sprintf("diff --git a/%d b/%d\nnew file mode 100644\n", file, file)
		if r.IntN(8) == 0 {
			add(file, false, header)
			continue
		}
		add(file, false, header+fmt.Sprintf("--- a/%d\n+++ b/%d\n", file, file))
		for range 1 + r.IntN(4) {
			counts := [2]int{}
			var body strings.Builder
			for range r.IntN(20) {
				sign := r.IntN(3)
				if sign != 0 {
					counts[1]++
				}
				if sign != 1 {
					counts[0]++
				}
				body.WriteString("-+ "[sign:sign+1] + odd[r.IntN(len(odd))] + "\n")
				if r.IntN(9) == 0 {
					body.WriteString("\\ No newline at end of file\n")
				}
			}
			if counts == [2]int{} {
				body.Reset()
			}
			add(file, true, fmt.Sprintf("@@ -1,%d +1,%d @@ func f\n", counts[0], counts[1])+body.String())
		}
	}
	return b.String(), pieces
}

func checkRandomDiff(t *testing.T, seed uint64, inline int) {
	t.Helper()
	s, pieces := randomDiff(rand.New(rand.NewPCG(seed, 1)))
	r := smart(t, s, limits(inline, 0.6))
	if r.Strategy != truncation.Smart {
		return
	}
	headers, cuts, hunks := map[int]bool{}, 0, 0
	for i, p := range pieces {
		omitted := 0
		for _, o := range r.Omissions {
			omitted += max(0, min(o.End, p.end)-max(o.Start, p.start))
		}
		isHeader := !p.isHunk && (i+1 == len(pieces) || pieces[i+1].isHunk || pieces[i+1].file != p.file)
		switch {
		case omitted == p.end-p.start:
		case isHeader && omitted == 0:
			headers[p.file] = true
		case !p.isHunk:
		case omitted > 0:
			cuts++
		default:
			hunks++
		}
		if p.isHunk && omitted < p.end-p.start && !headers[p.file] {
			t.Errorf("seed %d, limit %d: a hunk without its header in\n%s", seed, inline, r.Content)
		}
		if isHeader && 0 < omitted && omitted < p.end-p.start {
			t.Errorf("seed %d, limit %d: half a header in\n%s", seed, inline, r.Content)
		}
	}
	if cuts > 1 || cuts == 1 && hunks > 0 {
		t.Errorf("seed %d, limit %d: %d hunks were cut, %d are whole in\n%s", seed, inline, cuts, hunks, r.Content)
	}
}

func TestRandomDiffs(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		checkRandomDiff(t, r.Uint64(), 1+r.IntN(3000))
	}
}

func FuzzSmartDiff(f *testing.F) {
	f.Add(uint64(1), 500, smallDiff("a", 20)+smallDiff("b", 2))
	f.Add(uint64(2), 90, lines("--- a/x", "+++ b/x", "@@ -1 +1,2 @@", "-a", `\ No newline at end of file`, "+b", "+c"))
	f.Add(uint64(3), 90, lines("diff --cc f", "index 1,2..3", "--- a/f", "+++ b/f", "@@@ -1,1 -1,1 +1,1 @@@", "- first", " -second", "++one"))
	f.Add(uint64(4), 60, lines("diff --git a/b b/b", "index 1..2", "GIT binary patch", "literal 3", "KcmZ", "", "literal 0", "HcmV", ""))
	f.Fuzz(func(t *testing.T, seed uint64, inline int, s string) {
		if inline < 1 {
			return // not a valid limit
		}
		smart(t, s, limits(inline, 0.6))
		checkRandomDiff(t, seed, 1+inline%3000)
	})
}
