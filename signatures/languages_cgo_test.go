//go:build cgo

package signatures_test

import (
	"testing"

	"github.com/acode-ls/acode-ls/signatures"
)

// TestParsedLanguages is for languages that are read by a grammar.
func TestParsedLanguages(t *testing.T) {
	checkTricky(t, map[string]string{
		"tricky.rs": "//= ", "tricky.java": "//= ", "tricky.cs": "//= ", "tricky.rb": "#= ", "tricky.php": "//= ", "tricky.kt": "//= ",
		"tricky.swift": "//= ", "tricky.scala": "//= ", "tricky.ex": "#= ", "tricky.sh": "#= ",
	})
}

func TestRust(t *testing.T) {
	checkDescribed(t, []described{
		{signatures.Rust, "/// Doc.\n#[derive(Debug)]\npub struct S {\n}\nimpl S {\n    pub fn f() {\n    }\n    fn g() {}\n}\nimpl T for S { fn h() {} }\n", []string{
			"3-4 0+ struct S | struct S",
			"6-7 1+ method S.f | fn S.f()",
			"8-8 1 method S.g | fn S.g()",
			"10-10 1+ method S.h | fn S.h()",
		}},
		{signatures.Rust, "mod m { pub fn f() {} }\n#[macro_export]\nmacro_rules! a { () => {} }\nmacro_rules! b { () => {} }\n", []string{
			"1-1 0 module m | mod m",
			"1-1 1 function m.f | fn m.f()",
			"3-3 0+ macro a | macro_rules! a",
			"4-4 0 macro b | macro_rules! b",
		}},
	})
}

func TestJavaAndCSharp(t *testing.T) {
	checkDescribed(t, []described{
		{signatures.Java, "@A\n@B(1)\npublic class C {\n    @Override\n    public void f() {\n    }\n    void g() {}\n}\n", []string{
			"3-8 0+ class C | class C",
			"5-6 1+ method C.f | method C.f()",
			"7-7 1 method C.g | method C.g()",
		}},
		{signatures.CSharp, "namespace A.B;\n[X]\npublic class C\n{\n    [Y]\n    internal void F() {}\n    void G() {}\n}\nvoid Local() {}\n", []string{
			"1-1 0+ module A.B | namespace A.B",
			"3-8 0+ class C | class C",
			"6-6 1+ method C.F | method C.F()",
			"7-7 1 method C.G | method C.G()",
			"9-9 0 function Local | function Local()",
		}},
	})
}

func TestRubyAndPHP(t *testing.T) {
	checkDescribed(t, []described{
		{signatures.Ruby, "module A\n  class B\n    def f\n    end\n    private\n    def g; end\n  end\nend\n", []string{
			"1-8 0+ module A | module A",
			"2-7 1+ class A.B | class A.B",
			"3-4 2+ method A.B.f | def A.B.f()",
			"6-6 2 method A.B.g | def A.B.g()",
		}},
		{signatures.PHP, "<?php\nnamespace A {\n#[X]\nclass C\n{\n    private function f() {}\n}\n}\n", []string{
			"2-8 0+ module A | namespace A",
			"4-7 1+ class C | class C",
			"6-6 2 method C.f | function C.f()",
		}},
	})
}

func TestKotlinSwiftScala(t *testing.T) {
	checkDescribed(t, []described{
		{signatures.Kotlin, "@A\ninternal class C {\n    private fun f() {\n    }\n    fun g() {}\n}\n", []string{
			"2-6 0+ class C | class C",
			"3-4 1 method C.f | fun C.f()",
			"5-5 1+ method C.g | fun C.g()",
		}},
		{signatures.Swift, "@A\nstruct S {\n    fileprivate func f() {\n    }\n}\nextension S.T { func g() {} }\n", []string{
			"2-5 0+ struct S | struct S",
			"3-4 1 method S.f | func S.f()",
			"6-6 0+ class S.T | extension S.T",
			"6-6 1+ method S.T.g | func S.T.g()",
		}},
		{signatures.Scala, "@A\nprivate object O {\n  def f = 1\n}\n", []string{
			"2-4 0 class O | object O",
			"3-3 1 method O.f | def O.f()",
		}},
	})
}

func TestElixirAndBash(t *testing.T) {
	checkDescribed(t, []described{
		{signatures.Elixir, "defmodule A do\n  @doc \"x\"\n  def f(x) do\n    x\n  end\n  defp g, do: 1\nend\n", []string{
			"1-7 0+ module A | defmodule A",
			"3-5 1+ function A.f | def A.f()",
			"6-6 1 function A.g | defp A.g()",
		}},
		{signatures.Bash, "f() {\n  :\n}\nexport A=1\nB=2\n", []string{
			"1-3 0+ function f | function f()",
			"4-4 0+ variable A | variable A",
			"5-5 0 variable B | variable B",
		}},
	})
}
