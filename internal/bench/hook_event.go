package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// hookEvent is an event as Claude Code tells it, and a text that the answer or
// what is said about it holds; "" if the answer is to be empty and nothing
// said.
type hookEvent struct {
	name, tool      string
	input, response object
	want            string
}

// denial stands in an answer that keeps the agent from an edit.
const denial = `"permissionDecision":"deny"`

// errUnexpected says that a hook did not answer as it should.
var errUnexpected = errors.New("not what was expected")

// run starts a process for the event and returns how long it took to its end.
func (e hookEvent) run(argv []string, folder, session string) (time.Duration, error) {
	event, err := json.Marshal(object{
		"session_id": session, "cwd": folder, "hook_event_name": e.name, "prompt": "Go on.",
		"tool_name": e.tool, "tool_input": e.input, "tool_response": e.response,
	})
	if err != nil {
		return 0, err
	}
	took, out, said, err := runOnce(argv, folder, event)
	got := out + said
	if err == nil && (e.want == "" && got != "" || !strings.Contains(got, e.want)) {
		err = fmt.Errorf("%s of %s: it answers %q, want %q: %w", e.name, e.tool, got, e.want, errUnexpected)
	}
	return took, err
}

// runOnce runs a process with an input.
func runOnce(argv []string, folder string, in []byte) (took time.Duration, out, said string, err error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = folder, bytes.NewReader(in), &stdout, &stderr
	start := time.Now()
	err = cmd.Run()
	took = time.Since(start)
	if err != nil {
		err = fmt.Errorf("%s: %v: %s", filepath.Base(argv[0]), err, bytes.TrimSpace(stderr.Bytes()))
	}
	return took, stdout.String(), stderr.String(), err
}
