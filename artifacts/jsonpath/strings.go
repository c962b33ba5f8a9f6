package jsonpath

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// unescape returns what the text between the quotes of a JSON string says. A
// lone surrogate becomes three bytes as its code point would have in UTF-8, so
// that strings compare by code points and none equals another.
func unescape(inner []byte) []byte {
	i := bytes.IndexByte(inner, '\\')
	if i < 0 {
		return inner
	}
	out := make([]byte, i, len(inner))
	copy(out, inner)
	for i < len(inner) {
		if inner[i] != '\\' {
			out = append(out, inner[i])
			i++
			continue
		}
		if inner[i+1] != 'u' {
			out = append(out, escaped(inner[i+1]))
			i += 2
			continue
		}
		unit := codeUnit(inner[i+2:])
		i += 6
		if isHigh(unit) && i+6 <= len(inner) && inner[i] == '\\' && inner[i+1] == 'u' {
			if low := codeUnit(inner[i+2:]); isLow(low) {
				unit = 0x10000 + (unit-0xD800)<<10 + (low - 0xDC00)
				i += 6
			}
		}
		out = appendCodePoint(out, unit)
	}
	return out
}

func escaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

func isHigh(unit rune) bool { return 0xD800 <= unit && unit < 0xDC00 }
func isLow(unit rune) bool  { return 0xDC00 <= unit && unit < 0xE000 }

// codeUnit reads four hexadecimal digits, and returns -1 if they are not there.
func codeUnit(digits []byte) rune {
	if len(digits) < 4 {
		return -1
	}
	unit, err := strconv.ParseUint(string(digits[:4]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(unit)
}

func appendCodePoint(out []byte, r rune) []byte {
	if isHigh(r) || isLow(r) {
		return append(out, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(out, r)
}

// codePoints counts the code points of an unescaped string.
func codePoints(s []byte) int64 {
	count := int64(0)
	for _, c := range s {
		if c&0xC0 != 0x80 {
			count++
		}
	}
	return count
}
