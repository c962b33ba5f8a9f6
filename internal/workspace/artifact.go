package workspace

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/acode-ls/acode-ls/artifacts"
	"github.com/acode-ls/acode-ls/internal/config"
	"github.com/acode-ls/acode-ls/truncation"
)

// This file is the hub's side of the store of what did not fit: whose an
// artifact is, what is logged of it, and what reading it credits.

// keeping are the stores of a workspace, one for each way they were ever set.
type keeping struct {
	reads  map[readKey]artifacts.Info // guarded by mu
	mu     sync.Mutex
	stores map[config.Artifacts]*artifacts.Store
	swept  map[*artifacts.Store]bool

	// As last seen by the watcher.
	folders map[*artifacts.Store]time.Time
	seen    map[string]string // sessions by artifact
}

// ArtifactURI returns the URI of an artifact as a document.
func ArtifactURI(i artifacts.Info) string { return "acode-artifact:/" + path.Base(i.Path) }

// store returns the store that the settings of now ask for.
func (h *Hub) store() (*artifacts.Store, error) {
	c, _ := h.configuration()
	set := c.Tools.Truncation.Artifacts
	k := &h.keeping
	k.mu.Lock()
	defer k.mu.Unlock()
	if s := k.stores[set]; s != nil {
		return s, nil
	}
	if isReserved(set.StoragePath) {
		return nil, fmt.Errorf("tools.truncation.artifacts.storage_path: %s holds other things; name a folder of its own, such as .acode/artifacts", set.StoragePath)
	}
	o := artifacts.Options{
		Folder: set.StoragePath, Prepare: h.prepareState, Now: time.Now,
		Quota: set.SessionQuota, PerMinute: set.MaxPerMinute, Compress: set.CompressLarge, Detached: !h.opts.OwnSessions,
	}
	if set.Sign {
		var err error
		if o.Key, err = signingKey(); err != nil {
			return nil, err
		}
	}
	s := artifacts.Open(h.dir, o)
	if k.stores == nil {
		k.stores = map[config.Artifacts]*artifacts.Store{}
	}
	k.stores[set] = s
	return s, nil
}

// isReserved reports whether a folder cannot be that of artifacts, as git or
// the program itself has something there.
func isReserved(folder string) bool {
	folder = strings.ToLower(path.Clean(folder)) + "/"
	return folder == stateDir+"/" || strings.HasPrefix(folder, stateDir+"/sessions/") ||
		strings.HasPrefix(folder, ".git/") || strings.HasPrefix(folder, ".agent/")
}

// prepareState makes the state folder.
func (h *Hub) prepareState() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.openState()
}

// signingKey returns the key with which a person's artifacts are signed, made
// when it is first needed.
func signingKey() ([]byte, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return nil, fmt.Errorf("finding the key for artifacts: %w", err)
	}
	dir = filepath.Join(dir, "acode-ls")
	path := filepath.Join(dir, "artifact.key")
	const size = 32
	for range 2 {
		key, err := os.ReadFile(path)
		switch {
		case err == nil && len(key) == size:
			return key, nil
		case err == nil:
			return nil, fmt.Errorf("%s is not a key of %d bytes; remove it to have a new one made", path, size)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("reading the key for artifacts: %w", err)
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("making the key for artifacts: %w", err)
		}
		key = make([]byte, size)
		_, _ = rand.Read(key) // never fails
		temp := path + "." + rand.Text()[:8]
		if err := os.WriteFile(temp, key, 0o600); err != nil {
			os.Remove(temp)
			return nil, fmt.Errorf("making the key for artifacts: %w", err)
		}
		err = os.Link(temp, path) // the first to come makes it
		os.Remove(temp)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("making the key for artifacts: %w", err)
		}
	}
	return nil, fmt.Errorf("making the key for artifacts: %s comes and goes", path)
}

// Sweep removes the artifacts of sessions that are gone, and what processes
// left that died.
func (h *Hub) Sweep() {
	c, _ := h.configuration()
	if !c.Tools.Truncation.Artifacts.CleanupOnExit {
		return
	}
	s, err := h.store()
	if err != nil {
		h.log.Warn("sweeping artifacts", zap.Error(err))
		return
	}
	h.keeping.mu.Lock()
	if h.keeping.swept == nil {
		h.keeping.swept = map[*artifacts.Store]bool{}
	}
	h.keeping.swept[s] = true
	h.keeping.mu.Unlock()
	removed, err := s.Sweep(h.isExpired)
	if err != nil {
		h.log.Warn("sweeping artifacts", zap.Error(err))
	}
	if removed.Artifacts > 0 {
		h.log.Info("artifacts swept", zap.Int("artifacts", removed.Artifacts), zap.Int64("bytes", removed.Bytes))
	}
}

// isExpired reports whether nobody used a session for the idle time. latest is
// when it last made an artifact.
func (h *Hub) isExpired(session string, latest time.Time) bool {
	if info, err := h.dir.Lstat(filepath.Join(stateDir, "sessions", session+".jsonl")); err == nil && info.ModTime().After(latest) {
		latest = info.ModTime()
	}
	return time.Since(latest) > h.idleTTL()
}

// create begins an artifact of a session.
func (h *Hub) create(session string, m artifacts.Meta) (*artifacts.Writer, error) {
	s, err := h.store()
	if err != nil {
		return nil, err
	}
	h.sweepOnce(s)
	w, err := s.Create(session, m)
	if err != nil {
		h.log.Info("artifact refused", zap.String("source_tool", m.Tool), zap.String("session_id", session), zap.Error(err))
	}
	return w, err
}

// sweepOnce sweeps before a store is first used.
func (h *Hub) sweepOnce(s *artifacts.Store) {
	h.keeping.mu.Lock()
	swept := h.keeping.swept[s]
	h.keeping.mu.Unlock()
	if !swept {
		h.Sweep()
	}
}

// created logs that an artifact was made, and what had to go for it.
func (h *Hub) created(i artifacts.Info, evicted []artifacts.Info) {
	h.log.Info("artifact created", zap.String("artifact_id", i.ID), zap.Int64("size", i.Size),
		zap.String("source_tool", i.Tool), zap.Time("timestamp", i.Created), zap.String("session_id", i.Session))
	for _, e := range evicted {
		h.log.Info("artifact evicted", zap.String("artifact_id", e.ID), zap.Int64("size", e.Size), zap.String("session_id", e.Session))
	}
	h.keeping.mu.Lock()
	if h.keeping.seen != nil {
		h.keeping.seen[i.ID] = i.Session
	}
	h.keeping.mu.Unlock()
	if !h.opts.NoSessions {
		h.mu.Lock()
		if s, err := h.session(i.Session); err == nil {
			s.used = i.Created // it is the one that is meant when none is named
		}
		h.mu.Unlock()
	}
	h.artifactsChanged(i.Session)
}

// newArtifacts tells of artifacts that other processes made or removed.
func (h *Hub) newArtifacts() {
	k := &h.keeping
	isNews := false
	now := map[*artifacts.Store]time.Time{}
	for _, s := range h.stores() {
		now[s] = s.ModTime()
		k.mu.Lock()
		isNews = isNews || !now[s].Equal(k.folders[s])
		k.mu.Unlock()
	}
	if !isNews {
		return
	}
	seen := map[string]string{}
	for s := range now {
		infos, _, err := s.List("", "", 0)
		if err != nil {
			h.log.Debug("looking for artifacts", zap.Error(err))
			return
		}
		for _, i := range infos {
			seen[i.ID] = i.Session
		}
	}
	k.mu.Lock()
	before := k.seen
	k.seen, k.folders = seen, now
	k.mu.Unlock()
	sessions := map[string]bool{}
	for _, pair := range [][2]map[string]string{{seen, before}, {before, seen}} {
		for id, session := range pair[0] {
			if _, ok := pair[1][id]; !ok {
				sessions[session] = true
			}
		}
	}
	for session := range sessions {
		h.artifactsChanged(session)
	}
}

// artifactsChanged tells that the artifacts of a session are others now.
func (h *Hub) artifactsChanged(session string) {
	h.mu.Lock()
	tell := h.onArtifacts
	h.mu.Unlock()
	if tell != nil {
		tell(session)
	}
}

// OnArtifacts sets what is told when the artifacts of a session have changed.
// It is called without locks held.
func (h *Hub) OnArtifacts(f func(session string)) {
	h.mu.Lock()
	h.onArtifacts = f
	h.mu.Unlock()
}

// Requester is on whose behalf an artifact is retrieved.
type Requester string

const (
	ForModel Requester = "model"
	ForUser  Requester = "user"
)

// ActiveSession returns the session that is meant when none is named.
func (h *Hub) ActiveSession() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.activeID()
}

// AnySession stands for all sessions where a person asks for an artifact.
const AnySession = "*"

// sessionOr returns the session that id means, "" for any.
func (h *Hub) sessionOr(id string) (string, error) {
	switch id {
	case "":
		return h.ActiveSession(), nil
	case AnySession:
		return "", nil
	}
	return id, CheckSessionID(id)
}

// Artifact opens an artifact of a session. The caller closes it.
func (h *Hub) Artifact(session, id string, by Requester) (*artifacts.Artifact, error) {
	return h.artifact(session, id, "none", by)
}

// artifact opens an artifact of which part is wanted.
func (h *Hub) artifact(session, id, part string, by Requester) (*artifacts.Artifact, error) {
	session, err := h.sessionOr(session)
	if err != nil {
		return nil, err
	}
	s, err := h.store()
	if err != nil {
		return nil, err
	}
	a, err := s.Get(session, id)
	for _, other := range h.stores() { // where artifacts were kept before the settings changed
		if _, ok := errors.AsType[*artifacts.NotFoundError](err); ok && other != s {
			if found, e := other.Get(session, id); e == nil {
				a, err = found, nil
			}
		}
	}
	if err != nil {
		h.retrievalFailed(session, id, part, by, err)
		return nil, h.explain(session, err)
	}
	return a, nil
}

// stores returns all stores that were used.
func (h *Hub) stores() []*artifacts.Store {
	h.keeping.mu.Lock()
	defer h.keeping.mu.Unlock()
	return slices.Collect(maps.Values(h.keeping.stores))
}

func (h *Hub) retrievalFailed(session, id, part string, by Requester, err error) {
	shown := clip(oneLine(strings.ToValidUTF8(id, "\ufffd")), 64)
	if _, ok := errors.AsType[*artifacts.IDError](err); ok {
		h.log.Info("artifact id refused", zap.String("attempted_artifact_id", shown),
			zap.String("reason", "malformed"), zap.String("session_id", session))
		return
	}
	level, reason := zapcore.InfoLevel, "failed"
	if _, ok := errors.AsType[*artifacts.NotFoundError](err); ok {
		reason = "not found"
	} else if _, ok := errors.AsType[*artifacts.IntegrityError](err); ok {
		level, reason = zapcore.WarnLevel, "integrity"
	}
	h.log.Log(level, "artifact retrieved", zap.String("artifact_id", shown), zap.String("retrieval_range", part),
		zap.String("requester", string(by)), zap.Bool("success", false), zap.String("reason", reason), zap.String("session_id", session))
}

// explain adds to an artifact that is not there that its session has ended.
func (h *Hub) explain(session string, err error) error {
	missing, ok := errors.AsType[*artifacts.NotFoundError](err)
	if !ok || missing.Reason != "" || session == "" {
		return err
	}
	made, ok := artifacts.Time(missing.ID)
	if !ok {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	s, e := h.session(session)
	if e == nil {
		_, e = s.sync() // another process may have ended it
	}
	if h.opts.OwnSessions && made.Before(h.began) || e == nil && !made.After(s.ended) {
		return &artifacts.NotFoundError{ID: missing.ID, Reason: "its session ended, and its artifacts were removed"}
	}
	return err
}

// Put makes an artifact of what a person or a program gives, with secrets
// masked. An empty summary is made up. Without a tool, it is the first word of
// the source.
func (h *Hub) Put(out Output, summary string) (artifacts.Info, error) {
	if out.Tool == "" { // masked first: a secret is known by the words around it
		_, redactor := h.configuration()
		source := cleanSource(redactor, out.Source)
		end := 0
		if strings.HasPrefix(source, "[REDACTED: ") {
			end = strings.IndexByte(source, ']') + 1
		}
		if space := strings.IndexByte(source[end:], ' '); space >= 0 {
			end += space
		} else {
			end = len(source)
		}
		out.Tool, out.Source = source[:end], source[end:]
	}
	p, err := h.processing(out)
	if err != nil {
		return artifacts.Info{}, err
	}
	p.summary = summary
	i, err := p.put()
	err = refusal(err)
	if tooLarge, ok := errors.AsType[*truncation.TooLargeError](err); ok {
		return i, h.refuse(p.out.Tool, p.session, tooLarge)
	}
	return i, err
}

// Artifacts lists artifacts of a session, the oldest first, from a cursor on.
func (h *Hub) Artifacts(session, cursor string, limit int) ([]artifacts.Info, string, error) {
	session, err := h.sessionOr(session)
	if err != nil {
		return nil, "", err
	}
	s, err := h.store()
	if err != nil {
		return nil, "", err
	}
	return s.List(session, cursor, limit)
}

// LatestSession returns the session of the artifact made last, or fallback.
func (h *Hub) LatestSession(fallback string) (string, error) {
	s, err := h.store()
	if err != nil {
		return "", err
	}
	all, _, err := s.List("", "", 0)
	if err != nil || len(all) == 0 {
		return fallback, err
	}
	return all[len(all)-1].Session, nil
}

// Export copies an artifact to a file anywhere.
func (h *Hub) Export(session, id, path string, force bool) (artifacts.Info, error) {
	s, err := h.store()
	if err != nil {
		return artifacts.Info{}, err
	}
	if session == AnySession {
		session = ""
	}
	i, err := s.Export(session, id, path, force)
	if err != nil {
		h.retrievalFailed(session, id, "all", ForUser, err)
		return i, h.explain(session, err)
	}
	h.log.Info("artifact retrieved", zap.String("artifact_id", i.ID), zap.String("retrieval_range", "all"),
		zap.String("requester", string(ForUser)), zap.Bool("success", true), zap.String("session_id", i.Session))
	h.count(i.Session, &Counts{Retrieved: map[string]int{i.ID: 1}})
	return i, nil
}

// Clean removes the artifacts of a session and of those that are gone, or all
// there are.
func (h *Hub) Clean(session string, all bool) (artifacts.Removed, error) {
	s, err := h.store()
	if err != nil {
		return artifacts.Removed{}, err
	}
	if all {
		removed, err := s.CleanAll()
		h.removed(session, removed)
		return removed, err
	}
	removed, err := s.Clean(session)
	if err != nil {
		return removed, err
	}
	dead, err := s.Sweep(h.isExpired)
	removed.Artifacts += dead.Artifacts
	removed.Bytes += dead.Bytes
	h.removed(session, removed)
	return removed, err
}

// RemoveArtifact removes an artifact of any session.
func (h *Hub) RemoveArtifact(id string) error {
	a, err := h.Artifact(AnySession, id, ForUser)
	if err != nil {
		return err
	}
	session := a.Info().Session
	if err := a.Close(); err != nil {
		return err
	}
	s, err := h.store()
	if err != nil {
		return err
	}
	r, err := s.Remove(id)
	h.removed(session, r)
	return err
}

func (h *Hub) removed(session string, r artifacts.Removed) {
	if r.Artifacts == 0 {
		return
	}
	h.log.Info("artifacts removed", zap.Int("artifacts", r.Artifacts), zap.Int64("bytes", r.Bytes), zap.String("session_id", session))
	h.artifactsChanged(session)
}

// EndSession ends a session: its artifacts go, its ledger stays for a while.
func (h *Hub) EndSession(id string) (artifacts.Removed, error) {
	if err := CheckSessionID(id); err != nil {
		return artifacts.Removed{}, err
	}
	if _, err := h.store(); err != nil {
		return artifacts.Removed{}, err
	}
	var removed artifacts.Removed
	c, _ := h.configuration()
	for _, s := range h.stores() {
		if !c.Tools.Truncation.Artifacts.CleanupOnExit {
			break // they stay until the program next starts with true
		}
		r, err := s.End(id)
		removed.Artifacts += r.Artifacts
		removed.Bytes += r.Bytes
		if err != nil {
			return removed, err
		}
	}
	err := h.update(id, func(s *Session) error {
		s.do(record{Kind: recEnd, At: time.Now().UnixMilli()})
		return nil
	})
	h.removed(id, removed)
	return removed, err
}

// closeStores ends the sessions of this process.
func (h *Hub) closeStores() error {
	c, _ := h.configuration()
	keep := !c.Tools.Truncation.Artifacts.CleanupOnExit || !h.opts.OwnSessions
	h.keeping.mu.Lock()
	defer h.keeping.mu.Unlock()
	var errs []error
	for _, s := range h.keeping.stores {
		_, err := s.Close(keep)
		errs = append(errs, err)
	}
	h.keeping.stores = nil
	return errors.Join(errs...)
}
