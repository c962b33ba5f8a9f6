package config_test

import (
	"os"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/acode-ls/acode-ls/internal/config"
)

// against times work and then peer as often, and reports how many times as
// long work takes.
func against(b *testing.B, peerName string, work, peer func()) {
	b.Helper()
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

// BenchmarkDefault is to stay below 20 microseconds.
func BenchmarkDefault(b *testing.B) {
	for b.Loop() {
		config.Default()
	}
}

func BenchmarkTool(b *testing.B) {
	c := config.Default()
	for b.Loop() {
		c.Tool("read_file")
	}
}

const usual = `
tools:
  truncation:
    inline_limit: 16000
    overrides:
      execute_command:
        line_truncation:
          tail_lines: 400
  awareness:
    stale_policy: block
`

func BenchmarkParse(b *testing.B) {
	data := []byte(usual)
	against(b, "yaml-nodes",
		func() { config.Parse(config.File, data) },
		func() {
			var n yaml.Node
			_ = yaml.Load(data, &n)
		})
}

func BenchmarkSource(b *testing.B) {
	for _, bench := range []struct{ name, file string }{{"no file", ""}, {"unchanged", usual}} {
		b.Run(bench.name, func(b *testing.B) {
			root := b.TempDir()
			file := root + "/" + config.File
			if bench.file != "" {
				if err := os.Mkdir(root+"/.agent", 0o755); err != nil {
					b.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(bench.file), 0o644); err != nil {
					b.Fatal(err)
				}
				old := time.Now().Add(-time.Hour)
				if err := os.Chtimes(file, old, old); err != nil {
					b.Fatal(err)
				}
			}
			source := config.NewSource(root)
			against(b, "lstat", func() { source.Config() }, func() { _, _ = os.Lstat(file) })
		})
	}
}
