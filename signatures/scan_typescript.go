package signatures

import "strings"

// scanTypeScript returns what TypeScript source declares at the top level, in
// namespaces and in classes. JavaScript is TypeScript with less in it. With
// jsx, "<" may start an element, as in files of TSX and of JavaScript.
func scanTypeScript(src string, jsx bool) []Declaration {
	s := tsScanner{script: script{src: src, jsx: jsx}, found: newFound(src)}
	if strings.HasPrefix(src, "\ufeff") {
		s.i = len("\ufeff")
	}
	if s.atText("#!") {
		s.i = lineEnd(src, s.i)
	}
	s.after(false)
	for s.i < len(src) {
		s.statements(outside{exported: true})
		if s.i < len(src) {
			s.i++ // a closing bracket that nothing opened
		}
	}
	return s.all
}

// tsScanner stands before a token.
type tsScanner struct {
	script
	found
}

// tsNesting is how deep namespaces and patterns are looked into.
const tsNesting = 50

// statements reads to the end or to a closing bracket.
func (s *tsScanner) statements(in outside) {
	for {
		s.separators()
		if s.i == len(s.src) || isCloser(s.src[s.i]) {
			return
		}
		start := s.i
		s.statement(in)
		if s.i == start {
			s.i++
		}
	}
}

// separators goes over white space, comments and semicolons.
func (s *tsScanner) separators() {
	for s.space(); s.at(';'); s.space() {
		s.i++
		s.after(false)
	}
}

// header is what stands before the name of a declaration.
type header struct {
	start     int // of the first modifier
	in        outside
	exported  bool
	isDefault bool // "export default"
}

func (s *tsScanner) statement(in outside) {
	s.decorators()
	h := header{start: s.i, in: in}
	for exports := false; ; {
		at := s.i
		word := s.word()
		switch word {
		case "export":
			exports, h.exported = true, in.exported
			s.space()
			if s.at('@') {
				s.decorators()
				s.space()
			}
			if s.at('=') && !s.atText("==") {
				s.i++
				s.rest()
				return
			}
			continue
		case "default":
			if h.isDefault = exports; h.isDefault {
				s.space()
				continue
			}
		case "declare", "abstract", "async":
			if s.blanks(); isDeclarationWord(s.peekWord()) {
				continue
			}
		default:
			if s.declaration(word, h) {
				return
			}
		}
		s.i = at
		if h.isDefault {
			s.exportValue(h)
			return
		}
		s.rest()
		return
	}
}

func isDeclarationWord(word string) bool {
	switch word {
	case "function", "class", "abstract", "interface", "type", "enum", "const", "let", "var", "namespace", "module", "global":
		return true
	}
	return false
}

// declaration reads what the keyword just read declares, and reports whether
// it declares something.
func (s *tsScanner) declaration(word string, h header) bool {
	switch word {
	case "function":
		s.function(h)
		return true
	case "class":
		s.class(h)
		return true
	case "const", "let", "var":
		s.space()
		if s.peekWord() == "enum" {
			s.word()
			return s.block(h, Enum)
		}
		return s.variables(h, word)
	case "enum":
		return s.block(h, Enum)
	case "interface":
		return s.block(h, Interface)
	case "type":
		return s.alias(h)
	case "namespace", "module":
		return s.namespace(h, word)
	case "global":
		if s.space(); s.at('{') {
			index := s.open(h.start, Module, "declare", "global", h.in, h.in.exported)
			s.members(index, outside{name: qualified(h.in.name, "global"), depth: h.in.depth + 1, exported: h.in.exported})
			return true
		}
	}
	return false
}

// decorators goes over "@name", "@name.of.it(...)" and "@(...)".
func (s *tsScanner) decorators() {
	for s.at('@') {
		s.i++
		for s.word() != "" && s.at('.') {
			s.i++
		}
		if s.blanks(); s.at('(') {
			s.balanced()
		}
		s.space()
	}
}

// exportValue reads what follows "export default". A function is told, and of
// other values a name.
func (s *tsScanner) exportValue(h header) {
	s.space()
	start := s.i
	name := s.peekWord()
	if isLiteral(name) {
		name = ""
	}
	if s.initializer() == Function {
		index := s.open(h.start, Function, "export", "default", h.in, h.exported)
		s.close(index, s.rest())
		return
	}
	end := s.rest()
	if name != "" && name == s.src[start:end] {
		s.close(s.open(h.start, Export, "export default", name, h.in, h.exported), end)
	}
}

func isLiteral(word string) bool {
	switch word {
	case "true", "false", "null", "undefined", "this":
		return true
	}
	return false
}

// function reads a function after its keyword.
func (s *tsScanner) function(h header) {
	if s.space(); s.at('*') {
		s.i++
		s.space()
	}
	name, word := s.word(), ""
	if name == "" && h.isDefault {
		name, word = "default", "export"
	}
	if s.space(); s.at('<') {
		s.angles()
		s.space()
	}
	if !s.at('(') {
		s.rest()
		return
	}
	index := s.open(h.start, Function, word, name, h.in, h.exported)
	s.close(index, s.signature())
}

// signature reads parameters, the type of the result and the body, and returns
// the end of what is there of it.
func (s *tsScanner) signature() (end int) {
	s.balanced()
	end = s.i
	if s.space(); s.at(':') {
		s.i++
		end = s.typ()
		s.space()
	}
	if s.at('{') {
		s.balanced()
		end = s.i
	}
	return end
}

// class reads a class after its keyword.
func (s *tsScanner) class(h header) {
	s.space()
	name, word := s.className(), ""
	if name == "" && h.isDefault {
		name, word = "default", "export"
	}
	index := s.open(h.start, Class, word, name, h.in, h.exported)
	s.classBody(index)
	s.close(index, s.i)
}

func (s *tsScanner) className() string {
	switch name := s.peekWord(); name {
	case "extends", "implements":
		return ""
	default:
		return s.word()
	}
}

// toBody goes to the brace that opens the body of a class, interface or enum,
// and reports whether there is one.
func (s *tsScanner) toBody() bool {
	for {
		s.until(headerStops)
		switch {
		case s.at('<'):
			s.angles()
		default:
			return s.at('{')
		}
	}
}

var headerStops = stopsAt("{<;")

func (s *tsScanner) classBody(index int) {
	if !s.toBody() {
		return
	}
	if index < 0 {
		s.balanced()
		return
	}
	in := s.inside(index)
	s.i++
	for s.separators(); s.i < len(s.src); s.separators() {
		if s.at('}') {
			s.i++
			return
		}
		start := s.i
		s.member(in)
		if s.i == start {
			s.i++
		}
	}
}

// member reads one member of a class. Methods are declared, and properties
// that hold a function.
func (s *tsScanner) member(in outside) {
	s.decorators()
	start := s.i
	name := ""
	for modifiers := true; modifiers; {
		if s.at('*') {
			s.i++
			s.space()
		}
		isWord := s.peekWord() != ""
		var ok bool
		if name, ok = s.memberName(); !ok {
			s.rest()
			return
		}
		s.space()
		modifiers = isWord && isMemberModifier(name) && s.atMemberName()
		if modifiers && (name == "private" || name == "protected") {
			in.exported = false
		}
	}
	if strings.HasPrefix(name, "#") {
		in.exported = false
	}
	if s.at('?') || s.at('!') {
		s.i++
		s.space()
	}
	switch {
	case s.at('<'), s.at('('):
		s.method(start, name, in)
	case name == "static" && s.at('{'):
		s.balanced()
	default:
		s.property(start, name, in)
	}
}

func (s *tsScanner) method(start int, name string, in outside) {
	if s.at('<') {
		s.angles()
		s.space()
	}
	if !s.at('(') {
		s.rest()
		return
	}
	index := s.open(start, Method, "", name, in, in.exported)
	s.close(index, s.signature())
}

func (s *tsScanner) property(start int, name string, in outside) {
	if s.at(':') {
		s.i++
		s.typ()
		s.space()
	}
	if !s.at('=') {
		return
	}
	s.i++
	s.space()
	index := -1
	if s.initializer() == Function {
		index = s.open(start, Method, "", name, in, in.exported)
	}
	s.close(index, s.rest())
}

func isMemberModifier(name string) bool {
	switch name {
	case "public", "private", "protected", "static", "readonly", "abstract", "override", "async", "declare", "accessor", "get", "set":
		return true
	}
	return false
}

// atMemberName reports whether the name of a member, or another modifier, can
// start here.
func (s *tsScanner) atMemberName() bool {
	return s.i < len(s.src) && (isName(s.src[s.i]) || strings.IndexByte("[\"'#*", s.src[s.i]) >= 0)
}

// memberName reads the name of a member and reports whether there is one. A
// computed one reads as "".
func (s *tsScanner) memberName() (name string, ok bool) {
	start := s.i
	switch {
	case s.at('['):
		s.balanced()
		return "", true
	case s.at('"'), s.at('\''):
		s.token(len(s.stack))
		return strings.Trim(s.src[start:s.i], "\"'"), true
	case s.at('#'):
		s.i++
	}
	for s.i < len(s.src) && isName(s.src[s.i]) {
		s.i++
	}
	return s.src[start:s.i], s.i > start
}

// block reads an interface or enum after its keyword, and reports whether the
// word was that. What has no body is not told.
func (s *tsScanner) block(h header, kind Kind) bool {
	s.blanks()
	name := s.word()
	if name == "" {
		return false
	}
	if !s.toBody() {
		return true
	}
	index := s.open(h.start, kind, "", name, h.in, h.exported)
	s.balanced()
	s.close(index, s.i)
	return true
}

// alias reads a type after its keyword, and reports whether the word was that.
func (s *tsScanner) alias(h header) bool {
	s.blanks()
	name := s.word()
	if name == "" {
		return false
	}
	if s.space(); s.at('<') {
		s.angles()
		s.space()
	}
	if !s.at('=') {
		return true
	}
	s.i++
	index := s.open(h.start, Type, "", name, h.in, h.exported)
	s.close(index, s.typ())
	return true
}

// namespace reads a namespace or module after its keyword, and reports whether
// it is one.
func (s *tsScanner) namespace(h header, word string) bool {
	s.blanks()
	start := s.i
	quoted := s.at('"') || s.at('\'')
	if quoted {
		s.token(len(s.stack))
	} else {
		for s.word() != "" && s.at('.') {
			s.i++
		}
	}
	name := strings.Trim(s.src[start:s.i], "\"'")
	end := s.i
	s.space()
	switch {
	case name != "" && s.at('{'):
		index := s.open(h.start, Module, word, name, h.in, h.exported)
		in := outside{name: qualified(h.in.name, name), depth: h.in.depth + 1, exported: h.exported}
		s.members(index, in) // also of _, which is no name itself
		return true
	case name != "" && quoted: // declares no more than that the module exists
		s.close(s.open(h.start, Module, word, name, h.in, h.exported), end)
		return true
	}
	return false
}

// members reads what is in the braces of a namespace with an index, which is
// negative if it has no name to be found by.
func (s *tsScanner) members(index int, in outside) {
	if in.depth > tsNesting || len(in.name) >= maxName {
		s.balanced()
		s.close(index, s.i)
		return
	}
	s.i++
	for s.statements(in); s.i < len(s.src); s.statements(in) {
		s.i++
		if s.src[s.i-1] == '}' {
			break
		}
	}
	s.close(index, s.i)
}
