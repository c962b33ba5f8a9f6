package workspace_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// roleVar makes the test binary another process of the program.
const roleVar = "ACODE_TEST_ROLE"

var roles = map[string]func(root string, number int) error{
	"worker": worker, "scribbler": scribbler,
}

func TestMain(m *testing.M) {
	role := roles[os.Getenv(roleVar)]
	if role == nil {
		os.Exit(m.Run())
	}
	number, _ := strconv.Atoi(os.Args[2])
	if err := role(os.Args[1], number); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func process(t *testing.T, role, root string, number int) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], root, strconv.Itoa(number))
	cmd.Env = append(os.Environ(), roleVar+"="+role)
	cmd.Stderr = os.Stderr
	return cmd
}

const (
	workers   = 4
	workerOps = 200
)

// worker reads lines that no other worker reads, and edits a file of its own.
func worker(root string, number int) error {
	h, err := workspace.Open(root, workspace.Options{})
	if err != nil {
		return err
	}
	defer h.Close()
	own := fmt.Sprintf("own%d.txt", number)
	if _, err := h.Read("s", own, workspace.Selection{}); err != nil {
		return err
	}
	for i := range workerOps {
		line := 2*(number*workerOps+i) + 1
		if _, err := h.Read("s", "shared.txt", workspace.Selection{Lines: awareness.Range{Start: line, End: line}}); err != nil {
			return err
		}
		if i%4 > 0 {
			continue
		}
		n := i/4 + 1
		out, err := h.Apply(context.Background(), "s", "", []workspace.Op{replace(own, n, n, fmt.Sprintf("edit %d\n", n))})
		if err != nil || !out.Applied {
			return fmt.Errorf("edit %d: %+v, %v", i, out, err)
		}
	}
	return nil
}

// TestProcesses: what several processes read and edit at once is one ledger
// (C-153, C-193).
func TestProcesses(t *testing.T) {
	root := t.TempDir()
	write(t, root, "shared.txt", numbered(2*workers*workerOps))
	var running []*exec.Cmd
	for i := range workers {
		write(t, root, fmt.Sprintf("own%d.txt", i), numbered(workerOps/4))
		cmd := process(t, "worker", root, i)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, cmd)
	}
	for i, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Errorf("worker %d: %v", i, err)
		}
	}
	h := open(t, root, workspace.Options{})
	_, states, err := h.State("s", "shared.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got := len(states[0].Read); got != workers*workerOps {
		t.Errorf("%d of %d lines that were shown are known", got, workers*workerOps)
	}
	for i := range workers {
		mustState(t, h, "s", fmt.Sprintf("own%d.txt", i), "fully_read 1-50 of 50")
	}
}

// scribbler writes long records until it is killed, and says which are done.
func scribbler(root string, number int) error {
	h, err := workspace.Open(root, workspace.Options{})
	if err != nil {
		return err
	}
	for line := number; line < 100_000; line += 2 {
		ranges := make([]awareness.Range, 0, 2000)
		for range 2000 {
			ranges = append(ranges, awareness.Range{Start: line, End: line})
		}
		if _, err := h.Observe("s", "shared.txt", ranges, nil); err != nil {
			return err
		}
		fmt.Println(line)
	}
	return nil
}

// TestKilled kills processes that write the journal (C-191).
func TestKilled(t *testing.T) {
	root := t.TempDir()
	write(t, root, "shared.txt", numbered(100_000))
	first := 1
	known := map[int]bool{}
	for round := range 8 {
		cmd := process(t, "scribbler", root, first)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			line, err := strconv.Atoi(lines.Text())
			if err != nil {
				t.Fatal(err)
			}
			known[line], first = true, line+4
			if n == 5+round {
				_ = cmd.Process.Kill()
			}
		}
		_ = cmd.Wait()
		if round%2 == 0 { // as a kill in the middle of a write leaves it
			tear(t, filepath.Join(root, journalOfS))
		}
		h := open(t, root, workspace.Options{})
		_, states, err := h.State("s", "shared.txt")
		if err != nil {
			t.Fatal(err)
		}
		for line := range known {
			if !within(states[0].Read, line) {
				t.Errorf("round %d: line %d was shown but is not known", round, line)
			}
		}
		look(t, h, "s", "shared.txt", first+1, first+1)
		known[first+1], first = true, first+4
		sameAsReopened(t, h, "s")
		h.Close()
	}
}

func tear(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(`{"k":"show","p":"shared.txt","r":[` + strings.Repeat("[1,100000],", 3000)); err != nil {
		t.Fatal(err)
	}
}
