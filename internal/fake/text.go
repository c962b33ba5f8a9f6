package fake

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// This file is a second, slow implementation of text positions and edits. It
// shares nothing with the server, so that each checks the other.

// Encoding is what a Position's Character counts.
type Encoding string

// The encodings of LSP.
const (
	UTF8  Encoding = "utf-8"
	UTF16 Encoding = "utf-16"
	UTF32 Encoding = "utf-32"
)

// Position is a place in a text. Both numbers count from 0.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"` // in units of the Encoding
}

func (p Position) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Character) }

// Range is the text from Start up to, not including, End.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

func (r Range) String() string { return r.Start.String() + "-" + r.End.String() }

// TextEdit replaces a range.
type TextEdit struct {
	Range        Range  `json:"range"`
	NewText      string `json:"newText"`
	AnnotationID string `json:"annotationId,omitempty"`
}

// lines splits a text after each LF, CRLF and lone CR. What stands after the
// last of them is the last element, though it be empty.
func lines(text string) []string {
	var out []string
	start := 0
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n':
			i++
		case text[i] != '\n' && text[i] != '\r':
			continue
		}
		out = append(out, text[start:i+1])
		start = i + 1
	}
	return append(out, text[start:])
}

// units returns the length of a string in an encoding. A byte that is not part
// of a character counts one.
func units(s string, enc Encoding) int {
	n := 0
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		switch enc {
		case UTF8:
			n += size
		case UTF16:
			n += len(utf16.AppendRune(nil, r))
		default:
			n++
		}
		s = s[size:]
	}
	return n
}

// place returns the byte offset of a position and whether it is exact: a
// column past the end of the line means its end, and one inside a character
// the start of it. A line past the last is an error.
func place(text string, p Position, enc Encoding) (offset int, exact bool, err error) {
	all := lines(text)
	if p.Line < 0 || len(all) <= p.Line || p.Character < 0 {
		return 0, false, fmt.Errorf("position %v is outside the %d lines", p, len(all))
	}
	offset = len(strings.Join(all[:p.Line], ""))
	line := strings.TrimRight(all[p.Line], "\r\n")
	for col := 0; col < p.Character; {
		if line == "" {
			return offset, false, nil
		}
		_, size := utf8.DecodeRuneInString(line)
		step := units(line[:size], enc)
		if col+step > p.Character {
			return offset, false, nil
		}
		col += step
		offset += size
		line = line[size:]
	}
	return offset, true, nil
}

// position returns the position of a byte offset.
func position(text string, offset int, enc Encoding) Position {
	before := lines(text[:offset])
	if strings.HasSuffix(text[:offset], "\r") && strings.HasPrefix(text[offset:], "\n") {
		panic(fmt.Sprintf("bug: offset %d is inside a CRLF", offset))
	}
	last := before[len(before)-1]
	return Position{Line: len(before) - 1, Character: units(last, enc)}
}

// check returns what is wrong with a range for a text: a well-behaved server
// sends only what lies exactly inside.
func check(text string, r Range, enc Encoding) error {
	start, exactStart, err := place(text, r.Start, enc)
	if err != nil {
		return err
	}
	end, exactEnd, err := place(text, r.End, enc)
	switch {
	case err != nil:
		return err
	case end < start:
		return fmt.Errorf("range %v runs backwards", r)
	case !exactStart || !exactEnd:
		return fmt.Errorf("range %v does not lie between characters of the text", r)
	}
	return nil
}

// ApplyEdits returns the text after edits, whose ranges all speak of the text
// before. Edits at one place stay in order.
func ApplyEdits(text string, edits []TextEdit, enc Encoding) (string, error) {
	removed := make([]bool, len(text))
	inserted := make([]string, len(text)+1)
	type span struct{ start, end int }
	var spans []span
	for _, e := range edits {
		start, _, err := place(text, e.Range.Start, enc)
		if err != nil {
			return "", err
		}
		end, _, err := place(text, e.Range.End, enc)
		if err != nil {
			return "", err
		}
		if end < start {
			return "", fmt.Errorf("range %v runs backwards", e.Range)
		}
		for _, other := range spans {
			if start < other.end && other.start < end {
				return "", fmt.Errorf("range %v overlaps another", e.Range)
			}
		}
		spans = append(spans, span{start, end})
		inserted[start] += e.NewText
		for k := start; k < end; k++ {
			removed[k] = true
		}
	}
	var out strings.Builder
	for k := range len(text) + 1 {
		out.WriteString(inserted[k])
		if k < len(text) && !removed[k] {
			out.WriteByte(text[k])
		}
	}
	return out.String(), nil
}

// difference returns the one edit that leads from a text to another, as an
// editor sends it that only compares: what both begin and end with is left
// out. It cuts no character and no CRLF.
func difference(from, to string, enc Encoding) TextEdit {
	limit := min(len(from), len(to))
	start := 0
	for start < limit && from[start] == to[start] {
		start++
	}
	for !between(from, start) || !between(to, start) {
		start--
	}
	end := 0
	for end < limit-start && from[len(from)-1-end] == to[len(to)-1-end] {
		end++
	}
	for !between(from, len(from)-end) || !between(to, len(to)-end) {
		end--
	}
	return TextEdit{
		Range:   Range{position(from, start, enc), position(from, len(from)-end, enc)},
		NewText: to[start : len(to)-end],
	}
}

// between reports whether offset lies between two characters of text.
func between(text string, offset int) bool {
	if 0 < offset && offset < len(text) {
		return utf8.RuneStart(text[offset]) && !(text[offset-1] == '\r' && text[offset] == '\n')
	}
	return true
}

// eolOf returns the line end that most lines of a text have.
func eolOf(text string) string {
	crlf := strings.Count(text, "\r\n")
	cr := strings.Count(text, "\r") - crlf
	lf := strings.Count(text, "\n") - crlf
	if crlf+cr > lf {
		return "\r\n"
	}
	return "\n"
}

// withEOL writes all line ends as eol.
func withEOL(text, eol string) string {
	all := lines(text)
	for i, line := range all {
		if body := strings.TrimRight(line, "\r\n"); len(body) < len(line) {
			all[i] = body + eol
		}
	}
	return strings.Join(all, "")
}
