package awareness

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/acode-ls/acode-ls/internal/text"
)

// Edit replaces the bytes [Start, End) of a text by New.
type Edit struct {
	Start, End int // byte offsets, half-open
	New        string
}

// Change is an edit reduced to the lines it really modifies.
type Change struct {
	Before, After text.Lines
	Hunks         []Hunk
	Texts         []string // the new text of each hunk, line ends included
}

// Edits returns the change as edits of whole lines of Before, ascending and
// disjoint.
func (c Change) Edits() []Edit {
	edits := make([]Edit, len(c.Hunks))
	for i, h := range c.Hunks {
		edits[i] = Edit{c.Before.Start(h.Start), c.Before.Start(h.end() + 1), c.Texts[i]}
	}
	return edits
}

// Reduce applies edits to a text and finds the lines they modify: an edit is
// widened to whole lines, a line diff takes out what stays the same, and what
// remains was modified. So the replacement of a whole document touches only
// the lines that differ, an insertion between two lines touches neither, and a
// line that another is joined to is touched.
//
// New text takes the line ends of a text that has only one kind. Edits that
// overlap, run backwards or past the end are an error.
func Reduce(before text.Lines, edits []Edit) (Change, error) {
	return withAfter(reduce(before, edits, before.EOL()))
}

// Touch is Reduce for who only asks: After is left out, and Result makes it.
func Touch(before text.Lines, edits []Edit) (Change, error) {
	return reduce(before, edits, before.EOL())
}

func withAfter(c Change, err error) (Change, error) {
	if err == nil {
		c.After = c.Result()
	}
	return c, err
}

// Replay is Reduce for edits that have already happened: it leaves the new
// text as it is.
func Replay(before text.Lines, edits []Edit) (Change, error) {
	return withAfter(reduce(before, edits, ""))
}

func reduce(before text.Lines, edits []Edit, eol string) (Change, error) {
	sorted, err := inOrder(before, edits, eol)
	if err != nil {
		return Change{}, err
	}
	c := Change{Before: before}
	for _, b := range blocks(before, sorted) {
		c.reduceBlock(b)
	}
	return c, nil
}

// Result returns the text after the change.
func (c Change) Result() text.Lines {
	if len(c.Hunks) == 0 {
		return c.Before
	}
	return text.Split(splice(c.Before.Text(), c.Edits()))
}

// inOrder returns the edits ascending, those at one place in the given order,
// with their line ends written as eol unless it is empty.
func inOrder(before text.Lines, edits []Edit, eol string) ([]Edit, error) {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	size, last := len(before.Text()), 0
	for i, e := range sorted {
		switch {
		case e.End < e.Start:
			return nil, fmt.Errorf("edit runs backwards, from byte %d to %d", e.Start, e.End)
		case e.Start < 0 || size < e.End:
			return nil, fmt.Errorf("edit of bytes %d-%d lies outside the %d bytes of the file", e.Start, e.End, size)
		case e.Start < last:
			return nil, fmt.Errorf("edits overlap at line %d", before.LineAt(e.Start))
		}
		last = e.End
		sorted[i].New = withEOL(e.New, eol)
	}
	return sorted, nil
}

// withEOL returns s with every line end written as eol, or s if eol is empty.
func withEOL(s, eol string) string {
	if eol == "" || eol == "\n" && strings.IndexByte(s, '\r') < 0 {
		return s
	}
	lines := text.Split(s)
	var b strings.Builder
	for n := 1; n <= lines.Len(); n++ {
		b.WriteString(lines.Line(n))
		if n < lines.Len() || lines.Terminated() {
			b.WriteString(eol)
		}
	}
	return b.String()
}

// block is a run of whole lines, the bytes [start, end), with the edits in it.
type block struct {
	start, end int
	edits      []Edit
}

// blocks widens edits to whole lines and gathers those that share lines or
// touch.
func blocks(before text.Lines, edits []Edit) []block {
	var out []block
	for len(edits) > 0 {
		b := block{start: startOfLine(before, edits[0].Start), end: edits[0].Start}
		n := 0
		for {
			for n < len(edits) && startOfLine(before, edits[n].Start) <= b.end {
				b.end = max(b.end, edits[n].End)
				n++
			}
			b.edits = edits[:n]
			if !joins(before, b) {
				break
			}
			b.end = before.Start(before.LineAt(b.end) + 1)
		}
		out = append(out, b)
		edits = edits[n:]
	}
	return out
}

// startOfLine returns the start of the first line that an edit from offset on
// may modify: the line before if that ends with a CR, which would melt with a
// new LF.
func startOfLine(before text.Lines, offset int) int {
	line := before.LineAt(offset)
	start := before.Start(line)
	if start == offset && start > 0 && before.Text()[start-1] == '\r' {
		start = before.Start(line - 1)
	}
	return start
}

// joins reports whether what stands behind a block is part of its last new
// line. An end at the start of a line leaves that line out, unless the new
// text before it does not end a line.
func joins(before text.Lines, b block) bool {
	s := before.Text()
	if b.end == len(s) {
		return false
	}
	if before.Start(before.LineAt(b.end)) != b.end {
		return true
	}
	at := b.end
	for _, e := range slices.Backward(b.edits) {
		if e.End < at {
			break
		}
		if e.New != "" {
			return !endsLine(e.New, s[b.end:])
		}
		at = e.Start
	}
	return b.start < at && !endsLine(s[b.start:at], s[b.end:])
}

// endsLine reports whether a line ends with s when next follows.
func endsLine(s, next string) bool {
	return strings.HasSuffix(s, "\n") || strings.HasSuffix(s, "\r") && !strings.HasPrefix(next, "\n")
}

// reduceBlock appends the hunks of one block.
func (c *Change) reduceBlock(b block) {
	edits := slices.Clone(b.edits)
	for i := range edits {
		edits[i].Start -= b.start
		edits[i].End -= b.start
	}
	oldText := c.Before.Text()[b.start:b.end]
	old, new := text.Split(oldText), text.Split(splice(oldText, edits))
	first := c.Before.LineAt(b.start)
	next, shift := 1, 0 // the new line that stands where the next hunk's first old line did
	for _, h := range Align(fullHashes(old), fullHashes(new)) {
		next = h.Start + shift
		lines := Hunk{Start: first + h.Start - 1, Old: h.Old, New: make([]uint64, len(h.New))}
		for i := range lines.New {
			lines.New[i] = xxhash.Sum64String(new.Line(next + i))
		}
		c.Hunks = append(c.Hunks, lines)
		c.Texts = append(c.Texts, new.Span(next, next+len(h.New)-1))
		shift += len(h.New) - h.Old
	}
}

// fullHashes hashes the lines with their terminators, for which a line that
// only ends differently is another line.
func fullHashes(l text.Lines) []uint64 {
	out := make([]uint64, l.Len())
	for i := range out {
		out[i] = xxhash.Sum64String(l.Full(i + 1))
	}
	return out
}

// splice applies ascending, disjoint edits.
func splice(s string, edits []Edit) string {
	var b strings.Builder
	size := len(s)
	for _, e := range edits {
		size += len(e.New) - (e.End - e.Start)
	}
	b.Grow(size)
	at := 0
	for _, e := range edits {
		b.WriteString(s[at:e.Start])
		b.WriteString(e.New)
		at = e.End
	}
	b.WriteString(s[at:])
	return b.String()
}
