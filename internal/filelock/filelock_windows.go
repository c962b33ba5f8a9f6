package filelock

import (
	"os"

	"golang.org/x/sys/windows"
)

func lock(f *os.File) error { return lockFile(f, windows.LOCKFILE_EXCLUSIVE_LOCK) }

func rlock(f *os.File) error { return lockFile(f, 0) }

func tryLock(f *os.File) (bool, error) {
	err := lockFile(f, windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY)
	if err == windows.ERROR_LOCK_VIOLATION {
		return false, nil
	}
	return err == nil, err
}

func unlock(f *os.File) error {
	return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, place())
}

func lockFile(f *os.File, flags uint32) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, place())
}

// place is the byte that is locked: one beyond any content, because what is
// locked here cannot be read or written through other handles.
func place() *windows.Overlapped { return &windows.Overlapped{OffsetHigh: 1 << 30} }
