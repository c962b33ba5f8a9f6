package redact

import "strings"

// This file matches the values of passwords, which need not look random.

// password matches the value behind the name of a password.
func (sc *scanner) password(p, i int) bool {
	if i-p == len("pass") && i < len(sc.s) && lower.has(sc.s[i]) {
		return false // another keyword, or a word
	}
	if !sc.mayAssign(i) {
		return sc.initialized(p, i)
	}
	a, ok := sc.assignment(p, i)
	key := sc.s[p:i]
	if !ok {
		if sc.namesPassword(&a, key, p, i) {
			sc.yamlBlock(&a, a.kindOf(key), p)
		}
		return false
	}
	if a.isTechnical() {
		return false
	}
	if a.looksSecret() && (len(key) > len("pass") || sc.startsPart(p)) {
		return sc.addNamed(a.start, a.end, a.kindOf(key))
	}
	if !sc.namesPassword(&a, key, p, i) {
		return false
	}
	end := a.end
	if !isSecret(key) {
		end = sc.passphraseEnd(&a, p)
	}
	if end == a.end && !a.isLiteral(key) {
		return false
	}
	return sc.addNamed(a.start, end, a.kindOf(key))
}

func (a *assignment) kindOf(key string) string {
	if !isSecret(key) {
		return password
	}
	if kind := a.kind(); kind != apiKey {
		return kind
	}
	return secretValue
}

// isSecret tells the keyword secret from those of passwords.
func isSecret(key string) bool { return strings.EqualFold(key, "secret") }

// startsPart reports whether a part of a name starts at p: after what is no
// letter, or with a capital after a small one.
func (sc *scanner) startsPart(p int) bool {
	return sc.startsWord(p) || digit.has(sc.s[p-1]) || upper.has(sc.s[p]) && lower.has(sc.s[p-1])
}

// namesPassword reports whether the keyword key at p ends a name that stands
// for a password itself, unlike password_file and bypass.
func (sc *scanner) namesPassword(a *assignment, key string, p, i int) bool {
	if tail := strings.TrimLeft(a.tail, "0123456789"); tail != "" {
		return isSecret(key) && strings.EqualFold(tail, "_key") && a.quoted && len(a.value) >= 12 && isMixed(a.value)
	}
	head := a.name[:len(a.name)-len(a.tail)-(i-p)]
	switch {
	case strings.EqualFold(key, "pass"):
		if strings.HasSuffix(head, "_") || strings.HasSuffix(head, "-") {
			return true
		}
		return head != "" && sc.startsPart(p) && isMixed(a.value)
	case strings.EqualFold(key, "pwd"):
		return sc.startsPart(p) && a.name != "PWD" && a.name != "OLDPWD" && !strings.HasPrefix(a.value, "/")
	}
	return true
}

// isLiteral reports whether the value is meant as it stands: no variable, call,
// type, template, mask or sentence.
func (a *assignment) isLiteral(key string) bool {
	v := a.value
	if len(v) < 3 || isPlaceholder(v) || isWord(v) {
		return false
	}
	if isPath(v) || strings.Count(v, "/") > 1 && (v[0] == '/' || wordy(v)) || a.namesItself(key) {
		return false
	}
	if v[0] == '\\' || strings.HasPrefix(v, "-----") || a.op == ":" && a.before == ':' && a.tight {
		return false // a byte, a PEM block, an ARN
	}
	if strings.HasPrefix(a.name, "-") && a.op == ":" {
		return false // a table of flags
	}
	switch a.op {
	case ">":
		return a.before == '<' && a.next == '<' && !strings.ContainsAny(v, " \t")
	case ",":
		return a.quoted && isMixed(v)
	case "||", "||=":
		return a.quoted
	}
	if a.quoted {
		return a.isQuotedLiteral(key)
	}
	return a.isBareLiteral(key)
}

// namesItself reports whether the value is a name that has the keyword too, as
// in PASSWORD_KEY = "user-password".
func (a *assignment) namesItself(key string) bool {
	v := a.value
	return !isMixed(v) && (strings.ContainsAny(v, "_-.") || camel(v) || upper.has(v[0])) && containsFold(v, key)
}

func (a *assignment) isQuotedLiteral(key string) bool {
	v := a.value
	if blank.has(v[0]) || strings.IndexByte("+,;)}", v[0]) >= 0 {
		return false // "Password: " + x: the quote closes
	}
	if a.next != 0 && !space.has(a.next) && strings.IndexByte(",;)}]>/\\#.&|:\"'`", a.next) < 0 {
		return false
	}
	if strings.ContainsAny(v, " \t") {
		return !isSentence(v)
	}
	if used(v)&^(upper|upperHex|underscore|digit) == 0 && strings.Contains(v, "_") {
		return false // the name of an environment variable
	}
	if used(v)&alnum == 0 {
		return false
	}
	if isSecret(key) && !isMixed(v) && strings.ContainsAny(v, "-_./ ") {
		return false // the name of a secret
	}
	return !strings.HasSuffix(v, ":") && !isMemberOf(v)
}

func (a *assignment) isBareLiteral(key string) bool {
	v := a.value
	if a.op == "+=" || a.next == '(' || a.next == '[' || a.next == '{' || digit.only(v) || isAddress(v) || strings.HasSuffix(v, "*") || used(v)&alnum == 0 {
		return false
	}
	if a.op == " " && (v[0] == '-' || proseWords.has(v) || letters.only(v) && a.inSentence()) {
		return false // the next flag, or a sentence about this one
	}
	if a.op == " " && isMixed(v) {
		return true
	}
	if a.isEnvironment() {
		return true
	}
	if a.op == ":" && a.next == ' ' && upper.has(v[0]) && word.only(v) {
		return false // a sentence
	}
	if a.next == '.' || strings.HasSuffix(v, ":") || strings.HasSuffix(v, "?") || isMemberOf(v) {
		return false
	}
	if word.only(v) {
		u := used(v)
		switch {
		case u&underscore != 0, camel(v):
			return random(v, 3) || digitGroups(v) > 1 // unlike base64Text
		case u&digit != 0 && u&letters != 0:
			return len(v) >= 5 && !isWord(v[:digit.runBack(v, len(v), len(v))])
		}
		return a.isSetting(key)
	}
	if (letters | hyphen | dot | underscore | slash | colon).only(v) {
		return a.isSetting(key) && !isSecret(key)
	}
	return true
}

// inSentence reports whether a word of letters follows the value.
func (a *assignment) inSentence() bool {
	i := blank.run(a.rest, 0, len(a.rest))
	end := letters.run(a.rest, i, len(a.rest))
	return 0 < i && i < end && (end == len(a.rest) || strings.IndexByte(" ,.;:)\"'`\n", a.rest[end]) >= 0)
}

// isEnvironment reports whether the assignment is NAME=value.
func (a *assignment) isEnvironment() bool {
	return a.op == "=" && a.tight && used(a.name)&(lower|lowerHex) == 0 && used(a.name)&upper != 0
}

// isSetting reports whether a word of letters is a value and not a variable or
// a type, because of where it stands: name=word in a log or a command, or the
// whole line `name: word`.
func (a *assignment) isSetting(key string) bool {
	last := a.next == 0 || newline.has(a.next)
	switch {
	case a.op == " ":
		return true
	case a.op == "=" && a.tight:
		return last || a.next == ' ' || a.next == '&'
	case a.op == ":" && !a.tight:
		return last && (a.before == 0 || a.before == ':' || space.has(a.before)) && !isSecret(key) &&
			len(a.value) >= 6 && used(a.value)&upper == 0 && !strings.HasPrefix(a.name, "-")
	}
	return false
}

// digitGroups returns how many runs of digits v has.
func digitGroups(v string) int {
	n := 0
	for i := range len(v) {
		if digit.has(v[i]) && (i == 0 || !digit.has(v[i-1])) {
			n++
		}
	}
	return n
}

// camel reports whether v has a capital behind a small letter.
func camel(v string) bool {
	for i := 1; i < len(v); i++ {
		if upper.has(v[i]) && lower.has(v[i-1]) {
			return true
		}
	}
	return false
}

// isTechnical reports whether the value is a name in a program whose digits
// are all those of a word such as base64, as in base64Text and toUTF8.
func (a *assignment) isTechnical() bool {
	v := a.value
	if a.quoted || a.tight || a.op != ":" && a.op != "=" || !word.only(v) {
		return false
	}
	numbered := false
	for part := range strings.SplitSeq(v, "_") {
		for part != "" {
			end := digit.run(part, letters.run(part, 0, len(part)), len(part))
			if digit.has(part[end-1]) {
				if !endsTechnical(part[:end]) {
					return false
				}
				numbered = true
			}
			part = part[end:]
		}
	}
	return numbered
}

// endsTechnical reports whether s or the end of it from a capital is one of
// technicalWords.
func endsTechnical(s string) bool {
	for i := range len(s) {
		if (i == 0 || upper.has(s[i])) && technicalWords.has(s[i:]) {
			return true
		}
	}
	return false
}

var technicalWords = newWordSet(`
	base16 base32 base36 base58 base62 base64 base85 utf7 utf8 utf16 utf32 ucs2 ucs4 latin1 sha1 sha2 sha3 sha224
	sha256 sha384 sha512 md4 md5 crc32 int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 ed25519
	x509 oauth1 oauth2 argon2 pbkdf2 aes128 aes192 aes256 rsa2048 rsa4096 pkcs1 pkcs7 pkcs8 pkcs12 http2 win32 win64`)

// isMixed reports whether v is not made of letters alone.
func isMixed(v string) bool {
	return !(letters | underscore | hyphen | dot | blank).only(v)
}

// isMemberOf reports whether v is a chain of names, as process.env.PASSWORD.
func isMemberOf(v string) bool {
	if !strings.Contains(v, ".") || !(word | dot).only(v) {
		return strings.Contains(v, "->") || strings.Contains(v, "::")
	}
	for part := range strings.SplitSeq(v, ".") {
		if part == "" || digit.has(part[0]) || random(part, 3) {
			return false
		}
	}
	return true
}

// isPlaceholder reports whether v stands for a value: a variable, a template
// or a mask.
func isPlaceholder(v string) bool {
	switch {
	case strings.IndexByte("$", v[0]) >= 0:
		return len(v) < 2 || !digit.has(v[1]) || len(v) < 20 // $2a$10$… is a hash
	case strings.IndexByte("<{[(@:?", v[0]) >= 0 && (len(v) < 2 || v[0] != '@' && v[0] != ':' || v[1] == '{' || letters.only(v[1:])):
		return true
	case v[0] == '%' && len(v) <= 4, strings.HasPrefix(v, "%("), strings.HasPrefix(v, "%{"), strings.HasPrefix(v, "#{"):
		return true
	case strings.HasPrefix(v, "ENC["), strings.HasPrefix(v, "ref+"), strings.HasPrefix(v, "vault:"), strings.HasPrefix(v, "arn:"), strings.HasPrefix(v, "file:"):
		return true
	}
	for i := 0; i+1 < len(v); i++ {
		switch v[i] {
		case '$', '{', '}', '<', '#', '%', '.':
			if isTemplateMark(v[i:]) {
				return true
			}
		}
	}
	for i := range len(v) {
		if strings.IndexByte("xX*.-_#?0\xe2\x80\xa2", v[i]) < 0 {
			return len(v) > 4 && strings.EqualFold(v[:4], "your")
		}
	}
	return true
}

// isTemplateMark reports whether v starts with what a template or a text that
// was cut has.
func isTemplateMark(v string) bool {
	for _, mark := range [...]string{"${", "{{", "}}", "$(", "<%", "#{", "%s", "..."} {
		if strings.HasPrefix(v, mark) {
			return true
		}
	}
	return false
}

// isWord reports whether v is a word that stands in the place of a password
// but is none.
func isWord(v string) bool {
	for v != "" && strings.IndexByte("?!.:", v[len(v)-1]) >= 0 {
		v = v[:len(v)-1]
	}
	return plainWords.has(v)
}

var plainWords = newWordSet(`
	true false null nil none undefined nan yes no on off default empty required optional
	string str text bool boolean int integer number float object any unknown void char varchar bytes byte
	password passwd passwort passphrase pass pwd secret secrets token key keys value values val var variable
	hidden redacted masked removed omitted self this input prompt env ask stdin file config auto generate
	incorrect invalid expired missing wrong correct valid changed reset updated rotated failed rejected accepted
	enabled disabled unset set new old confirm field label name type user username login email
	password_hash newpassword oldpassword uint8array securestring bytestring secretstr buffer`)

// isSentence reports whether v, which has blanks, is text for people.
func isSentence(v string) bool {
	for w := range strings.FieldsSeq(v) {
		w = strings.Trim(w, ".,:;!?'\"()")
		if proseWords.has(w) || plainWords.has(w) {
			return true
		}
	}
	return strings.ContainsAny(v, "(){}=<>") || len(v) > 80
}

var proseWords = newWordSet(`
	a an the is are was be been must should may can cannot could will would not and or but if for to of in on at by
	with without from as it its your my our their you we please enter type choose use used using at least
	characters letters required passwords tokens keys this that these has have flag flags option options argument via instead de la le das der die el`)

// A wordSet is a set of words of small letters, by their length.
type wordSet [17]struct {
	first uint32 // one bit for the low five bits of each word's first byte
	words []string
}

func newWordSet(words string) *wordSet {
	set := new(wordSet)
	for w := range strings.FieldsSeq(words) {
		of := &set[len(w)]
		of.first |= 1 << (w[0] & 31)
		of.words = append(of.words, w)
	}
	return set
}

// has reports whether w, in whatever case, is in the set.
func (set *wordSet) has(w string) bool {
	if w == "" || len(w) >= len(set) || set[len(w)].first>>(w[0]&31)&1 == 0 {
		return false
	}
	for _, word := range set[len(w)].words {
		if word[0] == w[0]|0x20 && strings.EqualFold(word, w) {
			return true
		}
	}
	return false
}
