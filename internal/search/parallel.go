package search

import (
	"bytes"
	"context"
	"io"
	"iter"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"

	"github.com/acode-ls/acode-ls/internal/text"
)

// maxFile is the size from which a file is not searched, in bytes: it would
// have to be in memory.
const maxFile = 256 << 20

// maxHits is how many bytes the lines of all hits have at most: who needs more
// has to ask for less.
const maxHits = 16 << 20

// found is what a file has.
type found struct {
	hits    []Hit
	matches int
	more    bool // hits beyond maxHits
	large   bool
}

// searchFiles searches files side by side and adds their hits to r in order. It
// stops when there are enough. Its error is that of ctx.
func (m *matcher) searchFiles(ctx context.Context, root *os.Root, files []string, r *Result) error {
	ctx, cancel := context.WithCancel(ctx)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()

	results := make([]chan found, len(files))
	for i := range results {
		results[i] = make(chan found, 1)
	}
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), len(files)) {
		workers.Go(func() {
			var b buffers
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(files) {
					return
				}
				results[i] <- m.searchFile(root, files[i], &b)
			}
		})
	}
	return m.collect(ctx, files, results, r)
}

func (m *matcher) collect(ctx context.Context, files []string, results []chan found, r *Result) error {
	room := maxHits - size(r.Hits)
	for i := range results {
		var f found
		select {
		case f = <-results[i]:
		case <-ctx.Done():
			return ctx.Err()
		}
		results[i] = nil
		if f.large {
			r.Skipped = append(r.Skipped, files[i])
		}
		if m.max > 0 && r.Matches+f.matches > m.max {
			f.hits, f.matches, f.more = f.first(m.max-r.Matches, m.context), m.max-r.Matches, true
		}
		if room -= size(f.hits); room < 0 {
			f = f.without(-room)
		}
		r.Hits = append(r.Hits, f.hits...)
		r.Matches += f.matches
		if f.more {
			r.More = true
			return nil
		}
	}
	return nil
}

// size returns how many bytes the lines of hits have.
func size(hits []Hit) (bytes int) {
	for _, hit := range hits {
		bytes += len(hit.Text)
	}
	return bytes
}

// without takes hits away from the end, up to a match, until they have so many
// bytes less.
func (f found) without(bytes int) found {
	f.more = true
	for i := len(f.hits) - 1; i >= 0 && (bytes > 0 || !f.hits[i].IsMatch); i-- {
		if f.hits[i].IsMatch {
			f.matches--
		}
		bytes -= len(f.hits[i].Text)
		f.hits = f.hits[:i]
	}
	return f
}

// first returns the first n matches and what is near them.
func (f found) first(n, context int) []Hit {
	matches, last := 0, 0 // how many, and the line of the last
	for i, hit := range f.hits {
		if matches == n && (n == 0 || hit.IsMatch || hit.Line > last+context) {
			return f.hits[:i]
		}
		if hit.IsMatch {
			matches++
			last = hit.Line
		}
	}
	return f.hits
}

// buffers are what a worker uses again for each file.
type buffers struct {
	content bytes.Buffer
	folded  []byte
}

// unsafeString returns b as a string, which is valid until b changes.
func unsafeString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func (m *matcher) searchFile(root *os.Root, name string, buffers *buffers) found {
	content, isUnsaved := m.unsaved[name]
	if !isUnsaved {
		var large bool
		var err error
		if content, large, err = readFile(root, name, &buffers.content); err != nil || large {
			return found{large: large}
		}
	}
	if content == "" {
		return found{}
	}
	haystack := m.filter.haystack(content, &buffers.folded)
	if !m.filter.passes(haystack) || strings.IndexByte(content, 0) >= 0 {
		return found{}
	}
	lines := text.Split(content)
	var f found
	end, room := 0, maxHits // the last line that is a hit already, and bytes that are left
	for n := range m.matching(lines, haystack) {
		first := max(end+1, n-m.context)
		end = max(end, min(n+m.context, lines.Len()))
		if room -= lines.Start(end+1) - lines.Start(first); room < 0 {
			f.more = true
			break
		}
		f.matches++
		for at := first; at <= end; at++ {
			f.hits = append(f.hits, Hit{Path: name, Line: at, Text: strings.Clone(lines.Line(at))})
		}
		f.hits[len(f.hits)-1-(end-n)].IsMatch = true
		if m.max > 0 && f.matches > m.max {
			break // one more says that there are more
		}
	}
	return f
}

// matching goes through the numbers of the lines that match.
func (m *matcher) matching(lines text.Lines, haystack string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for n := 1; n <= lines.Len(); n++ {
			at := m.filter.next(haystack[lines.Start(n):])
			if at < 0 {
				return
			}
			if at > 0 {
				n = lines.LineAt(lines.Start(n) + at)
			}
			if m.expr.MatchString(lines.Line(n)) && !yield(n) {
				return
			}
		}
	}
}

// readFile returns the content of a regular file, or says that it is too large.
// The content is valid until buffer is used again.
func readFile(root *os.Root, name string, buffer *bytes.Buffer) (content string, large bool, err error) {
	// A pipe must not be waited for.
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() >= maxFile {
		return "", err == nil && info.Size() >= maxFile, err
	}
	buffer.Reset()
	buffer.Grow(int(info.Size()) + bytes.MinRead)
	n, err := buffer.ReadFrom(io.LimitReader(f, maxFile))
	return unsafeString(buffer.Bytes()), n == maxFile, err
}
