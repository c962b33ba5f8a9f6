package artifacts_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/artifacts"
)

// TestFolderOfSomebodyElse is left as it is, whatever its files are called.
func TestFolderOfSomebodyElse(t *testing.T) {
	for _, files := range [][]string{
		{"lock"}, {"art_1_abc.txt"}, {"main.go"}, {"lock", "art_1_abc.txt", "notes.md"},
	} {
		dir := t.TempDir()
		folder := filepath.Join(dir, "src")
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{}
		for _, name := range files {
			want[name] = "what " + name + " holds is not an artifact's"
			if err := os.WriteFile(filepath.Join(folder, name), []byte(want[name]), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		s := artifacts.Open(root, artifacts.Options{Folder: "src", Now: time.Now, Detached: true})
		if _, err := s.Create("s", artifacts.Meta{}); err == nil || !strings.Contains(err.Error(), "src: it holds other files than artifacts") {
			t.Errorf("%v: Create: %v", files, err)
		}
		_, _ = s.Sweep(func(string, time.Time) bool { return true })
		_, _ = s.CleanAll()
		got := map[string]string{}
		for _, name := range files {
			content, err := os.ReadFile(filepath.Join(folder, name))
			if err != nil {
				t.Error(err)
			}
			got[name] = string(content)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", files, diff)
		}
		if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o755 {
			t.Errorf("%v: the folder is %v, %v", files, info.Mode(), err)
		}
	}
}
