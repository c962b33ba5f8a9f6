package jsonpath_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/artifacts/jsonpath"
)

func FuzzParse(f *testing.F) {
	for _, c := range eachCases {
		f.Add(c.query)
	}
	for _, c := range syntaxCases {
		if len(c.query) < 1000 { // long seeds only slow the search down
			f.Add(c.query)
		}
	}
	f.Fuzz(func(t *testing.T, query string) {
		q, err := jsonpath.Parse(query)
		if err == nil {
			if q.String() != query {
				t.Errorf("Parse(%q) is the query %q", query, q)
			}
			return
		}
		mistake, ok := errors.AsType[*jsonpath.SyntaxError](err)
		if !ok || mistake.Offset < 0 || len(query) < mistake.Offset {
			t.Errorf("Parse(%q) gave %#v", query, err)
		}
	})
}

func FuzzEach(f *testing.F) {
	for _, c := range eachCases {
		f.Add(c.query, c.text)
	}
	f.Fuzz(checkSame)
}

// checkSame holds that a query gives the same whether or not the whole text is
// in memory, and parts of the text alone.
func checkSame(t *testing.T, query, text string) {
	if strings.Count(query, "..")+strings.Count(query, "*") > 4 || len(text) > 2000 {
		return // results multiply
	}
	q, err := jsonpath.Parse(query)
	if err != nil {
		return
	}
	streamed, errStream := collect(q.Each, inBytes(text))
	whole, errWhole := collect(q.EachWhole, opening(text))
	if (errStream == nil) != (errWhole == nil) {
		t.Fatalf("%s on %q: error in stream %v, in memory %v", query, text, errStream, errWhole)
	}
	if errStream != nil {
		return
	}
	if diff := cmp.Diff(whole, streamed); diff != "" {
		t.Errorf("%s on %q: memory and stream differ (-memory +stream):\n%s", query, text, diff)
	}
	spaced, err := collect(q.Each, opening(padded(strings.TrimPrefix(text, "\uFEFF"))))
	if err != nil || len(spaced) != len(streamed) {
		t.Errorf("%s on %q gives %d values, with more space %d, %v", query, text, len(streamed), len(spaced), err)
	}
	for _, value := range streamed {
		if !strings.Contains(text, value) {
			t.Errorf("%s on %q gives %q, which is not in the text", query, text, value)
		}
	}
}

// maker makes random queries and texts that fit each other.
type maker struct{ *rand.Rand }

func (m maker) pick(from ...string) string { return from[m.IntN(len(from))] }

func (m maker) text(depth int) string {
	if depth == 0 || m.IntN(4) == 0 {
		return m.pick(`1`, `1.0`, `-2`, `"a"`, `"b"`, `"\u0061"`, `null`, `true`, `"ab"`, `""`)
	}
	var parts []string
	object := m.IntN(2) == 0
	for range m.IntN(5) {
		part := m.text(depth - 1)
		if object {
			part = m.pick(`"a"`, `"b"`, `"c"`, `"\u0061"`) + m.pick(":", " : ") + part
		}
		parts = append(parts, part)
	}
	inner := strings.Join(parts, m.pick(",", " ,\n"))
	if object {
		return "{" + inner + "}"
	}
	return "[" + inner + "]"
}

func (m maker) query(root string, segments, filters int) string {
	for range m.IntN(segments + 1) {
		root += m.segment(filters)
	}
	return root
}

func (m maker) segment(filters int) string {
	switch m.IntN(10) {
	case 0:
		return m.pick(".*", "[*]")
	case 1:
		return m.pick("..a", "..b", "..[0]", "..[1]", "..*", "..['a','c']", "..[-1]", "..[::2]")
	case 2:
		return "[" + m.pick("'a','b'", "0,1", "1,0", "*,'a'", "0,1:3", "-1,0") + "]"
	case 3:
		return "[" + m.pick("", "0", "1", "-1", "2") + ":" + m.pick("", "0", "2", "-1", "3") + m.pick("", ":", ":2", ":-1") + "]"
	case 4, 5:
		return m.pick("[0]", "[1]", "[-1]", "[-2]")
	case 6:
		if filters > 0 {
			return "[?" + m.condition(filters-1) + "]"
		}
	}
	return m.pick(".a", ".b", ".c", "['a']")
}

func (m maker) condition(filters int) string {
	switch m.IntN(7) {
	case 0:
		return m.condition(filters) + m.pick("&&", " || ") + m.condition(filters)
	case 1:
		return "!(" + m.condition(filters) + ")"
	case 2:
		return m.query(m.pick("@", "@", "$"), 2, filters)
	case 3:
		return "count(" + m.query(m.pick("@", "$"), 2, filters) + ")" + m.pick("==", ">", "<") + m.pick("0", "1", "2")
	case 4:
		return m.pick("match", "search") + "(" + m.singular() + ",'a|b')"
	}
	return m.singular() + m.pick("==", "!=", "<", ">=", " > ", "<=") + m.pick(m.singular(), "1", "'a'", "null", "length(@)", "value(@..a)", "value($..b)")
}

func (m maker) singular() string {
	return m.pick("@", "@", "$") + m.pick("", ".a", ".b", "[0]", "[-1]", ".a.b", "[0].c")
}

func TestRandom(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(3, 4))}
	selected := 0
	for range 2000 {
		query, text := m.query("$", 4, 2), m.text(5)
		q, err := jsonpath.Parse(query)
		if err != nil {
			t.Fatal(err)
		}
		checkSame(t, query, text)
		if values, err := collect(q.Each, opening(text)); err == nil && len(values) > 0 {
			selected++
		}
		if t.Failed() {
			return
		}
	}
	if selected < 200 {
		t.Errorf("only %d random queries select anything", selected)
	}
}

// TestDescendants compares ..name with slow, obvious code.
func TestDescendants(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(5, 6))}
	q := mustParse(t, `$..a`)
	for range 500 {
		text := m.text(6)
		var want []string
		walk(t, json.RawMessage(text), &want)
		if diff := cmp.Diff(want, selectBoth(t, q, text)); diff != "" {
			t.Fatalf("$..a on %s (-want +got):\n%s", text, diff)
		}
	}
}

// walk appends the member a of a value and then of its descendants.
func walk(t *testing.T, value json.RawMessage, found *[]string) {
	decoder := json.NewDecoder(strings.NewReader(string(value)))
	open, err := decoder.Token()
	if err != nil {
		t.Fatal(err)
	}
	if open != json.Delim('{') && open != json.Delim('[') {
		return
	}
	var children []json.RawMessage
	var names []any
	for decoder.More() {
		if open == json.Delim('{') {
			name, err := decoder.Token()
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, name)
		}
		var child json.RawMessage
		if err := decoder.Decode(&child); err != nil {
			t.Fatal(err)
		}
		children = append(children, child)
	}
	if i := slices.Index(names, any("a")); i >= 0 {
		*found = append(*found, string(children[i]))
	}
	for _, child := range children {
		walk(t, child, found)
	}
}
