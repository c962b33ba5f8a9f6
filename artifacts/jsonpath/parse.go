package jsonpath

import (
	"strings"
	"unicode/utf8"
)

const (
	maxQuery   = 64 << 10 // bytes
	maxNesting = 100      // of parentheses, functions and filters
	maxInteger = 1<<53 - 1
)

// Parse compiles a query. Its error is a *SyntaxError.
//
// Other than in RFC 9535, a pattern written in a query that is no regular
// expression is an error, since it could never match.
func Parse(query string) (*Query, error) {
	p := &parser{text: query, query: &Query{text: query}}
	if err := p.parse(); err != nil {
		return nil, err
	}
	return p.query, nil
}

// parser reads a query from left to right. Its methods return a *SyntaxError.
type parser struct {
	text    string
	offset  int // in bytes
	nesting int
	query   *Query
}

func (p *parser) parse() error {
	switch invalid := firstInvalid([]byte(p.text)); {
	case len(p.text) > maxQuery:
		return p.errorAt(maxQuery, "the query is longer than 65,536 bytes")
	case invalid < len(p.text):
		return p.errorAt(invalid, "the query is not UTF-8")
	case !p.take("$"):
		return p.unexpected("$, with which a query begins")
	}
	segments, err := p.segments()
	if err != nil {
		return err
	}
	if p.offset < len(p.text) {
		return p.unexpectedSegment()
	}
	p.query.segments = segments
	p.query.streamed = streamable(segments)
	return nil
}

// firstInvalid returns the offset of the first byte that is not UTF-8, or the
// length if all is.
func firstInvalid(text []byte) int {
	if utf8.Valid(text) {
		return len(text)
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(text)
}

// segments reads as many segments as there are. Space that no segment follows
// is left.
func (p *parser) segments() ([]segment, error) {
	var segments []segment
	for {
		before := p.offset
		p.space()
		start := p.offset
		if !p.ahead(".") && !p.ahead("[") {
			p.offset = before
			return segments, nil
		}
		s, err := p.segment()
		if err != nil {
			return nil, err
		}
		s.text = p.text[start:p.offset]
		segments = append(segments, s)
	}
}

func (p *parser) segment() (segment, error) {
	s := segment{descendant: p.take("..")}
	if p.ahead("[") {
		var err error
		s.selectors, err = p.brackets()
		return s, err
	}
	if !s.descendant {
		p.take(".")
	}
	if p.take("*") {
		s.selectors = []selector{{kind: wildcardSelector}}
		return s, nil
	}
	name := p.shorthand()
	if name == "" {
		if s.descendant {
			return s, p.unexpected("a name, * or [ after ..")
		}
		return s, p.unexpected("a name or * after .")
	}
	if p.ahead("(") {
		return s, p.errorf("methods such as .%s() are not supported; in filters there are length(), count(), value(), match() and search()", name)
	}
	s.selectors = []selector{{name: name}}
	return s, nil
}

// shorthand reads a name that needs no quotes, and returns "" if there is none.
func (p *parser) shorthand() string {
	start := p.offset
	for i, r := range p.text[start:] {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_' || r >= utf8.RuneSelf
		if !letter && (i == 0 || r < '0' || '9' < r) {
			break
		}
		p.offset = start + i + utf8.RuneLen(r)
	}
	return p.text[start:p.offset]
}

// brackets reads selectors between [ and ].
func (p *parser) brackets() ([]selector, error) {
	p.take("[")
	var selectors []selector
	for {
		p.space()
		s, err := p.selector()
		if err != nil {
			return nil, err
		}
		selectors = append(selectors, s)
		p.space()
		switch {
		case p.take("]"):
			return selectors, nil
		case !p.take(","):
			if s.kind == filterSelector {
				return nil, p.unexpectedInFilter("&&, ||, ] or , after the filter")
			}
			return nil, p.unexpected(", or ]")
		}
	}
}

func (p *parser) selector() (selector, error) {
	switch c := p.peek(); {
	case c == '"' || c == '\'':
		name, err := p.quoted()
		return selector{name: name}, err
	case p.take("*"):
		return selector{kind: wildcardSelector}, nil
	case p.take("?"):
		p.space()
		filter, err := p.logical()
		return selector{kind: filterSelector, filter: filter}, err
	case c == '-' || c == ':' || isDigit(c):
		return p.indexOrSlice()
	case c == '(':
		return selector{}, p.errorf("script expressions [(...)] are not supported; for the last element use [-1], for a filter [?...]")
	case c == '@' || c == '$':
		return selector{}, p.errorf("queries in brackets are not supported; a filter begins with ?")
	case p.shorthand() != "":
		return selector{}, p.errorf("names in brackets need quotes")
	}
	return selector{}, p.unexpected("a name in quotes, an index, a slice, * or a filter beginning with ?")
}

func (p *parser) indexOrSlice() (selector, error) {
	start, err := p.optionalInteger()
	if err != nil {
		return selector{}, err
	}
	before := p.offset
	p.space()
	if !p.take(":") {
		p.offset = before
		return selector{kind: indexSelector, index: *start}, nil
	}
	s := slice{start: start, step: 1}
	p.space()
	if s.end, err = p.optionalInteger(); err != nil {
		return selector{}, err
	}
	before = p.offset
	p.space()
	if !p.take(":") {
		p.offset = before
		return selector{kind: sliceSelector, slice: s}, nil
	}
	p.space()
	step, err := p.optionalInteger()
	if step != nil {
		s.step = *step
	}
	return selector{kind: sliceSelector, slice: s}, err
}

// optionalInteger returns nil where neither a digit nor a minus follows.
func (p *parser) optionalInteger() (*int64, error) {
	start := p.offset
	negative := p.take("-")
	if !negative && !isDigit(p.peek()) {
		return nil, nil
	}
	digits := p.digits()
	switch {
	case digits == "":
		return nil, p.unexpected("a digit")
	case digits[0] == '0' && (negative || len(digits) > 1):
		return nil, p.errorAt(start, "%s is not an integer: neither -0 nor leading zeros are allowed", p.text[start:p.offset])
	}
	n, ok := smallInteger([]byte(digits))
	if !ok || n > maxInteger {
		return nil, p.errorAt(start, "%s is beyond ±(2^53-1)", p.text[start:p.offset])
	}
	if negative {
		n = -n
	}
	return &n, nil
}

func (p *parser) digits() string {
	start := p.offset
	for isDigit(p.peek()) {
		p.offset++
	}
	return p.text[start:p.offset]
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// peek returns the next byte, and 0 at the end.
func (p *parser) peek() byte {
	if p.offset == len(p.text) {
		return 0
	}
	return p.text[p.offset]
}

func (p *parser) ahead(s string) bool { return strings.HasPrefix(p.text[p.offset:], s) }

// take moves behind s if it comes next.
func (p *parser) take(s string) bool {
	if !p.ahead(s) {
		return false
	}
	p.offset += len(s)
	return true
}

func (p *parser) space() {
	for strings.IndexByte(" \t\n\r", p.peek()) >= 0 {
		p.offset++
	}
}
