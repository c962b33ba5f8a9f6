package workspace_test

import (
	"strings"
	"testing"
	"time"

	"github.com/acode-ls/acode-ls/internal/workspace"
)

// TestArtifactsOfOthers has another process make artifacts and remove them, of
// which one that watches hears.
func TestArtifactsOfOthers(t *testing.T) {
	root := t.TempDir()
	watching, other := open(t, root, workspace.Options{Watch: true}), open(t, root, workspace.Options{})
	if _, _, err := watching.Artifacts("", "", 0); err != nil { // which opens the store
		t.Fatal(err)
	}
	heard := make(chan string, 10)
	watching.OnArtifacts(func(session string) { heard <- session })
	await := func(what string) {
		t.Helper()
		select {
		case session := <-heard:
			if session != "s" {
				t.Errorf("heard of session %q after %s, want s", session, what)
			}
		case <-time.After(15 * time.Second):
			t.Fatalf("heard nothing of %s", what)
		}
	}
	make := func() string {
		t.Helper()
		r, err := other.Process(workspace.Output{
			Session: "s", Tool: "execute_command", Content: strings.NewReader(numbered(20_000)), Size: -1,
		})
		if err != nil || r.Artifact == nil {
			t.Fatalf("no artifact was made: %v", err)
		}
		return r.Artifact.ID
	}
	id := make()
	await("a new artifact")
	if err := other.RemoveArtifact(id); err != nil {
		t.Fatal(err)
	}
	await("a removal")
}
