//go:build unix

package command

import (
	"bytes"
	"strings"
	"testing"
)

// What is in the pipe when reading is stopped is not lost, though something
// still holds the pipe.
func TestDrain(t *testing.T) {
	s, w, err := openStream()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	want := strings.Repeat("0123456789", 6000)
	if _, err := w.WriteString(want); err != nil {
		t.Fatal(err)
	}
	s.stopReading()
	var out bytes.Buffer
	go s.copyTo(&out)
	if err := s.finish(&out); err != nil || out.String() != want {
		t.Errorf("finish = %v with %d bytes, want %d", err, out.Len(), len(want))
	}
}
