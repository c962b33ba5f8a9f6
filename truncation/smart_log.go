package truncation

import (
	"slices"
	"strings"

	"github.com/acode-ls/acode-ls/internal/text"
)

// This file keeps the failures of a log, its warnings and its end.

// logText is a log.
type logText struct {
	source
	opts   Options
	levels []severity // of each line
}

// parseLog returns nil unless a third of the entries have levels.
func parseLog(src source, opts Options) chooser {
	if opts.InOrder {
		return nil
	}
	l := logText{src, opts, make([]severity, src.Len())}
	entries, leveled := 0, 0
	for i := range l.levels {
		line := src.Full(i + 1)
		if isIndented(line) || line[0] == '\n' || line[0] == '\r' {
			continue
		}
		if entries++; entries == sampled && leveled == 0 {
			return nil
		}
		if v := levelOf(line); v != noLevel {
			l.levels[i] = v
			leveled++
		}
	}
	if leveled < minLeveled || 3*leveled < entries {
		return nil
	}
	return l.choose
}

const (
	minLeveled = 3    // how many entries of a log have levels at least
	sampled    = 1000 // of how many at the start one has a level
	maxMisses  = 1000 // after how many entries that do not fit no more are tried
)

// isIndented reports whether line, which is not empty, starts with a space, as
// entries of a log do not.
func isIndented(line string) bool { return line[0] == ' ' || line[0] == '\t' }

// choose keeps the first two lines and some of the last, then failures, then
// warnings, the latest first but the very first failure before the others, and
// then more of the end.
func (l logText) choose(characters int) cut {
	size := markSize(l.source, l.opts)
	s := newSelection(l.Text(), characters, func(span) int { return size })
	s.addStart(span{0, l.Start(min(2, l.Len()) + 1)}, characters/10)
	l.addEnd(s, s.gap(len(s.kept)), max(characters/5, min(text.CodePoints(l.Full(l.Len())), characters/2)))
	entry := s.left / 4
	if i := slices.Index(l.levels, failure); i >= 0 {
		l.addEntry(s, i+1, entry)
	}
	for _, v := range []severity{failure, warning} {
		misses := 0
		for n := l.Len(); n > 0 && misses < maxMisses; n-- {
			if l.levels[n-1] == v && !l.addEntry(s, n, entry) {
				misses++
			}
		}
		s.close()
	}
	for i := len(s.kept); i >= 0; i-- {
		gap := s.gap(i)
		if start := l.addEnd(s, gap, s.left); gap.start < start && start < gap.end {
			break
		}
	}
	s.close()
	return cut{kept: s.kept}
}

// addEnd keeps as many of the last lines of a gap as fit, and take no more than
// a number of characters. It returns where they start.
func (l logText) addEnd(s *selection, gap span, characters int) int {
	if s.isWithin(gap, characters) && s.add(gap) {
		return gap.start
	}
	end := text.Suffix(s.text[gap.start:gap.end], max(0, min(s.left, s.room, characters)))
	start := gap.end - len(end)
	if n := l.LineAt(start); l.Start(n) < start {
		start = min(l.Start(n+1), gap.end)
	}
	s.add(span{start, gap.end})
	return start
}

// addEntry keeps the entry that starts with line n, or, if it takes more than a
// number of characters, its first and its last lines. It reports whether the
// first line fits.
func (l logText) addEntry(s *selection, n, characters int) bool {
	p := span{l.Start(n), l.Start(l.entryEnd(n) + 1)}
	if s.isWithin(p, characters) {
		return s.add(p)
	}
	first := l.Start(n + 1)
	if !s.add(span{p.start, first}) {
		return false
	}
	s.addStart(span{first, p.end}, characters/2)
	end := text.Suffix(s.text[first:p.end], characters/2)
	if i := strings.IndexByte(end, '\n'); i >= 0 {
		s.add(span{p.end - len(end) + i + 1, p.end})
	}
	return true
}

// entryEnd returns the last line of the entry that starts with line n: of the
// traces of stacks that follow.
func (l logText) entryEnd(n int) int {
	end := n
	exception := strings.HasPrefix(l.Line(n), traceback) // is still to come
	for i := n + 1; i <= l.Len() && l.levels[i-1] == noLevel; i++ {
		line := l.Line(i)
		switch {
		case line == "" && end == i-1:
			continue // what follows may be part of the entry
		case line == "":
			return end
		case isIndented(line):
		case hasAnyPrefix(line, "at ", "Caused by", "Suppressed: ", "... ", "}", "goroutine ", "created by ",
			"During handling of", "The above exception", "stack backtrace:", "--- End of"):
		case i < l.Len() && l.Line(i+1) != "" && isIndented(l.Line(i+1)): // it names what a trace is of
		case exception:
			exception = false
		default:
			return end
		}
		end = i
	}
	return end
}
