package signatures

import (
	"fmt"
	"slices"
	"strings"

	"github.com/acode-ls/acode-ls/internal/text"
)

// hintLimit is the length of a hint in characters.
const hintLimit = 500

// Hint names declarations in the order given: "function handleAuth(), class
// TokenCache". A label comes once. What does not fit 500 characters is counted
// at the end: ", +12 more"; the outermost declarations come in first. No
// declarations give "".
func Hint(declarations []Declaration) string {
	labels := distinctLabels(declarations)
	kept := outermost(labels, hintLimit)
	if dropped := len(labels) - len(kept); dropped > 0 {
		// The count takes room from the names, and has at most so many digits.
		suffix := len(more(len(labels)))
		kept = outermost(labels, hintLimit-suffix)
		if len(kept) == 0 {
			return ""
		}
		return join(kept) + more(len(labels)-len(kept))
	}
	return join(kept)
}

func more(n int) string { return fmt.Sprintf(", +%d more", n) }

// distinctLabels returns the declarations that are the first with their label;
// of equal ones the outermost decides the depth.
func distinctLabels(declarations []Declaration) []Declaration {
	at := make(map[string]int, len(declarations))
	distinct := make([]Declaration, 0, len(declarations))
	for _, d := range declarations {
		if i, ok := at[d.Label]; ok {
			distinct[i].Depth = min(distinct[i].Depth, d.Depth)
			continue
		}
		at[d.Label] = len(distinct)
		distinct = append(distinct, d)
	}
	return distinct
}

// outermost returns, in their order, those declarations whose labels joined
// take at most limit characters, the outer ones before the deeper. The first
// that does not fit ends it, so that a long name is not passed over in favor
// of a later one without a sign.
func outermost(declarations []Declaration, limit int) []Declaration {
	byDepth := make([]int, len(declarations))
	for i := range byDepth {
		byDepth[i] = i
	}
	slices.SortStableFunc(byDepth, func(a, b int) int {
		return declarations[a].Depth - declarations[b].Depth
	})
	const separator = len(", ")
	length := -separator
	fit := 0
	for _, i := range byDepth {
		length += separator + text.CodePoints(declarations[i].Label)
		if length > limit {
			break
		}
		fit++
	}
	fitting := byDepth[:fit]
	slices.Sort(fitting)
	kept := make([]Declaration, fit)
	for i, index := range fitting {
		kept[i] = declarations[index]
	}
	return kept
}

func join(declarations []Declaration) string {
	var b strings.Builder
	for i, d := range declarations {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(d.Label)
	}
	return b.String()
}
