package lsp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"go.lsp.dev/protocol"

	"github.com/acode-ls/acode-ls/internal/fileuri"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// filePath returns the path of a file URI. Spellings differ between clients, so
// URIs are never compared: the hub gives each path one name.
func filePath(uri string) (string, error) {
	path, err := fileuri.Parse(uri)
	if err != nil {
		return "", Errorf(CodeInvalidParams, "%v", err)
	}
	return path, nil
}

func fileURI(path string) string { return fileuri.Format(path) }

// documents remembers how the client spells the URI of each open document.
type documents struct {
	mu     sync.Mutex
	uris   map[document]string
	strays map[string]*stray // by path
}

// document is an open document of one workspace folder.
type document struct {
	hub  *workspace.Hub
	name string
}

func (d *documents) open(doc document, uri string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.uris == nil {
		d.uris = make(map[document]string)
	}
	d.uris[doc] = uri
}

func (d *documents) close(doc document) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.uris, doc)
}

// uri returns the URI of a file, and whether the client has it open.
func (d *documents) uri(doc document) (string, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if uri, ok := d.uris[doc]; ok {
		return uri, true
	}
	return fileURI(doc.hub.Path(doc.name)), false
}

func (d *documents) all() []document {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make([]document, 0, len(d.uris))
	for doc := range d.uris {
		out = append(out, doc)
	}
	return out
}

// hubOf returns the workspace folder a path belongs to: the innermost.
func (s *Server) hubOf(path string) *workspace.Hub {
	s.workspaces.mu.RLock()
	defer s.workspaces.mu.RUnlock()
	if len(s.workspaces.hubs) == 1 {
		return s.workspaces.hubs[0]
	}
	var best *workspace.Hub
	for _, h := range s.workspaces.hubs {
		if best == nil || s.under(path, h) && (!s.under(path, best) || len(h.Root()) > len(best.Root())) {
			best = h
		}
	}
	return best
}

func (s *Server) under(path string, h *workspace.Hub) bool {
	_, err := h.Name(path)
	return err == nil
}

// locate returns the document a URI means.
func (s *Server) locate(uri string) (document, string, error) {
	path, err := filePath(uri)
	if err != nil {
		return document{}, "", err
	}
	h := s.hubOf(path)
	name, err := h.Name(path)
	if err != nil {
		return document{hub: h}, path, Errorf(CodeRequestFailed, "%v", err)
	}
	return document{h, name}, path, nil
}

// place converts a position into a byte offset.
func (s *Server) place(l text.Lines, p protocol.Position) (int, error) {
	return l.Offset(int(p.Line)+1, int(p.Character), s.encoding)
}

// position converts a byte offset that is inside the text.
func (s *Server) position(l text.Lines, offset int) protocol.Position {
	line, col, err := l.Position(offset, s.encoding)
	if err != nil {
		line = max(l.Len(), 1)
	}
	return protocol.Position{Line: uint32(line - 1), Character: uint32(col)}
}

// lineSpan returns the range of whole lines, without the last line's end.
func (s *Server) lineSpan(l text.Lines, first, last int) protocol.Range {
	if l.Len() == 0 {
		return protocol.Range{}
	}
	last = min(last, l.Len())
	end := text.Columns(l.Line(last), s.encoding)
	return protocol.Range{
		Start: protocol.Position{Line: uint32(first - 1)},
		End:   protocol.Position{Line: uint32(last - 1), Character: uint32(end)},
	}
}

// decode reads params, which must be there.
func decode[T any](params json.RawMessage) (T, error) {
	var v T
	if len(params) == 0 {
		return v, Errorf(CodeInvalidParams, "no params")
	}
	return v, decodeInto(params, &v)
}

// decodeOptional reads params that may be left out.
func decodeOptional[T any](params json.RawMessage) (T, error) {
	var v T
	if len(params) == 0 || string(params) == "null" || string(params) == "[]" {
		return v, nil
	}
	return v, decodeInto(params, &v)
}

func decodeInto(params json.RawMessage, v any) error {
	if err := json.Unmarshal(params, v); err != nil {
		return Errorf(CodeInvalidParams, "params: %s", jsonError(err))
	}
	return nil
}

// jsonError says what is wrong with JSON, without the names of Go types.
func jsonError(err error) string {
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return strings.TrimPrefix(err.Error(), "json: ")
	}
	field := wrong.Field[strings.LastIndexByte(wrong.Field, '.')+1:]
	if field == "" {
		return "unexpected " + wrong.Value
	}
	return fmt.Sprintf("unexpected %s as %s", wrong.Value, field)
}
