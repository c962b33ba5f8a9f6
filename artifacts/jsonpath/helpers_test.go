package jsonpath_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/artifacts/jsonpath"
)

// opening returns what Each takes for a text.
func opening(text string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
}

// inBytes is opening with a reader that gives one byte at a time.
func inBytes(text string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) {
		return io.NopCloser(iotest.OneByteReader(strings.NewReader(text))), nil
	}
}

type eachFunc func(open func() (io.ReadCloser, error), maxMemory int64, yield func([]byte) bool) error

// collect returns copies of what each yields.
func collect(each eachFunc, open func() (io.ReadCloser, error)) ([]string, error) {
	var values []string
	err := each(open, 0, func(value []byte) bool {
		values = append(values, string(value))
		return true
	})
	return values, err
}

// selectBoth evaluates the query while reading, and again with the whole text in
// memory, which must give the same.
func selectBoth(t *testing.T, query *jsonpath.Query, text string) []string {
	t.Helper()
	streamed, err := collect(query.Each, opening(text))
	if err != nil {
		t.Fatalf("Each of %s on %.200s: %v", query, text, err)
	}
	whole, err := collect(query.EachWhole, opening(text))
	if err != nil {
		t.Fatalf("EachWhole of %s on %.200s: %v", query, text, err)
	}
	if diff := cmp.Diff(whole, streamed); diff != "" {
		t.Errorf("%s on %.400s: memory and stream differ (-memory +stream):\n%s", query, text, diff)
	}
	return streamed
}

func joined(values []string) string { return strings.Join(values, ",") }

// padded puts space into a text, so that it is no small document and values
// begin at other offsets.
func padded(text string) string {
	space := strings.Repeat(" ", 1000)
	inString := false
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case inString && c == '\\':
			out.WriteByte(c)
			i++
			c = text[i]
		case c == '"':
			inString = !inString
		}
		out.WriteByte(c)
		if !inString && strings.IndexByte("[{,:", c) >= 0 {
			out.WriteString(space)
		}
	}
	return out.String()
}

// compact removes space and makes escapes in strings alike.
func compact(t *testing.T, text string) string {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var out bytes.Buffer
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return out.String()
		}
		if err != nil {
			t.Fatalf("reading %s: %v", text, err)
		}
		encoded, err := json.Marshal(token)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(encoded)
	}
}
