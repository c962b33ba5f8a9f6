package text

import (
	"fmt"
	"unicode/utf8"
)

// Encoding is the unit in which columns are counted.
type Encoding int

const (
	UTF8  Encoding = iota // bytes
	UTF16                 // UTF-16 code units
	UTF32                 // code points
)

func (e Encoding) String() string {
	switch e {
	case UTF8:
		return "utf-8"
	case UTF16:
		return "utf-16"
	case UTF32:
		return "utf-32"
	}
	return fmt.Sprintf("Encoding(%d)", int(e))
}

// Offset converts a 1-based line and a 0-based column in enc units into a byte
// offset. A column past the end of the line gives the end of the line, before
// its terminator; one inside a character gives the start of that character.
// The empty place after a terminated text is line Len()+1. Any other line that
// does not exist and a negative column are errors.
func (l Lines) Offset(line, col int, enc Encoding) (int, error) {
	last := l.Len()
	if l.Terminated() {
		last++
	}
	switch {
	case line < 1 || last < line:
		return 0, fmt.Errorf("line %d is outside 1 to %d", line, last)
	case col < 0:
		return 0, fmt.Errorf("column %d is negative", col)
	case line > l.Len():
		return len(l.text), nil
	}
	return l.Start(line) + prefix(l.Line(line), col, enc), nil
}

// Position converts a byte offset into a 1-based line and a 0-based column in
// enc units: the inverse of Offset. An offset inside a character gives the
// start of that character, one between CR and LF the end of the line before
// them, and the end of a terminated text line Len()+1, column 0. An offset
// outside 0 to len(text) is an error.
func (l Lines) Position(offset int, enc Encoding) (line, col int, err error) {
	if offset < 0 || len(l.text) < offset {
		return 0, 0, fmt.Errorf("offset %d is outside 0 to %d", offset, len(l.text))
	}
	line = l.LineAt(offset)
	if line > l.Len() {
		return line, 0, nil
	}
	s := l.Line(line)
	return line, Columns(s[:prefix(s, offset-l.Start(line), UTF8)], enc), nil
}

// Columns returns the length of s in enc units.
func Columns(s string, enc Encoding) int {
	switch enc {
	case UTF8:
		return len(s)
	case UTF16:
		points, wide := count(s)
		return points + wide
	case UTF32:
		points, _ := count(s)
		return points
	}
	panic(fmt.Sprintf("bug: counting columns in %v", enc))
}

// CodePoints returns the number of Unicode code points in s, each byte that is
// not part of a valid sequence counting as one.
func CodePoints(s string) int {
	points, _ := count(s)
	return points
}

// Prefix returns the first n code points of s, or all of s if it has fewer.
func Prefix(s string, n int) string { return s[:prefix(s, n, UTF32)] }

// Suffix returns the last n code points of s, or all of s if it has fewer.
func Suffix(s string, n int) string {
	if n >= len(s) {
		return s
	}
	// Enough bytes for n code points of any size. Should they start inside a
	// code point, the rest of it is among those skipped.
	s = s[max(0, len(s)-n*utf8.UTFMax):]
	return s[prefix(s, CodePoints(s)-n, UTF32):]
}

// prefix returns the length in bytes of the longest run of whole characters at
// the start of s that takes at most col units of enc.
func prefix(s string, col int, enc Encoding) int {
	if col >= len(s) { // no character has more units than bytes
		return len(s)
	}
	switch enc {
	case UTF8:
		return Floor(s, col)
	case UTF16, UTF32:
	default:
		panic(fmt.Sprintf("bug: counting columns in %v", enc))
	}
	i := 0
	// A window takes at most windowSize units, and its last sequence may reach
	// three bytes past it.
	for ; col >= blockSize && i+blockSize <= len(s); i += windowSize {
		extra, wide := countWindow(s[i:])
		col -= windowSize - extra
		if enc == UTF16 {
			col -= wide
		}
	}
	rest := ceil(s, i)
	col -= rest - i
	for i = rest; col > 0 && i < len(s); {
		if col >= 8 && i+8 <= len(s) && word(s, i)&highBits == 0 {
			i += 8
			col -= 8
			continue
		}
		if s[i] < utf8.RuneSelf {
			i++
			col--
			continue
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		if size == 4 && enc == UTF16 {
			col--
		}
		if col--; col < 0 {
			break
		}
		i += size
	}
	return i
}

// Floor returns the start of the character of s that holds offset.
func Floor(s string, offset int) int {
	for i := offset - 1; i >= 0 && i > offset-utf8.UTFMax; i-- {
		if utf8.RuneStart(s[i]) {
			if _, size := utf8.DecodeRuneInString(s[i:]); i+size > offset {
				return i
			}
			break
		}
	}
	return offset
}

// ceil returns offset, or the end of the character of s that holds it.
func ceil(s string, offset int) int {
	start := Floor(s, offset)
	if start == offset {
		return offset
	}
	_, size := utf8.DecodeRuneInString(s[start:])
	return start + size
}

// count returns the number of code points in s and how many of them take four
// bytes, which is two units in UTF-16.
func count(s string) (points, wide int) {
	i := 0
	for ; i+blockSize <= len(s); i += windowSize {
		extra, w := countWindow(s[i:])
		points += windowSize - extra
		wide += w
	}
	// The last sequence counted may reach past i.
	rest := ceil(s, i)
	points += rest - i
	for i = rest; i < len(s); {
		if i+8 <= len(s) && word(s, i)&highBits == 0 {
			i += 8
			points += 8
			continue
		}
		size := 1
		if s[i] >= utf8.RuneSelf {
			_, size = utf8.DecodeRuneInString(s[i:])
		}
		if size == 4 {
			wide++
		}
		i += size
		points++
	}
	return points, wide
}
