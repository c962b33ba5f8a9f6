package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/acode-ls/acode-ls/internal/mcp"
	"github.com/acode-ls/acode-ls/internal/workspace"
	"github.com/acode-ls/acode-ls/lsp"
)

func (a *app) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "mcp", Short: "MCP server on stdin and stdout: tools for agents",
		Long: `mcp serves the tools of an agent over the Model Context Protocol. Where an
editor runs acode-ls for the workspace, edits land in the editor; else on disk.
Its session is that of --session or $ACODE_SESSION, else the agent's latest
live one, else its own.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.mcp(cmd.Context()) },
	}
}

func (a *app) mcp(ctx context.Context) (err error) {
	if isTerminal(a.in) {
		fmt.Fprintln(a.err, "acode-ls: waiting for an agent to speak on stdin; acode-ls init lists how to connect one")
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	signal.Ignore(syscall.SIGPIPE)
	root := a.root
	if root == "" {
		root = "."
	}
	exports := &exports{log: a.log}
	defer exports.close()
	link, err := lsp.OpenLink(root, lsp.LinkOptions{
		Version: lsp.BuildVersion(), Log: a.log, MaxResult: a.limit,
		Workspace: workspace.Options{OwnSessions: true, OnCount: exports.add},
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, link.Close()) }()
	h, err := link.Hub()
	if err != nil {
		return err
	}
	h.Sweep()
	err = mcp.Serve(ctx, a.in, a.out, mcp.Options{
		Workspace: link, Hub: h, Session: a.named, Version: lsp.BuildVersion(), Log: a.log, MaxResult: a.limit,
	})
	if errors.Is(err, context.Canceled) { // a signal: the journal is complete at any time
		return nil
	}
	return err
}
