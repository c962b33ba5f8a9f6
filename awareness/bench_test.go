package awareness_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/text"
)

var sizes = []int{100, 10_000, 1_000_000} // in ranges

// striped is a file of which every other line was read.
func striped(ranges int) *awareness.File {
	f := awareness.NewFile(awareness.Print{Lines: lines(2*ranges, func(i int) uint64 { return uint64(i) })})
	read := make([]awareness.Range, ranges)
	for i := range read {
		read[i] = awareness.Range{Start: 2*i + 1, End: 2*i + 1}
	}
	f.Show(read, nil, 1)
	return f
}

var sink int

// reportAgainst reports the time of one operation as a multiple of its peer's,
// which is run as often.
func reportAgainst(b *testing.B, peerName string, peer func()) {
	took := b.Elapsed()
	start := time.Now()
	for range b.N {
		peer()
	}
	b.ReportMetric(float64(took)/float64(time.Since(start)), "x/"+peerName)
}

// BenchmarkCovers asks whether ranges anywhere in a file are covered.
func BenchmarkCovers(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			f := striped(n)
			r := rand.New(rand.NewPCG(1, 2))
			at := lines(1<<16, func(int) uint64 { return 1 + r.Uint64N(uint64(2*n)) })
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				line := int(at[i%len(at)])
				if f.Covers(awareness.Range{Start: line, End: line}) {
					sink++
				}
			}
		})
	}
}

// BenchmarkEdit puts a line into the middle of a file and takes it out again.
// The peer shifts what lies behind in a plain sorted slice of ranges.
func BenchmarkEdit(b *testing.B) {
	for _, by := range []struct {
		name  string
		cause awareness.Cause
	}{{"agent", awareness.ByAgent}, {"other", awareness.ByOther}} {
		for _, n := range sizes {
			b.Run(fmt.Sprintf("%s/%d", by.name, n), func(b *testing.B) {
				f := striped(n)
				middle := n + 1
				in := []awareness.Hunk{{Start: middle, New: []uint64{7}}}
				out := []awareness.Hunk{{Start: middle, Old: 1}}
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if i%2 == 0 {
						f.Change(in, awareness.Hash{1}, by.cause)
					} else {
						f.Change(out, awareness.Hash{2}, by.cause)
					}
				}
				plain := striped(n).Read()
				i := 0
				reportAgainst(b, "shift", func() {
					delta := 1 - i%2*2
					at, _ := slices.BinarySearchFunc(plain, middle, func(r awareness.Range, line int) int { return r.Start - line })
					for k := at; k < len(plain); k++ {
						plain[k].Start += delta
						plain[k].End += delta
					}
					i++
				})
			})
		}
	}
}

// BenchmarkVerdict reduces and judges a change of 100 edits to 20 files of
// 1,000 lines, given as edits of lines or as whole documents.
func BenchmarkVerdict(b *testing.B) {
	type file struct {
		before text.Lines
		f      *awareness.File
		edits  []awareness.Edit
	}
	var files []file
	for i := range 20 {
		l := doc(1000)
		f := awareness.NewFile(awareness.Fingerprint(l))
		f.Show([]awareness.Range{{Start: 1, End: 300}, {Start: 400, End: 1000}}, nil, 1)
		var edits []awareness.Edit
		for k := range 5 {
			line := 10 + 200*k + i
			edits = append(edits, awareness.Edit{Start: l.Start(line), End: l.Start(line + 2), New: "one\ntwo\nthree\n"})
		}
		files = append(files, file{l, f, edits})
	}
	b.Run("lines", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, f := range files {
				c, err := awareness.Reduce(f.before, f.edits)
				if err != nil || f.f.Judge(&c) != nil {
					b.Fatal("the edit did not pass")
				}
			}
		}
	})
	b.Run("whole documents", func(b *testing.B) {
		whole := make([][]awareness.Edit, len(files))
		for i, f := range files {
			s := f.before.Text()
			whole[i] = []awareness.Edit{{Start: 0, End: len(s), New: applyEdits(s, f.edits)}}
		}
		b.ReportAllocs()
		for b.Loop() {
			for i, f := range files {
				c, err := awareness.Reduce(f.before, whole[i])
				if err != nil || f.f.Judge(&c) != nil {
					b.Fatal("the edit did not pass")
				}
			}
		}
	})
}

// BenchmarkUpdate brings a record of 10,000 lines up to date after a formatter
// changed 50 of them, all in one place or all over the file.
func BenchmarkUpdate(b *testing.B) {
	l := doc(10_000)
	for _, apart := range []int{1, 150} {
		b.Run(fmt.Sprintf("every %d", apart), func(b *testing.B) {
			edited := slowLines(l.Text())
			for i := range 50 {
				edited[2000+apart*i] = "\t" + edited[2000+apart*i]
			}
			prints := [2]awareness.Print{
				awareness.Fingerprint(text.Split(strings.Join(edited, ""))), awareness.Fingerprint(l),
			}
			f := awareness.NewFile(prints[1])
			f.Show([]awareness.Range{{Start: 1, End: 10_000}}, nil, 1)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				f.Update(prints[i%2])
			}
		})
	}
}

// BenchmarkFingerprint hashes a text whole and by line. The peer is the hash of
// the whole alone.
func BenchmarkFingerprint(b *testing.B) {
	for _, length := range []int{8, 40, 200} {
		b.Run(fmt.Sprintf("lines of %d", length), func(b *testing.B) {
			s := strings.Repeat(strings.Repeat("x", length-1)+"\n", 1<<20/length)
			l := text.Split(s)
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				sink += len(awareness.Fingerprint(l).Lines)
			}
			reportAgainst(b, "Sum", func() { sink += int(awareness.Sum(s)[0]) })
		})
	}
}

// BenchmarkMemory measures what a record of 1,000 lines takes beside its line
// hashes: read in 4 ranges, and after 50 edits by the agent.
func BenchmarkMemory(b *testing.B) {
	l := doc(1000)
	p := awareness.Fingerprint(l)
	for _, bench := range []struct {
		name  string
		edits int
	}{{"read", 0}, {"edited", 50}} {
		b.Run(bench.name, func(b *testing.B) {
			var perLine float64
			for b.Loop() {
				const n = 1000
				var before, after runtime.MemStats
				files := make([]*awareness.File, n)
				runtime.GC()
				runtime.ReadMemStats(&before)
				tracked := 0
				for i := range files {
					f := awareness.NewFile(p)
					f.Show([]awareness.Range{{Start: 1, End: 100}, {Start: 200, End: 300}, {Start: 500, End: 510}, {Start: 900, End: 1000}}, nil, 1)
					for k := range bench.edits {
						f.Change([]awareness.Hunk{{Start: 10 + k, Old: 1, New: []uint64{uint64(k)}}}, awareness.Hash{byte(k)}, awareness.ByAgent)
					}
					tracked += f.Total()
					files[i] = f
				}
				runtime.GC()
				runtime.ReadMemStats(&after)
				perLine = float64(after.HeapAlloc-before.HeapAlloc)/float64(tracked) - 8
				runtime.KeepAlive(files)
			}
			b.ReportMetric(perLine, "B/line")
		})
	}
}
