package truncation

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// The types of content that are told apart.
const (
	TypeText   = "text/plain"
	TypeJSON   = "application/json"
	TypeXML    = "application/xml"
	TypeDiff   = "text/x-diff"
	TypeBinary = "application/octet-stream"
)

// Sniff guesses the type of a text. One that is longer than 64 KiB it judges by
// the ends.
func Sniff(s string) string {
	s = strings.Trim(strings.TrimPrefix(s, "\ufeff"), " \t\r\n")
	if s == "" {
		return TypeText
	}
	switch first, last := s[0], s[len(s)-1]; {
	case first == '{' && last == '}', first == '[' && last == ']':
		if isJSON(s) {
			return TypeJSON
		}
	case first == '<' && last == '>':
		if strings.HasPrefix(s, "<?xml") || strings.HasSuffix(s, "/>") || strings.Contains(s[max(0, len(s)-sampleSize):], "</") {
			return TypeXML
		}
	case strings.HasPrefix(s, "diff --git "),
		strings.HasPrefix(s, "--- ") && strings.Contains(s[:min(len(s), sampleSize)], "\n@@ -"):
		return TypeDiff
	}
	return TypeText
}

// isJSON reports whether s, which begins and ends as an object or an array
// does, is one. Of a long text only what follows the first byte is looked at.
func isJSON(s string) bool {
	if len(s) <= sampleSize {
		return jsontext.Value(s).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	}
	next := strings.TrimLeft(s[1:], " \t\r\n")
	if s[0] == '{' {
		return next != "" && next[0] == '"'
	}
	return next != "" && strings.IndexByte(`{["-0123456789tfn`, next[0]) >= 0
}
