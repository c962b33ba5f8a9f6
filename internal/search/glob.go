package search

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// This file turns the patterns of .gitignore into regular expressions, which
// take linear time whatever the pattern. Like git it goes by bytes: each byte
// of pattern and path becomes the rune of that number.

// glob is a compiled pattern. The zero value matches nothing.
type glob struct {
	literal string         // the whole path, if nothing else is set
	suffix  string         // what a path without a slash ends in
	expr    *regexp.Regexp // over the path's bytes as runes
}

const special = `*?[\`

var errBracket = errors.New("a bracket is not closed, or names an unknown class")

func parseGlob(pattern string) (glob, error) {
	if !strings.ContainsAny(pattern, special) {
		return glob{literal: pattern}, nil
	}
	if rest := pattern[1:]; pattern[0] == '*' && rest != "" && !strings.ContainsAny(rest, special+"/") {
		return glob{suffix: rest}, nil
	}
	expr, err := translate(pattern)
	if err != nil {
		return glob{}, err
	}
	compiled, err := regexp.Compile(expr)
	return glob{expr: compiled}, err
}

// match takes a path, or for a pattern without a slash a name.
func (g glob) match(path string) bool {
	switch {
	case g.expr != nil:
		return g.expr.MatchString(bytesAsRunes(path))
	case g.suffix != "":
		return strings.HasSuffix(path, g.suffix) && !strings.Contains(path, "/")
	default:
		return g.literal != "" && path == g.literal
	}
}

func bytesAsRunes(s string) string {
	for i := range len(s) {
		if s[i] >= 0x80 {
			runes := make([]rune, len(s))
			for i := range len(s) {
				runes[i] = rune(s[i])
			}
			return string(runes)
		}
	}
	return s
}

func translate(pattern string) (string, error) {
	var b strings.Builder
	b.WriteString(`(?s)\A`)
	// Git compares what precedes the first special character by itself, so
	// that stars right after it stand at the start of a pattern.
	start := strings.IndexAny(pattern, special)
	for i := 0; i < len(pattern); {
		switch pattern[i] {
		case '*':
			i = translateStars(&b, pattern, i, i == start)
		case '?':
			b.WriteString(`[^/]`)
			i++
		case '[':
			set, end, ok := parseSet(pattern, i+1)
			if !ok {
				return "", errBracket
			}
			set.write(&b)
			i = end
		case '\\':
			if i++; i == len(pattern) {
				return "", errors.New("it ends in a backslash")
			}
			fallthrough
		default:
			fmt.Fprintf(&b, `\x{%x}`, pattern[i])
			i++
		}
	}
	b.WriteString(`\z`)
	return b.String(), nil
}

// translateStars writes the stars at i and returns where they end. Two or more
// that are a whole part of the path stand for any number of folders.
func translateStars(b *strings.Builder, pattern string, i int, first bool) int {
	end := i
	for end < len(pattern) && pattern[end] == '*' {
		end++
	}
	rest := pattern[end:]
	switch {
	case end-i == 1 || !first && pattern[i-1] != '/':
		b.WriteString(`[^/]*`)
	case strings.HasPrefix(rest, "/"):
		b.WriteString(`(?:.*/)?`)
		end++
	case rest == "" || strings.HasPrefix(rest, `\/`):
		b.WriteString(`.*`)
	default:
		b.WriteString(`[^/]*`)
	}
	return end
}

// set is a set of bytes.
type set [256]bool

// parseSet reads what follows the bracket before i, and returns where it ends.
func parseSet(p string, i int) (s set, end int, ok bool) {
	negated := i < len(p) && (p[i] == '!' || p[i] == '^')
	if negated {
		i++
	}
	last := -1 // what a range can begin with
	for first := true; i < len(p) && (first || p[i] != ']'); first = false {
		switch {
		case p[i] == '-' && last > 0 && i+1 < len(p) && p[i+1] != ']':
			c, next, ok := parseByte(p, i+1)
			if !ok {
				return s, 0, false
			}
			s.add(last, int(c))
			last, i = -1, next
		case strings.HasPrefix(p[i:], "[:"):
			name, length := className(p[i:])
			if length == 0 {
				s.add('[', '[')
				last, i = '[', i+1
				continue
			}
			if !s.addClass(name) {
				return s, 0, false
			}
			last, i = -1, i+length
		default:
			c, next, ok := parseByte(p, i)
			if !ok {
				return s, 0, false
			}
			s.add(int(c), int(c))
			last, i = int(c), next
		}
	}
	if i >= len(p) {
		return s, 0, false
	}
	for c := range s {
		s[c] = s[c] != negated && c != '/'
	}
	return s, i + 1, true
}

// parseByte reads a byte that a backslash may precede.
func parseByte(p string, i int) (c byte, next int, ok bool) {
	if p[i] == '\\' {
		i++
	}
	if i >= len(p) {
		return 0, 0, false
	}
	return p[i], i + 1, true
}

// className returns NAME and the length of [:NAME:] at the start of p, 0 if
// that is something else.
func className(p string) (name string, length int) {
	end := strings.IndexByte(p, ']')
	if end < 3 || p[end-1] != ':' {
		return "", 0
	}
	return p[2 : end-1], end + 1
}

func (s *set) add(from, to int) {
	for c := from; c <= to; c++ {
		s[c] = true
	}
}

// classes gives for each class its ranges of bytes, in pairs.
var classes = map[string]string{
	"alnum": "09AZaz", "alpha": "AZaz", "blank": "  \t\t", "cntrl": "\x00\x1f\x7f\x7f",
	"digit": "09", "graph": "!~", "lower": "az", "print": " ~", "punct": "!/:@[`{~",
	"space": "\t\r  ", "upper": "AZ", "xdigit": "09AFaf",
}

func (s *set) addClass(name string) bool {
	ranges, ok := classes[name]
	for ; ranges != ""; ranges = ranges[2:] {
		s.add(int(ranges[0]), int(ranges[1]))
	}
	return ok
}

func (s *set) write(b *strings.Builder) {
	b.WriteString(`[^\x{100}-\x{10ffff}`)
	for c, in := range s {
		if !in {
			fmt.Fprintf(b, `\x{%x}`, c)
		}
	}
	b.WriteByte(']')
}
