package setup_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/setup"
)

// refused connects claude, which must fail with a message that holds want, and
// change nothing.
func refused(t *testing.T, w *world, s setup.Scope, want string) {
	t.Helper()
	before := w.files(true)
	plan, err := agent(t, "claude").Connect(s, w.at, program)
	if err == nil {
		err = w.plan(plan, nil).Apply()
	}
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, want one with %q", err, want)
	}
	if diff := cmp.Diff(before, w.files(true)); diff != "" {
		t.Errorf("something was written (-before +after):\n%s", diff)
	}
}

func TestRefusedSettings(t *testing.T) {
	const path = "root/.claude/settings.json"
	for _, test := range []struct{ name, text, want string }{
		{"malformed", "{\n  \"a\": 1\n  \"b\": 2\n}\n", "settings.json:3:3: invalid character '\"' after object value"},
		{"cut off", "{\n  \"a\": [1,\n", "settings.json:3:1: parsing value: unexpected EOF"},
		{"two values", "{}\n{}\n", "settings.json:2:1: invalid character '{' after top-level value"},
		{"UTF-16", "\xff\xfe{\x00}\x00", "settings.json:1:1: invalid character"},
		{"a literal", "{\"a\": nil}", "settings.json:1:7: invalid literal: nil"},
		{"an open comment", "{} /* a", "settings.json:1:4: parsing comment: unexpected EOF"},
		{"a list at the top", " [1]", "settings.json:1:2: it holds an array where an object belongs"},
		{"hooks is a list", "{\n\t\"hooks\": []}", "settings.json:2:11: hooks is an array where an object belongs"},
		{"hooks is null", "\ufeff{\"hooks\": null}", "settings.json:1:11: hooks is null where an object belongs"},
		{"an event is an object", `{"hooks": {"PreToolUse": {}}}`, "hooks.PreToolUse is an object where an array belongs"},
		{"an event is a string", `{"hooks": {"SessionEnd": "x"}}`, "hooks.SessionEnd is a string where an array belongs"},
		{"a key twice", "{\"hooks\": {},\n \"hooks\": {}}", "settings.json:2:2: the key hooks stands there twice; leave one"},
		{"a key twice below", `{"hooks": {"PreToolUse": [], "PreToolUse": []}}`, "the key hooks.PreToolUse stands there twice"},
		{"deep", strings.Repeat(`{"a":[`, 600), "nested deeper than 1000"},
		{"deep behind strings", strings.Repeat(`["]",`, 2000), "nested deeper than 1000"},
		{"a long literal", "{\"a\": " + strings.Repeat("é", 5000) + "}", "settings.json:1:7: invalid character 'é' at start of value"},
		{"large", "{\"a\": \"" + strings.Repeat("x", 16<<20) + "\"}", "more than 16777216"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{path: test.text})
			refused(t, w, setup.Project, test.want)
			_, err := agent(t, "claude").Connect(setup.Project, w.at, program)
			if _, ok := errors.AsType[*setup.Problem](err); !ok || len(err.Error()) > 500 {
				t.Errorf("the error is %T of %d bytes", err, len(err.Error()))
			}
		})
	}
	w := newWorld(t, map[string]string{"root/.mcp.json": `{"mcpServers": {"acode": "x"}}`})
	refused(t, w, setup.Project, ".mcp.json:1:26: mcpServers.acode is a string where an object belongs")
}

func TestSpellings(t *testing.T) {
	for _, test := range []struct{ name, before, start, end string }{
		{"CRLF and tabs", "{\r\n\t\"a\": 1\r\n}\r\n", "{\r\n\t\"a\": 1,\r\n\t\"mcpServers\": {\r\n\t\t\"acode\": {\r\n", "\r\n\t\t}\r\n\t}\r\n}\r\n"},
		{"a byte order mark", "\ufeff{\n  \"a\": 1\n}", "\ufeff{\n  \"a\": 1,\n  \"mcpServers\": {\n", "\n  }\n}"},
		{"no final newline", "{}", "{\n  \"mcpServers\": {\n", "\n  }\n}"},
		{"no newline after a comment", "{\n \"a\": 1\n} // end", "{\n \"a\": 1,\n \"mcpServers\": {\n  \"acode\"", "\n } // end"},
		{"invalid UTF-8", "{\"a\": \"\xff\"}", "{\"a\": \"\xff\", \"mcpServers\": {\"acode\": {", "}}}"},
		{"a carriage return at the end", "// a\r", "// a\r\n{\n", "}\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			const path = "root/.mcp.json"
			w := newWorld(t, map[string]string{path: test.before})
			a := agent(t, "mcp")
			w.connect(a, setup.Project)
			got := w.read(path)
			rest, ok := strings.CutPrefix(got, test.start)
			if end := strings.TrimPrefix(test.end, "\n }"); !ok || !strings.HasSuffix(rest, end) {
				t.Errorf("got %q, want %q … %q", got, test.start, test.end)
			}
			if strings.Contains(test.before, "\r\n") && strings.Count(got, "\n") != strings.Count(got, "\r\n") {
				t.Errorf("line ends are mixed: %q", got)
			}
			w.disconnect(a, setup.Project)
			if got := w.files(true); !cmp.Equal(got, map[string]string{path: test.before}) {
				t.Errorf("disconnecting leaves %q", got)
			}
		})
	}
}

func TestLargeFile(t *testing.T) {
	text := "{\n  \"projects\": [\n" + strings.Repeat("    {\"path\": \""+strings.Repeat("/somewhere", 100)+"\", \"tools\": [1, 2, 3]}, // note\n", 10_000) + "  ]\n}\n"
	w := newWorld(t, map[string]string{"root/.mcp.json": text})
	plan := w.plan(agent(t, "mcp").Connect(setup.Project, w.at, program))
	if diff := plan.Files[0].Diff(); len(diff) > 10_000 || !strings.Contains(diff, "\n+    \"acode\": {\n") {
		t.Errorf("the diff is %.2000s", diff)
	}
	w.must(plan.Apply())
	w.disconnect(agent(t, "mcp"), setup.Project)
	if w.read("root/.mcp.json") != text {
		t.Error("it did not come back as it was")
	}
}

// TestAllOrNothing has one good file and one that cannot be written.
func TestAllOrNothing(t *testing.T) {
	good := map[string]string{"root/.claude/settings.json": "{}\n", "root/.mcp.json": "{}\n"}
	t.Run("malformed", func(t *testing.T) {
		w := newWorld(t, good)
		w.write("root/.mcp.json", "{")
		refused(t, w, setup.Project, ".mcp.json:1:2: parsing value: unexpected EOF")
	})
	t.Run("read-only file", func(t *testing.T) {
		w := newWorld(t, good)
		w.must(os.Chmod(w.path("root/.mcp.json"), 0o444))
		refused(t, w, setup.Project, "the file is read-only; nothing was written")
	})
	t.Run("read-only folder", func(t *testing.T) {
		if runtime.GOOS == "windows" {
			return // folders have no such mode there
		}
		w := newWorld(t, map[string]string{"root/.claude/settings.json": "{}\n"})
		w.must(os.Chmod(w.at.Root, 0o555))
		t.Cleanup(func() { _ = os.Chmod(w.at.Root, 0o755) })
		refused(t, w, setup.Project, "the folder is read-only; nothing was written")
	})
	t.Run("a folder of its name", func(t *testing.T) {
		w := newWorld(t, map[string]string{"root/.mcp.json/x": ""})
		refused(t, w, setup.Project, "it is not a file")
		if _, err := os.Stat(w.path("root/.claude")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf(".claude stays behind: %v", err)
		}
	})
	t.Run("a file where the folder belongs", func(t *testing.T) {
		refused(t, newWorld(t, map[string]string{"root/.claude": "x"}), setup.Project, "not a directory")
	})
	for name, text := range map[string]string{"changed": "{ }\n", "made": "{}\n", "made empty": ""} {
		t.Run(name+" meanwhile", func(t *testing.T) {
			w := newWorld(t, good)
			if strings.HasPrefix(name, "made") {
				w.must(os.Remove(w.path("root/.mcp.json")))
			}
			plan := w.plan(agent(t, "claude").Connect(setup.Project, w.at, program))
			w.write("root/.mcp.json", text)
			before := w.files(true)
			if err := plan.Apply(); err == nil || !strings.Contains(err.Error(), "it changed meanwhile; run this again; what was written is taken back") {
				t.Errorf("the error is %v", err)
			}
			if diff := cmp.Diff(before, w.files(true)); diff != "" {
				t.Errorf("not all was taken back (-before +after):\n%s", diff)
			}
		})
	}
	t.Run("folders are taken back", func(t *testing.T) {
		w := newWorld(t, nil)
		plan := w.plan(agent(t, "vscode").Connect(setup.Project, w.at, program))
		w.write("root/.github/hooks/acode-ls.json", "{}")
		if err := plan.Apply(); err == nil {
			t.Error("what appeared meanwhile was overwritten")
		}
		if _, err := os.Stat(w.path("root/.vscode")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf(".vscode stays behind: %v", err)
		}
	})
}

func TestBackup(t *testing.T) {
	const path, backup = "root/.mcp.json", "root/.mcp.json.acode-backup"
	w := newWorld(t, map[string]string{path: "{\"a\": 1}\n"})
	w.must(os.Chmod(w.path(path), 0o640))
	a := agent(t, "mcp")
	w.connect(a, setup.Project)
	for _, name := range []string{path, backup} {
		if info, err := os.Stat(w.path(name)); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if got := w.read(backup); got != "{\"a\": 1}\n" {
		t.Errorf("the backup is %q", got)
	}

	// A person goes on writing; then the program moves; the first backup stays.
	w.write(path, strings.Replace(w.read(path), `"a": 1`, `"a": 2`, 1))
	moved := setup.Program{Path: "/new/acode-ls", Quoted: "/new/acode-ls"}
	w.must(w.plan(a.Connect(setup.Project, w.at, moved)).Apply())
	if got := w.read(path); strings.Count(got, "acode-ls") != 1 || !strings.Contains(got, `"/new/acode-ls"`) {
		t.Errorf("after the move there is %s", got)
	}
	w.must(w.plan(a.Disconnect(setup.Project, w.at, moved)).Apply())
	want := map[string]string{path: "{\"a\": 2}\n", backup: "{\"a\": 1}\n"}
	if diff := cmp.Diff(want, w.files(true)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDisconnectRemovesWhatItMade(t *testing.T) {
	w := newWorld(t, map[string]string{"root/.vscode/tasks.json": "{}"})
	a := agent(t, "vscode")
	w.connect(a, setup.Project)
	w.disconnect(a, setup.Project)
	entries, err := os.ReadDir(w.at.Root)
	w.must(err)
	if len(entries) != 1 || entries[0].Name() != ".vscode" {
		t.Errorf("there is %v, want .vscode alone", entries)
	}
}

func TestLinks(t *testing.T) {
	link := func(w *world, to, from string) {
		w.must(os.MkdirAll(filepath.Dir(w.path(from)), 0o755))
		if err := os.Symlink(to, w.path(from)); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("the user's file", func(t *testing.T) {
		w := newWorld(t, map[string]string{"dotfiles/claude.json": "{\"a\": 1}\n"})
		link(w, w.path("dotfiles/claude.json"), "home/.claude/settings.json")
		w.connect(agent(t, "claude"), setup.User)
		if info, err := os.Lstat(w.path("home/.claude/settings.json")); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("the link is gone: %v, %v", info, err)
		}
		if got := w.read("dotfiles/claude.json"); !strings.Contains(got, "acode-ls") {
			t.Errorf("behind the link there is %s", got)
		}
		w.disconnect(agent(t, "claude"), setup.User)
		if got := w.read("dotfiles/claude.json"); got != "{\"a\": 1}\n" {
			t.Errorf("behind the link there is %s", got)
		}
	})
	t.Run("the user's folder", func(t *testing.T) {
		w := newWorld(t, map[string]string{"dotfiles/claude/x": ""})
		link(w, w.path("dotfiles/claude"), "home/.claude")
		w.connect(agent(t, "claude"), setup.User)
		if got := w.read("dotfiles/claude/settings.json"); !strings.Contains(got, "acode-ls") {
			t.Errorf("behind the link there is %s", got)
		}
	})
	t.Run("in the project", func(t *testing.T) {
		w := newWorld(t, map[string]string{"root/config/mcp.json": "{}"})
		link(w, "config/mcp.json", "root/.mcp.json")
		w.connect(agent(t, "mcp"), setup.Project)
		if got := w.read("root/config/mcp.json"); !strings.Contains(got, "acode-ls") {
			t.Errorf("behind the link there is %s", got)
		}
	})
	t.Run("out of the project", func(t *testing.T) {
		w := newWorld(t, map[string]string{"home/mcp.json": "{}"})
		link(w, w.path("home/mcp.json"), "root/.mcp.json")
		refused(t, w, setup.Project, "a link leads out of the project")
	})
	t.Run("a folder out of the project", func(t *testing.T) {
		w := newWorld(t, nil)
		link(w, w.at.Home, "root/.claude")
		refused(t, w, setup.Project, "a link leads out of the project")
	})
	t.Run("to nothing", func(t *testing.T) {
		w := newWorld(t, nil)
		link(w, "/nowhere/at/all", "home/.claude/settings.json")
		if _, err := agent(t, "claude").Connect(setup.User, w.at, program); err == nil || !strings.Contains(err.Error(), "it is a link to nothing") {
			t.Errorf("the error is %v", err)
		}
	})
	t.Run("in a ring", func(t *testing.T) {
		w := newWorld(t, nil)
		link(w, "settings.json", "home/.claude/settings.json")
		if _, err := agent(t, "claude").Connect(setup.User, w.at, program); err == nil {
			t.Error("a link to itself was taken")
		}
	})
}

func TestNeovimFileOfAPerson(t *testing.T) {
	w := newWorld(t, map[string]string{"home/.config/nvim/lsp/acode_ls.lua": "return {}\n"})
	if _, err := agent(t, "neovim").Connect(setup.User, w.at, program); err == nil || !strings.Contains(err.Error(), "it was not made by acode-ls init") {
		t.Errorf("the error is %v", err)
	}
	w.disconnect(agent(t, "neovim"), setup.User)
	if got := w.read("home/.config/nvim/lsp/acode_ls.lua"); got != "return {}\n" {
		t.Errorf("there is %q", got)
	}
}
