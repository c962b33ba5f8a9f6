package signatures

import "sync"

// This file has the patterns of languages whose blocks are told by words or by
// indentation.

var bashPatterns = sync.OnceValue(func() *patterns {
	return &patterns{
		syntax: &syntax{line: []string{"#"}, wide: `"'`, hereDocs: true, spaced: true},
		rules: []pattern{
			{kind: Function, match: like(`(?:function\s+)?([A-Za-z_][\w:.-]*)\s*\(\s*\)\s*(?:\{.*)?$`), closer: "}"},
			{kind: Function, match: like(`(?:function\s+)?([A-Za-z_][\w:.-]*)\s*\(\s*\)\s*\(.*$`)},
			{kind: Function, match: like(`function\s+([A-Za-z_][\w:.-]*)\s*(?:\{.*)?$`), closer: "}"},
		},
	}
})

var rubyPatterns = sync.OnceValue(func() *patterns {
	return &patterns{
		syntax:    &syntax{line: []string{"#"}, lines: [][2]string{{"=begin", "=end"}, {"__END__", ""}}, quotes: `"'`, hereDocs: true, spaced: true},
		modifiers: " private protected public private_class_method ",
		hidden:    " private protected private_class_method ",
		words:     "mcd",
		rules: []pattern{
			{kind: Module, match: like(`module\s+([A-Z][\w:]*)`), holds: true},
			{match: like(`(class)\s*<<\s*self\b`), holds: true, silent: true, names: func(*patternScanner, string, int, string) string { return "" }},
			{kind: Class, match: like(`class\s+(?:::)?([A-Z][\w:]*)`), holds: true},
			{kind: Function, word: "def", match: like(`def\s+(?:self\.)?((?:\w+\.)?(?:[a-zA-Z_]\w*[?!=]?|[-+*/%<>=!~^&|\[\]]+))`)},
		},
	}
})

var elixirPatterns = sync.OnceValue(func() *patterns {
	return &patterns{
		syntax: &syntax{line: []string{"#"}, quotes: `"`, long: [][2]string{{`"""`, `"""`}, {`'''`, `'''`}}},
		words:  "d",
		rules: []pattern{
			{kind: Module, word: "defmodule", match: like(`defmodule\s+([A-Z_][\w.]*)`), holds: true},
			{kind: Interface, word: "defprotocol", match: like(`defprotocol\s+([A-Z_][\w.]*)`), holds: true},
			{match: like(`defimpl\s+([\w.]+)`), holds: true, silent: true},
			{kind: Function, word: "def", match: like(`def\s+([a-z_]\w*[?!]?)`), names: elixirName},
			{kind: Function, word: "defp", match: like(`defp\s+([a-z_]\w*[?!]?)`), names: elixirName},
			{kind: Macro, word: "defmacro", match: like(`defmacro\s+([a-z_]\w*[?!]?)`), names: elixirName},
			{kind: Macro, word: "defmacrop", match: like(`defmacrop\s+([a-z_]\w*[?!]?)`), names: elixirName},
		},
	}
})

// elixirName rejects a name that is computed.
func elixirName(_ *patternScanner, _ string, _ int, name string) string {
	if name == "unquote" {
		return ""
	}
	return name
}

var juliaPatterns = sync.OnceValue(func() *patterns {
	return &patterns{
		syntax: &syntax{line: []string{"#"}, block: [][2]string{{"#=", "=#"}}, nested: true, wide: "\"`", long: [][2]string{{`"""`, `"""`}}, chars: true},
		words:  "mfsa",
		rules: []pattern{
			{kind: Module, match: like(`module\s+(\w+)`), holds: true},
			{kind: Function, match: like(`function\s+(?:\w+\.)*(\w+!?)\s*(?:\{[^}]*\})?\s*\(`)},
			{kind: Macro, match: like(`macro\s+(\w+)\s*\(`)},
			{kind: Struct, match: like(`(?:mutable\s+)?struct\s+(\w+)`)},
			{kind: Type, word: "abstract type", match: like(`abstract\s+type\s+(\w+)`)},
		},
	}
})

var vimPatterns = sync.OnceValue(func() *patterns {
	return &patterns{
		syntax:    &syntax{scripts: true},
		modifiers: " export abstract static ",
		rules: []pattern{
			{kind: Function, match: like(`(?:fu|func|funct|functio|function)!?\s+([\w:#.]+)\s*\(`)},
			{kind: Function, word: "def", match: like(`def!?\s+([\w:#.]+)\s*\(`)},
			{kind: Class, match: like(`class\s+([A-Z]\w*)(?:\s+(?:extends|implements|specifies)\b|\s*$)`), holds: true},
			{kind: Interface, match: like(`interface\s+([A-Z]\w*)(?:\s+(?:extends|specifies)\b|\s*$)`), holds: true},
			{kind: Enum, match: like(`enum\s+([A-Z]\w*)(?:\s+implements\b|\s*$)`), holds: true},
		},
	}
})

var haskellPatterns = sync.OnceValue(func() *patterns {
	return &patterns{
		syntax: &syntax{line: []string{"-- ", "--\n", "--|", "---"}, block: [][2]string{{"{-", "-}"}}, nested: true, quotes: `"`, chars: true, piped: '['},
		rules: []pattern{
			{kind: Class, match: like(`class\s+(?:.*=>\s*)?([A-Z][\w']*)`), names: atColumnZero},
			{kind: Type, word: "data", match: like(`data\s+(?:[^=]*=>\s*)?([A-Z][\w']*)`), names: atColumnZero},
			{kind: Type, word: "newtype", match: like(`newtype\s+(?:[^=]*=>\s*)?([A-Z][\w']*)`), names: atColumnZero},
			{kind: Type, match: like(`type\s+(?:family\s+)?([A-Z][\w']*)`), names: atColumnZero},
			{kind: Function, match: like(`([a-z_][\w']*)\s*::`), names: atColumnZero},
		},
	}
})

// atColumnZero accepts what is not indented.
func atColumnZero(s *patternScanner, _ string, at int, name string) string {
	if at > 0 && s.code[at-1] != '\n' && s.code[at-1] != '\r' {
		return ""
	}
	return name
}

var ocamlPatterns = sync.OnceValue(func() *patterns {
	return &patterns{
		syntax: &syntax{block: [][2]string{{"(*", "*)"}}, nested: true, wide: `"`, chars: true, piped: '{'},
		words:  "tmlcev",
		rules: []pattern{
			{kind: Type, match: like(`type\s+(?:nonrec\s+)?(?:(?:'\w+|\([^)]*\)|[+-]'\w+)\s+)?([a-z_][\w']*)`), names: atColumnZero},
			{kind: Interface, word: "module type", match: like(`module\s+type\s+([A-Z][\w']*)`), names: atColumnZero},
			{kind: Module, match: like(`module\s+(?:rec\s+)?([A-Z][\w']*)`), names: atColumnZero},
			{kind: Class, match: like(`class\s+(?:virtual\s+)?([a-z_][\w']*)`), names: atColumnZero},
			{kind: Type, word: "exception", match: like(`exception\s+([A-Z][\w']*)`), names: atColumnZero},
			{kind: Variable, word: "let", match: like(`let\s+(?:rec\s+)?([a-z_][\w']*)\s*(?::[^=]*)?=`), names: atColumnZero},
			{kind: Function, word: "let", match: like(`let\s+(?:rec\s+)?([a-z_][\w']*)\s+[\w('~?]`), names: atColumnZero},
			{kind: Variable, word: "val", match: like(`val\s+([a-z_][\w']*)\s*:`), names: atColumnZero},
		},
	}
})

var erlangPatterns = sync.OnceValue(func() *patterns {
	return &patterns{
		syntax: &syntax{line: []string{"%"}, quotes: `'`, wide: `"`, long: [][2]string{{"\"\"\"\n", `"""`}}, dollars: true},
		rules: []pattern{
			{kind: Struct, word: "record", match: like(`-record\(\s*(\w+)`)},
			{kind: Macro, word: "define", match: like(`-define\(\s*(\w+)`)},
			{kind: Type, match: like(`-(?:type|opaque)\s+(\w+)\s*\(`)},
			{kind: Function, match: like(`([a-z]\w*)\s*\(.*\)\s*(?:when\b.*)?->`), names: erlangFunction},
		},
	}
})

// erlangFunction names a function once, at the first of its clauses.
func erlangFunction(s *patternScanner, head string, at int, name string) string {
	name = atColumnZero(s, head, at, name)
	if n := len(s.all); n > 0 && s.all[n-1].Name == name && s.all[n-1].Kind == Function {
		return ""
	}
	return name
}

var clojurePatterns = sync.OnceValue(func() *patterns {
	return &patterns{
		syntax: &syntax{line: []string{";"}, wide: `"`},
		words:  "(",
		rules: []pattern{
			{kind: Module, word: "ns", match: like(`\(ns\s+([\w.-]+)`), names: atColumnZero},
			{kind: Function, word: "defn", match: like(`\(defn-?\s+(?:\^(?:\{[^{}]*\}|[^\s{]\S*)\s+)*([^\s\[\](){}^"]+)`), names: atColumnZero},
			{kind: Macro, word: "defmacro", match: like(`\(defmacro\s+(?:\^(?:\{[^{}]*\}|[^\s{]\S*)\s+)*([^\s\[\](){}^"]+)`), names: atColumnZero},
			{kind: Interface, word: "defprotocol", match: like(`\(defprotocol\s+([^\s\[\](){}^"]+)`), names: atColumnZero},
			{kind: Struct, word: "defrecord", match: like(`\((?:defrecord|deftype)\s+([^\s\[\](){}^"]+)`), names: atColumnZero},
			{kind: Variable, word: "def", match: like(`\((?:def|defonce)\s+(?:\^(?:\{[^{}]*\}|[^\s{]\S*)\s+)*([^\s\[\](){}^"]+)`), names: atColumnZero},
		},
	}
})
