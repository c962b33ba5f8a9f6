package truncation_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/truncation"
)

func TestIsBinary(t *testing.T) {
	tests := []struct {
		name, text string
		want       bool
	}{
		{"empty", "", false},
		{"text", "hello\tworld\r\n", false},
		{"UTF-8 byte order mark", "\ufeffhello", false},
		{"one NUL", "a text with\x00one NUL", false},
		{"exactly a tenth", "012345678\x00", false},
		{"over a tenth", "01234567\x00", true},
		{"colors", strings.Repeat("\x1b[1mx\x1b[0m", 10), false},
		{"Latin-1", "caf\xe9 au lait, d\xe9j\xe0 vu encore une fois", false},
		{"invalid", "\xe4\xb8\xe4\xb8\xe4\xb8", true},
		{"replacement characters", "\ufffd\ufffd\ufffd", false},
		{"Han", "永和九年歳在癸丑", false},
		{"UTF-16 little endian", "\xff\xfea plain text after it, in bytes of its own", true},
		{"UTF-16 big endian", "\xfe\xff\x00a plain text after it, in bytes of its own", true},
		{"UTF-32 little endian", "\xff\xfe\x00\x00a\x00\x00\x00", true},
		{"UTF-32 big endian", "\x00\x00\xfe\xffthe rest is plain text, one byte for each", true},
		{"UTF-16 without mark", "a\x00b\x00c\x00", true},
		{"odd after the sample", strings.Repeat("x", 64<<10) + strings.Repeat("\x00", 64<<10), false},
		{"odd in the sample", strings.Repeat("x", 57<<10) + strings.Repeat("\x00", 7<<10), true},
		{"sample ends in a character", strings.Repeat("x", 64<<10-1) + "世", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := truncation.IsBinary(tt.text); got != tt.want {
				t.Errorf("IsBinary(%.100q) = %v, want %v", tt.text, got, tt.want)
			}
		})
	}
}

func TestIsBinaryControls(t *testing.T) {
	for r := range rune(0x100) {
		want := unicode.IsControl(r) && !strings.ContainsRune("\a\b\t\n\v\f\r\x1b", r)
		if got := truncation.IsBinary(string(r)); got != want {
			t.Errorf("IsBinary(%q) = %v, want %v", string(r), got, want)
		}
	}
}

var dirty = []struct {
	text, want string
	altered    []truncation.Range
}{
	{"", "", nil},
	{"clean\n世\ufffd\n", "clean\n世\ufffd\n", nil},
	{"a\x00b", "a␀b", []truncation.Range{{First: 1, Last: 1}}},
	{"a\nb\xff\xfec\nd\x00\r\ne\n", "a\nb\ufffd\ufffdc\nd␀\r\ne\n", []truncation.Range{{First: 2, Last: 3}}},
	{"\x00\na\r\xe4\xb8\rb", "␀\na\r\ufffd\ufffd\rb", []truncation.Range{{First: 1, Last: 1}, {First: 3, Last: 3}}},
	{"\xed\xa0\x80", "\ufffd\ufffd\ufffd", []truncation.Range{{First: 1, Last: 1}}},
}

func TestSanitize(t *testing.T) {
	for _, tt := range dirty {
		got, altered := truncation.Sanitize(text.Split(tt.text))
		if got != tt.want {
			t.Errorf("Sanitize(%q) = %q, want %q", tt.text, got, tt.want)
		}
		if diff := cmp.Diff(tt.altered, altered); diff != "" {
			t.Errorf("lines that Sanitize(%q) alters (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestSanitizeOfCleanTextDoesNotAllocate(t *testing.T) {
	l := text.Split(strings.Repeat("a clean line with 世界\n", 1000))
	if allocs := testing.AllocsPerRun(10, func() { truncation.Sanitize(l) }); allocs != 0 {
		t.Errorf("Sanitize allocates %v times, want 0", allocs)
	}
}

func FuzzSanitize(f *testing.F) {
	for _, tt := range dirty {
		f.Add(tt.text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		l := text.Split(s)
		got, altered := truncation.Sanitize(l)
		if !utf8.ValidString(got) || strings.Contains(got, "\x00") {
			t.Errorf("Sanitize(%q) = %q", s, got)
		}
		if text.CodePoints(got) != text.CodePoints(s) {
			t.Errorf("Sanitize(%q) has %d characters, want %d", s, text.CodePoints(got), text.CodePoints(s))
		}
		clean := text.Split(got)
		if clean.Len() != l.Len() {
			t.Fatalf("Sanitize(%q) has %d lines, want %d", s, clean.Len(), l.Len())
		}
		for n := 1; n <= l.Len(); n++ {
			isAltered := slices.ContainsFunc(altered, func(r truncation.Range) bool { return r.First <= n && n <= r.Last })
			if isAltered != (clean.Full(n) != l.Full(n)) {
				t.Errorf("Sanitize(%q): altered lines are %v, line %d became %q", s, altered, n, clean.Full(n))
			}
		}
	})
}
