package lsp

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"go.uber.org/zap"
)

// FuzzStream holds that whatever a client has written, a valid request in a well-formed frame after it is
// read, however the input is cut.
func FuzzStream(f *testing.F) {
	for _, m := range malformed {
		if len(m.raw) < 1000 {
			f.Add([]byte(m.raw), uint8(0))
			f.Add([]byte(m.raw), uint8(7))
		}
	}
	for _, s := range []string{"", "C", "Content-Length: 5", "Content-Length: 5\r", "Content-Length: 5\r\n", "Content-Length: 5\r\n\r", "Content-Length: 5\r\n\r\n", "Content-Length: 1\r\n\r\n", "content-lengt"} {
		f.Add([]byte(s), uint8(1))
		f.Add([]byte(strings.Repeat(s, 3)), uint8(0))
	}
	last := framed(request(`"last"`, "ok"))
	f.Fuzz(func(t *testing.T, before []byte, piece uint8) {
		// What follows must not be needed to read the request, so there the input blocks.
		r := &pieces{text: slices.Concat(before, []byte(last)), size: int(piece)}
		s := newStream(struct {
			io.Reader
			io.WriteCloser
		}{Reader: r}, 200, zap.NewNop())
		for messages := 0; ; messages++ {
			msg, _, err := s.Read(t.Context())
			if err != nil {
				t.Fatalf("%v after %d messages, without the last", err, messages)
			}
			if m := msg.(*message); m.id == `"last"` && m.refusal == nil && r.Len() == 0 {
				return
			}
			if messages > len(before) {
				t.Fatal("more messages than bytes")
			}
		}
	})
}

// pieces is read in pieces of size bytes, or at once if that is 0.
type pieces struct {
	text []byte
	size int
}

func (p *pieces) Len() int { return len(p.text) }

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.text) == 0 {
		return 0, io.EOF
	}
	if p.size > 0 && p.size < len(b) {
		b = b[:p.size]
	}
	n, err := bytes.NewReader(p.text).Read(b)
	p.text = p.text[n:]
	return n, err
}
