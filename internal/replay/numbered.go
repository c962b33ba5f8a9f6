package replay

import (
	"strconv"
	"strings"
)

// This file reads line numbers that tools print before lines.

// cut marks what a tool left out of a line it showed.
const cut = "... [truncated]"

// numbered returns the lines of a text that begin with a number and an arrow or
// a tab, or a number and sep if that is not empty.
func numbered(s, sep string) []piece {
	var out []piece
	for l := range strings.SplitSeq(clean(s), "\n") {
		if n, text, ok := number(l, sep); ok {
			out = add(out, n, text)
		}
	}
	return out
}

func number(l, sep string) (n int, text string, ok bool) {
	l = strings.TrimLeft(l, " ")
	digits := 0
	for digits < len(l) && '0' <= l[digits] && l[digits] <= '9' {
		digits++
	}
	n, err := strconv.Atoi(l[:digits])
	if err != nil || n < 1 {
		return 0, "", false
	}
	seps := []string{"→", "\t"}
	if sep != "" {
		seps = []string{sep}
	}
	for _, sep := range seps {
		if text, ok := strings.CutPrefix(l[digits:], sep); ok {
			return n, text, n <= maxLines
		}
	}
	return 0, "", false
}

// maxLines bounds the lines a file is believed to have: a recording may claim
// any number.
const maxLines = 1 << 18

// add puts a line behind pieces. One that was shown in part was not shown.
func add(pieces []piece, n int, text string) []piece {
	if strings.HasSuffix(text, cut) {
		return pieces
	}
	if last := len(pieces) - 1; last >= 0 && pieces[last].end()+1 == n {
		pieces[last].lines = append(pieces[last].lines, text)
		return pieces
	}
	return append(pieces, piece{n, []string{text}})
}

// run returns lines that follow each other from line start on.
func run(start int, lines []string) []piece {
	var out []piece
	for i, text := range lines {
		if n := start + i; n >= 1 && n <= maxLines {
			out = add(out, n, text)
		}
	}
	return out
}
