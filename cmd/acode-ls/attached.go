package main

import (
	"context"
	"encoding/hex"
	"fmt"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/fileuri"
	"github.com/acode-ls/acode-ls/internal/workspace"
	"github.com/acode-ls/acode-ls/lsp"
)

// This file asks the server that an editor runs for the workspace, if there is
// one: it knows what is not saved.

// link opens the workspace. The caller closes it.
func (a *app) link() (*lsp.Link, *workspace.Hub, error) {
	settings, err := a.settings()
	if err != nil {
		return nil, nil, err
	}
	root := a.root
	if root == "" {
		root = "."
	}
	l, err := lsp.OpenLink(root, lsp.LinkOptions{
		Version: lsp.BuildVersion(), Log: a.log,
		Workspace: workspace.Options{Config: settings, NoAutoExpand: !a.mayExpand()},
	})
	if err != nil {
		return nil, nil, err
	}
	h, err := l.Hub()
	if err != nil {
		l.Close()
		return nil, nil, err
	}
	return l, h, nil
}

type wireRange struct{ StartLine, EndLine int }

func fromWire(ranges []wireRange) []awareness.Range {
	var out []awareness.Range
	for _, r := range ranges {
		out = append(out, awareness.Range{Start: r.StartLine, End: r.EndLine})
	}
	return out
}

type document struct {
	URI string `json:"uri"`
}

// stateFrom returns what a session knows of a file, or of all files.
func (a *app) stateFrom(ctx context.Context, l *lsp.Link, h *workspace.Hub, path string) (string, []workspace.FileState, error) {
	if !l.Attached(ctx) {
		return h.State(a.session(), path)
	}
	params := struct {
		Session      string    `json:"session"`
		TextDocument *document `json:"textDocument,omitempty"`
	}{Session: a.session()}
	if path != "" {
		name, err := h.Name(path)
		if err != nil {
			return "", nil, err
		}
		params.TextDocument = &document{fileuri.Format(h.Path(name))}
	}
	var answer struct {
		Session string
		Files   []struct {
			URI, State                              string
			Stale                                   bool
			ReadRanges, UnreadRanges, ChangedRanges []wireRange
			TotalLines, Rounds                      int
			Coverage                                float64
		}
	}
	if err := l.Call(ctx, "acode/state", params, &answer); err != nil {
		return "", nil, err
	}
	var files []workspace.FileState
	for _, f := range answer.Files {
		path, err := fileuri.Parse(f.URI)
		if err != nil {
			return "", nil, err
		}
		name, err := h.Name(path)
		if err != nil { // of another folder that the editor has open
			continue
		}
		files = append(files, workspace.FileState{
			Name: name, State: awareness.State(f.State), Stale: f.Stale,
			Read: fromWire(f.ReadRanges), Unread: fromWire(f.UnreadRanges), Changed: fromWire(f.ChangedRanges),
			Total: f.TotalLines, Coverage: f.Coverage, Rounds: f.Rounds,
		})
	}
	return answer.Session, files, nil
}

// editThrough has the server make an edit, in the editor if the file is open
// there.
func (a *app) editThrough(ctx context.Context, l *lsp.Link, path string, e edit) (workspace.Outcome, error) {
	type lines struct {
		Start int    `json:"startLine"`
		End   int    `json:"endLine"`
		New   string `json:"newText"`
	}
	var answer struct {
		Applied       bool
		FailureReason string
		SHA256        map[string]string
		Blocks        []struct {
			Reason, Message string
			UnreadRanges    []wireRange
		}
		Warnings []struct {
			Message       string
			ChangedRanges []wireRange
		}
		Expanded []struct {
			wireRange
			Content string
		}
	}
	err := l.Call(ctx, "acode/edit", struct {
		Session      string   `json:"session"`
		TextDocument document `json:"textDocument"`
		Edits        []lines  `json:"edits"`
		DryRun       bool     `json:"dryRun"`
		NoExpand     bool     `json:"noExpand"`
	}{a.session(), document{fileuri.Format(path)}, []lines{{e.lines.Start, e.lines.End, e.text}}, e.dryRun, !a.mayExpand()}, &answer)
	out := workspace.Outcome{Applied: answer.Applied, Failure: answer.FailureReason, Sums: map[string]awareness.Hash{}}
	if err != nil {
		return out, err
	}
	for _, b := range answer.Blocks {
		out.Blocks = append(out.Blocks, workspace.Block{Path: path, Block: awareness.Block{
			Reason: awareness.Reason(b.Reason), Message: b.Message, Unread: fromWire(b.UnreadRanges),
		}})
	}
	for _, w := range answer.Warnings {
		out.Warnings = append(out.Warnings, workspace.Warning{Path: path, Warning: awareness.Warning{
			Message: w.Message, Changed: fromWire(w.ChangedRanges),
		}})
	}
	for _, x := range answer.Expanded {
		out.Expanded = append(out.Expanded, workspace.Excerpt{Path: path, Lines: fromWire([]wireRange{x.wireRange})[0], Text: x.Content})
	}
	for _, sum := range answer.SHA256 {
		var h awareness.Hash
		if n, err := hex.Decode(h[:], []byte(sum)); err != nil || n != len(h) {
			return out, fmt.Errorf("the server answered with sha256 %q", sum)
		}
		out.Sums[path] = h
	}
	return out, nil
}
