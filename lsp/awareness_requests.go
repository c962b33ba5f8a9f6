package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

func (s *Server) read(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[readParams](params)
	if err != nil {
		return nil, err
	}
	if err := checkSession(p.Session); err != nil {
		return nil, err
	}
	sel, err := p.selection()
	if err != nil {
		return nil, err
	}
	doc, path, err := s.locate(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	const rest = 4 << 10 // bytes that an answer has besides its content, as a rule
	sel.Room = max(1, s.opts.maxResult()-rest)
	if p.MaxBytes > 0 {
		sel.Room = min(sel.Room, p.MaxBytes)
	}
	r, err := doc.hub.ReadWaiting(p.Session, path, sel, func() { Release(ctx) })
	if err != nil {
		return nil, Errorf(CodeRequestFailed, "reading %v", err)
	}
	return newReadResult(r, p.TextDocument.URI), nil
}

// unsaved returns the documents that are open with text that is not that of the
// file on disk.
func (s *Server) unsaved(context.Context, json.RawMessage) (any, error) {
	out := unsavedResult{Documents: []unsavedDocument{}}
	for _, h := range s.folders() {
		for _, d := range h.Unsaved() {
			uri, _ := s.docs.uri(document{h, d.Name})
			out.Documents = append(out.Documents, unsavedDocument{uri, d.Text.Text()})
		}
	}
	return out, nil
}

// viewOf returns what the person sees of a file, null if that is nothing.
func (s *Server) viewOf(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[stateParams](params)
	if err != nil {
		return nil, err
	}
	if p.TextDocument == nil {
		return nil, Errorf(CodeInvalidParams, "a view without textDocument")
	}
	doc, path, err := s.locate(p.TextDocument.URI)
	if err != nil {
		return nil, nil // of files outside the folders there is nothing to see
	}
	if err := checkSession(p.Session); err != nil {
		return nil, err
	}
	v, ok := doc.hub.ViewIn(p.Session, path)
	switch {
	case v.Pending:
		return nil, Errorf(CodeContentModified, "an edit is on its way to the document")
	case !ok || !v.Touched:
		return nil, nil
	}
	Release(ctx) // a long text takes a while to parse
	return newView(v, doc.hub.Gaps(v)), nil
}

// newEditRefused converts a refusal for the person.
func (s *Server) newEditRefused(h *workspace.Hub, r workspace.Refusal) editRefused {
	m := editRefused{Session: r.Session, Agent: r.Agent, Blocks: make([]block, len(r.Blocks))}
	for i, b := range r.Blocks {
		m.Blocks[i] = newBlock(b, func(path string) string {
			name, err := h.Name(path)
			if err != nil {
				return fileURI(path)
			}
			uri, _ := s.docs.uri(document{h, name})
			return uri
		})
	}
	return m
}

// maxSource is how many bytes a description of where an output comes from has
// at most.
const maxSource = 255

func (s *Server) process(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[processParams](params)
	if err != nil {
		return nil, err
	}
	if err := checkSession(p.Session); err != nil {
		return nil, err
	}
	switch {
	case p.Tool == "":
		return nil, Errorf(CodeInvalidParams, "an output without the name of its tool")
	case p.Content == nil:
		return nil, Errorf(CodeInvalidParams, "an output without content")
	case len(p.Source) > maxSource:
		return nil, Errorf(CodeInvalidParams, "source has %d bytes, over the limit of %d", len(p.Source), maxSource)
	}
	if p.ContentType != "" && !workspace.IsMediaType(p.ContentType) {
		return nil, Errorf(CodeInvalidParams, "contentType is not one such as text/plain, in at most 127 bytes")
	}
	folders := s.folders()
	if len(folders) == 0 {
		return nil, Errorf(CodeRequestFailed, "no folder is open")
	}
	Release(ctx) // no ledger is touched, and what is long waits for the disk
	r, err := folders[0].Process(workspace.Output{
		Session: p.Session, Tool: p.Tool, Source: p.Source, ContentType: p.ContentType,
		Content: strings.NewReader(*p.Content), Size: int64(len(*p.Content)),
	})
	if text, ok := refusal(err); ok {
		return toolResult{Content: text, IsError: true, Metadata: newMetadata(r, "")}, nil
	} else if err != nil {
		return nil, Errorf(CodeRequestFailed, "%v", err)
	}
	m := newMetadata(r, "")
	return toolResult{Content: r.Content, ArtifactID: m.ArtifactID, ArtifactReference: r.Reference(), Metadata: m}, nil
}

func (p readParams) selection() (workspace.Selection, error) {
	var sel workspace.Selection
	lines, bytes := p.StartLine != nil || p.EndLine != nil, p.StartByte != nil || p.EndByte != nil
	if lines && bytes {
		return sel, Errorf(CodeInvalidParams, "lines and bytes at once; name one")
	}
	for _, f := range []struct {
		name string
		from *int
		to   *int
		min  int
	}{
		{"startLine", p.StartLine, &sel.Lines.Start, 1}, {"endLine", p.EndLine, &sel.Lines.End, 1},
		{"startByte", p.StartByte, &sel.StartByte, 0}, {"endByte", p.EndByte, &sel.EndByte, 1},
	} {
		if f.from == nil {
			continue
		}
		if *f.from < f.min {
			return sel, Errorf(CodeInvalidParams, "%s %d is less than %d", f.name, *f.from, f.min)
		}
		*f.to = *f.from
	}
	if p.EndLine != nil && sel.Lines.End < sel.Lines.Start {
		return sel, Errorf(CodeInvalidParams, "lines %d-%d run backwards", sel.Lines.Start, sel.Lines.End)
	}
	if p.EndByte != nil && sel.EndByte < sel.StartByte {
		return sel, Errorf(CodeInvalidParams, "bytes %d-%d run backwards", sel.StartByte, sel.EndByte)
	}
	if lines && sel.Lines.Start == 0 {
		sel.Lines.Start = 1
	}
	if bytes && sel.EndByte == 0 {
		sel.EndByte = int(^uint(0) >> 1)
	}
	return sel, nil
}

func (s *Server) observe(_ context.Context, params json.RawMessage) (any, error) {
	p, err := decode[observeParams](params)
	if err != nil {
		return nil, err
	}
	if err := checkSession(p.Session); err != nil {
		return nil, err
	}
	switch {
	case p.Ranges == nil && p.Shown == nil:
		return nil, Errorf(CodeInvalidParams, "an observation with neither ranges nor shown")
	case p.Ranges != nil && p.Shown != nil:
		return nil, Errorf(CodeInvalidParams, "an observation with ranges and shown; name one")
	case p.Shown != nil && p.SHA256 != "":
		return nil, Errorf(CodeInvalidParams, "sha256 goes with ranges: texts that are shown are compared themselves")
	case p.Shown != nil:
		return s.observeText(p)
	}
	var sum *awareness.Hash
	if p.SHA256 != "" {
		h, err := parseSum(p.SHA256)
		if err != nil {
			return nil, err
		}
		sum = &h
	}
	for _, r := range p.Ranges {
		if r.StartLine < 1 || r.EndLine < r.StartLine {
			return nil, Errorf(CodeInvalidParams, "range %d-%d: lines count from 1 and run forwards", r.StartLine, r.EndLine)
		}
	}
	doc, path, err := s.locate(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	state, err := doc.hub.Observe(p.Session, path, awarenessRanges(p.Ranges), sum)
	if err != nil {
		code := CodeRequestFailed
		if errors.Is(err, workspace.ErrOtherContent) {
			code = CodeContentModified
		}
		return nil, Errorf(code, "observing %v", err)
	}
	return newFileState(p.TextDocument.URI, state), nil
}

// observeText credits the lines of texts that are in the file.
func (s *Server) observeText(p observeParams) (any, error) {
	pieces := make([]workspace.Piece, len(p.Shown))
	for i, shown := range p.Shown {
		if shown.StartLine < 1 {
			return nil, Errorf(CodeInvalidParams, "startLine %d is less than 1", shown.StartLine)
		}
		pieces[i] = workspace.Piece{Start: shown.StartLine, Text: shown.Text}
	}
	doc, path, err := s.locate(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	state, err := doc.hub.ObserveText(p.Session, path, pieces)
	if err != nil {
		return nil, Errorf(CodeRequestFailed, "observing %v", err)
	}
	return newFileState(p.TextDocument.URI, state), nil
}

func (s *Server) state(_ context.Context, params json.RawMessage) (any, error) {
	p, err := decodeOptional[stateParams](params)
	if err != nil {
		return nil, err
	}
	if err := checkSession(p.Session); err != nil {
		return nil, err
	}
	if p.TextDocument != nil {
		doc, path, err := s.locate(p.TextDocument.URI)
		if err != nil {
			return nil, err
		}
		id, files, err := doc.hub.State(p.Session, path)
		if err != nil {
			return nil, err
		}
		return stateResult{id, []fileState{newFileState(p.TextDocument.URI, files[0])}, workspace.Summary(files)}, nil
	}
	out := stateResult{Files: []fileState{}}
	var summaries []string
	session := p.Session
	for _, h := range s.folders() {
		id, files, err := h.State(session, "")
		if err != nil {
			return nil, err
		}
		// The first folder says which session is meant; the others follow.
		out.Session, session = id, id
		for _, f := range files {
			uri, _ := s.docs.uri(document{h, f.Name})
			out.Files = append(out.Files, newFileState(uri, f))
		}
		if len(files) > 0 || len(summaries) == 0 {
			summaries = append(summaries, workspace.Summary(files))
		}
	}
	out.Summary = strings.Join(summaries, "")
	return out, nil
}

func (s *Server) sessions(context.Context, json.RawMessage) (any, error) {
	out := sessionsResult{Sessions: []sessionInfo{}}
	at := map[string]int{}
	for _, h := range s.folders() {
		for _, info := range h.Sessions() {
			if i, ok := at[info.ID]; ok {
				out.Sessions[i].Files += info.Files
				continue
			}
			at[info.ID] = len(out.Sessions)
			out.Sessions = append(out.Sessions, sessionInfo{
				ID: info.ID, Agent: info.Agent, Active: info.Active, Files: info.Files,
				LastUsed: info.LastUsed.UTC().Format(time.RFC3339), Selected: info.Selected, Ended: info.Over,
			})
		}
	}
	return out, nil
}

func (s *Server) round(_ context.Context, params json.RawMessage) (any, error) {
	p, err := decodeOptional[sessionParams](params)
	if err != nil {
		return nil, err
	}
	if err := checkSession(p.Session); err != nil {
		return nil, err
	}
	for _, h := range s.folders() {
		if err := h.Round(p.Session); err != nil {
			return nil, err
		}
	}
	return nil, nil
}
