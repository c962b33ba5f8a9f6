package hook

import (
	"fmt"
	"strings"
)

// parsePatch reads the patch format of apply_patch, in which hunks are found by
// their context:
//
//	*** Begin Patch
//	*** Update File: a.go
//	*** Move to: b.go
//	@@ func F
//	 context
//	-old
//	+new
//	*** Add File: c.go
//	+text
//	*** Delete File: d.go
//	*** End Patch
func parsePatch(patch string) ([]change, error) {
	var out []change
	var hunk textEdit
	var moved []change
	flush := func() {
		if len(out) > 0 && hunk.Old != hunk.New && out[len(out)-1].content == nil {
			last := &out[len(out)-1]
			last.edits = append(last.edits, hunk)
		}
		hunk = textEdit{}
	}
	for full := range strings.Lines(patch) {
		text := strings.TrimRight(full, "\r\n")
		if head, path, ok := heading(text); ok {
			flush()
			switch head {
			case "Update File":
				out = append(out, change{path: path})
			case "Add File":
				out = append(out, change{path: path, content: new(string)})
			case "Delete File":
				out = append(out, change{path: path, deletes: true})
			case "Move to":
				moved = append(moved, change{path: path})
			}
			continue
		}
		if strings.HasPrefix(text, "@@") || strings.HasPrefix(text, "***") {
			flush()
			continue
		}
		if len(out) > 0 {
			out[len(out)-1].patchLine(text, &hunk)
		}
	}
	flush()
	if len(out) == 0 {
		return nil, fmt.Errorf("the patch names no file")
	}
	return append(out, moved...), nil
}

// heading splits a line such as "*** Add File: a.go".
func heading(line string) (head, path string, ok bool) {
	rest, ok := strings.CutPrefix(line, "*** ")
	if !ok {
		return "", "", false
	}
	head, path, ok = strings.Cut(rest, ": ")
	return head, strings.TrimSpace(path), ok
}

// patchLine adds a line of a patch to a change, of which hunk is the one being
// read.
func (c *change) patchLine(text string, hunk *textEdit) {
	sign, line := "", ""
	if text != "" {
		sign, line = text[:1], text[1:]+"\n"
	}
	switch {
	case c.content != nil && sign == "+":
		*c.content += line
		c.texts = append(c.texts, line)
	case c.content != nil:
	case sign == "+":
		hunk.New += line
		c.texts = append(c.texts, line)
	case sign == "-":
		hunk.Old += line
	case sign == " ":
		hunk.Old += line
		hunk.New += line
	case sign == "":
		hunk.Old += "\n"
		hunk.New += "\n"
	}
}
