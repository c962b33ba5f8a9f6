package hook_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/acode-ls/acode-ls/internal/hook"
)

// BenchmarkRun answers events as a process does that is started for each, from
// the opening of the workspace to its end.
func BenchmarkRun(b *testing.B) {
	var file strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&file, "line %d of a file that is not short\n", i)
	}
	w := newWorld(b, map[string]string{"a.txt": file.String()})
	for name, event := range map[string]string{
		"edit":    `{"session_id":"s","cwd":"$ROOT","hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":"a.txt","old_string":"line 40 ","new_string":"x"}}`,
		"shell":   `{"session_id":"s","cwd":"$ROOT","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"sed -n '10,11p' a.txt"},"tool_response":{"stdout":"line 9 of a file that is not short\nline 10 of a file that is not short\n"}}`,
		"nothing": `{"session_id":"s","cwd":"$ROOT","hook_event_name":"PreToolUse","tool_name":"Glob","tool_input":{}}`,
	} {
		event = strings.ReplaceAll(event, "$ROOT", w.root)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				var out, errs bytes.Buffer
				hook.Run(b.Context(), strings.NewReader(event), &out, &errs, hook.Options{Open: open})
				if errs.Len() > 0 {
					b.Fatal(errs.String())
				}
			}
		})
	}
}
