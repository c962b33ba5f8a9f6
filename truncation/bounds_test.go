package truncation_test

import (
	"strings"
	"testing"

	"github.com/acode-ls/acode-ls/truncation"
)

func TestFate(t *testing.T) {
	shipped := truncation.Bounds{Inline: 8000, Artifact: 50_000, Max: 10 << 20}
	tests := []struct {
		bounds     truncation.Bounds
		characters int
		bytes      int64
		want       truncation.Fate
	}{
		{shipped, 0, 0, truncation.Pass},
		{shipped, 8000, 32_000, truncation.Pass},                                                             // AC-080
		{shipped, 8001, 8001, truncation.Cut},                                                                // AC-081
		{shipped, 49_999, 49_999, truncation.Cut},                                                            // C-02
		{shipped, 50_000, 50_000, truncation.Store},                                                          // AC-095
		{shipped, 50_001, 50_001, truncation.Store},                                                          // FR-014
		{shipped, 10_485_759, 10_485_759, truncation.Store},                                                  // C-03
		{shipped, 10_485_760, 10_485_760, truncation.Refuse},                                                 // AC-096
		{shipped, 49_999, 10_485_760, truncation.Cut},                                                        // what is not stored has no size
		{shipped, 8_000_000, 10_485_760, truncation.Refuse},                                                  // bytes, not characters
		{truncation.Bounds{Inline: 1_000_000, Artifact: 50_000, Max: 10}, 900_000, 900_000, truncation.Pass}, // C-08
	}
	for _, tt := range tests {
		if got := tt.bounds.Fate(tt.characters, tt.bytes); got != tt.want {
			t.Errorf("%+v.Fate(%d, %d) = %d, want %d", tt.bounds, tt.characters, tt.bytes, got, tt.want)
		}
	}
}

func TestTooLargeError(t *testing.T) {
	tests := []struct {
		err  truncation.TooLargeError
		want string
	}{
		{truncation.TooLargeError{Size: 10_485_761, Max: 10_485_760}, "Output size (10.0 MB) exceeds maximum artifact size (10.0 MB). " + // C-18
			"It has 10485761 bytes, and 10485760 is the first size that is refused."},
		{truncation.TooLargeError{Size: 10_485_760, Max: 10_485_760, AtLeast: true}, "Output size (more than 10.0 MB) exceeds maximum artifact size (10.0 MB). " + // C-16
			"It has at least 10485760 bytes, and 10485760 is the first size that is refused."},
		{truncation.TooLargeError{Size: 3 << 20, Max: 1000}, "Output size (3.0 MB) exceeds maximum artifact size (0.0 MB). " +
			"It has 3145728 bytes, and 1000 is the first size that is refused."},
	}
	for _, tt := range tests {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("%+v says\n%s\nwant\n%s", tt.err, got, tt.want)
		}
	}
}

func TestSniff(t *testing.T) {
	long := strings.Repeat(`{"a": 1}, `, 10_000)
	tests := []struct{ text, want string }{
		{"", truncation.TypeText},
		{" \n", truncation.TypeText},
		{"hello", truncation.TypeText},
		{`{"a": 1}`, truncation.TypeJSON},
		{"\ufeff [1, 2]\n", truncation.TypeJSON},
		{`{"a": 1, "a": 123456789012345678901234567890}`, truncation.TypeJSON},
		{`{"a": 1`, truncation.TypeText},
		{"[INFO] started [ok]", truncation.TypeText},
		{"{{template}}", truncation.TypeText},
		{"[" + long + "1]", truncation.TypeJSON},
		{"[INFO] " + long + "]", truncation.TypeText},
		{`"a string"`, truncation.TypeText},
		{"{\"a\": 1}\n{\"a\": 2}\n", truncation.TypeText}, // a value for each line
		{"<?xml version='1.0'?><a/>", truncation.TypeXML},
		{"<a><b>1</b></a>\n", truncation.TypeXML},
		{"<nobody@example.com> wrote: a > b", truncation.TypeText},
		{"<-- arrow -->", truncation.TypeText},
		{"diff --git a/x b/x\n", truncation.TypeDiff},
		{"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", truncation.TypeDiff},
		{"--- title\ntext\n", truncation.TypeText},
	}
	for _, tt := range tests {
		if got := truncation.Sniff(tt.text); got != tt.want {
			t.Errorf("Sniff(%.60q) = %s, want %s", tt.text, got, tt.want)
		}
	}
}
