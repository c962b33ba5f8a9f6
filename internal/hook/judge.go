package hook

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/acode-ls/acode-ls/internal/fileuri"
)

// guarded is what the guard says of an edit.
type guarded struct {
	Blocks []struct {
		URI     string `json:"uri"`
		Reason  string `json:"reason"`
		Message string `json:"message"`
	} `json:"blocks"`
	Warnings []struct {
		Message string `json:"message"`
	} `json:"warnings"`
	Expanded []struct {
		Content string `json:"content"`
	} `json:"expanded"`
}

// sendAgain ends a refusal that carries the lines that were missing.
const sendAgain = "These lines count as read now: send the same edit again."

// judge answers an event before a tool that writes.
func (c *call) judge() ([]byte, error) {
	var denials, warnings []string
	var faults error
	shown := false // some of the lines that were missing
	changes, err := c.changes()
	faults = errors.Join(faults, err)
	for _, change := range changes {
		doc, ok := c.document(change.path)
		if !ok {
			continue
		}
		g, err := c.ask(doc, change)
		faults = errors.Join(faults, err)
		more := c.denials(g, len(changes) > 1)
		shown = shown || len(more) > 0 && len(g.Expanded) > 0
		denials = append(denials, more...)
		for _, w := range g.Warnings {
			warnings = append(warnings, c.labelled(doc.URI, w.Message, len(changes) > 1))
		}
	}
	if shown {
		denials = append(denials, sendAgain)
	}
	var answer []byte
	switch {
	case len(denials) > 0:
		answer, err = c.denied(strings.Join(denials, "\n"))
	case len(warnings) > 0:
		answer, err = added(c.name, strings.Join(warnings, "\n"))
	default:
		err = nil
	}
	return answer, errors.Join(faults, err)
}

// ask asks the guard about a change.
func (c *call) ask(doc document, change change) (g guarded, err error) {
	params := map[string]any{"textDocument": doc}
	switch {
	case change.deletes:
		operation := map[string]any{"kind": "delete", "uri": doc.URI}
		edit := map[string]any{"documentChanges": []any{operation}}
		return g, c.request("acode/checkEdit", map[string]any{"edit": edit}, &g)
	case change.lines != nil:
		params["edits"], params["dryRun"] = []lineEdit{*change.lines}, true
	case change.content != nil:
		params["content"], params["expect"] = *change.content, true
	case len(change.edits) > 0:
		return c.askEdits(doc, change.edits)
	default:
		return c.askUnread(doc)
	}
	return g, c.request("acode/edit", params, &g)
}

// askEdits asks about texts that are replaced. Tools may find what the guard
// does not: the last line of a file without the line end that patches write
// behind it, or a text that is only alike.
func (c *call) askEdits(doc document, edits []textEdit) (g guarded, err error) {
	params := map[string]any{"textDocument": doc, "edits": edits, "expect": true}
	if err := c.request("acode/edit", params, &g); err != nil || !g.invalid() {
		return g, err
	}
	if c.tool.does == patches {
		var open guarded
		params["edits"] = openEnded(edits)
		if err := c.request("acode/edit", params, &open); err == nil && !open.invalid() {
			return open, nil
		}
	}
	return c.askUnread(doc)
}

// openEnded takes the line end off the last edit.
func openEnded(edits []textEdit) []textEdit {
	out := slices.Clone(edits)
	last := &out[len(out)-1]
	last.Old, last.New = strings.TrimSuffix(last.Old, "\n"), strings.TrimSuffix(last.New, "\n")
	return out
}

// invalid reports whether the guard did not find what is to be replaced.
func (g guarded) invalid() bool {
	return len(g.Blocks) > 0 && g.Blocks[0].Reason == "invalid"
}

// askUnread asks about a change of lines that are not known: it needs a file of
// which something was read. Only for one that was not may the guard be asked
// about all lines, since it shows what it finds missing.
func (c *call) askUnread(doc document) (g guarded, err error) {
	var state struct {
		Files []struct {
			State string `json:"state"`
			Lines int    `json:"totalLines"`
		} `json:"files"`
	}
	path, err := fileuri.Parse(doc.URI)
	if err != nil || !regular(path) {
		return g, err // a new file
	}
	err = c.request("acode/state", map[string]any{"textDocument": doc}, &state)
	if err != nil || len(state.Files) != 1 || state.Files[0].State != "never_read" || state.Files[0].Lines == 0 {
		return g, err
	}
	all := []lineEdit{{First: 1, Last: state.Files[0].Lines}}
	return g, c.request("acode/edit", map[string]any{"textDocument": doc, "edits": all, "dryRun": true}, &g)
}

// denials returns what the agent is told of the blocks of a file: the messages,
// then the lines that were missing.
func (c *call) denials(g guarded, several bool) []string {
	var out []string
	for _, b := range g.Blocks {
		if message := c.labelled(b.URI, b.Message, several); denies(b.Reason) && !slices.Contains(out, message) {
			out = append(out, message)
		}
	}
	if len(out) == 0 {
		return nil
	}
	for _, e := range g.Expanded {
		out = append(out, strings.TrimSuffix(e.Content, "\n"))
	}
	return out
}

// denies reports whether a block is about what the agent has not seen. What
// cannot be edited at all, and files of others, are the agent's own tool's to
// refuse.
func denies(reason string) bool {
	switch reason {
	case "never_read", "no_coverage", "partial_overlap", "redacted", "placeholder", "delete", "overwrite", "stale":
		return true
	}
	return false // invalid, binary, version, outside_root
}

// labelled names the file of a message where there are several, on a line of
// its own.
func (c *call) labelled(uri, message string, several bool) string {
	path, err := fileuri.Parse(uri)
	if !several || err != nil {
		return message
	}
	if rel, err := filepath.Rel(c.root, path); err == nil {
		path = filepath.ToSlash(rel)
	}
	return message + "\nFile: " + path
}
