package fake

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// This file is how the editor applies a WorkspaceEdit.

// documentChange is a member of documentChanges of any kind.
type documentChange struct {
	Kind         string `json:"kind"`
	URI          string `json:"uri"`
	OldURI       string `json:"oldUri"`
	NewURI       string `json:"newUri"`
	TextDocument *struct {
		URI     string `json:"uri"`
		Version *int   `json:"version"`
	} `json:"textDocument"`
	Edits   []TextEdit `json:"edits"`
	Options struct {
		Overwrite         bool `json:"overwrite"`
		IgnoreIfExists    bool `json:"ignoreIfExists"`
		IgnoreIfNotExists bool `json:"ignoreIfNotExists"`
		Recursive         bool `json:"recursive"`
	} `json:"options"`
}

// typed is what a person types whom a misbehaviour brings in.
const typed = "typed by a person\n"

// errHungUp ends the connection.
var errHungUp = errors.New("the editor hung up")

// applyEdit takes a workspace/applyEdit. The caller holds e.mu.
func (e *Editor) applyEdit(m message) error {
	var p struct {
		Label string `json:"label"`
		Edit  struct {
			Changes         json.RawMessage  `json:"changes"`
			DocumentChanges []documentChange `json:"documentChanges"`
			Annotations     map[string]any   `json:"changeAnnotations"`
		} `json:"edit"`
	}
	if err := json.Unmarshal(m.Params, &p); err != nil {
		return fmt.Errorf("workspace/applyEdit: %w", err)
	}
	if p.Edit.Changes != nil || len(p.Edit.DocumentChanges) == 0 {
		e.fault("workspace/applyEdit without documentChanges: %s", m.Params)
	}
	for _, c := range p.Edit.DocumentChanges {
		for _, edit := range c.Edits {
			if id := edit.AnnotationID; id != "" && p.Edit.Annotations[id] == nil {
				e.fault("an edit has the annotation %q, which is not there", id)
			}
		}
	}
	e.events.Applied = append(e.events.Applied, string(m.Params))
	how := e.next
	e.next = ""
	type result struct {
		Applied       bool   `json:"applied"`
		FailureReason string `json:"failureReason,omitempty"`
	}
	answer := func(r result) error { return e.answer(m.ID, r, nil) }
	switch how {
	case Lie:
		return answer(result{Applied: true})
	case Silent:
		return nil
	case Refuse:
		return answer(result{FailureReason: "the person said no"})
	case RefuseMute:
		return answer(result{})
	case Fail:
		return e.answer(m.ID, nil, &ResponseError{Code: -32603, Message: "the editor crashed a little"})
	case HangUp:
		return errHungUp
	case LiePartly:
		p.Edit.DocumentChanges = p.Edit.DocumentChanges[:1]
	case Other:
		for _, c := range p.Edit.DocumentChanges {
			for i := range c.Edits {
				c.Edits[i].NewText = "something else\n"
			}
		}
	case TypeBefore:
		for _, c := range p.Edit.DocumentChanges {
			if b := e.bufferOf(c); b != nil {
				if err := e.change(b, []TextEdit{{NewText: typed}}); err != nil {
					return err
				}
			}
		}
		if err := e.flush(); err != nil {
			return err
		}
	}
	t := &application{editor: e, how: how, changes: map[*buffer][]object{}}
	var failure error
	if e.opts.Personality == Neovim {
		failure = t.neovim(p.Edit.DocumentChanges)
	} else {
		failure = t.vscode(p.Edit.DocumentChanges)
	}
	if how == Mute {
		return t.report()
	}
	// VS Code tells of the changes before it answers, Neovim after.
	if e.opts.Personality == VSCode {
		if err := t.report(); err != nil {
			return err
		}
	}
	r := result{Applied: failure == nil}
	if failure != nil {
		r.FailureReason = failure.Error()
	}
	if err := answer(r); err != nil {
		return err
	}
	if e.opts.Personality == Neovim {
		return t.report()
	}
	return nil
}

// application is an edit while it is applied.
type application struct {
	editor  *Editor
	how     Misbehaviour
	order   []*buffer
	changes map[*buffer][]object
}

func (e *Editor) bufferOf(c documentChange) *buffer {
	if c.TextDocument == nil {
		return nil
	}
	if b := e.buffers[c.TextDocument.URI]; b != nil {
		return b
	}
	return nil
}

// vscode applies an edit as VS Code does: all versions are checked before.
func (t *application) vscode(changes []documentChange) error {
	for _, c := range changes {
		b := t.editor.bufferOf(c)
		if b != nil && c.TextDocument.Version != nil && *c.TextDocument.Version != b.version {
			return errors.New("") // its client gives no reason
		}
	}
	for _, c := range changes {
		if err := t.one(c); err != nil {
			return err
		}
	}
	return nil
}

// neovim applies an edit as Neovim does: the version of the first document is
// checked, and if that is newer nothing of that document is applied, which is
// no failure. What was applied before a failure stays.
func (t *application) neovim(changes []documentChange) error {
	for i, c := range changes {
		b := t.editor.bufferOf(c)
		if i == 0 && b != nil && c.TextDocument.Version != nil && 0 < *c.TextDocument.Version && *c.TextDocument.Version < b.version {
			continue
		}
		if err := t.one(c); err != nil {
			return err
		}
	}
	return nil
}

func (t *application) one(c documentChange) error {
	e := t.editor
	switch c.Kind {
	case "":
		return t.text(c)
	case "create":
		path, err := pathOf(c.URI)
		if err != nil {
			return err
		}
		if _, err := os.Lstat(path); err == nil && !c.Options.Overwrite && e.opts.Personality == VSCode {
			if c.Options.IgnoreIfExists {
				return nil
			}
			return fs.ErrExist
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return os.WriteFile(path, nil, 0o644)
	case "rename":
		from, err := pathOf(c.OldURI)
		if err != nil {
			return err
		}
		to, err := pathOf(c.NewURI)
		if err != nil {
			return err
		}
		if _, err := os.Lstat(to); err == nil && !c.Options.Overwrite {
			if c.Options.IgnoreIfExists {
				return nil
			}
			return fs.ErrExist
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := e.rename(from, to); err != nil {
			return err
		}
		return e.fileOperation(e.server.Workspace.FileOperations.DidRename, "workspace/didRenameFiles",
			object{"oldUri": c.OldURI, "newUri": c.NewURI})
	case "delete":
		path, err := pathOf(c.URI)
		if err != nil {
			return err
		}
		if _, err := os.Lstat(path); err != nil {
			if c.Options.IgnoreIfNotExists {
				return nil
			}
			return err
		}
		if err := e.remove(path); err != nil {
			return err
		}
		return e.fileOperation(e.server.Workspace.FileOperations.DidDelete, "workspace/didDeleteFiles",
			object{"uri": c.URI})
	}
	e.fault("workspace/applyEdit with an operation of kind %q", c.Kind)
	return fmt.Errorf("kind %q", c.Kind)
}

// text edits one document, which is opened if it is not.
func (t *application) text(c documentChange) error {
	e := t.editor
	if c.TextDocument == nil {
		e.fault("workspace/applyEdit with neither kind nor textDocument")
		return errors.New("no textDocument")
	}
	b := e.bufferOf(c)
	if b == nil {
		e.fault("workspace/applyEdit of %s, which is not open", c.TextDocument.URI)
		path, err := pathOf(c.TextDocument.URI)
		if err != nil {
			return err
		}
		if err := e.open(c.TextDocument.URI, path); err != nil {
			return err
		}
		b = e.buffers[c.TextDocument.URI]
	}
	if c.TextDocument.Version == nil {
		e.fault("workspace/applyEdit of %s without version", b.uri)
	}
	for _, te := range c.Edits {
		// A person who typed right before moved the text under the edit.
		if err := check(b.text, te.Range, e.encoding); err != nil && t.how != TypeBefore {
			e.fault("workspace/applyEdit of %s: %v", b.uri, err)
		}
	}
	changes, err := e.edit(b, c.Edits)
	if err != nil {
		return err
	}
	if t.changes[b] == nil {
		t.order = append(t.order, b)
	}
	t.changes[b] = append(t.changes[b], changes...)
	return nil
}

// report tells the server of what was changed, as the misbehaviour has it.
func (t *application) report() error {
	e := t.editor
	if t.how == CloseDuring {
		for _, b := range t.order {
			b.version = b.sentVersion // nothing is flushed
			if err := e.detach(b); err != nil {
				return err
			}
		}
		return nil
	}
	for _, b := range t.order {
		if b.version == b.sentVersion {
			continue // reported before a file was renamed or deleted
		}
		if err := t.reportBuffer(b, t.changes[b]); err != nil {
			return err
		}
	}
	return nil
}

func (t *application) reportBuffer(b *buffer, changes []object) error {
	e := t.editor
	switch t.how {
	case Merge, MergeInOne:
		before := b.sent
		more, err := e.edit(b, []TextEdit{{NewText: typed}})
		if err != nil {
			return err
		}
		changes = append(changes, more...)
		if t.how == MergeInOne {
			d := difference(before, b.text, e.encoding)
			changes = []object{{"range": d.Range, "text": d.NewText}}
		}
		return e.report(b, changes)
	case TypeAfter:
		if err := e.report(b, changes); err != nil {
			return err
		}
		more, err := e.edit(b, []TextEdit{{NewText: typed}})
		if err != nil {
			return err
		}
		return e.report(b, more)
	case Twice:
		e.lax = true
		if err := e.report(b, changes); err != nil {
			return err
		}
		return e.didChange(b.uri, b.version, changes)
	case Backwards:
		e.lax = true
		if err := e.report(b, changes); err != nil {
			return err
		}
		return e.didChange(b.uri, b.version-1, []object{{"text": "an older text\n"}})
	}
	if e.opts.Personality == Neovim { // it only compares
		d := difference(b.sent, b.text, e.encoding)
		changes = []object{{"range": d.Range, "text": d.NewText}}
	}
	return e.report(b, changes)
}
