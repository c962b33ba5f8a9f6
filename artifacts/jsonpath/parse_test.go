package jsonpath_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/acode-ls/acode-ls/artifacts/jsonpath"
)

// syntaxCases name a query that is refused, the byte offset of the mistake, and
// a part of the message.
var syntaxCases = []struct {
	query   string
	offset  int
	message string
}{
	{``, 0, `expected $, with which a query begins, found the end`},
	{`a`, 0, `expected $`},
	{`.a`, 0, `expected $`},
	{`@.a`, 0, `expected $`},
	{` $`, 0, `expected $`},
	{"\uFEFF$", 0, `expected $`},
	{`$ `, 1, `space is not allowed at the end`},
	{`$a`, 1, `expected . or [, found 'a'`},
	{`$.`, 2, `expected a name or * after ., found the end`},
	{`$. a`, 2, `found ' '`},
	{`$.1`, 2, `found '1'`},
	{`$.a-b`, 3, `names with - need brackets`},
	{`$[?@.a-b == 1]`, 6, `names with - need brackets`},
	{`$.a*`, 3, `expected . or [, found '*'`},
	{`$.&`, 2, `found '&'`},
	{`$."a"`, 2, `found '"'`},
	{`$..`, 3, `expected a name, * or [ after ..`},
	{`$...a`, 3, `found '.'`},
	{`$.. a`, 3, `found ' '`},
	{`$.a^`, 3, `parent operator ^ is not supported`},
	{`$.a~`, 3, `name operator ~ is not supported`},
	{`$.items.length()`, 14, `methods such as .length() are not supported`},
	{"$.\xff", 2, `not UTF-8`},

	// In brackets.
	{`$[`, 2, `found the end`},
	{`$[]`, 2, `expected a name in quotes`},
	{`$[a]`, 3, `names in brackets need quotes`},
	{`$['a'`, 5, `expected , or ], found the end`},
	{`$['a',]`, 6, `expected a name in quotes`},
	{`$['a' 'b']`, 6, `expected , or ]`},
	{`$['a]`, 2, `the string has no closing '`},
	{`$["a']`, 2, `the string has no closing "`},
	{`$['\"']`, 3, `expected an escape`},
	{`$["\'"]`, 3, `expected an escape`},
	{`$['\x41']`, 3, `expected an escape`},
	{`$['\`, 3, `expected an escape`},
	{`$['\u12']`, 3, `four hexadecimal digits`},
	{`$['\u+123']`, 3, `four hexadecimal digits`},
	{`$['\ud800']`, 3, `a surrogate must be one half of a pair`},
	{`$['\ud800\u0041']`, 3, `a surrogate must be one half of a pair`},
	{`$['\udc00']`, 3, `a surrogate must be one half of a pair`},
	{"$['\n']", 3, `control characters`},
	{"$['\x00']", 3, `control characters`},
	{`$[01]`, 2, `01 is not an integer`},
	{`$[-0]`, 2, `-0 is not an integer`},
	{`$[-]`, 3, `expected a digit, found ']'`},
	{`$[+1]`, 2, `found '+'`},
	{`$[1.0]`, 3, `expected , or ], found '.'`},
	{`$[1e0]`, 3, `found 'e'`},
	{`$[9007199254740992]`, 2, `beyond ±(2^53-1)`},
	{`$[-9007199254740992]`, 2, `beyond ±(2^53-1)`},
	{`$[99999999999999999999999]`, 2, `beyond ±(2^53-1)`},
	{`$[::9007199254740992]`, 4, `beyond ±(2^53-1)`},
	{`$[1:2:3:4]`, 7, `expected , or ]`},
	{`$[1:a]`, 4, `expected , or ]`},
	{`$[(@.length-1)]`, 2, `script expressions`},
	{`$[@.a]`, 2, `a filter begins with ?`},

	// In filters.
	{`$[?]`, 3, `expected a query beginning with @ or $, a literal or a function, found ']'`},
	{`$[?()]`, 4, `expected a query`},
	{`$[?(@.a]`, 7, `expected &&, || or )`},
	{`$[?@.a)]`, 6, `expected &&, ||, ] or ,`},
	{`$[?@.a]]`, 7, `expected . or [`},
	{`$[?1]`, 4, `a comparison operator after 1`},
	{`$[?true]`, 7, `a comparison operator after true`},
	{`$[?'a' && @.b]`, 7, `a comparison operator after 'a'`},
	{`$[?@.a = 1]`, 7, `use ==`},
	{`$[?@.a === 1]`, 7, `use ==`},
	{`$[?@.a !== 1]`, 7, `use !=`},
	{`$[?@.a <> 1]`, 7, `use !=`},
	{`$[?@.a =~ /x/]`, 7, `use match(`},
	{`$[?@.a == /x/]`, 10, `/patterns/ are not supported`},
	{`$[?@.a and @.b]`, 7, `use &&`},
	{`$[?@.a or @.b]`, 7, `use ||`},
	{`$[?@.a & @.b]`, 7, `use &&`},
	{`$[?@.a | @.b]`, 7, `use ||`},
	{`$[?@.a in ['x']]`, 7, `the operator in is not supported`},
	{`$[?@.a contains 'x']`, 7, `use search(`},
	{`$[?@.a + 1 > 2]`, 7, `arithmetic is not supported`},
	{`$[?@.a > 1 + 1]`, 11, `arithmetic is not supported`},
	{`$[?@.a ==]`, 9, `expected a query`},
	{`$[?@.a == b]`, 10, `b is neither a literal nor a function`},
	{`$[?@.a == True]`, 10, `expected a query`},
	{`$[?@.a == (1)]`, 10, `must not stand in parentheses`},
	{`$[?(@.a) == 1]`, 9, `a comparison is not possible here`},
	{`$[?!@.a == 1]`, 8, `a comparison is not possible here`},
	{`$[?!1]`, 4, `after !`},
	{`$[?@.a == 1 == 2]`, 12, `a comparison is not possible here`},
	{`$[?@.a[*] == 1]`, 3, `@.a[*] may select many values`},
	{`$[?1 == @..a]`, 8, `@..a may select many values`},
	{`$[?@[0:1] == 1]`, 3, `may select many values`},
	{`$[?@['a','b'] == 1]`, 3, `may select many values`},
	{`$[?@.a == 01]`, 10, `leading zeros`},
	{`$[?@.a == 1.]`, 12, `a digit after the decimal point`},
	{`$[?@.a == .5]`, 10, `expected a query`},
	{`$[?@.a == -]`, 11, `expected a digit`},
	{`$[?@.a == 1e]`, 12, `a digit of the exponent`},
	{`$[?@.a == 1e+]`, 13, `a digit of the exponent`},
	{`$[?@.a == [1]]`, 10, `expected a query`},
	{`$[?@.a == {}]`, 10, `expected a query`},
	{`$[?@.a &&]`, 9, `expected a query`},
	{`$[?&& @.a]`, 3, `expected a query`},
	{`$[?.a]`, 3, `expected a query`},

	// Functions and their types.
	{`$[?lower(@.a) == 'x']`, 3, `function lower() is not supported`},
	{`$[?Length(@) == 1]`, 3, `expected a query`},
	{`$[?length (@) == 1]`, 3, `length is neither a literal nor a function`},
	{`$[?length() == 1]`, 10, `arguments of length() must number 1, not 0`},
	{`$[?length(@,@) == 1]`, 11, `expected ) after the last argument of length()`},
	{`$[?length(@.*) == 1]`, 10, `@.* may select many values`},
	{`$[?length(@)]`, 12, `a comparison operator after length(@)`},
	{`$[?!length(@)]`, 4, `after !`},
	{`$[?length(match(@,'a')) == 1]`, 10, `is a condition`},
	{`$[?length(@ == 1) == 1]`, 12, `a comparison is not possible here`},
	{`$[?count(1) == 1]`, 9, `count() takes a query, not 1`},
	{`$[?count(length(@)) == 1]`, 9, `count() takes a query, not length(@)`},
	{`$[?count(@.*)]`, 13, `a comparison operator`},
	{`$[?value(@.*)]`, 13, `a comparison operator`},
	{`$[?match(@, 'a') == true]`, 3, `match(@, 'a') is a condition`},
	{`$[?true == match(@, 'a')]`, 11, `match(@, 'a') is a condition`},
	{`$[?match(@)]`, 10, `arguments of match() must number 2, not 1`},
	{`$[?match(@ 'a')]`, 11, `a comma between arguments`},
	{`$[?match(@.*, 'a')]`, 9, `may select many values`},
	{`$[?match((@), 'a')]`, 9, `conditions are not arguments`},
	{`$[?match(@, '(')]`, 3, `the pattern of match() is not supported: missing closing )`},
	{`$[?match(@, 'a)(b')]`, 3, `the pattern of match() is not supported`},
	{`$[?search(@, '(?=a)')]`, 3, `the pattern of search() is not supported`},
	{`$[?search(@, '` + strings.Repeat("a", 5000) + `')]`, 3, `longer than 4,096 bytes`},
	{`$[?search(@, 'a{1001}')]`, 3, `invalid repeat count`},

	// Limits.
	{`$` + strings.Repeat(".a", 40_000), 65536, `longer than 65,536 bytes`},
	{`$[?` + strings.Repeat("(", 200) + `@.a` + strings.Repeat(")", 200) + `]`, 103, `nested deeper than 100`},
	{`$` + strings.Repeat("[?@", 200) + strings.Repeat("]", 200), 303, `nested deeper than 100`},
	{`$[?` + strings.Repeat("length(", 200) + `@` + strings.Repeat(")", 200) + `==1]`, 703, `nested deeper than 100`},
}

func TestSyntaxError(t *testing.T) {
	for _, c := range syntaxCases {
		_, err := jsonpath.Parse(c.query)
		mistake, ok := errors.AsType[*jsonpath.SyntaxError](err)
		if !ok {
			t.Errorf("Parse(%.100q) gave error %v, want a *SyntaxError", c.query, err)
			continue
		}
		if mistake.Offset != c.offset || !strings.Contains(mistake.Message, c.message) || mistake.Query != c.query {
			t.Errorf("Parse(%.100q) gave %d: %s, want %d: … %s …", c.query, mistake.Offset, mistake.Message, c.offset, c.message)
		}
	}
}

func TestSyntaxErrorText(t *testing.T) {
	_, err := jsonpath.Parse(`$.a^`)
	want := `parsing JSONPath "$.a^" at byte 3: the parent operator ^ is not supported`
	if err == nil || err.Error() != want {
		t.Errorf("Parse gave error %v, want %s", err, want)
	}
}

// TestStreamed holds which part of a query is followed while the text is read.
func TestStreamed(t *testing.T) {
	for _, c := range []struct {
		query string
		want  int
	}{
		{`$`, 0},
		{`$.a.b[0][*][1:9:2]`, 5},
		{`$[1,3:5,7:]`, 1},
		{`$[:2,4]`, 1},
		{`$[0,0]`, 0},
		{`$[2,1]`, 0},
		{`$[1:,5]`, 0},
		{`$[5:3,4]`, 1},
		{`$[:7,4:9]`, 0},
		{`$[::-1]`, 0},
		{`$[-2:]`, 0},
		{`$.a[:-1].b`, 1},
		{`$['a','b']`, 0},
		{`$[*,0]`, 0},
		{`$.a[-1].b.c`, 2},
		{`$.a[?@.b].c.d`, 2},
		{`$.a[?@.b > $.c].d`, 2},
		{`$[?@.a,?@.b]`, 0},
		{`$.a..b.c`, 2},
		{`$..[0].c`, 1},
		{`$..*`, 0},
		{`$..[-1]`, 0},
		{`$..['a','b']`, 0},
		{`$..[?@.a]`, 0},
	} {
		query, err := jsonpath.Parse(c.query)
		if err != nil {
			t.Fatal(err)
		}
		if got := query.Streamed(); got != c.want {
			t.Errorf("%s: %d segments are streamed, want %d", c.query, got, c.want)
		}
	}
}
