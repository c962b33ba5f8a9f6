package jsonpath

import (
	"fmt"
	"unicode/utf8"
)

func (p *parser) errorf(format string, args ...any) error {
	return p.errorAt(p.offset, format, args...)
}

func (p *parser) errorAt(offset int, format string, args ...any) error {
	return &SyntaxError{Query: p.text, Offset: offset, Message: fmt.Sprintf(format, args...)}
}

// unexpected reports what was expected and what is there instead.
func (p *parser) unexpected(expected string) error {
	if p.offset == len(p.text) {
		return p.errorf("expected %s, found the end", expected)
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.offset:])
	return p.errorf("expected %s, found %q", expected, r)
}

// unexpectedSegment reports what stands where a segment could, by name if it is
// known from other dialects.
func (p *parser) unexpectedSegment() error {
	switch p.peek() {
	case '^':
		return p.errorf("the parent operator ^ is not supported")
	case '~':
		return p.errorf("the name operator ~ is not supported")
	case '-':
		return p.errorf("- is not supported in a path" + hyphen)
	case ' ', '\t', '\n', '\r':
		return p.errorf("space is not allowed at the end")
	}
	return p.unexpected(". or [")
}

// dialects are operators of other dialects, longer ones first, with the advice
// to give.
var dialects = []struct{ operator, advice string }{
	{"=~", "the operator =~ is not supported; use match(value, 'pattern') or search(value, 'pattern')"},
	{"===", "the operator === is not supported; use =="},
	{"!==", "the operator !== is not supported; use !="},
	{"<>", "the operator <> is not supported; use !="},
	{"==", misplaced},
	{"!=", misplaced},
	{"<", misplaced},
	{">", misplaced},
	{"=", "the operator = is not supported; use =="},
	{"&", "the operator & is not supported; use &&"},
	{"|", "the operator | is not supported; use ||"},
	{"and ", "the operator and is not supported; use &&"},
	{"or ", "the operator or is not supported; use ||"},
	{"in ", "the operator in is not supported; compare with each value, joined by ||"},
	{"nin ", "the operator nin is not supported; compare with each value, joined by &&"},
	{"contains ", "the operator contains is not supported; use search(value, 'pattern')"},
	{"+", "arithmetic is not supported"},
	{"-", "arithmetic is not supported" + hyphen},
	{"*", "arithmetic is not supported"},
	{"/", "arithmetic and /patterns/ are not supported"},
	{"%", "arithmetic is not supported"},
}

// hyphen ends messages about a minus, which is often meant as part of a name.
const hyphen = "; names with - need brackets and quotes, as in ['a-b']"

const misplaced = "a comparison is not possible here; only a query for one value, a literal or a function can be compared, and only once"

// unexpectedInFilter is unexpected for places where an operator could stand.
func (p *parser) unexpectedInFilter(expected string) error {
	for _, d := range dialects {
		if p.ahead(d.operator) && !p.ahead("&&") && !p.ahead("||") {
			return p.errorf("%s", d.advice)
		}
	}
	return p.unexpected(expected)
}
