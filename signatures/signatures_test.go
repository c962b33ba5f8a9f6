package signatures_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/signatures"
)

// finders are the ways to find declarations, which must agree.
var finders = []struct {
	name     string
	scanOnly bool
}{{"grammar", false}, {"scanner", true}}

// tricky are the languages whose tricky sources are in testdata, with what
// stands before the names that a line declares.
var tricky = []struct{ file, sign string }{
	{"tricky.go", "//= "}, {"tricky.py", "#= "}, {"tricky.ts", "//= "}, {"tricky.tsx", "//= "}, {"tricky.js", "//= "},
}

func TestTricky(t *testing.T) {
	for _, test := range tricky {
		for name, change := range map[string]func(string) string{
			"LF":   func(s string) string { return s },
			"CRLF": func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
			"BOM":  func(s string) string { return "\ufeff" + s },
			"tail": func(s string) string { return strings.TrimRight(s, "\n") },
		} {
			for _, f := range finders {
				t.Run(test.file+"/"+name+"/"+f.name, func(t *testing.T) {
					src := change(read(t, test.file))
					finder := signatures.Finder{ScanOnly: f.scanOnly}
					got := finder.Declarations(src, signatures.Detect(test.file, ""), signatures.Whole)
					if diff := cmp.Diff(wantedLabels(src, test.sign), labels(got)); diff != "" {
						t.Errorf("labels by line (-want +got):\n%s", diff)
					}
				})
			}
		}
	}
}

func read(t testing.TB, file string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// wantedLabels reads the labels that stand behind sign on each line.
func wantedLabels(src, sign string) []string {
	var wanted []string
	for i, line := range strings.Split(src, "\n") {
		_, names, ok := strings.Cut(strings.TrimRight(line, "\r"), sign)
		if !ok {
			continue
		}
		for name := range strings.SplitSeq(names, ", ") {
			wanted = append(wanted, fmt.Sprintf("%d: %s", i+1, name))
		}
	}
	return wanted
}

func labels(declarations []signatures.Declaration) []string {
	var got []string
	for _, d := range declarations {
		got = append(got, fmt.Sprintf("%d: %s", d.Lines.First, d.Label))
	}
	return got
}

// TestAgree compares all fields of what both ways find in the tricky sources.
func TestAgree(t *testing.T) {
	for _, test := range tricky {
		src, lang := read(t, test.file), signatures.Detect(test.file, "")
		var byGrammar signatures.Finder
		byScanner := signatures.Finder{ScanOnly: true}
		if diff := cmp.Diff(byGrammar.Declarations(src, lang, signatures.Whole), byScanner.Declarations(src, lang, signatures.Whole)); diff != "" {
			t.Errorf("%s (-grammar +scanner):\n%s", test.file, diff)
		}
	}
}

// TestDeclarations shows all fields.
func TestDeclarations(t *testing.T) {
	type d = signatures.Declaration
	lines := func(first, last int) signatures.Range { return signatures.Range{First: first, Last: last} }
	for _, test := range []struct {
		lang signatures.Language
		src  string
		want []d
	}{
		{signatures.Go, "package p\n\n// F is.\nfunc F() {\n}\n\nfunc (t *T) m() {}\n", []d{
			{Kind: signatures.Function, Name: "F", Label: "func F()", Lines: lines(4, 5), Exported: true},
			{Kind: signatures.Method, Name: "T.m", Label: "func T.m()", Lines: lines(7, 7)},
		}},
		{signatures.Go, "package p\ntype (\n\tA struct {\n\t\tx int\n\t}\n\tb = A\n\tI interface{}\n)\nconst C = 1\nvar v = 2", []d{
			{Kind: signatures.Struct, Name: "A", Label: "type A", Lines: lines(3, 5), Exported: true},
			{Kind: signatures.Type, Name: "b", Label: "type b", Lines: lines(6, 6)},
			{Kind: signatures.Interface, Name: "I", Label: "type I", Lines: lines(7, 7), Exported: true},
			{Kind: signatures.Constant, Name: "C", Label: "const C", Lines: lines(9, 9), Exported: true},
			{Kind: signatures.Variable, Name: "v", Label: "var v", Lines: lines(10, 10)},
		}},
		{signatures.Python, "@d\ndef f():\n    pass\n\nclass _C:\n    def m(self):\n        pass\n\nX = 1\n", []d{
			{Kind: signatures.Function, Name: "f", Label: "def f()", Lines: lines(2, 3), Exported: true},
			{Kind: signatures.Class, Name: "_C", Label: "class _C", Lines: lines(5, 7)},
			{Kind: signatures.Method, Name: "_C.m", Label: "def _C.m()", Lines: lines(6, 7), Depth: 1},
			{Kind: signatures.Constant, Name: "X", Label: "constant X", Lines: lines(9, 9), Exported: true},
		}},
		{signatures.TypeScript, "@d\nexport class C {\n  m() {\n  }\n}\nconst f = () => {\n};\nnamespace N {\n  export interface I {}\n}\n", []d{
			{Kind: signatures.Class, Name: "C", Label: "class C", Lines: lines(2, 5), Exported: true},
			{Kind: signatures.Method, Name: "C.m", Label: "method C.m()", Lines: lines(3, 4), Depth: 1, Exported: true},
			{Kind: signatures.Function, Name: "f", Label: "const f()", Lines: lines(6, 7)},
			{Kind: signatures.Module, Name: "N", Label: "namespace N", Lines: lines(8, 10)},
			{Kind: signatures.Interface, Name: "N.I", Label: "interface N.I", Lines: lines(9, 9), Depth: 1},
		}},
		{signatures.TypeScript, "export default\nclass C {}\nlet a,\n  b\n", []d{
			{Kind: signatures.Class, Name: "C", Label: "class C", Lines: lines(1, 2), Exported: true},
			{Kind: signatures.Variable, Name: "a", Label: "let a", Lines: lines(3, 3)},
			{Kind: signatures.Variable, Name: "b", Label: "let b", Lines: lines(4, 4)},
		}},
		{signatures.JavaScript, "class C {\n  @d\n  m() {}\n}\n", []d{
			{Kind: signatures.Class, Name: "C", Label: "class C", Lines: lines(1, 4)},
			{Kind: signatures.Method, Name: "C.m", Label: "method C.m()", Lines: lines(3, 3), Depth: 1},
		}},
		{signatures.Go, "package p\nvar (\n\ta,\n\tb int\n)\n", []d{
			{Kind: signatures.Variable, Name: "a", Label: "var a", Lines: lines(3, 4)},
			{Kind: signatures.Variable, Name: "b", Label: "var b", Lines: lines(4, 4)},
		}},
		{signatures.TypeScript, "export default function () {}\n", []d{
			{Kind: signatures.Function, Name: "default", Label: "export default()", Lines: lines(1, 1), Exported: true},
		}},
	} {
		for _, f := range finders {
			finder := signatures.Finder{ScanOnly: f.scanOnly}
			got := finder.Declarations(test.src, test.lang, signatures.Whole)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s: Declarations(%q, %q) (-want +got):\n%s", f.name, test.src, test.lang, diff)
			}
		}
	}
}

// TestHostile gives texts that are no programs. What is certain is found, and
// nothing takes long.
func TestHostile(t *testing.T) {
	deep := strings.Repeat("{", 100_000)
	for _, test := range []struct {
		name string
		lang signatures.Language
		src  string
		want []string // nil: anything
	}{
		{"empty", signatures.Go, "", []string{}},
		{"blank lines", signatures.Python, "\n\n\n", []string{}},
		{"unknown language", "", "func F() {}", []string{}},
		{"language without a way", "cobol", "func F() {}", []string{}},
		{"NUL", signatures.Go, "package p\nfunc F() {}\n\x00\nfunc G() {}\n", nil},
		{"only NULs", signatures.TypeScript, strings.Repeat("\x00", 1000), []string{}},
		{"invalid UTF-8", signatures.Go, "package p\nfunc F() {} // \xff\xfe\n", []string{"2: func F()"}},
		{"error in a body", signatures.Go, "package p\nfunc F() { x := := 1 }\nfunc G() {}\n", []string{"2: func F()", "3: func G()"}},
		{"error in a body", signatures.TypeScript, "function f() { let = = 1; }\nclass C {}\n", []string{"1: function f()", "2: class C"}},
		{"error in a body", signatures.Python, "def f():\n    x = = 1\n\ndef g(): pass\n", []string{"1: def f()", "4: def g()"}},
		{"unterminated string", signatures.Go, "package p\nvar s = \"abc\nfunc G() {}\n", []string{"2: var s", "3: func G()"}},
		{"unterminated template", signatures.JavaScript, "const a = `\nclass C {}\n", nil},
		{"brace that is not closed", signatures.TypeScript, "class A {\n  m() {}\n", []string{"1: class A", "2: method A.m()"}},
		{"a line that goes on", signatures.Python, "x = 1 + \\\n    2\ndef f(): pass\n", []string{"1: variable x", "3: def f()"}},
		{"deep braces", signatures.Go, "package p\nfunc F() " + deep, nil},
		{"deep braces", signatures.TypeScript, "function f() " + deep, nil},
		{"deep brackets", signatures.Python, "x = " + strings.Repeat("[", 100_000), nil},
		{"deep blocks", signatures.Python, deepBlocks(1000), nil},
		{"deep classes", signatures.TypeScript, strings.Repeat("namespace N {\n", 10_000), nil},
		{"deep templates", signatures.JavaScript, strings.Repeat("`${", 50_000), nil},
		{"one long line", signatures.JavaScript, strings.Repeat("function f(){return 1}", 50_000), nil},
		{"one long name", signatures.Go, "package p\nfunc " + strings.Repeat("F", 10_000) + "() {}\n", []string{}},
	} {
		for _, f := range finders {
			t.Run(test.name+"/"+string(test.lang)+"/"+f.name, func(t *testing.T) {
				finder := signatures.Finder{ScanOnly: f.scanOnly}
				got := labels(finder.Declarations(test.src, test.lang, signatures.Whole))
				if test.want != nil && !slices.Equal(test.want, got) {
					t.Errorf("Declarations(%.80q) = %q, want %q", test.src, got, test.want)
				}
			})
		}
	}
}

func deepBlocks(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%sif x:\n", strings.Repeat(" ", i))
	}
	return b.String()
}

func TestWithin(t *testing.T) {
	const src = "package p\n\nfunc A() {\n}\n\nfunc B() {\n}\n\nfunc C() {}\n"
	for _, test := range []struct {
		within signatures.Range
		want   string
	}{
		{signatures.Whole, "func A(), func B(), func C()"},
		{signatures.Range{First: 1, Last: 9}, "func A(), func B(), func C()"},
		{signatures.Range{First: 4, Last: 9}, "func B(), func C()"},
		{signatures.Range{First: 4, Last: 6}, "func B()"},
		{signatures.Range{First: 3, Last: 3}, "func A()"},
		{signatures.Range{First: 4, Last: 5}, ""},
		{signatures.Range{First: 9, Last: 3}, ""},
		{signatures.Range{First: 100, Last: 200}, ""},
		{signatures.Range{First: -5, Last: 3}, "func A()"},
		{signatures.Range{}, ""},
	} {
		var finder signatures.Finder
		if got := signatures.Hint(finder.Declarations(src, signatures.Go, test.within)); got != test.want {
			t.Errorf("declarations of lines %d-%d: %q, want %q", test.within.First, test.within.Last, got, test.want)
		}
	}
}
