package workspace

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/text"
)

// pendingEdit is an approved edit on its way through the editor to one open
// document. Until its text arrives, the ledger of its session stands still.
type pendingEdit struct {
	name    string
	session *Session
	expect  string
	records []record
	done    chan error // gets one value
}

func (p *pendingEdit) holds(s *Session) bool { return p != nil && p.session == s }

// arrived reports whether a document now holds the expected text. Line ends
// may differ: editors write those of the document.
func (p *pendingEdit) arrived(l text.Lines) bool {
	if p == nil {
		return false
	}
	got := l.Text()
	return got == p.expect || len(got) >= len(p.expect)/2 && trimEOL(withLF(got)) == trimEOL(withLF(p.expect))
}

func withLF(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

func (p *pendingEdit) fail(err error) {
	if p != nil {
		select {
		case p.done <- err:
		default:
		}
	}
}

// arrive moves the ledger by the agent's edit that has just reached d.
func (h *Hub) arrive(d *Document) {
	p := d.pending
	d.pending = nil
	err := h.with(p.session, func() error {
		p.session.do(p.records...)
		if sum := awareness.Sum(d.Text.Text()); p.session.ledger.File(d.Name).Sum() != sum {
			p.session.do(record{Kind: recRebase, Path: d.Name, Sum: digest(sum)})
		}
		return nil
	})
	h.changed(p.session, d.Name)
	p.fail(err)
}

// transaction is an allowed edit while it is applied.
type transaction struct {
	hub     *Hub
	editor  Editor
	edit    EditorEdit
	waits   []*pendingEdit
	checks  []*Document       // files on disk that the guard judged
	steps   []step            // on disk, in order
	records []record          // for the ledger, once all is done
	paths   map[string]string // paths as given, by the name of each file that is left
	sums    map[string]awareness.Hash
}

// step is one change on disk.
type step struct {
	kind    stepKind
	name    string
	to      string      // of a rename
	content string      // of a write
	base    *Document   // what a write replaces; nil if nothing may be there
	mode    fs.FileMode // of a write
	temp    string      // staged content, or where what was taken away waits
	done    bool
}

type stepKind int

const (
	writeStep stepKind = iota
	renameStep
	removeStep
)

// begin splits an allowed plan into what the editor does and what happens on
// disk, and stages the disk part so that only renames remain to be done.
func (h *Hub) begin(s *Session, p *plan) (*transaction, error) {
	t := &transaction{hub: h, editor: h.editor, paths: map[string]string{}, sums: map[string]awareness.Hash{}}
	for _, op := range p.fileOps {
		if err := t.fileOp(op); err != nil {
			return nil, err
		}
	}
	for _, name := range p.order {
		n := p.nodes[name]
		if n.doc != nil && !n.doc.Open && (n.base != n.doc || n.only != nil) {
			t.checks = append(t.checks, n.doc)
		}
		if !n.exists {
			continue
		}
		t.paths[name] = n.path
		switch {
		case n.base == nil:
			t.steps = append(t.steps, step{kind: writeStep, name: name, content: n.now.Text(), mode: 0o644})
		case n.now.Text() == n.base.Text.Text():
		case n.base.Open:
			t.document(s, n)
		default:
			t.steps = append(t.steps, step{kind: writeStep, name: name, base: n.base,
				content: n.base.bytes(n.now.Text()), mode: n.base.info.Mode().Perm()})
		}
	}
	if len(t.edit.Docs)+len(t.edit.Files) > 0 && t.editor == nil {
		return nil, errors.New("no editor is attached that could edit the open documents")
	}
	for _, r := range p.records {
		if r.base == nil || !r.base.Open {
			t.records = append(t.records, r.record)
		}
	}
	for i := range t.steps {
		if err := h.stage(&t.steps[i]); err != nil {
			t.unstage()
			return nil, err
		}
	}
	for _, w := range t.waits {
		h.open[w.name].pending = w
	}
	return t, nil
}

// fileOp gives a rename or deletion to the editor if it has the file open,
// else to the disk.
func (t *transaction) fileOp(op FileOp) error {
	switch {
	case op.To != "" && t.hub.open[op.To] != nil:
		return fmt.Errorf("%s is open in the editor; close it before it is replaced", op.To)
	case t.hub.open[op.From] == nil:
		kind := removeStep
		if op.Kind == RenameFile {
			kind = renameStep
		}
		t.steps = append(t.steps, step{kind: kind, name: op.From, to: op.To})
	case t.editor == nil || !t.editor.Supports(op.Kind):
		return fmt.Errorf("the editor cannot rename or delete files it has open; close %s first", op.From)
	default:
		t.edit.Files = append(t.edit.Files, op)
	}
	return nil
}

// document adds the edit of an open document.
func (t *transaction) document(s *Session, n *node) {
	d, c := n.base, n.only
	if n.many {
		whole, err := awareness.Reduce(d.Text, []awareness.Edit{{End: len(d.Text.Text()), New: n.now.Text()}})
		if err != nil {
			panic(err) // one edit of the whole text is never out of order
		}
		c = &whole
	}
	w := &pendingEdit{name: d.Name, session: s, expect: n.now.Text(), done: make(chan error, 1)}
	if s.ledger.File(d.Name) == nil {
		w.records = append(w.records, record{Kind: recTrack, Path: d.Name, Sum: digest(d.Sum), Lines: d.print().Lines})
	}
	w.records = append(w.records, changeRecord(d.Name, c.Hunks, awareness.Sum(w.expect), awareness.ByAgent))
	t.waits = append(t.waits, w)
	t.edit.Docs = append(t.edit.Docs, DocumentEdit{Name: d.Name, Version: d.Version, Before: d.Text, Edits: c.Edits()})
}

// stage makes everything ready that can fail for want of space or permission.
func (h *Hub) stage(st *step) error {
	if st.kind != writeStep {
		return nil
	}
	if st.mode&0o200 == 0 {
		return fmt.Errorf("%s is read-only", st.name)
	}
	if dir := filepath.Dir(filepath.FromSlash(st.name)); dir != "." {
		if err := h.dir.MkdirAll(dir, 0o755); err != nil {
			return pathError(st.name, err)
		}
	}
	st.temp = tempName(st.name)
	if err := writeFile(h.dir, st.temp, st.content, st.mode); err != nil {
		_ = h.dir.Remove(st.temp)
		return pathError(st.name, err)
	}
	return nil
}

func tempName(name string) string {
	return filepath.Join(filepath.Dir(filepath.FromSlash(name)), "."+filepath.Base(name)+"."+rand.Text()[:8]+".acode-tmp")
}

// writeFile writes and syncs a file, replacing nothing that is there.
func writeFile(dir *os.Root, name, content string, mode fs.FileMode) error {
	f, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) && strings.HasSuffix(name, ".tmp") { // left behind by a killed process
		_ = dir.Remove(name)
		f, err = dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	if err == nil {
		err = f.Chmod(mode) // not narrowed by the umask
	}
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

// finish does the disk part and moves the ledger. It undoes what it did if a
// step fails.
func (t *transaction) finish(s *Session) error {
	if err := t.unchanged(); err != nil {
		t.unstage()
		return err
	}
	for i := range t.steps {
		if err := t.hub.commit(&t.steps[i]); err != nil {
			t.rollBack()
			t.unstage()
			return err
		}
		t.steps[i].done = true
	}
	if err := t.verify(); err != nil {
		t.unstage()
		return err
	}
	t.clean()
	s.do(t.records...)
	for name, path := range t.paths {
		t.hub.watchFile(name)
		t.hub.changed(s, name)
		if d, err := t.hub.document(name); err == nil {
			t.sums[path] = d.Bytes
			t.hub.refresh(s, d)
		}
	}
	return nil
}

// unchanged looks, right before the first rename, whether files still hold
// what the guard judged.
func (t *transaction) unchanged() error {
	for _, d := range t.checks {
		now, err := t.hub.fromDisk(d.Name)
		if err != nil {
			return err
		}
		if now.Bytes != d.Bytes {
			return fmt.Errorf("%s changed on disk meanwhile; nothing was written", d.Name)
		}
	}
	return nil
}

func (h *Hub) commit(st *step) error {
	name := filepath.FromSlash(st.name)
	switch st.kind {
	case writeStep:
		if st.base == nil {
			if _, err := h.dir.Lstat(name); err == nil {
				return fmt.Errorf("%s appeared on disk meanwhile; nothing was written", st.name)
			}
		}
		return pathError(st.name, h.dir.Rename(st.temp, name))
	case renameStep:
		to := filepath.FromSlash(st.to)
		if err := h.dir.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return pathError(st.to, err)
		}
		if _, err := h.dir.Lstat(to); err == nil {
			aside := tempName(st.to)
			if err := h.dir.Rename(to, aside); err != nil {
				return pathError(st.to, err)
			}
			st.temp = aside
		}
		return pathError(st.name, h.dir.Rename(name, to))
	case removeStep:
		aside := tempName(st.name)
		if err := h.dir.Rename(name, aside); err != nil {
			return pathError(st.name, err)
		}
		st.temp = aside
		return nil
	}
	return fmt.Errorf("unknown step %d", st.kind)
}

// rollBack undoes the steps that were done, the last first.
func (t *transaction) rollBack() {
	dir := t.hub.dir
	for i := len(t.steps) - 1; i >= 0; i-- {
		st := &t.steps[i]
		name := filepath.FromSlash(st.name)
		switch st.kind {
		case writeStep:
			if st.done && st.base == nil {
				_ = dir.Remove(name)
			} else if st.done {
				temp := tempName(st.name)
				if writeFile(dir, temp, st.base.bytes(st.base.Text.Text()), st.mode) == nil {
					_ = dir.Rename(temp, name)
				}
			}
		case renameStep:
			to := filepath.FromSlash(st.to)
			if st.done {
				_ = dir.Rename(to, name)
			}
			if st.temp != "" {
				_ = dir.Rename(st.temp, to)
			}
		case removeStep:
			if st.temp != "" {
				_ = dir.Rename(st.temp, name)
			}
		}
		st.done = false
	}
}

// unstage removes staged content that was not put in place.
func (t *transaction) unstage() {
	for _, st := range t.steps {
		if st.kind == writeStep && !st.done && st.temp != "" {
			_ = t.hub.dir.Remove(st.temp)
		}
	}
}

// clean removes what waited aside.
func (t *transaction) clean() {
	for _, st := range t.steps {
		if st.kind != writeStep && st.temp != "" {
			_ = t.hub.dir.RemoveAll(st.temp)
		}
	}
}

// verify looks whether files are as they should be.
func (t *transaction) verify() error {
	for _, st := range t.steps {
		if st.kind != writeStep {
			continue
		}
		d, err := t.hub.fromDisk(st.name)
		if err != nil || d.bytes(d.Text.Text()) != st.content {
			return fmt.Errorf("%s does not hold the expected text after writing", st.name)
		}
	}
	for _, op := range t.edit.Files {
		if _, err := t.hub.dir.Lstat(filepath.FromSlash(op.From)); err == nil {
			return fmt.Errorf("the editor said it applied the edit, but %s is still there", op.From)
		}
	}
	return nil
}

// abandon releases documents whose edit did not arrive: their ledgers follow
// the text as it really is.
func (t *transaction) abandon(s *Session) {
	for _, w := range t.waits {
		d := t.hub.open[w.name]
		if d == nil || d.pending != w {
			continue
		}
		d.pending = nil
		t.hub.refresh(s, d)
		t.hub.changed(s, w.name)
	}
	t.unstage()
}

func (h *Hub) stat(name string) (fs.FileInfo, error) {
	return h.dir.Stat(filepath.FromSlash(name))
}

// filesUnder lists the regular files in a directory.
func (h *Hub) filesUnder(name string) ([]string, error) {
	var files []string
	err := fs.WalkDir(h.dir.FS(), name, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.Type().IsRegular():
			files = append(files, path)
		}
		if len(files) > maxDirectory {
			return fmt.Errorf("%s holds more than %d files; take it apart first", name, maxDirectory)
		}
		return nil
	})
	return files, err
}
