package truncation

import (
	"math/bits"
	"strings"
)

// This file reads XML by its tags. Entities are never expanded and document
// types never interpreted: both are text that is kept or not.

// xmlText is the notation of XML.
type xmlText struct {
	s      string
	limits Limits
	names  []span // of the elements that skip is in
}

const xmlSpace = " \t\r\n"

// root returns the one element of the text as an entry.
func (x *xmlText) root() (entry, bool) {
	e := entry{}
	if strings.HasPrefix(x.s, "\ufeff") {
		e.start = len("\ufeff")
	}
	e.start = x.misc(e.start)
	if x.at(e.start, "<!DOCTYPE") {
		if e.start = x.docType(e.start); e.start < 0 {
			return entry{}, false
		}
		e.start = x.misc(e.start)
	}
	e.value = e.start
	if e.start < 0 || e.start == len(x.s) || !x.read(&e, -1) {
		return entry{}, false
	}
	return e, x.misc(e.end) == len(x.s)
}

func (x *xmlText) at(i int, prefix string) bool {
	return i >= 0 && strings.HasPrefix(x.s[i:], prefix)
}

// misc returns the end of the whitespace, comments and instructions at i.
func (x *xmlText) misc(i int) int {
	for i >= 0 {
		i = x.space(i)
		if !x.at(i, "<?") && !x.at(i, "<!--") {
			return i
		}
		i = x.aside(i)
	}
	return i
}

func (x *xmlText) space(i int) int {
	for i < len(x.s) && (x.s[i] == ' ' || x.s[i] == '\n' || x.s[i] == '\t' || x.s[i] == '\r') {
		i++
	}
	return i
}

// aside returns the end of the comment, the CDATA section or the instruction
// that starts at i.
func (x *xmlText) aside(i int) int {
	switch {
	case x.at(i, "<!--"):
		// A comment holds no "--".
		if end := x.after(i+4, "--"); end >= 0 && x.at(end, ">") {
			return end + 1
		}
		return malformed
	case x.at(i, "<![CDATA["):
		return x.after(i+9, "]]>")
	case x.at(i, "<?"):
		return x.after(i+2, "?>")
	}
	return malformed
}

// after returns the end of the first s from i on.
func (x *xmlText) after(i int, s string) int {
	if n := strings.Index(x.s[i:], s); n >= 0 {
		return i + n + len(s)
	}
	return malformed
}

// docType returns the end of the document type that starts at i, which may have
// declarations in brackets.
func (x *xmlText) docType(i int) int {
	for i += len("<!DOCTYPE"); i < len(x.s); {
		switch x.s[i] {
		case '>':
			return i + 1
		case ']':
			i++
		case '"', '\'':
			if i = x.after(i+1, x.s[i:i+1]); i < 0 {
				return malformed
			}
		case '[':
			if i = x.declarations(i + 1); i < 0 {
				return malformed
			}
		default:
			i++
		}
	}
	return malformed
}

// declarations returns where the bracket is that ends the declarations at i.
func (x *xmlText) declarations(i int) int {
	for i < len(x.s) {
		switch {
		case x.s[i] == ']':
			return i
		case x.s[i] == '"', x.s[i] == '\'':
			i = x.after(i+1, x.s[i:i+1])
		case x.at(i, "<!--"), x.at(i, "<?"):
			i = x.aside(i)
		default:
			i++
		}
		if i < 0 {
			return malformed
		}
	}
	return malformed
}

// read fills in the end of e, which is in an element of the given depth, or in
// none if that is -1, and what e has inside if it is large.
func (x *xmlText) read(e *entry, depth int) bool {
	e.end = farther
	if depth >= 0 {
		e.end, e.leaf = x.skip(e.start, e.start+largeContainer, depth+1)
	}
	if e.end == farther {
		if depth <= x.limits.MaxDepth {
			e.inside, e.end = x.container(e.start, depth+1)
			e.leaf = e.end >= 0 && e.inside.members == 0
		} else {
			e.end, e.leaf = x.skip(e.start, len(x.s), depth+1)
		}
	}
	return e.end >= 0
}

// container reads the element that starts at the given offset.
func (x *xmlText) container(at, depth int) (*container, int) {
	s := x.s
	tag := x.tag(at)
	if tag.end < 0 || depth >= maxNesting {
		return nil, malformed
	}
	c := newCollector(x.limits, tag.end, true)
	if tag.isEmpty {
		return c.close(tag.end), tag.end
	}
	sibling := ""
	for i := tag.end; ; {
		i = x.prose(i)
		switch {
		case i < 0:
			return nil, malformed
		case s[i+1] == '/':
			end := x.closes(i, tag.name)
			return c.close(i), end
		}
		name := s[i+1 : x.nameEnd(i+1)]
		e := c.add(i, i, name != sibling)
		if !x.read(e, depth) {
			return nil, malformed
		}
		i, sibling = e.end, name
	}
}

// skip returns the end of the element that starts at i, which has the given
// depth, and whether it has no elements inside. The end is farther if it is
// beyond limit.
func (x *xmlText) skip(i, limit, depth int) (end int, leaf bool) {
	s := x.s
	names := x.names[:0]
	defer func() { x.names = names[:0] }()
	for leaf = true; ; leaf = false {
		tag := x.tag(i)
		if tag.end < 0 || len(names)+depth >= maxNesting {
			return malformed, false
		}
		i = tag.end
		if !tag.isEmpty {
			names = append(names, tag.name)
		}
		for {
			if len(names) == 0 {
				return i, leaf
			}
			if i > limit {
				return farther, false
			}
			if i = x.prose(i); i < 0 {
				return malformed, false
			}
			if s[i+1] != '/' {
				break
			}
			if i = x.closes(i, names[len(names)-1]); i < 0 {
				return malformed, false
			}
			names = names[:len(names)-1]
		}
	}
}

// prose returns where from i on the next tag starts.
func (x *xmlText) prose(i int) int {
	for {
		i = x.text(i)
		if i < 0 || i+1 == len(x.s) {
			return malformed
		}
		if c := x.s[i+1]; c != '!' && c != '?' {
			return i
		}
		if i = x.aside(i); i < 0 {
			return malformed
		}
	}
}

// text returns where from i on the next < is.
func (x *xmlText) text(i int) int {
	s := x.s
	if i < len(s) && s[i] == '<' { // as after most tags
		return i
	}
	const short = 64 // bytes, up to which it takes longer to call IndexByte
	for start := i; i-start < short; {
		for i+8 <= len(s) && i-start < short {
			w := word(s, i)
			angle, ampersand := w^'<'*eachByte, w^'&'*eachByte
			// As for strings in JSON, the first bit found is right.
			if found := ((angle - eachByte) | (ampersand - eachByte)) &^ w & highBits; found != 0 {
				i += bits.TrailingZeros64(found) / 8
				break
			}
			i += 8
		}
		if i >= len(s) {
			return malformed
		}
		switch s[i] {
		case '<':
			return i
		case '&':
			if i = x.reference(i); i < 0 {
				return malformed
			}
		default:
			i++
		}
	}
	n := strings.IndexByte(s[i:], '<')
	if n < 0 {
		return malformed
	}
	for end := i + n; ; {
		n := strings.IndexByte(s[i:end], '&')
		if n < 0 {
			return end
		}
		if i = x.reference(i + n); i < 0 {
			return malformed
		}
	}
}

// longestReference is how many bytes a reference to a character or an entity
// may have between & and ;.
const longestReference = 64

// reference returns the end of the reference that starts at i.
func (x *xmlText) reference(i int) int {
	rest := x.s[i+1 : min(len(x.s), i+1+longestReference+1)]
	n := strings.IndexByte(rest, ';')
	if n < 1 || strings.ContainsAny(rest[:n], " \t\r\n&<>\"'") {
		return malformed
	}
	return i + 1 + n + 1
}

// closes returns the end of the end tag at i, which must have the given name.
func (x *xmlText) closes(i int, name span) int {
	s := x.s
	i += len("</")
	end := i + name.end - name.start
	if end >= len(s) || s[i:end] != s[name.start:name.end] {
		return malformed
	}
	if i = x.space(end); i == len(s) || s[i] != '>' {
		return malformed
	}
	return i + 1
}

// xmlTag is a start tag.
type xmlTag struct {
	name    span
	end     int
	isEmpty bool // it is an end tag as well
}

// tag reads the start tag at i.
func (x *xmlText) tag(i int) xmlTag {
	s := x.s
	bad := xmlTag{end: malformed}
	if i+1 >= len(s) || s[i] != '<' || !isNameStart(s[i+1]) {
		return bad
	}
	name := span{i + 1, x.nameEnd(i + 1)}
	for i = name.end; ; {
		start := i
		i = x.space(i)
		if i == len(s) {
			return bad
		}
		switch {
		case s[i] == '>':
			return xmlTag{name: name, end: i + 1}
		case x.at(i, "/>"):
			return xmlTag{name: name, end: i + 2, isEmpty: true}
		case i == start || !isNameStart(s[i]):
			return bad
		}
		value := x.attribute(i)
		if value.end < 0 || !x.isValue(value) {
			return bad
		}
		i = value.end + 1
	}
}

// attribute returns the value of the attribute at i, between its quotes.
func (x *xmlText) attribute(i int) span {
	s := x.s
	bad := span{malformed, malformed}
	i = x.space(x.nameEnd(i))
	if !x.at(i, "=") {
		return bad
	}
	i = x.space(i + 1)
	if i == len(s) || s[i] != '"' && s[i] != '\'' {
		return bad
	}
	n := strings.IndexByte(s[i+1:], s[i])
	if n < 0 {
		return bad
	}
	return span{i + 1, i + 1 + n}
}

// isValue reports whether an attribute may have the value.
func (x *xmlText) isValue(value span) bool {
	for i := value.start; i < value.end; i++ {
		switch x.s[i] {
		case '<':
			return false
		case '&':
			if x.reference(i) < 0 {
				return false
			}
		}
	}
	return true
}

func (x *xmlText) nameEnd(i int) int {
	for i < len(x.s) && inName[x.s[i]] {
		i++
	}
	return i
}

// inName tells which bytes a name may have after the first.
var inName = func() (set [256]bool) {
	for c := range set {
		set[c] = isNameStart(byte(c)) || '0' <= c && c <= '9' || c == '-' || c == '.'
	}
	return set
}()

func isNameStart(c byte) bool { return c|0x20-'a' < 26 || c == '_' || c == ':' || c >= 0x80 }
