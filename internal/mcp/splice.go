package mcp

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// splices keeps long values out of the SDK's encoding, which looks at each byte
// several times: it encodes a short string in the place of each, and the value
// is put there when the answer is written.
type splices struct {
	mark string // with which such a string begins, which nobody can guess

	mu   sync.Mutex
	next int
	held map[string]jsontext.Value
}

func newSplices() *splices {
	return &splices{mark: `"acode-ls:` + rand.Text() + `:`, held: map[string]jsontext.Value{}}
}

// spliced is a value that is left out of an encoding until fill.
type spliced struct {
	value jsontext.Value
	by    *splices
}

// MarshalJSON implements [json.Marshaler].
func (s spliced) MarshalJSON() ([]byte, error) { return s.by.hold(s.value), nil }

var _ json.Marshaler = spliced{}

const (
	// minSpliced is the length in bytes from which a value is kept out.
	minSpliced = 512
	// maxHeld is how many values wait at most. Each is soon written; one older
	// than so many others is of an answer that never was.
	maxHeld = 1024
)

func (s *splices) hold(v jsontext.Value) []byte {
	if len(v) < minSpliced {
		return v
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	delete(s.held, s.key(s.next-maxHeld))
	key := s.key(s.next)
	s.held[key] = v
	return []byte(key)
}

func (s *splices) key(n int) string { return s.mark + strconv.Itoa(n) + `"` }

// fill returns encoded with all values in their places.
func (s *splices) fill(out, encoded []byte) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		start := bytes.Index(encoded, []byte(s.mark))
		if start < 0 {
			return append(out, encoded...)
		}
		end := start + len(s.mark) + bytes.IndexByte(encoded[start+len(s.mark):], '"') + 1
		key := string(encoded[start:end])
		out = append(append(out, encoded[:start]...), s.held[key]...)
		delete(s.held, key)
		encoded = encoded[end:]
	}
}
