package workspace_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/config"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

var update = flag.Bool("update", false, "rewrite the notices in testdata/notices; read the difference")

// TestNotices has what a read of real files says of the part that it leaves
// out (SIG-02, SIG-06, SIG-07, C-54).
func TestNotices(t *testing.T) {
	const sources, notices = "../../testdata/sources", "../../testdata/notices"
	var files []string
	for _, ending := range []string{"go", "py", "ts"} {
		found, err := filepath.Glob(sources + "/*/*." + ending)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) != 10 {
		t.Fatalf("found %d files, want 10: %v", len(files), files)
	}
	root := t.TempDir() // which gets a journal
	if err := os.CopyFS(root, os.DirFS(sources)); err != nil {
		t.Fatal(err)
	}
	h := open(t, root, workspace.Options{Config: config.Default()})
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			rel, _ := filepath.Rel(sources, file)
			r, err := h.Read("s", rel, workspace.Selection{})
			if err != nil {
				t.Fatal(err)
			}
			_, rest, _ := strings.Cut(r.Content, "\n... [")
			lines := strings.SplitN("... ["+rest, "\n", 3)
			if r.Artifact != nil { // a reference has the notice alone
				_, rest, _ = strings.Cut(r.Content, "\n[Lines ")
				lines = []string{workspace.ReferenceLine(*r.Artifact)[len("[Artifact: art_1795328962347_ui7ajs1q] "):], "[Lines " + strings.SplitN(rest, "\n", 2)[0]}
			}
			got := strings.Join(lines[:2], "\n") + "\n"
			golden := filepath.Join(notices, name+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("notice (-want +got):\n%s", diff)
			}
		})
	}
}
