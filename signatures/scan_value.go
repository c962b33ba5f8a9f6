package signatures

import "strings"

// This file reads variables with their patterns, types and values, and tells
// where a statement of TypeScript ends that no brace or semicolon ends.

// variables reads the names after const, let or var, and reports whether there
// are any. A variable that holds a function or a class is declared as such.
func (s *tsScanner) variables(h header, word string) bool {
	kind := Variable
	if word == "const" {
		kind = Constant
	}
	for start := h.start; ; start = s.i {
		name := ""
		if s.at('{') || s.at('[') {
			s.pattern(kind, word, h, 0)
		} else if name = s.word(); name == "" {
			return start != h.start
		}
		s.variable(start, kind, word, name, h)
		if !s.at(',') {
			return true
		}
		s.i++
		s.space()
	}
}

// variable reads what follows a name, up to a comma or the end of the
// statement.
func (s *tsScanner) variable(start int, kind Kind, word, name string, h header) {
	end := s.i
	if s.space(); s.at('!') {
		s.i++
	}
	if s.at(':') {
		s.i++
		end = s.typ()
		s.space()
	}
	if !s.at('=') {
		s.close(s.open(start, kind, word, name, h.in, h.exported), end)
		return
	}
	s.i++
	s.space()
	value := s.initializer()
	if value != "" {
		kind = value
	}
	index := s.open(start, kind, word, name, h.in, h.exported)
	if value == Class {
		s.classBody(index)
	}
	s.close(index, s.expression(initializerStops))
}

// initializer reads the start of a value and returns Function or Class if it
// is one, else "".
func (s *tsScanner) initializer() Kind {
	word := s.peekWord()
	if word == "async" {
		s.word()
		s.blanks()
		word = s.peekWord()
	}
	switch {
	case word == "function":
		s.functionValue()
		s.blanks()
		return functionIf(s.i == len(s.src) || strings.IndexByte("(.[`", s.src[s.i]) < 0)
	case word == "class":
		s.word()
		s.space()
		s.className()
		return Class
	case word != "" && !beforeOperand[word]:
		s.word()
		s.blanks()
		return functionIf(s.atText("=>"))
	case s.at('<') && !(s.jsx && s.atElement()):
		s.angles()
		s.space()
	}
	if !s.at('(') {
		return ""
	}
	s.balanced()
	s.blanks()
	return functionIf(s.atText("=>") || s.at(':'))
}

// functionValue reads a function in an expression.
func (s *tsScanner) functionValue() {
	s.word()
	if s.space(); s.at('*') {
		s.i++
		s.space()
	}
	s.word()
	if s.space(); s.at('<') {
		s.angles()
		s.space()
	}
	if s.at('(') {
		s.signature()
	}
}

func functionIf(is bool) Kind {
	if is {
		return Function
	}
	return ""
}

// pattern declares the names that a pattern binds, as "a", "c" and "d" in
// "{a, b: [c], ...d}".
func (s *tsScanner) pattern(kind Kind, word string, h header, nesting int) {
	isObject := s.at('{')
	s.i++
	target := !isObject
	for s.space(); s.i < len(s.src); s.space() {
		switch c := s.src[s.i]; {
		case isCloser(c):
			s.i++
			return
		case c == ':':
			target = true
			s.i++
		case c == ',':
			target = !isObject
			s.i++
		case c == '=':
			s.i++
			s.until(patternStops)
		case (c == '{' || c == '[') && (!target || nesting >= tsNesting):
			s.balanced()
		case c == '{' || c == '[':
			s.pattern(kind, word, h, nesting+1)
		case isName(c) && !isDigit(c):
			start := s.i
			name := s.word()
			if s.space(); target || !s.at(':') {
				s.close(s.open(start, kind, word, name, h.in, h.exported), start+1)
			}
		default:
			s.token(len(s.stack))
		}
	}
}

var patternStops = stopsAt(",")

// rest goes to the end of the statement and returns where its code ended.
func (s *tsScanner) rest() (end int) { return s.expression(statementStops) }

var (
	statementStops   = stopsAt(";\r\n")
	initializerStops = stopsAt(";,<\r\n")
)

// expression goes to the end of the statement, behind its semicolon if it has
// one, or to the first comma if that is among the stops, and returns where the
// code before that ended.
func (s *tsScanner) expression(set *stops) (end int) {
	for {
		s.until(set)
		end = s.codeEnd()
		if s.i == len(s.src) {
			return end
		}
		switch s.src[s.i] {
		case '\n', '\r':
			ends := end > 0 && s.src[end-1] == '}' || s.afterOperand()
			if s.space(); ends && !s.continues() {
				return end
			}
		case '<':
			s.lessThan()
		case ';':
			s.i++
			return end
		default:
			return end
		}
	}
}

// lessThan goes over a "<" in an expression, or over type arguments or an
// element.
func (s *tsScanner) lessThan() {
	if s.jsx && s.atElement() && !s.afterOperand() {
		s.balanced()
		return
	}
	if s.wasted < maxWaste {
		end, ok := typeArgumentsEnd(s.src, s.i)
		if ok {
			s.i = end
			return
		}
		s.wasted += end - s.i
	}
	s.i++
}

// typeArgumentsEnd returns the end of the type arguments that start with the
// "<" at i. They follow a name without a space. If there are none, it returns
// how far it looked.
func typeArgumentsEnd(src string, i int) (end int, ok bool) {
	if i == 0 || !isName(src[i-1]) {
		return i, false
	}
	const longest = 2000
	depth, brackets := 0, 0
	limit := min(len(src), i+longest)
	for ; i < limit; i++ {
		switch c := src[i]; {
		case c == '<':
			depth++
		case c == '>' && src[i-1] != '=':
			if depth--; depth == 0 {
				return i + 1, true
			}
		case c == '(', c == '[', c == '{':
			brackets++
		case isCloser(c):
			if brackets--; brackets < 0 {
				return i, false
			}
		case isName(c), isSpace(c), strings.IndexByte(".,|&:?'\"=>", c) >= 0, c == ';' && brackets > 0:
		default:
			return i, false
		}
	}
	return i, false
}

// continues reports whether the token here, the first on its line, goes on
// with the statement before it, which could end there.
func (s *tsScanner) continues() bool {
	if s.i == len(s.src) {
		return false
	}
	switch c := s.src[s.i]; c {
	case '"', '\'', '@', '#', '{', '~', '\\', ')', ']', '}':
		return false
	case '!':
		return s.atText("!=")
	case '+', '-':
		return !s.atText("++") && !s.atText("--")
	default:
		if !isName(c) {
			return true
		}
	}
	switch s.peekWord() {
	case "as", "extends", "in", "instanceof", "satisfies":
		return true
	}
	return false
}

// typ goes to the end of a type and returns where its code ended.
func (s *tsScanner) typ() (end int) {
	start := s.i
	for {
		s.until(typeStops)
		end = s.codeEnd()
		if s.i == len(s.src) {
			return end
		}
		switch s.src[s.i] {
		case '{':
			if s.afterType(start) {
				return end
			}
			s.balanced()
		case '<':
			s.angles()
		case '=':
			if !s.atText("=>") {
				return end
			}
			s.i += len("=>")
		case '\n', '\r':
			complete := s.afterType(start)
			if s.space(); complete && !s.continuesType() {
				return end
			}
		default:
			return end
		}
	}
}

var typeStops = stopsAt(";,={<>\r\n")

// afterType reports whether the type that starts at start could end here.
func (s *tsScanner) afterType(start int) bool {
	end := s.codeEnd()
	if end <= start {
		return false
	}
	switch s.src[end-1] {
	case ')', '}':
		return true
	case '>':
		return s.src[end-2] != '='
	}
	if isName(s.src[end-1]) {
		return !beforeType[s.lastWord(end)]
	}
	return s.afterOperand()
}

// beforeType has the words after which a type goes on.
var beforeType = map[string]bool{
	"asserts": true, "extends": true, "in": true, "infer": true, "is": true, "keyof": true,
	"new": true, "readonly": true, "typeof": true, "unique": true,
}

// continuesType reports whether the token here, the first on its line, goes on
// with the type before it, which could end there.
func (s *tsScanner) continuesType() bool {
	if s.i == len(s.src) {
		return false
	}
	return strings.IndexByte("|&?:=.", s.src[s.i]) >= 0 || s.peekWord() == "extends"
}

// angles goes behind the ">" that closes the "<" here.
func (s *tsScanner) angles() {
	depth := 0
	for ; s.i < len(s.src); s.until(angleStops) {
		switch s.src[s.i] {
		case '<':
			depth++
		case '>':
			depth--
		case '=':
			if s.atText("=>") {
				s.i++
			}
		default: // they are not closed
			return
		}
		s.i++
		if depth == 0 {
			return
		}
	}
}

var angleStops = stopsAt("<>=;")
