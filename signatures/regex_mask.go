package signatures

import "strings"

// syntax says what is no code in a language.
type syntax struct {
	line   []string    // what starts a comment to the end of the line
	block  [][2]string // what starts and ends a comment
	lines  [][2]string // the starts of the lines that start and end a comment; "" ends none
	nested bool        // comments in comments
	quotes string      // the quotes of strings inside one line, with backslashes
	wide   string      // the quotes of strings over several lines, with backslashes
	long   [][2]string // what starts and ends a string over several lines, without backslashes

	chars     bool // 'a' is a character, but 'a may be something else
	raw       bool // r#"…"#, R"x(…)x"
	verbatim  bool // @"…", in which "" is a quote
	hereDocs  bool // <<EOF
	directive bool // lines that start with # are the preprocessor's
	spaced    bool // a # starts a comment only after white space or a separator
	dollars   bool // $" is a character
	ticks     bool // a backtick escapes, $(…) in "…", @"…"@ over lines
	bare      bool // r"…" has no escapes
	scripts   bool // =<< END, and python << END
	piped     byte // the first byte of {id|…|id}, as in OCaml, or [id|…|], as in Haskell; 0: there are none
	outside   bool // only what is between <?php and ?> is code
}

// mask returns src with a space for every byte of comments and strings, so that
// what is left at its place is code. Line ends stay.
func mask(src string, syn *syntax) string {
	m := masker{src: src, syntax: syn, code: []byte(src)}
	if strings.HasPrefix(src, "\ufeff") {
		m.blank(0, len("\ufeff"))
	}
	if syn.outside {
		m.html()
	}
	m.section()
	for m.i < len(src) {
		m.next()
	}
	return string(m.code)
}

type masker struct {
	*syntax
	src  string
	code []byte
	i    int

	docs    []hereDoc // whose text starts on the next line
	unended int       // starts of strings whose end was looked for in vain
}

type hereDoc struct {
	end      string
	indented bool
}

// blank puts spaces from start up to end and goes there.
func (m *masker) blank(start, end int) {
	for ; start < end; start++ {
		if m.src[start] != '\n' && m.src[start] != '\r' {
			m.code[start] = ' '
		}
	}
	m.i = max(m.i, end)
}

func (m *masker) next() {
	c := m.src[m.i]
	switch {
	case c == '\n' || c == '\r':
		m.i = afterLineEnd(m.src, m.i)
		for len(m.docs) > 0 {
			doc := m.docs[0]
			m.docs = m.docs[1:]
			m.blank(m.i, hereDocEnd(m.src, m.i, doc))
		}
		m.section()
	case m.outside && strings.HasPrefix(m.src[m.i:], "?>"):
		m.html()
	case isWord(c) && !m.atRaw():
		for m.i < len(m.src) && isWord(m.src[m.i]) {
			m.i++
		}
	case isWord(c):
		m.blank(m.i, rawEnd(m.src, m.i))
	case c == '\\' && !m.ticks:
		if !m.comment() {
			m.i = min(m.i+2, len(m.src))
		}
	case c == '`' && m.ticks:
		m.i = min(m.i+2, len(m.src))
	case c == '$' && m.dollars:
		if m.i++; m.i < len(m.src) && m.src[m.i] != '\\' {
			m.i++
		}
	case m.directive && c == '#' && startsLine(m.src, m.i):
		m.preprocessor()
	case m.comment(), m.hereDocs && m.hereDoc(), m.scripts && m.script(), m.string():
	default:
		m.i++
	}
}

// section blanks the comment of whole lines that starts here, at the start of
// a line.
func (m *masker) section() {
	for _, pair := range m.lines {
		if !strings.HasPrefix(m.src[m.i:], pair[0]) {
			continue
		}
		end := m.i
		for end < len(m.src) && (end == m.i || pair[1] == "" || !strings.HasPrefix(m.src[end:], pair[1])) {
			end = afterLineEnd(m.src, lineEnd(m.src, end))
		}
		m.blank(m.i, lineEnd(m.src, end))
		return
	}
}

// html blanks what is outside of code.
func (m *masker) html() {
	end := len(m.src)
	if n := strings.Index(m.src[m.i:], "<?php"); n >= 0 {
		end = m.i + n + len("<?php")
	} else if n := strings.Index(m.src[m.i:], "<?="); n >= 0 {
		end = m.i + n + len("<?=")
	}
	m.blank(m.i, end)
}

func (m *masker) comment() bool {
	rest := m.src[m.i:]
	for _, start := range m.line {
		if strings.HasPrefix(rest, start) && !(m.spaced && m.i > 0 && strings.IndexByte(" \t\r\n;(&|", m.src[m.i-1]) < 0) {
			m.blank(m.i, lineEnd(m.src, m.i))
			return true
		}
	}
	for _, pair := range m.block {
		if strings.HasPrefix(rest, pair[0]) {
			m.blank(m.i, m.blockEnd(pair))
			return true
		}
	}
	return false
}

func (m *masker) blockEnd(pair [2]string) int {
	depth := 1
	for i := m.i + len(pair[0]); i < len(m.src); {
		switch {
		case strings.HasPrefix(m.src[i:], pair[1]):
			i += len(pair[1])
			if depth--; depth == 0 {
				return i
			}
		case m.nested && strings.HasPrefix(m.src[i:], pair[0]):
			i += len(pair[0])
			depth++
		default:
			i++
		}
	}
	return len(m.src)
}

func (m *masker) string() bool {
	rest := m.src[m.i:]
	for _, pair := range m.long {
		if strings.HasPrefix(rest, pair[0]) {
			start, end := m.i+len(pair[0]), len(m.src)
			if n := strings.Index(m.src[start:], pair[1]); n >= 0 {
				end = start + n + len(pair[1])
			}
			m.blank(m.i, end)
			return true
		}
	}
	if end := m.oddEnd(); end > m.i {
		m.blank(m.i, end)
		return true
	}
	switch c := m.src[m.i]; {
	case m.verbatim && (strings.HasPrefix(rest, `@"`) || strings.HasPrefix(rest, `@$"`)):
		m.blank(m.i, verbatimEnd(m.src, m.i+strings.IndexByte(rest, '"')))
	case m.chars && c == '\'':
		if end := charEnd(m.src, m.i); end > m.i+1 {
			m.blank(m.i, end)
		} else {
			m.i++
		}
	case strings.IndexByte(m.wide, c) >= 0:
		m.blank(m.i, wideEnd(m.src, m.i))
	case strings.IndexByte(m.quotes, c) >= 0:
		m.blank(m.i, quoted(m.src, m.i))
	default:
		return false
	}
	return true
}

// wideEnd returns the end of the string at i, over line ends.
func wideEnd(src string, i int) int {
	for j := i + 1; j < len(src); j++ {
		switch src[j] {
		case src[i]:
			return j + 1
		case '\\':
			j++
		}
	}
	return len(src)
}

// verbatimEnd returns the end of the string at i, in which two quotes are one.
func verbatimEnd(src string, i int) int {
	for i++; i < len(src); i++ {
		if src[i] != '"' {
			continue
		}
		if i++; i == len(src) || src[i] != '"' {
			return i
		}
	}
	return len(src)
}

// charEnd returns the end of the character literal at i, or i+1 where the
// quote means something else.
func charEnd(src string, i int) int {
	if i+2 < len(src) && src[i+1] == '\\' {
		if end := quoted(src, i); end-i <= len(`'\u{10ffff}'`) && src[end-1] == '\'' {
			return end
		}
		return i + 1
	}
	const longest = 4 // bytes of one character
	for j := i + 2; j < len(src) && j <= i+1+longest; j++ {
		if src[j] == '\'' && (j == i+2 || src[i+1] >= 0x80) {
			return j + 1
		}
	}
	return i + 1
}

// atRaw reports whether a raw string starts with the word here.
func (m *masker) atRaw() bool {
	return m.raw && (m.i == 0 || !isWord(m.src[m.i-1])) && rawEnd(m.src, m.i) > m.i
}

// rawEnd returns the end of the raw string of Rust or C++ at i, or i.
func rawEnd(src string, i int) int {
	j := i
	for j < len(src) && j < i+3 && strings.IndexByte("brcuUL8R", src[j]) >= 0 {
		j++
	}
	if j == i || j == len(src) || src[j-1] != 'r' && src[j-1] != 'R' {
		return i
	}
	isCPlusPlus := src[j-1] == 'R'
	open := j
	for j < len(src) && !isCPlusPlus && src[j] == '#' {
		j++
	}
	if j == len(src) || src[j] != '"' {
		return i
	}
	closing := `"` + src[open:j]
	if isCPlusPlus {
		const longest = len(`"`) + 16 + len("(")
		n := strings.IndexByte(src[j:min(len(src), j+longest)], '(')
		if n < 0 {
			return i
		}
		closing = ")" + src[j+1:j+n] + `"`
	}
	if n := strings.Index(src[j+1:], closing); n >= 0 {
		return j + 1 + n + len(closing)
	}
	return len(src)
}

// hereDoc reads the start of a here document and reports whether there is one.
func (m *masker) hereDoc() bool {
	rest, ok := strings.CutPrefix(m.src[m.i:], "<<")
	if !ok {
		return false
	}
	rest = strings.TrimPrefix(rest, "<") // PHP
	doc := hereDoc{}
	if trimmed := strings.TrimLeft(rest, "-~ "); trimmed != rest {
		if strings.HasPrefix(rest, " ") && !strings.HasPrefix(trimmed, "'") && !strings.HasPrefix(trimmed, `"`) && !isUpperWord(trimmed) {
			return false
		}
		doc.indented = rest[0] != ' '
		rest = trimmed
	}
	quote := ""
	if rest != "" && (rest[0] == '\'' || rest[0] == '"') {
		quote = rest[:1]
		rest = rest[1:]
	}
	end := wordEnd(rest, 0)
	if end == 0 || quote != "" && !strings.HasPrefix(rest[end:], quote) || quote == "" && !isUpperWord(rest) {
		return false
	}
	doc.end = rest[:end]
	m.docs = append(m.docs, doc)
	m.i = len(m.src) - len(rest) + end + len(quote)
	return true
}

// isUpperWord reports whether s starts with a word in capitals: so here
// documents are told from shifts.
func isUpperWord(s string) bool {
	word := s[:wordEnd(s, 0)]
	return word != "" && strings.ToUpper(word) == word && strings.ToLower(word) != word
}

// hereDocEnd returns the offset of the line after the one that ends doc.
func hereDocEnd(src string, i int, doc hereDoc) int {
	for i < len(src) {
		end := lineEnd(src, i)
		line := strings.TrimRight(src[i:end], ";,) ")
		if line == doc.end || strings.TrimLeft(line, " \t") == doc.end {
			return end
		}
		i = afterLineEnd(src, end)
	}
	return len(src)
}

// preprocessor blanks a directive of C, and what it leaves out: code after
// "#if 0", and the branches after the first of a condition, because both would
// open the same braces.
func (m *masker) preprocessor() {
	start := m.i
	end := directiveEnd(m.src, start)
	directive := strings.TrimSpace(m.src[start+1 : end])
	m.blank(start, end)
	name := directive[:wordEnd(directive, 0)]
	isNever := name == "if" && strings.TrimSpace(directive[len("if"):]) == "0"
	if name != "else" && name != "elif" && !isNever {
		return
	}
	depth := 0
	for i := m.i; i < len(m.src); i = afterLineEnd(m.src, lineEnd(m.src, i)) {
		line := strings.TrimLeft(m.src[i:lineEnd(m.src, i)], " \t")
		if !strings.HasPrefix(line, "#") {
			continue
		}
		switch line = strings.TrimLeft(line[1:], " \t"); {
		case strings.HasPrefix(line, "if"):
			depth++
		case strings.HasPrefix(line, "else") && depth == 0 && isNever:
			m.blank(m.i, lineEnd(m.src, i))
			return
		case strings.HasPrefix(line, "endif"):
			if depth--; depth < 0 {
				m.blank(m.i, i)
				return
			}
		}
	}
	m.blank(m.i, len(m.src))
}

func directiveEnd(src string, i int) int {
	for i < len(src) {
		i = lineEnd(src, i)
		if src[i-1] != '\\' {
			return i
		}
		i = afterLineEnd(src, i)
	}
	return len(src)
}

// startsLine reports whether only white space is before i on its line.
func startsLine(src string, i int) bool {
	for i > 0 && (src[i-1] == ' ' || src[i-1] == '\t') {
		i--
	}
	return i == 0 || src[i-1] == '\n' || src[i-1] == '\r' || src[:i] == "\ufeff"
}
