package workspace

import (
	"cmp"
	"slices"
	"strings"

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
	for i := range ops {
		ops[i].ByTool = true
	}
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

// saved returns the file of a document as it is on disk, d itself if that is
// the same.
func (h *Hub) saved(d *Document) *Document {
	if !d.Open {
		return d
	}
	if onDisk, err := h.fromDisk(d.Name); err == nil && onDisk.Sum != d.Sum && !sameLines(onDisk.Text, d.Text) {
		return onDisk
	}
	return d
}

// Edited follows an edit that the agent's own tool has made on disk; written
// are the texts it wrote. If the file is not what was expected, as when a
// formatter ran at once, what the agent wrote counts as seen where it is found.
// While an editor has the file open and has not taken over the change, the
// ledger follows the buffer.
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
		_, approved := s.expected[name]
		if !s.fulfil(d) {
			h.creditWritten(s, d, written, approved)
		}
		state = h.fileState(s, name, s.ledger.File(name))
		return nil
	})
	return state, err
}

// creditWritten credits the lines of d that hold texts the agent wrote, where
// it is certain that they are these: a text that stands in the file once, and
// lines that have changed since the ledger looked. The lines a text begins and
// ends in were judged before, if the edit was.
func (h *Hub) creditWritten(s *Session, d *Document, texts []string, approved bool) {
	var seen []awareness.Range
	lines := map[string]bool{}
	for _, t := range texts {
		for _, line := range text.Split(t).All() {
			lines[line] = true
		}
		if r, ok := d.find(t, approved); ok {
			seen = append(seen, r)
		}
	}
	if f := s.ledger.File(d.Name); f != nil {
		moved := 0
		for _, hunk := range awareness.Align(f.Lines(), d.print().Lines) {
			for n := hunk.Start + moved; n < hunk.Start+moved+len(hunk.New); n++ {
				if lines[d.Text.Line(n)] {
					seen = append(seen, awareness.Range{Start: n, End: n})
				}
			}
			moved += len(hunk.New) - hunk.Old
		}
	}
	if len(seen) > 0 {
		h.credit(s, d, seen, nil)
	}
}

// find returns the lines that hold t whole, or with parts those that hold any
// of it, and false if t is not in the document once.
func (d *Document) find(t string, parts bool) (awareness.Range, bool) {
	all := withLF(d.Text.Text())
	t = withLF(t)
	start := strings.Index(all, t)
	if strings.TrimSpace(t) == "" || start < 0 || strings.Contains(all[start+1:], t) {
		return awareness.Range{}, false
	}
	end := start + len(t)
	first, last := 1+strings.Count(all[:start], "\n"), strings.Count(all[:end-1], "\n")+1
	if !parts && start > 0 && all[start-1] != '\n' {
		first++
	}
	if !parts && end < len(all) && all[end-1] != '\n' && all[end] != '\n' {
		last--
	}
	return awareness.Range{Start: first, End: last}, first <= last && last <= d.Text.Len()
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
		if shown := h.shown(d, pieces); len(shown) > 0 {
			h.credit(s, d, shown, nil)
		}
		state = h.fileState(s, name, h.align(s, d))
		return nil
	})
	return state, err
}

// shown returns the lines of d that pieces show: of its buffer, or of the file
// on disk if tools that know nothing of buffers have shown more of that.
func (h *Hub) shown(d *Document, pieces []Piece) []awareness.Range {
	inBuffer, saved := d.matching(pieces), h.saved(d)
	if saved == d {
		return inBuffer
	}
	onDisk := saved.matching(pieces)
	if length(onDisk) <= length(inBuffer) {
		return inBuffer
	}
	var out []awareness.Range
	moved, next := 0, 1
	keep := func(until int) { // lines of the disk that the buffer has too
		for _, r := range onDisk {
			if r = (awareness.Range{Start: max(r.Start, next), End: min(r.End, until)}); r.Len() > 0 {
				out = append(out, awareness.Range{Start: r.Start + moved, End: r.End + moved})
			}
		}
	}
	for _, hunk := range awareness.Align(saved.print().Lines, d.print().Lines) {
		keep(hunk.Start - 1)
		next = hunk.Start + hunk.Old
		moved += len(hunk.New) - hunk.Old
	}
	keep(saved.Text.Len())
	return out
}

func length(ranges []awareness.Range) (n int) {
	for _, r := range ranges {
		n += r.Len()
	}
	return n
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
