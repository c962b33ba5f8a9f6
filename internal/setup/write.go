package setup

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

const backupSuffix = ".acode-backup"

// location is a file by its real path, so that a link to it stays one.
type location struct {
	dir  *os.Root
	name string // in dir
	keep bool   // folders that become empty stay
}

// locate finds where the file of a path really is. A file of the project must
// be in it. The caller closes dir.
func locate(path, root string, inProject bool) (location, error) {
	base, rest := path, ""
	for {
		_, err := os.Lstat(base)
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrNotExist) || base == filepath.Dir(base) {
			return location{}, fmt.Errorf("looking for %s: %w", path, bare(err))
		}
		base, rest = filepath.Dir(base), filepath.Join(filepath.Base(base), rest)
	}
	real, err := filepath.EvalSymlinks(base)
	if errors.Is(err, fs.ErrNotExist) {
		return location{}, &Problem{Path: base, What: "it is a link to nothing; mend or remove it"}
	}
	if err != nil {
		return location{}, fmt.Errorf("looking for %s: %w", path, bare(err))
	}
	dir, name := real, rest
	if rest == "" {
		dir, name = filepath.Split(real)
	}
	if inProject {
		if root, err = filepath.EvalSymlinks(root); err != nil {
			return location{}, fmt.Errorf("looking for the project: %w", err)
		}
		below, err := filepath.Rel(root, filepath.Join(real, rest))
		if err != nil || !filepath.IsLocal(below) {
			return location{}, &Problem{Path: path, What: fmt.Sprintf("a link leads out of the project, to %s; make it a file of the project", real)}
		}
		dir, name = root, below
	}
	opened, err := os.OpenRoot(dir)
	if err != nil {
		return location{}, fmt.Errorf("opening %s: %w", dir, bare(err))
	}
	return location{opened, name, !inProject}, nil
}

// read returns the bytes of a regular file, never nil.
func (l location) read(name string) ([]byte, error) {
	info, err := l.dir.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a file")
	}
	f, err := l.dir.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if b == nil {
		b = []byte{}
	}
	return b, err
}

// bare leaves out of a system's error the path, which is said already.
func bare(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

// Apply writes all files, or none if that fails.
func (p *Plan) Apply() (err error) {
	var steps []*step
	defer func() {
		ok := err == nil
		for _, s := range slices.Backward(steps) {
			err = errors.Join(err, s.finish(ok))
		}
	}()
	for i := range p.Files {
		f := &p.Files[i]
		if f.Change == None {
			continue
		}
		s := &step{file: f, backs: !p.removes}
		steps = append(steps, s)
		if err := s.prepare(); err != nil {
			return fmt.Errorf("writing %s: %w; nothing was written", f.Path, bare(err))
		}
	}
	for _, s := range steps {
		if err := s.commit(); err != nil {
			return fmt.Errorf("writing %s: %w; what was written is taken back", s.file.Path, bare(err))
		}
	}
	return nil
}

// step is the writing of one file.
type step struct {
	file  *File
	backs bool // a backup is made

	temp    string
	backup  string   // made by this step
	folders []string // made by this step, the outermost first
	mode    fs.FileMode
	done    bool
}

// prepare does all that can fail for want of rights or space.
func (s *step) prepare() error {
	at := s.file.at
	if err := s.makeFolders(filepath.Dir(at.name)); err != nil {
		return err
	}
	s.mode = 0o644
	if s.file.old != nil {
		info, err := at.dir.Stat(at.name)
		if err != nil {
			return err
		}
		s.mode = info.Mode().Perm()
		if s.mode&0o200 == 0 {
			return errors.New("the file is read-only")
		}
		if s.backs && !s.ours() {
			err = s.write(at.name+backupSuffix, s.file.old, &s.backup)
			if err != nil && !errors.Is(err, fs.ErrExist) {
				return fmt.Errorf("making the backup: %w", bare(err))
			}
		}
	}
	if err := writable(at.dir, filepath.Dir(at.name)); err != nil {
		return err
	}
	return s.write(tempName(at.name), []byte(s.file.Text), &s.temp)
}

// ours reports whether the file as a whole is of this program's making.
func (s *step) ours() bool { return strings.HasPrefix(string(s.file.old), mark) }

// writable reports what is wrong with a folder no file of which can be
// replaced. A superuser is held to the mode as well: it says what is wanted.
func writable(dir *os.Root, name string) error {
	info, err := dir.Stat(name)
	if err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o200 == 0 {
		err = errors.New("the folder is read-only")
	}
	return err
}

func (s *step) makeFolders(name string) error {
	dir := s.file.at.dir
	if _, err := dir.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	parent := filepath.Dir(name)
	if err := s.makeFolders(parent); err != nil {
		return err
	}
	if err := writable(dir, parent); err != nil {
		return err
	}
	if err := dir.Mkdir(name, 0o755); err != nil {
		return err
	}
	s.folders = append(s.folders, name)
	return nil
}

// write makes a new file and notes its name, to be removed if need be.
func (s *step) write(name string, text []byte, made *string) error {
	f, err := s.file.at.dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, s.mode)
	if err != nil {
		return err
	}
	*made = name
	_, err = f.Write(text)
	if err == nil {
		err = f.Chmod(s.mode)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func tempName(name string) string {
	return filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".acode-"+rand.Text()[:8])
}

// commit puts the file in its place, if that is as it was.
func (s *step) commit() error {
	at := s.file.at
	now, err := at.read(at.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		now = nil
	case err != nil:
		return err
	}
	if (now == nil) != (s.file.old == nil) || string(now) != string(s.file.old) {
		return errors.New("it changed meanwhile; run this again")
	}
	if s.file.Change == Delete {
		err = at.dir.Remove(at.name)
	} else if err = at.dir.Rename(s.temp, at.name); err == nil {
		s.temp = ""
	}
	s.done = err == nil
	return err
}

// finish tidies up, or takes back what was done.
func (s *step) finish(ok bool) error {
	at := s.file.at
	var failed []error
	if s.temp != "" {
		failed = append(failed, at.dir.Remove(s.temp))
	}
	switch {
	case ok && s.file.undo:
		failed = append(failed, at.dir.Remove(at.name+backupSuffix))
	case ok && s.file.Change == Delete && !at.keep:
		s.removeEmpty(filepath.Dir(at.name))
	case !ok:
		failed = append(failed, s.takeBack())
	}
	if err := errors.Join(failed...); err != nil {
		return fmt.Errorf("tidying up beside %s: %w", s.file.Path, bare(err))
	}
	return nil
}

func (s *step) takeBack() error {
	at := s.file.at
	var failed []error
	if s.done && s.file.old == nil {
		failed = append(failed, at.dir.Remove(at.name))
	} else if s.done {
		err := s.write(tempName(at.name), s.file.old, &s.temp)
		failed = append(failed, err)
		if err == nil {
			failed = append(failed, at.dir.Rename(s.temp, at.name))
		}
	}
	if s.backup != "" {
		failed = append(failed, at.dir.Remove(s.backup))
	}
	for i := len(s.folders) - 1; i >= 0; i-- {
		failed = append(failed, at.dir.Remove(s.folders[i]))
	}
	return errors.Join(failed...)
}

// removeEmpty removes folders that hold nothing any more, up to the root.
func (s *step) removeEmpty(name string) {
	for ; name != "."; name = filepath.Dir(name) {
		if s.file.at.dir.Remove(name) != nil {
			return // it holds something, or is not ours to remove
		}
	}
}
