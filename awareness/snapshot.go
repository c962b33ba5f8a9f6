package awareness

import "slices"

// This file turns the record of a file into plain data and back.

// Snapshot is everything a File knows that outlives a restart.
type Snapshot struct {
	Lines      []uint64
	Changed    map[int]uint64 // what the agent saw in lines that changed since
	Sum, Known Hash
	Covered    []Range
	Redacted   []Range
	Added      []Range
	Authored   bool
	Shown      bool
	Round      int
}

// Snapshot returns the state of f. It shares no memory with f.
func (f *File) Snapshot() Snapshot {
	s := Snapshot{
		Lines: slices.Clone(f.lines.all()), Sum: f.sum, Known: f.known,
		Covered: f.Read(), Redacted: f.Redacted(), Added: f.Added(),
		Authored: f.authored, Shown: f.shown, Round: f.round,
	}
	for _, c := range f.changed {
		if s.Changed == nil {
			s.Changed = make(map[int]uint64, len(f.changed))
		}
		s.Changed[c.line] = c.hash
	}
	return s
}

// Restore returns the File of a snapshot, or false if the snapshot contradicts
// itself.
func Restore(s Snapshot) (*File, bool) {
	f := &File{
		lines: newLineList(s.Lines), sum: s.Sum, known: s.Known,
		authored: s.Authored, shown: s.Shown, round: s.Round,
	}
	for _, ranges := range []struct {
		from []Range
		to   *set
	}{{s.Covered, &f.covered}, {s.Redacted, &f.redacted}, {s.Added, &f.added}} {
		last := 0
		for _, r := range ranges.from {
			if r.Start <= last || r.End < r.Start || r.End > len(s.Lines) {
				return nil, false
			}
			*ranges.to = ranges.to.push(r)
			last = r.End
		}
	}
	for _, r := range slices.Concat(f.redacted, f.added) {
		if f.covered.overlaps(r) {
			return nil, false
		}
	}
	for _, r := range f.added {
		if f.redacted.overlaps(r) {
			return nil, false
		}
	}
	for line, hash := range s.Changed {
		if !f.covered.contains(Range{line, line}) || s.Lines[line-1] == hash {
			return nil, false
		}
		f.changed = append(f.changed, sight{line, hash})
	}
	slices.SortFunc(f.changed, func(a, b sight) int { return a.line - b.line })
	return f, true
}
