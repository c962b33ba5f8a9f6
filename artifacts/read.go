package artifacts

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/acode-ls/acode-ls/internal/filelock"
)

const (
	maxVerified = 64 // artifacts of which is remembered that they were verified

	// A file that changed so long before it was read cannot have changed after
	// without another time to show it: clocks of file systems are coarse.
	settleTime = 100 * time.Millisecond
)

// Artifact is one artifact, open for reading. Many goroutines may use it at
// once. Clean leaves it alone until it is closed.
type Artifact struct {
	info  Info
	side  sidecar
	file  *os.File
	home  fs.FileInfo // of the folder
	stat  fs.FileInfo // when it was verified
	index *index
}

// Get opens an artifact of a session, or of any if session is "", and verifies
// it. Errors are *IDError, *NotFoundError and *IntegrityError besides those of
// the disk.
func (s *Store) Get(session, id string) (*Artifact, error) {
	if err := checkID(id); err != nil {
		return nil, err
	}
	a, err := s.get(session, id)
	var missing *NotFoundError
	var broken *IntegrityError
	switch {
	case err == nil:
		return a, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, &NotFoundError{ID: id}
	case errors.As(err, &missing), errors.As(err, &broken):
		return nil, err
	}
	return nil, fmt.Errorf("reading artifact %s: %w", id, err)
}

func (s *Store) get(session, id string) (*Artifact, error) {
	d, err := s.open(false)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	side, err := s.describe(d, session, id)
	if err != nil {
		return nil, err
	}
	file, err := d.share(id, side.contentName())
	if err != nil {
		return nil, err
	}
	home, err := d.Stat(".")
	if err != nil {
		file.Close()
		return nil, named(s.opts.Folder, err)
	}
	a := &Artifact{info: s.info(side), side: side, file: file, home: home}
	if err := s.verify(a); err != nil {
		file.Close()
		return nil, err
	}
	// Eviction spares what was retrieved. In a folder that cannot be written
	// there is no eviction.
	at := s.opts.Now()
	if first := side.Created.Add(time.Millisecond); at.Before(first) {
		at = first
	}
	_ = d.Chtimes(id+sideSuffix, at, at)
	return a, nil
}

// describe returns the sidecar of an artifact of a session.
func (s *Store) describe(d *folder, session, id string) (sidecar, error) {
	s.mu.Lock()
	made, ours := s.created[id]
	s.mu.Unlock()
	if ours && session != "" && session != made.Session {
		return sidecar{}, fs.ErrNotExist
	}
	side, err := s.readSidecar(d, id)
	if err != nil {
		return sidecar{}, err
	}
	side.MAC = "" // it was compared if there is a key
	if session != "" && session != side.Session && !ours {
		return sidecar{}, fs.ErrNotExist
	}
	made.Evicted = side.Evicted
	switch {
	case ours && made != side:
		return sidecar{}, &IntegrityError{ID: id, What: "its description is not what was written"}
	case side.Evicted:
		return sidecar{}, &NotFoundError{ID: id, Reason: Evicted}
	}
	return side, nil
}

// share opens content under a lock that others who read share.
func (d *folder) share(id, name string) (*os.File, error) {
	file, _, err := d.open(name, os.O_RDONLY)
	var irregular *irregularError
	switch {
	case errors.As(err, &irregular):
		return nil, &IntegrityError{ID: id, What: irregular.Error()}
	case errors.Is(err, fs.ErrNotExist) && d.has(id+sideSuffix):
		return nil, &IntegrityError{ID: id, What: "its content is missing"}
	case err != nil:
		return nil, named(name, err)
	}
	if err := filelock.RLock(file); err != nil {
		file.Close()
		return nil, named(name, err)
	}
	if !d.holds(name, file) {
		file.Close()
		return nil, fs.ErrNotExist // cleaned while we waited
	}
	return file, nil
}

// verified is what is remembered of an artifact that was.
type verified struct {
	id, sha256 string
	stat       fs.FileInfo
	index      *index
}

// verify compares the hash of the content, unless it was compared before and
// the file shows no change, and sets the stat and index of a.
func (s *Store) verify(a *Artifact) error {
	now := s.opts.Now()
	stat, err := a.file.Stat()
	if err != nil {
		return named(a.info.Path, err)
	}
	a.stat = stat
	if v := s.recall(a.info.ID); v != nil && v.sha256 == a.info.SHA256 && same(v.stat, stat) {
		a.index = v.index
		return nil
	}
	if a.index, err = a.read(); err != nil {
		return &IntegrityError{ID: a.info.ID, What: err.Error()}
	}
	if now.Sub(changed(stat)) > settleTime {
		s.recollect(&verified{a.info.ID, a.info.SHA256, stat, a.index})
	}
	return nil
}

// same reports whether two states are of one file that did not change.
func same(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && changed(a).Equal(changed(b))
}

// read reads and checks all content. An error says what is wrong with it.
func (a *Artifact) read() (*index, error) {
	if size := a.stat.Size(); size != a.side.Stored {
		return nil, fmt.Errorf("its file has %d bytes, not %d", size, a.side.Stored)
	}
	var x index
	sum := sha256.New()
	to, from := io.MultiWriter(sum, &x), io.NewSectionReader(a.file, 0, a.side.Stored)
	var err error
	if a.side.Gzip {
		err = x.copyMembers(to, from, a.info.Size)
	} else {
		_, err = io.CopyBuffer(to, from, make([]byte, 4*blockSize))
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("its content cannot be read: %w", named("content", err))
	case x.size != a.info.Size:
		return nil, errors.New("its content has not the length it was made with")
	case hex.EncodeToString(sum.Sum(nil)) != a.info.SHA256:
		return nil, errors.New("its content has not the SHA-256 it was made with")
	case x.lines() != a.info.Lines:
		return nil, errors.New("its content has not as many lines as its description says")
	}
	return &x, nil
}

func (s *Store) recall(id string) *verified {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.verified, func(v *verified) bool { return v.id == id })
	if i < 0 {
		return nil
	}
	v := s.verified[i]
	s.verified = append(slices.Delete(s.verified, i, i+1), v)
	return v
}

func (s *Store) recollect(v *verified) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.verified = slices.DeleteFunc(s.verified, func(old *verified) bool { return old.id == v.id })
	if len(s.verified) == maxVerified {
		s.verified = slices.Delete(s.verified, 0, 1)
	}
	s.verified = append(s.verified, v)
}

// Info returns the description of the artifact.
func (a *Artifact) Info() Info { return a.info }

// Close gives up the artifact and what reads it.
func (a *Artifact) Close() error { return a.file.Close() }
