package truncation_test

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/truncation"
)

// benchmarkElement times element on a text and reports how many times as long
// as each peer it takes. For that, both take turns, and the quickest counts.
func benchmarkElement(b *testing.B, s string, peers map[string]func(string)) {
	b.Helper()
	lines := text.Split(s)
	work := func(string) {
		r, err := truncation.Truncate(lines, truncation.Element, truncation.Options{})
		if err != nil || r.Strategy != truncation.Element {
			b.Fatalf("strategy is %q: %v", r.Strategy, err)
		}
		sink += len(r.Content)
	}
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		work(s)
	}
	for name, peer := range peers {
		quickest := [2]time.Duration{1 << 60, 1 << 60}
		for range 10 {
			for i, f := range []func(string){work, peer} {
				start := time.Now()
				f(s)
				quickest[i] = min(quickest[i], time.Since(start))
			}
		}
		b.ReportMetric(float64(quickest[0])/float64(quickest[1]), "x/"+name)
	}
}

func BenchmarkElementJSON(b *testing.B) {
	const size = 10_000_000
	for _, bench := range []struct{ name, before, element, separator, after string }{
		{"compact", `[`, `{"id":%d,"name":"Ada Lovelace","email":"ada@example.org","active":true,"score":12.5,"tags":["a","b"],"team":null}`, ",", `]`},
		{"pretty", "{\n  \"users\": [", "\n    {\n      \"id\": %d,\n      \"name\": \"Ada Lovelace\",\n      \"email\": \"ada@example.org\",\n      \"active\": true,\n      \"tags\": [\n        \"a\",\n        \"b\"\n      ]\n    }", ",", "\n  ],\n  \"total\": 1\n}\n"},
		{"strings", `[`, `{"id":%d,"body":"` + strings.Repeat(`It was \"not\" the first time that the words were many.\n`, 20) + `"}`, ",\n", `]`},
		{"numbers", `[`, `%d`, ",", `]`},
		{"map", `{"packages":{`, `"node_modules/some-name-%d":{"version":"1.0.0","resolved":"https://example.org/some-name/-/some-name.tgz","license":"MIT"}`, ",", `}}`},
		{"50 KB", `[`, `{"id":%d,"name":"Ada Lovelace","email":"ada@example.org","active":true,"score":12.5}`, ",", `]`},
	} {
		size := size
		if bench.name == "50 KB" {
			size = 50_000
		}
		b.Run(bench.name, func(b *testing.B) {
			benchmarkElement(b, listOf(size, bench.before, bench.element, bench.separator, bench.after), map[string]func(string){
				"byte-scan": scanBytes, "jsontext": jsonTokens,
			})
		})
	}
}

func BenchmarkElementXML(b *testing.B) {
	const size = 10_000_000
	for _, bench := range []struct{ name, before, element, after string }{
		{"compact", `<users>`, `<user id="%d"><name>Ada Lovelace</name><email>ada@example.org</email><active/></user>`, `</users>`},
		{"pretty", "<users>\n", "  <user id=\"%d\" active=\"true\">\n    <name>Ada &amp; Co</name>\n    <email>ada@example.org</email>\n  </user>\n", "</users>\n"},
		{"text", "<rss><channel><title>News</title>", "<item><n>%d</n><description>" + strings.Repeat("It was not the first time that the words were many. ", 20) + "</description></item>\n", "</channel></rss>"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			benchmarkElement(b, listOf(size, bench.before, bench.element, "", bench.after), map[string]func(string){
				"angle-scan": scanAngles, "encoding-xml": xmlTokens,
			})
		})
	}
}

// listOf returns a text of about size bytes with an element for each number.
func listOf(size int, before, element, separator, after string) string {
	var b strings.Builder
	b.WriteString(before)
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteString(separator)
		}
		fmt.Fprintf(&b, element, i)
	}
	b.WriteString(after)
	return b.String()
}

// scanBytes finds the quotes and brackets of JSON, and what is in them, as
// plainly as can be.
func scanBytes(s string) {
	depth, inString := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case inString:
			if c == '\\' {
				i++
			} else if c == '"' {
				inString = false
			}
		case c == '"':
			inString = true
		case c == '{', c == '[':
			depth++
		case c == '}', c == ']':
			depth--
		case c == ',':
			sink++
		}
	}
	sink += depth
}

func jsonTokens(s string) {
	d := jsontext.NewDecoder(strings.NewReader(s), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		if _, err := d.ReadToken(); err != nil {
			return
		}
		sink++
	}
}

func scanAngles(s string) {
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			return
		}
		n := strings.IndexByte(s[i:], '>')
		if n < 0 {
			return
		}
		s = s[i+n:]
		sink++
	}
}

func xmlTokens(s string) {
	d := xml.NewDecoder(strings.NewReader(s))
	for {
		if _, err := d.RawToken(); err == io.EOF {
			return
		}
		sink++
	}
}
