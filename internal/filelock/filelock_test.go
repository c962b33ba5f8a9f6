package filelock_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/acode-ls/acode-ls/internal/filelock"
)

const holdVar = "ACODE_TEST_HOLD"

// TestMain makes the test binary a process that locks a file, says so, and
// holds it until it is killed.
func TestMain(m *testing.M) {
	name := os.Getenv(holdVar)
	if name == "" {
		os.Exit(m.Run())
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		panic(err)
	}
	if err := filelock.Lock(f); err != nil {
		panic(err)
	}
	os.Stdout.WriteString("locked\n")
	_, _ = io.Copy(io.Discard, os.Stdin)
}

func TestLocks(t *testing.T) {
	name := file(t)
	for _, test := range []struct {
		held string
		take func(*os.File) error
		want bool // of TryLock through another handle
	}{
		{"exclusive", filelock.Lock, false},
		{"shared", filelock.RLock, false},
		{"given up", func(f *os.File) error {
			if err := filelock.Lock(f); err != nil {
				return err
			}
			return filelock.Unlock(f)
		}, true},
		{"closed", func(f *os.File) error {
			if err := filelock.Lock(f); err != nil {
				return err
			}
			return f.Close()
		}, true},
	} {
		t.Run(test.held, func(t *testing.T) {
			first, second := open(t, name), open(t, name)
			if err := test.take(first); err != nil {
				t.Fatal(err)
			}
			if got, err := filelock.TryLock(second); err != nil || got != test.want {
				t.Errorf("TryLock: %v, %v, want %v", got, err, test.want)
			}
		})
	}
}

// TestShared: those who read do not wait for each other.
func TestShared(t *testing.T) {
	name := file(t)
	for range 2 {
		if err := filelock.RLock(open(t, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWaits: Lock returns once the other handle is unlocked.
func TestWaits(t *testing.T) {
	name := file(t)
	first, second := open(t, name), open(t, name)
	if err := filelock.Lock(first); err != nil {
		t.Fatal(err)
	}
	var released atomic.Bool
	done := make(chan error)
	go func() {
		err := filelock.Lock(second)
		if err == nil && !released.Load() {
			t.Error("two have the lock")
		}
		done <- err
	}()
	released.Store(true)
	if err := filelock.Unlock(first); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// TestProcess: the lock of a process ends when that is killed.
func TestProcess(t *testing.T) {
	name := file(t)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), holdVar+"="+name)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	f := open(t, name)
	if got, err := filelock.TryLock(f); err != nil || got {
		t.Errorf("TryLock while it is held: %v, %v", got, err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if got, err := filelock.TryLock(f); err != nil || !got {
		t.Errorf("TryLock after the death: %v, %v", got, err)
	}
}

func file(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "lock")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func open(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}
