package jsonpath_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/artifacts/jsonpath"
)

// TestMemory holds that what is streamed takes no memory that grows with the
// text. It counts all bytes ever allocated, so it also bounds the heap.
func TestMemory(t *testing.T) {
	text := snapshot(1 << 20)
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	for _, c := range []struct {
		query  string
		values int
	}{
		{`$.allocations[?(@.size > 1000000)]`, 1},
		{`$.allocations[?@.size > $.snapshot.meta.version && match(@.name, 'object_9.')].id`, 1},
		{`$.allocations[*]['id','size']`, 1},
		{`$.allocations[1000:2000].stack[-1]`, 1000},
		{`$.allocations[-1].id`, 1},
		{`$.allocations[*]..edges[0]`, 1},
		{`$.allocations[?@.id == 3]..edges[::-1]`, 2},
		{`$.snapshot..version`, 1},
		{`$.allocations[0]`, 1},
		{`$.nothing`, 0},
	} {
		query := mustParse(t, c.query)
		values := 0
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := query.Each(open, 64<<10, func(value []byte) bool {
			if values++; values <= 3 && !bytes.Contains(text, value) {
				t.Errorf("%s gave %.100s, which is not in the text", c.query, value)
			}
			return true
		})
		runtime.ReadMemStats(&after)
		if err != nil || values < c.values {
			t.Errorf("%s gave %d values, %v, want at least %d", c.query, values, err, c.values)
		}
		perValue := int64(after.TotalAlloc-before.TotalAlloc) / int64(bytes.Count(text, []byte("\n")))
		if perValue > 400 {
			t.Errorf("%s allocated %d bytes per element", c.query, perValue)
		}
	}
}

func TestMemoryError(t *testing.T) {
	const limit = 10_000
	long := `"` + strings.Repeat("x", 200_000) + `"`
	many := strings.Repeat(`{"k":"0123456789"},`, 2000)
	for _, c := range []struct {
		query, text string
		want        jsonpath.MemoryError
	}{
		{`$`, long, jsonpath.MemoryError{}},
		{`$.b`, `{"a":1,"b":` + long + `}`, jsonpath.MemoryError{Offset: 10}},
		{`$.b`, "\uFEFF" + `{"a":1,"b":` + long + `}`, jsonpath.MemoryError{Offset: 13}},
		{`$.*`, `[1,` + long + `]`, jsonpath.MemoryError{Offset: 2}},
		{`$[?@.a].b`, `[` + long + `]`, jsonpath.MemoryError{Segment: `[?@.a]`, Offset: 1}},
		{`$[?@ == $.b]`, `{"a":1,"b":` + long + `}`, jsonpath.MemoryError{Offset: 10}},
		{`$.a[::-1]`, `{"a":[` + long + `]}`, jsonpath.MemoryError{Segment: `[::-1]`, Offset: 4}},
		{`$..*`, `[` + long + `]`, jsonpath.MemoryError{Segment: `..*`}},
		{`$ ["a","b"] .c`, `[` + long + `]`, jsonpath.MemoryError{Segment: `["a","b"]`}},
		{`$[-1]`, `[1,` + long + `]`, jsonpath.MemoryError{Segment: `[-1]`, Offset: 2}},
		{`$[-1999]`, `[` + many + `0]`, jsonpath.MemoryError{Segment: `[-1999]`, Offset: -1}},
		{`$.a..k`, `{"a":{"b":[` + many + `0]}}`, jsonpath.MemoryError{Segment: `..k`, Offset: -1}},
		{`$[0]`, `[[` + strings.Repeat(`[],`, 3000) + `0]]`, jsonpath.MemoryError{Offset: 1}},
	} {
		err := mustParse(t, c.query).Each(opening(c.text), limit, func([]byte) bool { return true })
		got, ok := errors.AsType[*jsonpath.MemoryError](err)
		if !ok {
			t.Errorf("%s gave error %v, want a *MemoryError", c.query, err)
			continue
		}
		if c.want.Offset < 0 { // depends on how memory grows
			c.want.Offset = got.Offset
		}
		c.want.Query, c.want.Limit = c.query, limit
		if diff := cmp.Diff(c.want, *got); diff != "" {
			t.Errorf("error of %s (-want +got):\n%s", c.query, diff)
		}
		if _, err := collect(mustParse(t, c.query).Each, opening(c.text)); err != nil {
			t.Errorf("%s without a limit: %v", c.query, err)
		}
	}
}

func TestMemoryErrorText(t *testing.T) {
	for _, c := range []struct {
		err  jsonpath.MemoryError
		want string
	}{
		{jsonpath.MemoryError{Query: `$..*`, Segment: `..*`, Limit: 9},
			`evaluating JSONPath "$..*": ..* needs more memory than the limit of 9 bytes, for the whole text`},
		{jsonpath.MemoryError{Query: `$.a`, Offset: 4, Limit: 9},
			`evaluating JSONPath "$.a": the result needs more memory than the limit of 9 bytes, for the value at byte 4`},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("%#v says %s, want %s", c.err, got, c.want)
		}
	}
}

// TestLimitIsEnough holds that values as long as the limit are not refused, and
// longer ones are.
func TestLimitIsEnough(t *testing.T) {
	for _, length := range []int{100, 100_000} {
		value := `"` + strings.Repeat("x", length-2) + `"`
		text := `{"a":[` + value + `,` + value + `]}`
		for _, walk := range []string{`$.a[0]`, `$.a[*]`, `$.a[?@ != 1]`, `$.a[-1]`} {
			values := 0
			err := mustParse(t, walk).Each(opening(text), int64(length), func([]byte) bool { values++; return true })
			if err != nil || values == 0 {
				t.Errorf("%s with a limit of %d gave %d values, %v", walk, length, values, err)
			}
			err = mustParse(t, walk).Each(opening(text), int64(length-1), func([]byte) bool { return true })
			if _, ok := errors.AsType[*jsonpath.MemoryError](err); !ok {
				t.Errorf("%s with a limit of %d gave error %v, want a *MemoryError", walk, length-1, err)
			}
		}
	}
}
