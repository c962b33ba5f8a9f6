package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/acode-ls/acode-ls/internal/filelock"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// This file serves the processes of agents. Each has a connection of its own,
// on which it sends the acode/* requests an editor can send, after a hello.

// awareness adds the acode/* requests to handlers.
func (s *Server) awareness(handlers map[string]Handler) map[string]Handler {
	for method, h := range map[string]Handler{
		"acode/read":      s.read,
		"acode/observe":   s.observe,
		"acode/process":   s.process,
		"acode/checkEdit": s.checkEdit,
		"acode/applyEdit": s.applyEdit,
		"acode/edit":      s.edit,
		"acode/edited":    s.edited,
		"acode/state":     s.state,
		"acode/unsaved":   s.unsaved,
		"acode/view":      s.viewOf,
		"acode/artifact":  s.artifact,
		"acode/artifacts": s.artifacts,
		"acode/sessions":  s.sessions,
		"acode/session":   s.sessionEvent,
		"acode/round":     s.round,
	} {
		handlers[method] = h
	}
	return handlers
}

// forAgent returns a server for an agent that works in one folder of s.
// Positions in edits are in UTF-16, as where a client negotiates nothing.
func (s *Server) forAgent(root string) (*Server, error) {
	for _, h := range s.folders() {
		if h.Root() == root {
			one := &workspaces{hubs: []*workspace.Hub{h}}
			return &Server{opts: s.opts, log: s.log, encoding: text.UTF16, workspaces: one, docs: s.docs}, nil
		}
	}
	return nil, fmt.Errorf("%s is not open any more", root)
}

// agents are the listeners of a server, one for each folder, and those who
// came.
type agents struct {
	server *Server
	ctx    context.Context // ends with the server
	stop   context.CancelFunc
	tasks  sync.WaitGroup

	mu     sync.Mutex
	conns  map[*Conn]bool
	leaves map[string]context.CancelFunc // by root
}

func newAgents(ctx context.Context, s *Server) *agents {
	a := &agents{server: s, conns: map[*Conn]bool{}, leaves: map[string]context.CancelFunc{}}
	a.ctx, a.stop = context.WithCancel(ctx)
	return a
}

// close ends all connections and waits for what serves them.
func (a *agents) close() {
	a.stop()
	a.tasks.Wait()
}

// listen lets the agents of a folder in until leave or close.
func (a *agents) listen(root string) {
	if a == nil {
		return
	}
	ctx, leave := context.WithCancel(a.ctx)
	a.mu.Lock()
	a.leaves[root] = leave
	a.mu.Unlock()
	a.tasks.Go(func() {
		if err := a.serveFolder(ctx, root); err != nil {
			a.server.log.Warn("agents cannot reach this server and work beside it", zap.String("root", root), zap.Error(err))
		}
	})
}

func (a *agents) leave(root string) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if leave := a.leaves[root]; leave != nil {
		leave()
		delete(a.leaves, root)
	}
}

// notify tells all agents.
func (a *agents) notify(method string, params any) {
	if a == nil || a.ctx.Err() != nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for conn := range a.conns {
		a.tasks.Go(func() { // one that does not read holds up nobody else
			if err := conn.Notify(a.ctx, method, params); err != nil && !errors.Is(err, ErrClosed) {
				a.server.log.Warn("telling an agent", zap.String("method", method), zap.Error(err))
			}
		})
	}
}

// serveFolder waits until no other server listens for the folder, which is at
// once unless two editors work in it, and then does.
func (a *agents) serveFolder(ctx context.Context, root string) error {
	path, err := socketToListen(root)
	if err != nil {
		return err
	}
	lock, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer lock.Close() // which gives it up; the file stays, or two could have locks on two of its name
	if held, err := awaitLock(ctx, lock); !held {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // whoever made it is gone
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { l.Close() })()
	defer l.Close() // which removes the socket
	if err := os.Chmod(path, 0o600); err != nil {
		return err
	}
	a.server.log.Debug("agents may connect", zap.String("root", root), zap.String("socket", path))
	for {
		conn, err := l.AcceptUnix()
		if ctx.Err() != nil {
			return nil
		}
		if err != nil { // too many files are open, as a rule
			a.server.log.Warn("waiting for agents", zap.Error(err))
			select {
			case <-ctx.Done():
			case <-time.After(lockPause):
			}
			continue
		}
		a.tasks.Go(func() { a.serve(ctx, conn, root) })
	}
}

// lockPause is how long a second server waits before it looks again whether the
// first has gone.
const lockPause = 200 * time.Millisecond

// awaitLock waits for a lock on f, and reports false when ctx has ended before.
func awaitLock(ctx context.Context, f *os.File) (bool, error) {
	pause := time.NewTicker(lockPause)
	defer pause.Stop()
	for {
		if held, err := filelock.TryLock(f); held || err != nil {
			return held, err
		}
		select {
		case <-ctx.Done():
			return false, nil
		case <-pause.C:
		}
	}
}

// serve serves one agent.
func (a *agents) serve(ctx context.Context, rwc *net.UnixConn, root string) {
	defer rwc.Close()
	if err := checkPeer(rwc); err != nil {
		a.server.log.Warn("refusing an agent", zap.Error(err))
		return
	}
	s, err := a.server.forAgent(root)
	if err != nil {
		a.server.log.Info("refusing an agent", zap.Error(err))
		return
	}
	handlers := s.awareness(map[string]Handler{"acode/hello": func(_ context.Context, params json.RawMessage) (any, error) {
		return s.hello(params, root)
	}})
	s.conn = NewConn(rwc, handlers, Options{Log: s.log, Gate: s.agentGate})
	a.mu.Lock()
	a.conns[s.conn] = true
	a.mu.Unlock()
	if err := s.conn.Run(ctx); err != nil && ctx.Err() == nil {
		s.log.Info("an agent's connection broke", zap.Error(err))
	}
	a.mu.Lock()
	delete(a.conns, s.conn)
	a.mu.Unlock()
}

// hello answers the first message of an agent.
func (s *Server) hello(params json.RawMessage, root string) (any, error) {
	p, err := decode[hello](params)
	if err != nil {
		return nil, err
	}
	if p.Protocol != agentProtocol {
		return nil, Errorf(CodeInvalidRequest, "version %s speaks protocol %d, the running server %s protocol %d; restart the editor's server",
			p.Version, p.Protocol, s.opts.Version, agentProtocol)
	}
	s.phase.Store(phaseRunning)
	return hello{Protocol: agentProtocol, Version: s.opts.Version, Root: root, PID: os.Getpid()}, nil
}

func (s *Server) agentGate(method string) *Error {
	switch isHello, isNew := method == "acode/hello", s.phase.Load() == phaseNew; {
	case isNew && !isHello:
		return Errorf(CodeServerNotInitialized, "%s before acode/hello", method)
	case !isNew && isHello:
		return Errorf(CodeInvalidRequest, "acode/hello a second time")
	}
	return nil
}
