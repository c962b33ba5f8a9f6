package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/acode-ls/acode-ls/internal/workspace"
	"github.com/acode-ls/acode-ls/lsp"
)

func (a *app) serveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "serve", Short: "Language server on stdin and stdout", Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context()) },
	}
	acceptStdio(cmd)
	return cmd
}

// acceptStdio accepts the flag by which editors ask for what is done anyway.
func acceptStdio(cmd *cobra.Command) {
	cmd.Flags().Bool("stdio", true, "")
	if err := cmd.Flags().MarkHidden("stdio"); err != nil {
		panic(err) // it is there
	}
}

// serve runs the language server on stdin and stdout.
func (a *app) serve(ctx context.Context) error {
	if isTerminal(a.in) {
		fmt.Fprintln(a.err, "acode-ls: waiting for an editor to speak on stdin; acode-ls --help lists the commands")
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	// An editor that dies must not end the program in the middle of an edit: the
	// connection ends in order when a write to it fails.
	signal.Ignore(syscall.SIGPIPE)
	exports := &exports{log: a.log}
	defer exports.close()
	err := lsp.Serve(ctx, duplex{a.in, a.out}, lsp.ServerOptions{
		Root: a.root, Session: a.named, Version: lsp.BuildVersion(), Log: a.log, Agents: true,
		Workspace: workspace.Options{OnCount: exports.add},
	})
	if errors.Is(err, context.Canceled) { // a signal: the journal is complete at any time
		return nil
	}
	return err
}

// duplex is stdin and stdout as one connection.
type duplex struct {
	io.ReadCloser
	out io.WriteCloser
}

func (d duplex) Write(p []byte) (int, error) { return d.out.Write(p) }

func (d duplex) Close() error { return errors.Join(d.ReadCloser.Close(), d.out.Close()) }
