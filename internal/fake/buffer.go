package fake

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// buffer is a document that is open.
type buffer struct {
	uri, path string
	text      string
	version   int
	eol       string
	bom       bool
	history   []string // texts before each change, for undo

	// What the server was told of it last, and all texts it was told of.
	sent        string
	sentVersion int
	texts       map[int]told
	opened      int // number of the telling it was opened with
}

// told is one text the server was told of.
type told struct {
	at   int // number of the telling
	text string
}

type object = map[string]any

// Open opens a file.
func (e *Editor) Open(path string) error { return e.OpenAs(e.URI(path), path) }

// OpenAs opens a file under a URI that is spelled in another way.
func (e *Editor) OpenAs(uri, path string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.open(uri, path)
}

func (e *Editor) open(uri, path string) error {
	content, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	text, bom := strings.CutPrefix(string(content), "\ufeff")
	b := &buffer{uri: uri, path: path, eol: eolOf(text), bom: bom}
	b.text = e.opts.Personality.load(strings.ToValidUTF8(text, "\ufffd"), b.eol)
	return e.attach(b)
}

// attach tells the server of a buffer that is open now. The caller holds e.mu.
func (e *Editor) attach(b *buffer) error {
	if e.buffers[b.uri] != nil {
		return fmt.Errorf("%s is open already", b.uri)
	}
	e.buffers[b.uri] = b
	if b.version++; e.opts.Personality == Neovim {
		b.version++ // changedtick starts at 2 once a file is read
	}
	b.texts = map[int]told{}
	e.tell(b)
	b.opened = e.told
	return e.conn.notify("textDocument/didOpen", object{"textDocument": object{
		"uri": b.uri, "languageId": "plaintext", "version": b.version, "text": b.text,
	}})
}

// tell notes that the server is told of the buffer's text. The caller holds
// e.mu and sends it next.
func (e *Editor) tell(b *buffer) {
	e.told++
	b.sent, b.sentVersion = b.text, b.version
	b.texts[b.version] = told{e.told, b.text}
}

// buffer returns the buffer of a path. The caller holds e.mu.
func (e *Editor) buffer(path string) (*buffer, error) {
	for _, b := range e.buffers {
		if b.path == path {
			return b, nil
		}
	}
	return nil, fmt.Errorf("%s is not open in the editor", filepath.Base(path))
}

// URIOf returns the URI under which a file is open, else the one under which
// it would be.
func (e *Editor) URIOf(path string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if b, err := e.buffer(path); err == nil {
		return b.uri
	}
	return e.URI(path)
}

// Text returns the text and version of a buffer, and whether there is one.
func (e *Editor) Text(path string) (text string, version int, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	b, err := e.buffer(path)
	if err != nil {
		return "", 0, false
	}
	return b.text, b.version, true
}

// Edit is a person's edit of a buffer.
func (e *Editor) Edit(path string, edits ...TextEdit) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	b, err := e.buffer(path)
	if err != nil {
		return err
	}
	return e.change(b, edits)
}

// Set replaces the text of a buffer, as a formatter does or a file that is
// read again.
func (e *Editor) Set(path, text string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	b, err := e.buffer(path)
	if err != nil {
		return err
	}
	return e.change(b, []TextEdit{difference(b.text, text, e.encoding)})
}

// Undo takes the last change of a buffer back.
func (e *Editor) Undo(path string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	b, err := e.buffer(path)
	if err != nil {
		return err
	}
	if len(b.history) == 0 {
		return fmt.Errorf("nothing to undo in %s", filepath.Base(path))
	}
	last := b.history[len(b.history)-1]
	depth := len(b.history) - 1
	if err := e.change(b, []TextEdit{difference(b.text, last, e.encoding)}); err != nil {
		return err
	}
	b.history = b.history[:depth]
	return nil
}

// change edits a buffer and reports it now, or later if the personality
// gathers changes. The caller holds e.mu.
func (e *Editor) change(b *buffer, edits []TextEdit) error {
	changes, err := e.edit(b, edits)
	if err != nil || e.opts.Personality == Neovim {
		return err
	}
	return e.report(b, changes)
}

// edit edits a buffer and returns the changes in the order in which they can
// be replayed one after the other.
func (e *Editor) edit(b *buffer, edits []TextEdit) ([]object, error) {
	edits = slices.Clone(edits)
	for i := range edits {
		edits[i].NewText = withEOL(edits[i].NewText, b.eol)
	}
	text, err := ApplyEdits(b.text, edits, e.encoding)
	if err != nil {
		return nil, err
	}
	// Of edits at one place the last comes first, so that each leaves the
	// places of the others alone.
	slices.Reverse(edits)
	slices.SortStableFunc(edits, func(x, y TextEdit) int {
		if x.Range.Start.Line != y.Range.Start.Line {
			return y.Range.Start.Line - x.Range.Start.Line
		}
		return y.Range.Start.Character - x.Range.Start.Character
	})
	var changes []object
	for _, te := range edits {
		changes = append(changes, object{"range": te.Range, "text": te.NewText})
	}
	b.history = append(b.history, b.text)
	b.text = e.opts.Personality.load(text, b.eol)
	b.version++
	return changes, nil
}

// report sends changes. The caller holds e.mu.
func (e *Editor) report(b *buffer, changes []object) error {
	if e.opts.Full || e.server.TextDocumentSync.Change == 1 {
		changes = []object{{"text": b.text}}
	}
	e.tell(b)
	return e.didChange(b.uri, b.version, changes)
}

func (e *Editor) didChange(uri string, version int, changes []object) error {
	return e.conn.notify("textDocument/didChange", object{
		"textDocument": object{"uri": uri, "version": version}, "contentChanges": changes,
	})
}

// Flush reports the changes that were held back.
func (e *Editor) Flush() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.flush()
}

func (e *Editor) flush() error {
	for _, b := range e.buffers {
		if b.version == b.sentVersion {
			continue
		}
		d := difference(b.sent, b.text, e.encoding)
		if err := e.report(b, []object{{"range": d.Range, "text": d.NewText}}); err != nil {
			return err
		}
	}
	return nil
}

// Save writes a buffer to its file.
func (e *Editor) Save(path string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	b, err := e.buffer(path)
	if err != nil {
		return err
	}
	content := b.text
	if b.bom {
		content = "\ufeff" + content
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		return err
	}
	if err := e.flush(); err != nil || e.server.TextDocumentSync.Save == nil {
		return err
	}
	return e.conn.notify("textDocument/didSave", object{"textDocument": object{"uri": b.uri}})
}

// Close closes a buffer. What was not saved is lost.
func (e *Editor) Close(path string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	b, err := e.buffer(path)
	if err != nil {
		return err
	}
	return e.detach(b)
}

func (e *Editor) detach(b *buffer) error {
	if err := e.flush(); err != nil {
		return err
	}
	delete(e.buffers, b.uri)
	e.told++
	return e.conn.notify("textDocument/didClose", object{"textDocument": object{"uri": b.uri}})
}

// Rename renames a file, as a person does in the editor.
func (e *Editor) Rename(from, to string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.rename(from, to); err != nil {
		return err
	}
	return e.fileOperation(e.server.Workspace.FileOperations.DidRename, "workspace/didRenameFiles",
		object{"oldUri": e.URI(from), "newUri": e.URI(to)})
}

// rename renames a file or folder and the buffers in it.
func (e *Editor) rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	var moved []*buffer
	for _, b := range e.buffers {
		if rest, ok := strings.CutPrefix(b.path, from); ok && (rest == "" || rest[0] == '/') {
			moved = append(moved, b)
		}
	}
	for _, b := range moved {
		if err := e.detach(b); err != nil {
			return err
		}
		b.path = to + strings.TrimPrefix(b.path, from)
		b.uri = e.URI(b.path)
		b.version = 0
		if err := e.attach(b); err != nil {
			return err
		}
	}
	return nil
}

// Delete deletes a file, as a person does in the editor.
func (e *Editor) Delete(path string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.remove(path); err != nil {
		return err
	}
	return e.fileOperation(e.server.Workspace.FileOperations.DidDelete, "workspace/didDeleteFiles",
		object{"uri": e.URI(path)})
}

func (e *Editor) remove(path string) error {
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	for _, b := range e.buffers {
		if b.path == path || strings.HasPrefix(b.path, path+"/") {
			if err := e.detach(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// fileOperation tells the server of a file operation if it asked to be told
// and the personality tells at all.
func (e *Editor) fileOperation(registered []byte, method string, file object) error {
	if e.opts.Personality == Neovim || registered == nil {
		return nil
	}
	return e.conn.notify(method, object{"files": []object{file}})
}
