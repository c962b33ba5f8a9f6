package truncation

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/acode-ls/acode-ls/internal/text"
)

// sampleSize is how many bytes of a text IsBinary looks at.
const sampleSize = 64 << 10

// IsBinary reports whether s is not worth showing as text: it has the byte
// order mark of UTF-16 or UTF-32, or more than a tenth of the characters in its
// first 64 KiB are control characters or bytes that are not UTF-8. BEL, BS, TAB,
// LF, VT, FF, CR and ESC do not count: text made for terminals has them.
func IsBinary(s string) bool {
	for _, bom := range []string{"\xff\xfe", "\xfe\xff", "\x00\x00\xfe\xff"} {
		if strings.HasPrefix(s, bom) {
			return true
		}
	}
	s = s[:min(len(s), sampleSize)]
	if most := atMostOdd(s); most*11 <= len(s) { // a tenth of the characters, which are len(s)-most at least
		return false
	}
	characters, odd := 0, 0
	for i := 0; i < len(s); characters++ {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case '\a' <= r && r <= '\r' || r == '\x1b':
		case unicode.IsControl(r), r == utf8.RuneError && size == 1:
			odd++
		}
		i += size
	}
	return odd*10 > characters
}

// atMostOdd counts the bytes of s that may belong to something that is odd in a
// text: all but the ASCII characters that are printed and the usual controls.
func atMostOdd(s string) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	n := 0
	for ; len(s) >= 8; s = s[8:] {
		w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		low := w | high // so that nothing is borrowed from the next byte
		printed := low - ' '*ones
		usual := (low - '\a'*ones) &^ (low - ('\r'+1)*ones)
		del := w&^high + ones
		n += bits.OnesCount64((w | ^(printed | usual) | del) & high)
	}
	for i := range len(s) {
		if c := s[i]; c < ' ' && (c < '\a' || '\r' < c) || c > '~' {
			n++
		}
	}
	return n
}

// Sanitize returns the text of l fit to be shown: U+2400 for each NUL and
// U+FFFD for each byte that is not UTF-8, which changes neither the number of
// characters nor that of lines. It also returns which lines it altered: whoever
// sees the result has not seen those.
func Sanitize(l text.Lines) (clean string, altered []Range) {
	if isClean(l.Text()) {
		return l.Text(), nil
	}
	var b strings.Builder
	b.Grow(len(l.Text()) + len(l.Text())/8)
	for n := 1; n <= l.Len(); n++ {
		line := l.Full(n)
		if isClean(line) {
			b.WriteString(line)
			continue
		}
		writeClean(&b, line)
		if last := len(altered) - 1; last >= 0 && altered[last].Last == n-1 {
			altered[last].Last = n
		} else {
			altered = append(altered, Range{n, n})
		}
	}
	return b.String(), altered
}

func isClean(s string) bool { return strings.IndexByte(s, 0) < 0 && utf8.ValidString(s) }

func writeClean(b *strings.Builder, s string) {
	for _, r := range s { // yields U+FFFD for each byte that is not UTF-8
		if r == 0 {
			r = '␀'
		}
		b.WriteRune(r)
	}
}
