package awareness_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/text"
)

var steps = flag.Int("steps", 300_000, "number of steps that TestModelSteps takes")

// choices makes the decisions of a random walk, from a generator or from the
// bytes of a fuzzer.
type choices struct {
	rand  *rand.Rand
	bytes []byte
}

// n returns a number below n, 0 once the bytes are used up.
func (c *choices) n(n int) int {
	if n <= 1 {
		return 0
	}
	if c.rand != nil {
		return c.rand.IntN(n)
	}
	if len(c.bytes) == 0 {
		return 0
	}
	b := int(c.bytes[0])
	c.bytes = c.bytes[1:]
	return b * n >> 8
}

func (c *choices) done() bool { return c.rand == nil && len(c.bytes) == 0 }

// Few and short, so that equal lines and accidental matches are common.
var words = []string{"", "", "a", "a", "b", "b", "c", "}", "}", "\ta", " é世", "key=s3cret", "[REDACTED: KEY]", "\xff", "\v\u2028", "d", "e", "f"}

func (c *choices) word() string { return words[c.n(len(words))] }

func (c *choices) doc(eol string) string {
	var b strings.Builder
	n := c.n(4 + 8*c.n(4))
	for i := range n {
		b.WriteString(c.word())
		if i < n-1 || c.n(4) > 0 {
			b.WriteString(eol)
		}
	}
	return b.String()
}

func (c *choices) eol() string {
	switch c.n(8) {
	case 0:
		return "\r\n"
	case 1:
		return "\r"
	}
	return "\n"
}

// new is text to put in somewhere.
func (c *choices) new() string {
	switch c.n(8) {
	case 0:
		return ""
	case 1:
		return c.word()
	case 2:
		return c.eol()
	case 3:
		return c.eol() + c.word()
	case 4:
		return c.doc(c.eol())
	}
	return c.word() + "\n"
}

// edits returns edits of a text, in order and disjoint unless by chance.
func (c *choices) edits(s string) []awareness.Edit {
	l := text.Split(s)
	lineStart := func() int { return l.Start(1 + c.n(l.Len()+1)) }
	var edits []awareness.Edit
	switch c.n(8) {
	case 0: // the whole document, little changed
		lines := slowLines(s)
		for range 1 + c.n(3) {
			if i := c.n(len(lines) + 1); i < len(lines) {
				lines[i] = c.new()
			} else {
				lines = append(lines, c.new())
			}
		}
		return []awareness.Edit{{Start: 0, End: len(s), New: strings.Join(lines, "")}}
	case 1: // a line between two others
		at := lineStart()
		return []awareness.Edit{{Start: at, End: at, New: c.word() + "\n"}}
	case 2: // lines deleted
		a, b := lineStart(), lineStart()
		return []awareness.Edit{{Start: min(a, b), End: max(a, b)}}
	case 3: // bytes anywhere
		for range 1 + c.n(3) {
			a, b := c.n(len(s)+1), c.n(len(s)+1)
			edits = append(edits, awareness.Edit{Start: min(a, b), End: max(a, b), New: c.new()})
		}
	case 4: // one character
		at := c.n(len(s) + 1)
		edits = append(edits, awareness.Edit{Start: at, End: min(at+c.n(2), len(s)), New: c.new()})
	default: // lines
		at := 1
		for range 1 + c.n(4) {
			if at > l.Len()+1 {
				break
			}
			first := at + c.n(l.Len()+2-at)
			next := first + c.n(min(3, l.Len()+2-first))
			edits = append(edits, awareness.Edit{Start: l.Start(first), End: l.Start(next), New: c.new()})
			at = next + c.n(2)
		}
	}
	return edits
}

// reformat is what a formatter may make of a text.
func (c *choices) reformat(s string) string {
	lines := slowLines(s)
	if len(lines) == 0 {
		return s
	}
	first := c.n(len(lines))
	last := first + c.n(len(lines)-first)
	switch c.n(7) {
	case 0:
		for i := first; i <= last; i++ {
			lines[i] = "\t" + lines[i]
		}
	case 1:
		for i := first; i <= last; i++ {
			lines[i] = strings.TrimLeft(lines[i], "\t ")
		}
	case 2: // splits
		for i := first; i <= last; i++ {
			lines[i] = lines[i][:len(lines[i])/2] + "\n" + lines[i][len(lines[i])/2:]
		}
	case 3: // joins
		for i := first; i < last; i++ {
			lines[i] = trimEOL(lines[i])
		}
	case 4:
		slices.Sort(lines[first : last+1])
	case 5:
		lines = slices.DeleteFunc(lines, func(l string) bool { return trimEOL(l) == "" })
	case 6: // moves a block
		block := slices.Clone(lines[first : last+1])
		lines = slices.Delete(lines, first, last+1)
		lines = slices.Insert(lines, c.n(len(lines)+1), block...)
	}
	return strings.Join(lines, "")
}

// otherEOL gives all lines but the last the same end.
func (c *choices) otherEOL(s string) string {
	eol := c.eol()
	lines := slowLines(s)
	for i := range lines {
		if i < len(lines)-1 {
			lines[i] = trimEOL(lines[i]) + eol
		}
	}
	return strings.Join(lines, "")
}

// walk takes random steps with one file and its model and compares them after
// each.
type walk struct {
	t *testing.T
	*choices
	ledger *awareness.Ledger
	name   string
	f      *awareness.File // nil until touched
	m      *model
	round  int
	past   []string // earlier texts
	log    []string // what was done, for the report of a failure

	judged, blocked, needless int
}

func (w *walk) logf(format string, args ...any) { w.log = append(w.log, fmt.Sprintf(format, args...)) }

func (w *walk) fatalf(format string, args ...any) {
	w.t.Helper()
	from := max(0, len(w.log)-40)
	w.t.Fatalf("%s\nafter %d steps:\n  %s", fmt.Sprintf(format, args...), len(w.log), strings.Join(w.log[from:], "\n  "))
}

func newWalk(t *testing.T, c *choices) *walk {
	w := &walk{t: t, choices: c, ledger: new(awareness.Ledger), name: "f0", round: 1}
	if c.n(5) == 0 {
		w.m = newModel("")
		w.m.authored, w.m.shown, w.m.round = true, true, w.round
		w.f = awareness.NewAuthoredFile(w.round)
		w.logf("authored file")
	} else {
		w.m = newModel(c.doc(c.eol()))
		w.f = awareness.NewFile(awareness.Fingerprint(text.Split(w.m.text)))
		w.logf("file %q", w.m.text)
	}
	w.ledger.Put(w.name, w.f)
	return w
}

func (w *walk) step() {
	switch w.n(16) {
	case 0, 1, 2:
		w.read()
	case 3:
		w.readPart()
	case 4, 5, 6, 7, 8:
		w.agentEdits()
	case 9, 10:
		w.humanEdits()
	case 11:
		w.outside(w.reformat(w.m.text))
	case 12:
		if len(w.past) > 0 {
			w.outside(w.past[w.n(len(w.past))])
		}
	case 13:
		if w.n(4) == 0 {
			w.outside(w.doc(w.eol()))
		} else {
			w.outside(w.otherEOL(w.m.text))
		}
	case 14:
		w.rebase()
	case 15:
		w.housekeeping()
	}
	w.check()
}

func (w *walk) ranges(most int) []awareness.Range {
	var out []awareness.Range
	for range w.n(most + 1) {
		start := w.n(len(w.m.lines)+3) - 1
		out = append(out, awareness.Range{Start: start, End: start + w.n(6)})
	}
	return out
}

func (w *walk) read() {
	w.round += w.n(3)
	ranges, redacted := w.ranges(3), w.ranges(1)
	if w.n(4) > 0 {
		redacted = nil
	}
	w.logf("show %v redacted %v", ranges, redacted)
	w.f.Show(ranges, redacted, w.round)
	w.m.show(ranges, redacted, w.round)
}

func (w *walk) readPart() {
	if len(w.m.lines) == 0 {
		return
	}
	line := 1 + w.n(len(w.m.lines))
	size := len(w.m.lines[line-1].text)
	if size == 0 {
		w.f.ShowPart(line, 0, 0, 0, w.round)
		return
	}
	start := w.n(size)
	end := start + 1 + w.n(size-start)
	w.logf("show bytes %d-%d of line %d", start, end, line)
	w.f.ShowPart(line, start, end, size, w.round)
	w.m.showPart(line, start, end, w.round)
}

// apply makes a change known to both sides.
func (w *walk) apply(hunks []awareness.Hunk, after string, by awareness.Cause) {
	if after != w.m.text {
		w.past = append(w.past, w.m.text)
		if len(w.past) > 8 {
			w.past = w.past[1:]
		}
	}
	w.m.change(hunks, after, by == awareness.ByAgent)
}

func (w *walk) humanEdits() {
	before := text.Split(w.m.text)
	c, err := awareness.Replay(before, w.edits(w.m.text))
	if err != nil {
		return
	}
	w.logf("human: %v gives %q", c.Edits(), c.After.Text())
	w.f.Change(c.Hunks, awareness.Sum(c.After.Text()), awareness.ByOther)
	w.apply(c.Hunks, c.After.Text(), awareness.ByOther)
}

// outside is a change that nobody reports.
func (w *walk) outside(after string) {
	if after == w.m.text {
		return
	}
	p := awareness.Fingerprint(text.Split(after))
	hunks := awareness.Align(w.f.Lines(), p.Lines)
	w.logf("outside: %v gives %q", hunks, after)
	w.f.Update(p)
	w.apply(hunks, after, awareness.ByOther)
}

func (w *walk) rebase() {
	s := w.m.text
	switch {
	case s == "" || strings.HasSuffix(s, "\r"):
		return
	case !strings.HasSuffix(s, "\n"):
		s += "\n"
	case trimEOL(w.m.lines[len(w.m.lines)-1].text) != "":
		s = trimEOL(s)
	}
	w.logf("rebase to %q", s)
	w.f.Rebase(awareness.Sum(s))
	if w.m.known == w.m.text {
		w.m.known = s
	}
	w.m.text = s
}

func (w *walk) housekeeping() {
	switch w.n(5) {
	case 0:
		w.logf("restart")
		f, ok := awareness.Restore(w.f.Snapshot())
		if !ok {
			w.fatalf("Restore of a Snapshot failed")
		}
		w.f = f
		w.ledger.Put(w.name, f)
		w.m.restart()
	case 1:
		w.logf("clone")
		c := w.f.Clone()
		w.f.Show([]awareness.Range{{Start: 1, End: 1 << 20}}, nil, w.round)
		w.f.Change([]awareness.Hunk{{Start: 1, Old: w.f.Total()}}, awareness.Hash{}, awareness.ByOther)
		w.f = c
		w.ledger.Put(w.name, c)
	case 2:
		w.logf("rename")
		to := fmt.Sprintf("f%d", w.n(3))
		w.ledger.Put("f1", awareness.NewAuthoredFile(1))
		w.ledger.Put(w.name, w.f)
		w.ledger.Move(w.name, to)
		w.name = to
	case 3:
		w.ledger.Guarded()
		w.round++
	case 4:
		if w.n(20) == 0 {
			w.logf("forget")
			w.ledger.Forget(w.name)
			w.m = newModel(w.m.text)
			w.f = awareness.NewFile(awareness.Fingerprint(text.Split(w.m.text)))
			w.ledger.Put(w.name, w.f)
		}
	}
}

func (w *walk) check() {
	if got := w.ledger.File(w.name); got != w.f {
		w.fatalf("the ledger holds another record under %s", w.name)
	}
	p := awareness.Fingerprint(text.Split(w.m.text))
	if !slices.Equal(w.f.Lines(), p.Lines) || w.f.Sum() != p.Sum {
		w.fatalf("the record stands for another text than %q", w.m.text)
	}
	w.sameRanges("covered", w.f.Read(), w.m.ranges(isCovered))
	w.sameRanges("unread", w.f.Unread(), w.m.ranges(isUnread))
	w.sameRanges("changed", w.f.Changed(), w.m.ranges(isChanged))
	w.sameRanges("redacted", w.f.Redacted(), w.m.ranges(isRedacted))
	w.sameRanges("added", w.f.Added(), w.m.ranges(isAdded))
	if got, want := w.f.State(), w.m.state(); got != want {
		w.fatalf("State() = %s, want %s", got, want)
	}
	if got, want := w.f.Coverage(), w.m.coverage(); got != want {
		w.fatalf("Coverage() = %v, want %v", got, want)
	}
	if got, want := w.f.Stale(), w.m.stale(); got != want {
		w.fatalf("Stale() = %v, want %v", got, want)
	}
	if got := w.f.Known() == awareness.Sum(w.m.known); w.m.shown && !got {
		w.fatalf("Known() is not the hash of %q", w.m.known)
	}
	if got := w.f.Round(); got != w.m.round {
		w.fatalf("Round() = %d, want %d", got, w.m.round)
	}
	w.checkWhole()
}

func (w *walk) sameRanges(what string, got, want []awareness.Range) {
	w.t.Helper()
	if !slices.Equal(got, want) {
		w.fatalf("%s = %v, want %v", what, got, want)
	}
}

func (w *walk) checkWhole() {
	b := w.f.JudgeWhole(text.Split(w.m.text), awareness.ReasonDelete)
	if ok := !w.m.has(isUnread); (b == nil) != ok {
		w.fatalf("JudgeWhole = %+v, want to pass: %v", b, ok)
	}
	if b != nil && b.Reason == awareness.ReasonDelete {
		w.sameRanges("JudgeWhole asks for", b.Unread, w.m.ranges(isUnread))
	}
	stale := w.m.stale()
	if warning := w.f.Warn(w.round); (warning != nil) != stale {
		w.fatalf("Warn = %+v of a file that is stale: %v", warning, stale)
	}
	if b := w.f.JudgeStale(w.round); (b != nil) != stale {
		w.fatalf("JudgeStale = %+v of a file that is stale: %v", b, stale)
	}
}

// agentEdits judges an edit and, if it passes, applies it. A blocked edit is
// applied now and then all the same, as where the guard only warns.
func (w *walk) agentEdits() {
	before := text.Split(w.m.text)
	edits := w.edits(w.m.text)
	c, err := awareness.Reduce(before, edits)
	if err != nil {
		return
	}
	after := c.After.Text()
	b := w.judge(&c, edits, after)
	w.logf("agent: %s gives %q, %+v", quote(edits), after, b)
	if b != nil && w.n(2) == 0 && len(b.Unread) > 0 {
		w.logf("show %v", b.Unread)
		w.f.Show(b.Unread, nil, w.round)
		w.m.show(b.Unread, nil, w.round)
		if b = w.judge(&c, edits, after); b != nil && b.Reason != awareness.ReasonRedacted {
			w.fatalf("after reading what was asked for: %+v", b)
		}
	}
	if b == nil || w.n(8) == 0 {
		w.f.Change(c.Hunks, awareness.Sum(after), awareness.ByAgent)
		w.apply(c.Hunks, after, awareness.ByAgent)
	}
}

func (w *walk) judge(c *awareness.Change, edits []awareness.Edit, after string) *awareness.Block {
	b := w.f.Judge(c)
	w.judged++
	if got := applyEdits(w.m.text, c.Edits()); got != after {
		w.fatalf("Judge made the edits %s of %q give %q, want %q", quote(edits), w.m.text, got, after)
	}
	placeholder := slices.ContainsFunc(c.Texts, func(s string) bool { return strings.Contains(s, "[REDACTED: ") })
	if placeholder {
		if b == nil || b.Reason != awareness.ReasonPlaceholder {
			w.fatalf("Judge(%s) = %+v, want a refusal of the placeholder", quote(edits), b)
		}
		return b
	}
	sound := w.m.sound(after)
	if b == nil && !sound {
		w.fatalf("Judge let %s of %q pass, which modifies unread lines %v", quote(edits), w.m.text, w.m.ranges(isUnread))
	}
	loneCR := strings.Contains(strings.ReplaceAll(w.m.text+after+"x", "\r\n", ""), "\r")
	if b != nil && !loneCR && w.m.confined(edits) {
		w.fatalf("Judge(%s) of %q = %+v, but only lines of %v are touched", quote(edits), w.m.text, b, w.m.ranges(isCovered))
	}
	if b != nil {
		w.blocked++
		if sound {
			w.needless++
		}
	}
	w.checkBlock(c, b)
	return b
}

// checkBlock compares a verdict with what the hunks imply.
func (w *walk) checkBlock(c *awareness.Change, b *awareness.Block) {
	unread, masked, overlap := w.m.asked(c.Hunks)
	var want awareness.Reason
	switch {
	case len(masked) > 0:
		want = awareness.ReasonRedacted
	case len(unread) == 0:
	case w.m.state() == awareness.NeverRead:
		want = awareness.ReasonNeverRead
	case !overlap:
		want = awareness.ReasonNoCoverage
	default:
		want = awareness.ReasonPartial
	}
	for n := range unread {
		if len(masked) == 0 && !utf8.ValidString(w.m.lines[n-1].text) {
			want = awareness.ReasonBinary
		}
	}
	var got awareness.Reason
	asks := map[int]bool{}
	if b != nil {
		got = b.Reason
		for _, r := range b.Unread {
			for n := r.Start; n <= r.End; n++ {
				asks[n] = true
			}
		}
	}
	if got != want {
		w.fatalf("Judge of %+v refuses for %q, want %q", c.Hunks, got, want)
	}
	if want == awareness.ReasonRedacted || want == awareness.ReasonBinary {
		unread = map[int]bool{}
	}
	if !maps.Equal(asks, unread) {
		w.fatalf("Judge of %+v asks for the lines of %v, want %v", c.Hunks, asks, unread)
	}
}

func quote(edits []awareness.Edit) string {
	var s []string
	for _, e := range edits {
		s = append(s, fmt.Sprintf("[%d,%d)→%q", e.Start, e.End, e.New))
	}
	return strings.Join(s, " ")
}

// applyEdits applies ascending edits, byte by byte.
func applyEdits(s string, edits []awareness.Edit) string {
	var b []byte
	at := 0
	for _, e := range edits {
		b = append(b, s[at:e.Start]...)
		b = append(b, e.New...)
		at = e.End
	}
	return string(append(b, s[at:]...))
}

func TestModelSteps(t *testing.T) {
	left := *steps
	if left == 300_000 && (testing.Short() || raceEnabled) {
		left /= 10
	}
	var judged, blocked, needless int
	for seed := uint64(0); left > 0; seed++ {
		w := newWalk(t, &choices{rand: rand.New(rand.NewPCG(seed, 1))})
		for range min(left, 200) {
			w.step()
			left--
		}
		judged, blocked, needless = judged+w.judged, blocked+w.blocked, needless+w.needless
	}
	t.Logf("%d edits judged, %d blocked, %d of them although another alignment would pass", judged, blocked, needless)
}

func FuzzLedger(f *testing.F) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 2))
		b := make([]byte, 300)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c := &choices{bytes: b[:min(len(b), 1000)]}
		for w := newWalk(t, c); !c.done(); {
			w.step()
		}
	})
}
