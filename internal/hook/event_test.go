package hook

import (
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

func TestNumber(t *testing.T) {
	for value, want := range map[string]int{
		"": 7, "null": 0, "12": 12, "12.9": 12, "-3": -3, "1e300": 7, "-1e300": 7, `"12"`: 7, "[1]": 7, "1e999": 7,
	} {
		if got := (object{"n": jsontext.Value(value)}).number("m|n", 7); got != want {
			t.Errorf("number of %q = %d, want %d", value, got, want)
		}
	}
}

func TestAgentOf(t *testing.T) {
	for _, test := range []struct {
		event, source string
		camel, timed  bool
		want          int
	}{
		{"PreToolUse", "", false, false, claude},
		{"SessionStart", "resume", false, false, claude},
		{"PreToolUse", "", false, true, vscode},
		{"PreToolUse", "", true, false, vscode},
		{"SessionStart", "new", false, true, vscode},
		{"UserPromptSubmit", "", false, true, vscode},
		{"BeforeTool", "", false, true, gemini},
		{"BeforeAgent", "", false, false, gemini},
		{"SessionStart", "startup", false, true, gemini},
		{"SessionEnd", "", false, true, gemini},
	} {
		if got := agentOf(test.event, test.source, test.camel, test.timed); got != &agents[test.want] {
			t.Errorf("agentOf(%q, %q, %v, %v) = %s, want %s", test.event, test.source, test.camel, test.timed, got.name, agents[test.want].name)
		}
	}
}

func TestNumbered(t *testing.T) {
	for listing, want := range map[string][]piece{
		"     9→a\n    10\tb\n":        {{"f", 9, "a\nb\n"}},
		"\n1→a→b":                      {{"f", 1, "a→b"}},
		"1→a\n3→c\n":                   {{"f", 1, "a\n"}},
		"1→a\n\n2→b\n":                 {{"f", 1, "a\n"}},
		"1→\n2→\r\n":                   {{"f", 1, "\n\r\n"}},
		"1 a\n":                        nil,
		"<error>1→a</error>":           nil,
		"":                             nil,
		"99999999999999999999→a\n":     nil,
		"1→a\n<reminder>\n2→b\n</r>\n": {{"f", 1, "a\n"}},
	} {
		if diff := cmp.Diff(want, numbered("f", listing), cmp.AllowUnexported(piece{})); diff != "" {
			t.Errorf("numbered(%q) (-want +got):\n%s", listing, diff)
		}
	}
}

// endless is an input of more than any event has.
type endless struct{ left int }

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := min(len(p), e.left)
	e.left -= n
	return n, nil
}

func TestTooLarge(t *testing.T) {
	in := &endless{left: maxEvent + 1<<20}
	if _, err := read(in); err == nil || !strings.Contains(err.Error(), "more than 67108864 bytes") {
		t.Errorf("reading gives %v", err)
	}
	if in.left > 0 {
		t.Errorf("%d bytes were not read: an agent that writes on would fail", in.left)
	}
}
