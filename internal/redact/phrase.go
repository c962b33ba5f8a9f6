package redact

import "strings"

// This file matches the values of passwords that are more than one word: in
// settings passphrases and the blocks of YAML, and what C++ initializes a
// string with.

// settingColumn returns the column of the name of a, whose keyword is at p, in
// bytes from 0. It is none of a setting if something stands before it on its
// line but blanks and the dash of a list.
func (sc *scanner) settingColumn(a *assignment, p int) (column int, ok bool) {
	s := sc.s
	name := nameChars.runBack(s, p, 64)
	start := blank.runBack(s, name, 256)
	if start < name && start > 0 && s[start-1] == '-' {
		start = blank.runBack(s, start-1, 256)
	}
	ok = (a.op == ":" || a.op == "=") && a.name[0] != '-' && (start == 0 || newline.has(s[start-1]))
	return name - start, ok
}

// passphraseEnd returns the end of the passphrase that the value of a starts,
// which is the end of that value if no other words follow.
func (sc *scanner) passphraseEnd(a *assignment, p int) int {
	const longest = 200
	if a.quoted || !blank.has(a.next) || a.op == ":" && a.tight {
		return a.end
	}
	if _, ok := sc.settingColumn(a, p); !ok {
		return a.end
	}
	line, _ := cutLine(sc.s[a.start:min(len(sc.s), a.start+longest)])
	if len(line) == longest {
		return a.end
	}
	line, _, _ = strings.Cut(line, " #") // a comment
	line = strings.TrimRight(line, " \t")
	if !isPassphrase(line, a.op) {
		return a.end
	}
	return a.start + len(line)
}

// isPassphrase reports whether the words of line are none of a sentence, a
// description or a program.
func isPassphrase(line, op string) bool {
	words, capitals, mixed := 0, 0, 0
	for w := range strings.FieldsSeq(line) {
		if strings.ContainsAny(w, "\"'`()[]{}<>=,;:.?/\\|$%") || used(w)&letters == 0 {
			return false
		}
		words++
		if upper.has(w[0]) {
			capitals++
		}
		if isMixed(w) {
			mixed++
		}
	}
	least := 3
	if op == "=" {
		least = 4 // in some languages a call looks like one
	}
	enough := words >= least && (capitals == 0 || capitals == words) || words == 2 && mixed == 2
	return enough && !isProse(line)
}

// isProse reports whether line has a word that tells a sentence or a
// description from a passphrase.
func isProse(line string) bool {
	for w := range strings.FieldsSeq(line) {
		w = strings.Trim(w, ".,:;!?'\"()")
		if (proseWords.has(w) || plainWords.has(w) || descriptionWords.has(w)) && !strings.EqualFold(w, "correct") {
			return true // correct horse battery staple
		}
	}
	return false
}

var descriptionWords = newWordSet(`
	account accounts admin algorithm allowed argument authenticate authentication authorization bcrypt client code
	command connect connecting connection credential credentials database db digits encoded encrypted encrypting entry
	example existing format generated given hash hashed here host keystore ldap letters literal log long length
	manager many max maximum min minimum mode more mysql needed never node parameter plaintext plain postgres
	private property protected protection provide provided public random read redis repository root salt see server
	service session setting settings shared smtp specified ssh ssl store stored strength successful successfully
	supplied system than then truststore unencrypted update updates url user's users validation verification wifi
	write when where who which else await yield return case do let ago`)

// yamlBlock matches the lines of a block under the name of a password:
// `password: |` and lines that are indented further.
func (sc *scanner) yamlBlock(a *assignment, kind string, p int) {
	const longest = 4 << 10
	s := sc.s
	column, ok := sc.settingColumn(a, p)
	i := a.start
	if !ok || a.op != ":" || i >= len(s) || s[i] != '|' && s[i] != '>' {
		return
	}
	limit := min(len(s), i+longest)
	header, _ := cutLine(s[i+1 : limit])
	i += 1 + len(header)
	header, _, _ = strings.Cut(header, " #")
	if strings.Trim(header, "+-123456789 \t") != "" {
		return
	}
	for first := true; ; {
		start := space.run(s, i, limit-i)
		indent := start - blank.runBack(s, start, start-i)
		if start == limit || indent <= column || !newline.has(s[start-indent-1]) {
			return
		}
		line, _ := cutLine(s[start:min(len(s), start+longest)])
		if first && isProse(line) {
			return
		}
		if !isPlaceholder(line) {
			sc.addLater(start, start+len(line), kind)
		}
		i, first = start+len(line), false
	}
}

// initialized matches the value of `std::string password("x")` and of
// `password{"x"}`.
func (sc *scanner) initialized(p, i int) bool {
	s := sc.s
	end := word.run(s, i, 40)
	if end+1 >= len(s) || s[end] != '(' && s[end] != '{' || s[end+1] != '"' {
		return false
	}
	start := word.runBack(s, p, 64)
	closing := byte('}')
	if s[end] == '(' {
		if closing = ')'; !sc.hasStringType(start) {
			return false
		}
	}
	a := assignment{name: s[start:end], tail: s[i:end], op: "=", tight: true}
	if !sc.parseValue(&a, end+1) || a.next != closing {
		return false
	}
	key := s[p:i]
	return sc.namesPassword(&a, key, p, i) && a.isLiteral(key) && sc.addNamed(a.start, a.end, a.kindOf(key))
}

// hasStringType reports whether a type of strings in C++ stands before the name
// at i. Without one, what follows is a call.
func (sc *scanner) hasStringType(i int) bool {
	s := sc.s
	end := i
	for end > 0 && (blank.has(s[end-1]) || s[end-1] == '*' || s[end-1] == '&') && i-end < 8 {
		end--
	}
	name := s[word.runBack(s, end, 32):end]
	return end < i && (containsFold(name, "string") || name == "char" || name == "auto")
}
