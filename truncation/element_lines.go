package truncation

import (
	"slices"
	"strings"
)

// This file treats a text as a list of lines.

// isJSONLines reports whether src is a list of lines each of which is JSON,
// judged by those that may be shown.
func isJSONLines(src source, l Limits) bool {
	seen := 0
	check := func(n int) bool {
		line := strings.Trim(strings.TrimPrefix(src.Line(n), "\ufeff"), " \t\r\n")
		if line == "" || touchesGap(src, n) {
			return true
		}
		seen++
		_, ok := (&jsonText{s: line, limits: l}).root()
		return ok
	}
	first := min(src.Len(), l.FirstElements)
	for n := 1; n <= first; n++ {
		if !check(n) {
			return false
		}
	}
	for n := max(first, src.Len()-l.LastElements) + 1; n <= src.Len(); n++ {
		if !check(n) {
			return false
		}
	}
	return seen >= 2
}

// touchesGap reports whether a part of line n may not be at hand.
func touchesGap(src source, n int) bool {
	return !src.isWhole() && src.Start(n) <= src.gap.at && src.gap.at <= src.Start(n+1)
}

// listOfLines keeps the first and the last lines. If they are too long all
// together, it cuts the longest, unless each is whole or of no use, and if they
// still are, keeps fewer.
func listOfLines(src source, opts Options, whole bool) Result {
	if src.lines() == 1 {
		return textual(src, opts)
	}
	if !src.isWhole() && touchesGap(src, 1) && touchesGap(src, src.Len()) {
		return fallBack(Element, src, opts)
	}
	omitted := 0
	r := fit(src, Element, opts, func(characters int) cut {
		c, all := firstAndLastLines(src, opts, characters, opts.Limits.Inline)
		if !all && (!whole || len(c.lines) == 0) {
			const shortest = 64 // that a line is cut to
			c, _ = firstAndLastLines(src, opts, characters, min(opts.Limits.Inline, max(shortest, opts.Limits.Inline/4)))
		}
		omitted = src.lines() - len(c.lines)
		return c.cut(opts)
	})
	if r.WasTruncated {
		r.OmittedElements = omitted
	}
	return r
}

// firstAndLastLines collects lines, from the outer ones to the inner ones as
// long as they fit, and reports whether they all do. A longer line than width
// is cut.
func firstAndLastLines(src source, opts Options, characters, width int) (c *clipping, all bool) {
	c = &clipping{src: src, max: width}
	first, last := opts.Limits.FirstElements, opts.Limits.LastElements
	if src.isWhole() && first+last > src.Len() {
		first, last = src.Len()-min(last, src.Len()/2), min(last, src.Len()/2)
	}
	head, tail := 0, 0
	var end [][]span // of the last lines, the last first
	for head < first || tail < last {
		n := head + 1
		fromEnd := head == first || tail < last && tail*first < head*last
		if fromEnd {
			n = src.Len() - tail
		}
		if touchesGap(src, n) {
			if fromEnd {
				last = tail
			} else {
				first = head
			}
			continue
		}
		if characters -= c.add(n, characters); characters < 0 {
			break
		}
		if fromEnd {
			tail++
			end = append(end, c.lines[len(c.lines)-1])
			c.lines = c.lines[:len(c.lines)-1]
		} else {
			head++
		}
	}
	slices.Reverse(end)
	c.lines = append(c.lines, end...)
	return c, characters >= 0
}
