package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"go.uber.org/zap"

	"github.com/acode-ls/acode-ls/internal/filelock"
)

// fileLock is the lock that the processes of a workspace share. The file stays
// open between uses: to open it each time, as lock libraries do, would take
// ten times as long as the lock and be most of the price of a request. A lock
// that is held must not be taken again.
type fileLock struct {
	dir  *os.Root
	name string // in dir
	path string // the same, absolute
	file *os.File
	info fs.FileInfo // of file
}

var lockName = filepath.Join(stateDir, "sessions", "lock")

// lock waits for the lock. The error matches fs.ErrNotExist if its folder is
// gone.
func (l *fileLock) lock() error {
	for {
		if l.file == nil {
			f, err := l.dir.OpenFile(l.name, os.O_RDWR|os.O_CREATE, 0o600)
			if err != nil {
				return err
			}
			if l.info, err = f.Stat(); err != nil {
				f.Close()
				return err
			}
			l.file = f
		}
		if err := filelock.Lock(l.file); err != nil {
			return fmt.Errorf("locking %s: %w", l.name, err)
		}
		if l.current() {
			return nil
		}
		// Somebody removed the file, and others may lock a new one.
		l.close()
	}
}

// current reports whether the file that is locked is the one others find.
func (l *fileLock) current() bool {
	found, err := os.Lstat(l.path)
	return err == nil && os.SameFile(l.info, found)
}

func (l *fileLock) unlock() {
	if l.file != nil {
		_ = filelock.Unlock(l.file)
	}
}

// close gives up the file and with it the lock.
func (l *fileLock) close() {
	if l.file != nil {
		l.file.Close()
		l.file = nil
	}
}

// locked runs f with the journals locked against other processes.
func (h *Hub) locked(f func() error) error {
	if !h.Journaled() {
		return f()
	}
	err := h.lock.lock()
	if errors.Is(err, fs.ErrNotExist) { // the first time, or somebody cleaned the work tree
		if err = h.openState(); err != nil {
			h.log.Warn("the ledger will not survive a restart", zap.Error(err))
			h.noState = true
			return f()
		}
		err = h.lock.lock()
	}
	if err != nil {
		return fmt.Errorf("locking the journals: %w", err)
	}
	defer h.lock.unlock()
	return f()
}
