package redact_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/acode-ls/acode-ls/internal/redact"
)

// against times work on size bytes and then the limit as often: a count of
// line feeds. It reports how many times as long work takes.
func against(b *testing.B, text string, work func()) {
	b.Helper()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		work()
	}
	took := b.Elapsed()
	start := time.Now()
	for range b.N {
		sink += strings.Count(text, "\n")
	}
	b.ReportMetric(float64(took)/float64(time.Since(start)), "x/count-LF")
}

var sink int

const benchSize = 10 << 20

// fill repeats line, whose only argument is a number, up to benchSize bytes.
func fill(line string) string {
	var b strings.Builder
	for i := 0; b.Len() < benchSize; i++ {
		fmt.Fprintf(&b, line, i)
	}
	return b.String()
}

// code returns files of Go's library.
func code(b *testing.B) string {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "src", "*", "*.go"))
	if err != nil {
		b.Fatal(err)
	}
	var text strings.Builder
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		text.Write(content)
		if text.Len() > benchSize {
			break
		}
	}
	return text.String()
}

func texts(b *testing.B) []struct{ name, text string } {
	return []struct{ name, text string }{
		{"log", fill("2024-05-01T12:00:00.%06dZ INFO  http: request handled method=GET path=/api/v1/users/42 status=200 duration=12ms remote=10.1.2.3:5123\n")},
		{"JSON", fill(`{"id":%d,"name":"Ada Lovelace","email":"ada@example.com","tags":["admin","staff"],"active":true,"balance":1024.50},` + "\n")},
		{"code", code(b)},
		{"hashes", fill("%040d 3f786850e387550fdab836ed7e6dc881de23001b e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  vendor/file.go\n")},
		{"Base64", fill("Qx7Lm2Zp9Rt4Wc8Vb3NkHj6Gf5Ds1Ya0Ue7Io2PmQx7Lm2Zp9Rt4Wc8Vb3NkHj6%012d\n")},
		{"one run", strings.Repeat("x", benchSize)},
		{"passwords", fill("%06d connect user=app password=hunter2x9 host=db.internal port=5432 to the first database of the list\n")},
		{"tokens", fill("%06d request authorized with ghp_" + x40 + " by the second proxy of the list of all\n")},
		{"8 KB log", fill("2024-05-01T12:00:00.%06dZ INFO  http: request handled method=GET path=/api/v1/users/42 status=200\n")[:8<<10]},
		{"100 B", "2024-05-01T12:00:00.123456Z INFO  http: request handled method=GET path=/api/v1/users/42 status=200"},
	}
}

func BenchmarkText(b *testing.B) {
	r := redactor(b, redact.Options{})
	for _, bench := range texts(b) {
		b.Run(bench.name, func(b *testing.B) {
			against(b, bench.text, func() { sink += r.Text(bench.text).Count })
		})
	}
}

func BenchmarkJSON(b *testing.B) {
	r := redactor(b, redact.Options{})
	for _, bench := range []struct{ name, text string }{
		{"none", "[" + strings.TrimSuffix(texts(b)[1].text, ",\n") + "]"},
		{"passwords", "[" + strings.TrimSuffix(fill(`{"id":%d,"name":"Ada Lovelace","password":"hunter2x9","tags":["admin","staff"],"active":true,"balance":1024.50},`+"\n"), ",\n") + "]"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			against(b, bench.text, func() { sink += r.JSON(bench.text).Count })
		})
	}
}

func BenchmarkWriter(b *testing.B) {
	r := redactor(b, redact.Options{})
	for _, bench := range texts(b) {
		b.Run(bench.name, func(b *testing.B) {
			p := []byte(bench.text)
			against(b, bench.text, func() {
				w := r.NewWriter(io.Discard)
				for rest := p; len(rest) > 0; {
					n := min(len(rest), 32<<10)
					w.Write(rest[:n])
					rest = rest[n:]
				}
				w.Close()
			})
		})
	}
}

func BenchmarkPatterns(b *testing.B) {
	text := texts(b)[0].text
	for _, regex := range []string{`ACME-\d{6}`, `\b[A-Z]{4}-\d{6}\b`} {
		b.Run(regex, func(b *testing.B) {
			r := redactor(b, redact.Options{Patterns: []redact.Pattern{{"ticket", regex}}})
			against(b, text, func() { sink += r.Text(text).Count })
		})
	}
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := redact.New(redact.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
