package hook_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/acode-ls/acode-ls/internal/hook"
)

const preEdit = `{"session_id":"s","cwd":"$ROOT","hook_event_name":"PreToolUse","tool_name":"Edit",` +
	`"tool_input":{"file_path":"a.txt","old_string":"a","new_string":"b"}}`

// TestLeftAlone holds what is not understood to an empty answer and one line.
func TestLeftAlone(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "a\n"})
	for name, test := range map[string]struct{ event, told string }{
		"nothing":             {"", "no event"},
		"blanks":              {" \n\t", "no event"},
		"not JSON":            {"{", "decoding the event"},
		"not an object":       {`[1]`, "decoding the event"},
		"null":                {`null`, "no hook_event_name"},
		"no event":            {`{"session_id":"s"}`, "no hook_event_name"},
		"event of no name":    {`{"hook_event_name":5}`, "decoding the event"},
		"unknown event":       {`{"hook_event_name":"Whatever\nelse"}`, `event "Whatever\nelse"`},
		"no tool":             {`{"hook_event_name":"PreToolUse"}`, "names no tool"},
		"unknown tool":        {`{"hook_event_name":"PreToolUse","tool_name":"Frob"}`, `tool "Frob"`},
		"no input":            {`{"hook_event_name":"PreToolUse","tool_name":"Edit","cwd":"$ROOT"}`, "decoding the input"},
		"input of no use":     {`{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":"x","cwd":"$ROOT"}`, "decoding the input"},
		"no file":             {`{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{},"cwd":"$ROOT"}`, "names no file"},
		"no text":             {`{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":"a.txt","old_string":1},"cwd":"$ROOT"}`, "lacks its file"},
		"no content":          {`{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"a.txt"},"cwd":"$ROOT"}`, "has no content"},
		"no edits":            {`{"hook_event_name":"PreToolUse","tool_name":"MultiEdit","tool_input":{"file_path":"a.txt"},"cwd":"$ROOT"}`, "has no edits"},
		"no patch":            {`{"hook_event_name":"PreToolUse","tool_name":"apply_patch","tool_input":{"input":"x"},"cwd":"$ROOT"}`, "names no file"},
		"no notebook":         {`{"hook_event_name":"PreToolUse","tool_name":"NotebookEdit","tool_input":{"notebook_path":"a.txt","cell_id":"a"},"cwd":"$ROOT"}`, "reading the notebook"},
		"no session":          {`{"hook_event_name":"SessionEnd","cwd":"$ROOT"}`, "names no session"},
		"no folder":           {`{"hook_event_name":"UserPromptSubmit","session_id":"s","cwd":"$ROOT/nowhere/at/all"}`, ""},
		"NUL in the path":     {`{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"a\u0000b","content":""},"cwd":"$ROOT"}`, ""},
		"a folder":            {`{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"$ROOT","content":""},"cwd":"$ROOT"}`, "*"},
		"broken surrogates":   {`{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"new.txt","content":"\ud800"},"cwd":"$ROOT"}`, ""},
		"twice":               {`{"hook_event_name":"Stop","hook_event_name":"Stop"}`, ""},
		"wrong response":      {`{"hook_event_name":"PostToolUse","tool_name":"Read","tool_input":{"file_path":"a.txt"},"tool_response":[5,null,{"text":5}],"cwd":"$ROOT"}`, ""},
		"a file that is gone": {`{"hook_event_name":"PostToolUse","tool_name":"Write","tool_input":{"file_path":"gone.txt","content":"x"},"tool_response":{},"cwd":"$ROOT"}`, ""},
		"no response":         {`{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"cat a.txt"},"cwd":"$ROOT"}`, ""},
		"huge numbers":        {`{"hook_event_name":"PostToolUse","tool_name":"Read","tool_input":{"file_path":"a.txt","offset":1e300},"tool_response":{"type":"text","file":{"content":"a","startLine":-1e300}},"cwd":"$ROOT"}`, ""},
		"deep":                {`{"hook_event_name":"PreToolUse","tool_input":` + strings.Repeat("[", 100000), "decoding the event"},
	} {
		t.Run(name, func(t *testing.T) {
			answer, told := w.run(test.event, hook.Options{})
			if answer != "" {
				t.Errorf("it answers %s", answer)
			}
			if strings.Count(told, "\n") > 1 || !strings.Contains(told, test.told) && test.told != "*" || told != "" && test.told == "" {
				t.Errorf("it tells %q, want one line with %q", told, test.told)
			}
		})
	}
}

// silent is a workspace that does not answer.
type silent struct{ asked chan struct{} }

func (s silent) Call(ctx context.Context, _ string, _, _ any) error {
	close(s.asked)
	select {} // not even when ctx ends
}

func (silent) Close() error { return nil }

// TestNoAnswer sees the agent go on when the workspace does not answer.
func TestNoAnswer(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "a\n"})
	asked := make(chan struct{})
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		<-asked
		cancel(errors.New("it takes too long"))
	}()
	var out, errs bytes.Buffer
	hook.Run(ctx, strings.NewReader(strings.ReplaceAll(preEdit, "$ROOT", w.root)), &out, &errs, hook.Options{
		Open: func(string) (hook.Workspace, error) { return silent{asked}, nil },
	})
	if out.Len() > 0 || !strings.Contains(errs.String(), "waiting for the workspace: it takes too long") {
		t.Errorf("it answers %q and tells %q", &out, &errs)
	}
}

// broken is a workspace with a fault.
type broken struct{}

func (broken) Call(context.Context, string, any, any) error { panic("a fault") }
func (broken) Close() error                                 { return nil }

func TestFaults(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "a\n"})
	for want, open := range map[string]func(string) (hook.Workspace, error){
		"opening the workspace: no room": func(string) (hook.Workspace, error) { return nil, errors.New("no\nroom") },
		"a fault of acode-ls":            func(string) (hook.Workspace, error) { return broken{}, nil },
	} {
		var out, errs bytes.Buffer
		hook.Run(t.Context(), strings.NewReader(strings.ReplaceAll(preEdit, "$ROOT", w.root)), &out, &errs, hook.Options{Open: open})
		if out.Len() > 0 || !strings.Contains(errs.String(), want) || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("it answers %q and tells %q, want %q", &out, &errs, want)
		}
	}
}

func quote(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}

// TestSessions sees that any id becomes one that is allowed, and two never the
// same.
func TestSessions(t *testing.T) {
	long := strings.Repeat("x", 200)
	seen := map[string]string{}
	for _, test := range []struct{ given, session, agent string }{
		{"", "abc-1", ""}, {"", "abc-1", "sub"}, {"own", "abc-1", ""}, {"own", "abc-1", "sub"},
		{"", "a/b", ""}, {"", "a-b", ""}, {"", "a b", ""}, {"", "é", ""}, {"", "ü", ""},
		{"", long, ""}, {"", long + "y", ""}, {"", long, "sub"}, {"", "\xff", ""},
	} {
		w := newWorld(t, nil)
		event := map[string]string{"hook_event_name": "SessionStart", "session_id": test.session, "cwd": w.root}
		if test.agent != "" {
			event["agent_id"] = test.agent
		}
		data, err := json.Marshal(event)
		if err != nil {
			t.Fatal(err)
		}
		if _, told := w.run(string(data), hook.Options{Session: test.given}); told != "" {
			t.Errorf("session %q: %s", test.session, told)
		}
		id, agent, _ := strings.Cut(w.state(), " of ")
		if strings.TrimSpace(agent) == "claude-code" != (test.agent == "") {
			t.Errorf("session %q of sub-agent %q is of %q", test.session, test.agent, agent)
		}
		key := test.given + "|" + test.session + "|" + test.agent
		if other, taken := seen[id]; taken && !strings.HasPrefix(key, "own") {
			t.Errorf("sessions %q and %q are both %q", key, other, id)
		}
		seen[id] = key
	}
	if _, ok := seen["own.sub"]; !ok {
		t.Errorf("no session own.sub in %v", seen)
	}
}

// FuzzRun holds the answer to any bytes to nothing or JSON.
func FuzzRun(f *testing.F) {
	w := newWorld(f, map[string]string{"a.txt": "a\nb\n", "n.ipynb": `{"cells":[{"id":"a","source":["x"]}]}`})
	f.Add([]byte(strings.ReplaceAll(preEdit, "$ROOT", w.root)))
	for _, event := range fuzzEvents {
		f.Add([]byte(strings.ReplaceAll(event, "$ROOT", w.root)))
	}
	f.Fuzz(func(t *testing.T, event []byte) {
		var out, errs bytes.Buffer
		hook.Run(t.Context(), bytes.NewReader(event), &out, &errs, hook.Options{Open: open, Root: w.root})
		if out.Len() > 0 && !json.Valid(out.Bytes()) || strings.Contains(errs.String(), "a fault of") || bytes.Count(errs.Bytes(), []byte("\n")) > 1 {
			t.Errorf("Run(%q) answers %q and tells %q", event, &out, &errs)
		}
	})
}

var fuzzEvents = []string{
	`{"hook_event_name":"PostToolUse","tool_name":"Read","tool_input":{"file_path":"n.ipynb"},"tool_response":{"type":"notebook","file":{"cells":[{"cell_id":"a","source":["x"]}]}}}`,
	`{"hook_event_name":"PreToolUse","tool_name":"NotebookEdit","tool_input":{"notebook_path":"$ROOT/n.ipynb","cell_id":"cell-0","new_source":"y"}}`,
	`{"hook_event_name":"PostToolUse","tool_name":"Bash","cwd":"$ROOT","tool_input":{"command":"cat a.txt | head -2"},"tool_response":{"stdout":"a\nb"}}`,
	`{"hook_event_name":"PreToolUse","tool_name":"apply_patch","tool_input":{"input":"*** Begin Patch\n*** Update File: a.txt\n@@\n a\n-b\n+c\n*** End Patch"}}`,
	`{"hook_event_name":"PostToolUse","timestamp":"x","tool_name":"read_file","tool_input":{"filePath":"a.txt"},"tool_response":"File: ` + "`a`. Lines 1 to 2 (2 lines total): \\n```\\na\\nb\\n```" + `"}`,
	`{"hook_event_name":"AfterTool","tool_name":"grep_search","tool_input":{},"tool_response":{"llmContent":"File: a.txt\nL1: a\n"}}`,
	`{"hook_event_name":"AfterTool","tool_name":"run_shell_command","tool_input":{"command":"cat a.txt"},"tool_response":{"llmContent":"Output: a\nb\nExit Code: 0"}}`,
}

// TestPatchAtTheEnd sees a patch found at the end of a file without line end,
// where patches write one.
func TestPatchAtTheEnd(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "one\ntwo"})
	read := `{"session_id":"s","timestamp":"x","cwd":"$ROOT","hook_event_name":"PostToolUse","tool_name":"read_file",` +
		`"tool_input":{"filePath":"a.txt"},"tool_response":"File: ` + "`a`" + `. Lines 1 to 1 (2 lines total): \n` + "```\\none\\n```" + `"}`
	edit := `{"session_id":"s","timestamp":"x","cwd":"$ROOT","hook_event_name":"PreToolUse","tool_name":"apply_patch",` +
		`"tool_input":{"input":"*** Begin Patch\n*** Update File: a.txt\n one\n-two\n+three\n*** End Patch"}}`
	if answer, told := w.run(read, hook.Options{}); answer+told != "" {
		t.Fatal(answer, told)
	}
	answer, told := w.run(edit, hook.Options{})
	if want := "Line 2 was not read. Read that line first."; !strings.Contains(answer, want) && !strings.Contains(answer, "File was partially read") || told != "" {
		t.Errorf("it answers %q and tells %q, want %q", answer, told, want)
	}
	if answer, told = w.run(edit, hook.Options{}); answer+told != "" {
		t.Errorf("again, it answers %q and tells %q", answer, told)
	}
}

// TestLongLines sees that lines which Read cuts are not credited.
func TestLongLines(t *testing.T) {
	long, wide := strings.Repeat("x", 2500), strings.Repeat("é", 1500)
	w := newWorld(t, map[string]string{"a.txt": "one\n" + long + "\n" + wide + "\nfour\n"})
	event := `{"session_id":"s","cwd":"$ROOT","hook_event_name":"PostToolUse","tool_name":"Read","tool_input":{"file_path":"a.txt"},` +
		`"tool_response":{"type":"text","file":{"content":` + quote("one\n"+long+"\n"+wide+"\nfour") + `,"startLine":1}}}`
	if answer, told := w.run(event, hook.Options{}); answer+told != "" {
		t.Fatal(answer, told)
	}
	if got, want := w.state(), "s\n  a.txt partial_read 1-1 3-4\n"; got != want {
		t.Errorf("the state is %q, want %q", got, want)
	}
}
