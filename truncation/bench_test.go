package truncation_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/truncation"
)

// randomLines returns a text of about size bytes in lines of 0 to 80 characters
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
)

var sink int

// BenchmarkHeadTail includes the index of lines. It reports the time as a
// multiple of a count of runes alone.
func BenchmarkHeadTail(b *testing.B) {
	for _, bench := range []struct{ name, text string }{
		{"8 KB unchanged", randomLines(7_900, ascii, "\n")},
		{"400 KB", randomLines(400_000, ascii, "\n")},
		{"10 MB ASCII", randomLines(10_000_000, ascii, "\n")},
		{"10 MB mixed", randomLines(10_000_000, mixed, "\n")},
		{"10 MB one line", randomLines(10_000_000, mixed, "")},
		{"1 MB flags", strings.Repeat("🇩🇪", 1_000_000/8)},
		{"1 MB one cluster", "e" + strings.Repeat("\u0301", 500_000)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			opts := limits(12_000, 0.65)
			b.SetBytes(int64(len(bench.text)))
			b.ReportAllocs()
			for b.Loop() {
				r, _ := truncation.Truncate(text.Split(bench.text), truncation.HeadTail, opts)
				sink += len(r.Content)
			}
			took := b.Elapsed()
			start := time.Now()
			for range b.N {
				sink += utf8.RuneCountInString(bench.text)
			}
			b.ReportMetric(float64(took)/float64(time.Since(start)), "x/RuneCount")
		})
	}
}

func BenchmarkBinary(b *testing.B) {
	for _, bench := range []struct{ name, text string }{
		{"ASCII", randomLines(100_000, ascii, "\n")},
		{"mixed", randomLines(100_000, mixed, "\n")},
	} {
		b.Run("IsBinary/"+bench.name, func(b *testing.B) {
			b.SetBytes(64 << 10)
			for b.Loop() {
				if truncation.IsBinary(bench.text) {
					b.Fatal("text is binary")
				}
			}
		})
		b.Run("Sanitize/"+bench.name, func(b *testing.B) {
			l := text.Split(bench.text)
			b.SetBytes(int64(len(bench.text)))
			for b.Loop() {
				clean, _ := truncation.Sanitize(l)
				sink += len(clean)
			}
		})
	}
}
