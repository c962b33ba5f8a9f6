package signatures

import (
	"slices"
	"strings"
)

// This file finds the declarations of C and C++. A grammar cannot read what the
// preprocessor has not seen: half of the headers in use have macros or
// conditional parts that make no sense without it. The scanner goes from
// declaration to declaration instead, and takes of each the shape only.

func scanC(src string) []Declaration   { return scanCFamily(src, false) }
func scanCPP(src string) []Declaration { return scanCFamily(src, true) }

func scanCFamily(src string, cpp bool) []Declaration {
	s := &cScanner{cLexer: cLexer{src: src, at: len(src) - len(strings.TrimPrefix(src, "\ufeff"))}, cpp: cpp, found: newFound(src)}
	s.scan()
	slices.SortStableFunc(s.found.all, func(a, b Declaration) int { return a.Lines.First - b.Lines.First })
	return s.found.all
}

// cScanner collects declarations. A statement are the tokens since the last
// semicolon, brace or directive that ended one.
type cScanner struct {
	cLexer
	cpp          bool
	found        found
	statement    []cToken
	scopes       []cScope
	conditionals []cConditional
	guard        string // the name in an "#ifndef" on the line before
}

// cScope is what a brace opened that declarations stand in.
type cScope struct {
	kind    Kind // "" for what has no name of its own, as extern "C"
	name    string
	index   int // of the declaration, or negative
	private bool
}

// cConditional is where a scanner was at an "#if", to which each further branch
// goes back.
type cConditional struct {
	scopes    []cScope
	statement int // length
}

// maxStatement is the number of tokens in the longest declaration that is
// looked at.
const maxStatement = 256

func (s *cScanner) scan() {
	for {
		s.blank()
		if s.at >= len(s.src) {
			return
		}
		if s.src[s.at] == '#' {
			s.preprocessor()
			continue
		}
		if len(s.statement) > maxStatement {
			s.statement = s.statement[:0]
		}
		switch t := s.token(); t.kind {
		case ';':
			s.semicolon(t)
		case '{':
			s.brace(t)
		case '}':
			s.statement = s.statement[:0]
			s.closeScope(t.end)
		case '(', '[':
			s.group(t.kind)
			t.end = s.at
			s.statement = append(s.statement, t)
		case '<':
			if s.afterWord() {
				t.end = max(s.templateArguments(t.start), t.end)
				s.at = t.end
			}
			s.statement = append(s.statement, t)
		case ':':
			if !s.access() {
				s.statement = append(s.statement, t)
			}
		default:
			if t.kind == 'a' && s.src[t.start:t.end] == "operator" {
				t.end = s.operator()
			}
			s.statement = append(s.statement, t)
		}
	}
}

func (s *cScanner) afterWord() bool {
	return len(s.statement) > 0 && s.statement[len(s.statement)-1].kind == 'a'
}

// operator takes the rest of a name like "operator ==", up to the parameters.
func (s *cScanner) operator() (end int) {
	end = s.at
	const longest = 80
	for i := s.at; i < min(len(s.src), s.at+longest); i++ {
		switch s.src[i] {
		case ';', '{', '}':
			return end
		case '(':
			if rest := s.src[i:]; strings.TrimSpace(s.src[s.at:i]) == "" && strings.HasPrefix(rest, "()") {
				i++
				continue
			}
			s.at = i
			return trimmedEnd(s.src, i)
		}
	}
	return end
}

// access takes "public:" and its like, also behind a macro.
func (s *cScanner) access() bool {
	n := len(s.statement)
	if n > 1 && (s.word(s.statement[n-1]) == "slots" || s.word(s.statement[n-1]) == "Q_SLOTS") {
		n--
	}
	if n == 0 || len(s.scopes) == 0 {
		return false
	}
	switch s.word(s.statement[n-1]) {
	case "public", "protected", "signals", "Q_SIGNALS":
		s.scopes[len(s.scopes)-1].private = false
	case "private":
		s.scopes[len(s.scopes)-1].private = true
	default:
		return false
	}
	s.statement = s.statement[:0]
	return true
}

func (s *cScanner) word(t cToken) string {
	if t.kind != 'a' {
		return ""
	}
	return s.src[t.start:t.end]
}

func (s *cScanner) closeScope(end int) {
	if n := len(s.scopes); n > 0 {
		s.found.close(s.scopes[n-1].index, end)
		s.scopes = s.scopes[:n-1]
	}
}

// preprocessor takes a directive between declarations or inside one.
func (s *cScanner) preprocessor() {
	start := s.at
	name, end := s.directiveName()
	guard := s.guard
	s.guard = ""
	switch name {
	case "if", "ifdef", "ifndef":
		condition := strings.TrimSpace(s.src[end:lineEnd(s.src, end)])
		if name == "if" && condition == "0" {
			s.at = s.endOfConditional(s.at, true)
			s.conditionals = append(s.conditionals, s.here())
			return
		}
		if name == "ifndef" && len(s.found.all) == 0 {
			s.guard = condition
		}
		if len(s.conditionals) < maxDepth {
			s.conditionals = append(s.conditionals, s.here())
		}
	case "else", "elif", "elifdef", "elifndef":
		if len(s.conditionals) == 0 { // of an "#if" in a body that is over
			s.at = s.endOfConditional(s.at, false)
			return
		}
		saved := s.conditionals[len(s.conditionals)-1]
		s.scopes = append(s.scopes[:0], saved.scopes...)
		s.statement = s.statement[:min(saved.statement, len(s.statement))]
	case "endif":
		s.conditionals = s.conditionals[:max(len(s.conditionals)-1, 0)]
	case "define":
		s.at = s.logicalLineEnd(s.at)
		s.define(start, end, guard)
		return
	}
	s.at = s.logicalLineEnd(s.at)
}

func (s *cScanner) here() cConditional {
	return cConditional{scopes: slices.Clone(s.scopes), statement: len(s.statement)}
}

// define adds a macro, but not the one that guards a header.
func (s *cScanner) define(start, i int, guard string) {
	for i < len(s.src) && (s.src[i] == ' ' || s.src[i] == '\t') {
		i++
	}
	end := wordEnd(s.src, i)
	name := s.src[i:end]
	if name == guard && strings.TrimSpace(s.src[end:s.at]) == "" {
		return
	}
	s.found.close(s.found.open(start, Macro, "#define", name, outside{}, true), s.at)
}

// semicolon ends a statement.
func (s *cScanner) semicolon(t cToken) {
	if !s.cpp && s.oldStyle() {
		return // the parameters of a function follow its head
	}
	s.declaration(t.end)
	s.statement = s.statement[:0]
}

// brace takes "{": of a scope, of a body or of a value.
func (s *cScanner) brace(t cToken) {
	tokens := s.specified()
	f, isFunction := s.function(tokens, true)
	key := s.classKey(tokens)
	switch {
	case len(tokens) == 0:
		s.block(t)
	case s.isValue(tokens):
		s.value(t)
	case s.opensLinkage(tokens):
		s.open(cScope{index: -1, name: s.name()})
	case s.namespace(tokens):
	case key >= 0 && !(isFunction && f.at > key+1):
		s.class(tokens, key, t)
	case isFunction:
		index := s.addFunction(tokens, f)
		s.block(t)
		s.found.close(index, s.at)
		s.statement = s.statement[:0]
	default:
		s.block(t)
		s.statement = s.statement[:0]
	}
}

// block passes a body. What is declared there is local.
func (s *cScanner) block(t cToken) {
	start := t.start
	if len(s.statement) > 0 {
		start = s.statement[0].start
	}
	s.body(s.startsLine(start))
	s.conditionals = s.conditionals[:max(len(s.conditionals)-s.ended, 0)]
	s.ended = 0
}

// value passes braces that are part of a declaration, as one token.
func (s *cScanner) value(t cToken) {
	s.group('{')
	t.end = s.at
	s.statement = append(s.statement, t)
}

// isValue reports whether a brace behind tokens holds a value: after "=", or
// after the name of a member that a constructor sets.
func (s *cScanner) isValue(tokens []cToken) bool {
	last := tokens[len(tokens)-1]
	switch last.kind {
	case '=':
		return len(tokens) < 2 || !strings.HasPrefix(s.src[tokens[len(tokens)-2].start:], "operator")
	case 'a', '<':
	default:
		return false
	}
	call, colon := false, false
	for _, t := range tokens {
		call = call || t.kind == '('
		colon = colon || call && t.kind == ':'
	}
	return colon
}

// opensLinkage reports whether tokens are extern "C".
func (s *cScanner) opensLinkage(tokens []cToken) bool {
	n := len(tokens)
	return n >= 2 && s.word(tokens[n-2]) == "extern" && tokens[n-1].kind == '"'
}

// namespace opens "namespace a::b {".
func (s *cScanner) namespace(tokens []cToken) bool {
	at := slices.IndexFunc(tokens, func(t cToken) bool { return s.word(t) == "namespace" })
	if !s.cpp || at < 0 {
		return false
	}
	start := tokens[at].start
	if at > 0 && s.word(tokens[at-1]) == "inline" {
		start = tokens[at-1].start
	}
	name := ""
	for i := at + 1; i < len(tokens); i++ {
		switch word := s.word(tokens[i]); {
		case tokens[i].kind == 'q':
			name += "::"
		case i+1 < len(tokens) && tokens[i+1].kind == '(': // a macro with an attribute
		case word != "" && word != "inline":
			if !strings.HasSuffix(name, "::") {
				name = "" // a macro stood before
			}
			name += word
		}
	}
	index := s.add(start, Module, "namespace", name, true)
	s.open(cScope{kind: Module, index: index, name: s.name(), private: name == ""})
	return true
}

// open goes into the braces of a scope, if they are not too deep in others.
func (s *cScanner) open(scope cScope) {
	s.statement = s.statement[:0]
	if len(s.scopes) == maxDepth {
		s.body(false)
		return
	}
	s.scopes = append(s.scopes, scope)
}

// class adds a struct, union, class or enum whose body begins, and goes into
// that of a class.
func (s *cScanner) class(tokens []cToken, key int, brace cToken) {
	word := s.word(tokens[key])
	name := s.className(tokens[key+1:])
	kind := Struct
	switch word {
	case "class":
		kind = Class
	case "enum":
		kind = Enum
	}
	index := -1
	if name != "" {
		index = s.add(tokens[0].start, kind, word, name, true)
	}
	typedef := s.word(tokens[0]) == "typedef"
	if s.cpp && kind != Enum && !typedef && name != "" {
		s.open(cScope{kind: kind, name: s.qualifiedName(name), index: index, private: word == "class"})
		return
	}
	s.members()
	s.found.close(index, s.at)
	brace.end = s.at
	s.statement = append(s.statement, brace)
}

// members passes the body of a struct or enum. Macros are often defined there.
func (s *cScanner) members() {
	start := s.at
	s.group('{')
	end := s.at
	for i := start; ; {
		at := strings.Index(s.src[i:end], "\n#")
		if at < 0 {
			break
		}
		i += at + 1
		s.at = i
		if name, rest := s.directiveName(); name == "define" {
			s.at = s.logicalLineEnd(i)
			s.define(i, rest, "")
		}
	}
	s.at = end
}

// className returns the name behind "class": the last word before the bases
// that is not "final".
func (s *cScanner) className(tokens []cToken) string {
	name := ""
	for _, t := range tokens {
		switch word := s.word(t); {
		case t.kind == ':':
			return name
		case t.kind == 'q':
			name += "::"
		case word == "" || word == "final" || word == "sealed" || word == "class" || word == "struct":
		case strings.HasSuffix(name, "::"):
			name += word
		default:
			name = word
		}
	}
	return strings.TrimSuffix(name, "::")
}

// classKey returns the index of "struct" or its like, behind which a type is
// named, or -1.
func (s *cScanner) classKey(tokens []cToken) int {
	for i, t := range tokens {
		switch s.word(t) {
		case "struct", "union", "enum":
			return i
		case "class":
			if s.cpp {
				return i
			}
		}
		if t.kind == '=' || t.kind == ':' {
			break
		}
	}
	return -1
}

// name returns that of the type around, without namespaces, or "".
func (s *cScanner) name() string {
	if n := len(s.scopes); n > 0 {
		return s.scopes[n-1].name
	}
	return ""
}

func (s *cScanner) qualifiedName(name string) string {
	if outer := s.name(); outer != "" {
		return outer + "::" + name
	}
	return name
}

// kind returns that of the type around, or "".
func (s *cScanner) kind() Kind {
	if n := len(s.scopes); n > 0 {
		return s.scopes[n-1].kind
	}
	return ""
}

// add adds a declaration in the innermost scope and returns its index.
func (s *cScanner) add(start int, kind Kind, word, name string, exported bool) int {
	in := outside{}
	for _, scope := range s.scopes {
		if scope.kind != "" {
			in.depth++
		}
		exported = exported && !scope.private
	}
	if name == "" {
		return -1
	}
	return s.found.open(start, kind, word, s.qualifiedName(name), in, exported)
}
