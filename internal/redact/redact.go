// Package redact finds secrets in text and replaces them.
//
// A secret is replaced by [REDACTED: TYPE], followed by asterisks up to the
// secret's length in characters; a shorter secret gives way to the placeholder
// alone. Line breaks inside a secret stay, so the number of lines never
// changes, and a placeholder is never redacted again.
//
// The rules are facts about tokens (rules.go) and hand-written matchers around
// keywords. A match may look at most behind bytes back and ahead bytes forward
// of the keyword that starts it, so a stream is redacted as the whole text is.
//
// The package does not know files, settings or wire formats, and it does not
// look for personal data.
package redact

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Options says what to look for besides the built-in rules. The zero value is
// the built-in rules alone.
type Options struct {
	// Strict redacts every run of 40 or more of [A-Za-z0-9_-], hashes and
	// long identifiers included.
	Strict bool

	Patterns []Pattern
}

// A Redactor finds secrets. It is safe for concurrent use. The zero value has
// the built-in rules.
type Redactor struct {
	strict   bool
	patterns []pattern
}

// New returns a Redactor. It fails if a pattern is refused; see Pattern.
func New(o Options) (*Redactor, error) {
	patterns, err := compile(o.Patterns)
	if err != nil {
		return nil, err
	}
	return &Redactor{o.Strict, patterns}, nil
}

// A Count is how many secrets of one type were replaced.
type Count struct {
	Type  string
	Count int
}

// A Range is a run of lines.
type Range struct {
	First, Last int // lines, 1-based, both included
}

// A Result is a redacted text.
type Result struct {
	Text  string  // the text itself if nothing was found
	Count int     // how many secrets were replaced
	Types []Count // sorted by type

	// Lines are the lines on which something was replaced: ascending, and
	// merged where they touch. LF, CRLF and a lone CR end a line.
	Lines []Range

	// NotJSON is set by Redactor.JSON alone: the text is not JSON, so its
	// secrets were replaced as in any text.
	NotJSON bool
}

// Text replaces the secrets in s.
func (r *Redactor) Text(s string) Result {
	return replace(s, r.find(s))
}

// find returns the secrets of a whole text.
func (r *Redactor) find(s string) []match {
	sc := scanner{s: s, strict: r.strict}
	if len(r.patterns) > 0 {
		sc.later, _ = appendMatches(nil, r.patterns, s, 0, true)
	}
	sc.scan(0, len(s))
	sc.merge(len(s))
	return sc.found
}

// A match is a secret.
type match struct {
	start, end int // byte offsets, half-open
	kind       string
}

// replace puts placeholders in the place of found, which is ascending and does
// not overlap.
func replace(s string, found []match) Result {
	if len(found) == 0 {
		return Result{Text: s}
	}
	res := Result{Count: len(found)}
	res.Text = redacted(s, found)
	var lines lineCounter
	for _, m := range found {
		res.Types = addCount(res.Types, m.kind, 1)
		first := 1 + lines.upTo(s, m.start)
		res.addLines(Range{first, 1 + lines.upTo(s, m.end)})
	}
	return res
}

func redacted(s string, found []match) string {
	var b strings.Builder
	b.Grow(len(s) + 16*len(found))
	last := 0
	for _, m := range found {
		b.WriteString(s[last:m.start])
		writePlaceholder(&b, m.kind, s[m.start:m.end])
		last = m.end
	}
	b.WriteString(s[last:])
	return b.String()
}

func (r *Result) addLines(lines Range) {
	if n := len(r.Lines); n > 0 && lines.First <= r.Lines[n-1].Last+1 {
		r.Lines[n-1].Last = lines.Last
		return
	}
	r.Lines = append(r.Lines, lines)
}

// addCount adds n to the count of kind in counts, which stays sorted.
func addCount(counts []Count, kind string, n int) []Count {
	i, ok := slices.BinarySearchFunc(counts, kind, func(c Count, kind string) int {
		return strings.Compare(c.Type, kind)
	})
	if !ok {
		counts = slices.Insert(counts, i, Count{kind, 0})
	}
	counts[i].Count += n
	return counts
}

const (
	opening = "[REDACTED: "
	stars   = "****************************************************************"
)

// writePlaceholder writes what replaces secret: as many lines, and if its
// first line has room for the placeholder, as many characters.
func writePlaceholder(b *strings.Builder, kind, secret string) {
	b.WriteString(opening)
	b.WriteString(kind)
	b.WriteByte(']')
	line, rest := cutLine(secret)
	writeStars(b, utf8.RuneCountInString(line)-len(opening)-len(kind)-len("]"))
	for rest != "" {
		b.WriteByte(rest[0])
		line, rest = cutLine(rest[1:])
		writeStars(b, utf8.RuneCountInString(line))
	}
}

// cutLine cuts s before its first LF or CR.
func cutLine(s string) (line, rest string) {
	for i := range len(s) {
		if newline.has(s[i]) {
			return s[:i], s[i:]
		}
	}
	return s, ""
}

func writeStars(b *strings.Builder, n int) {
	for ; n > len(stars); n -= len(stars) {
		b.WriteString(stars)
	}
	if n > 0 {
		b.WriteString(stars[:n])
	}
}

// A lineCounter counts line breaks as it moves forward through a text.
type lineCounter struct {
	offset, count int
}

// upTo returns how many lines of s end at or before the byte offset end, which
// must not decrease from call to call.
func (l *lineCounter) upTo(s string, end int) int {
	part := s[l.offset:end]
	l.count += strings.Count(part, "\n")
	for {
		i := strings.IndexByte(part, '\r')
		if i < 0 {
			break
		}
		if after := end - len(part) + i + 1; after == len(s) || s[after] != '\n' {
			l.count++
		}
		part = part[i+1:]
	}
	l.offset = end
	return l.count
}
