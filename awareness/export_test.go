package awareness

// Covers reports whether every line of r is covered.
func (f *File) Covers(r Range) bool { return f.covered.contains(r) }

// Remembered returns how many taken-out runs of lines f remembers.
func (f *File) Remembered() int { return len(f.gone) }

const MaxFragments, MaxKnowledge = maxFragments, maxKnowledge
