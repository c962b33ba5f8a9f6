// Command acode-ls keeps track of what an AI agent has seen of a workspace,
// refuses its edits of lines it has not seen, and shows both in the editor.
package main

import (
	"context"
	"io"
	"os"
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// streams are the standard streams of one run of the program.
type streams struct {
	in  io.ReadCloser
	out io.WriteCloser
	err io.Writer
}

// Exit statuses.
const (
	exitOK      = 0
	exitFailed  = 1 // the system or the workspace did not let it: not found, I/O
	exitUsage   = 2 // bad usage or configuration, before anything is written
	exitBlocked = 3 // refused by the guard
)
