package awareness

import "slices"

// lineList is a list of line hashes with a gap where it was changed last, so
// that changes near each other do not move the rest of a long list.
type lineList struct {
	buf  []uint64
	gap  int // index at which the gap is
	free int // length of the gap

	shared bool // buf belongs to a clone as well, and is copied before it is changed
}

func newLineList(lines []uint64) lineList {
	return lineList{buf: slices.Clone(lines), gap: len(lines)}
}

func (l *lineList) len() int { return len(l.buf) - l.free }

// at returns the hash of line n, 1-based.
func (l *lineList) at(n int) uint64 {
	if n > l.gap {
		n += l.free
	}
	return l.buf[n-1]
}

// in returns the hashes of the lines of r, which may share memory with the
// list.
func (l *lineList) in(r Range) []uint64 {
	switch {
	case r.End <= l.gap:
		return l.buf[r.Start-1 : r.End]
	case r.Start > l.gap:
		return l.buf[r.Start-1+l.free : r.End+l.free]
	}
	return slices.Concat(l.buf[r.Start-1:l.gap], l.buf[l.gap+l.free:r.End+l.free])
}

// all returns the whole list, which shares memory with it.
func (l *lineList) all() []uint64 {
	l.move(l.len())
	return l.buf[:l.gap]
}

// move takes the gap to index i.
func (l *lineList) move(i int) {
	if i == l.gap {
		return
	}
	l.own()
	if i < l.gap {
		copy(l.buf[i+l.free:], l.buf[i:l.gap])
	} else {
		copy(l.buf[l.gap:], l.buf[l.gap+l.free:i+l.free])
	}
	l.gap = i
}

// replace puts lines in place of those of r.
func (l *lineList) replace(r Range, lines []uint64) {
	l.own()
	l.move(r.End)
	l.gap, l.free = r.Start-1, l.free+r.Len()
	if more := len(lines) - l.free; more > 0 {
		l.grow(more)
	}
	copy(l.buf[l.gap:], lines)
	l.gap, l.free = l.gap+len(lines), l.free-len(lines)
}

// grow makes the gap longer by n and by a part of the list, so that growing
// line by line stays cheap.
func (l *lineList) grow(n int) {
	n += l.len() / 32
	buf := make([]uint64, len(l.buf)+n)
	copy(buf, l.buf[:l.gap])
	copy(buf[l.gap+l.free+n:], l.buf[l.gap+l.free:])
	l.buf, l.free = buf, l.free+n
}

// clone returns a list that changes by itself.
func (l *lineList) clone() lineList {
	l.shared = true
	return *l
}

// own makes buf the list's own.
func (l *lineList) own() {
	if l.shared {
		l.buf, l.shared = slices.Clone(l.buf), false
	}
}
