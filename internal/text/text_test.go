package text_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/text"
)

// long is a line that is searched for its end.
var long = strings.Repeat("x", 300)

var splits = []struct {
	text       string
	lines      []string // with terminators
	eol        string
	terminated bool
}{
	{"", nil, "", true},
	{"\n", []string{"\n"}, "\n", true},
	{"\r", []string{"\r"}, "\r", true},
	{"\r\n", []string{"\r\n"}, "\r\n", true},
	{"\n\r", []string{"\n", "\r"}, "", true},
	{"a", []string{"a"}, "", false},
	{"a\n", []string{"a\n"}, "\n", true},
	{"a\nb", []string{"a\n", "b"}, "\n", false},
	{"a\n\n", []string{"a\n", "\n"}, "\n", true},
	{"a\r\nb\r\n", []string{"a\r\n", "b\r\n"}, "\r\n", true},
	{"a\rb\rc", []string{"a\r", "b\r", "c"}, "\r", false},
	{"a\r\r\nb", []string{"a\r", "\r\n", "b"}, "", false},
	{"a\r\n\nb", []string{"a\r\n", "\n", "b"}, "", false},
	{"a\nb\r\nc\rd", []string{"a\n", "b\r\n", "c\r", "d"}, "", false},
	{"a\vb\fc\u0085d\u2028e\u2029f\x1cg", []string{"a\vb\fc\u0085d\u2028e\u2029f\x1cg"}, "", false},
	{"\xff\n\x80\r\xc3", []string{"\xff\n", "\x80\r", "\xc3"}, "", false},
	{"世\n界\n", []string{"世\n", "界\n"}, "\n", true},
	{long + "\n" + long, []string{long + "\n", long}, "\n", false},
	{long + long, []string{long + long}, "", false},
}

// slowLines splits text one byte at a time.
func slowLines(s string) []string {
	var lines []string
	start := 0
	for i := 0; i < len(s); i++ {
		if s[i] == '\n' || s[i] == '\r' {
			if s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n' {
				i++
			}
			lines = append(lines, s[start:i+1])
			start = i + 1
		}
	}
	if start < len(s) {
		lines = append(lines, s[start:])
	}
	return lines
}

// checkLines compares every method of l that takes a line or an offset with
// what the list of lines implies.
func checkLines(t *testing.T, l text.Lines, want []string) {
	t.Helper()
	s := strings.Join(want, "")
	if l.Text() != s {
		t.Fatalf("Split(%q).Text() = %q", s, l.Text())
	}
	var got []string
	for n := 1; n <= l.Len(); n++ {
		got = append(got, l.Full(n))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("lines of %q (-want +got):\n%s", s, diff)
	}
	offset := 0
	for i, full := range want {
		n := i + 1
		if l.Start(n) != offset {
			t.Errorf("Split(%q).Start(%d) = %d, want %d", s, n, l.Start(n), offset)
		}
		if line := strings.TrimRight(full, "\r\n"); l.Line(n) != line {
			t.Errorf("Split(%q).Line(%d) = %q, want %q", s, n, l.Line(n), line)
		}
		if l.Span(1, n-1) != s[:offset] || l.Span(n, len(want)) != s[offset:] || l.Span(n, n) != full {
			t.Errorf("Split(%q).Span wrong around line %d", s, n)
		}
		for o := offset; o < offset+len(full); o++ {
			if l.LineAt(o) != n {
				t.Errorf("Split(%q).LineAt(%d) = %d, want %d", s, o, l.LineAt(o), n)
			}
		}
		offset += len(full)
	}
	if l.Start(len(want)+1) != len(s) {
		t.Errorf("Split(%q).Start(%d) = %d, want %d", s, len(want)+1, l.Start(len(want)+1), len(s))
	}
	atEnd := len(want) + 1
	if !l.Terminated() {
		atEnd--
	}
	if l.LineAt(len(s)) != atEnd {
		t.Errorf("Split(%q).LineAt(%d) = %d, want %d", s, len(s), l.LineAt(len(s)), atEnd)
	}
}

// slowEOL returns what EOL returns, from the lines themselves.
func slowEOL(lines []string) string {
	eols := map[string]bool{}
	for _, line := range lines {
		if eol := line[len(strings.TrimRight(line, "\r\n")):]; eol != "" {
			eols[eol] = true
		}
	}
	if len(eols) != 1 {
		return ""
	}
	for eol := range eols {
		return eol
	}
	return ""
}

func TestSplit(t *testing.T) {
	for _, tt := range splits {
		l := text.Split(tt.text)
		checkLines(t, l, tt.lines)
		checkLines(t, text.SplitWide(tt.text), tt.lines)
		if l.EOL() != tt.eol {
			t.Errorf("Split(%q).EOL() = %q, want %q", tt.text, l.EOL(), tt.eol)
		}
		if l.Terminated() != tt.terminated {
			t.Errorf("Split(%q).Terminated() = %v, want %v", tt.text, l.Terminated(), tt.terminated)
		}
	}
}

func TestZeroLines(t *testing.T) {
	var l text.Lines
	checkLines(t, l, nil)
	if l.Len() != 0 || !l.Terminated() || l.EOL() != "" {
		t.Errorf("zero Lines: Len %d, Terminated %v, EOL %q, want 0, true, \"\"", l.Len(), l.Terminated(), l.EOL())
	}
	if offset, err := l.Offset(1, 3, text.UTF16); offset != 0 || err != nil {
		t.Errorf("zero Lines: Offset(1, 3) = %d, %v, want 0, nil", offset, err)
	}
}

func TestOutOfRangePanics(t *testing.T) {
	l := text.Split("a\nb")
	for name, call := range map[string]func(){
		"Line(0)":    func() { l.Line(0) },
		"Line(3)":    func() { l.Line(3) },
		"Start(0)":   func() { l.Start(0) },
		"Start(4)":   func() { l.Start(4) },
		"Span(2,0)":  func() { l.Span(2, 0) },
		"Span(1,3)":  func() { l.Span(1, 3) },
		"LineAt(-1)": func() { l.LineAt(-1) },
		"LineAt(4)":  func() { l.LineAt(4) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Errorf("%s did not panic", name)
				}
			}()
			call()
		})
	}
}

// pieces are what randomPieces builds texts of: all kinds of line ends and of
// characters, and the invalid sequences next to the valid ones.
var pieces = []string{
	"\n", "\r", "\r\n", "\v", "\x8a", "\x8d", "\u2028", "\u010a", "\u0d0a", "a", " ", "z\x7f", "\x00",
	"é", "ß", "世", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff", "😀", "\U00010000", "\U0010ffff",
	"\x80", "\xbf", "\xc0", "\xc1\xbf", "\xc2", "\xe0", "\xe0\x9f\xbf", "\xe4\xb8", "\xed", "\xed\xa0\x80",
	"\xf0", "\xf0\x8f\xbf\xbf", "\xf0\x9f\x98", "\xf4", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xf9\x80\x80\x80", "\xff",
	"0123456789012345678901234567890123456789012345678901234567890123456789",
}

// randomPieces returns a text of n pieces.
func randomPieces(r *rand.Rand, n int) string {
	var b strings.Builder
	few := 1 + r.IntN(len(pieces))
	for range n {
		b.WriteString(pieces[(few+r.IntN(few))%len(pieces)])
	}
	return b.String()
}

// TestSplitBlocks covers what only texts longer than a block show.
func TestSplitBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		s := randomPieces(r, r.IntN(200))
		lines := slowLines(s)
		for _, l := range []text.Lines{text.Split(s), text.SplitWide(s)} {
			checkLines(t, l, lines)
			if l.EOL() != slowEOL(lines) {
				t.Errorf("Split(%q).EOL() = %q, want %q", s, l.EOL(), slowEOL(lines))
			}
		}
	}
	for size := range 140 {
		for _, eol := range []string{"\n", "\r", "\r\n"} {
			s := strings.Repeat("x", size) + eol + "y"
			checkLines(t, text.Split(s), slowLines(s))
			s = strings.Repeat(eol, size) + "\n"
			checkLines(t, text.Split(s), slowLines(s))
		}
	}
	s := strings.Repeat("\r", 500) + strings.Repeat("\n", 500)
	checkLines(t, text.Split(s), slowLines(s))
}

func FuzzSplit(f *testing.F) {
	for _, tt := range splits {
		f.Add(tt.text)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 10 {
		f.Add(randomPieces(r, 100))
	}
	f.Fuzz(func(t *testing.T, s string) {
		lines := slowLines(s)
		for _, l := range []text.Lines{text.Split(s), text.SplitWide(s)} {
			checkLines(t, l, lines)
			if l.EOL() != slowEOL(lines) {
				t.Errorf("Split(%q).EOL() = %q, want %q", s, l.EOL(), slowEOL(lines))
			}
		}
	})
}

// randomLines returns a text of size bytes in lines of 0 to 80 characters
// drawn from alphabet.
func randomLines(size int, alphabet []rune, eol string) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for b.Len() < size {
		for range r.IntN(80) {
			b.WriteRune(alphabet[r.IntN(len(alphabet))])
		}
		b.WriteString(eol)
	}
	return b.String()
}

var (
	ascii = []rune("abcdefghijklmnopqrstuvwxyz    (){}=;")
	mixed = append([]rune("äößé世界—“”✓"), []rune(strings.Repeat(string(ascii), 5))...)
	han   = []rune("永和九年歳在癸丑暮春之初會于山陰蘭亭😀")
)
