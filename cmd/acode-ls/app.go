package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/acode-ls/acode-ls/internal/workspace"
	"github.com/acode-ls/acode-ls/lsp"
)

// app is one run of the program: its streams and what the flags say.
type app struct {
	streams
	root     string
	session  string
	json     bool
	logLevel string
	logFile  string
}

// run runs the program and returns its exit status.
func run(ctx context.Context, args []string, io streams) int {
	a := &app{streams: io}
	cmd := a.command()
	cmd.SetArgs(args)
	cmd.SetIn(io.in)
	cmd.SetOut(io.out)
	cmd.SetErr(io.err)
	if err := cmd.ExecuteContext(ctx); err != nil {
		fmt.Fprintf(io.err, "acode-ls: %v\n", err)
		if errors.Is(err, lsp.ErrNoShutdown) {
			return exitFailed
		}
		return exitFailed
	}
	return exitOK
}

func (a *app) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:           "acode-ls",
		Short:         "Knows what an agent has seen of your code, and guards the rest",
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context()) },
	}
	flags := cmd.PersistentFlags()
	flags.StringVar(&a.root, "root", "", "workspace root (default: the working directory)")
	flags.StringVar(&a.session, "session", "", "session id (default: $ACODE_SESSION, else default)")
	flags.BoolVar(&a.json, "json", false, "print one JSON envelope")
	flags.StringVar(&a.logLevel, "log-level", "info", "debug, info, warn or error")
	flags.StringVar(&a.logFile, "log-file", "", "log to this file instead of stderr")
	cmd.Flags().Bool("stdio", true, "speak on stdin and stdout, as always")
	serve := &cobra.Command{
		Use: "serve", Short: "Language server on stdin and stdout", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context()) },
	}
	serve.Flags().Bool("stdio", true, "speak on stdin and stdout, as always")
	cmd.AddCommand(serve)
	return cmd
}

// logger logs to stderr or to a file of the owner's, never to stdout.
func (a *app) logger() (*zap.Logger, error) {
	level, err := zapcore.ParseLevel(a.logLevel)
	if err != nil {
		return nil, fmt.Errorf("--log-level %q: use debug, info, warn or error", a.logLevel)
	}
	sink := zapcore.AddSync(a.err)
	if a.logFile != "" {
		f, err := os.OpenFile(a.logFile, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return nil, fmt.Errorf("opening the log file: %w", err)
		}
		sink = f
	}
	config := zap.NewProductionEncoderConfig()
	config.EncodeTime = zapcore.ISO8601TimeEncoder
	return zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(config), zapcore.Lock(sink), level)), nil
}

var _ = workspace.DefaultSession
