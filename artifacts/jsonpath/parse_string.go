package jsonpath

import "unicode/utf8"

// quoted reads a string in single or double quotes.
func (p *parser) quoted() (string, error) {
	start := p.offset
	quote := p.peek()
	p.offset++
	var out []byte
	for p.offset < len(p.text) {
		switch c := p.peek(); {
		case c == quote:
			p.offset++
			return string(out), nil
		case c < ' ':
			return "", p.errorf("control characters in strings must be escaped")
		case c == '\\':
			r, err := p.escape(quote)
			if err != nil {
				return "", err
			}
			out = utf8.AppendRune(out, r)
		default:
			out = append(out, c)
			p.offset++
		}
	}
	return "", p.errorAt(start, "the string has no closing %c", quote)
}

// escape reads a backslash and what it escapes.
func (p *parser) escape(quote byte) (rune, error) {
	start := p.offset
	p.offset++
	c := p.peek()
	p.offset++
	switch c {
	case quote, '/', '\\':
		return rune(c), nil
	case 'b', 'f', 'n', 'r', 't':
		return rune(escaped(c)), nil
	case 'u':
		return p.unicodeEscape(start)
	}
	p.offset = start
	return 0, p.errorf(`expected an escape: \b \f \n \r \t \/ \\ \%c or \u with four hexadecimal digits`, quote)
}

// unicodeEscape reads the digits behind \u, and a second escape where the first
// is half of a surrogate pair.
func (p *parser) unicodeEscape(start int) (rune, error) {
	unit := p.codeUnit()
	switch {
	case unit < 0:
		return 0, p.errorAt(start, `expected four hexadecimal digits after \u`)
	case isHigh(unit) && p.take(`\u`):
		if low := p.codeUnit(); isLow(low) {
			return 0x10000 + (unit-0xD800)<<10 + (low - 0xDC00), nil
		}
	}
	if isHigh(unit) || isLow(unit) {
		return 0, p.errorAt(start, "a surrogate must be one half of a pair")
	}
	return unit, nil
}

func (p *parser) codeUnit() rune {
	unit := codeUnit([]byte(p.text[p.offset:]))
	if unit >= 0 {
		p.offset += 4
	}
	return unit
}
