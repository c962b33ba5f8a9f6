package artifacts_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/acode-ls/acode-ls/artifacts"
)

// roleVar makes the test binary another process of the program.
const roleVar = "ACODE_TEST_ROLE"

// roles take a root and one more argument.
var roles = map[string]func(root *os.Root, arg string) error{
	"maker": maker, "halfway": halfway, "holder": holder, "quota": quotaMaker,
}

func TestMain(m *testing.M) {
	role := roles[os.Getenv(roleVar)]
	if role == nil {
		os.Exit(m.Run())
	}
	root, err := os.OpenRoot(os.Args[1])
	if err == nil {
		err = role(root, os.Args[2])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// process starts a process, which ends when its standard input does.
func process(t *testing.T, role, root, arg string) (*exec.Cmd, io.WriteCloser, *bufio.Reader) {
	t.Helper()
	cmd := exec.Command(os.Args[0], root, arg)
	cmd.Env = append(os.Environ(), roleVar+"="+role)
	cmd.Stderr = os.Stderr
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
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd, in, bufio.NewReader(out)
}

func line(t *testing.T, r *bufio.Reader) string {
	t.Helper()
	s, err := r.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(s, "\n")
}

// kill ends a process as if by power.
func kill(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

const makers, makes = 3, 50

// maker makes artifacts, reads each, and ends some of its sessions.
func maker(root *os.Root, arg string) error {
	s := openIn(root, artifacts.Options{PerMinute: 1000, Quota: 1 << 20})
	for i := range makes {
		content := strings.Repeat(fmt.Sprintf("%s %d\n", arg, i), 500)
		info, evicted, err := put(s, "kept "+arg, "", content)
		if err != nil || len(evicted) > 0 {
			return fmt.Errorf("%d: %v, %v", i, evicted, err)
		}
		if got, err := read(s, "kept "+arg, info.ID); err != nil || got != content {
			return fmt.Errorf("%d is %d bytes, %v", i, len(got), err)
		}
		if _, _, err := put(s, "ended "+arg, "", "x"); err != nil {
			return err
		}
		if removed, err := s.End("ended " + arg); err != nil || removed.Artifacts != 1 {
			return fmt.Errorf("%d: %+v, %v", i, removed, err)
		}
	}
	fmt.Println("done")
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}

// TestProcesses: two stores of one process and three processes make artifacts
// in one root, while others sweep; none is lost and none is left (FR-054,
// C-62, THR-6.6).
func TestProcesses(t *testing.T) {
	root := t.TempDir()
	var outs []*bufio.Reader
	var ins []io.WriteCloser
	var cmds []*exec.Cmd
	for i := range makers {
		cmd, in, out := process(t, "maker", root, fmt.Sprint(i))
		cmds, ins, outs = append(cmds, cmd), append(ins, in), append(outs, out)
	}
	one, two := open(t, root, artifacts.Options{}), open(t, root, artifacts.Options{})
	var both sync.WaitGroup
	for _, s := range []*artifacts.Store{one, two} {
		both.Go(func() {
			for i := range makes {
				if _, _, err := put(s, "here", "", fmt.Sprint(i)); err != nil {
					t.Error(err)
				}
				if removed, err := s.Sweep(never); removed.Artifacts != 0 || err != nil {
					t.Errorf("swept %+v, %v", removed, err)
				}
			}
		})
	}
	both.Wait()
	for _, out := range outs {
		if got := line(t, out); got != "done" {
			t.Fatal(got)
		}
	}
	infos, _, err := one.List("", "", 0)
	if err != nil || len(infos) != (makers+2)*makes {
		t.Fatalf("%d artifacts, %v", len(infos), err)
	}
	for _, info := range infos {
		a, err := two.Get("", info.ID)
		if err != nil {
			t.Fatal(err)
		}
		a.Close()
	}
	wantRemoved(t, makes, 90)(two.Close(false))
	for i, in := range ins {
		in.Close()
		if err := cmds[i].Wait(); err != nil {
			t.Error(err)
		}
	}
	if removed, err := one.Sweep(never); removed.Artifacts != makers*makes || err != nil {
		t.Errorf("swept %+v, %v", removed, err)
	}
	wantRemoved(t, makes, 90)(one.Close(false))
	gone(t, root)
}

// TestParallel: however many write at once, each has its own (AC-100).
func TestParallel(t *testing.T) {
	for _, count := range []int{10, 100, 1000} {
		root := t.TempDir()
		s := open(t, root, artifacts.Options{Quota: 1 << 30})
		var all sync.WaitGroup
		for i := range count {
			all.Go(func() {
				content := strings.Repeat(fmt.Sprintln(i), 1000)
				info, _, err := put(s, "s", "", content)
				if err != nil {
					t.Error(err)
					return
				}
				if got, err := read(s, "s", info.ID); err != nil || got != content {
					t.Errorf("%d: %d bytes, %v", i, len(got), err)
				}
			})
		}
		all.Wait()
		ids := map[string]bool{}
		infos, _, err := s.List("s", "", 0)
		for _, info := range infos {
			ids[info.ID] = true
		}
		if len(ids) != count || err != nil {
			t.Errorf("%d artifacts of %d, %v", len(ids), count, err)
		}
		if removed, err := s.End("s"); removed.Artifacts != count || err != nil {
			t.Error(removed, err)
		}
		gone(t, root)
	}
}

// halfway writes half of 9 MB and waits.
func halfway(root *os.Root, _ string) error {
	s := openIn(root, artifacts.Options{})
	if _, _, err := put(s, "s", "", "whole"); err != nil {
		return err
	}
	w, err := s.Create("s", artifacts.Meta{})
	if err != nil {
		return err
	}
	if _, err := w.Write(make([]byte, 9<<20/2)); err != nil {
		return err
	}
	fmt.Println(w.ID())
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// TestKilled: of what a killed process was writing nothing is left but a
// temporary file, which the next sweep removes with its artifacts (AC-105).
func TestKilled(t *testing.T) {
	root := t.TempDir()
	cmd, _, out := process(t, "halfway", root, "")
	id := line(t, out)
	s := open(t, root, artifacts.Options{})
	wantRemoved(t, 0, 0)(s.Sweep(never))
	temp := filepath.Join(root, folder, ".tmp-"+id)
	if info, err := os.Stat(temp); err != nil || info.Size() < 4<<20 {
		t.Fatalf("what is being written was swept: %v", err)
	}
	kill(cmd)
	if _, err := s.Get("", id); !is[*artifacts.NotFoundError](err) {
		t.Error(err)
	}
	if infos, _, err := s.List("", "", 0); len(infos) != 1 || err != nil {
		t.Error(infos, err)
	}
	wantRemoved(t, 1, 9<<20/2+5)(s.Sweep(never))
	gone(t, root)
}

// TestKilledAnywhere kills processes at whatever they do, again and again:
// what is listed is whole, and what a sweep leaves is nothing.
func TestKilledAnywhere(t *testing.T) {
	root := t.TempDir()
	s := open(t, root, artifacts.Options{})
	for range 8 {
		cmd, _, out := process(t, "quota", root, "")
		for range 5 {
			line(t, out)
		}
		kill(cmd)
		infos, _, err := s.List("", "", 0)
		if err != nil || len(infos) == 0 {
			t.Fatalf("%d artifacts, %v", len(infos), err)
		}
		for _, info := range infos {
			a, err := s.Get("", info.ID)
			if is[*artifacts.NotFoundError](err) {
				t.Errorf("%s was listed", info.ID)
			} else if err != nil {
				t.Error(err)
			} else {
				a.Close()
			}
		}
		if _, err := s.Sweep(never); err != nil {
			t.Error(err)
		}
		gone(t, root)
	}
}

// quotaMaker makes artifacts that evict each other until it is killed.
func quotaMaker(root *os.Root, _ string) error {
	s := openIn(root, artifacts.Options{Quota: 100_000})
	for {
		if _, _, err := put(s, "s", "", strings.Repeat("x", 30_000)); err != nil {
			return err
		}
		fmt.Println("one more")
	}
}

// holder makes an artifact and lives.
func holder(root *os.Root, _ string) error {
	s := openIn(root, artifacts.Options{})
	info, _, err := put(s, "s", "", "held")
	if err != nil {
		return err
	}
	fmt.Println(info.ID)
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// TestOwner: the artifacts of a process are its own until it is gone, however
// it went and whatever became of its process number.
func TestOwner(t *testing.T) {
	root := t.TempDir()
	cmd, _, out := process(t, "holder", root, "")
	id := line(t, out)
	s := open(t, root, artifacts.Options{})
	wantRemoved(t, 0, 0)(s.Sweep(func(string, time.Time) bool { return true }))
	wantRemoved(t, 0, 0)(s.End("s"))
	wantRemoved(t, 0, 0)(s.Close(false))
	s = open(t, root, artifacts.Options{})
	mustRead(t, s, "s", id, "held")
	kill(cmd)
	wantRemoved(t, 1, 4)(s.Sweep(never))
	gone(t, root)
}
