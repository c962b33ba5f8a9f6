// Package filelock holds locks on open files that other processes see, and that
// end with the process.
//
// A lock belongs to the file as it was opened once: two files opened in one
// process exclude each other like two processes do, and closing the file gives
// up its lock. Locks are advice: only who asks is kept out. They say nothing of
// the name, so a file that was locked may be one that somebody has removed.
package filelock

import "os"

// Lock waits until nobody else has a lock on f.
func Lock(f *os.File) error { return lock(f) }

// RLock waits until nobody has an exclusive lock on f; others may share it.
func RLock(f *os.File) error { return rlock(f) }

// TryLock is Lock without waiting: it reports whether f is locked now.
func TryLock(f *os.File) (bool, error) { return tryLock(f) }

// Unlock gives up the lock on f.
func Unlock(f *os.File) error { return unlock(f) }
