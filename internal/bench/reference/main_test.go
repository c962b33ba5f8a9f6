package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// TestRun sums up texts that come in pieces, which part characters.
func TestRun(t *testing.T) {
	for _, text := range []string{"", "a", "aé世🙂\n", "\xe4", "a\xe4b\xf0\x9f", strings.Repeat("世界 é🙂\n", 20_000)} {
		counts := fmt.Sprintf("%d lines, %d characters", strings.Count(text, "\n"), utf8.RuneCountInString(text))
		head, tail := text[:min(len(text), endSize)], text[max(0, len(text)-endSize):]
		for _, test := range []struct {
			args   []string
			in     io.Reader
			counts string
		}{
			{[]string{"-sha256"}, iotest.HalfReader(iotest.DataErrReader(strings.NewReader(text))), fmt.Sprintf("%s, sha256 %x", counts, sha256.Sum256([]byte(text)))},
			{[]string{"no such file"}, iotest.OneByteReader(strings.NewReader(text)), counts},
		} {
			var out bytes.Buffer
			if err := run(test.args, test.in, &out); err != nil {
				t.Fatal(err)
			}
			if want := head + "\n[" + test.counts + "]\n" + tail; out.String() != want {
				t.Errorf("run(%q) of %d bytes, %.20q, prints %d bytes, not those of its ends around %q", test.args, len(text), text, out.Len(), test.counts)
			}
		}
	}
}
