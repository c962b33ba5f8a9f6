package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"github.com/acode-ls/acode-ls/internal/hook"
	"github.com/acode-ls/acode-ls/lsp"
)

func (a *app) hookCommand() *cobra.Command {
	return &cobra.Command{
		Use: "hook", Short: "Answer one hook event of an agent: JSON on stdin and stdout",
		Long: `hook answers an event that an agent tells of its own tools: what they show is
credited, and what they are about to edit is judged. Whatever goes wrong, it
exits with 0 and says so on stderr. acode-ls init AGENT shows the settings.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a.hook(cmd.Context())
			return nil
		},
	}
}

func (a *app) hook(ctx context.Context) {
	hook.Run(ctx, a.in, a.out, a.err, hook.Options{
		Root: a.root, Session: a.named, Getenv: os.Getenv,
		Open: func(root string) (hook.Workspace, error) {
			return lsp.OpenLink(root, lsp.LinkOptions{Version: lsp.BuildVersion(), Log: a.log, Fleeting: true})
		},
	})
}
