package text_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/acode-ls/acode-ls/internal/text"
)

var encodings = []text.Encoding{text.UTF8, text.UTF16, text.UTF32}

var offsets = []struct {
	text      string
	line, col int
	enc       text.Encoding
	want      int // byte offset, or -1 for an error
}{
	{"", 1, 0, text.UTF16, 0},
	{"", 1, 9, text.UTF16, 0},
	{"", 2, 0, text.UTF16, -1},
	{"", 0, 0, text.UTF16, -1},
	{"abc", 1, -1, text.UTF16, -1},
	{"abc", 1, 2, text.UTF16, 2},
	{"abc", 1, 3, text.UTF16, 3},
	{"abc", 1, 4, text.UTF16, 3},
	{"abc", 2, 0, text.UTF16, -1},
	{"abc\n", 2, 0, text.UTF16, 4},
	{"abc\n", 2, 7, text.UTF16, 4},
	{"abc\n", 3, 0, text.UTF16, -1},
	{"abc\r\ndef\r\n", 1, 4, text.UTF8, 3},
	{"abc\r\ndef\r\n", 2, 99, text.UTF16, 8},
	{"abc\rdef", 2, 1, text.UTF32, 5},
	{"aé世😀z", 1, 2, text.UTF8, 1},
	{"aé世😀z", 1, 5, text.UTF8, 3},
	{"aé世😀z", 1, 9, text.UTF8, 6},
	{"aé世😀z", 1, 10, text.UTF8, 10},
	{"aé世😀z", 1, 3, text.UTF16, 6},
	{"aé世😀z", 1, 4, text.UTF16, 6},
	{"aé世😀z", 1, 5, text.UTF16, 10},
	{"aé世😀z", 1, 4, text.UTF32, 10},
	{"aé世😀z", 1, 5, text.UTF32, 11},
	{"\xff\xfe世\x80", 1, 2, text.UTF16, 2},
	{"\xff\xfe世\x80", 1, 3, text.UTF16, 5},
	{"\xff\xfe世\x80", 1, 1, text.UTF8, 1},
	{"\xe4\xb8", 1, 1, text.UTF8, 1},
	{"\xe4\xb8", 1, 1, text.UTF32, 1},
	{"\xed\xa0\x80", 1, 2, text.UTF16, 2}, // an encoded surrogate is no character
	{"0123456789é0123456789", 1, 11, text.UTF16, 12},
	{"01234567😀01234567", 1, 9, text.UTF16, 8},
}

func TestOffset(t *testing.T) {
	for _, tt := range offsets {
		got, err := text.Split(tt.text).Offset(tt.line, tt.col, tt.enc)
		if err != nil {
			got = -1
		}
		if got != tt.want {
			t.Errorf("Split(%q).Offset(%d, %d, %v) = %d, want %d", tt.text, tt.line, tt.col, tt.enc, got, tt.want)
		}
	}
}

func TestPosition(t *testing.T) {
	tests := []struct {
		text      string
		offset    int
		enc       text.Encoding
		line, col int // 0, 0 for an error
	}{
		{"", 0, text.UTF16, 1, 0},
		{"", 1, text.UTF16, 0, 0},
		{"abc", -1, text.UTF16, 0, 0},
		{"abc", 3, text.UTF16, 1, 3},
		{"abc", 4, text.UTF16, 0, 0},
		{"abc\n", 3, text.UTF16, 1, 3},
		{"abc\n", 4, text.UTF16, 2, 0},
		{"abc\r\nd", 3, text.UTF16, 1, 3},
		{"abc\r\nd", 4, text.UTF16, 1, 3},
		{"abc\r\nd", 5, text.UTF16, 2, 0},
		{"abc\rd", 4, text.UTF8, 2, 0},
		{"aé世😀z", 2, text.UTF8, 1, 1},
		{"aé世😀z", 5, text.UTF16, 1, 2},
		{"aé世😀z", 6, text.UTF16, 1, 3},
		{"aé世😀z", 7, text.UTF16, 1, 3},
		{"aé世😀z", 10, text.UTF16, 1, 5},
		{"aé世😀z", 10, text.UTF32, 1, 4},
		{"\xff\xfe世\x80", 5, text.UTF16, 1, 3},
		{"\xff\xfe世\x80", 6, text.UTF16, 1, 4},
	}
	for _, tt := range tests {
		line, col, err := text.Split(tt.text).Position(tt.offset, tt.enc)
		if line != tt.line || col != tt.col || (err != nil) != (tt.line == 0) {
			t.Errorf("Split(%q).Position(%d, %v) = %d, %d, %v, want %d, %d", tt.text, tt.offset, tt.enc, line, col, err, tt.line, tt.col)
		}
	}
}

func TestCodePoints(t *testing.T) {
	tests := []struct {
		text               string
		utf8, utf16, utf32 int
	}{
		{"", 0, 0, 0},
		{"abc\r\n", 5, 5, 5},
		{"aé世😀z", 11, 6, 5},
		{"e\u0301", 3, 2, 2},
		{"\xff\xfe\x80", 3, 3, 3},
		{"\xf0\x9f\x98", 3, 3, 3},
		{"01234567\xf0\x9f\x9801234567", 19, 19, 19},
		{strings.Repeat("x", 100) + "世" + strings.Repeat("😀", 9), 139, 119, 110},
	}
	for _, tt := range tests {
		for enc, want := range map[text.Encoding]int{text.UTF8: tt.utf8, text.UTF16: tt.utf16, text.UTF32: tt.utf32} {
			if got := text.Columns(tt.text, enc); got != want {
				t.Errorf("Columns(%q, %v) = %d, want %d", tt.text, enc, got, want)
			}
		}
		if got := text.CodePoints(tt.text); got != tt.utf32 {
			t.Errorf("CodePoints(%q) = %d, want %d", tt.text, got, tt.utf32)
		}
	}
}

func TestPrefixSuffix(t *testing.T) {
	tests := []struct {
		text           string
		n              int
		prefix, suffix string
	}{
		{"", 0, "", ""},
		{"", 5, "", ""},
		{"abc", 0, "", ""},
		{"abc", 2, "ab", "bc"},
		{"abc", 9, "abc", "abc"},
		{"世界", 1, "世", "界"},
		{"世界", 2, "世界", "世界"},
		{"世界", 3, "世界", "世界"},
		{"\xff世", 1, "\xff", "世"},
		{"\xff世", 2, "\xff世", "\xff世"},
		{"世\x96", 1, "世", "\x96"},
		{"😀\x9f\x98\x80", 2, "😀\x9f", "\x98\x80"},
		{"01234567é9", 9, "01234567é", "1234567é9"},
	}
	for _, tt := range tests {
		if got := text.Prefix(tt.text, tt.n); got != tt.prefix {
			t.Errorf("Prefix(%q, %d) = %q, want %q", tt.text, tt.n, got, tt.prefix)
		}
		if got := text.Suffix(tt.text, tt.n); got != tt.suffix {
			t.Errorf("Suffix(%q, %d) = %q, want %q", tt.text, tt.n, got, tt.suffix)
		}
	}
}

func TestUnknownEncodingPanics(t *testing.T) {
	for name, call := range map[string]func(){
		"Columns": func() { text.Columns("a", 3) },
		"Offset":  func() { text.Split("abc").Offset(1, 1, 3) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s with an unknown encoding did not panic", name)
				}
			}()
			call()
		}()
	}
}

func TestMapperDoesNotAllocate(t *testing.T) {
	l := text.Split(randomLines(10_000, mixed, "\n"))
	allocs := testing.AllocsPerRun(100, func() {
		line, col, _ := l.Position(5_000, text.UTF16)
		l.Offset(line, col, text.UTF16)
	})
	if allocs != 0 {
		t.Errorf("Position and Offset allocate %v times, want 0", allocs)
	}
}

// slowColumns counts s in enc units with the standard library's encoders.
func slowColumns(s string, enc text.Encoding) int {
	switch enc {
	case text.UTF16:
		return len(utf16.Encode([]rune(s)))
	case text.UTF32:
		return utf8.RuneCountInString(s)
	}
	return len(s)
}

// slowPositions gives, for each offset of line 0 to len(line), the column at
// which the character that holds it starts.
func slowPositions(line string, enc text.Encoding) []int {
	cols := make([]int, 0, len(line)+1)
	col := 0
	for i := 0; i < len(line); {
		_, size := utf8.DecodeRuneInString(line[i:])
		for range size {
			cols = append(cols, col)
		}
		col += slowColumns(line[i:i+size], enc)
		i += size
	}
	return append(cols, col)
}

// TestMapperBlocks covers what only lines longer than a block show.
func TestMapperBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		checkMapper(t, randomPieces(r, r.IntN(300)))
	}
	for size := range 140 {
		for _, s := range []string{"é", "世", "😀", "\xe4\xb8", "\xff"} {
			checkMapper(t, strings.Repeat("x", size)+s+strings.Repeat("y", 70))
			checkMapper(t, strings.Repeat(s, size))
		}
	}
}

func FuzzMapper(f *testing.F) {
	for _, tt := range offsets {
		f.Add(tt.text)
	}
	for _, tt := range splits {
		f.Add(tt.text)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 10 {
		f.Add(randomPieces(r, 100))
	}
	f.Fuzz(checkMapper)
}

// checkMapper compares all of the mapper with slow counting.
func checkMapper(t *testing.T, s string) {
	l := text.Split(s)
	var starts []int // of the characters of s
	for i := range s {
		starts = append(starts, i)
	}
	starts = append(starts, len(s))
	for n := range starts {
		if got, want := text.Prefix(s, n), s[:starts[n]]; got != want {
			t.Errorf("Prefix(%q, %d) = %q, want %q", s, n, got, want)
		}
		if got, want := text.Suffix(s, n), s[starts[len(starts)-1-n]:]; got != want {
			t.Errorf("Suffix(%q, %d) = %q, want %q", s, n, got, want)
		}
	}
	for _, enc := range encodings {
		if got, want := text.Columns(s, enc), slowColumns(s, enc); got != want {
			t.Errorf("Columns(%q, %v) = %d, want %d", s, enc, got, want)
		}
		for n := 1; n <= l.Len(); n++ {
			checkLineColumns(t, l, n, enc)
		}
	}
}

// checkLineColumns compares Position at every offset and Offset at every
// column of line n with slow counting.
func checkLineColumns(t *testing.T, l text.Lines, n int, enc text.Encoding) {
	t.Helper()
	line, start := l.Line(n), l.Start(n)
	cols := slowPositions(line, enc)
	end := cols[len(line)]
	for i := range len(l.Full(n)) {
		want := cols[min(i, len(line))]
		gotLine, gotCol, err := l.Position(start+i, enc)
		if err != nil || gotLine != n || gotCol != want {
			t.Fatalf("Split(%q).Position(%d, %v) = %d, %d, %v, want %d, %d", l.Text(), start+i, enc, gotLine, gotCol, err, n, want)
		}
	}
	for col, i := 0, 0; col <= end+2; col++ {
		// The start of the last character at or before col.
		for j := i; j <= len(line) && cols[j] <= col; j++ {
			if cols[j] != cols[i] {
				i = j
			}
		}
		got, err := l.Offset(n, col, enc)
		if err != nil || got != start+i {
			t.Fatalf("Split(%q).Offset(%d, %d, %v) = %d, %v, want %d", l.Text(), n, col, enc, got, err, start+i)
		}
		_, back, err := l.Position(got, enc)
		if err != nil || back != cols[i] {
			t.Fatalf("Split(%q): column %d became offset %d and then column %d, want %d", l.Text(), col, got, back, cols[i])
		}
	}
}
