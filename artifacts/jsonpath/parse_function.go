package jsonpath

import "strings"

// call reads the arguments of the function whose name began at start.
func (p *parser) call(name string, start int) (expression, error) {
	f, known := functions[name]
	if !known {
		return expression{}, p.errorAt(start, "function %s() is not supported; there are length(), count(), value(), match() and search()", name)
	}
	p.nesting++
	defer func() { p.nesting-- }()
	if p.nesting > maxNesting {
		return expression{}, p.errorf("functions are nested deeper than %d", maxNesting)
	}
	var queries []*subquery
	var values []operand
	for i := 0; ; i++ {
		p.space()
		if i == f.arity || p.ahead(")") {
			break
		}
		argument := p.offset
		x, err := p.argument(i)
		if err != nil {
			return expression{}, err
		}
		if f.nodes && x.query == nil {
			return expression{}, p.errorAt(argument, "%s() takes a query, not %s", name, p.text[argument:p.offset])
		}
		if f.nodes {
			queries = append(queries, x.query)
			continue
		}
		v, err := p.comparable(argument, x)
		if err != nil {
			return expression{}, err
		}
		values = append(values, v)
	}
	if got := len(queries) + len(values); got != f.arity {
		return expression{}, p.errorf("arguments of %s() must number %d, not %d", name, f.arity, got)
	}
	if !p.take(")") {
		return expression{}, p.unexpectedInFilter(") after the last argument of " + name + "()")
	}
	return p.compiled(name, start, queries, values)
}

func (p *parser) argument(i int) (expression, error) {
	if i > 0 {
		if !p.take(",") {
			return expression{}, p.unexpectedInFilter("a comma between arguments")
		}
		p.space()
	}
	if p.ahead("(") || p.ahead("!") {
		return expression{}, p.errorf("conditions are not arguments of any function")
	}
	return p.expression()
}

func (p *parser) compiled(name string, start int, queries []*subquery, values []operand) (expression, error) {
	switch name {
	case "length":
		return expression{operand: lengthOf{values[0]}}, nil
	case "count":
		queries[0].enough = 0
		return expression{operand: countOf{queries[0]}}, nil
	case "value":
		queries[0].enough = 2
		return expression{operand: valueOf{queries[0]}}, nil
	}
	m := matching{text: values[0], pattern: values[1], whole: name == "match"}
	if pattern, ok := values[1].(literal); ok && pattern.literal.kind == textValue {
		var err error
		if m.compiled, err = compilePattern(string(pattern.literal.bytes), m.whole); err != nil {
			return expression{}, p.errorAt(start, "the pattern of %s() is not supported: %s", name, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
	}
	return expression{condition: m}, nil
}
