// Package hook answers the hooks by which agents tell what their own tools do:
// what they read is credited, what they are about to edit is judged.
//
// A hook must never break the agent. Whatever goes wrong — an event that is not
// understood, a tool that is not known, a workspace that cannot be reached —
// leaves the answer empty, which allows everything, and is told in one line on
// the error stream.
//
// The package does not keep state, run tools or parse shell commands, and it
// does not know who answers for the workspace.
package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

const (
	// maxEvent is the size in bytes from which an event is not read.
	maxEvent = 64 << 20
	// deadline is how long an agent is kept waiting.
	deadline = 2 * time.Second
)

// Workspace answers acode/* requests.
type Workspace interface {
	Call(ctx context.Context, method string, params, result any) error
	Close() error
}

// Options say where an event belongs.
type Options struct {
	Open    func(root string) (Workspace, error)
	Root    string // the workspace; "" for the one that the event is about
	Session string // "" for the one that the event names
	Getenv  func(string) string
}

// Run answers the event that in holds. It never fails: whatever goes wrong is
// told on errs. When it returns at the deadline, what it waited for is left
// behind; the process is expected to end.
func Run(ctx context.Context, in io.Reader, out, errs io.Writer, opts Options) {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	answered := make(chan outcome, 1)
	go func() { answered <- handle(ctx, in, opts) }()
	var o outcome
	select {
	case o = <-answered:
	case <-ctx.Done():
		o.err = fmt.Errorf("waiting for the workspace: %w", context.Cause(ctx))
	}
	if o.err != nil {
		fmt.Fprintln(errs, "acode-ls hook:", strings.Join(strings.Fields(o.err.Error()), " "))
	}
	if len(o.answer) > 0 {
		if _, err := out.Write(append(o.answer, '\n')); err != nil {
			fmt.Fprintln(errs, "acode-ls hook: writing the answer:", err)
		}
	}
}

// outcome is an answer, which may be empty, and what went wrong. There may be
// both.
type outcome struct {
	answer []byte
	err    error
}

func handle(ctx context.Context, in io.Reader, opts Options) (o outcome) {
	defer func() {
		if fault := recover(); fault != nil {
			o = outcome{err: fmt.Errorf("a fault of acode-ls, please report it: %v", fault)}
		}
	}()
	data, err := read(in)
	if err != nil {
		return outcome{err: err}
	}
	e, err := decodeEvent(data)
	if err != nil {
		return outcome{err: err}
	}
	c := &call{event: e, ctx: ctx, opts: opts}
	defer c.close()
	o.answer, o.err = c.answer()
	return o
}

func read(in io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxEvent+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading the event: %w", err)
	case len(data) > maxEvent:
		io.Copy(io.Discard, in) // an agent may not expect that nobody reads on
		return nil, fmt.Errorf("the event has more than %d bytes and is left alone", maxEvent)
	case len(strings.TrimSpace(string(data[:min(len(data), 64)]))) == 0:
		return nil, errors.New("no event on the input; it is for agents, see acode-ls init --help")
	}
	return data, nil
}
