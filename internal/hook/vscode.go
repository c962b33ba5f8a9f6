package hook

import "strings"

// This file knows what the tools of VS Code answer: texts made for the model.

// readByVSCode understands
//
//	File: `/a.go`. Lines 3 to 9 (20 lines total):
//	```go
//	text
//	```
//
// of which the first line is missing if the file was read to its end.
func readByVSCode(c *call) []piece {
	path, _ := c.input.text(c.tool.path)
	text := strings.ReplaceAll(plain(c.response), "\r\n", "\n")
	start, count := c.input.number(c.tool.line, 1), 0
	start = max(1, min(start, c.input.number("endLine", start)))
	if head, rest, _ := strings.Cut(text, "\n"); strings.HasPrefix(head, "File: `") {
		first, last, ok := span(head, "Lines ", " to ")
		if !ok {
			return nil
		}
		start, count, text = first, last-first+1, rest
	}
	return []piece{{path, start, cutLines(unfenced(text), count)}}
}

// unfenced takes off the Markdown fence around a text.
func unfenced(text string) string {
	head, rest, ok := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
	fence := head[:len(head)-len(strings.TrimLeft(head, "`"))]
	if !ok || len(fence) < 3 {
		return text
	}
	if end := strings.LastIndex("\n"+rest, "\n"+fence); end >= 0 {
		return rest[:end]
	}
	return rest
}

// foundByVSCode understands
//
//	<match path="/a.go" line=12>
//	text
//	</match>
//
// of one line: where more lines begin is not told.
func foundByVSCode(c *call) []piece {
	var out []piece
	rest := plain(c.response)
	for {
		_, after, ok := strings.Cut(rest, "<match path=\"")
		if !ok {
			return out
		}
		path, after, _ := strings.Cut(after, "\" line=")
		n, after := leadingNumber(after)
		body, isHit := strings.CutPrefix(after, ">\n")
		text, _, isClosed := strings.Cut(body, "\n</match>")
		if rest = after; isHit && isClosed && !strings.Contains(text, "\n") {
			out = append(out, piece{path, n, text + "\n"})
		}
	}
}

func ranByVSCode(c *call) []piece {
	if c.input.flag("isBackground") {
		return nil
	}
	return c.ran(plain(c.response))
}
