package mcp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/acode-ls/acode-ls/internal/command"
	"github.com/acode-ls/acode-ls/internal/shell"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

const (
	defaultTimeout = 120_000   // milliseconds
	maxTimeout     = 3_600_000 // milliseconds
	progressPause  = 500 * time.Millisecond
)

func executeCommand(a *arguments) run {
	cmd := command.Command{Line: a.text("command"), Timeout: defaultTimeout * time.Millisecond}
	cwd := a.path("cwd")
	if a.need("command"); a.has("command") && cmd.Line == "" {
		a.fail("command is empty")
	}
	if n := a.number("timeout_ms", 1, maxTimeout); n != nil {
		cmd.Timeout = time.Duration(*n) * time.Millisecond
	}
	return func(ctx context.Context, c *call) (outcome, error) {
		dir, err := c.inRoot(cwd)
		if err != nil {
			return outcome{}, err
		}
		info, err := c.files.Stat(dir)
		if err == nil && !info.IsDir() {
			err = syscall.ENOTDIR
		}
		if err != nil {
			return outcome{}, plain(dir, err)
		}
		cmd.Dir = c.opts.Hub.Path(dir)
		return c.execute(ctx, cmd)
	}
}

// execute runs a command while its output goes through the hub. The command
// ends with the call and when the client leaves.
func (c *call) execute(ctx context.Context, cmd command.Command) (outcome, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.present, cancel)()
	var status command.Status
	var written counts
	printing := streamed(func(out io.Writer) (err error) {
		status, err = command.Run(ctx, cmd, io.MultiWriter(out, &written))
		return err
	})
	stop := c.reportProgress(ctx, &written)
	r, ok, err := c.process(cmd.Line, printing)
	if failed := printing.Close(); failed != nil {
		err = failed // which says more
	}
	stop()
	if err != nil {
		return outcome{}, err
	}
	// A command that fails has run: what it says is what was asked for. It is
	// an error if it was not let run to its end.
	o := output{IsError: !ok || status.TimedOut || status.Canceled}
	o.extra = extra{ExitStatus: &status.Exit, Signal: status.Signal, TimedOut: &status.TimedOut}
	if !ok {
		return o.outcome(r), nil
	}
	if status.Exit != 0 {
		return o.outcome(r, ending(cmd, status)...), nil
	}
	shown := printed(cmd, r)
	out := o.outcome(r, append(ending(cmd, status), c.notSaved(ctx, shown)...)...)
	out.shown = shown
	return out, nil
}

// ending says how a command ended, nothing if that was well.
func ending(cmd command.Command, s command.Status) []string {
	switch {
	case s.TimedOut:
		return []string{fmt.Sprintf("[timed out after %d ms and was killed; timeout_ms sets the limit]", cmd.Timeout.Milliseconds())}
	case s.Canceled:
		return []string{"[cancelled and killed]"}
	case s.Signal != "":
		return []string{fmt.Sprintf("[exit status %d, %s]", s.Exit, s.Signal)}
	case s.Exit != 0:
		return []string{fmt.Sprintf("[exit status %d]", s.Exit)}
	}
	return nil
}

// counts counts what is written to it.
type counts struct{ bytes, lines atomic.Int64 }

// Write implements [io.Writer].
func (n *counts) Write(p []byte) (int, error) {
	n.lines.Add(int64(bytes.Count(p, []byte("\n"))))
	n.bytes.Add(int64(len(p)))
	return len(p), nil
}

// reportProgress tells the client, if it wants to know, how much a command has
// printed, until it is stopped.
func (c *call) reportProgress(ctx context.Context, n *counts) (stop func()) {
	token := c.request.Params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(progressPause)
		defer tick.Stop()
		for told := int64(0); ; {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			size := n.bytes.Load()
			if size == told {
				continue
			}
			told = size
			_ = c.request.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ // a client that left is told nothing
				ProgressToken: token, Progress: float64(size), Message: fmt.Sprintf("%d lines, %d bytes", n.lines.Load(), size),
			})
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// printed returns the lines of files that a command printed and r shows.
func printed(cmd command.Command, r workspace.ToolResult) []passage {
	var shown []passage
	for _, p := range shell.Shown(cmd.Dir, cmd.Line, r.Content) {
		shown = append(shown, passage{p.Path, p.StartLine, strings.TrimSuffix(p.Text, "\n")})
	}
	return shown
}
