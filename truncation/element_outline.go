package truncation

import (
	"math"
	"slices"
	"unicode/utf8"

	"github.com/acode-ls/acode-ls/internal/text"
)

// This file chooses what remains of a text that consists of containers in
// containers, whatever its notation is.
//
// The text is read once. For each large container the members are noted that
// may remain: the first and the last. What is inside the small ones is looked
// up when it is known which of them remain.

// largeContainer is the size in bytes from which a container is not read a
// second time.
const largeContainer = 16 << 10

// container is a list of members: an array, an object, or an element of XML
// that has other elements in it. Members that follow each other and are of one
// kind are a run: all of an array, each one of an object, elements of XML with
// the same tag.
type container struct {
	start, end    int // offsets of what is inside
	isObject      bool
	members, runs int
	entries       []entry // the members that may remain, in order
	fromEnd       bool    // of runs only the last members are among them

	list string // what its members are called
	dots int    // from so many on, no member has a name of dots
}

// entry is a member of a container, or the outermost value.
type entry struct {
	start, end int // offsets
	value      int // the offset of what follows its name, if it has one
	n, run     int // how many members, and runs, precede it
	leaf       bool
	inside     *container // nil for a leaf, and for a small container until it is needed
}

// collector gathers the entries of a container while that is read.
type collector struct {
	*container
	first, last int     // members of a run, and runs, that may remain
	known       int     // runs up to which all are noted
	inRun       int     // members of the last run
	tail        []entry // those of the last run that follow the first
	other       entry   // one that cannot remain
}

func newCollector(l Limits, start int, isObject bool) *collector {
	return &collector{
		container: &container{start: start, isObject: isObject, fromEnd: l.FirstElements == 0},
		first:     l.FirstElements,
		last:      l.LastElements,
		known:     knownRuns * (l.FirstElements + l.LastElements),
	}
}

// add notes a member, of which the rest is to be filled in before the next is
// added. startsRun tells whether it starts a run. There is no copy of it, as to
// copy what was just written stalls the processor.
func (c *collector) add(start, value int, startsRun bool) *entry {
	if startsRun || c.members == 0 {
		c.endRun()
		c.runs++
	}
	e := entry{start: start, value: value, n: c.members, run: c.runs - 1}
	c.members++
	c.inRun++
	switch {
	case c.inRun <= c.first:
		c.entries = append(c.entries, e)
		return &c.entries[len(c.entries)-1]
	case c.last == 0:
		c.other = e
		return &c.other
	}
	if len(c.tail) == 2*c.last {
		c.tail = c.tail[:copy(c.tail, c.tail[c.last:])]
	}
	c.tail = append(c.tail, e)
	return &c.tail[len(c.tail)-1]
}

func (c *collector) endRun() {
	c.entries = append(c.entries, c.tail[max(0, len(c.tail)-c.last):]...)
	c.tail, c.inRun = c.tail[:0], 0
	if c.runs > c.known && c.runs%c.known == 0 {
		c.dropRuns()
	}
}

// dropRuns gives up the runs that are neither among the first nor the last.
func (c *collector) dropRuns() {
	from, _ := slices.BinarySearchFunc(c.entries, c.first, byRun)
	to, _ := slices.BinarySearchFunc(c.entries, c.runs-c.last, byRun)
	if from < to {
		c.entries = slices.Delete(c.entries, from, to)
	}
}

func byRun(e entry, run int) int { return e.run - run }

func (c *collector) close(end int) *container {
	c.endRun()
	if c.runs > c.known {
		c.dropRuns()
	}
	c.end = end
	return c.container
}

// notation is how a text writes its containers.
type notation interface {
	// open returns what is inside e, which is no leaf.
	open(e *entry, depth int) *container
	// between returns what of the text between two members is no separator.
	between(start, end int) span
	// gap returns what stands for n members of c, of which the first starts at
	// the offset at. nth counts the gaps in c from 0.
	gap(c *container, at, n, nth int) string
	// replacement returns what stands for all that e has inside, and in place of
	// what.
	replacement(e *entry) (span, string)
	// shorten cuts the long strings in a part of the text that has no members.
	shorten(o *outline, part span)
}

// outline is what remains of a text.
type outline struct {
	detail
	form    notation
	text    string
	ratio   float64        // what the start of a string gets
	limit   int            // bytes above which more than the limit remains
	kept    []span         // what remains up to done
	size    int            // bytes of kept
	done    int            // the offset up to which it is decided
	last    int            // where the last omission starts
	marks   map[int]string // by where omissions start; what has none counts characters
	omitted int            // members
}

// tooLong reports whether too much remains up to the given offset.
func (o *outline) tooLong(at int) bool { return o.size+at-o.done > o.limit }

// omit puts mark in place of a part of the text, after all that was omitted
// before. What adjoins the last of that is one omission with it.
func (o *outline) omit(part span, mark string) {
	o.keep(part.start)
	if o.done == 0 || len(o.kept) > 0 && o.kept[len(o.kept)-1].end == o.done {
		o.last = part.start
	}
	o.marks[o.last] += mark
	o.done = part.end
}

// keep takes over the text up to the given offset.
func (o *outline) keep(end int) {
	if o.done < end {
		o.kept = append(o.kept, span{o.done, end})
		o.size += end - o.done
		o.done = end
	}
}

// value takes over e. If it is a container, it has the given depth.
func (o *outline) value(e *entry, depth int) {
	if e.leaf {
		o.form.shorten(o, span{e.value, e.end})
		return
	}
	c := o.form.open(e, depth)
	o.form.shorten(o, span{e.value, c.start})
	if depth > o.depth {
		part, mark := o.form.replacement(e)
		o.omit(part, mark)
		o.omitted += c.members
		return
	}
	at, n, gaps := c.start, 0, 0 // after the members so far
	for _, i := range o.choose(c) {
		e := &c.entries[i]
		gaps += o.gap(c, span{at, e.start}, e.n-n, gaps)
		o.form.shorten(o, span{e.start, e.value})
		o.value(e, depth+1)
		if at, n = e.end, e.n+1; o.tooLong(at) {
			return
		}
	}
	o.gap(c, span{at, c.end}, c.members-n, gaps)
}

// gap omits the n members in a part of the text, which may be none, and returns
// how many gaps that makes. It keeps them if the mark would be no shorter.
func (o *outline) gap(c *container, part span, n, nth int) int {
	if n == 0 {
		o.form.shorten(o, part)
		return 0
	}
	members := o.form.between(part.start, part.end)
	mark := o.form.gap(c, members.start, n, nth)
	if !longer(o.text[members.start:members.end], text.CodePoints(mark)) {
		mark = ""
	}
	o.form.shorten(o, span{part.start, members.start})
	gaps := 0
	if mark != "" {
		o.omit(members, mark)
		o.omitted += n
		gaps = 1
	}
	o.form.shorten(o, span{members.end, part.end})
	return gaps
}

// dropBlanks leaves out blanks that are too many. As they say nothing, there is
// no mark.
func (o *outline) dropBlanks(blanks span) {
	if blanks.end-blanks.start > o.characters {
		o.omit(blanks, "")
	}
}

// longer reports whether s has more than n characters.
func longer(s string, n int) bool {
	return len(s) > n && (len(s) > utf8.UTFMax*n || text.CodePoints(s) > n)
}

// cutString leaves out the middle of a string that is too long. whole returns
// the start of the unit that holds an offset in the string that starts at
// start, and that must not be parted.
func (o *outline) cutString(str span, whole func(start, at int) int) {
	s := o.text[str.start:str.end]
	if !longer(s, o.characters) {
		return
	}
	head := int(math.Round(float64(o.characters) * o.ratio))
	start, _ := cluster(s, len(text.Prefix(s, head)))
	_, end := cluster(s, len(s)-len(text.Suffix(s, o.characters-head)))
	part := span{whole(str.start, str.start+start), whole(str.start, str.start+end)}
	if part.start < part.end && longer(o.text[part.start:part.end], len(clippedMiddle(part.end-part.start))) {
		o.keep(part.start)
		o.done = part.end
	}
}

// clippedMiddle is the text that stands for the middle of a string.
func clippedMiddle(characters int) string { return clipped(characters) + " " }
