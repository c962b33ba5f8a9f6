package main

import (
	"io"
	"unicode/utf8"

	"github.com/acode-ls/acode-ls/internal/redact"
)

// redaction measures the search for secrets alone, beside the simplest loop
// over the characters of the same text.
func (b *bench) redaction() (*report, error) {
	r := &report{title: "Redaction alone, 10 MB"}
	redactor, err := redact.New(redact.Options{})
	if err != nil {
		return nil, err
	}
	size := b.size(10_000_000)
	code, err := goCode(size)
	if err != nil {
		return nil, err
	}
	const quiet, loud = 500, 150 // MB/s: the goals without and with secrets
	for _, t := range []struct {
		name, text string
		json       bool
		least      float64
	}{
		{"log", logText(size), false, quiet},
		{"Go code", code, false, quiet},
		{"JSON", jsonText(size), true, quiet},
		{"mixed text", mixed(size), false, quiet},
		{"secret on every line", secretText(size), false, loud},
	} {
		whole := func() { keep(redactor.Text(t.text).Count) }
		if t.json {
			whole = func() { keep(redactor.JSON(t.text).Count) }
		}
		p := []byte(t.text)
		outcomes := turns(b.rounds, b.always(whole),
			b.calls(func() error {
				w := redactor.NewWriter(io.Discard)
				for rest := p; len(rest) > 0; {
					n, err := w.Write(rest[:min(len(rest), 128<<10)])
					if err != nil {
						return err
					}
					rest = rest[n:]
				}
				return w.Close()
			}),
			b.always(func() { keep(utf8.RuneCountInString(t.text)) }))
		speed := megabytesPerSecond(len(t.text))
		r.add(t.name, speed, outcomes[0], "RuneCount", outcomes[2], atLeast(t.least))
		r.add(t.name+", as a stream", speed, outcomes[1], "RuneCount", outcomes[2], atLeast(t.least))
	}
	return r, nil
}
