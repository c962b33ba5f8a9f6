package jsonpath

import (
	"bytes"
	"cmp"
	"math"
)

type valueKind int

const (
	nothing valueKind = iota // the result of a query that selects no value
	nullValue
	falseValue
	trueValue
	numberValue
	textValue
	structuredValue // an array or object
)

// value is what filters compare.
type value struct {
	kind  valueKind
	bytes []byte // of a number as it stands in the text, of a text unescaped
	node  node   // of a structured value
}

// standalone returns a value that is a text of its own.
func standalone(text []byte) value {
	root, _ := new(document).load(text, math.MaxInt64)
	return root.value()
}

func (n node) value() value {
	switch n.kind() {
	case 'n':
		return value{kind: nullValue}
	case 'f':
		return value{kind: falseValue}
	case 't':
		return value{kind: trueValue}
	case '"':
		return value{kind: textValue, bytes: unescape(n.text()[1 : n.end-n.start-1])}
	case '{', '[':
		return value{kind: structuredValue, node: n}
	}
	return value{kind: numberValue, bytes: n.text()}
}

// equal reports whether a == b holds.
func equal(a, b value) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case numberValue:
		return compareNumbers(a.bytes, b.bytes) == 0
	case textValue:
		return bytes.Equal(a.bytes, b.bytes)
	case structuredValue:
		return equalNodes(a.node, b.node)
	}
	return true
}

// less reports whether a < b holds, which it never does of values other than
// two numbers or two texts.
func less(a, b value) bool {
	switch {
	case a.kind == numberValue && b.kind == numberValue:
		return compareNumbers(a.bytes, b.bytes) < 0
	case a.kind == textValue && b.kind == textValue:
		return bytes.Compare(a.bytes, b.bytes) < 0
	}
	return false
}

func equalNodes(a, b node) bool {
	if a.kind() != b.kind() {
		return false
	}
	if a.kind() == '{' {
		return equalObjects(a, b)
	}
	for x, y := a.children(), b.children(); ; {
		_, left, more := x.next()
		_, right, moreRight := y.next()
		if !more || !moreRight {
			return more == moreRight
		}
		if !equal(left.value(), right.value()) {
			return false
		}
	}
}

func equalObjects(a, b node) bool {
	left, right := a.members(), b.members()
	if len(left) != len(right) {
		return false
	}
	for name, x := range left {
		y, ok := right[name]
		if !ok || !equal(x.value(), y.value()) {
			return false
		}
	}
	return true
}

// members returns the members of an object by their unescaped names, the first
// of each.
func (n node) members() map[string]node {
	members := map[string]node{}
	for c := n.children(); ; {
		raw, child, ok := c.next()
		if !ok {
			return members
		}
		name := string(unescape(raw[1 : len(raw)-1]))
		if _, known := members[name]; !known {
			members[name] = child
		}
	}
}

// compareNumbers compares two JSON numbers exactly, however long they are.
func compareNumbers(a, b []byte) int {
	if x, ok := smallInteger(a); ok {
		if y, ok := smallInteger(b); ok {
			return cmp.Compare(x, y)
		}
	}
	x, y := parseDecimal(a), parseDecimal(b)
	if x.sign != y.sign {
		return cmp.Compare(x.sign, y.sign)
	}
	if x.magnitude != y.magnitude {
		return x.sign * cmp.Compare(x.magnitude, y.magnitude)
	}
	return x.sign * bytes.Compare(x.digits, y.digits)
}

// smallInteger returns the value of an integer of at most 18 digits.
func smallInteger(s []byte) (n int64, ok bool) {
	digits := bytes.TrimPrefix(s, []byte("-"))
	if len(digits) > 18 {
		return 0, false
	}
	for _, c := range digits {
		if c < '0' || '9' < c {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	if len(digits) < len(s) {
		n = -n
	}
	return n, true
}

// decimal is sign * 0.digits * 10^magnitude, where digits neither begin nor end
// with a zero. The sign of zero is 0.
type decimal struct {
	sign      int
	magnitude int64
	digits    []byte
}

func parseDecimal(s []byte) decimal {
	d := decimal{sign: 1}
	if s[0] == '-' {
		d.sign, s = -1, s[1:]
	}
	if i := bytes.IndexAny(s, "eE"); i >= 0 {
		d.magnitude = exponent(s[i+1:])
		s = s[:i]
	}
	integer, fraction, _ := bytes.Cut(s, []byte("."))
	d.magnitude += int64(len(integer))
	d.digits = integer
	if len(fraction) > 0 {
		d.digits = append(bytes.Clone(integer), fraction...)
	}
	significant := bytes.TrimLeft(d.digits, "0")
	d.magnitude -= int64(len(d.digits) - len(significant))
	d.digits = bytes.TrimRight(significant, "0")
	if len(d.digits) == 0 {
		return decimal{}
	}
	return d
}

// exponent reads an exponent, beyond 10^17 as if it were about that.
func exponent(s []byte) int64 {
	negative := s[0] == '-'
	if negative || s[0] == '+' {
		s = s[1:]
	}
	n := int64(0)
	for _, c := range s {
		if n < 1e16 {
			n = 10*n + int64(c-'0')
		}
	}
	if negative {
		return -n
	}
	return n
}
