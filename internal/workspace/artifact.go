package workspace

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/acode-ls/acode-ls/artifacts"
	"github.com/acode-ls/acode-ls/artifacts/jsonpath"
	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/config"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/truncation"
)

// This file is the hub's side of the store of what did not fit: whose an
// artifact is, what is logged of it, and what reading it credits.

// keeping are the stores of a workspace, one for each way they were ever set.
type keeping struct {
	mu     sync.Mutex
	stores map[config.Artifacts]*artifacts.Store
	swept  map[*artifacts.Store]bool
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
		h.log.Warn("artifact refused", zap.String("source_tool", m.Tool), zap.String("session_id", session), zap.Error(err))
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
	h.artifactsChanged(i.Session)
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
	session, err := h.sessionOr(session)
	if err != nil {
		return nil, err
	}
	s, err := h.store()
	if err != nil {
		return nil, err
	}
	a, err := s.Get(session, id)
	if err != nil {
		h.retrievalFailed(session, id, by, err)
		return nil, h.explain(session, err)
	}
	return a, nil
}

func (h *Hub) retrievalFailed(session, id string, by Requester, err error) {
	shown := clip(oneLine(strings.ToValidUTF8(id, "\ufffd")), 64)
	if _, ok := errors.AsType[*artifacts.IDError](err); ok {
		h.log.Warn("artifact id refused", zap.String("attempted_artifact_id", shown),
			zap.String("reason", "malformed"), zap.String("session_id", session))
		return
	}
	level, reason := zapcore.InfoLevel, "failed"
	if _, ok := errors.AsType[*artifacts.NotFoundError](err); ok {
		reason = "not found"
	} else if _, ok := errors.AsType[*artifacts.IntegrityError](err); ok {
		level, reason = zapcore.WarnLevel, "integrity"
	}
	h.log.Log(level, "artifact retrieved", zap.String("artifact_id", shown), zap.String("requester", string(by)),
		zap.Bool("success", false), zap.String("reason", reason), zap.String("session_id", session))
}

// explain adds to an artifact that is not there that its session has ended.
func (h *Hub) explain(session string, err error) error {
	missing, ok := errors.AsType[*artifacts.NotFoundError](err)
	if !ok || missing.Reason != "" {
		return err
	}
	made, ok := artifacts.Time(missing.ID)
	if !ok {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	s, e := h.session(session)
	if h.opts.OwnSessions && made.Before(h.began) || e == nil && !made.After(s.ended) {
		return &artifacts.NotFoundError{ID: missing.ID, Reason: "its session ended, and its artifacts were removed"}
	}
	return err
}

// Wanted is the part of an artifact that is asked for: lines, bytes, what a
// query finds, or all.
type Wanted struct {
	ByLines             bool
	FirstLine, LastLine int // 1-based, both included; a LastLine of 0 is the last there is

	ByBytes    bool
	Start, End int64 // half-open

	Query string // in JSONPath
	Skip  int    // values that the query finds first

	// Limit is how many bytes there is room for, 0 for any number, and Cost how
	// many bytes of it a string takes, nil for as many as it has.
	Limit int
	Cost  func(string) int
}

func (w Wanted) cost(s string) int {
	if w.Cost == nil {
		return len(s)
	}
	return w.Cost(s)
}

// fit returns how many bytes of s there is room for, up to the end of a line if
// that is one or more.
func (w Wanted) fit(s string) int {
	n, left := 0, w.Limit
	for line := range strings.Lines(s) {
		if left -= w.cost(line); left < 0 {
			break
		}
		n += len(line)
	}
	if n > 0 || s == "" {
		return n
	}
	left = w.Limit
	for i, r := range s {
		if left -= w.cost(string(r)); left < 0 {
			return i
		}
	}
	return len(s)
}

func (w Wanted) check() error {
	n := 0
	for _, set := range []bool{w.ByLines, w.ByBytes, w.Query != ""} {
		if set {
			n++
		}
	}
	if n > 1 {
		return fmt.Errorf("%w: lines, bytes and a query exclude one another", ErrWanted)
	}
	return nil
}

func (w Wanted) isAll() bool { return !w.ByLines && !w.ByBytes && w.Query == "" }

// String names the part for the log: a query may hold what is secret.
func (w Wanted) String() string {
	switch {
	case w.Query != "":
		return "query"
	case w.ByLines:
		return fmt.Sprintf("lines %d-%d", w.FirstLine, w.LastLine)
	case w.ByBytes:
		return fmt.Sprintf("bytes %d-%d", w.Start, w.End)
	}
	return "all"
}

// Portion is a part of an artifact.
type Portion struct {
	Info    artifacts.Info
	Content string

	// Where Content is in the artifact, and what there was no room for behind it.
	Span, Left artifacts.Span
	Omitted    int             // characters of Left
	Whole      awareness.Range // lines of the artifact that Content has whole

	// Of a query: the values in Content, which is a list of them in JSON, and
	// how many there are behind the ones to skip.
	IsQuery       bool
	Values, Found int
}

var (
	// ErrWanted marks a part that no artifact has.
	ErrWanted = errors.New("asking for a part of an artifact")

	// ErrPartial marks a part where only all may be asked for.
	ErrPartial = errors.New("parts of artifacts are not given out here: tools.truncation.artifacts.enable_partial_retrieval is false")
)

// Retrieve returns a part of an artifact, and credits the lines of a file that
// it shows a model.
func (h *Hub) Retrieve(session, id string, w Wanted, by Requester) (Portion, error) {
	var p Portion
	err := h.retrieve(session, id, w, by, func(a *artifacts.Artifact) (err error) {
		p = Portion{Info: a.Info()}
		if w.Query != "" {
			return p.query(a, w)
		}
		err = p.read(a, w)
		p.Whole = wholeLines(a, p.Span)
		return err
	})
	if err == nil && by == ForModel && !p.IsQuery {
		h.creditArtifact(p)
	}
	return p, err
}

// Show writes a part of an artifact to out, however large it is.
func (h *Hub) Show(session, id string, w Wanted, by Requester, out io.Writer) error {
	return h.retrieve(session, id, w, by, func(a *artifacts.Artifact) error {
		if w.Query != "" {
			return queryTo(out, a, w)
		}
		span, err := w.span(a)
		if err != nil {
			return err
		}
		r, err := a.Reader(span)
		if err != nil {
			return err
		}
		_, err = io.Copy(out, r)
		return err
	})
}

// retrieve lets f at an artifact and logs how that went.
func (h *Hub) retrieve(session, id string, w Wanted, by Requester, f func(*artifacts.Artifact) error) error {
	if err := w.check(); err != nil {
		return err
	}
	if c, _ := h.configuration(); !c.Tools.Truncation.Artifacts.EnablePartialRetrieval && !w.isAll() {
		return ErrPartial
	}
	a, err := h.Artifact(session, id, by)
	if err != nil {
		return err
	}
	defer a.Close()
	i := a.Info()
	if err := f(a); err != nil {
		h.retrievalFailed(i.Session, id, by, err)
		return err
	}
	h.log.Info("artifact retrieved", zap.String("artifact_id", i.ID), zap.Stringer("retrieval_range", w),
		zap.String("requester", string(by)), zap.Bool("success", true), zap.String("session_id", i.Session))
	return nil
}

func (w Wanted) span(a *artifacts.Artifact) (artifacts.Span, error) {
	switch {
	case w.ByLines:
		return a.Lines(w.FirstLine, w.LastLine)
	case w.ByBytes:
		return a.Bytes(w.Start, w.End)
	}
	return a.All(), nil
}

// read fills p with what is wanted, as far as there is room.
func (p *Portion) read(a *artifacts.Artifact, w Wanted) error {
	asked, err := w.span(a)
	if err != nil {
		return err
	}
	p.Span = asked
	size := asked.End - asked.Start
	if w.Limit > 0 && size > int64(w.Limit) {
		if p.Span, err = a.Bytes(asked.Start, asked.Start+int64(w.Limit)); err != nil {
			return err
		}
	}
	if p.Content, err = contentOf(a, p.Span); err != nil {
		return err
	}
	fits := len(p.Content)
	if w.Limit > 0 {
		fits = w.fit(p.Content)
	}
	if fits == len(p.Content) && p.Span.End == asked.End {
		return nil
	}
	p.Content = p.Content[:fits]
	end := p.Span.Start + int64(fits)
	p.Span = artifacts.Span{Start: asked.Start, End: asked.Start, FirstLine: asked.FirstLine, LastLine: asked.FirstLine}
	if fits > 0 {
		if p.Span, err = a.Bytes(asked.Start, end); err != nil {
			return err
		}
	}
	if p.Left, err = a.Bytes(end, asked.End); err != nil {
		return err
	}
	r, err := a.Reader(p.Left)
	if err != nil {
		return err
	}
	var left text.Counter
	if _, err := io.Copy(&left, r); err != nil {
		return fmt.Errorf("reading artifact %s: %w", p.Info.ID, err)
	}
	p.Omitted = left.Characters()
	return nil
}

func contentOf(a *artifacts.Artifact, span artifacts.Span) (string, error) {
	r, err := a.Reader(span)
	if err != nil {
		return "", err
	}
	b := make([]byte, span.End-span.Start)
	if _, err := io.ReadFull(r, b); err != nil {
		return "", fmt.Errorf("reading artifact %s: %w", a.Info().ID, err)
	}
	return view(b), nil
}

// maxQueried is how many bytes of JSON a query may need in memory at once.
const maxQueried = 256 << 20

// each calls yield for the values that a query finds in an artifact.
func each(a *artifacts.Artifact, query string, yield func(value []byte) bool) error {
	i := a.Info()
	if i.Type != truncation.TypeJSON {
		return fmt.Errorf("%w: %s is %s, and only application/json can be queried", ErrWanted, i.ID, i.Type)
	}
	q, err := jsonpath.Parse(query)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrWanted, err)
	}
	open := func() (io.ReadCloser, error) {
		r, err := a.Reader(a.All())
		return io.NopCloser(r), err
	}
	if err := q.Each(open, maxQueried, yield); err != nil {
		return fmt.Errorf("querying artifact %s: %w", i.ID, err)
	}
	return nil
}

// query fills p with a list of the values that a query finds, as far as there
// is room.
func (p *Portion) query(a *artifacts.Artifact, w Wanted) error {
	p.IsQuery = true
	const open, between, end = "[\n", ",\n", "\n]\n"
	var b strings.Builder
	skip, left := w.Skip, w.Limit-w.cost(open+end)
	err := each(a, w.Query, func(value []byte) bool {
		if skip > 0 {
			skip--
			return true
		}
		p.Found++
		if p.Values < p.Found-1 { // there was no room before
			return true
		}
		before := between
		if b.Len() == 0 {
			before = open
		}
		if left -= w.cost(before) + w.cost(view(value)); w.Limit > 0 && left < 0 {
			return true
		}
		b.WriteString(before)
		b.Write(value)
		p.Values++
		return true
	})
	if err != nil {
		return err
	}
	if p.Content = b.String() + end; p.Values == 0 {
		p.Content = "[]\n"
	}
	return nil
}

// queryTo writes a list of the values that a query finds.
func queryTo(out io.Writer, a *artifacts.Artifact, w Wanted) error {
	buffered := bufio.NewWriter(out)
	skip, before := w.Skip, "[\n"
	err := each(a, w.Query, func(value []byte) bool {
		if skip > 0 {
			skip--
			return true
		}
		_, _ = buffered.WriteString(before) // an error shows at the next write
		_, err := buffered.Write(value)
		before = ",\n"
		return err == nil
	})
	if err != nil {
		return err
	}
	end := "\n]\n"
	if before == "[\n" {
		end = "[]\n"
	}
	if _, err := buffered.WriteString(end); err != nil {
		return err
	}
	return buffered.Flush()
}

// creditArtifact credits what a part of an artifact shows of the file it was
// read from, if the file still is what was read.
func (h *Hub) creditArtifact(p Portion) {
	o, ok := parseOrigin(p.Info.Origin)
	if !ok {
		return
	}
	lines := p.Whole
	if lines.Len() <= 0 {
		return
	}
	lines = awareness.Range{Start: lines.Start + o.First - 1, End: lines.End + o.First - 1}
	_ = h.update(p.Info.Session, func(s *Session) error {
		d, err := h.document(o.Name)
		if err != nil || d.Bytes != awareness.Hash(o.Sum) || lines.End > d.Text.Len() {
			return err
		}
		_, redactor := h.configuration()
		masked := h.masked(d, redactor)
		_, altered := truncation.Sanitize(text.Split(d.Text.Span(lines.Start, lines.End)))
		shown := without([]awareness.Range{lines}, altered, lines.Start)
		hidden := masked.within(shown)
		h.credit(s, d, without(shown, masked.lines, 1), hidden)
		return nil
	})
}

// wholeLines returns the lines of the artifact that a part of it has whole.
func wholeLines(a *artifacts.Artifact, span artifacts.Span) awareness.Range {
	r := awareness.Range{Start: span.FirstLine, End: span.LastLine}
	if span.Start == span.End {
		return awareness.Range{}
	}
	if first, err := a.Lines(r.Start, r.Start); err != nil || first.Start < span.Start {
		r.Start++
	}
	if last, err := a.Lines(r.End, r.End); err != nil || span.End < last.End {
		r.End--
	}
	return r
}

// Put makes an artifact of what a person or a program gives, with secrets
// masked. An empty summary is made up.
func (h *Hub) Put(out Output, summary string) (artifacts.Info, error) {
	p, err := h.processing(out)
	if err != nil {
		return artifacts.Info{}, err
	}
	p.summary = summary
	i, err := p.put()
	if tooLarge, ok := errors.AsType[*truncation.TooLargeError](err); ok {
		return i, h.refuse(out.Tool, tooLarge)
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
	i, err := s.Export(session, id, path, force)
	if err != nil {
		h.retrievalFailed(session, id, ForUser, err)
		return i, h.explain(session, err)
	}
	h.log.Info("artifact retrieved", zap.String("artifact_id", i.ID), zap.String("retrieval_range", "all"),
		zap.String("requester", string(ForUser)), zap.Bool("success", true), zap.String("session_id", i.Session))
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
	s, err := h.store()
	if err != nil {
		return artifacts.Removed{}, err
	}
	removed, err := s.End(id)
	if err != nil {
		return removed, err
	}
	err = h.update(id, func(s *Session) error {
		s.do(record{Kind: recEnd, At: time.Now().UnixMilli()})
		return nil
	})
	h.removed(id, removed)
	return removed, err
}

// closeStores ends the sessions of this process.
func (h *Hub) closeStores() error {
	h.keeping.mu.Lock()
	defer h.keeping.mu.Unlock()
	var errs []error
	for set, s := range h.keeping.stores {
		keep := !set.CleanupOnExit || !h.opts.OwnSessions
		_, err := s.Close(keep)
		errs = append(errs, err)
	}
	h.keeping.stores = nil
	return errors.Join(errs...)
}
