package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
)

// residentMemory returns the resident memory of a process in bytes.
func residentMemory(pid int) (int64, error) {
	switch runtime.GOOS {
	case "linux":
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			return 0, err
		}
		for line := range strings.Lines(string(status)) {
			if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
				return kilobytes(strings.TrimSuffix(strings.TrimSpace(rest), " kB"))
			}
		}
		return 0, errors.New("no VmRSS")
	case "windows":
		return 0, errors.New("not known how on Windows")
	}
	out, err := exec.Command("ps", "-o", "rss=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return 0, err
	}
	return kilobytes(strings.TrimSpace(string(out)))
}

func kilobytes(number string) (int64, error) {
	n, err := strconv.ParseInt(number, 10, 64)
	return n << 10, err
}
