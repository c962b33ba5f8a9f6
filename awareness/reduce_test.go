package awareness_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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

func TestReduce(t *testing.T) {
	tests := []struct {
		name, before string
		edits        []awareness.Edit
		want         []awareness.Edit // whole lines
		after        string
	}{
		{"nothing", "a\nb\n", nil, nil, "a\nb\n"},
		{"C-156 head and tail of an edit stay", "a\nb\nc\nd\n", []awareness.Edit{{0, 8, "a\nB\nc\nd\n"}}, []awareness.Edit{{2, 4, "B\n"}}, "a\nB\nc\nd\n"},
		{"C-156 equal lines in the middle stay", "a\nb\nc\nd\n", []awareness.Edit{{0, 8, "A\nb\nc\nD\n"}}, []awareness.Edit{{0, 2, "A\n"}, {6, 8, "D\n"}}, "A\nb\nc\nD\n"},
		{"an edit within a line", "abc\nd\n", []awareness.Edit{{1, 2, "x"}}, []awareness.Edit{{0, 4, "axc\n"}}, "axc\nd\n"},
		{"two edits in one line", "abc\nd\n", []awareness.Edit{{2, 3, "y"}, {0, 1, "x"}}, []awareness.Edit{{0, 4, "xby\n"}}, "xby\nd\n"},
		{"two at one place, in the given order", "a\n", []awareness.Edit{{2, 2, "x\n"}, {2, 2, "y\n"}}, []awareness.Edit{{2, 2, "x\ny\n"}}, "a\nx\ny\n"},
		{"an edit that undoes itself", "a\nb\n", []awareness.Edit{{0, 2, ""}, {2, 2, "a\n"}}, nil, "a\nb\n"},
		{"a replaced and a deleted line leave the third joined", "a\nb\nc\n", []awareness.Edit{{0, 2, "x"}, {2, 4, ""}}, []awareness.Edit{{0, 6, "xc\n"}}, "xc\n"},
		{"a final line end added", "a\nb", []awareness.Edit{{3, 3, "\n"}}, []awareness.Edit{{2, 3, "b\n"}}, "a\nb\n"},
		{"a final line end removed", "a\nb\n", []awareness.Edit{{3, 4, ""}}, []awareness.Edit{{2, 4, "b"}}, "a\nb"},
		{"into an empty file", "", []awareness.Edit{{0, 0, "x"}}, []awareness.Edit{{0, 0, "x"}}, "x"},
		{"C-192 CRLF", "a\r\nb\r\n", []awareness.Edit{{3, 3, "x\ny\n"}}, []awareness.Edit{{3, 3, "x\r\ny\r\n"}}, "a\r\nx\r\ny\r\nb\r\n"},
		{"C-192 a text of LF gets no CR", "a\nb\n", []awareness.Edit{{2, 2, "x\r\n"}}, []awareness.Edit{{2, 2, "x\n"}}, "a\nx\nb\n"},
		{"C-192 without a final line end", "a\r\nb", []awareness.Edit{{4, 4, "\nx"}}, []awareness.Edit{{3, 4, "b\r\nx"}}, "a\r\nb\r\nx"},
		{"C-192 mixed ends stay as written", "a\r\nb\n", []awareness.Edit{{3, 3, "x\ry\n"}}, []awareness.Edit{{3, 3, "x\ry\n"}}, "a\r\nx\ry\nb\n"},
		{"C-192 only line ends differ", "a\r\nb\n", []awareness.Edit{{0, 5, "a\nb\n"}}, []awareness.Edit{{0, 3, "a\n"}}, "a\nb\n"},
		{"C-185 bytes that are no text", "\xff\xfe\nb\n", []awareness.Edit{{3, 4, "x"}}, []awareness.Edit{{3, 5, "x\n"}}, "\xff\xfe\nx\n"},
		{"a CR meets a LF over a deletion", "a\rb\n\nc\n", []awareness.Edit{{2, 4, ""}}, []awareness.Edit{{0, 5, "a\r\n"}}, "a\r\nc\n"},
		{"a new CR meets a LF", "a\n\nb\r\n", []awareness.Edit{{2, 2, "x\r"}}, []awareness.Edit{{2, 3, "x\r\n"}}, "a\nx\r\nb\r\n"},
		{"a new CR meets the LF of the next edit", "a\nb\r\n", []awareness.Edit{{0, 2, "x\r"}, {2, 2, "\ny\n"}}, []awareness.Edit{{0, 2, "x\r\ny\n"}}, "x\r\ny\nb\r\n"},
		{"an old CR meets the LF of the next edit", "a\rbc\nd\n", []awareness.Edit{{2, 3, ""}, {3, 4, "\n"}}, []awareness.Edit{{0, 5, "a\r\n\n"}}, "a\r\n\nd\n"},
		{"a new CR meets a new LF", "a\n\nb\r\n", []awareness.Edit{{0, 2, "x\r"}, {2, 2, "\ny\n"}}, []awareness.Edit{{0, 2, "x\r\ny\n"}}, "x\r\ny\n\nb\r\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkReduce(t, tt.before, tt.edits, false)
			c, err := awareness.Reduce(text.Split(tt.before), tt.edits)
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(tt.want, c.Edits(), cmpopts.EquateEmpty()); diff != "" || c.After.Text() != tt.after {
				t.Errorf("Reduce(%q, %s) gives %q, want %q; edits (-want +got):\n%s", tt.before, quote(tt.edits), c.After.Text(), tt.after, diff)
			}
		})
	}
	c, err := awareness.Replay(text.Split("a\r\nb\r\n"), []awareness.Edit{{3, 3, "x\n"}})
	if err != nil || c.After.Text() != "a\r\nx\nb\r\n" {
		t.Errorf("Replay made the text %q, %v", c.After.Text(), err)
	}
}

func TestReduceErrors(t *testing.T) {
	for _, tt := range []struct {
		edits []awareness.Edit
		want  string
	}{
		{[]awareness.Edit{{4, 2, ""}}, "edit runs backwards, from byte 4 to 2"},
		{[]awareness.Edit{{-1, 2, ""}}, "edit of bytes -1-2 lies outside the 6 bytes of the file"},
		{[]awareness.Edit{{0, 7, ""}}, "edit of bytes 0-7 lies outside the 6 bytes of the file"},
		{[]awareness.Edit{{2, 4, ""}, {0, 3, "x"}}, "edits overlap at line 2"},
		{[]awareness.Edit{{2, 4, ""}, {2, 4, "x"}}, "edits overlap at line 2"},
	} {
		_, err := awareness.Reduce(text.Split("a\nb\nc\n"), tt.edits)
		if err == nil || err.Error() != tt.want {
			t.Errorf("Reduce(%s): error %v, want %q", quote(tt.edits), err, tt.want)
		}
	}
}
