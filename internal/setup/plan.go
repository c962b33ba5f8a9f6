package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// Change is what becomes of a file.
type Change string

const (
	Create Change = "create"
	Update Change = "update"
	None   Change = "none"
	Delete Change = "delete"
)

// File is a file of settings, as it is and as it is to be.
type File struct {
	Path   string // absolute
	Change Change
	Text   string // as it is to be, "" if it is deleted
	Ours   bool   // it names this program already

	old   []byte // nil if there is none
	edits []splice
	at    location
	undo  bool // the backup becomes the file
}

// Diff returns the change as a unified diff, "" if there is none.
func (f File) Diff() string {
	oldName, newName := f.Path, f.Path
	if f.Change == Create {
		oldName = ""
	}
	if f.Change == Delete {
		newName = ""
	}
	return unified(oldName, newName, f.old, f.edits)
}

// Plan is what has to be written. Close releases what it holds.
type Plan struct {
	Files   []File
	removes bool
}

// Connect plans what makes the settings for s name the program. The error is a
// *Problem if the settings are at fault.
func (a Agent) Connect(s Scope, at Places, p Program) (*Plan, error) {
	return a.plan(s, at, func(t target, f *File) error { return f.connect(t, p.in(s)) })
}

// Disconnect plans what takes the program out of the settings for s.
func (a Agent) Disconnect(s Scope, at Places, p Program) (*Plan, error) {
	plan, err := a.plan(s, at, func(t target, f *File) error { return f.disconnect(t, p) })
	if plan != nil {
		plan.removes = true
	}
	return plan, err
}

func (a Agent) plan(s Scope, at Places, change func(target, *File) error) (*Plan, error) {
	plan := &Plan{}
	for _, t := range a.targets {
		if t.scope != s {
			continue
		}
		f, err := open(t, at)
		if err == nil {
			plan.Files = append(plan.Files, *f)
			err = change(t, &plan.Files[len(plan.Files)-1])
		}
		if err != nil {
			return nil, errors.Join(err, plan.Close())
		}
	}
	return plan, nil
}

// Close releases the folders of the files.
func (p *Plan) Close() error {
	var failed []error
	for _, f := range p.Files {
		failed = append(failed, f.at.dir.Close())
	}
	return errors.Join(failed...)
}

// Empty reports whether nothing has to be written.
func (p *Plan) Empty() bool {
	return !slices.ContainsFunc(p.Files, func(f File) bool { return f.Change != None })
}

// Ours reports whether some of the settings name the program already.
func (p *Plan) Ours() bool {
	return slices.ContainsFunc(p.Files, func(f File) bool { return f.Ours })
}

// open reads a file of settings.
func open(t target, at Places) (*File, error) {
	path := t.file(at)
	loc, err := locate(path, at.Root, t.scope != User)
	if err != nil {
		return nil, err
	}
	f := &File{Path: path, Change: None, at: loc}
	if f.old, err = loc.read(loc.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		loc.dir.Close()
		return nil, fmt.Errorf("reading %s: %w", path, bare(err))
	}
	f.Text = string(f.old)
	return f, nil
}

// set plans edits of the file.
func (f *File) set(edits []splice, bom string) {
	body := bytes.TrimPrefix(f.old, []byte(bom))
	if f.edits = slices.Clone(edits); bom != "" {
		for i := range f.edits {
			f.edits[i].start += len(bom)
			f.edits[i].end += len(bom)
		}
	}
	f.Text = bom + string(splices(body, edits))
	switch {
	case f.old == nil:
		f.Change = Create
	case f.Text != string(f.old):
		f.Change = Update
	default:
		f.edits = nil
	}
}

func (f *File) connect(t target, p Program) error {
	if t.text != nil {
		f.Ours = bytes.HasPrefix(f.old, []byte(mark))
		if f.old != nil && !f.Ours {
			return &Problem{Path: f.Path, What: "it was not made by acode-ls init; move it away, or put this in by hand"}
		}
		f.set([]splice{{0, len(f.old), t.text(p)}}, "")
		return nil
	}
	d, err := parse(f.Path, f.old)
	if err != nil {
		return err
	}
	edits, found, err := d.merge(t.settings(p), p)
	if err != nil {
		return err
	}
	f.Ours = found
	f.set(edits, d.bom)
	if _, err := parse(f.Path, []byte(f.Text)); err != nil {
		return fmt.Errorf("this is a bug: what would be written is broken: %w", err)
	}
	return nil
}

func (f *File) disconnect(t target, p Program) error {
	switch {
	case f.old == nil:
		return nil
	case t.text != nil:
		if f.Ours = bytes.HasPrefix(f.old, []byte(mark)); f.Ours {
			f.delete()
		}
		return nil
	}
	d, err := parse(f.Path, f.old)
	if err != nil {
		return err
	}
	edits, gone := d.remove(t.settings(p))
	f.Ours = len(edits) > 0
	if !f.Ours {
		return nil
	}
	backup, err := f.at.read(f.at.name + backupSuffix)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("reading %s: %w", f.Path+backupSuffix, bare(err))
	}
	for _, p.bare = range []bool{false, true} { // it may have been connected either way
		if undo, ok := f.undone(t, p, backup); ok && err == nil {
			f.edits, f.Text, f.Change, f.undo = undo, string(backup), Update, true
			return nil
		}
	}
	if gone && f.isOurs(t, p, backup) {
		f.delete()
		return nil
	}
	f.set(edits, d.bom)
	if _, err := parse(f.Path, []byte(f.Text)); err != nil {
		return fmt.Errorf("this is a bug: what would be written is broken: %w", err)
	}
	return nil
}

func (f *File) delete() {
	f.Change, f.Text = Delete, ""
	f.edits = []splice{{0, len(f.old), ""}}
}

// isOurs reports whether a backup is of a file that held nothing but what is
// ours, or there is none.
func (f *File) isOurs(t target, p Program, backup []byte) bool {
	if backup == nil {
		return true
	}
	d, err := parse(f.Path, backup)
	if err != nil {
		return false
	}
	_, gone := d.remove(t.settings(p))
	return gone
}

// undone returns the edits that make the file what the backup is, if all that
// happened to it since is that it was connected, which it was not before.
func (f *File) undone(t target, p Program, backup []byte) ([]splice, bool) {
	d, err := parse(f.Path, backup)
	if err != nil {
		return nil, false
	}
	if ours, _ := d.remove(t.settings(p)); len(ours) > 0 {
		return nil, false
	}
	edits, _, err := d.merge(t.settings(p), p)
	if err != nil || d.bom+string(splices(d.text, edits)) != string(f.old) {
		return nil, false
	}
	var inverse []splice
	shift := len(d.bom)
	for _, e := range edits { // splices has sorted them
		inverse = append(inverse, splice{e.start + shift, e.start + shift + len(e.text), string(d.text[e.start:e.end])})
		shift += len(e.text) - (e.end - e.start)
	}
	return inverse, true
}
