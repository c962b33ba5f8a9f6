package command

import (
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

func shell(line string) (*exec.Cmd, error) {
	path, err := exec.LookPath("cmd")
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		CmdLine:       `cmd /D /S /C "` + line + `"`,
		CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP,
	}
	return cmd, nil
}

// group is a shell and what it has started, as far as taskkill finds it.
type group struct{ shell *os.Process }

func startGroup(cmd *exec.Cmd) (group, error) {
	if err := cmd.Start(); err != nil {
		return group{}, err
	}
	return group{cmd.Process}, nil
}

func (g group) terminate() {
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(g.shell.Pid)).Run()
}

func (g group) kill() { _ = g.shell.Kill() }

// alive is always false: nothing tells of the group.
func (g group) alive() bool { return false }

func (g group) release() {}

func exitStatus(state *os.ProcessState) (exit int, signal string) {
	return state.ExitCode(), ""
}

// stopReading lets what has left the group write for a while and then ends the
// pipe under it.
func (s *stream) stopReading() {
	await(s.done, grace)
	_ = s.r.Close()
}

// drain has nothing to do: stopReading has waited.
func (s *stream) drain(io.Writer) {}
