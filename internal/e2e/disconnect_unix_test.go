//go:build unix

package e2e

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestDisconnect: however an MCP server loses its client, or is itself ended, in
// the middle of a command, no process of the command stays.
func TestDisconnect(t *testing.T) {
	bin := build(t)
	for name, end := range map[string]func(p *os.Process, stdin io.Closer) error{
		"the client leaves": func(_ *os.Process, stdin io.Closer) error { return stdin.Close() },
		"terminated":        func(p *os.Process, _ io.Closer) error { return p.Signal(syscall.SIGTERM) },
		"killed":            func(p *os.Process, _ io.Closer) error { return p.Kill() },
	} {
		t.Run(name, func(t *testing.T) {
			root := realDir(t)
			server := exec.Command(filepath.Join(bin, "acode-ls"), "mcp", "--root", root)
			server.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+root)
			stdin, err := server.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			stdout, err := server.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := server.Start(); err != nil {
				t.Fatal(err)
			}
			for _, message := range []string{
				`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
				`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
				`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"execute_command","arguments":{"command":"trap '' TERM; (echo $BASHPID >>pids; sleep 1000) & echo $$ >>pids; sleep 1000 & echo $! >>pids; echo all >>pids; wait"}}}`,
			} {
				if _, err := fmt.Fprintln(stdin, message); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			var pids []string
			waitFor(t, "the command to run", func() bool {
				b, _ := os.ReadFile(filepath.Join(root, "pids"))
				pids = strings.Fields(string(b))
				return len(pids) == 4
			})
			if err := end(server.Process, stdin); err != nil {
				t.Fatal(err)
			}
			_ = server.Wait() // it was perhaps killed
			for _, pid := range pids {
				if pid == "all" {
					continue
				}
				waitFor(t, "process "+pid+" to end", func() bool { return !runs(pid) })
			}
		})
	}
}

func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for deadline := time.After(patience); !done(); {
		select {
		case <-look.C:
		case <-deadline:
			t.Fatalf("waited %v for %s", patience, what)
		}
	}
}

// runs reports whether a process runs: one that has ended may wait for its
// parent to ask.
func runs(pid string) bool {
	n, err := strconv.Atoi(pid)
	if err != nil || syscall.Kill(n, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		_, err := os.Stat("/proc/self") // elsewhere there is no telling
		return err != nil
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}
