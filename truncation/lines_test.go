package truncation_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/truncation"
)

// truncate truncates s and checks what must hold of any result.
func truncate(t *testing.T, s string, strategy truncation.Strategy, opts truncation.Options) truncation.Result {
	t.Helper()
	r, err := truncation.Truncate(text.Split(s), strategy, opts)
	if err != nil {
		t.Fatalf("Truncate(%q, %s, %+v): %v", s, strategy, opts, err)
	}
	again, _ := truncation.Truncate(text.Split(s), strategy, opts)
	if diff := cmp.Diff(r, again); diff != "" {
		t.Errorf("second result differs (-first +second):\n%s", diff)
	}
	checkSums(t, s, opts, r)
	return r
}

// checkSums checks that the numbers of a result agree with each other and with
// the text, whatever the strategy.
func checkSums(t *testing.T, s string, opts truncation.Options, r truncation.Result) {
	t.Helper()
	sizes := [4]int{r.OriginalCharacters, r.OriginalBytes, r.TruncatedCharacters, r.TruncatedBytes}
	want := [4]int{utf8.RuneCountInString(s), len(s), utf8.RuneCountInString(r.Content), len(r.Content)}
	if sizes != want {
		t.Errorf("sizes of %.300q are %d, want %d", s, sizes, want)
	}
	checkShown(t, s, opts, r)
	if !r.WasTruncated {
		if r.Content != s || len(r.Omissions) > 0 || r.Strategy != "" {
			t.Errorf("not truncated, but %+v", r)
		}
		return
	}
	if r.TruncatedCharacters >= r.OriginalCharacters {
		t.Errorf("%.300q: %d characters became %d: %q", s, r.OriginalCharacters, r.TruncatedCharacters, r.Content)
	}
	kept := func(start, end int) string { return s[start:end] }
	characters, done, rest := 0, 0, r.Content
	if opts.Structure { // blanks may have been added
		solid := func(s string) string { return strings.Join(strings.Fields(s), "") }
		kept = func(start, end int) string { return solid(s[start:end]) }
		rest = solid(rest)
	}
	for i, o := range r.Omissions {
		if o.Start < done || o.End <= o.Start || len(s) < o.End {
			t.Fatalf("omission %d of %.300q is %+v, after %d", i, s, o, done)
		}
		if want := utf8.RuneCountInString(s[o.Start:o.End]); o.Characters != want {
			t.Errorf("omission %+v has %d characters", o, want)
		}
		if want := omission(s, o.Start, o.End, opts).Lines; o.Lines != want {
			t.Errorf("omission %+v has lines %v", o, want)
		}
		characters += o.Characters
		part := kept(done, o.Start)
		at := strings.Index(rest, part)
		if at < 0 {
			t.Fatalf("kept %q is not in %q", part, rest)
		}
		rest, done = rest[at+len(part):], o.End
	}
	if part := kept(done, len(s)); !strings.HasSuffix(rest, part) {
		t.Errorf("kept %q does not end %q", part, rest)
	}
	if characters != r.OmittedCharacters {
		t.Errorf("omissions have %d characters, OmittedCharacters is %d", characters, r.OmittedCharacters)
	}
}

func TestTailAndHead(t *testing.T) {
	padded := func(n int) string { // "Line 01" to "Line n"
		var lines []string
		for i := range n {
			lines = append(lines, fmt.Sprintf("Line %02d", i+1))
		}
		return strings.Join(lines, "\n")
	}
	long := strings.Repeat("x", 600)
	tests := []struct {
		name     string
		text     string
		strategy truncation.Strategy
		limits   truncation.Limits
		want     string
	}{
		{"tail under the limit", padded(20), truncation.Tail, truncation.Limits{Inline: 200, TailLines: 5}, // TST-05, C-15
			"... [15 lines / 120 chars omitted] ...\nLine 16\nLine 17\nLine 18\nLine 19\nLine 20"},
		{"tail would be longer", "Line 1\nLine 2\nLine 3\nLine 4\nLine 5", truncation.Tail, truncation.Limits{Inline: 100, TailLines: 3}, // TST-06, C-14
			"Line 1\nLine 2\nLine 3\nLine 4\nLine 5"},
		{"head under the limit", padded(20), truncation.Head, truncation.Limits{Inline: 200, HeadLines: 5},
			"Line 01\nLine 02\nLine 03\nLine 04\nLine 05\n... [15 lines / 119 chars omitted] ..."},
		{"few lines", padded(3), truncation.Tail, truncation.Limits{Inline: 100, TailLines: 3}, padded(3)},
		{"the limit is stricter", padded(100), truncation.Tail, truncation.Limits{Inline: 24, TailLines: 50}, // C-36
			"... [97 lines / 776 chars omitted] ...\nLine 98\nLine 99\nLine 100"},
		{"the limit is stricter at the head", padded(100), truncation.Head, truncation.Limits{Inline: 24, HeadLines: 50},
			"Line 01\nLine 02\nLine 03\n... [97 lines / 776 chars omitted] ..."},
		{"CRLF", strings.ReplaceAll(padded(20), "\n", "\r\n"), truncation.Tail, truncation.Limits{Inline: 200, TailLines: 2},
			"... [18 lines / 162 chars omitted] ...\nLine 19\r\nLine 20"},
		{"CR", strings.ReplaceAll(padded(20), "\n", "\r"), truncation.Head, truncation.Limits{Inline: 200, HeadLines: 2},
			"Line 01\rLine 02\r\n... [18 lines / 143 chars omitted] ..."},
		{"a final line end", padded(20) + "\n", truncation.Tail, truncation.Limits{Inline: 200, TailLines: 1},
			"... [19 lines / 152 chars omitted] ...\nLine 20\n"},
		{"one long line, its start", long, truncation.Head, truncation.Limits{Inline: 100}, // C-34
			long[:100] + "\n... [1 lines / 500 chars omitted] ..."},
		{"one long line, its end", long, truncation.Tail, truncation.Limits{Inline: 100},
			"... [1 lines / 500 chars omitted] ...\n" + long[:100]},
		{"one long line with a line end", long + "\n", truncation.Tail, truncation.Limits{Inline: 100},
			"... [1 lines / 501 chars omitted] ...\n" + long[:99] + "\n"},
		{"a long line among others", "a\n" + long + "\nb\n", truncation.Tail, truncation.Limits{Inline: 550}, // C-33
			"a\n" + long[:500] + " ... [100 chars omitted] ...\nb\n"},
		{"a long line and a gap", padded(20) + "\n" + long + "\r\nb", truncation.Tail, truncation.Limits{Inline: 510},
			"... [20 lines / 160 chars omitted] ...\n" + long[:500] + " ... [100 chars omitted] ...\r\nb"},
		{"long lines under the limit", "a\n" + long + "\nb\n", truncation.Tail, truncation.Limits{Inline: 700}, "a\n" + long + "\nb\n"},
		{"a line a little too long", "a\n" + long[:502] + "\nb\n", truncation.Head, truncation.Limits{Inline: 504},
			"a\n" + long[:473] + " ... [29 chars omitted] ...\nb\n"},
		{"empty", "", truncation.Tail, truncation.Limits{}, ""},
		{"whitespace", strings.Repeat(" \n", 200), truncation.Head, truncation.Limits{Inline: 10}, // AC-097
			strings.Repeat(" \n", 5) + "... [195 lines / 390 chars omitted] ..."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := truncate(t, tt.text, tt.strategy, truncation.Options{Limits: tt.limits})
			if diff := cmp.Diff(tt.want, r.Content); diff != "" {
				t.Errorf("content (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTailOfALog has the figures of TST-13.
func TestTailOfALog(t *testing.T) {
	var log strings.Builder
	for i := range 500 {
		fmt.Fprintf(&log, "[INFO] Log line %d\n", i+1)
	}
	s := strings.TrimSuffix(log.String(), "\n")
	r := truncate(t, s, truncation.Tail, truncation.Options{Limits: truncation.Limits{Inline: 1000, TailLines: 50}})
	for want, is := range map[string]bool{"Log line 451\n": true, "Log line 500": true, "Log line 450\n": false, "Log line 1\n": false} {
		if strings.Contains(r.Content, want) != is {
			t.Errorf("content has %q: %v, want %v", want, !is, is)
		}
	}
	if kept := r.OriginalCharacters - r.OmittedCharacters; len(s) != 9891 || kept != 999 || r.Strategy != truncation.Tail {
		t.Errorf("kept %d of %d characters by %s, want 999 of 9891 by tail", kept, len(s), r.Strategy)
	}
}

func TestNoticeOnlyWhereSomethingIsKnown(t *testing.T) {
	s := strings.Repeat("123456789\n", 30)
	opts := truncation.Options{Limits: truncation.Limits{Inline: 100}, Contains: func(r truncation.Range) string {
		if r.First == 1 {
			return "contains 1 failure line: 3: FAIL"
		}
		return ""
	}}
	want := "... [20 lines / 200 chars omitted] ...\n[Lines 1-20 truncated — contains 1 failure line: 3: FAIL]\n" + s[:100]
	if r := truncate(t, s, truncation.Tail, opts); r.Content != want {
		t.Errorf("tail gives %q, want %q", r.Content, want)
	}
	if r := truncate(t, s, truncation.Head, opts); strings.Contains(r.Content, "truncated") {
		t.Errorf("head gives %q, want no notice", r.Content)
	}
}

// Words that make every case of line ends, characters and clusters likely.
var words = []string{
	"a", "bc", " ", "\n", "\r\n", "\r", "世界", "é", "e\u0301", "👨‍👩‍👧", "🇩🇪", "\xff", "\xe4\xb8", "\x00",
	strings.Repeat("x", 30), strings.Repeat("long ", 20), "ERROR: no\n", "[1,2,3]", "<a>",
}

func randomWords(r *rand.Rand, n int) string {
	var b strings.Builder
	for range r.IntN(n) {
		b.WriteString(words[r.IntN(len(words))])
	}
	return b.String()
}

// TestStreamIsTruncate takes texts in by parts of all sizes: the result must be
// that of the whole text.
func TestStreamIsTruncate(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		block := randomWords(r, 300) + "\n"
		s := randomWords(r, 400) + strings.Repeat(block, r.IntN(1_200_000/len(block))) + randomWords(r, 400)
		for _, strategy := range []truncation.Strategy{truncation.HeadTail, truncation.Head, truncation.Tail} {
			opts := truncation.Options{Limits: truncation.Limits{Inline: 50 + r.IntN(3000), MaxLine: 60}, FirstLine: 1 + r.IntN(3)}
			want, err := truncation.Truncate(text.Split(s), strategy, opts)
			if err != nil {
				t.Fatal(err)
			}
			stream := truncation.NewStream(opts.Limits)
			for rest := s; rest != ""; {
				n := min(len(rest), 1+r.IntN([]int{3, 5000, 700_000}[r.IntN(3)]))
				if _, err := stream.Write([]byte(rest[:n])); err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			got, err := stream.Truncate(strategy, opts)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("seed %d, %s, %d bytes (-whole +stream):\n%s", seed, strategy, len(s), diff)
			}
		}
	}
}

// TestStreamOfOneLine has a line that the stream cannot hold.
func TestStreamOfOneLine(t *testing.T) {
	long := strings.Repeat("0123456789", 200_000)
	tests := []struct {
		name, text string
		strategy   truncation.Strategy
		want       string
	}{
		{"head", long, truncation.Head, long[:100] + "\n... [1 lines / 1999900 chars omitted] ..."},
		{"tail", long, truncation.Tail, "... [1 lines / 1999900 chars omitted] ...\n" + long[:100]},
		{"head_tail", long, truncation.HeadTail, long[:60] + "\n... [1 lines / 1999900 chars omitted] ...\n" + long[:40]},
		{"head, then others", long + "\na\nb", truncation.Head, long[:100] + "\n... [3 lines / 1999904 chars omitted] ..."},
		{"tail, after others", "a\nb\n" + long, truncation.Tail, "... [3 lines / 1999904 chars omitted] ...\n" + long[:100]},
		{"tail after it", long + "\na\nb", truncation.Tail, "... [1 lines / 2000001 chars omitted] ...\na\nb"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			stream := truncation.NewStream(truncation.Limits{Inline: 100})
			for chunk := range slices.Chunk([]byte(tt.text), 100_000) {
				stream.Write(chunk)
			}
			r, err := stream.Truncate(tt.strategy, truncation.Options{Limits: truncation.Limits{Inline: 100}})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, r.Content); diff != "" {
				t.Errorf("content (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzLines(f *testing.F) {
	f.Add("a\r\nb\rc\n"+strings.Repeat("long ", 40), uint16(20), uint8(3), uint8(10), true)
	f.Add(strings.Repeat("🇩🇪", 50)+"\n"+strings.Repeat("e\u0301", 50), uint16(40), uint8(1), uint8(7), false)
	f.Fuzz(func(t *testing.T, s string, inline uint16, lines, width uint8, atEnd bool) {
		opts := truncation.Options{Limits: truncation.Limits{
			Inline: 1 + int(inline), HeadLines: 1 + int(lines), TailLines: 1 + int(lines), MaxLine: 1 + int(width),
		}}
		strategy := truncation.Head
		if atEnd {
			strategy = truncation.Tail
		}
		r := truncate(t, s, strategy, opts)
		if !r.WasTruncated {
			return
		}
		if kept := r.OriginalCharacters - r.OmittedCharacters; kept > opts.Limits.Inline {
			t.Errorf("kept %d characters of %.300q, limit %d", kept, s, opts.Limits.Inline)
		}
		boundaries := slowBoundaries(s)
		for _, o := range r.Omissions {
			if !boundaries[o.Start] || !boundaries[o.End] {
				t.Errorf("omission %+v of %.300q parts a grapheme cluster", o, s)
			}
		}
	})
}
