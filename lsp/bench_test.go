package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// files is a duplex stream over two pipes of the system.
type files struct{ r, w *os.File }

func (f files) Read(p []byte) (int, error)  { return f.r.Read(p) }
func (f files) Write(p []byte) (int, error) { return f.w.Write(p) }
func (f files) Close() error                { f.w.Close(); return f.r.Close() }

func pipes(tb testing.TB) (client, server files) {
	r1, w1, err := os.Pipe()
	if err != nil {
		tb.Fatal(err)
	}
	r2, w2, err := os.Pipe()
	if err != nil {
		tb.Fatal(err)
	}
	return files{r2, w1}, files{r1, w2}
}

// echo is the least a server can do: it reads a frame and writes one.
func echo(rw io.ReadWriter) {
	in := bufio.NewReader(rw)
	var frame []byte
	for {
		length := 0
		for {
			line, err := in.ReadSlice('\n')
			if err != nil {
				return
			}
			if len(line) <= 2 {
				break
			}
			if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
				for _, c := range bytes.TrimSpace(value) {
					length = length*10 + int(c-'0')
				}
			}
		}
		frame = fmt.Appendf(frame[:0], "Content-Length: %d\r\n\r\n", length)
		n := len(frame)
		frame = slices.Grow(frame, length)[:n+length]
		if _, err := io.ReadFull(in, frame[n:]); err != nil {
			return
		}
		if _, err := rw.Write(frame); err != nil {
			return
		}
	}
}

// exchange writes a frame and reads one.
func exchange(tb testing.TB, rw files, in *bufio.Reader, frame []byte) {
	if _, err := rw.Write(frame); err != nil {
		tb.Fatal(err)
	}
	var length int
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			tb.Fatal(err)
		}
		if len(line) <= 2 {
			break
		}
		for _, c := range bytes.TrimSpace(line[len("Content-Length: "):]) {
			length = length*10 + int(c-'0')
		}
	}
	if _, err := in.Discard(length); err != nil {
		tb.Fatal(err)
	}
}

func serveFiles(rw files, handlers map[string]Handler) error {
	return NewConn(rw, handlers, Options{}).Run(context.Background())
}

func startServer(tb testing.TB, handlers map[string]Handler) files {
	client, server := pipes(tb)
	done := make(chan error)
	go func() { done <- serveFiles(server, handlers) }()
	tb.Cleanup(func() {
		client.Close()
		<-done
	})
	return client
}

// benchServer names the variable that turns TestBenchServer into a server over its standard streams.
const benchServer = "LSP_BENCH_SERVER"

func TestBenchServer(*testing.T) {
	stdio := files{os.Stdin, os.Stdout}
	switch os.Getenv(benchServer) {
	case "conn":
		serveFiles(stdio, nil)
	case "echo":
		echo(stdio)
	}
}

// startProcess starts a server of its own process, as editors do.
func startProcess(tb testing.TB, kind string) files {
	client, server := pipes(tb)
	cmd := exec.Command(os.Args[0], "-test.run=^TestBenchServer$")
	cmd.Env = append(os.Environ(), benchServer+"="+kind)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = server.r, server.w, os.Stderr
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	server.Close()
	tb.Cleanup(func() {
		client.Close()
		cmd.Wait()
	})
	return client
}

// BenchmarkRoundTrip compares a request for an unknown method with the echo of a frame by turns.
// It reports the medians and their ratio: in one process, where the pipes cost least, and as editors
// have it.
func BenchmarkRoundTrip(b *testing.B) {
	b.Run("goroutines", func(b *testing.B) {
		client, server := pipes(b)
		done := make(chan struct{})
		go func() { echo(server); server.Close(); close(done) }()
		compare(b, startServer(b, nil), client)
		client.Close()
		<-done
	})
	b.Run("processes", func(b *testing.B) {
		compare(b, startProcess(b, "conn"), startProcess(b, "echo"))
	})
}

func compare(b *testing.B, conns ...files) {
	frame := []byte(framed(request("1", "acode/nothing")))
	var ins []*bufio.Reader
	for _, rw := range conns {
		ins = append(ins, bufio.NewReader(rw))
	}
	times := make([][]time.Duration, len(conns))
	for b.Loop() {
		for i, rw := range conns {
			start := time.Now()
			exchange(b, rw, ins[i], frame)
			times[i] = append(times[i], time.Since(start))
		}
	}
	var medians []float64
	for _, t := range times {
		slices.Sort(t)
		medians = append(medians, float64(t[len(t)/2].Nanoseconds()))
	}
	b.ReportMetric(medians[0], "server-ns")
	b.ReportMetric(medians[1], "echo-ns")
	b.ReportMetric(medians[0]/medians[1], "ratio")
}

func BenchmarkServer(b *testing.B) {
	rw := startServer(b, nil)
	in := bufio.NewReader(rw)
	frame := []byte(framed(request("1", "acode/nothing")))
	b.ReportAllocs()
	for b.Loop() {
		exchange(b, rw, in, frame)
	}
}

// BenchmarkDidChange reports a full text of 400 KB through the connection against its mere decoding.
func BenchmarkDidChange(b *testing.B) {
	type didChange struct {
		ContentChanges []struct{ Text string }
	}
	line := "\tif err := decode(params, &p); err != nil { return nil, err } // 64\n"
	text, _ := json.Marshal(strings.Repeat(line, 400_000/len(line)))
	params := fmt.Sprintf(`{"textDocument":{"uri":"file:///a.go","version":5},"contentChanges":[{"text":%s}]}`, text)
	frame := []byte(framed(`{"jsonrpc":"2.0","id":1,"method":"didChange","params":` + params + `}`))

	b.Run("unmarshal", func(b *testing.B) {
		for b.Loop() {
			var p didChange
			if err := json.Unmarshal([]byte(params), &p); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("scan", func(b *testing.B) {
		for b.Loop() {
			if _, err := scanEnvelope([]byte(params)); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, handles := range []bool{true, false} {
		b.Run(fmt.Sprintf("connection, unmarshal=%t", handles), func(b *testing.B) {
			rw := startServer(b, map[string]Handler{"didChange": func(_ context.Context, params json.RawMessage) (any, error) {
				if !handles {
					return nil, nil
				}
				var p didChange
				return nil, json.Unmarshal(params, &p)
			}})
			in := bufio.NewReader(rw)
			b.ReportAllocs()
			for b.Loop() {
				exchange(b, rw, in, frame)
			}
		})
	}
	b.Run("echo", func(b *testing.B) {
		rw := startProcess(b, "echo")
		in := bufio.NewReader(rw)
		for b.Loop() {
			exchange(b, rw, in, frame)
		}
	})
}

// BenchmarkPipelined reports the time per message of many sent at once.
func BenchmarkPipelined(b *testing.B) {
	const n = 1000
	rw := startServer(b, nil)
	in := bufio.NewReader(rw)
	batch := []byte(strings.Repeat(framed(request("1", "acode/nothing")), n))
	for b.Loop() {
		go rw.Write(batch)
		for range n {
			if _, err := readBody(in); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/message")
}
