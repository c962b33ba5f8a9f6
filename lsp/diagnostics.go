package lsp

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/config"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// source names us in diagnostics.
const source = "acode-ls"

// Codes of diagnostics and warnings.
const (
	codeUnread = "unread"
	codeStale  = "stale"
	codeConfig = "config"
)

// diagnose says what the agent does not know of a document.
func (s *Server) diagnose(v workspace.View) []protocol.Diagnostic {
	out := []protocol.Diagnostic{}
	if !v.Touched || !s.settings.Load().Diagnostics {
		return out
	}
	add := func(code string, severity protocol.DiagnosticSeverity, r awareness.Range, message string, tags []protocol.DiagnosticTag) {
		out = append(out, protocol.Diagnostic{
			Range: s.lineSpan(v.Text, r.Start, r.End), Severity: severity, Code: code, Source: source,
			Message: message, Tags: tags, Data: diagnosticData{v.Session, lineRanges([]awareness.Range{r})},
		})
	}
	if v.State != awareness.NeverRead {
		for _, r := range v.Unread {
			what := "lines "
			if r.Len() == 1 {
				what = "line "
			}
			add(codeUnread, protocol.DiagnosticSeverityHint, r,
				"Agent has not read "+what+awareness.Ranges([]awareness.Range{r}),
				[]protocol.DiagnosticTag{protocol.DiagnosticTagUnnecessary})
		}
	}
	if v.Stale {
		changed := v.Changed
		message := "Changed since the agent read it"
		if len(changed) == 0 {
			changed = []awareness.Range{{Start: 1, End: 1}}
			message = "The file changed since the agent read it"
		}
		for _, r := range changed {
			add(codeStale, protocol.DiagnosticSeverityInformation, r, message, nil)
		}
	}
	return out
}

// configDiagnostics says what is wrong with the settings of a workspace.
func (s *Server) configDiagnostics(h *workspace.Hub) []protocol.Diagnostic {
	_, problems := h.Configuration()
	if len(problems) == 0 {
		return nil
	}
	var l text.Lines
	if d, err := h.TextOf(h.Path(config.File)); err == nil {
		l = d.Text
	}
	out := make([]protocol.Diagnostic, len(problems))
	for i, p := range problems {
		line := max(1, min(p.Line, l.Len()))
		r := s.lineSpan(l, line, line)
		if p.Line == line {
			start := text.Prefix(l.Line(line), p.Column-1)
			r.Start.Character = uint32(text.Columns(start, s.encoding))
		}
		message := p.Message
		if p.Suggestion != "" {
			message += fmt.Sprintf("; did you mean %q?", p.Suggestion)
		}
		out[i] = protocol.Diagnostic{
			Range: r, Severity: protocol.DiagnosticSeverityError, Code: codeConfig, Source: source, Message: message,
			Data: diagnosticData{Ranges: []lineRange{{line, line}}},
		}
	}
	return out
}

// diagnosticsOf returns the diagnostics of a file as it is now, its version,
// and whether anything is to be said of it.
func (s *Server) diagnosticsOf(doc document) (items []protocol.Diagnostic, version int32, ok bool) {
	items = []protocol.Diagnostic{}
	v, ok := doc.hub.View(doc.hub.Path(doc.name))
	if ok {
		items, version = s.diagnose(v), v.Version
	}
	if doc.name == config.File {
		return append(items, s.configDiagnostics(doc.hub)...), version, true
	}
	return items, version, ok
}

// diagnostic answers a client that asks for diagnostics itself.
func (s *Server) diagnostic(_ context.Context, params json.RawMessage) (any, error) {
	p, err := decode[documentDiagnosticParams](params)
	if err != nil {
		return nil, err
	}
	items := []protocol.Diagnostic{}
	if doc, _, err := s.locate(p.TextDocument.URI); err == nil {
		items, _, _ = s.diagnosticsOf(doc)
	}
	raw, err := json.Marshal(items)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(raw)
	id := base64.RawStdEncoding.EncodeToString(sum[:12])
	if id == p.PreviousResultID {
		return documentDiagnosticReport{Kind: "unchanged", ResultID: id}, nil
	}
	return documentDiagnosticReport{Kind: "full", ResultID: id, Items: &items}, nil
}

// news carries what changed in the ledgers to the client: bundled, after a
// pause, and never about a text that is no longer there.
type news struct {
	server *Server
	exited atomic.Bool // the client said exit

	// sending is held while messages are made and sent, so that what is sent
	// later was seen later, and while a document changes, so that nothing is
	// sent about the text before once the change was taken.
	sending   sync.Mutex
	published map[document]publication

	mu      sync.Mutex
	pending map[document]bool
	states  map[*workspace.Hub]map[string]map[string]bool // session → names
	blocked []editRefused
	timer   func() bool // stops the running one
	stopped bool
	running sync.WaitGroup
}

type publication struct {
	version int32
	sum     [sha256.Size]byte
}

// document says that the text of a document, or what is known of it, changed.
func (n *news) document(doc document) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.pending == nil {
		n.pending = make(map[document]bool)
	}
	n.pending[doc] = true
	n.schedule()
}

// changed says that what a session knows of files changed.
func (n *news) changed(h *workspace.Hub, session string, names []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.pending == nil {
		n.pending = make(map[document]bool)
	}
	if n.states == nil {
		n.states = make(map[*workspace.Hub]map[string]map[string]bool)
	}
	if n.states[h] == nil {
		n.states[h] = make(map[string]map[string]bool)
	}
	if n.states[h][session] == nil {
		n.states[h][session] = make(map[string]bool)
	}
	for _, name := range names {
		n.states[h][session][name] = true
		n.pending[document{h, name}] = true
	}
	n.schedule()
}

// refused says that the guard refused an edit.
func (n *news) refused(r editRefused) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.blocked = append(n.blocked, r)
	n.schedule()
}

// everything says that all that is shown may be different now.
func (n *news) everything() {
	for _, doc := range n.server.docs.all() {
		n.document(doc)
	}
}

// schedule starts the pause unless one is running: a client that types without
// end still hears in time.
func (n *news) schedule() {
	if n.timer != nil || n.stopped {
		return
	}
	delay := time.Duration(n.server.settings.Load().DelayMS) * time.Millisecond
	n.timer = n.server.opts.AfterFunc(delay, func() {
		n.mu.Lock()
		if n.stopped {
			n.mu.Unlock()
			return
		}
		n.running.Add(1)
		pending, states, blocked := n.pending, n.states, n.blocked
		n.pending, n.states, n.blocked, n.timer = nil, nil, nil, nil
		n.mu.Unlock()
		defer n.running.Done()
		n.send(pending, states, blocked)
	})
}

// stop ends the sending of news and waits for what is being sent. The
// connection has ended by then, so that nothing is held up.
func (n *news) stop() {
	n.mu.Lock()
	n.stopped = true
	if n.timer != nil {
		n.timer()
	}
	n.mu.Unlock()
	n.running.Wait()
}

func (n *news) send(pending map[document]bool, states map[*workspace.Hub]map[string]map[string]bool, blocked []editRefused) {
	n.sending.Lock()
	defer n.sending.Unlock()
	s := n.server
	ctx := context.Background()
	for doc := range pending {
		n.publish(ctx, doc)
	}
	for h, sessions := range states {
		for session, names := range sessions {
			m := stateChanged{Session: session}
			for _, name := range slices.Sorted(maps.Keys(names)) {
				uri, _ := s.docs.uri(document{h, name})
				m.URIs = append(m.URIs, uri)
			}
			s.notify(ctx, "acode/stateChanged", m)
		}
	}
	for _, r := range blocked {
		s.notify(ctx, "acode/editRefused", r)
	}
	w := s.client.Capabilities.Workspace
	if s.pulls() && w.Diagnostics.RefreshSupport {
		s.refresh("workspace/diagnostic/refresh")
	}
	if w.CodeLens.RefreshSupport && len(states) > 0 {
		s.refresh("workspace/codeLens/refresh")
	}
}

// publish sends the diagnostics of a document as it is now. A client that asks
// for diagnostics itself asks only about open documents; those of the settings
// are worth a word before somebody opens them. The caller holds n.sending.
func (n *news) publish(ctx context.Context, doc document) {
	s := n.server
	uri, open := s.docs.uri(doc)
	if doc.name != config.File && (!open || s.pulls()) {
		return
	}
	items, version, ok := s.diagnosticsOf(doc)
	if !ok {
		return
	}
	if open && s.pulls() {
		items = []protocol.Diagnostic{}
	}
	raw, err := json.Marshal(items)
	if err != nil {
		s.log.Error("encoding diagnostics", zap.Error(err))
		return
	}
	p := publication{version, sha256.Sum256(raw)}
	last, published := n.published[doc]
	if last == p || !published && len(items) == 0 {
		return
	}
	if n.published == nil {
		n.published = make(map[document]publication)
	}
	n.published[doc] = p
	if !open {
		s.notify(ctx, "textDocument/publishDiagnostics", clearParams{uri, items})
		return
	}
	s.notify(ctx, "textDocument/publishDiagnostics", publishParams{uri, version, items})
}

// clear takes back what was published about a document that is closed.
func (s *Server) clear(doc document, uri string) {
	n := &s.news
	n.sending.Lock()
	defer n.sending.Unlock()
	if _, open := s.docs.uri(doc); open {
		return
	}
	if _, ok := n.published[doc]; ok {
		delete(n.published, doc)
		if doc.name == config.File {
			n.document(doc)
		}
		s.notify(context.Background(), "textDocument/publishDiagnostics", clearParams{uri, []protocol.Diagnostic{}})
	}
}

// notify sends a notification to the client, as far as it still listens.
func (s *Server) notify(ctx context.Context, method string, params any) {
	if err := s.conn.Notify(ctx, method, params); err != nil {
		s.log.Debug("notifying the client", zap.String("method", method), zap.Error(err))
	}
}

// refresh asks the client to ask again. The answer tells nothing, so nobody
// waits for it but a goroutine that ends with the connection.
func (s *Server) refresh(method string) {
	s.news.running.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := s.conn.Call(ctx, method, nil, nil); err != nil {
			s.log.Debug("refreshing the client", zap.String("method", method), zap.Error(err))
		}
	})
}

// tell shows a message to the person.
func (s *Server) tell(ctx context.Context, kind protocol.MessageType, message string) {
	s.notify(ctx, "window/showMessage", protocol.ShowMessageParams{Type: kind, Message: message})
}
