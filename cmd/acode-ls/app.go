package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"gopkg.in/natefinch/lumberjack.v2"

	"github.com/acode-ls/acode-ls/internal/config"
	"github.com/acode-ls/acode-ls/internal/envelope"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// app is one run of the program: its streams, what the flags say, and what
// they come to.
type app struct {
	streams
	start time.Time

	// The global flags.
	root     string
	asked    string // --session
	json     bool
	logLevel string
	logFile  string

	ready bool   // they were found to be good, and the rest is set
	named string // the session, "" if neither flag nor environment names one
	limit int    // on the size of an envelope, in bytes
	log   *zap.Logger
	close func() error // of the log

	printed bool // there is an envelope on stdout
}

// run runs the program and returns its exit status.
func run(ctx context.Context, args []string, io streams) int {
	a := &app{streams: io, start: time.Now(), limit: envelope.DefaultCap}
	cmd := a.command()
	cmd.SetArgs(args)
	cmd.SetIn(io.in)
	cmd.SetOut(io.out)
	cmd.SetErr(io.err)
	err := cmd.ExecuteContext(ctx)
	if !a.ready {
		// The flag may stand behind what is wrong.
		a.json = a.json || slices.Contains(flagsOf(args), "--json")
	}
	isHook := isHook(cmd, args)
	a.json = a.json && !isHook // its stdout is for its agent
	status := a.conclude(err)
	if isHook {
		status = exitOK // any other may keep the agent from what it does
	}
	if a.close != nil {
		_ = a.close() // a log has nowhere to say so
	}
	return status
}

func (a *app) command() *cobra.Command {
	var version bool
	cmd := &cobra.Command{
		Use: "acode-ls [COMMAND]",
		Long: `acode-ls knows which lines of which file an AI agent has seen, and refuses its
edits of lines it has not. Without a command it is the language server.`,
		Args:              unknownCommand,
		SilenceErrors:     true,
		SilenceUsage:      true,
		PersistentPreRunE: a.prepare,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if version {
				return a.version()
			}
			return a.serve(cmd.Context())
		},
	}
	cmd.Flags().BoolVar(&version, "version", false, "print the version")
	acceptStdio(cmd)
	global := cmd.PersistentFlags()
	global.StringVar(&a.root, "root", "", "work in `DIR` (default: the working directory)")
	global.StringVar(&a.asked, "session", "", "speak for session `ID` (default: $ACODE_SESSION, else default)")
	global.BoolVar(&a.json, "json", false, "print one JSON envelope, of at most $TOOL_MAX_OUTPUT_BYTES")
	global.StringVar(&a.logLevel, "log-level", "", "log from `LEVEL` on: debug, info, warn or error (default: warn; serve, files: info)")
	global.StringVar(&a.logFile, "log-file", "", "log to `FILE` instead of stderr")
	cmd.SetFlagErrorFunc(flagError)
	cmd.SetUsageTemplate(usageTemplate)
	for _, group := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"For agents:", []*cobra.Command{a.readCommand(), a.editCommand(), a.stateCommand(), a.truncateCommand(), a.signaturesCommand()}},
		{"For editors and agents to start:", []*cobra.Command{a.serveCommand(), a.mcpCommand(), a.hookCommand()}},
		{"For you:", []*cobra.Command{a.initCommand(), a.artifactsCommand(), a.sessionsCommand(), a.statsCommand(), a.replayCommand(), a.configCommand(), a.demoCommand(), a.doctorCommand(), a.versionCommand(), completionCommand()}},
	} {
		cmd.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, c := range group.commands {
			c.GroupID = group.title
			cmd.AddCommand(c)
		}
	}
	cmd.SetHelpCommand(helpCommand())
	return cmd
}

// prepare checks, before any work, all that was set.
func (a *app) prepare(cmd *cobra.Command, _ []string) error {
	if a.json && printsNoEnvelope(cmd) {
		return usageError("%s prints no envelope; leave --json out", commandName(cmd))
	}
	limit, err := envelope.ParseCap(os.Getenv("TOOL_MAX_OUTPUT_BYTES"))
	if err != nil {
		return configError("TOOL_MAX_OUTPUT_BYTES: %v", err)
	}
	a.limit = limit
	if a.root != "" {
		if info, err := os.Stat(a.root); err != nil || !info.IsDir() {
			return usageError("--root %q is not a folder", a.root)
		}
	}
	if err := a.nameSession(cmd); err != nil {
		return err
	}
	if err := a.openLog(isServer(cmd), cmd.Name() == "mcp"); err != nil {
		return err
	}
	a.ready = true
	return nil
}

// isServer reports whether a command speaks the protocol of an editor or agent.
func isServer(cmd *cobra.Command) bool {
	return cmd.Name() == "serve" || cmd.Name() == "mcp" || !cmd.HasParent() && !cmd.Flag("version").Changed
}

// isHook reports whether the arguments name the command that answers hooks.
func isHook(cmd *cobra.Command, args []string) bool {
	named, _, err := cmd.Find(args)
	return slices.Contains(args, "hook") && (err != nil || named.Name() == "hook" || !named.HasParent())
}

// printsNoEnvelope reports whether what a command prints has a form of its own.
func printsNoEnvelope(cmd *cobra.Command) bool {
	return isServer(cmd) || slices.Contains([]string{"hook", "demo", "help", "completion"}, cmd.Name())
}

func (a *app) nameSession(cmd *cobra.Command) error {
	id, from, refuse := os.Getenv("ACODE_SESSION"), "ACODE_SESSION", configError
	if cmd.Flag("session").Changed {
		id, from, refuse = a.asked, "--session", usageError
	} else if id == "" {
		return nil
	}
	const maxBytes = 128
	if len(id) > maxBytes {
		return fieldTooLarge("session", from, len(id), maxBytes)
	}
	if err := workspace.CheckSessionID(id); err != nil {
		return refuse("%s: %v", from, err)
	}
	a.named = id
	return nil
}

// openLog logs to a file of the owner's or to stderr, never to stdout. On
// stderr a server writes records, as editors keep them, and a command
// sentences, as a person reads them. Clients of MCP show it to the person.
func (a *app) openLog(server, mcp bool) error {
	level := zapcore.WarnLevel
	if server && !mcp || a.logFile != "" {
		level = zapcore.InfoLevel
	}
	switch a.logLevel {
	case "":
	case "debug", "info", "warn", "error":
		level, _ = zapcore.ParseLevel(a.logLevel)
	default:
		return usageError("--log-level %q is none of debug, info, warn, error", a.logLevel)
	}
	config := zap.NewProductionEncoderConfig()
	config.EncodeTime = zapcore.ISO8601TimeEncoder
	encoder, sink := zapcore.NewJSONEncoder(config), zapcore.AddSync(a.err)
	switch {
	case a.logFile != "":
		f, err := os.OpenFile(a.logFile, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return usageError("--log-file: %v", err)
		}
		f.Close()
		rotated := a.rotated()
		a.close, sink = rotated.Close, zapcore.AddSync(rotated)
	case !server:
		encoder = zapcore.NewConsoleEncoder(zapcore.EncoderConfig{
			LevelKey: "level", MessageKey: "message", ConsoleSeparator: ": ",
			EncodeLevel: func(_ zapcore.Level, out zapcore.PrimitiveArrayEncoder) { out.AppendString("acode-ls") },
		})
	}
	a.log = zap.New(zapcore.NewCore(encoder, zapcore.Lock(sink), level))
	return nil
}

// rotated is the log file, which gives way to a new one when it is large. What
// is wrong with the settings is told elsewhere.
func (a *app) rotated() *lumberjack.Logger {
	set := config.Default()
	if c, err := config.Load(cmp.Or(a.root, ".")); err == nil {
		set = c
	}
	return &lumberjack.Logger{Filename: a.logFile, MaxSize: set.Logging.MaxSizeMB, MaxAge: set.Logging.MaxAgeDays}
}

// session returns the session of a command that runs once.
func (a *app) session() string {
	if a.named == "" {
		return workspace.DefaultSession
	}
	return a.named
}

// open opens the workspace. The caller closes it.
func (a *app) open() (*workspace.Hub, error) { return a.openWith(workspace.Options{}) }

func (a *app) openWith(opts workspace.Options) (*workspace.Hub, error) {
	settings, err := a.settings()
	if err != nil {
		return nil, err
	}
	root := a.root
	if root == "" {
		root = "."
	}
	opts.Log, opts.Config, opts.NoAutoExpand = a.log, settings, !a.mayExpand()
	h, err := workspace.Open(root, opts)
	if problems, ok := errors.AsType[config.Problems](err); ok {
		return nil, a.badSettings(problems)
	}
	return h, err
}

// path returns FILE as the workspace takes it. FILE is relative to the working
// directory or, if that lies outside the root, to the root.
func (a *app) path(h *workspace.Hub, file string) string {
	dir, err := os.Getwd()
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil || filepath.IsAbs(file) {
		return file
	}
	if below, err := filepath.Rel(h.Root(), dir); err == nil && filepath.IsLocal(below) {
		return filepath.Join(below, file)
	}
	return file
}
