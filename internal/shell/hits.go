package shell

import (
	"strconv"
	"strings"
)

// grep returns the segment of grep and rg. in is its input, nil if that is not
// a pipe.
func (r *run) grep(name string, args []string, in []line) segment {
	o, ok := searchOptions(name, args)
	switch {
	case !ok || !o.numbered:
		return segment{}
	case len(o.paths) == 0 && in != nil && !o.recursive:
		return segment{describe: func(output []string) []line { return numbered(output, "", in) }}
	case in != nil:
		return segment{}
	}
	dir := r.dir
	return segment{describe: func(output []string) []line {
		claimed := r.files.hits(dir, "", output)
		if len(o.paths) != 1 || strings.ContainsAny(o.paths[0], "*?[{") {
			return claimed
		}
		if lines, ok := r.files.lines(join(dir, o.paths[0])); ok {
			for i, l := range numbered(output, "", lines) {
				if claimed[i].path == "" {
					claimed[i] = l
				}
			}
		}
		return claimed
	}}
}

// search is the arguments of grep and rg.
type search struct {
	numbered, recursive bool
	paths               []string
}

// searchOptions reports false for options that change what a line looks like.
func searchOptions(name string, args []string) (search, bool) {
	var o search
	pattern, options := false, true
	var operands []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case !options || len(arg) < 2 || arg[0] != '-':
			operands = append(operands, arg)
		case arg == "--":
			options = false
		case strings.HasPrefix(arg, "--"):
			if !o.long(arg) {
				return o, false
			}
		default:
			skip, ok := o.short(name, arg[1:], &pattern)
			if !ok || skip && i+1 == len(args) {
				return o, false
			}
			if skip {
				i++
			}
		}
	}
	if !pattern && len(operands) == 0 {
		return o, false
	}
	if !pattern {
		operands = operands[1:]
	}
	o.paths = operands
	return o, true
}

// long takes a long option.
func (o *search) long(arg string) bool {
	name, _, valued := strings.Cut(arg, "=")
	switch name {
	case "--line-number":
		o.numbered = true
	case "--recursive":
		o.recursive = true
	case "--ignore-case", "--word-regexp", "--fixed-strings", "--extended-regexp", "--perl-regexp", "--with-filename",
		"--no-messages", "--hidden", "--no-heading", "--no-ignore", "--smart-case", "--case-sensitive", "--invert-match", "--line-regexp":
	case "--include", "--exclude", "--exclude-dir", "--context", "--before-context", "--after-context", "--max-count", "--glob", "--type":
		return valued
	case "--color", "--colour":
		return arg == name+"=never" || arg == name+"=auto"
	default:
		return false
	}
	return true
}

// short takes letters of options; skip says that the next argument belongs to
// the last of them.
func (o *search) short(name, letters string, pattern *bool) (skip, ok bool) {
	for i := 0; i < len(letters); i++ {
		c := letters[i]
		switch {
		case c == 'n':
			o.numbered = true
		case name != "rg" && (c == 'r' || c == 'R'):
			o.recursive = true
		case c == 'e':
			*pattern = true
			return i+1 == len(letters), true
		case strings.IndexByte("ABCm", c) >= 0, name == "rg" && strings.IndexByte("gt", c) >= 0:
			return i+1 == len(letters), true
		case strings.IndexByte("iwvxFHs", c) >= 0, name != "rg" && (strings.IndexByte("EGPI", c) >= 0 || '0' <= c && c <= '9'),
			name == "rg" && c == 'S':
		default:
			return false, false
		}
	}
	return false, true
}

// numbered claims the lines of output of the form "N:text", or "N-text" for
// context, whose text is line N of lines. Of each, before stands in front.
func numbered(output []string, before string, lines []line) []line {
	claimed := make([]line, len(output))
	for i, full := range output {
		rest, ok := strings.CutPrefix(full, before)
		if !ok {
			continue
		}
		if n, at := lineLabel(rest); at > 0 {
			claimed[i] = hit(full, len(before)+at, n, lines)
		}
	}
	return claimed
}

// lineLabel returns the number that s begins with and the length of it and its
// separator, 0 if there is none.
func lineLabel(s string) (number, length int) {
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits == 0 || digits == len(s) || s[digits] != ':' && s[digits] != '-' {
		return 0, 0
	}
	n, err := strconv.Atoi(s[:digits])
	if err != nil {
		return 0, 0
	}
	return n, digits + 1
}

// hit returns the line that full shows from at on if it is line n of lines.
func hit(full string, at, n int, lines []line) line {
	if n < 1 || len(lines) < n {
		return line{}
	}
	l := lines[n-1]
	if l.path == "" || !same(l.text, full[at:]) {
		return line{}
	}
	return l
}

// hits claims the lines of output of the form "path:N:text", or "path-N-text"
// for context. If path is not empty, "N:text" in that file alone.
func (f *files) hits(dir, path string, output []string) []line {
	if path != "" {
		lines, ok := f.lines(path)
		if !ok {
			return make([]line, len(output))
		}
		return numbered(output, "", lines)
	}
	claimed := make([]line, len(output))
	for i, full := range output {
		claimed[i] = f.hit(dir, full)
	}
	return claimed
}

// maxLabels is at how many places of a line its number is looked for.
const maxLabels = 8

// hit finds the line that full shows. As a path may hold the separators, the
// first place counts at which it names a file with such a line.
func (f *files) hit(dir, full string) line {
	for at, tried := 0, 0; tried < maxLabels; {
		next := strings.IndexAny(full[at:], ":-")
		if next < 0 {
			return line{}
		}
		at += next + 1
		n, length := lineLabel(full[at:])
		if length == 0 || full[at-1] != full[at+length-1] || at == 1 {
			continue
		}
		tried++
		lines, ok := f.lines(join(dir, full[:at-1]))
		if !ok {
			continue
		}
		if l := hit(full, at+length, n, lines); l.path != "" {
			return l
		}
	}
	return line{}
}
