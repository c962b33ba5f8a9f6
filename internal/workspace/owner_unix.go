//go:build unix

package workspace

import (
	"io/fs"
	"os"
	"syscall"
)

// giveTo gives a file to the owner of another, as far as that is allowed: only
// to a superuser it is, and others own what they may write.
func (h *Hub) giveTo(name string, owner fs.FileInfo) {
	if stat, ok := owner.Sys().(*syscall.Stat_t); ok && (int(stat.Uid) != os.Geteuid() || int(stat.Gid) != os.Getegid()) {
		_ = h.dir.Chown(name, int(stat.Uid), int(stat.Gid))
	}
}

// isForeign reports whether a file is another user's.
func isForeign(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) != os.Geteuid()
}
