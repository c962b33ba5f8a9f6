//go:build !race

// The race detector keeps memory of its own beside Go's.

package signatures_test

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/acode-ls/acode-ls/signatures"
)

// TestMemory parses many texts and looks at the memory of the process, of which
// what a grammar takes is no part of the heap that Go counts.
func TestMemory(t *testing.T) {
	src := large(t, "tricky.go", 6<<10)
	parse := func(times int) {
		for i := range times {
			var finder signatures.Finder
			finder.Declarations(fmt.Sprintf("%s// %d\n", src, i), signatures.Go, signatures.Whole)
		}
	}
	// Without a collector no finalizer closes what was left open.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	parse(40) // so that all pools are full
	before := outside(t)
	parse(400)
	if grown := outside(t) - before; grown > 20<<20 {
		t.Errorf("400 parses of %d bytes took %d MB more memory, want at most 20", len(src), grown>>20)
	}
}

// outside returns the resident memory of this process, in bytes, that is not
// Go's.
func outside(t *testing.T) int {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return resident(t) - int(stats.Sys-stats.HeapReleased)
}

func resident(t *testing.T) int {
	t.Helper()
	content, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	var size, pages int
	if _, err := fmt.Sscan(string(content), &size, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}
