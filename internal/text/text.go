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
	"iter"
	"math"
	"math/bits"
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
	if uint64(len(text)) <= math.MaxUint32 {
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
func lineEnds[T uint32 | int](text string) (ends []T, eol eolKinds) {
	if text == "" {
		return nil, 0
	}
	lfs := strings.Count(text, "\n")
	crs := strings.Count(text, "\r")
	// From this many bytes a line on, a search for each line is the faster way.
	const longLine = 96
	if crs == 0 && lfs <= len(text)/longLine {
		return lineEndsLF[T](text, lfs)
	}
	return lineEndsBlocks[T](text, lfs, crs)
}

// lineEndsLF is lineEnds for a text with lfs LFs and no CR.
func lineEndsLF[T uint32 | int](text string, lfs int) ([]T, eolKinds) {
	ends := make([]T, 0, lfs+1)
	end := 0
	for range lfs {
		end += strings.IndexByte(text[end:], '\n') + 1
		ends = append(ends, T(end))
	}
	if end < len(text) {
		ends = append(ends, T(len(text)))
	}
	return ends, kinds(lfs > 0, false, false)
}

// lineEndsBlocks is lineEnds for a text with lfs LFs and crs CRs. It works on
// bit masks of 64 bytes, so its speed does not depend on how well the lengths
// of lines can be predicted.
func lineEndsBlocks[T uint32 | int](text string, lfs, crs int) ([]T, eolKinds) {
	n := lfs + 1 + setBits
	if crs > 0 {
		n = max(lfs, crs) + blockSize // too few only for a mixture
	}
	ends := make([]T, n)
	k := 0
	var lf, crlf, cr uint64 // the terminators of each kind in any block
	var crBefore uint64     // 1 if the byte before the block is a CR
	for i := 0; i < len(text); i += blockSize {
		block := text[i:min(i+blockSize, len(text))]
		set := equal(block, '\n')
		if crs > 0 {
			crSet := equal(block, '\r')
			lfAfter := set >> 1
			if i+blockSize < len(text) && text[i+blockSize] == '\n' {
				lfAfter |= 1 << (blockSize - 1)
			}
			crBoth := crSet<<1 | crBefore
			crBefore = crSet >> (blockSize - 1)
			lf |= set &^ crBoth
			crlf |= set & crBoth
			cr |= crSet &^ lfAfter
			set |= crSet &^ lfAfter
			if need := k + bits.OnesCount64(set) + 1 + setBits; need > len(ends) {
				ends = append(ends, make([]T, need)...)
			}
		}
		k += putBits(ends[k:], T(i+1), set)
	}
	if int(ends[k-1]) < len(text) {
		ends[k] = T(len(text))
		k++
	}
	return ends[:k], kinds(lf > 0 || crs == 0 && lfs > 0, crlf > 0, cr > 0)
}

func kinds(lf, crlf, cr bool) (eol eolKinds) {
	if lf {
		eol |= eolLF
	}
	if crlf {
		eol |= eolCRLF
	}
	if cr {
		eol |= eolCR
	}
	return eol
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

// All returns the lines, each with its number and without its terminator.
func (l Lines) All() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for n := 1; n <= l.Len(); n++ {
			if !yield(n, l.Line(n)) {
				return
			}
		}
	}
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

// LineEnds returns how many lines end in s.
func LineEnds(s string) int {
	n := strings.Count(s, "\n")
	if strings.IndexByte(s, '\r') >= 0 {
		n += strings.Count(s, "\r") - strings.Count(s, "\r\n")
	}
	return n
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
