package artifacts

import (
	"errors"
	"io/fs"
	"os"

	"github.com/acode-ls/acode-ls/internal/filelock"
)

// This file is about the locks by which stores show each other that they live.
// The folder is locked in all of it, so nobody finds an owner's file between
// its making and its locking.

func ownerName(owner string) string { return ownPrefix + owner + ownSuffix }

// takeOwnership locks the file that sidecars of this store name.
func (s *Store) takeOwnership(d *folder) error {
	if s.owner == "" {
		return nil
	}
	name := ownerName(s.owner)
	if s.ownerFile != nil {
		if d.holds(name, s.ownerFile) {
			return nil
		}
		s.ownerFile.Close() // somebody removed it
		s.ownerFile = nil
	}
	f, err := d.create(name)
	if err != nil {
		return named(name, err)
	}
	if err := filelock.Lock(f); err != nil {
		f.Close()
		return errors.Join(named(name, err), d.removeName(name))
	}
	s.ownerFile = f
	return nil
}

func (s *Store) releaseOwner(d *folder) error {
	if s.ownerFile == nil {
		return nil
	}
	name := ownerName(s.owner)
	var err error
	if d.holds(name, s.ownerFile) {
		err = d.removeName(name)
	}
	s.ownerFile.Close()
	s.ownerFile = nil
	return err
}

// lives reports whether the store of that owner is open somewhere.
func (s *Store) lives(d *folder, owner string) (bool, error) {
	if owner == s.owner {
		return true, nil
	}
	name := ownerName(owner)
	f, _, err := d.open(name, os.O_RDONLY)
	var irregular *irregularError
	if errors.Is(err, fs.ErrNotExist) || errors.As(err, &irregular) {
		return false, nil
	}
	if err != nil {
		return false, named(name, err)
	}
	defer f.Close()
	free, err := filelock.TryLock(f)
	return !free, named(name, err)
}
