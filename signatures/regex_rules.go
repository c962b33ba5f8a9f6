package signatures

import (
	"strings"
	"sync"
)

// patternsOf returns how to find declarations in lang, nil if nobody knows.
func patternsOf(lang Language) *patterns {
	switch lang {
	case Rust:
		return rustPatterns()
	case Java:
		return javaPatterns()
	case Groovy:
		return groovyPatterns()
	case CSharp:
		return cSharpPatterns()
	case ObjectiveC:
		return objectiveCPatterns()
	case PHP:
		return phpPatterns()
	case Kotlin:
		return kotlinPatterns()
	case Swift:
		return swiftPatterns()
	case Scala:
		return scalaPatterns()
	case Dart:
		return dartPatterns()
	case Zig:
		return zigPatterns()
	case Perl:
		return perlPatterns()
	case PowerShell:
		return powerShellPatterns()
	case R:
		return rPatterns()
	case Bash:
		return bashPatterns()
	case Ruby:
		return rubyPatterns()
	case Elixir:
		return elixirPatterns()
	case Julia:
		return juliaPatterns()
	case VimScript:
		return vimPatterns()
	case Haskell:
		return haskellPatterns()
	case OCaml:
		return ocamlPatterns()
	case Erlang:
		return erlangPatterns()
	case Clojure:
		return clojurePatterns()
	}
	return nil
}

var cComments = syntax{line: []string{"//"}, block: [][2]string{{"/*", "*/"}}, quotes: `"'`}

var rustPatterns = sync.OnceValue(func() *patterns {
	return &patterns{
		syntax:    &syntax{line: []string{"//"}, block: [][2]string{{"/*", "*/"}}, nested: true, wide: `"`, chars: true, raw: true},
		braces:    true,
		modifiers: " pub default async unsafe extern const ",
		shown:     " pub ",
		words:     "fstumeic",
		rules: []pattern{
			{kind: Function, word: "fn", match: like(`fn\s+((?:r#)?\w+)`)},
			{kind: Struct, match: like(`struct\s+(\w+)`)},
			{kind: Struct, word: "union", match: like(`union\s+(\w+)`), ends: "{"},
			{kind: Enum, match: like(`enum\s+(\w+)`), ends: "{"},
			{kind: Trait, match: like(`trait\s+(\w+)`), ends: "{", holds: true},
			{kind: Module, word: "mod", match: like(`mod\s+(\w+)`), holds: true},
			{kind: Macro, word: "macro_rules!", match: like(`macro_rules!\s*(\w+)`), ends: "{"},
			{kind: Type, match: like(`type\s+(\w+)`), ends: ";", beside: true},
			{kind: Variable, word: "static", match: like(`static\s+(?:mut\s+)?(\w+)\s*:`), ends: ";"},
			{match: like(`(impl)\b`), ends: "{", holds: true, silent: true, names: rustImpl},
		},
	}
})

// rustImpl returns the type that an impl is for.
func rustImpl(_ *patternScanner, head string, _ int, _ string) string {
	rest := strings.TrimLeft(strings.TrimPrefix(head, "impl"), " \t\r\n")
	if strings.HasPrefix(rest, "<") {
		rest = rest[anglesEnd(rest, 0, len(rest)):]
	}
	if before, _, ok := strings.Cut(rest, " where "); ok {
		rest = before
	}
	if _, after, ok := strings.Cut(rest, " for "); ok {
		rest = after
	}
	rest = strings.TrimLeft(rest, " \t\r\n&*")
	if strings.HasPrefix(rest, "'") {
		rest = rest[wordEnd(rest, 1):]
	}
	rest = strings.TrimLeft(rest, " ")
	for _, word := range []string{"mut ", "dyn ", "const "} {
		rest = strings.TrimPrefix(rest, word)
	}
	const short = 40
	if strings.HasPrefix(rest, "[") && len(rest) <= short {
		return strings.TrimSpace(rest)
	}
	name := ""
	for i := 0; i < len(rest); {
		end := wordEnd(rest, i)
		if end == i {
			break
		}
		name = rest[i:end]
		if !strings.HasPrefix(rest[end:], "::") {
			break
		}
		i = end + len("::")
	}
	return name
}

// What Java, C# and their kin put between modifiers and the name of a method:
// a type, with its arguments and brackets.
const typed = `(?:[\w.$:?]+(?:\s*<[^=;(){}]*>)?(?:[\w.$:?]*)(?:\s*\[[\s,]*\])*\??[\s*&]+)`

var javaPatterns = sync.OnceValue(func() *patterns {
	return &patterns{
		syntax:    &syntax{line: cComments.line, block: cComments.block, quotes: `"'`, long: [][2]string{{`"""`, `"""`}}},
		braces:    true,
		modifiers: " public protected private static final abstract sealed strictfp default synchronized native transient volatile ",
		shown:     " public protected ",
		rules:     javaRules(),
	}
})

func javaRules() []pattern {
	return []pattern{
		{kind: Class, match: like(`class\s+(\w+)`), ends: "{", holds: true},
		{kind: Class, word: "record", match: like(`record\s+(\w+)\s*[<(]`), ends: "{", holds: true},
		{kind: Interface, match: like(`interface\s+(\w+)`), ends: "{", holds: true},
		{kind: Interface, word: "@interface", match: like(`@interface\s+(\w+)`), ends: "{", holds: true},
		{kind: Enum, match: like(`enum\s+(\w+)`), ends: "{", holds: true},
		{kind: Method, match: like(`(?:<[^=;(){}]*>\s*)?` + typed + `+(\w+)\s*\(`), ends: "{;", inside: true, names: noKeyword},
		{kind: Method, match: like(`(\w+)\s*\(`), ends: "{", inside: true, names: constructor},
	}
}

// noKeyword rejects what looks like a typed name but is a statement.
func noKeyword(s *patternScanner, head string, _ int, name string) string {
	switch head[:wordEnd(head, 0)] {
	case "return", "new", "throw", "else", "case", "assert", "yield", "await", "using", "goto", "typedef", "delete", "if", "while", "for", "switch", "do", "try", "catch":
		return ""
	}
	if strings.Contains(head, "operator") {
		return "" // its name would be that of a type
	}
	switch name {
	case "Function", // the type that a function of Dart returns
		"__attribute__", "if", "while", "for", "switch", "catch", "return", "sizeof", "defined", "synchronized", "foreach", "lock", "using", "fixed", "throw", "new":
		return ""
	}
	return name
}

// constructor accepts the name of the class around.
func constructor(s *patternScanner, _ string, _ int, name string) string {
	outer := s.top().in.name
	if outer[strings.LastIndexByte(outer, '.')+1:] == name {
		return name
	}
	return ""
}

var groovyPatterns = sync.OnceValue(func() *patterns {
	return &patterns{
		syntax:    &syntax{line: cComments.line, block: cComments.block, quotes: `"'`, long: [][2]string{{`"""`, `"""`}, {`'''`, `'''`}, {`($/`, `/$`}, {`= $/`, `/$`}}},
		braces:    true,
		newlines:  true,
		modifiers: " public protected private static final abstract synchronized ",
		hidden:    " private ",
		rules: []pattern{
			{kind: Class, match: like(`class\s+(\w+)`), ends: "{", holds: true},
			{kind: Interface, match: like(`interface\s+(\w+)`), ends: "{", holds: true},
			{kind: Trait, match: like(`trait\s+(\w+)`), ends: "{", holds: true},
			{kind: Enum, match: like(`enum\s+(\w+)`), ends: "{", holds: true},
			{kind: Function, word: "def", match: like(`def\s+(\w+)\s*\(`), ends: "{", names: noKeyword},
			{kind: Method, match: like(`(?:<[^=;(){}]*>\s*)?` + typed + `+(\w+)\s*\(`), ends: "{", inside: true, names: noKeyword},
		},
	}
})

var cSharpPatterns = sync.OnceValue(func() *patterns {
	return &patterns{
		syntax:    &syntax{line: cComments.line, block: cComments.block, quotes: `"'`, long: [][2]string{{`"""`, `"""`}}, verbatim: true, directive: true},
		braces:    true,
		modifiers: " public protected private internal static sealed abstract partial readonly virtual override async unsafe extern new ref file required ",
		shown:     " public protected ",
		rules: []pattern{
			{kind: Module, word: "namespace", match: like(`namespace\s+([\w.]+)`), holds: true},
			{kind: Class, match: like(`class\s+(\w+)`), holds: true},
			{kind: Struct, word: "record struct", match: like(`record\s+struct\s+(\w+)`), holds: true},
			{kind: Class, word: "record", match: like(`record\s+(?:class\s+)?(\w+)`), holds: true},
			{kind: Struct, match: like(`struct\s+(\w+)`), holds: true},
			{kind: Interface, match: like(`interface\s+(\w+)`), holds: true},
			{kind: Enum, match: like(`enum\s+(\w+)`), ends: "{"},
			{kind: Type, word: "delegate", match: like(`delegate\s+` + typed + `(\w+)\s*[<(]`), ends: ";"},
			{kind: Method, match: like(typed + `(?:\w+\.)*(\w+)\s*(?:<[\w\s,]*>)?\s*\(`), inside: true, names: noKeyword},
			{kind: Method, match: like(`(\w+)\s*\(`), inside: true, names: constructor},
		},
	}
})

var objectiveCPatterns = sync.OnceValue(func() *patterns {
	return &patterns{
		syntax: &syntax{line: cComments.line, block: cComments.block, quotes: `"`, chars: true, directive: true},
		rules: []pattern{
			{kind: Class, word: "@interface", match: like(`@interface\s+(\w+)`), holds: true, closer: "@end"},
			{kind: Class, word: "@implementation", match: like(`@implementation\s+(\w+)`), holds: true, closer: "@end"},
			{kind: Interface, word: "@protocol", match: like(`@protocol\s+(\w+)\s*(?:<[^>]*>)?\s*$`), holds: true, closer: "@end"},
			{kind: Method, match: like(`[-+]\s*\([^)]*\)\s*(\w+)`)},
		},
	}
})

var phpPatterns = sync.OnceValue(func() *patterns {
	return &patterns{
		syntax:    &syntax{line: []string{"//", "# "}, block: cComments.block, wide: `"'`, hereDocs: true, outside: true},
		braces:    true,
		modifiers: " public protected private static final abstract readonly ",
		hidden:    " private protected ",
		words:     "cCiItTeEfFnNdD",
		rules: []pattern{
			{kind: Module, word: "namespace", match: like(`(?i:namespace)\s+([\w\\]+)$`), holds: true},
			{kind: Class, match: like(`(?i:class)\s+(\w+)`), ends: "{", holds: true},
			{kind: Interface, match: like(`(?i:interface)\s+(\w+)`), ends: "{", holds: true},
			{kind: Trait, match: like(`(?i:trait)\s+(\w+)`), ends: "{", holds: true},
			{kind: Enum, match: like(`(?i:enum)\s+(\w+)`), ends: "{", holds: true},
			{kind: Function, word: "function", match: like(`(?i:function)\s+&?\s*(\w+)\s*\(`)},
			{kind: Constant, word: "const", match: like(`const\s+(?:[\w\\|?]+\s+)?(\w+)\s*=`), ends: ";", beside: true},
		},
	}
})

var kotlinPatterns = sync.OnceValue(func() *patterns {
	return &patterns{
		syntax:    &syntax{line: cComments.line, block: cComments.block, nested: true, quotes: `"`, chars: true, long: [][2]string{{`"""`, `"""`}}},
		braces:    true,
		newlines:  true,
		modifiers: " public protected private internal abstract final open sealed data inner inline value suspend override operator infix tailrec external expect actual lateinit annotation companion const ",
		hidden:    " private protected ",
		words:     "cifotvea",
		rules: []pattern{
			{kind: Enum, word: "enum class", match: like(`enum\s+class\s+(\w+)`), holds: true},
			{kind: Class, match: like(`class\s+(\w+)`), holds: true},
			{kind: Interface, match: like(`(?:fun\s+)?interface\s+(\w+)`), holds: true},
			{kind: Class, word: "object", match: like(`object\s+(\w+)`), holds: true},
			{match: like(`(object)$`), ends: "{", holds: true, silent: true, names: func(*patternScanner, string, int, string) string { return "" }},
			{kind: Function, word: "fun", match: like(`fun\s+(?:<[^=;(){}]*>\s*)?((?:\w+(?:<[^=;(){}]*>)?\??\.)*\w+)\s*\(`), names: kotlinFunction},
			{kind: Method, match: like(`(constructor)\s*\(`), inside: true},
			{kind: Type, word: "typealias", match: like(`typealias\s+(\w+)`)},
		},
	}
})

// kotlinFunction names a function with the type it extends, "List.f" for
// "List<T>?.f".
func kotlinFunction(_ *patternScanner, _ string, _ int, name string) string {
	for {
		open := strings.IndexByte(name, '<')
		if open < 0 {
			return strings.ReplaceAll(name, "?", "")
		}
		name = name[:open] + name[anglesEnd(name, open, len(name)):]
	}
}

var swiftPatterns = sync.OnceValue(func() *patterns {
	return &patterns{
		syntax:    &syntax{line: cComments.line, block: cComments.block, nested: true, quotes: `"`, long: [][2]string{{`"""`, `"""`}}},
		braces:    true,
		newlines:  true,
		modifiers: " public private fileprivate internal open static class final override mutating nonmutating convenience required indirect lazy weak dynamic isolated nonisolated package prefix postfix infix ",
		hidden:    " private fileprivate ",
		rules: []pattern{
			{kind: Struct, match: like(`struct\s+(\w+)`), holds: true, ends: "{"},
			{kind: Enum, match: like(`enum\s+(\w+)`), holds: true, ends: "{"},
			{kind: Interface, word: "protocol", match: like(`protocol\s+(\w+)`), holds: true, ends: "{"},
			{kind: Class, word: "actor", match: like(`actor\s+(\w+)`), holds: true, ends: "{"},
			{kind: Class, word: "extension", match: like(`extension\s+([\w.]+)`), holds: true, ends: "{"},
			{kind: Function, word: "func", match: like(`func\s+(\w+)\s*[<(]`)},
			{kind: Method, match: like(`(init)[?!]?\s*[<(]`), inside: true},
			{kind: Type, word: "typealias", match: like(`typealias\s+(\w+)`)},
			{kind: Class, match: like(`([A-Z]\w*)\s*(?:<[^(){}]*>)?\s*(?::[^(){}]*)?$`), holds: true, ends: "{", names: swiftClass},
		},
	}
})

// swiftClass accepts a name after "class", which is a modifier, too.
func swiftClass(s *patternScanner, _ string, at int, name string) string {
	if strings.HasSuffix(strings.TrimRight(s.code[:at], " \t\r\n"), "class") {
		return name
	}
	return ""
}

var scalaPatterns = sync.OnceValue(func() *patterns {
	return &patterns{
		syntax:    &syntax{line: cComments.line, block: cComments.block, nested: true, quotes: `"`, chars: true, long: [][2]string{{`"""`, `"""`}}},
		braces:    true,
		newlines:  true,
		modifiers: " private protected final abstract sealed implicit override lazy case inline open transparent opaque infix ",
		hidden:    " private protected ",
		words:     "cotepdt",
		rules: []pattern{
			{kind: Class, match: like(`class\s+(\w+)`), holds: true},
			{kind: Module, word: "package object", match: like(`package\s+object\s+(\w+)`), holds: true},
			{kind: Class, word: "object", match: like(`object\s+(\w+)`), holds: true},
			{kind: Trait, match: like(`trait\s+(\w+)`), holds: true},
			{kind: Enum, match: like(`enum\s+(\w+)`), holds: true},
			{kind: Function, word: "def", match: like("def\\s+(\\w+_[-+!~]|\\w+|`[^`]+`|[^\\w\\s(\\[{;]+)")},
			{kind: Type, match: like(`type\s+(\w+)`)},
		},
	}
})

var dartPatterns = sync.OnceValue(func() *patterns {
	return &patterns{
		syntax:    &syntax{line: cComments.line, block: cComments.block, nested: true, quotes: `"'`, bare: true, long: [][2]string{{`"""`, `"""`}, {`'''`, `'''`}}},
		braces:    true,
		modifiers: " abstract final base sealed static external factory const late covariant ",
		rules: []pattern{
			{kind: Class, match: like(`(?:mixin\s+)?class\s+(\w+)`), ends: "{", holds: true},
			{kind: Class, word: "mixin", match: like(`mixin\s+(\w+)`), ends: "{", holds: true},
			{kind: Class, word: "extension", match: like(`extension\s+(\w+)\s+on\b`), ends: "{", holds: true},
			{kind: Enum, match: like(`enum\s+(\w+)`), ends: "{"},
			{kind: Type, word: "typedef", match: like(`typedef\s+(\w+)\s*[=<]`), ends: ";"},
			{kind: Function, match: like(typed + `(\w+)\s*(?:<[^=;(){}]*>)?\s*\([^=]*\)\s*(?:async\*?|sync\*)?$`), ends: "{", names: noKeyword},
		},
	}
})

var zigPatterns = sync.OnceValue(func() *patterns {
	return &patterns{
		syntax:    &syntax{line: []string{"//", `\\`}, quotes: `"`, chars: true},
		braces:    true,
		modifiers: " pub export extern inline noinline threadlocal ",
		shown:     " pub export ",
		words:     "fc",
		commas:    true,
		rules: []pattern{
			{kind: Function, word: "fn", match: like(`fn\s+(\w+)`)},
			{kind: Struct, word: "struct", match: like(`const\s+(\w+)\s*=\s*(?:extern\s+|packed\s+)?struct\b`), ends: "{", holds: true},
			{kind: Enum, match: like(`const\s+(\w+)\s*=\s*enum\b`), ends: "{", holds: true},
			{kind: Struct, word: "union", match: like(`const\s+(\w+)\s*=\s*(?:extern\s+|packed\s+)?union\b`), ends: "{", holds: true},
		},
	}
})

var perlPatterns = sync.OnceValue(func() *patterns {
	return &patterns{
		syntax: &syntax{
			line: []string{"#"}, spaced: true, quotes: `"'`, hereDocs: true,
			lines: [][2]string{
				{"=pod", "=cut"}, {"=head", "=cut"}, {"=over", "=cut"}, {"=begin", "=cut"}, {"=item", "=cut"}, {"=encoding", "=cut"},
				{"=for", "=cut"}, {"__END__", ""}, {"__DATA__", ""},
			},
		},
		words: "sp",
		rules: []pattern{
			{kind: Module, word: "package", match: like(`package\s+([\w:]+)\s*[;{]`)},
			{kind: Function, word: "sub", match: like(`sub\s+([\w:]+)\s*(?:\([^)]*\)\s*)?(?::\s*\w+\s*)?(?:\{|$)`)},
		},
	}
})

var powerShellPatterns = sync.OnceValue(func() *patterns {
	return &patterns{
		syntax: &syntax{line: []string{"#"}, block: [][2]string{{"<#", "#>"}}, ticks: true},
		rules: []pattern{
			{kind: Function, word: "function", match: like(`(?i:function|filter)\s+(?i:(?:global|script|local|private):)?([^\s(){}=]+)`)},
			{kind: Class, match: like(`(?i:class)\s+(\w+)\s*(?::[\w\s,]+)?\{?\s*$`)},
			{kind: Enum, match: like(`(?i:enum)\s+(\w+)\s*\{?\s*$`)},
		},
	}
})

var rPatterns = sync.OnceValue(func() *patterns {
	return &patterns{
		syntax: &syntax{line: []string{"#"}, wide: "\"'`"},
		rules: []pattern{
			{kind: Class, match: like(`([A-Za-z.][\w.]*)\s*(?:<-|=)\s*(?:R6::)?R6Class\s*\(`), holds: true},
			{kind: Function, match: like(`([A-Za-z.][\w.]*)\s*<-\s*(?:function|\\)\s*\(`)},
			{kind: Function, match: like(`([A-Za-z.][\w.]*)\s*=\s*(?:function|\\)\s*\(`), inside: true},
			{kind: Function, match: like(`([A-Za-z.][\w.]*)\s*=\s*(?:function|\\)\s*\(`), names: atColumnZero}, // else it is an argument
		},
	}
})
