package hook

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// findRoot returns the workspace's folder, links resolved.
func (c *call) findRoot() (string, error) {
	if c.root != "" {
		return c.root, nil
	}
	root := c.opts.Root
	for _, name := range []string{"CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR"} {
		if root == "" && c.opts.Getenv != nil {
			root = c.opts.Getenv(name)
		}
	}
	dir, err := c.folder()
	if root == "" && err == nil {
		root = upTo(dir)
	}
	if root == "" {
		return "", err
	}
	if root, err = filepath.Abs(root); err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return "", fmt.Errorf("finding the workspace: %w", err)
	}
	if isTop(root) {
		return "", errors.New("the root of the file system is no workspace; start the agent in a folder, or name one with --root")
	}
	c.root = root
	return root, nil
}

// folder returns where the agent is.
func (c *call) folder() (string, error) {
	if filepath.IsAbs(c.cwd) {
		return filepath.Clean(c.cwd), nil
	}
	return filepath.Abs(c.cwd)
}

// upTo returns the nearest folder from dir upwards that is a workspace, else
// dir. In a folder that holds much besides, a mark may have been left by
// chance, so such a one is taken only if it is dir.
func upTo(dir string) string {
	for at := dir; !isTop(at); at = filepath.Dir(at) {
		if marked(at) && !holdsAll(at) {
			return at
		}
	}
	return dir
}

// holdsAll reports whether dir is the user's home or the folder for temporary
// files.
func holdsAll(dir string) bool {
	home, err := os.UserHomeDir()
	return err == nil && sameFolder(dir, home) || sameFolder(dir, os.TempDir())
}

func sameFolder(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// marked reports whether a folder holds a ledger or a repository.
func marked(dir string) bool {
	for _, mark := range []string{".acode", ".git"} {
		if _, err := os.Lstat(filepath.Join(dir, mark)); err == nil {
			return true
		}
	}
	return false
}

// isTop reports whether path is the root of a file system.
func isTop(path string) bool { return path == filepath.Dir(path) }
