package shell

import (
	"fmt"
	"strconv"
	"strings"
)

// This file works out what the programs print that print lines of files. What
// an option does that is not listed here is not known.

// print returns what the program name prints; in is its input, nil if that is
// not a pipe.
func (r *run) print(name string, args []string, in []line) segment {
	var lines []line
	ok := false
	switch name {
	case "cat":
		lines, ok = r.cat(args, in)
	case "head":
		lines, ok = r.ends(args, in, headOf)
	case "tail":
		lines, ok = r.ends(args, in, tailOf)
	case "sed":
		lines, ok = r.sed(args, in)
	case "nl":
		lines, ok = r.nl(args, in)
	}
	return segment{known: ok, lines: lines}
}

// operand returns the lines of a file, or of the input if path is "-".
func (r *run) operand(path string, in []line) ([]line, bool) {
	if path == "-" {
		return in, in != nil
	}
	lines, ok := r.files.lines(join(r.dir, path))
	return lines, ok && path != ""
}

func (r *run) cat(args []string, in []line) ([]line, bool) {
	var files []string
	numbered, options := false, true
	for _, arg := range args {
		switch {
		case options && arg == "--":
			options = false
		case options && (arg == "-n" || arg == "--number"):
			numbered = true
		case options && len(arg) > 1 && arg[0] == '-' && arg != "-u":
			return nil, false
		case !options || arg != "-u":
			files = append(files, arg)
		}
	}
	if len(files) == 0 {
		files = []string{"-"}
	}
	var out []line
	for _, file := range files {
		lines, ok := r.operand(file, in)
		if !ok {
			return nil, false
		}
		out = concat(out, lines)
	}
	if numbered {
		return number(out, false), true
	}
	return out, true
}

// number puts numbers before lines, as "cat -n" and nl do.
func number(lines []line, skipEmpty bool) []line {
	out := make([]line, len(lines))
	n := 0
	for i, l := range lines {
		label := "       "
		if !skipEmpty || l.text != "\n" {
			n++
			label = fmt.Sprintf("%6d\t", n)
		}
		l.text, l.at = label+l.text, l.at+len(label)
		out[i] = l
	}
	return out
}

// counted is the arguments of head and tail.
type counted struct {
	sign  byte // before the number: '-', '+' or 0
	n     int
	quiet bool // no headers
	files []string
}

func countOptions(args []string) (counted, bool) {
	c := counted{n: 10}
	ok, options := true, true
	for i := 0; i < len(args) && ok; i++ {
		arg := args[i]
		value, long := strings.CutPrefix(arg, "--lines=")
		switch {
		case !options || arg == "-" || arg == "" || arg[0] != '-':
			c.files = append(c.files, arg)
		case arg == "--":
			options = false
		case long:
			ok = c.count(value)
		case arg == "-n" || arg == "--lines":
			if i++; i == len(args) {
				return c, false
			}
			ok = c.count(args[i])
		case arg == "-q":
			c.quiet = true
		case strings.HasPrefix(arg, "-n"):
			ok = c.count(arg[2:])
		default:
			ok = i == 0 && '0' <= arg[1] && arg[1] <= '9' && c.count(arg[1:])
		}
	}
	return c, ok && (len(c.files) == 0 || c.files[0] == "" || c.files[0][0] != '+')
}

func (c *counted) count(value string) bool {
	c.sign = 0
	if value != "" && (value[0] == '-' || value[0] == '+') {
		c.sign, value = value[0], value[1:]
	}
	n, err := strconv.Atoi(value)
	c.n = n
	return err == nil && '0' <= value[0] && value[0] <= '9'
}

func headOf(lines []line, c counted) []line {
	if c.sign == '-' {
		return lines[:max(0, len(lines)-c.n)]
	}
	return lines[:min(c.n, len(lines))]
}

func tailOf(lines []line, c counted) []line {
	if c.sign == '+' {
		return lines[min(max(c.n-1, 0), len(lines)):]
	}
	return lines[max(0, len(lines)-c.n):]
}

// ends is head and tail.
func (r *run) ends(args []string, in []line, cut func([]line, counted) []line) ([]line, bool) {
	c, ok := countOptions(args)
	if !ok {
		return nil, false
	}
	if len(c.files) == 0 {
		return cut(in, c), in != nil
	}
	var out []line
	for i, file := range c.files {
		lines, ok := r.operand(file, in)
		if !ok || file == "-" {
			return nil, false
		}
		if len(c.files) > 1 && !c.quiet {
			if i > 0 {
				out = concat(out, []line{{text: "\n"}})
			}
			out = concat(out, []line{{text: "==> " + file + " <==\n"}})
		}
		out = concat(out, cut(lines, c))
	}
	return out, true
}

func (r *run) nl(args []string, in []line) ([]line, bool) {
	file, skipEmpty := "-", true
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "-ba":
			skipEmpty = false
		case arg == "-b" && i+1 < len(args) && args[i+1] == "a":
			skipEmpty = false
			i++
		case arg == "" || arg[0] == '-' || file != "-":
			return nil, false
		default:
			file = arg
		}
	}
	lines, ok := r.operand(file, in)
	if !ok {
		return nil, false
	}
	lines = concat(nil, lines) // a copy
	for i, l := range lines {
		if strings.Trim(strings.TrimSuffix(l.text, "\n"), `\:`) == "" && strings.Contains(l.text, `\:`) {
			return nil, false // the start of a section, which has numbers of its own
		}
		lines[i] = l.ended()
	}
	return number(lines, skipEmpty), true
}

// ended gives a line its line end.
func (l line) ended() line {
	if !strings.HasSuffix(l.text, "\n") {
		l.text += "\n"
	}
	return l
}
