package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestInspector has the reference client of MCP, which checks what it gets
// against the schemas, drive every tool of the program.
func TestInspector(t *testing.T) {
	inspector := os.Getenv("ACODE_INSPECTOR")
	if inspector == "" {
		t.Skip("ACODE_INSPECTOR is not set: run make check, or set it to the mcp-inspector of @modelcontextprotocol/inspector")
	}
	bin := build(t)
	root := realDir(t)
	in := func(name string) string { return filepath.Join(root, name) }
	for name, content := range map[string]string{
		"a.txt": "one\ntwo\nthree\n", "b.txt": "b\n", "c.txt": "c\n", "unread.txt": "x\n",
		"long.txt": strings.Repeat("a long line of text\n", 4000),
	} {
		if err := os.WriteFile(in(name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "b.txt"}} {
		git := exec.Command("git", args...)
		git.Dir = root
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	if err := os.WriteFile(in("b.txt"), []byte("B\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	inspect := func(t *testing.T, args ...string) string {
		t.Helper()
		// Artifacts end with the process that made them, so those that are
		// fetched are of the session, not of a process.
		cmd := exec.Command(inspector, append([]string{"--cli", filepath.Join(bin, "acode-ls"), "mcp"}, args...)...)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "ACODE_SESSION=s", "XDG_RUNTIME_DIR="+realDir(t))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	put := exec.Command(filepath.Join(bin, "acode-ls"), "artifacts", "put", "--json", "--session", "s", "--source", "test", in("long.txt"))
	put.Dir = root
	out, err := put.Output()
	var stored struct{ Data struct{ ID, URI string } }
	if err == nil {
		err = json.Unmarshal(out, &stored)
	}
	if err != nil {
		t.Fatalf("storing an artifact: %v\n%s", err, out)
	}
	workspaceEdit := `edit={"documentChanges":[{"kind":"create","uri":"file://` + in("made.txt") + `"}]}`
	tools := []struct {
		name string
		args []string
		want string
	}{
		{"read_file", []string{"path=a.txt"}, `"text": "one\ntwo\nthree\n"`},
		{"edit_file", []string{"path=a.txt", `edits=[{"old_text":"two","new_text":"TWO"}]`}, `"applied": true`},
		{"edit_file", []string{"path=unread.txt", `edits=[{"start_line":1,"end_line":1,"new_text":"y"}]`, "dry_run=true"}, `"text": "File has not been read — use read_file`},
		{"write_file", []string{"path=new.txt", "content=n"}, `"applied": true`},
		{"rename_file", []string{"path=new.txt", "new_path=renamed.txt"}, `"applied": true`},
		{"delete_file", []string{"path=renamed.txt"}, `"applied": true`},
		{"apply_workspace_edit", []string{workspaceEdit}, `"applied": true`},
		{"list_directory", []string{"path=."}, `c.txt`},
		{"search_files", []string{"pattern=thre+"}, `"text": "a.txt:3:three\n"`},
		{"git_diff", nil, `+B\n`},
		{"execute_command", []string{"command=echo out; exit 3"}, `"exit_status": 3`},
		{"run_command", []string{"command=echo out"}, `"exit_status": 0`},
		{"list_artifacts", nil, `"id": "` + stored.Data.ID + `"`},
		{"get_artifact", []string{"id=" + stored.Data.ID, "start_line=2", "end_line=3"}, `"text": "a long line of text\na long line of text\n"`},
		{"awareness_state", []string{"path=a.txt"}, `"state": "fully_read"`},
	}
	for _, tool := range tools {
		args := []string{"--method", "tools/call", "--tool-name", tool.name}
		for _, a := range tool.args {
			args = append(args, "--tool-arg", a)
		}
		if got := inspect(t, args...); !strings.Contains(got, tool.want) {
			t.Errorf("%s %q:\n%s\nwant %s", tool.name, tool.args, got, tool.want)
		}
	}
	list := inspect(t, "--method", "tools/list")
	for _, tool := range tools {
		if !strings.Contains(list, `"name": "`+tool.name+`"`) {
			t.Errorf("tools/list does not name %s", tool.name)
		}
	}
	if strings.Count(list, `"inputSchema"`) != 14 || strings.Count(list, `"outputSchema"`) != 14 || strings.Count(list, `"readOnlyHint"`) != 14 {
		t.Error("not all of 14 tools have both schemas and annotations")
	}
	for method, want := range map[string]string{
		"resources/list": stored.Data.URI, "resources/templates/list": "acode-artifact:/{name}",
	} {
		if got := inspect(t, "--method", method); !strings.Contains(got, want) {
			t.Errorf("%s:\n%s\nwant %s", method, got, want)
		}
	}
	if got := inspect(t, "--method", "resources/read", "--uri", stored.Data.URI); !strings.Contains(got, `a long line of text\na long line`) {
		t.Errorf("resources/read:\n%.500s", got)
	}
}

// build builds the program and returns the folder it is in.
func build(t testing.TB) string {
	t.Helper()
	repository, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", bin+string(filepath.Separator), "./cmd/acode-ls")
	build.Dir = repository
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the program: %v\n%s", err, out)
	}
	return bin
}
