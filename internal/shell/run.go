package shell

import (
	"path/filepath"
	"slices"
	"strings"
)

// segment is what one pipeline prints.
type segment struct {
	known bool
	lines []line // if known
	// describe recognizes lines of output of which it says itself where they
	// come from; nil if it does not.
	describe func(output []string) []line
}

// all reports whether all segments are known.
func (segment) all(segments []segment) bool {
	return !slices.ContainsFunc(segments, func(s segment) bool { return !s.known })
}

// run follows a command line.
type run struct {
	dir   string // where it is now; cleaned, as cd goes by names
	files files
}

// list returns the segments of the output of l.
func (r *run) list(l list) []segment {
	var segments []segment
	succeeded := true // the pipeline before is known to have
	for i, p := range l {
		switch {
		case p.after == "||" && succeeded:
			continue
		case p.after == "||", p.after == "&&" && !succeeded && !toEnd(l[i:]):
			return append(segments, segment{}) // it may not run
		}
		if slices.ContainsFunc(p.commands, command.opaque) {
			return append(segments, segment{})
		}
		if p.commands[0].name() == "cd" && len(p.commands) == 1 {
			if succeeded = r.cd(p.commands[0]); !succeeded {
				return append(segments, segment{})
			}
			continue
		}
		s := r.pipeline(p.commands)
		segments, succeeded = append(segments, s), s.known
	}
	return segments
}

// toEnd reports whether all of l must have run if the last of it succeeded.
func toEnd(l list) bool {
	return !slices.ContainsFunc(l, func(p pipeline) bool { return p.after != "&&" })
}

// cd changes the folder, and reports whether it is certain which it is now.
func (r *run) cd(c command) bool {
	if c.elsewhere || len(c.words) != 2 || !c.words[1].literal {
		return false
	}
	path := c.words[1].text
	if path == "" || path[0] == '-' {
		return false
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.dir, path)
	}
	if !r.files.folder(path) {
		return false
	}
	r.dir = filepath.Clean(path)
	return true
}

func (c command) name() string { return c.words[0].text }

// opaque reports whether c may change how the commands after it run, or is
// part of a compound command.
func (c command) opaque() bool {
	name := c.words[0]
	if !name.literal || strings.Contains(name.text, "=") {
		return true
	}
	switch name.text {
	case "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "in",
		"select", "function", "time", "coproc", "!", "[[", "{", "}",
		"eval", "exec", "exit", "return", "source", ".", "alias", "unalias", "set", "shopt", "export",
		"declare", "typeset", "local", "readonly", "unset", "trap", "pushd", "popd", "builtin", "command",
		"enable", "logout", "break", "continue":
		return true
	}
	return false
}

// pipeline returns the segment of commands that are piped into one another.
func (r *run) pipeline(commands []command) segment {
	var s segment
	for i, c := range commands {
		args, ok := c.arguments(i == 0 && namesLines(c.name()))
		if !ok {
			return segment{}
		}
		switch {
		case i == 0:
			s = r.source(c.name(), args)
		case s.known:
			s = r.filter(c.name(), args, s.lines)
		case s.describe != nil && keepsLines(c.name(), args):
		default:
			return segment{}
		}
	}
	return s
}

// arguments returns the arguments of a command whose input and output are
// those of the pipeline. With globs they may be in there, as they stand.
func (c command) arguments(globs bool) ([]string, bool) {
	if c.elsewhere {
		return nil, false
	}
	args := make([]string, 0, len(c.words))
	for _, w := range c.words[1:] {
		if !w.literal && !(globs && w.names) {
			return nil, false
		}
		args = append(args, w.text)
	}
	return args, true
}

// namesLines reports whether a command says of each line which file it is of,
// if there are several, so that it does not matter which files it was given.
func namesLines(name string) bool {
	switch name {
	case "git", "gh", "grep", "egrep", "fgrep", "rg":
		return true
	}
	return false
}

// source returns what a command without input prints.
func (r *run) source(name string, args []string) segment {
	switch name {
	case "gh":
		if len(args) < 2 || args[0] != "pr" || args[1] != "diff" {
			return segment{}
		}
		return r.git(args[1:])
	case "true", ":":
		return segment{known: true}
	case "echo":
		return echo(args)
	case "git":
		return r.git(args)
	case "grep", "egrep", "fgrep", "rg":
		return r.grep(name, args, nil)
	}
	return r.print(name, args, nil)
}

// filter returns what a command prints that reads lines.
func (r *run) filter(name string, args []string, lines []line) segment {
	switch name {
	case "grep", "egrep", "fgrep", "rg":
		return r.grep(name, args, lines)
	}
	return r.print(name, args, lines)
}

// echo is certain where shells agree.
func echo(args []string) segment {
	printed := strings.Join(args, " ")
	option := len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && strings.Trim(args[0][1:], "enE") == ""
	if option || strings.Contains(printed, `\`) {
		return segment{}
	}
	var lines []line
	for _, l := range split(printed + "\n") {
		lines = append(lines, line{text: l})
	}
	return segment{known: true, lines: lines}
}

// keepsLines reports whether a command prints lines of its input, whole.
func keepsLines(name string, args []string) bool {
	switch name {
	case "head", "tail":
		o, ok := countOptions(args)
		return ok && len(o.files) == 0
	case "sort":
		return len(args) == 0 || len(args) == 1 && (args[0] == "-u" || args[0] == "-r" || args[0] == "-V")
	case "cat", "uniq":
		return len(args) == 0
	case "grep", "egrep", "fgrep":
		o, ok := searchOptions(name, args)
		return ok && !o.numbered && !o.recursive && len(o.paths) == 0
	}
	return false
}
