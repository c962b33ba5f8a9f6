package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
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

// workspaceEdit is the wire form of a WorkspaceEdit. What may be left out is a
// pointer, so that an operation is never taken for another.
type workspaceEdit struct {
	Changes         map[string][]wireEdit `json:"changes"`
	DocumentChanges []wireChange          `json:"documentChanges"`
}

type wireChange struct {
	Kind         *string       `json:"kind"`
	URI          string        `json:"uri"`
	OldURI       string        `json:"oldUri"`
	NewURI       string        `json:"newUri"`
	Options      fileOptions   `json:"options"`
	TextDocument *wireDocument `json:"textDocument"`
	Edits        []wireEdit    `json:"edits"`
}

type wireDocument struct {
	URI     string `json:"uri"`
	Version *int32 `json:"version"`
}

type wireEdit struct {
	Range   *wireRange `json:"range"`
	NewText *string    `json:"newText"`
}

type wireRange struct {
	Start *wirePosition `json:"start"`
	End   *wirePosition `json:"end"`
}

type wirePosition struct {
	Line      *uint32 `json:"line"`
	Character *uint32 `json:"character"`
}

func (p *wirePosition) valid() bool { return p != nil && p.Line != nil && p.Character != nil }

func (p *wirePosition) position() protocol.Position {
	return protocol.Position{Line: *p.Line, Character: *p.Character}
}

// decodeEdit reads a WorkspaceEdit with types of its own, because the library's
// turn operations on files into empty edits without a word, and with a decoder
// that tells keys from others that differ in case and refuses those named
// twice: whoever else reads the edit would see other operations. What it does
// not know it refuses.
func (s *Server) decodeEdit(raw json.RawMessage) (operations, error) {
	out := operations{uris: map[string]string{}}
	if len(raw) == 0 || string(raw) == "null" {
		return out, Errorf(CodeInvalidParams, "no edit")
	}
	var e workspaceEdit
	if err := jsonv2.Unmarshal(raw, &e, jsontext.AllowInvalidUTF8(true)); err != nil {
		return out, Errorf(CodeInvalidParams, "edit: %s", decodeMessage(err))
	}
	if e.DocumentChanges == nil && e.Changes == nil && strings.TrimSpace(string(raw)) != "{}" {
		return out, Errorf(CodeInvalidParams, "edit: it has neither changes nor documentChanges")
	}
	if e.DocumentChanges == nil {
		for _, uri := range slices.Sorted(maps.Keys(e.Changes)) { // an object has no order
			if e.Changes[uri] == nil {
				return out, Errorf(CodeInvalidParams, "the changes of %s are null", uri)
			}
			if err := out.edit(s, wireDocument{URI: uri}, e.Changes[uri]); err != nil {
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

// decodeMessage says where in the JSON what went wrong, without names of Go
// types, which tell a client nothing.
func decodeMessage(err error) string {
	if e, ok := errors.AsType[*jsonv2.SemanticError](err); ok {
		return "unexpected " + kindNames[e.JSONKind] + place(e.JSONPointer)
	}
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return e.Err.Error() + place(e.JSONPointer)
	}
	return err.Error()
}

var kindNames = map[jsontext.Kind]string{
	'n': "null", 't': "true", 'f': "false", '0': "number", '"': "string", '{': "object", '[': "array",
}

func place(p jsontext.Pointer) string {
	if p == "" {
		return ""
	}
	return " at " + string(p)
}

// change adds one member of documentChanges.
func (o *operations) change(s *Server, c wireChange) error {
	if c.Kind == nil {
		if c.TextDocument == nil || c.Edits == nil {
			return Errorf(CodeInvalidParams, "a document change with neither kind nor textDocument and edits")
		}
		return o.edit(s, *c.TextDocument, c.Edits)
	}
	if c.TextDocument != nil || c.Edits != nil {
		return Errorf(CodeInvalidParams, "a document change of kind %q with edits; make two of it", *c.Kind)
	}
	op := workspace.Op{
		Overwrite: c.Options.Overwrite, IgnoreIfExists: c.Options.IgnoreIfExists,
		IgnoreIfNotExists: c.Options.IgnoreIfNotExists, Recursive: c.Options.Recursive,
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
func (o *operations) edit(s *Server, doc wireDocument, edits []wireEdit) error {
	path, err := o.path(s, doc.URI)
	if err != nil {
		return err
	}
	for _, e := range edits {
		if e.NewText == nil || e.Range == nil || !e.Range.Start.valid() || !e.Range.End.valid() {
			return Errorf(CodeInvalidParams, "an edit of %s without range or newText", doc.URI)
		}
	}
	o.ops = append(o.ops, workspace.Op{
		Kind: workspace.EditFile, Path: path, Version: doc.Version,
		Edits: func(l text.Lines) ([]awareness.Edit, error) {
			out := make([]awareness.Edit, len(edits))
			for i, e := range edits {
				start, end, err := s.span(l, protocol.Range{Start: e.Range.Start.position(), End: e.Range.End.position()})
				if err != nil {
					return nil, err
				}
				out[i] = awareness.Edit{Start: start, End: end, New: *e.NewText}
			}
			return out, nil
		},
	})
	return nil
}

func (o *operations) uri(path string) string {
	if uri, ok := o.uris[path]; ok {
		return uri
	}
	return fileURI(path)
}

// editRequest decodes the params of acode/checkEdit and acode/applyEdit.
func (s *Server) editRequest(params json.RawMessage) (editParams, operations, error) {
	p, err := decode[editParams](params)
	if err != nil {
		return p, operations{}, err
	}
	o, err := s.decodeEdit(p.Edit)
	if err != nil {
		return p, o, err
	}
	return p, o, checkSession(p.Session)
}

func (s *Server) checkEdit(_ context.Context, params json.RawMessage) (any, error) {
	p, o, err := s.editRequest(params)
	if err != nil {
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
	p, o, err := s.editRequest(params)
	if err != nil {
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
	return newApplyResult(out, o.uri), nil
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

// Annotations of changes that the person is to be asked about.
const (
	unseenChanges  = "unseen"
	unsavedChanges = "unsaved"
)

var annotations = map[string]changeAnnotation{
	unseenChanges: {
		Label: "Unsaved changes the agent has not seen", NeedsConfirmation: true,
		Description: "The agent edits a document with unsaved changes that it has not seen.",
	},
	unsavedChanges: {
		Label: "Unsaved changes that would be lost", NeedsConfirmation: true,
		Description: "The agent deletes a file that has unsaved changes.",
	},
}

// annotate adds an annotation to an edit, if the client can ask the person, and
// returns its id.
func (e *editor) annotate(p *applyEditParams, id string) string {
	if e.server.client.Capabilities.Workspace.WorkspaceEdit.ChangeAnnotationSupport == nil {
		return ""
	}
	if p.Edit.ChangeAnnotations == nil {
		p.Edit.ChangeAnnotations = map[string]changeAnnotation{}
	}
	p.Edit.ChangeAnnotations[id] = annotations[id]
	return id
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
		annotation := ""
		if d.Unseen {
			annotation = e.annotate(&p, unseenChanges)
		}
		for _, te := range d.Edits {
			r := protocol.Range{Start: e.server.position(d.Before, te.Start), End: e.server.position(d.Before, te.End)}
			change.Edits = append(change.Edits, textEdit{r, te.New, annotation})
		}
		p.Edit.DocumentChanges = append(p.Edit.DocumentChanges, change)
	}
	for _, f := range edit.Files {
		from, _ := e.server.docs.uri(document{e.hub, f.From})
		if f.Kind == workspace.DeleteFile {
			annotation := ""
			if f.Unsaved {
				annotation = e.annotate(&p, unsavedChanges)
			}
			p.Edit.DocumentChanges = append(p.Edit.DocumentChanges, deleteFile{"delete", from, annotation})
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
