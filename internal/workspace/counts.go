package workspace

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"time"

	"go.uber.org/zap"
)

// This file counts what the guard and the tools of a session did. Counts are
// records of its journal, so that processes that live for a moment count too.

// Counts are what happened in a session. Those of several moments add up.
type Counts struct {
	Guard      GuardCounts           `json:"g,omitzero"`
	Tools      map[string]ToolCounts `json:"t,omitempty"`
	Retrieved  map[string]int        `json:"get,omitempty"` // by artifact
	Redactions map[string]int        `json:"x,omitempty"`   // by type
}

// GuardCounts are about edits of files that exist.
type GuardCounts struct {
	Checked  int            `json:"c,omitempty"` // without retries of what was expanded
	Blocked  int            `json:"b,omitempty"`
	Expanded int            `json:"e,omitempty"` // blocked, and the missing lines handed out
	Resolved int            `json:"r,omitempty"` // of these, those that passed when tried again
	Reasons  map[string]int `json:"why,omitempty"`
	Latency  Latency        `json:"ms,omitzero"`
}

// ToolCounts are about the outputs of one tool.
type ToolCounts struct {
	Calls     int     `json:"n,omitempty"`
	Truncated int     `json:"c,omitempty"`
	Reduction float64 `json:"r,omitempty"` // sum over the truncated: the fraction of characters left out
	Artifacts int     `json:"a,omitempty"`
	Latency   Latency `json:"ms,omitzero"`
}

// Latency counts durations by the first of LatencyBounds that is not less, or
// one more than there are.
type Latency [len(LatencyBounds) + 1]int

// LatencyBounds are in milliseconds.
var LatencyBounds = [...]float64{0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 10_000}

func latency(d time.Duration) (l Latency) {
	i, _ := slices.BinarySearch(LatencyBounds[:], float64(d)/float64(time.Millisecond))
	l[i] = 1
	return l
}

// MarshalJSON writes the counts up to the last that is not 0.
func (l Latency) MarshalJSON() ([]byte, error) {
	n := len(l)
	for n > 0 && l[n-1] == 0 {
		n--
	}
	return json.Marshal(l[:n])
}

// UnmarshalJSON takes counts by more bounds for the last: a newer program may
// know more.
func (l *Latency) UnmarshalJSON(b []byte) error {
	var all []int
	if err := json.Unmarshal(b, &all); err != nil {
		return err
	}
	*l = Latency{}
	const most = 1 << 24 // more than there can be: a journal may be from elsewhere
	for i, n := range all {
		l[min(i, len(l)-1)] += min(max(n, 0), most)
	}
	return nil
}

func (l *Latency) add(o Latency) {
	for i, n := range o {
		l[i] += n
	}
}

// Add adds what happened at another moment.
func (c *Counts) Add(o Counts) {
	g := &c.Guard
	g.Checked += o.Guard.Checked
	g.Blocked += o.Guard.Blocked
	g.Expanded += o.Guard.Expanded
	g.Resolved += o.Guard.Resolved
	g.Latency.add(o.Guard.Latency)
	addAll(&g.Reasons, o.Guard.Reasons)
	addAll(&c.Retrieved, o.Retrieved)
	addAll(&c.Redactions, o.Redactions)
	for name, t := range o.Tools {
		if c.Tools == nil {
			c.Tools = map[string]ToolCounts{}
		}
		sum := c.Tools[name]
		sum.Calls += t.Calls
		sum.Truncated += t.Truncated
		sum.Reduction += t.Reduction
		sum.Artifacts += t.Artifacts
		sum.Latency.add(t.Latency)
		c.Tools[name] = sum
	}
}

func addAll(to *map[string]int, from map[string]int) {
	if *to == nil && len(from) > 0 {
		*to = map[string]int{}
	}
	for key, n := range from {
		(*to)[key] += n
	}
}

func (c Counts) clone() Counts {
	var out Counts
	out.Add(c)
	return out
}

// counts describes the output of a tool.
func (r *ToolResult) counts() *Counts {
	t := ToolCounts{Calls: 1, Latency: latency(r.Duration)}
	if r.WasTruncated {
		t.Truncated = 1
		if r.OriginalCharacters > 0 {
			t.Reduction = max(0, 1-float64(r.TruncatedCharacters)/float64(r.OriginalCharacters))
		}
	}
	if r.Artifact != nil && !r.again {
		t.Artifacts = 1
	}
	c := &Counts{Tools: map[string]ToolCounts{r.Tool: t}}
	for _, redacted := range r.Redactions {
		addAll(&c.Redactions, map[string]int{redacted.Type: redacted.Count})
	}
	return c
}

// Counts returns what happened in each session, or in one.
func (h *Hub) Counts(id string) (map[string]Counts, error) {
	if id != "" {
		if err := CheckSessionID(id); err != nil {
			return nil, err
		}
	}
	h.mu.Lock()
	defer h.unlock()
	h.loadNewSessions()
	out := map[string]Counts{}
	for name, s := range h.sessions {
		if id == "" || name == id {
			out[name] = s.counts.clone()
		}
	}
	return out, nil
}

// count notes what happened in a session. Its journal is appended to without
// being read: there may be much in it that does not matter here.
func (h *Hub) count(id string, c *Counts) {
	if CheckSessionID(id) != nil {
		return // an artifact of elsewhere may name anything
	}
	h.mu.Lock()
	defer h.unlock()
	s := h.known(id)
	if s.loaded { // the ledger is at hand
		err := h.with(s, func() error {
			s.do(record{Kind: recCount, Count: c})
			return nil
		})
		if err != nil {
			h.log.Warn("counting", zap.String("session", id), zap.Error(err))
		}
		return
	}
	h.counted(id, c)
	if err := h.locked(func() error { return s.appendCount(c) }); err != nil {
		h.log.Info("counting", zap.String("session", id), zap.Error(err))
	}
}

// counted passes on what happened. The caller holds h.mu.
func (h *Hub) counted(id string, c *Counts) {
	if h.opts.OnCount != nil {
		h.opts.OnCount(h.root, id, *c)
	}
}

// appendCount writes a record to a journal that was not read. The caller holds
// the journal lock.
func (s *Session) appendCount(c *Counts) error {
	if !s.hub.Journaled() {
		return nil
	}
	if info, err := s.hub.dir.Lstat(s.relPath()); err == nil {
		if err := s.hub.isOwnFile(info); err != nil {
			return err
		}
	}
	f, err := s.hub.dir.OpenFile(s.relPath(), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	switch err := startsLine(f); {
	case errors.Is(err, io.EOF):
		if err := enc.Encode(record{Kind: recSession, Version: journalVersion, Head: s.hub.head()}); err != nil {
			return err
		}
	case err != nil:
		return err
	}
	if err := enc.Encode(record{Kind: recCount, Count: c}); err != nil {
		return err
	}
	_, err = f.Write(buf.Bytes())
	return err
}

// startsLine returns an error if what is appended to a journal would not be a
// record: io.EOF if it is empty, another if a process left half a record.
func startsLine(f fs.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() == 0 {
		return io.EOF
	}
	var last [1]byte
	if _, err := f.(io.ReaderAt).ReadAt(last[:], info.Size()-1); err != nil {
		return err
	}
	if last[0] != '\n' {
		return errors.New("the journal ends in half a record")
	}
	return nil
}

// waits notes files of which missing lines were handed out, and others whose
// edit was tried again.
func (s *Session) waits(handedOut, tried []string) {
	for _, path := range tried {
		delete(s.waiting, path)
	}
	for _, path := range handedOut {
		if s.waiting == nil {
			s.waiting = map[string]bool{}
		}
		s.waiting[path] = true
	}
}

// sortedWaiting returns the files whose missing lines were handed out, and of
// which no edit was tried since.
func (s *Session) sortedWaiting() []string { return slices.Sorted(maps.Keys(s.waiting)) }
