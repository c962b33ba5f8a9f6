package truncation

import "github.com/acode-ls/acode-ls/internal/text"

// source is a text to be truncated. A stream has only the start and the end of
// its text at hand: between them lies a gap of which the sizes are known.
// Offsets are those in what is at hand, unless they leave the package.
type source struct {
	text.Lines     // of what is at hand
	characters int // of all the text
	gap        gap
}

// gap is the part of a text that is not at hand. The zero value is none.
type gap struct {
	at                     int // the offset at which it is missing
	bytes, characters, eol int // what it has; eol counts ends of lines
}

func whole(l text.Lines) source {
	return source{Lines: l, characters: text.CodePoints(l.Text())}
}

// isWhole reports whether all of the text is at hand.
func (s source) isWhole() bool { return s.gap.bytes == 0 }

func (s source) bytes() int { return len(s.Text()) + s.gap.bytes }

func (s source) lines() int { return s.Len() + s.gap.eol }

// line returns the number of the line that holds offset.
func (s source) line(offset int) int {
	n := s.LineAt(offset)
	if !s.isWhole() && offset >= s.gap.at {
		n += s.gap.eol
	}
	return n
}

// offset converts an offset into one in all of the text.
func (s source) offset(at int) int {
	if !s.isWhole() && at > s.gap.at {
		at += s.gap.bytes
	}
	return at
}
