package signatures

import "strings"

// scanPython returns the functions, classes, methods and nested classes that
// Python source declares, also under conditions, and the names its module
// level assigns. What a function declares for itself is left out.
func scanPython(src string) []Declaration {
	s := pyScanner{src: src, found: newFound(src)}
	s.i = len(src) - len(strings.TrimPrefix(src, "\ufeff"))
	for s.i < len(src) {
		s.statement()
	}
	s.dedent(0)
	return s.all
}

// pyScanner stands before the byte i, the first of a line between statements.
type pyScanner struct {
	found
	src    string
	i      int
	end    int       // of the last statement
	blocks []pyBlock // the declarations around
}

type pyBlock struct {
	indent  int
	index   int // of the declaration
	isClass bool
}

// statement goes over one logical line, or over an empty one or a comment.
func (s *pyScanner) statement() {
	indent := s.indentation()
	if s.i == len(s.src) {
		return
	}
	switch s.src[s.i] {
	case '#':
		s.i = lineEnd(s.src, s.i)
		return
	case '\n', '\r':
		s.i++
		return
	}
	s.dedent(indent)
	first := len(s.all)
	opened := s.declares() && s.block(indent)
	for {
		if !opened && len(s.blocks) == 0 {
			s.assignment()
		}
		s.end, s.i = pyStatementEnd(s.src, s.i)
		for ; !opened && first < len(s.all); first++ {
			s.close(first, s.end)
		}
		if s.i == len(s.src) || s.src[s.i] != ';' {
			return
		}
		s.i = pyBlanks(s.src, s.i+1)
	}
}

// indentation goes over the white space a line starts with and returns its
// width.
func (s *pyScanner) indentation() int {
	width := 0
	for ; s.i < len(s.src); s.i++ {
		switch s.src[s.i] {
		case ' ':
			width++
		case '\t':
			width += 8 - width%8
		case '\f':
			width = 0
		default:
			return width
		}
	}
	return width
}

// dedent ends the declarations whose blocks do not reach a statement of this
// indentation.
func (s *pyScanner) dedent(indent int) {
	n := len(s.blocks)
	for n > 0 && s.blocks[n-1].indent >= indent {
		n--
		s.close(s.blocks[n].index, s.end)
	}
	s.blocks = s.blocks[:n]
}

// declares reports whether the statement may declare anything outside a
// function.
func (s *pyScanner) declares() bool {
	return len(s.blocks) == 0 || s.blocks[len(s.blocks)-1].isClass
}

// block reads the start of a function or class and reports whether it did.
func (s *pyScanner) block(indent int) bool {
	start, i := s.i, s.i
	switch s.src[i] {
	case 'a', 'c', 'd':
	default:
		return false
	}
	word, i := pyWord(s.src, i)
	if word == "async" {
		word, i = pyWord(s.src, i)
	}
	if word != "def" && word != "class" {
		return false
	}
	name, i := pyWord(s.src, i)
	if name == "" {
		return false
	}
	kind, in, exported := Function, outside{}, isPyPublic(name)
	if n := len(s.blocks); n > 0 {
		in = s.inside(s.blocks[n-1].index)
		kind, exported = Method, exported && in.exported
	}
	if word == "class" {
		kind = Class
	}
	index := s.open(start, kind, word, name, in, exported)
	s.blocks = append(s.blocks, pyBlock{indent, index, kind == Class && index >= 0})
	s.i = i
	return true
}

// isPyPublic goes by the underscore that private names begin with.
func isPyPublic(name string) bool { return !strings.HasPrefix(name, "_") }

// pyWord returns the word at i and the offset of what follows it on the line.
func pyWord(src string, i int) (string, int) {
	end := wordEnd(src, i)
	return src[i:end], pyBlanks(src, end)
}

// pyBlanks returns the offset of the next token of a logical line.
func pyBlanks(src string, i int) int {
	for i < len(src) {
		switch {
		case src[i] == ' ', src[i] == '\t', src[i] == '\f':
			i++
		case src[i] == '\\' && i+1 < len(src) && (src[i+1] == '\n' || src[i+1] == '\r'):
			i = afterLineEnd(src, i+1)
		default:
			return i
		}
	}
	return i
}

// assignment reads the names the statement binds, if it is an assignment to
// plain names: "a = 1", "a, (b, *c) = d = x", "a: int", "type a = int".
func (s *pyScanner) assignment() {
	start := s.i
	if word, i := pyWord(s.src, start); word == "type" {
		name, i := pyWord(s.src, i)
		if name != "" && i < len(s.src) && (s.src[i] == '=' || s.src[i] == '[') {
			s.open(start, Type, "", name, outside{}, isPyPublic(name))
			return
		}
	}
	var buffer [8]string
	for i := start; ; {
		names, next := pyTargets(s.src, i, buffer[:0])
		if next == len(s.src) {
			return
		}
		annotation := s.src[next] == ':' && i == start && len(names) == 1 && isWord(s.src[start]) && !pyCompound[names[0]]
		if !annotation && (s.src[next] != '=' || strings.HasPrefix(s.src[next:], "==")) {
			return
		}
		for _, name := range names {
			s.open(start, pyKind(name), "", name, outside{}, isPyPublic(name))
		}
		if annotation {
			return
		}
		i = pyBlanks(s.src, next+1)
	}
}

// pyCompound has the keywords that a colon can follow at once.
var pyCompound = map[string]bool{"else": true, "except": true, "finally": true, "lambda": true, "try": true}

func pyKind(name string) Kind {
	if name == strings.ToUpper(name) && name != strings.ToLower(name) {
		return Constant
	}
	return Variable
}

// pyTargets appends the names of a list of targets to names, and returns the
// offset of what follows the list, the length of src if it is none.
func pyTargets(src string, i int, names []string) ([]string, int) {
	depth := 0
	wanted := true // a target, not a comma
	for ; i < len(src); i = pyBlanks(src, i) {
		for depth > 0 && i < len(src)-1 && isSpace(src[i]) {
			i++
		}
		c := src[i]
		end := wordEnd(src, i)
		switch {
		case wanted && end > i:
			names = append(names, src[i:end])
			wanted = false
			i = end
			continue
		case wanted && c == '*':
		case wanted && (c == '(' || c == '['):
			depth++
		case !wanted && c == ',':
			wanted = true
		case depth > 0 && (c == ')' || c == ']'):
			depth--
			wanted = false
		case depth == 0 && len(names) > 0:
			return names, i
		default:
			return nil, len(src)
		}
		i++
	}
	return nil, len(src)
}

// pyStatementEnd returns where the code of the statement that i is in ends, and
// the offset of the line end or semicolon after it.
func pyStatementEnd(src string, i int) (end, next int) {
	end = i
	for depth := 0; i < len(src); {
		from := i
		for i < len(src) && !pySpecial[src[i]] {
			i++
		}
		if i > from {
			end = i
		}
		if i == len(src) {
			break
		}
		switch src[i] {
		case '(', '[', '{':
			depth++
			i++
		case ')', ']', '}':
			depth = max(depth-1, 0)
			i++
		case '"', '\'':
			i = pyString(src, i, pyNesting)
		case '\\':
			i = afterLineEnd(src, i+1)
			continue
		case '#':
			i = lineEnd(src, i)
			continue
		case ';':
			if depth == 0 {
				return end, i
			}
			i++
		default: // a line end
			if depth == 0 || pyStarts(src, i) {
				return end, i
			}
			for i < len(src) && isSpace(src[i]) {
				i++
			}
			continue
		}
		end = i
	}
	return end, len(src)
}

var pySpecial = bytesOf("()[]{}\"'#;\\\r\n")

// pyStarts reports whether the line after the line end at i starts with a
// keyword that cannot stand in brackets: then one was left open.
func pyStarts(src string, i int) bool {
	for i < len(src) && isSpace(src[i]) {
		i++
	}
	rest := src[i:]
	return strings.HasPrefix(rest, "def ") || strings.HasPrefix(rest, "class ") || strings.HasPrefix(rest, "async def ")
}

// isFormatted reports whether the prefix of the string whose quote is at i
// makes it one with expressions inside.
func isFormatted(src string, i int) bool {
	formatted := false
	start := i
	for start > 0 && i-start < 3 && isWord(src[start-1]) {
		start--
	}
	for _, c := range []byte(src[start:i]) {
		switch c {
		case 'f', 'F', 't', 'T':
			formatted = true
		case 'r', 'R':
		default:
			return false
		}
	}
	return formatted
}

// pyNesting is how deep strings in the expressions of strings are looked into.
const pyNesting = 50

// pyString returns the end of the string whose quote is at i. One in single
// quotes ends with its line at the latest.
func pyString(src string, i, nesting int) int {
	formatted := nesting > 0 && isFormatted(src, i)
	quote := src[i : i+1]
	if i+2 < len(src) && src[i+1] == src[i] && src[i+2] == src[i] {
		quote = src[i : i+3]
	}
	for i += len(quote); i < len(src); {
		switch c := src[i]; {
		case c == quote[0] && strings.HasPrefix(src[i:], quote):
			return i + len(quote)
		case c == '\\':
			i = afterLineEnd(src, i+1)
		case formatted && c == '{':
			i = pyField(src, i, quote, nesting-1)
		case (c == '\n' || c == '\r') && len(quote) == 1:
			return i
		default:
			i++
		}
	}
	return len(src)
}

// pyField returns the end of the replacement field at i of a string with this
// quote. It ends before the string's quote and, where that is a single one, at
// the end of the line.
func pyField(src string, i int, quote string, nesting int) int {
	if strings.HasPrefix(src[i:], "{{") {
		return i + 2
	}
	depth := 0
	for literal := false; i < len(src); {
		switch c := src[i]; {
		case c == '{' || c == '(' || c == '[':
			depth++
			literal = false
			i++
		case c == '}' || c == ')' || c == ']':
			i++
			if depth--; depth == 0 {
				return i
			}
			literal = false
		case len(quote) == 3 && strings.HasPrefix(src[i:], quote):
			return i
		case (c == '"' || c == '\'') && !literal:
			i = pyString(src, i, nesting)
		case (c == '\n' || c == '\r' || c == quote[0]) && len(quote) == 1:
			return i
		case c == ':' && depth == 1:
			literal = true
			i++
		default:
			i++
		}
	}
	return len(src)
}
