// Package truncation cuts text that is longer than a limit, says in the text
// what was left out, and tells exactly which lines remain whole.
//
// A character is a Unicode code point, and a byte that belongs to none counts
// as one. Lines are counted from 1, ranges of lines include both ends, and
// offsets are bytes, half-open.
//
// The package does not know tools, files or configuration, keeps nothing on
// disk, and never reads its own markers back: a text may contain the same
// words, so only a Result says what was omitted.
package truncation

import (
	"fmt"
	"strconv"

	"github.com/acode-ls/acode-ls/internal/text"
)

// Strategy names a way to choose what remains of a text.
type Strategy string

const (
	// HeadTail keeps the start and the end.
	HeadTail Strategy = "head_tail"
)

// strategies is the registry: one function for each strategy. It returns the
// text unchanged when that is within its limits.
var strategies = map[Strategy]func(text.Lines, Options) Result{
	HeadTail: headTail,
}

// Limits is how much of a text remains.
type Limits struct {
	Inline    int     // characters that are kept at most, without markers; 0 means 8000
	HeadRatio float64 // the part of Inline that the start gets, between 0 and 1; 0 means 0.6
}

const (
	defaultInline    = 8000
	defaultHeadRatio = 0.6
)

// Options says how to truncate a text. The zero value has the default limits.
type Options struct {
	Limits Limits

	// FirstLine is the number, in the file it is part of, of the text's first
	// line; 0 means 1. All line numbers of the Result count from it.
	FirstLine int

	// Notice adds the line "[Lines 7-90 truncated]" after each marker.
	Notice bool

	// Contains returns, for a Notice, what the given omitted lines of the file
	// contain, or "". It may be called for ranges that are not omitted in the
	// end. Nil means that nothing is known.
	Contains func(Range) string
}

// Range is a range of lines.
type Range struct {
	First, Last int // 1-based, both included
}

// Len returns the number of lines.
func (r Range) Len() int { return r.Last - r.First + 1 }

// Omission is one place where text was left out.
type Omission struct {
	Lines      Range // those that miss at least one character
	Start, End int   // byte offsets in the text that was given, half-open
	Characters int
}

// Result is a text after truncation.
type Result struct {
	Content      string // with markers
	WasTruncated bool
	Strategy     Strategy   // "" when the text was not truncated
	Omissions    []Omission // in order
	Shown        []Range    // the lines that are in Content whole, in order

	OriginalCharacters  int // of the text that was given
	OriginalBytes       int
	TruncatedCharacters int // of Content
	TruncatedBytes      int
	OmittedCharacters   int
	OmittedLines        int // that miss at least one character
}

// Truncate cuts a text by a strategy. What it returns is either the text
// itself or shorter than it, counted in characters with the markers.
func Truncate(l text.Lines, strategy Strategy, opts Options) (Result, error) {
	truncate, ok := strategies[strategy]
	if !ok {
		return Result{}, fmt.Errorf("truncating: unknown strategy %q", strategy)
	}
	if opts.Limits.Inline == 0 {
		opts.Limits.Inline = defaultInline
	}
	if opts.Limits.HeadRatio == 0 {
		opts.Limits.HeadRatio = defaultHeadRatio
	}
	if opts.FirstLine == 0 {
		opts.FirstLine = 1
	}
	return truncate(l, opts), nil
}

// Tokens estimates how many tokens of a language model a number of characters
// takes: four characters each, rounded up.
func Tokens(characters int) int { return (characters + 3) / 4 }

// Summary says in a few words what was omitted, such as "middle 85,340
// characters / ~21,335 tokens". It is "" when nothing was.
func (r Result) Summary() string {
	if !r.WasTruncated {
		return ""
	}
	place := "middle"
	if len(r.Omissions) == 1 {
		switch o := r.Omissions[0]; {
		case o.Start == 0:
			place = "beginning"
		case o.End == r.OriginalBytes:
			place = "end"
		}
	}
	return place + " " + thousands(r.OmittedCharacters) + " characters / ~" + thousands(Tokens(r.OmittedCharacters)) + " tokens"
}

// thousands formats n >= 0 with a comma after each three digits.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
