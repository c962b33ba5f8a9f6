package mcp

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/acode-ls/acode-ls/internal/fileuri"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// This file finds what a path of an agent means, which may be a file URI,
// relative to the root, or absolute and through links.

const fileScheme = "file:"

// local returns the path that a file URI means, any other as it is.
func local(path string) string {
	if strings.HasPrefix(path, fileScheme+"///") {
		if parsed, err := fileuri.Parse(path); err == nil {
			return parsed
		}
	}
	return path
}

// abs returns the absolute form of a path, with its links.
func (s *server) abs(path string) string {
	if path = local(path); filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(s.opts.Hub.Root(), path)
}

// uri returns the URI of a path as an agent writes it.
func (s *server) uri(path string) string { return fileuri.Format(s.abs(path)) }

// inRoot returns the slash-separated path of a file or folder relative to the
// root, "." for the root and for "". Links are followed.
func (s *server) inRoot(path string) (string, error) {
	name, err := s.opts.Hub.Name(local(path))
	switch {
	case err == nil:
		return name, nil
	case errors.Is(err, syscall.ENOTDIR):
		return "", fmt.Errorf("%s: %s", path, noSuchFile) // as a part of it is a file
	}
	return "", plain(path, err)
}

// entryInRoot is inRoot for what may be a link itself.
func (s *server) entryInRoot(name string) (string, error) {
	abs := s.abs(name)
	dir, err := s.inRoot(filepath.Dir(abs))
	if err != nil { // as for the root, whatever its path
		return s.inRoot(name)
	}
	return path.Join(dir, filepath.Base(abs)), nil
}

const noSuchFile = "no such file or folder"

// plain returns an error about a file or folder in other words than those of
// the system and its calls. Errors that are not of the system it returns as
// they are.
func plain(path string, err error) error {
	failed, isPath := errors.AsType[*fs.PathError](err)
	text := err.Error()
	switch {
	case errors.Is(err, workspace.ErrOutsideRoot):
		return err
	case errors.Is(err, fs.ErrNotExist):
		text = noSuchFile
	case errors.Is(err, syscall.ENOTDIR):
		text = "not a folder"
	case errors.Is(err, fs.ErrPermission):
		text = "there is no permission to read it"
	case errors.Is(err, syscall.ENAMETOOLONG):
		text = "the name is too long"
	case errors.Is(err, syscall.ELOOP), strings.Contains(text, "too many links"):
		text = "its links lead in a circle"
	case strings.Contains(text, "escapes from parent"): // as os.Root has no value for it
		text = "a link leads outside the workspace"
	case isPath:
		text = failed.Err.Error()
	default:
		return err
	}
	return fmt.Errorf("%s: %s", path, text)
}
