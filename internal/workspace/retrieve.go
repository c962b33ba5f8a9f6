package workspace

import (
	"bufio"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.uber.org/zap"

	"github.com/acode-ls/acode-ls/artifacts"
	"github.com/acode-ls/acode-ls/artifacts/jsonpath"
	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/truncation"
)

// This file gets parts out of artifacts.

// Wanted is the part of an artifact that is asked for: lines, bytes, what a
// query finds, or all.
type Wanted struct {
	ByLines             bool
	FirstLine, LastLine int // 1-based, both included; a LastLine of 0 is the last there is

	ByBytes    bool
	Start, End int64 // half-open

	Query string // in JSONPath
	Skip  int    // values that the query finds first

	// Limit is how many bytes there is room for, 0 for any number, and Cost how
	// many bytes of it a string takes, nil for as many as it has.
	Limit int
	Cost  func(string) int
}

func (w Wanted) cost(s string) int {
	if w.Cost == nil {
		return len(s)
	}
	return w.Cost(s)
}

// fit returns how many bytes of s there is room for, up to the end of a line if
// that is one or more.
func (w Wanted) fit(s string) int {
	n, left := 0, w.Limit
	for line := range strings.Lines(s) {
		if left -= w.cost(line); left < 0 {
			break
		}
		n += len(line)
	}
	if n > 0 || s == "" {
		return n
	}
	left = w.Limit
	for i, r := range s {
		if left -= w.cost(string(r)); left < 0 {
			return i
		}
	}
	return len(s)
}

func (w Wanted) check() error {
	n := 0
	for _, set := range []bool{w.ByLines, w.ByBytes, w.Query != ""} {
		if set {
			n++
		}
	}
	if n > 1 {
		return fmt.Errorf("%w: lines, bytes and a query exclude one another", ErrWanted)
	}
	return nil
}

func (w Wanted) isAll() bool { return !w.ByLines && !w.ByBytes && w.Query == "" }

// String names the part for the log: a query may hold what is secret.
func (w Wanted) String() string {
	switch {
	case w.Query != "":
		return "query"
	case w.ByLines && w.LastLine == 0:
		return fmt.Sprintf("lines %d to the end", w.FirstLine)
	case w.ByLines:
		return fmt.Sprintf("lines %d-%d", w.FirstLine, w.LastLine)
	case w.ByBytes && w.End == 0:
		return fmt.Sprintf("bytes %d to the end", w.Start)
	case w.ByBytes:
		return fmt.Sprintf("bytes %d-%d", w.Start, w.End)
	}
	return "all"
}

// Portion is a part of an artifact.
type Portion struct {
	Info    artifacts.Info
	Content string

	// Where Content is in the artifact, and what there was no room for behind it.
	Span, Left artifacts.Span
	Omitted    int             // characters of Left
	Whole      awareness.Range // lines of the artifact that Content has whole
	Base64     bool            // Content is in base64, as the artifact is no text

	// Of a query: the values in Content, which is a list of them in JSON, and
	// how many there are behind the ones to skip.
	IsQuery       bool
	Values, Found int
	FoundSize     int // bytes of the list of all these
}

var (
	// ErrWanted marks a part that no artifact has.
	ErrWanted = errors.New("asking for a part of an artifact")

	// ErrPartial marks a part where only all may be asked for.
	ErrPartial = errors.New("parts of artifacts are not given out here: tools.truncation.artifacts.enable_partial_retrieval is false")
)

// Retrieve returns a part of an artifact, and credits the lines of a file that
// it shows a model.
func (h *Hub) Retrieve(session, id string, w Wanted, by Requester) (Portion, error) {
	var p Portion
	err := h.retrieve(session, id, w, by, func(a *artifacts.Artifact) (err error) {
		p = Portion{Info: a.Info()}
		if w.Query != "" {
			return p.query(a, w)
		}
		err = p.read(a, w)
		p.Whole = wholeLines(a, p.Span)
		return err
	})
	if err == nil && by == ForModel && !p.IsQuery && !p.Base64 {
		h.creditArtifact(p)
	}
	return p, err
}

// Show writes a part of an artifact to out, however large it is.
func (h *Hub) Show(session, id string, w Wanted, by Requester, out io.Writer) error {
	return h.retrieve(session, id, w, by, func(a *artifacts.Artifact) error {
		if w.Query != "" {
			return queryTo(out, a, w)
		}
		span, err := w.span(a)
		if err != nil {
			return err
		}
		r, err := a.Reader(span)
		if err != nil {
			return err
		}
		_, err = io.Copy(out, r)
		return err
	})
}

// retrieve lets f at an artifact and logs how that went.
func (h *Hub) retrieve(session, id string, w Wanted, by Requester, f func(*artifacts.Artifact) error) error {
	if err := w.check(); err != nil {
		return err
	}
	if c, _ := h.configuration(); !c.Tools.Truncation.Artifacts.EnablePartialRetrieval && !w.isAll() {
		return ErrPartial
	}
	a, err := h.artifact(session, id, w.String(), by)
	if err != nil {
		return err
	}
	defer a.Close()
	i := a.Info()
	if err := f(a); err != nil {
		h.retrievalFailed(i.Session, id, w.String(), by, err)
		return err
	}
	h.log.Info("artifact retrieved", zap.String("artifact_id", i.ID), zap.Stringer("retrieval_range", w),
		zap.String("requester", string(by)), zap.Bool("success", true), zap.String("session_id", i.Session))
	h.count(i.Session, &Counts{Retrieved: map[string]int{i.ID: 1}})
	return nil
}

func (w Wanted) span(a *artifacts.Artifact) (artifacts.Span, error) {
	switch {
	case w.ByLines:
		return a.Lines(w.FirstLine, w.LastLine)
	case w.ByBytes:
		span, err := a.Bytes(w.Start, w.End)
		if i := a.Info(); err == nil && !isText(i.Type) { // which has no characters to part
			span.Start, span.End = w.Start, i.Size
			if w.End > 0 {
				span.End = min(w.End, i.Size)
			}
		}
		return span, err
	}
	return a.All(), nil
}

// read fills p with what is wanted, as far as there is room.
func (p *Portion) read(a *artifacts.Artifact, w Wanted) error {
	asked, err := w.span(a)
	if err != nil {
		return err
	}
	p.Span = asked
	if p.Base64 = !isText(p.Info.Type); p.Base64 {
		return p.readBinary(a, w)
	}
	size := asked.End - asked.Start
	if w.Limit > 0 && size > int64(w.Limit) {
		if p.Span, err = a.Bytes(asked.Start, asked.Start+int64(w.Limit)); err != nil {
			return err
		}
	}
	if p.Content, err = contentOf(a, p.Span); err != nil {
		return err
	}
	fits := len(p.Content)
	if w.Limit > 0 {
		fits = w.fit(p.Content)
	}
	if fits == len(p.Content) && p.Span.End == asked.End {
		return nil
	}
	p.Content = p.Content[:fits]
	end := p.Span.Start + int64(fits)
	p.Span = artifacts.Span{Start: asked.Start, End: asked.Start, FirstLine: asked.FirstLine, LastLine: asked.FirstLine}
	if fits > 0 {
		if p.Span, err = a.Bytes(asked.Start, end); err != nil {
			return err
		}
	}
	if p.Left, err = a.Bytes(end, asked.End); err != nil {
		return err
	}
	r, err := a.Reader(p.Left)
	if err != nil {
		return err
	}
	var left text.Counter
	if _, err := io.Copy(&left, r); err != nil {
		return fmt.Errorf("reading artifact %s: %w", p.Info.ID, err)
	}
	p.Omitted = left.Characters()
	return nil
}

// isText reports whether content of a type is written in characters.
func isText(contentType string) bool {
	return strings.HasPrefix(contentType, "text/") || strings.HasSuffix(contentType, "json") || strings.HasSuffix(contentType, "xml")
}

// readBinary fills p with p.Span in base64, as far as there is room.
func (p *Portion) readBinary(a *artifacts.Artifact, w Wanted) error {
	asked := p.Span
	if most := int64(w.Limit) / 4 * 3; w.Limit > 0 && asked.End-asked.Start > most {
		p.Span.End, p.Span.FirstLine, p.Span.LastLine = asked.Start+most, 0, 0 // what is no text has no lines
		p.Left = artifacts.Span{Start: p.Span.End, End: asked.End}
		p.Omitted = int(asked.End - p.Span.End) // a byte is the only unit it has
	}
	content, err := contentOf(a, p.Span)
	p.Content = base64.StdEncoding.EncodeToString([]byte(content))
	return err
}

func contentOf(a *artifacts.Artifact, span artifacts.Span) (string, error) {
	r, err := a.Reader(span)
	if err != nil {
		return "", err
	}
	b := make([]byte, span.End-span.Start)
	if _, err := io.ReadFull(r, b); err != nil {
		return "", fmt.Errorf("reading artifact %s: %w", a.Info().ID, err)
	}
	return view(b), nil
}

// maxQueried is how many bytes of JSON a query may need in memory at once.
const maxQueried = 256 << 20

// each calls yield for the values that a query finds in an artifact.
func each(a *artifacts.Artifact, query string, yield func(value []byte) bool) error {
	i := a.Info()
	if i.Type != truncation.TypeJSON {
		return fmt.Errorf("%w: %s is %s, and only application/json can be queried", ErrWanted, i.ID, i.Type)
	}
	q, err := jsonpath.Parse(query)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrWanted, err)
	}
	open := func() (io.ReadCloser, error) {
		r, err := a.Reader(a.All())
		return io.NopCloser(r), err
	}
	if err := q.Each(open, maxQueried, yield); err != nil {
		return fmt.Errorf("querying artifact %s: %w", i.ID, err)
	}
	return nil
}

// query fills p with a list of the values that a query finds, as far as there
// is room.
func (p *Portion) query(a *artifacts.Artifact, w Wanted) error {
	p.IsQuery = true
	const open, between, end = "[\n", ",\n", "\n]\n"
	var b strings.Builder
	skip, left := w.Skip, w.Limit-w.cost(open+end)
	err := each(a, w.Query, func(value []byte) bool {
		if skip > 0 {
			skip--
			return true
		}
		p.Found++
		p.FoundSize += len(between) + len(value)
		if p.Values < p.Found-1 { // there was no room before
			return true
		}
		before := between
		if b.Len() == 0 {
			before = open
		}
		if left -= w.cost(before) + w.cost(view(value)); w.Limit > 0 && left < 0 {
			return true
		}
		b.WriteString(before)
		b.Write(value)
		p.Values++
		return true
	})
	if err != nil {
		return err
	}
	p.FoundSize += len(end)
	if p.Content = b.String() + end; p.Values == 0 {
		p.Content = "[]\n"
	}
	return nil
}

// queryTo writes a list of the values that a query finds.
func queryTo(out io.Writer, a *artifacts.Artifact, w Wanted) error {
	buffered := bufio.NewWriter(out)
	skip, before := w.Skip, "[\n"
	err := each(a, w.Query, func(value []byte) bool {
		if skip > 0 {
			skip--
			return true
		}
		_, _ = buffered.WriteString(before) // an error shows at the next write
		_, err := buffered.Write(value)
		before = ",\n"
		return err == nil
	})
	if err != nil {
		return err
	}
	end := "\n]\n"
	if before == "[\n" {
		end = "[]\n"
	}
	if _, err := buffered.WriteString(end); err != nil {
		return err
	}
	return buffered.Flush()
}

// creditArtifact credits what a part of an artifact shows of the file it was
// read from, if the file still is what was read.
func (h *Hub) creditArtifact(p Portion) {
	o, ok := parseOrigin(p.Info.Origin)
	if !ok {
		return
	}
	lines := p.Whole
	if lines.Len() <= 0 {
		return
	}
	lines = awareness.Range{Start: lines.Start + o.First - 1, End: lines.End + o.First - 1}
	err := h.update(p.Info.Session, func(s *Session) error {
		d, err := h.document(o.Name)
		if err != nil || d.Bytes != awareness.Hash(o.Sum) || lines.End > d.Text.Len() {
			return err
		}
		_, redactor := h.configuration()
		masked := h.masked(d, redactor)
		_, altered := truncation.Sanitize(text.Split(d.Text.Span(lines.Start, lines.End)))
		shown := without([]awareness.Range{lines}, altered, lines.Start)
		// What was masked when it was stored is not what is masked now.
		shown = without(shown, differing(text.Split(p.Content), p.Span.FirstLine+o.First-1, d.Text, lines), 1)
		hidden := masked.within(shown)
		h.credit(s, d, without(shown, masked.lines, 1), hidden)
		return nil
	})
	if err != nil && !IsNotExist(err) { // without credit, the agent reads the lines once more
		h.log.Warn("crediting lines of an artifact", zap.String("artifact_id", p.Info.ID), zap.Error(err))
	}
}

// differing returns the lines of a file that are others in what was shown of it
// from line first on.
func differing(shown text.Lines, first int, file text.Lines, lines awareness.Range) (found []truncation.Range) {
	for n := lines.Start; n <= lines.End; n++ {
		if shown.Line(n-first+1) != file.Line(n) {
			found = append(found, truncation.Range{First: n, Last: n})
		}
	}
	return found
}

// wholeLines returns the lines of the artifact that a part of it has whole.
func wholeLines(a *artifacts.Artifact, span artifacts.Span) awareness.Range {
	r := awareness.Range{Start: span.FirstLine, End: span.LastLine}
	if span.Start == span.End {
		return awareness.Range{}
	}
	if first, err := a.Lines(r.Start, r.Start); err != nil || first.Start < span.Start {
		r.Start++
	}
	if last, err := a.Lines(r.End, r.End); err != nil || span.End < last.End {
		r.End--
	}
	return r
}
