package redact

import (
	"strings"
)

// This file matches what starts with its keyword.

// at looks for a secret that hangs on the keyword k at p. It reports whether it
// is done with p.
func (sc *scanner) at(k *keyword, p int) bool {
	switch k.kind {
	case tokenKind:
		return sc.token(&tokens[k.rule], k, p)
	case serviceKind:
		return sc.mayAssign(p+len(k.text)) && sc.service(&services[k.rule], p, p+len(k.text))
	case nameKind:
		return sc.mayAssign(p+len(k.text)) && sc.name(p, p+len(k.text))
	case passwordKind:
		return sc.password(p, p+len(k.text))
	case urlKind:
		return sc.url(p)
	case pemKind:
		return sc.pem(p)
	case bearerKind:
		return sc.bearer(p, p+len(k.text))
	case basicKind:
		return sc.basic(p, p+len(k.text))
	case insideKind:
		return sc.inside(k.text, p)
	case placeholderKind:
		return sc.skipPlaceholder(p)
	case curlKind:
		return sc.curl(p)
	case netrcKind:
		return sc.netrc(p)
	case kubernetesKind:
		return sc.kubernetes(p)
	case jwtKind:
		return sc.jwt(p)
	}
	return false
}

// startsWord reports whether no letter or digit stands before p, but for that
// of an escape such as \n.
func (sc *scanner) startsWord(p int) bool {
	if p == 0 || !alnum.has(sc.s[p-1]) {
		return true
	}
	return p >= 2 && sc.s[p-2] == '\\' && strings.IndexByte("nrt", sc.s[p-1]) >= 0
}

func (sc *scanner) token(t *token, k *keyword, p int) bool {
	s := sc.s
	body := p + len(k.text)
	if !sc.startsWord(p) || k.bare && (s[p:body] != k.text || p > 0 && slash.has(s[p-1])) {
		return false
	}
	if t.first != "" {
		body--
	}
	least := t.body.run(s, body, t.min)
	if least-body < t.min || entropy(s[body:least]) < max(t.entropy, 2) || t.entropy > 3 && !random(s[body:least], 3) {
		return false
	}
	end := t.body.run(s, least, ahead/2)
	return sc.add(p, trimEnd(s, least, end), t.kind)
}

// trimEnd moves end back over a full stop or comma that ends a sentence, not
// beyond min.
func trimEnd(s string, min, end int) int {
	for end > min && s[end-1] == '.' {
		end--
	}
	return end
}

// jwt matches a JSON Web Token: two parts that start as Base64 of JSON objects
// do and a signature, or an encrypted one of five parts.
func (sc *scanner) jwt(p int) bool {
	if !sc.startsWord(p) || sc.s[p:p+3] != "eyJ" {
		return false
	}
	s := sc.s
	const longest = ahead / 8
	header := p + strings.IndexByte(s[p:min(len(s), p+longest)], '.')
	if header < p || p < sc.gap && sc.gap < header {
		return false
	}
	payload := urlSafe.run(s, header+1, ahead/2)
	if payload == len(s) || s[payload] != '.' {
		return false
	}
	if gap := urlSafe.run(s, p, longest); gap < header {
		sc.gap = gap
		return false
	}
	end := (urlSafe | dot | equals).run(s, payload+1, ahead/4)
	signed := strings.HasPrefix(s[header+1:payload], "ey") && payload-header > 3
	if !signed && strings.Count(s[payload:end], ".") < 3 {
		return false
	}
	if end == payload+1 && payload-p < longRun {
		return false
	}
	return sc.add(p, trimEnd(s, payload+1, end), jsonWebToken)
}

// inside matches a token that is known by a mark inside or at its end.
func (sc *scanner) inside(mark string, p int) bool {
	s := sc.s
	chars, least := urlSafe, 0
	switch mark {
	case "atlasv1":
		chars, least = urlSafe|dot|equals, 80
	case "_mmk":
		chars, least = word, 40
	case "t3blbkfj":
		least = 48
	default: // 1Q~
		chars, least = urlSafe|dot|tilde, 37
		if s[p+1] != 'Q' {
			return false
		}
	}
	start := chars.runBack(s, p, 64)
	end := chars.run(s, p, 4*least)
	if start < sc.last && sc.last <= p {
		start = sc.last
	}
	if mark[1:] == "q~" && p-start != 3 {
		return false
	}
	if end-start < least || end-start > 300 || entropy(s[start:end]) < 3 {
		return false
	}
	kind := apiKey
	switch {
	case mark == "t3blbkfj":
		kind = openAIKey
	case mark[1:] == "q~":
		kind = azureSecret
	}
	return sc.add(start, end, kind)
}

// skipPlaceholder steps over a placeholder with its padding.
func (sc *scanner) skipPlaceholder(p int) bool {
	s := sc.s
	if !strings.HasPrefix(s[p:], opening) {
		return false
	}
	end := (digit | upper | underscore).run(s, p+len(opening), ahead/2)
	if end == len(s) || s[end] != ']' {
		return false
	}
	for end++; end < len(s) && end-p < ahead && s[end] == '*'; {
		end++
	}
	sc.placeholder, sc.last = end, max(sc.last, end)
	return true
}

// pem matches a private key from its BEGIN line to its END line, which may be
// joined by escaped line breaks. If the END line is missing, the key ends with
// the last line that looks like part of it.
func (sc *scanner) pem(p int) bool {
	const dashes = "-----"
	s := sc.s
	start := p - len(dashes)
	if start < 0 || s[start:p] != dashes || s[p:p+5] != "BEGIN" {
		return false
	}
	label := (upper | digit | blank | underscore).run(s, p, 100)
	if !strings.Contains(s[p:label], "PRIVATE KEY") || !strings.HasPrefix(s[label:], dashes) {
		return false
	}
	body := label + len(dashes)
	window := s[body:min(len(s), body+ahead/2)]
	i := strings.Index(window, dashes)
	if i >= 0 && strings.HasPrefix(window[i+len(dashes):], "END") {
		if !hasLongRun(window[:i]) {
			return false // a marker in a program that reads keys
		}
		end := (upper | digit | blank | underscore).run(s, body+i+len(dashes), 100)
		for j := 0; j < len(dashes) && end < len(s) && s[end] == '-'; j++ {
			end++
		}
		return sc.add(start, end, privateKey)
	}
	if i >= 0 {
		window = window[:i]
	}
	end := pemBody(s, body, body+len(window))
	return end > body && sc.add(start, end, privateKey)
}

// hasLongRun reports whether s has Base64 of the length of a short key.
func hasLongRun(s string) bool {
	for i := 0; i < len(s); i++ {
		end := base64Chars.run(s, i, len(s))
		if end-i >= 6 && used(s[i:end])&(upper|digit) != 0 {
			return true
		}
		i = end
	}
	return false
}

// pemBody returns the end of the lines at i that look like the inside of a PEM
// block.
func pemBody(s string, i, limit int) int {
	end := i
	for i < limit {
		stop := (base64Chars | quote | blank | colon | hyphen).run(s, i, limit-i)
		line := strings.Trim(s[i:stop], " \t\"'`")
		switch {
		case strings.HasPrefix(s[stop:limit], `\n`), strings.HasPrefix(s[stop:limit], `\r`):
			end, i = stop, stop+2
			if line == "" {
				continue
			}
			continue
		case stop < limit && !newline.has(s[stop]):
			return end
		}
		if line != "" {
			if len(line) < 16 || strings.Contains(line, " ") && !strings.Contains(line, ": ") {
				return end
			}
			end = stop
		}
		for i = stop; i < limit && newline.has(s[i]); i++ {
		}
		if i == stop {
			return end
		}
	}
	return end
}

// bearer matches the token behind the scheme of an Authorization header.
func (sc *scanner) bearer(p, i int) bool {
	s := sc.s
	if !sc.startsWord(p) {
		return false
	}
	if s[p]|0x20 == 't' && !sc.authorization(p) {
		return false
	}
	i = blank.run(s, i, 4)
	end := trimEnd(s, i, tokenChars.run(s, i, ahead/4))
	v := s[i:end]
	if len(v) < 8 || strings.Contains(v, "://") || wordy(v) && used(v)&digit == 0 || used(v)&^(hyphen|dot|special|slash|equals|colon) == 0 {
		return false
	}
	if !sc.authorization(p) && (used(v)&digit == 0 || len(v) < 16) {
		return false
	}
	if entropy(v) < 2 {
		return false
	}
	return sc.addNamed(i, end, bearerToken)
}

// authorization reports whether an Authorization header's name stands
// directly before p.
func (sc *scanner) authorization(p int) bool {
	const name = "authorization"
	s := sc.s
	for start := max(0, p-40); p > start && (blank.has(s[p-1]) || strings.IndexByte("\"'`=>:,\\", s[p-1]) >= 0); {
		p--
	}
	return p >= len(name) && strings.EqualFold(s[p-len(name):p], name)
}

// basic matches the credentials of basic authentication: user:password in
// Base64.
func (sc *scanner) basic(p, i int) bool {
	if !sc.startsWord(p) {
		return false
	}
	i = blank.run(sc.s, i, 4)
	end := (base64Chars | urlSafe).run(sc.s, i, ahead/4)
	if end-i < 8 || !sc.authorization(p) && !basicCredentials(sc.s[i:end]) {
		return false
	}
	return sc.add(i, end, basicAuth)
}
