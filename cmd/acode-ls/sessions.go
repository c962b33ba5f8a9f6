package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/acode-ls/acode-ls/internal/envelope"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

func (a *app) sessionsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "sessions", Short: "The sessions of this workspace: list them, end one",
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usageError("%s needs one of list, end", commandName(cmd))
		},
	}
	list := &cobra.Command{
		Use: "list", Short: "Who works here, the latest first", Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return a.listSessions() },
	}
	var schema bool
	end := &cobra.Command{
		Use: "end [ID]", Short: "End a session: its artifacts go, what it has seen stays for a while",
		DisableFlagsInUseLine: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usageError("%s takes one ID, not also %q", commandName(cmd), args[1])
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if schema {
				return a.writeSchema("sessions end", fieldSession)
			}
			id := a.session()
			if len(args) == 1 {
				id = args[0]
			}
			if err := checkFields(value{field{"session", "ID", fieldSession.maxBytes, 0, ""}, id}); err != nil {
				return err
			}
			if err := workspace.CheckSessionID(id); err != nil {
				return usageError("%v", err)
			}
			return a.endSession(id)
		},
	}
	end.Flags().BoolVar(&schema, "schema", false, schemaUsage)
	cmd.AddCommand(list, end)
	return cmd
}

type sessionData struct {
	ID        string `json:"id"`
	Agent     string `json:"agent"`
	Active    bool   `json:"active"`
	Files     int    `json:"files"`
	Artifacts int    `json:"artifacts"`
	LastUsed  string `json:"last_used"` // RFC 3339, UTC
}

func (a *app) listSessions() error {
	h, err := a.open()
	if err != nil {
		return err
	}
	defer h.Close()
	sessions, err := h.AllSessions()
	if err != nil {
		return artifactError("", err)
	}
	data := make([]sessionData, len(sessions))
	for i, s := range sessions {
		data[i] = sessionData{s.ID, s.Agent, s.Active, s.Files, s.Artifacts, s.LastUsed.UTC().Format(time.RFC3339)}
	}
	if a.json {
		return a.answer(envelope.Answer{Data: data})
	}
	if len(data) == 0 {
		return a.write("no session\n")
	}
	rows := [][]string{{"SESSION", "AGENT", "FILES", "ARTIFACTS", "LAST USED"}}
	for _, d := range data {
		name := d.ID
		if d.Active {
			name += " *"
		}
		agent := d.Agent
		if agent == "" {
			agent = "-"
		}
		rows = append(rows, []string{name, printable(agent), fmt.Sprint(d.Files), fmt.Sprint(d.Artifacts), d.LastUsed})
	}
	return a.write(table(colours(a.out), rows))
}

func (a *app) endSession(id string) error {
	h, err := a.openWith(workspace.Options{NoSessions: true})
	if err != nil {
		return err
	}
	defer h.Close()
	removed, err := h.EndSession(id)
	if err != nil {
		return artifactError("", err)
	}
	if a.json {
		return a.answer(envelope.Answer{Data: struct {
			ID      string `json:"id"`
			Removed int    `json:"removed"`
			Freed   int64  `json:"freed_bytes"`
		}{id, removed.Artifacts, removed.Bytes}})
	}
	return a.write(fmt.Sprintf("Session %s ended; removed %d artifacts (%s freed)\n", id, removed.Artifacts, workspace.Size(removed.Bytes)))
}
