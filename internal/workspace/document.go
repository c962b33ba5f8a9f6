package workspace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"go.uber.org/zap"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/truncation"
)

// maxFileSize is the largest file that is read, in bytes.
const maxFileSize = 256 << 20

// Document is the text of one file at one moment: of its buffer where an
// editor has it open, else of the disk.
type Document struct {
	Name    string
	Text    text.Lines     // without a byte order mark
	Sum     awareness.Hash // of Text
	Bytes   awareness.Hash // of the file's bytes; equals Sum but for a byte order mark
	Open    bool
	Version int32 // of an open document

	bom    bool
	binary bool
	info   fs.FileInfo // of a file on disk

	lines   []uint64 // line hashes, once asked for
	mask    *masked  // once asked for
	pending *pendingEdit
	opens   int
}

const bom = "\ufeff"

func (d *Document) print() awareness.Print {
	if d.lines == nil {
		d.lines = awareness.Fingerprint(d.Text).Lines
	}
	return awareness.Print{Sum: d.Sum, Lines: d.lines}
}

// bytes returns what a file with this text holds on disk.
func (d *Document) bytes(s string) string {
	if d.bom {
		return bom + s
	}
	return s
}

// document returns the present text of a file. The error matches
// fs.ErrNotExist if there is none.
func (h *Hub) document(name string) (*Document, error) {
	if d := h.open[name]; d != nil {
		return d, nil
	}
	return h.fromDisk(name)
}

func (h *Hub) fromDisk(name string) (*Document, error) {
	// A pipe or device must not block the open; what it is shows after.
	f, err := h.dir.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, pathError(name, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, pathError(name, err)
	}
	switch {
	case info.IsDir():
		return nil, fmt.Errorf("%s is a directory", name)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", name)
	case info.Size() > maxFileSize:
		return nil, fmt.Errorf("%s has %d bytes, over the limit of %d", name, info.Size(), maxFileSize)
	}
	known := h.recent[name]
	now := comparison{known: known.content, size: int(info.Size())}
	if _, err := io.CopyBuffer(&now, io.LimitReader(f, maxFileSize+1), h.scratch); err != nil {
		return nil, pathError(name, err)
	}
	if now.equal() {
		d := known.document
		d.info = info
		return &d, nil
	}
	content := now.String()
	if len(content) > maxFileSize {
		return nil, fmt.Errorf("%s is over the limit of %d bytes", name, maxFileSize)
	}
	d := newDocument(name, content)
	d.binary = truncation.IsBinary(content)
	h.remember(name, content, *d)
	d.info = info
	return d, nil
}

func newDocument(name, content string) *Document {
	body, hasBOM := strings.CutPrefix(content, bom)
	d := &Document{Name: name, Text: text.Split(body), Sum: awareness.Sum(body), bom: hasBOM}
	d.Bytes = d.Sum
	if hasBOM {
		d.Bytes = awareness.Sum(content)
	}
	return d
}

// DidOpen takes over a document that an editor opened.
func (h *Hub) DidOpen(path string, version int32, content string) error {
	name, err := h.Name(path)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.unlock()
	d := newDocument(name, content)
	d.binary = truncation.IsBinary(content)
	d.Open, d.Version, d.opens = true, version, 1
	if old := h.open[name]; old != nil {
		d.opens += old.opens
		d.pending = old.pending
	}
	disk, err := h.fromDisk(name)
	if err == nil {
		h.rebase(disk, d)
	}
	h.open[name] = d
	h.setOpenPath(path, name)
	if d.pending.arrived(d.Text) {
		h.arrive(d)
	}
	h.settle(name)
	return nil
}

// setOpenPath remembers under which name a path was opened, so that the links
// on the way are not followed for each request; without a name it forgets.
func (h *Hub) setOpenPath(path, name string) {
	h.namesMu.Lock()
	defer h.namesMu.Unlock()
	if name == "" {
		delete(h.openPaths, path)
	} else {
		h.openPaths[path] = name
	}
}

// DidClose gives a document back to the disk.
func (h *Hub) DidClose(path string) error {
	name, err := h.Name(path)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.unlock()
	d := h.open[name]
	if d == nil {
		return fmt.Errorf("%s is not open", name)
	}
	h.setOpenPath(path, "")
	if d.opens--; d.opens > 0 {
		return nil
	}
	delete(h.open, name)
	d.pending.fail(errors.New("the editor closed the document"))
	if disk, err := h.fromDisk(name); err == nil {
		h.rebase(d, disk)
	}
	h.settle(name)
	return nil
}

// rebase tells every ledger that knows a file as from that to is the same text
// where they differ only as a buffer may from its file: in the final line end.
func (h *Hub) rebase(from, to *Document) {
	if from.Sum == to.Sum || !sameLines(from.Text, to.Text) {
		return
	}
	for _, s := range h.sessions {
		if s.ledger.File(from.Name) == nil {
			continue
		}
		_ = h.with(s, func() error {
			if f := s.ledger.File(from.Name); f != nil && f.Sum() == from.Sum {
				s.do(record{Kind: recRebase, Path: from.Name, Sum: digest(to.Sum)})
			}
			return nil
		})
	}
}

// sameLines reports whether two texts differ at most in line ends: editors add
// the final one, and some give all lines of a buffer the same.
func sameLines(a, b text.Lines) bool {
	return a.Len() == b.Len() && trimEOL(withLF(a.Text())) == trimEOL(withLF(b.Text()))
}

func trimEOL(s string) string {
	return strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r")
}

// settle aligns every ledger that knows a file with its present text.
func (h *Hub) settle(name string) {
	for _, s := range h.sessions {
		if s.ledger.File(name) == nil {
			continue
		}
		err := h.with(s, func() error {
			h.refreshName(s, name)
			return nil
		})
		if err != nil {
			h.log.Error("aligning the ledger", zap.String("session", s.ID), zap.String("file", name), zap.Error(err))
		}
	}
}

// Splice is one reported change of a document. Edit returns it as bytes of the
// text it applies to; a nil Edit replaces the whole text by Full.
type Splice struct {
	Edit func(text.Lines) (awareness.Edit, error)
	Full string
}

// ErrVersion marks a change that does not follow the version that is known.
var ErrVersion = errors.New("version out of order")

// DidChange follows the changes an editor reports, in order. If one cannot be
// applied, the document stays as it was before all of them.
func (h *Hub) DidChange(path string, version int32, changes []Splice) error {
	name, err := h.Name(path)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.unlock()
	d := h.open[name]
	if d == nil {
		return fmt.Errorf("%s is not open", name)
	}
	if version <= d.Version {
		return fmt.Errorf("%s: %w: %d after %d", name, ErrVersion, version, d.Version)
	}
	steps, err := follow(d.Text, changes)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	d.Version = version
	before := d.Sum
	for _, c := range steps {
		h.step(d, c)
	}
	d.hash()
	for _, s := range h.sessions {
		f := s.ledger.File(name)
		if f == nil || d.pending.holds(s) {
			continue
		}
		h.followAs(s, f, d, before, steps)
		h.changed(s, name)
	}
	if p := d.pending; p != nil && p.replied {
		p.otherwise()
	}
	return nil
}

// follow reduces the changes one after the other.
func follow(l text.Lines, changes []Splice) ([]awareness.Change, error) {
	var steps []awareness.Change
	for _, c := range changes {
		e := awareness.Edit{End: len(l.Text()), New: c.Full}
		if c.Edit != nil {
			var err error
			if e, err = c.Edit(l); err != nil {
				return nil, err
			}
		}
		step, err := awareness.Replay(l, []awareness.Edit{e})
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
		l = step.After
	}
	return steps, nil
}

// step moves a document by one change, and the ledger that waits for an edit
// if this is the moment it arrived.
func (h *Hub) step(d *Document, c awareness.Change) {
	d.Text = c.After
	if d.pending.arrived(d.Text) {
		d.hash()
		h.arrive(d)
	}
}

// hash brings all that follows from the text up to date.
func (d *Document) hash() {
	d.Sum = awareness.Sum(d.Text.Text())
	d.Bytes, d.lines = d.Sum, nil
}

// followAs moves one ledger with the reported changes, by others. A ledger
// that did not stand where the document did is aligned instead.
func (h *Hub) followAs(s *Session, f *awareness.File, d *Document, before awareness.Hash, steps []awareness.Change) {
	err := h.with(s, func() error {
		if f = s.ledger.File(d.Name); f == nil || s.fulfil(d) {
			return nil
		}
		if f.Sum() != before {
			h.refresh(s, d)
			return nil
		}
		records := make([]record, 0, len(steps))
		for i, c := range steps {
			var sum awareness.Hash
			if i == len(steps)-1 {
				sum = d.Sum
			}
			records = append(records, changeRecord(d.Name, c.Hunks, sum, awareness.ByOther))
		}
		s.do(records...)
		return nil
	})
	if err != nil {
		h.log.Error("moving the ledger", zap.String("session", s.ID), zap.String("file", d.Name), zap.Error(err))
	}
}

// DiskChanged aligns the ledgers with a file that changed on disk.
func (h *Hub) DiskChanged(path string) error {
	name, err := h.Name(path)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.unlock()
	if h.open[name] == nil {
		h.settle(name)
	}
	return nil
}

// Moved takes the ledgers along with a file an editor renamed.
func (h *Hub) Moved(from, to string) error {
	a, err := h.Name(from)
	if err != nil {
		return err
	}
	b, err := h.Name(to)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.unlock()
	for _, s := range h.sessions {
		err := h.with(s, func() error {
			s.move(a, b)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// move takes along what is known of a file, or of all files in a folder.
func (s *Session) move(from, to string) {
	for _, name := range s.ledger.Names() {
		if rest, ok := strings.CutPrefix(name, from); ok && (rest == "" || rest[0] == '/') {
			s.do(record{Kind: recMove, Path: name, To: to + rest})
			s.hub.changed(s, name)
			s.hub.changed(s, to+rest)
		}
	}
}

// TextOf returns the present text of a file and its name.
func (h *Hub) TextOf(path string) (*Document, error) {
	name, err := h.Name(path)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	d, err := h.document(name)
	if err != nil {
		return nil, err
	}
	c := *d
	return &c, nil
}

// Unsaved returns the documents that are open with other text than the file on
// disk.
func (h *Hub) Unsaved() []*Document {
	h.mu.Lock()
	defer h.unlock()
	var out []*Document
	for _, name := range slices.Sorted(maps.Keys(h.open)) {
		d := h.open[name]
		if onDisk, err := h.fromDisk(name); err != nil || onDisk.Sum != d.Sum {
			asNow := *d // which the editor changes while the hub is not locked
			out = append(out, &asNow)
		}
	}
	return out
}
