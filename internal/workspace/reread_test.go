package workspace_test

import (
	"strings"
	"testing"

	"github.com/acode-ls/acode-ls/internal/workspace"
)

// TestReadAgain: what is read again unchanged is the artifact it was, as long as
// that is there.
func TestReadAgain(t *testing.T) {
	root := t.TempDir()
	long := strings.Repeat("a line of text\n", 5000)
	write(t, root, "a.txt", long)
	h := open(t, root, workspace.Options{})
	read := func(session string) string {
		t.Helper()
		r, err := h.Read(session, "a.txt", workspace.Selection{})
		if err != nil || r.Artifact == nil {
			t.Fatalf("%+v, %v", r.Artifact, err)
		}
		return r.Artifact.ID
	}
	first := read("s")
	for range 200 { // more than may be made in a minute
		if again := read("s"); again != first {
			t.Fatalf("read again, it is %s, and was %s", again, first)
		}
	}
	if other := read("t"); other == first {
		t.Error("two sessions have one artifact")
	}
	if c, err := h.Counts("s"); err != nil || c["s"].Tools["read_file"].Artifacts != 1 || c["s"].Tools["read_file"].Calls != 201 {
		t.Errorf("counted %+v (%v)", c["s"].Tools, err)
	}
	if _, err := h.EndSession("s"); err != nil {
		t.Fatal(err)
	}
	second := read("s")
	if second == first {
		t.Error("it is one that was removed")
	}
	write(t, root, "a.txt", long+"more\n")
	if third := read("s"); third == second {
		t.Error("it is that of another text")
	}
}
