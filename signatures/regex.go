package signatures

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// scanLines returns what src declares in a language that has no scanner of its
// own, by expressions over its lines or statements. Comments and strings are
// masked first, so nothing in them is named. A language it does not know gives
// nil.
func scanLines(lang Language, src string) []Declaration {
	p := patternsOf(lang)
	if p == nil || strings.IndexByte(src[:min(len(src), 8<<10)], 0) >= 0 {
		return nil
	}
	s := patternScanner{patterns: p, code: src, found: newFound(src)}
	if p.syntax != nil {
		s.code = mask(src, p.syntax)
	}
	if p.braces {
		s.statements()
	} else {
		s.indented()
	}
	return s.all
}

// patterns is what declares something in one language.
type patterns struct {
	syntax    *syntax // nil: everything is code
	braces    bool    // statements and blocks in braces; else lines and indentation
	newlines  bool    // a line end ends a statement
	commas    bool    // and so does a comma
	modifiers string  // words before a declaration, with a space around each
	hidden    string  // those of them that hide it from other files
	shown     string  // those of them that show it; if none, it is shown unless hidden
	words     string  // the first bytes of what the rules match; "" for any
	rules     []pattern
}

// pattern declares what its expression matches at the start of a statement or,
// after the indentation, of a line. The name is the first group that took part.
type pattern struct {
	kind   Kind
	word   string
	match  func() *regexp.Regexp
	holds  bool   // members may be declared inside
	silent bool   // nothing is declared by it, it only holds members
	ends   string // what the statement may end with: "{", ";" or both; "" for all
	inside bool   // only among the members of a type
	beside bool   // only outside of types
	closer string // what starts the line that ends the block, where indentation does not tell
	names  func(s *patternScanner, head string, at int, name string) string
}

// maxHead is the length in bytes of what is tried as the start of a
// declaration.
const maxHead = 4 << 10

// like returns an expression that is compiled when it is first asked for.
func like(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:` + expression + `)`) })
}

// patternScanner goes through a text whose code is masked.
type patternScanner struct {
	*patterns
	found
	code  string // the text with comments and strings blank
	holds []holder
}

// holder is an open block. Its index is that of the declaration it belongs to,
// negative if it belongs to none.
type holder struct {
	index   int
	indent  int
	members bool // declarations in it count
	parens  int  // that were open where its brace is
	start   int  // of the statement around it
	in      outside
	isType  bool
	closer  string // of its pattern
}

func (s *patternScanner) top() holder {
	if n := len(s.holds); n > 0 {
		return s.holds[n-1]
	}
	return holder{index: -1, indent: -1, members: true, in: outside{exported: true}}
}

// try declares what the rules find in code[start:end], which ends with the byte
// ending, and returns the block that may follow.
func (s *patternScanner) try(start, end int, ending byte) (holder, bool) {
	top := s.top()
	block := holder{index: -1, in: top.in}
	if end-start > maxHead {
		return block, false
	}
	start, exported := s.unmodified(start, end)
	first := start
	start = s.afterModifiers(start, end)
	head := trimmedText(s.code[start:end])
	if head == "" || s.words != "" && strings.IndexByte(s.words, head[0]) < 0 {
		return block, false
	}
	for i := range s.rules {
		r := &s.rules[i]
		if r.ends != "" && strings.IndexByte(r.ends, ending) < 0 || r.inside && !top.isType || r.beside && top.isType {
			continue
		}
		groups := r.match().FindStringSubmatch(head)
		if groups == nil {
			continue
		}
		name := ""
		for _, group := range groups[1:] {
			if name == "" {
				name = group
			}
		}
		if r.names != nil {
			name = r.names(s, head, start, name)
		}
		if name == "" && !r.silent {
			return block, false
		}
		kind := r.kind
		if kind == Function && top.isType {
			kind = Method
		}
		block.members, block.closer = r.holds, r.closer
		if r.silent {
			if name != "" {
				block.in = outside{name: qualified(top.in.name, name), depth: top.in.depth + 1, exported: top.in.exported}
				block.isType = true
			} else {
				block.isType = top.isType
			}
			return block, true
		}
		block.index = s.open(first, kind, r.word, name, top.in, exported && top.in.exported)
		if block.index < 0 {
			return block, false
		}
		s.close(block.index, start+len(head))
		block.in = s.inside(block.index)
		block.isType = isType(kind)
		if kind == Module && r.word == "namespace" {
			block.in.name = top.in.name
		}
		return block, true
	}
	return block, false
}

// unmodified goes over attributes and annotations, and reports whether the
// modifiers after them show the declaration to other files.
func (s *patternScanner) unmodified(start, end int) (int, bool) {
	for {
		for start < end && isSpace(s.code[start]) {
			start++
		}
		next := s.afterAttribute(start, end)
		if next == start {
			break
		}
		start = next
	}
	shown := s.shown == ""
	for i := start; i < end; {
		word := wordEnd(s.code, i)
		if word == i || !s.isModifier(s.code[i:word]) {
			break
		}
		name := " " + s.code[i:word] + " "
		if strings.Contains(s.hidden, name) {
			shown = false
		}
		if strings.Contains(s.shown, name) {
			shown = true
		}
		i = s.afterModifier(word, end)
	}
	return start, shown
}

func (s *patternScanner) afterModifiers(start, end int) int {
	for start < end {
		word := wordEnd(s.code, start)
		if word == start || word > end || !s.isModifier(s.code[start:word]) {
			return start
		}
		start = s.afterModifier(word, end)
	}
	return start
}

func (s *patternScanner) isModifier(word string) bool {
	return s.modifiers != "" && strings.Contains(s.modifiers, " "+word+" ")
}

// afterModifier goes over what belongs to a modifier, as in "pub(crate)", and
// white space and attributes.
func (s *patternScanner) afterModifier(i, end int) int {
	if i < end && s.code[i] == '(' {
		i = bracketsEnd(s.code, i, end)
	}
	for {
		for i < end && isSpace(s.code[i]) {
			i++
		}
		next := s.afterAttribute(i, end)
		if next == i {
			return i
		}
		i = next
	}
}

// afterAttribute returns the end of the attribute or annotation at i: "@Name",
// "@a.b(…)", "#[…]", "[…]"; i if there is none.
func (s *patternScanner) afterAttribute(i, end int) int {
	if i >= end || !s.braces {
		return i
	}
	rest := s.code[i:end]
	switch {
	case rest[0] == '@' && len(rest) > 1 && isWord(rest[1]) && !strings.HasPrefix(rest, "@interface"):
		j := i + 1
		for j < end && (isWord(s.code[j]) || s.code[j] == '.' || s.code[j] == ':') {
			j++
		}
		if j < end && s.code[j] == '(' {
			j = bracketsEnd(s.code, j, end)
		}
		return j
	case strings.HasPrefix(rest, "#["), strings.HasPrefix(rest, "#!["):
		return bracketsEnd(s.code, i+strings.IndexByte(rest, '['), end)
	case rest[0] == '[':
		return bracketsEnd(s.code, i, end)
	}
	return i
}

// bracketsEnd returns the end of what the bracket at i opens, at most end.
func bracketsEnd(code string, i, end int) int {
	depth := 0
	for ; i < end; i++ {
		switch code[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return end
}

func anglesEnd(code string, i, end int) int {
	depth := 0
	for ; i < end; i++ {
		switch code[i] {
		case '<':
			depth++
		case '>':
			if code[i-1] == '-' || code[i-1] == '=' {
				continue
			}
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return end
}

// statements goes through code with blocks in braces. What stands between two
// statements at a place where declarations count is tried as one.
func (s *patternScanner) statements() {
	start, parens := 0, 0
	code := s.code
	for i := 0; i < len(code); i++ {
		switch c := code[i]; c {
		case '(', '[':
			parens++
		case ')', ']':
			parens = max(parens-1, 0)
		case ';':
			if parens == 0 {
				if s.top().members {
					s.try(start, i, ';')
				}
				start = i + 1
			}
		case '{':
			block := holder{index: -1, in: s.top().in}
			if parens == 0 && s.top().members {
				block, _ = s.try(start, i, '{')
			}
			block.parens, block.start = parens, start
			s.holds = append(s.holds, block)
			start, parens = i+1, 0
		case ',':
			if s.commas && parens == 0 {
				start = i + 1
			}
		case '}':
			if s.newlines && parens == 0 && s.top().members {
				s.try(start, i, '\n')
			}
			if n := len(s.holds); n > 0 {
				block := s.holds[n-1]
				s.close(block.index, i+1)
				s.holds = s.holds[:n-1]
				start, parens = block.start, block.parens
			}
			if parens == 0 {
				start = i + 1
			}
		case '\n', '\r':
			if isBlank(code[start:i]) {
				start = i + 1
				continue
			}
			if s.newlines && parens == 0 && s.top().members && s.endsLine(start, i) {
				s.try(start, i, '\n')
				start = i + 1
			}
		}
	}
	for _, block := range s.holds {
		s.close(block.index, len(code))
	}
}

func isBlank(code string) bool {
	for i := range len(code) {
		if !isSpace(code[i]) {
			return false
		}
	}
	return true
}

func trimmedText(code string) string { return strings.TrimRight(code, " \t\r\n") }

// endsLine reports whether the statement that starts at start ends with the
// line end at i.
func (s *patternScanner) endsLine(start, i int) bool {
	if i-start > maxHead {
		return true
	}
	head := trimmedText(s.code[start:i])
	if strings.IndexByte(",:=.|&+-", head[len(head)-1]) >= 0 {
		return false
	}
	from, _ := s.unmodified(start, i)
	if s.afterModifiers(from, i) >= start+len(head) {
		return false // nothing but annotations and modifiers so far
	}
	next := strings.TrimLeft(s.code[i:], " \t\r\n")
	if next == "" {
		return true
	}
	switch next[0] {
	case '{', ':', '=', '.', ',':
		return false
	case '-':
		return !strings.HasPrefix(next, "->")
	}
	return !slices.Contains([]string{"extends", "with", "where", "implements", "throws"}, next[:wordEnd(next, 0)])
}

// indented goes through the lines of code whose blocks are told by
// indentation, whether or not they end with a word or a bracket.
func (s *patternScanner) indented() {
	code := s.code
	last := 0 // the end of the last line that is not blank
	for i := 0; i < len(code); {
		end := lineEnd(code, i)
		next := afterLineEnd(code, end)
		start := i
		for start < end && (code[start] == ' ' || code[start] == '\t') {
			start++
		}
		if start == end {
			i = next
			continue
		}
		s.dedent(start-i, code[start:end], last, end)
		if s.top().members {
			if block, ok := s.try(start, end, '\n'); ok && !endsItself(code[start:end]) {
				block.indent = start - i
				s.holds = append(s.holds, block)
			}
		}
		last = trimmedEnd(code[:end], end)
		i = next
	}
	for _, block := range s.holds {
		s.close(block.index, last)
	}
}

// dedent closes the blocks that a line of this indentation is not in. A line
// that starts with what ends a block belongs to the one it ends.
func (s *patternScanner) dedent(indent int, line string, last, end int) {
	for n := len(s.holds); n > 0 && indent <= s.holds[n-1].indent; n = len(s.holds) {
		block := s.holds[n-1]
		if block.closer != "" && !strings.HasPrefix(line, block.closer) || indent == block.indent && continuesBlock(line) {
			return
		}
		s.holds = s.holds[:n-1]
		if indent == block.indent && endsBlock(line) {
			last = trimmedEnd(s.code[:end], end)
		}
		s.close(block.index, last)
	}
}

// endsItself reports whether a block ends in the line it starts in.
func endsItself(line string) bool {
	line = strings.TrimRight(line, " \t")
	if strings.HasSuffix(line, ";") && !strings.Contains(line, "{") {
		return true
	}
	line = strings.TrimRight(line, ";")
	return strings.HasSuffix(line, " end") || strings.HasSuffix(line, "}") && strings.Count(line, "{") == strings.Count(line, "}")
}

// continuesBlock reports whether line is a branch of the block it stands in,
// though no deeper than its start.
func continuesBlock(line string) bool {
	switch line[:wordEnd(line, 0)] {
	case "rescue", "ensure", "else", "after", "catch":
		return true
	}
	return false
}

func endsBlock(line string) bool {
	if strings.IndexByte("})]", line[0]) >= 0 || strings.HasPrefix(line, "@end") {
		return true
	}
	switch line[:wordEnd(line, 0)] {
	case "end", "endfunction", "endfunc", "enddef", "endclass", "endinterface", "endenum", "done", "fi":
		return true
	}
	return false
}
