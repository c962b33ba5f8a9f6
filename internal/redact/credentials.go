package redact

import (
	"encoding/base64"
	"strings"
)

// This file matches credentials by the form of what holds them: URLs, commands,
// files.

// databases are the schemes of connection strings.
var databases = newWordSet(`
	postgres postgresql mysql mysqlx mariadb mongodb mongodb+srv redis rediss amqp amqps mssql sqlserver
	cockroachdb clickhouse cassandra couchbase couchdb neo4j neo4j+s bolt ldap ldaps smtp smtps kafka nats
	mqtt mqtts oracle db2 snowflake redshift memcached influxdb`)

// url matches the credentials of a URL whose :// stands at p. A connection
// string goes as a whole, of other URLs the password alone.
func (sc *scanner) url(p int) bool {
	s := sc.s
	start := (alnum | slash | hyphen | dot).runBack(s, p, 20)
	start = max(start, sc.last)
	i := p + len("://")
	host := urlEnd(s, i, "/?#")
	scheme := strings.TrimLeft(s[start:p], "/+.-")
	database := databases.has(scheme)
	if database && !strings.Contains(s[i:host], "@") && strings.Contains(s[i:min(len(s), i+longestURL)], "@") {
		host = urlEnd(s, i, "") // the password may have a slash
	}
	at := strings.LastIndexByte(s[i:host], '@')
	if at <= 0 {
		return false
	}
	user, secret, ok := strings.Cut(s[i:i+at], ":")
	switch {
	case !ok:
		return len(user) >= 16 && random(user, 3) && sc.addNamed(i, i+at, apiKey)
	case secret == "" || isTemplate(secret) || isTemplate(user):
		return false
	case database:
		return sc.add(p-len(scheme), trimURL(s, i+at, urlEnd(s, i+at, "")), connectionString)
	}
	return sc.addNamed(i+len(user)+1, i+at, password)
}

// isTemplate reports whether v stands for a password in a URL.
func isTemplate(v string) bool {
	return v != "" && isPlaceholder(v) && !strings.HasPrefix(v, "0")
}

const longestURL = 2 << 10

// urlEnd returns the end of the URL at i: a blank, a quote, what else cannot be
// part of it, or one of stops.
func urlEnd(s string, i int, stops string) int {
	end := min(len(s), i+longestURL)
	for i < end && s[i] > ' ' && strings.IndexByte("\"'`<>\\", s[i]) < 0 && strings.IndexByte(stops, s[i]) < 0 {
		i++
	}
	return i
}

// trimURL moves end back over what closes a sentence, not beyond min.
func trimURL(s string, min, end int) int {
	for end > min && strings.IndexByte(".,;)]}", s[end-1]) >= 0 {
		end--
	}
	return end
}

// basicCredentials reports whether v is user:password in Base64.
func basicCredentials(v string) bool {
	var decoded [768]byte
	v = strings.TrimRight(v, "=")
	if len(v) > 1024 || !base64Chars.only(v) {
		return false
	}
	var encoded [1024]byte
	n, err := base64.RawStdEncoding.Decode(decoded[:], encoded[:copy(encoded[:], v)])
	if err != nil {
		return false
	}
	colons := 0
	for _, c := range decoded[:n] {
		if c < ' ' || c > '~' {
			return false
		}
		if c == ':' {
			colons++
		}
	}
	return colons > 0
}

// curl matches user:password behind -u and --user, up to the end of the
// command.
func (sc *scanner) curl(p int) bool {
	if !sc.startsWord(p) || p < sc.command {
		return false
	}
	s := sc.s
	end := min(len(s), p+2<<10)
	for i := p; i < end; i++ {
		sc.command = i
		switch {
		case s[i] == '\n' && s[i-1] != '\\' && !(s[i-1] == '\r' && s[i-2] == '\\'):
			return false
		case s[i] != '-' || !space.has(s[i-1]):
		case strings.HasPrefix(s[i:], "-u"):
			sc.userPassword(i + len("-u"))
		case strings.HasPrefix(s[i:], "--user"):
			if j := i + len("--user"); j < len(s) && (s[j] == ' ' || s[j] == '=') {
				sc.userPassword(j)
			}
		}
	}
	return false
}

// userPassword matches user:password at i.
func (sc *scanner) userPassword(i int) {
	s := sc.s
	i = (blank | equals).run(s, i, 5)
	if i == len(s) {
		return
	}
	end := min(len(s), i+512)
	var stop int
	if mark := s[i]; quote.has(mark) {
		i++
		stop = closing(s, i, end, mark, false)
	} else {
		for stop = i; stop < end && s[stop] > ' ' && !quote.has(s[stop]); stop++ {
		}
	}
	if stop < 0 {
		return
	}
	user, secret, ok := strings.Cut(s[i:stop], ":")
	secret = strings.TrimSuffix(secret, `\`)
	switch {
	case !ok || isTemplate(secret) || isTemplate(user) || strings.ContainsAny(s[i:stop], "$<"):
	case len(secret) >= 3:
		sc.addLater(i+len(user)+1, i+len(user)+1+len(secret), password)
	case len(user) >= 8:
		sc.addLater(i, i+len(user), apiKey)
	}
}

// netrc matches the password of an entry of .netrc, on one line or several.
func (sc *scanner) netrc(p int) bool {
	s := sc.s
	if !sc.startsWord(p) || s[p] != 'm' {
		return false
	}
	i := p + len("machine")
	limit := min(len(s), i+1<<10)
	field := func() string {
		i = space.run(s, i, 16)
		start := i
		for i < limit && s[i] > ' ' {
			i++
		}
		return s[start:i]
	}
	field() // the host
	for range 3 {
		switch field() {
		case "login", "account":
			field()
		case "password":
			v := field()
			if v != "" && v != "string" && !isPlaceholder(v) && used(v)&quote == 0 {
				sc.addLater(i-len(v), i, password)
			}
			return false
		default:
			return false
		}
	}
	return false
}

// kubernetes matches the values of a Secret in YAML, whose data stand behind
// its kind or before it.
func (sc *scanner) kubernetes(p int) bool {
	s := sc.s
	if p > 0 && s[p-1] != '\n' || !strings.HasPrefix(s[p+len("kind: "):], "Secret") {
		return false
	}
	i := p + len("kind: Secret")
	if i < len(s) && !newline.has(s[i]) && !blank.has(s[i]) || p < sc.resource {
		return false
	}
	after := s[i:min(len(s), i+4<<10)]
	if j := strings.Index(after, "\n---"); j >= 0 {
		after = after[:j]
	}
	sc.resource = i + len(after)
	for _, data := range [...]string{"\ndata:", "\nstringData:"} {
		if j := strings.Index(after, data); j >= 0 {
			sc.members(i+j+len(data), i+len(after))
		}
	}
	start := max(0, p-behind)
	before := s[start:p]
	if j := strings.LastIndex(before, "---\n"); j >= 0 {
		start, before = start+j, before[j:]
	}
	for _, data := range [...]string{"data:\n", "stringData:\n"} {
		if j := strings.LastIndex(before, data); j == 0 || j > 0 && before[j-1] == '\n' {
			sc.members(start+j, p)
		}
	}
	return false
}

// members adds the values of the indented lines `name: value` behind the line
// that ends at i.
func (sc *scanner) members(i, end int) {
	s := sc.s
	for {
		j := strings.IndexByte(s[i:end], '\n')
		if j < 0 {
			return
		}
		i += j + 1
		if i >= end || !blank.has(s[i]) {
			return
		}
		line, _ := cutLine(s[i:end])
		_, v, ok := strings.Cut(line, ":")
		v = strings.Trim(v, " \t\"'")
		if !ok || len(v) < 4 || isPlaceholder(v) || v[0] == '|' || v[0] == '>' {
			continue
		}
		at := i + strings.LastIndex(line, v)
		sc.addLater(at, at+len(v), secretValue)
	}
}

// longRun looks at the run of urlSafe whose first longRun characters end at
// head, unless a secret ends in them: it is a secret if it looks random and is
// no hash, name or part of longer data.
func (sc *scanner) longRun(head int) {
	sc.merge(head)
	start := head - longRun
	if sc.last > start {
		return // what is behind the secret is another run
	}
	s := sc.s
	end := urlSafe.run(s, start, ahead/4)
	if rest := urlSafe.run(s, end, longRun); rest-end < longRun {
		end = rest
	}
	v := s[start:end]
	if sc.strict {
		sc.add(start, end, apiKey)
		return
	}
	const longest = 512
	if len(v) > longest || anyHex.only(strings.TrimPrefix(v, "0x")) {
		return
	}
	segment := sc.isSegment(start, end)
	if !segment && sc.isPart(start, end) || sc.saysHash(start, end) || sc.isWrapped(start, end) ||
		!random(v, 3) || hasDigest(v) || isMangled(v) {
		return
	}
	padded := end < len(s) && s[end] == '='
	if manyKinds(v) && entropy(v) >= 4.2 && !padded || !segment && sc.hasContext(start) {
		sc.add(start, end, apiKey)
	}
}

// hasDigest reports whether a hash is a part of v, as in cache-key-HASH.
func hasDigest(v string) bool {
	for i := 0; i < len(v); i++ {
		end := alnum.run(v, i, len(v))
		if isDigest(v[i:end]) {
			return true
		}
		i = end
	}
	return false
}

// isSegment reports whether s[start:end] is a segment of the path of a URL, and
// not what names a document there.
func (sc *scanner) isSegment(start, end int) bool {
	s := sc.s
	if start == 0 || s[start-1] != '/' || end < len(s) && (s[end] == '+' || s[end] == '(') {
		return false
	}
	_, before, ok := strings.Cut(s[tokenChars.runBack(s, start, 256):start], "://")
	for _, host := range [...]string{"docs.google.com", "drive.google.com", "googleusercontent.com"} {
		ok = ok && !strings.Contains(before, host)
	}
	return ok
}

// isPart reports whether s[start:end] is part of a path or of Base64.
func (sc *scanner) isPart(start, end int) bool {
	s := sc.s
	return start > 0 && slash.has(s[start-1]) || end < len(s) && (slash.has(s[end]) || s[end] == '(')
}

// saysHash reports whether s[start:end] or what stands before it says that it is
// a hash.
func (sc *scanner) saysHash(start, end int) bool {
	s := sc.s
	before := s[max(0, start-len("sha512: \"")):start]
	for _, hash := range [...]string{"sha1", "sha2", "sha3", "sha5", "sha-", "md5", "h1:", "r1:"} {
		if containsFold(before, hash) {
			return true
		}
	}
	return isHashed(s[start:end])
}

// isWrapped reports whether s[start:end] is a line of Base64 that goes on on the
// next line or comes from the line before.
func (sc *scanner) isWrapped(start, end int) bool {
	const decoration = quote | blank | equals | slash | special
	s := sc.s
	next := newline.run(s, decoration.run(s, end, 4), 2)
	next = decoration.run(s, next, 16)
	if strings.ContainsAny(s[end:next], "\r\n") && base64Chars.run(s, next, 16)-next == 16 {
		return true
	}
	previous := decoration.runBack(s, start, 16)
	previous = decoration.runBack(s, newline.runBack(s, previous, 2), 4)
	return strings.ContainsAny(s[previous:start], "\r\n") && previous-base64Chars.runBack(s, previous, longRun) == longRun
}

// isMangled reports whether v is a compiler's name or a public SSH key.
func isMangled(v string) bool {
	return strings.HasPrefix(v, "_Z") || strings.HasPrefix(v, "__Z") || strings.HasPrefix(v, "_R") || strings.HasPrefix(v, "AAAA")
}

// hasContext reports whether a word such as key and an = : or " stand before
// start on its line.
func (sc *scanner) hasContext(start int) bool {
	before := sc.s[max(0, start-80):start]
	if i := strings.LastIndexAny(before, "\r\n"); i >= 0 {
		before = before[i+1:]
	}
	if i := strings.LastIndex(before, opening); i >= 0 { // its colon is none of the text's
		_, before, _ = strings.Cut(before[i:], "]")
	}
	i := strings.LastIndexAny(before, `=:"`)
	if i < 0 {
		return false
	}
	for _, w := range [...]string{"key", "token", "secret", "auth", "credential"} {
		if containsFold(before[:i], w) {
			return true
		}
	}
	return false
}
