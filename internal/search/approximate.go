package search

import (
	"fmt"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file turns an expression into a rougher one for ripgrep, over bytes. The
// engines do not agree on what a character, a word and a line end are, so the
// rougher one knows none of them.

// approximate returns an expression that matches in every text in which tree
// matches in a line, and in others. It is "" if tree never matches.
func approximate(tree *syntax.Regexp) string {
	var b strings.Builder
	if !approximateTo(&b, tree) {
		return ""
	}
	return "(?-u)" + b.String()
}

// approximateTo writes what can be repeated as it is. It returns false for a
// tree that never matches.
func approximateTo(b *strings.Builder, tree *syntax.Regexp) bool {
	switch tree.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		b.WriteString("(?:)")
		return true
	case syntax.OpLiteral:
		writeLiteral(b, tree)
		return true
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return writeClass(b, tree)
	case syntax.OpStar:
		return writeRepeat(b, tree.Sub[0], 0, -1)
	case syntax.OpPlus:
		return writeRepeat(b, tree.Sub[0], 1, -1)
	case syntax.OpQuest:
		return writeRepeat(b, tree.Sub[0], 0, 1)
	case syntax.OpRepeat:
		return writeRepeat(b, tree.Sub[0], tree.Min, tree.Max)
	case syntax.OpCapture, syntax.OpConcat:
		return writeGroup(b, tree.Sub, "")
	case syntax.OpAlternate:
		return writeGroup(b, tree.Sub, "|")
	default:
		return false
	}
}

func writeGroup(b *strings.Builder, trees []*syntax.Regexp, between string) bool {
	b.WriteString("(?:")
	for i, tree := range trees {
		if i > 0 {
			b.WriteString(between)
		}
		if !approximateTo(b, tree) {
			return false
		}
	}
	b.WriteString(")")
	return true
}

// maxCounted is how often something of varying length is counted: to count it
// further takes ripgrep long.
const maxCounted = 8

// writeRepeat writes tree from least to most times, without end if most is
// negative.
func writeRepeat(b *strings.Builder, tree *syntax.Regexp, least, most int) bool {
	var sub strings.Builder
	if ascii, beyond, ok := class(tree); ok && beyond {
		// Each character is at least a byte, and all its bytes are in the class.
		sub.WriteString("[" + ascii + beyondASCII + "]")
		most = -1
	} else if !approximateTo(&sub, tree) {
		return false
	} else if max(least, most) > maxCounted && strings.Contains(sub.String(), beyondASCII) {
		least, most = min(least, maxCounted), -1
	}
	limit := ""
	if most >= 0 {
		limit = strconv.Itoa(most)
	}
	// In a group, so that it can be repeated again.
	fmt.Fprintf(b, "(?:%s{%d,%s})", sub.String(), least, limit)
	return true
}

// beyondASCII is a class of the bytes of all characters outside ASCII, and of
// all that are no UTF-8, without its brackets.
const beyondASCII = `\x80-\xff`

func writeClass(b *strings.Builder, tree *syntax.Regexp) bool {
	ascii, beyond, _ := class(tree)
	switch {
	case ascii == "" && !beyond:
		return false
	case ascii == "":
		b.WriteString("[" + beyondASCII + "]+")
	case beyond:
		b.WriteString("(?:[" + ascii + "]|[" + beyondASCII + "]+)")
	default:
		b.WriteString("[" + ascii + "]")
	}
	return true
}

// class returns the part of a class that is in ASCII, without brackets, whether
// there is more, and whether tree is a class. A line end is in no line, and
// ripgrep refuses it.
func class(tree *syntax.Regexp) (ascii string, beyond, ok bool) {
	pairs := tree.Rune
	switch tree.Op {
	case syntax.OpCharClass:
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		pairs = []rune{0, unicode.MaxRune}
	default:
		return "", false, false
	}
	for i := 0; i < len(pairs); i += 2 {
		first, last := pairs[i], pairs[i+1]
		ascii += span(first, min(last, '\n'-1)) + span(max(first, '\n'+1), min(last, unicode.MaxASCII))
		beyond = beyond || last > unicode.MaxASCII
	}
	return ascii, beyond, true
}

func span(first, last rune) string {
	if first > last {
		return ""
	}
	return fmt.Sprintf(`\x%02x-\x%02x`, first, last)
}

func writeLiteral(b *strings.Builder, tree *syntax.Regexp) {
	b.WriteString("(?:")
	for _, c := range tree.Rune {
		if tree.Flags&syntax.FoldCase == 0 {
			b.WriteString(runeBytes(c))
			continue
		}
		b.WriteString("(?:" + runeBytes(c))
		for other := unicode.SimpleFold(c); other != c; other = unicode.SimpleFold(other) {
			b.WriteString("|" + runeBytes(other))
		}
		b.WriteString(")")
	}
	b.WriteString(")")
}

// runeBytes returns the bytes of c by number, so that none has a meaning.
func runeBytes(c rune) string {
	if c == utf8.RuneError {
		return "[" + beyondASCII + "]+" // it stands for what is no UTF-8
	}
	var b strings.Builder
	for _, c := range []byte(string(c)) {
		fmt.Fprintf(&b, `\x%02x`, c)
	}
	return b.String()
}
