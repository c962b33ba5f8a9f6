//go:build !linux && !darwin

package artifacts

import (
	"io/fs"
	"time"
)

// changed returns when a file was last modified, for want of a time that nobody
// can set.
func changed(info fs.FileInfo) time.Time { return info.ModTime() }
