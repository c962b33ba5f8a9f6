package truncation_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/truncation"
)

// function returns a function of n lines with a blank line after it.
func function(name string, n int) string {
	return "func " + name + "() {\n" + strings.Repeat("\tstatement()\n", n-2) + "}\n\n"
}

// functions returns the units of a text: every line that starts with "func" and
// those up to the next "}". Names with a capital are exported.
func functions(s string, firstLine int) []truncation.Unit {
	var units []truncation.Unit
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		rest, ok := strings.CutPrefix(line, "func ")
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(rest, "(")
		end := i + slices.Index(lines[i:], "}")
		units = append(units, truncation.Unit{
			Name: name, Kind: "functions", Exported: 'A' <= name[0] && name[0] <= 'Z',
			Lines: truncation.Range{First: firstLine + i, Last: firstLine + end},
		})
	}
	return units
}

func TestSmartCode(t *testing.T) {
	imports := "import a\nimport b\n\n"
	comment := "// comment\n// of two lines\n"
	decorators := "@one\n@two(\n\tx,\n)\n"
	block := "/*\n * A block.\n\n * Of a few lines.\n */\n"
	table := "var table = []int{\n" + strings.Repeat("\t1,\n", 100) + "}\n\n"
	tests := []struct {
		name   string
		text   string
		inline int
		want   string
	}{
		{"both ends", imports + function("a", 5) + function("b", 9) + function("c", 9) + function("d", 5), 200,
			imports + function("a", 5) + "... [2 functions omitted: b, c] ...\n" + "\n" + function("d", 5)},
		{"exported first", imports + function("a", 15) + function("B", 15) + function("c", 15) + function("D", 15) + function("e", 15), 600,
			imports + "... [1 functions omitted: a] ...\n\n" + function("B", 15) + "... [1 functions omitted: c] ...\n\n" + function("D", 15) + "... [1 functions omitted: e] ..."},
		{"one that fits", imports + function("A", 50) + function("B", 50) + function("c", 5) + function("d", 5), 190,
			imports + "... [2 functions omitted: A, B] ...\n\n" + function("c", 5) + function("d", 5)},
		{"comments and decorators", function("a", 5) + function("b", 40) + comment + decorators + block + function("d", 5), 220,
			function("a", 5) + "... [1 functions omitted: b] ...\n\n" + comment + decorators + block + function("d", 5)},
		{"a third for what comes first", strings.Repeat("import a\n", 30) + "\n" + function("a", 5) + function("b", 50), 150,
			strings.Repeat("import a\n", 5) + "... [25 lines / 225 chars omitted] ...\n\n" + function("a", 5) + "... [1 functions omitted: b] ..."},
		{"no end of line", function("a", 50) + function("b", 5) + strings.Repeat("x", 100), 200, "... [1 functions omitted: a] ...\n\n" + function("b", 5) + strings.Repeat("x", 100)},
		{"text between those that remain", function("a", 5) + "x = 1\n\n" + function("b", 5) + table + function("c", 50), 250,
			function("a", 5) + "x = 1\n\n" + function("b", 5) + "... [1 functions omitted: c] ..."},
		{"a start of what lies between", function("a", 5) + table + function("b", 5), 250,
			function("a", 5) + "var table = []int{\n" + strings.Repeat("\t1,\n", 30) + "... [71 lines / 282 chars omitted] ...\n\n" + function("b", 5)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, first := range []int{1, 501} {
				opts := limits(tt.inline, 0.6)
				opts.FirstLine = first
				opts.Units = func() []truncation.Unit { return functions(tt.text, first) }
				r := smart(t, tt.text, opts)
				if diff := cmp.Diff(tt.want, r.Content); diff != "" || r.Strategy != truncation.Smart {
					t.Errorf("strategy %s (-want +got):\n%s", r.Strategy, diff)
				}
			}
		})
	}
}

func TestSmartCodeNotice(t *testing.T) {
	s := function("a", 5) + function("b", 40) + function("c", 5)
	opts := limits(150, 0.6)
	opts.FirstLine, opts.Notice = 11, true
	opts.Units = func() []truncation.Unit { return functions(s, 11) }
	want := function("a", 5) + "... [1 functions omitted: b] ...\n[Lines 17-56 truncated]\n\n" + function("c", 5)
	if diff := cmp.Diff(want, smart(t, s, opts).Content); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSmartCodeNames(t *testing.T) {
	unit := func(name, kind string) truncation.Unit { return truncation.Unit{Name: name, Kind: kind} }
	long := strings.Repeat("n", 501)
	var many, exact []truncation.Unit
	var list, exactList []string
	for i := range 60 {
		name := fmt.Sprintf("nameOf%03d", i)
		many = append(many, unit(name, "classes"))
		list = append(list, name)
	}
	for i := range 50 { // 50 names of 8 characters and 49 commas are 498 characters
		exact = append(exact, unit(fmt.Sprintf("ident%03d", i), "methods"))
		exactList = append(exactList, exact[i].Name)
	}
	tests := []struct {
		name  string
		units []truncation.Unit
		want  string
	}{
		{"kinds", []truncation.Unit{unit("a", "functions"), unit("b", "classes")}, "... [2 declarations omitted: a, b] ..."},
		{"no kind", []truncation.Unit{unit("a", ""), unit("b", "")}, "... [2 declarations omitted: a, b] ..."},
		{"no name", []truncation.Unit{unit("", "classes"), unit("b", "classes")}, "... [2 classes omitted: b] ..."},
		{"no names", []truncation.Unit{unit("", "classes"), unit(" ", "classes")}, "... [2 classes omitted] ..."},
		{"lines in a name", []truncation.Unit{unit("a\r\n  b", "classes")}, "... [1 classes omitted: a b] ..."},
		{"many", many, "... [60 classes omitted: " + strings.Join(list[:44], ", ") + ", +16 more] ..."},
		{"exactly as many as fit", exact, "... [50 methods omitted: " + strings.Join(exactList, ", ") + "] ..."},
		{"too long a name", []truncation.Unit{unit(long, "classes"), unit("b", "classes")}, "... [2 classes omitted] ..."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := "first\n" + strings.Repeat("body\n", 200*len(tt.units)) + "last\n"
			opts := limits(50, 0.6)
			opts.Units = func() []truncation.Unit {
				units := []truncation.Unit{{Name: "first", Kind: "functions", Lines: truncation.Range{First: 1, Last: 1}, Exported: true}}
				for i, u := range tt.units {
					u.Lines = truncation.Range{First: 200*i + 2, Last: 200*i + 201}
					units = append(units, u)
				}
				last := 200*len(tt.units) + 2
				return append(units, truncation.Unit{Name: "last", Kind: "functions", Lines: truncation.Range{First: last, Last: last}, Exported: true})
			}
			want := "first\n" + tt.want + "\nlast\n"
			if got := smart(t, s, opts).Content; got != want {
				t.Errorf("Truncate = %q, want %q", got, want)
			}
		})
	}
}

// TestSmartCodeFallsBack covers declarations that do not help.
func TestSmartCodeFallsBack(t *testing.T) {
	s := function("a", 50)
	for name, units := range map[string][]truncation.Unit{
		"none":        {},
		"too long":    functions(s, 1),
		"after it":    functions(s, 1000),
		"before it":   functions(s, -1000),
		"upside down": {{Name: "a", Lines: truncation.Range{First: 9, Last: 8}}},
	} {
		opts := limits(100, 0.6)
		opts.Units = func() []truncation.Unit { return units }
		if r := smart(t, s, opts); r.FallbackFrom != truncation.Smart {
			t.Errorf("%s: %+v, want a fallback", name, r)
		}
	}
}

// TestBlankLinesOfOthers covers declarations that start and end with blank lines.
func TestBlankLinesOfOthers(t *testing.T) {
	s := "a\n" + strings.Repeat("b\n", 99) + "\n" + "c\n" + "\n" + strings.Repeat("d\n", 99)
	opts := limits(80, 0.6)
	opts.Units = func() []truncation.Unit {
		return []truncation.Unit{
			{Name: "a", Kind: "types", Lines: truncation.Range{First: 1, Last: 1}},
			{Name: "b", Kind: "types", Lines: truncation.Range{First: 2, Last: 101}},
			{Name: "c", Kind: "types", Lines: truncation.Range{First: 102, Last: 102}},
			{Name: "d", Kind: "types", Lines: truncation.Range{First: 103, Last: 202}},
		}
	}
	want := "a\n... [1 types omitted: b] ...\nc\n... [1 types omitted: d] ..."
	if got := smart(t, s, opts).Content; got != want {
		t.Errorf("Truncate = %q, want %q", got, want)
	}
}

// randomUnits returns code and units for it, which need not make sense.
func randomUnits(r *rand.Rand) (string, []truncation.Unit) {
	var b strings.Builder
	for range r.IntN(15) {
		for range r.IntN(6) {
			b.WriteString([]string{"import x\n", "// comment\n", "@decorator(\n", ")\n", "\n", "/* a\n", " */\n", "x = \"äöü\"\n"}[r.IntN(8)])
		}
		b.WriteString(function(string(rune('A'+r.IntN(58))), 2+r.IntN(10)))
	}
	s := b.String()
	units := functions(s, 1)
	for i := range units {
		if r.IntN(5) == 0 {
			units[i].Lines.First += r.IntN(20) - 10
			units[i].Lines.Last += r.IntN(20) - 10
			units[i].Kind = "classes"
		}
		if r.IntN(5) == 0 {
			units[i].Name = strings.Repeat(units[i].Name, r.IntN(600))
		}
	}
	r.Shuffle(len(units)/3, func(i, j int) { units[i], units[j] = units[j], units[i] })
	return s, units
}

func checkRandomUnits(t *testing.T, seed uint64, inline int) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 5))
	s, units := randomUnits(rnd)
	opts := limits(inline, 0.6)
	opts.Notice = rnd.IntN(2) == 0
	opts.Units = func() []truncation.Unit { return units }
	r := smart(t, s, opts)
	if r.Strategy != truncation.Smart {
		return
	}
	// Functions that do not overlap and are in place are whole or omitted.
	whole := 0
	for i, u := range units {
		overlaps := u.Lines.Len() < 1 || u.Lines.First < 1
		for j, v := range units {
			overlaps = overlaps || i != j && u.Lines.First <= v.Lines.Last && v.Lines.First <= u.Lines.Last
		}
		shown := 0
		for _, lines := range r.Shown {
			shown += max(0, min(lines.Last, u.Lines.Last)-max(lines.First, u.Lines.First)+1)
		}
		if shown == u.Lines.Len() {
			whole++
		} else if !overlaps && shown > 0 && u.Lines.Last <= strings.Count(s, "\n") {
			t.Errorf("seed %d, limit %d: %d lines of %+v are shown in\n%s", seed, inline, shown, u, r.Content)
		}
	}
	if whole == 0 {
		t.Errorf("seed %d, limit %d: no whole unit in\n%s", seed, inline, r.Content)
	}
}

func TestRandomUnits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		checkRandomUnits(t, r.Uint64(), 1+r.IntN(1000))
	}
}

func FuzzSmartCode(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, 50+50*int(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, inline int) {
		if inline < 1 {
			return // not a valid limit
		}
		checkRandomUnits(t, seed, 1+inline%2000)
	})
}
