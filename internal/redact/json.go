package redact

import (
	"encoding/json"
	"strings"
)

// JSON replaces the secrets in s inside its strings only, so that the result
// is JSON as s is; numbers are never secrets. If s is not JSON, the result is
// that of Text, with NotJSON set if anything was replaced.
func (r *Redactor) JSON(s string) Result {
	found := r.find(s)
	if len(found) == 0 {
		return Result{Text: s}
	}
	if !json.Valid([]byte(s)) {
		res := replace(s, found)
		res.NotJSON = true
		return res
	}
	return replace(s, withinStrings(s, found))
}

// withinStrings returns the parts of found inside the strings of the JSON text
// s, widened to whole escapes.
func withinStrings(s string, found []match) []match {
	var within []match
	i := 0 // outside strings
	for len(found) > 0 {
		quote := strings.IndexByte(s[i:], '"')
		if quote < 0 {
			break
		}
		start := i + quote + 1
		end, aligned := stringEnd(s, start), start
		for len(found) > 0 && found[0].start < end {
			m := found[0]
			if m.end > start {
				part := widen(s, aligned, max(start, m.start), min(end, m.end))
				aligned = part.end
				if part.start < part.end {
					within = append(within, match{part.start, part.end, m.kind})
				}
			}
			if m.end > end {
				break
			}
			found = found[1:]
		}
		i = end + 1
	}
	return within
}

// stringEnd returns where the closing quote of the JSON string is whose
// content starts at i.
func stringEnd(s string, i int) int {
	for s[i] != '"' {
		if s[i] == '\\' {
			i++
		}
		i++
	}
	return i
}

// widen returns s[start:end] with whole escapes, not beginning before the
// offset i, at which no escape is under way.
func widen(s string, i, start, end int) match {
	start = max(start, i)
	for i < end {
		next := i + 1
		if s[i] == '\\' {
			next = i + len(`\n`)
			if s[i+1] == 'u' {
				next = i + len(`\u0000`)
			}
		}
		if i < start && start < next {
			start = i
		}
		i = next
	}
	return match{start: start, end: i}
}
