package truncation_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/acode-ls/acode-ls/truncation"
)

// This file says plainly what element keeps of a text of which it has to cut
// neither strings nor more members than the limits ask for.

// slowNode is a value of JSON or an element of XML.
type slowNode struct {
	start, end        int // offsets in the text, with its name
	value, valueEnd   int // what is replaced if it is too deep
	inside, insideEnd int // where its members are
	members           []slowNode
	object            bool
	list              string // what members are called
	tag               string // by which members of XML make up runs
}

// slowOutline cuts s and reports whether that fits, and how many members it
// omitted: with objects whole if that fits, unless they are maps.
func slowOutline(s string, root slowNode, isXML bool, l truncation.Limits) (content string, omitted int, fits bool) {
	all := l.FirstElements + l.LastElements
	if content, omitted, fits = slowOutlineOf(s, root, isXML, l, 4*all); fits {
		return content, omitted, fits
	}
	return slowOutlineOf(s, root, isXML, l, all)
}

func slowOutlineOf(s string, root slowNode, isXML bool, l truncation.Limits, runs int) (content string, omitted int, fits bool) {
	o := slowOutliner{s: s, isXML: isXML, Limits: l, runs: runs}
	o.value(root, 0)
	content = o.out + s[o.done:]
	o.kept += utf8.RuneCountInString(s[o.done:])
	size := utf8.RuneCountInString(content)
	fits = o.kept <= l.Inline && size < utf8.RuneCountInString(s) && size-o.kept <= max(500, l.Inline/4)
	return content, o.omitted, fits
}

type slowOutliner struct {
	s     string
	isXML bool
	truncation.Limits
	runs                int // up to which all of a container remain
	out                 string
	done, kept, omitted int
}

func (o *slowOutliner) replace(start, end int, mark string) {
	o.out += o.s[o.done:start] + mark
	o.kept += utf8.RuneCountInString(o.s[o.done:start])
	o.done = end
}

func (o *slowOutliner) value(n slowNode, depth int) {
	if len(n.members) == 0 {
		return
	}
	if depth > o.MaxDepth {
		o.omitted += len(n.members)
		what := "items"
		if n.object {
			what = "keys"
		}
		mark := fmt.Sprintf(`"... %d %s omitted ..."`, len(n.members), what)
		if o.isXML {
			mark = fmt.Sprintf("<!-- %d items omitted -->", len(n.members))
		}
		o.replace(n.value, n.valueEnd, mark)
		return
	}
	keep := o.choose(n)
	dots := "..."
	for _, m := range n.members {
		name := o.s[m.start:m.value]
		if end := strings.LastIndexByte(name, '"'); end > len(dots) && strings.Trim(name[1:end], ".") == "" {
			dots = name[1:end] + "."
		}
	}
	for i := 0; i < len(keep); i++ {
		if keep[i] {
			o.value(n.members[i], depth+1)
			continue
		}
		first := i
		for i+1 < len(keep) && !keep[i+1] {
			i++
		}
		start, end := n.members[first].start, n.members[i].end
		if o.isXML { // texts between elements go with them
			start, end = n.inside, n.insideEnd
			if first > 0 {
				start = n.members[first-1].end
			}
			if i+1 < len(keep) {
				end = n.members[i+1].start
			}
			for start < end && strings.ContainsRune(" \t\r\n", rune(o.s[start])) {
				start++
			}
			for start < end && strings.ContainsRune(" \t\r\n", rune(o.s[end-1])) {
				end--
			}
		}
		mark := o.mark(n, n.members[first], i+1-first, dots)
		if utf8.RuneCountInString(o.s[start:end]) > utf8.RuneCountInString(mark) {
			o.omitted += i + 1 - first
			o.replace(start, end, mark)
			dots += "."
		}
	}
}

func (o *slowOutliner) mark(n, first slowNode, count int, dots string) string {
	switch {
	case o.isXML:
		return fmt.Sprintf("<!-- %d items omitted -->", count)
	case n.object:
		member := o.s[first.start:first.value]
		separator := member[strings.LastIndexByte(member, '"')+1:]
		if len(separator) > 8 {
			separator = ": "
		}
		return fmt.Sprintf(`"%s"%s"%d keys omitted"`, dots, separator, count)
	}
	return fmt.Sprintf(`"... %d %s omitted ..."`, count, n.list)
}

// choose returns which members of n remain.
func (o *slowOutliner) choose(n slowNode) []bool {
	keep := make([]bool, len(n.members))
	var runs [][2]int
	for i, m := range n.members {
		if i == 0 || n.object || o.isXML && m.tag != n.members[i-1].tag {
			runs = append(runs, [2]int{i, i})
		}
		runs[len(runs)-1][1]++
	}
	for r := range o.chooseRuns(n, runs) {
		run := runs[r]
		for i := run[0]; i < run[1]; i++ {
			keep[i] = i < run[0]+o.FirstElements || i >= run[1]-o.LastElements
		}
	}
	return keep
}

// chooseRuns returns the set of the runs that remain: of a few all. Of a
// wrapper, which is more than a quarter one run, what is so large, the leaves,
// and of the others as many as there is room for. Of others the first and the
// last.
func (o *slowOutliner) chooseRuns(n slowNode, runs [][2]int) map[int]bool {
	all := o.FirstElements + o.LastElements
	var large, leaves, others, any []int
	for r, run := range runs {
		any = append(any, r)
		isLeaf := run[1]-run[0] == 1 && len(n.members[run[0]].members) == 0
		start, end := n.members[run[0]].start, n.insideEnd // with the space to the next
		if run[1] < len(n.members) {
			end = n.members[run[1]].start
		}
		if o.FirstElements == 0 { // with the space to the one before
			start, end = n.inside, n.members[run[1]-1].end
			if run[0] > 0 {
				start = n.members[run[0]-1].end
			}
		}
		size, inside := end-start, n.insideEnd-n.inside
		switch {
		case isLeaf:
			leaves = append(leaves, r)
		case size > inside/4:
			large = append(large, r)
		default:
			others = append(others, r)
		}
	}
	chosen := map[int]bool{}
	take := func(from []int, n int) {
		last := 0
		if n < len(from) {
			last = n * o.LastElements / all
		}
		for i, r := range from {
			if i < n-last || i >= len(from)-last {
				chosen[r] = true
			}
		}
	}
	switch {
	case len(runs) <= o.runs:
		take(any, len(runs))
	case len(runs) > 4*all || len(large) == 0:
		take(any, all)
	default:
		take(large, all)
		take(leaves, len(leaves))
		take(others, max(0, all-len(chosen)))
	}
	return chosen
}

// jsonTree reads s, all of which must be one value.
func jsonTree(s string) (slowNode, error) {
	text := strings.TrimPrefix(s, "\ufeff")
	d := newJSONDecoder(text)
	raw, err := d.ReadValue()
	if err != nil {
		return slowNode{}, err
	}
	raw = bytes.Clone(raw)
	end := int(d.InputOffset())
	if _, err := d.ReadToken(); err != io.EOF {
		return slowNode{}, fmt.Errorf("more than one value: %v", err)
	}
	at := len(s) - len(text) + end - len(raw)
	return jsonNode(string(raw), at, at, ""), nil
}

func newJSONDecoder(s string) *jsontext.Decoder {
	return jsontext.NewDecoder(strings.NewReader(s), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// jsonNode returns the value raw, which is at the offset value of the text, its
// name at start.
func jsonNode(raw string, start, value int, name string) slowNode {
	n := slowNode{start: start, end: value + len(raw), value: value, valueEnd: value + len(raw), inside: value + 1, insideEnd: value + len(raw) - 1, list: "items"}
	if raw[0] != '[' && raw[0] != '{' {
		return n
	}
	n.object = raw[0] == '{'
	if !n.object && name != "" && len(name) <= 40 {
		n.list = name
	}
	d := newJSONDecoder(raw)
	d.ReadToken()
	for k := d.PeekKind(); k != '}' && k != ']'; k = d.PeekKind() {
		first, name := -1, ""
		if n.object {
			v, _ := d.ReadValue()
			first, name = value+int(d.InputOffset())-len(v), string(v[1:len(v)-1])
		}
		v, err := d.ReadValue()
		if err != nil {
			panic(err)
		}
		at := value + int(d.InputOffset()) - len(v)
		if first < 0 {
			first = at
		}
		n.members = append(n.members, jsonNode(string(bytes.Clone(v)), first, at, name))
	}
	return n
}

// xmlTree reads s, which must be well-formed.
func xmlTree(s string) (slowNode, error) {
	text := strings.TrimPrefix(s, "\ufeff")
	shift := len(s) - len(text)
	d := xml.NewDecoder(strings.NewReader(text))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	stack := []slowNode{{}}
	for {
		start := int(d.InputOffset()) + shift
		token, err := d.Token()
		end := int(d.InputOffset()) + shift
		if err == io.EOF {
			break
		}
		if err != nil {
			return slowNode{}, err
		}
		top := &stack[len(stack)-1]
		switch token := token.(type) {
		case xml.StartElement:
			tag := s[start+1 : start+strings.IndexAny(s[start:], " \t\r\n/>")]
			stack = append(stack, slowNode{start: start, inside: end, value: end, tag: tag})
		case xml.EndElement:
			n := *top
			n.end, n.valueEnd, n.insideEnd = end, start, start
			stack = stack[:len(stack)-1]
			stack[len(stack)-1].members = append(stack[len(stack)-1].members, n)
		case xml.CharData:
			if len(stack) == 1 && strings.Trim(string(token), " \t\r\n") != "" {
				return slowNode{}, fmt.Errorf("text outside of the root")
			}
		}
	}
	if len(stack[0].members) != 1 {
		return slowNode{}, fmt.Errorf("%d roots", len(stack[0].members))
	}
	return stack[0].members[0], nil
}

// checkOutline checks that r is the result of element for s, which has the
// given structure.
func checkOutline(t *testing.T, s string, root slowNode, isXML bool, l truncation.Limits, r truncation.Result) {
	t.Helper()
	want, omitted, fits := slowOutline(s, root, isXML, l)
	if fits && (r.Content != want || r.OmittedElements != omitted) {
		t.Errorf("element of %.500q, limits %+v\n gives %.500q, %d omitted\n want  %.500q, %d", s, l, r.Content, r.OmittedElements, want, omitted)
	}
	if kept := r.OriginalCharacters - r.OmittedCharacters; r.WasTruncated && kept > l.Inline {
		t.Errorf("element of %.500q keeps %d characters, limits %+v: %q", s, kept, l, r.Content)
	}
	if r.Strategy == truncation.Element {
		checkMarks(t, l, r)
	}
}

// checkMarks checks that the marks, which the limit does not count, are bounded.
func checkMarks(t *testing.T, l truncation.Limits, r truncation.Result) {
	t.Helper()
	kept := r.OriginalCharacters - r.OmittedCharacters
	if marks, most := r.TruncatedCharacters-kept, max(500, l.Inline/4); r.WasTruncated && marks > most {
		t.Errorf("marks of %d characters, at most %d, in %.500q", marks, most, r.Content)
	}
}
