//go:build unix

package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func shell(line string) (*exec.Cmd, error) {
	for _, name := range []string{"bash", "sh"} {
		if path, err := exec.LookPath(name); err == nil {
			return exec.Command(path, "-c", line), nil
		}
	}
	return nil, errors.New("neither bash nor sh is in the path")
}

// group is the process group of a shell, together with a guard: a process
// outside the group that kills it when this process ends without a word. The
// kernel's own means (Pdeathsig) exists on Linux only, and ends the shell but
// not what the shell has started.
type group struct {
	id    int
	guard *exec.Cmd
	line  *os.File // to the guard; its end without a second line is the alarm
}

const guardScript = `read -r group && { read -r over || kill -s KILL -- "-$group"; }`

// startGroup starts cmd as the leader of a new group.
func startGroup(cmd *exec.Cmd) (group, error) {
	g, err := startGuard()
	if err != nil {
		return group{}, fmt.Errorf("starting a guard: %w", err)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		g.line.Close()
		_ = g.guard.Wait()
		return group{}, err
	}
	g.id = cmd.Process.Pid
	fmt.Fprintln(g.line, g.id)
	return g, nil
}

func startGuard() (group, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return group{}, err
	}
	defer r.Close()
	guard := exec.Command("/bin/sh", "-c", guardScript)
	guard.Stdin, guard.Dir = r, "/"
	guard.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // the terminal's Ctrl-C is not for it
	if err := guard.Start(); err != nil {
		w.Close()
		return group{}, err
	}
	return group{guard: guard, line: w}, nil
}

func (g group) terminate() { _ = syscall.Kill(-g.id, syscall.SIGTERM) }

func (g group) kill() { _ = syscall.Kill(-g.id, syscall.SIGKILL) }

// alive reports whether the group has a process that was not waited for.
func (g group) alive() bool { return syscall.Kill(-g.id, 0) != syscall.ESRCH }

// release dismisses the guard.
func (g group) release() {
	fmt.Fprintln(g.line, "over")
	g.line.Close()
	_ = g.guard.Wait()
}

func exitStatus(state *os.ProcessState) (exit int, signal string) {
	status := state.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		return 128 + int(status.Signal()), unix.SignalName(status.Signal())
	}
	return status.ExitStatus(), ""
}

func (s *stream) stopReading() { _ = s.r.SetReadDeadline(time.Unix(1, 0)) }

// maxPipe is the most a pipe holds: what comes after so many bytes was written
// after the end of the group.
const maxPipe = 1 << 20

// drain writes what is in the pipe now.
func (s *stream) drain(out io.Writer) {
	_ = s.r.SetReadDeadline(time.Time{})
	pipe, err := s.r.SyscallConn()
	if err != nil {
		return
	}
	chunk := make([]byte, chunkSize)
	for total := 0; total < maxPipe && s.err == nil; {
		n := readNow(pipe, chunk)
		if n == 0 {
			return
		}
		s.write(out, chunk[:n])
		total += n
	}
}

// readNow reads without waiting; 0 says that there is nothing.
func readNow(pipe syscall.RawConn, chunk []byte) (n int) {
	_ = pipe.Read(func(fd uintptr) bool {
		for {
			var err error
			if n, err = syscall.Read(int(fd), chunk); err != syscall.EINTR {
				return true
			}
		}
	})
	return max(n, 0)
}
