package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/envelope"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

func (a *app) stateCommand() *cobra.Command {
	var cursor string
	cmd := &cobra.Command{
		Use: "state [FILE] [--cursor T]", Short: "Which lines of which files the agent has seen",
		DisableFlagsInUseLine: true, Args: fileOrNone,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.state(cmd.Context(), cursor)
			}
			return a.stateOf(cmd.Context(), args[0])
		},
	}
	cmd.Flags().StringVar(&cursor, "cursor", "", "go on behind `T`, which an earlier answer names")
	return cmd
}

// state says what is known of all files, or of those behind cursor.
func (a *app) state(ctx context.Context, cursor string) error {
	l, h, err := a.link()
	if err != nil {
		return err
	}
	defer l.Close()
	session, files, err := a.stateFrom(ctx, l, h, "")
	if err != nil {
		return err
	}
	all := len(files)
	files = slices.DeleteFunc(files, func(f workspace.FileState) bool { return f.Name <= cursor })
	if !a.json {
		return a.writeState(session, files)
	}
	return a.answer(envelope.Answer{
		Data: newStateData(h, session, files), Totals: map[string]int{"data.files": all},
		Rest: func(c envelope.Cut) string {
			if c.Field != "data.files" {
				return ""
			}
			if c.Returned > 0 {
				cursor = files[c.Returned-1].Name
			}
			if cursor == "" {
				return ""
			}
			return a.again("state", "--cursor", cursor)
		},
	})
}

// stateOf says what is known of one file.
func (a *app) stateOf(ctx context.Context, file string) error {
	l, h, err := a.link()
	if err != nil {
		return err
	}
	defer l.Close()
	path := a.path(h, file)
	if _, err := h.TextOf(path); err != nil {
		return fileError("reading", file, err)
	}
	session, files, err := a.stateFrom(ctx, l, h, path)
	if err != nil {
		return err
	}
	if !a.json {
		return a.writeState(session, files)
	}
	return a.answer(envelope.Answer{Data: newStateData(h, session, files)})
}

// writeState prints a table and a line that sums it up.
func (a *app) writeState(session string, files []workspace.FileState) error {
	if len(files) == 0 {
		return a.write(fmt.Sprintf("session %s: no file was read\n", session))
	}
	rows := [][]string{{"FILE", "STATE", "READ", "UNREAD", "CHANGED"}}
	whole, stale := 0, 0
	for _, f := range files {
		changed := "-"
		if f.Stale {
			stale++
			if changed = few(f.Changed); len(f.Changed) == 0 {
				changed = "yes"
			}
		}
		if len(f.Unread) == 0 {
			whole++
		}
		rows = append(rows, []string{
			printable(f.Name), strings.ReplaceAll(string(f.State), "_", " "), percent(f.Coverage), few(f.Unread), changed,
		})
	}
	unit := "files"
	if len(files) == 1 {
		unit = "file"
	}
	return a.write(table(colours(a.out), rows) +
		fmt.Sprintf("session %s: %d %s, %d read whole, %d changed since\n", session, len(files), unit, whole, stale))
}

// percent is how much of a file was read; 100% is all of it.
func percent(coverage float64) string { return fmt.Sprintf("%d%%", int(coverage*100)) }

// few writes line ranges, of many only the first.
func few(ranges []awareness.Range) string {
	const most = 4
	switch {
	case len(ranges) == 0:
		return "-"
	case len(ranges) > most:
		return fmt.Sprintf("%s, … %d more", awareness.Ranges(ranges[:most]), len(ranges)-most)
	}
	return awareness.Ranges(ranges)
}
