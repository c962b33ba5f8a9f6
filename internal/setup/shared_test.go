package setup_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/setup"
)

// TestForeignServer: a server of our name that runs another program stays, and
// nothing is written beside it.
func TestForeignServer(t *testing.T) {
	for _, server := range []string{
		`{"command": "npx", "args": ["-y", "thing", "mcp"]}`, `{"command": "/bin/acode-ls-proxy", "args": ["mcp"]}`,
		`{"url": "http://localhost:1"}`, `{"type": "stdio"}`, `{"command": ["acode-ls", "mcp"]}`, `{"command": null}`, `{}`,
		`{"command": "docker", "args": ["run", "acode-ls", "mcp"]}`,
	} {
		for _, test := range []struct{ agent, path, key string }{
			{"claude", "root/.mcp.json", "mcpServers"}, {"mcp", "root/.mcp.json", "mcpServers"}, {"cursor", "root/.cursor/mcp.json", "mcpServers"},
			{"vscode", "root/.vscode/mcp.json", "servers"}, {"gemini", "root/.gemini/settings.json", "mcpServers"},
		} {
			text := "{\n  \"" + test.key + "\": {\n    // mine\n    \"acode\": " + server + ",\n    \"other\": {\"command\": \"x\"}\n  }\n}\n"
			w := newWorld(t, map[string]string{test.path: text})
			before := w.files(true)
			a := agent(t, test.agent)
			_, err := a.Connect(setup.Project, w.at, program)
			want := w.path(test.path) + ":4:14: " + test.key + ".acode runs another program; rename it"
			if p, ok := errors.AsType[*setup.Problem](err); !ok || !strings.Contains(p.Error(), want) {
				t.Errorf("%s: the error is %v, want %s", test.agent, err, want)
			}
			if plan := w.plan(a.Disconnect(setup.Project, w.at, program)); !plan.Empty() || plan.Ours() {
				t.Errorf("%s: disconnecting %s: %q", test.agent, server, changes(plan))
			}
			if diff := cmp.Diff(before, w.files(true)); diff != "" {
				t.Errorf("%s: something was written (-before +after):\n%s", test.agent, diff)
			}
		}
	}
}

// onPath is the program where its name is found on the PATH.
var onPath = setup.Program{Path: program.Path, Quoted: program.Quoted, OnPath: true}

// commands are what a plan would have settings name this program by, each once.
func commands(p *setup.Plan) string {
	found := map[string]bool{}
	for _, f := range p.Files {
		for name, text := range map[string]string{
			"bare hook": `"acode-ls hook"`, "hook": `"'/opt/acode ls/acode-ls' hook"`,
			"bare server": `"command": "acode-ls"`, "server": `"command": "/opt/acode ls/acode-ls"`,
		} {
			found[name] = found[name] || strings.Contains(f.Text, text)
		}
	}
	var list []string
	for _, name := range []string{"bare hook", "hook", "bare server", "server"} {
		if found[name] {
			list = append(list, name)
		}
	}
	return strings.Join(list, ", ")
}

// TestShared: settings that others share name the program so that it is found
// on their machines too, if it can be.
func TestShared(t *testing.T) {
	for _, test := range []struct {
		agent string
		scope setup.Scope
		p     setup.Program
		want  string
	}{
		{"claude", setup.Project, onPath, "bare hook, bare server"},
		{"claude", setup.Project, program, "hook, server"},
		{"claude", setup.Local, onPath, "hook"},
		{"claude", setup.User, onPath, "hook"},
		{"gemini", setup.Project, onPath, "bare hook, bare server"},
		{"gemini", setup.User, onPath, "hook, server"},
		{"vscode", setup.Project, onPath, "bare hook, bare server"},
		{"cursor", setup.Project, onPath, "bare server"},
		{"cursor", setup.User, onPath, "server"},
		{"mcp", setup.Project, onPath, "bare server"},
	} {
		w := newWorld(t, nil)
		plan := w.plan(agent(t, test.agent).Connect(test.scope, w.at, test.p))
		if got := commands(plan); got != test.want {
			t.Errorf("%s %s: %s, want %s", test.agent, test.scope, got, test.want)
		}
	}
	if a, _ := setup.Lookup("codex"); !strings.Contains(a.Snippet(onPath), onPath.Path) {
		t.Error("what a person puts into settings of their own does not name the path")
	}
}

// TestSharedAgain: however this program is named, connecting again changes
// nothing, and disconnecting brings back what was.
func TestSharedAgain(t *testing.T) {
	const path = "root/.claude/settings.json"
	for name, test := range map[string]struct{ first, then setup.Program }{
		"since found on the PATH": {program, onPath}, "no longer found": {onPath, program},
	} {
		w := newWorld(t, map[string]string{path: "{\"model\": \"x\"}\n"})
		before := w.files(true)
		claude := agent(t, "claude")
		w.must(w.plan(claude.Connect(setup.Project, w.at, test.first)).Apply())
		if plan := w.plan(claude.Connect(setup.Project, w.at, test.then)); !plan.Empty() || !plan.Ours() {
			t.Errorf("%s: connecting again: %q", name, changes(plan))
		}
		w.must(w.plan(claude.Disconnect(setup.Project, w.at, test.then)).Apply())
		if diff := cmp.Diff(before, w.files(true)); diff != "" {
			t.Errorf("%s: disconnecting (-before +after):\n%s", name, diff)
		}
	}
}

// TestSharedMoved: a path that runs this program stays, by whatever name; one
// that does not becomes what is written now.
func TestSharedMoved(t *testing.T) {
	dir := filepath.ToSlash(t.TempDir())
	for _, name := range []string{"here", "it's"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p := setup.Program{Path: dir + "/it's/acode-ls", Quoted: `'` + dir + `/it'\''s/acode-ls'`}
	if err := os.WriteFile(p.Path, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(p.Path, dir+"/here/acode"); err != nil {
		t.Fatal(err)
	}
	other := dir + "/acode-ls"
	if err := os.WriteFile(other, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	const moves = "moves"
	for command, want := range map[string]string{
		p.Quoted: p.Quoted, dir + "/here/acode": dir + "/here/acode", "acode-ls": "acode-ls", "acode": "acode",
		other: moves, "/gone/acode-ls": moves, "/go\x00ne/acode-ls": moves, "//gone/acode-ls": moves,
	} {
		for _, p.OnPath = range []bool{false, true} {
			now := want
			if want == moves && p.OnPath {
				now = "acode-ls"
			} else if want == moves {
				now = p.Quoted
			}
			if got := reconnected(t, command+" hook", p); got != now+" hook" {
				t.Errorf("%s, found on the PATH: %v, becomes %s, want %s", command, p.OnPath, got, now)
			}
		}
	}
}

// reconnected returns what becomes of the command of a hook.
func reconnected(t *testing.T, command string, p setup.Program) string {
	t.Helper()
	type hooks struct {
		Hooks map[string][]map[string]string `json:"hooks"`
	}
	text, err := json.Marshal(hooks{map[string][]map[string]string{"SessionEnd": {{"command": command}}}})
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, map[string]string{"root/.github/hooks/acode-ls.json": string(text)})
	plan := w.plan(agent(t, "vscode").Connect(setup.Project, w.at, p))
	var got struct {
		Hooks struct{ SessionEnd []struct{ Command string } }
	}
	w.must(json.Unmarshal([]byte(plan.Files[1].Text), &got))
	return got.Hooks.SessionEnd[0].Command
}
