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
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/acode-ls/acode-ls/internal/text"
)

// Strategy names a way to choose what remains of a text.
type Strategy string

const (
	HeadTail Strategy = "head_tail" // the start and the end
	Head     Strategy = "head"      // the first lines
	Tail     Strategy = "tail"      // the last lines
	Element  Strategy = "element"   // the first and the last elements of JSON, XML or a list of lines
	Smart    Strategy = "smart"     // whole declarations, failures first, or whole hunks
	None     Strategy = "none"      // everything
)

// strategies is the registry: one function for each strategy. It returns the
// text unchanged when that is within its limits. What it cannot treat it hands
// to fallBack.
var strategies = map[Strategy]func(source, Options) Result{
	HeadTail: headTail,
	Head:     head,
	Tail:     tail,
	Element:  element,
	Smart:    smart,
	None:     none,
}

// Limits is how much of a text remains. A field that is zero has its default,
// except that one of FirstElements and LastElements may be zero.
type Limits struct {
	Inline    int     // characters that are kept at most, without markers; 8000
	HeadRatio float64 // the part of Inline that the start gets, between 0 and 1; 0.6

	HeadLines int // lines that Head keeps at most; 300
	TailLines int // lines that Tail keeps at most; 200
	MaxLine   int // characters of a line that Head and Tail keep at most; 500

	FirstElements, LastElements int // of each list, and of each object; 5 and 5
	MaxDepth                    int // of containers in containers, the outermost having depth 0; 3
}

var defaults = Limits{
	Inline: 8000, HeadRatio: 0.6,
	HeadLines: 300, TailLines: 200, MaxLine: 500,
	FirstElements: 5, LastElements: 5, MaxDepth: 3,
}

// orDefaults returns l with its zero fields filled in.
func (l Limits) orDefaults() Limits {
	if l.FirstElements == 0 && l.LastElements == 0 {
		l.FirstElements, l.LastElements = defaults.FirstElements, defaults.LastElements
	}
	l.Inline = cmp.Or(l.Inline, defaults.Inline)
	l.HeadRatio = cmp.Or(l.HeadRatio, defaults.HeadRatio)
	l.HeadLines = cmp.Or(l.HeadLines, defaults.HeadLines)
	l.TailLines = cmp.Or(l.TailLines, defaults.TailLines)
	l.MaxLine = cmp.Or(l.MaxLine, defaults.MaxLine)
	l.MaxDepth = cmp.Or(l.MaxDepth, defaults.MaxDepth)
	return l
}

// Options says how to truncate a text. The zero value has the default limits.
type Options struct {
	Limits Limits

	// FirstLine is the number, in the file it is part of, of the text's first
	// line; 0 means 1. All line numbers of the Result count from it.
	FirstLine int

	// Notice adds the line "[Lines 7-90 truncated]" after each marker that
	// stands for lines. Without it the line is added only where Contains knows
	// something.
	Notice bool

	// Contains returns what the given omitted lines of the file contain, as the
	// notice says it ("contains: class TokenCache"), or "". It may be called
	// for ranges that are not omitted in the end. Nil means that nothing is
	// known.
	Contains func(Range) string

	// Structure lets Element show the shape of JSON without keeping it valid:
	// marks are plain text, and JSON that is one line gets line ends and
	// indentation, which count among the marks.
	Structure bool

	// Units returns the declarations of the text, for Smart; nil means that the
	// text is no code, or that they do not matter. Their lines count like
	// those of the Result.
	Units func() []Unit

	// InOrder keeps Smart from putting the failures of a log first.
	InOrder bool
}

// Unit is a declaration at the top level of a source file.
type Unit struct {
	Name     string
	Kind     string // in the plural, as in "8 functions omitted"
	Lines    Range
	Exported bool
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
	Strategy     Strategy   // that was used; "" when the text was not truncated
	FallbackFrom Strategy   // that was asked for and could not treat the text, or ""
	Omissions    []Omission // in order
	Shown        []Range    // the lines that are in Content whole, in order

	OriginalCharacters  int // of the text that was given
	OriginalBytes       int
	TruncatedCharacters int // of Content
	TruncatedBytes      int
	OmittedCharacters   int
	OmittedLines        int // that miss at least one character
	OmittedElements     int // by Element, at any depth

	// JSON tells whether Content is known to be, or not to be, valid JSON.
	JSON Validity
}

// Validity is what is known of a text's form.
type Validity int

const (
	Unknown Validity = iota
	Valid
	Invalid
)

// Truncate cuts a text by a strategy. What it returns is either the text
// itself or shorter than it, counted in characters with the markers.
func Truncate(l text.Lines, strategy Strategy, opts Options) (Result, error) {
	return truncate(whole(l), strategy, opts)
}

func truncate(src source, strategy Strategy, opts Options) (Result, error) {
	cut, ok := strategies[strategy]
	if !ok {
		return Result{}, fmt.Errorf("truncating: unknown strategy %q", strategy)
	}
	opts.Limits = opts.Limits.orDefaults()
	opts.FirstLine = max(opts.FirstLine, 1)
	return cut(src, opts), nil
}

func none(src source, opts Options) Result { return unchanged(src, opts) }

// fallBack is what a strategy does with a text that it cannot treat.
func fallBack(from Strategy, src source, opts Options) Result {
	r := headTail(src, opts)
	if r.WasTruncated {
		r.FallbackFrom = from
	}
	return r
}

// Tokens estimates how many tokens of a language model a number of characters
// takes: four characters each, rounded up.
func Tokens(characters int) int { return (characters + 3) / 4 }

// Summary says in a few words what was omitted, and where most of it was, such
// as "middle 85,340 characters / ~21,335 tokens". It is "" when nothing was.
func (r Result) Summary() string {
	if !r.WasTruncated {
		return ""
	}
	place := "middle"
	if len(r.Omissions) > 0 {
		most := slices.MaxFunc(r.Omissions, func(a, b Omission) int { return a.Characters - b.Characters })
		switch {
		case most.Start == 0:
			place = "beginning"
		case most.End == r.OriginalBytes:
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
