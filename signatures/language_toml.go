package signatures

import "strings"

// scanTOML finds tables and the keys before the first one.
func scanTOML(src string) []Declaration {
	f := newFound(src)
	open, inTable := -1, false
	at := len(src) - len(strings.TrimPrefix(src, "\ufeff"))
	for at < len(src) {
		switch b := src[at]; {
		case isSpace(b):
			at++
		case b == '#':
			at = lineEnd(src, at)
		case b == '[':
			end := lineEnd(src, at)
			if name := tomlTable(src[at:end]); name != "" {
				f.close(open, trimmedEnd(src, at))
				open, inTable = f.open(at, Table, "", name, outside{}, true), true
			}
			at = end
		default:
			key, value := tomlKey(src, at)
			end := afterTOMLValue(src, value)
			if key != "" && !inTable {
				f.close(f.open(at, Key, "", key, outside{}, true), end)
			}
			at = end
		}
	}
	f.close(open, trimmedEnd(src, len(src)))
	return f.all
}

// tomlTable returns the name in "[a.b]" or "[[a.b]]", or "".
func tomlTable(line string) string {
	line = strings.TrimLeft(line, "[")
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '"', '\'':
			i = quoted(line, i) - 1
		case ']':
			return strings.TrimSpace(line[:i])
		}
	}
	return ""
}

// tomlKey returns the key at the offset at, and the offset behind its "=". The
// key is "" where there is none.
func tomlKey(src string, at int) (key string, value int) {
	for i := at; i < len(src); i++ {
		switch b := src[i]; {
		case b == '"' || b == '\'':
			i = quoted(src, i) - 1
		case b == '=':
			return strings.Trim(strings.TrimSpace(src[at:i]), `"'`), i + 1
		case b == '\n' || b == '\r' || b == '#':
			return "", i
		}
	}
	return "", len(src)
}

// afterTOMLValue returns the offset of the end of the line that ends the value
// at i, which may take several.
func afterTOMLValue(src string, i int) int {
	depth := 0
	for i < len(src) {
		switch b := src[i]; b {
		case '"', '\'':
			if triple := strings.Repeat(string(b), 3); strings.HasPrefix(src[i:], triple) {
				i = afterTriple(src, i+3, triple)
			} else {
				i = quoted(src, i)
			}
			continue
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '#':
			i = lineEnd(src, i)
			continue
		case '\n', '\r':
			if depth <= 0 {
				return i
			}
		}
		i++
	}
	return len(src)
}

// afterTriple returns the offset behind a string in three quotes.
func afterTriple(src string, i int, quotes string) int {
	for i < len(src) && !strings.HasPrefix(src[i:], quotes) {
		if src[i] == '\\' && quotes[0] == '"' {
			i++
		}
		i++
	}
	return min(i+len(quotes), len(src))
}
