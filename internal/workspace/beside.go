package workspace

import (
	"errors"
	"io"
	"slices"
	"sync/atomic"
)

// beside writes in a goroutine of its own, so that what makes a text and what
// looks at it share the work of two processors.
type beside struct {
	full chan<- []byte // nil once closed
	free <-chan []byte
	done <-chan outcome

	broken *atomic.Bool // whether what comes will not be written
}

// errBroken says that a write failed; close says how.
var errBroken = errors.New("writing beside has failed")

type outcome struct {
	err      error
	panicked any
}

// inFlight is how many parts may wait to be written.
const inFlight = 3

// newBeside returns what passes on to w what is written to it. The caller closes
// it, however the work ends.
func newBeside(w io.Writer) *beside {
	full, free, done := make(chan []byte, inFlight), make(chan []byte, inFlight), make(chan outcome, 1)
	for range inFlight {
		free <- nil
	}
	broken := new(atomic.Bool)
	go func() {
		var out outcome
		for p := range full {
			if !broken.Load() {
				out = attempt(w, p)
				broken.Store(out != outcome{})
			}
			free <- p
		}
		done <- out
	}()
	return &beside{full, free, done, broken}
}

// attempt keeps a panic for the goroutine that started the work, where somebody
// may recover.
func attempt(w io.Writer, p []byte) (out outcome) {
	defer func() { out.panicked = recover() }()
	_, out.err = w.Write(p)
	return out
}

// Write returns before p is written; an error shows in close.
func (b *beside) Write(p []byte) (int, error) {
	for piece := range slices.Chunk(p, chunkSize) {
		if b.broken.Load() {
			return 0, errBroken
		}
		part := <-b.free
		if part == nil {
			part = make([]byte, chunkSize)
		}
		b.full <- part[:copy(part[:chunkSize], piece)]
	}
	return len(p), nil
}

// close waits until all is written. It may be called again.
func (b *beside) close() error {
	if b.full == nil {
		return nil
	}
	close(b.full)
	b.full = nil
	out := <-b.done
	if out.panicked != nil {
		panic(out.panicked)
	}
	return out.err
}
