package awareness

import (
	"math/bits"
	"slices"
	"sort"
)

// State is how much of a file the agent knows.
type State string

const (
	NeverRead     State = "never_read"
	PartialRead   State = "partial_read"
	FullyRead     State = "fully_read"
	ModelAuthored State = "model_authored"
)

// File is what one session has seen of one file. A line is in one of three
// conditions: covered (the agent was shown it, or wrote it), covered but
// changed since (it holds other text than the agent last saw there), or
// unread.
//
// A nil *File is a file the agent never touched.
type File struct {
	lines lineList // the text as the ledger last knew it
	sum   Hash     // of the same text
	known Hash     // of the text at the agent's last look

	covered  set
	redacted set         // shown with secrets masked: not covered
	added    set         // put in by others among what was known: not covered
	parts    map[int]set // long lines shown in part: 1-based byte ranges by line

	// changed lists, ascending, the covered lines that no longer hold what the
	// agent saw there, with the hash of what it saw.
	changed []sight

	authored bool
	shown    bool
	round    int // of the last look

	gone []fragment // lines taken out of the text, the latest last

	// emptied is the record from before others took out every line: a program
	// that writes a file in place empties it first.
	emptied *File
}

// sight is one line as the agent saw it.
type sight struct {
	line int
	hash uint64
}

// fragment is what was known of a run of lines that a change took out. When
// exactly these lines come back between the same neighbours, as by undo, so
// does the knowledge; the same lines elsewhere are lines nobody showed.
type fragment struct {
	hash  uint64     // of the lines and their two neighbours
	known *knowledge // nil if all was covered and nothing changed
}

// knowledge is what is known of a run of lines, counted from 1.
type knowledge struct {
	covered set
	changed []sight
}

// maxFragments bounds how many taken-out runs one file remembers, and
// maxKnowledge how many ranges and sights one of them may have.
const (
	maxFragments = 128
	maxKnowledge = 256
)

// NewFile starts the record of an existing file of which nothing was seen.
func NewFile(p Print) *File {
	return &File{lines: newLineList(p.Lines), sum: p.Sum, known: p.Sum}
}

// NewAuthoredFile starts the record of a file that the agent creates, empty.
func NewAuthoredFile(round int) *File {
	empty := Sum("")
	return &File{sum: empty, known: empty, authored: true, shown: true, round: round}
}

// Sum returns the hash of the text the record stands for.
func (f *File) Sum() Hash { return f.sum }

// Known returns the hash of the text at the agent's last look.
func (f *File) Known() Hash { return f.known }

// Lines returns the line hashes of the text the record stands for. The caller
// must not change them.
func (f *File) Lines() []uint64 { return f.lines.all() }

// Total returns the number of lines.
func (f *File) Total() int { return f.lines.len() }

// Round returns the round of the agent's last look.
func (f *File) Round() int { return f.round }

// State returns how much of the file the agent knows.
func (f *File) State() State {
	switch {
	case f == nil || !f.shown:
		return NeverRead
	case f.authored:
		return ModelAuthored
	case f.covered.contains(Range{1, f.lines.len()}):
		return FullyRead
	case len(f.covered) == 0 && len(f.redacted) == 0 && len(f.parts) == 0:
		return NeverRead
	}
	return PartialRead
}

// Read returns the covered ranges.
func (f *File) Read() []Range {
	if f == nil {
		return nil
	}
	return slices.Clone([]Range(f.covered))
}

// Unread returns the ranges that are not covered.
func (f *File) Unread() []Range { return f.covered.gaps(Range{1, f.lines.len()}) }

// Redacted returns the ranges that were shown with secrets masked.
func (f *File) Redacted() []Range {
	if f == nil {
		return nil
	}
	return slices.Clone([]Range(f.redacted))
}

// Added returns the unread ranges that others put in since, and not in place of
// lines that were unread: to a person they are no gap but a change.
func (f *File) Added() []Range {
	if f == nil {
		return nil
	}
	return slices.Clone([]Range(f.added))
}

// Coverage returns the fraction of lines that are covered, 1 for an empty file
// that was shown.
func (f *File) Coverage() float64 {
	switch {
	case f == nil || !f.shown:
		return 0
	case f.lines.len() == 0:
		return 1
	}
	return float64(f.covered.count()) / float64(f.lines.len())
}

// Changed returns the covered ranges that hold other text than the agent saw.
func (f *File) Changed() []Range {
	if f == nil {
		return nil
	}
	var changed set
	for _, c := range f.changed {
		changed = changed.push(Range{c.line, c.line})
	}
	return changed
}

// Stale reports whether the file changed since the agent's last look.
func (f *File) Stale() bool {
	return f != nil && f.shown && (f.sum != f.known || len(f.changed) > 0)
}

// Show records that the agent was shown the given lines whole, except that
// those also in redacted had secrets masked.
func (f *File) Show(ranges, redacted []Range, round int) {
	all := Range{1, f.lines.len()}
	for _, r := range ranges {
		r = r.clip(all)
		f.cover(r)
	}
	for _, r := range redacted {
		r = r.clip(all)
		f.covered.remove(r)
		f.added.remove(r)
		f.redacted.add(r)
		f.forgetChanges(r)
	}
	f.look(round)
}

// ShowPart records that the agent was shown the bytes [start, end) of a line
// of size bytes. The line is covered once all its bytes were shown.
func (f *File) ShowPart(line, start, end, size, round int) {
	if line < 1 || line > f.lines.len() || start < 0 || start >= end || end > size {
		return
	}
	if f.parts == nil {
		f.parts = make(map[int]set)
	}
	bytes := f.parts[line]
	bytes.add(Range{start + 1, end})
	f.parts[line] = bytes
	if bytes.contains(Range{1, size}) {
		f.cover(Range{line, line})
	}
	f.look(round)
}

func (f *File) look(round int) {
	f.shown, f.known, f.round, f.emptied = true, f.sum, round, nil
}

func (f *File) cover(r Range) {
	f.covered.add(r)
	f.redacted.remove(r)
	f.added.remove(r)
	for line := range f.parts {
		if r.Start <= line && line <= r.End {
			delete(f.parts, line)
		}
	}
	f.forgetChanges(r)
}

// changes returns the indices [i, j) of the changed lines within r.
func (f *File) changes(r Range) (i, j int) {
	if len(f.changed) == 0 {
		return 0, 0
	}
	i = sort.Search(len(f.changed), func(k int) bool { return f.changed[k].line >= r.Start })
	j = i + sort.Search(len(f.changed)-i, func(k int) bool { return f.changed[i+k].line > r.End })
	return i, j
}

func (f *File) forgetChanges(r Range) {
	i, j := f.changes(r)
	f.changed = slices.Delete(f.changed, i, j)
}

// sights returns the lines of r as the agent saw them.
func (f *File) sights(r Range) []uint64 {
	seen := slices.Clone(f.lines.in(r))
	i, j := f.changes(r)
	for _, c := range f.changed[i:j] {
		seen[c.line-r.Start] = c.hash
	}
	return seen
}

func (r Range) clip(all Range) Range {
	r.Start, r.End = max(r.Start, all.Start), min(r.End, all.End)
	if r.End < r.Start {
		return Range{r.Start, r.Start - 1}
	}
	return r
}

// Rebase records that the same text is now written differently in ways that
// are no change for anyone: an editor opened or closed the file and left out a
// byte order mark or added the final line end.
func (f *File) Rebase(sum Hash) {
	if f.known == f.sum {
		f.known = sum
	}
	f.sum = sum
}

// Update aligns the record with the file's present text after changes nobody
// reported. Unchanged lines keep what is known of them and move, replaced
// lines that were covered stay covered and count as changed, inserted lines
// are unread.
func (f *File) Update(p Print) {
	if f.sum != p.Sum {
		f.Change(Align(f.lines.all(), p.Lines), p.Sum, ByOther)
	}
}

// Change moves the record along with a change of the text, whose hash is sum
// afterwards.
//
// Lines the agent wrote are covered. Of lines written by others, those that
// replace covered lines one for one stay covered and count as changed; where
// the numbers of lines differ, the pairs count from the top and what is over
// is unread, and if only part of the replaced lines was covered, all are.
// Lines that come back to where they were, as by undo, regain the coverage
// they had.
//
// If others take out all lines and then put lines in, the text was rewritten,
// and only the difference between the two counts.
func (f *File) Change(hunks []Hunk, sum Hash, by Cause) {
	if by == ByOther && f.emptied != nil && len(hunks) == 1 {
		*f = *f.emptied
		hunks = Align(f.lines.all(), hunks[0].New)
	}
	var before *File
	if total := f.lines.len(); by == ByOther && f.shown && total > 0 && takesAll(hunks, total) {
		before = f.Clone()
	}
	if len(hunks) > 0 {
		f.rewrite(hunks, by)
		f.emptied = before
	}
	if by == ByAgent {
		if !f.shown || f.known == f.sum {
			f.known = sum
		}
		f.shown = f.shown || len(hunks) > 0 // who writes lines sees them
	}
	f.sum = sum
}

// takesAll reports whether hunks leave nothing of total lines.
func takesAll(hunks []Hunk, total int) bool {
	return len(hunks) == 1 && hunks[0].Old == total && len(hunks[0].New) == 0
}

// rewrite replaces the stretch of lines from the first hunk to the last in one
// step, so that many hunks cost no more than one.
func (f *File) rewrite(hunks []Hunk, by Cause) {
	window := Range{hunks[0].Start, hunks[len(hunks)-1].end()}

	// What the window holds afterwards, counted from 1.
	var lineBuf [16]uint64
	var coveredBuf [4]Range
	lines, covered := lineBuf[:0], set(coveredBuf[:0])
	var redacted, added set
	var changed []sight
	keep := func(r Range) {
		shift := len(lines) + 1 - r.Start
		for _, c := range f.covered.within(r) {
			covered = covered.push(Range{c.Start + shift, c.End + shift})
		}
		for _, c := range f.redacted.within(r) {
			redacted = redacted.push(Range{c.Start + shift, c.End + shift})
		}
		for _, c := range f.added.within(r) {
			added = added.push(Range{c.Start + shift, c.End + shift})
		}
		i, j := f.changes(r)
		for _, c := range f.changed[i:j] {
			changed = append(changed, sight{c.line + shift, c.hash})
		}
		lines = append(lines, f.lines.in(r)...)
	}
	next := window.Start
	for _, h := range hunks {
		keep(Range{next, h.Start - 1})
		next = h.end() + 1

		at := len(lines)
		lines = append(lines, h.New...)
		old := Range{h.Start, h.end()}
		if by == ByAgent {
			covered = covered.push(Range{at + 1, at + len(h.New)})
			f.remember(old)
			continue
		}
		known, sights, back := f.inherit(old, h.New)
		for _, r := range known {
			covered = covered.push(Range{r.Start + at, r.End + at})
		}
		if !back && f.isKnown(old) {
			for _, r := range known.gaps(Range{1, len(h.New)}) {
				added = added.push(Range{r.Start + at, r.End + at})
			}
		}
		for _, c := range sights {
			changed = append(changed, sight{c.line + at, c.hash})
		}
		if h.Old != len(h.New) {
			f.remember(old)
		}
	}

	f.moveParts(hunks)
	f.covered.splice(window, len(lines), covered)
	f.redacted.splice(window, len(lines), redacted)
	f.added.splice(window, len(lines), added)
	f.lines.replace(window, lines)

	for k := range changed {
		changed[k].line += window.Start - 1
	}
	i, j := f.changes(window)
	if delta := len(lines) - window.Len(); delta != 0 {
		for k := j; k < len(f.changed); k++ {
			f.changed[k].line += delta
		}
	}
	f.changed = slices.Replace(f.changed, i, j, changed...)
}

// isKnown reports whether each line of r is covered, or was added by others.
func (f *File) isKnown(r Range) bool {
	n := r.Len()
	for _, known := range []set{f.covered, f.added} {
		for _, c := range known.within(r) {
			n -= c.Len()
		}
	}
	return n == 0
}

// inherit returns which of the new lines that replace old are covered, and
// which of those hold other text than the agent saw, all counted from the
// first new line, and whether the new lines were there before.
func (f *File) inherit(old Range, new []uint64) (covered set, changed []sight, back bool) {
	seen := slices.Clone(new)
	known, back := f.recall(old, new)
	if back && known == nil {
		covered = set{{1, len(new)}}
	} else if back {
		covered = slices.Clone(known.covered)
		for _, c := range known.changed {
			seen[c.line-1] = c.hash
		}
	}
	if old.Len() == len(new) || f.covered.contains(old) {
		paired := Range{old.Start, old.Start + min(old.Len(), len(new)) - 1}
		sights := f.sights(paired)
		for _, r := range f.covered.within(paired) {
			r = Range{r.Start - old.Start + 1, r.End - old.Start + 1}
			covered.add(r)
			copy(seen[r.Start-1:r.End], sights[r.Start-1:r.End])
		}
	}
	for i, hash := range seen {
		if hash != new[i] {
			changed = append(changed, sight{i + 1, hash})
		}
	}
	return covered, changed, back
}

// remember keeps what is known of lines that a change takes out.
func (f *File) remember(r Range) {
	i, j := f.changes(r)
	if !f.covered.overlaps(r) || j-i > maxKnowledge {
		return
	}
	g := fragment{hash: f.hashAt(r, f.lines.in(r))}
	if i < j || !f.covered.contains(r) {
		g.known = new(knowledge)
		for _, c := range f.covered.within(r) {
			g.known.covered = g.known.covered.push(Range{c.Start - r.Start + 1, c.End - r.Start + 1})
		}
		for _, c := range f.changed[i:j] {
			g.known.changed = append(g.known.changed, sight{c.line - r.Start + 1, c.hash})
		}
		if len(g.known.covered)+len(g.known.changed) > maxKnowledge {
			return
		}
	}
	if len(f.gone) == maxFragments {
		f.gone = slices.Delete(f.gone, 0, maxFragments/2)
	}
	f.gone = append(f.gone, g)
}

// recall returns what was known of exactly these lines when they last stood in
// place of old.
func (f *File) recall(old Range, lines []uint64) (known *knowledge, ok bool) {
	if len(lines) == 0 || len(f.gone) == 0 {
		return nil, false
	}
	hash := f.hashAt(old, lines)
	for _, g := range slices.Backward(f.gone) {
		if g.hash == hash {
			return g.known, true
		}
	}
	return nil, false
}

// hashAt hashes lines that stand, did or will stand in place of r, together
// with their neighbours there.
func (f *File) hashAt(r Range, lines []uint64) uint64 {
	var above, below uint64
	if r.Start > 1 {
		above = f.lines.at(r.Start - 1)
	}
	if r.End < f.lines.len() {
		below = f.lines.at(r.End + 1)
	}
	h := uint64(len(lines))
	mix := func(l uint64) { h = (bits.RotateLeft64(h, 5) ^ l) * 0x9E3779B97F4A7C15 }
	mix(above)
	for _, l := range lines {
		mix(l)
	}
	mix(below)
	return h
}

// moveParts shifts the partly shown lines with the hunks and drops those that
// a hunk replaced.
func (f *File) moveParts(hunks []Hunk) {
	if len(f.parts) == 0 {
		return
	}
	moved := make(map[int]set, len(f.parts))
	for line, bytes := range f.parts {
		delta, hit := 0, false
		for _, h := range hunks {
			if h.end() < line {
				delta += len(h.New) - h.Old
			} else {
				hit = h.Start <= line && h.Old > 0
				break
			}
		}
		if !hit {
			moved[line+delta] = bytes
		}
	}
	f.parts = moved
}

// Clone returns a copy that shares no memory with f.
func (f *File) Clone() *File {
	c := *f
	c.lines, c.changed = f.lines.clone(), slices.Clone(f.changed)
	c.covered, c.redacted, c.added = slices.Clone(f.covered), slices.Clone(f.redacted), slices.Clone(f.added)
	c.gone = slices.Clone(f.gone)
	if f.emptied != nil {
		c.emptied = f.emptied.Clone()
	}
	c.parts = nil
	for line, bytes := range f.parts {
		if c.parts == nil {
			c.parts = make(map[int]set, len(f.parts))
		}
		c.parts[line] = slices.Clone(bytes)
	}
	return &c
}
