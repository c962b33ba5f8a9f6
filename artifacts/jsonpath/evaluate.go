package jsonpath

import (
	"regexp"
	"slices"
)

// evaluator evaluates segments on documents in memory.
type evaluator struct {
	absolutes []nodelist // by subquery.number
	patterns  map[patternKey]*regexp.Regexp
}

// nodelist is what filters need to know of the values a query selects.
type nodelist struct {
	count int   // exact up to subquery.enough
	first value // nothing if there is none
}

// each calls visit with what the segments select from n, in order, until visit
// returns false, and reports whether it never did.
func (e *evaluator) each(n node, segments []segment, visit func(node) bool) bool {
	if len(segments) == 0 {
		return visit(n)
	}
	next := func(child node) bool { return e.each(child, segments[1:], visit) }
	if segments[0].descendant {
		return e.descend(n, segments[0].selectors, next)
	}
	return e.selectAll(n, segments[0].selectors, next)
}

// descend selects from n and then from its descendants.
func (e *evaluator) descend(n node, selectors []selector, visit func(node) bool) bool {
	if !e.selectAll(n, selectors, visit) {
		return false
	}
	for c := n.children(); ; {
		_, child, ok := c.next()
		if !ok {
			return true
		}
		if child.isContainer() && !e.descend(child, selectors, visit) {
			return false
		}
	}
}

func (e *evaluator) selectAll(n node, selectors []selector, visit func(node) bool) bool {
	for i := range selectors {
		if !e.selectOne(n, &selectors[i], visit) {
			return false
		}
	}
	return true
}

func (e *evaluator) selectOne(n node, s *selector, visit func(node) bool) bool {
	switch s.kind {
	case nameSelector:
		child, ok := n.member(s.name)
		return !ok || visit(child)
	case indexSelector:
		child, ok := n.element(s.index)
		return !ok || visit(child)
	case sliceSelector:
		return selectSlice(n, s.slice, visit)
	}
	for c := n.children(); ; {
		_, child, ok := c.next()
		if !ok {
			return true
		}
		if s.kind == filterSelector && !s.filter.holds(e, child) {
			continue
		}
		if !visit(child) {
			return false
		}
	}
}

func selectSlice(n node, s slice, visit func(node) bool) bool {
	if n.kind() != '[' || s.step == 0 {
		return true
	}
	length := int64(1<<62 - 1)
	if !s.forward() {
		length = n.length()
	}
	lower, upper := s.bounds(length)
	var backward []node
	c := n.children()
	for i := int64(0); i < upper; i++ {
		_, child, ok := c.next()
		switch {
		case !ok:
			upper = i
		case i < lower:
		case s.step < 0 && (upper-1-i)%-s.step == 0:
			backward = append(backward, child)
		case s.step > 0 && (i-lower)%s.step == 0 && !visit(child):
			return false
		}
	}
	for _, child := range slices.Backward(backward) {
		if !visit(child) {
			return false
		}
	}
	return true
}

// one returns the value that a singular query selects from n.
func one(n node, segments []segment) (node, bool) {
	ok := true
	for i := range segments {
		if s := &segments[i].selectors[0]; s.kind == nameSelector {
			n, ok = n.member(s.name)
		} else {
			n, ok = n.element(s.index)
		}
		if !ok {
			return node{}, false
		}
	}
	return n, true
}
