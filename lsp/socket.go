package lsp

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
)

// This file finds the socket on which a server meets the processes of agents.
// Its folder is the user's alone, its name follows from the workspace. Nothing
// listens on a network.

// agentProtocol is raised when processes of different versions would
// misunderstand each other.
const agentProtocol = 1

// maxSocketPath is how many bytes the path of a socket may have: 108 on Linux
// and 104 on macOS, with the zero at its end.
const maxSocketPath = 103

// socketFolders returns where the socket may be, the best first. A server takes
// the first that can be had, and a client looks in all: the environment of an
// agent may not be that of the editor.
func socketFolders() []string {
	var out []string
	if dir := os.Getenv("XDG_RUNTIME_DIR"); dir != "" && filepath.IsAbs(dir) {
		out = append(out, filepath.Join(dir, "acode-ls"))
	}
	name := "acode-ls-" + userName()
	for _, dir := range []string{os.TempDir(), fallbackFolder} {
		if dir != "" {
			out = append(out, filepath.Join(dir, name))
		}
	}
	return slices.Compact(out)
}

func socketName(root string) string {
	sum := sha256.Sum256([]byte(userName() + "\x00" + root))
	return hex.EncodeToString(sum[:8]) + ".sock"
}

// ownFolder makes a folder that only the user can look into, or finds it to be
// so.
func ownFolder(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return checkFolder(dir)
}

func checkFolder(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", dir)
	case !isOwn(info):
		return fmt.Errorf("%s is not the user's own", dir)
	case !isPrivate(info):
		return fmt.Errorf("%s is open to others; chmod 700 %s", dir, dir)
	}
	return nil
}

// socketToListen returns the path of the socket for a workspace, in a folder
// that is the user's own.
func socketToListen(root string) (string, error) {
	var failed error
	for _, dir := range socketFolders() {
		path := filepath.Join(dir, socketName(root))
		if len(path) > maxSocketPath {
			failed = errors.Join(failed, fmt.Errorf("%s is longer than the %d bytes a socket's path may have", path, maxSocketPath))
			continue
		}
		err := ownFolder(dir)
		if err == nil {
			return path, nil
		}
		failed = errors.Join(failed, err)
	}
	return "", failed
}

// errNoServer says that no server listens for a workspace.
var errNoServer = errors.New("no server is running")

// dialSocket connects to the server of a workspace.
func dialSocket(root string) (*net.UnixConn, error) {
	name, last := socketName(root), errNoServer
	for _, dir := range socketFolders() {
		path := filepath.Join(dir, name)
		if info, err := os.Lstat(path); err != nil || info.Mode().Type() != fs.ModeSocket {
			continue
		}
		if err := checkFolder(dir); err != nil {
			last = err
			continue
		}
		conn, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"})
		if err != nil { // left behind by a server that was killed
			continue
		}
		if err := checkPeer(conn); err != nil {
			conn.Close()
			last = fmt.Errorf("%s: %w", path, err)
			continue
		}
		return conn, nil
	}
	return nil, last
}

// checkPeer refuses to speak with another user's process.
func checkPeer(conn *net.UnixConn) error {
	isOwn, err := ownPeer(conn)
	if err != nil {
		return fmt.Errorf("asking whose process it is: %w", err)
	}
	if !isOwn {
		return errors.New("another user's process")
	}
	return nil
}
