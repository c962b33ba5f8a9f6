package redact

import "strings"

// This file matches `name op value`, in programs, settings, commands and logs.

// An assignment is a value with what gives it a name.
type assignment struct {
	name       string // all of it, as db.admin-password2
	before     byte   // the character before the name, 0 = none
	tail       string // of the name, behind the keyword
	op         string // what joins name and value, without blanks; " " in `--name value`
	tight      bool   // no blank stands beside op
	value      string
	start, end int    // of value
	quoted     bool   // between quotes, which may be escaped themselves
	next       byte   // the character after the value, behind its quote; 0 = none
	rest       string // what follows the value, its start
}

// assignment parses what follows the keyword s[p:i], within one line.
func (sc *scanner) assignment(p, i int) (a assignment, ok bool) {
	s := sc.s
	nameStart := nameChars.runBack(s, p, 64)
	nameEnd := nameChars.run(s, i, 40)
	a.name, a.tail = s[nameStart:nameEnd], s[i:nameEnd]
	if nameStart > 0 {
		a.before = s[nameStart-1]
	}
	j := sc.closeName(nameEnd)
	opEnd := operator(s, j)
	if k := sc.valueMember(nameEnd); k > 0 {
		j, opEnd = k-1, k
	} else if k := blank.run(s, nameEnd, 8); opEnd == j && nameEnd < k && k < len(s) && quote.has(s[k]) && a.isFlag(p-nameStart) {
		j, opEnd = k-1, k
	} else if opEnd == j {
		if j == nameEnd || blank.run(s, nameEnd, j-nameEnd) < j {
			return a, false
		}
		if a.isFlag(p - nameStart) {
			opEnd, j = j, j-1
		} else if j, opEnd = sc.operatorBehindWords(j); opEnd == j {
			return a, false
		}
	}
	a.op = s[j:opEnd]
	if a.op == "," && !(nameStart >= 2 && quote.has(a.before) && s[nameStart-2] == '(') {
		return a, false // only f("password", x)
	}
	i = blank.run(s, opEnd, 8)
	a.tight = j == nameEnd && i == opEnd
	if a.op == ":" {
		i = sc.skipType(i)
	}
	return a, sc.parseValue(&a, i)
}

// mayAssign reports whether what follows the keyword that ends at i may be a
// value: most names and words in a text have none.
func (sc *scanner) mayAssign(i int) bool {
	i = nameChars.run(sc.s, i, 40)
	return i < len(sc.s) && afterNames[sc.s[i]]
}

// isFlag reports whether the name is a flag's, as --db-password or -password,
// whose keyword is at p.
func (a *assignment) isFlag(p int) bool {
	return (strings.HasPrefix(a.name, "--") || a.name[0] == '-' && p == 1) && (a.before == 0 || (space | quote).has(a.before))
}

// closeName returns the end of what closes a name: quotes, brackets, blanks.
func (sc *scanner) closeName(i int) int {
	s := sc.s
	for end := min(len(s), i+12); i < end; i++ {
		switch s[i] {
		case '"', '\'', '`', ' ', '\t', ']', '\\':
		case ')': // ("name")=
			if s[i-1] != '"' && s[i-1] != '\'' {
				return i
			}
		default:
			return i
		}
	}
	return i
}

// operatorsFrom are the operators by the byte they start with, each before those
// it starts with.
var operatorsFrom = func() (t [256][]string) {
	for _, op := range [...]string{":=", "::=", ":::=", "===", "==", "=>", "=", "!==", "!=", "?=", "?:", "||=", "||", "+=", ":", ",", ">"} {
		t[op[0]] = append(t[op[0]], op)
	}
	return t
}()

// afterNames are the bytes that may follow a name with a value: those that
// start an operator, close the name or end the line.
var afterNames = func() (t [256]bool) {
	for c, ops := range operatorsFrom {
		t[c] = ops != nil || (space | quote).has(byte(c)) || c == ']' || c == '\\' || c == ')'
	}
	return t
}()

// operator returns the end of the operator at i, or i if there is none.
func operator(s string, i int) int {
	if i >= len(s) {
		return i
	}
	for _, op := range operatorsFrom[s[i]] {
		if strings.HasPrefix(s[i:], op) {
			if op == ":" && strings.HasPrefix(s[i:], "://") {
				return i
			}
			return i + len(op)
		}
	}
	return i
}

// operatorBehindWords looks for an operator behind a few more words, as in
// `password string = "x"` and `API key for mail: x`.
func (sc *scanner) operatorBehindWords(i int) (start, end int) {
	j := (letters | blank).run(sc.s, i, 20)
	end = operator(sc.s, j)
	if end == j || sc.s[j] == ',' || sc.s[j] == '>' {
		return i, i
	}
	return j, end
}

// valueMember finds the value of <add key="name" value="…"> and of
// {"name": "…", "value": "…"}, also on the next line, and returns where it
// starts, or 0.
func (sc *scanner) valueMember(i int) int {
	s := sc.s
	i = (space | quote).run(s, i, 40)
	if i < len(s) && s[i] == ',' {
		i = (space | quote).run(s, i+1, 40)
	}
	if i+6 > len(s) || s[i]|0x20 != 'v' || !strings.EqualFold(s[i:i+5], "value") {
		return 0
	}
	i = (blank | quote).run(s, i+5, 4)
	if i < len(s) && (s[i] == ':' || s[i] == '=') {
		return i + 1
	}
	return 0
}

// skipType steps over a type between a colon and an equals sign: `x: &str = `.
func (sc *scanner) skipType(i int) int {
	s := sc.s
	for j := i; j < len(s) && j-i < 32; j++ {
		switch c := s[j]; {
		case c == '=' && s[j-1] == ' ' && j+1 < len(s) && s[j+1] == ' ':
			return blank.run(s, j+1, 8)
		case word.has(c), strings.IndexByte(" .&'<>[]|?*", c) >= 0:
		default:
			return i
		}
	}
	return i
}

// parseValue reads the value at i into a.
func (sc *scanner) parseValue(a *assignment, i int) bool {
	const longest, longestBare = 4 << 10, 600
	s := sc.s
	// b"…", f'…', @"…", &"…"
	if i+1 < len(s) && quote.has(s[i+1]) && strings.IndexByte("bBfFrRuUL@&", s[i]) >= 0 {
		i++
	}
	if i >= len(s) {
		return false
	}
	limit := min(len(s), i+longest)
	escaped := s[i] == '\\' && i+1 < len(s) && quote.has(s[i+1])
	if escaped {
		i++
	}
	if quote.has(s[i]) {
		a.quoted = true
		mark := s[i]
		for i+2 < limit && s[i+1] == mark && s[i+2] == mark { // """
			i += 2
		}
		a.start = i + 1
		a.end = closing(s, a.start, limit, mark, escaped)
		if a.end < 0 {
			a.end = unquotedEnd(s, a.start, min(limit, a.start+longestBare))
		} else if after := a.end + 1; escaped && after+1 < len(s) {
			a.next = s[after+1]
		} else if after < len(s) {
			a.next = s[after]
		}
	} else {
		a.start, a.end = i, unquotedEnd(s, i, min(limit, i+longestBare))
		if a.end < len(s) {
			a.next = s[a.end]
		}
	}
	a.value, a.rest = s[a.start:a.end], s[a.end:min(len(s), a.end+32)]
	return a.start < a.end
}

// closing returns where the quoted text that starts at i ends, or -1.
func closing(s string, i, limit int, mark byte, escaped bool) int {
	for ; i < limit; i++ {
		switch c := s[i]; {
		case newline.has(c):
			return -1
		case c == '\\' && escaped:
			if i+1 < limit && s[i+1] == mark {
				return i
			}
			i++
		case c == '\\':
			i++
		case c == mark:
			return i
		}
	}
	return -1
}

// bareEnds are the bytes that end a value without quotes.
var bareEnds = func() (t [256]bool) {
	for c := range ' ' + 1 {
		t[c] = true
	}
	for _, c := range "\"'`,;<>(){}[]|&\\" {
		t[c] = true
	}
	return t
}()

func unquotedEnd(s string, i, limit int) int {
	for i < limit && !bareEnds[s[i]] {
		i++
	}
	return i
}

// service matches the key of a service that is named in its name.
func (sc *scanner) service(t *service, p, i int) bool {
	a, ok := sc.assignment(p, i)
	if !ok || !tokenChars.only(a.value) {
		return false
	}
	v := a.value
	for _, l := range t.lengths {
		if len(v) < l.min || l.max < len(v) || entropy(v) < 2 {
			continue
		}
		number := digit.only(v) && (len(v) == 16 || len(v) == 18)
		if number || random(v, 2.5) && !isPath(v) {
			return sc.addNamed(a.start, a.end, apiKey)
		}
	}
	return false
}

// name matches a value that looks random behind a name such as api_key.
func (sc *scanner) name(p, i int) bool {
	a, ok := sc.assignment(p, i)
	return ok && a.looksSecret() && sc.addNamed(a.start, a.end, a.kind())
}

// kind returns the type of a secret that is known by its name alone.
func (a *assignment) kind() string {
	switch {
	case containsFold(a.name, "aws") && containsFold(a.name, "secret"):
		return awsSecretKey
	case containsFold(a.name, "accountkey"), containsFold(a.name, "sharedaccesskey"):
		return azureSecret
	case containsFold(a.name, "pass"):
		return password
	}
	return apiKey
}

// looksSecret reports whether the value looks made at random and is not known
// to be public by its name or form.
func (a *assignment) looksSecret() bool {
	v := a.value
	if len(v) < 10 || len(v) >= 600 || !tokenChars.only(v) || isPlaceholder(v) {
		return false
	}
	if !a.quoted && (a.next == '(' || a.next == '[' || a.op == ",") {
		return false
	}
	if a.op == ">" && a.before != '<' {
		return false
	}
	for _, public := range [...]string{"hash", "sha1", "sha2", "sha5", "md5", "digest", "checksum", "fingerprint", "public", "pubkey", "integrity", "author", "keyid", "key_id", "key-id", "tokenizer", "recv"} {
		if containsFold(a.name, public) && !containsFold(a.name, "authoriz") {
			return false
		}
	}
	if isHashed(v) || isAddress(v) || isIdentifier(v) || isPath(v) || isDotted(v) || isDate(v) {
		return false
	}
	bits := 3.2
	if plainName(a.name) {
		if len(v) < 16 || isUUID(v) || isDigest(v[1+strings.LastIndexAny(v, "-_:."):]) {
			return false
		}
		bits = 3.5
	}
	if len(v) == uuid && isUUID(v) {
		bits = 2.5
	}
	return random(v, bits)
}

// plainName reports whether a name says too little to make a hash under it a
// secret.
func plainName(name string) bool {
	name = strings.Trim(name, "-_.")
	for _, plain := range [...]string{"key", "keys", "cache-key", "cache_key", "cachekey", "access", "auth", "api", "blob-key"} {
		if strings.EqualFold(name, plain) {
			return true
		}
	}
	return false
}

func containsFold(s, part string) bool {
	for i := 0; i+len(part) <= len(s); i++ {
		if s[i]|0x20 == part[0]|0x20 && strings.EqualFold(s[i:i+len(part)], part) {
			return true
		}
	}
	return false
}

// isHashed reports whether v says itself that it is a hash: sha256-…, h1:….
func isHashed(v string) bool {
	i := letters.run(v, 0, 10)
	name := v[:i]
	i = digit.run(v, i, 4)
	if i >= len(v) || strings.IndexByte("-:=_", v[i]) < 0 {
		return false
	}
	for _, hash := range [...]string{"sha", "md", "h", "r", "blake", "crc"} {
		if strings.EqualFold(name, hash) {
			return true
		}
	}
	return false
}

// isDigest reports whether v may be a hash: its length and alphabet are one's.
func isDigest(v string) bool {
	switch len(v) {
	case 32, 40, 56, 64, 96, 128:
		return anyHex.only(v)
	}
	return false
}

func isUUID(v string) bool {
	if len(v) != uuid {
		return false
	}
	for i := range len(v) {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if v[i] != '-' {
				return false
			}
		} else if !anyHex.has(v[i]) {
			return false
		}
	}
	return true
}

// isPath reports whether v is a path or a URL and not Base64.
func isPath(v string) bool {
	if strings.IndexByte(v, '/') < 0 {
		return false
	}
	return strings.Contains(v, "://") || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../") ||
		strings.HasPrefix(v, "~/") || strings.Count(v, "/") > 1+len(v)/12 || strings.HasPrefix(v, "/") && wordy(v[:min(len(v), 16)])
}

// isDotted reports whether v is a version, a host or a chain of names: parts
// of which none is long enough to be a secret.
func isDotted(v string) bool {
	if !strings.Contains(v, ".") {
		return false
	}
	for part := range strings.SplitSeq(v, ".") {
		if len(part) >= 12 && random(part, 2.8) {
			return false
		}
	}
	return true
}

// isAddress reports whether v is a hexadecimal number of at most 160 bits.
func isAddress(v string) bool {
	return len(v) <= len("0x")+40 && strings.HasPrefix(v, "0x") && anyHex.only(v[2:])
}

// isIdentifier reports whether v is a name in a program that has a word such as
// token in it.
func isIdentifier(v string) bool {
	if !word.only(v) || countDigits(v) > 3 {
		return false
	}
	return containsFold(v, "token") || containsFold(v, "secret") || containsFold(v, "passw") || containsFold(v, "key")
}

func countDigits(v string) (n int) {
	for i := range len(v) {
		if digit.has(v[i]) {
			n++
		}
	}
	return n
}

// isDate reports whether v starts with a date.
func isDate(v string) bool {
	return len(v) >= 10 && v[4] == '-' && v[7] == '-' && digit.only(v[:4]) && digit.only(v[5:7]) && digit.only(v[8:10])
}
