package search

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Line is a line of output. Hit is nil for a separator.
type Line struct {
	Text string
	Hit  *Hit
}

// separator stands between groups of lines that do not follow each other.
const separator = "--"

// Render shows r as grep does: path:line:text for a match, path-line-text for a
// line of context. A path with control characters in it is quoted, so that each
// Line is one. It puts separators only where there is context.
func Render(r Result) []Line {
	grouped := slices.ContainsFunc(r.Hits, func(h Hit) bool { return !h.IsMatch })
	lines := make([]Line, 0, len(r.Hits))
	for i := range r.Hits {
		hit := &r.Hits[i]
		if grouped && i > 0 && !follows(r.Hits[i-1], *hit) {
			lines = append(lines, Line{Text: separator})
		}
		lines = append(lines, Line{Text: render(*hit), Hit: hit})
	}
	return lines
}

func follows(a, b Hit) bool { return a.Path == b.Path && a.Line+1 == b.Line }

func render(h Hit) string {
	mark := "-"
	if h.IsMatch {
		mark = ":"
	}
	name := h.Path
	if strings.ContainsFunc(name, unicode.IsControl) {
		name = strconv.Quote(name)
	}
	return name + mark + strconv.Itoa(h.Line) + mark + h.Text
}
