package artifacts

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/acode-ls/acode-ls/internal/filelock"
)

// entry is an artifact in the folder. Its sidecar is in order.
type entry struct {
	side    sidecar
	present bool // the content is there
}

// usage is what a session has.
type usage struct {
	recent int   // artifacts of the last minute, evicted ones too
	bytes  int64 // on disk
}

func usageOf(entries map[string]*entry, session string, now time.Time) (u usage) {
	after := now.Add(-time.Minute)
	for _, e := range entries {
		if e.side.Session != session {
			continue
		}
		if e.side.Created.After(after) {
			u.recent++
		}
		if e.present {
			u.bytes += e.side.Stored
		}
	}
	return u
}

// begin takes account of an artifact that is not there yet.
func (s *Store) begin(d *folder, session string, now time.Time) error {
	var u usage
	if s.opts.PerMinute > 0 {
		var err error
		if u, err = s.glance(d, session, now); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opts.PerMinute > 0 && u.recent+s.writing[session] >= s.opts.PerMinute {
		return &RateError{Limit: s.opts.PerMinute}
	}
	s.writing[session]++
	return nil
}

// glance counts without the lock: what it returns may be outdated.
func (s *Store) glance(d *folder, session string, now time.Time) (usage, error) {
	f, _, err := d.open(lockName, os.O_RDONLY)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return usage{}, named(lockName, err)
	}
	if err == nil {
		defer f.Close()
		if u, ok := s.counted(generation(f), session, now); ok {
			return u, nil
		}
	}
	entries, err := s.survey(d)
	return usageOf(entries, session, now), err
}

// count counts what the folder holds, anew if another store changed something.
// The folder is locked.
func (s *Store) count(d *folder, session string, now time.Time) (usage, error) {
	if u, ok := s.counted(d.generation, session, now); ok {
		return u, nil
	}
	entries, err := s.recount(d)
	return usageOf(entries, session, now), err
}

func (s *Store) counted(generation, session string, now time.Time) (usage, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if generation == "" || generation != s.generation {
		return usage{}, false
	}
	return usageOf(s.entries, session, now), true
}

// recount returns what the folder holds now. The folder is locked.
func (s *Store) recount(d *folder) (map[string]*entry, error) {
	entries, err := s.survey(d)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries, s.generation = entries, d.generation
	return maps.Clone(entries), nil
}

// survey returns what the folder holds, by id. A sidecar is read once, as its
// fields but for Evicted never change; damaged ones are left out.
func (s *Store) survey(d *folder) (map[string]*entry, error) {
	names, err := d.names()
	if err != nil {
		return nil, named(s.opts.Folder, err)
	}
	contents, ids := map[string]bool{}, []string{}
	for _, name := range names {
		switch k, id := classify(name); k {
		case content:
			contents[name] = true
		case sidecarName:
			ids = append(ids, id)
		}
	}
	s.mu.Lock()
	known := maps.Clone(s.entries)
	s.mu.Unlock()
	entries := make(map[string]*entry, len(ids))
	for _, id := range ids {
		var side sidecar
		if e, ok := known[id]; ok {
			side = e.side
		} else if side, err = s.readSidecar(d, id); err != nil {
			continue
		}
		entries[id] = &entry{side, contents[side.contentName()] && !side.Evicted}
	}
	return entries, nil
}

// generation reads that of the folder from its lock.
func generation(lock *os.File) string {
	var name [idRandom]byte
	if n, err := lock.ReadAt(name[:], 0); n < len(name) || err != nil && err != io.EOF {
		return ""
	}
	return string(name[:])
}

// note says in the lock, before something changes, that it does, and changes
// what this store knows with it. The folder is locked.
func (s *Store) note(d *folder, id string, now *entry) error {
	next := randomName()
	if _, err := d.lockFile.WriteAt([]byte(next), 0); err != nil {
		next = "" // on a full disk, nobody knows
		if err := d.lockFile.Truncate(0); err != nil {
			return named(lockName, err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.generation == d.generation {
		s.generation = next
	} else {
		s.generation = ""
	}
	d.generation = next
	if now == nil {
		delete(s.entries, id)
		delete(s.created, id)
	} else {
		s.entries[id] = now
	}
	return nil
}

// admit makes room for an artifact. The folder is locked.
func (s *Store) admit(d *folder, side sidecar) ([]Info, error) {
	if s.opts.Quota <= 0 && s.opts.PerMinute <= 0 {
		return nil, nil
	}
	u, err := s.count(d, side.Session, side.Created)
	if err != nil {
		return nil, err
	}
	if s.opts.PerMinute > 0 && u.recent >= s.opts.PerMinute {
		return nil, &RateError{Limit: s.opts.PerMinute}
	}
	if s.opts.Quota <= 0 || u.bytes+side.Stored <= s.opts.Quota {
		return nil, nil
	}
	// Somebody else may have removed what is counted.
	entries, err := s.recount(d)
	if err != nil {
		return nil, err
	}
	var candidates []entry
	for _, e := range entries {
		if e.present && e.side.Session == side.Session {
			candidates = append(candidates, *e)
		}
	}
	u = usageOf(entries, side.Session, side.Created)
	return s.evict(d, candidates, u.bytes+side.Stored-s.opts.Quota)
}

// evict removes the content of entries until excess bytes are free, or of none
// if that is not enough.
func (s *Store) evict(d *folder, entries []entry, excess int64) ([]Info, error) {
	retrieved := map[string]bool{}
	for _, e := range entries {
		info, err := d.Lstat(e.side.ID + sideSuffix)
		retrieved[e.side.ID] = err == nil && info.ModTime().After(e.side.Created)
	}
	slices.SortFunc(entries, func(a, b entry) int {
		if was := retrieved[a.side.ID]; was != retrieved[b.side.ID] {
			if was {
				return 1
			}
			return -1
		}
		return cmp.Or(a.side.Created.Compare(b.side.Created), cmp.Compare(a.side.ID, b.side.ID))
	})
	var chosen []sidecar
	for _, e := range entries {
		if excess <= 0 {
			break
		}
		f, _, err := d.open(e.side.contentName(), os.O_RDONLY)
		if err != nil {
			continue
		}
		defer f.Close()
		if free, err := filelock.TryLock(f); err != nil || !free {
			continue // somebody reads it
		}
		chosen = append(chosen, e.side)
		excess -= e.side.Stored
	}
	if excess > 0 {
		return nil, &SpaceError{Quota: s.opts.Quota}
	}
	var evicted []Info
	for _, side := range chosen {
		if err := s.evictOne(d, side); err != nil {
			return evicted, err
		}
		evicted = append(evicted, s.info(side))
	}
	return evicted, nil
}

// evictOne leaves of an artifact a sidecar that says what became of it.
func (s *Store) evictOne(d *folder, side sidecar) error {
	side.Evicted = true
	temp := tempPrefix + side.ID + sideSuffix
	if err := d.removeName(temp); err != nil {
		return err
	}
	f, err := d.create(temp)
	if err != nil {
		return named(temp, err)
	}
	err = d.writeSidecar(f, temp, side, s.opts.Key)
	f.Close()
	if err == nil {
		err = s.note(d, side.ID, &entry{side, false})
	}
	if err == nil {
		err = named(side.ID+sideSuffix, d.Rename(temp, side.ID+sideSuffix))
	}
	if err != nil {
		return errors.Join(err, d.removeName(temp))
	}
	return d.removeName(side.contentName())
}
