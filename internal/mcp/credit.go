package mcp

import (
	"context"
	"slices"
	"strings"

	"go.uber.org/zap"

	"github.com/acode-ls/acode-ls/internal/fileuri"
)

// This file has what tools that look at many files tell the workspace of them,
// and ask it: which lines were shown, and which texts are not saved.

// piece is params of acode/observe: lines of a file that follow each other.
type piece struct {
	StartLine int    `json:"startLine"`
	Text      string `json:"text"`
}

type observation struct {
	Session  string   `json:"session"`
	Document document `json:"textDocument"`
	Shown    []piece  `json:"shown"`
}

// credit tells the workspace of lines that the model is shown, which come by
// file. Without it the model reads them once more, so a failure is logged.
func (s *server) credit(ctx context.Context, tool, session string, shown []passage) {
	o := observation{Session: session}
	path, next := "", 0
	send := func() {
		if len(o.Shown) == 0 {
			return
		}
		o.Document.URI = s.uri(path)
		if err := s.opts.Workspace.Call(ctx, "acode/observe", o, nil); err != nil {
			s.log.Info("crediting lines", zap.String("tool_name", tool), zap.Error(err))
		}
		o.Shown = nil
	}
	for _, p := range shown {
		if p.path != path {
			send()
			path, next = p.path, 0
		}
		if p.first != next {
			o.Shown = append(o.Shown, piece{StartLine: p.first})
		}
		o.Shown[len(o.Shown)-1].Text += p.text + "\n"
		next = p.first + 1 + strings.Count(p.text, "\n")
	}
	send()
}

// unsaved returns the texts that an editor has open and that are not those of
// the files, by path relative to the root. A workspace that does not tell has
// none.
func (s *server) unsaved(ctx context.Context) map[string]string {
	var answer struct {
		Documents []struct{ URI, Text string }
	}
	if err := s.opts.Workspace.Call(ctx, "acode/unsaved", struct{}{}, &answer); err != nil {
		s.log.Debug("asking for unsaved documents", zap.Error(err))
		return nil
	}
	texts := make(map[string]string, len(answer.Documents))
	for _, d := range answer.Documents {
		path, err := fileuri.Parse(d.URI)
		if err != nil {
			continue
		}
		if name, err := s.opts.Hub.Name(path); err == nil {
			texts[name] = d.Text
		}
	}
	return texts
}

// notSaved says which files that are shown as they are on disk an editor has
// with another text, nothing if there are none.
func (s *server) notSaved(ctx context.Context, shown []passage) []string {
	if len(shown) == 0 {
		return nil
	}
	texts := s.unsaved(ctx)
	var names []string
	path := ""
	for _, p := range shown {
		if len(texts) == 0 {
			break
		}
		if p.path == path {
			continue
		}
		path = p.path
		name, err := s.opts.Hub.Name(path)
		if _, ok := texts[name]; err == nil && ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if names == nil {
		return nil
	}
	return []string{"Not saved in the editor, so line numbers may differ: " + strings.Join(names, ", ")}
}
