package artifacts

import (
	"io/fs"
	"syscall"
	"time"
)

// changed returns when the system last saw a file change, which unlike the
// time of modification nobody can set.
func changed(info fs.FileInfo) time.Time {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(stat.Ctimespec.Unix())
	}
	return info.ModTime()
}
