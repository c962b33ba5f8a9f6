package text_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/acode-ls/acode-ls/internal/text"
)

func FuzzCounter(f *testing.F) {
	f.Add("a\r\nb世\r😀\xe4\xb8\xff", uint64(1))
	f.Add("\xf0\x9f\x98", uint64(2))
	f.Add("\U00032555\x95\x98\xf0\xb2\x98", uint64(16)) // held back at the start and at the end
	f.Fuzz(func(t *testing.T, s string, seed uint64) {
		var c text.Counter
		var chunker text.Chunker
		together, lines := "", 0
		pass := func(piece string) {
			together += strings.Clone(piece) // "" + piece would keep it
			lines += text.LineEnds(piece)
		}
		r := rand.New(rand.NewPCG(seed, 0))
		for rest := s; rest != ""; {
			n := min(len(rest), r.IntN(6))
			c.Write([]byte(rest[:n]))
			chunker.Write([]byte(rest[:n]), pass)
			rest = rest[n:]
		}
		chunker.Close(pass)
		if c.Bytes() != int64(len(s)) || c.Characters() != text.CodePoints(s) {
			t.Errorf("counted %d bytes, %d characters of %q, want %d, %d", c.Bytes(), c.Characters(), s, len(s), text.CodePoints(s))
		}
		l := text.Split(s)
		if c.Lines() != l.Len() {
			t.Errorf("counted %d lines of %q, want %d", c.Lines(), s, l.Len())
		}
		want := l.Len()
		if !l.Terminated() {
			want--
		}
		if together != s || lines != want || text.LineEnds(s) != want {
			t.Errorf("pieces of %q are %q with %d line ends, want %d; LineEnds = %d", s, together, lines, want, text.LineEnds(s))
		}
	})
}
