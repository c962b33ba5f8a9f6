package lsp

import (
	"io/fs"
	"net"
	"os"
)

// The folder for temporary files is the user's own, and so is what is in it.
const fallbackFolder = ""

func userName() string { return os.Getenv("USERNAME") }

func isOwn(fs.FileInfo) bool { return true }

func isPrivate(fs.FileInfo) bool { return true }

func ownPeer(*net.UnixConn) (bool, error) { return true, nil }
