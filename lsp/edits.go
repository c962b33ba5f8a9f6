package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// operations is a decoded WorkspaceEdit.
type operations struct {
	hub  *workspace.Hub
	ops  []workspace.Op
	uris map[string]string // as the client wrote them, by path
}

// decodeEdit reads a WorkspaceEdit from its raw form, because the library's
// types turn operations on files into empty edits without a word. What it does
// not know it refuses.
func (s *Server) decodeEdit(raw json.RawMessage) (operations, error) {
	out := operations{uris: map[string]string{}}
	if len(raw) == 0 || string(raw) == "null" {
		return out, Errorf(CodeInvalidParams, "no edit")
	}
	var e struct {
		Changes         map[string][]json.RawMessage `json:"changes"`
		DocumentChanges []json.RawMessage            `json:"documentChanges"`
	}
	if err := exactKeys(raw, "changes", "documentChanges"); err != nil {
		return out, err
	}
	if err := decodeInto(raw, &e); err != nil {
		return out, err
	}
	if e.DocumentChanges == nil {
		// An object has no order.
		uris := make([]string, 0, len(e.Changes))
		for uri := range e.Changes {
			uris = append(uris, uri)
		}
		slices.Sort(uris)
		for _, uri := range uris {
			if e.Changes[uri] == nil {
				return out, Errorf(CodeInvalidParams, "the changes of %s are null", uri)
			}
			if err := out.edit(s, textDocument{URI: uri}, e.Changes[uri]); err != nil {
				return out, err
			}
		}
		return out, nil
	}
	for _, change := range e.DocumentChanges {
		if err := out.change(s, change); err != nil {
			return out, err
		}
	}
	return out, nil
}

// change adds one member of documentChanges.
func (o *operations) change(s *Server, raw json.RawMessage) error {
	var c struct {
		Kind         *string           `json:"kind"`
		URI          string            `json:"uri"`
		OldURI       string            `json:"oldUri"`
		NewURI       string            `json:"newUri"`
		Options      *fileOptions      `json:"options"`
		TextDocument *textDocument     `json:"textDocument"`
		Edits        []json.RawMessage `json:"edits"`
	}
	if err := exactKeys(raw, "kind", "uri", "oldUri", "newUri", "options", "textDocument", "edits"); err != nil {
		return err
	}
	if err := decodeInto(raw, &c); err != nil {
		return err
	}
	if c.Kind == nil {
		if c.TextDocument == nil || c.Edits == nil {
			return Errorf(CodeInvalidParams, "a document change with neither kind nor textDocument and edits")
		}
		return o.edit(s, *c.TextDocument, c.Edits)
	}
	if c.TextDocument != nil || c.Edits != nil {
		return Errorf(CodeInvalidParams, "a document change of kind %q with edits; make two of it", *c.Kind)
	}
	op := workspace.Op{}
	if c.Options != nil {
		op.Overwrite, op.IgnoreIfExists = c.Options.Overwrite, c.Options.IgnoreIfExists
		op.IgnoreIfNotExists, op.Recursive = c.Options.IgnoreIfNotExists, c.Options.Recursive
	}
	uri := c.URI
	switch *c.Kind {
	case "create":
		op.Kind = workspace.CreateFile
	case "delete":
		op.Kind = workspace.DeleteFile
	case "rename":
		op.Kind, uri = workspace.RenameFile, c.OldURI
		to, err := o.path(s, c.NewURI)
		if err != nil {
			return err
		}
		op.NewPath = to
	default:
		return Errorf(CodeInvalidParams, "a document change of unknown kind %q", *c.Kind)
	}
	path, err := o.path(s, uri)
	if err != nil {
		return err
	}
	op.Path = path
	o.ops = append(o.ops, op)
	return nil
}

// path returns the path of a URI and remembers the URI's spelling.
func (o *operations) path(s *Server, uri string) (string, error) {
	path, err := filePath(uri)
	if err != nil {
		return "", err
	}
	o.uris[path] = uri
	// An edit belongs to the folder of its first file; to that folder's hub
	// the files of another one are outside.
	if o.hub == nil {
		o.hub = s.hubOf(path)
	}
	return path, nil
}

// edit adds the edit of one document.
func (o *operations) edit(s *Server, doc textDocument, raw []json.RawMessage) error {
	path, err := o.path(s, doc.URI)
	if err != nil {
		return err
	}
	op := workspace.Op{Kind: workspace.EditFile, Path: path}
	if len(doc.Version) > 0 && string(doc.Version) != "null" {
		op.Version = new(int32)
		if err := decodeInto(doc.Version, op.Version); err != nil {
			return err
		}
	}
	edits := make([]textEdit, len(raw))
	for i, r := range raw {
		if err := exactKeys(r, "range", "newText"); err != nil {
			return err
		}
		if err := decodeInto(r, &edits[i]); err != nil {
			return err
		}
		if edits[i].NewText == nil || !hasRange(r) {
			return Errorf(CodeInvalidParams, "an edit of %s without range or newText", doc.URI)
		}
	}
	op.Edits = func(l text.Lines) ([]awareness.Edit, error) {
		out := make([]awareness.Edit, len(edits))
		for i, e := range edits {
			start, end, err := s.span(l, *e.Range)
			if err != nil {
				return nil, err
			}
			out[i] = awareness.Edit{Start: start, End: end, New: *e.NewText}
		}
		return out, nil
	}
	o.ops = append(o.ops, op)
	return nil
}

// exactKeys refuses an object with a key that differs from a name in the case
// of letters alone. To the decoder the two are one, and the later one wins: to
// whoever else reads the edit it would hold other operations.
func exactKeys(raw json.RawMessage, names ...string) error {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil // the decoder says it better
	}
	for key := range object {
		for _, name := range names {
			if key != name && strings.EqualFold(key, name) {
				return Errorf(CodeInvalidParams, "params: %q is not %q", key, name)
			}
		}
	}
	return nil
}

// hasRange reports whether an edit names both ends of its range in full: once
// decoded, what was left out is 0, which is a place too.
func hasRange(raw json.RawMessage) bool {
	type position struct{ Line, Character *json.Number }
	var e struct{ Range struct{ Start, End position } }
	if json.Unmarshal(raw, &e) != nil {
		return false
	}
	start, end := e.Range.Start, e.Range.End
	return start.Line != nil && start.Character != nil && end.Line != nil && end.Character != nil
}

func (o *operations) uri(path string) string {
	if uri, ok := o.uris[path]; ok {
		return uri
	}
	return fileURI(path)
}

func (s *Server) checkEdit(_ context.Context, params json.RawMessage) (any, error) {
	p, err := decode[editParams](params)
	if err != nil {
		return nil, err
	}
	o, err := s.decodeEdit(p.Edit)
	if err != nil {
		return nil, err
	}
	if err := checkSession(p.Session); err != nil {
		return nil, err
	}
	if o.hub == nil {
		return newVerdict(workspace.Verdict{}, o.uri), nil
	}
	v, err := o.hub.Check(p.Session, o.ops)
	if err != nil {
		return nil, err
	}
	return newVerdict(v, o.uri), nil
}

func (s *Server) applyEdit(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[editParams](params)
	if err != nil {
		return nil, err
	}
	o, err := s.decodeEdit(p.Edit)
	if err != nil {
		return nil, err
	}
	if err := checkSession(p.Session); err != nil {
		return nil, err
	}
	if o.hub == nil {
		return applyResult{verdict: newVerdict(workspace.Verdict{}, o.uri), Applied: true, SHA256: map[string]string{}}, nil
	}
	// The editor answers with messages of its own, which have to be handled.
	Release(ctx)
	out, err := o.hub.Apply(ctx, p.Session, p.Label, o.ops)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil && !out.Applied {
		return nil, err
	}
	r := applyResult{
		verdict: newVerdict(out.Verdict, o.uri), Applied: out.Applied, FailureReason: out.Failure,
		SHA256: make(map[string]string, len(out.Sums)),
	}
	for path, sum := range out.Sums {
		r.SHA256[o.uri(path)] = hexSum(sum)
	}
	return r, nil
}

func checkSession(id string) error {
	if id == "" {
		return nil
	}
	if err := workspace.CheckSessionID(id); err != nil {
		return Errorf(CodeInvalidParams, "%v", err)
	}
	return nil
}

// editor applies edits to the documents the client has open.
type editor struct {
	server *Server
	hub    *workspace.Hub
}

func (e *editor) Supports(op workspace.OpKind) bool {
	kind := map[workspace.OpKind]string{workspace.CreateFile: "create", workspace.RenameFile: "rename", workspace.DeleteFile: "delete"}[op]
	w := e.server.client.Capabilities.Workspace
	return w.ApplyEdit && slices.Contains(w.WorkspaceEdit.ResourceOperations, kind)
}

func (e *editor) Apply(ctx context.Context, edit workspace.EditorEdit) error {
	if !e.server.client.Capabilities.Workspace.ApplyEdit {
		return fmt.Errorf("the editor does not offer workspace/applyEdit")
	}
	p := applyEditParams{Label: edit.Label}
	for _, d := range edit.Docs {
		uri, _ := e.server.docs.uri(document{e.hub, d.Name})
		change := textDocumentEdit{TextDocument: optionalVersion{uri, &d.Version}, Edits: []textEdit{}}
		for _, te := range d.Edits {
			r := protocol.Range{Start: e.server.position(d.Before, te.Start), End: e.server.position(d.Before, te.End)}
			change.Edits = append(change.Edits, textEdit{Range: &r, NewText: &te.New})
		}
		p.Edit.DocumentChanges = append(p.Edit.DocumentChanges, change)
	}
	for _, f := range edit.Files {
		from, _ := e.server.docs.uri(document{e.hub, f.From})
		if f.Kind == workspace.DeleteFile {
			p.Edit.DocumentChanges = append(p.Edit.DocumentChanges, deleteFile{"delete", from})
			continue
		}
		p.Edit.DocumentChanges = append(p.Edit.DocumentChanges,
			renameFile{"rename", from, fileURI(e.hub.Path(f.To)), &fileOptions{Overwrite: f.Replace}})
	}
	var r applyEditResult
	if err := e.server.conn.Call(ctx, "workspace/applyEdit", p, &r); err != nil {
		return err
	}
	if !r.Applied {
		if r.FailureReason == "" {
			return fmt.Errorf("the editor refused the edit")
		}
		return fmt.Errorf("the editor refused the edit: %s", r.FailureReason)
	}
	return nil
}
