package artifacts

import (
	"bufio"
	"compress/gzip"
	"io"
	"strings"

	"github.com/acode-ls/acode-ls/internal/text"
)

// Span is a part of an artifact. One without bytes has LastLine == FirstLine-1.
type Span struct {
	FirstLine, LastLine int   // 1-based, both included; they may be shown in part
	Start, End          int64 // bytes, half-open
}

// All returns the whole artifact.
func (a *Artifact) All() Span {
	return Span{FirstLine: 1, LastLine: a.info.Lines, End: a.info.Size}
}

// Lines returns lines first to last, both included, with their terminators. The
// first may be 0 for line 1, and the last 0 or too large for the end. Anything
// else that the artifact does not have is a *RangeError.
func (a *Artifact) Lines(first, last int) (Span, error) {
	total := a.info.Lines
	if first == 0 && last == 0 {
		return a.All(), nil
	}
	from, to := first, last
	if from == 0 {
		from = 1
	}
	if to == 0 || to > total {
		to = total
	}
	if from < 1 || last < 0 || last != 0 && last < from || from > total {
		return Span{}, &RangeError{Unit: "lines", First: int64(first), Last: int64(last), Total: int64(total)}
	}
	start, err := a.index.lineStart(from, a.text)
	if err != nil {
		return Span{}, err
	}
	end, err := a.index.lineStart(to+1, a.text)
	if err != nil {
		return Span{}, err
	}
	if end < start {
		return Span{}, a.changed()
	}
	return Span{from, to, start, end}, nil
}

// Bytes returns the whole characters from start up to end; 0 or too large an
// end is that of the artifact. Anything else that the artifact does not have is
// a *RangeError. There is nothing in a range inside one character.
func (a *Artifact) Bytes(start, end int64) (Span, error) {
	size := a.info.Size
	if start == 0 && end == 0 {
		return a.All(), nil
	}
	to := end
	if end == 0 || end > size {
		to = size
	}
	if start < 0 || end < 0 || end != 0 && end <= start || start >= size {
		return Span{}, &RangeError{Unit: "bytes", First: start, Last: end, Total: size}
	}
	_, from, err := a.character(start)
	if err != nil {
		return Span{}, err
	}
	to, _, err = a.character(to)
	if err != nil {
		return Span{}, err
	}
	span := Span{Start: from, End: max(from, to)}
	if span.FirstLine, err = a.index.lineAt(min(from, size-1), a.text); err != nil {
		return Span{}, err
	}
	span.LastLine = span.FirstLine - 1
	if span.Start < span.End {
		span.LastLine, err = a.index.lineAt(span.End-1, a.text)
	}
	return span, err
}

// character returns the ends of characters next to offset, before and after:
// offset itself unless it is inside of one.
func (a *Artifact) character(offset int64) (before, after int64, err error) {
	const longest = 4 // bytes
	base := max(0, offset-longest)
	window, err := a.text(base, min(offset+longest, a.info.Size))
	if err != nil {
		return 0, 0, err
	}
	at := int(offset - base)
	before, after = base+int64(text.Floor(window, at)), offset
	if before < offset {
		for at++; text.Floor(window, at) < at; at++ {
		}
		after = base + int64(at)
	}
	return before, after, nil
}

// text returns content for looking around in it.
func (a *Artifact) text(start, end int64) (string, error) {
	if start >= end {
		return "", nil
	}
	r, err := a.from(start)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.Grow(int(end - start))
	if n, err := io.CopyN(&b, r, end-start); err != nil || n != end-start {
		return "", a.changed()
	}
	return b.String(), nil
}

// changed is the error of content that is not as it was when it was verified.
func (a *Artifact) changed() error {
	return &IntegrityError{ID: a.info.ID, What: "its content changed while it was read"}
}

// from reads the content from an offset.
func (a *Artifact) from(start int64) (io.Reader, error) {
	if !a.side.Gzip {
		return io.NewSectionReader(a.file, start, a.side.Stored-start), nil
	}
	m := a.index.memberAt(start)
	zip, err := gzip.NewReader(bufio.NewReader(io.NewSectionReader(a.file, m.stored, a.side.Stored-m.stored)))
	if err == nil {
		_, err = io.CopyN(io.Discard, zip, start-m.start)
	}
	if err != nil {
		return nil, a.changed()
	}
	return zip, nil
}

// Reader reads a span that the methods of a returned. It fails with an
// *IntegrityError instead of ending if the file changed meanwhile.
func (a *Artifact) Reader(span Span) (io.Reader, error) {
	if span.Start < 0 || span.End < span.Start || span.End > a.info.Size {
		return nil, &RangeError{Unit: "bytes", First: span.Start, Last: span.End, Total: a.info.Size}
	}
	r, err := a.from(span.Start)
	if err != nil {
		return nil, err
	}
	return &spanReader{a: a, r: r, left: span.End - span.Start}, nil
}

type spanReader struct {
	a    *Artifact
	r    io.Reader
	left int64
}

func (r *spanReader) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, r.a.end()
	}
	n, err := r.r.Read(p[:min(int64(len(p)), r.left)])
	r.left -= int64(n)
	if err == nil || r.left == 0 {
		return n, nil
	}
	return n, r.a.changed()
}

// end returns io.EOF if the file is as it was verified. The time of change in
// the system does not matter here: it moves when the name is removed.
func (a *Artifact) end() error {
	stat, err := a.file.Stat()
	if err != nil {
		return named(a.info.Path, err)
	}
	if stat.Size() != a.stat.Size() || !stat.ModTime().Equal(a.stat.ModTime()) {
		return a.changed()
	}
	return io.EOF
}
