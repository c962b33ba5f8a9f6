package config

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// maxSize is how many bytes a file of settings has at most.
const maxSize = 1 << 20

// Load returns the settings of the workspace at root, the defaults if it has no
// file. What is wrong with the file is an error of type Problems, and then
// there are no settings.
func Load(root string) (*Config, error) {
	data, err := read(root)
	if err != nil {
		return nil, Problems{unreadable(err)}
	}
	if data == nil {
		return Default(), nil
	}
	c, problems := Parse(File, data)
	if len(problems) > 0 {
		return nil, Problems(problems)
	}
	return c, nil
}

// read returns what the file holds, nil if there is none.
func read(root string) ([]byte, error) {
	switch _, err := stat(root); {
	case isMissing(err):
		return nil, nil // most workspaces have none, and this is cheaper
	case err != nil:
		return nil, err
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	// Without O_NONBLOCK, opening a named pipe would wait for a writer.
	f, err := dir.OpenFile(filepath.FromSlash(File), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	switch {
	case isMissing(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	data, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err == nil && len(data) > maxSize {
		err = fmt.Errorf("larger than %d bytes", maxSize)
	}
	return data, err
}

func stat(root string) (fs.FileInfo, error) {
	return os.Stat(filepath.Join(root, filepath.FromSlash(File)))
}

// isMissing reports whether there is no file, also because .agent is a file.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

func unreadable(err error) Problem {
	if inner, ok := errors.AsType[*fs.PathError](err); ok {
		err = inner.Err
	}
	return Problem{File: File, Message: fmt.Sprintf("cannot be read: %v", err)}
}

// Source is the settings of a workspace as they change. It may be used by
// several goroutines.
type Source struct {
	root string

	mu       sync.Mutex
	seen     fs.FileInfo // of the file when it was read; nil if there was none
	settled  bool        // a later change would show in seen
	sum      [sha256.Size]byte
	config   *Config // the last that was good
	problems []Problem
}

// NewSource returns the settings of the workspace at root, which are first read
// when they are asked for.
func NewSource(root string) *Source {
	return &Source{root: root, config: Default(), settled: true}
}

// Config returns the settings as they are now, the same pointer as long as they
// stay. While the file is bad they are the last good ones, at first the
// defaults, and what is wrong is told with them.
func (s *Source) Config() (*Config, []Problem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	info, err := stat(s.root)
	if err != nil {
		info = nil
	}
	if !s.isCurrent(info, err) {
		s.reload(info)
	}
	return s.config, s.problems
}

// isCurrent reports whether the file is as it was when it was read. It may only
// err on the side of reading it once more.
func (s *Source) isCurrent(info fs.FileInfo, err error) bool {
	switch {
	case isMissing(err):
		return s.seen == nil && len(s.problems) == 0
	case err != nil || s.seen == nil || !s.settled:
		return false
	}
	return os.SameFile(info, s.seen) && info.Size() == s.seen.Size() && info.ModTime().Equal(s.seen.ModTime())
}

// reload reads the file anew. info was taken before: what changes between the
// two is found the next time.
func (s *Source) reload(info fs.FileInfo) {
	// A clock of files may stand still for so long that a second change of
	// equal size would not show.
	const tick = 2 * time.Second
	s.seen, s.settled = info, info != nil && time.Since(info.ModTime()) > tick

	data, err := read(s.root)
	switch {
	case err != nil:
		s.problems, s.sum = []Problem{unreadable(err)}, [sha256.Size]byte{}
		return
	case data == nil:
		s.seen, s.sum, s.problems, s.config = nil, [sha256.Size]byte{}, nil, Default()
		return
	}
	sum := sha256.Sum256(data)
	if sum == s.sum {
		return
	}
	s.sum = sum
	c, problems := Parse(File, data)
	s.problems = problems
	if c != nil {
		s.config = c
	}
}
