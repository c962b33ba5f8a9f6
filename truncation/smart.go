package truncation

import (
	"slices"
	"strings"

	"github.com/acode-ls/acode-ls/internal/text"
)

// smart keeps what matters most for the kind of text: whole hunks of a diff,
// whole declarations of code, the failures of a log.
func smart(src source, opts Options) Result {
	if src.characters <= opts.Limits.Inline {
		return unchanged(src, opts)
	}
	if !src.isWhole() {
		return fallBack(Smart, src, opts)
	}
	for _, parse := range []func(source, Options) chooser{parseDiff, parseCode, parseLog} {
		choose := parse(src, opts)
		if choose == nil {
			continue
		}
		if r := fit(src, Smart, opts, choose); r.WasTruncated && len(r.Shown) > 0 {
			return r
		}
		break
	}
	return fallBack(Smart, src, opts)
}

// chooser chooses what remains of a text within a number of characters. A
// parser returns nil for a text that is not of its kind.
type chooser func(characters int) cut

// selection gathers parts of a text. What they have in characters stays within
// a limit, and so does that together with all the marks between them but one:
// many small parts would cost more in marks than they tell.
type selection struct {
	text string
	kept []span // in order, not overlapping
	left int    // characters that may still be kept
	room int    // the same, less what marks take

	// mark returns an upper bound of the characters that the mark for a gap
	// takes.
	mark func(gap span) int
}

func newSelection(s string, characters int, mark func(span) int) *selection {
	return &selection{text: s, left: characters, room: characters, mark: mark}
}

// add keeps p, less what is kept already at its start and its end, if it fits,
// and reports whether it did. What is kept must not lie inside p.
func (s *selection) add(p span) bool {
	i, _ := slices.BinarySearchFunc(s.kept, p.start, func(k span, at int) int {
		if k.end <= at {
			return -1
		}
		return 1
	})
	if i < len(s.kept) && s.kept[i].start <= p.start {
		p.start = s.kept[i].end
		i++
	}
	gap := s.gap(i)
	if p.end = min(p.end, gap.end); p.start >= p.end {
		return true
	}
	size := p.end - p.start
	if size > 4*s.left { // a character has four bytes at most
		return false
	}
	size = text.CodePoints(s.text[p.start:p.end])
	before, after := span{gap.start, p.start}, span{p.end, gap.end}
	cost := size + s.cost(before) + s.cost(after) - s.cost(gap)
	if size > s.left || cost > s.room {
		return false
	}
	s.left -= size
	s.room -= cost
	s.kept = slices.Insert(s.kept, i, p)
	return true
}

// addStart keeps as many of the first lines of p as fit, and take no more than a
// number of characters.
func (s *selection) addStart(p span, characters int) {
	if s.isWithin(p, characters) && s.add(p) {
		return
	}
	start := text.Prefix(s.text[p.start:p.end], max(0, min(s.left, s.room, characters)))
	s.add(span{p.start, p.start + strings.LastIndexByte(start, '\n') + 1})
}

// isWithin reports whether p has at most a number of characters.
func (s *selection) isWithin(p span, characters int) bool {
	return p.end-p.start <= 4*characters && text.CodePoints(s.text[p.start:p.end]) <= characters
}

// gap returns what lies before the i-th kept part.
func (s *selection) gap(i int) span {
	gap := span{0, len(s.text)}
	if i > 0 {
		gap.start = s.kept[i-1].end
	}
	if i < len(s.kept) {
		gap.end = s.kept[i].start
	}
	return gap
}

func (s *selection) cost(gap span) int {
	if gap.start == gap.end {
		return 0
	}
	return s.mark(gap)
}

// close keeps the gaps that are no longer than their marks.
func (s *selection) close() {
	for i := len(s.kept); i >= 0; i-- {
		gap := s.gap(i)
		if s.isWithin(gap, s.cost(gap)) {
			s.add(gap)
		}
	}
}

// markSize returns an upper bound of the characters that the marker of lines
// takes in src.
func markSize(src source, opts Options) int {
	last := opts.FirstLine + src.lines()
	all := Omission{Lines: Range{last, 2 * last}, Characters: src.characters}
	known := opts
	known.Contains = nil
	known.Notice = opts.Notice || opts.Contains != nil
	size := len(onLine(src, all, string(appendNotice(omitted(all), all.Lines, known)))) + 1
	if opts.Contains != nil {
		size += maxNames
	}
	return size
}
