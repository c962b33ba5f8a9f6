package awareness

import (
	"slices"
)

// Range is a run of lines, 1-based, both ends included. It is empty when
// End == Start-1.
type Range struct{ Start, End int }

// Len returns the number of lines in r.
func (r Range) Len() int { return r.End - r.Start + 1 }

// set is a sorted list of disjoint ranges that do not touch each other.
type set []Range

// at returns the index of the first range that ends at or after line.
func (s set) at(line int) int {
	// The loop has no branch but its own, so nothing is mispredicted.
	first := 0
	for n := len(s); n > 1; {
		half := n / 2
		if s[first+half-1].End < line {
			first += half
		}
		n -= half
	}
	if first < len(s) && s[first].End < line {
		first++
	}
	return first
}

// contains reports whether every line of r is in the set.
func (s set) contains(r Range) bool {
	if r.Len() <= 0 {
		return true
	}
	i := s.at(r.Start)
	return i < len(s) && s[i].Start <= r.Start && r.End <= s[i].End
}

// overlaps reports whether any line of r is in the set.
func (s set) overlaps(r Range) bool {
	i := s.at(r.Start)
	return r.Len() > 0 && i < len(s) && s[i].Start <= r.End
}

// within returns the parts of r that are in the set.
func (s set) within(r Range) []Range {
	var out []Range
	for i := s.at(r.Start); i < len(s) && s[i].Start <= r.End; i++ {
		out = append(out, Range{max(s[i].Start, r.Start), min(s[i].End, r.End)})
	}
	return out
}

// gaps returns the parts of r that are not in the set.
func (s set) gaps(r Range) []Range {
	var out []Range
	next := r.Start
	for i := s.at(r.Start); i < len(s) && s[i].Start <= r.End; i++ {
		if next < s[i].Start {
			out = append(out, Range{next, s[i].Start - 1})
		}
		next = s[i].End + 1
	}
	if next <= r.End {
		out = append(out, Range{next, r.End})
	}
	return out
}

// count returns the number of lines in the set.
func (s set) count() int {
	n := 0
	for _, r := range s {
		n += r.Len()
	}
	return n
}

// push appends r, which lies behind every range of the set.
func (s set) push(r Range) set {
	if r.Len() <= 0 {
		return s
	}
	if n := len(s); n > 0 && s[n-1].End >= r.Start-1 {
		s[n-1].End = max(s[n-1].End, r.End)
		return s
	}
	return append(s, r)
}

// add puts the lines of r into the set.
func (s *set) add(r Range) {
	if r.Len() > 0 && !s.contains(r) {
		s.splice(r, r.Len(), set{{1, r.Len()}})
	}
}

// remove takes the lines of r out of the set.
func (s *set) remove(r Range) {
	if s.overlaps(r) {
		s.splice(r, r.Len(), nil)
	}
}

// splice replaces the lines of old by n lines, of which those in put are in
// the set; put counts from 1 at old.Start. What lies behind moves along.
func (s *set) splice(old Range, n int, put set) {
	i := s.at(old.Start)
	j := i
	if old.Len() > 0 {
		j += (*s)[i:].at(old.End + 1)
	}
	if j < len(*s) && (*s)[j].Start <= old.End {
		j++
	}
	delta := n - old.Len()

	// Both neighbours take part so that touching ranges merge.
	lo, hi := max(i-1, 0), min(j+1, len(*s))
	var buf [8]Range
	mid := set(buf[:0])
	if lo < i {
		mid = mid.push((*s)[lo])
	}
	if i < j {
		mid = mid.push(Range{(*s)[i].Start, old.Start - 1})
	}
	for _, r := range put {
		mid = mid.push(Range{r.Start + old.Start - 1, r.End + old.Start - 1})
	}
	if i < j {
		mid = mid.push(Range{old.End + 1 + delta, (*s)[j-1].End + delta})
	}
	if j < hi {
		mid = mid.push(Range{(*s)[j].Start + delta, (*s)[j].End + delta})
	}

	if delta != 0 {
		tail := (*s)[hi:]
		for k := range tail {
			tail[k].Start += delta
			tail[k].End += delta
		}
	}
	*s = slices.Replace(*s, lo, hi, mid...)
}

// Union returns the lines that are in a or in b. Both are ascending and
// disjoint, as is the result.
func Union(a, b []Range) []Range {
	u := set(slices.Clone(a))
	for _, r := range b {
		u.add(r)
	}
	return u
}

// Minus returns the lines of a that are not in b.
func Minus(a, b []Range) []Range {
	m := set(slices.Clone(a))
	for _, r := range b {
		m.remove(r)
	}
	return m
}
