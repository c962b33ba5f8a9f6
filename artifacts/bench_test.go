package artifacts_test

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/acode-ls/acode-ls/artifacts"
)

// BenchmarkCreate makes artifacts of 1 MB, and beside each writes the same
// bytes to a plain file, hashes and syncs them. The first may take 1.5 times
// the second (ratio), and less than 50 ms (AC-073).
func BenchmarkCreate(b *testing.B) {
	content := []byte(strings.Repeat("2026-11-22T10:00:00Z INFO a line of a log, of which there are many\n", 1<<20/67+1)[:1<<20])
	for _, existing := range []int{0, 1000} {
		b.Run(fmt.Sprintf("beside %d", existing), func(b *testing.B) {
			root, plain := b.TempDir(), b.TempDir()
			s := open(b, root, artifacts.Options{Quota: 1 << 30, PerMinute: 1 << 30})
			for range existing {
				mustPut(b, s, "s", "x")
			}
			if _, err := s.Sweep(never); err != nil {
				b.Fatal(err)
			}
			var ours, theirs time.Duration
			b.SetBytes(int64(len(content)))
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				if err := writePlain(filepath.Join(plain, fmt.Sprint(i)), content); err != nil {
					b.Fatal(err)
				}
				middle := time.Now()
				info, err := createFrom(s, content)
				if err != nil {
					b.Fatal(err)
				}
				ours += time.Since(middle)
				theirs += middle.Sub(start)
				// Both folders stay as they are.
				if err := os.Remove(filepath.Join(plain, fmt.Sprint(i))); err != nil {
					b.Fatal(err)
				}
				if err := os.Remove(filepath.Join(root, info.Path)); err != nil {
					b.Fatal(err)
				}
				if err := os.Remove(filepath.Join(root, folder, info.ID+".meta.json")); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(ours)/float64(theirs), "ratio")
			b.ReportMetric(float64(ours.Microseconds())/float64(b.N)/1000, "ms/artifact")
			b.ReportMetric(float64(theirs.Microseconds())/float64(b.N)/1000, "ms/plain")
		})
	}
}

func writePlain(path string, content []byte) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.MultiWriter(f, sum).Write(content); err != nil {
		return err
	}
	return f.Sync()
}

func createFrom(s *artifacts.Store, content []byte) (artifacts.Info, error) {
	w, err := s.Create("s", artifacts.Meta{Tool: "run_command", Source: "go test ./..."})
	if err != nil {
		return artifacts.Info{}, err
	}
	if _, err := w.Write(content); err != nil {
		return artifacts.Info{}, err
	}
	info, _, err := w.Commit("text/plain", "a log")
	return info, err
}

// BenchmarkLines reads a hundred lines deep in 50 MB, which takes less than
// 5 ms once the artifact was verified.
func BenchmarkLines(b *testing.B) {
	content := strings.Repeat(strings.Repeat("x", 51)+"\n", 1_000_000)
	for _, compress := range []bool{false, true} {
		b.Run(fmt.Sprintf("compressed %v", compress), func(b *testing.B) {
			s := open(b, b.TempDir(), artifacts.Options{Compress: compress, Now: later})
			info := mustPut(b, s, "s", content)
			var first time.Duration
			start := time.Now()
			for b.Loop() {
				a, err := s.Get("s", info.ID)
				if err != nil {
					b.Fatal(err)
				}
				span, err := a.Lines(900_000, 900_100)
				if err != nil {
					b.Fatal(err)
				}
				got, err := spanOf(a, span)
				if err != nil || len(got) != 101*52 {
					b.Fatal(len(got), err)
				}
				a.Close()
				if first == 0 {
					first = time.Since(start)
				}
			}
			b.ReportMetric(float64(first.Microseconds())/1000, "ms/first")
		})
	}
}
