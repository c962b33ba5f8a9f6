package hook

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/acode-ls/acode-ls/internal/fileuri"
)

// call is the answering of one event.
type call struct {
	event
	ctx  context.Context
	opts Options

	root      string // of the workspace, links resolved
	workspace Workspace
	tool      tool
	input     object
}

// document names a file in a request.
type document struct {
	URI string `json:"uri"`
}

// answer does what the event asks for.
func (c *call) answer() ([]byte, error) {
	switch c.agent.kind(c.name) {
	case before:
		if writes, err := c.open(); !writes || err != nil {
			return nil, err
		}
		return c.judge()
	case after:
		if _, err := c.open(); err != nil || c.tool.does == other {
			return nil, err
		}
		return nil, c.follow()
	case round:
		return nil, c.request("acode/round", map[string]any{}, nil)
	case start:
		return c.start()
	case end:
		return nil, c.request("acode/session", map[string]any{"event": "end"}, nil)
	case unheeded:
		return nil, nil
	}
	return nil, fmt.Errorf("event %q of %s is not known and is left alone", c.name, c.agent.name)
}

// open looks the tool up and decodes its input. It reports whether the tool
// writes.
func (c *call) open() (writes bool, err error) {
	if c.event.tool == "" {
		return false, fmt.Errorf("event %s names no tool", c.name)
	}
	if strings.HasPrefix(c.event.tool, "mcp_") {
		return false, nil // our own tools credit what they show, others show no files
	}
	tool, ok := c.toolOf()
	if !ok {
		return false, fmt.Errorf("tool %q of %s is not known and is left alone", c.event.tool, c.agent.name)
	}
	if tool.does == other {
		return false, nil
	}
	if err := decode(c.event.input, &c.input); err != nil {
		return false, fmt.Errorf("decoding the input of %s: %w", c.event.tool, err)
	}
	c.tool = tool
	_, err = c.findRoot()
	return tool.does != reads, err
}

// start begins a session and reminds an agent that has lost its memory.
func (c *call) start() ([]byte, error) {
	var result struct {
		Summary string `json:"summary"`
	}
	agent := c.agent.name
	if c.agentID != "" {
		agent += "-subagent" // whose ledger no other process of the agent takes for the conversation's
	}
	err := c.request("acode/session", map[string]any{"event": "start", "agent": agent}, &result)
	if err != nil || result.Summary == "" || c.source != "resume" && c.source != "compact" {
		return nil, err
	}
	return added(c.name, result.Summary)
}

// request sends a request in the session of the event, to the workspace, which
// is opened by the first.
func (c *call) request(method string, params map[string]any, result any) error {
	if session := c.sessionID(c.opts.Session); session != "" {
		params["session"] = session
	} else if method == "acode/session" {
		return fmt.Errorf("event %s names no session", c.name)
	}
	if c.workspace == nil {
		root, err := c.findRoot()
		if err != nil {
			return err
		}
		if c.workspace, err = c.opts.Open(root); err != nil {
			return fmt.Errorf("opening the workspace: %w", err)
		}
	}
	if err := c.workspace.Call(c.ctx, method, params, result); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}

func (c *call) close() {
	if c.workspace != nil {
		c.workspace.Close() // all that matters was answered
	}
}

// document returns the file at path, which may be relative to where the agent
// is, and reports false if it is none of the workspace's.
func (c *call) document(path string) (document, bool) {
	root, err := c.findRoot()
	if err != nil || path == "" {
		return document{}, false
	}
	path, err = c.absolute(path)
	if err != nil {
		return document{}, false
	}
	real, err := resolve(path)
	if err != nil || !within(root, real) {
		return document{}, false
	}
	return document{fileuri.Format(real)}, true
}

// absolute returns path from the folder the agent is in. It is not cleaned:
// after a link, ".." does not lead back.
func (c *call) absolute(path string) (string, error) {
	if filepath.IsAbs(path) {
		return path, nil
	}
	dir, err := c.folder()
	return dir + string(filepath.Separator) + path, err
}

// resolve follows the links of a path whose end may not exist yet.
func resolve(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if !errors.Is(err, fs.ErrNotExist) || path == filepath.Dir(path) {
		return real, err
	}
	dir, err := resolve(filepath.Dir(path))
	return filepath.Join(dir, filepath.Base(path)), err
}

func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel)
}
