package hook

import (
	"path/filepath"
	"strings"
)

// This file knows what the tools of Gemini CLI answer the model, which is in
// the member llmContent.

const (
	geminiContent   = "--- FILE CONTENT (truncated) ---\n"
	geminiTruncated = "[WARNING: This file was truncated."
)

func readByGemini(c *call) []piece {
	path, _ := c.input.text(c.tool.path)
	text := plain(c.responseObject()["llmContent"])
	head, content, truncated := strings.Cut(text, geminiContent)
	if !truncated {
		if c.input.number("offset|limit|start_line|end_line", -1) >= 0 {
			return nil // it does not say which lines these are
		}
		return []piece{{path, 1, text}}
	}
	if first, last, ok := span(head, "Showing lines ", "-"); ok {
		return []piece{{path, first, cutLines(content, last-first+1)}}
	}
	return nil
}

// readManyByGemini understands a list of
//
//	--- /a.go ---
//
//	text
func readManyByGemini(c *call) []piece {
	var out []piece
	for _, part := range parts(c.responseObject()["llmContent"]) {
		head, content, ok := strings.Cut(part, " ---\n\n")
		path, named := strings.CutPrefix(strings.TrimLeft(head, "\n"), "--- ")
		if !ok || !named {
			continue
		}
		if strings.HasPrefix(content, geminiTruncated) {
			_, content, _ = strings.Cut(content, "\n\n")
		}
		out = append(out, piece{path, 1, strings.TrimSuffix(content, "\n\n")})
	}
	return out
}

// foundByGemini understands
//
//	File: a.go
//	L12: text
//	L13- context
//
// with paths from the folder that was searched, or from where the agent is.
func foundByGemini(c *call) []piece {
	var out []piece
	where, _ := c.input.text(c.tool.where)
	path := ""
	for full := range strings.Lines(plain(c.responseObject()["llmContent"])) {
		if name, ok := strings.CutPrefix(full, "File: "); ok {
			path = strings.TrimRight(name, "\r\n")
			if at, err := c.absolute(path); err == nil && !regular(at) {
				path = filepath.Join(where, path)
			}
			continue
		}
		label, ok := strings.CutPrefix(full, "L")
		n, text := leadingNumber(label)
		if !ok || path == "" || len(text) < 2 || text[0] != ':' && text[0] != '-' {
			continue
		}
		if text = text[1:]; text[0] == ' ' {
			text = text[1:]
		}
		out = append(out, piece{path, n, text})
	}
	return out
}

// ranByGemini understands lines of "Name: text", of which Output may go on over
// many lines.
func ranByGemini(c *call) []piece {
	text := "\n" + plain(c.responseObject()["llmContent"])
	_, output, ok := strings.Cut(text, "\nOutput: ")
	if !ok {
		_, output, ok = strings.Cut(text, "\nStdout: ")
	}
	for ok {
		at := strings.LastIndex(output, "\n")
		name, value, isField := strings.Cut(output[at+1:], ": ")
		if at < 0 || !isField {
			break
		}
		switch name {
		case "Stderr", "Error", "Exit Code", "Signal", "Background PIDs", "Process Group PGID":
			if name == "Exit Code" && value != "0" {
				return nil
			}
			output = output[:at]
			continue
		}
		break
	}
	if !ok {
		return nil
	}
	return c.ran(output)
}
