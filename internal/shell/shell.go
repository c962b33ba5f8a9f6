// Package shell tells which lines of files the output of a shell command
// shows: of cat, head, tail, sed -n, nl, grep -n, rg -n, git diff and gh pr
// diff, alone, piped into one another, and one after the other.
//
// It works out from the files what the command should have printed and
// compares that with what it did print, so output that was truncated, mixed
// with that of other programs or made from files that have changed since
// credits the lines that stand there and no others. Of grep and diff, whose
// output names its lines, each line is compared with the file.
//
// It does not run anything, and it follows no variables, globs, substitutions
// or compound commands: what depends on them shows nothing. Searches of globs
// do show lines, where the output names the files.
package shell

import (
	"strings"

	"github.com/acode-ls/acode-ls/internal/text"
)

// Piece is text that stood in an output and is lines of a file.
type Piece struct {
	Path      string // absolute; it may hold "..", after links, as the command wrote it
	StartLine int    // 1-based
	Text      string // whole lines, as in the file
}

// Shown returns the lines of files that output shows, where output is what
// command printed when it ran in the folder dir, which is absolute, and ended
// with status 0. Files are read as they are now. It returns nil if nothing is
// certain.
func Shown(dir, command, output string) []Piece { return Source{}.Shown(dir, command, output) }

// Shown is the function of this name for the files of s.
func (s Source) Shown(dir, command, output string) []Piece {
	parsed, ok := parse(command)
	if !ok {
		return nil
	}
	r := run{dir: dir, files: files{from: s, left: maxRead}}
	return pieces(align(r.list(parsed), split(output)))
}

// Hits returns the lines of files that the output of a search shows: lines
// "path:line:text", and with "-" for context. Relative paths are relative to
// dir. If path is not empty all hits are in that file, and lines may begin with
// their number.
func Hits(dir, path, output string) []Piece { return Source{}.Hits(dir, path, output) }

// Hits is the function of this name for the files of s.
func (s Source) Hits(dir, path, output string) []Piece {
	f := files{from: s, left: maxRead}
	out := split(output)
	claimed := f.hits(dir, "", out)
	if path != "" {
		for i, l := range f.hits("", join(dir, path), out) {
			if claimed[i].path == "" {
				claimed[i] = l
			}
		}
	}
	return pieces(claimed)
}

// line is a line of output.
type line struct {
	text string // with its line end
	// The line of the file that it shows, if path is not empty: text[at:].
	path   string
	number int // of the first line there, 1-based
	at     int
}

// split cuts output where a shell's programs do, after each LF.
func split(output string) []string {
	if output == "" {
		return nil
	}
	lines := strings.SplitAfter(output, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// align returns for each line of output what is known to stand there.
func align(segments []segment, output []string) []line {
	claimed := make([]line, len(output))
	head, tail := ends(segments)
	first := prefix(head, output)
	copy(claimed, head[:first])
	if len(segments) == 0 || segments[0].all(segments) {
		alignWhole(claimed, head, output, first)
		return claimed
	}
	last := suffix(tail, output[first:])
	if last < len(tail) {
		return claimed // whether it came to run is not certain, or what was printed before
	}
	copy(claimed[len(output)-last:], tail)
	if first == len(head) {
		describe(claimed[first:len(output)-last], segments, output[first:len(output)-last])
	}
	return claimed
}

// alignWhole aligns output with all that should be in it, of which it begins
// with the given number of lines.
func alignWhole(claimed, expected []line, output []string, first int) {
	if len(expected) == len(output) {
		for i, l := range expected {
			if same(l.text, output[i]) {
				claimed[i] = l
			}
		}
		return
	}
	rest := output[first:]
	last := suffix(expected[first:], rest)
	// What was cut out of the middle left a notice; without one this is the
	// start of the output, and that its last line is also the last of all is
	// chance.
	if last < len(rest) {
		copy(claimed[len(output)-last:], expected[len(expected)-last:])
	}
}

// ends returns what is known to stand at the start and at the end of the
// output: the lines before the first segment that is not known, and those
// after the last.
func ends(segments []segment) (head, tail []line) {
	i, j := 0, len(segments)
	for ; i < len(segments) && segments[i].known; i++ {
		head = concat(head, segments[i].lines)
	}
	for j > i && segments[j-1].known {
		j--
	}
	for _, s := range segments[j:] {
		tail = concat(tail, s.lines)
	}
	return head, tail
}

// prefix returns how many lines output and expected have in common from the
// start.
func prefix(expected []line, output []string) int {
	n := 0
	for n < len(expected) && n < len(output) && same(expected[n].text, output[n]) {
		n++
	}
	return n
}

// suffix returns how many lines output and expected have in common from the
// end.
func suffix(expected []line, output []string) int {
	n := 0
	for n < len(expected) && n < len(output) && same(expected[len(expected)-1-n].text, output[len(output)-1-n]) {
		n++
	}
	return n
}

// describe claims the lines of output that exactly one segment recognizes.
func describe(claimed []line, segments []segment, output []string) {
	times := make([]int, len(output))
	for _, s := range segments {
		if s.known {
			continue
		}
		if s.describe == nil {
			clear(claimed) // anything may stand between
			return
		}
		for i, l := range s.describe(output) {
			if l.path != "" {
				claimed[i] = l
				times[i]++
			}
		}
	}
	for i, n := range times {
		if n > 1 {
			claimed[i] = line{}
		}
	}
}

// same reports whether two lines are equal, whatever ends them.
func same(a, b string) bool {
	return strings.TrimRight(a, "\r\n") == strings.TrimRight(b, "\r\n")
}

// concat appends more to lines as a stream of bytes would: a line without a
// line end is joined by the next.
func concat(lines, more []line) []line {
	if len(lines) == 0 || len(more) == 0 || strings.HasSuffix(lines[len(lines)-1].text, "\n") {
		return append(lines, more...)
	}
	last := lines[len(lines)-1]
	if last.text += more[0].text; more[0].text != "\n" {
		last.path = ""
	}
	return append(append(lines[:len(lines)-1], last), more[1:]...)
}

// pieces joins claimed lines that follow one another in their file.
func pieces(claimed []line) []Piece {
	var out []Piece
	next := 0 // the line after the last piece
	for _, l := range claimed {
		if l.path == "" {
			continue
		}
		body := l.text[l.at:]
		if !strings.HasSuffix(body, "\n") {
			body += "\n"
		}
		if next != l.number || out[len(out)-1].Path != l.path {
			out = append(out, Piece{Path: l.path, StartLine: l.number})
		}
		out[len(out)-1].Text += body
		next = l.number + text.Split(body).Len()
	}
	return out
}
