package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/acode-ls/acode-ls/internal/config"
	"github.com/acode-ls/acode-ls/internal/envelope"
)

func (a *app) configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "config COMMAND", Short: "The settings that hold, and where they come from",
		DisableFlagsInUseLine: true, Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usageError("%s needs a command: show, schema, check", commandName(cmd))
		},
	}
	group := &cobra.Group{ID: "commands", Title: "Commands:"}
	cmd.AddGroup(group)
	for _, sub := range []struct {
		name, short string
		run         func() error
	}{
		{"show", "Every setting, and the line that set it", a.configShow},
		{"schema", "The JSON Schema of " + config.File, a.configSchema},
		{"check", "All that is wrong with " + config.File, a.configCheck},
	} {
		cmd.AddCommand(&cobra.Command{
			Use: sub.name, Short: sub.short, GroupID: group.ID, Args: noArguments,
			RunE: func(*cobra.Command, []string) error { return sub.run() },
		})
	}
	return cmd
}

// settings returns the settings of the workspace. All that is wrong with them
// is one failure.
func (a *app) settings() (*config.Config, error) {
	root := a.root
	if root == "" {
		root = "."
	}
	c, err := config.Load(root)
	if problems, ok := errors.AsType[config.Problems](err); ok {
		return nil, a.badSettings(problems)
	}
	return c, err
}

// badSettings tells a person about problems, each on its own line as compilers
// do, and returns the failure that tells a program.
func (a *app) badSettings(problems config.Problems) error {
	if !a.json {
		for _, p := range problems {
			fmt.Fprintln(a.err, p)
		}
	}
	return &failure{status: exitUsage, told: true, what: envelope.Error{
		Code: envelope.Config, Message: problems.Error(), Details: map[string]any{"problems": problems},
	}}
}

func (a *app) configShow() error {
	c, err := a.settings()
	if err != nil {
		return err
	}
	values := append(c.Values(), a.outputLimit())
	if a.json {
		type origin struct {
			Value  any    `json:"value"`
			Origin string `json:"origin"`
		}
		data := map[string]origin{}
		for _, v := range values {
			data[v.Key] = origin{v.Value, v.Origin}
		}
		return a.answer(envelope.Answer{Data: data})
	}
	rows := [][]string{{"KEY", "VALUE", "ORIGIN"}}
	for _, v := range values {
		rows = append(rows, []string{printable(v.Key), printable(valueText(v.Value)), v.Origin})
	}
	return a.write(table(colours(a.out), rows))
}

// outputLimit is the one setting that comes from the environment.
func (a *app) outputLimit() config.Value {
	const name = "TOOL_MAX_OUTPUT_BYTES"
	origin := "default"
	if os.Getenv(name) != "" {
		origin = "env " + name
	}
	return config.Value{Key: name, Value: a.limit, Origin: origin}
}

// valueText writes a setting for a person.
func valueText(value any) string {
	patterns, ok := value.([]config.Pattern)
	if !ok {
		return fmt.Sprint(value)
	}
	names := make([]string, len(patterns))
	for i, p := range patterns {
		names[i] = p.Name
	}
	return "[" + strings.Join(names, ", ") + "]"
}

func (a *app) configSchema() error {
	if a.json {
		return a.answer(envelope.Answer{Data: json.RawMessage(config.Schema())})
	}
	return a.write(string(config.Schema()))
}

func (a *app) configCheck() error {
	if _, err := a.settings(); err != nil {
		return err
	}
	if a.json {
		return a.answer(envelope.Answer{Data: map[string]any{"problems": []config.Problem{}}})
	}
	if !exists(filepath.Join(cmp.Or(a.root, "."), filepath.FromSlash(config.File))) {
		return a.write("no " + config.File + ": the defaults hold\n")
	}
	return a.write(config.File + ": ok\n")
}
