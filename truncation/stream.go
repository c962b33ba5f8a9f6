package truncation

import (
	"unicode/utf8"
	"unsafe"

	"github.com/acode-ls/acode-ls/internal/text"
)

// Stream takes in a text of any length and keeps its start and its end: what
// the strategies need that look at nothing else. Make one with NewStream.
type Stream struct {
	window int // bytes that are kept of the start, and at least of the end

	head []byte
	tail []byte // what follows head; above two windows its first part is given up
	rest []byte // the start of a character or of CRLF that is not complete yet
	gap  gap
}

// minWindow is the least number of bytes that a Stream keeps of either end. The
// lines that Tail keeps are looked for there, whatever was taken from them.
const minWindow = 256 << 10

// NewStream returns a Stream for texts that will be cut to the limits.
func NewStream(l Limits) *Stream {
	return &Stream{window: max(minWindow, 2*utf8.UTFMax*l.orDefaults().Inline)}
}

// Write takes in more of the text. It never fails.
func (s *Stream) Write(p []byte) (int, error) {
	n := len(p)
	if len(s.rest) > 0 {
		k := min(len(p), utf8.UTFMax)
		s.rest = append(s.rest, p[:k]...)
		done := complete(s.rest)
		s.add(s.rest[:done])
		left := copy(s.rest, s.rest[done:])
		s.rest = s.rest[:left]
		if k < utf8.UTFMax {
			return n, nil
		}
		// What is left is shorter than what was taken from p.
		s.rest = s.rest[:0]
		p = p[k-left:]
	}
	done := complete(p)
	s.add(p[:done])
	s.rest = append(s.rest, p[done:]...)
	return n, nil
}

// complete returns how many bytes of p are sure to end with a whole character,
// and not between CR and LF.
func complete(p []byte) int {
	n := len(p)
	if n > 0 && p[n-1] == '\r' {
		return n - 1
	}
	for i := n - 1; i >= max(0, n-utf8.UTFMax+1); i-- {
		if utf8.RuneStart(p[i]) {
			if !utf8.FullRune(p[i:]) {
				return i
			}
			break
		}
	}
	return n
}

// add takes in p, which holds whole characters.
func (s *Stream) add(p []byte) {
	if room := s.window - len(s.head); room > 0 && len(s.tail) == 0 {
		k := len(p)
		if k > room {
			k = complete(p[:room])
		}
		s.head = append(s.head, p[:k]...)
		p = p[k:]
	}
	for len(p) > 0 {
		k := min(len(p), s.window)
		if k < len(p) {
			k = max(complete(p[:k]), 1)
		}
		s.tail = append(s.tail, p[:k]...)
		p = p[k:]
		if len(s.tail) > 3*s.window {
			s.drop(complete(s.tail[:len(s.tail)-s.window]))
		}
	}
}

// view returns b as a string without a copy, for use before b changes.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// drop gives up the first n bytes of the tail.
func (s *Stream) drop(n int) {
	lost := s.tail[:n]
	s.gap.bytes += n
	s.gap.characters += text.CodePoints(view(lost))
	s.gap.eol += text.LineEnds(view(lost))
	s.tail = append(s.tail[:0], s.tail[n:]...)
}

// Truncate cuts the text that was taken in. A strategy that has to see all of
// a text leaves a long one to the default strategy.
func (s *Stream) Truncate(strategy Strategy, opts Options) (Result, error) {
	s.add(s.rest)
	s.rest = s.rest[:0]
	src := source{Lines: text.Split(string(s.head) + string(s.tail)), gap: s.gap}
	src.gap.at = len(s.head)
	src.characters = text.CodePoints(src.Text()) + s.gap.characters
	return truncate(src, strategy, opts)
}
