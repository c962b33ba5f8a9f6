package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// buildSubject builds acode-ls, for which nothing else can stand in where tools
// and hooks are called.
func buildSubject(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	build := exec.Command("go", "build", "-o", folder+string(filepath.Separator), "github.com/acode-ls/acode-ls/cmd/acode-ls")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building acode-ls: %v\n%s", err, out)
	}
	return filepath.Join(folder, "acode-ls")
}

func measureAgents(t *testing.T, acode string, measure func(*bench) (*report, error)) *report {
	t.Helper()
	b, err := newBench(options{acode: acode, rounds: 1, quick: true, iterations: 3, spawns: 1, tools: tools})
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	r, err := measure(b)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestAgents sees a value in every line about acode-ls, which the right answers
// of all calls come before.
func TestAgents(t *testing.T) {
	acode := buildSubject(t)
	for name, test := range map[string]struct {
		measure func(*bench) (*report, error)
		lines   int
	}{"mcp": {(*bench).mcp, 20}, "hooks": {(*bench).hooks, 42}} {
		r := measureAgents(t, acode, test.measure)
		if len(r.lines) != test.lines {
			t.Errorf("%s: %d lines, want %d", name, len(r.lines), test.lines)
		}
		for _, l := range r.lines {
			if l.unit == "MB" && runtime.GOOS == "windows" {
				continue
			}
			if l.value <= 0 || l.other <= 0 && (l.beside == mcpNames[mcpSDK] || l.beside == "plain Go") {
				t.Errorf("%s: line %q has values %v and %v, want positive ones", name, l.name, l.value, l.other)
			}
		}
		if len(r.notes) > 0 && runtime.GOOS != "windows" {
			t.Errorf("%s: notes %q, want none", name, r.notes)
		}
	}
}

// TestAgentsFailing sees programs named in the notes that are not acode-ls, or
// not there, and the other servers unharmed.
func TestAgentsFailing(t *testing.T) {
	for _, test := range []struct{ acode, want string }{
		{"go", "unknown command"},   // "go mcp" ends at once
		{"no-such-program", "here"}, // not here
	} {
		for name, measure := range map[string]func(*bench) (*report, error){"mcp": (*bench).mcp, "hooks": (*bench).hooks} {
			r := measureAgents(t, test.acode, measure)
			if notes := strings.Join(r.notes, "\n"); !strings.Contains(notes, test.want) {
				t.Errorf("%s of %s: notes %q, want %q in them", name, test.acode, notes, test.want)
			}
			for _, l := range r.lines {
				if l.beside == mcpNames[mcpSDK] && l.unit == "ms" && (l.value != -1 || l.other <= 0) {
					t.Errorf("%s of %s: line %q has values %v and %v, want -1 and a positive one", name, test.acode, l.name, l.value, l.other)
				}
			}
		}
	}
}

// TestToolCall sees wrong answers refused, which would be measured as fast.
func TestToolCall(t *testing.T) {
	c, _, err := startMCP([]string{filepath.Join(tools, "mcpecho")}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	for _, test := range []struct {
		call toolCall
		want string // in the error; "" for none
	}{
		{toolCall{"echo", object{"message": "hello"}, "hello"}, ""},
		{toolCall{"echo", object{"message": "hello"}, "world"}, `want "world"`},
		{toolCall{"read", object{"path": "missing.go", "start_line": 1, "end_line": 2}, "missing.go"}, "answers"},
		{toolCall{"whatever", object{}, ""}, "unknown tool"},
	} {
		took, err := c.call(test.call)
		switch {
		case test.want == "" && (err != nil || took <= 0):
			t.Errorf("call of %+v: %v, %v", test.call, took, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("call of %+v: error %v, want %q in it", test.call, err, test.want)
		}
	}
}

// TestHookEvent sees the same of hooks.
func TestHookEvent(t *testing.T) {
	argv := []string{filepath.Join(tools, "reference")} // which tells how long the event is
	for want, met := range map[string]bool{" characters]": true, "deny": false, "": false} {
		took, err := hookEvent{name: "Stop", want: want}.run(argv, t.TempDir(), "s")
		if took <= 0 || met != (err == nil) || !met && !errors.Is(err, errUnexpected) {
			t.Errorf("a hook of which %q is wanted: %v, %v", want, took, err)
		}
	}
}

func TestLatencies(t *testing.T) {
	var order []byte
	out := latencies(4, 1,
		func(i int) (time.Duration, error) { order = append(order, 'a'); return time.Duration(10 - i), nil },
		func(int) (time.Duration, error) { order = append(order, 'b'); return 0, errNotHere })
	if got, want := string(order), "abaaaa"; got != want {
		t.Errorf("latencies: order %s, want %s", got, want)
	}
	if out[0].p50.wall != 7 || out[0].p99.wall != 9 || out[0].p50.err != nil {
		t.Errorf("latencies: %v, want 7 and 9", out[0])
	}
	if out[1].p50.err != errNotHere || out[1].p99.err != errNotHere {
		t.Errorf("latencies: %v, want errors", out[1])
	}
	hundreds := make([]time.Duration, 200)
	for i := range hundreds {
		hundreds[i] = time.Duration(i + 1)
	}
	for p, want := range map[float64]time.Duration{50: 100, 99: 198, 100: 200} {
		if got := percentile(slices.Clone(hundreds), p).wall; got != want {
			t.Errorf("percentile %v = %d, want %d", p, got, want)
		}
	}
}
