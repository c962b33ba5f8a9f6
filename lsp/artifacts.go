package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/acode-ls/acode-ls/artifacts"
	"github.com/acode-ls/acode-ls/internal/envelope"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/internal/workspace"
	"github.com/acode-ls/acode-ls/truncation"
)

// This file answers for the store of what did not fit.

const artifactScheme = "acode-artifact"

// refusal returns the text of an error that an agent gets as a result: the
// output, or the artifact of it, is not let through.
func refusal(err error) (string, bool) {
	_, isTooLarge := errors.AsType[*truncation.TooLargeError](err)
	_, isSpace := errors.AsType[*artifacts.SpaceError](err)
	_, isRate := errors.AsType[*artifacts.RateError](err)
	if isTooLarge || isSpace || isRate {
		return err.Error(), true
	}
	return "", false
}

// artifactError is the error of a request for the artifact id.
func artifactError(id string, err error) *Error {
	missing, isMissing := errors.AsType[*artifacts.NotFoundError](err)
	_, isID := errors.AsType[*artifacts.IDError](err)
	_, isRange := errors.AsType[*artifacts.RangeError](err)
	_, isCursor := errors.AsType[*artifacts.CursorError](err)
	switch {
	case isID: // which must not tell it from one that is missing
		missing, isMissing = &artifacts.NotFoundError{ID: id}, true
		fallthrough
	case isMissing:
		return &Error{Code: CodeRequestFailed, Message: "404: " + missing.Error(), Data: map[string]int{"status": 404}}
	case isRange, isCursor, errors.Is(err, workspace.ErrWanted), errors.Is(err, workspace.ErrPartial):
		return Errorf(CodeInvalidParams, "%v", err)
	}
	return Errorf(CodeRequestFailed, "%v", err)
}

// artifact gives an agent a part of an artifact, as far as there is room.
func (s *Server) artifact(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[artifactParams](params)
	if err != nil {
		return nil, err
	}
	if err := checkSession(p.Session); err != nil {
		return nil, err
	}
	wanted, err := p.wanted()
	if err != nil {
		return nil, err
	}
	const rest = 4 << 10 // bytes that an answer has besides its content, at most
	wanted.Limit, wanted.Cost = max(0, s.opts.maxResult()-rest), envelope.Size
	Release(ctx) // to verify a long artifact takes a while
	var missing error
	for _, h := range s.folders() {
		portion, err := h.Retrieve(p.Session, p.ID, wanted, workspace.ForModel)
		if err == nil {
			return newArtifactPart(portion), nil
		}
		if missing = err; !isNotFound(err) {
			break
		}
	}
	return nil, artifactError(p.ID, missing)
}

func isNotFound(err error) bool {
	_, ok := errors.AsType[*artifacts.NotFoundError](err)
	return ok
}

func (p artifactParams) wanted() (workspace.Wanted, error) {
	w := workspace.Wanted{Query: p.Query, ByLines: p.StartLine != nil || p.EndLine != nil, ByBytes: p.StartByte != nil || p.EndByte != nil}
	if p.ID == "" {
		return w, Errorf(CodeInvalidParams, "an artifact without id")
	}
	for _, f := range []struct {
		name string
		from *int64
		to   *int64
		min  int64
	}{{"startByte", p.StartByte, &w.Start, 0}, {"endByte", p.EndByte, &w.End, 1}} {
		if f.from == nil {
			continue
		}
		if *f.from < f.min {
			return w, Errorf(CodeInvalidParams, "%s %d is less than %d", f.name, *f.from, f.min)
		}
		*f.to = *f.from
	}
	for _, f := range []struct {
		name string
		from *int
		to   *int
	}{{"startLine", p.StartLine, &w.FirstLine}, {"endLine", p.EndLine, &w.LastLine}} {
		if f.from == nil {
			continue
		}
		if *f.from < 1 {
			return w, Errorf(CodeInvalidParams, "%s %d is less than 1", f.name, *f.from)
		}
		*f.to = *f.from
	}
	return w, nil
}

// artifacts lists what a session has stored, in all folders.
func (s *Server) artifacts(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decodeOptional[artifactsParams](params)
	if err != nil {
		return nil, err
	}
	if err := checkSession(p.Session); err != nil {
		return nil, err
	}
	if p.Limit < 0 {
		return nil, Errorf(CodeInvalidParams, "limit %d is less than 0", p.Limit)
	}
	Release(ctx)
	// A cursor is the number of a folder, and the cursor in it.
	number, cursor, _ := strings.Cut(p.Cursor, ".")
	first, err := strconv.Atoi(number)
	if p.Cursor != "" && (err != nil || first < 0) {
		return nil, artifactError("", &artifacts.CursorError{Cursor: p.Cursor})
	}
	out := artifactsResult{Artifacts: []artifactInfo{}}
	for i, h := range s.folders() {
		if i < first {
			continue
		}
		left := 0
		if p.Limit > 0 {
			if left = p.Limit - len(out.Artifacts); left == 0 {
				out.NextCursor = fmt.Sprintf("%d.", i)
				break
			}
		}
		infos, next, err := h.Artifacts(p.Session, cursor, left)
		if err != nil {
			return nil, artifactError("", err)
		}
		cursor = ""
		c, _ := h.Configuration()
		for _, info := range infos {
			out.Artifacts = append(out.Artifacts, newArtifactInfo(info, c.Tools.Truncation.Artifacts.DetailedListing))
		}
		if next != "" {
			out.NextCursor = fmt.Sprintf("%d.%s", i, next)
			break
		}
	}
	return out, nil
}

// textDocumentContent returns an artifact as a document. One that is gone is a
// document that says so: the tab may be open.
func (s *Server) textDocumentContent(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[documentID](params)
	if err != nil {
		return nil, err
	}
	id, ok := artifactID(p.URI)
	if !ok {
		return nil, Errorf(CodeInvalidParams, "%q is not the URI of an artifact, such as acode-artifact:/art_1_a.txt", p.URI)
	}
	Release(ctx)
	_, content, err := s.findArtifact(id)
	if err != nil {
		return textDocumentContent{artifactError(id, err).Message + "\n"}, nil
	}
	return textDocumentContent{content}, nil
}

// findArtifact returns an artifact of any session, for a person.
func (s *Server) findArtifact(id string) (info artifacts.Info, content string, err error) {
	for _, h := range s.folders() {
		portion, err := h.Retrieve(workspace.AnySession, id, workspace.Wanted{}, workspace.ForUser)
		if portion.Base64 {
			return portion.Info, fmt.Sprintf("%s\n\nThis is %s, not text. acode-ls artifacts export %s FILE copies it.\n",
				workspace.ReferenceLine(portion.Info), portion.Info.Type, id), err
		}
		if err == nil || !isNotFound(err) {
			content, _ := truncation.Sanitize(text.Split(portion.Content))
			return portion.Info, content, err
		}
	}
	return info, "", &artifacts.NotFoundError{ID: id}
}

// artifactInfo describes an artifact of any session, for a person.
func (s *Server) artifactInfo(id string) (artifacts.Info, error) {
	for _, h := range s.folders() {
		a, err := h.Artifact(workspace.AnySession, id, workspace.ForUser)
		if err == nil {
			return a.Info(), a.Close()
		}
		if !isNotFound(err) {
			return artifacts.Info{}, err
		}
	}
	return artifacts.Info{}, &artifacts.NotFoundError{ID: id}
}

// artifactID returns the id in the URI of an artifact.
func artifactID(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != artifactScheme {
		return "", false
	}
	name := path.Base(u.Path)
	return strings.TrimSuffix(name, path.Ext(name)), u.Path == "/"+name && u.Host == ""
}

// openArtifact shows an artifact to the person as a document.
func (s *Server) openArtifact(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[struct {
		ID string `json:"id"`
	}](params)
	if err != nil {
		return nil, err
	}
	Release(ctx)
	info, err := s.artifactInfo(p.ID)
	if err != nil {
		return nil, artifactError(p.ID, err)
	}
	shown := documentID{workspace.ArtifactURI(info)}
	if !s.client.Capabilities.Window.ShowDocument.Support {
		return shown, nil
	}
	show := struct {
		URI       string `json:"uri"`
		TakeFocus bool   `json:"takeFocus"`
	}{shown.URI, true}
	if err := s.conn.Call(ctx, "window/showDocument", show, nil); err != nil {
		return nil, Errorf(CodeRequestFailed, "showing the artifact: %v", err)
	}
	return shown, nil
}

// exportArtifact copies an artifact to a file of the person's.
func (s *Server) exportArtifact(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[struct {
		ID        string `json:"id"`
		URI       string `json:"uri"`
		Overwrite bool   `json:"overwrite"`
	}](params)
	if err != nil {
		return nil, err
	}
	path, err := filePath(p.URI)
	if err != nil {
		return nil, err
	}
	Release(ctx)
	return nil, s.withArtifact(p.ID, func(h *workspace.Hub) error {
		_, err := h.Export(workspace.AnySession, p.ID, path, p.Overwrite)
		return err
	})
}

// removeArtifact removes an artifact that the person does not want.
func (s *Server) removeArtifact(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[struct {
		ID string `json:"id"`
	}](params)
	if err != nil {
		return nil, err
	}
	Release(ctx)
	return nil, s.withArtifact(p.ID, func(h *workspace.Hub) error { return h.RemoveArtifact(p.ID) })
}

// withArtifact runs f on the folders until one knows the artifact.
func (s *Server) withArtifact(id string, f func(*workspace.Hub) error) error {
	var err error = &artifacts.NotFoundError{ID: id}
	for _, h := range s.folders() {
		if err = f(h); !isNotFound(err) {
			break
		}
	}
	if err != nil {
		return artifactError(id, err)
	}
	return nil
}

// artifactsChanged tells the client that a session's artifacts are others now.
func (s *Server) artifactsChanged(session string) {
	if s.phase.Load() != phaseRunning {
		return
	}
	s.agents.notify("acode/artifactsChanged", artifactsChanged{session})
	err := s.conn.Notify(context.Background(), "acode/artifactsChanged", artifactsChanged{session})
	if err != nil && !errors.Is(err, ErrClosed) {
		s.log.Warn("telling of artifacts", zap.Error(err))
	}
}

func newArtifactInfo(i artifacts.Info, detailed bool) artifactInfo {
	out := artifactInfo{
		ID: i.ID, Size: i.Size, Type: i.Type, Source: workspace.Source(i), Summary: i.Summary,
		Created: i.Created.UTC().Format(time.RFC3339Nano), URI: workspace.ArtifactURI(i),
	}
	if !detailed {
		out.Source, out.Summary = "", ""
	}
	return out
}

func newArtifactPart(p workspace.Portion) artifactPart {
	out := artifactPart{
		Content: strings.ToValidUTF8(p.Content, "\ufffd"), TotalLines: p.Info.Lines, TotalBytes: p.Info.Size,
		Truncated: p.Omitted > 0 || p.Values < p.Found,
	}
	if p.Base64 {
		out.Encoding = "base64"
	}
	if p.IsQuery {
		out.Values, out.Found = &p.Values, &p.Found
		return out
	}
	out.Range = &artifactRange{lineRange{p.Span.FirstLine, p.Span.LastLine}, p.Span.Start, p.Span.End}
	return out
}
