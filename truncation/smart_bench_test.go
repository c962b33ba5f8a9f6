package truncation_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/truncation"
)

// BenchmarkSmart includes the index of lines. It reports the time as a multiple
// of that of the default strategy.
func BenchmarkSmart(b *testing.B) {
	const size = 10_000_000
	fill := func(part func(i int) string) string {
		var s strings.Builder
		for i := 0; s.Len() < size; i++ {
			s.WriteString(part(i))
		}
		return s.String()
	}
	oneIn := func(n int, level string) func(int) string {
		return func(i int) string {
			is := "INFO "
			if i%n == 0 {
				is = level
			}
			return fmt.Sprintf("2024-03-01 00:00:%02d,%03d %s [http] GET /api/v1/users/%d 200 131ms\n", i/1000%60, i%1000, is, i)
		}
	}
	code := fill(func(i int) string { return function(fmt.Sprintf("name%d", i), 20) })
	units := functions(code, 1)
	for _, bench := range []struct {
		name, text string
		inline     int
		units      []truncation.Unit
	}{
		{name: "diff", text: fill(func(i int) string { return smallDiff(fmt.Sprint(i), 30+i%90) })},
		{name: "diff of one file", text: smallDiff("a", 1) + fill(func(i int) string { return smallHunk(100*i, 1+i%90) })},
		{name: "log", text: fill(oneIn(500, "ERROR"))},
		{name: "log, limit 1,000,000", text: fill(oneIn(9, "ERROR")), inline: 1_000_000},
		{name: "log of failures", text: fill(oneIn(1, "ERROR"))},
		{name: "log of JSON", text: fill(func(i int) string {
			return fmt.Sprintf(`{"time":"2024-03-01T00:00:00Z","msg":"request","status":200,"level":"info","id":%d}`+"\n", i)
		})},
		{name: "code", text: code, units: units},
		{name: "prose", text: randomLines(size, mixed, "\n")},
	} {
		b.Run(bench.name, func(b *testing.B) {
			opts := limits(bench.inline, 0.6)
			opts.Units = func() []truncation.Unit { return bench.units }
			run := func(strategy truncation.Strategy) {
				r, _ := truncation.Truncate(text.Split(bench.text), strategy, opts)
				sink += len(r.Content)
			}
			b.SetBytes(int64(len(bench.text)))
			b.ReportAllocs()
			for b.Loop() {
				run(truncation.Smart)
			}
			took := b.Elapsed()
			start := time.Now()
			for range b.N {
				run(truncation.HeadTail)
			}
			b.ReportMetric(float64(took)/float64(time.Since(start)), "x/head_tail")
		})
	}
}
