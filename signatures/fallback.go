package signatures

import "strings"

// fallback returns the way to find declarations in lang without its grammar:
// where there is no cgo, where the text is too large, and where the grammar
// does not understand it. It is nil for a language that has none.
//
// The function takes a text, or a part of one that begins and ends between
// declarations at the top level, and returns what it declares, ordered by
// line, with lines counted from 1 at the start of that text. Names and labels
// must not share memory with the text.
func fallback(lang Language) func(src string) []Declaration {
	switch lang {
	case Go:
		return scanGo
	case Python:
		return scanPython
	case TypeScript:
		return func(src string) []Declaration { return scanTypeScript(src, false) }
	case TypeScriptReact, JavaScript:
		return func(src string) []Declaration { return scanTypeScript(src, true) }
	case C:
		return scanC
	case CPlusPlus:
		return scanCPP
	case Lua:
		return scanLua
	case SQL:
		return scanSQL
	case Markdown:
		return scanMarkdown
	case YAML:
		return scanYAML
	case TOML:
		return scanTOML
	case HCL:
		return scanHCL
	case Protobuf:
		return scanProto
	case CSS:
		return scanCSS
	case Dockerfile:
		return scanDockerfile
	}
	if patternsOf(lang) == nil {
		return nil
	}
	return func(src string) []Declaration { return scanLines(lang, src) }
}

// after returns the offset behind the next end in src from offset at, or that
// of the end of src.
func after(src string, at int, end string) int {
	at = min(at, len(src))
	if i := strings.Index(src[at:], end); i >= 0 {
		return at + i + len(end)
	}
	return len(src)
}
