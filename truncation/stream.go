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
	ends    string // head and tail, once the text has ended
	closed  bool
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
		if s.tail == nil {
			s.tail = make([]byte, 0, 2*s.window) // as much as it ever has
		}
		k := min(len(p), cap(s.tail)-len(s.tail))
		s.tail = append(s.tail, p[:k]...)
		p = p[k:]
		if len(s.tail) == cap(s.tail) {
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

// Close ends the text. It may be called again.
func (s *Stream) Close() {
	if s.closed {
		return
	}
	s.closed = true
	s.chunker.Close(s.add)
	s.gap.at = len(s.head)
	s.ends = view(append(s.head, s.tail...))
	s.head, s.tail = nil, nil
}

// Characters returns how many characters were taken in. The text must have
// ended.
func (s *Stream) Characters() int { return s.gap.characters + text.CodePoints(s.ends) }

// Head returns the start of the text, which must have ended: at least 64 KiB of
// it or all.
func (s *Stream) Head() string { return s.ends[:s.gap.at] }

// Sniff guesses the type of the text, which must have ended, by its ends.
func (s *Stream) Sniff() string { return Sniff(s.ends) }

// Truncate cuts the text that was taken in. A strategy that has to see all of
// a text leaves a long one to the default strategy.
func (s *Stream) Truncate(strategy Strategy, opts Options) (Result, error) {
	s.Close()
	return truncate(source{Lines: text.Split(s.ends), characters: s.Characters(), gap: s.gap}, strategy, opts)
}
