package replay

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// version makes lines of words; "?" is a line nobody knows.
func version(words string) []*line {
	lines := []*line{}
	for _, w := range strings.Fields(words) {
		lines = append(lines, &line{w, w != "?"})
	}
	return lines
}

// kinship writes the lines of a version, with the places in old of those that
// are the same there.
func kinship(old, new []*line) string {
	at := map[*line]int{}
	for i, l := range old {
		at[l] = i + 1
	}
	var out []string
	for _, l := range new {
		word := "?"
		if l.known {
			word = l.text
		}
		if i := at[l]; i > 0 {
			word = fmt.Sprintf("%d:%s", i, word)
		}
		out = append(out, word)
	}
	return strings.Join(out, " ")
}

func TestBind(t *testing.T) {
	for _, test := range []struct{ name, old, new, later, want string }{
		{"same", "a b", "a b", "", "1:a 2:b"},
		{"from nothing", "", "a b", "", "a b"},
		{"to nothing", "a b", "", "", ""},
		{"learned", "? b ?", "a b c", "", "1:a 2:b 3:c"},
		{"kept", "a b c", "? b ?", "", "1:a 2:b 3:c"},
		{"inserted above", "? ? c d", "x y z c d", "", "1:x 2:y z 3:c 4:d"},
		{"taken out above", "? ? ? c d", "y z c d", "", "2:y 3:z 4:c 5:d"},
		{"replaced", "? b ?", "a B c", "", "1:a B 3:c"},
		{"a known line stays where unknown ones can go", "a ? ? d", "? ? d", "", "1:a 3:? 4:d"},
		{"a line that looks like another far away", "? ? ? ? } z", "q } w e } Z", "", "1:q 2:} 3:w 4:e 5:} Z"},
		{"what is there later stays", "a b c", "? ? c", "a X b c", "1:a 2:b 3:c"},
		{"what is not there later goes", "a b c d", "? ? d", "a c d", "1:a 3:c 4:d"},
		{"moved", "a b c", "c a b", "", "c 1:a 2:b"},
		{"one of many alike", "x x a", "x a", "", "2:x 3:a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			old := version(test.old)
			var later []*line
			if test.later != "" {
				later = version(test.later)
			}
			got := kinship(old, bind(old, version(test.new), later))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("bind(%q, %q) (-want +got):\n%s", test.old, test.new, diff)
			}
		})
	}
}

// TestBindLarge has too many lines to compare each with each.
func TestBindLarge(t *testing.T) {
	var old, new []*line
	for i := range 5000 {
		text := fmt.Sprint(i)
		old = append(old, &line{text, true})
		if i%1000 == 500 {
			new = append(new, &line{"new " + text, true})
		}
		new = append(new, &line{text, true})
	}
	kept := map[*line]bool{}
	for _, l := range bind(old, new, nil) {
		kept[l] = true
	}
	for i, l := range old {
		if !kept[l] {
			t.Fatalf("line %d is gone", i+1)
		}
	}
}

func FuzzBind(f *testing.F) {
	f.Add("a b ? c", "a ? c", "a")
	f.Add("? ? x ?", "y x", "")
	f.Add("a a b a", "a b b a", "a b")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		old, new, later := version(a), version(b), version(c)
		if len(old)*len(new)*max(len(later), 1) > 1<<20 {
			return
		}
		places := map[*line]int{}
		for i, l := range old {
			places[l] = i + 1
		}
		before := version(a)
		got := bind(old, new, later)
		if len(got) != len(new) {
			t.Fatalf("%d lines, want %d", len(got), len(new))
		}
		last := 0
		for i, l := range got {
			if want := version(b)[i]; want.known && !l.says(want.text) {
				t.Errorf("line %d says %q, want %q", i+1, l.text, want.text)
			}
			if at := places[l]; at > 0 {
				if at <= last {
					t.Errorf("line %d was line %d, but the one before was line %d", i+1, at, last)
				}
				last = at
			}
		}
		for i, l := range old {
			if before[i].known && !l.says(before[i].text) {
				t.Errorf("line %d of the version before says %q, not %q", i+1, l.text, before[i].text)
			}
		}
	})
}

func TestPatched(t *testing.T) {
	patch := []patchHunk{
		{2, 2, 2, 3, []string{" b", "-c", "+C", "+D"}},
		{5, 1, 6, 0, []string{"-e", `\ No newline at end of file`}},
	}
	const before, after = "a b c d e f", "a b C D d f"
	for _, test := range []struct {
		before string
		patch  []patchHunk
		want   string // empty if the text contradicts the patch
	}{
		{before, patch, after},
		{after, reversed(patch), before},
		{"? ? ? ? ? ?", patch, "? b C D ? ?"},
		{"a b x d e f", patch, ""},
		{"a b c", patch, ""},
		{before, nil, ""},
		{before, []patchHunk{patch[1], patch[0]}, ""},
		{before, []patchHunk{{2, 5, 2, 5, []string{" b"}}}, ""},
		{before, []patchHunk{{-7, 0, 0, 1, []string{"+z"}}}, "z " + before},
	} {
		lines, ok := patched(version(test.before), test.patch)
		got := ""
		if ok {
			got = kinship(nil, lines)
		}
		if got != test.want {
			t.Errorf("patched(%q, %v) = %q, want %q", test.before, test.patch, got, test.want)
		}
	}
}

func TestNumbered(t *testing.T) {
	for _, test := range []struct {
		in   string
		want []piece
	}{
		{"     1→a\n     2→\n", []piece{{1, []string{"a", ""}}}},
		{"     7\tb\r\n     9\tc", []piece{{7, []string{"b"}}, {9, []string{"c"}}}},
		{"Here is:\n3→x→y\n\nThe end", []piece{{3, []string{"x→y"}}}},
		{"1→a\n2→b... [truncated]\n3→c", []piece{{1, []string{"a"}}, {3, []string{"c"}}}},
		{"0→a\n-1→b\n99999999999999999999→c\n5000000→d\n12 e", nil},
	} {
		if diff := cmp.Diff(test.want, numbered(test.in, ""), cmp.AllowUnexported(piece{})); diff != "" {
			t.Errorf("numbered(%q) (-want +got):\n%s", test.in, diff)
		}
	}
}

func TestParseWindow(t *testing.T) {
	for _, test := range []struct {
		in   string
		want window
		ok   bool
	}{
		{"[File: /a b.py (12 lines total)]\n(3 more lines above)\n4:x\n5:\n6: y\n(6 more lines below)\nbash-$",
			window{"/a b.py", 12, []piece{{4, []string{"x", "", " y"}}}}, true},
		{"[File: /a (9 lines total)]\n1:a\n-----\nback\n[File: /a (2 lines total)]\n1:b\n2:c\n3:no line",
			window{"/a", 2, []piece{{1, []string{"b", "c"}}}}, true},
		{"[File: /a (x lines total)]\n1:a", window{}, false},
		{"[File: /a (99999999999 lines total)]\n1:a", window{}, false},
		{"nothing", window{}, false},
	} {
		got, ok := parseWindow(test.in)
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(window{}, piece{})); diff != "" || ok != test.ok {
			t.Errorf("parseWindow(%q) = %v (-want +got):\n%s", test.in, ok, diff)
		}
	}
}

func TestShellWords(t *testing.T) {
	in := `a 'b "c' "d 'e\"\$\n" f\ g '' "" h'i'"j" 'open`
	want := []string{"a", `b "c`, `d 'e"$\n`, "f g", "", "", "hij", "open"}
	if diff := cmp.Diff(want, shellWords(in)); diff != "" {
		t.Errorf("shellWords(%q) (-want +got):\n%s", in, diff)
	}
}
