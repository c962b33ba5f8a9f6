package signatures_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/signatures"
)

// variants are changes of a text that its declarations do not depend on.
var variants = map[string]func(string) string{
	"LF":   func(s string) string { return s },
	"CRLF": func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
	"tail": func(s string) string { return strings.TrimRight(s, "\n") },
}

// checkTricky compares what is found in the files of testdata with what is
// written on their lines.
func checkTricky(t *testing.T, sign map[string]string) {
	for _, file := range slices.Sorted(maps.Keys(sign)) {
		for _, name := range slices.Sorted(maps.Keys(variants)) {
			t.Run(file+"/"+name, func(t *testing.T) {
				src := variants[name](read(t, file))
				var finder signatures.Finder
				got := finder.Declarations(src, signatures.Detect(file, ""), signatures.Whole)
				if diff := cmp.Diff(wantedLabels(src, sign[file]), labels(got)); diff != "" {
					t.Errorf("labels by line (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// TestScannedLanguages is for languages that are read without a grammar.
func TestScannedLanguages(t *testing.T) {
	checkTricky(t, map[string]string{
		"tricky.c": "//= ", "tricky.hpp": "//= ", "tricky.lua": "--= ", "tricky.sql": "--= ", "tricky.proto": "//= ",
		"tricky.toml": "#= ", "tricky.tf": "#= ", "tricky.yaml": "#= ",
	})
}

// described is a text with what it declares: "first-last depth kind name |
// label", with a "+" behind the depth of what is exported.
type described struct {
	lang signatures.Language
	src  string
	want []string
}

func checkDescribed(t *testing.T, tests []described) {
	t.Helper()
	for _, test := range tests {
		var finder signatures.Finder
		var got []string
		for _, d := range finder.Declarations(test.src, test.lang, signatures.Whole) {
			exported := ""
			if d.Exported {
				exported = "+"
			}
			got = append(got, fmt.Sprintf("%d-%d %d%s %s %s | %s", d.Lines.First, d.Lines.Last, d.Depth, exported, d.Kind, d.Name, d.Label))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("Declarations(%q, %q) (-want +got):\n%s", test.src, test.lang, diff)
		}
	}
}

func TestC(t *testing.T) {
	checkDescribed(t, []described{
		{signatures.C, "#define MAX(a, b) \\\n\t(a)\nstatic int f(void)\n{\n}\nint g(void);\n", []string{
			"1-2 0+ macro MAX | #define MAX",
			"3-5 0 function f | function f()",
			"6-6 0+ function g | function g()",
		}},
		{signatures.C, "struct s {\n\tint a;\n} x;\ntypedef enum { A } e;\n", []string{
			"1-3 0+ struct s | struct s",
			"1-3 0+ variable x | variable x",
			"4-4 0+ type e | typedef e",
		}},
		{signatures.C, "int f(int class, int template) { return new; }\n", []string{"1-1 0+ function f | function f()"}},
		{signatures.C, "f(1);\nreturn g(2);\nx = h(3);\ny->z(4);\nif (a) { b(5); }\nfor (;;) c(6);\n", nil},
		{signatures.C, "int f(void) {\n#if A\n}\n#else\n}\n#endif\nint g(void) {\n}\n", []string{
			"1-6 0+ function f | function f()",
			"7-8 0+ function g | function g()",
		}},
		{signatures.C, "int f(int a", nil},
		{signatures.C, "#if 0\n'\n#endif\nint f(void) { return '\\''; }\n", []string{"4-4 0+ function f | function f()"}},
	})
}

func TestCPlusPlus(t *testing.T) {
	checkDescribed(t, []described{
		{signatures.CPlusPlus, "namespace n {\nclass C {\n\tint hidden();\npublic:\n\tC();\n};\n}\nC::C() {\n}\n", []string{
			"1-7 0+ module n | namespace n",
			"2-6 1+ class C | class C",
			"3-3 2 method C::hidden | method C::hidden()",
			"5-5 2+ method C::C | method C::C()",
			"8-9 0+ method C::C | method C::C()",
		}},
		{signatures.CPlusPlus, "namespace {\nint f() { return a < b; }\n}\n", []string{"2-2 1 function f | function f()"}},
		{signatures.CPlusPlus, "int a = f(1), b(2);\nstd::string s(\"x\");\n", []string{
			"1-1 0+ variable a | variable a",
			"1-1 0+ variable b | variable b",
			"2-2 0+ variable s | variable s",
		}},
		{signatures.CPlusPlus, "template <class T>\nconcept Small = sizeof(T) < 4;\nextern template class X<int>;\nexport module m;\n", []string{
			"2-2 0+ type Small | concept Small",
		}},
		{signatures.CPlusPlus, "class A {\npublic slots:\n\tvoid f();\n};\n@interface B\n- (void)no;\n@end\n", []string{
			"1-4 0+ class A | class A",
			"3-3 1+ method A::f | method A::f()",
		}},
	})
}

func TestMarkdown(t *testing.T) {
	checkDescribed(t, []described{
		{signatures.Markdown, "# A\ntext\n## B ##\n\n# C#\n", []string{
			"1-3 0+ heading A | # A",
			"3-3 1+ heading B | ## B",
			"5-5 0+ heading C# | # C#",
		}},
		{signatures.Markdown, "Title\n=====\n\nSub\n---\n\na\nb\n---\n- x\n---\n> q\n---\n", []string{
			"1-13 0+ heading Title | # Title",
			"4-13 1+ heading Sub | ## Sub",
		}},
		{signatures.Markdown, "---\ntitle: x\n# no\n---\n```sh\n# no\n~~~\n````\n# A\n~~~\n# no\n", []string{"9-11 0+ heading A | # A"}},
		{signatures.Markdown, "<!--\n# no\n-->\n<pre>\n# no\n</pre>\n    # no\n#no\n####### no\n   ###### A\n", []string{"10-10 0+ heading A | ###### A"}},
		{signatures.Markdown, "1. x\n\n    ```\n# no\n    ```\n- ```\n  # no\n  ```\n# A", []string{"9-9 0+ heading A | # A"}},
		{signatures.Markdown, "---\n# A\n", []string{"2-2 0+ heading A | # A"}},
		{signatures.Markdown, "# A\r# B\r\n# C\n", []string{
			"1-1 0+ heading A | # A", "2-2 0+ heading B | # B", "3-3 0+ heading C | # C",
		}},
	})
}

func TestStyleSheets(t *testing.T) {
	checkDescribed(t, []described{
		{signatures.CSS, "@import url(\"a{b\");\n.a,\n.b > c:hover {\n  color: red;\n}\n/* .no {} */\n@media print {\n  .m { x: url(http://no) }\n}\n", []string{
			"2-5 0+ key .a, .b > c:hover | .a, .b > c:hover",
			"7-9 0+ key @media print | @media print",
			"8-8 1+ key .m | .m",
		}},
		{signatures.CSS, "@mixin f($a) {\n  .no { x: y }\n}\na[href=\"{\"] { }\n#{$no} { }\n@font-face { }\n$v: 1;\n", []string{
			"1-3 0+ key @mixin f($a) | @mixin f($a)",
			"4-4 0+ key a[href=\"{\"] | a[href=\"{\"]",
			"6-6 0+ key @font-face | @font-face",
		}},
	})
}

func TestDockerfile(t *testing.T) {
	checkDescribed(t, []described{
		{signatures.Dockerfile, "# FROM no\nARG V=1\nFROM --platform=x golang:$V AS build\nRUN <<A <<B\nFROM no\nA\nFROM no\nB\nRUN a \\\n# c\nFROM no\nfrom scratch\nCOPY --from=build / /\n", []string{
			"3-11 0+ module build | FROM golang:$V AS build",
			"12-13 0+ module scratch | FROM scratch",
		}},
	})
}

func TestDataLanguages(t *testing.T) {
	checkDescribed(t, []described{
		{signatures.YAML, "a:\n  b: 1\n\n# c\nd: [\nno: 1\n]\n---\na: 2\n", []string{
			"1-4 0+ key a | key a", "5-7 0+ key d | key d", "9-9 0+ key a | key a",
		}},
		{signatures.TOML, "k = 1\n[a]\nno = 1\n[[b.c]]\ns = '''\n[no]\n'''\n", []string{
			"1-1 0+ key k | key k", "2-3 0+ table a | table a", "4-7 0+ table b.c | table b.c",
		}},
		{signatures.HCL, "a \"b\" \"c\" {\n  no {\n  }\n}\nlocals {}\n", []string{
			"1-4 0+ key \"b\" \"c\" | a \"b\" \"c\"", "5-5 0+ key locals | locals",
		}},
		{signatures.Protobuf, "message A {\n  enum E { X = 0; }\n}\nservice S {\n  rpc F(A) returns (A) {}\n}\n", []string{
			"1-3 0+ message A | message A", "2-2 1+ enum A.E | enum A.E",
			"4-6 0+ message S | service S", "5-5 1+ method S.F | rpc S.F()",
		}},
		{signatures.SQL, "CREATE TABLE a (\n  x int\n);\nCREATE FUNCTION f() AS $$\nCREATE TABLE no;\n$$;\n", []string{
			"1-3 0+ table a | TABLE a", "4-6 0+ function f | FUNCTION f()",
		}},
		{signatures.Lua, "local M = {}\nfunction M:f()\n  local no = 1\nend\nlocal function g() end\n", []string{
			"1-1 0 variable M | local M", "2-4 0+ method M:f | function M:f()", "5-5 0 function g | function g()",
		}},
	})
}

// languages are all for which there is a way to find declarations.
var knownLanguages = []signatures.Language{
	signatures.Go, signatures.TypeScript, signatures.TypeScriptReact, signatures.JavaScript, signatures.Python, signatures.Rust, signatures.Java,
	signatures.C, signatures.CPlusPlus, signatures.CSharp, signatures.Ruby, signatures.PHP, signatures.Kotlin, signatures.Swift, signatures.Scala,
	signatures.Lua, signatures.Elixir, signatures.Bash, signatures.SQL, signatures.Markdown, signatures.YAML, signatures.TOML, signatures.HCL,
	signatures.Protobuf, signatures.CSS, signatures.Dockerfile,
}

// scannedLanguages are those that are read without a grammar.
var scannedLanguages = []signatures.Language{
	signatures.C, signatures.CPlusPlus, signatures.Lua, signatures.SQL, signatures.Markdown, signatures.YAML, signatures.TOML,
	signatures.HCL, signatures.Protobuf, signatures.CSS, signatures.Dockerfile,
}

// TestDeepText gives texts that a careless scanner takes too much time or stack
// for.
func TestDeepText(t *testing.T) {
	for _, part := range []string{
		"(", "{", "[", "<", "a<", "a(", "int a(", "#if\n", "#else\n", "#if 0\n", "namespace a {", "class a {", "\"", "'", "`", "$a$", "<<E\n", "x = <<E\n",
		"a: {\n", "a: \"\n", "a = [\n", "[[", "\"\"\"", "--[[", "/*", "<!--\n", "```\n", "CREATE ", "CREATE TABLE a ", "CREATE TABLE a.", "a.", "message a {", "# a\n",
		"def ", "fn a() {", "function ", "local ", "operator", "::", "~", "R\"(", "if ", "end ", "{{", "struct a { ", "a b ",
	} {
		for _, lang := range scannedLanguages {
			src := strings.Repeat(part, (64<<10)/len(part))
			var finder signatures.Finder
			start := time.Now()
			finder.Declarations(src, lang, signatures.Whole)
			if took := time.Since(start); took > 2*time.Second {
				t.Errorf("Declarations of %d times %q in %s took %v", len(src)/len(part), part, lang, took)
			}
		}
	}
}

// FuzzLanguages gives any bytes to any language. What is found lies inside the
// text, in its order, and can be shown.
func FuzzLanguages(f *testing.F) {
	f.Add(byte(0), "")
	for i, lang := range knownLanguages {
		f.Add(byte(i), "class A {\n  def f() {}\n}\n"+string(lang))
	}
	for _, file := range []string{"c", "hpp", "lua", "sql", "proto", "toml", "tf", "yaml", "rs", "java", "cs", "rb", "php", "kt", "swift", "scala", "ex", "sh"} {
		content, err := os.ReadFile("testdata/tricky." + file)
		if err != nil {
			f.Fatal(err)
		}
		lang := signatures.Detect("tricky."+file, "")
		f.Add(byte(slices.Index(knownLanguages, lang)), string(content))
	}
	f.Fuzz(func(t *testing.T, index byte, src string) {
		lang := knownLanguages[int(index)%len(knownLanguages)]
		var finder signatures.Finder
		last := 0
		for _, d := range finder.Declarations(src, lang, signatures.Whole) {
			if d.Lines.First < last || d.Lines.First < 1 || d.Lines.Last < d.Lines.First || d.Lines.Last > text.Split(src).Len() {
				t.Errorf("%s: Declarations(%q): %+v after line %d of %d", lang, src, d, last, text.Split(src).Len())
			}
			last = d.Lines.First
			if d.Name == "" || d.Label == "" || strings.ContainsAny(d.Label, "\r\n") || d.Depth < 0 {
				t.Errorf("%s: Declarations(%q): %+v cannot be shown", lang, src, d)
			}
		}
	})
}
