package signatures

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// scanGo returns the functions, methods, types, constants and variables that
// Go source declares at the top level. The blank name is none.
func scanGo(src string) []Declaration {
	s := goScanner{src: src, found: newFound(src)}
	for s.space(); s.i < len(src); s.space() {
		start := s.i
		if s.declaration(); s.i == start {
			s.i++ // a closing bracket that nothing opened
		}
	}
	return s.all
}

// goScanner stands before the byte i.
type goScanner struct {
	found
	src string
	i   int
	end int // after the last byte that is neither space nor comment
}

func (s *goScanner) declaration() {
	keyword := s.word()
	switch keyword {
	case "func":
		s.function()
	case "type", "const", "var":
		s.group(keyword)
	default:
		s.rest()
	}
}

// function reads a function or method after its keyword.
func (s *goScanner) function() {
	start := s.i - len("func")
	s.space()
	receiver := ""
	if s.at('(') {
		open := s.i
		s.brackets()
		receiver = receiverType(s.src[open:s.i])
		s.space()
	}
	name := s.word()
	kind, in := Function, outside{}
	if receiver != "" {
		kind, in.name = Method, receiver
	}
	index := s.open(start, kind, "func", name, in, isUpper(name))
	s.rest()
	s.close(index, s.end)
}

// receiverType returns T of "(r *T[K])", or "".
func receiverType(receiver string) string {
	name := ""
	for i := 1; i < len(receiver); i++ {
		end := wordEnd(receiver, i)
		switch {
		case end > i:
			name = receiver[i:end]
			i = end - 1
		case receiver[i] == '[':
			return name
		case receiver[i] == '/':
			i = max(i, goComment(receiver, i)-1)
		}
	}
	return name
}

// group reads what follows type, const or var: one spec, or several in
// parentheses.
func (s *goScanner) group(keyword string) {
	s.space()
	if !s.at('(') {
		s.spec(keyword)
		return
	}
	s.i++
	for s.space(); s.i < len(s.src) && !s.at(')'); s.space() {
		start := s.i
		if s.spec(keyword); s.i == start {
			s.i++
		}
	}
	if s.at(')') {
		s.i++
		s.end = s.i
	}
	s.rest()
}

// spec reads one type, or the names of one line of constants or variables.
func (s *goScanner) spec(keyword string) {
	first := len(s.all)
	for {
		start := s.i
		name := s.word()
		s.blanks()
		if name == "" {
			break
		}
		s.open(start, s.kind(keyword), keyword, name, outside{}, isUpper(name))
		if !s.at(',') {
			break
		}
		s.i++
		s.space()
	}
	s.rest()
	for index := first; index < len(s.all); index++ {
		s.close(index, s.end)
	}
}

func (s *goScanner) kind(keyword string) Kind {
	switch keyword {
	case "const":
		return Constant
	case "var":
		return Variable
	}
	return s.typeKind()
}

// typeKind looks ahead at what stands after the name of a type.
func (s *goScanner) typeKind() Kind {
	ahead := goScanner{src: s.src, i: s.i}
	ahead.space()
	if ahead.at('[') {
		open := ahead.i
		ahead.brackets()
		ahead.space()
		if end := wordEnd(s.src, open+1); end == open+1 || end < len(s.src) && s.src[end] == ']' {
			return Type // an array, a slice: no type parameters
		}
	}
	switch ahead.word() {
	case "struct":
		return Struct
	case "interface":
		return Interface
	}
	return Type
}

func isUpper(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(first)
}

func (s *goScanner) at(c byte) bool { return s.i < len(s.src) && s.src[s.i] == c }

// word reads the word that starts here, or "".
func (s *goScanner) word() string {
	start := s.i
	s.i = wordEnd(s.src, s.i)
	if s.i > start {
		s.end = s.i
	}
	return s.src[start:s.i]
}

// space goes over white space, line ends, semicolons and comments.
func (s *goScanner) space() {
	for s.i < len(s.src) {
		c := s.src[s.i]
		switch {
		case isSpace(c), c == ';':
			s.i++
		case c == '/' && goComment(s.src, s.i) > s.i:
			s.i = goComment(s.src, s.i)
		case strings.HasPrefix(s.src[s.i:], "\ufeff"):
			s.i += len("\ufeff")
		default:
			return
		}
	}
}

// blanks goes over white space inside a line.
func (s *goScanner) blanks() {
	for s.at(' ') || s.at('\t') {
		s.i++
	}
}

// rest goes to the end of the declaration: a semicolon, written or implied by
// a line end, or before a closing bracket that was not opened in it.
func (s *goScanner) rest() {
	for s.i < len(s.src) {
		switch s.src[s.i] {
		case '\n', '\r':
			if s.end == 0 || endsGoStatement(s.src[:s.end]) {
				s.i++
				return
			}
			s.i++
		case ';':
			s.i++
			return
		case ' ', '\t':
			s.i++
		case '(', '[', '{':
			s.brackets()
		case ')', ']', '}':
			return
		default:
			s.token()
		}
	}
}

// endsGoStatement reports whether a line end after code implies a semicolon.
func endsGoStatement(code string) bool {
	switch c := code[len(code)-1]; c {
	case ')', ']', '}', '"', '`', '\'':
		return true
	case '.': // of a number
		i := len(code) - 1
		for i > 0 && isWord(code[i-1]) {
			i--
		}
		return isDigit(code[i])
	default:
		return isWord(c)
	}
}

// brackets goes behind the bracket that closes the one here.
func (s *goScanner) brackets() {
	depth := 0
	for s.i < len(s.src) {
		switch s.src[s.i] {
		case '(', '[', '{':
			depth++
			s.i++
		case ')', ']', '}':
			depth--
			s.i++
			if depth == 0 {
				s.end = s.i
				return
			}
		default:
			s.skip()
		}
	}
	s.end = s.i
}

// token goes over one word, literal, comment or operator.
func (s *goScanner) token() {
	if comment := goComment(s.src, s.i); comment > s.i {
		s.i = comment
		return
	}
	if end := wordEnd(s.src, s.i); end > s.i {
		s.i = end
	} else {
		s.i = goLiteral(s.src, s.i)
	}
	s.end = s.i
}

// skip goes to the next bracket, or over one literal or comment.
func (s *goScanner) skip() {
	src, i := s.src, s.i
	for i < len(src) && !goSpecial[src[i]] {
		i++
	}
	s.i = i
	if i == len(src) {
		return
	}
	switch src[i] {
	case '/':
		if s.i = goComment(src, i); s.i == i {
			s.i++
		}
	case '"', '\'', '`':
		s.i = goLiteral(src, i)
	}
}

var goSpecial = bytesOf("()[]{}\"'`/")

// goComment returns the end of the comment that starts at i, i itself if none
// does. The end of a line comment is before its line end.
func goComment(src string, i int) int {
	switch {
	case strings.HasPrefix(src[i:], "//"):
		return lineEnd(src, i)
	case strings.HasPrefix(src[i:], "/*"):
		if n := strings.Index(src[i+2:], "*/"); n >= 0 {
			return i + n + len("/**/")
		}
		return len(src)
	}
	return i
}

// goLiteral returns the end of the string or rune that starts at i, or of the
// one byte there.
func goLiteral(src string, i int) int {
	switch c := src[i]; c {
	case '`':
		if n := strings.IndexByte(src[i+1:], '`'); n >= 0 {
			return i + n + len("``")
		}
		return len(src)
	case '"', '\'':
		return quoted(src, i)
	}
	return i + 1
}
