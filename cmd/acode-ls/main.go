// Command acode-ls keeps track of what an AI agent has seen of a workspace,
// refuses its edits of lines it has not seen, and shows both in the editor.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	status := run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(status)
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
	exitFailed  = 1 // not found, I/O, integrity
	exitUsage   = 2 // bad usage or configuration, before anything is written
	exitBlocked = 3 // refused by the guard
)
