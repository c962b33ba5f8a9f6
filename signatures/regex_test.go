package signatures_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/signatures"
)

type lineTest struct {
	lang      signatures.Language
	src, want string
}

var lineTests = []lineTest{
	{signatures.Rust, `
			// fn no() {}
			/* /* fn no() {} */ fn no() {} */
			#[derive(Debug)]
			pub struct A<'a> { b: &'a str }
			struct C(u8);
			impl<'a, T: Fn() -> u8> fmt::Display for A<'a> where T: X {
				#[inline]
				pub(crate) fn d(&self) -> &str { r#"fn no() {} "#; 'x'; '{' }
			}
			pub trait E { fn f(&self); const fn g() {} }
			mod h {
				pub const unsafe fn i() {
					fn inner() {}
				}
			}
			macro_rules! j { () => { fn no() {} } }
			type K = [u8; 4];
			pub enum L { M { n: u8 } }
			`, `
			4-4 struct A (struct) +
			5-5 struct C (struct)
			8-8   fn A.d() (method) +
			10-10 trait E (trait) +
			10-10   fn E.f() (method)
			10-10   fn E.g() (method)
			11-15 mod h (module)
			12-14   fn h.i() (function)
			16-16 macro_rules! j (macro)
			17-17 type K (type)
			18-18 enum L (enum) +
			`},
	{signatures.Java, `
			package a;
			/** class No {} */
			@Entity(name = "b")
			public final class A<T extends B> implements C {
				private static final Map<String, List<D>> E = new HashMap<>() {{ put("f", g()); }};
				public A(int x) { super(); }
				@Override
				public <U> Map<String, U[]> h(
						int y) throws I {
					if (x) { return new J() { public void no() {} }; }
				}
				abstract void k();
				interface L { int m(); }
				enum N { O { void no() {} }, P; void q() {} }
			}
			@SuppressWarnings({"no"})
			record R(int a) {}
			`, `
			4-15 class A (class) +
			6-6   method A.A() (method) +
			8-11   method A.h() (method) +
			12-12   method A.k() (method)
			13-13   interface A.L (interface)
			13-13     method A.L.m() (method)
			14-14   enum A.N (enum)
			14-14     method A.N.q() (method)
			17-17 record R (class)
			`},
	{signatures.CSharp, `
			using System;
			#if DEBUG
			namespace A.B
			#else
			namespace No
			#endif
			{
				[Serializable]
				public class C : D<E>
				{
					public int F { get; set; }
					public C() : base() { }
					public async Task<List<G>> H<T>(int x) where T : I => await J(x);
					var s = @"no { ""x"" {
				{ ""
				"; var t = '}';
				}
				public record K(int L);
				internal enum M { N }
				public delegate void O(int x);
			}
			`, `
			3-21 namespace A.B (module)
			9-17   class C (class)
			12-12     method C.C() (method)
			13-13     method C.H() (method)
			18-18   record K (class)
			19-19   enum M (enum)
			20-20   delegate O (type)
			`},
	{signatures.PHP, `
			<html> function no() {} </html>
			<?php
			namespace A\B;
			# class No {}
			#[Attribute]
			final class C extends D {
				const E = 1;
				private static function &f($x = "}") { return function () {}; }
				abstract public function g();
			}
			function h() { echo <<<EOT
			function no() {}
			EOT;
			}
			?> function no() {}
			`, `
			3-3 namespace A\B (module) +
			6-10 class C (class) +
			8-8   function C.f() (method)
			9-9   function C.g() (method) +
			11-14 function h() (function) +
			`},
	{signatures.Kotlin, `
			package a
			@Serializable
			data class A(val b: String = "}") : B()
			sealed interface C {
				fun d(): Int
				val e get() = 1
				companion object {
					private fun f() { fun inner() {} }
				}
			}
			fun <T> List<T>.g(
				x: Int
			): Int = x
			enum class H { I, J }
			object K
			typealias L = Int
			`, `
			3-3 class A (class) +
			4-10 interface C (interface) +
			5-5   fun C.d() (method) +
			8-8   fun C.f() (method)
			11-13 fun List.g() (function) +
			14-14 enum class H (enum) +
			15-15 object K (class) +
			16-16 typealias L (type) +
			`},
	{signatures.Swift, `
			@objc public class A: B {
				init?(x: Int) {}
				override class func c() -> Int { 1 }
				struct D {}
			}
			extension A.E where F: G {
				private func h() { func inner() {} }
			}
			protocol I { func j() }
			enum K { case l(String) }
			`, `
			1-5 class A (class) +
			2-2   method A.init() (method) +
			3-3   func A.c() (method) +
			4-4   struct A.D (struct) +
			6-8 extension A.E (class) +
			7-7   func A.E.h() (method)
			9-9 protocol I (interface) +
			9-9   func I.j() (method) +
			10-10 enum K (enum) +
			`},
	{signatures.Scala, `
			package a
			sealed trait A[T] {
				def b: Int
				protected def ++(x: Int): Int = {
					def inner = 1
					inner
				}
			}
			case class C(d: Int) extends A
			object C { type E = Int }
			`, `
			2-8 trait A (trait) +
			3-3   def A.b() (method) +
			4-7   def A.++() (method)
			9-9 class C (class) +
			10-10 object C (class) +
			10-10   type C.E (type) +
			`},
	{signatures.Groovy, `
			task no { doLast { println "def no() {" } }
			class A {
				private String b(int c) { c }
				def d() { }
			}
			def e(x) {
			}
			`, `
			2-5 class A (class) +
			3-3   method A.b() (method)
			4-4   def A.d() (method) +
			6-7 def e() (function) +
			`},
	{signatures.Dart, `
			abstract class A extends B {
				Future<int> c(int d) async { return 1; }
				int e() => 1;
			}
			void main() { if (x) { y(); } }
			`, `
			1-4 class A (class) +
			2-2   method A.c() (method) +
			5-5 function main() (function) +
			`},
	{signatures.Zig, `
			const std = @import("std");
			pub fn a(b: u8) !void { }
			const C = struct {
				d: u8,
				fn e() void {}
			};
			`, `
			2-2 fn a() (function) +
			3-6 struct C (struct)
			5-5   fn C.e() (method)
			`},
	{signatures.ObjectiveC, `
			@interface A : NSObject
			- (void)b:(int)c;
			@end
			@protocol No;
			@implementation A
			+ (instancetype)d {
			}
			@end
			`, `
			1-3 @interface A (class) +
			2-2   method A.b() (method) +
			5-8 @implementation A (class) +
			6-7   method A.d() (method) +
			`},
	{signatures.Ruby, `
			=begin
			def no; end
			=end
			module A
			  class B::C < D # class No
			    private def e?(x) = x
			    class << self
			      def f
			        def inner; end
			      end
			    end
			    def self.g=(x); end
			    def [](i) end
			    TEXT = <<~EOS
			      def no
			    EOS
			  end
			end
			`, `
			4-18 module A (module) +
			5-17   class A.B::C (class) +
			6-6     def A.B::C.e?() (method)
			8-10     def A.B::C.f() (method) +
			12-12     def A.B::C.g=() (method) +
			13-13     def A.B::C.[]() (method) +
			`},
	{signatures.Elixir, `
			defmodule A.B do
			  @doc """
			  def no do
			  """
			  def c(x) when x > 1 do
			    x
			  end
			  defp d?, do: 1
			  defmacro e(x), do: x
			end
			`, `
			1-10 defmodule A.B (module) +
			5-7   def A.B.c() (function) +
			8-8   defp A.B.d?() (function) +
			9-9   defmacro A.B.e (macro) +
			`},
	{signatures.Bash, `
			# no() {
			a() {
			  echo "
			b() {
			"
			}
			function c { :; }
			cat <<'EOF'
			no() {
			EOF
			x=${#a} y=a#b; d-e () (
			)
			`, `
			2-6 function a() (function) +
			7-7 function c() (function) +
			`},
	{signatures.Perl, `
			package A::B;
			sub c {
			    my $x = "sub no {";
			}
			=pod
			sub no {
			=cut
			sub d($x) { }
			__END__
			sub no {}
			`, `
			1-1 package A::B (module) +
			2-4 sub c() (function) +
			8-8 sub d() (function) +
			`},
	{signatures.PowerShell, `
			<# function No {} #>
			function Get-A {
			  param($x)
			}
			class B {
			}
			`, `
			2-4 function Get-A() (function) +
			5-6 class B (class) +
			`},
	{signatures.R, `
			# no <- function() {}
			a.b <- function(x) {
			  inner <- function() 1
			}
			c = function(y) y
			d <- 1
			`, `
			2-4 function a.b() (function) +
			5-5 function c() (function) +
			`},
	{signatures.Julia, `
			module A
			function b(x)
			    function inner() end
			end
			mutable struct C end
			macro d(x) end
			end
			`, `
			1-1 module A (module) +
			2-4 function b() (function) +
			5-5 struct C (struct) +
			6-6 macro d (macro) +
			`},
	{signatures.VimScript, `
			function! a#b(x) abort
			  call c()
			endfunction
			`, `
			1-3 function a#b() (function) +
			`},
	{signatures.Haskell, `
			{- a :: Int -}
			module A where
			data B = C
			  | D
			class E f where
			  g :: f
			h :: Int
			h = 1
			`, `
			3-4 data B (type) +
			5-6 class E (class) +
			7-7 function h() (function) +
			`},
	{signatures.OCaml, `
			(* let no = 1 *)
			let rec a x =
			  let inner = 1 in
			  x
			type 'b c = D
			module E = struct
			end
			let f = 1
			`, `
			2-4 let a() (function) +
			5-5 type c (type) +
			6-7 module E (module) +
			8-8 let f (variable) +
			`},
	{signatures.Erlang, `
			-record(a, {b}).
			c(0) -> 1; % d() -> 1
			c(X) when X > 1 ->
			    X.
			`, `
			1-1 record a (struct) +
			2-2 function c() (function) +
			`},
	{signatures.Clojure, `
			(ns a.b)
			; (defn no [])
			(defn- c? [x]
			  (def inner 1))
			(def ^:private d "(defn no [])")
			`, `
			1-1 ns a.b (module) +
			3-4 defn c?() (function) +
			5-5 def d (variable) +
			`},
	{"", "func a() {}\n", ""},
	{"text", "class A {}\n", ""},
	{signatures.Rust, "fn a() {}\x00", ""},
}

func TestScanLines(t *testing.T) {
	for _, test := range slices.Concat(lineTests, stringTests, nameTests) {
		t.Run(string(test.lang), func(t *testing.T) {
			src, want := lines(test.src), lines(test.want)
			if diff := cmp.Diff(want, outline(signatures.ScanLines(test.lang, src))); diff != "" {
				t.Errorf("the outline of\n%s\nhas diff (-want +got):\n%s", src, diff)
			}
		})
	}
}

func FuzzScanLines(f *testing.F) {
	var langs []signatures.Language
	for _, test := range slices.Concat(lineTests, stringTests, nameTests) {
		f.Add(uint8(len(langs)), test.src)
		langs = append(langs, test.lang)
	}
	f.Fuzz(func(t *testing.T, lang uint8, src string) {
		checkInvariants(t, src, func(src string) []signatures.Declaration {
			return signatures.ScanLines(langs[int(lang)%len(langs)], src)
		})
	})
}
