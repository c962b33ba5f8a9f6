package main

import (
	"math"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/config"
	"github.com/acode-ls/acode-ls/internal/envelope"
	"github.com/acode-ls/acode-ls/internal/redact"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/internal/workspace"
	"github.com/acode-ls/acode-ls/truncation"
)

// This file chooses, before a read, how much of what is asked for goes into
// the answer. A read counts the lines it returns as read, so it is too late to
// find out afterwards that they are over the cap.

// portion is what a read shows of what was asked for.
type portion struct {
	shown workspace.Selection
	tail  tail // what is left of it, if its text is not empty
	size  int  // of the file in bytes, for a portion in bytes
}

// tail is the end of a selection.
type tail struct {
	workspace.Selection
	text  string
	lines truncation.Range
}

// slack is more than the markers in a cut text need, and the notice with them,
// in characters.
const slack = 1000

// choose returns the portion of a selection that is shown: whole lines where
// one fits at all.
func (a *app) choose(h *workspace.Hub, file, path string, asked workspace.Selection) (portion, error) {
	p := portion{shown: asked}
	room, byBytes := math.MaxInt, asked.EndByte > 0
	if a.json {
		room = a.room(file)
	}
	c, _ := h.Configuration()
	readLimit := c.Tool("read_file").InlineLimit
	longLine := 4 * readLimit
	const widest = 6 // bytes of JSON for one character
	if room >= widest*(longLine+slack) && !byBytes {
		return p, nil
	}
	doc, err := h.TextOf(path)
	if err != nil {
		return p, nil // it will be the read's error
	}
	l := doc.Text
	p.size = len(l.Text())
	start, end, ok := bounds(l, asked)
	if !ok {
		return p, nil
	}
	limit := readLimit
	if byBytes || asked.Lines.Len() == 1 && asked.Lines.Start > 0 {
		limit = longLine
	}
	wanted := l.Text()[start:end]
	head := text.Prefix(wanted, limit)
	if len(head) == len(wanted) && envelope.Prefix(wanted, room) == len(wanted) {
		return p, nil
	}
	if !byBytes && len(head) < len(wanted) {
		// It is cut to parts of its head and its tail.
		if both := head + text.Suffix(wanted, limit); envelope.Prefix(both, room-slack) == len(both) {
			return p, nil
		}
	}
	keep := envelope.Prefix(head, room)
	if keep <= 0 {
		return p, configError("TOOL_MAX_OUTPUT_BYTES: %d is too small to show any of a file", a.limit)
	}
	return p.split(l, start, start+keep, end), nil
}

// bounds returns the bytes of a selection, or false if it is not in the text.
func bounds(l text.Lines, sel workspace.Selection) (start, end int, ok bool) {
	switch s := l.Text(); {
	case sel.EndByte > 0:
		start, end = sel.StartByte, min(sel.EndByte, len(s))
		return start, end, start < end
	case sel.Lines.Start == 0:
		return 0, len(s), true
	case sel.Lines.Start > l.Len():
		return 0, 0, false
	default:
		return l.Start(sel.Lines.Start), l.Start(min(sel.Lines.End, l.Len()) + 1), true
	}
}

// split shows what lies before mid, which is less than end, or the whole lines
// of that where there is one.
func (p portion) split(l text.Lines, start, mid, end int) portion {
	first, last := l.LineAt(start), l.LineAt(end-1)
	next := l.LineAt(mid)
	wholeLines := start < l.Start(next)
	if wholeLines {
		mid = l.Start(next)
	}
	if wholeLines && p.shown.EndByte == 0 {
		p.shown = workspace.Selection{Lines: awareness.Range{Start: first, End: next - 1}}
		p.tail.Selection = workspace.Selection{Lines: awareness.Range{Start: next, End: last}}
	} else {
		p.shown = workspace.Selection{StartByte: start, EndByte: mid}
		p.tail.Selection = workspace.Selection{StartByte: mid, EndByte: end}
	}
	p.tail.text = l.Text()[mid:end]
	p.tail.lines = truncation.Range{First: next, Last: last}
	return p
}

// mark says in the result of a read that the tail is missing.
func (p portion) mark(r *workspace.ReadResult) {
	if p.tail.text == "" || r.Binary {
		return
	}
	omitted := text.CodePoints(p.tail.text)
	marker := envelope.Marker(omitted)
	r.Content += marker
	r.Omissions = append(r.Omissions, truncation.Omission{
		Lines: p.tail.lines, Start: r.OriginalBytes, End: r.OriginalBytes + len(p.tail.text), Characters: omitted,
	})
	r.WasTruncated, r.Strategy = true, "head"
	r.OriginalCharacters += omitted
	r.OriginalBytes += len(p.tail.text)
	r.TruncatedCharacters += len(marker)
	r.TruncatedBytes += len(marker)
	r.OmittedCharacters += omitted
	r.OmittedLines += p.tail.lines.Len()
}

// room returns how many bytes of JSON an answer that shows a part of FILE has
// for its content.
func (a *app) room(file string) int {
	const big = math.MaxInt32
	lines := awareness.Range{Start: big, End: big}
	gap := truncation.Omission{Lines: truncation.Range{First: big, Last: big}, Characters: big}
	rest := a.readCommandLine(file, workspace.Selection{Lines: lines})
	empty, _ := envelope.Answer{
		Data: newReadData(workspace.ReadResult{
			ToolResult: workspace.ToolResult{
				Result: truncation.Result{
					WasTruncated: true, Strategy: truncation.HeadTail, Omissions: []truncation.Omission{gap},
					OriginalCharacters: big, OriginalBytes: big, TruncatedCharacters: big, TruncatedBytes: big,
					OmittedCharacters: big, OmittedLines: big,
				},
				Settings:   config.Default().Tool("read_file"),
				Redactions: []redact.Count{{Type: "CONNECTION_STRING", Count: big}, {Type: "PRIVATE_KEY", Count: big}},
				Tool:       "read_file", ContentType: "application/json", Duration: big,
			},
			Shown: []awareness.Range{lines, lines}, Total: big,
		}, rest, nil),
		Cut:      &envelope.Cut{Field: "data.content", Total: big, Returned: big, OriginalSize: big, Size: big},
		Duration: big, Rest: func(envelope.Cut) string { return rest },
	}.Encode(math.MaxInt)
	return a.limit - len(empty) - len(envelope.Marker(big))
}
