package truncation

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/acode-ls/acode-ls/internal/text"
)

// This file keeps whole declarations of code.

// maxNames is how many characters of names a mark lists at most.
const maxNames = 500

// code is the text of a source file.
type code struct {
	source
	opts  Options
	units []codeUnit // in order, not overlapping

	markSize int   // upper bound of what a mark takes besides names
	names    []int // the sum of the characters of the first i names, with commas
}

// codeUnit is a declaration with the comment and the decorators above it.
type codeUnit struct {
	span
	first, last int // lines of src
	name, kind  string
	exported    bool
}

// parseCode returns nil for a text without declarations.
func parseCode(src source, opts Options) chooser {
	if opts.Units == nil {
		return nil
	}
	units := slices.Clone(opts.Units())
	slices.SortStableFunc(units, func(a, b Unit) int { return cmp.Compare(a.Lines.First, b.Lines.First) })
	c := code{source: src, opts: opts, names: []int{0}}
	done, kind := 0, len("declarations")
	for _, u := range units {
		first, last := u.Lines.First-opts.FirstLine+1, u.Lines.Last-opts.FirstLine+1
		if first <= done || last < first || src.Len() < last {
			continue
		}
		first = above(src.Lines, first, done)
		done = last
		name := strings.Join(strings.Fields(u.Name), " ")
		c.units = append(c.units, codeUnit{span{src.Start(first), src.Start(last + 1)}, first, last, name, u.Kind, u.Exported})
		c.names = append(c.names, c.names[len(c.names)-1]+text.CodePoints(name)+len(", "))
		kind = max(kind, len(u.Kind))
	}
	if len(c.units) == 0 {
		return nil
	}
	c.markSize = markSize(src, opts) + kind
	return c.choose
}

// maxAbove is how many lines above a declaration are looked at.
const maxAbove = 1000

// above returns the first line of the comment and the decorators that end
// directly above line first, or first. The lines up to done belong to others.
func above(l text.Lines, first, done int) int {
	done = max(done, first-1-maxAbove)
	for n := first - 1; n > done; n-- {
		line := strings.TrimSpace(l.Line(n))
		switch {
		case strings.HasSuffix(line, "*/"):
			n = upTo(l, n, done, "/*", "/*")
		case hasAnyPrefix(line, ")", "]", "}"):
			n = upTo(l, n, done, "", "@", "#[", "[")
		case !hasAnyPrefix(line, "//", "#", "@", "--", "*", ";", "%", "["):
			return first
		}
		if n == 0 {
			return first
		}
		first = n
	}
	return first
}

// upTo returns the nearest line from n up that has one of prefixes, or 0 if a
// line that contains end, or is empty if end is "", comes first.
func upTo(l text.Lines, n, done int, end string, prefixes ...string) int {
	for ; n > done; n-- {
		line := strings.TrimSpace(l.Line(n))
		if hasAnyPrefix(line, prefixes...) {
			return n
		}
		if line == end || end != "" && strings.Contains(line, end) {
			break
		}
	}
	return 0
}

// choose keeps what stands before the first declaration as far as that takes a
// third of the limit, then declarations, then what is between them. A
// declaration that is longer than what is left gives way to the next.
func (c code) choose(characters int) cut {
	s := newSelection(c.Text(), characters, c.gapSize)
	s.addStart(span{0, c.units[0].start}, characters/3)
	kept := make([]bool, len(c.units))
	some := false
	for _, i := range c.order() {
		kept[i] = s.add(c.withBlankLines(i)) || s.add(c.units[i].span)
		some = some || kept[i]
	}
	if !some {
		return cut{}
	}
	for i, u := range c.units {
		switch {
		case !kept[i]:
		case i+1 == len(c.units):
			s.addStart(span{u.end, len(c.Text())}, s.left)
		case kept[i+1]:
			s.addStart(span{u.end, c.units[i+1].start}, s.left)
		}
	}
	s.close()
	return cut{kept: s.kept, mark: c.mark}
}

// order returns the indexes of the declarations in the order of their weight:
// those that others can use first, and from both ends to the middle.
func (c code) order() []int {
	order := make([]int, len(c.units))
	for i := range order {
		order[i] = i
	}
	weight := func(i int) int {
		w := min(2*i, 2*(len(c.units)-i)-1)
		if !c.units[i].exported {
			w += 2 * len(c.units)
		}
		return w
	}
	slices.SortFunc(order, func(i, j int) int { return weight(i) - weight(j) })
	return order
}

// withBlankLines returns the i-th declaration with the blank lines next to it,
// one of each.
func (c code) withBlankLines(i int) span {
	u := c.units[i]
	isBlank := func(n int) bool { return strings.TrimSpace(c.Line(n)) == "" }
	if before := u.start; before > 0 && (i == 0 || c.units[i-1].end < before) {
		if n := u.first - 1; isBlank(n) {
			u.start = c.Start(n)
		}
	}
	if after := u.end; after < len(c.Text()) && (i+1 == len(c.units) || after < c.units[i+1].start) {
		if n := u.last + 1; isBlank(n) {
			u.end = c.Start(n + 1)
		}
	}
	return u.span
}

// within returns the indexes, half-open, of the declarations in a gap. None is
// in it in part.
func (c code) within(gap span) (from, to int) {
	from = sort.Search(len(c.units), func(i int) bool { return gap.start < c.units[i].end })
	to = sort.Search(len(c.units), func(i int) bool { return gap.end <= c.units[i].start })
	return from, max(from, to)
}

// gapSize returns an upper bound of the characters of the mark for a gap.
func (c code) gapSize(gap span) int {
	from, to := c.within(gap)
	return c.markSize + min(c.names[to]-c.names[from], maxNames)
}

// mark names the declarations that are missing.
func (c code) mark(o Omission) string {
	from, to := c.within(span{o.Start, o.End})
	if from == to {
		return marker(c.source, o, c.opts)
	}
	units := c.units[from:to]
	kind := units[0].kind
	if kind == "" || slices.ContainsFunc(units, func(u codeUnit) bool { return u.kind != kind }) {
		kind = "declarations"
	}
	m := fmt.Appendf(nil, "... [%d %s omitted", len(units), kind)
	m = appendNames(m, units)
	m = append(m, "] ..."...)
	return onLine(c.source, o, string(appendNotice(m, o.Lines, c.opts)))
}

// appendNames appends the names as a list of at most maxNames characters.
func appendNames(m []byte, units []codeUnit) []byte {
	var names []string
	size := -len(", ")
	for _, u := range units {
		if u.name != "" {
			names = append(names, u.name)
			size += text.CodePoints(u.name) + len(", ")
		}
	}
	if size > maxNames {
		names = firstNames(names)
	}
	if len(names) == 0 {
		return m
	}
	return append(append(m, ": "...), strings.Join(names, ", ")...)
}

// firstNames returns as many of names as fit, and how many more there are. All
// of them do not fit.
func firstNames(names []string) []string {
	size, n := 0, 0
	for ; n < len(names); n++ {
		size += text.CodePoints(names[n]) + len(", ")
		if size+len(more(len(names)-n-1)) > maxNames {
			break
		}
	}
	if n == 0 {
		return nil
	}
	return append(names[:n:n], more(len(names)-n))
}

func more(n int) string { return "+" + strconv.Itoa(n) + " more" }
