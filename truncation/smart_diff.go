package truncation

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/acode-ls/acode-ls/internal/text"
)

// This file keeps files of a unified diff with their headers and whole hunks.

// A diff of more files shows the first and the last.
const (
	firstFiles = 10
	lastFiles  = 5
)

// diff is a unified diff as git and diff -u write it.
type diff struct {
	source
	opts    Options
	files   []diffFile // all of the text, without gaps
	trailer int        // where the text after the last file starts
}

// diffFile is what a diff says of one file. It ends where the next one starts.
type diffFile struct {
	start  int // of the text before the header, such as the message of a commit
	header span
	hunks  []span // whole; also what stands for the hunks of a binary file
	end    int
}

// parseDiff returns nil unless most of the text is a diff.
func parseDiff(src source, opts Options) chooser {
	d := diff{source: src, opts: opts}
	p := diffParser{text: src.Text()}
	inFiles := 0
	for p.at < len(p.text) {
		f, ok := p.file()
		if p.broken {
			return nil
		}
		if !ok {
			break
		}
		d.files = append(d.files, f)
		inFiles += f.end - f.header.start
	}
	if 2*inFiles < len(p.text) || len(d.files) == 0 {
		return nil
	}
	last := &d.files[len(d.files)-1]
	d.trailer, last.end = last.end, len(p.text)
	return d.choose
}

// choose keeps headers first, then one hunk after another of each file. What
// stands before a header, as the message of a commit does, comes before the
// hunks if it is short.
func (d diff) choose(characters int) cut {
	size := markSize(d.source, d.opts)
	s := newSelection(d.Text(), characters, func(span) int { return size })
	var shown []diffFile
	for _, f := range outsideIn(d.files) {
		if !s.add(f.header) {
			break
		}
		shown = append(shown, f)
	}
	addMessages(s, shown, characters/4)
	whole := false
	for i := 0; ; i++ {
		hunks := ithHunks(shown, i)
		if len(hunks) == 0 {
			break
		}
		for _, h := range hunks {
			whole = s.add(h) || whole
		}
	}
	if first := ithHunks(shown, 0); !whole && len(first) > 0 {
		s.addStart(first[0], s.left)
	}
	addMessages(s, shown, len(s.text))
	if slices.ContainsFunc(shown, func(f diffFile) bool { return d.trailer <= f.end }) {
		s.add(span{d.trailer, len(d.Text())})
	}
	s.close()
	return cut{kept: s.kept, mark: d.mark}
}

// addMessages keeps what stands before the headers as far as that takes at most
// a number of bytes.
func addMessages(s *selection, files []diffFile, bytes int) {
	for _, f := range files {
		if n := f.header.start - f.start; n <= bytes && s.add(span{f.start, f.header.start}) {
			bytes -= n
		}
	}
}

// ithHunks returns the i-th hunk of each file that has one, the shortest first,
// so that as many files as possible show one.
func ithHunks(files []diffFile, i int) []span {
	var hunks []span
	for _, f := range files {
		if i < len(f.hunks) {
			hunks = append(hunks, f.hunks[i])
		}
	}
	slices.SortStableFunc(hunks, func(a, b span) int { return (a.end - a.start) - (b.end - b.start) })
	return hunks
}

// outsideIn returns the files to show in the order of their weight: from both
// ends to the middle, two of the first for one of the last.
func outsideIn(files []diffFile) []diffFile {
	last := min(lastFiles, len(files)/3)
	first := min(firstFiles, len(files)-last)
	shown := make([]diffFile, 0, first+last)
	for i := range first {
		shown = append(shown, files[i])
		if n := i/2 + 1; i%2 == 0 && n <= last {
			shown = append(shown, files[len(files)-n])
		}
	}
	return shown
}

// mark counts the hunks that a file misses, and the files that are missing.
func (d diff) mark(o Omission) string {
	i, _ := slices.BinarySearchFunc(d.files, o.Start, func(f diffFile, at int) int { return f.start - at })
	files, hunks, end := 0, 0, o.Start
	for first := true; i < len(d.files) && d.files[i].end <= o.End; i++ {
		if first {
			end, first = d.files[i].start, false
		}
		files++
		hunks += len(d.files[i].hunks)
	}
	var m []byte
	if files == 0 {
		end = o.End
	}
	if o.Start < end {
		m = append(m, d.omittedInside(span{o.Start, end})...)
	}
	if files > 0 {
		if len(m) > 0 {
			m = append(m, '\n')
		}
		m = fmt.Appendf(m, "... [%d files omitted showing %d hunks / %s diff] ...", files, hunks, diffSize(o.End-end))
	}
	return onLine(d.source, o, string(appendNotice(m, o.Lines, d.opts)))
}

// omittedInside returns the words for what a file misses. They count hunks if
// these are whole.
func (d diff) omittedInside(part span) []byte {
	o := Omission{
		Lines:      Range{d.line(part.start), d.line(part.end - 1)},
		Characters: text.CodePoints(d.Text()[part.start:part.end]),
	}
	hunks, whole := 0, false
	i, found := slices.BinarySearchFunc(d.files, part.start, func(f diffFile, at int) int { return f.start - at })
	if !found {
		for _, h := range d.files[i-1].hunks {
			whole = whole || h.start == part.start
			if part.start <= h.start && h.end <= part.end {
				hunks++
			}
		}
	}
	if !whole {
		return omitted(o)
	}
	return fmt.Appendf(nil, "... [%d hunks omitted / %d lines / %d chars] ...", hunks, o.Lines.Len(), o.Characters)
}

// diffSize formats a number of bytes.
func diffSize(n int) string {
	const kb, mb, gb = 1 << 10, 1 << 20, 1 << 30
	switch {
	case n < kb:
		return strconv.Itoa(n) + "B"
	case n < mb-kb/2: // so that none becomes 1024KB
		return strconv.Itoa((n+kb/2)/kb) + "KB"
	case n < gb-mb/20:
		return strconv.FormatFloat(float64(n)/mb, 'f', 1, 64) + "MB"
	}
	return strconv.FormatFloat(float64(n)/gb, 'f', 1, 64) + "GB"
}
