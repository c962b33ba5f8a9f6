package workspace

import (
	"cmp"
	"slices"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/truncation"
)

// This file follows agents that read and edit with tools of their own, of
// which the hub hears before and afterwards.

// Expect says what the guard makes of an edit that the agent's own tool is
// about to make. If it may pass, the change from the present text to exactly
// what the edit leads to will count as the agent's, once, whoever hears of it
// first.
func (h *Hub) Expect(id string, ops []Op) (Verdict, error) {
	var v Verdict
	err := h.update(id, func(s *Session) error {
		p := h.plan(s, ops, false)
		v = p.verdict
		h.judged(s, &v, p)
		if v.Allowed() {
			s.do(p.expectations()...)
		}
		return nil
	})
	return v, err
}

// expectations returns a record for each file whose text a plan changes.
func (p *plan) expectations() []record {
	var out []record
	for _, name := range p.order {
		n := p.nodes[name]
		if !n.exists || n.only == nil || n.doc != nil && n.doc != n.base {
			continue
		}
		r := record{Kind: recExpect, Path: name, Sum: digest(awareness.Sum(n.now.Text()))}
		if f := p.session.ledger.File(name); f != nil {
			r.Base = digest(f.Sum())
		}
		for _, then := range p.records {
			if then.Path == name {
				r.Then = append(r.Then, then.record)
			}
		}
		out = append(out, r)
	}
	return out
}

// expect notes an expected edit, in the place of one before. Without records
// it is the end of one.
func (s *Session) expect(r record) {
	if len(r.Then) == 0 {
		delete(s.expected, r.Path)
		return
	}
	if s.expected == nil {
		s.expected = map[string]record{}
	}
	s.expected[r.Path] = r
}

// fulfil moves the ledger by the expected edit of a document, if what it holds
// now is what that leads to. The caller holds the journal lock.
func (s *Session) fulfil(d *Document) bool {
	r, ok := s.expected[d.Name]
	if !ok || awareness.Hash(r.Sum) != d.Sum {
		return false
	}
	var base awareness.Hash
	if f := s.ledger.File(d.Name); f != nil {
		base = f.Sum()
	}
	if base != awareness.Hash(r.Base) {
		return false
	}
	s.do(append(slices.Clone(r.Then), record{Kind: recExpect, Path: d.Name})...)
	s.hub.changed(s, d.Name)
	return true
}

// Edited follows an edit that the agent's own tool has made on disk; written
// are the texts it wrote. If the file is not what was expected, as when a
// formatter ran at once, the lines that changed and hold what the agent wrote
// count as seen. While an editor has the file open and has not taken over the
// change, nothing happens: the ledger follows the buffer.
func (h *Hub) Edited(id, path string, written []string) (FileState, error) {
	name, err := h.Name(path)
	if err != nil {
		return FileState{}, err
	}
	var state FileState
	err = h.update(id, func(s *Session) error {
		d, err := h.document(name)
		if err != nil {
			return err
		}
		if d.Open && h.behind(name) {
			state = h.fileState(s, name, s.ledger.File(name))
			return nil
		}
		if !s.fulfil(d) {
			h.creditWritten(s, d, written)
		}
		state = h.fileState(s, name, s.ledger.File(name))
		return nil
	})
	return state, err
}

// creditWritten credits the lines of d that are new to the ledger and hold
// lines of the texts.
func (h *Hub) creditWritten(s *Session, d *Document, texts []string) {
	lines := map[string]bool{}
	for _, t := range texts {
		for _, line := range text.Split(t).All() {
			lines[line] = true
		}
	}
	changed := []awareness.Range{{Start: 1, End: d.Text.Len()}}
	if f := s.ledger.File(d.Name); f != nil {
		changed = changed[:0]
		moved := 0
		for _, hunk := range awareness.Align(f.Lines(), d.print().Lines) {
			changed = append(changed, awareness.Range{Start: hunk.Start + moved, End: hunk.Start + moved + len(hunk.New) - 1})
			moved += len(hunk.New) - hunk.Old
		}
	}
	var seen []awareness.Range
	for _, r := range changed {
		for n := r.Start; n <= r.End; n++ {
			if lines[d.Text.Line(n)] {
				seen = append(seen, awareness.Range{Start: n, End: n})
			}
		}
	}
	h.credit(s, d, seen, nil)
}

// Piece is text that a tool showed as a part of a file.
type Piece struct {
	Start int // the line of the file that the text begins with, from 1
	Text  string
}

// ObserveText records that another tool showed the agent text as parts of a
// file. The lines of it that are lines of the file at their places are
// credited, whatever their ends, and no others.
func (h *Hub) ObserveText(id, path string, pieces []Piece) (FileState, error) {
	name, err := h.Name(path)
	if err != nil {
		return FileState{}, err
	}
	var state FileState
	err = h.update(id, func(s *Session) error {
		d, err := h.document(name)
		if err != nil {
			return err
		}
		if shown := d.matching(pieces); len(shown) > 0 {
			h.credit(s, d, shown, nil)
		}
		state = h.fileState(s, name, h.align(s, d))
		return nil
	})
	return state, err
}

// matching returns the lines of d that pieces show as they are, ascending.
// Lines that cannot be shown as they are, such as those that are no UTF-8, are
// none of them.
func (d *Document) matching(pieces []Piece) []awareness.Range {
	var out []awareness.Range
	for _, piece := range pieces {
		for n, line := range text.Split(piece.Text).All() {
			if n += piece.Start - 1; n < 1 || n > d.Text.Len() || d.Text.Line(n) != line {
				continue
			}
			if last := len(out) - 1; last >= 0 && out[last].End == n-1 {
				out[last].End = n
			} else {
				out = append(out, awareness.Range{Start: n, End: n})
			}
		}
	}
	var whole []awareness.Range
	for _, r := range out {
		_, altered := truncation.Sanitize(text.Split(d.Text.Span(r.Start, r.End)))
		whole = append(whole, without([]awareness.Range{r}, altered, r.Start)...)
	}
	return whole
}

// StartSession begins a session of an agent, or goes on with it, and returns
// what it knows.
func (h *Hub) StartSession(id, agent string) ([]FileState, error) {
	err := h.update(id, func(s *Session) error {
		s.do(record{Kind: recSession, Version: journalVersion, Name: cmp.Or(agent, s.agent), Head: s.head})
		return nil
	})
	if err != nil {
		return nil, err
	}
	_, files, err := h.State(id, "")
	return files, err
}
