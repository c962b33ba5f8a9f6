package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/acode-ls/acode-ls/internal/fake"
	"github.com/acode-ls/acode-ls/internal/hook"
	"github.com/acode-ls/acode-ls/internal/mcp"
	"github.com/acode-ls/acode-ls/lsp"
)

// This file has an editor, agents with tools of ours and agents with tools of
// their own work in one folder at once.

const (
	crowdFiles = 25
	crowdLines = 40 // of each file
	crowdCalls = 500
)

// crowd is a folder in which many work in one session.
type crowd struct {
	t    *testing.T
	root string
}

func newCrowd(t *testing.T) *crowd {
	t.Helper()
	runtime, err := os.MkdirTemp("", "acode") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(runtime) })
	t.Setenv("XDG_RUNTIME_DIR", runtime)
	t.Setenv("TMPDIR", runtime)
	c := &crowd{t, realDir(t)}
	for i := range crowdFiles {
		var b strings.Builder
		for n := 1; n <= crowdLines; n++ {
			fmt.Fprintf(&b, "%s\n", c.line(i, n))
		}
		if err := os.WriteFile(c.path(i), []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func (c *crowd) path(file int) string {
	return filepath.Join(c.root, fmt.Sprintf("f%02d.txt", file))
}

func (c *crowd) line(file, n int) string { return fmt.Sprintf("file %d line %d", file, n) }

// edit starts an editor whose server agents may connect to, and waits until
// they can.
func (c *crowd) edit() *fake.Editor {
	c.t.Helper()
	client, server := net.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- lsp.Serve(context.Background(), server, lsp.ServerOptions{Version: "test", Agents: true})
	}()
	e, err := fake.Dial(c.t.Context(), client, fake.Options{Personality: fake.VSCode, Roots: []string{c.root}})
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() {
		if err := e.Exit(context.Background()); err != nil && err != io.EOF {
			c.t.Error(err)
		}
		if err := <-done; err != nil {
			c.t.Error(err)
		}
	})
	l := c.link()
	for !l.Attached(c.t.Context()) {
		if c.t.Context().Err() != nil {
			c.t.Fatal("no server listens")
		}
	}
	return e
}

func (c *crowd) link() *lsp.Link {
	c.t.Helper()
	l, err := lsp.OpenLink(c.root, lsp.LinkOptions{Version: "test"})
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { l.Close() })
	return l
}

// agent starts an MCP server and a client of it.
func (c *crowd) agent() *sdk.ClientSession {
	c.t.Helper()
	l := c.link()
	h, err := l.Hub()
	if err != nil {
		c.t.Fatal(err)
	}
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- mcp.Serve(context.Background(), in, out, mcp.Options{Workspace: l, Hub: h, Session: "s", Version: "test"})
		out.Close()
	}()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(c.t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() {
		session.Close()
		if err := <-done; err != nil {
			c.t.Error(err)
		}
	})
	return session
}

// hook answers one event, and returns the answer.
func (c *crowd) hook(event string, tool string, input, response any) string {
	raw, err := json.Marshal(map[string]any{
		"session_id": "s", "cwd": c.root, "hook_event_name": event, "tool_name": tool, "tool_input": input, "tool_response": response,
	})
	if err != nil {
		c.t.Error(err)
	}
	var out, errs bytes.Buffer
	hook.Run(context.Background(), bytes.NewReader(raw), &out, &errs, hook.Options{
		Root: c.root, Getenv: func(string) string { return "" },
		Open: func(root string) (hook.Workspace, error) {
			return lsp.OpenLink(root, lsp.LinkOptions{Version: "test"})
		},
	})
	if errs.Len() > 0 {
		c.t.Errorf("%s %s: %s", event, tool, errs.String())
	}
	return out.String()
}

// sees tells that the agent's own tool has shown a line.
func (c *crowd) sees(file, line int) {
	c.hook("PostToolUse", "Read", map[string]any{"file_path": c.path(file), "offset": line, "limit": 1}, map[string]any{
		"type": "text", "file": map[string]any{
			"filePath": c.path(file), "content": c.line(file, line), "numLines": 1, "startLine": line, "totalLines": crowdLines,
		},
	})
}

// TestCrowd has an editor, two MCP servers and 500 calls of hooks at once in
// one session: no credit is lost, and no edit is refused of a line that was
// shown (LED-08, C-153).
func TestCrowd(t *testing.T) {
	for _, edited := range []bool{true, false} {
		t.Run(fmt.Sprintf("editor %v", edited), func(t *testing.T) {
			c := newCrowd(t)
			if edited {
				e := c.edit()
				for i := range crowdFiles / 2 {
					if err := e.Open(c.path(i)); err != nil {
						t.Fatal(err)
					}
				}
			}
			agents := []*sdk.ClientSession{c.agent(), c.agent()}
			var all sync.WaitGroup
			calls := make(chan int)
			for range 16 { // as many hooks at a time
				all.Go(func() {
					for n := range calls {
						c.sees(n%crowdFiles, n/crowdFiles+1)
					}
				})
			}
			for i, agent := range agents {
				all.Go(func() { c.reads(agent, i) })
			}
			for n := range crowdCalls {
				calls <- n
			}
			close(calls)
			all.Wait()

			// The hooks saw the first 20 lines of each file, the two agents 10 each.
			for file := range crowdFiles {
				if out := c.hook("PreToolUse", "Edit", map[string]any{
					"file_path": c.path(file), "old_string": c.line(file, 1) + "\n", "new_string": "changed\n",
				}, nil); out != "" {
					t.Errorf("file %d: %s", file, out)
				}
			}
			for _, f := range c.states() {
				if f.State != "fully_read" || f.Coverage != 1 {
					t.Errorf("%s: %s, %.2f of it", filepath.Base(f.URI), f.State, f.Coverage)
				}
			}
		})
	}
}

// reads reads ten lines of each file with tools of ours.
func (c *crowd) reads(agent *sdk.ClientSession, number int) {
	first := crowdCalls/crowdFiles + 1 + 10*number
	for file := range crowdFiles {
		r, err := agent.CallTool(context.Background(), &sdk.CallToolParams{Name: "read_file", Arguments: map[string]any{
			"path": filepath.Base(c.path(file)), "start_line": first, "end_line": first + 9,
		}})
		if err != nil || r.IsError {
			c.t.Errorf("reading file %d: %v, %+v", file, err, r)
		}
	}
}

type crowdState struct {
	URI, State string
	Coverage   float64
}

func (c *crowd) states() []crowdState {
	c.t.Helper()
	var answer struct{ Files []crowdState }
	if err := c.link().Call(c.t.Context(), "acode/state", map[string]string{"session": "s"}, &answer); err != nil {
		c.t.Fatal(err)
	}
	if len(answer.Files) != crowdFiles {
		c.t.Errorf("%d files are known, want %d", len(answer.Files), crowdFiles)
	}
	return answer.Files
}
