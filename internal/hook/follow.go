package hook

import (
	"errors"
	"maps"
	"slices"

	"github.com/acode-ls/acode-ls/internal/fileuri"
)

// piece is text that the agent was shown as lines of a file.
type piece struct {
	path  string // relative to where the agent is, or absolute
	start int    // the line of the file that text begins with, 1-based
	text  string
}

// shownText is a piece in a request.
type shownText struct {
	Start int    `json:"startLine"`
	Text  string `json:"text"`
}

// follow answers an event after a tool.
func (c *call) follow() error {
	if len(c.response) == 0 || failed(c.response) {
		return nil
	}
	if c.tool.does == reads {
		if cut(c.response) {
			return nil
		}
		return c.credit(c.tool.shows(c))
	}
	changes, faults := c.changes()
	for _, change := range changes {
		doc, ok := c.document(change.path)
		if !ok {
			continue
		}
		if path, err := fileuri.Parse(doc.URI); err != nil || !regular(path) {
			continue // a file that is gone is noticed when it is looked for
		}
		params := map[string]any{"textDocument": doc}
		if len(change.texts) > 0 {
			params["texts"] = change.texts
		}
		faults = errors.Join(faults, c.request("acode/edited", params, nil))
	}
	if c.tool.does == notebook && faults == nil {
		return c.credit(c.cellWritten())
	}
	return faults
}

// credit tells which lines the agent was shown. The workspace compares them
// with the file.
func (c *call) credit(pieces []piece) error {
	shown := map[string][]shownText{}
	for _, p := range pieces {
		if doc, ok := c.document(p.path); ok && p.text != "" && p.start > 0 {
			shown[doc.URI] = append(shown[doc.URI], shownText{p.start, p.text})
		}
	}
	var faults error
	for _, uri := range slices.Sorted(maps.Keys(shown)) {
		params := map[string]any{"textDocument": document{uri}, "shown": shown[uri]}
		faults = errors.Join(faults, c.request("acode/observe", params, nil))
	}
	return faults
}
