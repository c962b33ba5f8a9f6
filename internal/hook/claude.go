package hook

import (
	"strings"
	"unicode/utf8"
)

// This file knows what the tools of Claude Code answer.

// maxClaudeLine is the length in characters from which the Read tool cuts a
// line.
const maxClaudeLine = 2000

func readByClaude(c *call) []piece {
	path, _ := c.input.text(c.tool.path)
	response := c.responseObject()
	if response == nil {
		return numbered(path, plain(c.response))
	}
	file := response.object("file")
	path = either(first(file.text("filePath")), path)
	switch kind, _ := response.text("type"); kind {
	case "text":
		content, _ := file.text("content")
		return whole(path, file.number("startLine", c.input.number(c.tool.line, 1)), content)
	case "notebook":
		var cells []shownCell
		for _, o := range file.list("cells") {
			cells = append(cells, shownCell{first(o.text("cell_id|cellId|id")), joined(o["source"])})
		}
		return c.cells(path, cells)
	}
	return nil // an image, a document, or a file that is said to be unchanged
}

func first[T any](v T, _ bool) T { return v }

// whole returns the lines of content that are short enough to be shown whole.
func whole(path string, start int, content string) []piece {
	var out []piece
	open := false
	for full := range strings.Lines(content) {
		switch {
		case len(full) > maxClaudeLine && utf8.RuneCountInString(full) > maxClaudeLine:
			open = false
		case open:
			out[len(out)-1].text += full
		default:
			out, open = append(out, piece{path, start, full}), true
		}
		start++
	}
	return out
}

func foundByClaude(c *call) []piece {
	path, _ := c.input.text(c.tool.path)
	response := c.responseObject()
	if response == nil {
		return c.hits(path, plain(c.response))
	}
	if mode, _ := response.text("mode"); mode != "content" {
		return nil
	}
	content, _ := response.text("content")
	return c.hits(path, content)
}

func ranByClaude(c *call) []piece {
	response := c.responseObject()
	if response == nil {
		return c.ran(plain(c.response))
	}
	if response.flag("interrupted|isImage") {
		return nil
	}
	if _, background := response.text("backgroundTaskId"); background {
		return nil
	}
	output, _ := response.text("stdout")
	if faults, _ := response.text("stderr"); c.tool.tooLong(output + faults) {
		return nil
	}
	return c.ran(output)
}
