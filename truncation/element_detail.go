package truncation

import (
	"math"
	"slices"
	"sort"
	"unicode/utf8"

	"github.com/acode-ls/acode-ls/internal/text"
)

// This file finds out how much of a structured text can remain.

// knownRuns is how many times as many members as may remain are looked at to
// prefer some of them. An object with more is a map, and each as good as the
// others.
const knownRuns = 4

// marksLimit returns how many characters the marks may take together. They are
// above Limits.Inline, which here as in all strategies bounds what is kept; but
// here there can be a mark in each of many containers.
func marksLimit(l Limits) int { return max(500, l.Inline/4) }

// detail is how much of each container remains.
type detail struct {
	first, last       int // members of each run, and runs of a map
	runs              int // up to which all runs of a container remain
	firstRun, lastRun int // runs of one that has more
	leaves            int // of a wrapper
	characters        int // of each string, and of blanks
	depth             int // of the containers of which members remain
}

// details returns how much of a text is tried, from the most that may remain to
// the least. At first objects are whole, as those of a list of records should
// be, unless they are maps. Then they keep some members, and there are fewer
// elements, but two at least; strings are whole unless they take more than their
// share. Then a wrapper has no more members than another object, and then there
// are fewer members of all, less of long strings and fewer levels of containers.
// Each of the parts is in order of what remains.
func details(l Limits) (parts [3][]detail) {
	all := l.FirstElements + l.LastElements
	for i, how := range []struct{ runs, leaves int }{{knownRuns * all, knownRuns * all}, {all, knownRuns * all}, {all, 0}} {
		now := detail{
			first: l.FirstElements, last: l.LastElements, runs: how.runs, firstRun: l.FirstElements, lastRun: l.LastElements,
			leaves: how.leaves, characters: math.MaxInt, depth: l.MaxDepth,
		}
		parts[i] = append(parts[i], now)
		if i == 0 {
			continue // whole objects are worth neither fewer elements nor cut strings
		}
		now.characters = max(1, l.Inline/4)
		parts[i] = append(parts[i], now)
		for n := fewer(all); n >= 2; n = fewer(n) {
			now.first, now.last = split(n, l)
			parts[i] = append(parts[i], now)
		}
	}
	parts[2] = append(parts[2], lower(parts[2][len(parts[2])-1], l)...)
	return parts
}

// lower returns what is tried after now: nothing remains whole.
func lower(now detail, l Limits) (found []detail) {
	add := func() { found = append(found, now) }
	const short = 64
	for now.characters > short {
		now.characters = max(short, now.characters/2)
		add()
	}
	for n := fewer(now.runs); n >= 2; n = fewer(n) {
		now.runs = n
		now.firstRun, now.lastRun = split(n, l)
		add()
	}
	now.first, now.last = split(1, l)
	now.runs, now.firstRun, now.lastRun = 1, now.first, now.last
	add()
	now.characters = min(now.characters, short/4)
	add()
	for now.depth > 0 {
		now.depth = fewer(now.depth)
		add()
	}
	now.runs, now.first, now.last, now.firstRun, now.lastRun = 0, 0, 0, 0, 0
	add()
	now.characters, now.depth = 0, -1
	add()
	return found
}

// fewer returns the next number to try after n.
func fewer(n int) int { return n - max(1, n/8) }

// split divides n among the first and the last elements as the limits do, but
// if n > 1 gives both one at least that have any.
func split(n int, l Limits) (first, last int) {
	all := l.FirstElements + l.LastElements
	last = n * l.LastElements / all
	if last == 0 && n > 1 && l.LastElements > 0 {
		last = 1
	}
	return n - last, last
}

// choose returns the indexes of the entries of c that remain.
func (d detail) choose(c *container) []int {
	var chosen []int
	for _, run := range d.chooseRuns(c) {
		for i := run.start; i < run.end; i++ {
			if i < run.start+d.first || run.end-d.last <= i {
				chosen = append(chosen, i)
			}
		}
	}
	return chosen
}

// chooseRuns returns the runs of c that remain, as ranges of indexes.
func (d detail) chooseRuns(c *container) []span {
	var runs []span
	for i, e := range c.entries {
		if i == 0 || e.run != c.entries[i-1].run {
			runs = append(runs, span{i, i})
		}
		runs[len(runs)-1].end++
	}
	if c.runs <= d.runs {
		return runs
	}
	first, last := d.firstRun, d.lastRun
	if isMap := len(runs) < c.runs; isMap {
		first, last = min(first, d.first), min(last, d.last)
	}
	chosen := make([]bool, len(runs))
	rest := first + last
	for i, class := range classes(c, runs) {
		n := min(len(class), rest)
		if i == classOfLeaves && len(class) <= d.leaves {
			n = len(class)
		}
		atEnd := 0
		if n < len(class) && n > 0 {
			atEnd = n * last / (first + last)
		}
		for i, run := range class {
			if i < n-atEnd || len(class)-atEnd <= i {
				chosen[run] = true
			}
		}
		rest = max(0, rest-n)
	}
	remaining := runs[:0]
	for i, run := range runs {
		if chosen[i] {
			remaining = append(remaining, run)
		}
	}
	return remaining
}

const classOfLeaves = 1

// classes sorts the runs of a wrapper, which has a few large members and others
// that describe them, by how much they matter: the large ones, then the leaves,
// then the others. In all else the place alone matters.
func classes(c *container, runs []span) (classes [3][]int) {
	const fewLarge = 4 // fewer than so many are larger than that part of c
	for i, run := range runs {
		part, members := c.extent(run)
		class := 2
		switch {
		case len(runs) < c.runs: // a map
		case members == 1 && c.entries[run.start].leaf:
			class = classOfLeaves
		case part.end-part.start > (c.end-c.start)/fewLarge:
			class = 0
		}
		classes[class] = append(classes[class], i)
	}
	if len(classes[0]) == 0 {
		classes[1], classes[2] = nil, allOf(runs)
	}
	return classes
}

// extent returns the part of the text that a run takes, with the separator on
// one side, and how many members it has. Its entries are a range of indexes, and
// either the first member of each run is among them or the last.
func (c *container) extent(run span) (part span, members int) {
	if c.fromEnd {
		before := entry{end: c.start, n: -1}
		if run.start > 0 {
			before = c.entries[run.start-1]
		}
		last := c.entries[run.end-1]
		return span{before.end, last.end}, last.n - before.n
	}
	first, next := c.entries[run.start], entry{start: c.end, n: c.members}
	if run.end < len(c.entries) {
		next = c.entries[run.end]
	}
	return span{first.start, next.start}, next.n - first.n
}

// allOf returns the indexes of the runs.
func allOf(runs []span) []int {
	all := make([]int, len(runs))
	for i := range all {
		all[i] = i
	}
	return all
}

// structured cuts a text by its structure, if it can be made to fit.
func structured(src source, root entry, form notation, opts Options) (best Result, ok bool) {
	var found detail
	fits := func(d detail) bool {
		r, ok := excerptAt(d, src, &root, form, opts)
		if ok {
			best, found = r, d
		}
		return ok
	}
	if !firstFit(details(opts.Limits), fits) {
		return Result{}, false
	}
	// One long string may take what the others leave.
	const steps = 16
	if from := found; from.characters < opts.Limits.Inline {
		sort.Search(steps, func(i int) bool {
			d := from
			d.characters += (opts.Limits.Inline - from.characters) * (steps - i) / steps
			return fits(d)
		})
	}
	return best, true
}

// firstFit calls fits until it finds the first that fits.
func firstFit(parts [3][]detail, fits func(detail) bool) bool {
	for _, part := range parts {
		// The first are what most texts fit, and a search may miss them where a
		// lesser one has more marks.
		first := min(2, len(part))
		if slices.ContainsFunc(part[:first], fits) {
			return true
		}
		rest := part[first:]
		if sort.Search(len(rest), func(i int) bool { return fits(rest[i]) }) < len(rest) {
			return true
		}
	}
	return false
}

// excerptAt returns what remains of a text, and whether that is within the limit
// and shorter than the text.
func excerptAt(d detail, src source, root *entry, form notation, opts Options) (Result, bool) {
	s := src.Text()
	o := outline{
		detail: d, form: form, text: s, ratio: opts.Limits.HeadRatio,
		limit: utf8.UTFMax * opts.Limits.Inline, marks: map[int]string{},
	}
	form.shorten(&o, span{0, root.start})
	o.value(root, 0)
	form.shorten(&o, span{root.end, len(s)})
	o.keep(len(s))
	if o.size > o.limit || o.size == len(s) {
		return Result{}, false
	}
	characters := 0
	for _, k := range o.kept {
		characters += text.CodePoints(s[k.start:k.end])
	}
	if characters > opts.Limits.Inline {
		return Result{}, false
	}
	isOneLine := src.LineAt(root.start) == src.LineAt(root.end-1)
	r := render(src, cut{o.kept, o.mark, opts.Structure && isOneLine}, opts)
	r.Strategy = Element
	r.OmittedElements = o.omitted
	return r, r.TruncatedCharacters <= min(src.characters-1, characters+marksLimit(opts.Limits))
}

func (o *outline) mark(omission Omission) string {
	if m, ok := o.marks[omission.Start]; ok {
		return m
	}
	return clippedMiddle(omission.Characters)
}
