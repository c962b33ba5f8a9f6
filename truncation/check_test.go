package truncation_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rivo/uniseg"

	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/truncation"
)

// checkResult checks what must hold of any result of head_tail.
func checkResult(t *testing.T, s string, opts truncation.Options, r truncation.Result) {
	t.Helper()
	again, _ := truncation.Truncate(text.Split(s), truncation.HeadTail, opts)
	if diff := cmp.Diff(r, again); diff != "" {
		t.Errorf("second result differs (-first +second):\n%s", diff)
	}
	sizes := [4]int{r.OriginalCharacters, r.OriginalBytes, r.TruncatedCharacters, r.TruncatedBytes}
	want := [4]int{utf8.RuneCountInString(s), len(s), utf8.RuneCountInString(r.Content), len(r.Content)}
	if sizes != want {
		t.Errorf("sizes are %d, want %d", sizes, want)
	}
	inline := opts.Limits.Inline
	if inline == 0 {
		inline = 8000
	}
	switch {
	case !r.WasTruncated:
		checkUnchanged(t, s, inline, opts, r)
	case r.OriginalCharacters <= inline:
		t.Errorf("truncated %d characters, limit %d", r.OriginalCharacters, inline)
	default:
		checkTruncated(t, s, inline, opts, r)
	}
	checkShown(t, s, opts, r)
}

func checkUnchanged(t *testing.T, s string, inline int, opts truncation.Options, r truncation.Result) {
	t.Helper()
	if r.Content != s || r.OmittedCharacters != 0 || r.OmittedLines != 0 || r.Omissions != nil || r.Strategy != "" {
		t.Errorf("not truncated, but %+v", r)
	}
	if r.OriginalCharacters > inline && opts.Contains == nil {
		if shortest := slowMarker(s, omission(s, 0, len(s), opts), opts); utf8.RuneCountInString(shortest) < r.OriginalCharacters {
			t.Errorf("not truncated to %q", shortest)
		}
	}
}

func checkTruncated(t *testing.T, s string, inline int, opts truncation.Options, r truncation.Result) {
	t.Helper()
	if r.TruncatedCharacters >= r.OriginalCharacters {
		t.Errorf("%d characters became %d", r.OriginalCharacters, r.TruncatedCharacters)
	}
	if kept := r.OriginalCharacters - r.OmittedCharacters; kept < 0 || kept > inline {
		t.Errorf("kept %d characters, limit %d", kept, inline)
	}
	if r.Strategy != truncation.HeadTail || len(r.Omissions) != 1 {
		t.Fatalf("result is %+v, want one omission by head_tail", r)
	}
	o := r.Omissions[0]
	if opts.Contains == nil {
		if want := s[:o.Start] + slowMarker(s, o, opts) + s[o.End:]; r.Content != want {
			t.Errorf("content (-want +got):\n%s", cmp.Diff(want, r.Content))
		}
	}
	if want := utf8.RuneCountInString(s[o.Start:o.End]); o.Characters != want || r.OmittedCharacters != want {
		t.Errorf("omitted %d and %d characters, want %d", o.Characters, r.OmittedCharacters, want)
	}
	if o.Lines.Len() != r.OmittedLines {
		t.Errorf("omitted lines %v, but %d lines", o.Lines, r.OmittedLines)
	}
	if boundaries := slowBoundaries(s); !boundaries[o.Start] || !boundaries[o.End] {
		t.Errorf("omission %d to %d in %.300q parts a grapheme cluster", o.Start, o.End, s)
	}
	// With no need to drop more, the cuts are the best ones within the limit.
	ratio := opts.Limits.HeadRatio
	if ratio == 0 {
		ratio = 0.6
	}
	head := int(math.Round(float64(inline) * ratio))
	start, end := slowHeadEnd(s, head), slowTailStart(s, inline-head)
	best := s[:start] + slowMarker(s, omission(s, start, end, opts), opts) + s[end:]
	if opts.Contains == nil && utf8.RuneCountInString(best) < r.OriginalCharacters && (o.Start != start || o.End != end) {
		t.Errorf("omitted %d to %d of %.300q, limit %d of which head %d, want %d to %d", o.Start, o.End, s, inline, head, start, end)
	}
}

// checkShown checks that the lines outside all omissions are those shown.
func checkShown(t *testing.T, s string, opts truncation.Options, r truncation.Result) {
	t.Helper()
	var want []truncation.Range
	n, offset, omitted := max(1, opts.FirstLine), 0, 0
	for _, line := range slowLines(s) {
		end := offset + len(line)
		if slices.ContainsFunc(r.Omissions, func(o truncation.Omission) bool { return o.Start < end && offset < o.End }) {
			omitted++
		} else if last := len(want) - 1; last >= 0 && want[last].Last == n-1 {
			want[last].Last = n
		} else {
			want = append(want, truncation.Range{First: n, Last: n})
		}
		n, offset = n+1, end
	}
	if diff := cmp.Diff(want, r.Shown); diff != "" {
		t.Errorf("Shown of %.300q (-want +got):\n%s", s, diff)
	}
	if r.OmittedLines != omitted {
		t.Errorf("OmittedLines = %d, want %d", r.OmittedLines, omitted)
	}
}

// omission describes the part of s from start to end.
func omission(s string, start, end int, opts truncation.Options) truncation.Omission {
	first := max(1, opts.FirstLine)
	for _, line := range slowLines(s[:start]) {
		if strings.HasSuffix(line, "\n") || strings.HasSuffix(line, "\r") {
			first++
		}
	}
	return truncation.Omission{
		Lines:      truncation.Range{First: first, Last: first + slowLineCount(s, start, end) - 1},
		Start:      start,
		End:        end,
		Characters: utf8.RuneCountInString(s[start:end]),
	}
}

// slowLineCount returns how many lines of s have a character from start to end.
func slowLineCount(s string, start, end int) int {
	n, offset := 0, 0
	for _, line := range slowLines(s) {
		if start < offset+len(line) && offset < end {
			n++
		}
		offset += len(line)
	}
	return n
}

// slowMarker returns the marker for an omission from s with no hint.
func slowMarker(s string, o truncation.Omission, opts truncation.Options) string {
	m := fmt.Sprintf("... [%d lines / %d chars omitted] ...", slowLineCount(s, o.Start, o.End), o.Characters)
	if o.Start > 0 && !strings.HasSuffix(s[:o.Start], "\n") {
		m = "\n" + m
	}
	if opts.Notice && o.Lines.First == o.Lines.Last {
		m += fmt.Sprintf("\n[Line %d truncated]", o.Lines.First)
	} else if opts.Notice {
		m += fmt.Sprintf("\n[Lines %d-%d truncated]", o.Lines.First, o.Lines.Last)
	}
	if o.End < len(s) {
		m += "\n"
	}
	return m
}

func slowLines(s string) []string {
	var lines []string
	for s != "" {
		end := len(s)
		if i := strings.IndexAny(s, "\r\n"); i >= 0 {
			end = i + 1
		}
		if strings.HasPrefix(s[end-1:], "\r\n") {
			end++
		}
		lines = append(lines, s[:end])
		s = s[end:]
	}
	return lines
}

// slowBoundaries returns the offsets at which no grapheme cluster of s is cut.
func slowBoundaries(s string) map[int]bool {
	boundaries := map[int]bool{0: true}
	for g := uniseg.NewGraphemes(s); g.Next(); {
		_, end := g.Positions()
		boundaries[end] = true
	}
	return boundaries
}

// slowHeadEnd tries all ends of a head of at most n characters of s, which has
// more.
func slowHeadEnd(s string, n int) int {
	lineEnds, boundaries := map[int]bool{0: true}, slowBoundaries(s)
	end := 0
	for _, line := range slowLines(s) {
		end += len(line)
		lineEnds[end] = true
	}
	bestLine, bestCluster := 0, 0
	characters := 0
	for i := range s {
		if characters++; characters > n+1 {
			break
		}
		if lineEnds[i] {
			bestLine = i
		}
		if boundaries[i] {
			bestCluster = i
		}
	}
	if 2*utf8.RuneCountInString(s[:bestLine]) >= n {
		return bestLine
	}
	return bestCluster
}

// slowTailStart mirrors slowHeadEnd.
func slowTailStart(s string, n int) int {
	lineStarts, boundaries := map[int]bool{len(s): true}, slowBoundaries(s)
	start := 0
	for _, line := range slowLines(s) {
		lineStarts[start] = true
		start += len(line)
	}
	bestLine, bestCluster := len(s), len(s)
	characters := utf8.RuneCountInString(s)
	for i := range s {
		if characters--; characters+1 > n {
			continue
		}
		if lineStarts[i] {
			bestLine = min(bestLine, i)
		}
		if boundaries[i] {
			bestCluster = min(bestCluster, i)
		}
	}
	if 2*utf8.RuneCountInString(s[bestLine:]) >= n {
		return bestLine
	}
	return bestCluster
}
