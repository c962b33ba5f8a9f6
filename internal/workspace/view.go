package workspace

import (
	"slices"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/signatures"
)

// View is what a person sees of one file: its text and what a session knows of
// it, at one moment.
type View struct {
	Session string
	Agent   string
	Version int32 // of an open document
	Open    bool
	Text    text.Lines
	Touched bool // the agent has looked at the file, or written it
	Pending bool // an edit is on its way to it, and no more can be said until it is there
	FileState
}

// View returns the view of an open document, or false if it is not open or an
// edit is on its way to it.
func (h *Hub) View(path string) (View, bool) { return h.viewIn("", path, true) }

// ViewIn returns the view of a file, open or not, that a session has.
func (h *Hub) ViewIn(session, path string) (View, bool) { return h.viewIn(session, path, false) }

func (h *Hub) viewIn(session, path string, open bool) (View, bool) {
	name, err := h.Name(path)
	if err != nil {
		return View{}, false
	}
	h.mu.Lock()
	defer h.unlock()
	s, err := h.session(session)
	if err != nil {
		return View{}, false
	}
	d := h.open[name]
	if d != nil && d.pending != nil {
		return View{Pending: true}, false
	}
	if d == nil && open || h.catchUp(s) != nil {
		return View{}, false
	}
	f, err := h.upToDate(s, name)
	if err != nil {
		return View{}, false
	}
	if d == nil {
		if d, err = h.document(name); err != nil {
			return View{}, false
		}
	}
	v := View{Session: s.ID, Agent: s.agent, Version: d.Version, Open: d.Open, Text: d.Text}
	if f != nil {
		v.Touched, v.FileState = true, h.fileState(s, name, f)
	}
	return v, true
}

// Since returns what changed since the agent looked: lines it read that hold
// other text, and lines that others put in.
func (f FileState) Since() []awareness.Range { return awareness.Union(f.Changed, f.Added) }

// Gap is a run of lines that the agent has not seen, though they were there
// when it looked.
type Gap struct {
	Lines    awareness.Range
	Declares string // as a notice of truncation names it: "func Parse(), type Node"
}

// Gaps returns the gaps in what the agent has seen of a document.
func (h *Hub) Gaps(v View) []Gap {
	language := signatures.Detect(v.Name, firstLine(v.Text))
	rest := h.finder.Declarations(v.Text.Text(), language, signatures.Whole)
	var out []Gap
	for _, r := range awareness.Minus(v.Unread, v.Added) {
		for len(rest) > 0 && rest[0].Lines.First < r.Start {
			rest = rest[1:]
		}
		n := 0
		for n < len(rest) && rest[n].Lines.First <= r.End {
			n++
		}
		out = append(out, Gap{Lines: r, Declares: signatures.Hint(rest[:n])})
		rest = rest[n:]
	}
	return out
}

// hasUnseen reports whether an open document has unsaved changes that the agent
// has not seen. The caller holds h.mu.
func (h *Hub) hasUnseen(s *Session, d *Document) bool {
	onDisk := h.saved(d)
	if onDisk == d {
		return false
	}
	f := s.ledger.File(d.Name)
	if f == nil || f.Stale() {
		return true
	}
	unknown := awareness.Union(f.Unread(), f.Changed())
	shift := 0
	for _, hunk := range awareness.Align(onDisk.print().Lines, d.print().Lines) {
		start := hunk.Start + shift
		shift += len(hunk.New) - hunk.Old
		if slices.ContainsFunc(unknown, func(r awareness.Range) bool {
			return r.Start < start+len(hunk.New) && start <= r.End
		}) {
			return true
		}
	}
	return false
}
