package signatures_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/signatures"
)

// outline renders declarations one a line: lines, label, name and kind where
// they are not in the label, "+" for exported, indented by depth.
func outline(declarations []signatures.Declaration) string {
	var b strings.Builder
	for _, d := range declarations {
		exported := ""
		if d.Exported {
			exported = " +"
		}
		fmt.Fprintf(&b, "%d-%d %s%s (%s)%s\n", d.Lines.First, d.Lines.Last, strings.Repeat("  ", d.Depth), d.Label, d.Kind, exported)
	}
	return b.String()
}

// lines drops the line end a raw string starts with and the indentation.
func lines(s string) string { return strings.ReplaceAll(strings.TrimPrefix(s, "\n"), "\t\t\t", "") }

type scanTest struct{ name, src, want string }

func testScan(t *testing.T, scan func(string) []signatures.Declaration, tests []scanTest) {
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			src, want := lines(test.src), lines(test.want)
			for eol, converted := range map[string]string{
				"LF": src, "CRLF": strings.ReplaceAll(src, "\n", "\r\n"), "CR": strings.ReplaceAll(src, "\n", "\r"),
			} {
				if diff := cmp.Diff(want, outline(scan(converted))); diff != "" {
					t.Errorf("with %s, the outline of\n%s\nhas diff (-want +got):\n%s", eol, src, diff)
				}
			}
		})
	}
}

func TestScanGo(t *testing.T) {
	testScan(t, signatures.ScanGo, []scanTest{
		{"nothing", "", ""},
		{"package only", "package a\n", ""},
		{"functions", `
			package a

			// func inComment() {}
			func F() {
				const local = "func inString() {}"
			}
			func g[T any](x struct{ y int }) (struct{ z int }, error) { return }
			func external(x int) int
			func _() {}
			`, `
			4-6 func F() (function) +
			7-7 func g() (function)
			8-8 func external() (function)
			`},
		{"methods", `
			func (t T) A() {}
			func (*T) b() {}
			func (s *Set[K, V]) Has(k K) bool {
				return true
			}
			func ( /* a */ x *Y ) C() {}
			`, `
			1-1 func T.A() (method) +
			2-2 func T.b() (method)
			3-5 func Set.Has() (method) +
			6-6 func Y.C() (method) +
			`},
		{"types", `
			type A struct {
				B int
			}
			type (
				c interface{ D() }
				E = struct{}
				F[T any] struct{ x T }
				G [3]struct{}
				H map[string]func(
					x int,
				) error
			)
			`, `
			1-3 type A (struct) +
			5-5 type c (interface)
			6-6 type E (type) +
			7-7 type F (struct) +
			8-8 type G (type) +
			9-11 type H (type) +
			`},
		{"values", `
			const A, b = 1, 2
			const (
				C = iota // first
				_
				D
				e = 1.
				f = "a" +
					"b"
			)
			var g, H = func() int {
				var inner int
				return inner
			}(), 1; var i int
			var (
				j = ` + "`\nvar raw = 1\n`" + `
				k = '"'
			)
			`, `
			1-1 const A (constant) +
			1-1 const b (constant)
			3-3 const C (constant) +
			5-5 const D (constant) +
			6-6 const e (constant)
			7-8 const f (constant)
			10-13 var g (variable)
			10-13 var H (variable) +
			13-13 var i (variable)
			15-17 var j (variable)
			18-18 var k (variable)
			`},
		{"broken", `
			func open() {
				if {
			func next() {}
			`, `
			1-3 func open() (function)
			`},
		{"a part that starts inside", `
				return nil
			}

			func after() {}
			`, `
			4-4 func after() (function)
			`},
	})
}

func TestScanPython(t *testing.T) {
	testScan(t, signatures.ScanPython, []scanTest{
		{"nothing", "", ""},
		{"functions", `
			# def in_comment(): pass
			@decorator(
				"x")
			def f(a=")", *, b: "def g(): pass" = 1):
				"""def in_docstring():
				pass
				"""
				def inner():
					pass
				return inner

			# a comment after

			async def _g(): return 1
			`, `
			4-10 def f() (function) +
			14-14 def _g() (function)
			`},
		{"classes", `
			class A(B, metaclass=M):
			    x = 1

			    @property
			    def p(self): return 1

			    class Inner:
			        def q(self):
			            class Local: pass

			    if sys.platform == "win32":
			        def w(self): pass
			    def _r(self):
			# at column zero
			        pass
			x = 2
			`, `
			1-15 class A (class) +
			5-5   def A.p() (method) +
			7-9   class A.Inner (class) +
			8-9     def A.Inner.q() (method) +
			12-12   def A.w() (method) +
			13-15   def A._r() (method)
			16-16 variable x (variable) +
			`},
		{"values", `
			A_B = {
			  "a": 1,
			}
			a, (b, *c) = d = 1, (2, 3)
			e: int
			f: str = "x"; g = 1
			a.b = 1
			a[0] = 2
			a += 1
			a == 1
			print(x, y=1)
			try:
			    import z
			except ImportError:
			    z = None
			else: pass
			type T = list[int]
			for i in x: j = 1
			_p = lambda: 0
			h = \
			  1
			`, `
			1-3 constant A_B (constant) +
			4-4 variable a (variable) +
			4-4 variable b (variable) +
			4-4 variable c (variable) +
			4-4 variable d (variable) +
			5-5 variable e (variable) +
			6-6 variable f (variable) +
			6-6 variable g (variable) +
			15-15 variable z (variable) +
			17-17 type T (type) +
			19-19 variable _p (variable)
			20-21 variable h (variable) +
			`},
		{"strings", `
			a = 'it\'s' "def x(): pass" '''
			def y(): pass
			'''
			b = rb'\' # not a comment'
			c = f"{'{'}{a["}"]}{x:%H:'%M}{{" + f'''{
			  d["def z(): pass"]
			}'''
			d = f"{f"{f"{1}"}"}"
			e = f"{x["(" + "#"]}"; g = 1
			h = "unclosed
			def f(): pass
			`, `
			1-3 variable a (variable) +
			4-4 variable b (variable) +
			5-7 variable c (variable) +
			8-8 variable d (variable) +
			9-9 variable e (variable) +
			9-9 variable g (variable) +
			10-10 variable h (variable) +
			11-11 def f() (function) +
			`},
		{"broken", `
			a = (1,
			def f(x:
			    return [
			class C: pass
			`, `
			1-1 variable a (variable) +
			2-3 def f() (function) +
			4-4 class C (class) +
			`},
	})
}

func TestScanTypeScript(t *testing.T) {
	ts := func(src string) []signatures.Declaration { return signatures.ScanTypeScript(src, false) }
	testScan(t, ts, []scanTest{
		{"nothing", "", ""},
		{"functions", `
			// function inComment() {}
			function f(a: { b: string } = { b: "}" }, c = /[/}]/): { d: number } {
				function inner() {}
				return { d: 1 / 2 / 3 };
			}
			export async function* g<T extends { a: "<" }>() {}
			export default function () {}
			declare function over(a: string): void
			declare function over(a: number): asserts a is 3;
			function over(a: any)
			{
			}
			(function iife() {})();
			`, `
			2-5 function f() (function)
			6-6 function g() (function) +
			7-7 export default() (function) +
			8-8 function over() (function)
			9-9 function over() (function)
			10-12 function over() (function)
			`},
		{"variables", `
			export const a = 1, b: Map<string, number> = new Map<string, Array<{ x: 1; y: 2 }>>(), c = 2;
			let d
			var e = d
				+ 1
			const { f, g: h, i = { j: 1 }, ...k } = e, [l, [m], , n = () => 1] = e
			const o = async (x) => { return x }, p = function q() {}
			const r = (1 + 2), s = (x): x is string => true
			const t = y => y * 2
			const u = function () {}()
			const v = class W extends X<{}> { m() {} }
			if (a) { const no = 1 }
			for (const no of b) {}
			`, "1-1 const a (constant) +\n1-1 const b (constant) +\n1-1 const c (constant) +\n2-2 let d (variable)\n3-4 var e (variable)\n" +
			"5-5 const f (constant)\n5-5 const h (constant)\n5-5 const i (constant)\n5-5 const k (constant)\n5-5 const l (constant)\n5-5 const m (constant)\n5-5 const n (constant)\n" +
			"6-6 const o() (function)\n6-6 const p() (function)\n7-7 const r (constant)\n7-7 const s() (function)\n8-8 const t() (function)\n9-9 const u (constant)\n" +
			"10-10 const v (class)\n10-10   method v.m() (method)\n"},
		{"classes", `
			@Component({ selector: "a" })
			export abstract class A<T = {}> extends B<{ c: T }>(mixin({})) implements D {
				static #count = 0
				readonly handler = async () => {
					class Local { no() {} }
				}
				constructor(private readonly x: string) { super() }
				@Input() public get value(): { a: 1 } { return this.v }
				set value(v) {}
				private static async *gen?<U>(this: A): AsyncGenerator<U> {}
				abstract todo(): void
				overload(a: 1): void;
				overload(a: any) {}
				#hidden() {}
				'quoted-name'() {}
				[Symbol.iterator]() { return 1 }
				static { init() } afterStatic() {}
				get = 1
				async = 2
				[key: string]: any
				last() {}
			}
			export default class extends A { m() {} }
			`, `
			2-22 class A (class) +
			4-6   method A.handler() (method) +
			7-7   method A.constructor() (method) +
			8-8   method A.value() (method) +
			9-9   method A.value() (method) +
			10-10   method A.gen() (method)
			11-11   method A.todo() (method) +
			12-12   method A.overload() (method) +
			13-13   method A.overload() (method) +
			14-14   method A.#hidden() (method)
			15-15   method A.quoted-name() (method) +
			17-17   method A.afterStatic() (method) +
			21-21   method A.last() (method) +
			23-23 export default (class) +
			23-23   method default.m() (method) +
			`},
		{"types", `
			export interface I<T> extends J<{ a: T }> {
				m(): void
			}
			type A = { b: () => void }
			type C<T> =
				| "a"
				| (T extends string ? {
					d: 1
				} : never)
			export const enum E { A = 1 }
			declare enum F {}
			type = 5
			interface
			export type { G } from "g"
			type H = typeof x
			export as namespace N
			`, `
			1-3 interface I (interface) +
			4-4 type A (type)
			5-9 type C (type)
			10-10 enum E (enum) +
			11-11 enum F (enum)
			15-15 type H (type)
			`},
		{"namespaces", `
			export namespace A.B {
				export function f() {}
				const g = 1
				namespace C { export class D { m() {} } }
			}
			declare module "m" {
				export default f
			}
			declare module "n";
			declare global { interface Window {} }
			module.exports = { f() {} }
			`, `
			1-5 namespace A.B (module) +
			2-2   function A.B.f() (function) +
			3-3   const A.B.g (constant)
			4-4   namespace A.B.C (module)
			4-4     class A.B.C.D (class)
			4-4       method A.B.C.D.m() (method)
			6-8 module m (module)
			7-7   export default m.f (export)
			9-9 module n (module)
			10-10 declare global (module) +
			10-10   interface global.Window (interface)
			`},
		{"exports", `
			export default Name
			export { a, b as c } from "d"
			export * from "e"
			export default { f() {} }
			export default (x) => x
			export default memo(Name)
			export = Name;
			export default true
			`, `
			1-1 export default Name (export) +
			5-5 export default() (function) +
			`},
		{"literals", "\n\t\t\tconst a = `function no() {} ${b({ c: `}${d}` })} class No {}`" + `
			const e = a / b / function no() {}
			const f = /"/.test("'") && /[/"]/g
			if (x) /[{(]/.test(y)
			const g = x => ({}) / 2
			const h = i++ / 2 / "/"
			function j() { return /{/ }
			const k = a! / 2
			label: for (;;) {} const m = {} / 2 + "/{"
			function l() {}
			`, "1-1 const a (constant)\n2-2 const e (constant)\n3-3 const f (constant)\n5-5 const g() (function)\n6-6 const h (constant)\n7-7 function j() (function)\n8-8 const k (constant)\n10-10 function l() (function)\n"},
		{"a part that starts inside", `
				return x
			}

			function after() {}
			`, `
			4-4 function after() (function)
			`},
		{"broken", `
			function open() {
				call(
			}
			function next() {}
			`, `
			1-3 function open() (function)
			4-4 function next() (function)
			`},
	})
}

func TestScanJSX(t *testing.T) {
	tsx := func(src string) []signatures.Declaration { return signatures.ScanTypeScript(src, true) }
	testScan(t, tsx, []scanTest{
		{"elements", `
			export const A = () => <div title="}" {...p}>it's {b ? <C d={{ e: 1 }} /> : <></>} function no() {'{'}</div>
			function B() {
				return (
					<Map<string> a='"' onX={() => { if (a < b) return c > d }}>
						{/* } */}
						{list.map(x => <li key={x}>{x}</li>)}
						don't // no comment
					</Map>
				)
			}
			const c = <T,>(x: T) => x, d = <T extends U>(x: T): T => x
			type F = <T>(x: T) => void
			const g = a < b, h = 1
			`, `
			1-1 const A() (function) +
			2-10 function B() (function)
			11-11 const c() (function)
			11-11 const d() (function)
			12-12 type F (type)
			13-13 const g (constant)
			13-13 const h (constant)
			`},
	})
}

func TestLineCursor(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var b strings.Builder
		for range random.IntN(40) {
			b.WriteString([]string{"a", "\n", "\r\n", "\r", "bc"}[random.IntN(5)])
		}
		src := b.String() + "x"
		split := text.Split(src)
		var offsets, want []int
		for range 20 {
			line := 1 + random.IntN(split.Len())
			offset := split.Start(line) + random.IntN(len(split.Line(line))+1)
			offsets = append(offsets, offset)
			want = append(want, line)
		}
		if diff := cmp.Diff(want, signatures.LineAt(src, offsets...)); diff != "" {
			t.Fatalf("lines of offsets %v in %q (-want +got):\n%s", offsets, src, diff)
		}
	}
}

// checkInvariants holds what is true of any declarations of any text.
func checkInvariants(t *testing.T, src string, scan func(string) []signatures.Declaration) {
	t.Helper()
	got := scan(src)
	if again := scan(src); !reflect.DeepEqual(got, again) {
		t.Fatalf("scanning %q again gives %v, not %v", src, again, got)
	}
	last, total := 1, text.Split(src).Len()
	for _, d := range got {
		if !(last <= d.Lines.First && d.Lines.First <= d.Lines.Last && d.Lines.Last <= total) {
			t.Fatalf("of %q, %q has lines %v, after %d and of %d", src, d.Label, d.Lines, last, total)
		}
		last = d.Lines.First
		if d.Name == "" || !strings.Contains(d.Label, d.Name) || d.Kind == "" || d.Depth < 0 {
			t.Fatalf("of %q, a declaration is %+v", src, d)
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		"func (t T) A() {}\ntype (\n\tB struct{}\n)\nconst c, D = iota, 1.\n",
		"class A\n\\0",
		"func(\xf9/0fun\x00(\x01000I00000008000",
		"class A:\r\n  async def f(self): return f\"{x['a']:>{w}}\"\r\nB: int = '''\r\n'''\r\n",
		"export default class A<T> { get b() { return `${c}` } }\rconst { d, e: [f] } = /[/]/ as X<{}>",
		"const A = () => <a b={<c/>}>{d} <e.f>'</e.f></a>\nnamespace G.H { declare let i: Map<string, {}> }",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		checkInvariants(t, src, signatures.ScanGo)
		checkInvariants(t, src, signatures.ScanPython)
		for _, jsx := range []bool{false, true} {
			checkInvariants(t, src, func(src string) []signatures.Declaration { return signatures.ScanTypeScript(src, jsx) })
		}
	})
}

// FuzzScanGo compares with Go's own parser.
func FuzzScanGo(f *testing.F) {
	f.Add("package a\nfunc (t *T[K]) A() (x struct{}) { return }\nvar b, _ = 1., `\n`; type C = D\n")
	f.Add("package A\nconst(A)\nfunc A()")
	f.Add("package a\n\nconst (\n\tA = iota // x\n\tB\n)\n\nfunc init() {}\n")
	f.Fuzz(func(t *testing.T, src string) {
		want, ok := goOutline(src)
		if !ok {
			return // not Go, or with what hides where lines are
		}
		var got []string
		for _, d := range signatures.ScanGo(src) {
			got = append(got, fmt.Sprintf("%s %d", d.Name, d.Lines.First))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("declarations of %q (-go/parser +got):\n%s", src, diff)
		}
	})
}

// goOutline returns the names and first lines of what src declares, and
// whether it is source as people write it.
func goOutline(src string) (outline []string, ok bool) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "a.go", src, parser.SkipObjectResolution)
	if err != nil || strings.Contains(src, "\r") || strings.Contains(src, "*/") || strings.Contains(src, "//line") {
		return nil, false
	}
	add := func(name string, at token.Pos) {
		if !strings.HasSuffix(name, "_") || strings.Trim(name[strings.LastIndexByte(name, '.')+1:], "_") != "" || len(name) > 1 && !strings.Contains(name, ".") {
			outline = append(outline, fmt.Sprintf("%s %d", name, files.Position(at).Line))
		}
	}
	for _, declaration := range file.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				receiver, known := receiverName(d.Recv)
				if !known {
					return nil, false
				}
				if name != "_" {
					name = receiver + "." + name
				}
			}
			add(name, d.Pos())
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					add(s.Name.Name, s.Pos())
				case *ast.ValueSpec:
					for _, name := range s.Names {
						add(name.Name, name.Pos())
					}
				}
			}
		}
	}
	return outline, true
}

func receiverName(receiver *ast.FieldList) (string, bool) {
	if len(receiver.List) != 1 {
		return "", false
	}
	expression := receiver.List[0].Type
	if star, ok := expression.(*ast.StarExpr); ok {
		expression = star.X
	}
	switch x := expression.(type) {
	case *ast.IndexExpr:
		expression = x.X
	case *ast.IndexListExpr:
		expression = x.X
	}
	name, ok := expression.(*ast.Ident)
	if !ok || slices.Contains([]string{"_", ""}, name.Name) {
		return "", false
	}
	return name.Name, true
}
