package artifacts

import (
	"os"

	"golang.org/x/sys/unix"
)

// startFlush begins to write n bytes of a file to the disk, and does not wait.
func startFlush(f *os.File, offset, n int64) {
	_ = unix.SyncFileRange(int(f.Fd()), offset, n, unix.SYNC_FILE_RANGE_WRITE) // Sync follows in any case
}
