//go:build cgo

package signatures

import (
	"slices"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
)

// This file has what the rules of several languages share.

// visible returns a rule for a language whose declarations begin with
// modifiers and annotations; isVisible judges the modifiers.
func visible(r rule, isVisible func(w *walk, n *sitter.Node, in scope) bool) rule {
	return rule{declare: func(w *walk, n *sitter.Node, in scope) {
		in.exported = (in.depth == 0 || in.exported) && isVisible(w, n, in)
		in.start = afterAnnotations(n)
		w.declare(n, r, in)
	}}
}

// afterAnnotations returns the offset at which n starts without its
// annotations.
func afterAnnotations(n *sitter.Node) int {
	start := -1
	each(n, func(child *sitter.Node, _ *sitter.TreeCursor) {
		if start >= 0 {
			return
		}
		switch child.Type() {
		case "annotation", "marker_annotation", "attribute", "attribute_list", "comment", "line_comment", "block_comment", "multiline_comment":
		case "modifiers":
			start = afterAnnotations(child)
		default:
			start = int(child.StartByte())
		}
	})
	return start
}

// hasModifier reports whether one of words stands among the modifiers of n:
// before its name.
func (w *walk) hasModifier(n *sitter.Node, words ...string) bool {
	found := false
	each(n, func(child *sitter.Node, _ *sitter.TreeCursor) {
		switch child.Type() {
		case "modifiers":
			found = found || w.hasModifier(child, words...)
		case "modifier", "visibility_modifier", "access_modifier":
			found = found || slices.Contains(words, w.src[child.StartByte():child.EndByte()])
		default:
			found = found || !child.IsNamed() && slices.Contains(words, child.Type())
		}
	})
	return found
}

// unqualified visits the members of a namespace. Its name is long, and most
// files have but one, so that their names are not told with it.
func (w *walk) unqualified(body *sitter.Node, in, inner scope) {
	inner.name = in.name
	if body != nil {
		w.inside(body, inner)
	}
}

// beforeByte returns s up to the first b.
func beforeByte(s string, b byte) string {
	if i := strings.IndexByte(s, b); i >= 0 {
		return strings.TrimSpace(s[:i])
	}
	return s
}
