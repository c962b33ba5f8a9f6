package artifacts

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/acode-ls/acode-ls/internal/filelock"
)

// temporary are the files of an artifact that is not committed. Both are made
// at once, because a file system that is busy syncing one makes no other.
type temporary struct {
	content *os.File // locked, so that Sweep leaves both
	sidecar *os.File
}

func (t temporary) close() {
	t.content.Close()
	t.sidecar.Close()
}

// removeFrom removes those names that are still the files'.
func (t temporary) removeFrom(d *folder, id string) {
	for name, file := range map[string]*os.File{tempPrefix + id: t.content, tempPrefix + id + sideSuffix: t.sidecar} {
		if d.holds(name, file) {
			_ = d.Remove(name)
		}
	}
}

// reserve makes the temporary files of an artifact. Nothing else has its id.
func (s *Store) reserve(session string, now time.Time) (id string, temp temporary, err error) {
	if s.isClosed() {
		return "", temp, fs.ErrClosed
	}
	d, err := s.open(true)
	if err != nil {
		return "", temp, err
	}
	defer func() { d.Close() }()
	if err := s.begin(d, session, now); err != nil {
		return "", temp, err
	}
	for {
		id = newID(now)
		if temp, err = d.reserve(id); err == nil {
			return id, temp, nil
		}
		err = named(tempPrefix+id, err)
		if errors.Is(err, fs.ErrNotExist) { // somebody removed the empty folder
			d.Close()
			d, err = s.open(true)
		} else if errors.Is(err, fs.ErrExist) { // the id is taken
			err = nil
		}
		if err != nil {
			s.ended(session)
			return "", temp, err
		}
	}
}

func (d *folder) reserve(id string) (temp temporary, err error) {
	name := tempPrefix + id
	if temp.content, err = d.create(name); err != nil {
		return temp, err
	}
	if err = filelock.Lock(temp.content); err == nil && !d.holds(name, temp.content) {
		err = fs.ErrNotExist // swept before it was locked
	}
	if err == nil {
		temp.sidecar, err = d.create(name + sideSuffix)
	}
	// Whoever commits this id had the temporary name until the content had its
	// own, so there is no moment at which neither shows.
	if err == nil && d.taken(id) {
		err = fs.ErrExist
	}
	if err != nil {
		temp.removeFrom(d, id)
		temp.close()
	}
	return temp, err
}

func (d *folder) taken(id string) bool {
	return d.has(id+sideSuffix) || slices.ContainsFunc(extensions, func(ext string) bool { return d.has(id + ext) })
}
