package shell

import (
	"math"
	"strconv"
	"strings"
)

// address is one command of a sed script: it prints lines first to last, or
// quits at first.
type address struct {
	first, last int // lastLine means the last line
	quit        bool
}

// lastLine is "$".
const lastLine = math.MaxInt

func (r *run) sed(args []string, in []line) ([]line, bool) {
	var files, scripts []string
	silent := false
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "-n" || arg == "--quiet" || arg == "--silent":
			silent = true
		case (arg == "-e" || arg == "-ne") && i+1 < len(args):
			silent = silent || arg == "-ne"
			i++
			scripts = append(scripts, args[i])
		case arg == "-E" || arg == "-r" || arg == "-u":
		case len(arg) > 1 && arg[0] == '-':
			return nil, false
		default:
			files = append(files, arg)
		}
	}
	if len(scripts) == 0 && len(files) > 0 {
		scripts, files = files[:1], files[1:]
	}
	if len(files) == 0 {
		files = []string{"-"}
	}
	script, ok := parseSed(strings.Join(scripts, "\n"))
	if !ok || len(files) > 1 {
		return nil, false
	}
	lines, ok := r.operand(files[0], in)
	if !ok {
		return nil, false
	}
	return edit(lines, script, silent), true
}

// edit applies a script to lines.
func edit(lines []line, script []address, silent bool) []line {
	var out []line
	for i, l := range lines {
		quit := false
		for _, a := range script {
			if !a.selects(i+1, len(lines)) {
				continue
			}
			if quit = a.quit; quit {
				break
			}
			out = append(out, l)
		}
		if !silent {
			out = append(out, l)
		}
		if quit {
			break
		}
	}
	return out
}

func (a address) selects(n, total int) bool {
	if a.first == lastLine {
		return n == total
	}
	return n == a.first || a.first < n && n <= a.last
}

// parseSed understands scripts that print lines by number, such as
// "10,20p;$p" and "20q".
func parseSed(script string) ([]address, bool) {
	var out []address
	for _, part := range strings.FieldsFunc(script, func(c rune) bool { return c == ';' || c == '\n' }) {
		part = strings.Trim(part, " \t")
		if part == "" {
			continue
		}
		a, ok := parseAddress(part[:len(part)-1], part[len(part)-1])
		if !ok {
			return nil, false
		}
		out = append(out, a)
	}
	return out, len(out) > 0
}

func parseAddress(lines string, verb byte) (address, bool) {
	first, last, ranged := strings.Cut(strings.TrimRight(lines, " \t"), ",")
	a := address{quit: verb == 'q'}
	var ok bool
	if a.first, ok = lineNumber(first); !ok || verb != 'p' && (verb != 'q' || ranged) {
		return a, false
	}
	if !ranged {
		a.last = a.first
		return a, true
	}
	if count, plus := strings.CutPrefix(last, "+"); plus {
		n, ok := lineNumber(count)
		a.last = a.first + n
		return a, ok && n < 1<<30 && a.first < 1<<30
	}
	a.last, ok = lineNumber(last)
	return a, ok && a.first != lastLine
}

func lineNumber(s string) (int, bool) {
	if s == "$" {
		return lastLine, true
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && n > 0 && n < 1<<30 && s[0] != '+'
}
