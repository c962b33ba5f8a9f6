package jsonpath

import "strings"

// comparisons are the comparison operators, longer ones first.
var comparisons = []string{"==", "!=", "<=", ">=", "<", ">"}

// logical reads conditions joined by || and &&.
func (p *parser) logical() (condition, error) {
	p.nesting++
	defer func() { p.nesting-- }()
	if p.nesting > maxNesting {
		return nil, p.errorf("filters are nested deeper than %d", maxNesting)
	}
	return p.joined("||", func(parts []condition) condition { return anyOf(parts) }, func() (condition, error) {
		return p.joined("&&", func(parts []condition) condition { return allOf(parts) }, p.basic)
	})
}

// joined reads one or more parts with an operator between them.
func (p *parser) joined(operator string, join func([]condition) condition, part func() (condition, error)) (condition, error) {
	var parts []condition
	for {
		c, err := part()
		if err != nil {
			return nil, err
		}
		parts = append(parts, c)
		before := p.offset
		p.space()
		if !p.take(operator) {
			p.offset = before
			break
		}
		p.space()
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	return join(parts), nil
}

// basic reads a condition in parentheses, a test or a comparison.
func (p *parser) basic() (condition, error) {
	if p.take("!") {
		p.space()
		c, err := p.negated()
		return negation{c}, err
	}
	if p.ahead("(") {
		return p.parenthesized()
	}
	start := p.offset
	left, err := p.expression()
	if err != nil {
		return nil, err
	}
	end := p.offset
	p.space()
	for _, operator := range comparisons {
		if p.ahead(operator) && !p.ahead("===") && !p.ahead("!==") && !p.ahead("<>") {
			return p.comparison(operator, start, left)
		}
	}
	if left.condition == nil && left.query == nil {
		return nil, p.unexpectedInFilter("a comparison operator after " + p.text[start:end])
	}
	p.offset = end
	return left.test(), nil
}

func (p *parser) negated() (condition, error) {
	if p.ahead("(") {
		return p.parenthesized()
	}
	start := p.offset
	x, err := p.expression()
	if err != nil {
		return nil, err
	}
	if x.condition == nil && x.query == nil {
		return nil, p.errorAt(start, "expected a query, match(), search() or ( after !")
	}
	return x.test(), nil
}

func (p *parser) parenthesized() (condition, error) {
	p.take("(")
	p.space()
	c, err := p.logical()
	if err != nil {
		return nil, err
	}
	p.space()
	if !p.take(")") {
		return nil, p.unexpectedInFilter("&&, || or )")
	}
	return c, nil
}

func (p *parser) comparison(operator string, start int, x expression) (condition, error) {
	left, err := p.comparable(start, x)
	if err != nil {
		return nil, err
	}
	p.take(operator)
	p.space()
	start = p.offset
	if p.ahead("(") {
		return nil, p.errorf("what is compared must not stand in parentheses")
	}
	if x, err = p.expression(); err != nil {
		return nil, err
	}
	right, err := p.comparable(start, x)
	return comparison{operator, left, right}, err
}

// comparable returns an expression that began at start as a value.
func (p *parser) comparable(start int, x expression) (operand, error) {
	read := strings.TrimRight(p.text[start:p.offset], " \t\n\r")
	switch {
	case x.query != nil && !x.query.singular:
		return nil, p.errorAt(start, "%s may select many values, which cannot be compared", read)
	case x.query != nil:
		return x.query, nil
	case x.operand == nil:
		return nil, p.errorAt(start, "%s is a condition, which cannot be compared", read)
	}
	return x.operand, nil
}

// expression is what was read where a query, a literal or a function may
// stand: one of its fields.
type expression struct {
	query     *subquery
	operand   operand
	condition condition
}

func (x expression) test() condition {
	if x.query != nil {
		return existence{x.query}
	}
	return x.condition
}

func (p *parser) expression() (expression, error) {
	switch c := p.peek(); {
	case c == '@' || c == '$':
		q, err := p.subquery()
		return expression{query: q}, err
	case c == '"' || c == '\'':
		s, err := p.quoted()
		return expression{operand: literal{value{kind: textValue, bytes: []byte(s)}}}, err
	case c == '-' || isDigit(c):
		v, err := p.number()
		return expression{operand: literal{v}}, err
	case 'a' <= c && c <= 'z':
		return p.word()
	case c == '/':
		return expression{}, p.errorf("/patterns/ are not supported; use match(value, 'pattern') or search(value, 'pattern')")
	}
	return expression{}, p.unexpected("a query beginning with @ or $, a literal or a function")
}

func (p *parser) subquery() (*subquery, error) {
	q := &subquery{absolute: p.peek() == '$', singular: true}
	p.offset++
	var err error
	if q.segments, err = p.segments(); err != nil {
		return nil, err
	}
	for _, s := range q.segments {
		kind := s.selectors[0].kind
		q.singular = q.singular && !s.descendant && len(s.selectors) == 1 && (kind == nameSelector || kind == indexSelector)
	}
	if q.absolute {
		q.streamed = streamable(q.segments)
		q.number, q.enough = len(p.query.absolutes), 1
		p.query.absolutes = append(p.query.absolutes, q)
	}
	return q, nil
}

func (p *parser) number() (value, error) {
	start := p.offset
	p.take("-")
	switch digits := p.digits(); {
	case digits == "":
		return value{}, p.unexpected("a digit")
	case digits[0] == '0' && len(digits) > 1:
		return value{}, p.errorAt(start, "leading zeros are not allowed")
	}
	if p.take(".") && p.digits() == "" {
		return value{}, p.unexpected("a digit after the decimal point")
	}
	if p.take("e") || p.take("E") {
		if !p.take("-") {
			p.take("+")
		}
		if p.digits() == "" {
			return value{}, p.unexpected("a digit of the exponent")
		}
	}
	return value{kind: numberValue, bytes: []byte(p.text[start:p.offset])}, nil
}

// word reads true, false, null or a function.
func (p *parser) word() (expression, error) {
	start := p.offset
	for c := p.peek(); 'a' <= c && c <= 'z' || c == '_' || isDigit(c); c = p.peek() {
		p.offset++
	}
	name := p.text[start:p.offset]
	if p.take("(") {
		return p.call(name, start)
	}
	switch name {
	case "true":
		return expression{operand: literal{value{kind: trueValue}}}, nil
	case "false":
		return expression{operand: literal{value{kind: falseValue}}}, nil
	case "null":
		return expression{operand: literal{value{kind: nullValue}}}, nil
	}
	return expression{}, p.errorAt(start, "%s is neither a literal nor a function; strings need quotes, members of the current value begin with @", name)
}
