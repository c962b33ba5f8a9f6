package envelope_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/envelope"
)

func TestParseCap(t *testing.T) {
	for _, test := range []struct {
		value string
		want  int
		bad   bool
	}{
		{"", 1_048_576, false},
		{"1", 1, false},
		{"5242880", 5_242_880, false},
		{"9007199254740992", 1 << 53, false},
		{value: "9007199254740993", bad: true},
		{value: "99999999999999999999", bad: true},
		{value: "0", bad: true},
		{value: "-5", bad: true},
		{value: "1.5", bad: true},
		{value: "1e6", bad: true},
		{value: "0x10", bad: true},
		{value: "1_000", bad: true},
		{value: " 5", bad: true},
		{value: "5MB", bad: true},
	} {
		got, err := envelope.ParseCap(test.value)
		if got != test.want || (err != nil) != test.bad {
			t.Errorf("ParseCap(%q) = %d, %v, want %d, bad %v", test.value, got, err, test.want, test.bad)
		}
	}
}

// TestEncode shows envelopes byte by byte.
func TestEncode(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer envelope.Answer
		want   string
	}{
		{"nothing", envelope.Answer{}, `{"ok":true,"data":null,"error":null,"warnings":[],"meta":{"duration_ms":0,"truncated":false}}`},
		{"data", envelope.Answer{Data: map[string]string{"a": "<ü>&\n\xff"}, Duration: 1234567 * time.Nanosecond},
			`{"ok":true,"data":{"a":"<ü>&\n\ufffd"},"error":null,"warnings":[],"meta":{"duration_ms":1.234,"truncated":false}}`},
		{"error", envelope.Answer{Error: &envelope.Error{Code: envelope.NotFound, Status: 404, Message: "no"}},
			`{"ok":false,"data":null,"error":{"code":"NOT_FOUND","status":404,"message":"no"},"warnings":[],"meta":{"duration_ms":0,"truncated":false}}`},
		{"details", envelope.Answer{Error: &envelope.Error{Code: envelope.FieldTooLarge, Message: "long", Phase: "validation", Details: map[string]any{"max_bytes": 5}}},
			`{"ok":false,"data":null,"error":{"code":"FIELD_TOO_LARGE","message":"long","phase":"validation","details":{"max_bytes":5}},"warnings":[],"meta":{"duration_ms":0,"truncated":false}}`},
		{"cut by the command", envelope.Answer{
			Data: "ab", Cut: &envelope.Cut{Field: "data.content", Total: 9, Returned: 2, OriginalSize: 9, Size: 2},
			Rest: func(c envelope.Cut) string { return fmt.Sprint("rest of ", c.Field, " from ", c.Returned) },
		}, `{"ok":true,"data":"ab","error":null,"warnings":[{"code":"FIELD_TRUNCATED","category":"TRUNCATION","field":"data.content",` +
			`"original_length":9,"truncated_length":2,"original_bytes":9,"returned_bytes":2}],` +
			`"meta":{"duration_ms":0,"truncated":true,"field":"data.content","total_count":9,"returned_count":2,"truncation_hint":"rest of data.content from 2"}}`},
		{"no JSON", envelope.Answer{Data: math.Inf(1)},
			`{"ok":false,"data":null,"error":{"code":"INTERNAL","message":"json: unsupported value: +Inf"},"warnings":[],"meta":{"duration_ms":0,"truncated":false}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, ok := test.answer.Encode(envelope.DefaultCap)
			if diff := cmp.Diff(test.want+"\n", string(got)); diff != "" || !ok {
				t.Errorf("Encode reports %v, (-want +got):\n%s", ok, diff)
			}
			exact, ok := test.answer.Encode(len(got))
			if diff := cmp.Diff(string(got), string(exact)); diff != "" || !ok {
				t.Errorf("Encode in just enough bytes reports %v (-want +got):\n%s", ok, diff)
			}
		})
	}
}

// decoded is an envelope as a reader sees it.
type decoded struct {
	OK       bool
	Data     json.RawMessage
	Error    *envelope.Error
	Warnings []struct {
		Code, Category, Field string
		OriginalLength        int `json:"original_length"`
		TruncatedLength       int `json:"truncated_length"`
		OriginalBytes         int `json:"original_bytes"`
		ReturnedBytes         int `json:"returned_bytes"`
	}
	Meta struct {
		Truncated     bool
		Field         string
		TotalCount    int    `json:"total_count"`
		ReturnedCount int    `json:"returned_count"`
		Hint          string `json:"truncation_hint"`
	}
}

// encode encodes an answer and checks what holds of any envelope.
func encode(t *testing.T, a envelope.Answer, limit int) (decoded, bool) {
	t.Helper()
	raw, ok := a.Encode(limit)
	var d decoded
	if err := json.Unmarshal(raw, &d); err != nil {
		t.Fatalf("Encode(%d): %v in %.200q", limit, err, raw)
	}
	if n := strings.Count(string(raw), "\n"); n != 1 || raw[len(raw)-1] != '\n' {
		t.Errorf("Encode(%d) has %d line feeds, want one at its end", limit, n)
	}
	if ok && len(raw) > limit {
		t.Errorf("Encode(%d) has %d bytes", limit, len(raw))
	}
	if ok && d.Meta.Truncated != (len(d.Warnings) > 0) {
		t.Errorf("Encode(%d): truncated is %v with %d warnings", limit, d.Meta.Truncated, len(d.Warnings))
	}
	for _, w := range d.Warnings {
		if w.Code != "FIELD_TRUNCATED" || w.Category != "TRUNCATION" || w.OriginalLength != w.OriginalBytes || w.TruncatedLength != w.ReturnedBytes {
			t.Errorf("Encode(%d) warns %+v", limit, w)
		}
	}
	return d, ok
}

type file struct {
	Name    string `json:"name"`
	Content string `json:"content"`
}

func TestCutString(t *testing.T) {
	const limit = 2000
	content := strings.Repeat("käse\n\"\x01\u2028", 1000)
	a := envelope.Answer{Data: file{"a.txt", content}, Rest: func(c envelope.Cut) string { return fmt.Sprint("next ", c.Field) }}
	d, ok := encode(t, a, limit)
	var got file
	if err := json.Unmarshal(d.Data, &got); err != nil || !ok {
		t.Fatal(err, ok)
	}
	kept, marker, found := strings.Cut(got.Content, " ... [")
	if !found || !strings.HasPrefix(content, kept) || kept == "" || !utf8.ValidString(kept) {
		t.Fatalf("content = %.100q", got.Content)
	}
	if want := fmt.Sprintf("%d chars omitted] ...", utf8.RuneCountInString(content[len(kept):])); marker != want {
		t.Errorf("marker is %q, want %q", marker, want)
	}
	if got.Name != "a.txt" || len(d.Warnings) != 1 {
		t.Fatalf("name %q, warnings %+v", got.Name, d.Warnings)
	}
	if w := d.Warnings[0]; w.Field != "data.content" || w.OriginalBytes != len(content) || w.ReturnedBytes != len(got.Content) {
		t.Errorf("warning %+v, want %d of %d bytes", w, len(got.Content), len(content))
	}
	if m := d.Meta; m.Field != "data.content" || m.TotalCount != len(content) || m.ReturnedCount != len(got.Content) || m.Hint != "next data.content" {
		t.Errorf("meta %+v", m)
	}
	if raw, _ := a.Encode(limit); len(raw) < limit-16 {
		t.Errorf("%d bytes are used of %d", len(raw), limit)
	}
}

func TestCutList(t *testing.T) {
	const limit = 64 << 10
	var files []file
	for i := range 10_000 {
		files = append(files, file{fmt.Sprintf("f%05d.go", i), "x"})
	}
	a := envelope.Answer{
		Data: map[string]any{"session": "s", "files": files, "summary": strings.Repeat("much to say. ", 1000)},
		Rest: func(c envelope.Cut) string { return fmt.Sprint(c.Field, " ", c.Returned) },
	}
	d, ok := encode(t, a, limit)
	var got struct {
		Session string
		Files   []file
		Summary string
	}
	if err := json.Unmarshal(d.Data, &got); err != nil || !ok {
		t.Fatal(err, ok)
	}
	n := len(got.Files)
	if diff := cmp.Diff(files[:n], got.Files); diff != "" || n < 1000 || got.Session != "s" || len(got.Summary) != 13_000 {
		t.Errorf("%d files, session %q, summary of %d (-want +got):\n%s", n, got.Session, len(got.Summary), diff)
	}
	if m := d.Meta; m.Field != "data.files" || m.TotalCount != 10_000 || m.ReturnedCount != n || m.Hint != fmt.Sprint("data.files ", n) {
		t.Errorf("meta %+v, want %d of 10000 files", m, n)
	}
	a.Totals = map[string]int{"data.files": 12_000}
	if d, _ := encode(t, a, limit); d.Meta.TotalCount != 12_000 {
		t.Errorf("total_count = %d, want that of all pages", d.Meta.TotalCount)
	}
	d, ok = encode(t, envelope.Answer{Data: files}, limit) // a bare list
	if d.Meta.Field != "data" || d.Meta.TotalCount != 10_000 || !ok {
		t.Errorf("meta of a bare list %+v, %v", d.Meta, ok)
	}
}

// TestCutLastItem has one item over the cap: it is cut, not dropped.
func TestCutLastItem(t *testing.T) {
	a := envelope.Answer{Data: []file{{"a.txt", strings.Repeat("a", 5000)}, {"b.txt", "b"}}}
	d, ok := encode(t, a, 1500)
	var got []file
	if err := json.Unmarshal(d.Data, &got); err != nil || !ok {
		t.Fatal(err, ok)
	}
	if len(got) != 1 || got[0].Name != "a.txt" || !strings.HasSuffix(got[0].Content, " chars omitted] ...") {
		t.Fatalf("data %+v", got)
	}
	if len(d.Warnings) != 2 || d.Meta.Field != "data" && d.Meta.Field != "data[0].content" {
		t.Errorf("warnings %+v, meta %+v", d.Warnings, d.Meta)
	}
	for _, field := range []string{"data", "data[0].content"} {
		if !strings.Contains(fmt.Sprint(d.Warnings), field) {
			t.Errorf("no warning for %s", field)
		}
	}
}

// TestCutLongest cuts two fields: the one that misses more is named in meta.
func TestCutLongest(t *testing.T) {
	d, ok := encode(t, envelope.Answer{Data: map[string]string{
		"a": strings.Repeat("a", 3000), "b": strings.Repeat("b", 9000),
	}}, 1000)
	if !ok || len(d.Warnings) != 2 || d.Meta.Field != "data.b" || d.Meta.TotalCount != 9000 {
		t.Errorf("warnings %+v, meta %+v", d.Warnings, d.Meta)
	}
}

// TestLongHint has a hint that does not fit: the rest still does.
func TestLongHint(t *testing.T) {
	a := envelope.Answer{
		Data: file{"a.txt", strings.Repeat("a", 5000)},
		Rest: func(envelope.Cut) string { return strings.Repeat("long ", 200) },
	}
	d, ok := encode(t, a, 500)
	if !ok || !d.OK || string(d.Data) != "null" || d.Meta.Field != "data" || d.Meta.Hint != "" {
		t.Errorf("in 500 bytes: %v, %+v", ok, d)
	}
}

// TestEveryCap encodes the same answers under each cap from 1 on.
func TestEveryCap(t *testing.T) {
	for _, a := range []envelope.Answer{
		{},
		{Data: "short"},
		{Data: file{"a.txt", strings.Repeat("<\n", 120)}, Rest: func(envelope.Cut) string { return "acode-ls read a.txt --lines 5-9" }},
		{Data: []file{{"a", strings.Repeat("ü", 130)}, {"b", "b"}}, Rest: func(envelope.Cut) string { return strings.Repeat("long ", 100) }},
		{Error: &envelope.Error{Code: envelope.IO, Message: strings.Repeat("no ", 90)}},
		{Data: map[string]int{"a": 1}, Error: &envelope.Error{Code: envelope.Blocked, Message: "Line 1 was not read."}},
		{Data: "ab", Cut: &envelope.Cut{Field: "data", Total: 5, Returned: 2, OriginalSize: 5, Size: 2}},
	} {
		whole, _ := a.Encode(math.MaxInt)
		fitted := false
		for limit := 1; limit <= len(whole)+1; limit++ {
			d, ok := encode(t, a, limit)
			if fitted && !ok {
				t.Fatalf("%.60s fits in %d bytes, not in %d", whole, limit-1, limit)
			}
			fitted = ok
			switch {
			case ok && d.OK != (a.Error == nil):
				t.Fatalf("ok is %v in %d bytes", d.OK, limit)
			case !ok && (d.OK || d.Error == nil || d.Error.Code != envelope.Config || string(d.Data) != "null"):
				t.Fatalf("the smallest envelope is %+v", d)
			case ok && limit < len(whole) && !d.Meta.Truncated:
				t.Fatalf("%d bytes hold %d, and nothing is said to be missing", limit, len(whole))
			}
		}
		if !fitted {
			t.Errorf("%.60s does not fit in its own size", whole)
		}
	}
}

func TestPrefix(t *testing.T) {
	for _, s := range []string{"", "plain", "a\"b\\c", "\n\t\r\b\f\x00\x1f\x7f", "üñ€😀", "\u2028\u2029", "a\xffb\ufffd", "<&>"} {
		for size := -1; size <= 6*len(s)+1; size++ {
			n := envelope.Prefix(s, size)
			if inside := jsonLen(t, s[:n]); inside > max(size, 0) {
				t.Errorf("Prefix(%q, %d) = %d, whose JSON has %d bytes", s, size, n, inside)
			}
			if n == len(s) {
				continue
			}
			_, next := utf8.DecodeRuneInString(s[n:])
			if inside := jsonLen(t, s[:n+next]); inside <= size && !strings.Contains(s, "\ufffd") {
				t.Errorf("Prefix(%q, %d) = %d, but %d fit", s, size, n, n+next)
			}
		}
	}
	for r := rune(0); r < 0x3000; r++ {
		s := string(r)
		if size := jsonLen(t, s); envelope.Prefix(s, size) != len(s) || envelope.Prefix(s, size-1) != 0 {
			t.Errorf("Prefix(%q) does not agree that it takes %d bytes", s, size)
		}
	}
}

// jsonLen returns the bytes of s inside a JSON string, as an envelope has it.
func jsonLen(t *testing.T, s string) int {
	t.Helper()
	with, _ := envelope.Answer{Data: s}.Encode(math.MaxInt)
	without, _ := envelope.Answer{Data: ""}.Encode(math.MaxInt)
	return len(with) - len(without)
}

func FuzzEncode(f *testing.F) {
	f.Add("content", "name", uint16(400))
	f.Add(strings.Repeat("\n", 500), "é\xff", uint16(700))
	f.Fuzz(func(t *testing.T, content, name string, limit uint16) {
		a := envelope.Answer{
			Data: []file{{name, content}, {content, name}},
			Rest: func(c envelope.Cut) string { return fmt.Sprint("acode-ls ", c.Field, c.Returned) },
		}
		if limit > 0 {
			encode(t, a, int(limit))
		}
	})
}
