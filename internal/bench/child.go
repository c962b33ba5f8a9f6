package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// child is a process that is spoken to over its stdin and stdout.
type child struct {
	command *exec.Cmd
	cancel  context.CancelFunc // kills the process
	stdin   io.WriteCloser
	stdout  io.Reader
	stderr  *tail
}

func startChild(argv, environment []string, folder string) (*child, error) {
	ctx, cancel := context.WithCancel(context.Background())
	c := &child{command: exec.CommandContext(ctx, argv[0], argv[1:]...), cancel: cancel, stderr: &tail{}}
	c.command.Dir = folder
	c.command.Env = append(c.command.Environ(), environment...)
	c.command.Stderr = c.stderr
	c.command.WaitDelay = time.Second
	stdin, err := c.command.StdinPipe()
	if err != nil {
		cancel()
		return nil, fmt.Errorf("piping stdin: %v", err)
	}
	c.stdin = stdin
	stdout, err := c.command.StdoutPipe()
	if err != nil {
		cancel()
		return nil, fmt.Errorf("piping stdout: %v", err)
	}
	c.stdout = stdout
	if err := c.command.Start(); err != nil {
		cancel()
		return nil, fmt.Errorf("starting %s: %v", argv[0], err)
	}
	return c, nil
}

// ended says that the process has ended, with its last words, all of which have
// been read only once the process is waited for.
func (c *child) ended(method string) error {
	timer := time.AfterFunc(time.Second, c.cancel)
	defer timer.Stop()
	_ = c.command.Wait()
	return fmt.Errorf("%s: the server ended: %s", method, c.stderr)
}

// tail keeps the last words of a server's stderr.
type tail struct {
	mu   sync.Mutex
	data []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if extra := len(t.data) - 500; extra > 0 {
		t.data = t.data[extra:]
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.data) == 0 {
		return "nothing on stderr"
	}
	return string(bytes.TrimSpace(t.data))
}
