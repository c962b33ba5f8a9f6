package signatures_test

import (
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/acode-ls/acode-ls/signatures"
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

var found int

// byBytes is the peer of a scanner in one pass: a loop that looks at each byte.
func byBytes(src string) func() {
	return func() {
		for i := range len(src) {
			if src[i] == '{' {
				found++
			}
		}
	}
}

func BenchmarkScan(b *testing.B) {
	data, err := os.ReadFile("scan_value.go")
	if err != nil {
		b.Fatal(err)
	}
	goCode := strings.Repeat(string(data), 10)
	python := strings.Repeat("class Session(Base):\n    \"\"\"Keeps the state.\"\"\"\n\n    def close(self, *, force=False):\n        if self.open and not force:  # still used\n            raise ValueError(f\"busy: {self.name!r}\")\n        return self.items[0][\"id\"]\n\n", 500)
	typeScript := strings.Repeat("export class Session<T> extends Base<T> {\n  // Keeps the state.\n  close(force = false): Promise<void> {\n    if (this.open && !/^x[/]/.test(this.name)) throw new Error(`busy: ${this.name}`);\n    return this.items[0]['id'] / 2;\n  }\n}\n\n", 500)
	b.Run("Go", func(b *testing.B) {
		against(b, len(goCode), "parser", func() { found += len(signatures.ScanGo(goCode)) }, func() {
			if _, err := parser.ParseFile(token.NewFileSet(), "", goCode, parser.SkipObjectResolution|parser.AllErrors); err == nil {
				found++
			}
		})
	})
	b.Run("Go floor", func(b *testing.B) {
		against(b, len(goCode), "bytes", func() { found += len(signatures.ScanGo(goCode)) }, byBytes(goCode))
	})
	b.Run("Python", func(b *testing.B) {
		against(b, len(python), "bytes", func() { found += len(signatures.ScanPython(python)) }, byBytes(python))
	})
	b.Run("TypeScript", func(b *testing.B) {
		against(b, len(typeScript), "bytes", func() { found += len(signatures.ScanTypeScript(typeScript, false)) }, byBytes(typeScript))
	})
}

func BenchmarkFailures(b *testing.B) {
	for _, bench := range []struct{ name, line string }{
		{"log", "2026-01-02T03:04:05.678Z INFO  http request completed method=GET path=/api/v1/users/1234 status=200 duration=12.3ms\n"},
		{"build", "[12/345] Compiling src/modules/widget_12.c -o build/obj/widget_12.o\n"},
		{"go test", "=== RUN   TestFoo/bar\n    foo_test.go:12: handled 3 requests in 4ms\n--- PASS: TestFoo/bar (0.00s)\n"},
		{"failures", "foo.c:12:3: error: expected ';' before '}' token\n"},
	} {
		output := strings.Repeat(bench.line, 4<<20/len(bench.line))
		b.Run(bench.name, func(b *testing.B) {
			against(b, len(output), "bytes", func() { found += len(signatures.Failures(output)) }, byBytes(output))
		})
	}
}
