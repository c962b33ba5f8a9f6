// Package command runs a shell command for an agent and passes its output on
// as it comes.
//
// It does not judge, truncate or keep output, and it is no sandbox: a process
// that leaves its group on purpose (setsid) is not ended with it.
package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// Command is a line for the shell: bash where there is one, else sh; cmd on
// Windows.
type Command struct {
	Line    string
	Dir     string        // where it runs; "" is the folder of this process
	Env     []string      // KEY=value; nil is the environment of this process
	Timeout time.Duration // 0 is none
}

// Status says how a command ended.
type Status struct {
	Exit     int    // exit status; 128 plus the signal's number where a signal ended the shell
	Signal   string // such as "SIGKILL", where a signal ended the shell; else ""
	TimedOut bool   // it was ended because its time was over
	Canceled bool   // it was ended because the context was
	Duration time.Duration
}

const (
	// grace is how long processes have to end by themselves: background jobs
	// when the shell has ended, and all when they are asked to end.
	grace = time.Second
	// killing is how long killed processes are waited for. Longer makes no
	// difference: in a container whose first process reaps no orphans, they stay
	// in their group.
	killing = 100 * time.Millisecond
	// interval is how often a group is looked at while it ends.
	interval = 5 * time.Millisecond
)

// Run runs c and waits for its end. Its standard output and standard error go
// to out, in the order written; its standard input is empty.
//
// When the shell ends, when c.Timeout is over, when ctx ends or when out
// returns an error, what is left of the process group is asked to end (SIGTERM)
// and killed (SIGKILL) if it does not in time. Background jobs thus end with
// the shell, shortly after it if they hold its output. Should this process
// itself be killed, the group is killed as well.
//
// A failing, timed out or canceled command is no error: Status says so. It is
// an error when the command cannot be started, and when out returns one. Run
// does not return while out is busy with a Write.
func Run(ctx context.Context, c Command, out io.Writer) (Status, error) {
	start := time.Now()
	if err := checkDir(c.Dir); err != nil {
		return Status{}, fmt.Errorf("running a command: %w", err)
	}
	output, w, err := openStream()
	if err != nil {
		return Status{}, fmt.Errorf("running a command: %w", err)
	}
	p, err := startProcess(c, w)
	w.Close()
	if err != nil {
		output.r.Close()
		return Status{}, fmt.Errorf("starting the shell: %w", err)
	}
	go output.copyTo(out)

	var status Status
	p.watch(ctx, c.Timeout, output, &status)
	p.end()
	err = output.finish(out)
	status.Exit, status.Signal = exitStatus(p.cmd.ProcessState)
	status.Duration = time.Since(start)
	if err != nil {
		return status, fmt.Errorf("writing the output of the command: %w", err)
	}
	return status, nil
}

// checkDir gives a better error than a shell that cannot start.
func checkDir(dir string) error {
	if dir == "" {
		return nil
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%q is not a folder", dir)
	}
	return err
}

// process is a shell that was started and the group it leads.
type process struct {
	cmd    *exec.Cmd
	group  group
	exited chan struct{} // closed when the shell was waited for
}

func startProcess(c Command, out *os.File) (*process, error) {
	cmd, err := shell(c.Line)
	if err != nil {
		return nil, err
	}
	cmd.Dir, cmd.Env = c.Dir, c.Env
	cmd.Stdout, cmd.Stderr = out, out
	g, err := startGroup(cmd)
	if err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, group: g, exited: make(chan struct{})}
	go func() {
		defer close(p.exited)
		_ = cmd.Wait() // its ProcessState says more
	}()
	return p, nil
}

// watch waits for a reason to end the group and notes it in status.
func (p *process) watch(ctx context.Context, timeout time.Duration, output *stream, status *Status) {
	var over <-chan time.Time
	if timeout > 0 {
		timer := time.NewTimer(timeout)
		defer timer.Stop()
		over = timer.C
	}
	select {
	case <-p.exited:
		await(output.done, grace) // a process substitution may still be writing
	case <-output.failed:
	case <-over:
		status.TimedOut = true
	case <-ctx.Done():
		status.Canceled = true
	}
}

// end leaves no process of the group.
func (p *process) end() {
	p.group.terminate()
	p.awaitGroup(grace)
	p.group.kill()
	<-p.exited
	p.awaitGroup(killing)
	p.group.release()
}

// awaitGroup waits until the group is empty, but not longer than limit. No
// system tells of that, so it looks again and again.
func (p *process) awaitGroup(limit time.Duration) {
	for deadline := time.Now().Add(limit); p.group.alive() && time.Now().Before(deadline); {
		await(nil, interval)
	}
}

// await waits until done is closed, but not longer than limit.
func await(done <-chan struct{}, limit time.Duration) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}
