package workspace

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/truncation"
)

// expand hands out the missing lines of refusals that lack few, and credits
// them.
func (h *Hub) expand(s *Session, v *Verdict, p *plan) {
	if v.Allowed() || p.silent {
		return
	}
	enabled, most, _ := h.guard()
	if !enabled {
		return
	}
	for _, b := range v.Blocks {
		name, err := h.Name(b.Path)
		n := p.nodes[name]
		if err != nil || n == nil || n.doc == nil || n.now.Text() != n.doc.Text.Text() || len(b.Unread) == 0 || b.Reason == awareness.ReasonStale {
			continue
		}
		excerpts, ok := h.excerpts(n, b, most)
		if !ok {
			continue
		}
		h.track(s, n.doc)
		s.do(record{Kind: recShow, Path: name, Ranges: spans(b.Unread), Round: s.ledger.Round()})
		h.changed(s, name)
		v.Expanded = append(v.Expanded, excerpts...)
	}
}

// excerpts returns all missing lines of a refusal with their numbers, or false
// if they are more than most or cannot be shown whole.
func (h *Hub) excerpts(n *node, b Block, most int) ([]Excerpt, bool) {
	c, redactor := h.configuration()
	lines, chars := 0, 0
	for _, r := range b.Unread {
		lines += r.Len()
		chars += text.CodePoints(n.now.Span(r.Start, r.End))
	}
	if lines > most || chars > 2*c.Tool(readTool).InlineLimit {
		return nil, false
	}
	masked := h.masked(n.doc, redactor)
	var out []Excerpt
	for _, r := range b.Unread {
		if masked.touches(r) {
			return nil, false
		}
		raw := n.now.Span(r.Start, r.End)
		if _, altered := truncation.Sanitize(text.Split(raw)); len(altered) > 0 {
			return nil, false
		}
		var numbered strings.Builder
		for line := r.Start; line <= r.End; line++ {
			fmt.Fprintf(&numbered, "%6d\t%s\n", line, n.now.Line(line))
		}
		out = append(out, Excerpt{Path: b.Path, Lines: r, Text: numbered.String()})
	}
	return out, true
}

// Apply checks an edit and, if it is allowed, applies all of it or nothing:
// to open documents through the editor, to other files on disk. What it
// reports as applied was seen to be so.
func (h *Hub) Apply(ctx context.Context, id, label string, ops []Op) (Outcome, error) {
	var out Outcome
	select {
	case h.applying <- struct{}{}:
		defer func() { <-h.applying }()
	case <-ctx.Done():
	}
	if err := context.Cause(ctx); err != nil {
		return out, err
	}

	var t *transaction
	var late []record // for an editor that makes the edit after it was given up
	err := h.update(id, func(s *Session) error {
		id = s.ID // the one meant may be another after the editor answered
		p := h.plan(s, ops, false)
		out.Verdict = p.verdict
		if !out.Allowed() {
			h.judged(s, &out.Verdict, p)
			return nil
		}
		var err error
		late = p.expectations()
		if t, err = h.begin(s, p); err != nil {
			out.Failure = err.Error()
		}
		s.do(h.account(s, out.Verdict, p))
		if t != nil && len(t.edit.Docs) == 0 && len(t.edit.Files) == 0 {
			err = t.finish(s)
			out.report(t, err)
			t = nil
		}
		return nil
	})
	if err != nil || t == nil {
		return out, err
	}
	t.edit.Label = label
	failure := h.through(ctx, t)
	err = h.update(id, func(s *Session) error {
		if failure == nil {
			failure = t.finish(s)
		}
		t.abandon(s)
		if failure != nil {
			failure = t.admit(failure)
			s.do(late...)
		}
		out.report(t, failure)
		return nil
	})
	if err != nil {
		h.mu.Lock()
		t.release()
		h.mu.Unlock()
	}
	return out, err
}

// mayAsk reports whether the editor may ask the person first.
func (e EditorEdit) mayAsk() bool {
	return slices.ContainsFunc(e.Docs, func(d DocumentEdit) bool { return d.Unseen }) ||
		slices.ContainsFunc(e.Files, func(f FileOp) bool { return f.Unsaved })
}

func (o *Outcome) report(t *transaction, err error) {
	if err != nil {
		o.Failure = err.Error()
		return
	}
	o.Applied, o.Sums = true, t.sums
}

// through has the editor apply its part and waits until the documents hold the
// expected text.
func (h *Hub) through(ctx context.Context, t *transaction) error {
	patience := h.opts.ReplyTimeout
	if t.edit.mayAsk() {
		patience = h.opts.AskTimeout
	}
	reply, cancel := context.WithTimeoutCause(ctx, patience,
		fmt.Errorf("the editor did not answer within %v and may yet make the edit", patience))
	defer cancel()
	if err := t.editor.Apply(reply, t.edit); err != nil {
		if cause := context.Cause(reply); cause != nil && errors.Is(err, reply.Err()) {
			err = cause
		}
		return err
	}
	h.mu.Lock()
	for _, w := range t.waits {
		w.replied = true
	}
	h.mu.Unlock()
	deadline := time.NewTimer(h.opts.SyncTimeout)
	defer deadline.Stop()
	for _, w := range t.waits {
		if err := w.wait(ctx, deadline); err != nil {
			return err
		}
	}
	return nil
}
