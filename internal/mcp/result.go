package mcp

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// outcome is what a tool gives.
type outcome struct {
	texts   []jsontext.Value // strings in JSON, for the model
	isError bool

	// structured returns the structured content, or that without its member
	// content, where the texts have it and there is no room for it twice.
	structured func(withContent bool) (jsontext.Value, error)

	// shown are lines of files in the texts, by file, which count as read if the
	// result is given.
	shown []passage
}

// textItem is an item of content whose text is JSON already.
type textItem struct {
	*sdk.TextContent // nil; it makes this an item
	quoted           jsontext.Value
	by               *splices
}

// MarshalJSON implements json.Marshaler.
func (t textItem) MarshalJSON() ([]byte, error) {
	const start, end = `{"type":"text","text":`, `}`
	text := []byte(t.quoted)
	if t.by != nil {
		text = t.by.hold(t.quoted)
	}
	out := make([]byte, 0, len(start)+len(text)+len(end))
	return append(append(append(out, start...), text...), end...), nil
}

// failed is the result of a call that could not be carried out.
func failed(err error) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{textItem{quoted: quoted(err.Error())}}}
}

// result makes o a result within the limit. It is an error if it cannot be.
func (s *server) result(o outcome) (*sdk.CallToolResult, error) {
	const around = 128 // bytes that a result has besides texts and structured content, and each text has besides itself
	size := around
	r := &sdk.CallToolResult{IsError: o.isError}
	for _, t := range o.texts {
		size += len(t) + around
		r.Content = append(r.Content, textItem{quoted: t, by: s.splices})
	}
	for _, withContent := range []bool{true, false} {
		structured, err := o.structured(withContent)
		if err != nil {
			return nil, err
		}
		if size+len(structured) <= s.opts.MaxResult {
			r.StructuredContent = spliced{structured, s.splices}
			return r, nil
		}
		if !withContent {
			size += len(structured)
		}
	}
	return nil, fmt.Errorf("the result has %d bytes, and the most is %d: ask for fewer lines", size, s.opts.MaxResult)
}

// room is how many bytes the content of a file may have in JSON, so that the
// result has room for the rest.
func (s *server) room() int { return s.opts.MaxResult / 4 * 3 }

// whole returns structured content that has no member content.
func whole(structured jsontext.Value) func(bool) (jsontext.Value, error) {
	return func(bool) (jsontext.Value, error) { return structured, nil }
}

// lines returns lines as one text.
func lines(l ...string) jsontext.Value { return quoted(strings.Join(l, "\n")) }
