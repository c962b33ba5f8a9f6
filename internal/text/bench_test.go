package text_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/acode-ls/acode-ls/internal/text"
)

// against times work on size bytes and then peer as often, and reports how many
// times as long work takes.
func against(b *testing.B, size int, peerName string, work, peer func()) {
	b.Helper()
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		work()
	}
	took := b.Elapsed()
	start := time.Now()
	for range b.N {
		peer()
	}
	b.ReportMetric(float64(took)/float64(time.Since(start)), "x/"+peerName)
}

var sink int

func BenchmarkSplit(b *testing.B) {
	const size = 10 << 20
	for _, bench := range []struct{ name, text string }{
		{"LF", randomLines(size, ascii, "\n")},
		{"CRLF", randomLines(size, ascii, "\r\n")},
		{"stray CR", "\r" + randomLines(size, ascii, "\n")},
		{"one line", strings.Repeat("x", size)},
		{"empty lines", strings.Repeat("\n", size)},
		{"4 KB", randomLines(4<<10, ascii, "\n")},
	} {
		b.Run(bench.name, func(b *testing.B) {
			against(b, len(bench.text), "count-LF",
				func() { sink += text.Split(bench.text).Len() },
				func() { sink += strings.Count(bench.text, "\n") })
		})
	}
}

func BenchmarkCodePoints(b *testing.B) {
	const size = 1 << 20
	for _, bench := range []struct{ name, text string }{
		{"ASCII", randomLines(size, ascii, "\n")},
		{"mixed", randomLines(size, mixed, "\n")},
		{"Han", randomLines(size, han, "\n")},
		{"invalid", strings.Repeat("\xe4\xb8a", size/3)},
		{"20 bytes", "return nil, 0, err  "},
	} {
		b.Run(bench.name, func(b *testing.B) {
			against(b, len(bench.text), "RuneCount",
				func() { sink += text.CodePoints(bench.text) },
				func() { sink += utf8.RuneCountInString(bench.text) })
		})
	}
}

func BenchmarkMapper(b *testing.B) {
	for _, bench := range []struct{ name, text string }{
		{"ASCII", randomLines(1<<20, ascii, "\n")},
		{"mixed", randomLines(1<<20, mixed, "\n")},
		{"one line", randomLines(1<<20, ascii, " ")},
	} {
		l := text.Split(bench.text)
		offset := len(bench.text) * 2 / 3
		line, col, err := l.Position(offset, text.UTF16)
		if err != nil {
			b.Fatal(err)
		}
		before := l.Text()[l.Start(line):offset]
		b.Run("Position/"+bench.name, func(b *testing.B) {
			against(b, len(before), "RuneCount",
				func() { _, col, _ := l.Position(offset, text.UTF16); sink += col },
				func() { sink += utf8.RuneCountInString(before) })
		})
		b.Run("Offset/"+bench.name, func(b *testing.B) {
			against(b, len(before), "RuneCount",
				func() { offset, _ := l.Offset(line, col, text.UTF16); sink += offset },
				func() { sink += utf8.RuneCountInString(before) })
		})
	}
}
