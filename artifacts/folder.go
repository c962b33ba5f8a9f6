package artifacts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime"
	"strings"

	"github.com/acode-ls/acode-ls/internal/filelock"
)

// folder is the folder of the store, open. os.Root follows links that stay
// inside the root, so a folder compares what it opened with what it found, and
// opens no link. It is opened anew for each operation, because links may appear
// at any time.
type folder struct {
	*os.Root
	parent *os.Root
	name   string // in parent

	// The following are set while the folder is locked.
	lockFile   *os.File
	generation string // other whenever artifacts came or went; "": unknown
}

func (d *folder) Close() {
	d.Root.Close()
	d.parent.Close()
}

// open opens the folder. Without create, the error matches fs.ErrNotExist if it
// is not there.
func (s *Store) open(create bool) (*folder, error) {
	d, err := s.walk()
	for range 4 { // it may vanish again at once
		if !create || !errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err = s.makeFolder(); err == nil {
			d, err = s.walk()
		}
	}
	if err == nil && !s.ours.Load() {
		if err = d.isOurs(); err != nil {
			d.Close()
			return nil, fmt.Errorf("%s: %w", s.opts.Folder, err)
		}
		s.ours.Store(true)
	}
	if err == nil && create {
		if err = restrict(d.Root); err != nil {
			d.Close()
			err = named(s.opts.Folder, err)
		}
	}
	return d, err
}

// isOurs returns an error for a folder that was somebody else's before: the
// names of artifacts may be theirs there, and its rights are not ours to take.
func (d *folder) isOurs() error {
	names, err := d.names()
	if err != nil {
		return named("the folder", err)
	}
	others := false
	for _, name := range names {
		k, _ := classify(name)
		switch k {
		case lockFile:
			info, err := d.Lstat(name)
			if err != nil || info.Size() == 0 || info.Size() == idRandom {
				return nil
			}
		case sidecarName:
			return nil
		case tempContent, tempSidecar, ownerLock:
			continue
		}
		others = true
	}
	if others {
		return errors.New("it holds other files than artifacts; name a folder of its own in storage_path")
	}
	return nil
}

func (s *Store) walk() (*folder, error) {
	parent, err := s.root.OpenRoot(".")
	if err != nil {
		return nil, named(".", err)
	}
	parts := strings.Split(path.Clean(s.opts.Folder), "/")
	for i, name := range parts {
		dir, err := openFolder(parent, name)
		if err != nil {
			parent.Close()
			return nil, named(path.Join(parts[:i+1]...), err)
		}
		if i == len(parts)-1 {
			return &folder{Root: dir, parent: parent, name: name}, nil
		}
		parent.Close()
		parent = dir
	}
	panic("unreachable: Split returns at least one part")
}

// openFolder opens a folder of dir that is one itself.
func openFolder(dir *os.Root, name string) (*os.Root, error) {
	found, err := dir.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !found.IsDir() {
		return nil, notA("folder", found)
	}
	opened, err := dir.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	info, err := opened.Stat(".")
	if err == nil && !os.SameFile(found, info) {
		err = errors.New("replaced while it was opened")
	}
	if err != nil {
		opened.Close()
		return nil, err
	}
	return opened, nil
}

// notA says what a file is that is not what it must be.
func notA(wanted string, info fs.FileInfo) error {
	if info.Mode()&fs.ModeSymlink != 0 {
		return errors.New("a symbolic link, not a " + wanted)
	}
	return errors.New("not a " + wanted)
}

// makeFolder makes the folder and those above it.
func (s *Store) makeFolder() error {
	if s.opts.Prepare != nil {
		if err := s.opts.Prepare(); err != nil {
			return err
		}
	}
	parent, err := s.root.OpenRoot(".")
	if err != nil {
		return named(".", err)
	}
	defer func() { parent.Close() }()
	name := ""
	for part := range strings.SplitSeq(path.Clean(s.opts.Folder), "/") {
		name = path.Join(name, part)
		err := parent.Mkdir(part, 0o700)
		if err == nil {
			err = syncFolder(parent)
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return named(name, err)
		}
		dir, err := openFolder(parent, part)
		if err != nil {
			return named(name, err)
		}
		if err := restrict(dir); err != nil {
			dir.Close()
			return named(name, err)
		}
		parent.Close()
		parent = dir
	}
	return nil
}

// restrict takes what rights others have to a folder. Windows has none that a
// mode could take.
func restrict(dir *os.Root) error {
	info, err := dir.Stat(".")
	if err != nil || info.Mode().Perm()&0o077 == 0 || runtime.GOOS == "windows" {
		return err
	}
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Chmod(0o700)
}

// syncFolder makes the names in dir last.
func syncFolder(dir *os.Root) error {
	if runtime.GOOS == "windows" {
		return nil // it cannot, and need not
	}
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// open opens a regular file that is there itself.
func (d *folder) open(name string, flag int) (*os.File, fs.FileInfo, error) {
	for range 8 { // it may be replaced by another
		found, err := d.Lstat(name)
		if err != nil {
			return nil, nil, err
		}
		if !found.Mode().IsRegular() {
			return nil, nil, &irregularError{name, notA("regular file", found).Error()}
		}
		f, err := d.OpenFile(name, flag|nonblock, 0)
		if err != nil {
			return nil, nil, err
		}
		info, err := f.Stat()
		if err == nil && os.SameFile(found, info) {
			return f, info, nil
		}
		f.Close()
		if err != nil {
			return nil, nil, err
		}
	}
	return nil, nil, &irregularError{name, "replaced each time it is opened"}
}

// create makes a file, which must not be there.
func (d *folder) create(name string) (*os.File, error) {
	return d.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}

// holds reports whether f is what others find by name.
func (d *folder) holds(name string, f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	found, err := d.Lstat(name)
	return err == nil && os.SameFile(found, info)
}

func (d *folder) has(name string) bool {
	_, err := d.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// names lists the folder.
func (d *folder) names() ([]string, error) {
	f, err := d.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// removeName removes a name if it is there.
func (d *folder) removeName(name string) error {
	if err := d.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return named(name, err)
	}
	return nil
}

// locked reports whether somebody has a lock on the file of that name.
func (d *folder) locked(name string) bool {
	f, _, err := d.open(name, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	free, err := filelock.TryLock(f)
	return err == nil && !free
}

// locked runs f while no other store, of this process or another, changes the
// folder by locked. Without create, the error matches fs.ErrNotExist if there
// is no folder.
func (s *Store) locked(create bool, f func(*folder) error) error {
	s.gate.Lock()
	defer s.gate.Unlock()
	if s.isClosed() {
		return fs.ErrClosed
	}
	for {
		d, err := s.open(create)
		if err != nil {
			return err
		}
		d.lockFile, err = d.lock()
		if err == nil {
			defer d.Close()
			defer d.lockFile.Close()
			d.generation = generation(d.lockFile)
			return f(d)
		}
		d.Close()
		// Who found the folder empty has removed it.
		if !errors.Is(err, fs.ErrNotExist) {
			return named(lockName, err)
		}
	}
}

// lock waits for the lock of the folder, which is given up by closing the file.
func (d *folder) lock() (*os.File, error) {
	for {
		f, _, err := d.open(lockName, os.O_RDWR)
		if errors.Is(err, fs.ErrNotExist) {
			f, err = d.create(lockName)
		}
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := filelock.Lock(f); err != nil {
			f.Close()
			return nil, err
		}
		if d.holds(lockName, f) {
			return f, nil
		}
		// Somebody removed the file, and others may lock a new one.
		f.Close()
	}
}
