package workspace

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/config"
	"github.com/acode-ls/acode-ls/internal/redact"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/signatures"
	"github.com/acode-ls/acode-ls/truncation"
)

// Selection is the part of a file that is asked for. The zero value is the
// whole file.
type Selection struct {
	Lines awareness.Range // 1-based, both ends included; zero for all

	// Bytes [Start, End) of the text, where a line is too long to be shown.
	StartByte, EndByte int

	// Room is how many bytes the content may have as a string in JSON, 0 for any
	// number. If it has more, that is an error and nothing is credited.
	Room int
}

func (sel Selection) fits(name, content string) error {
	if sel.Room == 0 || 6*len(content) < sel.Room { // no byte becomes more
		return nil
	}
	quoted, err := jsontext.AppendQuote(nil, strings.ToValidUTF8(content, "\ufffd"))
	if err == nil && len(quoted) > sel.Room {
		err = fmt.Errorf("%s: what is to be shown has %d bytes as JSON, and there is room for %d; ask for fewer lines", name, len(quoted), sel.Room)
	}
	return err
}

// ReadResult is what an agent is shown of a file.
type ReadResult struct {
	ToolResult
	Shown []awareness.Range // lines of the file shown whole and verbatim
	Path  string            // of the file, relative to the root
	Total int               // lines of the file
	Bytes awareness.Hash    // of the file's bytes

	counted bool
}

// longLine is how many times the limit one line may have that is read alone.
const longLine = 4

// Read shows an agent a file or a part of it, cut to the limit, and credits
// the lines that were shown whole.
func (h *Hub) Read(id, path string, sel Selection) (ReadResult, error) {
	return h.ReadWaiting(id, path, sel, func() {})
}

// ReadWaiting is Read that calls wait before it waits for the disk to store
// what is too large to be shown.
func (h *Hub) ReadWaiting(id, path string, sel Selection, wait func()) (ReadResult, error) {
	start := time.Now()
	name, err := h.Name(path)
	if err != nil {
		return ReadResult{}, err
	}
	var r ReadResult
	var large *largeRead
	err = h.update(id, func(s *Session) error {
		d, err := h.document(name)
		if err != nil {
			return err
		}
		if r, large, err = h.read(s, d, sel, start); err == nil && large == nil && !r.counted {
			s.do(record{Kind: recCount, Count: r.count(start)})
		}
		return err
	})
	if large != nil && err == nil {
		wait()
		if err = h.storeRead(&r, large, start); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}
	r.Duration = time.Since(start)
	if tooLarge, ok := errors.AsType[*truncation.TooLargeError](err); ok {
		err = fmt.Errorf("reading %s at once, not by lines: %w", name, h.refuse(readTool, r.Session, tooLarge))
	} else if err == nil {
		h.record(&r.ToolResult)
	}
	return r, err
}

// largeRead is a read of which an artifact is to be made.
type largeRead struct {
	session string
	of      *Document
	masked  *masked
	shown   content
	tool    config.Tool
}

func (h *Hub) read(s *Session, d *Document, sel Selection, start time.Time) (ReadResult, *largeRead, error) {
	c, redactor := h.configuration()
	t := c.Tool(readTool)
	r := ReadResult{Path: d.Name, Total: d.Text.Len(), Bytes: d.Bytes}
	r.Tool, r.Session, r.Settings, r.ContentType = readTool, s.ID, t, truncation.TypeText
	if d.binary {
		return h.summary(d, r), nil, nil
	}
	if sel.EndByte > 0 || sel.StartByte > 0 {
		r, err := h.readBytes(s, d, sel, r, redactor)
		return r, nil, err
	}
	lines, err := sel.lines(d)
	if err != nil {
		return r, nil, err
	}
	if sel.Lines.Start > 0 && lines.Len() == 1 {
		t.InlineLimit *= longLine
	}
	masked := h.masked(d, redactor)
	shown := content{
		Lines: masked.Text, first: lines.Start, whole: masked.Text.Text(), numbered: true,
		language: signatures.Detect(d.Name, firstLine(d.Text)),
	}
	if shown.language == "" && isLog(d.Name) {
		shown.failures = failures{}
	}
	if lines.Len() < r.Total {
		shown.Lines = text.Split(masked.Text.Span(lines.Start, lines.End))
	} else {
		r.ContentType = truncation.Sniff(shown.whole)
	}
	r.Redactions = masked.count(lines)
	switch size := int64(len(shown.Text())); fate(shown.Text(), t) {
	case truncation.Refuse:
		return r, nil, &truncation.TooLargeError{Size: size, Max: t.MaxArtifactSize}
	case truncation.Store:
		asRead := *d // which an editor changes while the hub is not locked
		return r, &largeRead{s.ID, &asRead, masked, shown, t}, nil
	}
	if r.Result, err = h.show(shown, t); err != nil {
		return r, nil, err
	}
	h.finish(&r.ToolResult, shown)
	if err := sel.fits(d.Name, r.Content); err != nil {
		return r, nil, err
	}
	r.measure(d, lines)
	h.creditShown(s, d, masked, &r, start)
	return r, nil, nil
}

// measure gives the sizes of what was read, if masking secrets changed them.
func (r *ReadResult) measure(d *Document, lines awareness.Range) {
	if len(r.Redactions) > 0 {
		original := d.Text.Span(lines.Start, lines.End)
		r.OriginalCharacters, r.OriginalBytes = text.CodePoints(original), len(original)
	}
}

// creditShown credits the lines that r shows as they are.
func (h *Hub) creditShown(s *Session, d *Document, masked *masked, r *ReadResult, start time.Time) {
	for _, w := range r.Result.Shown {
		_, altered := truncation.Sanitize(text.Split(d.Text.Span(w.First, w.Last)))
		r.Shown = append(r.Shown, without([]awareness.Range{{Start: w.First, End: w.Last}}, altered, w.First)...)
	}
	hidden := masked.within(r.Shown)
	r.Shown = without(r.Shown, masked.lines, 1)
	h.track(s, d)
	s.do(record{
		Kind: recShow, Path: d.Name, Ranges: spans(r.Shown), Redacted: spans(hidden), Round: s.ledger.Round(),
		Count: r.count(start),
	})
	h.changed(s, d.Name)
}

// count returns what is counted of a read that began at start, once.
func (r *ReadResult) count(start time.Time) *Counts {
	r.counted, r.Duration = true, time.Since(start)
	return r.counts()
}

// storeRead makes an artifact of what was read, and r the reference to it. The
// hub is not locked meanwhile: nothing is credited of a file that changed.
func (h *Hub) storeRead(r *ReadResult, large *largeRead, start time.Time) error {
	d, first := large.of, large.shown.first
	lines := awareness.Range{Start: first, End: first + large.shown.Len() - 1}
	from := d.Name
	if lines.Len() < r.Total {
		from = fmt.Sprintf("%s lines %d-%d", d.Name, lines.Start, lines.End)
	}
	p, err := h.processing(Output{Session: large.session, Tool: readTool, Source: from, Name: d.Name})
	if err != nil {
		return err
	}
	p.tool = large.tool
	p.origin = origin{Name: d.Name, First: first, Sum: digest(d.Bytes)}.String()
	if err := p.store(&r.ToolResult, large.shown); err != nil {
		return err
	}
	r.measure(d, lines)
	return h.update(large.session, func(s *Session) error {
		if now, err := h.document(d.Name); err == nil && now.Bytes == d.Bytes {
			h.creditShown(s, now, large.masked, r, start)
		} else {
			s.do(record{Kind: recCount, Count: r.count(start)})
		}
		return nil
	})
}

// credit records that lines were shown, and others with secrets masked.
func (h *Hub) credit(s *Session, d *Document, lines, masked []awareness.Range) {
	h.track(s, d)
	s.do(record{Kind: recShow, Path: d.Name, Ranges: spans(lines), Redacted: spans(masked), Round: s.ledger.Round()})
	h.changed(s, d.Name)
}

// without returns ranges less the lines in out, of which line 1 is line first.
// Both are ascending.
func without(ranges []awareness.Range, out []truncation.Range, first int) []awareness.Range {
	var left []awareness.Range
	for _, r := range ranges {
		for _, o := range out {
			start, end := o.First+first-1, o.Last+first-1
			if end < r.Start {
				continue
			}
			if start > r.End {
				break
			}
			if r.Start < start {
				left = append(left, awareness.Range{Start: r.Start, End: start - 1})
			}
			r.Start = end + 1
		}
		if r.Len() > 0 {
			left = append(left, r)
		}
	}
	return left
}

// lines returns the lines that are meant, and an error that names the limit
// for those that cannot be.
func (sel Selection) lines(d *Document) (awareness.Range, error) {
	total := d.Text.Len()
	if sel.Lines == (awareness.Range{}) {
		return awareness.Range{Start: 1, End: total}, nil
	}
	r := sel.Lines
	if r.End == 0 {
		r.End = max(total, r.Start)
	}
	if r.Start == 0 {
		r.Start = 1
	}
	switch {
	case r.Start < 1 || r.End < 1:
		return r, fmt.Errorf("lines %d-%d: lines count from 1", r.Start, r.End)
	case r.End < r.Start:
		return r, fmt.Errorf("lines %d-%d run backwards", r.Start, r.End)
	case r.Start > total:
		return r, fmt.Errorf("line %d is past the end of %s, which has %d lines", r.Start, d.Name, total)
	}
	return awareness.Range{Start: r.Start, End: min(r.End, total)}, nil
}

// readBytes shows a range of bytes, shrunk to whole characters. A line counts
// as read once all its bytes were shown.
func (h *Hub) readBytes(s *Session, d *Document, sel Selection, r ReadResult, redactor *redact.Redactor) (ReadResult, error) {
	body := d.Text.Text()
	start, end := sel.StartByte, min(sel.EndByte, len(body))
	if sel.EndByte == 0 {
		end = len(body)
	}
	if start < 0 || end < start || start >= len(body) {
		return r, fmt.Errorf("bytes %d-%d lie outside the %d bytes of %s", sel.StartByte, sel.EndByte, len(body), d.Name)
	}
	for start < end && !utf8.RuneStart(body[start]) {
		start++
	}
	for end < len(body) && end > start && !utf8.RuneStart(body[end]) {
		end--
	}
	slice := body[start:end]
	if n, most := text.CodePoints(slice), longLine*r.Settings.InlineLimit; n > most {
		return r, fmt.Errorf("bytes %d-%d hold %d characters, over the limit of %d; ask for fewer", start, end, n, most)
	}
	r.OriginalCharacters, r.OriginalBytes = text.CodePoints(slice), len(slice)
	lines := awareness.Range{Start: d.Text.LineAt(start), End: d.Text.LineAt(max(start, end-1))}
	if masked := h.masked(d, redactor); masked.touches(lines) {
		r.Content = masked.Text.Text()[masked.offset(d, start):masked.offset(d, end)]
		r.Redactions = masked.count(lines)
		h.clean(&r.ToolResult)
		r.TruncatedCharacters, r.TruncatedBytes = text.CodePoints(r.Content), len(r.Content)
		return r, nil
	}
	clean, altered := truncation.Sanitize(text.Split(slice))
	r.Content = clean
	r.TruncatedCharacters, r.TruncatedBytes = r.OriginalCharacters, len(clean)
	if err := sel.fits(d.Name, r.Content); err != nil || len(altered) > 0 {
		return r, err
	}
	h.track(s, d)
	var whole []awareness.Range
	for line := lines.Start; line <= d.Text.Len() && d.Text.Start(line) < end; line++ {
		from := d.Text.Start(line)
		size := len(d.Text.Line(line))
		a, b := max(start-from, 0), min(end-from, size)
		if a == 0 && b == size {
			if last := len(whole) - 1; last >= 0 && whole[last].End == line-1 {
				whole[last].End = line
			} else {
				whole = append(whole, awareness.Range{Start: line, End: line})
			}
		} else if a < b {
			s.do(record{Kind: recPart, Path: d.Name, Part: &part{line, a, b, size}, Round: s.ledger.Round()})
		}
	}
	r.Shown = whole
	h.credit(s, d, whole, nil)
	return r, nil
}

// summary stands for a file that is no text: all of it in base64 if that fits,
// else what it is.
func (h *Hub) summary(d *Document, r ReadResult) ReadResult {
	body := d.bytes(d.Text.Text())
	settings, session := r.Settings, r.Session
	if base64.StdEncoding.EncodedLen(len(body)) <= settings.InlineLimit {
		r.ToolResult = inBase64([]byte(body))
		r.Tool, r.Session, r.Settings = readTool, session, settings
		return r
	}
	var size text.Counter
	_, _ = size.Write([]byte(body)) // never fails
	r.ToolResult = binaryResult([]byte(body[:min(len(body), 512)]), &size, d.Bytes[:])
	r.Tool, r.Session, r.Settings = readTool, session, settings
	return r
}

// Observe credits lines that another tool showed the agent; a zero range is
// all lines, an empty one none. If sum is not nil the file must still have that
// content.
func (h *Hub) Observe(id, path string, lines []awareness.Range, sum *awareness.Hash) (FileState, error) {
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
		if sum != nil && *sum != d.Bytes {
			return fmt.Errorf("%s is %w: it has sha256 %x", name, ErrOtherContent, d.Bytes)
		}
		var shown []awareness.Range
		for _, r := range lines {
			if r.Len() == 0 {
				continue
			}
			r, err := Selection{Lines: r}.lines(d)
			if err != nil {
				return err
			}
			_, altered := truncation.Sanitize(text.Split(d.Text.Span(r.Start, r.End)))
			shown = append(shown, without([]awareness.Range{r}, altered, r.Start)...)
		}
		h.credit(s, d, shown, nil)
		state = h.fileState(s, name, s.ledger.File(name))
		return nil
	})
	return state, err
}

// ErrOtherContent marks a claim about content that the file does not have.
var ErrOtherContent = errors.New("not the content that was shown")

// FileState is what a session knows of one file.
type FileState struct {
	Name     string
	State    awareness.State
	Stale    bool
	Read     []awareness.Range
	Unread   []awareness.Range
	Changed  []awareness.Range
	Redacted []awareness.Range
	Added    []awareness.Range
	Total    int
	Coverage float64
	Rounds   int // since the agent last looked
}

// State returns what a session knows of a file, or of all files if path is
// empty, and the id of the session.
func (h *Hub) State(id, path string) (string, []FileState, error) {
	name := ""
	if path != "" {
		var err error
		if name, err = h.Name(path); err != nil {
			return "", nil, err
		}
	}
	h.mu.Lock()
	defer h.unlock()
	s, err := h.session(id)
	if err != nil {
		return "", nil, err
	}
	if err := h.catchUp(s); err != nil {
		return "", nil, err
	}
	names := []string{name}
	if name == "" {
		names = s.ledger.Names()
	}
	var out []FileState
	for _, n := range names {
		f, err := h.upToDate(s, n)
		if err != nil {
			return "", nil, err
		}
		if name != "" || f != nil {
			out = append(out, h.fileState(s, n, f))
		}
	}
	return s.ID, out, nil
}

// upToDate returns what a session knows of a file's present text, nil if the
// file is gone. The journal is locked only if there is something to write.
func (h *Hub) upToDate(s *Session, name string) (*awareness.File, error) {
	f := s.ledger.File(name)
	if f == nil {
		return nil, nil
	}
	d := h.open[name]
	same := d != nil && d.Sum == f.Sum()
	if d == nil {
		info, err := h.stat(name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
			return nil, nil
		}
		same = err == nil && h.stamped(f, name, info)
	}
	if same && h.head() == s.head {
		return f, nil
	}
	err := h.with(s, func() error {
		h.refreshName(s, name)
		f = s.ledger.File(name)
		if d != nil {
			f = h.view(s, d)
		}
		return nil
	})
	return f, err
}

// fileState describes f, which is what s knows of a file's present text.
func (h *Hub) fileState(s *Session, name string, f *awareness.File) FileState {
	if f == nil {
		state := FileState{Name: name, State: awareness.NeverRead}
		if d, err := h.document(name); err == nil {
			state.Total = d.Text.Len()
			if state.Total > 0 {
				state.Unread = []awareness.Range{{Start: 1, End: state.Total}}
			}
		}
		return state
	}
	return FileState{
		Name: name, State: f.State(), Stale: f.Stale(),
		Read: f.Read(), Unread: f.Unread(), Changed: f.Changed(), Redacted: f.Redacted(), Added: f.Added(),
		Total: f.Total(), Coverage: f.Coverage(), Rounds: f.Rounds(s.ledger.Round()),
	}
}

// Summary tells in a few lines what a session knows, for an agent that lost
// its memory.
func Summary(files []FileState) string {
	if len(files) == 0 {
		return "No file was read."
	}
	var b strings.Builder
	for i, f := range files {
		if i == 50 {
			fmt.Fprintf(&b, "… and %d more files\n", len(files)-i)
			break
		}
		fmt.Fprintf(&b, "%s: %s", f.Name, strings.ReplaceAll(string(f.State), "_", " "))
		if f.State == awareness.PartialRead {
			fmt.Fprintf(&b, ", lines %s of %d", awareness.Ranges(f.Read), f.Total)
		}
		if f.Stale {
			b.WriteString(", changed since")
			if len(f.Changed) > 0 {
				fmt.Fprintf(&b, " in %s", awareness.Ranges(f.Changed))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// IsNotExist reports whether err says that a file does not exist.
func IsNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }
