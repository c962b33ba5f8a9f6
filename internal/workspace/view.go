package workspace

import "github.com/acode-ls/acode-ls/internal/text"

// View is what a person sees of one open document: its text and what the
// active session knows of it, at one moment.
type View struct {
	Session string
	Version int32
	Text    text.Lines
	Touched bool // the agent has looked at the file, or written it
	FileState
}

// View returns the view of an open document, or false if it is not open or an
// edit is on its way to it.
func (h *Hub) View(path string) (View, bool) {
	name, err := h.Name(path)
	if err != nil {
		return View{}, false
	}
	h.mu.Lock()
	defer h.unlock()
	s, err := h.session("")
	if err != nil {
		return View{}, false
	}
	d := h.open[name]
	if d == nil || d.pending != nil || h.catchUp(s) != nil {
		return View{}, false
	}
	f, err := h.upToDate(s, name)
	if err != nil {
		return View{}, false
	}
	v := View{Session: s.ID, Version: d.Version, Text: d.Text}
	if f != nil {
		v.Touched, v.FileState = true, h.fileState(s, name, f)
	}
	return v, true
}
