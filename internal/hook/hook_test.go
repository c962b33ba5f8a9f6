package hook_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/acode-ls/acode-ls/internal/fileuri"
	"github.com/acode-ls/acode-ls/internal/hook"
	"github.com/acode-ls/acode-ls/lsp"
)

var update = flag.Bool("update", false, "rewrite what the scenarios expect; review the difference")

// world is a workspace on the disk and a ledger in this process.
type world struct {
	t    testing.TB
	root string
}

func newWorld(t testing.TB, files map[string]string) world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := world{t, root}
	w.write(".git/HEAD", "ref: refs/heads/main\n")
	for name, content := range files {
		w.write(name, content)
	}
	return w
}

func (w world) write(name, content string) {
	w.t.Helper()
	path := filepath.Join(w.root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func open(root string) (hook.Workspace, error) {
	return lsp.OpenLink(root, lsp.LinkOptions{Alone: true})
}

// run answers one event, in which $ROOT stands for the workspace.
func (w world) run(event string, opts hook.Options) (answer, told string) {
	w.t.Helper()
	opts.Open = open
	var out, errs bytes.Buffer
	event = strings.ReplaceAll(event, "$ROOT", filepath.ToSlash(w.root))
	hook.Run(w.t.Context(), strings.NewReader(event), &out, &errs, opts)
	return strings.ReplaceAll(out.String(), w.root, "$ROOT"), strings.ReplaceAll(errs.String(), w.root, "$ROOT")
}

// state tells what sessions have read, one file a line.
func (w world) state() string {
	w.t.Helper()
	link, err := open(w.root)
	if err != nil {
		w.t.Fatal(err)
	}
	defer link.Close()
	var sessions struct {
		Sessions []struct {
			ID, Agent string
			Ended     bool
		}
	}
	w.call(link, "acode/sessions", map[string]any{}, &sessions)
	var lines []string
	for _, s := range sessions.Sessions {
		about := s.ID
		if s.Agent != "" {
			about += " of " + s.Agent
		}
		if s.Ended {
			about += ", ended"
		}
		lines = append(lines, about+"\n"+w.files(link, s.ID))
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

func (w world) files(link hook.Workspace, session string) string {
	w.t.Helper()
	var state struct {
		Files []struct {
			URI, State string
			Stale      bool
			ReadRanges []struct{ StartLine, EndLine int }
		}
	}
	w.call(link, "acode/state", map[string]any{"session": session}, &state)
	var lines []string
	for _, f := range state.Files {
		path, err := fileuri.Parse(f.URI)
		if err != nil {
			w.t.Fatal(err)
		}
		name, err := filepath.Rel(w.root, path)
		if err != nil {
			w.t.Fatal(err)
		}
		line := fmt.Sprintf("  %s %s", filepath.ToSlash(name), f.State)
		for _, r := range f.ReadRanges {
			line += fmt.Sprintf(" %d-%d", r.StartLine, r.EndLine)
		}
		if f.Stale {
			line += " stale"
		}
		lines = append(lines, line+"\n")
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

func (w world) call(link hook.Workspace, method string, params, result any) {
	w.t.Helper()
	if err := link.Call(w.t.Context(), method, params, result); err != nil {
		w.t.Fatalf("%s: %v", method, err)
	}
}

// TestScenarios runs testdata/*.txtar: files of the workspace under "files/",
// then steps in order: "NAME.event" is an event, "NAME.write/FILE" a change of
// a file by somebody else; "NAME.answer", "NAME.told" and "NAME.state" are what
// follows.
func TestScenarios(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			scenario(t, name)
		})
	}
}

func scenario(t *testing.T, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	files, want := map[string]string{}, map[string]string{}
	for _, f := range archive.Files {
		if file, ok := strings.CutPrefix(f.Name, "files/"); ok {
			files[file] = string(f.Data)
		}
		want[f.Name] = string(f.Data)
	}
	w := newWorld(t, files)
	var steps []txtar.File
	before := ""
	for _, f := range archive.Files {
		step, kind, _ := strings.Cut(f.Name, ".")
		switch {
		case strings.HasPrefix(f.Name, "files/"):
			steps = append(steps, f)
		case strings.HasPrefix(kind, "write/"):
			steps = append(steps, f)
			w.write(strings.TrimPrefix(kind, "write/"), string(f.Data))
		case kind == "event":
			steps = append(steps, f)
			answer, told := w.run(string(f.Data), hook.Options{})
			state := w.state()
			shown := state
			if state == before {
				shown = "" // as after the step before
			}
			before = state
			for _, got := range []txtar.File{{Name: step + ".answer", Data: []byte(answer)}, {Name: step + ".told", Data: []byte(told)}, {Name: step + ".state", Data: []byte(shown)}} {
				if len(got.Data) > 0 {
					steps = append(steps, got)
				}
				if diff := cmp.Diff(want[got.Name], string(got.Data)); diff != "" && !*update {
					t.Errorf("%s (-want +got):\n%s", got.Name, diff)
				}
			}
			if answer != "" && !json.Valid([]byte(answer)) {
				t.Errorf("%s is not JSON: %s", step, answer)
			}
		}
	}
	if *update {
		archive.Files = steps
		if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
