package shell

import (
	"path/filepath"
	"strconv"
	"strings"
)

// git returns the segment of a git command: searches name their lines, and so
// do the new sides of differences.
func (r *run) git(args []string) segment {
	for len(args) > 0 && args[0] == "--no-pager" {
		args = args[1:]
	}
	if len(args) == 0 {
		return segment{}
	}
	switch args[0] {
	case "grep":
		if o, ok := searchOptions("grep", args[1:]); !ok || !o.numbered {
			return segment{}
		}
		dir := r.dir
		return segment{describe: func(output []string) []line { return r.files.hits(dir, "", output) }}
	case "diff", "show", "log":
		root, ok := r.files.topLevel(r.dir)
		if !ok {
			return segment{}
		}
		return segment{describe: func(output []string) []line { return r.files.diff(root, output) }}
	}
	return segment{}
}

// topLevel returns the folder that git names files from.
func (f *files) topLevel(dir string) (string, bool) {
	for {
		if f.folder(filepath.Join(dir, ".git")) || f.regular(filepath.Join(dir, ".git")) {
			return dir, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		dir = up
	}
}

// diff claims the lines of the new sides of hunks. A hunk may be of an old
// version, so it counts only if all of it is in the file, where it says.
func (f *files) diff(root string, output []string) []line {
	claimed := make([]line, len(output))
	var lines []line // of the file that the hunks are of
	for i := 0; i < len(output); i++ {
		if path, ok := strings.CutPrefix(output[i], "+++ "); ok {
			lines = f.newSide(root, path)
			continue
		}
		start, count, ok := hunkHeader(output[i])
		if !ok || lines == nil {
			continue
		}
		end := hunkEnd(output, i+1, count)
		claimHunk(claimed[i+1:end], output[i+1:end], start, lines)
		i = end - 1
	}
	return claimed
}

// newSide returns the lines of the file that the head of a difference names.
func (f *files) newSide(root, path string) []line {
	path, ok := strings.CutPrefix(strings.TrimRight(path, "\t\r\n"), "b/")
	if !ok {
		return nil
	}
	lines, _ := f.lines(join(root, filepath.FromSlash(path)))
	return lines
}

// hunkHeader returns where a hunk is in the new version and how many lines it
// has in each.
func hunkHeader(s string) (start int, count [2]int, ok bool) {
	fields := strings.SplitN(s, " ", 5)
	if len(fields) < 4 || fields[0] != "@@" || strings.TrimRight(fields[3], "\n") != "@@" {
		return 0, count, false
	}
	for side, sign := range []string{"-", "+"} {
		place, signed := strings.CutPrefix(fields[1+side], sign)
		first, length, given := strings.Cut(place, ",")
		if !given {
			length = "1"
		}
		var errFirst, errLength error
		start, errFirst = strconv.Atoi(first)
		count[side], errLength = strconv.Atoi(length)
		if !signed || errFirst != nil || errLength != nil || start < 0 || count[side] < 0 {
			return 0, count, false
		}
	}
	return start, count, true
}

// hunkEnd returns the index after the last line of the hunk that begins at i.
func hunkEnd(output []string, i int, count [2]int) int {
	for ; i < len(output) && (count[0] > 0 || count[1] > 0); i++ {
		switch output[i][0] {
		case ' ', '\n':
			count[0]--
			count[1]--
		case '-':
			count[0]--
		case '+':
			count[1]--
		case '\\':
		default:
			return i
		}
	}
	return i
}

// claimHunk claims the new side of a hunk that begins at line start.
func claimHunk(claimed []line, hunk []string, start int, lines []line) {
	n := start
	for i, full := range hunk {
		if full[0] == '-' || full[0] == '\\' {
			continue
		}
		at := 1
		if full[0] == '\n' {
			at = 0 // some programs trim the space before an empty line
		}
		l := hit(full, at, n, lines)
		if l.path == "" {
			clear(claimed)
			return
		}
		claimed[i] = l
		n++
	}
}
