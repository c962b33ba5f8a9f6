package mcp

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestSplices: what is kept out of an encoding is in its place afterwards, also
// where a text looks like what stands for it.
func TestSplices(t *testing.T) {
	s := newSplices()
	long := func(text string) jsontext.Value {
		quoted, err := json.Marshal(text + strings.Repeat("x", minSpliced))
		if err != nil {
			t.Fatal(err)
		}
		return quoted
	}
	values := []jsontext.Value{long("a"), jsontext.Value(`"short"`), long(s.mark + `1"`), long(`"acode-ls:":1"`), jsontext.Value(`{"b":` + string(long("b")) + `}`)}
	var encoded, want bytes.Buffer
	for i, v := range values {
		b, err := json.Marshal(spliced{v, s})
		if err != nil {
			t.Fatal(err)
		}
		if len(v) >= minSpliced && len(b) > 100 {
			t.Errorf("value %d is in the encoding", i)
		}
		encoded.Write(b)
		encoded.WriteString(", ")
		want.Write(v)
		want.WriteString(", ")
	}
	if got := s.fill([]byte("["), encoded.Bytes()); string(got) != "["+want.String() {
		t.Errorf("filled in, it is %.2000q, want %.2000q", got, want.String())
	}
	if len(s.held) != 0 {
		t.Errorf("%d values are still held", len(s.held))
	}

	// Answers that are never written do not pile up.
	for range 3 * maxHeld {
		if _, err := json.Marshal(spliced{values[0], s}); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.held) > maxHeld {
		t.Errorf("%d values are held, want %d at most", len(s.held), maxHeld)
	}
}
