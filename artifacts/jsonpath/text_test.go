package jsonpath_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/artifacts/jsonpath"
)

// walks are queries that read texts in all the ways there are.
var walks = []string{
	`$`, `$.a`, `$[0]`, `$[-1]`, `$[*]`, `$.*.*`, `$[1:]`, `$[::-1]`, `$['a','b']`, `$..a`, `$..[0]`, `$..*`,
	`$[?@.a]`, `$[?@.a == $.a]`, `$[?count($..*) > 1]`, `$[0][0]`, `$.a.a..a`,
}

func mustParse(t testing.TB, query string) *jsonpath.Query {
	t.Helper()
	q, err := jsonpath.Parse(query)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// checkNoJSON holds that every walk of the text ends in a *JSONError.
func checkNoJSON(t *testing.T, text string) {
	t.Helper()
	for _, walk := range walks {
		q := mustParse(t, walk)
		for name, each := range map[string]eachFunc{"Each": q.Each, "EachWhole": q.EachWhole} {
			_, err := collect(each, opening(text))
			mistake, ok := errors.AsType[*jsonpath.JSONError](err)
			if !ok {
				t.Errorf("%s of %s on %.60q gave error %v, want a *JSONError", name, walk, text, err)
				continue
			}
			if mistake.Offset < 0 || int64(len(text)) < mistake.Offset {
				t.Errorf("%s of %s on %.60q gave offset %d of %d", name, walk, text, mistake.Offset, len(text))
			}
		}
	}
}

func TestNoJSON(t *testing.T) {
	for _, text := range []string{
		``, ` `, "\uFEFF", "\x00", "[1]\x00", "{\"a\":\"\x00\"}", "nul", `nulll`, `tru`, `01`, `1.`, `-`, `+1`, `.5`, `1e`, `0x1`,
		`plain text`, `<a/>`, `'a'`, `{a:1}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `{"a" 1}`, `{1:2}`, `[1,]`, `[,1]`, `[1 2]`, `[`, `]`, `}`,
		`{"a":1]`, `[1}`, `[1] [2]`, `{"a":1}{"a":2}`, `1 2`, `[1],`, `{"a":1} x`, "\"a\nb\"", `"\x41"`, `"\u12"`, `"a`, `"\`,
		`[1] // comment`, "\uFEFF\uFEFF[1]", "[\"\xff\"]", "[\"\xed\xa0\x80\"]", "[\"\xc3\"]", "[1]\xc3", "\xff\xfe[\x001\x00]\x00", "\xef\xbb[1]",
		`{"a":{"a":[NaN]}}`, `{"b":[Infinity]}`, `{"a":1,"b":[1,2,{"c":[}]}`,
	} {
		checkNoJSON(t, text)
	}
}

// TestTruncated holds that no beginning of a text passes for the text.
func TestTruncated(t *testing.T) {
	text := `{"a":[{"a":"é😀\u00e9\ud83d\ude00\n"},-1.5e+3,true,false,null,{}],"b":{"a":[[]]}}`
	for end := range text {
		checkNoJSON(t, text[:end])
	}
	for _, walk := range walks {
		selectBoth(t, mustParse(t, walk), text)
	}
}

func TestJSONErrorText(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`[1,2`, `reading JSON at byte 4: the text ends within its value`},
		{`  `, `reading JSON at byte 2: the text ends before its value`},
		{`[1] 2`, `reading JSON at byte 3: a second value follows the first`},
		{"\uFEFF[\"é\xff\"]", `reading JSON at byte 7: the text is not UTF-8`},
		{"\uFEFF[1x]", `reading JSON at byte 5: invalid character 'x' after array element (expecting ',' or ']')`},
	} {
		_, err := collect(mustParse(t, `$[*]`).Each, opening(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("Each on %q gave error %v, want %s", c.text, err, c.want)
		}
	}
}

// TestNesting holds that depth ends in an error and never in a crash, and that
// the deepest texts are still walked in time.
func TestNesting(t *testing.T) {
	const limit = 10_000
	for _, pair := range [][2]string{{`[`, `]`}, {`{"a":`, `}`}} {
		for _, depth := range []int{limit + 1, 100_000} {
			checkNoJSON(t, strings.Repeat(pair[0], depth)+"1"+strings.Repeat(pair[1], depth))
			checkNoJSON(t, strings.Repeat(pair[0], depth))
		}
		text := strings.Repeat(pair[0], limit) + "1" + strings.Repeat(pair[1], limit)
		for _, walk := range walks {
			q := mustParse(t, walk)
			for _, each := range []eachFunc{q.Each, q.EachWhole} {
				if err := each(opening(text), 0, func([]byte) bool { return true }); err != nil {
					t.Errorf("%s on %d times %s: %v", walk, limit, pair[0], err)
				}
			}
		}
	}
	deep := strings.Repeat("[", 4000) + `{"x":1}` + strings.Repeat("]", 4000)
	if got := selectBoth(t, mustParse(t, `$[?@.a == @.b].c`), `[{"a":`+deep+`,"b":`+deep+`,"c":1}]`); joined(got) != "1" {
		t.Errorf("two equal deep values are not equal")
	}
}

// TestCharactersAcrossReads holds that it does not matter where reads end.
func TestCharactersAcrossReads(t *testing.T) {
	for shift := range 5 {
		text := `["` + strings.Repeat("x", shift) + strings.Repeat("😀", 40_000) + `","é"]`
		got, err := collect(mustParse(t, `$[*]`).Each, opening(text))
		if err != nil || len(got) != 2 || "["+joined(got)+"]" != text {
			t.Errorf("Each with shift %d gave %d values, %v", shift, len(got), err)
		}
		bad := strings.Replace(text, `","é`, "\xf0\x9f\",\"é", 1)
		_, err = collect(mustParse(t, `$[*]`).Each, opening(bad))
		mistake, ok := errors.AsType[*jsonpath.JSONError](err)
		if want := int64(strings.Index(bad, "\xf0\x9f\"")); !ok || mistake.Offset != want {
			t.Errorf("Each with shift %d gave error %v, want one at %d", shift, err, want)
		}
	}
}

// TestStop holds that nothing is yielded after the caller had enough, and that
// the rest of the text is not read then.
func TestStop(t *testing.T) {
	text := `{"a":[{"k":1},{"k":2},{"k":3}],"k":4,"z":[{"k":5}]}`
	for _, walk := range []string{`$.a[*]`, `$.a[*].k`, `$.a[?@.k].k`, `$.a..k`, `$..k`, `$..*`, `$.a[::-1]`, `$.a[0,2]`, `$['k','a']`} {
		q := mustParse(t, walk)
		for _, each := range []eachFunc{q.Each, q.EachWhole} {
			calls := 0
			err := each(opening(text), 0, func([]byte) bool { calls++; return calls < 2 })
			if calls != 2 || err != nil {
				t.Errorf("%s: %d calls, error %v, want 2 calls", walk, calls, err)
			}
		}
	}
	err := mustParse(t, `$[0]`).Each(opening(`[1,2`), 0, func([]byte) bool { return false })
	if err != nil {
		t.Errorf("stopping at the first value gave error %v", err)
	}
}

// TestPassStops holds that a query with $ in a filter reads no more of the text
// for it than it needs.
func TestPassStops(t *testing.T) {
	text := `{"a":1,"b":[` + strings.Repeat(`{"c":2},`, 30_000) + `0]}`
	for _, c := range []struct {
		query string
		short bool
	}{
		{`$.a[?$.a]`, true},
		{`$.a[?$.b[*]]`, true},
		{`$.a[?value($.b[*]) == 1]`, true},
		{`$.a[?count($.b[*]) == 1]`, false},
	} {
		var passes []*strings.Reader
		err := mustParse(t, c.query).Each(func() (io.ReadCloser, error) {
			passes = append(passes, strings.NewReader(text))
			return io.NopCloser(passes[len(passes)-1]), nil
		}, 0, func([]byte) bool { return true })
		if err != nil || len(passes) != 2 {
			t.Errorf("%s: %d passes, error %v, want 2 passes", c.query, len(passes), err)
			continue
		}
		if got := passes[0].Len() > len(text)/2; got != c.short {
			t.Errorf("%s left %d of %d bytes unread", c.query, passes[0].Len(), len(text))
		}
	}
}

func TestZeroQuery(t *testing.T) {
	got, err := collect(new(jsonpath.Query).Each, opening(` 7 `))
	if diff := cmp.Diff([]string{"7"}, got); err != nil || diff != "" {
		t.Errorf("the zero Query selects %v, %v, want the root", got, err)
	}
}

// closing counts how many readers are open.
type closing struct {
	io.Reader
	open *int
}

func (c closing) Close() error { *c.open--; return nil }

func TestReaders(t *testing.T) {
	broken := errors.New("broken")
	for _, walk := range append(walks, `$[?@ == $.a && $.b]`) {
		open, passes := 0, 0
		err := mustParse(t, walk).Each(func() (io.ReadCloser, error) {
			open++
			passes++
			return closing{strings.NewReader(`{"a":1,"b":[[2]]}`), &open}, nil
		}, 0, func([]byte) bool { return true })
		if want := 1 + strings.Count(walk, "$") - 1; open != 0 || passes != want || err != nil {
			t.Errorf("%s: %d readers left open of %d, error %v, want 0 of %d", walk, open, passes, err, want)
		}
		for _, reader := range []io.Reader{
			iotest.ErrReader(broken),
			io.MultiReader(strings.NewReader(`{"a":[[1],{"a":2`), iotest.ErrReader(broken)),
			io.MultiReader(strings.NewReader("[\"\xf0\x9f"), iotest.ErrReader(broken)),
			io.MultiReader(strings.NewReader(`[1]`), iotest.ErrReader(broken)),
		} {
			err := mustParse(t, walk).Each(func() (io.ReadCloser, error) { return io.NopCloser(reader), nil }, 0, func([]byte) bool { return true })
			if !errors.Is(err, broken) {
				t.Errorf("%s gave error %v, want what the reader said", walk, err)
			}
		}
		err = mustParse(t, walk).Each(func() (io.ReadCloser, error) { return nil, broken }, 0, nil)
		if !errors.Is(err, broken) {
			t.Errorf("%s gave error %v, want what open said", walk, err)
		}
	}
}
