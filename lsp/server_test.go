package lsp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/acode-ls/acode-ls/internal/workspace"
	"github.com/acode-ls/acode-ls/lsp"
)

// This file starts servers for tests, in three ways that must not differ.

// patience bounds every wait; nothing that goes right takes so long.
const patience = 20 * time.Second

// lab is what the tests of a group share.
type lab struct {
	scratch string                 // a folder
	binary  func() (string, error) // the program, built once
}

func newLab(t testing.TB) *lab {
	t.Helper()
	dir, err := os.MkdirTemp("", "acode") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	return &lab{scratch: dir, binary: sync.OnceValues(func() (string, error) {
		path := filepath.Join(dir, "acode-ls")
		build := exec.Command("go", "build", "-o", path, "github.com/acode-ls/acode-ls/cmd/acode-ls")
		if out, err := build.CombinedOutput(); err != nil {
			return "", fmt.Errorf("building the program: %w\n%s", err, out)
		}
		return path, nil
	})}
}

// folder makes a new folder.
func (l *lab) folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp(l.scratch, "")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// A transport is a way to reach a server.
type transport string

const (
	pipe    transport = "pipe"    // in this process, over net.Pipe
	socket  transport = "socket"  // in this process, over a Unix socket
	process transport = "process" // the program, over its standard streams
)

// serverOptions are what a test sets of a server.
type serverOptions struct {
	root         string
	session      string
	syncTimeout  time.Duration
	replyTimeout time.Duration
}

// server is a running server as a test sees it.
type server struct {
	rwc        io.ReadWriteCloser
	clock      *clock       // nil for a process
	closeInput func() error // ends what the server reads
	kill       func()
	done       chan struct{} // closed when it has ended
	status     int           // then: its exit status
	log        *syncBuffer
}

// start starts a server. It is killed at the end of the test, if not before.
func (l *lab) start(t testing.TB, how transport, opts serverOptions) *server {
	t.Helper()
	s := &server{done: make(chan struct{}), log: &syncBuffer{}}
	switch how {
	case pipe:
		a, b := net.Pipe()
		s.serve(b, opts)
		s.rwc, s.closeInput = a, a.Close
	case socket:
		a, b := socketPair(t, l.folder(t))
		s.serve(b, opts)
		s.rwc, s.closeInput = a, a.(*net.UnixConn).CloseWrite
	case process:
		s.spawn(t, l, opts)
	}
	t.Cleanup(func() {
		s.kill()
		s.rwc.Close()
		<-s.done
		if t.Failed() && s.log.String() != "" {
			t.Logf("the server's log:\n%s", s.log)
		}
	})
	return s
}

// serve runs a server in this process.
func (s *server) serve(conn io.ReadWriteCloser, opts serverOptions) {
	ctx, cancel := context.WithCancel(context.Background())
	s.kill, s.clock = cancel, newClock()
	encoder := zapcore.NewConsoleEncoder(zap.NewDevelopmentEncoderConfig())
	log := zap.New(zapcore.NewCore(encoder, s.log, zap.WarnLevel))
	go func() {
		defer close(s.done)
		err := lsp.Serve(ctx, conn, lsp.ServerOptions{
			Root: opts.root, Session: opts.session, Version: "test", Log: log, AfterFunc: s.clock.AfterFunc,
			Workspace: workspace.Options{SyncTimeout: opts.syncTimeout, ReplyTimeout: opts.replyTimeout},
		})
		if err != nil && ctx.Err() == nil {
			s.status = 1
			if !errors.Is(err, lsp.ErrNoShutdown) {
				fmt.Fprintf(s.log, "Serve: %v\n", err)
			}
		}
	}()
}

// spawn runs the program.
func (s *server) spawn(t testing.TB, l *lab, opts serverOptions) {
	t.Helper()
	path, err := l.binary()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"--log-level", "warn", "serve"}
	if opts.root != "" {
		args = append(args, "--root", opts.root)
	}
	if opts.session != "" {
		args = append(args, "--session", opts.session)
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = l.scratch
	cmd.Stderr = s.log
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.closeInput = in.Close
	s.kill = func() { _ = cmd.Process.Kill() }
	c := &streams{ReadCloser: out, WriteCloser: in, end: make(chan struct{})}
	s.rwc = c
	go func() {
		defer close(s.done)
		<-c.end // Wait may come only after the last Read
		_ = cmd.Wait()
		s.status = cmd.ProcessState.ExitCode()
	}()
}

// streams is the input and output of a process as one connection.
type streams struct {
	io.ReadCloser
	io.WriteCloser
	once sync.Once
	end  chan struct{} // closed when nothing more is read
}

func (s *streams) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	if err != nil {
		s.once.Do(func() { close(s.end) })
	}
	return n, err
}

func (s *streams) Close() error {
	err := errors.Join(s.WriteCloser.Close(), s.ReadCloser.Close())
	s.once.Do(func() { close(s.end) })
	return err
}

func socketPair(t testing.TB, dir string) (client, server net.Conn) {
	t.Helper()
	l, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if client, err = net.Dial("unix", l.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if server, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	return client, server
}

// clock is a server's clock that only moves when it is told to.
type clock struct {
	mu     sync.Mutex
	timers []*timer
	set    chan struct{} // closed when a timer is set
}

type timer struct {
	f       func()
	stopped bool
}

func newClock() *clock { return &clock{set: make(chan struct{})} }

func (c *clock) AfterFunc(_ time.Duration, f func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &timer{f: f}
	c.timers = append(c.timers, t)
	close(c.set)
	c.set = make(chan struct{})
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		was := t.stopped
		t.stopped = true
		return !was
	}
}

// fire runs every timer that is set, and reports whether there was one.
func (c *clock) fire() bool {
	c.mu.Lock()
	timers := c.timers
	c.timers = nil
	c.mu.Unlock()
	fired := false
	for _, t := range timers {
		c.mu.Lock()
		run := !t.stopped
		t.stopped = true
		c.mu.Unlock()
		if run {
			t.f()
			fired = true
		}
	}
	return fired
}

// waiting returns how many timers are set, and a channel that is closed when
// the next one is.
func (c *clock) waiting() (int, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, t := range c.timers {
		if !t.stopped {
			n++
		}
	}
	return n, c.set
}

// syncBuffer is a log that is written while it is read.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) Sync() error { return nil }

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
