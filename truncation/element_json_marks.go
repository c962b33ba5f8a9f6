package truncation

import (
	"strconv"
	"strings"
)

// This file says how JSON is cut, so that it stays valid.

// open returns what is inside e, which is a container.
func (j *jsonText) open(e *entry, depth int) *container {
	if e.inside == nil {
		e.inside, _ = j.container(e.value, depth)
	}
	c := e.inside
	c.list = "items"
	if !c.isObject && e.value > e.start {
		const longestName = 40 // bytes
		if name := j.s[e.start+1 : j.str(e.start+1)-1]; name != "" && len(name) <= longestName {
			c.list = name
		}
	}
	return c
}

// between returns what of the text from start to end remains without the
// whitespace and the commas around it.
func (j *jsonText) between(start, end int) span {
	const around = " \t\r\n,"
	for start < end && strings.IndexByte(around, j.s[start]) >= 0 {
		start++
	}
	for start < end && strings.IndexByte(around, j.s[end-1]) >= 0 {
		end--
	}
	return span{start, end}
}

// gap returns the element, or the member, that stands for n of c, the first of
// which starts at the given offset. It is the one after nth others in c.
func (j *jsonText) gap(c *container, at, n, nth int) string {
	if !c.isObject {
		return `"... ` + strconv.Itoa(n) + " " + c.list + ` omitted ..."`
	}
	const longestSeparator = 8 // bytes, as in "name" : "value"
	separator := j.s[j.str(at+1):j.name(at)]
	if len(separator) > longestSeparator {
		separator = ": "
	}
	const fewest = 3 // dots
	return `"` + strings.Repeat(".", max(fewest, c.dots)+nth) + `"` + separator + `"` + strconv.Itoa(n) + ` keys omitted"`
}

// replacement returns what stands for all that e has inside, and for which part
// of the text.
func (j *jsonText) replacement(e *entry) (span, string) {
	what := "items"
	if e.inside.isObject {
		what = "keys"
	}
	return span{e.value, e.end}, `"... ` + strconv.Itoa(e.inside.members) + " " + what + ` omitted ..."`
}

// shorten cuts the part if it is a string, and else the blanks in it.
func (j *jsonText) shorten(o *outline, part span) {
	if part.end-part.start <= o.characters {
		return
	}
	i := part.start
	if j.s[i] == '"' {
		if i = j.str(i + 1); i == part.end {
			o.cutString(span{part.start + 1, part.end - 1}, j.whole)
			return
		}
	}
	for ; i < part.end; i++ {
		end := min(j.space(i), part.end)
		o.dropBlanks(span{i, end})
		i = end
	}
}

// whole returns at, or the start of the escape, or of the pair of escapes, of
// the string starting at start that at is inside of.
func (j *jsonText) whole(start, at int) int {
	first := j.escapeAround(start, at)
	if first < at {
		at = first
	}
	// Both halves of a pair have six bytes.
	if at-6 >= start && at+2 < len(j.s) && isSurrogate(j.s[at:], "cCdDeEfF") {
		if high := at - 6; isSurrogate(j.s[high:], "89aAbB") && j.escapeAround(start, high+1) == high {
			return high
		}
	}
	return at
}

// escapeAround returns the start of the escape that at is inside of, or at.
func (j *jsonText) escapeAround(start, at int) int {
	for i := at - 1; i >= max(start, at-5); i-- {
		if j.s[i] != '\\' {
			continue
		}
		run := i
		for run > start && j.s[run-1] == '\\' {
			run--
		}
		if (i-run)%2 == 0 && j.escape(i) > at {
			return i
		}
		return at
	}
	return at
}

// isSurrogate reports whether s starts with the escape of a surrogate of which
// the third hexadecimal digit from the end is among those given.
func isSurrogate(s, digits string) bool {
	return len(s) >= 6 && s[0] == '\\' && s[1] == 'u' && s[2]|0x20 == 'd' && strings.IndexByte(digits, s[3]) >= 0
}
