package signatures

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// This file finds the lines that failures are looked for in. It is what most
// of an output meets, so it looks at every second place only, at three bytes
// at once, in one table.

// keywords are the strings one of which is in every line that tells of a
// failure. They are at least four bytes long and in folded form; at is where
// in them two overlapping groups of three bytes begin that are rare in text
// without failures: one of the two begins at an even offset of the text.
var keywords = [...]struct {
	text string
	at   int
}{
	{"error", 0}, {"err ", 0}, {"err!", 0}, {"err]", 0}, {"err:", 0}, {"err;", 0}, // with an escape for the semicolon
	{"fail", 0}, {"panic", 1}, {"fatal", 0}, {"xception", 0}, {"traceback", 3}, {"critical", 0},
	{"not ok", 2}, {"killed", 0}, {"segmentation", 0}, {"core dumped", 5}, {"abort", 0}, {"exit", 0},
	{"undefined reference", 1}, {".go:", 0}, {"such file", 0}, {"command not", 1}, {"denied", 0}, {" *** ", 1},
	{"\xe2\xbc\xb5 ", 0}, {"\xe2\xbc\xb5;", 0}, {"\xe2\xbc\xb6 ", 0}, {"\xe2\xbc\xb6;", 0}, // ✕ ✖
	{"\xe2\xbc\xb7 ", 0}, {"\xe2\xbc\xb7;", 0}, {"\xe2\xbc\xb8 ", 0}, {"\xe2\xbc\xb8;", 0}, // ✗ ✘
	{" \xe3\xb7 ", 0}, {" \xe3\xb7;", 0}, {"m\xe3\xb7 ", 0}, {"m\xe3\xb7;", 0}, // ×
	{"\xe2\xbd\xac ", 0}, {"\xe2\xb7\xaf ", 0}, {"\xe2\xb7\xaf;", 0}, // ❌ ●
}

// foldBits turns letters into lower case, and other bytes into some byte.
const foldBits = 0x20

// keywordBuckets has, by the hash of three folded bytes, one more than the
// index of the first keyword with that hash at one of its two places, and
// keywordNext the same of the next.
var keywordBuckets, keywordNext = func() (buckets [1 << bucketBits]uint8, next [2 * len(keywords)]uint8) {
	for i, keyword := range keywords {
		for shift := range 2 {
			group := keyword.text[keyword.at+shift:]
			hash := groupHash(uint64(group[0]) | uint64(group[1])<<8 | uint64(group[2])<<16)
			next[2*i+shift] = buckets[hash]
			buckets[hash] = uint8(2*i + shift + 1)
		}
	}
	return buckets, next
}()

// keywordStarts has the first four bytes of each keyword.
var keywordStarts = func() (starts [len(keywords)]uint32) {
	for i, keyword := range keywords {
		starts[i] = binary.LittleEndian.Uint32([]byte(keyword.text))
	}
	return starts
}()

const bucketBits = 13

func groupHash(group uint64) uint64 {
	return group & 0xffffff * 0x9e3779b1 >> 16 & (1<<bucketBits - 1)
}

// nextKeyword returns an offset in the first keyword in p, -1 if there is none.
func nextKeyword(p []byte) int {
	const folded = foldBits * 0x0101010101010101
	i := 0
	for ; i+16 <= len(p); i += 12 {
		v := binary.LittleEndian.Uint64(p[i:]) | folded
		w := binary.LittleEndian.Uint64(p[i+6:]) | folded
		a := keywordBuckets[groupHash(v)]
		b := keywordBuckets[groupHash(v>>16)]
		c := keywordBuckets[groupHash(v>>32)]
		d := keywordBuckets[groupHash(w)]
		e := keywordBuckets[groupHash(w>>16)]
		f := keywordBuckets[groupHash(w>>32)]
		if a|b|c|d|e|f == 0 {
			continue
		}
		for k, bucket := range [...]uint8{a, b, c, d, e, f} {
			if bucket != 0 && isKeyword(p, i+2*k, bucket) {
				return i + 2*k
			}
		}
	}
	for ; i+3 <= len(p); i++ {
		v := uint64(p[i]) | uint64(p[i+1])<<8 | uint64(p[i+2])<<16 | foldBits*0x010101
		if isKeyword(p, i, keywordBuckets[groupHash(v)]) {
			return i
		}
	}
	return -1
}

// isKeyword reports whether the bytes at i are the group of one of the
// keywords of a bucket, with the rest of it around.
func isKeyword(p []byte, i int, bucket uint8) bool {
	for ; bucket != 0; bucket = keywordNext[bucket-1] {
		n := (bucket - 1) / 2
		keyword := &keywords[n]
		start := i - keyword.at - int(bucket-1)%2
		end := start + len(keyword.text)
		if start < 0 || end > len(p) || binary.LittleEndian.Uint32(p[start:])|foldBits*0x01010101 != keywordStarts[n] {
			continue
		}
		if equalFolded(p[start+4:], keyword.text[4:]) && mayCount(keyword.text, p[:start], p[start:end], p[end:]) {
			return true
		}
	}
	return false
}

func equalFolded(p []byte, folded string) bool {
	for i := range len(folded) {
		if p[i]|foldBits != folded[i] {
			return false
		}
	}
	return true
}

// mayCount rules out the most frequent harmless uses of a keyword, which is
// written as word between before and rest.
func mayCount(keyword string, before, word, rest []byte) bool {
	switch keyword {
	case "err ": // not "if err != nil"
		return len(rest) == 0 || strings.IndexByte("!=:", rest[0]) < 0
	case ".go:": // "x.go:3:5: " of the compiler, "x.go:3] " of a log
		n := leadingDigits(rest)
		if n == 0 || n == len(rest) || rest[n] != ':' {
			return n > 0 && n < len(rest) && rest[n] == ']'
		}
		rest = rest[n+1:]
		n = leadingDigits(rest)
		return n > 0 && n+1 < len(rest) && rest[n] == ':' && rest[n+1] == ' '
	case "error":
		if len(rest) > 0 && rest[0]|foldBits == 's' {
			rest = rest[1:]
		}
		if len(rest) > 1 && rest[0] == ' ' && 'a' <= rest[1] && rest[1] <= 'z' && word[0] == 'e' {
			return mayCountInProse(before, rest)
		}
		if len(rest) == 0 {
			return true
		}
		return !isWord(rest[0]) && rest[0] != '(' && (rest[0] != '.' || len(rest) == 1 || !isWord(rest[1]))
	case "exit":
		return len(rest) > 0 && (rest[0] == ' ' || rest[0]|foldBits == 'e')
	}
	return true
}

// mayCountInProse is mayCount for "error" in lower case before a space and a
// word in lower case. It counts as the value of a key, after a number, and in a
// few phrases.
func mayCountInProse(before, rest []byte) bool {
	last := bytes.TrimRight(before, " ")
	if len(last) == 0 {
		return false
	}
	c := last[len(last)-1]
	if c == '\n' || c == '\r' {
		return false
	}
	if len(last) == len(before) {
		return !isWord(c)
	}
	return isDigit(c) || c == ':' || c == '=' || c == '"' || c == '\'' ||
		bytes.HasSuffix(last, []byte("npm")) || hasSuffixFolded(view(last), "syntax") || bytes.HasPrefix(rest, []byte(" occurred"))
}

func leadingDigits(p []byte) int {
	n := 0
	for n < len(p) && isDigit(p[n]) {
		n++
	}
	return n
}
