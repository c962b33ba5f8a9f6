// This file has the types that a query is compiled to.

package jsonpath

import "math"

type segment struct {
	descendant bool
	selectors  []selector
	text       string // as it stands in the query
}

type selectorKind int

const (
	nameSelector selectorKind = iota
	wildcardSelector
	indexSelector
	sliceSelector
	filterSelector
)

type selector struct {
	kind   selectorKind
	name   string
	index  int64 // negative counts from the end
	slice  slice
	filter condition
}

// slice is what stands between the brackets of [start:end:step].
type slice struct {
	start, end *int64 // nil where left out
	step       int64
}

// bounds returns the half-open range of indexes the slice runs through in an
// array of the given length, upwards from lower where step is positive and
// downwards from upper where it is negative.
func (s slice) bounds(length int64) (lower, upper int64) {
	normal := func(i *int64, otherwise int64) int64 {
		switch {
		case i == nil:
			return otherwise
		case *i < 0:
			return length + *i
		}
		return *i
	}
	if s.step < 0 {
		upper = min(max(normal(s.start, length-1), -1), length-1)
		lower = min(max(normal(s.end, -length-1), -1), length-1)
		return lower + 1, upper + 1
	}
	lower = min(max(normal(s.start, 0), 0), length)
	upper = min(max(normal(s.end, length), 0), length)
	return lower, upper
}

// forward reports whether the slice can be followed without knowing the length
// of the array.
func (s slice) forward() bool {
	return s.step > 0 && (s.start == nil || *s.start >= 0) && (s.end == nil || *s.end >= 0)
}

// includes reports whether a forward slice selects the index.
func (s slice) includes(index int64) bool {
	start := int64(0)
	if s.start != nil {
		start = *s.start
	}
	return start <= index && (s.end == nil || index < *s.end) && (index-start)%s.step == 0
}

// subquery is a query inside a filter.
type subquery struct {
	segments []segment
	singular bool // selects one value at most
	absolute bool // begins with $

	// Of an absolute query:
	number   int // among Query.absolutes
	streamed int // as in Query
	enough   int // results after which no more are needed; 0 if all are
}

// streamable returns how many of the segments can be followed while the text
// is read.
func streamable(segments []segment) int {
	for i, s := range segments {
		switch followed, last := s.streams(); {
		case !followed:
			return i
		case last:
			return i + 1
		}
	}
	return len(segments)
}

// streams reports whether the segment can be followed while the text is read,
// and whether the segments behind it cannot.
func (s segment) streams() (followed, last bool) {
	first := s.selectors[0]
	switch {
	case s.descendant:
		followed = len(s.selectors) == 1 && (first.kind == nameSelector || first.kind == indexSelector && first.index >= 0)
		return followed, true
	case len(s.selectors) == 1 && first.kind == filterSelector:
		return true, true
	case s.fromEnd():
		return true, true
	case len(s.selectors) == 1 && (first.kind == nameSelector || first.kind == wildcardSelector):
		return true, false
	}
	return s.ascending(), false
}

// fromEnd reports whether the segment is one index that counts from the end.
func (s segment) fromEnd() bool {
	return !s.descendant && len(s.selectors) == 1 && s.selectors[0].kind == indexSelector && s.selectors[0].index < 0
}

// ascending reports whether the segment selects elements in the order of the
// array, each once, whatever its length.
func (s segment) ascending() bool {
	next := int64(0) // the first index that the next selector may select
	for _, c := range s.selectors {
		switch {
		case c.kind == indexSelector && c.index >= next:
			next = c.index + 1
		case c.kind == sliceSelector && c.slice.forward() && (c.slice.start != nil && *c.slice.start >= next || next == 0):
			if c.slice.end == nil {
				next = math.MaxInt64
			} else {
				next = max(next, *c.slice.end, 1)
			}
		default:
			return false
		}
	}
	return true
}
