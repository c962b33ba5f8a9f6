package signatures

import "strings"

// script reads the tokens of TypeScript and JavaScript: it goes over what
// nothing is declared in, and tells a regular expression from a division and
// an element of JSX from a comparison by what stands before.
type script struct {
	src    string
	jsx    bool // "<" may start an element
	i      int  // the next byte
	stack  []bracket
	opened int // where the bracket was opened that was closed last
	wasted int // bytes looked at in vain

	// What stands before literal is no code to look back at, a string or a
	// comment: the code ended at ended, with an operand or without.
	literal int
	ended   int
	operand bool
}

// bracket is one that is open at the offset at. Its kind is the byte itself,
// or one of those below.
type bracket struct {
	kind byte
	at   int
}

const (
	substitution = '$' // ${ in a template
	attribute    = 'a' // { in a tag
	child        = 'c' // { between tags
	element      = '<' // an element whose end tag is to come
)

// stops is a set of bytes at which until looks, first those that script has
// to handle itself.
type stops [256]uint8

const (
	special uint8 = 1 + iota
	stop
)

func stopsAt(bytes string) *stops {
	var set stops
	for _, c := range []byte("()[]{}\"'`/<") {
		set[c] = special
	}
	for _, c := range []byte(bytes) {
		set[c] = stop
	}
	return &set
}

var insideBrackets = stopsAt("")

// until goes to the first byte of set, or to a closing bracket, that is in no
// bracket opened after here, or to the end.
func (s *script) until(set *stops) {
	base := len(s.stack)
	for {
		table := insideBrackets
		if len(s.stack) == base {
			table = set
		}
		i := s.i
		for i < len(s.src) && table[s.src[i]] == 0 {
			i++
		}
		s.i = i
		if i == len(s.src) {
			s.stack = s.stack[:base]
			return
		}
		if len(s.stack) == base && (table[s.src[i]] == stop || isCloser(s.src[i])) {
			return
		}
		s.token(base)
	}
}

func isCloser(c byte) bool { return c == ')' || c == ']' || c == '}' }

// balanced goes behind the bracket that closes the one here, or behind the
// element that starts here.
func (s *script) balanced() {
	base := len(s.stack)
	s.token(base)
	for len(s.stack) > base && s.i < len(s.src) {
		i := s.i
		for i < len(s.src) && insideBrackets[s.src[i]] == 0 {
			i++
		}
		if s.i = i; i < len(s.src) {
			s.token(base)
		}
	}
	s.stack = s.stack[:base]
}

// token goes over the special byte here and what belongs to it. It closes no
// bracket below base.
func (s *script) token(base int) {
	switch c := s.src[s.i]; c {
	case '"', '\'':
		s.i = quoted(s.src, s.i)
		s.after(true)
	case '`':
		s.i++
		s.template()
	case '/':
		s.slash()
	case '(', '[', '{':
		s.stack = append(s.stack, bracket{c, s.i})
		s.i++
	case ')', ']', '}':
		s.closer(base)
	case '<':
		if s.jsx && s.atElement() && !s.afterOperand() {
			s.stack = append(s.stack, bracket{element, s.i})
			s.i++
			s.markup(true)
			return
		}
		s.i++
	default:
		s.i++
	}
}

// after notes that something that is no code ends here.
func (s *script) after(operand bool) {
	s.literal, s.ended, s.operand = s.i, s.i, operand
}

// codeEnd returns the end of the code before here, without white space and
// comments.
func (s *script) codeEnd() int {
	end := s.i
	for end > s.literal && isSpace(s.src[end-1]) {
		end--
	}
	if end == s.literal {
		return s.ended
	}
	return end
}

// afterOperand reports whether the code before here ends with an operand: a
// slash divides it, and a line end may end the statement.
func (s *script) afterOperand() bool {
	end := s.codeEnd()
	if end <= s.literal {
		return s.operand
	}
	switch c := s.src[end-1]; c {
	case ')':
		return !s.closesCondition(end)
	case ']':
		return true
	case '}':
		return s.closesObject(end)
	case '+', '-':
		return end-2 >= s.literal && s.src[end-2] == c
	case '!': // "not null", after an operand
		return end-2 >= s.literal && (isName(s.src[end-2]) || isCloser(s.src[end-2]))
	default:
		return isName(c) && !beforeOperand[s.lastWord(end)]
	}
}

// lastWord returns the word that ends at end, or "" after a dot.
func (s *script) lastWord(end int) string {
	start := end
	for start > s.literal && isName(s.src[start-1]) {
		start--
	}
	if start > 0 && s.src[start-1] == '.' {
		return ""
	}
	return s.src[start:end]
}

// beforeOperand has the words after which an expression or a type goes on.
var beforeOperand = map[string]bool{
	"as": true, "asserts": true, "await": true, "case": true, "delete": true, "do": true, "else": true,
	"extends": true, "implements": true, "in": true, "infer": true, "instanceof": true, "is": true,
	"keyof": true, "new": true, "of": true, "readonly": true, "return": true, "satisfies": true,
	"throw": true, "typeof": true, "unique": true, "void": true, "yield": true,
}

// closesCondition reports whether the parenthesis before end is that of an if,
// while, for or with.
func (s *script) closesCondition(end int) bool {
	if s.src[s.opened] != '(' || end <= s.opened {
		return false
	}
	before := trimmedEnd(s.src, s.opened)
	start := before
	for start > 0 && isName(s.src[start-1]) {
		start--
	}
	switch s.src[start:before] {
	case "if", "while", "for", "with":
		return true
	}
	return false
}

// closesObject reports whether the brace before end is that of an object, not
// of a block.
func (s *script) closesObject(end int) bool {
	if s.src[s.opened] != '{' || end <= s.opened {
		return false
	}
	before := trimmedEnd(s.src, s.opened)
	if before == 0 {
		return false
	}
	switch c := s.src[before-1]; c {
	case '=', '(', ',', ':', '?', '[', '&', '|', '+':
		return true
	}
	return strings.HasSuffix(s.src[:before], "return")
}

// slash goes over a comment, a regular expression or a division.
func (s *script) slash() {
	if s.comment() {
		return
	}
	if !s.afterOperand() && s.wasted < maxWaste {
		end, ok := regexEnd(s.src, s.i)
		if ok {
			s.i = end
			s.after(true)
			return
		}
		s.wasted += end - s.i
	}
	s.i++
}

// maxWaste is how many bytes may be looked at in vain, so that the time for a
// text is in proportion to its length.
const maxWaste = 1 << 20

// comment goes over the comment here, if there is one.
func (s *script) comment() bool {
	end := goComment(s.src, s.i)
	if end == s.i {
		return false
	}
	operand := s.afterOperand()
	ended := s.codeEnd()
	s.i = end
	s.literal, s.ended, s.operand = end, ended, operand
	return true
}

// regexEnd returns the end of the regular expression at i, without its flags.
// It is none if the line ends first, there.
func regexEnd(src string, i int) (end int, ok bool) {
	inClass := false
	for i++; i < len(src); i++ {
		switch src[i] {
		case '\\':
			if i+1 < len(src) && src[i+1] != '\n' && src[i+1] != '\r' {
				i++
			}
		case '[':
			inClass = true
		case ']':
			inClass = false
		case '/':
			if !inClass {
				return i + 1, true
			}
		case '\n', '\r':
			return i, false
		}
	}
	return len(src), false
}

// template goes over the text of a template to its end or next substitution.
func (s *script) template() {
	for s.i < len(s.src) {
		switch s.src[s.i] {
		case '`':
			s.i++
			s.after(true)
			return
		case '\\':
			s.i = min(s.i+2, len(s.src))
			continue
		case '$':
			if strings.HasPrefix(s.src[s.i:], "${") {
				s.stack = append(s.stack, bracket{substitution, s.i})
				s.i += len("${")
				s.after(false)
				return
			}
		}
		s.i++
	}
	s.after(true)
}

// closer goes over a closing bracket. Where the brackets do not match, braces
// are right and the others wrong.
func (s *script) closer(base int) {
	c := s.src[s.i]
	n := len(s.stack)
	if c != '}' {
		if n > base && s.stack[n-1].kind == opener(c) {
			s.opened = s.stack[n-1].at
			s.stack = s.stack[:n-1]
		}
		s.i++
		return
	}
	for n > base && !isBrace(s.stack[n-1].kind) {
		n--
	}
	s.i++
	if n == base {
		s.stack = s.stack[:base]
		return
	}
	s.opened = s.stack[n-1].at
	kind := s.stack[n-1].kind
	s.stack = s.stack[:n-1]
	switch kind {
	case substitution:
		s.template()
	case attribute:
		s.markup(true)
	case child:
		s.markup(false)
	}
}

func opener(c byte) byte {
	if c == ')' {
		return '('
	}
	return '['
}

func isBrace(kind byte) bool {
	return kind == '{' || kind == substitution || kind == attribute || kind == child
}

// atElement reports whether the "<" here starts an element of JSX, not a list
// of type parameters.
func (s *script) atElement() bool {
	i := s.i + 1
	if i < len(s.src) && s.src[i] == '>' {
		return true
	}
	start := i
	for i < len(s.src) && (isName(s.src[i]) || strings.IndexByte(".:-", s.src[i]) >= 0) {
		i++
	}
	if i == start || isDigit(s.src[start]) {
		return false
	}
	name := s.src[start:i]
	for i < len(s.src) && isSpace(s.src[i]) {
		i++
	}
	rest := s.src[i:]
	switch {
	case rest == "" || name == "const":
		return false
	case rest[0] == '>':
		return !strings.HasPrefix(rest, ">(") || 'a' <= name[0] && name[0] <= 'z'
	case strings.HasPrefix(rest, "extends"):
		return strings.HasPrefix(rest, "extends=")
	}
	return rest[0] == '/' || rest[0] == '{' || isName(rest[0])
}

// markup goes through tags and the text between them to where the outermost
// element ends or an expression in braces starts.
func (s *script) markup(inTag bool) {
	for s.i < len(s.src) {
		c := s.src[s.i]
		switch {
		case c == '{':
			kind := byte(child)
			if inTag {
				kind = attribute
			}
			s.stack = append(s.stack, bracket{kind, s.i})
			s.i++
			s.after(false)
			return
		case !inTag && c == '<':
			s.i++
			if s.i < len(s.src) && s.src[s.i] == '/' {
				s.i = afterByte(s.src, s.i, '>')
				if s.endElement() {
					return
				}
				continue
			}
			s.stack = append(s.stack, bracket{element, s.i - 1})
			inTag = true
		case !inTag:
			s.i++
		case c == '>':
			s.i++
			inTag = false
		case strings.HasPrefix(s.src[s.i:], "/>"):
			s.i += len("/>")
			if s.endElement() {
				return
			}
			inTag = false
		case c == '"' || c == '\'':
			s.i = afterByte(s.src, s.i+1, c)
		case c == '<': // type arguments
			s.i = afterByte(s.src, s.i, '>')
		case c == '/' && goComment(s.src, s.i) > s.i:
			s.i = goComment(s.src, s.i)
		default:
			s.i++
		}
	}
	s.after(true)
}

// endElement closes the innermost element and reports whether no other is
// around it.
func (s *script) endElement() bool {
	if n := len(s.stack); n > 0 && s.stack[n-1].kind == element {
		s.stack = s.stack[:n-1]
	}
	if n := len(s.stack); n > 0 && s.stack[n-1].kind == element {
		return false
	}
	s.after(true)
	return true
}

// afterByte returns the offset after the first c at or after i.
func afterByte(src string, i int, c byte) int {
	if n := strings.IndexByte(src[i:], c); n >= 0 {
		return i + n + 1
	}
	return len(src)
}

// space goes over white space and comments.
func (s *script) space() {
	for s.i < len(s.src) {
		if isSpace(s.src[s.i]) {
			s.i++
		} else if s.src[s.i] != '/' || !s.comment() {
			return
		}
	}
}

// blanks goes over white space inside a line.
func (s *script) blanks() {
	for s.at(' ') || s.at('\t') {
		s.i++
	}
}

func (s *script) at(c byte) bool { return s.i < len(s.src) && s.src[s.i] == c }

func (s *script) atText(text string) bool { return strings.HasPrefix(s.src[s.i:], text) }

// peekWord returns the word here, or "".
func (s *script) peekWord() string {
	i := s.i
	if i < len(s.src) && isDigit(s.src[i]) {
		return ""
	}
	for i < len(s.src) && isName(s.src[i]) {
		i++
	}
	return s.src[s.i:i]
}

// word reads the word here, or "".
func (s *script) word() string {
	word := s.peekWord()
	s.i += len(word)
	return word
}

func isName(c byte) bool { return isWord(c) || c == '$' }
