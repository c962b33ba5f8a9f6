//go:build unix

package filelock

import (
	"os"
	"syscall"
)

func lock(f *os.File) error { return flock(f, syscall.LOCK_EX) }

func rlock(f *os.File) error { return flock(f, syscall.LOCK_SH) }

func tryLock(f *os.File) (bool, error) {
	err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
	if err == syscall.EWOULDBLOCK {
		return false, nil
	}
	return err == nil, err
}

func unlock(f *os.File) error { return flock(f, syscall.LOCK_UN) }

func flock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); err != syscall.EINTR {
			return err
		}
	}
}
