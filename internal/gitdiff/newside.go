package gitdiff

import (
	"iter"
	"strconv"
	"strings"
)

// Line is a line of the new side of a diff: one added, or one of context.
type Line struct {
	Output int    // number of the output line that shows it, as it was given
	Path   string // slash-separated, as Run's paths are
	Number int    // 1-based line of the file
	Text   string // without line end
}

// NewSide finds the lines of the new side in output of Run of which only some
// lines were shown. It takes the number and the text (with or without its end)
// of each shown line, in order; a step of more than one is a gap. A line of
// which file and number cannot be told for certain is not in the result, nor
// are submodules, links, and diffs of merges.
func NewSide(shown iter.Seq2[int, string]) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		var p position
		last := 0
		for output, text := range shown {
			if last > 0 && output > last+1 {
				p.skip(output - last - 1)
			}
			last = output
			text = trimEnd(text)
			if p.read(text) && !yield(Line{Output: output, Path: p.path, Number: p.next - 1, Text: text[1:]}) {
				return
			}
		}
	}
}

// trimEnd removes LF, CRLF or CR.
func trimEnd(text string) string {
	return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
}

// position is where in a diff a line is.
type position struct {
	path     string // of the new side, "" if it is not known or has no lines
	inHeader bool   // between "diff" and the first hunk
	isFile   bool   // no submodule and no link
	next     int    // number of the next line of the new side
	old, new int    // lines of the hunk that are still to come
}

// read goes on by a line and reports whether it is one of the new side that is
// known.
func (p *position) read(line string) bool {
	if p.old > 0 || p.new > 0 {
		return p.readHunk(line)
	}
	switch {
	case strings.HasPrefix(line, "diff "):
		*p = position{inHeader: true, isFile: true}
	case strings.HasPrefix(line, "@@ "):
		p.inHeader = false
		p.readHunkHeader(line)
	case p.inHeader:
		p.readHeader(line)
	}
	return false
}

func (p *position) readHeader(line string) {
	name, isNew := strings.CutPrefix(line, "+++ ")
	switch {
	case isNew:
		p.path = parsePath(name)
	case strings.HasPrefix(line, "index "), strings.HasPrefix(line, "new file mode "), strings.HasPrefix(line, "new mode "):
		if strings.HasSuffix(line, " 160000") || strings.HasSuffix(line, " 120000") {
			p.isFile = false
		}
	}
}

// readHunkHeader reads "@@ -1,2 +3,4 @@"; a count that is left out is 1.
func (p *position) readHunkHeader(line string) {
	fields := strings.Fields(line)
	if p.path == "" || !p.isFile || len(fields) < 4 || fields[3] != "@@" {
		return
	}
	_, old, ok1 := parseRange(fields[1], "-")
	next, new, ok2 := parseRange(fields[2], "+")
	if ok1 && ok2 {
		p.next, p.old, p.new = next, old, new
	}
}

func parseRange(field, sign string) (start, count int, ok bool) {
	field, ok = strings.CutPrefix(field, sign)
	first, second, both := strings.Cut(field, ",")
	if !both {
		second = "1"
	}
	start, err1 := strconv.Atoi(first)
	count, err2 := strconv.Atoi(second)
	return start, count, ok && err1 == nil && err2 == nil && start >= 0 && count >= 0
}

func (p *position) readHunk(line string) bool {
	var mark byte
	if line != "" {
		mark = line[0]
	}
	switch mark {
	case ' ':
		p.old--
	case '+':
	case '-':
		p.old--
		return p.check(false)
	case '\\':
		return false // no line end at the end of the file
	default:
		p.lose() // such as a line that a lone CR has split
		return false
	}
	p.new--
	p.next++
	return p.check(true)
}

// check loses the position if a hunk has more lines than it said.
func (p *position) check(isNew bool) bool {
	if p.old < 0 || p.new < 0 {
		p.lose()
		return false
	}
	return isNew
}

// lose forgets where in a hunk the position is. The path holds until the next
// "diff": its line begins as none of a hunk does.
func (p *position) lose() { p.old, p.new, p.inHeader = 0, 0, false }

// skip goes over n lines that were not shown. If all are of the hunk, the path
// remains.
func (p *position) skip(n int) {
	if n > max(p.old, p.new) {
		*p = position{}
		return
	}
	p.lose()
}

// parsePath reads what follows "+++ ". It returns "" for a file that is gone.
func parsePath(name string) string {
	name, _ = strings.CutSuffix(name, "\t") // git marks the end of a name with a space
	if strings.HasPrefix(name, `"`) {
		name = unquote(name)
	}
	name, ok := strings.CutPrefix(name, "b/")
	if !ok {
		return ""
	}
	return name
}

// escapes gives the bytes that git's quoting writes as a letter.
var escapes = map[byte]byte{'a': '\a', 'b': '\b', 't': '\t', 'n': '\n', 'v': '\v', 'f': '\f', 'r': '\r', '"': '"', '\\': '\\'}

// unquote reads a name that git has quoted as C does, "" if it is none.
func unquote(quoted string) string {
	body := strings.TrimPrefix(quoted, `"`)
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		switch c := body[i]; c {
		case '"':
			if i != len(body)-1 {
				return ""
			}
			return b.String()
		case '\\':
			c, length := unescape(body[i+1:])
			if length == 0 {
				return ""
			}
			b.WriteByte(c)
			i += length
		default:
			b.WriteByte(c)
		}
	}
	return ""
}

// unescape reads what follows a backslash. A length of 0 says that it cannot.
func unescape(s string) (c byte, length int) {
	if s == "" {
		return 0, 0
	}
	if c, ok := escapes[s[0]]; ok {
		return c, 1
	}
	if len(s) < 3 {
		return 0, 0
	}
	n, err := strconv.ParseUint(s[:3], 8, 8)
	if err != nil {
		return 0, 0
	}
	return byte(n), 3
}
