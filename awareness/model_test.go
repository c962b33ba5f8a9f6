package awareness_test

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/text"
)

// numbered returns the lines "line a" to "line b".
func numbered(a, b int) string {
	var s strings.Builder
	for n := a; n <= b; n++ {
		fmt.Fprintf(&s, "line %d\n", n)
	}
	return s.String()
}

// slowLines splits text one byte at a time, line ends included.
func slowLines(s string) []string {
	var lines []string
	start := 0
	for i := 0; i < len(s); i++ {
		if s[i] == '\n' || s[i] == '\r' {
			if s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n' {
				i++
			}
			lines = append(lines, s[start:i+1])
			start = i + 1
		}
	}
	if start < len(s) {
		lines = append(lines, s[start:])
	}
	return lines
}

func trimEOL(line string) string { return strings.TrimRight(line, "\r\n") }

// model is the truth about one file, kept the slow way: one struct per line
// and whole texts in place of hashes.
type model struct {
	text, known     string
	lines           []modelLine
	authored, shown bool
	round           int
	gone            []modelGone
	emptied         *model // from before others took out every line
}

type modelLine struct {
	text              string // without its end
	covered, redacted bool
	added             bool
	saw               string // what the agent saw here, if covered
	parts             []bool // the bytes shown in part
}

// modelGone is a run of lines that was taken out from between two others.
type modelGone struct {
	lines        []modelLine
	above, below string
}

func newModel(s string) *model {
	m := &model{text: s, known: s}
	for _, line := range slowLines(s) {
		m.lines = append(m.lines, modelLine{text: trimEOL(line)})
	}
	return m
}

func (m *model) look(round int) {
	m.shown, m.known, m.round, m.emptied = true, m.text, round, nil
}

func hashes(s string) []uint64 { return awareness.Fingerprint(text.Split(s)).Lines }

func (m *model) clone() *model {
	c := *m
	c.lines, c.gone = slices.Clone(m.lines), slices.Clone(m.gone)
	for i := range c.lines {
		c.lines[i].parts = slices.Clone(c.lines[i].parts)
	}
	return &c
}

func (m *model) show(ranges, redacted []awareness.Range, round int) {
	for _, r := range ranges {
		for n := max(r.Start, 1); n <= min(r.End, len(m.lines)); n++ {
			m.cover(n)
		}
	}
	for _, r := range redacted {
		for n := max(r.Start, 1); n <= min(r.End, len(m.lines)); n++ {
			l := &m.lines[n-1]
			l.covered, l.redacted, l.added, l.saw = false, true, false, ""
		}
	}
	m.look(round)
}

func (m *model) cover(n int) {
	text := m.lines[n-1].text
	m.lines[n-1] = modelLine{text: text, covered: true, saw: text}
}

func (m *model) showPart(n, start, end, round int) {
	l := &m.lines[n-1]
	if l.parts == nil {
		l.parts = make([]bool, len(l.text))
	}
	for i := start; i < end; i++ {
		l.parts[i] = true
	}
	if !slices.Contains(l.parts, false) {
		m.cover(n)
	}
	m.look(round)
}

// neighbours returns the lines around a hunk, with a mark for the ends of the
// file.
func (m *model) neighbours(h awareness.Hunk) (above, below string) {
	above, below = "\n", "\n"
	if h.Start > 1 {
		above = m.lines[h.Start-2].text
	}
	if next := h.Start + h.Old; next <= len(m.lines) {
		below = m.lines[next-1].text
	}
	return above, below
}

func (m *model) change(hunks []awareness.Hunk, after string, byAgent bool) {
	texts := slowLines(after)
	if !byAgent && m.emptied != nil && len(m.lines) == 0 && after != "" {
		*m = *m.emptied
		hunks = awareness.Align(hashes(m.text), hashes(after))
	}
	var before *model
	if !byAgent && m.shown && after == "" && len(m.lines) > 0 {
		before = m.clone()
	}
	if len(hunks) > 0 {
		m.emptied = before
	}
	var out []modelLine
	next := 1
	for _, h := range hunks {
		out = append(out, m.lines[next-1:h.Start-1]...)
		next = h.Start + h.Old
		old := m.lines[h.Start-1 : next-1]
		above, below := m.neighbours(h)
		gone := modelGone{slices.Clone(old), above, below}

		fresh := make([]modelLine, len(h.New))
		for i := range fresh {
			fresh[i].text = trimEOL(texts[len(out)+i])
			if byAgent {
				fresh[i].covered, fresh[i].saw = true, fresh[i].text
			}
		}
		if !byAgent {
			back := m.recall(fresh, above, below)
			inherit(fresh, old)
			if !back && !slices.ContainsFunc(old, func(l modelLine) bool { return !l.covered && !l.added }) {
				for i := range fresh {
					fresh[i].added = !fresh[i].covered
				}
			}
		}
		if byAgent || len(old) != len(fresh) {
			m.remember(gone)
		}
		out = append(out, fresh...)
	}
	m.lines = append(out, m.lines[next-1:]...)
	if byAgent {
		if !m.shown || m.known == m.text {
			m.known = after
		}
		if len(hunks) > 0 {
			m.shown = true
		}
	}
	m.text = after
}

// inherit gives lines that replace others what was known of those.
func inherit(fresh, old []modelLine) {
	all := true
	for _, l := range old {
		all = all && l.covered
	}
	if len(fresh) != len(old) && !all {
		return
	}
	for i := range min(len(fresh), len(old)) {
		if old[i].covered {
			fresh[i].covered, fresh[i].saw = true, old[i].saw
		}
	}
}

func (m *model) remember(g modelGone) {
	if !slices.ContainsFunc(g.lines, func(l modelLine) bool { return l.covered }) {
		return
	}
	if len(m.gone) == awareness.MaxFragments {
		m.gone = m.gone[awareness.MaxFragments/2:]
	}
	m.gone = append(m.gone, g)
}

// recall gives lines that come back to where they were what was known of them.
func (m *model) recall(fresh []modelLine, above, below string) bool {
	for _, g := range slices.Backward(m.gone) {
		same := g.above == above && g.below == below
		if same && slices.EqualFunc(g.lines, fresh, func(a, b modelLine) bool { return a.text == b.text }) {
			for i, l := range g.lines {
				fresh[i].covered, fresh[i].saw = l.covered, l.saw
			}
			return len(fresh) > 0
		}
	}
	return false
}

// restart forgets what a snapshot does not hold.
func (m *model) restart() {
	m.gone, m.emptied = nil, nil
	for i := range m.lines {
		m.lines[i].parts = nil
	}
}

// ranges returns the runs of lines for which in holds.
func (m *model) ranges(in func(modelLine) bool) []awareness.Range {
	var out []awareness.Range
	for i, l := range m.lines {
		if !in(l) {
			continue
		}
		if n := len(out); n > 0 && out[n-1].End == i {
			out[n-1].End++
		} else {
			out = append(out, awareness.Range{Start: i + 1, End: i + 1})
		}
	}
	return out
}

func isCovered(l modelLine) bool  { return l.covered }
func isUnread(l modelLine) bool   { return !l.covered }
func isRedacted(l modelLine) bool { return l.redacted }
func isAdded(l modelLine) bool    { return l.added }
func isChanged(l modelLine) bool  { return l.covered && l.saw != l.text }
func isPart(l modelLine) bool     { return l.parts != nil }

func (m *model) has(in func(modelLine) bool) bool { return slices.ContainsFunc(m.lines, in) }

func (m *model) stale() bool { return m.shown && (m.text != m.known || m.has(isChanged)) }

func (m *model) state() awareness.State {
	switch {
	case !m.shown:
		return awareness.NeverRead
	case m.authored:
		return awareness.ModelAuthored
	case !m.has(isUnread):
		return awareness.FullyRead
	case m.has(isCovered) || m.has(isRedacted) || m.has(isPart):
		return awareness.PartialRead
	}
	return awareness.NeverRead
}

func (m *model) coverage() float64 {
	if !m.shown {
		return 0
	}
	covered := 0
	for _, l := range m.lines {
		if l.covered {
			covered++
		}
	}
	if len(m.lines) == 0 {
		return 1
	}
	return float64(covered) / float64(len(m.lines))
}

// sound reports whether after can come about without a line that is not
// covered being changed or taken out, and without a line put in where both
// neighbours, or the only one, are not covered: the runs of such lines must
// stand in after, in order, and whole, those at the ends of the text at the
// ends.
func (m *model) sound(after string) bool {
	before, rest := slowLines(m.text), slowLines(after)
	var runs [][]string
	for _, r := range m.ranges(isUnread) {
		runs = append(runs, before[r.Start-1:r.End])
	}
	if len(runs) == 0 {
		return true
	}
	atTop, atEnd := !m.lines[0].covered, !m.lines[len(m.lines)-1].covered
	if atTop && atEnd && len(runs) == 1 {
		return slices.Equal(rest, before)
	}
	if atTop {
		if !slices.Equal(rest[:min(len(runs[0]), len(rest))], runs[0]) {
			return false
		}
		rest, runs = rest[len(runs[0]):], runs[1:]
	}
	if atEnd {
		last := runs[len(runs)-1]
		at := max(0, len(rest)-len(last))
		if !slices.Equal(rest[at:], last) {
			return false
		}
		rest, runs = rest[:at], runs[:len(runs)-1]
	}
	for _, run := range runs {
		at := slices.IndexFunc(starts(rest, run), func(ok bool) bool { return ok })
		if at < 0 {
			return false
		}
		rest = rest[at+len(run):]
	}
	return true
}

// starts says of each place in lines whether run stands there.
func starts(lines, run []string) []bool {
	out := make([]bool, max(0, len(lines)-len(run)+1))
	for at := range out {
		out[at] = slices.Equal(lines[at:at+len(run)], run)
	}
	return out
}

// confined reports whether edits of a text without lone CRs clearly stay
// within covered lines: each line they reach into is covered, as is the line
// behind them where their text does not end one, and for an edit between two
// lines one of these.
func (m *model) confined(edits []awareness.Edit) bool {
	lines := slowLines(m.text)
	offset := 0
	starts := make([]int, len(lines)+1) // the last is the end of the text
	for i, line := range lines {
		starts[i] = offset
		offset += len(line)
	}
	starts[len(lines)] = offset
	covered := func(i int) bool { return i < 0 || i >= len(lines) || m.lines[i].covered }
	lineOf := func(offset int) (line int, atStart bool) {
		for i := range lines {
			if offset < starts[i+1] {
				return i, offset == starts[i]
			}
		}
		if n := len(lines); n > 0 && !strings.HasSuffix(lines[n-1], "\n") {
			return n - 1, false
		}
		return len(lines), true
	}
	for _, e := range edits {
		first, firstAtStart := lineOf(e.Start)
		last, lastAtStart := lineOf(e.End)
		between := e.Start == e.End && firstAtStart && strings.HasSuffix(e.New, "\n") && len(edits) == 1
		if between {
			if len(lines) > 0 && !(first > 0 && m.lines[first-1].covered) && !(first < len(lines) && m.lines[first].covered) {
				return false
			}
			continue
		}
		for i := first; i < last; i++ {
			if !covered(i) {
				return false
			}
		}
		whole := strings.HasSuffix(e.New, "\n") || e.New == "" && firstAtStart
		if (!lastAtStart || !whole || len(edits) > 1) && !covered(last) {
			return false
		}
		if last == len(lines) && first == last && !covered(last-1) { // appends
			return false
		}
	}
	return true
}

// asked returns, of the lines that hunks modify or insert next to, those to be
// read and those shown redacted, and whether the agent knows any of them.
func (m *model) asked(hunks []awareness.Hunk) (unread, masked map[int]bool, overlap bool) {
	unread, masked = map[int]bool{}, map[int]bool{}
	for _, h := range hunks {
		var asks []int
		for n := h.Start; n < h.Start+h.Old; n++ {
			asks = append(asks, n)
		}
		inserts := h.Old == 0
		if inserts {
			for n := max(1, h.Start-1); n <= min(h.Start, len(m.lines)); n++ {
				asks = append(asks, n)
			}
		}
		known, hidden, open := 0, 0, 0
		for _, n := range asks {
			switch l := m.lines[n-1]; {
			case l.covered:
				known++
			case l.redacted:
				hidden++
			default:
				open++
			}
		}
		overlap = overlap || known > 0 || len(asks) == 0
		if inserts && known > 0 {
			continue
		}
		for _, n := range asks {
			l := m.lines[n-1]
			if l.covered {
				continue
			}
			if l.redacted && (!inserts || open == 0) {
				masked[n] = true
			}
			if !l.redacted || !inserts {
				unread[n] = true
			}
		}
	}
	return unread, masked, overlap
}

func slowSum(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }
