package replay

import (
	"slices"
	"strings"
)

// patchHunk is one hunk of a recorded diff.
type patchHunk struct {
	OldStart, OldLines int // 1-based
	NewStart, NewLines int
	Lines              []string // each begins with ' ', '-' or '+'
}

// sides returns the lines of a hunk before and after.
func (h patchHunk) sides() (old, new []string) {
	for _, l := range h.Lines {
		if l == "" {
			continue
		}
		text := clean(l[1:])
		switch l[0] {
		case ' ':
			old, new = append(old, text), append(new, text)
		case '-':
			old = append(old, text)
		case '+':
			new = append(new, text)
		}
	}
	return old, new
}

// patched applies a recorded diff, or reports false if the text contradicts
// it: recordings show some diffs as a person sees them, without tabs.
func patched(before []*line, patch []patchHunk) ([]*line, bool) {
	next := 0
	for _, h := range patch {
		old, _ := h.sides()
		at := max(h.OldStart-1, 0)
		if at < next || at+len(old) > len(before) || len(old) != h.OldLines || !same(before[at:at+len(old)], knownLines(old)) {
			return nil, false
		}
		next = at + len(old)
	}
	var out []*line
	next = 0
	for _, h := range patch {
		old, new := h.sides()
		at := max(h.OldStart-1, 0)
		out = append(out, before[next:at]...)
		next = at + len(old)
		for i, l := range before[at:next] {
			l.text, l.known = old[i], true
		}
		out = append(out, rewritten(before[at:next], new)...)
	}
	return append(out, before[next:]...), len(patch) > 0
}

// rewritten returns the lines that replace old: those at both ends that stay
// are the same.
func rewritten(old []*line, texts []string) []*line {
	out := knownLines(texts)
	head := 0
	for ; head < len(old) && head < len(out) && old[head].says(texts[head]); head++ {
		out[head] = old[head]
	}
	for i, j := len(old)-1, len(out)-1; i >= head && j >= head && old[i].says(texts[j]); i, j = i-1, j-1 {
		out[j] = old[i]
	}
	return out
}

// reversed returns the diff that takes patch back.
func reversed(patch []patchHunk) []patchHunk {
	out := slices.Clone(patch)
	for i, h := range out {
		out[i] = patchHunk{h.NewStart, h.NewLines, h.OldStart, h.OldLines, slices.Clone(h.Lines)}
		for k, l := range h.Lines {
			switch {
			case strings.HasPrefix(l, "-"):
				out[i].Lines[k] = "+" + l[1:]
			case strings.HasPrefix(l, "+"):
				out[i].Lines[k] = "-" + l[1:]
			}
		}
	}
	return out
}
