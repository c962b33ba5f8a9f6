package setup_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acode-ls/acode-ls/internal/setup"
)

func TestIsNamed(t *testing.T) {
	for path, want := range map[string]bool{
		"acode-ls": true, "acode": true, "/usr/bin/acode-ls": true, `C:\Program Files\acode-ls.exe`: true, "C:/bin/acode.EXE": true,
		"": false, "/": false, "acode-ls2": false, "my-acode-ls": false, "/acode-ls/bin/x": false, "acode-ls.exe.bak": false,
	} {
		if got := setup.IsNamed(path); got != want {
			t.Errorf("IsNamed(%q) = %v", path, got)
		}
	}
}

// TestRecognised connects where a hook with some command is there.
func TestRecognised(t *testing.T) {
	const ours, moved, foreign = "stays", "moves", "is foreign"
	for command, want := range map[string]string{
		"acode-ls hook": ours, "acode hook": ours, `"$HOME/bin/acode-ls" hook`: ours, "./bin/acode-ls hook": ours,
		`"/opt/acode ls/acode-ls" hook`: ours, "acode-ls --root . hook": ours,
		"/old/acode-ls hook": moved, "'/o d/acode' hook": moved, `"C:\bin\acode-ls.exe" hook`: moved, `/o\ d/acode-ls hook`: moved,
		"'/it'\\''s/acode-ls' --session x hook": moved,
		"acode-ls":                              foreign, "acode-lshook": foreign, "acode-ls hooks": foreign, "other hook": foreign, " hook": foreign, "hook": foreign,
		"lint && acode-ls hook": foreign, "/bin/sh acode-ls hook": foreign, "'acode-ls hook": foreign, "acode-ls hook ": foreign,
	} {
		literal, err := json.Marshal(command)
		if err != nil {
			t.Fatal(err)
		}
		const path = "root/.claude/settings.local.json"
		w := newWorld(t, map[string]string{path: `{"hooks": {"SessionEnd": [{"hooks": [{"command": ` + string(literal) + `}]}]}}`})
		w.connect(agent(t, "claude"), setup.Local)
		var got struct {
			Hooks map[string][]struct{ Hooks []struct{ Command string } }
		}
		w.must(json.Unmarshal([]byte(w.read(path)), &got))
		ends := got.Hooks["SessionEnd"]
		is := foreign
		switch first := ends[0].Hooks[0].Command; {
		case len(ends) == 1 && first == command:
			is = ours
		case len(ends) == 1 && strings.HasPrefix(first, program.Quoted+" ") && strings.HasSuffix(first, " hook"):
			is = moved
		case len(ends) != 2 || first != command:
			is = first
		}
		if is != want {
			t.Errorf("%s: %s, want %s", command, is, want)
		}
	}
}

// TestMatchers holds the table of tools to what is written.
func TestMatchers(t *testing.T) {
	for name, events := range map[string][2]string{"claude": {"PreToolUse", "PostToolUse"}, "gemini": {"BeforeTool", "AfterTool"}} {
		w := newWorld(t, nil)
		plan := w.plan(agent(t, name).Connect(setup.Project, w.at, program))
		var got struct {
			Hooks map[string][]struct{ Matcher string }
		}
		w.must(json.Unmarshal([]byte(plan.Files[0].Text), &got))
		tools := setup.Tools[name]
		before := strings.Join(tools.Writing, "|")
		after := strings.Join(tools.Reading, "|") + "|" + before
		if b, a := got.Hooks[events[0]][0].Matcher, got.Hooks[events[1]][0].Matcher; b != before || a != after {
			t.Errorf("%s: matchers are %q and %q, want %q and %q", name, b, a, before, after)
		}
	}
}

// TestNeovimConfig holds the two configurations for Neovim together.
func TestNeovimConfig(t *testing.T) {
	w := newWorld(t, nil)
	plan := w.plan(agent(t, "neovim").Connect(setup.User, w.at, setup.Program{Path: `/it's/a\b/acode-ls`}))
	const markers = `{ '.acode', '.git' }`
	plugin, err := os.ReadFile(filepath.Join("..", "..", "editors", "neovim", "lua", "acode", "client.lua"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"the plugin": string(plugin), "what init writes": plan.Files[0].Text} {
		if !strings.Contains(text, markers) {
			t.Errorf("%s does not look for a workspace by %s", name, markers)
		}
	}
	if cmd := `cmd = { '/it\'s/a\\b/acode-ls', 'serve' },`; !strings.Contains(plan.Files[0].Text, cmd) {
		t.Errorf("there is no %s in %s", cmd, plan.Files[0].Text)
	}
}

func TestAgents(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range setup.Agents {
		if seen[a.Name] || a.Title == "" || a.Gives == "" {
			t.Errorf("agent %q is not described, or twice", a.Name)
		}
		seen[a.Name] = true
		if len(a.Scopes()) == 0 && a.Snippet == nil {
			t.Errorf("%s has neither files nor a snippet", a.Name)
		}
		for _, s := range a.Scopes() {
			if a.After(s) == "" {
				t.Errorf("%s %s: nothing is said of what to do then", a.Name, s)
			}
		}
		if a.Snippet != nil && !strings.Contains(a.Snippet(program), program.Path) {
			t.Errorf("%s: the snippet does not name the program", a.Name)
		}
	}
	if _, ok := setup.Lookup("emacs"); ok {
		t.Error("there is an agent emacs")
	}
}
