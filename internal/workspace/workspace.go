// Package workspace is the hub between the faces of the program and what it
// knows: one root folder, the documents editors have open in it, the sessions
// of agents with their ledgers and journals, and one operation per verb.
//
// It knows nothing of LSP, MCP or hooks: it takes plain paths, line ranges and
// byte edits. An editor that has documents open is a thing that applies edits
// ([Editor]); without one the disk is.
//
// A read flows one way: text, redact, truncate, name what was left out, credit
// the whole lines shown. An edit flows one way: reduce to changed lines, guard, apply, verify the text, move
// the ledger.
//
// All methods may be called from several goroutines at once.
package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/config"
	"github.com/acode-ls/acode-ls/signatures"
)

// Options set up a Hub. The zero value of each field means the default.
type Options struct {
	Log *zap.Logger

	// Config is the configuration; nil means that of the workspace, as it
	// changes.
	Config *config.Config

	NoAutoExpand bool          // a block never carries the missing lines
	NoSessions   bool          // no ledger is needed, so none is loaded
	OwnSessions  bool          // sessions end with this process, and their artifacts with them
	ReplyTimeout time.Duration // for the editor's answer to an edit; 10 s
	AskTimeout   time.Duration // for that answer if the editor may ask the person; 1 min
	SyncTimeout  time.Duration // for the edited text to arrive after the answer; 2 s
	Watch        bool          // watch the folders of files in the ledger

	// OnCount is told what happened in a session of the workspace at root, each
	// time. It is called with locks held, and must not call the hub.
	OnCount func(root, session string, c Counts)
}

func (o Options) withDefaults() Options {
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	setDefault(&o.ReplyTimeout, 10*time.Second)
	setDefault(&o.AskTimeout, time.Minute)
	setDefault(&o.SyncTimeout, 2*time.Second)
	return o
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Hub is one workspace.
type Hub struct {
	root string // absolute, without links
	dir  *os.Root
	opts Options
	log  *zap.Logger

	settings settings
	keeping  keeping
	began    time.Time
	finder   signatures.Finder

	journals string // folder of the journals
	gitHead  string // path of the file in which git names the branch; or empty

	namesMu   sync.Mutex
	names     map[string]string // known names by their lower-case form
	openPaths map[string]string // names of open documents by the path an editor gave

	// applying is full during an edit, which may wait for the editor.
	applying chan struct{}

	mu         sync.Mutex // guards all below, and every Session and Document
	sessions   map[string]*Session
	selected   string
	open       map[string]*Document
	stamps     map[string]stamp
	recent     map[string]recent  // files on disk as last read
	masks      map[string]*masked // of files on disk
	scratch    []byte             // to read files with
	recentSize int                // bytes of text in recent
	editor     Editor
	watch      *watcher

	lock      fileLock
	noState   bool // the state folder cannot be had
	branch    branch
	dirty     map[event]bool
	active    string // the session that was meant when none is named, at the last news
	onChange  func(session string, names []string)
	refused   []Refusal // not told yet
	onRefusal func(Refusal)

	onArtifacts func(session string)
}

type event struct{ session, name string }

// stamp lets a file that was hashed before go unread while its metadata stays.
type stamp struct {
	info fs.FileInfo
	sum  awareness.Hash
	at   time.Time
}

// Open opens the workspace at root.
func Open(root string, opts Options) (*Hub, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return nil, fmt.Errorf("opening the workspace: %w", err)
	}
	dir, err := os.OpenRoot(real)
	if err != nil {
		return nil, fmt.Errorf("opening the workspace: %w", err)
	}
	h := &Hub{
		root: real, dir: dir, opts: opts.withDefaults(), began: time.Now(),
		applying: make(chan struct{}, 1),
		names:    map[string]string{}, openPaths: map[string]string{}, sessions: map[string]*Session{}, open: map[string]*Document{},
		stamps: map[string]stamp{}, recent: map[string]recent{}, masks: map[string]*masked{}, scratch: make([]byte, 64<<10), dirty: map[event]bool{},
	}
	h.log = h.opts.Log
	if opts.Config == nil {
		h.settings.source = config.NewSource(real)
	} else if problems := h.settings.use(opts.Config); len(problems) > 0 {
		return nil, config.Problems(problems)
	}
	h.gitHead = findHead(real)
	h.journals = filepath.Join(real, stateDir, "sessions")
	h.lock = fileLock{dir: dir, name: lockName, path: filepath.Join(real, lockName)}
	if _, err := dir.Lstat(stateDir); err == nil && !opts.NoSessions {
		if err := h.openState(); err != nil {
			h.log.Warn("the ledger will not survive a restart", zap.Error(err))
			h.noState = true
		}
	}
	if !opts.NoSessions {
		h.mu.Lock()
		h.loadSessions()
		h.mu.Unlock()
	}
	if opts.Watch {
		h.startWatching()
	}
	return h, nil
}

// openState makes the folder for journals and the lock in it. It is made when
// there is something to write, so that not every folder a person opens gets one.
func (h *Hub) openState() error {
	sessions := filepath.Join(stateDir, "sessions")
	if err := h.dir.MkdirAll(sessions, 0o700); err != nil {
		return err
	}
	for _, d := range []string{stateDir, sessions} {
		info, err := h.dir.Lstat(d)
		if err != nil {
			return err
		}
		if !info.IsDir() {
			return fmt.Errorf("%s is not a directory", d)
		}
		if info.Mode().Perm() != 0o700 {
			if err := h.dir.Chmod(d, 0o700); err != nil {
				return err
			}
		}
	}
	ignore := filepath.Join(stateDir, ".gitignore")
	if err := writeFile(h.dir, ignore, "*\n", 0o600); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := writeFile(h.dir, lockName, "", 0o600); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if info, err := h.dir.Lstat(lockName); err != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", lockName)
	}
	if err := h.dir.Chmod(lockName, 0o600); err != nil { // fails where nothing can be written
		return err
	}
	return nil
}

// Journaled reports whether ledgers survive a restart, as far as is known: the
// state folder is made at the first operation.
func (h *Hub) Journaled() bool { return !h.noState }

// Root returns the absolute path of the workspace, links resolved.
func (h *Hub) Root() string { return h.root }

// Close ends the hub, and with it the artifacts of its own sessions. Journals
// are complete at any time.
func (h *Hub) Close() error {
	if h.watch != nil {
		h.watch.stop()
	}
	stores := h.closeStores()
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.sessions {
		s.closeJournal()
	}
	h.lock.close()
	h.onChange, h.onRefusal = nil, nil
	return errors.Join(stores, h.dir.Close())
}

// OnChange sets what is told, after each operation, about files whose place in
// a ledger may have changed. It is called without locks held.
func (h *Hub) OnChange(f func(session string, names []string)) {
	h.mu.Lock()
	h.onChange = f
	h.mu.Unlock()
}

// OnRefusal sets what is told of edits that the guard refused for what the agent
// has not seen. It is called without locks held.
func (h *Hub) OnRefusal(f func(Refusal)) {
	h.mu.Lock()
	h.onRefusal = f
	h.mu.Unlock()
}

// Attach sets the editor that has documents open, nil for none.
func (h *Hub) Attach(e Editor) {
	h.mu.Lock()
	h.editor = e
	h.mu.Unlock()
}

// changed notes that a file's place in a ledger may have changed.
func (h *Hub) changed(s *Session, name string) { h.dirty[event{s.ID, name}] = true }

// unlock releases h.mu and tells what happened meanwhile.
func (h *Hub) unlock() {
	if h.opts.Watch {
		if id := h.activeID(); id != h.active {
			h.active = id
			for name := range h.open { // a person sees what this session knows
				h.dirty[event{id, name}] = true
			}
		}
	}
	tell, dirty := h.onChange, h.dirty
	tellRefusal, refused := h.onRefusal, h.refused
	h.refused = nil
	if len(dirty) > 0 {
		h.dirty = map[event]bool{}
	} else {
		tell = nil // the map stays the hub's
	}
	h.mu.Unlock()
	if tellRefusal != nil {
		for _, r := range refused {
			tellRefusal(r)
		}
	}
	if tell == nil {
		return
	}
	names := map[string][]string{}
	for e := range dirty {
		names[e.session] = append(names[e.session], e.name)
	}
	for session, list := range names {
		tell(session, list)
	}
}

// update runs f on a session that is up to date with its journal, with the
// journal locked.
func (h *Hub) update(id string, f func(*Session) error) error {
	h.mu.Lock()
	defer h.unlock()
	s, err := h.session(id)
	if err != nil {
		return err
	}
	return h.with(s, func() error { return f(s) })
}

// with locks the journals and brings s up to date. The caller holds h.mu.
func (h *Hub) with(s *Session, f func() error) error {
	return h.locked(func() error {
		if err := h.ready(s); err != nil {
			return err
		}
		return f()
	})
}

// ready brings s up to date. The caller holds the journal lock, which must not
// be taken twice: the inner unlock would release it.
func (h *Hub) ready(s *Session) error {
	if err := h.catchUp(s); err != nil {
		return err
	}
	s.mend()
	h.checkHead(s)
	return nil
}

// catchUp takes over what other processes wrote.
func (h *Hub) catchUp(s *Session) error {
	news, err := s.sync()
	if err != nil {
		return fmt.Errorf("reading the journal of session %s: %w", s.ID, err)
	}
	if news {
		for _, name := range s.ledger.Names() {
			h.changed(s, name)
		}
	}
	return nil
}

// refresh aligns what a session knows of a file with its present text, unless
// an edit of the session is on its way to that. The caller holds the journal
// lock.
func (h *Hub) refresh(s *Session, d *Document) *awareness.File {
	if d.pending.holds(s) {
		return s.ledger.File(d.Name)
	}
	return h.align(s, d)
}

// align is refresh even while an edit is on its way.
func (h *Hub) align(s *Session, d *Document) *awareness.File {
	if s.fulfil(d) {
		return s.ledger.File(d.Name)
	}
	f := s.ledger.File(d.Name)
	if f == nil || f.Sum() == d.Sum {
		return f
	}
	s.do(changeRecord(d.Name, awareness.Align(f.Lines(), d.print().Lines), d.Sum, awareness.ByOther))
	h.changed(s, d.Name)
	return s.ledger.File(d.Name)
}

// view returns a copy of what a session knows, as of the present text.
func (h *Hub) view(s *Session, d *Document) *awareness.File {
	f := h.refresh(s, d)
	if f == nil {
		return nil
	}
	f = f.Clone()
	if f.Sum() != d.Sum {
		f.Update(d.print())
	}
	return f
}

// track returns the record of a document, begun if there is none. It always
// stands for the present text: what is shown now are lines of that.
func (h *Hub) track(s *Session, d *Document) *awareness.File {
	if f := h.align(s, d); f != nil {
		return f
	}
	s.do(record{Kind: recTrack, Path: d.Name, Sum: digest(d.Sum), Lines: d.print().Lines})
	h.watchFile(d.Name)
	return s.ledger.File(d.Name)
}

// refreshName is refresh for a file whose text is not at hand: it is read only
// if its metadata says that it changed. Of a file that is gone the record
// stays: it may come back, as when an editor saves it, or be heard of under
// another name.
func (h *Hub) refreshName(s *Session, name string) {
	if d := h.open[name]; d != nil {
		h.refresh(s, d)
		return
	}
	f := s.ledger.File(name)
	if f == nil {
		return
	}
	info, err := h.stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		h.changed(s, name)
	}
	if err != nil || !info.Mode().IsRegular() || h.stamped(f, name, info) {
		return
	}
	if d, err := h.fromDisk(name); err == nil {
		h.stamps[name] = stamp{d.info, d.Sum, time.Now()}
		h.refresh(s, d)
	}
}

// stamped reports whether a file's metadata says that it holds what f stands
// for.
func (h *Hub) stamped(f *awareness.File, name string, info fs.FileInfo) bool {
	st, ok := h.stamps[name]
	return ok && st.same(info) && st.sum == f.Sum()
}

// settled is how old a modification must be when a file is hashed for the
// metadata to tell a later one: clocks of file systems are coarse.
const settled = 100 * time.Millisecond

func (st stamp) same(info fs.FileInfo) bool {
	return os.SameFile(st.info, info) && st.info.Size() == info.Size() &&
		st.info.ModTime().Equal(info.ModTime()) && st.at.Sub(info.ModTime()) > settled
}

// findHead returns the path of git's HEAD for a work tree, or "".
func findHead(root string) string {
	for dir := root; ; dir = filepath.Dir(dir) {
		git := filepath.Join(dir, ".git")
		if info, err := os.Stat(git); err == nil {
			if !info.IsDir() { // a linked work tree
				b, err := os.ReadFile(git)
				if err != nil {
					return ""
				}
				git = strings.TrimSpace(strings.TrimPrefix(string(b), "gitdir:"))
				if !filepath.IsAbs(git) {
					git = filepath.Join(dir, git)
				}
			}
			return filepath.Join(git, "HEAD")
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// branch is what git's HEAD held when it was read last.
type branch struct {
	stamp stamp
	name  string
}

// head returns what git calls the checked out branch, "" without git.
func (h *Hub) head() string {
	if h.gitHead == "" {
		return ""
	}
	info, err := os.Stat(h.gitHead)
	if err != nil {
		return ""
	}
	if h.branch.stamp.info == nil || !h.branch.stamp.same(info) {
		at := time.Now()
		b, err := os.ReadFile(h.gitHead)
		if err != nil {
			return ""
		}
		h.branch = branch{stamp{info: info, at: at}, strings.TrimSpace(string(b))}
	}
	return h.branch.name
}

// checkHead resets what a session knows of files that another branch holds
// differently. The caller holds the journal lock.
func (h *Hub) checkHead(s *Session) {
	head := h.head()
	if head == s.head {
		return
	}
	if s.head != "" {
		for _, name := range s.ledger.Names() {
			h.refreshName(s, name)
			if f := s.ledger.File(name); f.Sum() != f.Known() || h.behind(name) {
				s.do(record{Kind: recForget, Path: name})
				h.changed(s, name)
			}
		}
	}
	if s.offset == 0 {
		s.head = head // the first record of the journal holds it
	} else {
		s.do(record{Kind: recHead, Head: head})
	}
}

// behind reports whether the file of an open document holds other text: after
// a change of branches the editor is about to follow it.
func (h *Hub) behind(name string) bool {
	d := h.open[name]
	if d == nil {
		return false
	}
	disk, err := h.fromDisk(name)
	return err != nil || disk.Sum != d.Sum && !sameLines(disk.Text, d.Text)
}
