//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peak returns the most resident memory that a process had, in bytes; 0 if
// that is not known.
func peak(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10
}
