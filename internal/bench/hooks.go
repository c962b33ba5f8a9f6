package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// hookPlace is a workspace in which hooks are answered.
type hookPlace struct {
	name         string
	folder       string
	small, large document
	p50, p99     bound
	err          error // why hooks cannot be measured in it
}

// hookSession is the session of the agent whose hooks are measured.
const hookSession = "bench"

// hooks measures whole processes of acode-ls hook: with an editor's server,
// without one, and without one where other agents have left much behind, or
// this one has.
func (b *bench) hooks() (*report, error) {
	r := &report{title: "Hooks, whole process"}
	places := []*hookPlace{
		{name: "server", p50: atMost(10), p99: atMost(50)},
		{name: "no server", p99: atMost(80)},
		{name: "20 sessions", p99: atMost(80)},
		{name: "long session", p99: atMost(80)},
	}
	for _, p := range places {
		var err error
		if p.folder, err = b.newFolder(); err != nil {
			return nil, err
		}
		if p.small, p.large, err = generate(p.folder); err != nil {
			return nil, err
		}
	}
	editor, err := b.openEditor(places[0].folder, places[0].small)
	if err == nil {
		defer editor.close()
	}
	places[0].err = err
	if err := b.others(places[2].folder, 20, 1_000_000); err != nil {
		return nil, err
	}
	if err := b.others(places[3].folder, 1, 1_000_000); err != nil {
		return nil, err
	}
	sessions := filepath.Join(places[3].folder, ".acode", "sessions")
	if err := os.Rename(filepath.Join(sessions, "other0.jsonl"), filepath.Join(sessions, hookSession+".jsonl")); err != nil {
		return nil, err
	}
	b.hookFloors(r)
	b.hookRows(r, places)
	return r, nil
}

// others leaves so many sessions in a workspace, with a journal of about so
// many bytes each.
func (b *bench) others(folder string, sessions, size int) error {
	documents, err := generateMany(folder)
	if err != nil {
		return err
	}
	h, err := workspace.Open(folder, workspace.Options{})
	if err != nil {
		return err
	}
	defer h.Close()
	path := filepath.Join(folder, ".acode", "sessions", "other0.jsonl")
	for _, d := range documents {
		if _, err := h.Observe("other0", d.path, []awareness.Range{{Start: 1, End: 50}}, nil); err != nil {
			return err
		}
		if info, err := os.Stat(path); err != nil || info.Size() >= int64(b.size(size)) {
			break // an error shows below
		}
	}
	journal, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("looking for the journal of another session: %v", err)
	}
	for i := 1; i < sessions; i++ {
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), fmt.Sprintf("other%d.jsonl", i)), journal, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// hookFloors measures processes that do nothing with their input but read it.
func (b *bench) hookFloors(r *report) {
	in := []byte(mixed(b.size(4000)))
	floor := func(name string, args ...string) func(int) (time.Duration, error) {
		return func(int) (time.Duration, error) {
			path, err := findProgram(name)
			if err != nil {
				return 0, errNotHere
			}
			took, _, _, err := runOnce(append([]string{path}, args...), b.folder, in)
			return took, err
		}
	}
	took := latencies(min(b.iterations, hookRuns), 1, floor(b.tool("reference")), floor("true"))
	r.add("plain Go program, p50", wallMilliseconds, took[0].p50, "true", took[1].p50, bound{})
	r.add("plain Go program, p99", wallMilliseconds, took[0].p99, "true", took[1].p99, bound{})
}

// hookRuns is how often a hook is called for a row.
const hookRuns = 200

// hookRows measures each event in each place, and beside it the plain program
// with about as much to read.
func (b *bench) hookRows(r *report, places []*hookPlace) {
	path, err := findProgram(b.acode)
	for _, p := range places {
		switch {
		case err != nil:
			p.err = errNotHere
		case p.err == nil: // what the allowed edit is about
			_, p.err = readEvent(p, 0).run([]string{path, "hook"}, p.folder, hookSession)
		}
	}
	for _, row := range []struct {
		name  string
		event func(*hookPlace, int) hookEvent
	}{
		{"PostToolUse Read", readEvent},
		{"PreToolUse Edit, allowed", allowedEvent},
		{"PreToolUse Edit, denied", deniedEvent},
		{"UserPromptSubmit", func(*hookPlace, int) hookEvent { return hookEvent{name: "UserPromptSubmit"} }},
		{"unknown tool", func(*hookPlace, int) hookEvent {
			return hookEvent{name: "PostToolUse", tool: "Frobnicate", input: object{}, want: "is not known"}
		}},
	} {
		works := []func(int) (time.Duration, error){func(i int) (time.Duration, error) {
			event := row.event(places[0], i)
			event.want = " characters]"
			return event.run([]string{b.tool("reference")}, b.folder, hookSession)
		}}
		for _, p := range places {
			works = append(works, func(i int) (time.Duration, error) {
				if p.err != nil {
					return 0, p.err
				}
				return row.event(p, i).run([]string{path, "hook"}, p.folder, hookSession)
			})
		}
		took := latencies(min(b.iterations, hookRuns), min(b.iterations, 5), works...)
		for i, p := range places {
			name, beside := row.name+", "+p.name, "plain Go"
			r.add(name+", p50", wallMilliseconds, took[i+1].p50, beside, took[0].p50, p.p50)
			r.add(name+", p99", wallMilliseconds, took[i+1].p99, beside, took[0].p99, p.p99)
		}
	}
}

// readEvent tells of 50 lines of the first half of the large document that were
// read, of others each time.
func readEvent(p *hookPlace, i int) hookEvent {
	const many = 50
	first := i * many % (p.large.lines / 2)
	lines := strings.Join(strings.SplitAfter(p.large.text, "\n")[first:first+many], "")
	return hookEvent{
		name: "PostToolUse", tool: "Read",
		input: object{"file_path": p.large.path, "offset": first + 1, "limit": many},
		response: object{"type": "text", "file": object{
			"filePath": p.large.path, "content": strings.TrimSuffix(lines, "\n"), "numLines": many, "startLine": first + 1, "totalLines": p.large.lines,
		}},
	}
}

func allowedEvent(p *hookPlace, _ int) hookEvent { return editEvent(p, 3, "") }

// deniedEvent is an edit of a line of the second half. It is another one each
// time, as the answer shows the line.
func deniedEvent(p *hookPlace, i int) hookEvent {
	return editEvent(p, p.large.lines/10+i%(p.large.lines/10), denial)
}

func editEvent(p *hookPlace, function int, want string) hookEvent {
	return hookEvent{name: "PreToolUse", tool: "Edit", want: want, input: object{
		"file_path":  p.large.path,
		"old_string": fmt.Sprintf("func large%d(a, b int) int {", function),
		"new_string": fmt.Sprintf("func large%d(a, b, c int) int {", function),
	}}
}
