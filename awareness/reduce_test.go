package awareness_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/text"
)

// slowEOL returns the one line end of a text, "" if there are none or several.
func slowEOL(s string) string {
	eol := ""
	for _, line := range slowLines(s) {
		end := line[len(trimEOL(line)):]
		if end != "" && eol != "" && end != eol {
			return ""
		}
		eol = cmp.Or(eol, end)
	}
	return eol
}

// slowEdits checks and applies edits the plain way.
func slowEdits(s string, edits []awareness.Edit, eol string) (sorted []awareness.Edit, after string, ok bool) {
	sorted = slices.Clone(edits)
	for i := range sorted { // insertion sort
		for j := i; j > 0; j-- {
			a, b := sorted[j-1], sorted[j]
			if a.Start < b.Start || a.Start == b.Start && a.End <= b.End {
				break
			}
			sorted[j-1], sorted[j] = b, a
		}
	}
	for i, e := range sorted {
		if e.Start < 0 || e.End < e.Start || e.End > len(s) || i > 0 && e.Start < sorted[i-1].End {
			return nil, "", false
		}
		if eol != "" {
			var b strings.Builder
			for _, line := range slowLines(e.New) {
				b.WriteString(trimEOL(line))
				if trimEOL(line) != line {
					b.WriteString(eol)
				}
			}
			sorted[i].New = b.String()
		}
	}
	return sorted, applyEdits(s, sorted), true
}

func checkReduce(t *testing.T, s string, edits []awareness.Edit, replay bool) {
	t.Helper()
	reduce, eol := awareness.Reduce, slowEOL(s)
	if replay {
		reduce, eol = awareness.Replay, ""
	}
	given := slices.Clone(edits)
	c, err := reduce(text.Split(s), edits)
	if !slices.Equal(given, edits) {
		t.Fatalf("Reduce changed its edits from %s to %s", quote(given), quote(edits))
	}
	sorted, after, ok := slowEdits(s, edits, eol)
	if (err == nil) != ok {
		t.Fatalf("Reduce(%q, %s): error %v, want none: %v", s, quote(edits), err, ok)
	}
	if err != nil {
		return
	}
	what := fmt.Sprintf("Reduce(%q, %s) = %+v", s, quote(edits), c.Hunks)
	if c.Before.Text() != s || c.After.Text() != after {
		t.Fatalf("%s: After is %q, want %q", what, c.After.Text(), after)
	}
	if got := applyEdits(s, c.Edits()); got != after {
		t.Fatalf("%s: Edits %s give %q, want %q", what, quote(c.Edits()), got, after)
	}
	old, new := slowLines(s), slowLines(after)
	print := awareness.Fingerprint(text.Split(after)).Lines
	if got := replayHunks(awareness.Fingerprint(text.Split(s)).Lines, c.Hunks); !slices.Equal(got, print) {
		t.Fatalf("%s: the hunks give other lines than those of %q", what, after)
	}
	offsets := []int{0}
	for _, line := range old {
		offsets = append(offsets, offsets[len(offsets)-1]+len(line))
	}
	next, shift := 1, 0
	for i, h := range c.Hunks {
		for n := next; n < h.Start; n++ {
			if old[n-1] != new[n-1+shift] {
				t.Fatalf("%s: line %d is %q and then %q, but in no hunk", what, n, old[n-1], new[n-1+shift])
			}
		}
		if i > 0 && h.Start <= next-1 || h.Old == 0 && len(h.New) == 0 {
			t.Fatalf("%s: hunks out of order or empty", what)
		}
		if got, want := c.Texts[i], strings.Join(new[h.Start-1+shift:h.Start-1+shift+len(h.New)], ""); got != want {
			t.Fatalf("%s: Texts[%d] = %q, want %q", what, i, got, want)
		}
		next = h.Start + h.Old
		shift += len(h.New) - h.Old
		for n := h.Start; n < next; n++ {
			near := func(e awareness.Edit) bool { return e.Start <= offsets[n] && offsets[n-1] <= e.End }
			if !slices.ContainsFunc(sorted, near) {
				t.Fatalf("%s: line %d is modified, but no edit is near", what, n)
			}
		}
		if h.Old > 0 && len(h.New) > 0 && (old[h.Start-1] == new[h.Start-1+shift-len(h.New)+h.Old]) {
			t.Fatalf("%s: line %d stays the same, but is in a hunk", what, h.Start)
		}
	}
	if next <= len(old) && !slices.Equal(old[next-1:], new[next-1+shift:]) {
		t.Fatalf("%s: lines behind the last hunk change", what)
	}
}

func TestReduceRandom(t *testing.T) {
	n := 100_000
	if testing.Short() || raceEnabled {
		n /= 10
	}
	for seed := range uint64(n) {
		c := &choices{rand: rand.New(rand.NewPCG(seed, 3))}
		s := c.anyText()
		checkReduce(t, s, c.edits(s), c.n(2) == 0)
	}
}

// anyText is a text with line ends of one kind or several.
func (c *choices) anyText() string {
	s := c.doc(c.eol())
	for range c.n(4) {
		s += c.doc(c.eol())
	}
	return s
}

func FuzzReduce(f *testing.F) {
	f.Add("a\nb\nc\n", 0, 2, "x", 2, 4, "", false)
	f.Add("a\rbc\nd\n", 2, 3, "", 3, 4, "\n", true)
	f.Add("a\n\nb", 0, 1, "x\r", 1, 2, "", true)
	f.Add("a\r\nb\r\n", 3, 3, "x\n", 6, 6, "y", false)
	f.Fuzz(func(t *testing.T, s string, start1, end1 int, new1 string, start2, end2 int, new2 string, replay bool) {
		edits := []awareness.Edit{{Start: start1, End: end1, New: new1}, {Start: start2, End: end2, New: new2}}
		checkReduce(t, s, edits[:1], replay)
		checkReduce(t, s, edits, replay)
	})
}
