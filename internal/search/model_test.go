package search_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/search"
	"github.com/acode-ls/acode-ls/internal/text"
)

var patterns = []string{
	"", "a", "ab", "A", "a.b", "^a", "b$", "^$", "(a|b)c", "ab|ba|c", "a|", "[ab]c", "(?:ab)+c", "(ab){2}", "a{0}b", "x?ab",
	"k", "ks", "\u212a", "ſ", "İ", "i", "ä", "Ä", ".", "..", "[^a]", `\w+b`, `\bb`, "\ufffd", "ä|\ufffd", "(?-i:A)b", "(?i:a)B",
	"(?i)aß", "(?i)ab|CD", "a|b|c|d|e|f|g|h|i|j", "(a|ab)(c|bcd)", "abk", "K", "skab",
}

// FuzzSearch compares Search with trying the expression on each line.
func FuzzSearch(f *testing.F) {
	for _, pattern := range patterns {
		f.Add(pattern, "ab\nAB\r\naab\rskab\nSKAB\n\u212aſab\nİi\näÄ\xff\n\nabab c k\nbac\nb\n", false, 1)
		f.Add(pattern, "ab\nc\nAb\nc\nk\nſ\n\xff", true, 0)
	}
	f.Add("(?i:zq)|CD", "ZQ\n", false, 0)
	f.Fuzz(func(t *testing.T, pattern, content string, ignoreCase bool, around int) {
		expr := pattern
		if ignoreCase {
			expr = "(?i)" + expr
		}
		compiled, err := regexp.Compile(expr)
		if err != nil || around < 0 || around > 5 || strings.Contains(content, "\x00") {
			return
		}
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, "file"), content)
		query := search.Query{Pattern: pattern, IgnoreCase: ignoreCase, Context: around}
		got, err := search.Search(t.Context(), openRoot(t, dir), query)
		if err != nil {
			return // a pattern that spans lines
		}
		if diff := cmp.Diff(model(compiled, content, around), got.Hits); diff != "" {
			t.Errorf("Search(%+v) in %q (-model +got):\n%s", query, content, diff)
		}
	})
}

func model(expr *regexp.Regexp, content string, around int) (hits []search.Hit) {
	lines := text.Split(content)
	isMatch := func(n int) bool { return 1 <= n && n <= lines.Len() && expr.MatchString(lines.Line(n)) }
	for n := 1; n <= lines.Len(); n++ {
		for at := n - around; at <= n+around; at++ {
			if isMatch(at) {
				hits = append(hits, search.Hit{Path: "file", Line: n, Text: lines.Line(n), IsMatch: isMatch(n)})
				break
			}
		}
	}
	return hits
}

// Where ripgrep is installed, Search finds what it finds.
func TestAgainstRipgrep(t *testing.T) {
	program, err := exec.LookPath("rg")
	if err != nil {
		t.Log("there is no ripgrep here to compare with")
		return
	}
	generated := repository(t)
	r := rand.New(rand.NewPCG(1, 2))
	randomTree(t, r, generated)
	for range 40 {
		name := filepath.Join(generated, "texts", parts[r.IntN(len(parts))], parts[r.IntN(len(parts))])
		var b strings.Builder
		for range r.IntN(50) {
			b.WriteString([]string{"a", "b", " ", "ab", "ä", "func", "A", "Func (", "text", "\n", "\n", "\r\n"}[r.IntN(12)])
		}
		writeFile(t, name, b.String())
	}
	both := []search.Query{
		{Pattern: "func"}, {Pattern: "a|b"}, {Pattern: "^func .*[A-Z]", Context: 2}, {Pattern: "FUNC", IgnoreCase: true, Context: 1},
		{Pattern: "^$", Context: 3}, {Pattern: "ä", IgnoreCase: true}, {Pattern: "nothing has this " + "in it"}, {Pattern: "-x|--"},
	}
	for dir, queries := range map[string][]search.Query{
		generated: both,
		// A glob of ripgrep is about files only, so that folders named like files
		// would differ.
		filepath.Join("..", ".."): append(both, search.Query{Pattern: "text", Glob: "*.go"}, search.Query{Pattern: "^$", Glob: "!*.go"},
			search.Query{Pattern: `\{$`, Context: 1, Glob: "internal/**/*.{go,md}"}),
	} {
		for _, query := range queries {
			result, err := search.Search(t.Context(), openRoot(t, dir), query)
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for _, line := range search.Render(result) {
				got.WriteString(line.Text + "\n")
			}
			if diff := cmp.Diff(ripgrep(t, program, dir, query), got.String()); diff != "" {
				t.Errorf("Search(%+v) in %s (-ripgrep +got):\n%s", query, dir, diff)
			}
		}
	}
}

func ripgrep(t *testing.T, program, dir string, q search.Query) string {
	t.Helper()
	args := []string{
		"--no-config", "--no-heading", "--with-filename", "--line-number", "--color=never", "--sort=path",
		"--crlf", "--no-ignore-dot", "--context", string(rune('0' + q.Context)),
	}
	if q.IgnoreCase {
		args = append(args, "--ignore-case")
	}
	if q.Glob != "" {
		args = append(args, "--glob="+q.Glob)
	}
	cmd := exec.Command(program, append(args, "-e", q.Pattern)...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	output, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() != 1) {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(output), "\r\n", "\n")
}
