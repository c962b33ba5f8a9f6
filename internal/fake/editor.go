// Package fake is an editor for tests: a client of a language server that
// really holds buffers, applies the edits it is sent, reads and writes real
// files and behaves like one of the editors people use, down to what those get
// wrong. It has its own framing, positions and edits and shares no code with
// the server, so that the two check each other; what it sees a server do wrong
// it keeps as a fault.
//
// It is no general client: it knows the messages acode-ls sends and takes any
// other for a fault.
package fake

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Options set up an Editor.
type Options struct {
	Personality Personality
	Roots       []string // workspace folders, the first also as root
	Pull        bool     // asks for diagnostics instead of having them pushed
	Full        bool     // reports changes as whole texts
	Init        any      // initializationOptions
	Settings    any      // the section acode of the configuration

	// Without names capabilities that are left out although the personality
	// has them: applyEdit, create, rename, delete, configuration, showDocument.
	Without []string
}

// Editor is one running editor. Its methods may be called from several
// goroutines, but those that change buffers are meant for one person.
type Editor struct {
	opts    Options
	conn    *conn
	running sync.WaitGroup

	mu       sync.Mutex
	encoding Encoding
	server   serverCapabilities
	buffers  map[string]*buffer // by URI
	next     Misbehaviour
	faults   []error
	events   Events
	pulled   map[string]pulled // by URI
	activity chan struct{}     // closed at the next event

	// What is told counts up; the server has heard all up to heard. A request
	// that is answered tells that what was sent before it was heard.
	told, heard int
	toldBefore  map[int]int // by request
	lax         bool        // a misbehaviour makes versions useless
}

// Events are what the server told.
type Events struct {
	Diagnostics map[string]Published // by URI
	Messages    []string             // window/showMessage, not yet taken
	Changed     map[string]bool      // "session uri" of acode/stateChanged, not yet taken
	Refused     []string             // "session uri message" of acode/editRefused, not yet taken
	Shown       []string             // window/showDocument, not yet taken
	Refreshed   map[string]int       // refresh requests by method
	Registered  []string             // methods registered dynamically
	Cancelled   int                  // $/cancelRequest
	Applied     []string             // edits applied, as the server sent them, not yet taken
}

// Published is what was last published about a document.
type Published struct {
	Version     int // 0 if the server named none
	Diagnostics []Diagnostic
	Count       int // of publications
}

// Diagnostic is what a server says of a range.
type Diagnostic struct {
	Range    Range           `json:"range"`
	Severity int             `json:"severity"`
	Code     string          `json:"code"`
	Source   string          `json:"source"`
	Message  string          `json:"message"`
	Tags     []int           `json:"tags"`
	Data     json.RawMessage `json:"data"`
}

// serverCapabilities is what an editor obeys of a server's capabilities.
type serverCapabilities struct {
	PositionEncoding   string          `json:"positionEncoding"`
	DiagnosticProvider json.RawMessage `json:"diagnosticProvider"`
	TextDocumentSync   struct {
		OpenClose bool            `json:"openClose"`
		Change    int             `json:"change"`
		Save      json.RawMessage `json:"save"`
	} `json:"textDocumentSync"`
	Workspace struct {
		FileOperations struct {
			DidRename json.RawMessage `json:"didRename"`
			DidDelete json.RawMessage `json:"didDelete"`
		} `json:"fileOperations"`
	} `json:"workspace"`
}

// New starts an editor on a connection. Nothing is sent yet.
func New(rwc io.ReadWriteCloser, opts Options) *Editor {
	e := &Editor{
		opts: opts, conn: newConn(rwc), encoding: UTF16,
		buffers: map[string]*buffer{}, pulled: map[string]pulled{}, toldBefore: map[int]int{},
		activity: make(chan struct{}),
		events: Events{
			Diagnostics: map[string]Published{}, Changed: map[string]bool{}, Refreshed: map[string]int{},
		},
	}
	e.running.Go(func() { e.conn.run(e.receive, e.answered) })
	return e
}

// Dial starts an editor and initializes its server.
func Dial(ctx context.Context, rwc io.ReadWriteCloser, opts Options) (*Editor, error) {
	e := New(rwc, opts)
	return e, e.Initialize(ctx)
}

// Initialize shakes hands with the server.
func (e *Editor) Initialize(ctx context.Context) error {
	raw, err := e.Call(ctx, "initialize", e.InitializeParams())
	if err != nil {
		return fmt.Errorf("initializing: %w", err)
	}
	var result struct {
		Capabilities serverCapabilities `json:"capabilities"`
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return fmt.Errorf("initializing: %w", err)
	}
	e.mu.Lock()
	e.server = result.Capabilities
	if enc := Encoding(e.server.PositionEncoding); enc != "" {
		e.encoding = enc
	}
	if !slices.Contains(e.opts.Personality.encodings(), e.encoding) {
		e.fault("the server chose the encoding %s, which was not offered", e.encoding)
	}
	if e.opts.Pull != (e.server.DiagnosticProvider != nil) {
		e.fault("the client pulls diagnostics: %t, but the server has a provider: %t", e.opts.Pull, e.server.DiagnosticProvider != nil)
	}
	e.mu.Unlock()
	return e.Notify("initialized", struct{}{})
}

// fault notes what the server did wrong. The caller holds e.mu.
func (e *Editor) fault(format string, args ...any) {
	e.faults = append(e.faults, fmt.Errorf(format, args...))
	e.stir()
}

// stir tells those who wait that something happened. The caller holds e.mu.
func (e *Editor) stir() {
	close(e.activity)
	e.activity = make(chan struct{})
}

// Activity returns a channel that is closed when something happens.
func (e *Editor) Activity() <-chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.activity
}

// Faults returns what the server did wrong so far.
func (e *Editor) Faults() []error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.faults)
}

// Inspect gives f the events, to look at and to take from.
func (e *Editor) Inspect(f func(*Events)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	f(&e.events)
}

// Encoding returns what was agreed on.
func (e *Editor) Encoding() Encoding {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.encoding
}

// Misbehave makes the editor mishandle the next edit it is sent.
func (e *Editor) Misbehave(m Misbehaviour) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.next = m
}

// Call sends a request and waits for the answer. A refusal is a
// *ResponseError.
func (e *Editor) Call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	p, err := e.Start(method, params)
	if err != nil {
		return nil, err
	}
	return p.Wait(ctx)
}

// Request is a request on its way.
type Request struct{ call *call }

// Start sends a request.
func (e *Editor) Start(method string, params any) (*Request, error) {
	if err := e.Flush(); err != nil {
		return nil, err
	}
	c, err := e.conn.start(method, params, func(id int) {
		e.mu.Lock()
		e.toldBefore[id] = e.told
		e.mu.Unlock()
	})
	if err != nil {
		return nil, err
	}
	return &Request{c}, nil
}

// Wait returns the answer.
func (r *Request) Wait(ctx context.Context) (json.RawMessage, error) { return r.call.wait(ctx) }

// Cancel asks the server to give the request up.
func (r *Request) Cancel() error {
	return r.call.conn.notify("$/cancelRequest", map[string]int{"id": r.call.id})
}

// Notify sends a notification.
func (e *Editor) Notify(method string, params any) error {
	if err := e.Flush(); err != nil {
		return err
	}
	return e.conn.notify(method, params)
}

// Send sends a body as it is.
func (e *Editor) Send(body string) error { return e.conn.writeRaw([]byte(body)) }

// answered notes what the server must have heard by now.
func (e *Editor) answered(id int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.heard = max(e.heard, e.toldBefore[id])
	delete(e.toldBefore, id)
}

// Exit ends the server as an editor does that quits.
func (e *Editor) Exit(ctx context.Context) error {
	if _, err := e.Call(ctx, "shutdown", nil); err != nil {
		return fmt.Errorf("shutting down: %w", err)
	}
	return e.Notify("exit", nil)
}

// Disconnect ends the connection without a word and waits until the editor has
// read the rest.
func (e *Editor) Disconnect() error {
	err := e.conn.rwc.Close()
	e.running.Wait()
	return err
}

// Wait waits until the server has ended the connection and returns how, nil
// for an end between two messages.
func (e *Editor) Wait() error {
	e.running.Wait()
	for _, end := range []error{io.EOF, io.ErrClosedPipe, os.ErrClosed, net.ErrClosed, ErrClosed, errHungUp} {
		if errors.Is(e.conn.err, end) {
			return nil
		}
	}
	return e.conn.err
}

// Closed is closed when the connection has ended.
func (e *Editor) Closed() <-chan struct{} { return e.conn.done }

// URI returns the URI of a file as this editor spells it.
func (e *Editor) URI(path string) string {
	safe := "-._~!$&'()*+,;=:@/"
	if e.opts.Personality == VSCode {
		safe = "-._~/"
	}
	var b strings.Builder
	b.WriteString("file://")
	for _, c := range []byte(filepath.ToSlash(path)) {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte(safe, c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// pathOf undoes URI.
func pathOf(uri string) (string, error) {
	rest, ok := strings.CutPrefix(uri, "file://")
	if !ok {
		return "", fmt.Errorf("%q is no file URI", uri)
	}
	var b strings.Builder
	for i := 0; i < len(rest); i++ {
		if rest[i] != '%' {
			b.WriteByte(rest[i])
			continue
		}
		var c byte
		if _, err := fmt.Sscanf(rest[i+1:min(i+3, len(rest))], "%02x", &c); err != nil {
			return "", fmt.Errorf("%q: %w", uri, err)
		}
		b.WriteByte(c)
		i += 2
	}
	return b.String(), nil
}

// OpenFiles returns the paths of the buffers.
func (e *Editor) OpenFiles() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var paths []string
	for _, b := range e.buffers {
		paths = append(paths, b.path)
	}
	slices.Sort(paths)
	return paths
}

// Configure sets what the editor answers when it is asked for the section
// acode of its configuration.
func (e *Editor) Configure(settings any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.opts.Settings = settings
}

// Told returns the texts of an open file that the server was told of.
func (e *Editor) Told(path string) []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	b, err := e.buffer(path)
	if err != nil {
		return nil
	}
	var texts []string
	for _, t := range b.texts {
		texts = append(texts, t.text)
	}
	return texts
}
