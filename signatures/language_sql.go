package signatures

import "strings"

// scanSQL finds what CREATE statements make. The dialects differ in all but
// these, and in how text is quoted.
func scanSQL(src string) []Declaration {
	s := &sqlScanner{src: src, found: newFound(src), open: -1, begins: true}
	s.scan()
	return s.found.all
}

// sqlScanner goes from word to word. It looks at those that begin a statement.
type sqlScanner struct {
	src     string
	at      int
	found   found
	open    int  // the declaration that the statement makes, negative for none
	begins  bool // a statement
	routine bool // statements may belong to a body that is not quoted
}

func (s *sqlScanner) scan() {
	s.at = len(s.src) - len(strings.TrimPrefix(s.src, "\ufeff"))
	for s.at < len(s.src) {
		switch b := s.src[s.at]; {
		case isSpace(b):
			s.at++
		case b == ';':
			s.at++
			s.end()
		case isWord(b) && !isDigit(b):
			s.word()
		case b == '/' && s.alone("/"):
			s.at++
			s.end()
			s.routine = false
		default:
			if end := s.comment(); end > s.at {
				s.at = end
				break
			}
			s.at = s.afterText()
			s.begins = false
		}
	}
	s.end()
}

// end ends a statement.
func (s *sqlScanner) end() {
	s.found.close(s.open, trimmedEnd(s.src, s.at))
	s.open, s.begins = -1, true
}

// comment returns the end of the comment here, or its start if there is none.
func (s *sqlScanner) comment() int {
	switch rest := s.src[s.at:]; {
	case strings.HasPrefix(rest, "--"):
		return lineEnd(s.src, s.at)
	case strings.HasPrefix(rest, "/*"):
		return after(s.src, s.at+2, "*/")
	case rest[0] == '#' && s.startsLine():
		return lineEnd(s.src, s.at)
	}
	return s.at
}

// afterText returns the end of the quoted text here, or of the byte.
func (s *sqlScanner) afterText() int {
	switch b := s.src[s.at]; b {
	case '\'', '"', '`':
		return after(s.src, s.at+1, string(b))
	case '$':
		end := wordEnd(s.src, s.at+1)
		if end < len(s.src) && s.src[end] == '$' {
			mark := s.src[s.at : end+1]
			return after(s.src, end+1, mark)
		}
	}
	return s.at + 1
}

// startsLine reports whether only spaces stand before this on its line.
func (s *sqlScanner) startsLine() bool {
	for i := s.at - 1; i >= 0; i-- {
		switch s.src[i] {
		case '\n', '\r':
			return true
		case ' ', '\t':
		default:
			return false
		}
	}
	return true
}

// alone reports whether word is all of its line.
func (s *sqlScanner) alone(word string) bool {
	return s.startsLine() && strings.EqualFold(strings.TrimSpace(s.src[s.at:lineEnd(s.src, s.at)]), word)
}

func (s *sqlScanner) word() {
	start := s.at
	s.at = max(wordEnd(s.src, start), start+1)
	word := s.src[start:s.at]
	switch {
	case strings.EqualFold(word, "GO") && s.aloneAt(start):
		s.end()
		s.routine = false
	case strings.EqualFold(word, "DELIMITER") && s.begins:
		s.at = lineEnd(s.src, s.at)
		s.routine = false
	case strings.EqualFold(word, "CREATE") && (s.begins && !s.routine || s.atMargin(start)):
		s.end()
		s.create(start)
		s.begins = false
	default:
		s.begins = false
	}
}

func (s *sqlScanner) aloneAt(start int) bool {
	at := s.at
	defer func() { s.at = at }()
	s.at = start
	return s.alone(s.src[start:at])
}

// atMargin reports whether the byte at i is the first of its line.
func (s *sqlScanner) atMargin(i int) bool {
	return i == 0 || s.src[i-1] == '\n' || s.src[i-1] == '\r'
}

// create takes what stands behind CREATE up to the name.
func (s *sqlScanner) create(start int) {
	s.routine = false
	const most = 20 // words before the one that says what is made
	for range most {
		word := s.next()
		if word == "" {
			return
		}
		kind := sqlKind(word)
		if kind == "" {
			if !isSQLModifier(word) {
				return
			}
			continue
		}
		s.routine = kind == Function
		name := s.name()
		if name == "" {
			return
		}
		s.open = s.found.open(start, kind, word, name, outside{}, true)
		return
	}
}

// sqlKind returns the kind of what word makes, or "".
func sqlKind(word string) Kind {
	switch word {
	case "TABLE", "VIEW", "INDEX", "TRIGGER":
		return Table
	case "FUNCTION", "PROCEDURE", "PROC", "AGGREGATE":
		return Function
	case "TYPE", "DOMAIN":
		return Type
	case "SCHEMA", "PACKAGE":
		return Module
	}
	return ""
}

// isSQLModifier reports whether word may stand between CREATE and what it
// makes.
func isSQLModifier(word string) bool {
	switch word {
	case "OR", "REPLACE", "ALTER", "GLOBAL", "LOCAL", "TEMP", "TEMPORARY", "UNLOGGED", "MATERIALIZED", "RECURSIVE", "FORCE", "NOFORCE",
		"EDITIONABLE", "NONEDITIONABLE", "UNIQUE", "CLUSTERED", "NONCLUSTERED", "CONSTRAINT", "FOREIGN", "EXTERNAL", "VIRTUAL", "BITMAP",
		"FULLTEXT", "SPATIAL", "ALGORITHM", "UNDEFINED", "MERGE", "DEFINER", "SQL", "SECURITY", "INVOKER", "CURRENT_USER", "TRANSIENT", "COLUMNSTORE":
		return true
	}
	return false
}

// next returns the next word in upper case, "" at anything else. An account, as
// in DEFINER = 'a'@'b', is passed over.
func (s *sqlScanner) next() string {
	for s.at < len(s.src) {
		switch b := s.src[s.at]; {
		case isSpace(b) || b == '=' || b == '@' || b == '%':
			s.at++
		case b == '`' || b == '\'':
			s.at = s.afterText()
		case isWord(b) && !isDigit(b):
			start := s.at
			s.at = wordEnd(s.src, s.at)
			return strings.ToUpper(s.src[start:s.at])
		default:
			if end := s.comment(); end > s.at {
				s.at = end
				continue
			}
			return ""
		}
	}
	return ""
}

// name returns the name here without quotes: "public.users".
func (s *sqlScanner) name() string {
	name := ""
	for s.at < len(s.src) {
		part := ""
		s.spaces()
		switch b := s.at; {
		case b >= len(s.src):
			return strings.TrimSuffix(name, ".")
		case s.src[b] == '"' || s.src[b] == '`':
			s.at = s.afterText()
			part = strings.Trim(s.src[b:s.at], "\"`")
		case s.src[b] == '[':
			s.at = min(after(s.src, b, "]"), lineEnd(s.src, b))
			part = strings.Trim(s.src[b:s.at], "[]")
		default:
			s.at = wordEnd(s.src, b)
			part = s.src[b:s.at]
			if name == "" && isBeforeName(part) {
				continue
			}
			if name == "" && (strings.EqualFold(part, "ON") || strings.EqualFold(part, "AS")) {
				return "" // an index without a name
			}
		}
		if part == "" {
			return ""
		}
		name += part
		if s.at >= len(s.src) || s.src[s.at] != '.' {
			return name
		}
		name += "."
		s.at++
	}
	return ""
}

func (s *sqlScanner) spaces() {
	for s.at < len(s.src) {
		if isSpace(s.src[s.at]) {
			s.at++
		} else if end := s.comment(); end > s.at {
			s.at = end
		} else {
			return
		}
	}
}

// isBeforeName reports whether word may stand between TABLE and its name.
func isBeforeName(word string) bool {
	for _, before := range []string{"IF", "NOT", "EXISTS", "CONCURRENTLY", "ONLY", "BODY"} {
		if strings.EqualFold(word, before) {
			return true
		}
	}
	return false
}
