package truncation_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/acode-ls/acode-ls/truncation"
)

// checkElementJSON checks what must hold of the result for any text that may be
// JSON.
func checkElementJSON(t *testing.T, s string, l truncation.Limits, r truncation.Result) {
	t.Helper()
	root, err := jsonTree(s)
	if err != nil {
		if r.JSON == truncation.Valid {
			t.Errorf("%.300q is not JSON (%v), but the result says so", s, err)
		}
		return
	}
	start := s[root.start]
	if strings.IndexByte(`{["`, start) < 0 || !r.WasTruncated {
		return
	}
	if r.Strategy == truncation.Element {
		if _, err := jsonTree(r.Content); err != nil || r.JSON != truncation.Valid {
			t.Errorf("%.500q, limits %+v, becomes %.500q: %v", s, l, r.Content, err)
		}
	} else if shortest := len("\ufeff[]"); start != '"' && l.Inline >= shortest {
		t.Errorf("%.300q, limits %+v, becomes %.300q by %s", s, l, r.Content, r.Strategy)
	}
	checkOutline(t, s, root, false, l, r)
}

func FuzzElementJSON(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 30 {
		f.Add(randomJSON(r, 4), uint16(20*i), uint8(i%4), uint8(i%3), uint8(i%5))
	}
	for _, s := range []string{
		"[1.5e+3,-0,0.1E5,1e1]", "[01]", "[1.]", "[.5]", "[-]", "[1e]", "[+1]", "[tru]", "[nulll]", `["\x"]`, `["\u12g4"]`, "[\"\t\"]", "[\"\x7f\xff\"]",
		`{"a"}`, `{"a":}`, `{"a":1,}`, `{1:2}`, `{"a" : 1 , "a":2}`, "[1,]", "[,1]", "[1 2]", "[]]", "[}", "{]", "\ufeff[]", "[\v1]", `["\ud800"]`, "\"a\"b",
	} {
		f.Add(s, uint16(3), uint8(1), uint8(1), uint8(1))
	}
	f.Fuzz(func(t *testing.T, s string, inline uint16, first, last, depth uint8) {
		l := fuzzLimits(inline, first, last, depth)
		checkElementJSON(t, s, l, truncate(t, s, truncation.Element, truncation.Options{Limits: l}))
		if r := truncate(t, s, truncation.Element, truncation.Options{Limits: l, Structure: true}); r.JSON == truncation.Valid {
			t.Errorf("the structure of %q is said to be JSON", s)
		}

		// In a list that is too long, it is JSON if the list is.
		list := `["` + strings.Repeat("-", 60) + `",` + s + "]"
		l.Inline = 2
		_, err := jsonTree(list)
		if r := truncateQuickly(t, list, l); (r.JSON == truncation.Valid) != (err == nil) {
			t.Errorf("%q is JSON (%v), result %+v", list, err, r)
		}
	})
}

func fuzzLimits(inline uint16, first, last, depth uint8) truncation.Limits {
	l := truncation.Limits{Inline: 1 + int(inline), FirstElements: int(first), LastElements: int(last), MaxDepth: 1 + int(depth), HeadRatio: 0.6}
	if first == 0 && last == 0 {
		l.FirstElements = 1
	}
	return l
}

func TestElementOfRandomJSON(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 5))
		s := randomJSON(r, 5)
		l := fuzzLimits(uint16(r.IntN(1000)), uint8(r.IntN(4)), uint8(r.IntN(4)), uint8(r.IntN(4)))
		if seed%10 == 0 { // containers that are too large to be read twice
			s = strings.Repeat(" ", r.IntN(2)) + `{"x":[` + strings.Repeat(s+",\n", 1+40_000/len(s)) + s + `], "y": [` + strings.Repeat(s+",", 1+20_000/len(s)) + `1],"z":` + s + "}"
			checkElementJSON(t, s, l, truncateQuickly(t, s, l))
		} else {
			checkElementJSON(t, s, l, truncate(t, s, truncation.Element, truncation.Options{Limits: l}))
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

var jsonStrings = []string{
	"", "a", "key", "...", "....", "世界", `\"`, `\\`, `\\\\\\`, `\u00e9`, `\ud83d\ude00`, `\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00`,
	`\ud83d`, "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", "e\u0301", "\xff\xe4", "</>&", strings.Repeat("long ", 30), strings.Repeat(`\n\t`, 40), strings.Repeat(`\\`, 60),
}

func randomJSON(r *rand.Rand, depth int) string {
	space := []string{"", "", " ", "\n  ", "\r\n"}[r.IntN(5)]
	var value func(depth int) string
	str := func() string {
		var b strings.Builder
		for range r.IntN(3) {
			b.WriteString(jsonStrings[r.IntN(len(jsonStrings))])
		}
		return `"` + b.String() + `"`
	}
	value = func(depth int) string {
		kind := r.IntN(6)
		if depth == 0 {
			kind = 2 + r.IntN(4)
		}
		switch kind {
		case 0, 1:
			n := []int{0, 1, 2, 3, 6, 30}[r.IntN(6)]
			var members []string
			for range n {
				v := value(depth - 1 - r.IntN(depth))
				if kind == 0 {
					v = str() + space + ":" + space + v
				}
				members = append(members, space+v+space)
			}
			return []string{"{", "["}[kind] + space + strings.Join(members, ",") + []string{"}", "]"}[kind]
		case 2:
			return str()
		case 3:
			return fmt.Sprint(r.IntN(1000)) + []string{"", ".50", "e+10", "000000000000000000000"}[r.IntN(4)]
		default:
			return []string{"true", "false", "null", "-0"}[r.IntN(4)]
		}
	}
	return space + value(depth) + space
}

// checkElementXML checks what must hold of the result for any text that may be
// XML.
func checkElementXML(t *testing.T, s string, l truncation.Limits, r truncation.Result) {
	t.Helper()
	root, err := xmlTree(s)
	if err != nil || r.Strategy != truncation.Element {
		return
	}
	if _, err := xmlTree(r.Content); err != nil {
		t.Errorf("%.500q, limits %+v, becomes %.500q: %v", s, l, r.Content, err)
	}
	checkOutline(t, s, root, true, l, r)
}

func FuzzElementXML(f *testing.F) {
	r := rand.New(rand.NewPCG(6, 7))
	for i := range 30 {
		f.Add(randomXML(r, 2), uint16(20*i), uint8(i%4), uint8(i%3), uint8(i%5))
	}
	for _, s := range []string{
		"<a b='&lt;' c = \"'\"/>", "<a b=c/>", "<a b/>", "<a b='1'c='2'/>", "<a>&#x41;&amp;&#65;</a>", "<a>&</a>", "<a>]]></a>", "<a><!-- -- --></a>", "<a><!-- - ---></a>",
		"<a></a >", "<a></ a>", "<a></ab>", "<a><b></a></b>", "<a/><b/>", "<!DOCTYPE a [<!-- > ] --><!ENTITY x ']>'>]><a/>", "<?xml version='1.0'?><a/>", "<!---->", "<a\n/>\n",
	} {
		f.Add(s, uint16(3), uint8(1), uint8(1), uint8(1))
	}
	f.Fuzz(func(t *testing.T, s string, inline uint16, first, last, depth uint8) {
		l := fuzzLimits(inline, first, last, depth)
		if strings.HasPrefix(strings.TrimLeft(s, " \t\r\n\ufeff"), "<") {
			checkElementXML(t, s, l, truncate(t, s, truncation.Element, truncation.Options{Limits: l}))
		}
	})
}

func TestElementOfRandomXML(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 8))
		s := randomXML(r, 5)
		l := fuzzLimits(uint16(r.IntN(1000)), uint8(r.IntN(4)), uint8(r.IntN(4)), uint8(r.IntN(4)))
		if len(s) > 10_000 {
			continue // the slow checks would take too long
		}
		if seed%10 == 0 { // elements that are too large to be read twice
			s = "<x><y>" + strings.Repeat(s+"\n", 1+40_000/len(s)) + "</y>" + strings.Repeat(s, 1+20_000/len(s)) + "<z/></x>"
			r := truncateQuickly(t, s, l)
			checkElementXML(t, s, l, r)
			if r.Strategy != truncation.Element {
				t.Errorf("strategy is %q", r.Strategy)
			}
		} else {
			checkElementXML(t, s, l, truncate(t, s, truncation.Element, truncation.Options{Limits: l}))
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func randomXML(r *rand.Rand, depth int) string {
	space := []string{"", "", "\n  ", "\r\n"}[r.IntN(4)]
	prose := func() string {
		return []string{
			"", "", space, "text", "&amp;", "&#x41;&lt;", "世界", "<!-- a - b <c> -->", "<![CDATA[<x> ]] ]]>", "<?p <x>?>",
			strings.Repeat("long ", 30), strings.Repeat("&amp;", 30), "<![CDATA[" + strings.Repeat("<b>", 40) + "]]>", "<!--" + strings.Repeat("- ", 40) + "-->",
		}[r.IntN(14)]
	}
	var element func(depth int) string
	element = func(depth int) string {
		tag := []string{"a", "b", "c", "é", "x-y.z"}[r.IntN(5)]
		attributes := []string{"", "", ` k="v>"`, "\n k='&quot;' l = \"/>\"", ` k="` + strings.Repeat("w&gt;", 20) + `"`}[r.IntN(5)]
		n := []int{0, 0, 1, 3, 6, 30}[r.IntN(6)]
		if depth == 0 {
			n = 0
		}
		if n == 0 && r.IntN(2) == 0 {
			return "<" + tag + attributes + space + "/>"
		}
		var b strings.Builder
		b.WriteString("<" + tag + attributes + ">" + prose())
		same := ""
		for range n {
			child := element(depth - 1 - r.IntN(depth))
			if same == "" || r.IntN(4) > 0 {
				same = child
			}
			b.WriteString(same + prose())
		}
		b.WriteString("</" + tag + space + ">")
		return b.String()
	}
	return element(depth)
}

func FuzzElementLines(f *testing.F) {
	f.Add("a\r\nb\rc\n"+strings.Repeat("long ", 40), uint16(20), uint8(3), uint8(1))
	f.Add("a\x01\nb\x01\n"+strings.Repeat("long ", 40), uint16(5), uint8(1), uint8(1))
	f.Add(strings.Repeat("🇩🇪", 50)+"\n"+strings.Repeat("e\u0301\n", 50), uint16(40), uint8(1), uint8(7))
	f.Add(strings.Repeat("{\"a\":1}\n", 50), uint16(40), uint8(1), uint8(7))
	f.Fuzz(func(t *testing.T, s string, inline uint16, first, last uint8) {
		l := fuzzLimits(inline, first, last, 3)
		r := truncate(t, s, truncation.Element, truncation.Options{Limits: l})
		checkElementLines(t, s, l, r)
	})
}

func checkElementLines(t *testing.T, s string, l truncation.Limits, r truncation.Result) {
	t.Helper()
	if strings.IndexAny(strings.TrimLeft(s, " \t\r\n\ufeff"), "{[<\"") == 0 {
		return
	}
	lines := slowLines(s)
	if !r.WasTruncated || len(lines) == 1 {
		return
	}
	if kept := r.OriginalCharacters - r.OmittedCharacters; kept > l.Inline {
		t.Errorf("kept %d characters of %.300q, limit %d", kept, s, l.Inline)
	}
	checkMarks(t, l, r)
	if len(lines) <= l.FirstElements+l.LastElements {
		return
	}
	head, tail := strings.Join(lines[:l.FirstElements], ""), strings.Join(lines[len(lines)-l.LastElements:], "")
	want := head + slowMarker(s, omission(s, len(head), len(s)-len(tail), truncation.Options{}), truncation.Options{}) + tail
	if utf8.RuneCountInString(head+tail) <= l.Inline && utf8.RuneCountInString(want) < utf8.RuneCountInString(s) {
		if r.Content != want || r.OmittedElements != len(lines)-l.FirstElements-l.LastElements {
			t.Errorf("%.300q, limits %+v, becomes %.300q, %d omitted, want %.300q", s, l, r.Content, r.OmittedElements, want)
		}
	}
}

func TestElementOfRandomLines(t *testing.T) {
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 9))
		s := randomWords(r, 100)
		l := fuzzLimits(uint16(r.IntN(300)), uint8(r.IntN(4)), uint8(r.IntN(4)), 3)
		checkElementLines(t, s, l, truncate(t, s, truncation.Element, truncation.Options{Limits: l}))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
