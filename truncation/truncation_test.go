package truncation_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/truncation"
)

// headTail truncates s by head_tail and checks all that must hold of any result.
func headTail(t *testing.T, s string, opts truncation.Options) truncation.Result {
	t.Helper()
	r, err := truncation.Truncate(text.Split(s), truncation.HeadTail, opts)
	if err != nil {
		t.Fatalf("Truncate(%q, %+v): %v", s, opts, err)
	}
	checkResult(t, s, opts, r)
	return r
}

func limits(inline int, ratio float64) truncation.Options {
	return truncation.Options{Limits: truncation.Limits{Inline: inline, HeadRatio: ratio}}
}

// numbered returns the lines "Line 1" to "Line n", joined by eol.
func numbered(n int, eol string) string {
	var lines []string
	for i := range n {
		lines = append(lines, fmt.Sprintf("Line %d", i+1))
	}
	return strings.Join(lines, eol)
}

func TestShortTextIsUnchanged(t *testing.T) {
	for _, s := range []string{"", "x", "Short content.", "a\r\nb\r", strings.Repeat("世", 1000)} {
		r := headTail(t, s, limits(1000, 0.6))
		if r.WasTruncated || r.Content != s || r.OriginalCharacters != r.TruncatedCharacters || r.Strategy != "" {
			t.Errorf("Truncate(%q, 1000) = %+v, want it unchanged", s, r)
		}
	}
}

func TestHeadAndTailOfOneLine(t *testing.T) {
	r := headTail(t, strings.Repeat("A", 50)+strings.Repeat("B", 100)+strings.Repeat("C", 50), limits(100, 0.6))
	want := strings.Repeat("A", 50) + strings.Repeat("B", 10) +
		"\n... [1 lines / 100 chars omitted] ...\n" + strings.Repeat("C", 40)
	if diff := cmp.Diff(want, r.Content); diff != "" {
		t.Errorf("content (-want +got):\n%s", diff)
	}
	if r.OriginalCharacters != 200 || r.TruncatedCharacters >= 200 || r.OmittedCharacters != 100 {
		t.Errorf("sizes are %d, %d, %d, want 200, below 200, 100", r.OriginalCharacters, r.TruncatedCharacters, r.OmittedCharacters)
	}
}

func TestMarkerCountsLines(t *testing.T) {
	r := headTail(t, numbered(50, "\n"), limits(100, 0.6))
	if !regexp.MustCompile(`\.\.\. \[\d+ lines / \d+ chars omitted\] \.\.\.`).MatchString(r.Content) {
		t.Errorf("no marker in %q", r.Content)
	}
	want := numbered(8, "\n") + "\n... [37 lines / 295 chars omitted] ...\n" + strings.TrimPrefix(numbered(50, "\n"), numbered(45, "\n")+"\n")
	if diff := cmp.Diff(want, r.Content); diff != "" {
		t.Errorf("content (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]truncation.Range{{First: 1, Last: 8}, {First: 46, Last: 50}}, r.Shown); diff != "" {
		t.Errorf("Shown (-want +got):\n%s", diff)
	}
	if r.OmittedLines != 37 || r.OmittedCharacters != 295 {
		t.Errorf("omitted %d lines, %d characters, want 37, 295", r.OmittedLines, r.OmittedCharacters)
	}
}

func TestWideCharacters(t *testing.T) {
	r := headTail(t, "Hello 世界 "+strings.Repeat("X", 100)+" 再见 World", limits(50, 0.6))
	if !r.WasTruncated || !regexp.MustCompile(`^[\x00-\x7F\x{4e00}-\x{9fff}\s]+$`).MatchString(r.Content) {
		t.Errorf("content is %q, want only ASCII and Han", r.Content)
	}
	if r.OriginalCharacters != 118 || r.OriginalBytes != 126 {
		t.Errorf("original size is %d characters, %d bytes, want 118, 126", r.OriginalCharacters, r.OriginalBytes)
	}
}

func TestHeadTail(t *testing.T) {
	const family = "👨‍👩‍👧‍👦"
	fill := strings.Repeat("x", 100)
	lines := strings.Repeat("123456789\n", 30)
	tests := []struct {
		name   string
		text   string
		inline int
		ratio  float64
		want   string
	}{
		{"one over the limit", lines, 299, 0.5,
			lines[:130] + "... [4 lines / 40 chars omitted] ...\n" + lines[170:]},
		{"at the limit", lines, 300, 0.5, lines},
		{"marker does not fit", "0123456789", 5, 0.5, "0123456789"},
		{"marker as long as the text", strings.Repeat("x", 36), 20, 0.5, strings.Repeat("x", 36)},
		{"marker shorter than the text", strings.Repeat("x", 37), 20, 0.5, "... [1 lines / 37 chars omitted] ..."},
		{"head ends with LF", lines, 100, 0.5, lines[:50] + "... [20 lines / 200 chars omitted] ...\n" + lines[:50]},
		{"head ends with CRLF", strings.Repeat("12345678\r\n", 30), 100, 0.5,
			strings.Repeat("12345678\r\n", 5) + "... [20 lines / 200 chars omitted] ...\n" + strings.Repeat("12345678\r\n", 5)},
		{"head ends with CR", strings.Repeat("123456789\r", 30), 100, 0.5,
			strings.Repeat("123456789\r", 5) + "\n... [20 lines / 200 chars omitted] ...\n" + strings.Repeat("123456789\r", 5)},
		{"cut would part CRLF", "12345678\r\n" + fill + "\r\n12345678", 18, 0.5,
			"12345678\n... [2 lines / 104 chars omitted] ...\n12345678"},
		{"half of a part is enough", "12345\n" + fill + "\n6789", 20, 0.5,
			"12345\n... [1 lines / 95 chars omitted] ...\nxxxxx\n6789"},
		{"less than half is not", "1234\n" + fill + "\n6789", 22, 0.5,
			"1234\nxxxxxx\n... [1 lines / 88 chars omitted] ...\nxxxxxx\n6789"},
		{"no tail", fill, 1, 0.9, "x\n... [1 lines / 99 chars omitted] ..."},
		{"no head", fill, 1, 0.1, "... [1 lines / 99 chars omitted] ...\nx"},
		{"clusters", strings.Repeat(family, 20), 20, 0.5,
			family + "\n... [1 lines / 126 chars omitted] ...\n" + family},
		{"flags", strings.Repeat("🇩🇪🇫🇷", 40), 10, 0.5, "🇩🇪🇫🇷\n... [1 lines / 152 chars omitted] ...\n🇩🇪🇫🇷"},
		{"combining marks", strings.Repeat("e\u0301\u0302", 40), 10, 0.5,
			"e\u0301\u0302\n... [1 lines / 114 chars omitted] ...\ne\u0301\u0302"},
		{"Hangul syllables of parts", strings.Repeat("\u1112\u1161\u11ab", 40), 10, 0.5,
			"\u1112\u1161\u11ab\n... [1 lines / 114 chars omitted] ...\n\u1112\u1161\u11ab"},
		{"invalid bytes", strings.Repeat("\xe4\xb8", 50), 10, 0.5,
			"\xe4\xb8\xe4\xb8\xe4\n... [1 lines / 90 chars omitted] ...\n\xb8\xe4\xb8\xe4\xb8"},
		{"text with a marker", "... [1 lines / 9 chars omitted] ...\n" + lines, 100, 0.5,
			"... [1 lines / 9 chars omitted] ...\n" + "123456789\n" + "... [24 lines / 240 chars omitted] ...\n" + lines[:50]},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := headTail(t, tt.text, limits(tt.inline, tt.ratio))
			if diff := cmp.Diff(tt.want, r.Content); diff != "" {
				t.Errorf("Truncate(%q, %d) (-want +got):\n%s", tt.text, tt.inline, diff)
			}
		})
	}
}

func TestFirstLine(t *testing.T) {
	opts := limits(100, 0.5)
	opts.FirstLine = 501
	r := headTail(t, strings.Repeat("123456789\n", 30), opts)
	if diff := cmp.Diff([]truncation.Range{{First: 501, Last: 505}, {First: 526, Last: 530}}, r.Shown); diff != "" {
		t.Errorf("Shown (-want +got):\n%s", diff)
	}
	want := []truncation.Omission{{Lines: truncation.Range{First: 506, Last: 525}, Start: 50, End: 250, Characters: 200}}
	if diff := cmp.Diff(want, r.Omissions); diff != "" {
		t.Errorf("Omissions (-want +got):\n%s", diff)
	}
}

func TestNotice(t *testing.T) {
	lines := strings.Repeat("123456789\n", 30)
	fill := strings.Repeat("x", 200)
	classes := func(r truncation.Range) string { return fmt.Sprintf("contains: class %d to %d", r.First, r.Last) }
	tests := []struct {
		name      string
		text      string
		inline    int
		firstLine int
		contains  func(truncation.Range) string
		want      string
	}{
		{"lines", lines, 100, 0, nil,
			lines[:50] + "... [20 lines / 200 chars omitted] ...\n[Lines 6-25 truncated]\n" + lines[:50]},
		{"lines of a range", lines, 100, 101, nil,
			lines[:50] + "... [20 lines / 200 chars omitted] ...\n[Lines 106-125 truncated]\n" + lines[:50]},
		{"one line", "a\n" + fill + "\nb\n", 4, 7, nil,
			"a\n... [1 lines / 201 chars omitted] ...\n[Line 8 truncated]\nb\n"},
		{"hint", lines, 100, 0, classes,
			lines[:50] + "... [20 lines / 200 chars omitted] ...\n[Lines 6-25 truncated — contains: class 6 to 25]\n" + lines[:50]},
		{"no hint", lines, 100, 0, func(truncation.Range) string { return "" },
			lines[:50] + "... [20 lines / 200 chars omitted] ...\n[Lines 6-25 truncated]\n" + lines[:50]},
		{"dropping more for the notice", lines, 250, 0, nil,
			lines[:110] + "... [8 lines / 80 chars omitted] ...\n[Lines 12-19 truncated]\n" + lines[:110]},
		{"hint longer than the text", lines, 250, 0, func(truncation.Range) string { return lines }, lines},
		{"no tail", fill, 1, 0, nil, "x\n... [1 lines / 199 chars omitted] ...\n[Line 1 truncated]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			opts := limits(tt.inline, 0.5)
			opts.FirstLine, opts.Notice, opts.Contains = tt.firstLine, true, tt.contains
			r := headTail(t, tt.text, opts)
			if diff := cmp.Diff(tt.want, r.Content); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDefaultLimits(t *testing.T) {
	s := strings.Repeat("x", 8001)
	r := headTail(t, s, truncation.Options{})
	if o := r.Omissions; len(o) != 1 || o[0].Start < 4750 || o[0].Start > 4800 {
		t.Errorf("head of %d characters ends at %+v, want just below 4800", len(s), o)
	}
	if r := headTail(t, s[1:], truncation.Options{}); r.WasTruncated {
		t.Errorf("8000 characters were truncated")
	}
}

func TestUnknownStrategy(t *testing.T) {
	_, err := truncation.Truncate(text.Split("x"), "middle", truncation.Options{})
	if want := `truncating: unknown strategy "middle"`; err == nil || err.Error() != want {
		t.Errorf("error is %v, want %s", err, want)
	}
}

// TestHugeCluster covers text in which no cut is near a boundary.
func TestHugeCluster(t *testing.T) {
	for _, s := range []string{"e" + strings.Repeat("\u0301", 20_000), strings.Repeat("🇩", 20_001)} {
		for _, inline := range []int{1000, 6000} {
			r, err := truncation.Truncate(text.Split(s), truncation.HeadTail, limits(inline, 0.5))
			if err != nil {
				t.Fatal(err)
			}
			if kept := r.OriginalCharacters - r.OmittedCharacters; kept != inline || !utf8.ValidString(r.Content) {
				t.Errorf("kept %d characters of %.20q, want %d", kept, s, inline)
			}
		}
	}
}

func TestTokens(t *testing.T) {
	for characters, want := range map[int]int{0: 0, 1: 1, 4: 1, 5: 2, 2_415_919: 603_980} {
		if got := truncation.Tokens(characters); got != want {
			t.Errorf("Tokens(%d) = %d, want %d", characters, got, want)
		}
	}
}

func TestSummary(t *testing.T) {
	tests := []struct {
		characters int
		opts       truncation.Options
		want       string
	}{
		{100, limits(100, 0.5), ""},
		{93_340, limits(8000, 0.5), "middle 85,340 characters / ~21,335 tokens"},
		{1_000_100, limits(100, 0.5), "middle 1,000,000 characters / ~250,000 tokens"},
		{300, limits(1, 0.9), "end 299 characters / ~75 tokens"},
		{300, limits(1, 0.1), "beginning 299 characters / ~75 tokens"},
	}
	for _, tt := range tests {
		r, err := truncation.Truncate(text.Split(strings.Repeat("x", tt.characters)), truncation.HeadTail, tt.opts)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Summary(); got != tt.want {
			t.Errorf("Summary of %d characters = %q, want %q", tt.characters, got, tt.want)
		}
	}
}

func FuzzHeadTail(f *testing.F) {
	f.Add(numbered(50, "\n"), 100, 0.6, 1, true)
	f.Add(numbered(50, "\r\n"), 100, 0.6, 1, false)
	f.Add(numbered(50, "\r"), 100, 0.65, 9, false)
	f.Add(strings.Repeat("x", 40), 1, 0.1, 0, true)
	f.Add(strings.Repeat("x", 56), 11, 0.7, 53, true)
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{20, 100, 400} {
		f.Add(randomText(r, size), size/2, 0.6, 1, false)
		f.Add(randomText(r, size), size/3, 0.3, 1, true)
	}
	f.Fuzz(func(t *testing.T, s string, inline int, ratio float64, firstLine int, notice bool) {
		if inline < 1 || !(0 < ratio && ratio < 1) || firstLine < 0 || firstLine > 1<<30 {
			return // not valid options
		}
		opts := limits(inline, ratio)
		opts.FirstLine, opts.Notice = firstLine, notice
		headTail(t, s, opts)
	})
}

// TestRandomTexts is the fuzz test on texts that random bytes seldom become.
func TestRandomTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		s := randomText(r, r.IntN(300))
		opts := limits(1+r.IntN(200), 0.05+0.9*r.Float64())
		opts.FirstLine, opts.Notice = r.IntN(3), r.IntN(2) == 0
		headTail(t, s, opts)
	}
}

// randomText returns a text of n pieces that are hard to cut between.
func randomText(r *rand.Rand, n int) string {
	pieces := []string{
		"a", "b", " ", "word", "\n", "\r\n", "\r", "\u0301", "\u200d", "\ufe0f", "\u20e3", "👨", "👩🏽", "🇩", "🇫🇷",
		"\u1112", "\u1161", "\u11ab", "한", "世", "क", "\u094d", "\u0937", "\u0e33", "\u0600", "\xe4", "\xb8", "\u00ad", "\x00",
	}
	few := 1 + r.IntN(len(pieces))
	var b strings.Builder
	for range n {
		b.WriteString(pieces[(few+r.IntN(few))%len(pieces)])
	}
	return b.String()
}
