package signatures

import "strings"

// This file cuts C and C++ into tokens. What stands in parentheses, in square
// brackets, in the angle brackets of a template's arguments and in the braces
// of a value is one token, so that a declaration is a short list of them.

// cToken is a word, a group in brackets or a byte that is neither.
type cToken struct {
	kind       byte // 'a' for a word, '"' for a string, '0' for a number, else the byte itself or the one that opens the group
	start, end int  // byte offsets, half-open
}

// cLexer passes over a text.
type cLexer struct {
	src   string
	at    int
	ended int // conditionals around bodies that ended in them

	noArguments int // offset before which "<" opens no arguments of a template
}

// blank passes spaces, comments and the ends of lines that go on. It stops at
// the "#" of a directive.
func (l *cLexer) blank() {
	for l.at < len(l.src) {
		switch b := l.src[l.at]; {
		case isSpace(b):
			l.at++
		case b == '\\':
			l.at = afterLineEnd(l.src, l.at+1)
		case b == '/' && strings.HasPrefix(l.src[l.at:], "//"):
			l.at = l.logicalLineEnd(l.at)
		case b == '/' && strings.HasPrefix(l.src[l.at:], "/*"):
			l.at = after(l.src, l.at+2, "*/")
		default:
			return
		}
	}
}

// logicalLineEnd returns the offset of the end of the line at i, which a
// backslash takes on to the next.
func (l *cLexer) logicalLineEnd(i int) int {
	for {
		end := lineEnd(l.src, i)
		if end == len(l.src) || end == i || l.src[end-1] != '\\' {
			return end
		}
		i = afterLineEnd(l.src, end)
	}
}

// token takes the token at a byte that blank leaves. Of groups it takes what
// opens them.
func (l *cLexer) token() cToken {
	t := cToken{start: l.at}
	switch b := l.src[l.at]; {
	case isDigit(b):
		t.kind = '0'
		for l.at < len(l.src) && (isWord(l.src[l.at]) || l.src[l.at] == '\'' || l.src[l.at] == '.') {
			l.at++
		}
	case isWord(b) || b == '$':
		t.kind = 'a'
		for l.at < len(l.src) && (isWord(l.src[l.at]) || l.src[l.at] == '$') {
			l.at++
		}
		if l.at < len(l.src) && l.src[l.at] == '"' && strings.HasSuffix(l.src[t.start:l.at], "R") {
			t.kind = '"'
			l.at = l.rawString(l.at)
		}
	case b == '"' || b == '\'':
		t.kind = '"'
		l.at = quoted(l.src, l.at)
	default:
		t.kind = b
		l.at++
		if b == ':' && l.at < len(l.src) && l.src[l.at] == ':' {
			t.kind = 'q' // "::"
			l.at++
		}
	}
	t.end = l.at
	return t
}

// rawString returns the end of a string as in R"mark(...)mark", whose first
// quote is at i.
func (l *cLexer) rawString(i int) int {
	const longestMark = 16
	open := strings.IndexByte(l.src[i:min(i+longestMark+2, len(l.src))], '(')
	if open < 0 {
		return quoted(l.src, i)
	}
	return after(l.src, i+open+1, ")"+l.src[i+1:i+open]+`"`)
}

// group takes what is in brackets, whose opening byte was taken, with the
// closing one. A semicolon ends parentheses that are not closed, and a brace
// whatever is open in it.
func (l *cLexer) group(open byte) {
	nested, braces := []byte{open}, 0
	if open == '{' {
		braces++
	}
	for len(nested) > 0 {
		l.blank()
		if l.at >= len(l.src) {
			return
		}
		if l.src[l.at] == '#' {
			l.directive()
			continue
		}
		switch t := l.token(); t.kind {
		case '{':
			braces++
			nested = append(nested, t.kind)
		case '(', '[':
			nested = append(nested, t.kind)
		case ')', ']':
			if top := nested[len(nested)-1]; top != '{' {
				nested = nested[:len(nested)-1]
			}
		case '}':
			for len(nested) > 0 && nested[len(nested)-1] != '{' {
				nested = nested[:len(nested)-1]
			}
			if len(nested) == 0 { // it closes something around the group
				l.at = t.start
				return
			}
			nested = nested[:len(nested)-1]
			braces--
		case ';':
			if braces == 0 {
				l.at = t.start
				return
			}
		}
	}
}

// directive passes a directive inside a group, and of a conditional one all
// branches but the first.
func (l *cLexer) directive() {
	switch name, _ := l.directiveName(); name {
	case "else", "elif", "elifdef", "elifndef":
		l.at = l.endOfConditional(l.at, false)
	default:
		l.at = l.logicalLineEnd(l.at)
	}
}

// directiveName returns the name of the directive whose "#" is here, and the
// offset behind it.
func (l *cLexer) directiveName() (name string, end int) {
	i := l.at + 1
	for i < len(l.src) && (l.src[i] == ' ' || l.src[i] == '\t') {
		i++
	}
	end = wordEnd(l.src, i)
	return l.src[i:end], end
}

// endOfConditional returns the offset behind the line at i up to the "#endif"
// that belongs to it or, if orElse, an "#else" or "#elif" that does.
func (l *cLexer) endOfConditional(i int, orElse bool) int {
	depth := 0
	for i = l.logicalLineEnd(i); i < len(l.src); i = l.logicalLineEnd(i) {
		i = afterLineEnd(l.src, i)
		inner := cLexer{src: l.src, at: i}
		for inner.at < len(l.src) && (l.src[inner.at] == ' ' || l.src[inner.at] == '\t') {
			inner.at++
		}
		if inner.at >= len(l.src) || l.src[inner.at] != '#' {
			continue
		}
		switch name, _ := inner.directiveName(); name {
		case "if", "ifdef", "ifndef":
			depth++
		case "endif":
			if depth == 0 {
				return l.logicalLineEnd(i)
			}
			depth--
		case "else", "elif", "elifdef", "elifndef":
			if depth == 0 && orElse {
				return l.logicalLineEnd(i)
			}
		}
	}
	return len(l.src)
}

// templateArguments returns the end of the "<...>" that opens at i, and i if
// nothing like that is there.
func (l *cLexer) templateArguments(i int) (end int) {
	const longest = 2000 // bytes; a comparison is not followed to the end of the file
	if i < l.noArguments {
		return i
	}
	depth := 0
	inner := cLexer{src: l.src[:min(i+longest, len(l.src))], at: i}
	defer func() {
		if end == i {
			l.noArguments = inner.at
		}
	}()
	for {
		inner.blank()
		if inner.at >= len(inner.src) {
			return i
		}
		switch t := inner.token(); t.kind {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return t.end
			}
		case '-':
			if inner.at < len(inner.src) && inner.src[inner.at] == '>' {
				inner.at++
			}
		case '(', '[':
			inner.group(t.kind)
		case ';', '{', '}', ')', ']', '#':
			return i
		}
	}
}

// body takes a block whose opening brace was taken, with the closing one. Where
// the declaration began at the start of a line and what is in the block is
// indented, a brace at the start of a line closes it, whatever is open:
// directives may leave out some of its lines.
func (l *cLexer) body(trustIndent bool) {
	if trustIndent {
		trustIndent = l.indented()
	}
	depth := 1
	var saved []int // the depth at each "#if"
	for {
		l.blank()
		if l.at >= len(l.src) {
			return
		}
		if l.src[l.at] == '#' {
			name, _ := l.directiveName()
			switch name {
			case "if", "ifdef", "ifndef":
				saved = append(saved, depth)
			case "else", "elif", "elifdef", "elifndef":
				if depth = 0; len(saved) > 0 { // else the brace was in a branch before
					depth = saved[len(saved)-1]
				}
			case "endif":
				if len(saved) == 0 {
					l.ended++
				}
				saved = saved[:max(len(saved)-1, 0)]
			}
			l.at = l.logicalLineEnd(l.at)
			if name == "endif" && depth <= 0 && len(saved) == 0 {
				return
			}
			continue
		}
		switch t := l.token(); t.kind {
		case '{':
			depth++
		case '}':
			depth--
			if trustIndent && l.startsLine(t.start) && len(saved) == 0 {
				return
			}
			if depth <= 0 && len(saved) == 0 {
				return
			}
		}
	}
}

// startsLine reports whether the byte at i is the first of its line.
func (l *cLexer) startsLine(i int) bool {
	return i == 0 || l.src[i-1] == '\n' || l.src[i-1] == '\r'
}

// indented reports whether the next line that is not a directive is indented.
func (l *cLexer) indented() bool {
	for i := lineEnd(l.src, l.at); i < len(l.src); i = l.logicalLineEnd(i) {
		for i < len(l.src) && (l.src[i] == '\n' || l.src[i] == '\r') {
			i++
		}
		if i < len(l.src) && l.src[i] != '#' {
			return l.src[i] == ' ' || l.src[i] == '\t'
		}
	}
	return false
}
