package setup_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/acode-ls/acode-ls/internal/setup"
)

var update = flag.Bool("update", false, "rewrite what follows in testdata; read the difference")

// TestConnect connects and disconnects agents. In each file of testdata the
// comment says what, and in its last line who; then come the settings as they
// are before, as they are to be after, and removed, if without the backup they
// do not come back as they were.
func TestConnect(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no testdata: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { connectFile(t, name) })
	}
}

func connectFile(t *testing.T, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(archive.Comment)), "\n")
	agentName, scope, _ := strings.Cut(lines[len(lines)-1], " ")
	agent, ok := setup.Lookup(agentName)
	if !ok {
		t.Fatalf("no agent %q", agentName)
	}
	s := setup.Scope(scope)
	before := part(archive, "before/")

	w := newWorld(t, before)
	ours := w.plan(agent.Disconnect(s, w.at, program)).Ours()
	w.connect(agent, s)
	after := w.files(false)
	if plan := w.plan(agent.Connect(s, w.at, program)); !plan.Empty() || !plan.Ours() {
		t.Errorf("connecting again: %q", changes(plan))
	}
	w.disconnect(agent, s)
	if plan := w.plan(agent.Disconnect(s, w.at, program)); !plan.Empty() || plan.Ours() {
		t.Errorf("disconnecting again: %q", changes(plan))
	}

	bare := newWorld(t, after)
	bare.disconnect(agent, s)
	removed := bare.files(false)
	if ours {
		if diff := cmp.Diff(removed, w.files(false)); diff != "" {
			t.Errorf("disconnecting what was connected before (-want +got):\n%s", diff)
		}
	} else if diff := cmp.Diff(before, w.files(true)); diff != "" {
		t.Errorf("disconnecting with the backup (-want +got):\n%s", diff)
	}

	want := txtar.Archive{Comment: archive.Comment}
	add(&want, "before/", before)
	add(&want, "after/", after)
	switch {
	case len(before) > 0 && len(removed) == 0:
		want.Files = append(want.Files, txtar.File{Name: "removed", Data: []byte("nothing is left\n")})
	case !cmp.Equal(removed, before):
		add(&want, "removed/", removed)
	}
	if *update {
		if err := os.WriteFile(name, txtar.Format(&want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(txtar.Format(archive)), string(txtar.Format(&want))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func changes(p *setup.Plan) []string {
	var list []string
	for _, f := range p.Files {
		list = append(list, string(f.Change)+" "+f.Path)
	}
	return list
}

func part(archive *txtar.Archive, prefix string) map[string]string {
	files := map[string]string{}
	for _, f := range archive.Files {
		if name, ok := strings.CutPrefix(f.Name, prefix); ok {
			files[name] = string(f.Data)
		}
	}
	return files
}

func add(archive *txtar.Archive, prefix string, files map[string]string) {
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		archive.Files = append(archive.Files, txtar.File{Name: prefix + name, Data: []byte(files[name])})
	}
}

// world is a folder with a project and a user.
type world struct {
	t   *testing.T
	dir string
	at  setup.Places
}

func newWorld(t *testing.T, files map[string]string) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{t, dir, setup.Places{
		Root: filepath.Join(dir, "root"), Home: filepath.Join(dir, "home"),
		Claude: filepath.Join(dir, "home", ".claude"), Neovim: filepath.Join(dir, "home", ".config", "nvim"),
	}}
	w.must(os.Mkdir(w.at.Root, 0o755))
	w.must(os.Mkdir(w.at.Home, 0o755))
	for name, text := range files {
		w.write(name, text)
	}
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) path(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

func (w *world) write(name, text string) {
	w.t.Helper()
	w.must(os.MkdirAll(filepath.Dir(w.path(name)), 0o755))
	w.must(os.WriteFile(w.path(name), []byte(text), 0o644))
}

func (w *world) read(name string) string {
	w.t.Helper()
	b, err := os.ReadFile(w.path(name))
	w.must(err)
	return string(b)
}

// files returns all there are, without or with backups.
func (w *world) files(backups bool) map[string]string {
	w.t.Helper()
	files := map[string]string{}
	w.must(filepath.WalkDir(w.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !backups && strings.HasSuffix(path, ".acode-backup") {
			return err
		}
		name, err := filepath.Rel(w.dir, path)
		w.must(err)
		name = filepath.ToSlash(name)
		if entry.Type()&fs.ModeSymlink != 0 {
			to, err := os.Readlink(path)
			files[name] = "link to " + to
			return err
		}
		files[name] = w.read(name)
		return nil
	}))
	return files
}

// plan returns a plan that is closed with the test.
func (w *world) plan(p *setup.Plan, err error) *setup.Plan {
	w.t.Helper()
	w.must(err)
	w.t.Cleanup(func() { _ = p.Close() })
	return p
}

func (w *world) connect(agent setup.Agent, s setup.Scope) {
	w.t.Helper()
	w.must(w.plan(agent.Connect(s, w.at, program)).Apply())
}

func (w *world) disconnect(agent setup.Agent, s setup.Scope) {
	w.t.Helper()
	w.must(w.plan(agent.Disconnect(s, w.at, program)).Apply())
}

func agent(t *testing.T, name string) setup.Agent {
	t.Helper()
	a, ok := setup.Lookup(name)
	if !ok {
		t.Fatalf("no agent %q", name)
	}
	return a
}
