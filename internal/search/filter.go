package search

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// filter is what every match of a pattern contains: one of some literals. No
// literals say that nothing is known. It spares the slower regular expression
// most files and lines.
type filter struct {
	literals []string
	fold     bool // the literals are lower case, and that of the text does not matter
}

// maxLiterals is how many literals are faster than a regular expression.
const maxLiterals = 8

// weight is how much a filter is worth: the length of its shortest literal.
func (f filter) weight() int {
	weight := 0
	for i, literal := range f.literals {
		if i == 0 || len(literal) < weight {
			weight = len(literal)
		}
	}
	return weight
}

// required returns the best filter of tree.
func required(tree *syntax.Regexp) (best filter) {
	switch tree.Op {
	case syntax.OpLiteral:
		return literalFilter(tree)
	case syntax.OpAlternate:
		return alternateFilter(tree)
	case syntax.OpCapture, syntax.OpPlus, syntax.OpConcat:
		for _, sub := range tree.Sub {
			if f := required(sub); f.weight() > best.weight() {
				best = f
			}
		}
	case syntax.OpRepeat:
		if tree.Min > 0 {
			return required(tree.Sub[0])
		}
	}
	return best
}

func literalFilter(tree *syntax.Regexp) filter {
	literal := string(tree.Rune)
	if tree.Flags&syntax.FoldCase != 0 {
		literal = strings.ToLower(longestRun(literal))
	}
	// The replacement character stands for any byte that is no UTF-8.
	if literal == "" || strings.ContainsRune(literal, utf8.RuneError) {
		return filter{}
	}
	return filter{literals: []string{literal}, fold: tree.Flags&syntax.FoldCase != 0}
}

// longestRun returns the longest part of a literal in ASCII letters and signs
// whose other case is in ASCII too. Those of k and s are not alone: there are the
// Kelvin sign and the long s.
func longestRun(literal string) (longest string) {
	for run := range strings.FieldsFuncSeq(literal, func(c rune) bool {
		return c >= utf8.RuneSelf || strings.ContainsRune("kKsS", c)
	}) {
		if len(run) > len(longest) {
			longest = run
		}
	}
	return longest
}

// alternateFilter joins the filters of all alternatives, if each has one.
func alternateFilter(tree *syntax.Regexp) (joined filter) {
	for i, sub := range tree.Sub {
		f := required(sub)
		joined.literals = append(joined.literals, f.literals...)
		if f.literals == nil || i > 0 && f.fold != joined.fold || len(joined.literals) > maxLiterals {
			return filter{}
		}
		joined.fold = f.fold
	}
	return joined
}

// haystack returns the text in which to look for the literals, byte for byte as
// long as text. It is valid until buffer is used again.
func (f filter) haystack(text string, buffer *[]byte) string {
	if !f.fold {
		return text
	}
	folded := append((*buffer)[:0], text...)
	for i, c := range folded {
		if 'A' <= c && c <= 'Z' {
			folded[i] = c + 'a' - 'A'
		}
	}
	*buffer = folded
	return unsafeString(folded)
}

// passes reports whether haystack may have a match.
func (f filter) passes(haystack string) bool {
	for _, literal := range f.literals {
		if strings.Contains(haystack, literal) {
			return true
		}
	}
	return f.literals == nil
}

// next returns the offset of the next place in haystack that may have to do
// with a match, or -1.
func (f filter) next(haystack string) int {
	if len(f.literals) == 1 {
		return strings.Index(haystack, f.literals[0])
	}
	return 0
}
