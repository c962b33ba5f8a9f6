package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/acode-ls/acode-ls/internal/envelope"
	"github.com/acode-ls/acode-ls/lsp"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Version of this program", Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return a.version() },
	}
}

func (a *app) version() error {
	v := struct {
		Version  string `json:"version"`
		Go       string `json:"go"`
		Platform string `json:"platform"`
	}{lsp.BuildVersion(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
	if a.json {
		return a.answer(envelope.Answer{Data: v})
	}
	return a.write(fmt.Sprintf("acode-ls %s (%s, %s)\n", v.Version, v.Go, v.Platform))
}
