package shell

import "strings"

// maxCommand is the length in bytes up to which a command is understood.
const maxCommand = 64 << 10

// list is a command line: pipelines that run one after the other.
type list []pipeline

// pipeline is one or more commands joined by "|".
type pipeline struct {
	after    string // what joins it to the one before: "", ";", "&&" or "||"
	commands []command
}

// command is a simple command with its arguments.
type command struct {
	words []word
	// elsewhere says that it reads its input from, or writes its output to,
	// something other than the pipe.
	elsewhere bool
}

// word is one argument after quotes were removed.
type word struct {
	text string
	// literal says that the shell takes the text as it is: no variable, glob
	// or brace stands in it.
	literal bool
	names   bool // literal, but for globs and braces, which make names of files of it
}

// parse splits what a POSIX shell would. It reports false for what only a
// shell can follow: substitutions, compound commands, background jobs, here
// documents.
func parse(line string) (list, bool) {
	if len(line) > maxCommand || strings.ContainsAny(line, "\x00\r") {
		return nil, false
	}
	s := scanner{rest: line}
	for s.rest != "" && !s.broken {
		s.next()
	}
	s.end("")
	if s.joint == "&&" || s.joint == "||" || s.piped {
		s.broken = true // nothing stands behind it
	}
	return s.list, !s.broken
}

// scanner reads a command line from its start to its end.
type scanner struct {
	rest     string
	list     list
	pipeline pipeline
	command  command
	joint    string // what stood before the pipeline being read
	piped    bool   // the command being read comes after "|"
	broken   bool
}

func (s *scanner) next() {
	switch c := s.rest[0]; {
	case c == ' ' || c == '\t':
		s.rest = s.rest[1:]
	case strings.HasPrefix(s.rest, "\\\n"):
		s.rest = s.rest[2:]
	case c == '#':
		s.rest = s.rest[len(before(s.rest, "\n")):]
	case c == '\n':
		s.newline()
	case s.has("&&"):
		s.end("&&")
	case s.has("||"):
		s.end("||")
	case s.has(";"):
		s.end(";")
	case s.has("|"):
		s.pipe()
	case s.redirection():
	case strings.IndexByte("&()<>`", c) >= 0:
		s.broken = true
	default:
		if w, ok := s.word(); ok {
			s.command.words = append(s.command.words, w)
		}
	}
}

// has takes token off the rest if it stands there.
func (s *scanner) has(token string) bool {
	rest, ok := strings.CutPrefix(s.rest, token)
	if ok {
		s.rest = rest
	}
	return ok
}

// newline ends a command, or nothing behind an operator.
func (s *scanner) newline() {
	s.rest = s.rest[1:]
	if len(s.command.words) == 0 && !s.command.elsewhere {
		return
	}
	s.end(";")
}

// pipe ends a command whose output the next one reads.
func (s *scanner) pipe() {
	if len(s.command.words) == 0 {
		s.broken = true
		return
	}
	s.pipeline.commands = append(s.pipeline.commands, s.command)
	s.command, s.piped = command{}, true
}

// end ends the pipeline being read; joint is what stands behind it.
func (s *scanner) end(joint string) {
	if len(s.command.words) == 0 {
		// Only the end of the line may come where a command was due.
		s.broken = s.broken || joint != "" || s.command.elsewhere
		return
	}
	s.pipeline.commands = append(s.pipeline.commands, s.command)
	s.pipeline.after = s.joint
	s.list = append(s.list, s.pipeline)
	s.pipeline, s.command, s.joint, s.piped = pipeline{}, command{}, joint, false
}

// redirection takes a redirection off the rest. Only errors that go nowhere,
// or where the output goes, leave the output as it is.
func (s *scanner) redirection() bool {
	if strings.HasPrefix(s.rest, "&>") {
		s.rest = s.rest[1:]
		s.command.elsewhere = true
	}
	digits := len(s.rest) - len(strings.TrimLeft(s.rest, "0123456789"))
	from, rest := s.rest[:digits], s.rest[digits:]
	if rest == "" || rest[0] != '>' && rest[0] != '<' {
		return false
	}
	if strings.HasPrefix(rest, "<<") || strings.HasPrefix(rest, "<(") || strings.HasPrefix(rest, ">(") {
		s.broken = true
		return true
	}
	s.rest = strings.TrimLeft(rest, "><&|")
	operator := rest[:len(rest)-len(s.rest)]
	s.rest = strings.TrimLeft(s.rest, " \t")
	target, ok := s.word()
	if !ok {
		s.broken = true
		return true
	}
	quiet := from == "2" && (operator == ">" && target == word{"/dev/null", true, true} || operator == ">&" && target == word{"1", true, true})
	s.command.elsewhere = s.command.elsewhere || !quiet
	return true
}

// word takes a word off the rest.
func (s *scanner) word() (word, bool) {
	var b strings.Builder
	literal, names := true, true
	start := s.rest
	for s.rest != "" && !s.broken && strings.IndexByte(" \t\n;|&()<>", s.rest[0]) < 0 {
		c := s.rest[0]
		s.rest = s.rest[1:]
		switch c {
		case '\'':
			text, rest, closed := strings.Cut(s.rest, "'")
			b.WriteString(text)
			s.rest, s.broken = rest, !closed
		case '"':
			names = s.double(&b) && names
		case '\\':
			s.escaped(&b)
		case '$', '`':
			s.substitution(c)
			names = false
			b.WriteByte(c)
		case '*', '?', '[', '{', '}':
			literal = false
			b.WriteByte(c)
		case '~':
			names = names && b.Len() > 0 && !strings.HasSuffix(b.String(), ":") && !strings.HasSuffix(b.String(), "=")
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return word{b.String(), literal && names, names}, !s.broken && len(start) > len(s.rest)
}

// escaped takes the character behind a backslash off the rest.
func (s *scanner) escaped(b *strings.Builder) {
	if s.rest == "" {
		s.broken = true
		return
	}
	if s.rest[0] != '\n' {
		b.WriteByte(s.rest[0])
	}
	s.rest = s.rest[1:]
}

// substitution looks at what follows a "$" or "`". A variable makes a word
// that is not known; a command could do anything.
func (s *scanner) substitution(c byte) {
	s.broken = s.broken || c == '`' || s.rest != "" && strings.IndexByte("({['\"", s.rest[0]) >= 0
}

// double takes the rest of a double-quoted string off the rest and reports
// whether all of it is literal.
func (s *scanner) double(b *strings.Builder) (literal bool) {
	literal = true
	for s.rest != "" && !s.broken {
		c := s.rest[0]
		s.rest = s.rest[1:]
		switch {
		case c == '"':
			return literal
		case c == '\\' && s.rest != "" && strings.IndexByte("$`\"\\\n", s.rest[0]) >= 0:
			s.escaped(b)
			continue
		case c == '$' && s.rest != "" && (s.rest[0] == '"' || s.rest[0] == ' '):
			// A "$" before nothing stands for itself.
		case c == '$' || c == '`':
			s.substitution(c)
			literal = false
		}
		b.WriteByte(c)
	}
	s.broken = true // it has no end
	return false
}

// before returns s up to the first sep, or all of it.
func before(s, sep string) string {
	head, _, _ := strings.Cut(s, sep)
	return head
}
