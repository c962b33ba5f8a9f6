package truncation

import (
	"strconv"
	"strings"
)

// This file shows the shape of JSON to a reader that does not parse it: marks
// are plain text, and a text that is one line becomes lines.

// shape is the notation of JSON with marks that are none.
type shape struct{ *jsonText }

func (shape) gap(c *container, _, n, _ int) string {
	if c.isObject {
		return membersOmitted(n, "keys")
	}
	return membersOmitted(n, c.list)
}

// replacement leaves the brackets, which tell an object from an array.
func (shape) replacement(e *entry) (span, string) {
	what := "items"
	if e.inside.isObject {
		what = "keys"
	}
	return span{e.inside.start, e.inside.end}, membersOmitted(e.inside.members, what)
}

func membersOmitted(n int, what string) string {
	return "... " + strconv.Itoa(n) + " " + what + " omitted ..."
}

// shapeJSON cuts a text that is valid JSON to what need not be.
func shapeJSON(src source, root entry, form *jsonText, opts Options) Result {
	r, ok := structured(src, root, shape{form}, opts)
	if !ok {
		r = textual(src, opts)
	}
	r.JSON = Invalid
	return r
}

// indenter writes JSON with each member on a line of its own. All but line ends
// and indentation is as it was, so blanks after a comma end a line.
type indenter struct {
	b        *strings.Builder
	depth    int
	breaks   bool // a line ends before what follows
	isEmpty  bool // nothing was written since the last bracket opened
	inString bool
}

// keep writes a part of the text.
func (n *indenter) keep(s string) {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case n.inString && c == '\\' && i+1 < len(s):
			n.b.WriteByte(c)
			i++
			c = s[i]
		case c == '"':
			n.write("")
			n.inString = !n.inString
		case n.inString, strings.IndexByte(" \t\r\n", c) >= 0:
		case c == ']', c == '}':
			n.depth--
			n.breaks = !n.isEmpty
			n.write("")
		case c != ',' && c != ':':
			n.write("")
		}
		n.b.WriteByte(c)
		if n.inString {
			continue
		}
		switch c {
		case '[', '{':
			n.depth++
			n.breaks, n.isEmpty = true, true
		case ',':
			n.breaks = true
		}
	}
}

// write writes a mark, or what is not to be broken.
func (n *indenter) write(s string) {
	if n.breaks && !n.inString {
		n.b.WriteByte('\n')
		for range n.depth {
			n.b.WriteString("  ")
		}
		n.breaks = false
	}
	n.isEmpty = false
	n.b.WriteString(s)
}
