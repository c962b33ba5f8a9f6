package truncation_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/truncation"
)

// smart truncates s by smart and checks all that must hold of any result.
func smart(t *testing.T, s string, opts truncation.Options) truncation.Result {
	t.Helper()
	r, err := truncation.Truncate(text.Split(s), truncation.Smart, opts)
	if err != nil {
		t.Fatalf("Truncate(%q, %+v): %v", s, opts, err)
	}
	again, _ := truncation.Truncate(text.Split(s), truncation.Smart, opts)
	if diff := cmp.Diff(r, again); diff != "" {
		t.Errorf("second result differs (-first +second):\n%s", diff)
	}
	inline := opts.Limits.Inline
	if inline == 0 {
		inline = 8000
	}
	if r.Strategy != truncation.Smart {
		plain, _ := truncation.Truncate(text.Split(s), truncation.HeadTail, opts)
		if plain.WasTruncated {
			plain.FallbackFrom = truncation.Smart
		}
		if diff := cmp.Diff(plain, r); diff != "" {
			t.Errorf("fallback differs from head_tail (-head_tail +got):\n%s", diff)
		}
		return r
	}
	sizes := [4]int{r.OriginalCharacters, r.OriginalBytes, r.TruncatedCharacters, r.TruncatedBytes}
	want := [4]int{utf8.RuneCountInString(s), len(s), utf8.RuneCountInString(r.Content), len(r.Content)}
	if sizes != want {
		t.Errorf("sizes are %d, want %d", sizes, want)
	}
	if !r.WasTruncated || r.FallbackFrom != "" || r.OriginalCharacters <= inline {
		t.Errorf("%d characters, limit %d, became %+v", r.OriginalCharacters, inline, r)
	}
	if r.TruncatedCharacters >= r.OriginalCharacters {
		t.Errorf("%d characters became %d", r.OriginalCharacters, r.TruncatedCharacters)
	}
	if kept := r.OriginalCharacters - r.OmittedCharacters; kept < 1 || kept > inline {
		t.Errorf("kept %d characters, limit %d", kept, inline)
	}
	if largest := 700; r.TruncatedCharacters > inline+largest { // one mark is outside the limit
		t.Errorf("%d characters with marks, limit %d", r.TruncatedCharacters, inline)
	}
	checkShown(t, s, opts, r)
	checkKept(t, s, opts, r)
	return r
}

var marks = regexp.MustCompile(`^\n?(?:\.\.\. \[\d+ [^\n]+\] \.\.\.\n?)+(?:\[Lines? \d+[^\n]* truncated[^\n]*\]\n?)?$`)

// checkKept checks that the content is the text with marks for omissions of
// whole lines.
func checkKept(t *testing.T, s string, opts truncation.Options, r truncation.Result) {
	t.Helper()
	starts, offset := map[int]bool{0: true}, 0
	for _, line := range slowLines(s) {
		offset += len(line)
		starts[offset] = true
	}
	var kept []string
	done, characters := 0, 0
	for i, o := range r.Omissions {
		want := omission(s, o.Start, o.End, opts)
		if diff := cmp.Diff(want, o); diff != "" || o.Start < done || o.End <= o.Start {
			t.Fatalf("omission %d of %q (-want +got):\n%s", i, s, diff)
		}
		if !starts[o.Start] || !starts[o.End] {
			t.Errorf("omission %d to %d of %q parts a line", o.Start, o.End, s)
		}
		kept = append(kept, s[done:o.Start])
		characters += o.Characters
		done = o.End
	}
	if kept = append(kept, s[done:]); !isExcerpt(r.Content, kept) {
		t.Errorf("content is %q, want marks between %q", r.Content, kept)
	}
	if characters != r.OmittedCharacters {
		t.Errorf("omitted %d characters, want %d", r.OmittedCharacters, characters)
	}
}

// isExcerpt reports whether s is all of kept with marks between.
func isExcerpt(s string, kept []string) bool {
	s, ok := strings.CutPrefix(s, kept[0])
	if !ok || len(kept) == 1 {
		return ok && s == ""
	}
	at := 0
	for range 5 { // lines of marks at most
		if at == len(s) {
			break
		}
		at += strings.Index(s[at:]+"\n", "\n") + 1
		at = min(at, len(s))
		if marks.MatchString(s[:at]) && isExcerpt(s[at:], kept[1:]) {
			return true
		}
	}
	return false
}

func TestSmartFallsBack(t *testing.T) {
	opts := limits(100, 0.6)
	for name, s := range map[string]string{
		"prose":       numbered(50, "\n"),
		"one line":    strings.Repeat("x", 500),
		"lines of CR": strings.Repeat("ERROR one\r", 20) + strings.Repeat("x", 500),
		"a marker":    "... [3 lines / 7 chars omitted] ...\n" + numbered(50, "\n"),
	} {
		if r := smart(t, s, opts); name != "lines of CR" && r.FallbackFrom != truncation.Smart {
			t.Errorf("%s: %+v, want a fallback", name, r)
		}
	}
	for _, s := range []string{"", "x", strings.Repeat("x", 100), strings.Repeat("x", 101)} {
		if r := smart(t, s, opts); r.Content != s && len(s) <= 100 {
			t.Errorf("Truncate(%q) = %q, want it unchanged", s, r.Content)
		}
	}
}

// TestSmartStream covers a text of which the middle is not at hand.
func TestSmartStream(t *testing.T) {
	s := truncation.NewStream(truncation.Limits{})
	line := "2024-01-02 15:04:05 ERROR it failed\n"
	for range 50_000 {
		if _, err := s.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	r, err := s.Truncate(truncation.Smart, truncation.Options{})
	if err != nil || r.Strategy != truncation.HeadTail || r.FallbackFrom != truncation.Smart {
		t.Errorf("Truncate = %s, %s, %v, want a fallback to head_tail", r.Strategy, r.FallbackFrom, err)
	}
}

// TestSmartHostile covers texts that would take for ever if a line were looked
// at again and again. The test's time limit is what fails.
func TestSmartHostile(t *testing.T) {
	for _, line := range []string{
		"--- PASS: TestX", "diff --git a/a b/a", "diff --git a/a b/a\nindex 1..2", "diff -u a b\n--- a", "@@", "\x1b[", "ERROR a\n at b", "ERROR a\n", "ERROR ERROR ERROR", "*/", ")", "",
	} {
		s := strings.Repeat(line+"\n", 500_000/(len(line)+1))
		opts := limits(8000, 0.6)
		opts.Units = func() []truncation.Unit {
			return []truncation.Unit{{Name: "last", Lines: truncation.Range{First: strings.Count(s, "\n"), Last: strings.Count(s, "\n")}}}
		}
		for _, units := range []func() []truncation.Unit{nil, opts.Units} {
			opts.Units = units
			if r, err := truncation.Truncate(text.Split(s), truncation.Smart, opts); err != nil || !r.WasTruncated {
				t.Errorf("lines %q: %+v, %v", line, r, err)
			}
		}
	}
}
