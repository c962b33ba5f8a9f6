package signatures

import (
	"iter"
	"slices"
	"strings"

	"github.com/acode-ls/acode-ls/internal/text"
)

// outline is what is known of a text without parsing it.
type outline struct {
	pieces  []piece
	exact   bool          // scanned holds what a scanner found that is as exact as a grammar
	scanned []Declaration // nil unless exact
}

// piece is a part of a text that is parsed by itself.
type piece struct {
	start, end int // byte offsets, half-open
	line       int // lines before it
	lines      int // in it
	key        key
}

// minPiece is the least number of bytes of a piece. Small pieces keep what is
// parsed beside a gap small, and a parser takes as long to start as to parse a
// few bytes.
const minPiece = 2 << 10

// newOutline scans content, where lang has an exact scanner, and cuts it where
// that says that a declaration at the top level ends.
func newOutline(content string, lang Language) outline {
	o := outline{exact: isExact(lang)}
	if o.exact {
		o.scanned = fallback(lang)(content)
	}
	lines := text.Split(content)
	at := piece{}
	for last, next := range ends(o.scanned, lines) {
		if next-at.start >= minPiece {
			at.end, at.lines = next, last-at.line
			o.pieces = append(o.pieces, at)
			at = piece{start: next, line: last}
		}
	}
	if at.start < len(content) {
		at.end, at.lines = len(content), lines.Len()-at.line
		o.pieces = append(o.pieces, at)
	}
	return o
}

// isExact reports whether the fallback of lang is a scanner that is as exact
// as a grammar.
func isExact(lang Language) bool {
	switch lang {
	case Go, Python, JavaScript, TypeScript, TypeScriptReact:
		return true
	}
	return false
}

// ends yields the lines at which declarations end, each with the offset behind
// it, where what follows can be understood without what is before: the
// declaration is at the top level and begins at the margin, as the parts of a
// group do not, and nothing goes on behind it.
func ends(declarations []Declaration, lines text.Lines) iter.Seq2[int, int] {
	return func(yield func(line, offset int) bool) {
		for i, d := range declarations {
			if d.Depth > 0 || !startsAtMargin(lines.Full(d.Lines.First)) {
				continue
			}
			rest := declarations[i+1:]
			sibling := slices.IndexFunc(rest, func(d Declaration) bool { return d.Depth == 0 })
			if sibling >= 0 && rest[sibling].Lines.First <= d.Lines.Last {
				continue
			}
			next := lines.Start(d.Lines.Last + 1)
			if startsAtMargin(lines.Text()[next:]) && !yield(d.Lines.Last, next) {
				return
			}
		}
	}
}

// startsAtMargin reports whether line, which may be empty, neither is indented
// nor continues a statement.
func startsAtMargin(line string) bool {
	return line == "" || strings.IndexByte(" \t)}].,;", line[0]) < 0
}

// meeting returns the pieces that have a line in within.
func (o outline) meeting(within Range) []piece {
	from := 0
	for from < len(o.pieces) && o.pieces[from].line+o.pieces[from].lines < within.First {
		from++
	}
	to := from
	for to < len(o.pieces) && o.pieces[to].line < within.Last {
		to++
	}
	return o.pieces[from:to]
}

// scan returns the declarations of the whole text, found without a grammar.
func (o outline) scan(content string, lang Language) []Declaration {
	if o.exact {
		return o.scanned
	}
	if scan := fallback(lang); scan != nil && len(content) <= maxScan {
		return scan(content)
	}
	return nil
}

// find returns the declarations of each of the neighboring pieces, with lines
// that count from the start of the piece.
func (o outline) find(content string, lang Language, pieces []piece) [][]Declaration {
	found := make([][]Declaration, len(pieces))
	start, end := pieces[0].start, pieces[len(pieces)-1].end
	declarations, damaged, ok := parse(content[start:end], lang)
	if ok {
		declarations = moved(declarations, pieces[0].line)
	} else {
		declarations = o.scan(content, lang)
	}
	for i, p := range pieces {
		from := declarations
		if o.exact && meets(damaged, span{p.start - start, p.end - start}) {
			from = o.scanned // it understands what a grammar from before it was invented does not
		}
		found[i] = moved(starting(from, Range{p.line + 1, p.line + p.lines}), -p.line)
	}
	return found
}

// span is a part of a text.
type span struct {
	start, end int // byte offsets, half-open
}

func meets(spans []span, s span) bool {
	for _, other := range spans {
		if other.start < s.end && s.start < other.end {
			return true
		}
	}
	return false
}
