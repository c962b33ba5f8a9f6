package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// stateDir holds what the program itself keeps in a workspace. Agents neither
// read nor edit it.
const stateDir = ".acode"

// ErrOutsideRoot marks a path that leads out of the workspace.
var ErrOutsideRoot = errors.New("outside the workspace root")

// Name returns the identity of a file: its real path relative to the root,
// with slashes. However a path is spelled, through links or not, one file has
// one name. The file need not exist, the folder links lead to must be inside
// the root.
func (h *Hub) Name(path string) (string, error) {
	h.namesMu.Lock()
	name, ok := h.openPaths[path]
	h.namesMu.Unlock()
	if ok {
		return name, nil
	}
	return h.resolve(path)
}

func (h *Hub) resolve(path string) (string, error) {
	if strings.IndexByte(path, 0) >= 0 {
		return "", fmt.Errorf("%q is no path", path)
	}
	abs := path
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(h.root, abs)
	}
	real, err := realPath(filepath.Clean(abs))
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(h.root, real)
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s is %w %s", path, ErrOutsideRoot, h.root)
	}
	name := filepath.ToSlash(rel)
	if first, _, _ := strings.Cut(name, "/"); strings.EqualFold(first, stateDir) {
		return "", fmt.Errorf("%s is %w: it belongs to acode-ls", path, ErrOutsideRoot)
	}
	return h.sameFile(name, real), nil
}

// realPath resolves links in the part of a path that exists.
func realPath(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		return real, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("following %s: %w", path, err)
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return "", fmt.Errorf("%s is a link to nothing", path)
	}
	parent := filepath.Dir(path)
	if parent == path {
		return "", err
	}
	if parent, err = realPath(parent); err != nil {
		return "", err
	}
	return filepath.Join(parent, filepath.Base(path)), nil
}

// isLink reports whether a path itself, not only a folder on the way, is a
// symbolic link.
func (h *Hub) isLink(path string) bool {
	if !filepath.IsAbs(path) {
		path = filepath.Join(h.root, path)
	}
	info, err := os.Lstat(filepath.Clean(path))
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// sameFile returns the name under which the file is already known where the
// file system does not tell upper from lower case.
func (h *Hub) sameFile(name, real string) string {
	h.namesMu.Lock()
	defer h.namesMu.Unlock()
	fold := strings.ToLower(name)
	known, ok := h.names[fold]
	if !ok {
		h.names[fold] = name
		return name
	}
	if known == name {
		return name
	}
	a, errA := os.Stat(filepath.Join(h.root, filepath.FromSlash(known)))
	b, errB := os.Stat(real)
	if errA == nil && errB == nil && os.SameFile(a, b) {
		return known
	}
	return name
}

// Path returns the absolute path of a name.
func (h *Hub) Path(name string) string { return filepath.Join(h.root, filepath.FromSlash(name)) }

// pathError drops the operation's inner name from an error, so that it names
// the file as the workspace does.
func pathError(name string, err error) error {
	if err == nil {
		return nil
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		if strings.Contains(pe.Err.Error(), "escapes") {
			return fmt.Errorf("%s is %w", name, ErrOutsideRoot)
		}
		return fmt.Errorf("%s: %w", name, pe.Err)
	}
	var le *os.LinkError
	if errors.As(err, &le) {
		return fmt.Errorf("%s: %w", name, le.Err)
	}
	return fmt.Errorf("%s: %w", name, err)
}
