package text

import (
	"unicode/utf8"
	"unsafe"
)

// Chunker passes a stream on in pieces between which no character and no CRLF
// is parted. The zero value is ready.
type Chunker struct {
	rest []byte // the start of a character or of CRLF that is not complete yet
}

// Write passes on p, except for what may be incomplete at its end, after what
// was held back before. pass must not keep its argument.
func (c *Chunker) Write(p []byte, pass func(string)) {
	if len(c.rest) > 0 {
		k := min(len(p), utf8.UTFMax)
		c.rest = append(c.rest, p[:k]...)
		done := complete(c.rest)
		pass(view(c.rest[:done]))
		left := copy(c.rest, c.rest[done:])
		c.rest = c.rest[:left]
		if k < utf8.UTFMax {
			return
		}
		// What is left is shorter than what was taken from p.
		c.rest = c.rest[:0]
		p = p[k-left:]
	}
	done := complete(p)
	pass(view(p[:done]))
	c.rest = append(c.rest, p[done:]...)
}

// Close passes on what was held back.
func (c *Chunker) Close(pass func(string)) {
	pass(view(c.rest))
	c.rest = c.rest[:0]
}

func view(p []byte) string { return unsafe.String(unsafe.SliceData(p), len(p)) }

// complete returns how many bytes of p are sure to end with a whole character,
// and not between CR and LF.
func complete(p []byte) int { return Complete(view(p)) }

// Complete returns how many bytes of s, the start of a longer text, are sure to
// end with a whole character, and not between CR and LF.
func Complete(s string) int {
	n := len(s)
	if n > 0 && s[n-1] == '\r' {
		return n - 1
	}
	for i := n - 1; i >= max(0, n-utf8.UTFMax+1); i-- {
		if utf8.RuneStart(s[i]) {
			if !utf8.FullRuneInString(s[i:]) {
				return i
			}
			break
		}
	}
	return n
}

// Counter counts what is written to it. The zero value is ready; it must not be
// copied.
type Counter struct {
	chunker    Chunker
	pass       func(string) // add, made once: made anew, it would be garbage of each Write
	bytes      int64
	characters int
	lineEnds   int
	ended      bool // a line ended with the last piece
}

// Write never fails.
func (c *Counter) Write(p []byte) (int, error) {
	c.bytes += int64(len(p))
	if c.pass == nil {
		c.pass = c.add
	}
	c.chunker.Write(p, c.pass)
	return len(p), nil
}

func (c *Counter) add(s string) {
	if s == "" {
		return
	}
	c.characters += CodePoints(s)
	c.lineEnds += LineEnds(s)
	c.ended = terminator(s) > 0
}

// Bytes returns how many bytes were written.
func (c *Counter) Bytes() int64 { return c.bytes }

// Lines returns how many lines were written, as Split counts them.
func (c *Counter) Lines() int {
	rest := view(c.chunker.rest)
	n, ended := c.lineEnds+LineEnds(rest), c.ended
	if rest != "" {
		ended = terminator(rest) > 0
	}
	if c.bytes > 0 && !ended {
		n++
	}
	return n
}

// LineEnds returns how many ends of lines were written, as LineEnds counts them.
func (c *Counter) LineEnds() int { return c.lineEnds + LineEnds(view(c.chunker.rest)) }

// Characters returns how many code points were written, as CodePoints counts
// them.
func (c *Counter) Characters() int { return c.characters + CodePoints(view(c.chunker.rest)) }
