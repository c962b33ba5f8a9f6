//go:build unix

package lsp_test

import (
	"io"
	"os/exec"
	"syscall"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// spawned is a server in a process that can be sent signals.
type spawned struct {
	*caller
	cmd   *exec.Cmd
	input io.Closer
	done  chan struct{} // closed when the process has ended
}

func spawn(t *testing.T, l *lab, root string) *spawned {
	t.Helper()
	binary, err := l.binary()
	if err != nil {
		t.Fatal(err)
	}
	s := &spawned{cmd: exec.Command(binary, "--log-level", "error", "serve"), done: make(chan struct{})}
	s.cmd.Dir = l.scratch
	in, err := s.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.input = in
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	conn := &streams{ReadCloser: out, WriteCloser: in, end: make(chan struct{})}
	go func() {
		defer close(s.done)
		<-conn.end // Wait may come only after the last Read
		_ = s.cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		<-s.done
	})
	s.caller = newCaller(t, conn, root)
	return s
}

// TestArtifactsEndWithServer: artifacts go with the server that made them,
// however it is told to end (FR-053, AC-105, C-61).
func TestArtifactsEndWithServer(t *testing.T) {
	l := newLab(t)
	signal := func(sig syscall.Signal) func(*spawned) {
		return func(s *spawned) {
			if err := s.cmd.Process.Signal(sig); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	for name, end := range map[string]func(*spawned){
		"shutdown and exit": func(s *spawned) {
			s.must("shutdown", nil)
			s.send(map[string]any{"method": "exit"})
		},
		"exit": func(s *spawned) { s.send(map[string]any{"method": "exit"}) },
		"end of input": func(s *spawned) {
			if err := s.input.Close(); err != nil {
				s.t.Fatal(err)
			}
		},
		"SIGTERM": signal(syscall.SIGTERM),
		"SIGHUP":  signal(syscall.SIGHUP),
		"SIGINT":  signal(syscall.SIGINT),
	} {
		t.Run(name, func(t *testing.T) {
			s := spawn(t, l, l.folder(t))
			s.process("s", numberedLines(6000))
			s.process("other", numberedLines(6000))
			if got := len(s.files()); got != 2 {
				t.Fatalf("%d artifacts are on disk, want 2", got)
			}
			end(s)
			s.ends(s.done)
			if left := s.files(); len(left) > 0 {
				t.Errorf("%q are left", left)
			}
		})
	}
}

// TestArtifactsOfKilledServer: what a server leaves that was killed is swept by
// the next one (FR-053, C-61).
func TestArtifactsOfKilledServer(t *testing.T) {
	l := newLab(t)
	root := l.folder(t)
	s := spawn(t, l, root)
	id := s.process("s", numberedLines(6000))
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	s.ends(s.done)
	if diff := gocmp.Diff([]string{id + ".txt"}, s.files()); diff != "" {
		t.Fatalf("left by a server that was killed (-want +got):\n%s", diff)
	}
	next := spawn(t, l, root)
	next.must("acode/artifacts", map[string]any{})
	if left := next.files(); len(left) > 0 {
		t.Errorf("%q are left after the next server began", left)
	}
	if a := next.call("acode/artifact", map[string]any{"session": "s", "id": id}); a.Error == nil || string(a.Error.Data) != `{"status":404}` {
		t.Errorf("an artifact that was swept: %.200s", a)
	}
}
