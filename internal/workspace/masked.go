package workspace

import (
	"path"
	"slices"
	"strings"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/redact"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/truncation"
)

// masked is the text of a document as agents see it. It has as many lines.
type masked struct {
	Text  text.Lines
	lines []truncation.Range // on which secrets were masked, ascending
	by    *redact.Redactor
	of    awareness.Hash
}

// masked returns the text of d without secrets. All of it is looked at, as a
// secret may start before the lines that are asked for.
func (d *Document) masked(by *redact.Redactor) *masked {
	if d.mask != nil && d.mask.by == by && d.mask.of == d.Sum {
		return d.mask
	}
	d.mask = &masked{Text: d.Text, by: by, of: d.Sum}
	if by == nil {
		return d.mask
	}
	mask := by.Text
	if path.Ext(d.Name) == ".json" {
		mask = by.JSON
	}
	if r := mask(d.Text.Text()); r.Count > 0 {
		d.mask.Text = text.Split(r.Text)
		for _, lines := range r.Lines {
			d.mask.lines = append(d.mask.lines, truncation.Range(lines))
		}
	}
	return d.mask
}

// maxMasks is how many files on disk are remembered as masked. What is
// remembered of one without secrets is small.
const maxMasks = 64

// masked is d.masked for a document of the hub, which on disk is read anew each
// time. The caller holds h.mu.
func (h *Hub) masked(d *Document, by *redact.Redactor) *masked {
	if m := h.masks[d.Name]; m != nil && !d.Open && m.by == by && m.of == d.Sum {
		known := *m
		if len(m.lines) == 0 {
			known.Text = d.Text
		}
		d.mask = &known
		return d.mask
	}
	m := d.masked(by)
	if !d.Open {
		if len(h.masks) >= maxMasks {
			clear(h.masks)
		}
		kept := *m
		if len(m.lines) == 0 {
			kept.Text = text.Lines{}
		}
		h.masks[d.Name] = &kept
	}
	return m
}

// touches reports whether a secret was masked in r.
func (m *masked) touches(r awareness.Range) bool { return len(m.within([]awareness.Range{r})) > 0 }

// within returns the lines of ranges, which ascend, in which secrets were
// masked.
func (m *masked) within(ranges []awareness.Range) []awareness.Range {
	var found []awareness.Range
	for _, r := range ranges {
		for _, l := range m.lines {
			if start, end := max(r.Start, l.First), min(r.End, l.Last); start <= end {
				found = append(found, awareness.Range{Start: start, End: end})
			}
		}
	}
	return found
}

// count returns how many secrets were masked in r, by type.
func (m *masked) count(r awareness.Range) []redact.Count {
	var counts []redact.Count
	for _, w := range m.within([]awareness.Range{r}) {
		rest := m.Text.Span(w.Start, w.End)
		for {
			_, after, ok := strings.Cut(rest, "[REDACTED: ")
			if !ok {
				break
			}
			kind, _, _ := strings.Cut(after, "]")
			i := slices.IndexFunc(counts, func(c redact.Count) bool { return c.Type == kind })
			if i < 0 {
				i, counts = len(counts), append(counts, redact.Count{Type: kind})
			}
			counts[i].Count++
			rest = after
		}
	}
	slices.SortFunc(counts, func(a, b redact.Count) int { return strings.Compare(a.Type, b.Type) })
	return counts
}

// offset returns where in the masked text the place is that is at in the text
// of d. In a line with a secret it is as far from the start of the line, or at
// its end.
func (m *masked) offset(d *Document, at int) int {
	if at >= len(d.Text.Text()) {
		return len(m.Text.Text())
	}
	line := d.Text.LineAt(at)
	full := m.Text.Full(line)
	return m.Text.Start(line) + text.Floor(full, min(at-d.Text.Start(line), len(full)))
}
