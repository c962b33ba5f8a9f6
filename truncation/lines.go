package truncation

import (
	"slices"

	"github.com/acode-ls/acode-ls/internal/text"
)

// This file keeps the first or the last lines of a text. A line is kept whole,
// or its start if it is longer than MaxLine.

// head keeps the first lines.
func head(src source, opts Options) Result {
	if src.lines() == 1 {
		return oneLine(src, Head, opts)
	}
	return fit(src, Head, opts, func(characters int) cut {
		return firstLines(src, opts, characters, opts.Limits.HeadLines)
	})
}

// tail keeps the last lines.
func tail(src source, opts Options) Result {
	if src.lines() == 1 {
		return oneLine(src, Tail, opts)
	}
	return fit(src, Tail, opts, func(characters int) cut {
		return lastLines(src, opts, characters, opts.Limits.TailLines)
	})
}

// oneLine keeps the start or the end of a text that is one line.
func oneLine(src source, strategy Strategy, opts Options) Result {
	if src.characters <= opts.Limits.Inline {
		return unchanged(src, opts)
	}
	return fit(src, strategy, opts, func(characters int) cut {
		if strategy == Head {
			return startOfText(src, characters)
		}
		return endOfText(src, characters)
	})
}

func startOfText(src source, characters int) cut {
	end, _ := cluster(src.Text(), len(text.Prefix(src.Text(), characters)))
	return cut{kept: []span{{0, end}}}
}

func endOfText(src source, characters int) cut {
	s := src.Text()
	_, start := cluster(s, len(s)-len(text.Suffix(s, characters)))
	return cut{kept: []span{{start, len(s)}}}
}

func firstLines(src source, opts Options, characters, lines int) cut {
	c := newClipping(src, opts)
	for n := 1; n <= min(lines, src.Len()); n++ {
		if !src.isWhole() && src.Start(n+1) >= src.gap.at { // it ends in the gap, perhaps
			if n == 1 {
				return startOfText(src, characters)
			}
			break
		}
		if characters -= c.add(n, characters); characters < 0 {
			break
		}
	}
	return c.cut(opts)
}

func lastLines(src source, opts Options, characters, lines int) cut {
	c := newClipping(src, opts)
	for n := src.Len(); n > max(0, src.Len()-lines); n-- {
		if !src.isWhole() && src.Start(n) <= src.gap.at { // it starts in the gap, perhaps
			if n == src.Len() {
				return endOfText(src, characters)
			}
			break
		}
		if characters -= c.add(n, characters); characters < 0 {
			break
		}
	}
	slices.Reverse(c.lines)
	return c.cut(opts)
}

// clipping collects lines, the long ones without their ends.
type clipping struct {
	src   source
	max   int      // characters of a line, or 0 if none is clipped
	lines [][]span // of each line what is kept
}

func newClipping(src source, opts Options) *clipping {
	c := &clipping{src: src}
	if src.characters > opts.Limits.Inline {
		c.max = min(opts.Limits.MaxLine, opts.Limits.Inline)
	}
	return c
}

// add keeps line n if that takes at most limit characters, and returns how
// many it takes.
func (c *clipping) add(n, limit int) int {
	full := c.src.Full(n)
	size := text.CodePoints(full)
	start, end := c.src.Start(n), c.src.Start(n)+len(full)
	kept := []span{{start, end}}
	if line := c.src.Line(n); c.max > 0 && len(line) > c.max {
		if at := clip(line, c.max); at < len(line) {
			kept = []span{{start, start + at}, {start + len(line), end}}
			size = text.CodePoints(line[:at]) + len(full) - len(line)
		}
	}
	if size <= limit {
		c.lines = append(c.lines, kept)
	}
	return size
}

// clip returns where line is cut so that at most n characters remain, and, with
// the mark, fewer than the line has.
func clip(line string, n int) int {
	all := text.CodePoints(line)
	if all <= n {
		return len(line)
	}
	n = max(0, min(n, all-len(clipped(all))-1))
	at, _ := cluster(line, len(text.Prefix(line, n)))
	return at
}

// cut returns the collected lines, which are in order. What was taken from
// inside a line has a mark of its own.
func (c *clipping) cut(opts Options) cut {
	var kept []span
	inside := map[int]bool{} // by where what is left out of a line starts
	for _, line := range c.lines {
		if len(line) > 1 {
			inside[line[0].end] = true
		}
		for _, k := range line {
			if last := len(kept) - 1; last >= 0 && kept[last].end == k.start {
				kept[last].end = k.end
			} else {
				kept = append(kept, k)
			}
		}
	}
	return cut{kept: kept, mark: func(o Omission) string {
		if inside[o.Start] {
			return clipped(o.Characters)
		}
		return marker(c.src, o, opts)
	}}
}
