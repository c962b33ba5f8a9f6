package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/acode-ls/acode-ls/awareness"
)

// DefaultSession is the session of callers that name none where none exists.
const DefaultSession = "default"

// Session is one agent's ledger in this workspace.
type Session struct {
	ID string

	hub    *Hub
	loaded bool // the journal was read once
	ledger awareness.Ledger
	agent  string
	head   string // the branch the ledger was last checked against
	used   time.Time
	ended  time.Time // last, zero if never
	over   bool      // it has ended, and nothing happened since

	expected map[string]record // recExpect, by path

	counts  Counts
	waiting map[string]bool // files whose missing lines were handed out, until an edit is tried

	// The journal, read up to offset.
	file   *os.File
	info   fs.FileInfo
	offset int64
	broken bool

	compacted int64 // bytes of state that the journal began with
}

const maxSessionID = 128

// isSessionID is written out because a regular expression takes longer to
// compile than a short command to run.
func isSessionID(id string) bool {
	for _, c := range []byte(id) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return 0 < len(id) && len(id) <= maxSessionID
}

// ErrSessionID marks a session id that is not allowed.
var ErrSessionID = errors.New("a session id has 1 to 128 characters out of A-Z a-z 0-9 . _ -")

// CheckSessionID returns an error for an id that no session can have.
func CheckSessionID(id string) error {
	if !isSessionID(id) {
		return fmt.Errorf("session id %q: %w", id, ErrSessionID)
	}
	return nil
}

// session returns a session by id; with an empty id the selected one, else the
// most recently used, else the default. The caller holds h.mu.
func (h *Hub) session(id string) (*Session, error) {
	if id == "" {
		id = h.activeID()
	}
	if err := CheckSessionID(id); err != nil {
		return nil, err
	}
	s := h.known(id)
	if s.loaded {
		return s, nil
	}
	if _, err := s.sync(); err != nil {
		return nil, fmt.Errorf("reading the journal of session %s: %w", id, err)
	}
	s.loaded = true
	if s.isLong() {
		err := h.locked(func() error {
			if _, err := s.sync(); err != nil {
				return err
			}
			return s.compact()
		})
		if err != nil {
			h.log.Warn("compacting a journal", zap.String("session", id), zap.Error(err))
		}
	}
	return s, nil
}

// activeID returns the session that is meant when none is named.
func (h *Hub) activeID() string {
	if h.selected != "" {
		return h.selected
	}
	var latest *Session
	for _, s := range h.sessions {
		if s.used.IsZero() || s.loaded && s.ledger.Len() == 0 && s.agent == "" { // of which there is nothing to show
			continue
		}
		if latest == nil || s.used.After(latest.used) {
			latest = s
		}
	}
	if latest == nil {
		return DefaultSession
	}
	return latest.ID
}

// loadSessions finds the journals of this workspace and drops those nobody
// used for the idle time. A process that follows no files reads a journal when
// it first needs it.
func (h *Hub) loadSessions() {
	for id, info := range h.journalFiles() {
		if time.Since(info.ModTime()) > h.idleTTL() && h.dropJournal(info.Name()) {
			continue
		}
		h.known(id).used = info.ModTime()
		if !h.opts.Watch { // else its files are
			continue
		}
		if _, err := h.session(id); err != nil {
			h.log.Warn("loading a session", zap.String("session", id), zap.Error(err))
		}
	}
}

// journalFiles yields the journals by session.
func (h *Hub) journalFiles() iter.Seq2[string, fs.FileInfo] {
	return func(yield func(string, fs.FileInfo) bool) {
		entries, err := fs.ReadDir(h.dir.FS(), stateDir+"/sessions")
		if err != nil {
			return
		}
		for _, e := range entries {
			id, ok := strings.CutSuffix(e.Name(), ".jsonl")
			info, err := e.Info()
			if !ok || err != nil || !isSessionID(id) || !info.Mode().IsRegular() {
				continue
			}
			if !yield(id, info) {
				return
			}
		}
	}
}

// known returns a session, which may not be loaded.
func (h *Hub) known(id string) *Session {
	s := h.sessions[id]
	if s == nil {
		s = &Session{ID: id, hub: h}
		h.sessions[id] = s
	}
	return s
}

// dropJournal removes a journal that nobody used for the idle time, also when
// seen under the lock, and reports whether it is gone.
func (h *Hub) dropJournal(file string) bool {
	path := filepath.Join(stateDir, "sessions", file)
	err := h.locked(func() error {
		info, err := h.dir.Lstat(path)
		if err != nil {
			return err
		}
		if time.Since(info.ModTime()) <= h.idleTTL() {
			return errors.New("it is in use")
		}
		return h.dir.Remove(path)
	})
	return err == nil
}

// SessionInfo describes a session for a list.
type SessionInfo struct {
	ID       string
	Agent    string
	Active   bool // the one meant when none is named
	Selected bool // by Select; else the active one is the latest used
	Files    int
	LastUsed time.Time
	Over     bool // it has ended; it may begin again

	Artifacts int // only of AllSessions
}

// Sessions lists the sessions of the workspace, the latest used first.
func (h *Hub) Sessions() []SessionInfo {
	h.mu.Lock()
	defer h.unlock()
	h.loadNewSessions()
	active := h.activeID()
	var out []SessionInfo
	for _, s := range h.sessions {
		if s.used.IsZero() && s.ledger.Len() == 0 && s.ID != h.selected {
			continue
		}
		out = append(out, SessionInfo{ID: s.ID, Agent: s.agent, Active: s.ID == active, Selected: s.ID == h.selected, Files: s.ledger.Len(), LastUsed: s.used, Over: s.over})
	}
	slices.SortFunc(out, latestFirst)
	return out
}

// AllSessions lists the sessions with those that only have artifacts, and how
// many each has.
func (h *Hub) AllSessions() ([]SessionInfo, error) {
	out := h.Sessions()
	store, err := h.store()
	if err != nil {
		return nil, err
	}
	all, _, err := store.List("", "", 0)
	if err != nil {
		return nil, err
	}
	for _, a := range all {
		i := slices.IndexFunc(out, func(s SessionInfo) bool { return s.ID == a.Session })
		if i < 0 {
			i = len(out)
			out = append(out, SessionInfo{ID: a.Session})
		}
		out[i].Artifacts++
		if a.Created.After(out[i].LastUsed) {
			out[i].LastUsed = a.Created
		}
	}
	slices.SortFunc(out, latestFirst)
	return out, nil
}

func latestFirst(a, b SessionInfo) int {
	return cmp.Or(b.LastUsed.Compare(a.LastUsed), strings.Compare(a.ID, b.ID))
}

// loadNewSessions takes note of journals that other processes began or wrote.
func (h *Hub) loadNewSessions() {
	for id := range h.journalFiles() {
		old := h.sessions[id]
		isNew := old == nil || !old.loaded
		s, err := h.session(id)
		if err != nil {
			continue
		}
		if changed, err := s.sync(); err == nil && (changed || isNew) {
			for _, name := range s.ledger.Names() {
				h.changed(s, name)
			}
		}
	}
}

// Select makes a session the one that is meant when none is named; "" leaves it
// to which was used last.
func (h *Hub) Select(id string) error {
	if id != "" {
		if err := CheckSessionID(id); err != nil {
			return err
		}
	}
	h.mu.Lock()
	defer h.unlock()
	before := h.selected
	h.selected = id
	s, err := h.session("")
	if err != nil {
		h.selected = before
		return err
	}
	for name := range h.open {
		h.changed(s, name)
	}
	return nil
}

// Round counts a turn of the agent.
func (h *Hub) Round(id string) error {
	return h.update(id, func(s *Session) error {
		s.do(record{Kind: recRound})
		return nil
	})
}

// Forget drops what a session knows of a file.
func (h *Hub) Forget(id, path string) error {
	name, err := h.Name(path)
	if err != nil {
		return err
	}
	return h.update(id, func(s *Session) error {
		if s.ledger.File(name) != nil {
			s.do(record{Kind: recForget, Path: name})
		}
		h.changed(s, name)
		return nil
	})
}
