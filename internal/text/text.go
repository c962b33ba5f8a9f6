// Package text is the one place that splits text into lines and converts
// between byte offsets and the columns editors and people count.
//
// The coordinate systems of the program:
//
//   - byte offsets, 0-based, ranges half-open: what computation uses;
//   - lines, 1-based, ranges with both ends included: what people and models read;
//   - columns, 0-based, counted from the start of the line in the units of an
//     [Encoding]: what editors send. Position and Offset convert them.
//
// A line ends with LF, CRLF or a lone CR, and with nothing else: not VT, FF,
// NEL, U+2028 or U+2029. A final line without a terminator counts as a line.
// Text need not be valid UTF-8: each byte that is not part of a valid sequence
// is a character of its own, one unit long in every encoding.
//
// The package does not read files, normalize line ends, repair text or know of
// grapheme clusters.
package text

import (
	"math"
	"sort"
	"strings"
)

// Lines is a text with the index of its lines. It shares the text and never
// copies it. It is immutable, so many goroutines may use it at once. The zero
// value is the empty text.
//
// Methods that take a line number or an offset and return no error panic when
// it is out of range, as indexing does.
type Lines struct {
	text string

	// The byte offset at which each line ends, terminator included. Offsets of
	// a text below 4 GiB are in ends, of a longer one in wide: half the memory
	// for every text that is met in practice.
	ends []uint32
	wide []int

	eol eolKinds
}

// eolKinds is the set of line terminators met in a text.
type eolKinds uint8

const (
	eolLF eolKinds = 1 << iota
	eolCRLF
	eolCR
)

// Split indexes the lines of text.
func Split(text string) Lines {
	if len(text) <= math.MaxUint32 {
		ends, eol := lineEnds[uint32](text)
		return Lines{text: text, ends: ends, eol: eol}
	}
	return splitWide(text)
}

func splitWide(text string) Lines {
	ends, eol := lineEnds[int](text)
	return Lines{text: text, wide: ends, eol: eol}
}

// lineEnds returns the offset after each line's terminator and, for a final
// line without one, the length of text.
func lineEnds[T uint32 | int](text string) ([]T, eolKinds) {
	if text == "" {
		return nil, 0
	}
	if cr := strings.IndexByte(text, '\r'); cr >= 0 {
		return lineEndsCR[T](text, cr)
	}
	n := strings.Count(text, "\n")
	ends := make([]T, 0, n+1)
	end := 0
	for range n {
		end += strings.IndexByte(text[end:], '\n') + 1
		ends = append(ends, T(end))
	}
	if end < len(text) {
		ends = append(ends, T(len(text)))
	}
	if n == 0 {
		return ends, 0
	}
	return ends, eolLF
}

// lineEndsCR is lineEnds for a text whose first CR is at cr. It merges the
// sequence of CRs with the sequence of LFs, so that neither a text full of CRs
// nor one with a single stray CR is searched more than twice.
func lineEndsCR[T uint32 | int](text string, cr int) ([]T, eolKinds) {
	ends := make([]T, 0, max(strings.Count(text, "\n"), strings.Count(text, "\r"))+1)
	var eol eolKinds
	end := 0
	lf := next(text, 0, '\n')
	for lf < len(text) || cr < len(text) {
		switch {
		case lf < cr:
			eol |= eolLF
			end = lf + 1
			lf = next(text, end, '\n')
		case lf == cr+1 && lf < len(text):
			eol |= eolCRLF
			end = lf + 1
			lf = next(text, end, '\n')
			cr = next(text, end, '\r')
		default:
			eol |= eolCR
			end = cr + 1
			cr = next(text, end, '\r')
		}
		ends = append(ends, T(end))
	}
	if end < len(text) {
		ends = append(ends, T(len(text)))
	}
	return ends, eol
}

// next returns the offset of the first c at or after from, or len(text).
func next(text string, from int, c byte) int {
	if i := strings.IndexByte(text[from:], c); i >= 0 {
		return from + i
	}
	return len(text)
}

// Text returns the whole text.
func (l Lines) Text() string { return l.text }

// Len returns the number of lines: 0 for "", 1 for "a" and for "a\n".
func (l Lines) Len() int { return len(l.ends) + len(l.wide) }

// Start returns the byte offset at which line n starts, 1 <= n <= Len()+1.
// Start(Len()+1) is the length of the text.
func (l Lines) Start(n int) int {
	if n == 1 {
		return 0
	}
	if l.wide != nil {
		return l.wide[n-2]
	}
	return int(l.ends[n-2])
}

// Full returns line n with its terminator, 1 <= n <= Len().
func (l Lines) Full(n int) string { return l.text[l.Start(n):l.Start(n+1)] }

// Line returns line n without its terminator, 1 <= n <= Len().
func (l Lines) Line(n int) string {
	line := l.Full(n)
	return line[:len(line)-terminator(line)]
}

// terminator returns the length in bytes of the line end that line ends with.
func terminator(line string) int {
	switch {
	case strings.HasSuffix(line, "\r\n"):
		return 2
	case strings.HasSuffix(line, "\n"), strings.HasSuffix(line, "\r"):
		return 1
	}
	return 0
}

// Span returns lines first to last, both included, with their terminators;
// last == first-1 gives "".
func (l Lines) Span(first, last int) string {
	return l.text[l.Start(first):l.Start(last+1)]
}

// LineAt returns the line that contains the byte at offset,
// 0 <= offset <= len(text). The end of the text belongs to the last line if
// that has no terminator, and otherwise to the empty place after it, Len()+1.
func (l Lines) LineAt(offset int) int {
	_ = l.text[offset:]
	if offset == len(l.text) && !l.Terminated() {
		return l.Len()
	}
	return 1 + sort.Search(l.Len(), func(i int) bool { return offset < l.Start(i+2) })
}

// Terminated reports whether the text is empty or ends with a line terminator.
func (l Lines) Terminated() bool {
	return l.text == "" || terminator(l.text) > 0
}

// EOL returns "\n", "\r\n" or "\r" when all terminators are of that one kind,
// and "" when there are none or they are mixed.
func (l Lines) EOL() string {
	switch l.eol {
	case eolLF:
		return "\n"
	case eolCRLF:
		return "\r\n"
	case eolCR:
		return "\r"
	}
	return ""
}
