package jsonpath

import "bytes"

// document is one JSON value in memory, which is known to be valid and has no
// space around it.
type document struct {
	text []byte
	// containers has an entry for every array and object in order of their
	// beginnings, so that walks of deep texts stay linear. Small texts have none.
	containers []container
	open       []uint32 // kept for its memory
}

type container struct {
	end  uint32 // byte offset behind it
	next uint32 // number of the first container behind it
}

const containerSize = 8 // bytes

// smallDocument is the length up to which to skip a value means to scan it.
const smallDocument = 512

// node is a value of a document.
type node struct {
	doc        *document
	start, end int // byte offsets, half-open
	number     int // among the containers
}

func (n node) kind() byte   { return n.doc.text[n.start] }
func (n node) text() []byte { return n.doc.text[n.start:n.end] }

func (n node) isContainer() bool { return n.kind() == '{' || n.kind() == '[' }

// load makes d the document of a text, and returns its root and whether the
// memory it needs is within the limit.
func (d *document) load(text []byte, maxMemory int64) (root node, ok bool) {
	d.text, d.containers = text, d.containers[:0]
	root = node{doc: d, end: len(text)}
	if len(text) <= smallDocument {
		return root, true
	}
	open := d.open[:0]
	for i := 0; i < len(text); {
		switch text[i] {
		case '"':
			i = stringEnd(text, i)
			continue
		case '{', '[':
			open = append(open, uint32(len(d.containers)))
			d.containers = append(d.containers, container{})
			if int64(len(text)+containerSize*len(d.containers)) > maxMemory {
				return root, false
			}
		case '}', ']':
			last := len(open) - 1
			d.containers[open[last]] = container{end: uint32(i + 1), next: uint32(len(d.containers))}
			open = open[:last]
		}
		i++
	}
	d.open = open
	return root, true
}

// stringEnd returns the offset behind the string that begins at i.
func stringEnd(text []byte, i int) int {
	for i++; text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// scalarEnd returns the offset behind the number or literal that begins at i.
func scalarEnd(text []byte, i int) int {
	for i < len(text) {
		switch text[i] {
		case ',', ']', '}', ' ', '\t', '\n', '\r':
			return i
		}
		i++
	}
	return i
}

// containerEnd returns the offset behind the array or object that begins at i.
func containerEnd(text []byte, i int) int {
	for depth := 0; ; {
		switch text[i] {
		case '"':
			i = stringEnd(text, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
		i++
	}
}

// cursor goes through the children of a node.
type cursor struct {
	doc    *document
	offset int  // in bytes of the text
	number int  // of the next container
	object bool // its children have names
}

// children returns a cursor before the first child of an array or object. Other
// values have no children.
func (n node) children() cursor {
	if !n.isContainer() {
		return cursor{doc: n.doc, offset: len(n.doc.text)}
	}
	return cursor{doc: n.doc, offset: n.start + 1, number: n.number + 1, object: n.kind() == '{'}
}

// next returns the next child with its name as it stands in the text, in quotes.
func (c *cursor) next() (name []byte, child node, ok bool) {
	c.skip()
	text := c.doc.text
	if c.offset == len(text) || text[c.offset] == '}' || text[c.offset] == ']' {
		return nil, node{}, false
	}
	if c.object {
		end := stringEnd(text, c.offset)
		name = text[c.offset:end]
		c.offset = end
		c.skip()
	}
	return name, c.value(), true
}

// skip moves behind space, commas and colons.
func (c *cursor) skip() {
	for c.offset < len(c.doc.text) {
		switch c.doc.text[c.offset] {
		case ' ', '\t', '\n', '\r', ',', ':':
			c.offset++
		default:
			return
		}
	}
}

// value returns the value at the cursor and moves behind it.
func (c *cursor) value() node {
	n := node{doc: c.doc, start: c.offset, number: c.number}
	switch text := c.doc.text; {
	case text[n.start] == '"':
		n.end = stringEnd(text, n.start)
	case !n.isContainer():
		n.end = scalarEnd(text, n.start)
	case len(c.doc.containers) == 0:
		n.end = containerEnd(text, n.start)
	default:
		entry := c.doc.containers[n.number]
		n.end, c.number = int(entry.end), int(entry.next)
	}
	c.offset = n.end
	return n
}

// member returns the first member of an object with the name.
func (n node) member(name string) (node, bool) {
	if n.kind() != '{' {
		return node{}, false
	}
	for c := n.children(); ; {
		raw, child, ok := c.next()
		if !ok {
			return node{}, false
		}
		if isName(raw, name) {
			return child, true
		}
	}
}

// element returns the element of an array at an index, which may count from
// the end.
func (n node) element(index int64) (node, bool) {
	if n.kind() != '[' {
		return node{}, false
	}
	if index < 0 {
		index += n.length()
	}
	c := n.children()
	for i := int64(0); 0 <= index; i++ {
		_, child, ok := c.next()
		if !ok || i == index {
			return child, ok
		}
	}
	return node{}, false
}

// length counts the children.
func (n node) length() int64 {
	count := int64(0)
	for c := n.children(); ; count++ {
		if _, _, ok := c.next(); !ok {
			return count
		}
	}
}

// isName reports whether a string as it stands in the text, in quotes, says
// name.
func isName(raw []byte, name string) bool {
	inner := raw[1 : len(raw)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return string(inner) == name
	}
	return string(unescape(inner)) == name
}
