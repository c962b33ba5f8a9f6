package truncation_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/truncation"
)

// elements returns limits with first and last elements.
func elements(inline, first, last int) truncation.Limits {
	return truncation.Limits{Inline: inline, FirstElements: first, LastElements: last, MaxDepth: 3, HeadRatio: 0.5}
}

// join joins what format makes of the numbers from first to last.
func join(first, last int, format, separator string) string {
	var parts []string
	for i := first; i <= last; i++ {
		parts = append(parts, strings.ReplaceAll(format, "#", fmt.Sprint(i)))
	}
	return strings.Join(parts, separator)
}

type elementTest struct {
	name   string
	text   string
	limits truncation.Limits
	want   string
}

func testElement(t *testing.T, tests []elementTest, json truncation.Validity) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Helper()
			r := truncate(t, tt.text, truncation.Element, truncation.Options{Limits: tt.limits})
			if diff := cmp.Diff(tt.want, r.Content); diff != "" {
				t.Errorf("content (-want +got):\n%s", diff)
			}
			if r.WasTruncated && (r.Strategy != truncation.Element || r.FallbackFrom != "" || r.JSON != json) {
				t.Errorf("strategy is %q from %q, JSON %v, want element, %v", r.Strategy, r.FallbackFrom, r.JSON, json)
			}
		})
	}
}

func TestElementJSON(t *testing.T) {
	long := strings.Repeat("x", 500)
	wide := elements(300, 2, 2)
	testElement(t, []elementTest{
		{"numbers", "[" + join(1, 100, "#", ",") + "]", elements(150, 2, 2), // TST-08
			`[1,2,"... 96 items omitted ...",99,100]`},
		{"objects", "[" + join(1, 20, `{"id":#,"name":"Item #"}`, ",") + "]", elements(200, 2, 2), // TST-07
			`[{"id":1,"name":"Item 1"},{"id":2,"name":"Item 2"},"... 16 items omitted ...",{"id":19,"name":"Item 19"},{"id":20,"name":"Item 20"}]`},
		{"under the limit", "[" + join(1, 100, "#", ",") + "]", elements(293, 2, 2), "[" + join(1, 100, "#", ",") + "]"},
		{"a wrapper, pretty", // DESC-15, USE-3
			"{\n  \"users\": [\n" + join(1, 100, "    {\"id\": #}", ",\n") + "\n  ],\n  \"total_count\": 100\n}\n", wide,
			"{\n  \"users\": [\n    {\"id\": 1},\n    {\"id\": 2},\n    \"... 96 users omitted ...\",\n    {\"id\": 99},\n    {\"id\": 100}\n  ],\n  \"total_count\": 100\n}\n"},
		{"no first", "[" + join(1, 100, "#", ", ") + "]", elements(150, 0, 2), `["... 98 items omitted ...", 99, 100]`},
		{"no last", "[" + join(1, 100, "#", ", ") + "]", elements(150, 2, 0), `[1, 2, "... 98 items omitted ..."]`},
		{"a name with escapes", `{"a\"\u00e9b":[` + join(1, 100, "#", ",") + "]}", wide, `{"a\"\u00e9b":[1,2,"... 96 a\"\u00e9b omitted ...",99,100]}`},
		{"a long name", `{"` + long[:41] + `":[` + join(1, 100, "#", ",") + "]}", wide, `{"` + long[:41] + `":[1,2,"... 96 items omitted ...",99,100]}`},
		{"an empty name", `{"":[` + join(1, 100, "#", ", ") + "]}", wide, `{"":[1, 2, "... 96 items omitted ...", 99, 100]}`},
		{"verbatim", // C-42
			"\ufeff[ 123456789012345678901234567890, {\"b\":1,\"a\":2 ,\"b\":3}, \"<&>\\ud800\\u00e9\\/é\", 1.50E+05,\n\n" + join(1, 100, "#", ",") + ",-0.0 , true]\r\n", elements(200, 4, 2),
			"\ufeff[ 123456789012345678901234567890, {\"b\":1,\"a\":2 ,\"b\":3}, \"<&>\\ud800\\u00e9\\/é\", 1.50E+05,\n\n\"... 100 items omitted ...\",-0.0 , true]\r\n"},
		{"arrays in arrays", `{"rows":[` + join(1, 50, "[1,2,#]", ",") + "]}", wide,
			`{"rows":[[1,2,1],[1,2,2],"... 46 rows omitted ...",[1,2,49],[1,2,50]]}`},
		{"empty containers", "[[],{}, [ ]," + join(1, 100, "#", ",") + ",{\n}]", elements(100, 3, 1), "[[],{}, [ ],\"... 100 items omitted ...\",{\n}]"}, // AC-093, AC-094
		{"nothing is saved", `[[1,2,3,4,5],"` + long + `",{},{}]`, elements(100, 1, 1), `[[1,2,3,4,5],"... 2 items omitted ...",{}]`},
		{"as much is saved as is needed", `[{"世界":[1,"` + long[:20] + `",2]},"` + long + `",{"世界":[1,"` + long[:21] + `",2]}]`, elements(100, 1, 1),
			`[{"世界":[1,"` + long[:20] + `",2]},"... 1 items omitted ...",{"世界":[1,"... 1 世界 omitted ...",2]}]`},
		{"a map", "{" + join(1, 100, `"k#": #`, ", ") + "}", wide, // C-27
			`{"k1": 1, "k2": 2, "...": "96 keys omitted", "k99": 99, "k100": 100}`},
		{"a compact map with dots", `{"...":1,"....":2,` + join(1, 100, `"k#":#`, ",") + "}", wide,
			`{"...":1,"....":2,".....":"98 keys omitted","k99":99,"k100":100}`},
		{"a map with room", "{" + join(1, 100, `"k#"       : #`, ",") + "}", wide, `{"k1"       : 1,"k2"       : 2,"...": "96 keys omitted","k99"       : 99,"k100"       : 100}`},
		{"a record", "[" + join(1, 50, `{"a":#,"b":2,"c":3,"d":4,"e":5,"f":6}`, ",") + "]", wide,
			`[{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6},{"a":2,"b":2,"c":3,"d":4,"e":5,"f":6},"... 46 items omitted ...",{"a":49,"b":2,"c":3,"d":4,"e":5,"f":6},{"a":50,"b":2,"c":3,"d":4,"e":5,"f":6}]`},
		{"depth", `{"users":[` + join(1, 50, `{"a":{"b":{"c":[1,2]},"d":{}}}`, ",") + "]}", elements(150, 1, 1), // C-25, AC-090
			`{"users":[{"a":{"b":"... 1 keys omitted ...","d":{}}},"... 48 users omitted ...",{"a":{"b":"... 1 keys omitted ...","d":{}}}]}`},
		{"fewer elements", "[" + join(1, 9, `"`+long[:90]+`#"`, ",") + "]", elements(400, 5, 3),
			`["` + long[:90] + `1","` + long[:90] + `2","` + long[:90] + `3","... 5 items omitted ...","` + long[:90] + `9"]`},
		{"one long element", `[{"id":1,"body":"` + long + long + `"}]`, elements(200, 5, 5), // C-43
			`[{"id":1,"body":"` + long[:86] + ` ... [829 chars omitted] ... ` + long[:85] + `"}]`},
		{"one long string", `"` + long + long + `"`, elements(200, 5, 5), `"` + long[:95] + ` ... [810 chars omitted] ... ` + long[:95] + `"`},
		{"escapes are whole", `["` + strings.Repeat(`\ud83d\ude00`, 90) + `"]`, elements(100, 1, 1),
			`["` + strings.Repeat(`\ud83d\ude00`, 4) + ` ... [984 chars omitted] ... ` + strings.Repeat(`\ud83d\ude00`, 4) + `"]`},
		{"clusters are whole", `["` + strings.Repeat("👨‍👩‍👧", 90) + `"]`, elements(50, 1, 1),
			`["` + strings.Repeat("👨‍👩‍👧", 4) + ` ... [410 chars omitted] ... ` + strings.Repeat("👨‍👩‍👧", 4) + `"]`},
		{"backslashes", `["` + strings.Repeat(`\\`, 90) + `"]`, elements(50, 1, 1),
			`["` + strings.Repeat(`\\`, 11) + ` ... [136 chars omitted] ... ` + strings.Repeat(`\\`, 11) + `"]`},
		{"only the limit is strict", "[" + join(1, 100, "#", ",") + "]", elements(1, 2, 2), `"... 100 items omitted ..."`},
		{"$ref", `{"$ref":"#","x":[` + join(1, 100, "#", ",") + "]}", wide, `{"$ref":"#","x":[1,2,"... 96 x omitted ...",99,100]}`}, // AC-091
		{"a long name is all that is too long", `{"` + long + `":1}`, elements(100, 5, 5), `{"...":"1 keys omitted"}`},
		{"a mark as long as the text", "[1,2,3,4,5,6,7,100000000]", elements(5, 1, 1), "[1,2,3,4,5,6,7,100000000]"}, // C-14
		{"a mark shorter than the text", "[1,2,3,4,5,6,7,1000000000]", elements(5, 1, 1), `"... 8 items omitted ..."`},
	}, truncation.Valid)
}

// TestElementDropsBlanks has blanks that alone are over the limit. They go
// without a mark, which would not be JSON.
func TestElementDropsBlanks(t *testing.T) {
	blanks := strings.Repeat(" \n", 500)
	deep := "[\n" + strings.Repeat(" ", 30) + "[\n" + join(0, 7, strings.Repeat(" ", 60)+"#", ",\n") + "\n" + strings.Repeat(" ", 30) + "]\n]"
	limits := elements(200, 5, 5)
	testElement(t, []elementTest{
		{"an empty array", blanks + "[]" + blanks, limits, "[]"}, // AC-093
		{"blanks inside", "[" + blanks + "]", limits, "[]"},
		{"an empty object", "\ufeff{" + blanks + "}\n", limits, "\ufeff{}\n"}, // AC-094
		{"a string", ` "a" ` + blanks, limits, ` "a"`},
		{"a document", "\n{ \"a\"" + blanks + ":" + blanks + "[ 1," + blanks + "2 ]" + blanks + ", \"b\": \"x" + strings.Repeat(" ", 10) + "\"}" + blanks, limits,
			"\n{ \"a\":[ 1,2 ], \"b\": \"x" + strings.Repeat(" ", 10) + "\"}"},
		{"beside what is omitted", "[1," + blanks + join(2, 99, "#", ",") + "," + blanks + "100]", elements(200, 1, 1), `[1,"... 98 items omitted ...",100]`},
		{"before what is omitted", "[" + blanks + join(1, 100, "#", ",") + "]", elements(200, 0, 1), `["... 99 items omitted ...",100]`},
		{"deep indentation", deep, limits, "[\n" + strings.Repeat(" ", 30) + "[" + join(0, 7, "#", ",") + "\n" + strings.Repeat(" ", 30) + "]\n]"},
		{"indentation", strings.ReplaceAll(deep, strings.Repeat(" ", 30), strings.Repeat(" ", 15)), elements(100, 1, 1),
			"[\n" + strings.Repeat(" ", 15) + "[0,\"... 6 items omitted ...\",7\n" + strings.Repeat(" ", 15) + "]\n]"},
	}, truncation.Valid)
	testElement(t, []elementTest{
		{"XML", blanks + "<a>" + blanks + "<b/>" + blanks + "</a>" + blanks, limits, "<a><b/></a>"},
		{"XML beside what is omitted", "<a><b/>" + blanks + join(1, 50, "<b>#</b>", "") + blanks + "<b/></a>\n", elements(200, 1, 1), "<a><b/><!-- 50 items omitted --><b/></a>\n"},
	}, truncation.Unknown)
}

// TestElementOfAWrapper has more scalars beside a list than other objects keep
// members (C-27, DESC-15).
func TestElementOfAWrapper(t *testing.T) {
	scalars := func(first, last int) string { return join(first, last, `"scalar#":"#"`, ",") }
	users := `"users":[` + join(1, 100, `{"id":#}`, ",") + "]"
	some := `"users":[{"id":1},{"id":2},"... 96 users omitted ...",{"id":99},{"id":100}]`
	testElement(t, []elementTest{
		{"scalars before", "{" + scalars(1, 12) + "," + users + "}", elements(400, 2, 2), "{" + scalars(1, 12) + "," + some + "}"},
		{"scalars around", "{" + scalars(1, 5) + "," + users + "," + scalars(6, 12) + "}", elements(400, 2, 2), "{" + scalars(1, 5) + "," + some + "," + scalars(6, 12) + "}"},
		{"two lists", "{" + scalars(1, 9) + "," + users + "," + users + "}", elements(400, 2, 2), "{" + scalars(1, 9) + "," + some + "," + some + "}"},
		{"too many scalars", "{" + scalars(1, 16) + "," + users + "}", elements(200, 2, 2),
			"{" + scalars(1, 2) + `,"...":"13 keys omitted",` + scalars(16, 16) + "," + some + "}"},
		{"no list", "{" + scalars(1, 12) + "}", elements(150, 2, 2), "{" + scalars(1, 2) + `,"...":"8 keys omitted",` + scalars(11, 12) + "}"},
		{"records", "[" + join(1, 30, "{"+scalars(1, 8)+"}", ",") + "]", elements(400, 1, 1),
			`[{` + scalars(1, 8) + `},"... 28 items omitted ...",{` + scalars(1, 8) + `}]`},
		{"records that do not fit", "[" + join(1, 30, "{"+scalars(1, 8)+"}", ",") + "]", elements(200, 1, 1),
			`[{` + scalars(1, 1) + `,"...":"6 keys omitted",` + scalars(8, 8) + `},"... 28 items omitted ...",{` + scalars(1, 1) + `,"...":"6 keys omitted",` + scalars(8, 8) + `}]`},
		{"records with too many members", "[" + join(1, 90, "{"+scalars(1, 9)+"}", ",") + "]", elements(4000, 1, 1),
			`[{` + scalars(1, 1) + `,"...":"7 keys omitted",` + scalars(9, 9) + `},"... 88 items omitted ...",{` + scalars(1, 1) + `,"...":"7 keys omitted",` + scalars(9, 9) + `}]`},
	}, truncation.Valid)
}

// TestElementBoundsMarks has so many lists in lists that the marks of those that
// could remain would be longer than what they keep (C-14).
func TestElementBoundsMarks(t *testing.T) {
	lists := func(of string) string { return "[" + strings.TrimSuffix(strings.Repeat(of+",", 20), ",") + "]" }
	s := lists(lists(lists("1000")))
	l := elements(6000, 5, 5)
	r := truncate(t, s, truncation.Element, truncation.Options{Limits: l})
	checkMarks(t, l, r)
	if r.JSON != truncation.Valid || !r.WasTruncated {
		t.Errorf("lists in lists become %q", r.Content)
	}
}

// TestElementOfARecord has what most of a record is at no end of it, and
// scalars between containers: both matter more than their place.
func TestElementOfARecord(t *testing.T) {
	word := strings.Repeat("y", 50)
	s := `{"a":{"x":[1,2,3,4]},"b":{"x":[1,2,3,4]},` + join(1, 3, `"s#":#`, ",") + `,"c":{"x":3},"items":[` +
		join(1, 100, `"`+word+`#"`, ",") + `],"s4":4,"d":{"x":[1,2,3,4]},"e":{"x":[1,2,3,4]}}`
	want := `{"...":"2 keys omitted","s1":1,"s2":2,"s3":3,"c":{"x":3},"items":["` + word + `1","... 98 items omitted ...","` +
		word + `100"],"s4":4,"....":"2 keys omitted"}`
	testElement(t, []elementTest{{"record", s, elements(210, 3, 2), want}}, truncation.Valid)
}

func TestElementPartsNoEscapes(t *testing.T) {
	units := []string{`\ud83d\ude00`, `\u00e9`, `\\`, `\n`, "é", "👨‍👩‍👧"}
	s := `["` + strings.Repeat(strings.Join(units, ""), 50) + `"]`
	for inline := range 100 {
		r := truncateQuickly(t, s, elements(inline+50, 1, 1))
		rest := r.Content
		for _, unit := range units {
			rest = strings.ReplaceAll(rest, unit, "")
		}
		if !regexp.MustCompile(`^\[" \.\.\. \[\d+ chars omitted\] \.\.\. "\]$`).MatchString(rest) {
			t.Errorf("limit %d leaves %q in %q", inline+50, rest, r.Content)
		}
	}
}

func TestElementXML(t *testing.T) {
	long := strings.Repeat("word ", 100)
	limits := elements(300, 2, 2)
	testElement(t, []elementTest{
		{"siblings", "<users>\n" + join(1, 50, "  <user id=\"#\"/>", "\n") + "\n</users>\n", limits,
			"<users>\n  <user id=\"1\"/>\n  <user id=\"2\"/>\n  <!-- 46 items omitted -->\n  <user id=\"49\"/>\n  <user id=\"50\"/>\n</users>\n"},
		{"siblings among others", "<rss><title>T</title>" + join(1, 50, "<item>#</item>", "") + "<end/></rss>", limits,
			"<rss><title>T</title><item>1</item><item>2</item><!-- 46 items omitted --><item>49</item><item>50</item><end/></rss>"},
		{"prolog", "\ufeff<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- <a> -->\n<!DOCTYPE a [<!ENTITY lol \"]>&lol2;\"><!-- ' -->]>\n<a>" + join(1, 50, "<b>&lol;</b>", "") + "</a>\n<!-- end -->\n", limits,
			"\ufeff<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- <a> -->\n<!DOCTYPE a [<!ENTITY lol \"]>&lol2;\"><!-- ' -->]>\n<a><b>&lol;</b><b>&lol;</b><!-- 46 items omitted --><b>&lol;</b><b>&lol;</b></a>\n<!-- end -->\n"},
		{"markup in the way", "<a><b c='>' d=\"/>'\"><![CDATA[</b><x>]]><!-- </b> --><?p </b>?></b>" + join(1, 90, "<b/>", "") + "</a>", limits,
			"<a><b c='>' d=\"/>'\"><![CDATA[</b><x>]]><!-- </b> --><?p </b>?></b><b/><!-- 87 items omitted --><b/><b/></a>"},
		{"depth", "<a>" + join(1, 20, "<b><c><d><e x='1'><f/><g/></e><h>text</h></d></c></b>", "") + "</a>", limits,
			"<a>" + join(1, 2, "<b><c><d><e x='1'><!-- 2 items omitted --></e><h>text</h></d></c></b>", "") + "<!-- 16 items omitted -->" +
				join(1, 2, "<b><c><d><e x='1'><!-- 2 items omitted --></e><h>text</h></d></c></b>", "") + "</a>"},
		{"text between", "<p>one <b>1</b> two <b>2</b> three " + join(1, 50, "<b>#</b>", " and ") + " end</p>", elements(100, 1, 1),
			"<p>one <b>1</b> <!-- 50 items omitted --> <b>50</b> end</p>"},
		{"namespaces", "<x:a xmlns:x='u'>" + join(1, 50, "<x:b/>", "\n") + "</x:a>", limits,
			"<x:a xmlns:x='u'><x:b/>\n<x:b/>\n<!-- 46 items omitted -->\n<x:b/>\n<x:b/></x:a>"},
		{"long text", "<a><b>" + long + "</b></a>", elements(100, 1, 1),
			"<a><b>" + long[:43] + " ... [415 chars omitted] ... " + long[458:] + "</b></a>"},
		{"a long text of references", "<a><b>" + long + strings.Repeat("&lt;", 50) + long + "</b>" + join(1, 50, "<c/>", "") + "</a>", elements(1300, 1, 1),
			"<a><b>" + long + strings.Repeat("&lt;", 50) + long + "</b><c/><!-- 48 items omitted --><c/></a>"},
		{"long CDATA", "<a><b><![CDATA[" + long + "]]></b></a>", elements(120, 1, 1),
			"<a><b><![CDATA[" + long[:46] + " ... [409 chars omitted] ... " + long[455:] + "]]></b></a>"},
		{"long attribute", "<a><b c='" + long + "'/></a>", elements(100, 1, 1),
			"<a><b c='" + long[:41] + " ... [419 chars omitted] ... " + long[460:] + "'/></a>"},
		{"long comment", "<a><!-- " + long + "--><b/></a>", elements(100, 1, 1),
			"<a><!-- " + long[:40] + " ... [420 chars omitted] ... " + long[460:] + "--><b/></a>"},
		{"references are whole", "<a><b>" + strings.Repeat("&amp;", 100) + "</b></a>", elements(60, 1, 1),
			"<a><b>" + strings.Repeat("&amp;", 4) + " ... [455 chars omitted] ... " + strings.Repeat("&amp;", 5) + "</b></a>"},
		{"only the limit is strict", "<a>" + join(1, 50, "<b>#</b>", "") + "</a>", elements(8, 2, 2), "<a><!-- 50 items omitted --></a>"},
	}, truncation.Unknown)
}

func TestElementLines(t *testing.T) {
	lines := func(n int) string { return join(1, n, "line #", "\n") + "\n" }
	long := strings.Repeat("x", 500)
	testElement(t, []elementTest{
		{"lines", lines(100), elements(200, 3, 2), // C-23
			"line 1\nline 2\nline 3\n... [95 lines / 754 chars omitted] ...\nline 99\nline 100\n"},
		{"CRLF", strings.ReplaceAll(lines(100), "\n", "\r\n"), elements(200, 1, 1), "line 1\r\n... [98 lines / 874 chars omitted] ...\nline 100\r\n"},
		{"no final line end", strings.TrimSuffix(lines(100), "\n"), elements(200, 1, 1), "line 1\n... [98 lines / 776 chars omitted] ...\nline 100"},
		{"no first", lines(100), elements(200, 0, 2), "... [98 lines / 775 chars omitted] ...\nline 99\nline 100\n"},
		{"no last", lines(100), elements(200, 2, 0), "line 1\nline 2\n... [98 lines / 778 chars omitted] ..."},
		{"fewer", lines(100), elements(31, 5, 5), "line 1\nline 2\n... [96 lines / 761 chars omitted] ...\nline 99\nline 100\n"},
		{"one remains", lines(100), elements(8, 5, 5), "line 1\n... [99 lines / 785 chars omitted] ..."},
		{"few lines", lines(12), elements(20, 8, 8), "line 1\n... [10 lines / 72 chars omitted] ...\nline 12\n"},
		{"a long line", "a\n" + long + "\nb\nc\n", elements(200, 5, 5), "a\n" + long[:64] + " ... [436 chars omitted] ...\nb\nc\n"},
		{"JSON lines", join(1, 100, `{"id":#}`, "\n") + "\n", elements(200, 2, 2), // C-23
			"{\"id\":1}\n{\"id\":2}\n... [96 lines / 953 chars omitted] ...\n{\"id\":99}\n{\"id\":100}\n"},
		{"JSON lines are whole", join(1, 100, `["`+long[:60]+`#"]`, "\n") + "\n", elements(150, 2, 2),
			`["` + long[:60] + "1\"]\n... [98 lines / 6558 chars omitted] ...\n" + `["` + long[:60] + "100\"]\n"},
		{"a log", join(1, 100, "[INFO] #", "\n"), elements(100, 1, 1), "[INFO] 1\n... [98 lines / 972 chars omitted] ...\n[INFO] 100"},
		{"quotes", join(1, 100, `"a","b"`, "\n"), elements(100, 1, 1), "\"a\",\"b\"\n... [98 lines / 784 chars omitted] ...\n\"a\",\"b\""},
		{"whitespace", strings.Repeat(" \n", 200), elements(10, 2, 2), " \n \n... [196 lines / 392 chars omitted] ...\n \n \n"}, // C-44
		{"one line", long, elements(100, 5, 5), long[:50] + "\n... [1 lines / 400 chars omitted] ...\n" + long[:50]},
	}, truncation.Unknown)
	if r := truncate(t, lines(100), truncation.Element, truncation.Options{Limits: elements(200, 3, 2)}); r.OmittedElements != 95 {
		t.Errorf("OmittedElements = %d, want 95", r.OmittedElements)
	}
}

func TestElementFallsBack(t *testing.T) {
	deep := strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001)
	for name, s := range map[string]string{
		"not closed":        "[" + join(1, 100, "#", ","),
		"a comma too much":  "[" + join(1, 100, "#", ",") + ",]",
		"long declarations": "<!DOCTYPE a [" + strings.Repeat("<!ENTITY b 'c'>", 20) + "]><a><b/><b/></a>",
		"two values":        "[1]" + strings.Repeat(" ", 200) + "[2]",
		"pretty values":     strings.Repeat("{\n \"a\": 1\n}\n", 50),
		"too deep":          deep,
		"far too deep":      strings.Repeat(`{"a":[`, 100_000),
		"not well-formed":   "<a>" + strings.Repeat("<b>", 50) + "</a>",
		"HTML":              "<!DOCTYPE html>\n<p>" + strings.Repeat("<br>text", 50),
		"ampersand":         "<a>" + strings.Repeat("<b>x & y</b>", 50) + "</a>",
		"a late ampersand":  "<a><b>" + strings.Repeat("text ", 100) + "x & y</b></a>",
		"no end of text":    "<a><b/>" + strings.Repeat("text ", 100),
		"a bad comment":     "<a><!-- -- -->" + strings.Repeat("<b></b>", 50) + "</a>",
		"attributes as one": "<a b='1'c='2'>" + strings.Repeat("<b></b>", 50) + "</a>",
		"end tag":           "<a>" + strings.Repeat("<b></bc>", 50) + "</a>",
		"two elements":      "<a></a>" + strings.Repeat("<b></b>", 50),
		"elements too deep": strings.Repeat("<a>", 10_001) + strings.Repeat("</a>", 10_001),
	} {
		t.Run(name, func(t *testing.T) {
			r, err := truncation.Truncate(text.Split(s), truncation.Element, truncation.Options{Limits: elements(100, 2, 2)})
			wantJSON := truncation.Invalid
			if s[0] == '<' {
				wantJSON = truncation.Unknown
			}
			if err != nil || r.Strategy != truncation.HeadTail || r.FallbackFrom != truncation.Element || r.JSON != wantJSON {
				t.Errorf("strategy is %q from %q, JSON %v, %v, want head_tail from element, %v", r.Strategy, r.FallbackFrom, r.JSON, err, wantJSON)
			}
		})
	}
	deepest := deep[1 : len(deep)-1]
	if r := truncateQuickly(t, deepest, elements(100, 2, 2)); r.Content != `[[[["... 1 items omitted ..."]]]]` || r.JSON != truncation.Valid {
		t.Errorf("10,000 arrays become %q", r.Content)
	}
}

// truncateQuickly spares the slow checks.
func truncateQuickly(t *testing.T, s string, l truncation.Limits) truncation.Result {
	t.Helper()
	r, err := truncation.Truncate(text.Split(s), truncation.Element, truncation.Options{Limits: l})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestElementInLargeText has containers that are too large to be read twice, at
// all depths.
func TestElementInLargeText(t *testing.T) {
	record := `{"id":#,"name":"` + strings.Repeat("n", 100) + `"}`
	list := "[" + join(1, 1000, record, ",") + "]"
	s := `{"a":` + list + `,"b":{"c":{"d":{"e":` + list + `},"f":` + list + `}},"lists":[` + strings.Repeat(list+",", 7) + "1]}"
	l := elements(3000, 2, 1)
	root, err := jsonTree(s)
	if err != nil {
		t.Fatal(err)
	}
	r := truncateQuickly(t, s, l)
	checkOutline(t, s, root, false, l, r)
	if want := 997 + 1000 + (997 + 3*2) + 5 + 2*997; r.OmittedElements != want || !json.Valid([]byte(r.Content)) {
		t.Errorf("omitted %d elements, want %d: %s", r.OmittedElements, want, r.Content)
	}
}

// TestElementStructure has JSON that need not stay valid: one line becomes
// lines, and others are as they were (C-28, DESC-16).
func TestElementStructure(t *testing.T) {
	long := strings.Repeat("x", 500)
	name := `"name":"a, [b] \\\"c\\\""`
	for _, tt := range []elementTest{
		{"lines", "[" + join(1, 100, "#", ",\n") + "]", elements(30, 2, 2), "[1,\n2,\n... 96 items omitted ...,\n99,\n100]"},
		{"one line", `{"total": 100, "none": [], "users":[` + join(1, 100, `{"id":#,`+name+"}", ",") + "]}\n", elements(150, 1, 1),
			"{\n  \"total\": 100, \n  \"none\": [], \n  \"users\":[\n    {\n      \"id\":1,\n      " + name + "\n    },\n" +
				"    ... 98 users omitted ...,\n    {\n      \"id\":100,\n      " + name + "\n    }\n  ]\n}\n"},
		{"a map", "{" + join(1, 100, `"k#":[]`, ",") + "}", elements(100, 1, 0), "{\n  \"k1\":[],\n  ... 99 keys omitted ...\n}"},
		{"depth", "[" + join(1, 50, `[[[[1,2,3,4,5,6,7,8,9,10,11,12],{ }]]]`, ",") + "]", elements(60, 1, 0),
			"[\n  [\n    [\n      [\n        [\n          ... 12 items omitted ...\n        ],\n        { }\n      ]\n    ]\n  ],\n  ... 49 items omitted ...\n]"},
		{"a long string", `{"a":"` + long + `","b":1}`, elements(100, 1, 1),
			"{\n  \"a\":\"" + long[:43] + ` ... [415 chars omitted] ... ` + long[:42] + "\",\n  \"b\":1\n}"},
		{"a text that is a string", `"` + long + `"`, elements(100, 1, 1), `"` + long[:48] + ` ... [405 chars omitted] ... ` + long[:47] + `"`},
		{"blanks", "[" + strings.Repeat(" ", 500) + "[ ] ," + strings.Repeat(" ", 500) + "2]", elements(100, 1, 1), "[\n  [ ] ,\n  2\n]"},
		{"nothing fits", "[" + join(1, 40, "#", ",") + "]", elements(1, 1, 1), "[\n... [1 lines / 111 chars omitted] ..."},
		{"no longer than the text", "[" + join(1, 12, "#", ",") + "]", elements(4, 1, 1), "[" + join(1, 12, "#", ",") + "]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := truncate(t, tt.text, truncation.Element, truncation.Options{Limits: tt.limits, Structure: true})
			if diff := cmp.Diff(tt.want, r.Content); diff != "" || r.WasTruncated && (r.Strategy != truncation.Element || r.JSON != truncation.Invalid) {
				t.Errorf("structure by %q, JSON %v (-want +got):\n%s", r.Strategy, r.JSON, diff)
			}
		})
	}
}

// TestElementOfAStream has texts of which the middle is not at hand.
func TestElementOfAStream(t *testing.T) {
	many := join(1, 100_000, "line #", "\n")
	long := strings.Repeat("x", 2_000_000)
	tests := []struct {
		name, text, want string
		strategy         truncation.Strategy
		omitted          int
	}{
		{"lines", many, "line 1\nline 2\n... [99996 lines / 1088858 chars omitted] ...\nline 99999\nline 100000", truncation.Element, 99996},
		{"JSON lines", join(1, 100_000, `{"id":#}`, "\n"), "{\"id\":1}\n{\"id\":2}\n... [99996 lines / 1288850 chars omitted] ...\n{\"id\":99999}\n{\"id\":100000}", truncation.Element, 99996},
		{"a long first line", long + "\na\nb\nc", "... [2 lines / 2000003 chars omitted] ...\nb\nc", truncation.Element, 2},
		{"a long last line", "a\nb\nc\n" + long, "a\nb\n... [2 lines / 2000002 chars omitted] ...", truncation.Element, 2},
		{"one line", long, long[:50] + "\n... [1 lines / 1999900 chars omitted] ...\n" + long[:50], truncation.Element, 0},
		{"two lines", long + "\n" + long, long[:50] + "\n... [2 lines / 3999901 chars omitted] ...\n" + long[:50], truncation.HeadTail, 0},
		{"JSON", "[" + join(1, 300_000, "#", ",") + "]", "[" + join(1, 20, "#", ",")[:49] + "\n... [1 lines / 1988796 chars omitted] ...\n" + ",299994,299995,299996,299997,299998,299999,300000]", truncation.HeadTail, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := elements(100, 2, 2)
			stream := truncation.NewStream(l)
			stream.Write([]byte(tt.text))
			r, err := stream.Truncate(truncation.Element, truncation.Options{Limits: l})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, r.Content); diff != "" || r.Strategy != tt.strategy || r.OmittedElements != tt.omitted {
				t.Errorf("%d elements omitted by %s, want %d, content (-want +got):\n%s", r.OmittedElements, r.Strategy, tt.omitted, diff)
			}
		})
	}
}
