//go:build unix

package command_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/command"
)

// TestMain lets the test binary be the process that is killed in
// TestKilledParent.
func TestMain(m *testing.M) {
	if line, ok := os.LookupEnv("COMMAND_TEST_LINE"); ok {
		_, _ = command.Run(context.Background(), command.Command{Line: line}, os.Stdout)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct {
		name, line, output string
		want               command.Status
	}{
		{"output", "printf 'a\\r\\nb'", "a\r\nb", command.Status{}},
		{"both streams in order", "echo 1; echo 2 >&2; echo 3; echo 4 >&2", "1\n2\n3\n4\n", command.Status{}},
		{"no output", ":", "", command.Status{}},
		{"nothing", "", "", command.Status{}},
		{"invalid UTF-8", "printf 'a\\377\\000b'", "a\xff\x00b", command.Status{}},
		{"not ASCII", "echo ä→𝄞", "ä→𝄞\n", command.Status{}},
		{"folder", "pwd -P", realPath(t, dir) + "\n", command.Status{}},
		{"environment", `echo "$A-$HOME"`, "1-\n", command.Status{}},
		{"empty input", "cat; echo end", "end\n", command.Status{}},
		{"exit status", "exit 3", "", command.Status{Exit: 3}},
		{"not found", "exec 2>&-; /nonexistent/program", "", command.Status{Exit: 127}},
		{"signal", "kill -KILL $$", "", command.Status{Exit: 137, Signal: "SIGKILL"}},
		{"signal with output", "echo out; kill -SEGV $$", "out\n", command.Status{Exit: 139, Signal: "SIGSEGV"}},
		{"whole group", "trap '' TERM; echo out; kill -KILL 0", "out\n", command.Status{Exit: 137, Signal: "SIGKILL"}},
		{"descriptor 3 is closed", "(echo x >&3) 2>&- || echo closed", "closed\n", command.Status{}},
		{"substitution ends its work", "echo in > >(read -r x; echo \"$x-out\")", "in-out\n", command.Status{}},
		{"output after the shell", "echo 1; (trap 'echo 3; exit' TERM; echo 2; while :; do read -rt 1 < <(:); done) & exit 4", "1\n2\n3\n", command.Status{Exit: 4}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			out := &output{}
			env := []string{"A=1", "PATH=" + os.Getenv("PATH")}
			status, err := command.Run(t.Context(), command.Command{Line: test.line, Dir: dir, Env: env}, out)
			if err != nil {
				t.Fatalf("Run(%q): %v", test.line, err)
			}
			status.Duration = 0
			if diff := cmp.Diff(test.want, status); diff != "" {
				t.Errorf("Run(%q) status (-want +got):\n%s", test.line, diff)
			}
			if diff := cmp.Diff(test.output, out.String()); diff != "" {
				t.Errorf("Run(%q) output (-want +got):\n%s", test.line, diff)
			}
		})
	}
}

func realPath(t *testing.T, dir string) string {
	t.Helper()
	path, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Each command names its processes on its output; none may be left.
func TestEnd(t *testing.T) {
	const forever = "while :; do sleep 1000; done"
	for _, test := range []struct {
		name, line string
		status     command.Status
	}{
		{"asleep", "echo $$; sleep 1000", command.Status{Exit: 143, Signal: "SIGTERM"}},
		{"handles TERM", "trap 'exit 5' TERM; echo $$; while :; do sleep 0.01; done", command.Status{Exit: 5}},
		{"ignores TERM", "trap '' TERM; echo $$; " + forever, command.Status{Exit: 137, Signal: "SIGKILL"}},
		{"children ignore TERM", "(trap '' TERM; echo $BASHPID; " + forever + ") & echo $$; wait", command.Status{Exit: 143, Signal: "SIGTERM"}},
		{"silent children ignore TERM", "(trap '' TERM; echo $BASHPID; exec >&- 2>&-; " + forever + ") & echo $$; wait", command.Status{Exit: 143, Signal: "SIGTERM"}},
		{"stopped", "(while ps -o stat= -p $$ | grep -qv T; do :; done; echo $$) & kill -STOP $$", command.Status{Exit: 137, Signal: "SIGKILL"}},
		{"many", "for i in $(seq 200); do sleep 1000 & echo $!; done; echo $$; wait", command.Status{Exit: 143, Signal: "SIGTERM"}},
		{"breeding", "f() { sleep 1000 & echo $!; (f); }; for i in $(seq 10); do f & done; echo $$; wait", command.Status{Exit: 143, Signal: "SIGTERM"}},
		{"pipeline", "echo $$; yes | sleep 1000 | sleep 1000", command.Status{Exit: 143, Signal: "SIGTERM"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			out := &output{seen: cancel, until: 1}
			if strings.HasSuffix(test.line, "& echo $$; wait") {
				out.until = 2 // what the child does to be hard to end comes before its line
			}
			status, err := command.Run(ctx, command.Command{Line: test.line}, out)
			if err != nil {
				t.Fatal(err)
			}
			want := test.status
			want.Canceled, want.Duration = true, status.Duration
			if diff := cmp.Diff(want, status); diff != "" {
				t.Errorf("status (-want +got):\n%s", diff)
			}
			out.noneAlive(t)
		})
	}
}

func TestTimeout(t *testing.T) {
	// A busy machine may need a longer time to come to the first line.
	for timeout := 100 * time.Millisecond; ; timeout *= 2 {
		out := &output{}
		c := command.Command{Line: "trap '' TERM; sleep 1000 & echo $!; echo $$; wait", Timeout: timeout}
		status, err := command.Run(t.Context(), c, out)
		if err != nil || !status.TimedOut || status.Signal == "" || status.Canceled {
			t.Fatalf("Run = %+v, %v; want timed out", status, err)
		}
		if len(out.processes()) == 2 {
			out.noneAlive(t)
			return
		}
	}
}

// What the shell leaves behind ends with it and does not make Run wait.
func TestBackground(t *testing.T) {
	for _, test := range []struct{ name, line string }{
		{"holds the output", "sleep 1000 & echo $!"},
		{"holds no output", "sleep 1000 >&- 2>&- & echo $!"},
		{"ignores TERM", "(trap '' TERM; echo $BASHPID; while :; do sleep 1000; done) & read -rt 0.2 < <(sleep 1)"},
		{"ignores HUP", "nohup sleep 1000 & echo $!"},
		{"disowned", "sleep 1000 & echo $!; disown"},
		{"writes on", "yes 0 & echo $!"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			out := &output{}
			if _, err := command.Run(t.Context(), command.Command{Line: test.line}, out); err != nil {
				t.Fatal(err)
			}
			out.noneAlive(t)
		})
	}
}

// A process that has left the group is not ended, but does not make Run wait.
func TestEscaped(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Log("there is no setsid here; nothing can leave the group")
		return
	}
	for _, line := range []string{
		"setsid sleep 1000 & read -rt 0.2 < <(sleep 1); pgrep -P $$ -x sleep || echo $!",
		"setsid yes 0 & echo $!; read -rt 0.2 < <(sleep 1)",
	} {
		out := &output{}
		if _, err := command.Run(t.Context(), command.Command{Line: line}, out); err != nil {
			t.Fatal(err)
		}
		ids := out.processes()
		if len(ids) == 0 {
			t.Errorf("Run(%q) shows no process: %q", line, out.String())
		}
		for _, id := range ids {
			_ = syscall.Kill(id, syscall.SIGKILL)
		}
	}
}

func TestKilledParent(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out := &output{}
	parent := exec.Command(self)
	parent.Env = append(os.Environ(), "COMMAND_TEST_LINE=trap '' TERM HUP PIPE; sleep 1000 & echo $!; (trap '' TERM HUP; echo $BASHPID; sleep 1000; sleep 1000) & echo $$; wait")
	parent.Stdout = out
	out.seen, out.until = func() { _ = parent.Process.Kill() }, 3
	if err := parent.Run(); err == nil {
		t.Fatal("the parent was not killed")
	}
	out.noneAlive(t)
}

func TestWriterError(t *testing.T) {
	broken := errors.New("disk full")
	out := &output{err: broken}
	status, err := command.Run(t.Context(), command.Command{Line: "echo $$; yes; sleep 1000"}, out)
	if !errors.Is(err, broken) {
		t.Errorf("Run error = %v, want %v", err, broken)
	}
	if status.Signal == "" || status.TimedOut || status.Canceled {
		t.Errorf("Run status = %+v, want ended by a signal", status)
	}
	out.noneAlive(t)
}

func TestLargeOutput(t *testing.T) {
	const size = 200 << 20
	var counted count
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	status, err := command.Run(t.Context(), command.Command{Line: fmt.Sprintf("yes | head -c %d", size)}, &counted)
	runtime.ReadMemStats(&after)
	if err != nil || status.Exit != 0 || counted != size {
		t.Errorf("got %d bytes, %+v, %v; want %d", counted, status, err, size)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
		t.Errorf("allocated %d bytes in all", got)
	}
}

func TestCannotStart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, line, dir, want string }{
		{"no folder", ":", file + "x", "no such file or directory"},
		{"not a folder", ":", file, "is not a folder"},
		{"NUL in the folder", ":", "a\x00b", "invalid argument"},
		{"NUL in the line", "echo a\x00b", "", "invalid argument"},
		{"line too long", ": " + strings.Repeat("x", 1<<22), "", "argument list too long"},
	} {
		t.Run(test.name, func(t *testing.T) {
			out := &output{}
			_, err := command.Run(t.Context(), command.Command{Line: test.line, Dir: test.dir}, out)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error = %v, want one with %q", err, test.want)
			}
		})
	}
	t.Run("no shell", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		if _, err := command.Run(t.Context(), command.Command{Line: ":"}, &output{}); err == nil {
			t.Error("no error")
		}
	})
}

func TestEndedBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	status, err := command.Run(ctx, command.Command{Line: "sleep 1000"}, &output{})
	if err != nil || !status.Canceled {
		t.Errorf("Run = %+v, %v; want canceled", status, err)
	}
}

// output is what a command wrote. It calls seen once when it has until lines,
// and fails with err after it has kept what was written. It
// keeps not much more than a megabyte.
type output struct {
	buffer bytes.Buffer
	seen   func()
	until  int
	err    error
}

func (o *output) Write(p []byte) (int, error) {
	n := len(p)
	if o.buffer.Len() < 1<<20 {
		o.buffer.Write(p)
	}
	if o.seen != nil && bytes.Count(o.buffer.Bytes(), []byte("\n")) >= o.until {
		o.seen()
		o.seen = nil
	}
	return n, o.err
}

func (o *output) String() string { return o.buffer.String() }

// processes returns the numbers above 1 that are lines of the output.
func (o *output) processes() (ids []int) {
	for line := range strings.Lines(o.String()) {
		if id, err := strconv.Atoi(strings.TrimSpace(line)); err == nil && id > 1 {
			ids = append(ids, id)
		}
	}
	return ids
}

// noneAlive checks that all processes of the output have ended or soon do.
func (o *output) noneAlive(t *testing.T) {
	t.Helper()
	ids := o.processes()
	if len(ids) == 0 {
		t.Fatalf("no process is named in %q", o.String())
	}
	for _, id := range ids {
		for deadline := time.Now().Add(10 * time.Second); running(id); {
			if time.Now().After(deadline) {
				_ = syscall.Kill(id, syscall.SIGKILL)
				t.Errorf("process %d was not ended", id)
			}
		}
	}
}

// running reports whether a process is there and no zombie.
func running(id int) bool {
	if syscall.Kill(id, 0) != nil {
		return false
	}
	state, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(id)).Output()
	return err == nil && !strings.HasPrefix(strings.TrimSpace(string(state)), "Z")
}

type count int

func (c *count) Write(p []byte) (int, error) {
	*c += count(len(p))
	return len(p), nil
}
