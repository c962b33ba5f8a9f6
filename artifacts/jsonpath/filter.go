package jsonpath

import "slices"

// condition is an expression of LogicalType.
type condition interface {
	holds(e *evaluator, current node) bool
}

// operand is an expression of ValueType.
type operand interface {
	value(e *evaluator, current node) value
}

type (
	anyOf      []condition
	allOf      []condition
	negation   struct{ condition condition }
	existence  struct{ query *subquery }
	literal    struct{ literal value }
	comparison struct {
		operator    string
		left, right operand
	}
)

func (c anyOf) holds(e *evaluator, current node) bool {
	return slices.ContainsFunc(c, func(part condition) bool { return part.holds(e, current) })
}

func (c allOf) holds(e *evaluator, current node) bool {
	return !slices.ContainsFunc(c, func(part condition) bool { return !part.holds(e, current) })
}

func (c negation) holds(e *evaluator, current node) bool {
	return !c.condition.holds(e, current)
}

func (c existence) holds(e *evaluator, current node) bool {
	if c.query.singular && !c.query.absolute {
		_, ok := one(current, c.query.segments)
		return ok
	}
	return c.query.list(e, current, 1).count > 0
}

func (c comparison) holds(e *evaluator, current node) bool {
	left, right := c.left.value(e, current), c.right.value(e, current)
	switch c.operator {
	case "==":
		return equal(left, right)
	case "!=":
		return !equal(left, right)
	case "<":
		return less(left, right)
	case ">":
		return less(right, left)
	case "<=":
		return less(left, right) || equal(left, right)
	}
	return less(right, left) || equal(left, right)
}

func (l literal) value(*evaluator, node) value { return l.literal }

// value is nothing where a singular query selects no value.
func (q *subquery) value(e *evaluator, current node) value {
	if q.singular && !q.absolute {
		n, ok := one(current, q.segments)
		if !ok {
			return value{}
		}
		return n.value()
	}
	return q.list(e, current, 1).first
}

// list evaluates the query until it has enough values, or all if enough is 0.
func (q *subquery) list(e *evaluator, current node, enough int) nodelist {
	if q.absolute {
		return e.absolutes[q.number]
	}
	var list nodelist
	e.each(current, q.segments, func(n node) bool {
		if list.count == 0 {
			list.first = n.value()
		}
		list.count++
		return list.count != enough
	})
	return list
}
