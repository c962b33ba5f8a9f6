package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"time"
)

// cost is what a round of some work took. Of a whole process it is that of the
// process; of a call in this one it has no memory.
type cost struct {
	cpu, wall time.Duration
	memory    int64 // the most that was resident, in bytes; 0 if not known
}

// work does a round of some work.
type work func() (cost, error)

// errNotHere is the error of work that needs what is not installed.
var errNotHere = errors.New("not here")

// outcome is what rounds of work come to: the median of each cost, or why there
// is none.
type outcome struct {
	cost
	err error
}

// turns does n rounds of each of works, one after another, as absolute times
// drift and ratios less so. The first failure of a work ends it.
func turns(n int, works ...work) []outcome {
	costs := make([][]cost, len(works))
	outcomes := make([]outcome, len(works))
	for range n {
		for i, do := range works {
			if outcomes[i].err != nil {
				continue
			}
			c, err := do()
			outcomes[i].err = err
			costs[i] = append(costs[i], c)
		}
	}
	for i := range outcomes {
		outcomes[i].cost = median(costs[i])
	}
	return outcomes
}

func median(costs []cost) cost {
	middle := func(of func(cost) int64) int64 {
		values := make([]int64, len(costs))
		for i, c := range costs {
			values[i] = of(c)
		}
		slices.Sort(values)
		return values[len(values)/2]
	}
	return cost{
		time.Duration(middle(func(c cost) int64 { return int64(c.cpu) })),
		time.Duration(middle(func(c cost) int64 { return int64(c.wall) })),
		middle(func(c cost) int64 { return c.memory }),
	}
}

// calls is work in this process. A round has as many calls as fill some
// milliseconds, and costs what one of them does.
func (b *bench) calls(do func() error) work {
	const enough = 20 * time.Millisecond
	times := 0
	return func() (cost, error) {
		if times == 0 { // the first round, after a call to warm up
			if err := do(); err != nil {
				return cost{}, err
			}
			start := time.Now()
			if err := do(); err != nil {
				return cost{}, err
			}
			times = int(min(enough/max(time.Since(start), 1), 1_000_000)) + 1
			if b.quick {
				times = 1
			}
		}
		runtime.GC() // what others left behind is not at this work's expense
		cpu, start := cpuTime(), time.Now()
		for range times {
			if err := do(); err != nil {
				return cost{}, err
			}
		}
		wall := time.Since(start)
		n := time.Duration(times)
		return cost{cpu: (cpuTime() - cpu) / n, wall: wall / n}, nil
	}
}

// always is calls of what does not fail.
func (b *bench) always(do func()) work {
	return b.calls(func() error { do(); return nil })
}

// process is work by a process in the folder of the run. The first of argv is
// a path or a name to be found.
func (b *bench) process(argv ...string) work { return b.fed(nil, argv...) }

// fed is process with what feed returns for its stdin.
func (b *bench) fed(feed func() io.Reader, argv ...string) work {
	path, err := findProgram(argv[0])
	if err != nil {
		return missing
	}
	argv = append([]string{path}, argv[1:]...)
	return func() (cost, error) {
		cmd := exec.Command(b.tool("meter"), argv...)
		cmd.Dir = b.folder
		cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8") // else wc counts bytes
		if feed != nil {
			cmd.Stdin = feed()
		}
		return metered(cmd)
	}
}

// metered runs a command that prints what something took.
func metered(cmd *exec.Cmd) (cost, error) {
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return cost{}, fmt.Errorf("%s: %v: %s", filepath.Base(cmd.Path), err, bytes.TrimSpace(said.Bytes()))
	}
	var took struct {
		CPU    time.Duration `json:"cpu_ns"`
		Wall   time.Duration `json:"wall_ns"`
		Memory int64         `json:"peak_bytes"`
	}
	if err := json.Unmarshal(out.Bytes(), &took); err != nil {
		return cost{}, fmt.Errorf("decoding what %s says: %v", filepath.Base(cmd.Path), err)
	}
	return cost{took.CPU, took.Wall, took.Memory}, nil
}

func missing() (cost, error) { return cost{}, errNotHere }
