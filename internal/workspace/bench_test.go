package workspace_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// source is n lines about as long as those of source code.
func source(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "\tvalue%d, err := something.Call(ctx, %d)\n", i, i)
	}
	return b.String()
}

func openBench(b *testing.B, root string) *workspace.Hub {
	b.Helper()
	h, err := workspace.Open(root, workspace.Options{Config: readLimit(1 << 20)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { h.Close() })
	return h
}

func writeBench(b *testing.B, root, name, content string) {
	b.Helper()
	if err := os.WriteFile(filepath.Join(root, name), []byte(content), 0o644); err != nil {
		b.Fatal(err)
	}
}

func lookBench(b *testing.B, h *workspace.Hub, name string) {
	b.Helper()
	if _, err := h.Read("s", name, workspace.Selection{}); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkCheck is the verdict on 100 edits in 20 files of 1,000 lines. Goal:
// 2 ms.
func BenchmarkCheck(b *testing.B) {
	root := b.TempDir()
	h := openBench(b, root)
	var ops []workspace.Op
	for i := range 20 {
		name := fmt.Sprintf("%d.txt", i)
		writeBench(b, root, name, source(1000))
		lookBench(b, h, name)
		ops = append(ops, workspace.Op{Path: name, Edits: func(l text.Lines) ([]awareness.Edit, error) {
			var edits []awareness.Edit
			for k := range 5 {
				n := 100 + 150*k
				edits = append(edits, awareness.Edit{Start: l.Start(n), End: l.Start(n + 2), New: "one\ntwo\nthree\n"})
			}
			return edits, nil
		}})
	}
	b.ResetTimer()
	for b.Loop() {
		if v, err := h.Check("s", ops); err != nil || !v.Allowed() {
			b.Fatal(v, err)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	root := b.TempDir()
	h := openBench(b, root)
	writeBench(b, root, "a.txt", source(1000))
	for b.Loop() {
		if _, err := h.Read("s", "a.txt", workspace.Selection{Lines: awareness.Range{Start: 400, End: 499}}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkState(b *testing.B) {
	for _, opened := range []bool{false, true} {
		b.Run(fmt.Sprintf("open=%v", opened), func(b *testing.B) {
			root := b.TempDir()
			h := openBench(b, root)
			writeBench(b, root, "a.txt", source(1000))
			lookBench(b, h, "a.txt")
			if opened {
				if err := h.DidOpen("a.txt", 1, source(1000)); err != nil {
					b.Fatal(err)
				}
			}
			for b.Loop() {
				if _, _, err := h.State("s", "a.txt"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkDidChange types into a document of 10,000 lines that an agent has
// read. Goal: well under 1 ms.
func BenchmarkDidChange(b *testing.B) {
	root := b.TempDir()
	h := openBench(b, root)
	content := source(10_000)
	writeBench(b, root, "a.txt", content)
	if err := h.DidOpen("a.txt", 0, content); err != nil {
		b.Fatal(err)
	}
	lookBench(b, h, "a.txt")
	at := text.Split(content).Start(5000) + 5
	version := int32(0)
	for b.Loop() {
		version++
		e := awareness.Edit{Start: at, End: at + 1, New: string('a' + version%26)}
		if err := h.DidChange("a.txt", version, []workspace.Splice{splice(e)}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkJournal appends one record.
func BenchmarkJournal(b *testing.B) {
	h := openBench(b, b.TempDir())
	for b.Loop() {
		if err := h.Round("s"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReopen opens a journal of 100,000 records. Goal: 300 ms.
func BenchmarkReopen(b *testing.B) {
	root := b.TempDir()
	h := openBench(b, root)
	writeBench(b, root, "a.txt", source(1000))
	lookBench(b, h, "a.txt")
	h.Close()
	path := filepath.Join(root, journalOfS)
	head, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	journal := bytes.NewBuffer(head)
	for i := range 50_000 {
		n := 1 + i*7%900
		fmt.Fprintf(journal, `{"k":"change","p":"a.txt","s":"%043d","h":[{"s":%d,"o":1,"n":"AAAAAAAAAAA"}]}`+"\n", 0, n)
		fmt.Fprintf(journal, `{"k":"show","p":"a.txt","r":[[%d,%d]],"n":%d}`+"\n", n, n+20, i)
	}
	b.ReportMetric(float64(journal.Len())/(1<<20), "MB")
	for b.Loop() {
		b.StopTimer()
		if err := os.WriteFile(path, journal.Bytes(), 0o600); err != nil { // the last round compacted it
			b.Fatal(err)
		}
		b.StartTimer()
		h, err := workspace.Open(root, workspace.Options{})
		if err != nil {
			b.Fatal(err)
		}
		h.Close()
	}
}
