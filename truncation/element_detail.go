package truncation

import (
	"math"
	"slices"
	"sort"
	"unicode/utf8"

	"github.com/acode-ls/acode-ls/internal/text"
)

// This file finds out how much of a structured text can remain.

// wholeRuns is how many times as many members as of an array remain of an
// object: with fewer it is a record, which is of use only whole, with more a
// map.
const wholeRuns = 4

// marksLimit returns how many characters the marks may take together, above
// those that are kept.
func marksLimit(l Limits) int { return max(500, l.Inline/4) }

// detail is how much of each container remains.
type detail struct {
	first, last       int // members of each run
	runs              int // up to which all runs of a container remain
	firstRun, lastRun int // runs of one that has more
	characters        int // of each string
	depth             int // of the containers of which members remain
}

// details returns how much of a text is tried, from the most that may remain to
// the least. At first there are fewer elements, but two at least, and their
// objects are whole apart from strings that take more than their share. Then
// there are fewer members of objects, less of long strings and fewer levels of
// containers. Each of the two parts is in order of what remains.
func details(l Limits) (parts [2][]detail) {
	all := l.FirstElements + l.LastElements
	for i, runs := range []int{wholeRuns * all, all} {
		now := detail{
			first: l.FirstElements, last: l.LastElements, firstRun: l.FirstElements, lastRun: l.LastElements,
			runs: runs, characters: math.MaxInt, depth: l.MaxDepth,
		}
		parts[i] = append(parts[i], now)
		now.characters = max(1, l.Inline/4)
		parts[i] = append(parts[i], now)
		for n := fewer(all); n >= 2; n = fewer(n) {
			now.first, now.last = split(n, l)
			if runs > all {
				now.firstRun, now.lastRun = now.first, now.last // of a map, which is a list of its kind
			}
			parts[i] = append(parts[i], now)
		}
	}
	parts[1] = append(parts[1], lower(parts[1][len(parts[1])-1], l)...)
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
	for now.depth > 0 {
		now.depth = fewer(now.depth)
		add()
	}
	now.first, now.last = split(1, l)
	now.runs, now.firstRun, now.lastRun = 1, now.first, now.last
	now.characters = min(now.characters, short/4)
	add()
	now.depth = -1
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
	chosen := make([]bool, len(runs))
	rest := d.firstRun + d.lastRun
	for _, class := range d.classes(c, runs) {
		first, last := len(class), 0
		if len(class) > rest {
			last = min(d.lastRun, rest*d.lastRun/(d.firstRun+d.lastRun))
			first = rest - last
		}
		for i, run := range class {
			if i < first || len(class)-last <= i {
				chosen[run] = true
			}
		}
		rest -= first + last
	}
	remaining := runs[:0]
	for i, run := range runs {
		if chosen[i] {
			remaining = append(remaining, run)
		}
	}
	return remaining
}

// classes sorts the runs by how much they matter: what most of the container
// is, then the leaves that describe it, then the others. Of a container with so
// many runs that they are not all known the place alone matters.
func (d detail) classes(c *container, runs []span) [3][]int {
	var classes [3][]int
	for i, run := range runs {
		first, last := c.entries[run.start], c.entries[run.end-1]
		class := 2
		switch {
		case len(runs) < c.runs:
		case last.end-first.start > (c.end-c.start)/2:
			class = 0
		case first.leaf && run.end-run.start == 1:
			class = 1
		}
		classes[class] = append(classes[class], i)
	}
	return classes
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
func firstFit(parts [2][]detail, fits func(detail) bool) bool {
	for _, part := range parts {
		// The first are what most texts fit, and a search may miss them where a
		// lesser one has more marks.
		const first = 2
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
	if o.size > o.limit || len(o.marks) == 0 {
		return Result{}, false
	}
	characters := 0
	for _, k := range o.kept {
		characters += text.CodePoints(s[k.start:k.end])
	}
	if characters > opts.Limits.Inline {
		return Result{}, false
	}
	r := render(src, cut{o.kept, o.mark}, opts)
	r.Strategy = Element
	r.OmittedElements = o.omitted
	return r, r.TruncatedCharacters <= min(src.characters-1, characters+marksLimit(opts.Limits))
}

func (o *outline) mark(omission Omission) string {
	if m := o.marks[omission.Start]; m != "" {
		return m
	}
	return clippedMiddle(omission.Characters)
}
