package redact

import "math"

// An alphabet is a set of character classes.
type alphabet uint32

const (
	lowerHex alphabet = 1 << iota // a-f
	lower                         // a-z
	upperHex                      // A-F
	upper                         // A-Z
	digit
	underscore
	hyphen
	dot
	slash // and +: the rest of base64
	equals
	tilde
	colon
	special  // %, | and @
	blank    // space and tab
	newline  // LF and CR
	quote    // ", ' and `
	relation // , > ! ?

	hexDigits   = digit | lowerHex
	anyHex      = hexDigits | upperHex
	letters     = lower | upper
	alnum       = letters | digit
	word        = alnum | underscore
	urlSafe     = word | hyphen
	base64Chars = alnum | slash | equals
	nameChars   = urlSafe | dot
	tokenChars  = nameChars | slash | equals | tilde | colon | special
	space       = blank | newline
)

var classes = func() (t [256]alphabet) {
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = lower, upper
	}
	for c := 'a'; c <= 'f'; c++ {
		t[c], t[c-'a'+'A'] = lower|lowerHex, upper|upperHex
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = digit
	}
	for c, a := range map[byte]alphabet{
		'_': underscore, '-': hyphen, '.': dot, '/': slash, '+': slash, '=': equals,
		'~': tilde, ':': colon, '%': special, '|': special, '@': special, ' ': blank, '\t': blank,
		'\n': newline, '\r': newline, '"': quote, '\'': quote, '`': quote,
		',': relation, '>': relation, '!': relation, '?': relation,
	} {
		t[c] = a
	}
	return t
}()

func (a alphabet) has(c byte) bool { return classes[c]&a != 0 }

// run returns the end of the run of a in s that starts at i and is cut off at
// limit bytes.
func (a alphabet) run(s string, i, limit int) int {
	end := min(len(s), i+limit)
	for i < end && classes[s[i]]&a != 0 {
		i++
	}
	return i
}

// runBack returns the start of the run of a in s that ends at i and is cut off
// at limit bytes.
func (a alphabet) runBack(s string, i, limit int) int {
	end := max(0, i-limit)
	for i > end && classes[s[i-1]]&a != 0 {
		i--
	}
	return i
}

// only reports whether s has nothing but characters of a.
func (a alphabet) only(s string) bool { return a.run(s, 0, len(s)) == len(s) }

// used returns the classes of the characters of s.
func used(s string) (a alphabet) {
	for i := range len(s) {
		a |= classes[s[i]]
	}
	return a
}

// nLogN[n] is n times the binary logarithm of n.
var nLogN = func() (t [256]float64) {
	for n := 2; n < len(t); n++ {
		t[n] = float64(n) * math.Log2(float64(n))
	}
	return t
}()

// entropy returns the Shannon entropy of the first 255 bytes of s, in bits per
// byte.
func entropy(s string) float64 {
	if s == "" {
		return 0
	}
	var counts [256]uint8
	s = s[:min(len(s), 255)]
	for i := range len(s) {
		counts[s[i]]++
	}
	sum := 0.0
	for i := range len(s) {
		sum += nLogN[counts[s[i]]]
		counts[s[i]] = 0
	}
	n := len(s)
	return (nLogN[n] - sum) / float64(n)
}

// bigrams holds, for each first letter, the letters that often follow it in
// English words and in names in programs.
var bigrams = [26]uint32{}

func init() {
	for i, follow := range [26]string{
		"bcdgilmnprstuvy", "aeiloruys", "aehiklorstu", "adeiorsu", "acdefglmnprstvxy", "aefiloru",
		"aehilnoru", "aeiort", "acdeflmnorstvzg", "aeou", "eisy", "aeiloudst", "aeiopubm", "acdegiklostu",
		"abcdfklmnoprstuvwi", "aehiloprstu", "u", "acdegimnorstuvy", "acehiklmopqstu", "aehiorstuy",
		"abcdeilmnprst", "aeio", "aehion", "aceipt", "eopts", "eo",
	} {
		for _, c := range follow {
			bigrams[i] |= 1 << (c - 'a')
		}
	}
}

// wordy reports whether s reads as words: most of its pairs of letters are
// frequent ones, and there are enough letters to tell.
func wordy(s string) bool {
	pairs, frequent, total, numbers, groups := 0, 0, 0, 0, 0
	previous := byte(0xff)
	for i := range len(s) {
		c := s[i] | 0x20 - 'a'
		if c >= 26 {
			if digit.has(s[i]) {
				numbers++
				if i == 0 || !digit.has(s[i-1]) {
					groups++
				}
			}
			previous = 0xff
			continue
		}
		total++
		if previous != 0xff {
			pairs++
			frequent += int(bigrams[previous] >> c & 1)
		}
		previous = c
	}
	return (groups <= 2 && total >= 2*numbers || total >= 4*numbers) && 100*frequent >= 62*pairs
}

// random reports whether s looks made by a random generator: letters and
// digits in no order, and none that reads as words.
func random(s string, bits float64) bool {
	a := used(s)
	return a&digit != 0 && a&letters != 0 && !wordy(s) && !ascending(s) && entropy(s) >= bits
}

// ascending reports whether most characters of s follow the one before them in
// the alphabet.
func ascending(s string) bool {
	n := 0
	for i := 1; i < len(s); i++ {
		if s[i] == s[i-1]+1 {
			n++
		}
	}
	return 2*n > len(s)
}

// manyKinds reports whether s has small letters, capitals and digits as a
// random text of its length has, and few words.
func manyKinds(s string) bool {
	small, capital, number, separators, inWords := 0, 0, 0, 0, 0
	for i, word := 0, 0; i < len(s); i++ {
		a := classes[s[i]]
		if a&lower == 0 {
			word = 0
		}
		switch {
		case a&lower != 0:
			small++
			word++
			if word == 4 {
				inWords += word
			} else if word > 4 {
				inWords++
			}
		case a&upper != 0:
			capital++
		case a&digit != 0:
			number++
		default:
			separators++
		}
	}
	return small >= 4 && capital >= 4 && number >= 2 && 12*separators < len(s) && 3*inWords < len(s)
}
