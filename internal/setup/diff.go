package setup

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// context is the number of unchanged lines around a change.
const context = 3

// unified writes edits of a text as a unified diff. A side of which the name is
// "" does not exist.
func unified(oldName, newName string, text []byte, edits []splice) string {
	if len(edits) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", orNull(oldName), orNull(newName))
	starts := lineStarts(text)
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b splice) int { return a.start - b.start })
	shift := 0 // lines added so far
	for hunk := range hunks(starts, text, edits) {
		shift += hunk.write(&b, starts, text, shift)
	}
	return b.String()
}

func orNull(name string) string {
	if name == "" {
		return "/dev/null"
	}
	return name
}

// lineStarts returns the offsets of lines, and the length of the text last.
func lineStarts(text []byte) []int {
	starts := []int{0}
	for i, c := range text {
		if c == '\n' && i+1 < len(text) {
			starts = append(starts, i+1)
		}
	}
	if len(text) > 0 {
		starts = append(starts, len(text))
	}
	return starts
}

// region is lines [first, end) that others replace, 0-based.
type region struct {
	first, end int
	lines      [][]byte
}

// hunk is regions with few lines between them.
type hunk []region

// hunks yields the changed lines of text, each time as many as share context.
func hunks(starts []int, text []byte, edits []splice) func(yield func(hunk) bool) {
	return func(yield func(hunk) bool) {
		var h hunk
		for _, r := range regions(starts, text, edits) {
			if len(h) > 0 && r.first-h[len(h)-1].end > 2*context {
				if !yield(h) {
					return
				}
				h = nil
			}
			h = append(h, r)
		}
		if len(h) > 0 {
			yield(h)
		}
	}
}

// regions returns the lines that edits change. Edits of the same lines make one.
func regions(starts []int, text []byte, edits []splice) []region {
	line := func(at int) int {
		i, found := slices.BinarySearch(starts, at)
		if !found || i == len(starts)-1 && i > 0 {
			i--
		}
		return i
	}
	var all []region
	for i := 0; i < len(edits); {
		first, last := line(edits[i].start), line(edits[i].end)
		next := i + 1
		for ; next < len(edits) && line(edits[next].start) <= last; next++ {
			last = max(last, line(edits[next].end))
		}
		end := min(last+1, len(starts)-1)
		from, to := starts[first], starts[end]
		var group []splice
		for _, e := range edits[i:next] {
			group = append(group, splice{e.start - from, e.end - from, e.text})
		}
		all = append(all, trimmed(first, text[from:to], splices(text[from:to], group)))
		i = next
	}
	return all
}

// trimmed leaves out the lines that are the same at the start and the end.
func trimmed(first int, before, after []byte) region {
	was, is := lines(before), lines(after)
	end := first + len(was)
	for len(was) > 0 && len(is) > 0 && bytes.Equal(was[0], is[0]) {
		was, is, first = was[1:], is[1:], first+1
	}
	for len(was) > 0 && len(is) > 0 && bytes.Equal(was[len(was)-1], is[len(is)-1]) {
		was, is, end = was[:len(was)-1], is[:len(is)-1], end-1
	}
	return region{first, end, is}
}

func lines(text []byte) [][]byte {
	return slices.Collect(bytes.Lines(text))
}

// write returns how many lines the hunk adds. shift is that of those before it.
func (h hunk) write(b *strings.Builder, starts []int, text []byte, shift int) int {
	count := len(starts) - 1
	from, to := max(0, h[0].first-context), min(count, h[len(h)-1].end+context)
	added := 0
	for _, r := range h {
		added += len(r.lines) - (r.end - r.first)
	}
	fmt.Fprintf(b, "@@ -%s +%s @@\n", span(from, to-from), span(from+shift, to-from+added))
	at := from
	for _, r := range h {
		writeLines(b, ' ', lines(text[starts[at]:starts[r.first]]))
		writeLines(b, '-', lines(text[starts[r.first]:starts[r.end]]))
		writeLines(b, '+', r.lines)
		at = r.end
	}
	writeLines(b, ' ', lines(text[starts[at]:starts[to]]))
	return added
}

// span is how a diff names n lines from the 0-based line first on.
func span(first, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", first)
	case 1:
		return fmt.Sprint(first + 1)
	}
	return fmt.Sprintf("%d,%d", first+1, n)
}

func writeLines(b *strings.Builder, sign byte, lines [][]byte) {
	for _, line := range lines {
		b.WriteByte(sign)
		b.Write(line)
		if !bytes.HasSuffix(line, []byte("\n")) {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
