package mcp_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

var sentenceEnd = regexp.MustCompile(`[a-z]\.( |$)`)

func TestTools(t *testing.T) {
	c := connect(t, folder(t, nil))
	listed, err := c.session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range listed.Tools {
		names = append(names, tool.Name)
		checkTool(t, tool)
	}
	slices.Sort(names)
	want := "apply_workspace_edit awareness_state delete_file edit_file execute_command get_artifact git_diff list_artifacts list_directory read_file rename_file run_command search_files write_file"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("tools %s, want %s", got, want)
	}
	if init := c.session.InitializeResult(); len(sentenceEnd.FindAllString(init.Instructions, -1)) != 5 {
		t.Errorf("instructions are not five sentences: %q", init.Instructions)
	}
}

func checkTool(t *testing.T, tool *sdk.Tool) {
	t.Helper()
	if tool.Title == "" || tool.Annotations == nil || tool.Annotations.DestructiveHint == nil || tool.Annotations.OpenWorldHint == nil {
		t.Errorf("%s lacks a title or hints", tool.Name)
	}
	const most = 800 // characters that each conversation pays for
	if n := len(tool.Description); n == 0 || n > most {
		t.Errorf("%s: a description of %d characters", tool.Name, n)
	}
	compile(t, tool.InputSchema)
	var input struct {
		Additional *bool `json:"additionalProperties"`
		Properties map[string]struct{ Description string }
		Required   []string
	}
	raw, err := json.Marshal(tool.InputSchema)
	if err == nil {
		err = json.Unmarshal(raw, &input)
	}
	if err != nil || input.Additional == nil || *input.Additional {
		t.Errorf("%s: input schema %s: %v", tool.Name, raw, err)
	}
	for name, p := range input.Properties {
		if p.Description == "" {
			t.Errorf("%s: %s has no description", tool.Name, name)
		}
	}
	for _, name := range input.Required {
		if _, ok := input.Properties[name]; !ok {
			t.Errorf("%s requires %s, which it does not have", tool.Name, name)
		}
	}
}

// TestBadArguments also holds that whatever the input schema allows is known to
// the tool, and the other way round.
func TestBadArguments(t *testing.T) {
	c := connect(t, folder(t, map[string]string{"a": "1\n"}))
	for _, test := range []struct{ tool, arguments, want string }{
		{"read_file", `{}`, `read_file: path is missing`},
		{"read_file", `{"path":null}`, `read_file: path is missing`},
		{"read_file", `{"path":7}`, `read_file: path must be a string, not 7`},
		{"read_file", `{"path":"a","offset":1}`, `read_file has no argument "offset"; it takes path, start_line, end_line, start_byte, end_byte`},
		{"read_file", `{"path":"a","start_line":0}`, `read_file: start_line is 0, and the least is 1`},
		{"read_file", `{"path":"a","start_line":1.5}`, `read_file: start_line must be a whole number, not 1.5`},
		{"read_file", `{"path":"a","start_line":"1"}`, `read_file: start_line must be a whole number, not "1"`},
		{"read_file", `{"path":"a","start_line":1e300}`, `read_file: start_line must be a whole number, not 1e300`},
		{"read_file", `{"path":"a","start_line":[1]}`, `read_file: start_line must be a whole number, not a list`},
		{"edit_file", `{"path":"a"}`, `edit_file: edits is missing`},
		{"edit_file", `{"path":"a","edits":[]}`, `edit_file: edits is empty`},
		{"edit_file", `{"path":"a","edits":{}}`, `edit_file: edits must be a list, not an object`},
		{"edit_file", `{"path":"a","edits":["x"]}`, `edit_file: edits[0]: the arguments are no object`},
		{"edit_file", `{"path":"a","edits":[{"new_text":"x"}]}`, `edit_file: edits[0]: old_text is missing`},
		{"edit_file", `{"path":"a","edits":[{"old_text":"1"}]}`, `edit_file: edits[0]: new_text is missing`},
		{"edit_file", `{"path":"a","edits":[{"old_text":"1","new_text":"2"},{"start_line":1,"new_text":"x"}]}`, `edit_file: edits[1]: end_line is missing`},
		{"edit_file", `{"path":"a","edits":[{"old_text":"1","start_line":1,"end_line":1,"new_text":"x"}]}`, `edit_file: edits[0]: either old_text, or start_line and end_line`},
		{"edit_file", `{"path":"a","edits":[{"old_text":"1","new_text":"2","all":true}]}`, `edit_file: edits[0] has no argument "all"; it takes old_text, new_text, replace_all`},
		{"edit_file", `{"path":"a","dry_run":"yes","edits":[{"old_text":"1","new_text":"2"}]}`, `edit_file: dry_run must be true or false, not "yes"`},
		{"edit_file", `{"path":"a","expected_sha256":"abc","edits":[{"old_text":"1","new_text":"2"}]}`, `sha256 "abc" is not 64 hexadecimal digits`},
		{"write_file", `{"path":"a"}`, `write_file: content is missing`},
		{"rename_file", `{"path":"a"}`, `rename_file: new_path is missing`},
		{"git_diff", `{"paths":["a",1]}`, `git_diff: paths[1] must be a string, not 1`},
		{"git_diff", `{"base":""}`, `git_diff: base is empty`},
		{"search_files", `{"pattern":""}`, `search_files: pattern is empty`},
		{"list_directory", `{"depth":101}`, `list_directory: depth is 101, and the most is 100`},
		{"execute_command", `{"command":""}`, `execute_command: command is empty`},
		{"execute_command", `{"command":"x","timeout_ms":0}`, `execute_command: timeout_ms is 0, and the least is 1`},
		{"run_command", `{"command":"x","timeout_ms":3600001}`, `run_command: timeout_ms is 3600001, and the most is 3600000`},
		{"get_artifact", `{"id":""}`, `get_artifact: id is empty`},
		{"awareness_state", `[]`, `awareness_state: the arguments are no object`},
	} {
		if got := c.refused(test.tool, test.arguments); got != test.want {
			t.Errorf("%s %s:\n%s\nwant\n%s", test.tool, test.arguments, got, test.want)
		}
	}
	if _, err := c.try(t.Context(), "no_tool", `{}`); err == nil || !strings.Contains(err.Error(), `unknown tool "no_tool"`) {
		t.Errorf("a tool that is not there: %v", err)
	}
}

// TestSchemaAndArguments sends each argument of a schema alone with a wrong
// value: the tool must know it.
func TestSchemaAndArguments(t *testing.T) {
	c := connect(t, folder(t, nil))
	listed, err := c.session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range listed.Tools {
		schema, _ := tool.InputSchema.(map[string]any)
		properties, _ := schema["properties"].(map[string]any)
		got := c.refused(tool.Name, `{"no such argument":1`+requiredFor(tool)+`}`)
		_, list, _ := strings.Cut(got, "it takes ")
		known := strings.Split(list, ", ")
		var want []string
		for name := range properties {
			want = append(want, name)
		}
		slices.Sort(known)
		slices.Sort(want)
		if !slices.Equal(known, want) {
			t.Errorf("%s takes %v, its schema has %v", tool.Name, known, want)
		}
	}
}

// requiredFor gives the arguments that a tool cannot do without.
func requiredFor(tool *sdk.Tool) string {
	schema, _ := tool.InputSchema.(map[string]any)
	required, _ := schema["required"].([]any)
	var b strings.Builder
	for _, name := range required {
		value := `"x"`
		switch name {
		case "edits":
			value = `[{"old_text":"x","new_text":"y"}]`
		case "edit":
			value = `{}`
		}
		b.WriteString(`,"` + name.(string) + `":` + value)
	}
	return b.String()
}
