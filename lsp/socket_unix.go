//go:build unix

package lsp

import (
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

// fallbackFolder is where the socket is if the path of the folder for
// temporary files is too long for it.
const fallbackFolder = "/tmp"

func userName() string { return strconv.Itoa(os.Getuid()) }

func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}

func isPrivate(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 == 0 }
