package replay

import (
	"fmt"
	"slices"
	"strings"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/text"
)

// memory is a plain record, apart from the ledger, of what one agent was shown.
type memory struct {
	session string
	files   map[string]*history // by path as recorded
}

// history is what an agent was shown of one file, by the text of the lines.
type history struct {
	seen  map[string]glimpse
	twice map[string]bool // of those, the texts that stood in the file more than once
	log   []entry         // the last maxTold of them
	more  int             // entries before those
}

// glimpse is where a text was first shown.
type glimpse struct {
	at   Place
	line int
}

// entry is one thing that happened to a file, for people.
type entry struct {
	at   Place
	what string
}

func newMemory(session string) *memory {
	return &memory{session, map[string]*history{}}
}

func (m *memory) file(path string) *history {
	h := m.files[path]
	if h == nil {
		h = &history{seen: map[string]glimpse{}, twice: map[string]bool{}}
		m.files[path] = h
	}
	return h
}

// note records what happened at a place.
func (h *history) note(at Place, what string) {
	if len(h.log) == maxTold {
		h.log = slices.Delete(h.log, 0, 1)
		h.more++
	}
	h.log = append(h.log, entry{at, what})
}

// see records that the agent knows a line, which it was shown or wrote; places
// is where the texts of the file stand.
func (h *history) see(at Place, n int, text string, places map[string]int) {
	if _, ok := h.seen[text]; !ok {
		h.seen[text] = glimpse{at, n}
	}
	if places[text] < 0 {
		h.twice[text] = true
	}
}

// moved reports whether the agent had been shown each of the missing lines. A
// text that stands in the file more than once, or stood there so when it was
// shown, does not tell which it was.
func (m *memory) moved(path string, lines []*line, missing []awareness.Range) bool {
	h := m.files[path]
	if h == nil {
		return false
	}
	places := once(lines)
	known := 0
	for _, r := range missing {
		for n := r.Start; n <= r.End; n++ {
			text := lines[n-1].text
			if places[text] < 0 || h.twice[text] {
				continue
			}
			if _, ok := h.seen[text]; !ok {
				return false
			}
			known++
		}
	}
	return known > 0
}

// maxTold bounds the lists of an explanation.
const maxTold = 20

// explain says what the agent had been shown of a file, what moved it, and what
// of the edit it lacks.
func (m *memory) explain(s step, lines []*line, missing []awareness.Range, late bool) string {
	var told []string
	h := m.files[s.path]
	if late {
		told = append(told, "the recording begins in the middle of the conversation")
	}
	if h == nil {
		told = append(told, "nothing of the file had been shown")
	} else {
		told = append(told, h.tell(s.at.File)...)
	}
	if len(missing) > 0 {
		told = append(told, "missing: "+noun(missing)+" "+awareness.Ranges(missing))
	}
	if h != nil {
		told = append(told, h.seenElsewhere(s.at.File, lines, missing)...)
	}
	return strings.Join(told, "\n")
}

func (h *history) tell(file string) []string {
	var told []string
	if h.more > 0 {
		told = append(told, fmt.Sprintf("… %d earlier", h.more))
	}
	for _, e := range h.log {
		told = append(told, e.at.in(file)+": "+e.what)
	}
	return told
}

// in names a place in a conversation of which most is in file.
func (p Place) in(file string) string {
	if p.File == file {
		return p.Position()
	}
	return p.File + " " + p.Position()
}

func (h *history) seenElsewhere(file string, lines []*line, missing []awareness.Range) []string {
	var told []string
	for _, r := range missing {
		for n := r.Start; n <= r.End; n++ {
			g, ok := h.seen[lines[n-1].text]
			if !ok || strings.TrimSpace(lines[n-1].text) == "" {
				continue
			}
			told = append(told, fmt.Sprintf("line %d holds a text that was shown at %s as line %d", n, g.at.in(file), g.line))
		}
	}
	if n := len(told) - maxTold; n > 0 {
		told = append(told[:maxTold], fmt.Sprintf("… %d more", n))
	}
	return told
}

func noun(ranges []awareness.Range) string {
	if len(ranges) == 1 && ranges[0].Len() == 1 {
		return "line"
	}
	return "lines"
}

func aligned(old, new string) []awareness.Hunk {
	return awareness.Align(awareness.Fingerprint(text.Split(old)).Lines, awareness.Fingerprint(text.Split(new)).Lines)
}

// changes names what was rewritten between two versions.
func changes(old, new string) string {
	hunks := aligned(old, new)
	const most = 4
	var told []string
	shift := 0
	for i, h := range hunks {
		if i == most {
			told = append(told, fmt.Sprintf("… %d more", len(hunks)-most))
			break
		}
		told = append(told, fmt.Sprintf("%s of %s", linesOf(h.Start+shift, len(h.New)), linesOf(h.Start, h.Old)))
		shift += len(h.New) - h.Old
	}
	return strings.Join(told, ", ")
}

func linesOf(start, n int) string {
	switch n {
	case 0:
		return "nothing"
	case 1:
		return fmt.Sprintf("line %d", start)
	}
	return fmt.Sprintf("lines %d-%d", start, start+n-1)
}
