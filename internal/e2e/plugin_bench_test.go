package e2e

import (
	_ "embed"
	"encoding/json"
	"os"
	"testing"
)

//go:embed testdata/bench.lua
var benchmarks string

// BenchmarkPlugin measures what the plugin costs Neovim on a file of 50,000
// lines with 100 unread ranges, beside the limits: 5 ms to open a file, 1 ms to
// scroll a screen.
func BenchmarkPlugin(b *testing.B) {
	if os.Getenv("ACODE_NVIM") == "" {
		b.Skip("ACODE_NVIM is not set: set it to the Neovim that scripts/fetch-neovim prints")
	}
	e := startNeovim(b, "vim.o.lines = 60")
	e.lua(nil, benchmarks)
	f := e.file("long.txt", numbered(50_000))
	f.open()
	e.lua(nil, `bench.prepare()`)
	var ranges []object
	for n := 1; n <= 50_000; n += 500 {
		ranges = append(ranges, object{"startLine": n, "endLine": n + 250})
	}
	var ignored json.RawMessage
	e.request(f, "acode/observe", object{"textDocument": object{"uri": f.uri()}, "ranges": ranges}, &ignored)
	for b.Loop() {
		var open struct{ MS float64 }
		e.lua(&open, `return bench.open(..., 9)`, f.name)
		var scroll struct{ Marked, Hidden float64 }
		e.lua(&scroll, `return bench.scroll(200)`)
		b.ReportMetric(open.MS, "ms/open")
		b.ReportMetric(open.MS/5, "open/limit")
		b.ReportMetric(scroll.Marked, "ms/screen")
		b.ReportMetric(scroll.Marked/1, "screen/limit")
		b.ReportMetric(scroll.Marked/scroll.Hidden, "screen/hidden")
	}
}
