package setup

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// Problem is what is wrong with a file of settings, so that nothing is written.
type Problem struct {
	Path         string
	Line, Column int // 1-based, the column in bytes; 0 if it is about the file
	What         string
}

func (p *Problem) Error() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %s", p.Path, p.What)
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.Path, p.Line, p.Column, p.What)
}

const (
	maxBytes   = 16 << 20
	maxNesting = 1000 // the parser is recursive
	bom        = "\xef\xbb\xbf"
)

// document is JSON that may have comments and trailing commas.
type document struct {
	path string
	text []byte // without the byte order mark
	bom  string
	root *hujson.Value // nil if there are only comments and space
	eol  string
	unit string // of indentation
}

func parse(path string, text []byte) (*document, error) {
	if len(text) > maxBytes {
		return nil, &Problem{Path: path, What: fmt.Sprintf("it has %d bytes, more than %d", len(text), maxBytes)}
	}
	d := &document{path: path, text: text, eol: "\n", unit: "  "}
	if rest, ok := bytes.CutPrefix(text, []byte(bom)); ok {
		d.text, d.bom = rest, bom
	}
	if at := deepest(d.text, maxNesting); at >= 0 {
		return nil, d.problem(at, "it is nested deeper than %d", maxNesting)
	}
	// A line comment may be the last line, without a line end, which the parser
	// does not take.
	whole := append(slices.Clone(d.text), '\n')
	if i := bytes.IndexByte(d.text, '\n'); i > 0 && d.text[i-1] == '\r' {
		d.eol = "\r\n"
	}
	root, err := hujson.Parse(whole)
	switch {
	case err != nil && blank(whole):
		return d, nil
	case err != nil:
		return nil, d.syntaxError(err)
	}
	if root.Value.Kind() != '{' {
		return nil, d.problem(root.StartOffset, "it holds %s where an object belongs", kind(&root))
	}
	d.root = &root
	if items, _ := itemsOf(&root); len(items) > 0 {
		if i := bytes.LastIndexByte(items[0].before, '\n'); i >= 0 && blankSpace(items[0].before[i+1:]) && i+1 < len(items[0].before) {
			d.unit = string(items[0].before[i+1:])
		}
	}
	return d, nil
}

// blank reports whether text holds comments and space alone.
func blank(text []byte) bool {
	_, err := hujson.Parse(append(slices.Clone(text), "null"...))
	return err == nil
}

func blankSpace(b []byte) bool { return len(trimRight(b)) == 0 }

func trimRight(b []byte) []byte { return bytes.TrimRight(b, " \t\r\n") }

// syntaxError takes the place out of an error of the parser.
func (d *document) syntaxError(err error) error {
	p := &Problem{Path: d.path, Line: 1, Column: 1, What: err.Error()}
	rest := strings.TrimPrefix(p.What, "hujson: ")
	if _, scanned := fmt.Sscanf(rest, "line %d, column %d:", &p.Line, &p.Column); scanned == nil {
		_, p.What, _ = strings.Cut(rest, ": ")
	}
	// The parser has seen one more line end than there is.
	if end := d.problem(len(d.text), ""); p.Line > end.Line || p.Line == end.Line && p.Column > end.Column {
		p.Line, p.Column = end.Line, end.Column
	}
	if cause := errors.Unwrap(err); cause != nil {
		p.What = cause.Error()
	}
	const longest = 200
	if len(p.What) > longest {
		p.What = strings.ToValidUTF8(p.What[:longest], "") + "…"
	}
	return p
}

func (d *document) problem(at int, format string, args ...any) *Problem {
	before := d.text[:min(at, len(d.text))]
	return &Problem{
		Path: d.path, Line: 1 + bytes.Count(before, []byte("\n")),
		Column: len(before) - bytes.LastIndexByte(before, '\n'), What: fmt.Sprintf(format, args...),
	}
}

// deepest returns where text first nests deeper than limit, or -1.
func deepest(text []byte, limit int) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '/':
			i += commentLength(text[i:]) - 1
		case '{', '[':
			if depth++; depth > limit {
				return i
			}
		case '}', ']':
			depth--
		}
	}
	return -1
}

// commentLength is 1 if text, which begins with a slash, begins no comment.
func commentLength(text []byte) int {
	end, skip := "", 2
	switch {
	case bytes.HasPrefix(text, []byte("//")):
		end = "\n"
	case bytes.HasPrefix(text, []byte("/*")):
		end = "*/"
	default:
		return 1
	}
	if i := bytes.Index(text[skip:], []byte(end)); i >= 0 {
		return skip + i + len(end)
	}
	return len(text)
}

func kind(v *hujson.Value) string {
	switch v.Value.Kind() {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 'n':
		return "null"
	}
	return "a boolean"
}

// item is a member of an object or an element of an array. All offsets are in
// the text of the document.
type item struct {
	before     hujson.Extra // from the bracket or comma before it
	start, end int
	comma      int // offset of the comma after it, -1 if there is none
}

// itemsOf returns what a container holds, and what follows the last of it up
// to the bracket.
func itemsOf(v *hujson.Value) (items []item, tail hujson.Extra) {
	add := func(first, value *hujson.Value, last bool) {
		it := item{first.BeforeExtra, first.StartOffset, value.EndOffset, value.EndOffset + len(value.AfterExtra)}
		if last && value.AfterExtra == nil {
			it.comma = -1
		}
		items = append(items, it)
	}
	switch c := v.Value.(type) {
	case *hujson.Object:
		for i := range c.Members {
			add(&c.Members[i].Name, &c.Members[i].Value, i == len(c.Members)-1)
		}
		tail = c.AfterExtra
	case *hujson.Array:
		for i := range c.Elements {
			add(&c.Elements[i], &c.Elements[i], i == len(c.Elements)-1)
		}
		tail = c.AfterExtra
	}
	return items, tail
}

// member returns the value of a member, nil if there is none. What the agent
// makes of a name that stands twice, nobody knows.
func (d *document) member(v *hujson.Value, name, path string) (*hujson.Value, error) {
	var found *hujson.Value
	members := v.Value.(*hujson.Object).Members
	for i := range members {
		if text, ok := members[i].Name.Value.(hujson.Literal); !ok || text.String() != name {
			continue
		}
		if found != nil {
			return nil, d.problem(members[i].Name.StartOffset, "the key %s stands there twice; leave one", path)
		}
		found = &members[i].Value
	}
	return found, nil
}

// stringIn returns the member of that name if it is a string.
func stringIn(v *hujson.Value, name string) (*hujson.Value, string) {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, ""
	}
	for i := range o.Members {
		key, _ := o.Members[i].Name.Value.(hujson.Literal)
		if text, ok := o.Members[i].Value.Value.(hujson.Literal); ok && key.String() == name && text.Kind() == '"' {
			return &o.Members[i].Value, text.String()
		}
	}
	return nil, ""
}

// splice puts text in the place of bytes [start, end).
type splice struct {
	start, end int
	text       string
}

func splices(text []byte, edits []splice) []byte {
	slices.SortStableFunc(edits, func(a, b splice) int { return a.start - b.start })
	var out []byte
	at := 0
	for _, s := range edits {
		out = append(append(out, text[at:s.start]...), s.text...)
		at = s.end
	}
	return append(out, text[at:]...)
}

// The values settings are made of, besides strings and whole numbers.
type (
	object []member
	array  []any

	// events are an object of arrays, each of which is to hold the value once.
	events object

	// server is an object that is ours by its name.
	server object

	member struct {
		name  string
		value any
	}
)

func (e events) arrays() object {
	var o object
	for _, m := range e {
		o = append(o, member{m.name, array{m.value}})
	}
	return o
}

// render writes a value of which the first line is indented already.
func (d *document) render(value any, indent string, compact bool) string {
	switch v := value.(type) {
	case object:
		return d.renderItems("{", "}", len(v), indent, compact, func(i int, indent string) string {
			return quoteJSON(v[i].name) + ": " + d.render(v[i].value, indent, compact)
		})
	case events:
		return d.render(v.arrays(), indent, compact)
	case server:
		return d.render(object(v), indent, compact)
	case array:
		_, words := v[0].(string)
		return d.renderItems("[", "]", len(v), indent, compact || words, func(i int, indent string) string {
			return d.render(v[i], indent, compact)
		})
	case string:
		return quoteJSON(v)
	case int:
		return strconv.Itoa(v)
	}
	return "null"
}

func (d *document) renderItems(open, end string, n int, indent string, compact bool, render func(i int, indent string) string) string {
	var parts []string
	inner := indent + d.unit
	for i := range n {
		parts = append(parts, render(i, inner))
	}
	if compact {
		return open + strings.Join(parts, ", ") + end
	}
	return open + d.eol + inner + strings.Join(parts, ","+d.eol+inner) + d.eol + indent + end
}

func quoteJSON(s string) string { return string(hujson.String(s)) }
