package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// TestRun counts texts that come in pieces, which part characters.
func TestRun(t *testing.T) {
	for _, text := range []string{"", "a", "aé世🙂\n", "\xe4", "a\xe4b\xf0\x9f", strings.Repeat("世界 é🙂\n", 20_000)} {
		var out bytes.Buffer
		if err := run([]string{"-sha256"}, iotest.HalfReader(iotest.DataErrReader(strings.NewReader(text))), &out); err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("\n[%d lines, %d characters, sha256 ", strings.Count(text, "\n"), utf8.RuneCountInString(text))
		if !strings.Contains(out.String(), want) {
			t.Errorf("run(%.20q, %d bytes) does not say %q", text, len(text), want)
		}
		if end := text[max(0, len(text)-endSize):]; !strings.HasSuffix(out.String(), end) {
			t.Errorf("run(%.20q, %d bytes) does not end with its end", text, len(text))
		}
		out.Reset()
		if err := run(nil, iotest.OneByteReader(strings.NewReader(text)), &out); err != nil {
			t.Fatal(err)
		}
		if want := want[:len(want)-len(" sha256 ")-1]; !strings.Contains(out.String(), want) {
			t.Errorf("run(%.20q, %d bytes) by single bytes does not say %q", text, len(text), want)
		}
	}
}
