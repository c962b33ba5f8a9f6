package signatures

import (
	"strings"
	"unicode/utf8"
)

// lineCursor turns byte offsets of a text into line numbers. It counts from
// the offset asked for last, so a scanner that goes forward pays for each byte
// once.
type lineCursor struct {
	src    string
	hasCR  bool
	offset int // never between the two bytes of a CRLF
	before int // line ends before offset
}

func newLineCursor(src string) lineCursor {
	return lineCursor{src: src, hasCR: strings.IndexByte(src, '\r') >= 0}
}

// at returns the line, 1-based, that holds the byte at offset.
func (c *lineCursor) at(offset int) int {
	if c.offset <= offset {
		c.before += c.lineEnds(c.src[c.offset:offset])
	} else {
		c.before -= c.lineEnds(c.src[offset:c.offset])
	}
	c.offset = offset
	return c.before + 1
}

func (c *lineCursor) lineEnds(part string) int {
	n := strings.Count(part, "\n")
	if c.hasCR {
		n += strings.Count(part, "\r") - strings.Count(part, "\r\n")
	}
	return n
}

// found collects declarations.
type found struct {
	lines lineCursor
	all   []Declaration
}

func newFound(src string) found { return found{lines: newLineCursor(src)} }

// outside is what a declaration stands in. The zero value is a file.
type outside struct {
	name     string // qualified
	depth    int
	exported bool
}

// inside returns what the members of a declaration stand in.
func (f *found) inside(index int) outside {
	d := f.all[index]
	return outside{name: d.Name, depth: d.Depth + 1, exported: d.Exported}
}

// open adds a declaration that starts at the offset start, as yet without an
// end, and returns its index. What cannot be named is not added, and its index
// is negative. The text is copied, so that no declaration holds on to all of it.
func (f *found) open(start int, kind Kind, word, name string, in outside, exported bool) int {
	if !nameable(name) || len(in.name)+len(name) >= maxName {
		return -1
	}
	name = qualified(in.name, name)
	d := Declaration{Kind: kind, Label: label(kind, word, name), Depth: in.depth, Exported: exported}
	end := len(d.Label)
	if kind == Function || kind == Method {
		end -= len("()")
	}
	d.Name = d.Label[end-len(name) : end]
	d.Lines.First = f.lines.at(start)
	d.Lines.Last = d.Lines.First
	f.all = append(f.all, d)
	return len(f.all) - 1
}

// close ends a declaration in the line of the last byte before the offset end
// that is not white space.
func (f *found) close(index, end int) {
	if index < 0 {
		return
	}
	d := &f.all[index]
	d.Lines.Last = max(d.Lines.First, f.lines.at(max(trimmedEnd(f.lines.src, end)-1, 0)))
}

// The classes of bytes that all scanners know.
const (
	spaceByte = 1 << iota // space, tab, VT, FF, CR, LF
	wordByte              // may continue a name; all of UTF-8 beyond ASCII counts
	digitByte
)

var byteClass = func() (table [256]uint8) {
	for _, c := range " \t\v\f\r\n" {
		table[c] = spaceByte
	}
	for c := range 256 {
		switch {
		case '0' <= c && c <= '9':
			table[c] = wordByte | digitByte
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_', c >= utf8.RuneSelf:
			table[c] = wordByte
		}
	}
	return table
}()

func isSpace(c byte) bool { return byteClass[c]&spaceByte != 0 }
func isWord(c byte) bool  { return byteClass[c]&wordByte != 0 }
func isDigit(c byte) bool { return byteClass[c]&digitByte != 0 }

// wordEnd returns the end of the word that starts at i, i itself if none does.
func wordEnd(src string, i int) int {
	if i < len(src) && isDigit(src[i]) {
		return i
	}
	for i < len(src) && isWord(src[i]) {
		i++
	}
	return i
}

// lineEnd returns the offset of the first line end at or after i, or the
// length of src.
func lineEnd(src string, i int) int {
	for i < len(src) && src[i] != '\n' && src[i] != '\r' {
		i++
	}
	return i
}

// bytesOf returns the set of the bytes of s.
func bytesOf(s string) (set [256]bool) {
	for i := range len(s) {
		set[s[i]] = true
	}
	return set
}

// quoted returns the end of the string that starts at i and ends with the same
// quote or at the end of the line. A backslash takes away the meaning of the
// byte after it, also of a line end.
func quoted(src string, i int) int {
	quote := src[i]
	for i++; i < len(src); {
		switch src[i] {
		case quote:
			return i + 1
		case '\\':
			i = afterLineEnd(src, i+1)
		case '\n', '\r':
			return i
		default:
			i++
		}
	}
	return len(src)
}

// afterLineEnd returns the offset after the line end at i, or after the one
// byte that stands there instead.
func afterLineEnd(src string, i int) int {
	if strings.HasPrefix(src[min(i, len(src)):], "\r\n") {
		return i + 2
	}
	return min(i+1, len(src))
}

func trimmedEnd(src string, end int) int {
	for end > 0 && isSpace(src[end-1]) {
		end--
	}
	return end
}
