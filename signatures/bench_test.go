package signatures_test

import (
	"testing"
	"time"

	"github.com/acode-ls/acode-ls/signatures"
)

// gap is about what a truncated read of a large file leaves out: 30 KB of it.
func gap(src string) signatures.Range {
	const size = 30 << 10
	first, last, lines := 0, 0, 1
	for i := range len(src) {
		if src[i] != '\n' {
			continue
		}
		lines++
		if first == 0 && i > len(src)/3 {
			first = lines
		}
		if i <= len(src)/3+size {
			last = lines
		}
	}
	return signatures.Range{First: first, Last: last}
}

// BenchmarkGap reports how much of its limit each takes: 6 ms for a text that
// was not seen before and 0.3 ms for one that was.
func BenchmarkGap(b *testing.B) {
	for _, test := range tricky {
		src := large(b, test.file, 120<<10)
		lang, within := signatures.Detect(test.file, ""), gap(src)
		limit := func(b *testing.B, limit time.Duration, work func()) {
			b.SetBytes(30 << 10)
			b.ReportAllocs()
			for b.Loop() {
				work()
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(limit), "x/limit")
		}
		b.Run(test.file+"/cold", func(b *testing.B) {
			limit(b, 6*time.Millisecond, func() {
				var finder signatures.Finder
				finder.Declarations(src, lang, within)
			})
		})
		b.Run(test.file+"/scanner", func(b *testing.B) {
			limit(b, 6*time.Millisecond, func() {
				finder := signatures.Finder{ScanOnly: true}
				finder.Declarations(src, lang, within)
			})
		})
		b.Run(test.file+"/seen", func(b *testing.B) {
			var finder signatures.Finder
			finder.Declarations(src, lang, within)
			limit(b, 300*time.Microsecond, func() { finder.Declarations(src, lang, within) })
		})
	}
}
