package jsonpath_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/acode-ls/acode-ls/artifacts/jsonpath"
)

const benchmarkSize = 10 << 20 // bytes

// snapshot returns a text like a heap snapshot of about the given length.
func snapshot(size int) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	var out bytes.Buffer
	out.WriteString(`{"snapshot":{"meta":{"version":1}},"allocations":[`)
	for i := 0; out.Len() < size; i++ {
		if i > 0 {
			out.WriteString(",\n")
		}
		fmt.Fprintf(&out, `{"id":%d,"name":"object_%d","type":"closure","size":%d,"stack":["main.run","io.copy","net.read"],"edges":[%d,%d]}`,
			i, i%977, random.IntN(1010000), i+1, i+7)
	}
	out.WriteString("]}\n")
	return out.Bytes()
}

// BenchmarkEach measures queries beside a pass over the tokens of the same text;
// x-tokens says how many times as long they take.
func BenchmarkEach(b *testing.B) {
	text := snapshot(benchmarkSize)
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	for _, s := range []string{
		`$.allocations[?(@.size > 1000000)]`,
		`$.allocations[?@.size > 1000000].id`,
		`$.allocations[?search(@.name, '_97[0-6]$')]`,
		`$.allocations[*].id`,
		`$.allocations[-1]`,
		`$..size`,
		`$..*`,
	} {
		b.Run(s, func(b *testing.B) {
			query, err := jsonpath.Parse(s)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			var tokens time.Duration
			for b.Loop() {
				if err := query.Each(open, 0, func([]byte) bool { return true }); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				start := time.Now()
				readTokens(b, text)
				tokens += time.Since(start)
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed())/float64(tokens), "x-tokens")
		})
	}
}

func readTokens(b *testing.B, text []byte) {
	decoder := jsontext.NewDecoder(io.MultiReader(bytes.NewReader(text)), jsontext.AllowDuplicateNames(true))
	for {
		if _, err := decoder.ReadToken(); err == io.EOF {
			return
		} else if err != nil {
			b.Fatal(err)
		}
	}
}
