package artifacts

import (
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// Removed counts what was removed.
type Removed struct {
	Artifacts int
	Bytes     int64 // on disk
}

// Clean removes the artifacts of a session, whoever made them, but for those
// that somebody reads.
func (s *Store) Clean(session string) (Removed, error) {
	return s.change("cleaning", func(d *folder) (Removed, error) {
		return s.removeWhere(d, func(e entry) bool {
			return e.side.Session == session && !d.locked(e.side.contentName())
		})
	})
}

// End removes the artifacts of a session that ends, even while somebody reads
// them, but for those of another store that is open.
func (s *Store) End(session string) (Removed, error) {
	return s.change("removing", func(d *folder) (Removed, error) {
		owners := owners{s: s, d: d}
		removed, err := s.removeWhere(d, func(e entry) bool {
			return e.side.Session == session &&
				(e.side.Owner == "" || e.side.Owner == s.owner || owners.dead(e.side.Owner))
		})
		return removed, errors.Join(err, owners.err)
	})
}

// Remove removes one artifact, of whatever session and even while somebody
// reads it. The error is a [*NotFoundError] if there is none.
func (s *Store) Remove(id string) (Removed, error) {
	if err := checkID(id); err != nil {
		return Removed{}, err
	}
	removed, err := s.change("removing", func(d *folder) (Removed, error) {
		return s.removeWhere(d, func(e entry) bool { return e.side.ID == id })
	})
	if err == nil && removed.Artifacts == 0 {
		err = &NotFoundError{ID: id}
	}
	return removed, err
}

// CleanAll removes everything of the store's from the folder, whatever its
// state, but for what is being written.
func (s *Store) CleanAll() (Removed, error) {
	return s.change("cleaning", func(d *folder) (removed Removed, err error) {
		names, err := d.names()
		for _, name := range names {
			switch k, id := classify(name); {
			case k == foreignName, k == lockFile,
				k == tempContent && d.locked(name),
				k == tempSidecar && d.locked(tempPrefix+id):
				continue
			case k == content:
				removed.Artifacts++
				fallthrough
			case k == tempContent:
				removed.Bytes += d.size(name)
			case k == sidecarName:
				err = errors.Join(err, s.note(d, id, nil))
			}
			err = errors.Join(err, d.removeName(name))
		}
		return removed, err
	})
}

// Sweep removes what is left over: artifacts of stores that are gone, of
// detached stores' sessions that expired says so of, and halves of artifacts.
// latest is when the session made or retrieved an artifact last. A store sweeps
// when it begins.
func (s *Store) Sweep(expired func(session string, latest time.Time) bool) (Removed, error) {
	return s.change("sweeping", func(d *folder) (Removed, error) {
		entries, err := s.recount(d)
		if err != nil {
			return Removed{}, err
		}
		latest := map[string]time.Time{}
		for _, e := range entries {
			session := e.side.Session
			if at := d.used(e.side); e.side.Owner == "" && at.After(latest[session]) {
				latest[session] = at
			}
		}
		gone := map[string]bool{}
		for session, at := range latest {
			gone[session] = expired(session, at)
		}
		owners := owners{s: s, d: d}
		removed, err := s.removeWhere(d, func(e entry) bool {
			switch {
			case !e.present && !e.side.Evicted:
				return true
			case e.side.Owner == "":
				return gone[e.side.Session]
			}
			return owners.dead(e.side.Owner)
		})
		halves, err2 := s.sweepHalves(d)
		removed.Artifacts += halves.Artifacts
		removed.Bytes += halves.Bytes
		return removed, errors.Join(err, err2, owners.err)
	})
}

// sweepHalves removes temporary files nobody writes, content without a sidecar,
// damaged sidecars without content, and the locks of stores that are gone.
func (s *Store) sweepHalves(d *folder) (removed Removed, err error) {
	names, err := d.names()
	if err != nil {
		return removed, named(s.opts.Folder, err)
	}
	hasContent := map[string]bool{}
	for _, name := range names {
		if k, id := classify(name); k == content {
			hasContent[id] = true
		}
	}
	for _, name := range names {
		stale := false
		switch k, key := classify(name); k {
		case tempContent:
			stale = !d.locked(name)
		case tempSidecar:
			stale = !d.locked(tempPrefix + key)
		case content:
			if stale = s.orphaned(d, key, name); stale {
				removed.Artifacts++
			}
		case sidecarName:
			_, broken := s.readSidecar(d, key)
			stale = broken != nil && !hasContent[key]
		case ownerLock:
			alive, err := s.lives(d, key)
			stale = err == nil && !alive
		}
		if stale {
			removed.Bytes += d.size(name)
			err = errors.Join(err, d.removeName(name))
		}
	}
	return removed, err
}

// orphaned reports whether no sidecar stands for content of that name. A
// damaged one may.
func (s *Store) orphaned(d *folder, id, name string) bool {
	side, err := s.readSidecar(d, id)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	return side.Evicted || side.contentName() != name
}

// owners remembers which owners live while the folder is locked.
type owners struct {
	s     *Store
	d     *folder
	alive map[string]bool
	err   error // of the first that could not be told, which then counts as alive
}

func (o *owners) dead(owner string) bool {
	alive, ok := o.alive[owner]
	if !ok {
		var err error
		if alive, err = o.s.lives(o.d, owner); err != nil {
			alive = true
			o.err = errors.Join(o.err, err)
		}
		if o.alive == nil {
			o.alive = map[string]bool{}
		}
		o.alive[owner] = alive
	}
	return !alive
}

// used returns when an artifact was made or retrieved last.
func (d *folder) used(side sidecar) time.Time {
	info, err := d.Lstat(side.ID + sideSuffix)
	if err != nil || info.ModTime().Before(side.Created) {
		return side.Created
	}
	return info.ModTime()
}

func (d *folder) size(name string) int64 {
	info, err := d.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}

// change runs f with the folder locked, and removes the folder if f leaves it
// empty. Where there is no folder there is nothing to do.
func (s *Store) change(doing string, f func(*folder) (Removed, error)) (Removed, error) {
	var removed Removed
	err := s.locked(false, func(d *folder) error {
		var err error
		removed, err = f(d)
		return errors.Join(err, s.tidy(d))
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return removed, fmt.Errorf("%s artifacts: %w", doing, err)
	}
	return removed, nil
}

// removeWhere removes the artifacts that choose picks, and what is left of
// evicted ones. The folder is locked.
func (s *Store) removeWhere(d *folder, choose func(entry) bool) (removed Removed, err error) {
	entries, err := s.recount(d)
	for _, e := range entries {
		if !choose(*e) {
			continue
		}
		name := e.side.contentName()
		size := d.size(name)
		if failed := s.removeArtifact(d, e.side.ID, name); failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		if e.present {
			removed.Artifacts++
			removed.Bytes += size
		}
	}
	return removed, err
}

// removeArtifact removes the sidecar first: content alone is nobody's artifact.
func (s *Store) removeArtifact(d *folder, id, name string) error {
	if err := s.note(d, id, nil); err != nil {
		return err
	}
	if err := d.removeName(id + sideSuffix); err != nil {
		return err
	}
	return d.removeName(name)
}

// tidy removes the folder if nothing but locks is in it. Stores that live make
// theirs anew with their next artifact. The folder is locked.
func (s *Store) tidy(d *folder) error {
	names, err := d.names()
	if err != nil {
		return named(s.opts.Folder, err)
	}
	for _, name := range names {
		if k, _ := classify(name); k != lockFile && k != ownerLock {
			return nil
		}
	}
	err = s.releaseOwner(d)
	for _, name := range names {
		if name != lockName {
			err = errors.Join(err, d.removeName(name))
		}
	}
	if err = errors.Join(err, d.removeName(lockName)); err != nil {
		return err
	}
	if found, err := d.parent.Lstat(d.name); err != nil || !found.IsDir() {
		return nil // it was moved away
	}
	if err := d.parent.Remove(d.name); err != nil && d.isEmpty() {
		return named(s.opts.Folder, err)
	}
	return nil
}

// isEmpty is asked because systems differ in the error of removing a folder
// that is not: somebody may have begun an artifact.
func (d *folder) isEmpty() bool {
	names, err := d.names()
	return err == nil && len(names) == 0
}
