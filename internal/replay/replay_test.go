package replay_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/replay"
)

// talk is a recorded conversation in the making.
type talk struct {
	lines []string
	side  map[string]any // fields of the lines that follow
}

type object = map[string]any

func (c *talk) line(fields object) {
	l := object{"uuid": fmt.Sprintf("%p-%d", c, len(c.lines)), "sessionId": "s", "cwd": "/w"}
	for _, more := range []object{c.side, fields} {
		for k, v := range more {
			l[k] = v
		}
	}
	raw, err := json.Marshal(l)
	if err != nil {
		panic(err)
	}
	c.lines = append(c.lines, string(raw))
}

// call adds a call of a tool and its result; told may be nil.
func (c *talk) call(tool string, input object, text string, told any) {
	id := fmt.Sprint("id", len(c.lines))
	c.line(object{"type": "assistant", "message": object{"content": []any{
		object{"type": "tool_use", "id": id, "name": tool, "input": input}}}})
	c.line(object{"type": "user", "toolUseResult": told, "message": object{"content": []any{
		object{"type": "tool_result", "tool_use_id": id, "content": text}}}})
}

func (c *talk) read(path string, start, total int, lines ...string) {
	c.call("Read", object{"file_path": path}, "", object{"type": "text", "file": object{
		"filePath": path, "content": strings.Join(lines, "\n"), "startLine": start, "totalLines": total}})
}

func (c *talk) edit(path, old, new string, more object) {
	told := object{"filePath": path, "oldString": old, "newString": new}
	for k, v := range more {
		told[k] = v
	}
	c.call("Edit", object{"file_path": path, "old_string": old, "new_string": new}, "", told)
}

func (c *talk) text() string { return strings.Join(c.lines, "\n") }

// run replays files given as name, content, name, content.
func run(t *testing.T, files ...string) (replay.Report, []string) {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, files[i]), []byte(files[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("TMPDIR", t.TempDir())
	var warned []string
	r, err := replay.Run(context.Background(), []string{dir}, replay.Options{Warn: func(s string) { warned = append(warned, s) }})
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
		t.Errorf("%v is left behind", left)
	}
	return r, warned
}

// figures sums up a report: edits, then each block.
func figures(r replay.Report) string {
	out := []string{fmt.Sprint(r.Edits)}
	for _, b := range r.Blocks {
		out = append(out, fmt.Sprintf("%s %v", b.Reason, b.Unread))
	}
	if r.Unplaced > 0 {
		out = append(out, fmt.Sprintf("%d unplaced", r.Unplaced))
	}
	if r.Drift > 0 {
		out = append(out, fmt.Sprintf("%d drifted", r.Drift))
	}
	return strings.Join(out, ", ")
}

const (
	f    = "/w/f.go"
	abcd = "a\nb\nc\nd\n"
)

func TestConversations(t *testing.T) {
	patchOfC := []any{object{"oldStart": 2, "oldLines": 3, "newStart": 2, "newLines": 3, "lines": []string{" b", "-c", "+C", " d"}}}
	for _, test := range []struct {
		name string
		make func(c *talk)
		want string
	}{
		{"a read line", func(c *talk) {
			c.read(f, 3, 5, "c")
			c.edit(f, "c", "C", object{"originalFile": abcd})
		}, "1"},
		{"an unread line", func(c *talk) {
			c.read(f, 2, 5, "b")
			c.edit(f, "c", "C", object{"originalFile": abcd})
		}, "1, no_coverage [{3 3}]"},
		{"the rendered text of a read", func(c *talk) {
			c.call("Read", object{"file_path": "f.go", "offset": 3}, "     3→c\n     4→d\n", nil)
			c.edit(f, "c", "C", object{"originalFile": abcd})
			c.edit(f, "a", "A", object{"originalFile": "a\nb\nC\nd\n"})
		}, "2, no_coverage [{1 1}]"},
		{"a line that was shown in part", func(c *talk) {
			c.read(f, 3, 5, "c... [truncated]", "d")
			c.edit(f, "c and so on", "C", object{"originalFile": "a\nb\nc and so on\nd\n"})
			c.edit(f, "d", "D", object{"originalFile": "a\nb\nC\nd\n"})
		}, "2, no_coverage [{3 3}]"},
		{"a read of the same result twice in one message", func(c *talk) {
			c.line(object{"type": "assistant", "message": object{"content": []any{
				object{"type": "tool_use", "id": "x", "name": "Read", "input": object{"file_path": f}},
				object{"type": "tool_use", "id": "y", "name": "Read", "input": object{"file_path": "/w/g"}}}}})
			c.line(object{"type": "user", "message": object{"content": []any{
				object{"type": "tool_result", "tool_use_id": "y", "content": []any{object{"type": "text", "text": "1→g"}}},
				object{"type": "tool_result", "tool_use_id": "x", "content": "3→c"}}}})
			c.edit(f, "c", "C", object{"originalFile": abcd})
		}, "1"},
		{"a failed read", func(c *talk) {
			c.line(object{"type": "assistant", "message": object{"content": []any{
				object{"type": "tool_use", "id": "x", "name": "Read", "input": object{"file_path": f}}}}})
			c.line(object{"type": "user", "toolUseResult": "Error: 3→c", "message": object{"content": []any{
				object{"type": "tool_result", "tool_use_id": "x", "content": "3→c", "is_error": true}}}})
			c.edit(f, "c", "C", object{"originalFile": abcd})
		}, "1, never_read [{3 3}]"},
		{"a tool of another server", func(c *talk) {
			c.call("mcp__x__Read", object{"file_path": f}, "3→c", nil)
			c.edit(f, "c", "C", object{"originalFile": abcd})
		}, "1, never_read [{3 3}]"},
		{"CRLF", func(c *talk) {
			c.read(f, 3, 5, "c\r")
			c.edit(f, "c\r\n", "C\r\n", object{"originalFile": "a\r\nb\r\nc\r\nd\r\n"})
		}, "1"},
		{"no final line end", func(c *talk) {
			c.read(f, 1, 2, "a", "b")
			c.edit(f, "b", "B", object{"originalFile": "a\nb"})
			c.edit(f, "B", "B\nc\n", object{"originalFile": "a\nB"})
		}, "2"},
		{"lines counted without the end", func(c *talk) {
			c.read(f, 3, 4, "c", "d")
			c.edit(f, "d", "D", object{"originalFile": abcd})
		}, "1"},
		{"control characters and a byte order mark", func(c *talk) {
			c.read(f, 1, 4, "\ufeffa\x00", "b\x1b[0m", "c\rc")
			c.edit(f, "c\rc", "C", object{"originalFile": "\ufeffa\x00\nb\x1b[0m\nc\rc\n"})
			c.edit(f, "b\x1b[0m", "b", object{"originalFile": "\ufeffa\x00\nb\x1b[0m\nC\n"})
		}, "2"},
		{"an empty file", func(c *talk) {
			c.read(f, 1, 1, "")
			c.edit(f, "", "a\n", object{"originalFile": ""})
		}, "1"},
		{"a new file", func(c *talk) {
			c.call("Write", object{"file_path": f}, "", object{"type": "create", "filePath": f, "content": abcd, "originalFile": nil})
			c.edit(f, "c", "C", object{"originalFile": abcd})
		}, "1"},
		{"a file that was deleted and made again", func(c *talk) {
			c.edit(f, "c", "C", object{"originalFile": abcd})
			c.call("Write", object{"file_path": f}, "", object{"type": "create", "filePath": f, "content": "x\ny\n"})
			c.edit(f, "y", "Y", object{"originalFile": "x\ny\n"})
		}, "2, never_read [{3 3}]"},
		{"a Write that does not tell what was there, but the difference", func(c *talk) {
			c.read(f, 1, 5, "a", "b")
			c.call("Write", object{"file_path": f}, "", object{"type": "update", "filePath": f, "content": "a\nb\nC\nd\n", "structuredPatch": patchOfC})
		}, "1, no_coverage [{3 3}]"},
		{"an Edit that does not tell what was there, but the difference", func(c *talk) {
			c.read(f, 1, 5, "a")
			c.edit(f, "c", "C", object{"structuredPatch": patchOfC})
			c.edit(f, "d", "D", nil)
		}, "2, no_coverage [{3 3}], no_coverage [{4 4}]"},
		{"an Edit that tells nothing but a snippet", func(c *talk) {
			c.read(f, 1, 5, "a")
			c.call("Edit", object{"file_path": f, "old_string": "c\nd", "new_string": "C\nD"}, "2→b\n3→C\n4→D", nil)
			c.edit(f, "b", "B", nil)
		}, "2, no_coverage [{3 4}]"},
		{"an Edit that tells nothing", func(c *talk) {
			c.read(f, 1, 5, "a")
			c.edit(f, "nowhere", "C", nil)
			c.edit(f, "a", "A", nil)
		}, "1, 1 unplaced"},
		{"the person changed the edit", func(c *talk) {
			c.read(f, 3, 5, "c")
			c.edit(f, "c", "X", object{"originalFile": abcd, "structuredPatch": patchOfC, "userModified": true})
			c.edit(f, "C", "CC", object{"originalFile": "a\nb\nC\nd\n"})
		}, "2"},
		{"a deleted line goes with its end", func(c *talk) {
			c.read(f, 3, 5, "c")
			c.edit(f, "c", "", object{"originalFile": abcd})
			c.edit(f, "d", "D", object{"originalFile": "a\nb\nd\n"})
		}, "2, never_read [{3 3}]"},
		{"replace all", func(c *talk) {
			c.read(f, 1, 5, "x", "b", "x")
			c.edit(f, "x", "y", object{"originalFile": "x\nb\nx\nx\n", "replaceAll": true})
		}, "1, partial_overlap [{4 4}]"},
		{"an edit without effect", func(c *talk) {
			c.edit(f, "c", "c", object{"originalFile": abcd})
		}, "0"},
		{"lines sent along count as seen", func(c *talk) {
			c.edit(f, "c", "C", object{"originalFile": abcd})
			c.edit(f, "C", "c", object{"originalFile": "a\nb\nC\nd\n"})
		}, "2, never_read [{3 3}]"},
		{"too many lines to be sent along", func(c *talk) {
			many := strings.Repeat("x\n", 60)
			c.read(f, 1, 62, "a")
			c.edit(f, many, "y\n", object{"originalFile": "a\n" + many})
			c.edit(f, "y", "z", object{"originalFile": "a\ny\n"})
		}, "2, no_coverage [{2 61}]"},
		{"a placeholder of redaction", func(c *talk) {
			c.read(f, 1, 5, "a", "b", "c", "d")
			c.edit(f, "c", "[REDACTED: password]", object{"originalFile": abcd})
			c.edit(f, "b\n", "B\n", object{"originalFile": "a\nb\n[REDACTED: password]\nd\n"})
		}, "2, placeholder []"},
		{"others swap lines that were seen", func(c *talk) {
			c.read(f, 1, 6, "a", "b", "c", "d", "e")
			c.edit(f, "e", "E", object{"originalFile": "d\na\nb\nc\ne\n"})
			c.edit(f, "d", "D", object{"originalFile": "d\na\nb\nc\nE\n"})
		}, "2, no_coverage [{1 1}], 1 drifted"},
		{"others swap lines of which one was seen", func(c *talk) {
			c.read(f, 1, 6, "a", "b", "c", "d", "e")
			c.edit(f, "e", "E", object{"originalFile": "d\nn\na\nb\nc\ne\n"})
			c.edit(f, "d\nn", "D", object{"originalFile": "d\nn\na\nb\nc\nE\n"})
		}, "2, no_coverage [{1 2}]"},
		{"the person changed more than the agent meant to", func(c *talk) {
			c.read(f, 3, 5, "c")
			c.edit(f, "c", "X", object{"originalFile": abcd, "userModified": true, "structuredPatch": []any{object{
				"oldStart": 2, "oldLines": 2, "newStart": 2, "newLines": 2, "lines": []string{"-b", "-c", "+B", "+C"}}}})
		}, "1"},
		{"lines above come unseen, and nothing tells how many lines there are", func(c *talk) {
			c.read(f, 1, 5, "a", "b", "c", "d", "")
			c.edit(f, "a", "A", nil)
			c.call("Read", object{"file_path": f}, "     3→A\n     4→b\n", nil)
			c.edit(f, "d", "D", nil)
		}, "2"},
		{"a snippet of other lines", func(c *talk) {
			c.call("Edit", object{"file_path": f}, "1→other\n2→b", object{"filePath": f, "oldString": "c", "newString": "C", "originalFile": abcd})
			c.edit(f, "b", "B", object{"originalFile": "a\nb\nC\nd\n"})
			c.edit(f, "a", "A", object{"originalFile": "a\nB\nC\nd\n"})
		}, "3, never_read [{3 3}], no_coverage [{1 1}]"},
		{"attachments", func(c *talk) {
			c.line(object{"type": "attachment", "attachment": object{"type": "file", "filename": f, "content": object{
				"type": "text", "file": object{"filePath": f, "content": "c", "startLine": 3, "totalLines": 5}}}})
			c.line(object{"type": "attachment", "attachment": object{"type": "edited_text_file", "filename": f, "snippet": "1→a"}})
			c.edit(f, "c", "C", object{"originalFile": abcd})
			c.edit(f, "a", "A", object{"originalFile": "a\nb\nC\nd\n"})
			c.edit(f, "d", "D", object{"originalFile": "A\nb\nC\nd\n"})
		}, "3, no_coverage [{4 4}]"},
		{"a notebook", func(c *talk) {
			nb := func(cell string) string { return "{\n \"cells\": [\n  \"" + cell + "\"\n ]\n}" }
			c.call("Read", object{"file_path": "/w/n.ipynb"}, "", object{"type": "notebook", "file": object{"filePath": "/w/n.ipynb", "cells": []any{}}})
			for _, path := range []string{"/w/n.ipynb", "/w/other.ipynb"} {
				c.call("NotebookEdit", object{"notebook_path": path}, "", object{
					"notebook_path": path, "original_file": nb("x"), "updated_file": nb("y")})
			}
		}, "2, never_read [{3 3}]"},
		{"a search of one file", func(c *talk) {
			c.call("Grep", object{"path": "f.go", "output_mode": "content"}, "3:c\n4-d", object{"mode": "content"})
			c.edit(f, "c\nd", "C", object{"originalFile": abcd})
		}, "1"},
		{"a search of before a formatter ran", func(c *talk) {
			c.edit(f, "a", "A", object{"originalFile": abcd})
			c.call("Grep", object{"output_mode": "content"}, "f.go:3:c", nil)
			c.call("Bash", object{"command": "sed -n 5p f.go"}, "", object{"stdout": "d"})
			c.edit(f, "c\nd", "C", object{"originalFile": "A\nnew\nb\nc\nd\n"})
		}, "2, never_read [{1 1}]"},
		{"a command that was interrupted", func(c *talk) {
			c.call("Bash", object{"command": "cat f.go"}, "", object{"stdout": "a\nb\nc\nd", "interrupted": true})
			c.edit(f, "c", "C", object{"originalFile": abcd})
		}, "1, never_read [{3 3}]"},
		{"sub-agents", func(c *talk) {
			c.side = object{"isSidechain": true, "parentUuid": nil}
			c.read(f, 3, 5, "c")
			c.side = object{"agentId": "b"}
			c.read(f, 4, 5, "d")
			c.edit(f, "d", "D", object{"originalFile": abcd})
			c.side = nil
			c.edit(f, "c", "C", object{"originalFile": "a\nb\nc\nD\n"})
		}, "2, never_read [{3 3}]"},
		{"names that lead elsewhere", func(c *talk) {
			for _, path := range []string{"/../../f", "../../../../etc/f", "/w/\x00", strings.Repeat("/long", 2000), "/w/.acode/sessions/x", "/w/.git/HEAD", "/w/F.go", "/w/f.go", "C:\\f", "/w/.agent/config.yml"} {
				c.read(path, 3, 5, "c")
				c.edit(path, "c", "C", object{"originalFile": abcd})
				c.edit(path, "d", "D", object{"originalFile": "a\nb\nC\nd\n"})
			}
		}, "20" + strings.Repeat(", no_coverage [{4 4}]", 10)},
		{"claims that cannot be", func(c *talk) {
			c.read(f, -5, -9, "a")
			c.read(f, 1<<40, 1<<50, "a")
			c.edit(f, "c", "C", object{"originalFile": abcd, "structuredPatch": []any{object{"oldStart": -1 << 40, "oldLines": 1 << 40, "lines": []string{"", "x"}}}})
		}, "1, no_coverage [{3 3}]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var c talk
			test.make(&c)
			r, _ := run(t, "c.jsonl", c.text())
			if diff := cmp.Diff(test.want, figures(r)); diff != "" {
				t.Errorf("figures (-want +got):\n%s", diff)
				for _, b := range r.Blocks {
					t.Logf("%s:%d %s\n%s", b.Path, b.Line, b.Message, b.Explanation)
				}
			}
		})
	}
}

// TestGoneUnseen has a line taken out above what the agent is shown; which one
// turns out later.
func TestGoneUnseen(t *testing.T) {
	lines := []string{"a", "b", "c"}
	for i, seen := range lines {
		for j, gone := range lines {
			if i == j {
				continue
			}
			var c talk
			c.read(f, i+1, 7, seen)
			c.read(f, 6, 7, "f")
			c.edit(f, "f", "F", object{"originalFile": "a\nb\nc\nd\ne\nf\n"})
			c.read(f, 3, 6, "d")
			c.edit(f, seen, "X", object{"originalFile": strings.Replace("a\nb\nc\nd\ne\nF\nnew\nnewer\n", gone+"\n", "", 1)})
			if r, _ := run(t, "c.jsonl", c.text()); figures(r) != "2" {
				t.Errorf("%s was seen and %s is gone: %s", seen, gone, figures(r))
			}
		}
	}
}

// TestNobodyElse has nothing in it that somebody else did.
func TestNobodyElse(t *testing.T) {
	var c talk
	c.read(f, 3, 4, "c")
	c.edit(f, "c", "", object{"originalFile": abcd})
	c.read(f, 2, 3, "b")
	c.edit(f, "a", "A", object{"originalFile": "a\nb\nd\n"})
	r, _ := run(t, "c.jsonl", c.text())
	if len(r.Blocks) != 1 || strings.Contains(r.Blocks[0].Explanation, "somebody else") {
		t.Errorf("blocks %+v", r.Blocks)
	}
}

func TestTrajectory(t *testing.T) {
	state := `{"open_file": "/w/f", "working_dir": "/w"}`
	window := "[File: /w/f (9 lines total)]\n1:a\n2:b\n(7 more lines below)\n"
	for _, test := range []struct {
		name  string
		steps []object
		want  string
	}{
		{"a search", []object{
			{"action": "search_file x", "observation": "Found 1 matches for \"x\" in /w/f:\nLine 7:x\nEnd of matches", "state": state},
			{"action": "edit 7:7\ny\nend_of_edit", "observation": window + "File updated", "state": state},
			{"action": "edit 8:8\ny\nend_of_edit", "observation": window + "File updated", "state": state},
		}, "2, no_coverage [{8 8}]"},
		{"lines are taken out and put in", []object{
			{"action": "open f", "observation": window, "state": state},
			{"action": "edit 1:2\nend_of_edit", "observation": "[File: /w/f (7 lines total)]\n(7 more lines below)\nFile updated", "state": object{"open_file": "/w/f"}},
			{"action": "edit 1:1\nnew\nend_of_edit", "observation": "File updated", "state": state},
		}, "2, never_read [{1 1}]"},
		{"an edit that was refused", []object{
			{"action": "open f", "observation": window, "state": state},
			{"action": "edit 5:5\n(\nend_of_edit", "observation": "Your proposed edit has introduced new syntax error(s).\n[File: /w/f (9 lines total)]\n5:(\nThis is the original code\n[File: /w/f (9 lines total)]\n5:e", "state": state},
			{"action": "edit 5:5\ny\nend_of_edit", "observation": window + "File updated", "state": state},
		}, "1"},
		{"steps of other kinds", []object{
			{"action": 5, "observation": []any{}, "state": 1},
			{"action": "edit", "observation": "File updated"},
			{"action": "edit 9:1\nx\nend_of_edit", "observation": "File updated", "state": state},
			{"action": "edit -1:x\n", "observation": "File updated", "state": state},
			{"action": "str_replace_editor view", "observation": "1\ta"},
			{"action": "str_replace_editor insert /w/g --insert_line x --new_str y", "observation": "has been edited"},
			{"action": "str_replace_editor undo_edit /w/g", "observation": "has been edited"},
		}, "0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			raw, err := json.Marshal(object{"info": object{}, "trajectory": test.steps, "history": []any{}})
			if err != nil {
				t.Fatal(err)
			}
			r, _ := run(t, "c.traj", string(raw))
			if diff := cmp.Diff(test.want, figures(r)); diff != "" {
				t.Errorf("figures (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRunErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := replay.Run(context.Background(), []string{dir}, replay.Options{}); !errors.Is(err, replay.ErrNothing) {
		t.Errorf("an empty folder: %v", err)
	}
	if _, err := replay.Run(context.Background(), []string{filepath.Join(dir, "nope")}, replay.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	var c talk
	c.edit(f, "c", "C", object{"originalFile": abcd})
	file := filepath.Join(dir, "c.jsonl")
	if err := os.WriteFile(file, []byte(c.text()), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := replay.Run(ctx, []string{file}, replay.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled replay: %v", err)
	}
}

// TestFilesOfOneConversation has a sub-agent in a file of its own, whose lines
// lie between those of the other.
func TestFilesOfOneConversation(t *testing.T) {
	at := func(minute int) object { return object{"timestamp": fmt.Sprintf("2026-01-01T10:%02d:00.000Z", minute)} }
	var main, sub talk
	main.side = at(1)
	main.read(f, 1, 5, "a", "b", "c", "d")
	main.side = at(3)
	main.edit(f, "new", "NEW", object{"originalFile": "new\na\nb\nc\nd\n"})
	sub.side = object{"isSidechain": true, "agentId": "x", "timestamp": at(2)["timestamp"]}
	sub.edit(f, "a", "new\na", object{"originalFile": abcd})
	r, _ := run(t, "1.jsonl", main.text(), "2.jsonl", sub.text(), "3.jsonl", main.text())
	if diff := cmp.Diff("2, never_read [{1 1}], no_coverage [{1 1}]", figures(r)); diff != "" || r.Conversations != 1 {
		t.Errorf("%d conversations, figures (-want +got):\n%s", r.Conversations, diff)
	}

	// A conversation that was resumed under another name begins with the same line.
	resumed := strings.ReplaceAll(main.text(), `"sessionId":"s"`, `"sessionId":"t"`)
	r, _ = run(t, "1.jsonl", main.text(), "2.jsonl", resumed)
	if r.Conversations != 1 || r.Edits != 1 {
		t.Errorf("%d conversations with %d edits, want 1 with 1", r.Conversations, r.Edits)
	}
}

func FuzzRun(f *testing.F) {
	for _, sample := range []string{"broken.jsonl", "sub-agent.jsonl", "window.traj", "editor.traj", "bash.jsonl"} {
		content, err := os.ReadFile(filepath.Join("..", "..", "testdata", "transcripts", sample))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content, strings.HasSuffix(sample, ".traj"))
	}
	f.Fuzz(func(t *testing.T, content []byte, trajectory bool) {
		file := filepath.Join(t.TempDir(), "c.jsonl")
		if trajectory {
			file = filepath.Join(t.TempDir(), "c.traj")
		}
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := replay.Run(context.Background(), []string{file}, replay.Options{})
		if err != nil && !errors.Is(err, replay.ErrNothing) {
			t.Fatal(err)
		}
		if r.Blocked != len(r.Blocks) || r.Blocked > r.Edits || r.Resolved > r.Blocked {
			t.Errorf("%d edits, %d blocked, %d resolved, %d blocks", r.Edits, r.Blocked, r.Resolved, len(r.Blocks))
		}
	})
}
