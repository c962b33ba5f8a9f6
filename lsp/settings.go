package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/acode-ls/acode-ls/internal/workspace"
)

// settings is what the person sets in the editor: initializationOptions, or
// the section acode of the client's configuration.
type settings struct {
	Diagnostics bool   `json:"diagnostics"`        // unread and stale lines as diagnostics
	DelayMS     int    `json:"diagnosticsDelayMs"` // pause after a change before they are sent
	CodeLens    bool   `json:"codeLens"`
	Hover       bool   `json:"hover"`
	Session     string `json:"session"` // the session that is shown

	// What is not set here is as in the configuration of the workspace.
	AutoExpand      *bool   `json:"autoExpand"`      // a refusal carries the missing lines
	AutoExpandLines *int    `json:"autoExpandLines"` // if they are at most so many
	StalePolicy     *string `json:"stalePolicy"`     // warn or block
}

var defaultSettings = settings{
	Diagnostics: true, DelayMS: 200, CodeLens: true, Hover: true,
}

// parseSettings lays raw settings over the defaults. On an error nothing of
// them counts.
func parseSettings(raw json.RawMessage) (settings, error) {
	out := defaultSettings
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || string(raw) == "null" || string(raw) == "[]" {
		return out, nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&out); err != nil {
		return defaultSettings, errors.New(jsonError(err))
	}
	switch {
	case out.DelayMS < 0 || out.DelayMS > 60_000:
		return defaultSettings, fmt.Errorf("diagnosticsDelayMs %d is not between 0 and 60000", out.DelayMS)
	case out.AutoExpandLines != nil && *out.AutoExpandLines < 1:
		return defaultSettings, fmt.Errorf("autoExpandLines %d is not positive", *out.AutoExpandLines)
	case out.StalePolicy != nil && !slices.Contains([]string{"warn", "block"}, *out.StalePolicy):
		return defaultSettings, fmt.Errorf("stalePolicy %q is neither warn nor block", *out.StalePolicy)
	}
	if err := checkSession(out.Session); err != nil {
		return defaultSettings, err
	}
	return out, nil
}

func (s settings) guard() workspace.Guard {
	g := workspace.Guard{AutoExpand: s.AutoExpand, AutoExpandLines: s.AutoExpandLines}
	if s.StalePolicy != nil {
		block := *s.StalePolicy == "block"
		g.BlockStale = &block
	}
	return g
}

// configure takes over settings. What is wrong with them the person is told,
// and the ones before stay.
func (s *Server) configure(raw json.RawMessage, origin string) {
	next, err := parseSettings(raw)
	if err != nil {
		s.log.Warn("settings are ignored", zap.String("from", origin), zap.Error(err))
		s.tell(context.Background(), protocol.MessageTypeWarning, "acode-ls ignores "+origin+": "+err.Error())
		return
	}
	s.settings.Store(&next)
	for _, h := range s.folders() {
		h.SetGuard(next.guard())
		if next.Session != "" {
			if err := h.Select(next.Session); err != nil {
				s.log.Warn("selecting a session", zap.Error(err))
			}
		}
	}
	s.news.everything()
}

// pullConfiguration asks the client for its settings, where it has any of ours.
func (s *Server) pullConfiguration(ctx context.Context) {
	params := map[string]any{"items": []any{map[string]string{"section": "acode"}}}
	var answer []json.RawMessage
	if err := s.conn.Call(ctx, "workspace/configuration", params, &answer); err != nil {
		s.log.Warn("asking for the configuration", zap.Error(err))
		return
	}
	if len(answer) == 1 && string(answer[0]) != "null" {
		s.configure(answer[0], "the setting acode")
	}
}

func (s *Server) didChangeConfiguration(ctx context.Context, params json.RawMessage) (any, error) {
	if s.client.Capabilities.Workspace.Configuration {
		Release(ctx)
		s.pullConfiguration(ctx)
		return nil, nil
	}
	p, err := decodeOptional[struct {
		Settings struct {
			Acode json.RawMessage `json:"acode"`
		} `json:"settings"`
	}](params)
	if err == nil && len(p.Settings.Acode) > 0 {
		s.configure(p.Settings.Acode, "the setting acode")
	}
	return nil, err
}
