package redact

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// A Pattern is a secret that a user describes.
//
// The regular expression is matched against each line, without its line break;
// ^ and $ are the ends of the line. Where it has groups, the first one that
// matched is the secret, else the whole match is. It has Go's syntax, which
// takes time linear in the text.
type Pattern struct {
	Name  string // letters, digits, _ and -; in the placeholder capitals and _
	Regex string
}

const (
	maxRegex  = 1000 // bytes
	maxName   = 64   // bytes
	maxRepeat = 1000 // of x{n,m}, which the standard library too refuses beyond

	// A line longer than this is matched in pieces, which overlap by
	// pieceOverlap bytes.
	maxPiece     = 32 << 10
	pieceOverlap = 4 << 10
)

type pattern struct {
	kind   string
	regex  *regexp.Regexp
	prefix string // what each match starts with
}

func compile(patterns []Pattern) ([]pattern, error) {
	var compiled []pattern
	for _, p := range patterns {
		c, err := compileOne(p)
		if err != nil {
			return nil, fmt.Errorf("redaction pattern %q: %w", p.Name, err)
		}
		compiled = append(compiled, c)
	}
	return compiled, nil
}

func compileOne(p Pattern) (pattern, error) {
	switch {
	case p.Name == "":
		return pattern{}, errors.New("it has no name")
	case len(p.Name) > maxName:
		return pattern{}, fmt.Errorf("its name is longer than %d bytes", maxName)
	case !urlSafe.only(p.Name):
		return pattern{}, errors.New("its name may have letters, digits, _ and - only")
	case p.Regex == "":
		return pattern{}, errors.New("it has no regex")
	case len(p.Regex) > maxRegex:
		return pattern{}, fmt.Errorf("its regex is longer than %d bytes", maxRegex)
	}
	tree, err := syntax.Parse(p.Regex, syntax.Perl)
	if err != nil {
		return pattern{}, err
	}
	if minLength(tree) == 0 {
		return pattern{}, errors.New("its regex matches the empty text")
	}
	if size := copies(tree); size > maxRepeat {
		return pattern{}, fmt.Errorf("its regex repeats too much: it unfolds to %d parts, at most %d are allowed", size, maxRepeat)
	}
	regex, err := regexp.Compile(p.Regex)
	if err != nil {
		return pattern{}, err
	}
	prefix, _ := regex.LiteralPrefix()
	kind := strings.ReplaceAll(strings.ToUpper(p.Name), "-", "_")
	return pattern{kind, regex, prefix}, nil
}

// minLength returns the least number of characters that re matches, or 0 if it
// is none.
func minLength(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpCapture, syntax.OpPlus:
		return minLength(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min * minLength(re.Sub[0])
	case syntax.OpConcat:
		n := 0
		for _, sub := range re.Sub {
			n += minLength(sub)
		}
		return n
	case syntax.OpAlternate:
		n := minLength(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			n = min(n, minLength(sub))
		}
		return n
	}
	return 0
}

// copies returns how many characters and classes re has when its repetitions
// are written out.
func copies(re *syntax.Regexp) int {
	n := len(re.Rune)
	if re.Op != syntax.OpLiteral {
		n = 1
	}
	if len(re.Sub) > 0 {
		n = 0
	}
	for _, sub := range re.Sub {
		n += copies(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(re.Min, re.Max, 1)
	}
	return n
}

// appendMatches appends to found the matches of patterns in s from the offset
// from on, which is where a line or a piece of a long line starts. It stops
// before the first piece that may not be whole yet and returns where that is;
// if final is set, nothing follows s.
func appendMatches(found []match, patterns []pattern, s string, from int, final bool) ([]match, int) {
	for from < len(s) {
		end, next := len(s), len(s)
		switch i := strings.IndexByte(s[from:min(len(s), from+maxPiece)], '\n'); {
		case i >= 0:
			end, next = from+i, from+i+1
		case len(s)-from > maxPiece:
			end, next = from+maxPiece, from+maxPiece-pieceOverlap
		case !final:
			return found, from
		}
		found = appendPiece(found, patterns, s[:end], from, next)
		from = next
	}
	return found, from
}

// appendPiece appends the matches in s[from:] that start before next, by their
// start.
func appendPiece(found []match, patterns []pattern, s string, from, next int) []match {
	piece := strings.TrimSuffix(s[from:], "\r")
	for _, p := range patterns {
		if !strings.Contains(piece, p.prefix) {
			continue
		}
		for _, loc := range p.regex.FindAllStringSubmatchIndex(piece, -1) {
			start, end := secretOf(loc)
			if start < end && from+start < next {
				found = insert(found, match{from + start, from + end, p.kind})
			}
		}
	}
	return found
}

// secretOf returns the first group of a match that took part in it, or the
// match.
func secretOf(loc []int) (start, end int) {
	for i := 2; i < len(loc); i += 2 {
		if loc[i] >= 0 {
			return loc[i], loc[i+1]
		}
	}
	return loc[0], loc[1]
}

// insert puts m into matches behind those that start before it or with it.
func insert(matches []match, m match) []match {
	i := len(matches)
	for i > 0 && matches[i-1].start > m.start {
		i--
	}
	return slices.Insert(matches, i, m)
}
