package envelope

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// This file shortens envelopes that are over the cap.

// fit cuts the longest list or string of an envelope until it is within limit,
// then the next, then leaves all of the data out.
func (a Answer) fit(data, problem []byte, cuts []Cut, limit int) ([]byte, bool) {
	root := &value{kind: object, names: []string{"data", "error"}, items: []*value{parse(data), parse(problem)}}
	for {
		all := root.cuts("")
		slices.SortStableFunc(all, func(a, b Cut) int { return cmp.Compare(b.missing(), a.missing()) })
		all = append(all, cuts...)
		out := a.wrap(root.items[0].json(), root.items[1].json(), all)
		over := len(out) - limit
		if over <= 0 {
			return out, true
		}
		longest := root.longest()
		if longest == nil {
			break
		}
		longest.shorten(over)
	}
	gone := root.items[1].cuts("error")
	if string(data) != "null" {
		gone = slices.Insert(gone, 0, Cut{Field: "data", Total: 1, OriginalSize: len(data), Size: len("null")})
	}
	problem = root.items[1].json()
	if out := a.wrap([]byte("null"), problem, gone); len(out) <= limit {
		return out, true
	}
	a.Rest = nil
	if out := a.wrap([]byte("null"), problem, gone); len(out) <= limit {
		return out, true
	}
	const tooSmall = `{"code":"CONFIG","message":"TOOL_MAX_OUTPUT_BYTES is too small for an envelope"}`
	a.Error = &Error{}
	return a.wrap([]byte("null"), []byte(tooSmall), nil), false
}

// value is a JSON value that can be made shorter.
type value struct {
	kind  kind
	plain []byte   // of what is neither of the other kinds
	text  string   // of a string
	items []*value // of a list or object
	names []string // of an object's items

	// Of a list or string that was cut.
	size  int    // in bytes before; 0 if it was not cut
	total int    // items of a list before
	whole string // the text before
	keep  int    // bytes of whole that are left
}

type kind int

const (
	plain kind = iota
	text
	list
	object
)

// parse reads the JSON text of one value, which must be well formed.
func parse(raw []byte) *value {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	return parseNext(dec)
}

func parseNext(dec *json.Decoder) *value {
	token, err := dec.Token()
	if err != nil {
		panic(err) // it was encoded here
	}
	switch token := token.(type) {
	case string:
		return &value{kind: text, text: token}
	case json.Delim:
		v := &value{kind: list}
		if token == '{' {
			v.kind = object
		}
		for dec.More() {
			if v.kind == object {
				v.names = append(v.names, parseNext(dec).text)
			}
			v.items = append(v.items, parseNext(dec))
		}
		_, _ = dec.Token() // what closes it
		return v
	default:
		raw, _ := encode(token)
		return &value{kind: plain, plain: raw}
	}
}

// json returns the JSON text of v.
func (v *value) json() []byte {
	switch v.kind {
	case text:
		raw, _ := encode(v.text)
		return raw
	case plain:
		return v.plain
	}
	open, end := byte('['), byte(']')
	if v.kind == object {
		open, end = '{', '}'
	}
	out := []byte{open}
	for i, item := range v.items {
		if i > 0 {
			out = append(out, ',')
		}
		if v.kind == object {
			name, _ := encode(v.names[i])
			out = append(append(out, name...), ':')
		}
		out = append(out, item.json()...)
	}
	return append(out, end)
}

// shortString is the size in bytes up to which a string is left alone: the
// warning that it was cut would take more than the cut saves.
const shortString = 200

// longest returns the list or string to shorten next, nil if there is none
// left. Whole items of a list go before anything inside of them; only the last
// that is left is cut itself.
func (v *value) longest() *value {
	switch v.kind {
	case text:
		if v.size == 0 && len(v.text) > shortString || v.keep > 0 {
			return v
		}
	case list:
		switch len(v.items) {
		case 0:
			return nil
		case 1:
			if inside := v.items[0].longest(); inside != nil {
				return inside
			}
		}
		return v
	case object:
		var longest *value
		size := 0
		for _, item := range v.items {
			if inside := item.longest(); inside != nil && len(inside.json()) > size {
				longest, size = inside, len(inside.json())
			}
		}
		return longest
	}
	return nil
}

// shorten takes at least n bytes of JSON away from a list or string, if it has
// so many.
func (v *value) shorten(n int) {
	if v.kind == list {
		v.dropItems(n)
		return
	}
	if v.size == 0 {
		v.whole, v.size, v.keep = v.text, len(v.text), len(v.text)
		n += len(marker(v.text)) // as long as any that can be needed
	}
	v.keep = Prefix(v.whole[:v.keep], Size(v.whole[:v.keep])-n)
	v.text = v.whole[:v.keep] + marker(v.whole[v.keep:])
}

func (v *value) dropItems(n int) {
	if v.size == 0 {
		v.size, v.total = len(v.json()), len(v.items)
	}
	for n > 0 && len(v.items) > 0 {
		last := len(v.items) - 1
		if last == 0 && v.items[0].longest() != nil {
			return
		}
		n -= len(v.items[last].json()) + len(",")
		v.items = v.items[:last]
	}
}

// cuts returns what was cut from v, whose path is given, and from its items.
func (v *value) cuts(path string) []Cut {
	var out []Cut
	switch {
	case v.size == 0:
	case v.kind == list:
		out = append(out, Cut{path, v.total, len(v.items), v.size, len(v.json())})
	default:
		out = append(out, Cut{path, v.size, len(v.text), v.size, len(v.text)})
	}
	for i, item := range v.items {
		at := fmt.Sprintf("%s[%d]", path, i)
		if v.kind == object {
			at = strings.TrimPrefix(path+"."+v.names[i], ".")
		}
		out = append(out, item.cuts(at)...)
	}
	return out
}

// marker is what stands for text that was cut off.
func marker(omitted string) string { return Marker(utf8.RuneCountInString(omitted)) }

// Marker ends a text of which so many characters were cut off.
func Marker(characters int) string { return fmt.Sprintf(" ... [%d chars omitted] ...", characters) }

// Prefix returns the length in bytes of the longest start of s, in whole
// characters, that takes at most size bytes inside a JSON string.
func Prefix(s string, size int) int {
	for i, r := range s {
		if size -= runeSize(r); size < 0 {
			return i
		}
	}
	return len(s)
}

// Size returns how many bytes s takes inside a JSON string, at most.
func Size(s string) int {
	n := 0
	for _, r := range s {
		n += runeSize(r)
	}
	return n
}

// runeSize returns how many bytes a character takes inside a JSON string, at
// most.
func runeSize(r rune) int {
	switch r {
	case '"', '\\', '\n', '\r', '\t', '\b', '\f':
		return 2
	case '\u2028', '\u2029', utf8.RuneError: // the last may stand for a bad byte
		return 6
	}
	if r < ' ' {
		return 6
	}
	return utf8.RuneLen(r)
}
