package signatures

import "strings"

// This file tells what a statement of C or C++ declares.

// cFunction is where a statement names a function.
type cFunction struct {
	at   int // index of the token with the name
	name string
}

// specified returns the statement without what may stand before any
// declaration: attributes, the parameters of a template, and macros on lines of
// their own.
func (s *cScanner) specified() []cToken {
	tokens := s.statement
	for len(tokens) > 0 {
		n := s.prefix(tokens)
		if n == 0 {
			break
		}
		tokens = tokens[n:]
	}
	return tokens
}

// prefix returns how many tokens at the start do not matter.
func (s *cScanner) prefix(tokens []cToken) int {
	followed := func(i int, kind byte) bool { return i < len(tokens) && tokens[i].kind == kind }
	switch word := s.word(tokens[0]); {
	case tokens[0].kind == '[':
		return 1
	case word == "__extension__" || word == "export":
		return 1
	case word == "template":
		if followed(1, '<') {
			return 2
		}
	case word == "extern":
		if followed(1, '"') && len(tokens) > 2 {
			return 2
		}
	case word == "__attribute__" || word == "__declspec" || word == "alignas" || word == "requires":
		if followed(1, '(') {
			return 2
		}
	case isMacroName(word):
		end := 1
		if followed(1, '(') {
			end = 2
		}
		// What returns a type, as in "PR_EXTERN(char*)", is not passed over.
		if followed(end, 'a') && s.lineEndsBetween(tokens[end-1], tokens[end]) && !(end == 2 && followed(3, '(') && !isMacroName(s.word(tokens[2]))) {
			return end
		}
	}
	return 0
}

func (s *cScanner) lineEndsBetween(a, b cToken) bool {
	return strings.ContainsAny(s.src[a.end:b.start], "\n\r")
}

// isMacroName reports whether name is written as macros are: FOO_2.
func isMacroName(name string) bool {
	letters := 0
	for i := range len(name) {
		switch c := name[i]; {
		case 'A' <= c && c <= 'Z':
			letters++
		case c != '_' && !isDigit(c):
			return false
		}
	}
	return letters > 1
}

// isReserved reports whether word cannot name what is declared.
func isReserved(word string) bool {
	switch word {
	case "if", "while", "for", "switch", "return", "sizeof", "else", "do", "case", "default", "goto", "break", "continue",
		"__attribute__", "__attribute", "__declspec", "__asm__", "__asm", "asm", "alignas", "_Alignas", "decltype", "typeof", "__typeof__",
		"noexcept", "throw", "requires", "static_assert", "_Static_assert", "defined", "alignof", "_Alignof", "typeid", "catch",
		"void", "int", "char", "short", "long", "float", "double", "signed", "unsigned", "bool", "_Bool", "auto",
		"const", "volatile", "static", "extern", "inline", "struct", "union", "enum", "class", "typedef", "explicit", "constexpr",
		"virtual", "register", "restrict", "__restrict", "this", "new", "delete", "template", "typename", "using", "namespace",
		"public", "private", "protected", "friend", "mutable", "final", "override":
		return true
	}
	return false
}

// isSpecifier reports whether word only modifies a declaration, so that it does
// not stand for a type.
func isSpecifier(word string) bool {
	switch word {
	case "static", "extern", "inline", "__inline", "__inline__", "const", "constexpr", "consteval", "constinit", "virtual", "explicit", "friend",
		"typedef", "volatile", "register", "mutable", "thread_local", "__extension__", "_Noreturn":
		return true
	}
	return false
}

// declaration adds what a statement declares that ends with a semicolon.
func (s *cScanner) declaration(end int) {
	tokens := s.specified()
	if len(tokens) < 2 || s.isNoDeclaration(tokens) {
		return
	}
	inType := isType(s.kind())
	first := s.word(tokens[0])
	switch {
	case first == "typedef":
		s.typedef(tokens, end)
		return
	case first == "concept" && s.cpp:
		s.found.close(s.add(tokens[0].start, Type, "concept", s.word(tokens[1]), true), end)
		return
	case first == "using":
		if s.cpp && len(tokens) > 2 && (tokens[2].kind == '=' || tokens[2].kind == '[') {
			s.found.close(s.add(tokens[0].start, Type, "using", s.word(tokens[1]), true), end)
		}
		return
	}
	if f, ok := s.function(tokens, false); ok {
		s.found.close(s.addFunction(tokens, f), end)
		return
	}
	if !inType {
		s.variables(tokens, end)
	}
}

// isNoDeclaration reports whether tokens are something else: a statement of a
// function's body that was lost, a friend, a use of what is declared elsewhere,
// or another language.
func (s *cScanner) isNoDeclaration(tokens []cToken) bool {
	switch s.word(tokens[0]) {
	case "return", "goto", "if", "else", "while", "for", "do", "switch", "case", "default", "break", "continue", "throw", "delete",
		"new", "template", "friend", "module", "import", "static_assert", "_Static_assert", "namespace", "asm", "__asm__", "public", "private", "protected":
		return true
	}
	for _, t := range tokens {
		if t.kind == '@' {
			return true
		}
	}
	return s.word(tokens[1]) == "template"
}

// function returns where tokens name a function: at the word before the
// parameters. With a body, the head of a constructor needs no type.
func (s *cScanner) function(tokens []cToken, hasBody bool) (cFunction, bool) {
	best := cFunction{at: -1}
	for i, t := range tokens {
		if t.kind == '=' || t.kind == ':' || t.kind == '{' || t.kind == ',' || t.kind == '.' {
			break
		}
		if t.kind != '(' || i == 0 || s.isPointer(tokens, i-1) {
			continue
		}
		f, ok := s.candidate(tokens, i, hasBody)
		if !ok {
			continue
		}
		if best.at >= 0 && (!isMacroName(best.name) || isMacroName(f.name)) {
			continue // attributes follow the parameters
		}
		if best.at >= 0 && i > 0 && f.at == best.at+2 && strings.HasPrefix(f.name, "__") {
			continue
		}
		best = f
	}
	return best, best.at >= 0
}

// candidate reports whether the parentheses at i are those of a function that
// is named before them.
func (s *cScanner) candidate(tokens []cToken, i int, hasBody bool) (cFunction, bool) {
	if s.isPointer(tokens, i) {
		name, isFunction := s.pointerName(tokens[i])
		return cFunction{i, name}, isFunction
	}
	if tokens[i-1].kind == '<' && i > 1 && tokens[i-1].end-tokens[i-1].start > 1 {
		i-- // a specialization: "f<int>(...)"
	}
	at := i - 1
	word := s.word(tokens[at])
	if word == "" || isReserved(word) || strings.HasPrefix(word, "__") && isMacroName(word) || s.hasValue(tokens[i]) && !hasBody {
		return cFunction{}, false
	}
	start, name := s.qualifiedAt(tokens, at)
	f := cFunction{at: at, name: name}
	typed := false
	for _, t := range tokens[:start] {
		switch before := s.word(t); {
		case before == "return" || before == "else" || before == "new" || before == "throw" || before == "goto" || before == "delete":
			return f, false
		case before != "" && !isSpecifier(before), t.kind == '*', t.kind == '&', t.kind == '<':
			typed = true
		case t.kind == '-' || t.kind == '!' || t.kind == '+' || t.kind == '/' || t.kind == '|' || t.kind == '"' || t.kind == '0' || t.kind == '>':
			return f, false
		}
	}
	if typed {
		return f, true
	}
	return f, s.isConstructor(name) || strings.HasPrefix(word, "operator") && len(word) > len("operator") || !s.cpp && hasBody && name == "main"
}

// isConstructor reports whether a name without a type before it is that of a
// constructor or destructor: in its class, or as in "A::A" and "A::~A".
func (s *cScanner) isConstructor(name string) bool {
	if !s.cpp {
		return false
	}
	last, outer := name, s.name()
	if i := strings.LastIndex(name, "::"); i >= 0 {
		last, outer = name[i+2:], name[:i]
	} else if !isType(s.kind()) {
		return false
	}
	if i := strings.LastIndex(outer, "::"); i >= 0 {
		outer = outer[i+2:]
	}
	return strings.TrimPrefix(last, "~") == outer
}

// qualifiedAt returns the name that ends at the token at, "A::B::f" or "~A",
// and the index of its first token.
func (s *cScanner) qualifiedAt(tokens []cToken, at int) (start int, name string) {
	name = strings.Join(strings.Fields(s.word(tokens[at])), " ")
	start = at
	if start > 0 && tokens[start-1].kind == '~' {
		start--
		name = "~" + name
	}
	for start > 1 && tokens[start-1].kind == 'q' {
		outer := start - 2
		if tokens[outer].kind == '<' && outer > 0 {
			outer--
		}
		if tokens[outer].kind != 'a' || isReserved(s.word(tokens[outer])) {
			break
		}
		name = s.word(tokens[outer]) + "::" + name
		start = outer
	}
	return start, name
}

// isPointer reports whether the token at i is "(*name)", with what it points
// to behind it.
func (s *cScanner) isPointer(tokens []cToken, i int) bool {
	return tokens[i].kind == '(' && i+1 < len(tokens) && (tokens[i+1].kind == '(' || tokens[i+1].kind == '[') && s.pointsToFunction(tokens[i])
}

// pointsToFunction reports whether parentheses hold "*name", as those of a
// pointer to a function do.
func (s *cScanner) pointsToFunction(t cToken) bool {
	inner := cLexer{src: s.src[:max(t.end-1, t.start+1)], at: t.start + 1}
	for range 3 {
		inner.blank()
		if inner.at >= len(inner.src) {
			return false
		}
		switch token := inner.token(); token.kind {
		case '*', '^':
			return true
		case 'a': // a convention of calling, or a class: "(WINAPI *f)", "(A::*f)"
			continue
		case 'q':
			continue
		default:
			return false
		}
	}
	return false
}

// hasValue reports whether parentheses hold a value and not parameters.
func (s *cScanner) hasValue(t cToken) bool {
	inner := cLexer{src: s.src[:max(t.end-1, t.start+1)], at: t.start + 1}
	inner.blank()
	if inner.at >= len(inner.src) {
		return false
	}
	switch b := inner.src[inner.at]; {
	case isDigit(b), b == '"', b == '\'', b == '-', b == '!', b == '&', b == '*', b == '{':
		return true
	case b == '(':
		return true
	}
	return false
}

// addFunction adds a function or, in a class or of one, a method.
func (s *cScanner) addFunction(tokens []cToken, f cFunction) int {
	kind := Function
	if isType(s.kind()) || strings.Contains(f.name, "::") {
		kind = Method
	}
	if s.isStaticMacro(tokens, f) {
		return -1
	}
	exported := true
	for _, t := range tokens[:f.at] {
		exported = exported && (s.word(t) != "static" || kind == Method)
	}
	return s.add(tokens[0].start, kind, "", f.name, exported)
}

// isStaticMacro reports whether what looks like a function is the use of a
// macro, as in "static DEFINE_MUTEX(lock)".
func (s *cScanner) isStaticMacro(tokens []cToken, f cFunction) bool {
	if !isMacroName(f.name) {
		return false
	}
	for _, t := range tokens[:f.at] {
		if word := s.word(t); word == "" || !isSpecifier(word) && !isMacroName(word) {
			return false
		}
	}
	return true
}

// oldStyle reports whether the statement is the head of a function whose
// parameters are declared between it and its body: "int f(a) int a;".
func (s *cScanner) oldStyle() bool {
	tokens := s.specified()
	f, ok := s.function(tokens, true)
	if !ok || f.at+3 >= len(tokens) || tokens[f.at+1].kind != '(' || tokens[f.at+2].kind != 'a' {
		return false
	}
	if strings.HasPrefix(s.word(tokens[f.at+2]), "__") || isMacroName(s.word(tokens[f.at+2])) {
		return false
	}
	names := s.src[tokens[f.at+1].start+1 : tokens[f.at+1].end-1]
	for name := range strings.SplitSeq(names, ",") {
		if name = strings.TrimSpace(name); name == "" || wordEnd(name, 0) != len(name) {
			return false
		}
	}
	return true
}

// typedef adds the names behind "typedef".
func (s *cScanner) typedef(tokens []cToken, end int) {
	s.eachDeclarator(tokens[1:], func(name string, _ bool) {
		s.found.close(s.add(tokens[0].start, Type, "typedef", name, true), end)
	})
}

// variables adds the names in "static int a = 1, b[2];".
func (s *cScanner) variables(tokens []cToken, end int) {
	exported, constant := true, false
	for _, t := range tokens {
		if t.kind == '=' {
			break
		}
		if t.kind == '-' || t.kind == '.' {
			return // a call
		}
	}
	for _, t := range tokens {
		if t.kind != 'a' && t.kind != '<' && t.kind != 'q' {
			break
		}
		switch s.word(t) {
		case "static":
			exported = false
		case "const":
			constant = true
		case "constexpr":
			constant = true
		}
	}
	r := Variable
	if constant {
		r = Constant
	}
	s.eachDeclarator(tokens, func(name string, typed bool) {
		if typed {
			s.found.close(s.add(tokens[0].start, r, "", name, exported), end)
		}
	})
}

// eachDeclarator visits the names that a statement declares, separated by
// commas: of each the last word before its size or value, or that in
// parentheses as in "(*name)(int)". It is typed if a type stands before it.
func (s *cScanner) eachDeclarator(tokens []cToken, visit func(name string, typed bool)) {
	name, typed, words, done := "", false, 0, false
	flush := func() {
		if name != "" && !isReserved(name) {
			visit(name, typed)
		}
		name, done = "", false
	}
	for i, t := range tokens {
		switch word := s.word(t); {
		case t.kind == ',':
			flush()
			typed = true
		case done:
		case t.kind == '=' || t.kind == ':' || t.kind == '[' && name != "":
			done = true
		case t.kind == '(':
			if s.isPointer(tokens, i) {
				name, _ = s.pointerName(t)
				typed, done = true, true
			} else if words > 1 && i > 0 && !isReserved(s.word(tokens[i-1])) && !isMacroName(s.word(tokens[i-1])) {
				done = true // a type of functions, or a value
			}
		case word != "" && i > 0 && isTag(s.word(tokens[i-1])):
			name, typed = "", true
		case word != "" && strings.HasPrefix(word, "__") && name != "": // an attribute
		case word != "":
			if words > 0 && !s.onlySpecifiers(tokens[:i]) {
				typed = true
			}
			words++
			if isMacroName(word) && name != "" && typed && i == len(tokens)-1 && !isReserved(name) && !isSpecifier(name) && words > 2 {
				continue // an attribute behind the name
			}
			name = word
		case t.kind == '*' || t.kind == '&' || t.kind == '{' || t.kind == '<':
			typed = true
			name = ""
		case t.kind == 'q':
			name = ""
		}
	}
	flush()
}

// isTag reports whether the name behind word is that of a type.
func isTag(word string) bool {
	return word == "struct" || word == "union" || word == "enum" || word == "class" || word == "typename"
}

// onlySpecifiers reports whether none of tokens stands for a type.
func (s *cScanner) onlySpecifiers(tokens []cToken) bool {
	for _, t := range tokens {
		if word := s.word(t); word == "" || !isSpecifier(word) {
			return false
		}
	}
	return true
}

// pointerName returns the name in "(*name)" and "(WINAPI *name[2])", and
// whether it is that of a function, as in "(*name(int))".
func (s *cScanner) pointerName(t cToken) (name string, isFunction bool) {
	inner := cLexer{src: s.src[:max(t.end-1, t.start+1)], at: t.start + 1}
	starred := false
	for {
		inner.blank()
		if inner.at >= len(inner.src) {
			return name, false
		}
		switch token := inner.token(); {
		case token.kind == '*' || token.kind == '^':
			starred = true
		case token.kind == 'a' && starred && !isSpecifier(s.src[token.start:token.end]):
			name = s.src[token.start:token.end]
		case token.kind == '[' || token.kind == '(':
			return name, name != "" && token.kind == '('
		}
	}
}
