package shell_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/shell"
)

// TestSource has files that are not on the disk, and one on the disk that must
// not be looked at.
func TestSource(t *testing.T) {
	disk := filepath.Join(t.TempDir(), "b")
	if err := os.WriteFile(disk, []byte("two\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	from := shell.Source{
		Read: func(path string) (string, bool) {
			return "one\ntwo\nthree\n", path == "/w/sub/a"
		},
		Folder: func(path string) bool { return path == "/w/sub" },
	}
	want := []shell.Piece{{Path: "/w/sub/a", StartLine: 2, Text: "two\n"}}
	for _, test := range []struct {
		command, output string
		want            []shell.Piece
	}{
		{"cd sub && sed -n 2p a", "two\n", want},
		{"cd other && sed -n 2p a", "two\n", nil},
		{"cat " + disk, "two\n", nil},
	} {
		if diff := cmp.Diff(test.want, from.Shown("/w", test.command, test.output)); diff != "" {
			t.Errorf("Shown(%q) (-want +got):\n%s", test.command, diff)
		}
	}
	if diff := cmp.Diff(want, from.Hits("/w", "", "sub/a:2:two\n"+disk+":1:two\n")); diff != "" {
		t.Errorf("Hits (-want +got):\n%s", diff)
	}
}
