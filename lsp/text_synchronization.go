package lsp

import (
	"context"
	"encoding/json"
	"errors"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// Documents outside the workspace and those that are no files are none of our
// business: their notifications are passed over.

func (s *Server) didOpen(_ context.Context, params json.RawMessage) (any, error) {
	p, err := decode[struct {
		TextDocument struct {
			URI     string `json:"uri"`
			Version int32  `json:"version"`
			Text    string `json:"text"`
		} `json:"textDocument"`
	}](params)
	if err != nil {
		return nil, err
	}
	doc, path, err := s.locate(p.TextDocument.URI)
	if err != nil {
		s.log.Debug("a document is not followed", zap.String("uri", p.TextDocument.URI), zap.Error(err))
		if path != "" {
			s.docs.stray(path, &stray{p.TextDocument.URI, p.TextDocument.Version, text.Split(p.TextDocument.Text)})
		}
		return nil, nil
	}
	s.docs.open(doc, p.TextDocument.URI)
	if err := doc.hub.DidOpen(path, p.TextDocument.Version, p.TextDocument.Text); err != nil {
		return nil, err
	}
	s.news.document(doc)
	return nil, nil
}

func (s *Server) didChange(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[didChangeParams](params)
	if err != nil {
		return nil, err
	}
	doc, path, outside := s.locate(p.TextDocument.URI)
	if p.TextDocument.Version == nil {
		return nil, Errorf(CodeInvalidParams, "a change without version")
	}
	changes := make([]workspace.Splice, len(p.ContentChanges))
	for i, c := range p.ContentChanges {
		if c.Text == nil {
			return nil, Errorf(CodeInvalidParams, "a change without text")
		}
		changes[i] = s.splice(c)
	}
	if outside != nil {
		return nil, s.followStray(path, *p.TextDocument.Version, changes)
	}
	// Not while diagnostics of the text before are on their way.
	s.news.sending.Lock()
	err = doc.hub.DidChange(path, *p.TextDocument.Version, changes)
	s.news.sending.Unlock()
	if err != nil && !errors.Is(err, workspace.ErrVersion) {
		s.tell(ctx, protocol.MessageTypeError, "acode-ls lost track of "+doc.name+": close and open it again. "+err.Error())
	}
	if err == nil {
		s.news.document(doc)
	}
	return nil, err
}

// splice converts one content change. One without range is the full text, even
// where incremental changes were agreed on.
func (s *Server) splice(c contentChange) workspace.Splice {
	if c.Range == nil {
		return workspace.Splice{Full: *c.Text}
	}
	return workspace.Splice{Edit: func(l text.Lines) (awareness.Edit, error) {
		start, end, err := s.span(l, *c.Range)
		return awareness.Edit{Start: start, End: end, New: *c.Text}, err
	}}
}

// span converts a range into byte offsets.
func (s *Server) span(l text.Lines, r protocol.Range) (start, end int, err error) {
	if start, err = s.place(l, r.Start); err != nil {
		return 0, 0, err
	}
	end, err = s.place(l, r.End)
	return start, end, err
}

func (s *Server) didSave(_ context.Context, params json.RawMessage) (any, error) {
	p, err := decode[struct {
		TextDocument documentID `json:"textDocument"`
	}](params)
	if err != nil {
		return nil, err
	}
	if doc, path, err := s.locate(p.TextDocument.URI); err == nil {
		return nil, doc.hub.DiskChanged(path)
	}
	return nil, nil
}

func (s *Server) didClose(_ context.Context, params json.RawMessage) (any, error) {
	p, err := decode[struct {
		TextDocument documentID `json:"textDocument"`
	}](params)
	if err != nil {
		return nil, err
	}
	doc, path, err := s.locate(p.TextDocument.URI)
	if err != nil {
		s.docs.forgetStray(path)
		return nil, nil
	}
	err = doc.hub.DidClose(path)
	s.docs.close(doc)
	s.clear(doc, p.TextDocument.URI)
	return nil, err
}

func (s *Server) didChangeWatchedFiles(_ context.Context, params json.RawMessage) (any, error) {
	p, err := decode[struct {
		Changes []documentID `json:"changes"`
	}](params)
	if err != nil {
		return nil, err
	}
	for _, c := range p.Changes {
		if doc, path, err := s.locate(c.URI); err == nil {
			if err := doc.hub.DiskChanged(path); err != nil {
				s.log.Warn("following a changed file", zap.String("file", doc.name), zap.Error(err))
			}
		}
	}
	return nil, nil
}

func (s *Server) didDeleteFiles(_ context.Context, params json.RawMessage) (any, error) {
	p, err := decode[struct {
		Files []documentID `json:"files"`
	}](params)
	if err != nil {
		return nil, err
	}
	for _, f := range p.Files {
		if doc, path, err := s.locate(f.URI); err == nil {
			if err := doc.hub.DiskChanged(path); err != nil {
				s.log.Warn("following a deleted file", zap.String("file", doc.name), zap.Error(err))
			}
		}
	}
	return nil, nil
}

func (s *Server) didRenameFiles(_ context.Context, params json.RawMessage) (any, error) {
	p, err := decode[struct {
		Files []struct {
			OldURI string `json:"oldUri"`
			NewURI string `json:"newUri"`
		} `json:"files"`
	}](params)
	if err != nil {
		return nil, err
	}
	for _, f := range p.Files {
		from, fromPath, err := s.locate(f.OldURI)
		if err != nil {
			continue
		}
		to, toPath, err := s.locate(f.NewURI)
		if err != nil || to.hub != from.hub {
			continue
		}
		if err := from.hub.Moved(fromPath, toPath); err != nil {
			s.log.Warn("following a renamed file", zap.String("file", from.name), zap.Error(err))
		}
	}
	return nil, nil
}
