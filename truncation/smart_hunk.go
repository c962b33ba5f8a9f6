package truncation

import (
	"slices"
	"strings"
)

// This file finds the files and hunks of a unified diff. Lines end with LF
// here, as they do for the counts of a hunk: a CR inside of one is text.

// diffParser reads a diff from at on.
type diffParser struct {
	text   string
	at     int
	counts []int // of the lines of a hunk that are still to come, for each file
	left   int   // their sum
	broken bool  // a hunk is not what its header says
}

// line returns the line that starts at, without its end, and where the next one
// starts.
func (p *diffParser) line(at int) (line string, next int) {
	line, next = p.text[at:], len(p.text)
	if i := strings.IndexByte(line, '\n'); i >= 0 {
		line, next = line[:i], at+i+1
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line, next
}

// file reads the next file with what stands before it, and reports whether
// there is one.
func (p *diffParser) file() (diffFile, bool) {
	f := diffFile{start: p.at}
	for p.at < len(p.text) {
		start := p.at
		if !p.header() {
			i := strings.IndexByte(p.text[p.at:], '\n')
			if i < 0 {
				break
			}
			p.at += i + 1
			continue
		}
		f.header = span{start, p.at}
		for start = p.at; p.hunk() || p.binary(); start = p.at {
			f.hunks = append(f.hunks, span{start, p.at})
		}
		f.end = p.at
		return f, true
	}
	return f, false
}

// header reads the header of a file, if one is next.
func (p *diffParser) header() bool {
	if c := p.text[p.at]; c != 'd' && c != '-' && c != 'B' { // most lines
		return false
	}
	line, first := p.line(p.at)
	at := first
	switch {
	case hasAnyPrefix(line, "diff --git ", "diff --cc ", "diff --combined "):
		for {
			line, next := p.line(at)
			if !isExtended(line) {
				break
			}
			at = next
		}
		if end, ok := p.paths(at, maxOlds); ok {
			at = end
		} else if at == first {
			return false
		}
	case strings.HasPrefix(line, "diff "):
		end, ok := p.paths(at, 1)
		if !ok {
			return false
		}
		at = end
	case strings.HasPrefix(line, "--- "):
		end, ok := p.paths(p.at, 1)
		if !ok {
			return false
		}
		at = end
	case !isBinary(line):
		return false
	}
	p.at = at
	return true
}

// isExtended reports whether line may stand between "diff --git" and "---".
func isExtended(line string) bool {
	return isBinary(line) || hasAnyPrefix(line, "index ", "old mode ", "new mode ", "mode ",
		"new file mode ", "deleted file mode ", "copy from ", "copy to ", "rename from ", "rename to ",
		"similarity index ", "dissimilarity index ")
}

// isBinary reports whether line says that a file differs without saying how.
func isBinary(line string) bool {
	return strings.HasPrefix(line, "Binary files ") && strings.HasSuffix(line, " differ")
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(s, prefix) })
}

// maxOlds is how many old files a merge names at most.
const maxOlds = 16

// paths returns where the two lines end that name the old and the new file, if
// they are next and a hunk follows. There may be more than one old file.
func (p *diffParser) paths(at, olds int) (end int, ok bool) {
	line, next := p.line(at)
	if !strings.HasPrefix(line, "--- ") {
		return 0, false
	}
	for ; olds > 0 && strings.HasPrefix(line, "--- "); olds-- {
		line, next = p.line(next)
	}
	if !strings.HasPrefix(line, "+++ ") {
		return 0, false
	}
	line, _ = p.line(next)
	return next, p.parseCounts(line)
}

// parseCounts reads the header of a hunk, "@@ -12,3 +12,4 @@", or of a merge,
// "@@@ -12,3 -12,3 +12,4 @@@". p.counts becomes the number of lines that the
// hunk has of each old file, and last of the new one.
func (p *diffParser) parseCounts(line string) bool {
	rest := strings.TrimLeft(line, "@")
	ats := line[:len(line)-len(rest)]
	if len(ats) < 2 {
		return false
	}
	p.counts, p.left = p.counts[:0], 0
	for i := range ats {
		sign := " -"
		if i == len(ats)-1 {
			sign = " +"
		}
		var ok bool
		if rest, ok = strings.CutPrefix(rest, sign); !ok {
			return false
		}
		if _, rest, ok = cutNumber(rest); !ok {
			return false
		}
		count := 1
		if after, found := strings.CutPrefix(rest, ","); found {
			if count, rest, ok = cutNumber(after); !ok {
				return false
			}
		}
		p.counts = append(p.counts, count)
		p.left += count
	}
	return strings.HasPrefix(rest, " "+ats)
}

// cutNumber reads decimal digits.
func cutNumber(s string) (n int, rest string, ok bool) {
	i := 0
	for ; i < len(s) && '0' <= s[i] && s[i] <= '9' && i < 9; i++ {
		n = 10*n + int(s[i]-'0')
	}
	return n, s[i:], i > 0
}

// hunk reads a hunk, if one is next.
func (p *diffParser) hunk() bool {
	line, at := p.line(p.at)
	if !strings.HasPrefix(line, "@@") || !p.parseCounts(line) {
		return false
	}
	olds := len(p.counts) - 1
	for p.left > 0 {
		if at == len(p.text) {
			p.broken = true
			return false
		}
		line, at = p.line(at)
		if !noNewline(line, olds) && !p.countLine(line) {
			p.broken = true
			return false
		}
	}
	if at < len(p.text) {
		if line, next := p.line(at); noNewline(line, olds) {
			at = next
		}
	}
	p.at = at
	return true
}

// noNewline reports whether line is the remark that a file has no end of line
// at its end. Its words depend on the language.
func noNewline(line string, olds int) bool {
	for range olds - 1 {
		line = strings.TrimPrefix(line, " ")
	}
	return strings.HasPrefix(line, `\ `)
}

// countLine takes a line of a hunk off its counts, and reports whether it can be
// one. It has a column for each old file: '-' if only that file has the line,
// '+' if that file lacks it, ' ' if the file has it as the new one does, or
// lacks it as the new one does.
func (p *diffParser) countLine(line string) bool {
	olds := len(p.counts) - 1
	if line == "" { // of which somebody took the spaces
		line = "        "[:min(olds, 8)]
	}
	if len(line) < olds {
		return false
	}
	columns := line[:olds]
	mine := byte(' ')
	if strings.IndexByte(columns, '-') >= 0 {
		mine = '-'
	} else if !p.count(olds) {
		return false
	}
	for i := range olds {
		switch c := columns[i]; {
		case c == mine:
			if !p.count(i) {
				return false
			}
		case c == '+' && mine == ' ', c == ' ':
		default:
			return false
		}
	}
	return true
}

// count takes a line off the i-th count, and reports whether there was one.
func (p *diffParser) count(i int) bool {
	p.counts[i]--
	p.left--
	return p.counts[i] >= 0
}

// binary reads a change of a binary file in git's encoding, if one is next.
func (p *diffParser) binary() bool {
	line, at := p.line(p.at)
	if line != "GIT binary patch" {
		return false
	}
	for at < len(p.text) {
		line, next := p.line(at)
		if !hasAnyPrefix(line, "literal ", "delta ") {
			break
		}
		for at = next; line != "" && at < len(p.text); {
			line, at = p.line(at)
		}
	}
	p.at = at
	return true
}
