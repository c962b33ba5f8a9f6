package replay

import (
	"slices"
	"strconv"
	"strings"
)

// This file works out what each file of a conversation held at each moment. A
// recording tells it only in parts, and of what an agent was shown early the
// rest often becomes known late. So all events are gone through before any is
// replayed: a line nobody saw is a line without text until some event tells it.

// step is an event with the text of its file before and after; nil is no file.
type step struct {
	*event
	before, after []*line
	happened      []*line // after the edit, where that is not what the agent meant

	told     bool // the text before was told
	unplaced bool // nothing tells where the edit was made
}

// file is one file on the way through a conversation.
type file struct {
	now   []*line // nil while nothing is known
	open  bool    // there may be more lines
	steps []*step // since it is open: they grow with it
}

// timeline turns the events of one conversation into steps.
func timeline(events []*event) []step {
	files := map[string]*file{}
	wholes := map[string][]*event{} // that tell the text, or change it
	for _, e := range events {
		if e.whole != nil || e.edit != nil {
			wholes[e.path] = append(wholes[e.path], e)
		}
	}
	steps := make([]step, len(events))
	for i, e := range events {
		steps[i].event = e
		if e.path == "" {
			continue
		}
		f := files[e.path]
		if f == nil {
			f = &file{open: true}
			files[e.path] = f
		}
		ahead := wholes[e.path]
		if len(ahead) > 0 && ahead[0] == e {
			ahead = ahead[1:]
			wholes[e.path] = ahead
		}
		f.see(e, ahead)
		steps[i].before, steps[i].after = f.now, f.now
		steps[i].told, e.whole = e.whole != nil, nil // or each edit would hold the file once more
		if e.edit != nil {
			f.edit(&steps[i])
		}
		if f.open {
			f.steps = append(f.steps, &steps[i])
		}
	}
	for _, s := range steps {
		s.settle()
	}
	return steps
}

// see takes over what an event tells of the text before it. If that
// contradicts what was known, somebody else changed the file: to what the first
// event ahead tells of the whole, if that agrees, else as little as possible.
func (f *file) see(e *event, ahead []*event) {
	if e.whole != nil {
		f.become(knownLines(split(*e.whole)), nil)
		return
	}
	if len(e.pieces) > 0 && f.fits(e) {
		f.fill(e)
		return
	}
	var later []*line
	if len(ahead) > 0 && ahead[0].whole != nil {
		later = knownLines(split(*ahead[0].whole))
	}
	if len(e.pieces) == 0 {
		if f.now == nil && later != nil {
			f.become(later, nil)
		}
		return
	}
	if g := (&file{now: later}); later != nil && g.fits(e) {
		f.become(later, nil)
	} else if e.sure {
		open := f.open && e.total == 0
		f.become(f.around(e), later)
		f.open = open // versions before the change stay as they are
	}
}

// become makes lines the present text; later is a version after it, or nil.
func (f *file) become(lines, later []*line) {
	if f.open {
		f.extend(len(lines))
	}
	had := make(map[*line]bool, len(f.now))
	for _, l := range f.now {
		had[l] = true
	}
	f.now = bind(f.now, lines, later)
	for _, l := range f.now {
		if !had[l] {
			l.text = strings.Clone(l.text) // so as not to keep the whole text
		}
	}
	f.open, f.steps = false, nil
}

// extend makes an open file n lines long, now and in the versions that led
// here, unless it is longer.
func (f *file) extend(n int) {
	if n <= len(f.now) {
		return
	}
	more := unknown(n - len(f.now))
	f.now = append(slices.Clip(f.now), more...)
	for _, s := range f.steps {
		for _, lines := range []*[]*line{&s.before, &s.after, &s.happened} {
			if *lines != nil {
				*lines = append(slices.Clip(*lines), more...)
			}
		}
	}
}

// fits reports whether what an event shows can be in the present text.
func (f *file) fits(e *event) bool {
	if f.now == nil {
		return true
	}
	if e.total > 0 && !f.open && e.total != len(f.now) && e.total != f.countable() {
		return false
	}
	for _, p := range e.pieces {
		for i, text := range p.lines {
			at := p.start - 1 + i
			switch {
			case at < len(f.now) && !f.now[at].mayBe(&line{text, true}):
				return false
			case at >= len(f.now) && !f.open && (text != "" || at > len(f.now)):
				return false
			}
		}
	}
	return true
}

// countable is the number of lines as tools count them that do not take what
// is behind a final line end for a line.
func (f *file) countable() int {
	if n := len(f.now); n > 0 && f.now[n-1].says("") {
		return n - 1
	}
	return len(f.now)
}

// fill puts what an event shows into the present text, which it fits. What is
// not sure waits until all is known.
func (f *file) fill(e *event) {
	if f.now == nil {
		f.open = e.total == 0
		f.now = unknown(e.total) // not nil
	}
	last := 0
	for _, p := range e.pieces {
		last = max(last, p.end())
	}
	if f.open {
		f.extend(max(last, e.total))
	}
	if e.total > 0 {
		f.open, f.steps = false, nil
	}
	if e.sure {
		tell(f.now, e.pieces)
	}
}

// tell puts pieces into lines that are not known yet.
func tell(lines []*line, pieces []piece) {
	for _, p := range pieces {
		for i, text := range p.lines {
			if at := p.start - 1 + i; at < len(lines) && !lines[at].known {
				lines[at].text, lines[at].known = text, true
			}
		}
	}
}

// around returns the lines of a text of which only what an event shows is
// known.
func (f *file) around(e *event) []*line {
	last := 0
	for _, p := range e.pieces {
		last = max(last, p.end())
	}
	total := e.total
	if total == 0 {
		total = len(f.now) + f.shift(e)
	}
	lines := unknown(max(total, last))
	tell(lines, e.pieces)
	return lines
}

// shift returns by how many lines what an event shows stands lower than most of
// it stood.
func (f *file) shift(e *event) int {
	places := once(f.now)
	votes := map[int]int{}
	best := 0
	for _, p := range e.pieces {
		for i, text := range p.lines {
			at, ok := places[text]
			if !ok || at < 0 {
				continue
			}
			by := p.start - 1 + i - at
			if votes[by]++; votes[by] > votes[best] {
				best = by
			}
		}
	}
	return best
}

// settle puts what a search or a shell showed into lines that nothing else
// tells of.
func (s step) settle() {
	if !s.sure {
		tell(s.before, s.pieces)
	}
}

// edit works out the text after an edit, as the agent meant it and as it
// happened.
func (f *file) edit(s *step) {
	e := s.edit
	if e.content != nil {
		f.write(s)
		return
	}
	f.placeSnippet(e)
	s.before = f.now
	meant, ok := f.meant(e)
	happened, told := patched(f.now, e.patch)
	switch {
	case !ok && !told:
		s.unplaced = true
		return
	case !ok, told && !e.altered:
		meant = happened
	}
	if !told {
		happened = meant
	}
	s.after, s.happened = meant, happened
	f.now = happened
}

// write is the edit that gives a file all its text.
func (f *file) write(s *step) {
	e := s.edit
	content := split(*e.content)
	if e.created {
		f.now = nil
	} else if !s.told {
		if before, ok := patched(knownLines(content), reversed(e.patch)); ok {
			f.become(before, nil)
		}
	}
	s.before = f.now
	f.now = rewritten(f.now, content)
	s.after, s.happened, f.open, f.steps = f.now, f.now, false, nil
}

// meant returns the text after the edit the agent asked for.
func (f *file) meant(e *edit) ([]*line, bool) {
	if e.span != nil {
		start, end := e.span.start-1, e.span.end
		if f.open {
			f.extend(end)
		}
		end = min(end, len(f.now))
		if start < 0 || end < start {
			return nil, false
		}
		return slices.Concat(f.now[:start], rewritten(f.now[start:end], e.span.text), f.now[end:]), true
	}
	whole := joined(f.now)
	for _, r := range e.texts {
		var ok bool
		if whole, ok = r.apply(whole); !ok {
			return nil, false
		}
	}
	return f.parse(whole), true
}

// apply replaces text as agents' tools do: one place, or all.
func (r replacement) apply(whole string) (string, bool) {
	old := r.found(whole)
	if old == "" {
		return r.new, whole == "" || whole == r.old
	}
	n := 1
	if r.all {
		n = -1
	}
	return strings.Replace(whole, old, r.new, n), strings.Contains(whole, old)
}

// found returns what is really replaced: with a line that is deleted goes its
// line end.
func (r replacement) found(whole string) string {
	if r.new == "" && !strings.HasSuffix(r.old, "\n") && strings.Contains(whole, r.old+"\n") {
		return r.old + "\n"
	}
	return r.old
}

// unseen begins what stands for a line without text; no text holds it.
const unseen = "\x00"

func joined(lines []*line) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		if l.known {
			b.WriteString(l.text)
		} else {
			b.WriteString(unseen + strconv.Itoa(i))
		}
	}
	return b.String()
}

// parse returns the lines of what joined made, after an edit.
func (f *file) parse(whole string) []*line {
	texts := strings.Split(whole, "\n")
	lines := rewritten(f.now, texts)
	for j, text := range texts {
		rest, ok := strings.CutPrefix(text, unseen)
		if !ok {
			continue
		}
		if i, err := strconv.Atoi(rest); err == nil && i < len(f.now) {
			lines[j] = f.now[i]
		}
	}
	return lines
}

// placeSnippet learns what was there before from what a tool showed of the
// lines after, if they are not known.
func (f *file) placeSnippet(e *edit) {
	if len(e.snippet) == 0 || len(e.texts) != 1 || len(e.patch) > 0 {
		return
	}
	r := e.texts[0]
	if old := r.old; old == "" || strings.Contains(joined(f.now), old) {
		return
	}
	for _, p := range e.snippet {
		after := strings.Join(p.lines, "\n")
		if r.new == "" || strings.Count(after, r.new) != 1 {
			continue
		}
		before := piece{p.start, strings.Split(strings.Replace(after, r.new, r.old, 1), "\n")}
		told := &event{pieces: []piece{before}, sure: true}
		if f.now == nil || f.open || before.end() <= len(f.now) {
			f.see(told, nil)
		}
		return
	}
}
