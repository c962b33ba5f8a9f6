// Package artifacts keeps outputs that are too large to be shown, as files in
// one folder of the workspace, each with a sidecar that describes it.
//
// An artifact is there once its sidecar is: content is written to a temporary
// file, synced and renamed, then the sidecar is renamed. Whoever is killed
// before leaves a temporary file, which Sweep removes.
//
// Several stores, in one process or in many, use one folder at once. A lock on
// one file of the folder is held while what is there is counted and changed,
// never while content is written or read. Each store holds a lock on a file of
// its own as long as it lives, so that others know whose artifacts are
// abandoned without trusting process numbers.
//
// Nothing in the folder is trusted. No step follows a symbolic link, no file is
// named by what a caller sends before that is known to be an id, and content is
// served only after its hash was compared.
//
// The package does not redact, does not choose what to keep, and does not log.
package artifacts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"sync"
	"sync/atomic"
	"time"
)

// Options are what a Store is made with.
type Options struct {
	Folder    string           // relative to the root, with slashes
	Prepare   func() error     // called before Folder is first made; may be nil
	Now       func() time.Time // the clock
	Quota     int64            // bytes on disk a session's artifacts take at most; 0: no limit
	PerMinute int              // artifacts a session makes per minute at most; 0: no limit
	Compress  bool             // content of more than a megabyte is compressed on disk
	Key       []byte           // signs sidecars when not empty
	Detached  bool             // the artifacts outlive this store, as their sessions do
}

// Store keeps the artifacts of one root. Many goroutines may use it at once.
type Store struct {
	root  *os.Root
	opts  Options
	owner string      // names the lock of this store; "" if detached
	ours  atomic.Bool // the folder was found to hold nothing else

	gate      sync.Mutex // held with the lock of the folder
	ownerFile *os.File   // locked while this store has artifacts; guarded by gate

	mu         sync.Mutex
	closed     bool
	created    map[string]sidecar // by id: what this store wrote, which the disk must agree with
	entries    map[string]*entry  // by id: what the folder held; no entry is changed
	generation string             // of the folder when it held entries
	writing    map[string]int     // by session: artifacts not committed yet
	verified   []*verified        // the most recently used last
}

// Info describes an artifact.
type Info struct {
	ID         string
	Session    string
	Tool       string
	Type       string // MIME
	Source     string
	Origin     string
	Summary    string
	Created    time.Time // UTC, in milliseconds
	Size       int64     // bytes of content
	Characters int64     // code points of content
	Lines      int
	SHA256     string // of the content, in hexadecimal
	Path       string // relative to the root, with slashes
}

// Open returns the store of a root. It touches nothing on disk.
func Open(root *os.Root, opts Options) *Store {
	s := &Store{
		root:    root,
		opts:    opts,
		created: map[string]sidecar{},
		entries: map[string]*entry{},
		writing: map[string]int{},
	}
	if !opts.Detached {
		s.owner = randomName()
	}
	return s
}

// Close ends the store. Unless it is detached or keep is set, it removes the
// artifacts that the store made; kept ones are abandoned, so the Sweep of any
// other store removes them. Writers that are not committed then fail.
func (s *Store) Close(keep bool) (Removed, error) {
	var removed Removed
	err := s.locked(false, func(d *folder) error {
		var err error
		if s.owner != "" && !keep {
			removed, err = s.removeWhere(d, func(e entry) bool { return e.side.Owner == s.owner })
		}
		return errors.Join(err, s.releaseOwner(d), s.tidy(d))
	})
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return removed, fmt.Errorf("closing the artifacts: %w", err)
	}
	return removed, nil
}

func (s *Store) info(side sidecar) Info {
	return Info{
		ID: side.ID, Session: side.Session, Tool: side.Tool, Type: side.Type,
		Source: side.Source, Origin: side.Origin, Summary: side.Summary, Created: side.Created,
		Size: side.Size, Characters: side.Characters, Lines: side.Lines, SHA256: side.SHA256,
		Path: path.Join(s.opts.Folder, side.contentName()),
	}
}

func (s *Store) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}
