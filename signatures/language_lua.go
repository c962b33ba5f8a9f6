package signatures

import "strings"

// scanLua finds functions that are not in other functions, and the locals of
// the file.
func scanLua(src string) []Declaration {
	s := &luaScanner{src: src, found: newFound(src)}
	s.scan()
	return s.found.all
}

// luaScanner goes from word to word and keeps the blocks that are open.
type luaScanner struct {
	src       string
	at        int
	found     found
	blocks    []luaBlock
	functions int // among the blocks

	local           int // offset of the "local" that the statement began with, negative for none
	name            int // offset of the name that stands before here, negative for none
	nameEnd, assign int // its end; the offset of the "=" behind it, negative for none
}

type luaBlock struct {
	kind  byte // 'f' for a function, '{' for a table, 'b' for another
	index int  // of the declaration, or negative
}

func (s *luaScanner) scan() {
	s.at = len(s.src) - len(strings.TrimPrefix(s.src, "\ufeff"))
	if strings.HasPrefix(s.src[s.at:], "#") { // "#!"
		s.at = lineEnd(s.src, s.at)
	}
	s.forget()
	for s.at < len(s.src) {
		switch b := s.src[s.at]; {
		case isSpace(b):
			s.at++
		case strings.HasPrefix(s.src[s.at:], "--"):
			s.comment()
		case b == '"' || b == '\'':
			s.at = quoted(s.src, s.at)
			s.forget()
		case b == '[' && longBracket(s.src[s.at:]) >= 0:
			s.at = afterLongBracket(s.src, s.at)
			s.forget()
		case isWord(b) && !isDigit(b):
			s.word()
		default:
			s.byte(b)
		}
	}
}

// forget drops the name before.
func (s *luaScanner) forget() { s.local, s.name, s.assign = -1, -1, -1 }

func (s *luaScanner) comment() {
	if longBracket(s.src[s.at+2:]) >= 0 {
		s.at = afterLongBracket(s.src, s.at+2)
		return
	}
	s.at = lineEnd(s.src, s.at)
}

// longBracket returns the number of "=" in the "[==[" that s begins with, or -1.
func longBracket(s string) int {
	if !strings.HasPrefix(s, "[") {
		return -1
	}
	level := len(s[1:]) - len(strings.TrimLeft(s[1:], "="))
	if !strings.HasPrefix(s[1+level:], "[") {
		return -1
	}
	return level
}

// afterLongBracket returns the end of the text in long brackets that begins
// at i.
func afterLongBracket(src string, i int) int {
	level := longBracket(src[i:])
	return after(src, i+level+2, "]"+strings.Repeat("=", level)+"]")
}

func (s *luaScanner) byte(b byte) {
	switch {
	case b == '{':
		s.open('{', -1)
		s.forget()
	case b == '}':
		if n := len(s.blocks); n > 0 && s.blocks[n-1].kind == '{' {
			s.blocks = s.blocks[:n-1]
		}
		s.forget()
	case b == '=' && s.name >= 0 && !strings.HasPrefix(s.src[s.at:], "=="):
		s.assign = s.at
	case b == '=':
		s.at++
		s.forget()
	case b == '<' && s.local >= 0: // an attribute: "local a <const>"
		s.at = max(s.at, min(after(s.src, s.at, ">"), lineEnd(s.src, s.at))-1)
	case b == ',' && s.local >= 0 && s.assign < 0:
		s.name = -1
	default:
		s.forget()
	}
	s.at++
}

func (s *luaScanner) open(kind byte, index int) {
	s.blocks = append(s.blocks, luaBlock{kind, index})
	if kind == 'f' {
		s.functions++
	}
}

// close ends a block. A table that is still open in it was never closed.
func (s *luaScanner) close() {
	n := len(s.blocks)
	for n > 0 && s.blocks[n-1].kind == '{' {
		n--
	}
	if n > 0 {
		n--
		s.found.close(s.blocks[n].index, s.at)
		if s.blocks[n].kind == 'f' {
			s.functions--
		}
	}
	s.blocks = s.blocks[:n]
	s.forget()
}

func (s *luaScanner) word() {
	start := s.at
	s.at = max(wordEnd(s.src, s.at), s.at+1)
	switch s.src[start:s.at] {
	case "function":
		s.function(start)
	case "local":
		s.forget()
		s.local = start
	case "do", "if", "repeat":
		s.open('b', -1)
		s.forget()
	case "end", "until":
		s.close()
	case "then", "else", "elseif", "for", "while", "return", "in", "and", "or", "not", "goto", "break", "nil", "true", "false":
		s.forget()
	default:
		s.named(start)
	}
}

// named takes a name, with what it is in: "M.sub:f".
func (s *luaScanner) named(start int) {
	s.at = s.afterName(s.at)
	if s.assign >= 0 { // a value
		s.forget()
		return
	}
	s.name, s.nameEnd = start, s.at
	if value := s.value(); s.local >= 0 && len(s.blocks) == 0 && value != "function" && value != "require" {
		s.found.close(s.found.open(start, Variable, "local", s.src[start:s.at], outside{}, false), s.at)
	}
}

// value returns the word that follows "=", or "".
func (s *luaScanner) value() string {
	rest, ok := strings.CutPrefix(strings.TrimLeft(s.src[s.at:min(s.at+200, len(s.src))], " \t\r\n"), "=")
	if !ok {
		return ""
	}
	rest = strings.TrimLeft(rest, " \t\r\n")
	return rest[:wordEnd(rest, 0)]
}

// afterName returns the end of the name whose first word ends at i.
func (s *luaScanner) afterName(i int) int {
	for i+1 < len(s.src) && (s.src[i] == '.' || s.src[i] == ':') {
		end := wordEnd(s.src, i+1)
		if end == i+1 {
			break
		}
		i = end
	}
	return i
}

// function takes "function name", or one that a name is assigned.
func (s *luaScanner) function(start int) {
	nameStart := s.at
	for nameStart < len(s.src) && (s.src[nameStart] == ' ' || s.src[nameStart] == '\t') {
		nameStart++
	}
	name := ""
	switch end := wordEnd(s.src, nameStart); {
	case end > nameStart:
		s.at = s.afterName(end)
		name = s.src[nameStart:s.at]
	case s.assign >= 0:
		name, start = s.src[s.name:s.nameEnd], s.name
	}
	index := -1
	if name != "" && s.functions == 0 {
		if s.local >= 0 {
			start = s.local
		}
		kind := Function
		if strings.IndexByte(name, ':') >= 0 {
			kind = Method
		}
		index = s.found.open(start, kind, "function", name, outside{}, s.local < 0)
	}
	s.open('f', index)
	s.forget()
}
