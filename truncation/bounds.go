package truncation

import "fmt"

// Bounds says what becomes of a text by its size.
type Bounds struct {
	Inline   int   // characters up to which it passes
	Artifact int   // characters from which it is stored instead of cut
	Max      int64 // bytes from which it is not even stored
}

// Fate is what becomes of a text.
type Fate int

const (
	Pass   Fate = iota // it is shown as it is
	Cut                // it is cut by a strategy
	Store              // it is stored, and a reference shown
	Refuse             // it is an error
)

// Fate returns what becomes of a text of so many characters and bytes. What is
// within Inline passes whatever the other bounds are.
func (b Bounds) Fate(characters int, bytes int64) Fate {
	switch {
	case characters <= b.Inline:
		return Pass
	case characters < b.Artifact:
		return Cut
	case bytes < b.Max:
		return Store
	}
	return Refuse
}

// TooLargeError refuses a text that is too large to be stored.
type TooLargeError struct {
	Size, Max int64 // bytes
	AtLeast   bool  // Size is only what was seen of it
}

func (e *TooLargeError) Error() string {
	more, atLeast := "", ""
	if e.AtLeast {
		more, atLeast = "more than ", "at least "
	}
	const mb = 1 << 20
	return fmt.Sprintf("Output size (%s%.1f MB) exceeds maximum artifact size (%.1f MB). It has %s%d bytes, and %d is the first size that is refused.",
		more, float64(e.Size)/mb, float64(e.Max)/mb, atLeast, e.Size, e.Max)
}
