package workspace

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/zap"

	"github.com/acode-ls/acode-ls/awareness"
)

// record is one event of a session's journal. A ledger is what its records
// make of it, live and after a restart alike: every change of a ledger is a
// record first.
type record struct {
	Kind string `json:"k"`
	Path string `json:"p,omitempty"`
	To   string `json:"to,omitempty"` // moved

	Sum      digest   `json:"s,omitzero"`  // of the text afterwards
	Lines    hashes   `json:"l,omitempty"` // line hashes of the whole text
	Ranges   []span   `json:"r,omitempty"` // shown whole
	Redacted []span   `json:"x,omitempty"` // shown with secrets masked
	Part     *part    `json:"part,omitempty"`
	Hunks    []hunk   `json:"h,omitempty"`
	Agent    bool     `json:"a,omitempty"` // the agent made the change
	File     *fileRec `json:"f,omitempty"`
	Round    int      `json:"n,omitempty"`
	Told     bool     `json:"t,omitempty"`
	Head     string   `json:"head,omitempty"`
	Version  int      `json:"v,omitempty"`
	Size     int64    `json:"size,omitempty"` // bytes of the state that a compacted journal begins with
	Name     string   `json:"agent,omitempty"`
	At       int64    `json:"at,omitempty"` // ms since 1970

	// An edit that the agent is about to make with a tool of its own: from the
	// text with hash Base to that with hash Sum, by these records.
	Base digest   `json:"b,omitzero"`
	Then []record `json:"then,omitempty"`

	Count *Counts  `json:"count,omitempty"`
	Waits []string `json:"w,omitempty"` // files whose missing lines were handed out
	Tried []string `json:"d,omitempty"` // of these, those of which an edit was tried
}

const (
	recSession = "session" // the first line: format and agent
	recTrack   = "track"   // a file not seen before, with its line hashes
	recCreate  = "create"  // a file the agent creates, empty
	recShow    = "show"
	recPart    = "part"
	recChange  = "change"
	recRebase  = "rebase"
	recMove    = "move"
	recForget  = "forget"
	recRound   = "round"
	recGuarded = "guarded"
	recHead    = "head" // the checked out branch
	recEnd     = "end"  // of the session; it may begin again
	recExpect  = "expect"
	recCount   = "count"
	recFile    = "file" // the whole state of a file, in a compacted journal
)

const journalVersion = 1

type span [2]int // 1-based lines, both ends included

type part struct {
	Line, Start, End, Size int
}

type hunk struct {
	Start int    `json:"s"`
	Old   int    `json:"o"`
	New   hashes `json:"n,omitempty"`
}

type fileRec struct {
	Known    digest         `json:"known"`
	Changed  map[int]uint64 `json:"changed,omitempty"`
	Authored bool           `json:"authored,omitempty"`
	Shown    bool           `json:"shown,omitempty"`
	Added    []span         `json:"added,omitempty"`
}

// digest is a content hash in base64.
type digest awareness.Hash

func (d digest) MarshalText() ([]byte, error) {
	return base64.RawStdEncoding.AppendEncode(nil, d[:]), nil
}

func (d *digest) UnmarshalText(b []byte) error {
	n, err := base64.RawStdEncoding.AppendDecode(nil, b)
	if err != nil || len(n) != len(d) {
		return errors.New("no content hash")
	}
	copy(d[:], n)
	return nil
}

// hashes are line hashes, little-endian, in base64.
type hashes []uint64

func (h hashes) MarshalText() ([]byte, error) {
	raw := make([]byte, 0, 8*len(h))
	for _, v := range h {
		raw = binary.LittleEndian.AppendUint64(raw, v)
	}
	return base64.RawStdEncoding.AppendEncode(nil, raw), nil
}

func (h *hashes) UnmarshalText(b []byte) error {
	raw, err := base64.RawStdEncoding.AppendDecode(nil, b)
	if err != nil || len(raw)%8 != 0 {
		return errors.New("no line hashes")
	}
	out := make(hashes, 0, len(raw)/8)
	for ; len(raw) > 0; raw = raw[8:] {
		out = append(out, binary.LittleEndian.Uint64(raw))
	}
	*h = out
	return nil
}

func spans(ranges []awareness.Range) []span {
	var out []span
	for _, r := range ranges {
		if r.Len() > 0 {
			out = append(out, span{r.Start, r.End})
		}
	}
	return out
}

func lineRanges(spans []span) []awareness.Range {
	var out []awareness.Range
	for _, s := range spans {
		out = append(out, awareness.Range{Start: s[0], End: s[1]})
	}
	return out
}

// change is the record of a change of a file's text.
func changeRecord(name string, hunks []awareness.Hunk, sum awareness.Hash, by awareness.Cause) record {
	r := record{Kind: recChange, Path: name, Sum: digest(sum), Agent: by == awareness.ByAgent}
	for _, h := range hunks {
		r.Hunks = append(r.Hunks, hunk{h.Start, h.Old, h.New})
	}
	return r
}

// apply moves the ledger by one record. A record that contradicts the ledger
// is an error, and the file it speaks of is no longer known.
func (s *Session) apply(r record) error {
	s.over = r.Kind == recEnd || s.over && r.Kind == recCount
	if r.Count != nil {
		s.counts.Add(*r.Count)
	}
	s.waits(r.Waits, r.Tried)
	f := s.ledger.File(r.Path)
	if err := s.applyTo(f, r); err != nil {
		s.ledger.Forget(r.Path)
		return fmt.Errorf("%s record of %q: %w", r.Kind, r.Path, err)
	}
	return nil
}

func (s *Session) applyTo(f *awareness.File, r record) error {
	switch r.Kind {
	case recShow, recPart, recChange, recRebase:
		if f == nil {
			return errors.New("the file is not known")
		}
	}
	switch r.Kind {
	case recSession:
		if r.Version > journalVersion {
			return fmt.Errorf("format %d is %w", r.Version, errNewer)
		}
		s.agent, s.head = r.Name, r.Head
		s.compacted = max(s.compacted, r.Size)
	case recTrack:
		s.ledger.Put(r.Path, awareness.NewFile(awareness.Print{Sum: awareness.Hash(r.Sum), Lines: r.Lines}))
	case recCreate:
		s.ledger.Put(r.Path, awareness.NewAuthoredFile(r.Round))
	case recShow:
		f.Show(lineRanges(r.Ranges), lineRanges(r.Redacted), r.Round)
	case recPart:
		if r.Part == nil {
			return errors.New("it names no bytes")
		}
		f.ShowPart(r.Part.Line, r.Part.Start, r.Part.End, r.Part.Size, r.Round)
	case recChange:
		hunks := make([]awareness.Hunk, len(r.Hunks))
		last := 0
		for i, h := range r.Hunks {
			if h.Start <= last && i > 0 && h.Start != last || h.Start < 1 || h.Old < 0 || h.Old > f.Total() || h.Start > f.Total()+1-h.Old {
				return fmt.Errorf("it replaces %d lines from line %d on, of %d", h.Old, h.Start, f.Total())
			}
			hunks[i] = awareness.Hunk{Start: h.Start, Old: h.Old, New: h.New}
			last = h.Start + h.Old
		}
		by := awareness.ByOther
		if r.Agent {
			by = awareness.ByAgent
		}
		f.Change(hunks, awareness.Hash(r.Sum), by)
	case recRebase:
		f.Rebase(awareness.Hash(r.Sum))
	case recMove:
		if f != nil { // else the editor told of it before
			s.ledger.Move(r.Path, r.To)
		}
	case recForget:
		s.ledger.Forget(r.Path)
		delete(s.expected, r.Path)
	case recRound:
		s.ledger.EndRound()
	case recGuarded:
		s.ledger.Guarded()
	case recEnd:
		s.ended, s.expected = time.UnixMilli(r.At), nil
	case recExpect:
		s.expect(r)
	case recCount:
	case recHead:
		s.head = r.Head
		if r.Told || r.Round > 0 {
			s.ledger.SetRounds(r.Round, r.Told)
		}
	case recFile:
		if r.File == nil {
			return errors.New("it holds no state")
		}
		f, ok := awareness.Restore(awareness.Snapshot{
			Lines: r.Lines, Changed: r.File.Changed, Sum: awareness.Hash(r.Sum), Known: awareness.Hash(r.File.Known),
			Covered: lineRanges(r.Ranges), Redacted: lineRanges(r.Redacted), Added: lineRanges(r.File.Added),
			Authored: r.File.Authored, Shown: r.File.Shown, Round: r.Round,
		})
		if !ok {
			return errors.New("its ranges contradict its lines")
		}
		s.ledger.Put(r.Path, f)
	default:
		return errors.New("unknown kind")
	}
	return nil
}

// do applies records to the ledger and appends them to the journal. The caller
// holds the journal lock.
func (s *Session) do(records ...record) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	if s.offset == 0 && s.hub.Journaled() {
		head := record{Kind: recSession, Version: journalVersion, Name: s.agent, Head: s.head}
		records = append([]record{head}, records...)
	}
	for _, r := range records {
		if r.Count != nil {
			s.hub.counted(s.ID, r.Count)
		}
		if err := s.apply(r); err != nil {
			s.hub.log.Error("moving the ledger", zap.String("session", s.ID), zap.Error(err))
			r = record{Kind: recForget, Path: r.Path} // as apply did
		}
		if err := enc.Encode(r); err != nil {
			s.hub.log.Error("encoding a journal record", zap.String("session", s.ID), zap.Error(err))
		}
	}
	s.used = time.Now()
	s.write(buf.Bytes())
}

// write appends whole records to the journal. When that fails the ledger goes
// on in memory and the next write puts down its whole state. Half a record is
// cut off by whoever else writes before.
func (s *Session) write(b []byte) {
	if !s.hub.Journaled() {
		return
	}
	if s.broken {
		s.broken = s.compact() != nil
		return
	}
	f, err := s.openJournal()
	if err == nil {
		var n int
		n, err = f.Write(b)
		s.offset += int64(n)
	}
	if err != nil {
		s.broken = true
		s.hub.log.Error("writing the journal", zap.String("session", s.ID), zap.Error(err))
	}
}

// Unwritten returns why what happened will not be known to other processes, nil
// if it will.
func (h *Hub) Unwritten() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.noState {
		return fmt.Errorf("the ledger cannot be written: %s cannot be had; acode-ls doctor says more", stateDir)
	}
	for _, s := range h.sessions {
		if s.broken {
			return fmt.Errorf("the ledger of session %s cannot be written", s.ID)
		}
	}
	return nil
}

func (s *Session) openJournal() (*os.File, error) {
	if s.file != nil {
		return s.file, nil
	}
	f, err := s.hub.dir.OpenFile(s.relPath(), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	if s.info, err = f.Stat(); err != nil {
		f.Close()
		return nil, err
	}
	s.file = f
	return f, nil
}

func (s *Session) relPath() string { return filepath.Join(stateDir, "sessions", s.ID+".jsonl") }

// sync reads what other processes appended to the journal since. It reports
// whether there was anything.
func (s *Session) sync() (bool, error) {
	if !s.hub.Journaled() || s.broken {
		return false, nil
	}
	// Only to see whether there is news: a journal is opened within the root.
	info, err := os.Lstat(filepath.Join(s.hub.journals, s.ID+".jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		if s.offset > 0 { // ended by another process
			s.reset()
			return true, nil
		}
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := s.hub.isOwnFile(info); err != nil {
		return false, err
	}
	if s.info != nil && os.SameFile(s.info, info) && info.Size() == s.offset {
		return false, nil
	}
	if s.info == nil || !os.SameFile(s.info, info) || info.Size() < s.offset {
		s.reset() // new, or rewritten by another process: from the start
	}
	f, err := s.openJournal()
	if err != nil {
		return false, err
	}
	tail, err := io.ReadAll(io.NewSectionReader(f, s.offset, 1<<62))
	if err != nil {
		return false, err
	}
	whole := bytes.LastIndexByte(tail, '\n') + 1
	for line := range bytes.Lines(tail[:whole]) {
		var r record
		err := jsonv2.Unmarshal(line, &r, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		if err != nil {
			s.forgetAll() // any line may have moved in what is lost
		} else {
			err = s.apply(r)
		}
		if errors.Is(err, errNewer) {
			return true, err // to write to it would damage it
		}
		if err != nil {
			s.hub.log.Warn("reading the journal", zap.String("session", s.ID), zap.Int64("byte", s.offset), zap.Error(err))
		}
		s.offset += int64(len(line))
	}
	if info.ModTime().After(s.used) {
		s.used = info.ModTime()
	}
	return true, nil
}

var errNewer = errors.New("that of a newer version of acode-ls; use that, or remove the journal")

// isOwnFile refuses a journal that somebody else may have written, as in a
// folder that came from elsewhere. Where the system keeps no modes, the folder
// is not private either.
func (h *Hub) isOwnFile(info fs.FileInfo) error {
	folder, err := h.dir.Lstat(stateDir)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errors.New("it is not a regular file")
	case isForeign(info):
		return errors.New("it is another user's; remove it")
	case folder.Mode().Perm() == 0o700 && info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("its mode is %04o, and that of a journal is 0600; remove it unless you trust where it is from", info.Mode().Perm())
	}
	return nil
}

// mend cuts off half a record that a process left behind. The caller
// holds the journal lock and has synced.
func (s *Session) mend() {
	if s.file == nil || s.broken {
		return
	}
	if info, err := s.file.Stat(); err == nil && info.Size() > s.offset {
		_ = s.file.Truncate(s.offset)
	}
}

// reset forgets everything, to read the journal from its start.
func (s *Session) reset() {
	s.closeJournal()
	s.forgetAll()
	s.ledger, s.expected, s.counts, s.waiting, s.compacted = awareness.Ledger{}, nil, Counts{}, nil, 0
	s.offset, s.info, s.head = 0, nil, ""
}

// forgetAll drops the records of all files.
func (s *Session) forgetAll() {
	for _, name := range s.ledger.Names() {
		s.ledger.Forget(name)
		s.hub.changed(s, name)
	}
}

func (s *Session) closeJournal() {
	if s.file != nil {
		s.file.Close()
		s.file = nil
	}
}

// compactAt is the size in bytes from which a journal that is read anew is
// replaced by the state it leads to. A process of a hook reads all of it, so it
// is not large; but one that is mostly state is not written again and again.
const compactAt = 512 << 10

func (s *Session) isLong() bool { return s.offset > max(compactAt, 2*s.compacted) }

// compact replaces the journal by records of the present state. The caller
// holds the journal lock.
func (s *Session) compact() error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	out := []record{
		{Kind: recHead, Head: s.head, Round: s.ledger.Round(), Told: s.ledger.Told()},
	}
	end := record{Kind: recEnd, At: s.ended.UnixMilli()}
	out = append(out, record{Kind: recCount, Count: &s.counts, Waits: s.sortedWaiting()})
	if !s.ended.IsZero() && !s.over {
		out = append(out, end, record{Kind: recSession, Version: journalVersion, Name: s.agent, Head: s.head})
	}
	for _, name := range s.ledger.Names() {
		snap := s.ledger.File(name).Snapshot()
		out = append(out, record{
			Kind: recFile, Path: name, Sum: digest(snap.Sum), Lines: snap.Lines,
			Ranges: spans(snap.Covered), Redacted: spans(snap.Redacted), Round: snap.Round,
			File: &fileRec{Known: digest(snap.Known), Changed: snap.Changed, Authored: snap.Authored, Shown: snap.Shown, Added: spans(snap.Added)},
		})
	}
	for _, path := range slices.Sorted(maps.Keys(s.expected)) {
		out = append(out, s.expected[path])
	}
	if s.over {
		out = append(out, end)
	}
	for _, r := range out {
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
	var head bytes.Buffer // before the rest, which it tells the size of
	if err := json.NewEncoder(&head).Encode(record{Kind: recSession, Version: journalVersion, Name: s.agent, Size: int64(buf.Len())}); err != nil {
		return err
	}
	temp := s.relPath() + ".tmp"
	err := writeFile(s.hub.dir, temp, head.String()+buf.String(), 0o600)
	if err == nil {
		err = s.hub.dir.Rename(temp, s.relPath())
	}
	if err != nil {
		_ = s.hub.dir.Remove(temp)
		return err
	}
	// What the journal no longer tells, this process must not know either.
	s.reset()
	s.broken = false
	_, err = s.sync()
	return err
}
