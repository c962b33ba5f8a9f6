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

	chunker text.Chunker
	head    []byte
	tail    []byte // what follows head; all but the last window of it may be given up
	gap     gap
}

// minWindow is the least number of bytes that a Stream keeps of either end. The
// lines that Tail keeps are looked for there, whatever was taken from them.
const minWindow = 64 << 10

// NewStream returns a Stream for texts that will be cut to the limits.
func NewStream(l Limits) *Stream {
	return &Stream{window: max(minWindow, 2*utf8.UTFMax*l.orDefaults().Inline)}
}

// Write takes in more of the text. It never fails.
func (s *Stream) Write(p []byte) (int, error) {
	s.chunker.Write(p, s.add)
	return len(p), nil
}

// add takes in p, which holds whole characters.
func (s *Stream) add(p string) {
	if room := s.window - len(s.head); room > 0 && len(s.tail) == 0 {
		k := len(p)
		if k > room {
			k = text.Complete(p[:room])
		}
		s.head = append(s.head, p[:k]...)
		p = p[k:]
	}
	for len(p) > 0 {
		k := min(len(p), s.window)
		if s.tail == nil {
			s.tail = make([]byte, 0, 3*s.window) // as much as it ever has
		}
		s.tail = append(s.tail, p[:k]...)
		p = p[k:]
		if len(s.tail) > 2*s.window {
			s.drop(text.Complete(view(s.tail[:len(s.tail)-s.window])))
		}
	}
}

// drop gives up the first n bytes of the tail.
func (s *Stream) drop(n int) {
	lost := view(s.tail[:n])
	s.gap.bytes += n
	s.gap.characters += text.CodePoints(lost)
	s.gap.eol += text.LineEnds(lost)
	s.tail = append(s.tail[:0], s.tail[n:]...)
}

// view returns b as a string without a copy, for use before b changes.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Truncate cuts the text that was taken in. A strategy that has to see all of
// a text leaves a long one to the default strategy.
func (s *Stream) Truncate(strategy Strategy, opts Options) (Result, error) {
	s.chunker.Close(s.add)
	src := source{Lines: text.Split(string(s.head) + string(s.tail)), gap: s.gap}
	src.gap.at = len(s.head)
	src.characters = text.CodePoints(src.Text()) + s.gap.characters
	return truncate(src, strategy, opts)
}
