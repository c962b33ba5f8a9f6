package redact

import (
	"io"
	"slices"
	"unsafe"

	"github.com/acode-ls/acode-ls/internal/text"
)

// A Writer redacts a stream. It holds back at most chunk + ahead + behind
// bytes, so that a secret which comes in several writes is found. Only a
// secret longer than ahead bytes may be found in part.
//
// A Writer is for one goroutine. Close must be called: it writes what is held
// back, and leaves the destination open.
type Writer struct {
	r   *Redactor
	dst io.Writer
	err error // of dst, the first; nothing is written after it

	held    []byte  // not written yet
	seen    int     // how much of held was there at the last look
	next    int     // how much of held has been searched for keywords
	lines   int     // how much of held has been searched for patterns
	scanner scanner // its offsets are those of held

	count int
	types []Count
	grown int // characters
}

// chunk is how many fresh bytes are looked at together.
const chunk = 32 << 10

// NewWriter returns a Writer to dst.
func (r *Redactor) NewWriter(dst io.Writer) *Writer {
	return &Writer{r: r, dst: dst, scanner: scanner{strict: r.strict}}
}

// Write takes p over. An error is one of the destination.
func (w *Writer) Write(p []byte) (int, error) { return write(w, p) }

// WriteString is Write for a string.
func (w *Writer) WriteString(s string) (int, error) { return write(w, s) }

func write[T []byte | string](w *Writer, p T) (int, error) {
	n := len(p)
	for len(p) > 0 && w.err == nil {
		k := min(len(p), w.seen+chunk-len(w.held))
		if len(w.held)+k > cap(w.held) { // once for a long text, which has some more held back
			w.held = slices.Grow(w.held, w.seen+chunk+ahead+behind-len(w.held))
		}
		w.held = append(w.held, p[:k]...)
		p = p[k:]
		if len(w.held) == w.seen+chunk {
			w.flush(false)
		}
	}
	return n - len(p), w.err
}

// Close writes what was held back.
func (w *Writer) Close() error {
	if w.err == nil {
		w.flush(true)
	}
	return w.err
}

// Result returns how many secrets were replaced in what has been written to
// the destination, and of which types, sorted.
func (w *Writer) Result() (count int, types []Count) { return w.count, w.types }

// Grown returns how many characters more the destination got than were written:
// what stands for a short secret is longer.
func (w *Writer) Grown() int { return w.grown }

// flush looks at what is there and writes what is settled: a place whose
// keywords can reach neither behind it nor ahead of the text.
func (w *Writer) flush(final bool) {
	s := unsafe.String(unsafe.SliceData(w.held), len(w.held)) // until drop
	sc := &w.scanner
	sc.s = s
	to := len(s)
	if !final {
		to = max(w.next, len(s)-ahead)
	}
	if len(w.r.patterns) > 0 {
		sc.later, w.lines = appendMatches(sc.later, w.r.patterns, s, w.lines, final)
		to = min(to, w.lines)
	}
	sc.scan(w.next, to)
	if final {
		sc.merge(to)
	}
	w.next = to

	cut := max(0, to-behind)
	if final {
		cut = len(s)
	}
	n := len(sc.found)
	for n > 0 && sc.found[n-1].end > cut {
		n--
		cut = min(cut, sc.found[n].start)
	}
	w.emit(cut, sc.found[:n])
	w.drop(cut, n)
}

// emit writes the first cut bytes with found replaced.
func (w *Writer) emit(cut int, found []match) {
	out := w.held[:cut]
	if len(found) > 0 {
		before := w.scanner.s[:cut]
		after := redacted(before, found)
		w.grown += text.CodePoints(after) - text.CodePoints(before)
		out = []byte(after)
	}
	if _, err := w.dst.Write(out); err != nil {
		w.err = err
		return
	}
	w.count += len(found)
	for _, m := range found {
		w.types = addCount(w.types, m.kind, 1)
	}
}

// drop forgets the first cut bytes of the text and the first n secrets.
func (w *Writer) drop(cut, n int) {
	sc := &w.scanner
	sc.s = ""
	w.seen = copy(w.held, w.held[cut:])
	w.held = w.held[:w.seen]
	w.next -= cut
	w.lines -= cut
	sc.last -= cut
	sc.placeholder -= cut
	sc.command -= cut
	sc.resource -= cut
	sc.gap -= cut
	sc.found = append(sc.found[:0], sc.found[n:]...)
	for _, list := range [...][]match{sc.found, sc.later} {
		for i := range list {
			list[i].start -= cut
			list[i].end -= cut
		}
	}
}
