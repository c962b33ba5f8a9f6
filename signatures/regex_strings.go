package signatures

import (
	"slices"
	"strings"
)

// This file has the strings that few languages have.

const (
	maxStrings = 16 // of strings in strings
	maxUnended = 8  // starts of strings without an end, so that the time stays linear
)

// oddEnd returns the end of the string here whose syntax is that of few
// languages, or here if there is none.
func (m *masker) oddEnd() int {
	switch c := m.src[m.i]; {
	case m.ticks && c == '@':
		return hereStringEnd(m.src, m.i)
	case m.ticks && (c == '\'' || c == '"'):
		return tickedEnd(m.src, m.i, 0)
	case m.bare && (c == '\'' || c == '"') && m.i > 0 && m.src[m.i-1] == 'r' && (m.i == 1 || !isWord(m.src[m.i-2])):
		return min(after(m.src, m.i+1, m.src[m.i:m.i+1]), lineEnd(m.src, m.i))
	case m.piped != 0 && c == m.piped:
		return m.pipedEnd()
	}
	return m.i
}

// hereStringEnd returns the end of the string of PowerShell that is the lines
// between @" and "@, or i.
func hereStringEnd(src string, i int) int {
	rest := src[i+1:]
	if rest == "" || rest[0] != '\'' && rest[0] != '"' || !isBlank(rest[1:lineEnd(rest, 1)]) {
		return i
	}
	return after(src, i, "\n"+rest[:1]+"@")
}

// tickedEnd returns the end of the string of PowerShell at i. In "…" a backtick
// escapes, and $(…) is code with strings of its own, which are one deeper.
func tickedEnd(src string, i, depth int) int {
	quote := src[i]
	for i++; i < len(src); i++ {
		switch c := src[i]; {
		case c == quote:
			return i + 1
		case quote == '\'':
		case c == '`':
			i++
		case depth < maxStrings && strings.HasPrefix(src[i:], "$("):
			i = parenthesesEnd(src, i+len("$"), depth+1) - 1
		}
	}
	return len(src)
}

// parenthesesEnd returns the end of what the parenthesis at i opens in a string
// of PowerShell, where strings are that deep.
func parenthesesEnd(src string, i, depth int) int {
	open := 0
	for ; i < len(src); i++ {
		switch src[i] {
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				return i + 1
			}
		case '`':
			i++
		case '\'', '"':
			i = tickedEnd(src, i, depth) - 1
		}
	}
	return len(src)
}

// pipedEnd returns the end of the string here that bars and a word enclose,
// {id|…|id} in OCaml and [id|…|] in Haskell, or here. The latter may be a list
// comprehension, too.
func (m *masker) pipedEnd() int {
	open := wordEnd(m.src, m.i+1)
	if open == len(m.src) || m.src[open] != '|' {
		return m.i
	}
	if m.src[m.i] == '{' {
		return after(m.src, open+1, m.src[open:open+1]+m.src[m.i+1:open]+"}")
	}
	const comprehension = 200 // bytes in which its arrow is
	if m.unended == maxUnended || strings.Contains(firstLine(m.src[open:min(open+comprehension, len(m.src))]), "<-") {
		return m.i
	}
	length := strings.Index(m.src[open:], "|]")
	if length < 0 {
		m.unended++
		return m.i
	}
	return open + length + len("|]")
}

func firstLine(s string) string { return s[:lineEnd(s, 0)] }

// script reads the start of lines of text, or of a script in another language,
// in Vim script, and reports whether there is one.
func (m *masker) script() bool {
	rest, ok := strings.CutPrefix(m.src[m.i:], "<<")
	if !ok {
		return false
	}
	command := strings.Trim(m.src[startOfLine(m.src, m.i):m.i], " \t")
	isComment := strings.HasPrefix(command, `"`) || strings.HasPrefix(command, "#")
	if isComment || !strings.HasSuffix(command, "=") && !runsScript(command[lastWord(command):]) {
		return false
	}
	words := slices.DeleteFunc(strings.Fields(firstLine(rest)), func(word string) bool { return word == "trim" || word == "eval" })
	if len(words) > 1 || m.unended == maxUnended {
		return false
	}
	doc := hereDoc{end: append(words, ".")[0]}
	next := afterLineEnd(m.src, lineEnd(m.src, m.i))
	if hereDocEnd(m.src, next, doc) == len(m.src) && !strings.HasSuffix(strings.TrimRight(m.src, " \r\n"), doc.end) {
		m.unended++
		return false
	}
	m.docs = append(m.docs, doc)
	m.i = lineEnd(m.src, m.i)
	return true
}

// runsScript reports whether the command of Vim runs the lines that follow in
// another language.
func runsScript(command string) bool {
	switch command {
	case "python", "py", "python3", "py3", "pythonx", "pyx", "ruby", "rub", "lua", "perl", "pe", "tcl", "mzscheme", "mz":
		return true
	}
	return false
}

// lastWord returns the offset of the word at the end of s.
func lastWord(s string) int {
	i := len(s)
	for i > 0 && isWord(s[i-1]) {
		i--
	}
	return i
}

func startOfLine(src string, i int) int {
	return strings.LastIndexAny(src[:i], "\n\r") + 1
}
