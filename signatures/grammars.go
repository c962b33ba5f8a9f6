//go:build cgo

package signatures

// grammarOf returns the grammar of lang, or nil. It is asked once for each
// language a process meets; nothing is built before.
func grammarOf(lang Language) *grammar {
	switch lang {
	case Go:
		return goGrammar()
	case JavaScript:
		return javaScriptGrammar()
	case TypeScript:
		return typeScriptGrammar()
	case TypeScriptReact:
		return typeScriptReactGrammar()
	case Python:
		return pythonGrammar()
	case Rust:
		return rustGrammar()
	case Java:
		return javaGrammar()
	case CSharp:
		return cSharpGrammar()
	case Ruby:
		return rubyGrammar()
	case PHP:
		return phpGrammar()
	case Kotlin:
		return kotlinGrammar()
	case Swift:
		return swiftGrammar()
	case Scala:
		return scalaGrammar()
	case Elixir:
		return elixirGrammar()
	case Bash:
		return bashGrammar()
	}
	return nil
}
