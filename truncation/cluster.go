package truncation

import (
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// clusterWindow is how many bytes before and after a cut are looked at. A
// grapheme cluster that takes more is nothing a reader sees as one character,
// and is cut between code points.
const clusterWindow = 4096

// cluster returns the start and the end of the grapheme cluster of s that at,
// the start of a code point, is inside of, and at itself twice if at is between
// two clusters.
func cluster(s string, at int) (start, end int) {
	start, ok := boundary(s, at)
	if !ok {
		return at, at
	}
	limit := min(at+clusterWindow, len(s))
	for start < at {
		c, _, _, _ := uniseg.FirstGraphemeClusterInString(s[start:limit], -1)
		end = start + len(c)
		if end > at {
			if limit < len(s) && end > limit-utf8.UTFMax {
				return at, at
			}
			return start, end
		}
		start = end
	}
	return at, at
}

// boundary returns a boundary of grapheme clusters in s at or before at, near
// it but not always the nearest, and whether there is one within the window.
//
// Whether two code points belong together depends on what precedes them only if
// the first is a regional indicator, an extending one or a joiner. Two regional
// indicators alone do belong together. An extending one or a joiner belongs to
// the code point before it, unless that is a control character, which ends
// what may precede. So there is a boundary after b in "abc" if there is one
// after a in "ab" and after b in "bc".
func boundary(s string, at int) (int, bool) {
	for i := at; i > at-clusterWindow; {
		if i <= 0 {
			return 0, true
		}
		if i < len(s) && s[i-1] < utf8.RuneSelf && s[i] < utf8.RuneSelf && s[i] != '\n' {
			return i, true
		}
		_, sizeB := utf8.DecodeLastRuneInString(s[:i])
		b := i - sizeB
		_, sizeA := utf8.DecodeLastRuneInString(s[:b])
		_, sizeC := utf8.DecodeRuneInString(s[i:])
		if parts(s[b-sizeA:i], sizeA) && parts(s[b:i+sizeC], sizeB) {
			return i, true
		}
		i = b
	}
	return 0, false
}

// parts reports whether the first n bytes of s are a grapheme cluster, if it
// has so many.
func parts(s string, n int) bool {
	c, _, _, _ := uniseg.FirstGraphemeClusterInString(s, -1)
	return n == 0 || len(c) == n
}
