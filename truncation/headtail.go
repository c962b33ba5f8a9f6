package truncation

import (
	"math"

	"github.com/acode-ls/acode-ls/internal/text"
)

// headTail keeps the start of the text and the end, whole lines where that
// costs at most half of either part.
func headTail(src source, opts Options) Result {
	if src.characters <= opts.Limits.Inline {
		return unchanged(src, opts)
	}
	return fit(src, HeadTail, opts, func(characters int) cut {
		head := int(math.Round(float64(characters) * opts.Limits.HeadRatio))
		head = min(max(0, head), characters)
		return cut{kept: []span{
			{0, headEnd(src.Lines, head)},
			{tailStart(src.Lines, characters-head), len(src.Text())},
		}}
	})
}

// headEnd returns the offset at which the first n characters of l are best
// cut: after the last line that is whole if half of them remain, else before
// the grapheme cluster that would be cut.
func headEnd(l text.Lines, n int) int {
	s := l.Text()
	end := len(text.Prefix(s, n))
	if end == len(s) {
		return end
	}
	line := l.Start(l.LineAt(end))
	if lost := text.CodePoints(s[line:end]); 2*(n-lost) >= n {
		return line
	}
	start, _ := cluster(s, end)
	return start
}

// tailStart mirrors headEnd for the last n characters.
func tailStart(l text.Lines, n int) int {
	s := l.Text()
	start := len(s) - len(text.Suffix(s, n))
	line := l.Start(l.LineAt(start))
	if line < start {
		line = l.Start(l.LineAt(start) + 1)
	}
	if lost := text.CodePoints(s[start:line]); 2*(n-lost) >= n {
		return line
	}
	_, end := cluster(s, start)
	return end
}
