package mcp

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"
)

// session is whose ledger the calls of this client move. Clients do not tell
// which conversation they are of, so it is found out at the first call: one
// that the hooks of the same agent have begun, else one of its own.
type session struct {
	server *server

	name atomic.Pointer[string] // nil as long as it is not known

	finding sync.Mutex // held to find out, and guards all below
	isOwn   bool       // it ends with this client
}

// id returns the session of all calls, and begins it if there is none.
func (s *session) id(ctx context.Context, client *sdk.Implementation) (string, error) {
	if id := s.name.Load(); id != nil {
		return *id, nil
	}
	s.finding.Lock()
	defer s.finding.Unlock()
	if id, err := s.find(ctx, client); err != nil || id != "" {
		return id, err
	}
	var random [4]byte
	_, _ = rand.Read(random[:]) // never fails
	agent := agentOf(client)
	id := agent + "-" + hex.EncodeToString(random[:])
	params := map[string]string{"session": id, "event": "start", "agent": agent}
	if err := s.server.opts.Workspace.Call(ctx, "acode/session", params, nil); err != nil {
		return "", fmt.Errorf("beginning a session: %w", err)
	}
	s.isOwn = true
	s.name.Store(&id)
	return id, nil
}

// known returns the session of all calls, "" if there is none yet.
func (s *session) known(ctx context.Context, client *sdk.Implementation) (string, error) {
	s.finding.Lock()
	defer s.finding.Unlock()
	return s.find(ctx, client)
}

// find returns the session that is known or set, else the latest of the same
// agent, else "". Those that other clients began for themselves are theirs. The
// caller holds s.finding.
func (s *session) find(ctx context.Context, client *sdk.Implementation) (string, error) {
	if id := s.name.Load(); id != nil {
		return *id, nil
	}
	if id := s.server.opts.Session; id != "" {
		s.name.Store(&id)
		return id, nil
	}
	var answer struct {
		Sessions []struct { // the latest used first
			ID, Agent string
			Ended     bool
		}
	}
	if err := s.server.opts.Workspace.Call(ctx, "acode/sessions", struct{}{}, &answer); err != nil {
		return "", fmt.Errorf("looking for a session: %w", err)
	}
	agent := agentOf(client)
	for _, found := range answer.Sessions {
		if found.Agent == agent && !found.Ended && !isOwnName(found.ID, agent) {
			s.name.Store(&found.ID)
			return found.ID, nil
		}
	}
	return "", nil
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
	if !s.isOwn {
		return
	}
	id := *s.name.Load()
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.server.ctx), patience)
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
