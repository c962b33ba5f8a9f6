package jsonpath

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// function is one of the five functions of RFC 9535.
type function struct {
	nodes   bool // takes one query, else values
	arity   int
	logical bool // gives a condition, else a value
}

var functions = map[string]function{
	"length": {arity: 1},
	"count":  {arity: 1, nodes: true},
	"value":  {arity: 1, nodes: true},
	"match":  {arity: 2, logical: true},
	"search": {arity: 2, logical: true},
}

type (
	lengthOf struct{ of operand }
	countOf  struct{ query *subquery }
	valueOf  struct{ query *subquery }
	matching struct {
		text, pattern operand
		whole         bool           // the pattern must match the whole text
		compiled      *regexp.Regexp // if the pattern is a literal
	}
)

func (f lengthOf) value(e *evaluator, current node) value {
	switch v := f.of.value(e, current); v.kind {
	case textValue:
		return integer(codePoints(v.bytes))
	case structuredValue:
		if v.node.kind() == '{' {
			return integer(int64(len(v.node.members())))
		}
		return integer(v.node.length())
	}
	return value{}
}

func (f countOf) value(e *evaluator, current node) value {
	return integer(int64(f.query.list(e, current, 0).count))
}

func (f valueOf) value(e *evaluator, current node) value {
	list := f.query.list(e, current, 2)
	if list.count != 1 {
		return value{}
	}
	return list.first
}

func integer(n int64) value {
	return value{kind: numberValue, bytes: strconv.AppendInt(nil, n, 10)}
}

func (m matching) holds(e *evaluator, current node) bool {
	subject := m.text.value(e, current)
	if subject.kind != textValue {
		return false
	}
	compiled := m.compiled
	if compiled == nil {
		pattern := m.pattern.value(e, current)
		if pattern.kind != textValue {
			return false
		}
		compiled = e.pattern(string(pattern.bytes), m.whole)
	}
	return compiled != nil && compiled.Match(bytes.ToValidUTF8(subject.bytes, []byte("\uFFFD")))
}

// patternKey is a pattern from the text and how it is used.
type patternKey struct {
	pattern string
	whole   bool
}

const maxPatterns = 64 // that an evaluator remembers

// pattern compiles a pattern from the text, and returns nil if it is none.
func (e *evaluator) pattern(pattern string, whole bool) *regexp.Regexp {
	key := patternKey{pattern, whole}
	compiled, known := e.patterns[key]
	if known {
		return compiled
	}
	if e.patterns == nil || len(e.patterns) == maxPatterns {
		e.patterns = map[patternKey]*regexp.Regexp{}
	}
	// What is no pattern matches nothing, says RFC 9535.
	compiled, _ = compilePattern(pattern, whole)
	e.patterns[key] = compiled
	return compiled
}

// maxPattern limits the length of a pattern, in bytes.
const maxPattern = 4096

// compilePattern translates an I-Regexp (RFC 9485) as its section 5.5 says. What
// Go knows beyond I-Regexp, like \d, is let through.
func compilePattern(pattern string, whole bool) (*regexp.Regexp, error) {
	if len(pattern) > maxPattern {
		return nil, errLongPattern
	}
	var out strings.Builder
	class := -1 // offset behind the beginning of the character class, or -1
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern):
			out.WriteByte(c)
			i++
		case c == '[' && class < 0:
			class = i + 1
			if strings.HasPrefix(pattern[class:], "^") {
				class++
			}
		case c == ']' && class != i:
			class = -1
		case c == '.' && class < 0:
			out.WriteString(`[^\n\r]`)
			continue
		}
		out.WriteByte(pattern[i])
	}
	compiled, err := regexp.Compile(out.String())
	if err != nil || !whole {
		return compiled, err
	}
	return regexp.Compile(`\A(?:` + out.String() + `)\z`)
}
