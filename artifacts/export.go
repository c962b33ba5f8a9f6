package artifacts

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Export writes an artifact to a file anywhere, readable by its owner alone. A
// file or link that is there is an *ExistsError, or with force replaced; what a
// link points to never is. Nobody sees the file before it is whole.
func (s *Store) Export(session, id, path string, force bool) (Info, error) {
	a, err := s.Get(session, id)
	if err != nil {
		return Info{}, err
	}
	defer a.Close()
	if err := a.export(path, force); err != nil {
		return Info{}, fmt.Errorf("exporting artifact %s: %w", id, err)
	}
	return a.info, nil
}

func (a *Artifact) export(path string, force bool) error {
	folder, name := filepath.Split(path)
	found, err := os.Lstat(path)
	switch {
	case err == nil && found.IsDir():
		return &irregularError{name, "a folder"}
	case err == nil && !found.Mode().IsRegular() && found.Mode().Type() != fs.ModeSymlink:
		return &irregularError{name, "no regular file"}
	case a.isInside(folder):
		return &irregularError{name, "in the folder of the artifacts"}
	case err == nil && !force:
		return &ExistsError{Name: name}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return named(name, err)
	}
	temp := filepath.Join(folder, tempPrefix+randomName())
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return named(name, err)
	}
	if err = a.fill(f); err == nil {
		err = place(temp, path, force)
	}
	if err != nil {
		_ = os.Remove(temp)
		if errors.Is(err, fs.ErrExist) {
			return &ExistsError{Name: name}
		}
		return named(name, err)
	}
	return nil
}

// isInside reports whether a folder is that of the artifacts.
func (a *Artifact) isInside(folder string) bool {
	if folder == "" {
		folder = "."
	}
	info, err := os.Stat(folder)
	return err == nil && os.SameFile(info, a.home)
}

// fill writes the content to f and closes it. What was written is what was
// hashed.
func (a *Artifact) fill(f *os.File) error {
	defer f.Close()
	r, err := a.Reader(a.All())
	if err != nil {
		return err
	}
	sum := sha256.New()
	if _, err := io.CopyBuffer(io.MultiWriter(f, sum), r, make([]byte, 4*blockSize)); err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != a.info.SHA256 {
		return a.changed()
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return f.Close()
}

// place gives a file its name. A link fails where the name is taken, which
// renaming does not; some file systems have none.
func place(temp, path string, force bool) error {
	if !force {
		err := os.Link(temp, path)
		if err == nil {
			return os.Remove(temp)
		}
		if errors.Is(err, fs.ErrExist) {
			return err
		}
		if _, err := os.Lstat(path); err == nil {
			return fs.ErrExist
		}
	}
	return os.Rename(temp, path)
}
