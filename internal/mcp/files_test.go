package mcp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadFile(t *testing.T) {
	root := folder(t, map[string]string{"a.go": "package a\n\nfunc A() {}\n", "dir/ä b.txt": "x\r\ny", "empty": "", "data": "a\x00b"})
	c := connect(t, root)

	r := c.must("read_file", `{"path":"a.go"}`)
	if want := content(t, root, "a.go"); r.text != want || r.at("content") != want {
		t.Errorf("text %q and content %q, want %q", r.text, r.at("content"), want)
	}
	if r.at("path") != "a.go" || r.at("total_lines") != 3.0 || r.at("metadata", "tool_name") != "read_file" {
		t.Errorf("structured content %s", r.raw)
	}
	r = c.must("read_file", fmt.Sprintf(`{"path":%q,"start_line":2,"end_line":2}`, filepath.Join(root, "dir/ä b.txt")))
	if r.text != "y" || r.at("path") != "dir/ä b.txt" {
		t.Errorf("got %q of %v", r.text, r.at("path"))
	}
	if r = c.must("read_file", `{"path":"./dir/../empty","start_line":null}`); r.text != "" || r.at("path") != "empty" {
		t.Errorf("got %q of %v", r.text, r.at("path"))
	}
	r = c.must("read_file", fmt.Sprintf(`{"path":"file://%s/dir/%%C3%%A4%%20b.txt","end_line":1}`, root))
	if r.text != "x\r\n" || r.at("path") != "dir/ä b.txt" {
		t.Errorf("by URI: got %q of %v", r.text, r.at("path"))
	}
	for arguments, want := range map[string]string{
		`{"path":"missing.go"}`:                       "no such file",
		`{"path":"dir"}`:                              "dir is a directory",
		`{"path":"../x"}`:                             "outside",
		`{"path":".acode/lock"}`:                      "belongs to acode-ls",
		`{"path":"a.go","start_line":9}`:              "9",
		`{"path":"a.go\u0000"}`:                       "read_file: path has a zero byte",
		`{"path":""}`:                                 "read_file: path is empty",
		`{"path":"a.go","start_line":2,"end_line":1}`: "2",
	} {
		if got := c.refused("read_file", arguments); !strings.Contains(got, want) {
			t.Errorf("read_file %s: %s, want %q", arguments, got, want)
		}
	}
}

func TestReadHints(t *testing.T) {
	var b strings.Builder
	b.WriteString("package a\n")
	for i := range 900 {
		fmt.Fprintf(&b, "\n// F%d does it.\nfunc F%d() {}\n", i, i)
	}
	c := connect(t, folder(t, map[string]string{"a.go": b.String()}))
	r := c.must("read_file", `{"path":"a.go"}`)
	omissions, _ := r.at("metadata", "omissions").([]any)
	if len(omissions) == 0 {
		t.Fatalf("nothing is omitted: %s", r.raw)
	}
	first, _ := omissions[0].(map[string]any)
	declared, _ := first["signatures"].([]any)
	if len(declared) == 0 {
		t.Fatalf("no signatures: %v", first)
	}
	signature, _ := declared[0].(map[string]any)
	read, _ := signature["read"].(map[string]any)
	if read["path"] != "a.go" || read["start_line"] != signature["start_line"] || len(read) != 3 {
		t.Errorf("read hint %v of %v", read, signature)
	}
}

func TestEditFile(t *testing.T) {
	text := "one\ntwo\nthree\nfour\n"
	for _, test := range []struct {
		name, arguments, want, text string
	}{
		{"by text", `{"path":"a","edits":[{"old_text":"two","new_text":"2"},{"old_text":"2\nthree","new_text":"2\n3"}]}`, "one\n2\n3\nfour\n", "Edited a: 2 edits.\n"},
		{"by lines", `{"path":"a","edits":[{"start_line":2,"end_line":3,"new_text":"x\n"}]}`, "one\nx\nfour\n", "Edited a: 1 edit.\n"},
		{"insert", `{"path":"a","edits":[{"start_line":1,"end_line":0,"new_text":"zero\n"}]}`, "zero\none\ntwo\nthree\nfour\n", "Edited a: 1 edit.\n"},
		{"whole numbers", `{"path":"a","edits":[{"start_line":1.0,"end_line":1e0,"new_text":""}]}`, "two\nthree\nfour\n", "Edited a: 1 edit.\n"},
		{"all", `{"path":"a","edits":[{"old_text":"o","new_text":"0","replace_all":true}]}`, "0ne\ntw0\nthree\nf0ur\n", "Edited a: 1 edit.\n"},
		{"dry run", `{"path":"a","dry_run":true,"edits":[{"old_text":"two","new_text":"2"}]}`, text, "The edit of a would be allowed; nothing was changed.\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := folder(t, map[string]string{"a": text})
			c := connect(t, root)
			c.must("read_file", `{"path":"a"}`)
			r := c.must("edit_file", test.arguments)
			if got := content(t, root, "a"); got != test.want || r.text != test.text {
				t.Errorf("file %q and text %q, want %q and %q", got, r.text, test.want, test.text)
			}
			if sum, ok := r.at("sha256", "a").(string); test.name != "dry run" && (!ok || len(sum) != 64) {
				t.Errorf("no sum of a: %s", r.raw)
			}
		})
	}
}

func TestBlock(t *testing.T) {
	root := folder(t, map[string]string{"a": numbered(200)})
	c := connect(t, root)
	c.must("read_file", `{"path":"a","start_line":1,"end_line":100}`)
	arguments := `{"path":"a","edits":[{"start_line":100,"end_line":102,"new_text":"x\n"}]}`
	got := c.refused("edit_file", arguments)
	message, expanded, _ := strings.Cut(got, "\n")
	if message != "Lines 101-102 were not read. Read that range first." {
		t.Errorf("first line %q", message)
	}
	if want := "   101\tline xx\n   102\tline xxx\nThese lines count as read now: send the same edit again.\n"; expanded != want {
		t.Errorf("expanded %q, want %q", expanded, want)
	}
	if content(t, root, "a") != numbered(200) {
		t.Error("the file was changed")
	}
	if r := c.must("edit_file", arguments); r.text != "Edited a: 1 edit.\n" {
		t.Errorf("the second time: %q", r.text)
	}
	if got := c.refused("write_file", `{"path":"a","content":""}`); !strings.HasPrefix(got, "Line") && !strings.HasPrefix(got, "File") {
		t.Errorf("write_file: %s", got)
	}
}

func TestBlocksOfSeveralFiles(t *testing.T) {
	root := folder(t, map[string]string{"a": "1\n2\n", "b": "1\n2\n", "c": "1\n2\n"})
	c := connect(t, root)
	c.must("read_file", `{"path":"c"}`)
	r := c.call("apply_workspace_edit", `{"edit":{"changes":{
		"a":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"newText":"x"}],
		"b":[{"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":1}},"newText":"x"}],
		"c":[{"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":1}},"newText":"x"}]}}}`)
	want := "File has not been read — use read_file with target line range first.\n(a)\n" +
		"b: File has not been read — use read_file with target line range first.\na:\n"
	if !r.isError || !strings.HasPrefix(r.text, want) || !strings.Contains(r.text, "\nb:\n") || !strings.HasSuffix(r.text, "\nThese lines count as read now: send the same edit again.\n") {
		t.Errorf("got %q", r.text)
	}
	if content(t, root, "c") != "1\n2\n" {
		t.Error("one of the files was changed")
	}
}

func TestStale(t *testing.T) {
	root := folder(t, map[string]string{"a": "1\n2\n3\n"})
	c := connect(t, root)
	sum := c.must("read_file", `{"path":"a"}`).at("sha256")
	put(t, root, "a", "1\nzwei\n3\n")
	got := c.refused("edit_file", fmt.Sprintf(`{"path":"a","expected_sha256":%q,"edits":[{"old_text":"1","new_text":"one"}]}`, sum))
	if !strings.Contains(got, "no longer has the expected content") {
		t.Errorf("with the old sum: %s", got)
	}
	r := c.must("edit_file", `{"path":"a","edits":[{"old_text":"1","new_text":"one"}]}`)
	if !strings.HasPrefix(r.text, "Edited a: 1 edit.\nYou last saw this file") {
		t.Errorf("no warning: %q", r.text)
	}
}

func TestWholeFiles(t *testing.T) {
	root := folder(t, map[string]string{"a": "1\n", "b": "2\n"})
	c := connect(t, root)
	if r := c.must("write_file", `{"path":"new/ü.txt","content":"x"}`); r.text != "Wrote new/ü.txt.\n" || r.at("sha256", "new/ü.txt") == nil {
		t.Errorf("write_file: %q, %s", r.text, r.raw)
	}
	if got := content(t, root, "new/ü.txt"); got != "x" {
		t.Errorf("wrote %q", got)
	}
	if r := c.must("rename_file", `{"path":"new/ü.txt","new_path":"c"}`); r.text != "Renamed new/ü.txt to c.\n" {
		t.Errorf("rename_file: %q", r.text)
	}
	if got := c.refused("rename_file", `{"path":"c","new_path":"b"}`); !strings.Contains(got, "exists") {
		t.Errorf("rename_file to a file that is there: %s", got)
	}
	if got := c.refused("rename_file", `{"path":"c","new_path":"b","overwrite":true}`); !strings.Contains(got, "read") {
		t.Errorf("rename_file over a file that was not read: %s", got)
	}
	if got := c.refused("delete_file", `{"path":"a"}`); !strings.Contains(got, "read") {
		t.Errorf("delete_file of a file that was not read: %s", got)
	}
	c.must("read_file", `{"path":"a"}`)
	if r := c.must("delete_file", `{"path":"a"}`); r.text != "Deleted a.\n" {
		t.Errorf("delete_file: %q", r.text)
	}
	if _, err := os.Stat(filepath.Join(root, "a")); !os.IsNotExist(err) {
		t.Errorf("a is still there: %v", err)
	}
	for tool, arguments := range map[string]string{
		"write_file":  `{"path":"../x","content":""}`,
		"delete_file": `{"path":"/"}`,
		"rename_file": `{"path":"b","new_path":"/x"}`,
	} {
		c.refused(tool, arguments)
	}
}

func TestWorkspaceEdit(t *testing.T) {
	root := folder(t, map[string]string{"a": "1\n", "ä": "1\n"})
	c := connect(t, root)
	c.must("read_file", `{"path":"a"}`)
	c.must("read_file", `{"path":"ä"}`)
	edit := `[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"newText":"\u0000uri"}]`
	r := c.must("apply_workspace_edit", fmt.Sprintf(`{"edit":{"documentChanges":[
		{"textDocument":{"uri":"a","version":null},"edits":%s},
		{"textDocument":{"uri":"file://%s/%%C3%%A4","version":null},"edits":%[1]s},
		{"kind":"create","uri":"new"},{"kind":"rename","oldUri":"a","newUri":"b"}]}}`, strings.Replace(edit, `\u0000`, "", 1), root))
	if r.text != "Applied the edit.\n" || content(t, root, "b") != "uri\n" || content(t, root, "ä") != "uri\n" {
		t.Errorf("%q, b %q, ä %q", r.text, content(t, root, "b"), content(t, root, "ä"))
	}
	if r.at("sha256", "ä") == nil {
		t.Errorf("sums %v", r.at("sha256"))
	}
	for arguments, want := range map[string]string{
		`{"edit":[]}`: "apply_workspace_edit: edit must be an object, not a list",
		`{}`:          "apply_workspace_edit: edit is missing",
		`{"edit":{"documentChanges":[{"kind":"x"}]}}`: "x",
		`{"edit":{"changes":7}}`:                      "changes",
	} {
		if got := c.refused("apply_workspace_edit", arguments); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %q", arguments, got, want)
		}
	}
}

func TestState(t *testing.T) {
	c := connect(t, folder(t, map[string]string{"a": numbered(20), "b": "1\n"}))
	if r := c.must("awareness_state", `{}`); r.text != "No file was read." {
		t.Errorf("at the start: %q", r.text)
	}
	c.must("read_file", `{"path":"a","start_line":3,"end_line":5}`)
	c.must("read_file", `{"path":"b"}`)
	r := c.must("awareness_state", `{"path":"a"}`)
	if r.text != "a: partial read, lines 3-5 of 20\n" {
		t.Errorf("got %q", r.text)
	}
	files, _ := r.at("files").([]any)
	if len(files) != 1 {
		t.Fatalf("files %v", files)
	}
	file, _ := files[0].(map[string]any)
	want := map[string]any{
		"path": "a", "state": "partial_read", "stale": false, "total_lines": 20.0, "coverage": 0.15, "rounds": file["rounds"],
		"read_ranges":    []any{map[string]any{"start_line": 3.0, "end_line": 5.0}},
		"unread_ranges":  []any{map[string]any{"start_line": 1.0, "end_line": 2.0}, map[string]any{"start_line": 6.0, "end_line": 20.0}},
		"changed_ranges": []any{},
	}
	if diff := cmp.Diff(want, file); diff != "" {
		t.Errorf("state (-want +got):\n%s", diff)
	}
}

// TestSomeLinesAreMissing does not ask for an edit again that would be refused
// again.
func TestSomeLinesAreMissing(t *testing.T) {
	c := connect(t, folder(t, map[string]string{"a": "1\n2\n", "long": numbered(5000)}))
	whole := `[{"range":{"start":{"line":0,"character":0},"end":{"line":4999,"character":0}},"newText":""}]`
	line := `[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"newText":"x"}]`
	got := c.refused("apply_workspace_edit", `{"edit":{"changes":{"a":`+line+`,"long":`+whole+`}}}`)
	if !strings.HasSuffix(got, "     1\t1\nThese lines count as read now.\n") {
		t.Errorf("got %q", got)
	}
	if got := c.refused("edit_file", `{"path":"long","edits":[{"start_line":1,"end_line":4999,"new_text":""}]}`); strings.Contains(got, "count as read now") {
		t.Errorf("no lines are shown: %q", got)
	}
}

// TestFolders holds what the descriptions say of folders.
func TestFolders(t *testing.T) {
	root := folder(t, map[string]string{"full/a": "1\n", "empty/x": ""})
	if err := os.Remove(filepath.Join(root, "empty", "x")); err != nil {
		t.Fatal(err)
	}
	c := connect(t, root)
	if r := c.must("delete_file", `{"path":"empty"}`); r.text != "Deleted empty.\n" {
		t.Errorf("delete_file: %q", r.text)
	}
	if got := c.refused("delete_file", `{"path":"full"}`); !strings.Contains(got, "is not empty") {
		t.Errorf("delete_file: %s", got)
	}
	if c.must("rename_file", `{"path":"full","new_path":"new/full"}`); content(t, root, "new/full/a") != "1\n" {
		t.Error("the folder was not renamed")
	}
}
