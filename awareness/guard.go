package awareness

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/acode-ls/acode-ls/internal/text"
)

// Reason is why the guard refuses an edit.
type Reason string

const (
	ReasonNeverRead   Reason = "never_read"
	ReasonNoCoverage  Reason = "no_coverage"
	ReasonPartial     Reason = "partial_overlap"
	ReasonRedacted    Reason = "redacted"
	ReasonPlaceholder Reason = "placeholder"
	ReasonDelete      Reason = "delete"
	ReasonOverwrite   Reason = "overwrite"
	ReasonBinary      Reason = "binary"
	ReasonVersion     Reason = "version"
	ReasonStale       Reason = "stale"
	ReasonOutsideRoot Reason = "outside_root"
	ReasonInvalid     Reason = "invalid"
)

// Block is the guard's refusal of an edit to one file.
type Block struct {
	Reason  Reason
	Unread  []Range // lines to read before the edit can pass; empty if reading does not help
	Message string
}

// Warning accompanies an edit that may pass.
type Warning struct {
	Message string
	Changed []Range
}

// placeholder begins what redaction writes in place of a secret.
const placeholder = "[REDACTED: "

// Judge asks whether the agent has read the lines that a change modifies. It
// returns nil if so. f must stand for c.Before; it may be nil.
//
// A run of lines that is inserted or deleted among equal lines has several
// places that give the same text; Judge moves such a hunk of c to one the
// agent has read, if there is one.
func (f *File) Judge(c *Change) *Block {
	if slices.ContainsFunc(c.Texts, func(s string) bool { return strings.Contains(s, placeholder) }) {
		return &Block{Reason: ReasonPlaceholder,
			Message: "The new text holds a redaction placeholder. Leave lines with " + placeholder + "…] as they are."}
	}
	c.Hunks, c.Texts = slices.Clone(c.Hunks), slices.Clone(c.Texts) // copies of *c share them
	var missing, masked set
	overlap := false
	for i := range c.Hunks {
		f.settle(c, i)
		asked, unread, hidden := f.asked(c.Before, c.Hunks[i])
		overlap = overlap || f != nil && f.covered.overlaps(asked)
		for _, r := range unread {
			missing = missing.push(r)
		}
		for _, r := range hidden {
			masked = masked.push(r)
		}
	}
	switch {
	case len(masked) > 0:
		return &Block{Reason: ReasonRedacted, Message: redactedMessage(masked)}
	case len(missing) == 0:
		return nil
	}
	return f.unread(c.Before, missing, overlap)
}

// JudgeWhole asks whether the agent has read all of a text that is to be
// deleted or overwritten.
func (f *File) JudgeWhole(before text.Lines, reason Reason) *Block {
	all := Range{1, before.Len()}
	if masked := f.redactedIn(all); len(masked) > 0 {
		return &Block{Reason: ReasonRedacted, Message: redactedMessage(masked)}
	}
	missing := []Range{all}
	if f != nil {
		missing = f.covered.gaps(all)
	}
	if all.Len() == 0 || len(missing) == 0 {
		return nil
	}
	b := f.unread(before, missing, true)
	if b.Reason != ReasonBinary {
		b.Reason = reason
	}
	return b
}

// asked returns the lines that a hunk modifies, or the neighbours of the place
// it inserts at, and what of them keeps it from passing: lines to read, and
// lines that were shown redacted, for which reading does not help.
func (f *File) asked(before text.Lines, h Hunk) (asked Range, unread, masked []Range) {
	asked = Range{h.Start, h.end()}
	if h.Old == 0 {
		// To have read one neighbour is enough.
		asked = Range{h.Start - 1, h.Start}.clip(Range{1, before.Len()})
		if asked.Len() == 0 || f != nil && f.covered.overlaps(asked) {
			return asked, nil, nil
		}
	}
	if f == nil {
		return asked, []Range{asked}, nil
	}
	unread, masked = f.covered.gaps(asked), f.redacted.within(asked)
	if readable := f.redacted.gaps(asked); h.Old == 0 && len(readable) > 0 {
		unread, masked = readable, nil
	}
	return asked, unread, masked
}

func (f *File) redactedIn(r Range) []Range {
	if f == nil {
		return nil
	}
	return f.redacted.within(r)
}

// settle slides a hunk that only inserts or only deletes to an equal place
// that needs no reading.
func (f *File) settle(c *Change, i int) {
	h := c.Hunks[i]
	passes := func(h Hunk) bool {
		_, unread, _ := f.asked(c.Before, h)
		return len(unread) == 0
	}
	if f == nil || h.Old > 0 && len(h.New) > 0 || passes(h) {
		return
	}
	top, bottom := 1, c.Before.Len()
	if i > 0 {
		top = c.Hunks[i-1].end() + 1
	}
	if i+1 < len(c.Hunks) {
		bottom = c.Hunks[i+1].Start - 1
	}
	// What stands before the hunk may change places with the last line of its
	// run if they are equal, then with the last but one, and so on around; what
	// stands behind it likewise with the first.
	run := text.Split(c.Texts[i] + c.Before.Span(h.Start, h.end()))
	n := run.Len()
	for by := 1; top <= h.Start-by && c.Before.Full(h.Start-by) == run.Full(n-(by-1)%n); by++ {
		if passes(Hunk{Start: h.Start - by, Old: h.Old}) {
			c.slide(i, run, -by)
			return
		}
	}
	for by := 1; h.end()+by <= bottom && c.Before.Full(h.end()+by) == run.Full(1+(by-1)%n); by++ {
		if passes(Hunk{Start: h.Start + by, Old: h.Old}) {
			c.slide(i, run, by)
			return
		}
	}
}

// slide moves hunk i, which inserts or deletes run, down by lines or, if that
// is negative, up.
func (c *Change) slide(i int, run text.Lines, lines int) {
	h := &c.Hunks[i]
	h.Start += lines
	if n := len(h.New); n > 0 {
		first := (lines%n + n) % n
		h.New = slices.Concat(h.New[first:], h.New[:first])
		c.Texts[i] = run.Span(first+1, n) + run.Span(1, first)
	}
}

// unread makes the refusal for missing lines; overlap says whether some of
// what the edit asks for was read.
func (f *File) unread(before text.Lines, missing []Range, overlap bool) *Block {
	for _, r := range missing {
		for line := r.Start; line <= r.End; line++ {
			if !utf8.ValidString(before.Line(line)) {
				return &Block{Reason: ReasonBinary,
					Message: fmt.Sprintf("Line %d is not valid UTF-8 and cannot be edited by an agent.", line)}
			}
		}
	}
	b := &Block{Unread: missing}
	switch {
	case f.State() == NeverRead:
		b.Reason, b.Message = ReasonNeverRead, "File has not been read — use read_file with target line range first."
	case !overlap:
		b.Reason, b.Message = ReasonNoCoverage, "File was partially read — use read_file with target line range first."
	default:
		b.Reason, b.Message = ReasonPartial, unreadMessage(missing)
	}
	return b
}

// unreadMessage names the lines to read.
func unreadMessage(missing []Range) string {
	what, that := "Lines", "those ranges"
	if len(missing) == 1 {
		that = "that range"
		if missing[0].Len() == 1 {
			what, that = "Line", "that line"
		}
	}
	verb := "were"
	if what == "Line" {
		verb = "was"
	}
	return fmt.Sprintf("%s %s %s not read. Read %s first.", what, Ranges(missing), verb, that)
}

func redactedMessage(masked []Range) string {
	if len(masked) == 1 && masked[0].Len() == 1 {
		return fmt.Sprintf("Line %s was shown with a secret redacted. Only a person can edit it.", Ranges(masked))
	}
	return fmt.Sprintf("Lines %s were shown with secrets redacted. Only a person can edit them.", Ranges(masked))
}

// Ranges writes line ranges as a person reads them: 10-20, 41, 50-60.
func Ranges(ranges []Range) string {
	var b strings.Builder
	for i, r := range ranges {
		if i > 0 {
			b.WriteString(", ")
		}
		if r.Len() == 1 {
			fmt.Fprintf(&b, "%d", r.Start)
		} else {
			fmt.Fprintf(&b, "%d-%d", r.Start, r.End)
		}
	}
	return b.String()
}

// Warn returns the warning for an edit of a file that changed since the agent
// looked, or nil.
func (f *File) Warn(round int) *Warning {
	if !f.Stale() {
		return nil
	}
	return &Warning{Message: f.staleMessage(round), Changed: f.Changed()}
}

// Rounds returns how many rounds ago the agent last looked, at least 1.
func (f *File) Rounds(round int) int { return max(1, round-f.round) }

func (f *File) staleMessage(round int) string {
	n := f.Rounds(round)
	unit := "rounds"
	if n == 1 {
		unit = "round"
	}
	return fmt.Sprintf("You last saw this file %d %s ago; it may have changed.", n, unit)
}

// JudgeStale refuses any edit of a file that changed since the agent looked,
// for those who set the guard to do so.
func (f *File) JudgeStale(round int) *Block {
	if !f.Stale() {
		return nil
	}
	unread := f.Changed()
	return &Block{Reason: ReasonStale, Unread: unread, Message: f.staleMessage(round)}
}
