package workspace

import (
	"slices"
	"time"

	"go.uber.org/zap"

	"github.com/acode-ls/acode-ls/awareness"
)

// This file counts what the guard says.

// judged ends a judgement: missing lines go out with a refusal, and the call
// counts as a round.
func (h *Hub) judged(s *Session, v *Verdict, p *plan) {
	h.expand(s, v, p)
	s.do(h.account(s, *v, p))
}

// Refusal tells of an edit that the guard refused.
type Refusal struct {
	Session, Agent string
	Blocks         []Block
}

// account returns the record of a judgement, and logs a refusal with the rate so
// far. Only edits of files that exist count: new files are always allowed. An
// edit that is tried again with the lines handed out is the same edit.
func (h *Hub) account(s *Session, v Verdict, p *plan) record {
	r := record{Kind: recGuarded}
	existing := slices.DeleteFunc(slices.Clone(p.order), func(name string) bool { return p.nodes[name].doc == nil })
	if len(existing) == 0 && v.Allowed() || !v.Allowed() && !slices.ContainsFunc(v.Blocks, isAboutLines) {
		return r
	}
	g := GuardCounts{Checked: 1, Latency: latency(time.Since(p.began))}
	for _, name := range existing {
		if s.waiting[name] {
			r.Tried = append(r.Tried, name)
		}
	}
	if v.Allowed() && len(r.Tried) > 0 {
		g.Checked, g.Resolved = 0, 1
	}
	if !v.Allowed() {
		g.Blocked, g.Reasons = 1, map[string]int{}
		for _, b := range v.Blocks {
			g.Reasons[string(b.Reason)]++
		}
		for _, e := range v.Expanded {
			if name, err := h.Name(e.Path); err == nil && !slices.Contains(r.Waits, name) {
				r.Waits = append(r.Waits, name)
			}
		}
		if len(v.Expanded) > 0 {
			g.Expanded = 1
		}
	}
	r.Count = &Counts{Guard: g}
	if !v.Allowed() {
		h.logRefusal(s, v, g)
		h.refused = append(h.refused, Refusal{Session: s.ID, Agent: s.agent, Blocks: slices.Clone(v.Blocks)})
	}
	return r
}

// isAboutLines reports whether a block is about what the agent has seen, not
// about an edit that cannot be made whatever it has seen.
func isAboutLines(b Block) bool {
	switch b.Reason {
	case awareness.ReasonInvalid, awareness.ReasonOutsideRoot, awareness.ReasonBinary, awareness.ReasonVersion:
		return false
	}
	return true
}

func (h *Hub) logRefusal(s *Session, v Verdict, g GuardCounts) {
	reasons := make([]string, len(v.Blocks))
	missing := 0
	for i, b := range v.Blocks {
		reasons[i] = string(b.Reason)
		for _, r := range b.Unread {
			missing += r.Len()
		}
	}
	checked, blocked := s.counts.Guard.Checked+g.Checked, s.counts.Guard.Blocked+g.Blocked
	h.log.Info("edit refused", zap.String("session", s.ID), zap.Strings("reasons", reasons),
		zap.Int("missing_lines", missing), zap.Int("expanded", len(v.Expanded)),
		zap.Int("checked", checked), zap.Int("blocked", blocked),
		zap.Float64("trigger_rate", float64(blocked)/float64(checked)))
}
