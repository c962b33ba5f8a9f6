package truncation

import (
	"math/bits"
	"strings"
)

// This file reads JSON by its bytes: what is kept is never decoded. The grammar
// is that of RFC 8259, except that strings may hold bytes that are not UTF-8 and
// escapes of lone surrogates, and that names may be repeated.

// maxNesting is how many containers may be in each other.
const maxNesting = 10_000

// What the functions that look for an end return instead of one.
const (
	malformed = -1
	farther   = -2 // the end lies beyond what was asked for
)

// jsonText is the notation of JSON.
type jsonText struct {
	s      string
	limits Limits
	stack  []byte // the closing brackets of the containers that skip is in
}

// root returns the one value of the text as an entry.
func (j *jsonText) root() (entry, bool) {
	e := entry{}
	if strings.HasPrefix(j.s, "\ufeff") {
		e.start = len("\ufeff")
	}
	e.start = j.space(e.start)
	e.value = e.start
	if e.start == len(j.s) || !j.read(&e, -1) {
		return entry{}, false
	}
	return e, j.space(e.end) == len(j.s)
}

// read fills in the end of e, whose value is in a container of the given depth,
// or in none if that is -1, and what e has inside if it is a large container.
func (j *jsonText) read(e *entry, depth int) bool {
	switch at := e.value; j.s[at] {
	case '{', '[':
		e.end = farther
		if depth >= 0 {
			e.end = j.skip(at, at+largeContainer, depth+1)
		}
		if e.end == farther {
			if depth <= j.limits.MaxDepth {
				e.inside, e.end = j.container(at, depth+1)
			} else {
				e.end = j.skip(at, len(j.s), depth+1)
			}
		}
		e.leaf = e.end >= 0 && j.space(at+1) == e.end-1
	default:
		e.end = j.scalar(at)
		e.leaf = true
	}
	return e.end >= 0
}

// container reads the container that starts at the given offset.
func (j *jsonText) container(at, depth int) (*container, int) {
	s := j.s
	if depth >= maxNesting {
		return nil, malformed
	}
	isObject := s[at] == '{'
	c := newCollector(j.limits, at+1, isObject)
	i := j.space(at + 1)
	if i < len(s) && s[i] == closing(s[at]) {
		return c.close(i), i + 1
	}
	for {
		value := i
		if isObject {
			if value = j.name(i); value < 0 {
				return nil, malformed
			}
			c.dots = max(c.dots, j.dots(i)+1)
		}
		e := c.add(i, value, isObject)
		if value == len(s) || !j.read(e, depth) {
			return nil, malformed
		}
		i = j.space(e.end)
		if i == len(s) {
			return nil, malformed
		}
		switch s[i] {
		case ',':
			i = j.space(i + 1)
		case closing(s[at]):
			return c.close(i), i + 1
		default:
			return nil, malformed
		}
	}
}

// dots returns how many dots the name at i consists of, or 0 if of others.
func (j *jsonText) dots(i int) int {
	end := i + 1
	for j.s[end] == '.' {
		end++
	}
	if j.s[end] != '"' {
		return 0
	}
	return end - i - 1
}

func closing(bracket byte) byte { return bracket + 2 }

// skip returns the end of the container that starts at i, which has the given
// depth, or farther if that is beyond limit.
func (j *jsonText) skip(i, limit, depth int) int {
	s := j.s
	stack := j.stack[:0]
	defer func() { j.stack = stack[:0] }()
	for {
		// A value starts at i.
		if i >= len(s) {
			return malformed
		}
		switch c := s[i]; c {
		case '"':
			if i = j.str(i + 1); i < 0 {
				return malformed
			}
		case '{', '[':
			if i > limit {
				return farther
			}
			if len(stack)+depth >= maxNesting {
				return malformed
			}
			stack = append(stack, closing(c))
			i = j.space(i + 1)
			if i == len(s) {
				return malformed
			}
			if s[i] != closing(c) {
				if c == '{' {
					if i = j.name(i); i < 0 {
						return malformed
					}
				}
				continue
			}
		default:
			if i = j.scalar(i); i < 0 {
				return malformed
			}
		}
		// The value is at its end, or the container on top of the stack is.
		for {
			i = j.space(i)
			if i == len(s) {
				return malformed
			}
			closes := stack[len(stack)-1]
			if s[i] == ',' {
				if i > limit {
					return farther
				}
				i = j.space(i + 1)
				if closes == '}' {
					if i = j.name(i); i < 0 {
						return malformed
					}
				}
				break
			}
			if s[i] != closes {
				return malformed
			}
			i++
			stack = stack[:len(stack)-1]
			if len(stack) == 0 {
				return i
			}
		}
	}
}

// name returns where the value starts whose name starts at i.
func (j *jsonText) name(i int) int {
	s := j.s
	if i >= len(s) || s[i] != '"' {
		return malformed
	}
	if i = j.str(i + 1); i < 0 {
		return malformed
	}
	i = j.space(i)
	if i == len(s) || s[i] != ':' {
		return malformed
	}
	return j.space(i + 1)
}

// space returns the first offset from i on at which there is no whitespace. It
// is small enough to be inlined.
func (j *jsonText) space(i int) int {
	if i < len(j.s) && j.s[i] <= ' ' {
		return j.blanks(i)
	}
	return i
}

func (j *jsonText) blanks(i int) int {
	s := j.s
	for i < len(s) {
		switch s[i] {
		case ' ', '\t', '\n', '\r':
		default:
			return i
		}
		i++
		for i+8 <= len(s) {
			other := word(s, i) ^ ' '*eachByte
			if other != 0 {
				i += bits.TrailingZeros64(other) / 8
				break
			}
			i += 8
		}
	}
	return i
}

// scalar returns the end of the string, number or literal that starts at i.
func (j *jsonText) scalar(i int) int {
	s := j.s
	switch c := s[i]; c {
	case '"':
		return j.str(i + 1)
	case 't':
		return j.literal(i, "true")
	case 'f':
		return j.literal(i, "false")
	case 'n':
		return j.literal(i, "null")
	default:
		return j.number(i)
	}
}

func (j *jsonText) literal(i int, word string) int {
	if strings.HasPrefix(j.s[i:], word) {
		return i + len(word)
	}
	return malformed
}

func (j *jsonText) number(i int) int {
	s := j.s
	if s[i] == '-' {
		i++
	}
	if i < len(s) && s[i] == '0' {
		i++
	} else if i = j.digits(i); i < 0 {
		return malformed
	}
	if i < len(s) && s[i] == '.' {
		if i = j.digits(i + 1); i < 0 {
			return malformed
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		return j.digits(i)
	}
	return i
}

// digits returns the end of the digits that start at i, one at least.
func (j *jsonText) digits(i int) int {
	s := j.s
	start := i
	for i < len(s) && s[i]-'0' <= 9 {
		i++
	}
	if i == start {
		return malformed
	}
	return i
}

const (
	eachByte = 0x0101010101010101
	highBits = 0x80 * eachByte
)

// word returns the eight bytes of s at i, the first lowest. The compiler makes
// one load of it.
func word(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// str returns the end of the string whose first character is at i.
func (j *jsonText) str(i int) int {
	s := j.s
	for {
		// Each byte that is a quote, a backslash or a control character sets its
		// high bit: to flip 2 makes a quote the one byte that follows the control
		// characters. A carry can add wrong bits, but only after a right one.
		for i+8 <= len(s) {
			w := word(s, i)
			low, slash := w^('"'-' ')*eachByte, w^'\\'*eachByte
			found := ((low - (' '+1)*eachByte) | (slash - eachByte)) &^ w & highBits
			if found != 0 {
				i += bits.TrailingZeros64(found) / 8
				break
			}
			i += 8
		}
		if i >= len(s) {
			return malformed
		}
		switch c := s[i]; {
		case c == '"':
			return i + 1
		case c == '\\':
			if i = j.escape(i); i < 0 {
				return malformed
			}
		case c < ' ':
			return malformed
		default:
			i++
		}
	}
}

// escape returns the end of the escape that starts at i.
func (j *jsonText) escape(i int) int {
	s := j.s
	if i+1 >= len(s) {
		return malformed
	}
	switch s[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
		if i+6 <= len(s) && isHex(s[i+2]) && isHex(s[i+3]) && isHex(s[i+4]) && isHex(s[i+5]) {
			return i + 6
		}
	}
	return malformed
}

func isHex(c byte) bool { return c-'0' <= 9 || c|0x20-'a' <= 5 }
