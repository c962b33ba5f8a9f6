package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// LinkOptions set up a Link.
type LinkOptions struct {
	Version   string
	Log       *zap.Logger
	Workspace workspace.Options // of the hub of this process
	MaxResult int               // bytes that an answer with content has at most; 0 for 1 MiB
	Alone     bool              // never ask a running server

	// Fleeting says that this process ends before the next request. Then what
	// the ledger could not write down is an error: who is asked next would know
	// nothing of it.
	Fleeting bool
}

// Link answers acode/* requests of an agent's process: by the server that an
// editor runs for the workspace, which knows unsaved text, or else in the
// process itself, by the same handlers. It looks for a server at each call, so
// one that starts later is found, and one that ends is done without.
//
// It may be used by several goroutines at once.
type Link struct {
	root string
	opts LinkOptions
	log  *zap.Logger

	mu       sync.Mutex
	remote   *remote
	refused  os.FileInfo // of a socket whose server is not asked
	until    time.Time   // when it is again; zero for never
	local    *Server     // made when needed
	handlers map[string]Handler
	told     func(session string)
}

// remote is the connection to a running server.
type remote struct {
	conn  *Conn
	done  chan struct{} // closed when the connection has ended
	hello hello         // the server's
}

// Running describes a running server.
type Running struct {
	Version string
	PID     int
}

// Server returns the server that answers, nil if none is running.
func (l *Link) Server(ctx context.Context) *Running {
	if r := l.connect(ctx); r != nil {
		return &Running{r.hello.Version, r.hello.PID}
	}
	return nil
}

// CheckSocket returns what keeps a server and the processes of agents from
// meeting, nil if nothing does. It changes nothing.
func CheckSocket() error {
	var failed error
	for _, dir := range socketFolders() {
		err := checkFolder(dir)
		if errors.Is(err, fs.ErrNotExist) {
			if _, err = os.Stat(filepath.Dir(dir)); err == nil {
				return nil // it will be made
			}
		}
		if err == nil {
			return nil
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

// OpenLink returns a link to the workspace at root.
func OpenLink(root string, opts LinkOptions) (*Link, error) {
	if opts.Log == nil {
		opts.Log = zap.NewNop()
	}
	opts.Workspace.Log = opts.Log
	abs, err := filepath.Abs(root)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return nil, fmt.Errorf("opening the workspace: %w", err)
	}
	return &Link{root: abs, opts: opts, log: opts.Log}, nil
}

// Root returns the absolute path of the workspace, links resolved.
func (l *Link) Root() string { return l.root }

// Close ends the connection and the hub of this process.
func (l *Link) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.remote != nil {
		l.remote.conn.Close()
		<-l.remote.done
		l.remote = nil
	}
	if l.local == nil {
		return nil
	}
	return l.local.folders()[0].Close()
}

// Hub returns the hub of this process.
func (l *Link) Hub() (*workspace.Hub, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.open(); err != nil {
		return nil, err
	}
	return l.local.folders()[0], nil
}

// OnArtifacts sets what is told when the artifacts of a session are others.
func (l *Link) OnArtifacts(f func(session string)) {
	l.mu.Lock()
	l.told = f
	l.mu.Unlock()
}

func (l *Link) artifactsChanged(session string) {
	l.mu.Lock()
	told := l.told
	l.mu.Unlock()
	if told != nil {
		told(session)
	}
}

// open opens the hub of this process. The caller holds l.mu.
func (l *Link) open() error {
	if l.local != nil {
		return nil
	}
	h, err := workspace.Open(l.root, l.opts.Workspace)
	if err != nil {
		return err
	}
	h.OnArtifacts(l.artifactsChanged)
	s := &Server{
		opts: ServerOptions{Version: l.opts.Version, Log: l.log, MaxResult: l.opts.MaxResult}, log: l.log,
		encoding: text.UTF16, workspaces: &workspaces{hubs: []*workspace.Hub{h}}, docs: new(documents),
	}
	l.local, l.handlers = s, s.awareness(map[string]Handler{})
	return nil
}

// Attached reports whether a running server answers.
func (l *Link) Attached(ctx context.Context) bool { return l.connect(ctx) != nil }

// Call sends a request and decodes the answer into result, which may be nil.
func (l *Link) Call(ctx context.Context, method string, params, result any) error {
	if r := l.connect(ctx); r != nil {
		limited, cancel := context.WithTimeoutCause(ctx, callTimeout, fmt.Errorf("the editor's server did not answer %s within %v; is it stopped?", method, callTimeout))
		err := r.conn.Call(limited, method, params, result)
		if err != nil && limited.Err() != nil && ctx.Err() == nil {
			err = context.Cause(limited)
		}
		cancel()
		refused, isRefused := errors.AsType[*ClientError](err)
		switch {
		case isRefused:
			return &Error{Code: refused.Code, Message: refused.Message, Data: refused.Data}
		case !errors.Is(err, ErrClosed):
			return err
		case method == "acode/applyEdit" || method == "acode/edit":
			return fmt.Errorf("the editor's server ended before it answered; read the file again to see whether the edit was made")
		}
		l.log.Info("the server is gone; going on without it", zap.String("method", method))
	}
	return l.here(ctx, method, params, result)
}

// callTimeout bounds the wait for a running server, which may itself wait for
// its editor.
const callTimeout = time.Minute

// here answers in this process.
func (l *Link) here(ctx context.Context, method string, params, result any) error {
	l.mu.Lock()
	err := l.open()
	h := l.handlers[method]
	l.mu.Unlock()
	if err != nil {
		return err
	}
	if h == nil {
		return Errorf(CodeMethodNotFound, "method not found: %q", method)
	}
	raw, err := encodeParams(params)
	if err != nil {
		return fmt.Errorf("encoding params of %s: %w", method, err)
	}
	answer, err := guarded(ctx, l.log, method, h, raw)
	if err == nil && l.opts.Fleeting {
		err = l.local.folders()[0].Unwritten()
	}
	if err != nil || result == nil {
		return err
	}
	encoded := json.RawMessage("null")
	if answer != nil {
		if encoded, err = encodeParams(answer); err != nil {
			return fmt.Errorf("encoding the answer to %s: %w", method, err)
		}
	}
	if raw, ok := result.(*json.RawMessage); ok {
		*raw = encoded
		return nil
	}
	return json.Unmarshal(encoded, result)
}

// guarded calls a handler, and makes an error of a panic.
func guarded(ctx context.Context, log *zap.Logger, method string, h Handler, params json.RawMessage) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			log.Error("handler panicked", zap.String("method", method), zap.Any("panic", p), zap.Stack("stack"))
			result, err = nil, Errorf(CodeInternal, "%s: panic: %v", method, p)
		}
	}()
	return h(ctx, params)
}

// connect returns the connection to a running server, nil if there is none.
func (l *Link) connect(ctx context.Context) *remote {
	if l.opts.Alone {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if r := l.remote; r != nil {
		select {
		case <-r.done:
			l.remote = nil
		default:
			return r
		}
	}
	conn, err := dialSocket(l.root)
	if err != nil {
		if err != errNoServer {
			l.log.Warn("not asking the editor's server", zap.Error(err))
		}
		return nil
	}
	socket, _ := os.Lstat(conn.RemoteAddr().String())
	if l.refused != nil && socket != nil && os.SameFile(l.refused, socket) && (l.until.IsZero() || time.Now().Before(l.until)) {
		conn.Close()
		return nil
	}
	if l.remote, err = l.greet(ctx, conn); err != nil {
		if ctx.Err() == nil {
			l.refused, l.until = socket, time.Time{}
			if !errors.Is(err, errRefused) {
				l.until = time.Now().Add(greetAgain)
			}
		}
		l.log.Warn("not asking the editor's server", zap.Error(err))
	}
	return l.remote
}

// errRefused marks that this process and the server must not talk.
var errRefused = errors.New("not asked again")

// greetTimeout bounds the wait for a server that accepts and does not answer.
const (
	greetTimeout = time.Second
	greetAgain   = 10 * time.Second // after one that did not
)

func (l *Link) greet(ctx context.Context, rwc *net.UnixConn) (*remote, error) {
	r := &remote{done: make(chan struct{})}
	r.conn = NewConn(rwc, map[string]Handler{"acode/artifactsChanged": l.heard}, Options{Log: l.log})
	go func() {
		defer close(r.done)
		if err := r.conn.Run(context.Background()); err != nil {
			l.log.Debug("the connection to the server broke", zap.Error(err))
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, greetTimeout)
	defer cancel()
	answer := &r.hello
	err := r.conn.Call(ctx, "acode/hello", hello{agentProtocol, l.opts.Version, l.root, os.Getpid()}, answer)
	if refused, ok := errors.AsType[*ClientError](err); ok {
		err = fmt.Errorf("%s (%w)", refused.Message, errRefused)
	}
	if err == nil && (answer.Protocol != agentProtocol || answer.Root != l.root) {
		err = fmt.Errorf("server %s for %s speaks protocol %d, this is %s with protocol %d (%w)", cmp.Or(answer.Version, "(unknown)"),
			answer.Root, answer.Protocol, l.opts.Version, agentProtocol, errRefused)
	}
	if err != nil {
		r.conn.Close()
		<-r.done
		return nil, err
	}
	return r, nil
}

// heard takes the news that a session's artifacts are others.
func (l *Link) heard(_ context.Context, params json.RawMessage) (any, error) {
	p, err := decode[artifactsChanged](params)
	if err != nil {
		return nil, err
	}
	l.artifactsChanged(p.Session)
	return nil, nil
}
