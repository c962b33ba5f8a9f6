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
	var missing, masked set
	overlap := false
	for i := range c.Hunks {
		f.settle(c, i)
		asked, need := f.asked(c, i)
		for _, r := range f.redactedIn(asked) {
			masked = masked.push(r)
		}
		if len(need) == 0 {
			overlap = true
			continue
		}
		overlap = overlap || f != nil && f.covered.overlaps(asked)
		for _, r := range need {
			missing = missing.push(r)
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

// asked returns the lines that hunk i modifies, or the neighbours of the place
// it inserts at, and which lines have to be read for it.
func (f *File) asked(c *Change, i int) (asked Range, need []Range) {
	h := c.Hunks[i]
	asked = Range{h.Start, h.end()}
	if h.Old == 0 {
		asked = Range{h.Start - 1, h.Start}.clip(Range{1, c.Before.Len()})
		if asked.Len() == 0 || f != nil && f.covered.overlaps(asked) {
			return asked, nil
		}
	}
	if f == nil {
		return asked, []Range{asked}
	}
	return asked, f.covered.gaps(asked)
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
	if f == nil || h.Old > 0 && len(h.New) > 0 {
		return
	}
	if _, need := f.asked(c, i); len(need) == 0 {
		return
	}
	top, bottom := 1, c.Before.Len()
	if i > 0 {
		top = c.Hunks[i-1].end() + 1
	}
	if i+1 < len(c.Hunks) {
		bottom = c.Hunks[i+1].Start - 1
	}
	start := *c
	for _, down := range []bool{false, true} {
		c.Hunks, c.Texts = slices.Clone(start.Hunks), slices.Clone(start.Texts)
		for c.slide(i, down, top, bottom) {
			if _, need := f.asked(c, i); len(need) == 0 {
				return
			}
		}
	}
	c.Hunks, c.Texts = start.Hunks, start.Texts
}

// slide moves hunk i by one line within [top, bottom] if the text stays the
// same, and reports whether it did.
func (c *Change) slide(i int, down bool, top, bottom int) bool {
	h := &c.Hunks[i]
	if h.Old > 0 {
		switch {
		case down && h.end() < bottom && c.Before.Full(h.Start) == c.Before.Full(h.end()+1):
			h.Start++
		case !down && top < h.Start && c.Before.Full(h.Start-1) == c.Before.Full(h.end()):
			h.Start--
		default:
			return false
		}
		return true
	}
	added, n := text.Split(c.Texts[i]), len(h.New)
	switch {
	case down && h.Start <= bottom && c.Before.Full(h.Start) == added.Full(1):
		h.Start++
		h.New = append(slices.Clone(h.New[1:]), h.New[0])
		c.Texts[i] = added.Span(2, n) + added.Full(1)
	case !down && top < h.Start && c.Before.Full(h.Start-1) == added.Full(n):
		h.Start--
		h.New = append([]uint64{h.New[n-1]}, h.New[:n-1]...)
		c.Texts[i] = added.Full(n) + added.Span(1, n-1)
	default:
		return false
	}
	return true
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
