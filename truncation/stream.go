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
	pass    func(string) // add, made once: made anew, it would be garbage of each Write
	kept    []byte       // the start, and what follows the gap
	gap     gap
	closed  bool
	counts  func() (characters, lineEnds int) // of all, where somebody else counts
}

// minWindow is the least number of bytes that a Stream keeps of either end. The
// lines that Tail keeps are looked for there, whatever was taken from them.
const minWindow = 64 << 10

// NewStream returns a Stream for texts that will be cut to the limits.
func NewStream(l Limits) *Stream {
	s := &Stream{window: max(minWindow, 2*utf8.UTFMax*l.orDefaults().Inline)}
	s.kept = make([]byte, 0, 3*s.window)
	s.pass = s.add
	return s
}

// CountedBy spares the Stream the counting, as somebody else does that. counts is
// called when the text has ended.
func (s *Stream) CountedBy(counts func() (characters, lineEnds int)) { s.counts = counts }

// Write takes in more of the text. It never fails.
func (s *Stream) Write(p []byte) (int, error) {
	s.chunker.Write(p, s.pass)
	return len(p), nil
}

// add takes in p, which holds whole characters.
func (s *Stream) add(p string) {
	for len(p) > 0 {
		k := min(len(p), cap(s.kept)-len(s.kept))
		s.kept = append(s.kept, p[:k]...)
		p = p[k:]
		if len(s.kept) == cap(s.kept) {
			s.drop()
		}
	}
}

// drop gives up what is behind the start, but for the last window.
func (s *Stream) drop() {
	if s.gap.bytes == 0 {
		s.gap.at = text.Complete(view(s.kept[:s.window]))
	}
	end := text.Complete(view(s.kept[:len(s.kept)-s.window]))
	lost := view(s.kept[s.gap.at:end])
	s.gap.bytes += len(lost)
	if s.counts == nil {
		s.gap.characters += text.CodePoints(lost)
		s.gap.eol += text.LineEnds(lost)
	}
	s.kept = append(s.kept[:s.gap.at], s.kept[end:]...)
}

// view returns b as a string without a copy, for use before b changes.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Close ends the text. It may be called again.
func (s *Stream) Close() {
	if !s.closed {
		s.chunker.Close(s.pass)
		s.closed = true
		if s.counts != nil && s.gap.bytes > 0 {
			characters, lineEnds := s.counts()
			s.gap.characters = characters - text.CodePoints(view(s.kept))
			s.gap.eol = lineEnds - text.LineEnds(view(s.kept))
		}
	}
}

// Characters returns how many characters were taken in. The text must have
// ended.
func (s *Stream) Characters() int { return s.gap.characters + text.CodePoints(view(s.kept)) }

// Head returns the start of the text, which must have ended: at least 64 KiB of
// it, or all.
func (s *Stream) Head() string {
	if s.gap.bytes == 0 {
		return view(s.kept)
	}
	return view(s.kept[:s.gap.at])
}

// Sniff guesses the type of the text, which must have ended, by its ends.
func (s *Stream) Sniff() string { return Sniff(view(s.kept)) }

// Truncate cuts the text that was taken in. A strategy that has to see all of
// a text leaves a long one to the default strategy.
func (s *Stream) Truncate(strategy Strategy, opts Options) (Result, error) {
	s.Close()
	return truncate(source{Lines: text.Split(view(s.kept)), characters: s.Characters(), gap: s.gap}, strategy, opts)
}
