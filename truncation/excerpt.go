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

// excerpt returns the parts of l that keep chooses, with a marker for all that
// lies between them, or l itself if that is within the limit. It asks keep for
// a number of characters, which must be an upper bound, and asks again for
// fewer as long as the markers make the result no shorter than l. keep returns
// spans in order that do not overlap.
func excerpt(l text.Lines, strategy Strategy, opts Options, keep func(characters int) []span) Result {
	all := text.CodePoints(l.Text())
	if all <= opts.Limits.Inline {
		return unchanged(l, all, opts)
	}
	budget := opts.Limits.Inline
	for {
		r := render(l, all, keep(budget), opts)
		excess := r.TruncatedCharacters - (all - 1)
		if excess <= 0 {
			r.Strategy = strategy
			return r
		}
		if budget == 0 {
			return unchanged(l, all, opts)
		}
		kept := all - r.OmittedCharacters
		budget = max(0, kept-excess)
	}
}

// unchanged is the result for a text that is not cut.
func unchanged(l text.Lines, characters int, opts Options) Result {
	r := Result{
		Content:             l.Text(),
		OriginalCharacters:  characters,
		OriginalBytes:       len(l.Text()),
		TruncatedCharacters: characters,
		TruncatedBytes:      len(l.Text()),
	}
	if l.Len() > 0 {
		r.Shown = []Range{{opts.FirstLine, opts.FirstLine + l.Len() - 1}}
	}
	return r
}

// render puts together the kept parts of l, which has the given number of
// characters, and the markers.
func render(l text.Lines, characters int, kept []span, opts Options) Result {
	s := l.Text()
	r := Result{
		WasTruncated:       true,
		OriginalCharacters: characters,
		OriginalBytes:      len(s),
		OmittedCharacters:  characters,
		OmittedLines:       l.Len(),
	}
	var b strings.Builder
	keep := func(part span) {
		b.WriteString(s[part.start:part.end])
		r.OmittedCharacters -= text.CodePoints(s[part.start:part.end])
		if whole := wholeLines(l, part); whole.Len() > 0 {
			r.OmittedLines -= whole.Len()
			r.Shown = append(r.Shown, Range{whole.First + opts.FirstLine - 1, whole.Last + opts.FirstLine - 1})
		}
	}
	done := 0
	for _, o := range omissions(l, characters, kept, opts) {
		if done < o.Start {
			keep(span{done, o.Start})
		}
		m := marker(o, o.Start > 0 && s[o.Start-1] != '\n', o.End < len(s), opts)
		b.WriteString(m)
		r.TruncatedCharacters += text.CodePoints(m)
		r.Omissions = append(r.Omissions, o)
		done = o.End
	}
	if done < len(s) {
		keep(span{done, len(s)})
	}
	r.TruncatedCharacters += characters - r.OmittedCharacters
	r.Content = b.String()
	r.TruncatedBytes = len(r.Content)
	return r
}

// omissions returns what lies between the kept parts of l. The longest of it is
// not counted but is what remains of all characters.
func omissions(l text.Lines, characters int, kept []span, opts Options) []Omission {
	s := l.Text()
	var found []Omission
	longest, done := 0, 0
	for _, k := range append(kept, span{len(s), len(s)}) {
		characters -= text.CodePoints(s[k.start:k.end])
		if done < k.start {
			lines := Range{l.LineAt(done) + opts.FirstLine - 1, l.LineAt(k.start-1) + opts.FirstLine - 1}
			found = append(found, Omission{Lines: lines, Start: done, End: k.start})
			if o := found[longest]; k.start-done > o.End-o.Start {
				longest = len(found) - 1
			}
		}
		done = k.end
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

// wholeLines returns the lines of l that lie inside k, which is not empty, with
// their terminators. The range is empty if there are none.
func wholeLines(l text.Lines, k span) Range {
	first := l.LineAt(k.start)
	if l.Start(first) < k.start {
		first++
	}
	last := l.Len()
	if k.end < len(l.Text()) {
		last = l.LineAt(k.end) - 1
	}
	return Range{first, last}
}

// marker is the text that stands for an omission. It is ASCII apart from what
// opts.Contains says, and its line ends are LF whatever those of the text are.
// It starts on a new line if the text before it does not end one, and ends its
// line if more text follows.
func marker(o Omission, breakBefore, breakAfter bool, opts Options) string {
	m := make([]byte, 0, 128)
	if breakBefore {
		m = append(m, '\n')
	}
	m = append(m, "... ["...)
	m = strconv.AppendInt(m, int64(o.Lines.Len()), 10)
	m = append(m, " lines / "...)
	m = strconv.AppendInt(m, int64(o.Characters), 10)
	m = append(m, " chars omitted] ..."...)
	if opts.Notice {
		m = append(m, '\n')
		m = appendNotice(m, o.Lines, opts.Contains)
	}
	if breakAfter {
		m = append(m, '\n')
	}
	return string(m)
}

// appendNotice appends the line of an omission that names the omitted lines.
func appendNotice(m []byte, lines Range, contains func(Range) string) []byte {
	if lines.Len() == 1 {
		m = append(m, "[Line "...)
		m = strconv.AppendInt(m, int64(lines.First), 10)
	} else {
		m = append(m, "[Lines "...)
		m = strconv.AppendInt(m, int64(lines.First), 10)
		m = append(m, '-')
		m = strconv.AppendInt(m, int64(lines.Last), 10)
	}
	m = append(m, " truncated"...)
	if contains != nil {
		if hint := contains(lines); hint != "" {
			m = append(m, " — contains: "...)
			m = append(m, hint...)
		}
	}
	return append(m, ']')
}
