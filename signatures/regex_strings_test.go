package signatures_test

import "github.com/acode-ls/acode-ls/signatures"

// stringTests is of strings that must hide what they say and nothing else.
var stringTests = []lineTest{
	{signatures.PowerShell, `
			function A {
				$b = @'
			it's
			function No {
			'@
				$c = "a` + "`" + `"
			function No { $(if ($d) { "it's" }) 'x
			"
				$e = 'C:\'
				$f = 'it''s
			function No {}'
			}
			$g = @{ h = 1 }, @'a', 'b` + "`" + `', "$(c ` + "`" + `" d)"
			function H {}
			cd C:\"a b"
			function I {}
			echo ` + "`" + `"
			function J {}
			`, `
			1-12 function A() (function) +
			14-14 function H() (function) +
			16-16 function I() (function) +
			18-18 function J() (function) +
			`},
	{signatures.Zig, `
			const a = struct {
				const b =
					\\ }
					\\ fn no() void {
				;
				fn c() void {}
			};
			`, `
			1-7 struct a (struct)
			6-6   fn a.c() (method)
			`},
	{signatures.Dart, `
			class A {
				var b = [r'\', r"\"];
				void c() {}
			}
			void d() {}
			`, `
			1-4 class A (class) +
			3-3   method A.c() (method) +
			5-5 function d() (function) +
			`},
	{signatures.Julia, `
			a = "
			function no() end
			"
			function b() end
			`, `
			4-4 function b() (function) +
			`},
	{signatures.Haskell, `
			a = [text|
			no :: Int
			|]
			b = [x|x<-c]
			d :: [Int]
			e = [y|y<-f] |]
			`, `
			5-5 function d() (function) +
			`},
	{signatures.OCaml, `
			let a = {|
			let no = 1
			|}
			let b = {c|
			let no = "|}
			|c}
			let d = {e with f = 1}
			`, `
			1-1 let a (variable) +
			4-4 let b (variable) +
			7-7 let d (variable) +
			`},
	{signatures.Erlang, `
			a([$" | _]) -> "
			no() -> 1.
			";
			a([$\" | _]) -> 1.
			-doc """
			no "
			no() -> 1.
			""".
			b($%) -> 1.
			`, `
			1-3 function a() (function) +
			9-9 function b() (function) +
			`},
	{signatures.Groovy, `
			class A {
				String b() { f($/
				no "
				class No {
				/$) }
				def d = $/
				class No {
				/$
				def c() { d ==~ /e$/ }
				def g() { }
			}
			`, `
			1-11 class A (class) +
			2-5   method A.b() (method) +
			9-9   def A.c() (method) +
			10-10   def A.g() (method) +
			`},
	{signatures.VimScript, `
			python3 << trim END
			def no():
			END
			let a =<< trim eval [CODE]
			func No()
			[CODE]
			" let a =<< b
			let a =<< b c
			let a = 1 << b
			func F()
			endfunc
			lua <<
			function no()
			.
			python << never
			func G()
			endfunc
			b
			`, `
			10-11 function F() (function) +
			16-17 function G() (function) +
			`},
	{signatures.VimScript, "lua << E\nfunction no()\nE", ""},
}

// nameTests is of names and what looks like some.
var nameTests = []lineTest{
	{signatures.R, `
			tryCatch(f(),
				error = function(e) e,
				finally = \(x) x)
			a = function(x) x
			b <- \(x) x
			C <- R6Class("C",
			  public = list(
			    d = function() {
			      tryCatch(f(), error = function(e) e)
			    }
			  )
			)
			`, `
			4-4 function a() (function) +
			5-5 function b() (function) +
			6-12 class C (class) +
			8-10   method C.d() (method) +
			`},
	{signatures.Clojure, `
			(def ^{:added "1.4" :dynamic true} *a* 1)
			(defn- ^:static ^String b [] 1)
			(def ^{:private true
			       :doc "no"}
			  c 1)
			`, `
			1-1 def *a* (variable) +
			2-2 defn b() (function) +
			`},
	{signatures.Haskell, `
			class A' b where
			newtype C' = C' Int
			type D' = Int
			`, `
			1-1 class A' (class) +
			2-2 newtype C' (type) +
			3-3 type D' (type) +
			`},
	{signatures.OCaml, `
			type a' = B
			module C' = D
			exception E' of int
			`, `
			1-1 type a' (type) +
			2-2 module C' (module) +
			3-3 exception E' (type) +
			`},
	{signatures.Dart, `
			void Function() no() {
			}
			`, ""},
	{signatures.PowerShell, `
			function script:a?b {}
			filter C-D { }
			Function = @(1)
			`, `
			1-1 function a?b() (function) +
			2-2 function C-D() (function) +
			`},
	{signatures.VimScript, `
			export abstract class A extends B
			  static def C()
			  enddef
			endclass
			interface D
			  def E()
			endinterface
			enum F
			endenum
			class = 1
			def G()
			enddef
			`, `
			1-4 class A (class) +
			2-3   def A.C() (method) +
			5-7 interface D (interface) +
			6-6   def D.E() (method) +
			8-9 enum F (enum) +
			11-12 def G() (function) +
			`},
}
