package mcp

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"
)

// session is whose ledger the calls of this client move. Clients do not tell
// which conversation they are of: it is the one that hooks of the same agent
// have begun, if there is only one, else one of the client's own. Which it is
// may change, as hooks begin and end theirs while the client is there.
type session struct {
	server *server

	name atomic.Pointer[string] // nil as long as it is not known

	finding sync.Mutex // held to find out, and guards all below
	isOwn   bool       // it ends with this client
	others  []string   // that were there when an own one began, so it is none of them
	looked  time.Time
}

// lookPause is how long what was found out holds.
const lookPause = time.Second

// id returns the session of the next call, and begins it if there is none.
func (s *session) id(ctx context.Context, client *sdk.Implementation) (string, error) {
	if name := s.name.Load(); name == nil {
		s.finding.Lock()
	} else if !s.finding.TryLock() {
		return *name, nil // another call is finding out
	}
	defer s.finding.Unlock()
	if id, err := s.find(ctx, client); err != nil || id != "" {
		return id, err
	}
	return s.begin(ctx, agentOf(client))
}

// begin begins an own session. The caller holds s.finding.
func (s *session) begin(ctx context.Context, agent string) (string, error) {
	var random [4]byte
	_, _ = rand.Read(random[:]) // never fails
	id := agent + "-" + hex.EncodeToString(random[:])
	if err := s.start(ctx, id, agent); err != nil {
		return "", err
	}
	s.isOwn, s.looked = true, s.server.now()
	s.name.Store(&id)
	return id, nil
}

// start says that a session of an agent begins or goes on.
func (s *session) start(ctx context.Context, id, agent string) error {
	params := map[string]string{"session": id, "event": "start", "agent": agent}
	if err := s.server.opts.Workspace.Call(ctx, "acode/session", params, nil); err != nil {
		return fmt.Errorf("beginning a session: %w", err)
	}
	return nil
}

// known returns the session of the next call, "" if it is to be begun.
func (s *session) known(ctx context.Context, client *sdk.Implementation) (string, error) {
	s.finding.Lock()
	defer s.finding.Unlock()
	return s.find(ctx, client)
}

// find returns the session that is set, else the one in use as long as that is
// right, else the only one of the same agent, else "". The caller holds
// s.finding.
func (s *session) find(ctx context.Context, client *sdk.Implementation) (string, error) {
	if id := s.server.opts.Session; id != "" {
		if s.name.Load() == nil {
			if err := s.start(ctx, id, agentOf(client)); err != nil {
				return "", err
			}
			s.name.Store(&id)
		}
		return id, nil
	}
	name, now := s.name.Load(), s.server.now()
	if name != nil && now.Sub(s.looked) < lookPause {
		return *name, nil
	}
	live, err := s.live(ctx, agentOf(client))
	switch {
	case err != nil && name == nil:
		return "", err
	case err != nil:
		s.server.log.Info("looking for another session", zap.Error(err))
		s.looked = now
		return *name, nil
	case name != nil && !s.isOwn && slices.Contains(live, *name):
	case len(live) == 1 && !(s.isOwn && slices.Contains(s.others, live[0])):
		s.endOwn(ctx)
		name = &live[0]
		s.name.Store(name)
	case !s.isOwn:
		s.others, s.looked = live, time.Time{}
		return "", nil
	}
	s.looked = now
	return *name, nil
}

// live returns the sessions that hooks of an agent began and that have not
// ended. Those that clients began for themselves are theirs.
func (s *session) live(ctx context.Context, agent string) ([]string, error) {
	var answer struct {
		Sessions []struct {
			ID, Agent string
			Ended     bool
		}
	}
	if err := s.server.opts.Workspace.Call(ctx, "acode/sessions", struct{}{}, &answer); err != nil {
		return nil, fmt.Errorf("looking for a session: %w", err)
	}
	var live []string
	for _, found := range answer.Sessions {
		if found.Agent == agent && !found.Ended && !isOwnName(found.ID, agent) {
			live = append(live, found.ID)
		}
	}
	return live, nil
}

// isOwnName reports whether a session is named as id names them.
func isOwnName(id, agent string) bool {
	random, ok := strings.CutPrefix(id, agent+"-")
	b, err := hex.DecodeString(random)
	return ok && err == nil && len(b) == 4
}

// finish ends a session that is this client's own.
func (s *session) finish() {
	s.finding.Lock()
	defer s.finding.Unlock()
	s.endOwn(context.WithoutCancel(s.server.ctx))
}

// endOwn ends a session that is this client's own. The caller holds s.finding.
func (s *session) endOwn(ctx context.Context) {
	if !s.isOwn {
		return
	}
	s.isOwn, s.others = false, nil
	id := *s.name.Load()
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	params := map[string]string{"session": id, "event": "end"}
	if err := s.server.opts.Workspace.Call(ctx, "acode/session", params, nil); err != nil {
		s.server.log.Warn("ending the session", zap.String("session_id", id), zap.Error(err))
	}
}

// agents are the names that hooks have for agents, by how the names of the same
// agents begin as clients, in lower case.
var agents = []struct{ client, agent string }{
	{"claude-code", "claude-code"},
	{"claude code", "claude-code"},
	{"visual studio code", "vscode"},
	{"vscode", "vscode"},
	{"gemini-cli", "gemini-cli"},
}

// agentOf names an agent by what it calls itself as a client.
func agentOf(client *sdk.Implementation) string {
	name := ""
	if client != nil {
		name = strings.ToLower(client.Name)
	}
	for _, a := range agents {
		if strings.HasPrefix(name, a.client) {
			return a.agent
		}
	}
	return slug(name)
}

const maxSlug = 40 // bytes

// slug returns a name of letters and digits with hyphens between them.
func slug(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool {
		return !('a' <= r && r <= 'z' || '0' <= r && r <= '9')
	})
	s := strings.Join(words, "-")
	s = strings.TrimRight(s[:min(len(s), maxSlug)], "-")
	if s == "" {
		return "agent"
	}
	return s
}
