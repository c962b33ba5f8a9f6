package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// This file takes edits as agents write them: of one file, by texts or lines.

// edit judges an edit of one file, and makes it unless only the verdict is
// wanted.
func (s *Server) edit(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[fileEdit](params)
	if err != nil {
		return nil, err
	}
	if err := checkSession(p.Session); err != nil {
		return nil, err
	}
	path, err := filePath(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	ops, err := p.operations(path)
	if err != nil {
		return nil, err
	}
	h, uri := s.hubOf(path), func(string) string { return p.TextDocument.URI }
	for i := range ops {
		ops[i].Silent = p.NoExpand
	}
	if p.DryRun || p.Expect {
		judge := h.Check
		if p.Expect {
			judge = h.Expect
		}
		v, err := judge(p.Session, ops)
		if err != nil {
			return nil, err
		}
		sayMissing(h, path, v)
		return applyResult{verdict: newVerdict(v, uri), SHA256: map[string]string{}}, nil
	}
	Release(ctx) // the editor answers with messages of its own
	out, err := h.Apply(ctx, p.Session, p.Label, ops)
	if err != nil {
		return nil, err
	}
	sayMissing(h, path, out.Verdict)
	return newApplyResult(out, uri), nil
}

// sayMissing has a refusal say that there is no file, if that is why an edit is
// impossible.
func sayMissing(h *workspace.Hub, path string, v workspace.Verdict) {
	for i, b := range v.Blocks {
		if b.Reason != awareness.ReasonInvalid && b.Reason != awareness.ReasonVersion {
			continue
		}
		if _, err := h.TextOf(path); workspace.IsNotExist(err) {
			v.Blocks[i].Message = "The file does not exist."
		}
	}
}

func newApplyResult(out workspace.Outcome, uri func(path string) string) applyResult {
	r := applyResult{
		verdict: newVerdict(out.Verdict, uri), Applied: out.Applied, FailureReason: out.Failure,
		SHA256: make(map[string]string, len(out.Sums)),
	}
	for path, sum := range out.Sums {
		r.SHA256[uri(path)] = hexSum(sum)
	}
	return r
}

// operations returns the edit as operations on the file.
func (p fileEdit) operations(path string) ([]workspace.Op, error) {
	var sum *awareness.Hash
	if p.Expected != "" {
		h, err := parseSum(p.Expected)
		if err != nil {
			return nil, err
		}
		sum = &h
	}
	op := func(edits func(text.Lines) ([]awareness.Edit, error)) workspace.Op {
		return workspace.Op{Kind: workspace.EditFile, Path: path, Sum: sum, Edits: edits}
	}
	if p.Content != nil {
		if p.Edits != nil {
			return nil, Errorf(CodeInvalidParams, "content and edits at once; name one")
		}
		return []workspace.Op{op(func(l text.Lines) ([]awareness.Edit, error) {
			return []awareness.Edit{{End: len(l.Text()), New: *p.Content}}, nil
		})}, nil
	}
	if len(p.Edits) == 0 {
		return nil, Errorf(CodeInvalidParams, "no edits")
	}
	byText := 0
	for i, e := range p.Edits {
		if err := e.check(); err != nil {
			return nil, Errorf(CodeInvalidParams, "edits[%d]: %v", i, err)
		}
		if e.OldText != nil {
			byText++
		}
	}
	switch byText {
	case 0:
		return []workspace.Op{op(func(l text.Lines) ([]awareness.Edit, error) { return lineEdits(l, p.Edits) })}, nil
	case len(p.Edits):
		return []workspace.Op{op(func(l text.Lines) ([]awareness.Edit, error) { return textEdits(l, p.Edits) })}, nil
	}
	return nil, Errorf(CodeInvalidParams, "edits by text and edits by lines in one call; make two of it")
}

func (e pieceEdit) check() error {
	lines := e.StartLine != nil || e.EndLine != nil
	switch {
	case e.NewText == nil:
		return fmt.Errorf("no new text")
	case e.OldText == nil && !lines:
		return fmt.Errorf("neither an old text nor lines")
	case e.OldText != nil && lines:
		return fmt.Errorf("an old text and lines at once; name one")
	case e.ReplaceAll && lines:
		return fmt.Errorf("replace_all goes with an old text, not with lines")
	case !lines:
	case e.StartLine == nil || e.EndLine == nil:
		return fmt.Errorf("name both the first and the last line")
	case *e.StartLine < 1:
		return fmt.Errorf("line %d is less than 1", *e.StartLine)
	case *e.EndLine < *e.StartLine-1:
		return fmt.Errorf("lines %d-%d run backwards", *e.StartLine, *e.EndLine)
	}
	return nil
}

// textEdits replaces texts, each in what the edits before it leave. Where these
// do not touch one another, they are edits of the text as it is, so that a
// refusal names its lines; else all becomes one edit.
func textEdits(l text.Lines, edits []pieceEdit) ([]awareness.Edit, error) {
	var apart []awareness.Edit
	now := l
	for i, e := range edits {
		next, err := e.replacements(now)
		if err != nil && len(edits) > 1 {
			return nil, fmt.Errorf("edit %d: %w", i+1, err)
		} else if err != nil {
			return nil, err
		}
		now = text.Split(apply(now.Text(), next))
		if found, err := e.replacements(l); err == nil {
			apart = append(apart, found...)
		}
	}
	slices.SortFunc(apart, func(a, b awareness.Edit) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
	for i := range apart {
		if i > 0 && apart[i].Start < apart[i-1].End {
			apart = nil
			break
		}
	}
	if apart != nil && apply(l.Text(), apart) == now.Text() {
		return apart, nil
	}
	return []awareness.Edit{{End: len(l.Text()), New: now.Text()}}, nil
}

// apply returns a text after edits of it, which are in order and apart.
func apply(s string, edits []awareness.Edit) string {
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(s[at:e.Start] + e.New)
		at = e.End
	}
	return b.String() + s[at:]
}

// replacements finds the old text. Agents write line feeds where a file may
// have other line ends, and to an empty file or one that is not there an empty
// old text means to write it.
func (e pieceEdit) replacements(l text.Lines) ([]awareness.Edit, error) {
	all, old := l.Text(), *e.OldText
	if old == "" {
		if all != "" {
			return nil, fmt.Errorf("the text to replace is empty, and the file is not")
		}
		return []awareness.Edit{{New: *e.NewText}}, nil
	}
	n := strings.Count(all, old)
	if eol := l.EOL(); n == 0 && (eol == "\r\n" || eol == "\r") {
		old = strings.ReplaceAll(strings.ReplaceAll(old, "\r\n", "\n"), "\n", eol)
		n = strings.Count(all, old)
	}
	switch {
	case n == 0:
		return nil, fmt.Errorf("the text to replace was not found")
	case n > 1 && !e.ReplaceAll:
		return nil, fmt.Errorf("the text to replace was found %d times; give more of it, or replace all", n)
	}
	var out []awareness.Edit
	for at := 0; len(out) < n; {
		start := at + strings.Index(all[at:], old)
		at = start + len(old)
		out = append(out, awareness.Edit{Start: start, End: at, New: *e.NewText})
	}
	return out, nil
}

// lineEdits returns edits of whole lines as they are now, in bytes. Text
// without a line end gets one, unless it is to stand at the end of a file that
// has none.
func lineEdits(l text.Lines, edits []pieceEdit) ([]awareness.Edit, error) {
	out := make([]awareness.Edit, len(edits))
	for i, e := range edits {
		first, last := *e.StartLine, *e.EndLine
		insert := last < first
		switch {
		case insert && first > l.Len()+1:
			return nil, fmt.Errorf("line %d is past the end of the file, which has %d lines", first, l.Len())
		case last > l.Len():
			return nil, fmt.Errorf("lines %d-%d are not all in the file, which has %d lines", first, last, l.Len())
		}
		out[i] = awareness.Edit{Start: l.Start(first), End: l.Start(last + 1), New: *e.NewText}
		openEnd := out[i].End == len(l.Text()) && !l.Terminated()
		switch {
		case insert && openEnd:
			out[i].New = "\n" + out[i].New
		case out[i].New != "" && !openEnd && !strings.HasSuffix(out[i].New, "\n") && !strings.HasSuffix(out[i].New, "\r"):
			out[i].New += "\n"
		}
	}
	return out, nil
}

// edited follows an edit by a tool of the agent's own.
func (s *Server) edited(_ context.Context, params json.RawMessage) (any, error) {
	p, err := decode[editedParams](params)
	if err != nil {
		return nil, err
	}
	if err := checkSession(p.Session); err != nil {
		return nil, err
	}
	doc, path, err := s.locate(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	state, err := doc.hub.Edited(p.Session, path, p.Texts)
	if err != nil {
		return nil, Errorf(CodeRequestFailed, "following the edit of %v", err)
	}
	return newFileState(p.TextDocument.URI, state), nil
}

// sessionEvent begins or ends a session, as its agent says.
func (s *Server) sessionEvent(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[sessionEventParams](params)
	if err != nil {
		return nil, err
	}
	if err := checkSession(p.Session); err != nil {
		return nil, err
	}
	if p.Session == "" {
		return nil, Errorf(CodeInvalidParams, "no session")
	}
	if p.Event != "start" && p.Event != "end" {
		return nil, Errorf(CodeInvalidParams, "event %q is neither start nor end", p.Event)
	}
	const most = 64
	if len(p.Agent) > most {
		return nil, Errorf(CodeInvalidParams, "agent has %d bytes, over the limit of %d", len(p.Agent), most)
	}
	Release(ctx)
	out := sessionResult{Session: p.Session}
	for _, h := range s.folders() {
		if p.Event == "end" {
			if _, err := h.EndSession(p.Session); err != nil {
				return nil, Errorf(CodeRequestFailed, "ending session %s: %v", p.Session, err)
			}
			continue
		}
		files, err := h.StartSession(p.Session, p.Agent)
		if err != nil {
			return nil, Errorf(CodeRequestFailed, "beginning session %s: %v", p.Session, err)
		}
		if len(files) > 0 {
			out.Summary += workspace.Summary(files)
		}
	}
	return out, nil
}
