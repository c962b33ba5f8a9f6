package lsp

import (
	"bufio"
	"encoding/json"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// TestFramesInPieces reads the same frames however the input is cut.
func TestFramesInPieces(t *testing.T) {
	big := `{"a":"` + strings.Repeat("x-", 100000) + "\"\n}"
	bodies := []string{"{}", big, "{\n}", "[1]", big}
	input := framed(bodies...)
	for name, r := range map[string]io.Reader{
		"whole":    strings.NewReader(input),
		"bytes":    iotest.OneByteReader(strings.NewReader(input)),
		"halves":   iotest.HalfReader(strings.NewReader(input)),
		"with EOF": iotest.DataErrReader(strings.NewReader(input)),
	} {
		f := newFramer(r, 1<<20)
		for i, want := range bodies {
			body, refusal, err := f.next()
			if string(body) != want || refusal != nil || err != nil {
				t.Fatalf("%s: body %d = %.20q, %v, %v, want %.20q", name, i, body, refusal, err, want)
			}
		}
		if _, _, err := f.next(); err != io.EOF {
			t.Errorf("%s: error at the end = %v, want io.EOF", name, err)
		}
	}
}

// TestBodyIsPaidForAsItComes holds that a header alone costs no memory.
func TestBodyIsPaidForAsItComes(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	newFramer(strings.NewReader("Content-Length: 250000000\r\n\r\n{"), 256<<20).next()
	runtime.ReadMemStats(&after)
	allocated := after.TotalAlloc - before.TotalAlloc
	if allocated > 2<<20 {
		t.Errorf("a header with a large length allocates %d bytes", allocated)
	}
}

func TestFrameOfManySizes(t *testing.T) {
	for _, n := range []int{0, 1, 9, 10, 99, 100, 5000, maxPooled + 1} {
		f := newFrame()
		if err := f.encode(strings.Repeat("x", n)); err != nil {
			t.Fatal(err)
		}
		body, err := readBody(bufio.NewReader(strings.NewReader(string(f.wire()))))
		if err != nil || len(body) != n+2 {
			t.Errorf("body of %d bytes is read as %d, %v", n+2, len(body), err)
		}
		f.free()
	}
}

var jsonTexts = []string{
	``, ` `, `{}`, `[]`, `[ ]`, `{ }`, `null`, `true`, `false`, `nul`, `nullx`, `tru`, `"`, `""`, `"a`, `"\"`, `"\""`, `"\x"`, `"\u12"`, `"\u12aF"`, `"\u12aG"`,
	"\"\x1f\"", "\"\x7f\x80\xff\"", "\"1234567\x001\"", `"12345678"`, `"1234567"`, `"123456\n"`, `"1234567\n9012345\\"`,
	`0`, `-`, `-0`, `01`, `1.`, `1.5`, `.5`, `1e`, `1e5`, `1E+05`, `1e-`, `--1`, `+1`, `1 2`,
	`[1,2]`, `[1,]`, `[,]`, `[1 2]`, `[`, `]`, `[[[]]]`, `[[]`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{"a":1,"b":[{"c":null}]}`, `{a:1}`, `{"a" : 1 , "b":2 }`, `{"a":1`, `{"a":1]`,
	"\ufeff{}", " \t\r\n1\n", "\v1",
	strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth),
	strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1),
	strings.Repeat(`{"a":`, maxDepth) + "1" + strings.Repeat("}", maxDepth),
	strings.Repeat(`{"a":`, maxDepth+1) + "1" + strings.Repeat("}", maxDepth+1),
}

func checkScan(t *testing.T, text string) {
	t.Helper()
	e, err := scanEnvelope([]byte(text))
	if got, want := err == nil || err == errNoObject, json.Valid([]byte(text)); got != want {
		t.Fatalf("scanEnvelope(%.80q) = %v, json.Valid = %t", text, err, want)
	}
	if err != nil {
		return
	}
	var want map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]json.RawMessage{
		"jsonrpc": e.version, "id": e.id, "method": e.method, "params": e.params, "result": e.result, "error": e.err,
	} {
		if string(got) != string(want[name]) {
			t.Fatalf("scanEnvelope(%.80q): %s = %.80q, want %.80q", text, name, got, want[name])
		}
	}
}

func TestScanEnvelope(t *testing.T) {
	for _, text := range jsonTexts {
		checkScan(t, text)
		checkScan(t, `{"params":`+text+`,"id": 5 }`)
	}
}

// FuzzScanEnvelope checks the scanner against encoding/json.
func FuzzScanEnvelope(f *testing.F) {
	for _, text := range jsonTexts {
		f.Add(text)
		f.Add(`{"jsonrpc":"2.0", "params":` + text + `,"id": 5 }`)
	}
	f.Fuzz(func(t *testing.T, text string) { checkScan(t, text) })
}
