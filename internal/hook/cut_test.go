package hook_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/acode-ls/acode-ls/internal/hook"
)

// TestCut sees that of a response of which the model was shown a part nothing
// is credited, and of one that was shown whole everything.
func TestCut(t *testing.T) {
	lines := func(n int, text string) string { return strings.Repeat(text+"\n", n) }
	small, large, wide := "one\ntwo\n", lines(1000, strings.Repeat("x", 44)), lines(1000, strings.Repeat("é", 25))
	found := func(path, text string) string {
		var b strings.Builder
		n := 0
		for line := range strings.Lines(text) {
			n++
			fmt.Fprintf(&b, "%s:%d:%s", path, n, line)
		}
		return b.String()
	}
	bash := func(path, response string) string {
		return `{"session_id":"s","cwd":"$ROOT","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"cat ` + path + `"},"tool_response":` + response + `}`
	}
	grep := func(path, text string) string {
		return `{"session_id":"s","cwd":"$ROOT","hook_event_name":"PostToolUse","tool_name":"Grep","tool_input":{"pattern":"."},` +
			`"tool_response":{"mode":"content","content":` + quote(found(path, text)) + `}}`
	}
	gemini := func(path, text string) string {
		return `{"session_id":"s","cwd":"$ROOT","hook_event_name":"AfterTool","tool_name":"run_shell_command","tool_input":{"command":"cat ` + path + `"},` +
			`"tool_response":{"llmContent":` + quote("Output: "+text+"Exit Code: 0") + `}}`
	}
	stdout := func(text string) string { return `{"stdout":` + quote(text) + `,"stderr":"","interrupted":false` }
	const persisted = "<persisted-output>\nOutput too large (51.2KB). Full output saved to: /x\n\nPreview (first 2KB):\n"
	for name, test := range map[string]struct {
		event string
		want  string // ranges of the file
	}{
		"whole":                  {bash("small", stdout(small)+`}`), " 1-2"},
		"nothing to tell of":     {bash("small", stdout(small)+`,"persistedOutputPath":"","persistedOutputSize":0,"rawOutputPath":null,"truncated":false}`), " 1-2"},
		"persisted":              {bash("small", stdout(small)+`,"persistedOutputPath":"/x/tool-results/b1.txt","persistedOutputSize":51200}`), ""},
		"persisted, a size":      {bash("small", stdout(small)+`,"persistedOutputSize":51200}`), ""},
		"persisted, raw":         {bash("small", stdout(small)+`,"rawOutputPath":"/x"}`), ""},
		"said to be truncated":   {bash("small", stdout(small)+`,"truncated":true}`), ""},
		"a preview":              {bash("small", quote(persisted+small+"...\n</persisted-output>")), ""},
		"a preview in a list":    {bash("small", `[{"type":"text","text":`+quote(persisted+small)+`}]`), ""},
		"a preview of a listing": {`{"session_id":"s","cwd":"$ROOT","hook_event_name":"PostToolUse","tool_name":"Read","tool_input":{"file_path":"small"},"tool_response":{"type":"text","truncated":true,"file":{"filePath":"small","content":"one\ntwo"}}}`, ""},
		"long":                   {bash("large", stdout(large)+`}`), ""},
		"long in bytes alone":    {bash("wide", stdout(wide)+`}`), " 1-1000"},
		"long with errors":       {bash("wide", `{"stdout":`+quote(wide)+`,"stderr":`+quote(lines(100, strings.Repeat("e", 60)))+`}`), ""},
		"hits":                   {grep("small", small), " 1-2"},
		"many hits":              {grep("wide", wide), ""},
		"Gemini, whole":          {gemini("wide", wide), " 1-1000"},
		"Gemini, long":           {gemini("large", large), ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"small": small, "large": large, "wide": wide})
			if answer, told := w.run(test.event, hook.Options{}); answer+told != "" {
				t.Fatalf("it answers %q and tells %q", answer, told)
			}
			_, got, _ := strings.Cut(w.state(), "_read")
			if got = strings.TrimSuffix(got, "\n"); got != test.want {
				t.Errorf("lines%s were credited, want%s", got, test.want)
			}
		})
	}
}
