package truncation

import (
	"strconv"
	"strings"

	"github.com/acode-ls/acode-ls/internal/text"
)

// This file is what strategies share that keep parts of a text verbatim: the
// limit, the markers and the bookkeeping.

// span is a part of a text.
type span struct{ start, end int } // byte offsets, half-open

// cut is a choice of what remains of a text.
type cut struct {
	kept []span // in order, not overlapping

	// mark returns the text that stands for an omission; nil means the marker
	// that counts lines and characters, with a notice if one is wanted.
	mark func(Omission) string

	indent bool // as JSON
}

// fit cuts src by choose, or leaves it as it is if no cut makes it shorter.
// choose is asked for a number of characters, which must be an upper bound,
// and again for fewer as long as the markers make the result no shorter than
// the text.
func fit(src source, strategy Strategy, opts Options, choose func(characters int) cut) Result {
	budget := opts.Limits.Inline
	for {
		r := render(src, choose(budget), opts)
		excess := r.TruncatedCharacters - (src.characters - 1)
		switch {
		case !r.WasTruncated:
			return r
		case excess <= 0:
			r.Strategy = strategy
			return r
		case budget == 0:
			return unchanged(src, opts)
		}
		budget = max(0, min(budget, src.characters-r.OmittedCharacters)-excess)
	}
}

// unchanged is the result for a text that is not cut. The text must be whole.
func unchanged(src source, opts Options) Result {
	r := Result{
		Content:             src.Text(),
		OriginalCharacters:  src.characters,
		OriginalBytes:       src.bytes(),
		TruncatedCharacters: src.characters,
		TruncatedBytes:      src.bytes(),
	}
	if src.Len() > 0 {
		r.Shown = []Range{{opts.FirstLine, opts.FirstLine + src.Len() - 1}}
	}
	return r
}

// render puts together the kept parts of src and the marks.
func render(src source, c cut, opts Options) Result {
	s := src.Text()
	r := Result{
		WasTruncated:       true,
		OriginalCharacters: src.characters,
		OriginalBytes:      src.bytes(),
		OmittedCharacters:  src.characters,
		OmittedLines:       src.lines(),
	}
	if c.mark == nil {
		c.mark = func(o Omission) string { return marker(src, o, opts) }
	}
	var b strings.Builder
	indent := indenter{b: &b}
	keep := func(part span) {
		if c.indent {
			indent.keep(s[part.start:part.end])
		} else {
			b.WriteString(s[part.start:part.end])
		}
		r.OmittedCharacters -= text.CodePoints(s[part.start:part.end])
		if w := wholeLines(src, part); w.Len() > 0 {
			r.OmittedLines -= w.Len()
			r.Shown = append(r.Shown, Range{w.First + opts.FirstLine - 1, w.Last + opts.FirstLine - 1})
		}
	}
	done := 0
	omitted := omissions(src, c.kept, opts)
	for i, o := range omitted {
		if done < o.Start {
			keep(span{done, o.Start})
		}
		m := c.mark(o)
		if c.indent && m != "" {
			indent.write(m)
		} else {
			b.WriteString(m)
		}
		r.TruncatedCharacters += text.CodePoints(m)
		done = o.End
		omitted[i].Start, omitted[i].End = src.offset(o.Start), src.offset(o.End)
	}
	if len(omitted) == 0 {
		return unchanged(src, opts)
	}
	if done < len(s) {
		keep(span{done, len(s)})
	}
	r.Omissions = omitted
	r.TruncatedCharacters += src.characters - r.OmittedCharacters
	r.Content = b.String()
	if c.indent {
		r.TruncatedCharacters = text.CodePoints(r.Content)
	}
	r.TruncatedBytes = len(r.Content)
	return r
}

// omissions returns what lies between the kept parts of src, with offsets in
// what is at hand. The longest of it is not counted but is what remains of all
// characters.
func omissions(src source, kept []span, opts Options) []Omission {
	s := src.Text()
	var found []Omission
	characters := src.characters
	longest, length, done := 0, -1, 0
	for i := range len(kept) + 1 {
		k := span{len(s), len(s)}
		if i < len(kept) {
			k = kept[i]
		}
		characters -= text.CodePoints(s[k.start:k.end])
		if done < k.start {
			lines := Range{src.line(done) + opts.FirstLine - 1, src.line(k.start-1) + opts.FirstLine - 1}
			if n := src.offset(k.start) - src.offset(done); n > length {
				longest, length = len(found), n
			}
			found = append(found, Omission{Lines: lines, Start: done, End: k.start})
		}
		done = k.end
	}
	if len(found) == 0 {
		return nil
	}
	for i, o := range found {
		if i != longest {
			found[i].Characters = text.CodePoints(s[o.Start:o.End])
			characters -= found[i].Characters
		}
	}
	found[longest].Characters = characters
	return found
}

// wholeLines returns the lines of src that lie inside k, which is not empty,
// with their terminators. The range is empty if there are none.
func wholeLines(src source, k span) Range {
	first := src.LineAt(k.start)
	if src.Start(first) < k.start {
		first++
	}
	last := src.Len()
	if k.end < len(src.Text()) {
		last = src.LineAt(k.end) - 1
	}
	if !src.isWhole() && k.start >= src.gap.at {
		first, last = first+src.gap.eol, last+src.gap.eol
	}
	return Range{first, last}
}

// marker is the text that stands for an omission of lines. It is ASCII apart
// from what opts.Contains says, and its line ends are LF whatever those of the
// text are. It starts on a new line if the text before it does not end one, and
// ends its line if more text follows.
func marker(src source, o Omission, opts Options) string {
	return onLine(src, o, string(appendNotice(omitted(o), o.Lines, opts)))
}

// omitted returns the words of a marker that counts lines and characters.
func omitted(o Omission) []byte {
	m := make([]byte, 0, 128)
	m = append(m, "... ["...)
	m = strconv.AppendInt(m, int64(o.Lines.Len()), 10)
	m = append(m, " lines / "...)
	m = strconv.AppendInt(m, int64(o.Characters), 10)
	return append(m, " chars omitted] ..."...)
}

// onLine returns m, which stands for o, on lines of its own.
func onLine(src source, o Omission, m string) string {
	s := src.Text()
	if o.Start > 0 && s[o.Start-1] != '\n' {
		m = "\n" + m
	}
	if o.End < len(s) {
		m += "\n"
	}
	return m
}

// clipped is the text that stands for the rest of a line.
func clipped(characters int) string {
	return " ... [" + strconv.Itoa(characters) + " chars omitted] ..."
}

// appendNotice appends the line of an omission that names the omitted lines.
func appendNotice(m []byte, lines Range, opts Options) []byte {
	hint := ""
	if opts.Contains != nil {
		hint = opts.Contains(lines)
	}
	if hint == "" && !opts.Notice {
		return m
	}
	if lines.Len() == 1 {
		m = append(m, "\n[Line "...)
		m = strconv.AppendInt(m, int64(lines.First), 10)
	} else {
		m = append(m, "\n[Lines "...)
		m = strconv.AppendInt(m, int64(lines.First), 10)
		m = append(m, '-')
		m = strconv.AppendInt(m, int64(lines.Last), 10)
	}
	m = append(m, " truncated"...)
	if hint != "" {
		m = append(m, " — "...)
		m = append(m, hint...)
	}
	return append(m, ']')
}
