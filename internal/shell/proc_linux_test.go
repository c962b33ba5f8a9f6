package shell_test

import (
	"testing"

	"github.com/acode-ls/acode-ls/internal/shell"
)

// TestEndless: a file of the system that says it is empty and never ends is not
// read on and on.
func TestEndless(t *testing.T) {
	if got := shell.Shown("/", "head -n 1 /proc/self/pagemap", "x\n"); len(got) > 0 {
		t.Errorf("it is shown: %v", got)
	}
}
