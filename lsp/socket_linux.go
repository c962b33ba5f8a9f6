package lsp

import (
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// ownPeer reports whether the process at the other end is the same user's.
func ownPeer(conn *net.UnixConn) (bool, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return false, err
	}
	var cred *unix.Ucred
	var failed error
	err = raw.Control(func(fd uintptr) { cred, failed = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if err == nil {
		err = failed
	}
	return err == nil && int(cred.Uid) == os.Getuid(), err
}
