package mcp_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/acode-ls/acode-ls/internal/mcp"
	"github.com/acode-ls/acode-ls/lsp"
)

// clock is moved by tests.
type clock struct{ seconds atomic.Int64 }

func (c *clock) now() time.Time { return time.Unix(c.seconds.Load(), 0) }

// TestAdoption plays what hooks and a client do. A step is +ID where hooks
// begin a session, -ID where they end it, "." for a second, and else what
// session a call is of; own is any of the client's.
func TestAdoption(t *testing.T) {
	own := regexp.MustCompile(`\bclaude-code-[0-9a-f]{8}\b`)
	for _, test := range []struct{ name, steps, sessions string }{
		{"the only one", "+a a a", "a"},
		{"none", "own own", "own"},
		{"two", "+a +b own", "a b own"},
		{"two of which one has ended", "+a +b -a b", "a! b"},
		{"of sub-agents", "+a/claude-code-subagent own", "a own"},
		{"of another agent, or another client's", "+a/gemini-cli +claude-code-0123abcd own", "a other own"},
		{"a second one later", "+a a +b . a . a", "a b"},
		{"it ends", "+a a -a . own . own", "a! own"},
		{"it gives way to another", "+a a -a +b . b . b", "a! b"},
		{"it gives way to two", "+a a -a +b +c . own . own", "a! b c own"},
		{"one begins after an own", "own +a . a . a", "a own!"},
		{"two begin after an own", "own +a +b . own", "a b own"},
		{"one is left of those before an own", "+a +b own -b . own", "a b! own"},
		{"one begins after all before an own have ended", "+a +b own -a -b . own +c . c", "a! b! c own!"},
		{"it is looked for once a second", "own +a own . a", "a own!"},
		{"an end is looked for once a second", "+a a -a a . own", "a! own"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var time clock
			c := connectAs(t, "claude-code", folder(t, nil), func(o *mcp.Options) { o.WithClock(time.now) })
			for i, step := range strings.Fields(test.steps) {
				id, agent, _ := strings.Cut(step[1:], "/")
				switch step[0] {
				case '.':
					time.seconds.Add(1)
				case '+':
					if agent == "" {
						agent = "claude-code"
					}
					begin(t, c.link, id, agent)
				case '-':
					if err := c.link.Call(t.Context(), "acode/session", map[string]string{"session": id, "event": "end"}, nil); err != nil {
						t.Fatal(err)
					}
				default:
					current, _ := c.must("awareness_state", `{}`).at("session").(string)
					if own.ReplaceAllString(current, "own") != step {
						t.Errorf("step %d: session %s, want %s", i+1, current, step)
					}
				}
			}
			var left []string
			for listed := range strings.FieldsSeq(sessions(t, c.link)) {
				id, end, _ := strings.Cut(own.ReplaceAllString(strings.Replace(listed, "claude-code-0123abcd", "other", 1), "own"), ":")
				left = append(left, id+strings.Repeat("!", strings.Count(end, "!")))
			}
			slices.Sort(left)
			if got := strings.Join(left, " "); got != test.sessions {
				t.Errorf("sessions at the end: %s, want %s", got, test.sessions)
			}
		})
	}
}

// counting counts how often it is asked for sessions.
type counting struct {
	*lsp.Link
	asked atomic.Int64
	fails atomic.Bool
}

func (c *counting) Call(ctx context.Context, method string, params, result any) error {
	if method == "acode/sessions" {
		c.asked.Add(1)
		if c.fails.Load() {
			return &lsp.Error{Code: lsp.CodeRequestFailed, Message: "no answer"}
		}
	}
	return c.Link.Call(ctx, method, params, result)
}

// TestSessionsDoNotAnswer goes on with the session there is, and asks no more
// often than if they did.
func TestSessionsDoNotAnswer(t *testing.T) {
	var time clock
	var counted *counting
	c := connectAs(t, "claude-code", folder(t, nil), func(o *mcp.Options) {
		o.WithClock(time.now)
		counted = &counting{Link: o.Workspace.(*lsp.Link)}
		o.Workspace = counted
	})
	counted.fails.Store(true)
	if got := c.refused("awareness_state", `{}`); got != "looking for a session: no answer" {
		t.Errorf("at the start: %s", got)
	}
	counted.fails.Store(false)
	begin(t, c.link, "a", "claude-code")
	for _, fails := range []bool{false, true} {
		counted.fails.Store(fails)
		counted.asked.Store(0)
		time.seconds.Add(1)
		for range 10 {
			if got := c.must("awareness_state", `{}`).at("session"); got != "a" {
				t.Errorf("session %s", got)
			}
		}
		if n := counted.asked.Load(); n != 1 {
			t.Errorf("fails %v: asked %d times within a second", fails, n)
		}
	}
}
