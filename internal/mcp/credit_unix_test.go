//go:build unix

package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/acode-ls/acode-ls/internal/mcp"
	"github.com/acode-ls/acode-ls/lsp"
)

// TestNoRoomNoCredit holds that lines of a result that is not given do not
// count as read.
func TestNoRoomNoCredit(t *testing.T) {
	root := folder(t, map[string]string{"a": "old\n"})
	git(t, root, "init", "-q")
	git(t, root, "add", "a")
	put(t, root, "a", strings.Repeat("x "+strings.Repeat(`"quoted" `, 10)+"\n", 40))
	c := connect(t, root, func(o *mcp.Options) { o.MaxResult = 4_000 })
	for tool, arguments := range map[string]string{
		"read_file": `{"path":"a"}`, "search_files": `{"pattern":"^x"}`, "git_diff": `{}`, "execute_command": `{"command":"cat a"}`,
	} {
		if got := c.refused(tool, arguments); !strings.Contains(got, "the most is 4000") && !strings.Contains(got, "there is room for 3000") {
			t.Errorf("%s: %q", tool, got)
		}
		if got := c.seen("a"); got != "a: never read\n" {
			t.Errorf("after %s: %q", tool, got)
		}
	}
}

// editor is a workspace with documents that are not saved. It keeps the params
// of the last acode/read.
type editor struct {
	*lsp.Link
	unsaved map[string]string // text by URI
	read    struct{ MaxBytes int }
}

func (e *editor) Call(ctx context.Context, method string, params, result any) error {
	answer := ""
	switch method {
	case "acode/read":
		raw, err := json.Marshal(params)
		if err == nil {
			err = json.Unmarshal(raw, &e.read)
		}
		if err != nil {
			return err
		}
	case "acode/unsaved":
		var documents []string
		for uri, text := range e.unsaved {
			documents = append(documents, fmt.Sprintf(`{"uri":%q,"text":%q}`, uri, text))
		}
		answer = `{"documents":[` + strings.Join(documents, ",") + `]}`
	}
	if answer == "" {
		return e.Link.Call(ctx, method, params, result)
	}
	return json.Unmarshal([]byte(answer), result)
}

func withEditor(t *testing.T, root string, unsaved map[string]string) (*client, *editor) {
	t.Helper()
	var e *editor
	c := connect(t, root, func(o *mcp.Options) {
		e = &editor{Link: o.Workspace.(*lsp.Link), unsaved: unsaved}
		o.Workspace = e
	})
	return c, e
}

// TestRoomOfRead tells the workspace how much of a file there is room for.
func TestRoomOfRead(t *testing.T) {
	c, e := withEditor(t, folder(t, map[string]string{"a": "1\n"}), nil)
	c.must("read_file", `{"path":"a"}`)
	if e.read.MaxBytes != 786_432 {
		t.Errorf("room for %d bytes", e.read.MaxBytes)
	}
}

func TestUnsaved(t *testing.T) {
	root := folder(t, map[string]string{"k ü.txt": "old\n", "dir/l": "old\n", "m": "old\n"})
	git(t, root, "init", "-q")
	git(t, root, "add", ".")
	for _, name := range []string{"k ü.txt", "dir/l", "m"} {
		put(t, root, name, "disk\n")
	}
	c, _ := withEditor(t, root, map[string]string{
		"file://" + root + "/k%20%C3%BC.txt": "first\nbuffer\n", "file://" + root + "/dir/l": "", "file:///elsewhere": "buffer", "nonsense": "buffer",
	})
	if r := c.must("search_files", `{"pattern":"disk|buffer"}`); r.text != "k ü.txt:2:buffer\nm:1:disk\n" {
		t.Errorf("search_files: %q", r.text)
	}
	const note = "Not saved in the editor, so line numbers may differ: "
	for _, test := range []struct{ tool, arguments, want string }{
		{"git_diff", `{}`, "dir/l, k ü.txt"}, {"git_diff", `{"paths":["m"]}`, ""},
		{"execute_command", `{"command":"cat 'k ü.txt' m"}`, "k ü.txt"}, {"execute_command", `{"command":"cat m"}`, ""},
		{"execute_command", `{"command":"cat l","cwd":"dir"}`, "dir/l"},
	} {
		r := c.must(test.tool, test.arguments)
		switch {
		case test.want == "" && len(r.texts) == 1:
		case test.want == "" || len(r.texts) != 2 || r.texts[1] != note+test.want:
			t.Errorf("%s %s: %q, want %q", test.tool, test.arguments, r.texts[1:], test.want)
		}
	}
}

// TestLinkedRoot reaches what is in the root by paths through a link to it.
func TestLinkedRoot(t *testing.T) {
	root := folder(t, map[string]string{"a.txt": "old\n", "dir/b": "old\n"})
	git(t, root, "init", "-q")
	git(t, root, "add", ".")
	put(t, root, "a.txt", "new\n")
	link := filepath.Join(folder(t, nil), "link")
	for name, target := range map[string]string{link: root, filepath.Join(root, "to-dir"): "dir", filepath.Join(root, "tracked"): "nowhere"} {
		if err := os.Symlink(target, name); err != nil {
			t.Fatal(err)
		}
	}
	git(t, root, "add", "tracked")
	if err := os.Remove(filepath.Join(root, "tracked")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("other", filepath.Join(root, "tracked")); err != nil {
		t.Fatal(err)
	}
	c := connect(t, root)
	for _, test := range []struct{ tool, arguments, want string }{
		{"read_file", `{"path":"LINK/a.txt"}`, "new\n"},
		{"search_files", `{"pattern":"new","path":"LINK/a.txt"}`, "a.txt:1:new\n"},
		{"search_files", `{"pattern":"new","path":"LINK"}`, "a.txt:1:new\n"},
		{"search_files", `{"pattern":"old","path":"file://LINK/to-dir"}`, "dir/b:1:old\n"},
		{"list_directory", `{"path":"LINK/to-dir"}`, "b (4 B)\n"},
		{"git_diff", `{"paths":["LINK/a.txt"]}`, "\n+new\n"},
		{"git_diff", `{"paths":["LINK","to-dir/b"]}`, "\n+new\n"},
		{"git_diff", `{"paths":["LINK/tracked"]}`, "\n+other\n"},
		{"execute_command", `{"command":"pwd","cwd":"LINK/dir"}`, root + "/dir\n"},
	} {
		arguments := strings.ReplaceAll(test.arguments, "LINK", link)
		if r := c.must(test.tool, arguments); !strings.Contains(r.text, test.want) {
			t.Errorf("%s %s: %q, want %q", test.tool, arguments, r.text, test.want)
		}
	}
}

// TestPlainErrors holds that errors about paths have no words of system calls.
func TestPlainErrors(t *testing.T) {
	root := folder(t, map[string]string{"a": "1\n", "dir/b": "1\n"})
	outside := folder(t, map[string]string{"x": "1\n"})
	for name, target := range map[string]string{"round": "round", "out": outside, "lost": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(root, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := connect(t, root)
	const none = "no such file or folder"
	for path, want := range map[string]string{
		"nope": none, "nope/b": none, "a/b": none, "round": "round: its links lead in a circle", "round/x": "its links lead in a circle",
		"out": "outside", "out/x": "outside", "lost": "is a link to nothing", strings.Repeat("x", 300): "the name is too long", "pipe": "a f",
		".acode": "belongs to acode-ls", "..": "outside",
	} {
		for tool, arguments := range map[string]string{
			"search_files": `{"pattern":"x","path":%q}`, "list_directory": `{"path":%q}`, "execute_command": `{"command":"true","cwd":%q}`,
		} {
			got := c.refused(tool, fmt.Sprintf(arguments, path))
			if !strings.Contains(got, want) {
				t.Errorf("%s %s: %s, want %q", tool, path, got, want)
			}
			for _, word := range []string{"statat", "openat", "readdirent", "lstat", "escapes", "EvalSymlinks", "invalid argument", "read |0", "not permitted"} {
				if strings.Contains(got, word) {
					t.Errorf("%s %s: %s", tool, path, got)
				}
			}
		}
	}
	for tool, arguments := range map[string]string{"list_directory": `{"path":"a"}`, "execute_command": `{"command":"true","cwd":"a"}`} {
		if got := c.refused(tool, arguments); got != "a: not a folder" {
			t.Errorf("%s: %s", tool, got)
		}
	}
}
