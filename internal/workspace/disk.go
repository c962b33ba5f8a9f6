package workspace

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.uber.org/zap"

	"github.com/acode-ls/acode-ls/awareness"
)

// transaction is an allowed edit while it is applied.
type transaction struct {
	hub     *Hub
	editor  Editor
	edit    EditorEdit
	waits   []*pendingEdit
	checks  []*Document // files on disk that the guard judged
	renames []FileOp
	folders map[string][]string // the files in folders that are deleted
	steps   []step              // on disk, in order
	made    []string            // folders made for them, the deepest first
	records []record            // for the ledger, once all is done
	paths   map[string]string   // paths as given, by the name of each file that is left
	sums    map[string]awareness.Hash
}

// step is one change on disk.
type step struct {
	kind    stepKind
	name    string
	to      string      // of a rename
	replace bool        // a rename may find something there
	content string      // of a write
	base    *Document   // what a write replaces; nil if nothing may be there
	mode    fs.FileMode // of a write
	temp    string      // the staged content of a write
	aside   string      // where what was there waits
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
	t := &transaction{hub: h, editor: h.editor, folders: p.folders, paths: map[string]string{}, sums: map[string]awareness.Hash{}}
	for _, op := range p.fileOps {
		if err := t.fileOp(op); err != nil {
			return nil, err
		}
		if op.Kind == RenameFile {
			t.renames = append(t.renames, op)
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
			t.steps = append(t.steps, step{kind: writeStep, name: name, content: n.now.Text(), mode: 0o666})
		case n.now.Text() == n.base.Text.Text():
		case n.base.Open:
			t.document(s, n)
		default:
			t.steps = append(t.steps, step{kind: writeStep, name: name, base: n.base,
				content: n.base.bytes(n.now.Text()), mode: n.base.info.Mode() & modeBits})
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
		if err := t.stage(&t.steps[i]); err != nil {
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
		t.steps = append(t.steps, step{kind: kind, name: op.From, to: op.To, replace: op.Replace})
	case t.editor == nil || !t.editor.Supports(op.Kind):
		return fmt.Errorf("the editor cannot rename or delete files it has open; close %s first", op.From)
	default:
		d := t.hub.open[op.From]
		op.Unsaved = op.Kind == DeleteFile && t.hub.saved(d) != d
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
	t.waits = append(t.waits, t.hub.await(s, d, n.now, c))
	t.edit.Docs = append(t.edit.Docs, DocumentEdit{Name: d.Name, Version: d.Version, Before: d.Text, Edits: c.Edits(), Unseen: t.hub.hasUnseen(s, d)})
}

// modeBits are what a file keeps of its mode when its text is replaced.
const modeBits = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// stage makes everything ready that can fail for want of space or permission.
func (t *transaction) stage(st *step) error {
	if st.kind != writeStep {
		return nil
	}
	if st.mode&0o200 == 0 {
		return fmt.Errorf("%s is read-only", st.name)
	}
	if err := t.makeFolders(st.name); err != nil {
		return err
	}
	st.temp = tempName(st.name)
	err := writeFile(t.hub.dir, st.temp, st.content, st.mode)
	if err == nil && st.base != nil {
		t.hub.giveTo(st.temp, st.base.info)     // before the mode, of which it takes bits
		err = t.hub.dir.Chmod(st.temp, st.mode) // the umask is for new files
	}
	return pathError(st.name, err)
}

// makeFolders makes the folders that a file is to be in.
func (t *transaction) makeFolders(name string) error {
	dir := filepath.Dir(filepath.FromSlash(name))
	var missing []string
	for d := dir; d != "."; d = filepath.Dir(d) {
		if _, err := t.hub.dir.Lstat(d); err == nil {
			break
		}
		missing = append(missing, d)
	}
	t.made = append(missing, t.made...)
	return pathError(name, t.hub.dir.MkdirAll(dir, 0o777))
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
	if err := t.unchanged(s); err != nil {
		t.unstage()
		return err
	}
	for i := range t.steps {
		if err := t.commit(&t.steps[i]); err != nil {
			if undo := t.rollBack(); undo != nil {
				err = fmt.Errorf("%w; and undoing the rest: %w", err, undo)
			}
			t.unstage()
			return err
		}
		t.steps[i].done = true
	}
	t.clean()
	s.do(t.records...)
	for _, r := range t.records {
		t.hub.changed(s, r.Path)
	}
	t.moveOthers(s)
	return t.verify(s)
}

// moveOthers takes along what other sessions know of renamed files.
func (t *transaction) moveOthers(s *Session) {
	if len(t.renames) == 0 {
		return
	}
	for id := range t.hub.journalFiles() {
		t.hub.known(id)
	}
	for _, other := range t.hub.sessions {
		if other == s {
			continue
		}
		if err := t.hub.ready(other); err != nil {
			t.hub.log.Error("moving the ledger", zap.String("session", other.ID), zap.Error(err))
			continue
		}
		for _, op := range t.renames {
			other.move(op.From, op.To)
		}
	}
}

// unchanged looks, right before the first rename, whether files still hold
// what the guard judged, and whether the editor did its part.
func (t *transaction) unchanged(s *Session) error {
	h := t.hub
	for _, op := range t.edit.Files {
		if _, err := h.stat(op.From); err == nil {
			return fmt.Errorf("the editor said it applied the edit, but %s is still there", op.From)
		}
	}
	for _, st := range t.steps {
		if name := cmp.Or(h.openUnder(st.name), h.openUnder(st.to)); name != "" {
			return fmt.Errorf("%s was opened in the editor meanwhile; nothing was written", name)
		}
	}
	for name, files := range t.folders {
		if now, err := h.filesUnder(name); err != nil || !slices.Equal(now, files) {
			return fmt.Errorf("other files are in %s meanwhile; nothing was written", name)
		}
	}
	for _, d := range t.checks {
		now, err := h.fromDisk(d.Name)
		if err != nil {
			return err
		}
		if now.Bytes != d.Bytes {
			return fmt.Errorf("%s changed on disk meanwhile; nothing was written", d.Name)
		}
		h.refresh(s, now) // what the records of the edit follow on
	}
	return nil
}

func (t *transaction) commit(st *step) error {
	dir, name := t.hub.dir, filepath.FromSlash(st.name)
	switch st.kind {
	case writeStep:
		if st.base == nil {
			if _, err := dir.Lstat(name); err == nil {
				return fmt.Errorf("%s appeared on disk meanwhile; nothing was written", st.name)
			}
		} else if len(t.steps) > 1 { // it may have to come back
			if err := t.keep(st); err != nil {
				return pathError(st.name, err)
			}
		}
		return pathError(st.name, dir.Rename(st.temp, name))
	case renameStep:
		to := filepath.FromSlash(st.to)
		if err := t.makeFolders(st.to); err != nil {
			return err
		}
		if _, err := dir.Lstat(to); err == nil {
			if !st.replace {
				return fmt.Errorf("%s appeared on disk meanwhile; nothing was written", st.to)
			}
			if err := st.setAside(dir, st.to); err != nil {
				return err
			}
		}
		return pathError(st.name, dir.Rename(name, to))
	case removeStep:
		return st.setAside(dir, st.name)
	}
	return fmt.Errorf("unknown step %d", st.kind)
}

// keep gives what a write replaces a second name. To take it back then needs
// no space.
func (t *transaction) keep(st *step) error {
	st.aside = tempName(st.name)
	if err := t.hub.dir.Link(filepath.FromSlash(st.name), st.aside); err == nil {
		return nil
	}
	return writeFile(t.hub.dir, st.aside, st.base.bytes(st.base.Text.Text()), st.mode)
}

func (st *step) setAside(dir *os.Root, name string) error {
	aside := tempName(name)
	if err := dir.Rename(filepath.FromSlash(name), aside); err != nil {
		return pathError(name, err)
	}
	st.aside = aside
	return nil
}

// rollBack undoes the steps that were done, the last first.
func (t *transaction) rollBack() error {
	dir := t.hub.dir
	var failed []error
	for _, st := range slices.Backward(t.steps) {
		name, to := filepath.FromSlash(st.name), filepath.FromSlash(st.to)
		var err error
		switch {
		case st.kind == writeStep && st.done && st.base == nil:
			err = dir.Remove(name)
		case st.kind == writeStep && st.done:
			err = dir.Rename(st.aside, name)
		case st.kind == writeStep && st.aside != "":
			err = dir.Remove(st.aside)
		case st.kind == renameStep:
			if st.done {
				err = dir.Rename(to, name)
			}
			if err == nil && st.aside != "" {
				err = dir.Rename(st.aside, to)
			}
		case st.kind == removeStep && st.aside != "":
			err = dir.Rename(st.aside, name)
		}
		if err != nil {
			failed = append(failed, pathError(st.name, err))
		}
	}
	for i := range t.steps {
		t.steps[i].done = false
	}
	return errors.Join(failed...)
}

// unstage removes staged content that was not put in place, and the folders
// made for it.
func (t *transaction) unstage() {
	for _, st := range t.steps {
		if !st.done && st.temp != "" {
			_ = t.hub.dir.Remove(st.temp)
		}
	}
	if !slices.ContainsFunc(t.steps, func(st step) bool { return st.done }) {
		for _, dir := range t.made {
			_ = t.hub.dir.Remove(dir) // stays if others put something in it
		}
	}
}

// clean removes what waited aside.
func (t *transaction) clean() {
	for _, st := range t.steps {
		if st.aside != "" {
			_ = t.hub.dir.RemoveAll(st.aside)
		}
	}
}

// verify looks whether files are as they should be. The ledger follows what
// they are.
func (t *transaction) verify(s *Session) error {
	for name, path := range t.paths {
		t.hub.watchFile(name)
		t.hub.changed(s, name)
		if d, err := t.hub.document(name); err == nil {
			t.sums[path] = d.Bytes
			t.hub.refresh(s, d)
		}
	}
	for _, st := range t.steps {
		if st.kind == writeStep && t.sums[t.paths[st.name]] != awareness.Sum(st.content) {
			return fmt.Errorf("%s does not hold the expected text after writing", st.name)
		}
	}
	return nil
}

func (h *Hub) stat(name string) (fs.FileInfo, error) {
	return h.dir.Stat(filepath.FromSlash(name))
}

// openUnder returns an open document that is the file, or in the folder, of a
// name; or "".
func (h *Hub) openUnder(name string) string {
	for other := range h.open {
		if other == name || strings.HasPrefix(other, name+"/") {
			return other
		}
	}
	return ""
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
