package workspace

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"
	"unsafe"

	"github.com/acode-ls/acode-ls/internal/config"
	"github.com/acode-ls/acode-ls/internal/redact"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/signatures"
	"github.com/acode-ls/acode-ls/truncation"
)

// Output is what a tool gave.
type Output struct {
	Tool    string
	Content io.Reader
	Size    int64 // of the content in bytes, negative if that is not known

	Session string // whose artifact it becomes if it has to; empty for the active one
	Source  string // where it comes from, such as the command

	Name        string // of the file that the content is the text of, if it is of one
	Strategy    string // instead of that of the tool, if not empty
	ContentType string // found out if empty
}

const (
	sampleSize = 64 << 10 // bytes by which a binary is known

	// Bytes of content that are taken into memory: of any, of source files, and
	// of what can only be cut by who sees all of it.
	maxAtOnce = 128 << 10
	maxSource = 16 << 20
	maxWhole  = 256 << 20

	chunkSize = 32 << 10 // bytes that go through a stream at once
)

// Process makes the output of a tool fit for an agent. It credits nothing: who
// knows that the output shows lines of a file calls Observe. An error of type
// *truncation.TooLargeError refuses output that is too large.
func (h *Hub) Process(out Output) (ToolResult, error) {
	start := time.Now()
	p, err := h.processing(out)
	if err != nil {
		return ToolResult{}, err
	}
	t := p.tool
	r, err := p.run()
	err = refusal(err)
	if tooLarge, ok := errors.AsType[*truncation.TooLargeError](err); ok {
		r = ToolResult{Tool: p.out.Tool, Session: p.session, Settings: t, ContentType: out.ContentType, Duration: time.Since(start)}
		r.OriginalBytes = int(tooLarge.Size)
		return r, h.refuse(p.out.Tool, p.session, tooLarge)
	} else if err != nil {
		return ToolResult{}, err
	}
	r.Tool, r.Session, r.Settings = p.out.Tool, p.session, t
	r.Duration = time.Since(start)
	h.record(&r)
	h.count(p.countedAs(), r.counts())
	return r, nil
}

// countedAs returns the session that an output counts in.
func (p *processing) countedAs() string { return cmp.Or(p.session, DefaultSession) }

// processing is one call of Process.
type processing struct {
	hub       *Hub
	out       Output
	tool      config.Tool
	redactor  *redact.Redactor
	artifacts config.Artifacts
	session   string

	summary string // of an artifact, where somebody gave one
	origin  string // of an artifact, see origin
}

func (h *Hub) processing(out Output) (processing, error) {
	c, redactor := h.configuration()
	session, err := h.sessionOr(out.Session)
	p := processing{
		hub: h, out: out, tool: c.Tool(out.Tool), redactor: redactor,
		artifacts: c.Tools.Truncation.Artifacts, session: session,
	}
	if out.Strategy != "" {
		p.tool.Strategy = out.Strategy
	}
	p.out.Tool = clip(cleanSource(redactor, out.Tool), maxSummary)
	p.out.ContentType = cleanSource(redactor, out.ContentType)
	return p, err
}

func (p *processing) run() (ToolResult, error) {
	buf, done, err := p.read(nil, sampleSize)
	if err != nil {
		return ToolResult{}, err
	}
	if truncation.IsBinary(view(buf)) {
		return p.binary(buf)
	}
	if !done {
		if buf, done, err = p.read(buf, p.atOnce(buf)); err != nil {
			return ToolResult{}, err
		}
	}
	if done {
		return p.text(view(buf))
	}
	return p.stream(buf)
}

// atOnce returns how many bytes of the content are taken into memory before it
// is treated as a stream. JSON is, so that masking a secret cannot break it.
func (p *processing) atOnce(start []byte) int {
	most := int(min(maxWhole, p.tool.MaxArtifactSize)) // what is too large is refused before it is all read
	if !p.tool.Enabled || looksLikeJSON(start) {
		return max(most, 4*p.tool.InlineLimit)
	}
	switch truncation.Strategy(p.tool.Strategy) {
	case truncation.HeadTail, truncation.Head, truncation.Tail:
		most = maxAtOnce
		if p.out.Name != "" && signatures.Detect(p.out.Name, "") != "" {
			most = maxSource
		}
	}
	// More characters than this are stored, however they are cut otherwise.
	return max(min(most, utf8.UTFMax*p.tool.ArtifactThreshold), 4*p.tool.InlineLimit)
}

func looksLikeJSON(start []byte) bool {
	start = bytes.TrimLeft(bytes.TrimPrefix(start, []byte("\ufeff")), " \t\r\n")
	return len(start) > 0 && (start[0] == '{' || start[0] == '[')
}

// read reads on until buf has n bytes, or all, which it reports.
func (p *processing) read(buf []byte, n int) ([]byte, bool, error) {
	const small = 8 << 10
	size := min(n, small)
	if p.out.Size >= 0 {
		size = int(min(max(int64(n), maxAtOnce), p.out.Size+1)) // the end of a file shows in an empty read
	}
	buf = slices.Grow(buf, max(0, size-len(buf)))
	for len(buf) < n {
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, min(n-len(buf), len(buf)))
		}
		k, err := p.out.Content.Read(buf[len(buf):min(n, cap(buf))])
		buf = buf[:len(buf)+k]
		if err == io.EOF {
			return buf, true, nil
		} else if err != nil {
			return nil, false, fmt.Errorf("reading the output of %s: %w", p.out.Tool, err)
		}
	}
	return buf, false, nil
}

// view returns b as a string without a copy. b must not change any more.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// text treats content that is all in memory.
func (p *processing) text(s string) (ToolResult, error) {
	r := ToolResult{ContentType: p.out.ContentType}
	if r.ContentType == "" {
		r.ContentType = truncation.Sniff(s)
	}
	original, bytes := -1, len(s)
	if p.redactor != nil {
		redacted := p.redact(s, r.ContentType)
		if redacted.Count > 0 {
			original = text.CodePoints(s)
			s, r.Redactions = redacted.Text, redacted.Types
		}
	}
	c := p.content(s, r.ContentType)
	var err error
	switch fate(s, p.tool) {
	case truncation.Refuse:
		return r, &truncation.TooLargeError{Size: int64(len(s)), Max: p.tool.MaxArtifactSize}
	case truncation.Store:
		err = p.store(&r, c)
	default:
		if r.Result, err = p.hub.show(c, p.tool); err == nil {
			p.hub.finish(&r, c)
		}
	}
	r.text = c.Lines
	if original >= 0 {
		r.OriginalCharacters, r.OriginalBytes = original, bytes
	}
	return r, err
}

func (p *processing) redact(s, contentType string) redact.Result {
	if contentType == truncation.TypeJSON {
		return p.redactor.JSON(s)
	}
	return p.redactor.Text(s)
}

func (p *processing) content(s, contentType string) content {
	c := content{Lines: text.Split(s), first: 1, whole: s, numbered: p.out.Tool == readTool}
	if p.out.Name != "" {
		c.language = signatures.Detect(p.out.Name, firstLine(c.Lines))
	}
	if c.language == "" && p.tellsFailures(contentType) {
		c.failures = failures{}
	}
	return c
}

func firstLine(l text.Lines) string {
	if l.Len() == 0 {
		return ""
	}
	return l.Line(1)
}

// tellsFailures reports whether lines of the output that look like failures are
// such: those of a search or of a diff are what somebody looked for.
func (p *processing) tellsFailures(contentType string) bool {
	if contentType != truncation.TypeText {
		return false
	}
	switch p.out.Tool {
	case "search_files", "list_directory", "git_diff":
		return false
	case readTool:
		return isLog(p.out.Name)
	}
	return true
}

// stream treats content that starts with buf and is longer than what is taken
// into memory. What is masked goes three ways at once: to what is shown of it, to
// the artifact and to the search for failures.
func (p *processing) stream(buf []byte) (ToolResult, error) {
	r := ToolResult{ContentType: p.out.ContentType}
	kept := truncation.NewStream(limitsOf(p.tool))
	var failures *signatures.FailureScanner
	if p.tellsFailures(cmp.Or(r.ContentType, truncation.TypeText)) {
		failures = new(signatures.FailureScanner)
	}
	w, refused := p.keep() // which matters only if the content is stored
	if w != nil {
		defer w.Abort()
		kept.CountedBy(w.Counts)
	}
	writers := []io.Writer{kept}
	var asides []*beside
	for _, to := range []struct {
		io.Writer
		wanted bool
	}{{failures, failures != nil}, {w, w != nil}} {
		if to.wanted {
			aside := newBeside(to.Writer)
			defer aside.close()
			asides, writers = append(asides, aside), append(writers, aside)
		}
	}
	total, grown, err := p.pour(&r, io.MultiWriter(writers...), buf)
	for _, aside := range asides {
		if failed := aside.close(); failed != nil {
			err = failed
		}
	}
	if err != nil {
		return r, err
	}
	kept.Close()
	if r.ContentType == "" {
		r.ContentType = kept.Sniff()
	}
	if failures != nil && !p.tellsFailures(r.ContentType) {
		failures = nil
	}
	switch fate := boundsOf(p.tool).Fate(kept.Characters(), total); {
	case fate == truncation.Store && refused != nil:
		return r, refused
	case fate == truncation.Store && w != nil:
		err = p.storeStream(&r, kept, failures, w)
	default: // masking may have made it so long that it would be stored
		err = p.cutStream(&r, kept, failures)
	}
	r.OriginalCharacters, r.OriginalBytes = r.OriginalCharacters-grown, int(total)
	return r, err
}

// pour writes all of the content, which starts with buf, masked to w. It
// returns its size in bytes and by how many characters masking made it longer.
func (p *processing) pour(r *ToolResult, w io.Writer, buf []byte) (total int64, grown int, err error) {
	if p.redactor == nil {
		total, err = p.copy(w, buf)
		return total, 0, err
	}
	masked := p.redactor.NewWriter(w)
	if total, err = p.copy(masked, buf); err != nil {
		return total, 0, err
	}
	if err := masked.Close(); err != nil {
		return total, 0, err
	}
	_, r.Redactions = masked.Result()
	return total, masked.Grown(), nil
}

// cutStream cuts what is not stored.
func (p *processing) cutStream(r *ToolResult, kept *truncation.Stream, failures *signatures.FailureScanner) (err error) {
	opts := truncation.Options{Limits: limitsOf(p.tool), Notice: p.out.Tool == readTool}
	r.Result, r.FailureLines, err = cutWithFailures(kept, truncation.Strategy(p.tool.Strategy), opts, failures)
	p.hub.clean(r)
	return err
}

// cutWithFailures cuts a stream and names the failures in what is left out,
// which it counts.
func cutWithFailures(kept *truncation.Stream, strategy truncation.Strategy, opts truncation.Options, failures *signatures.FailureScanner) (truncation.Result, int, error) {
	r, err := kept.Truncate(strategy, opts)
	if err != nil || failures == nil || failures.Total() == 0 {
		return r, 0, err
	}
	var shown signatures.FailureScanner
	_, _ = shown.WriteString(r.Content) // never fails
	left := failures.Total() - shown.Total()
	opts.Contains = func(lines truncation.Range) string {
		return signatures.FailureHint(left, within(failures.Failures(), lines))
	}
	r, err = kept.Truncate(strategy, opts)
	return r, left, err
}

// copy writes buf and the rest of the content to w, up to the largest size, and
// returns how many bytes that were.
func (p *processing) copy(w io.Writer, buf []byte) (total int64, err error) {
	refused := &truncation.TooLargeError{Size: p.out.Size, Max: p.tool.MaxArtifactSize}
	if p.out.Size < 0 {
		refused.Size, refused.AtLeast = refused.Max, true
	}
	for end := false; ; {
		if total += int64(len(buf)); total >= refused.Max {
			refused.Size = max(refused.Size, refused.Max)
			return 0, refused
		}
		for part := range slices.Chunk(buf, chunkSize) {
			if _, err := w.Write(part); err != nil {
				return 0, err
			}
		}
		if end {
			return total, nil
		}
		if buf, end, err = p.read(buf[:0], chunkSize); err != nil {
			return 0, err
		}
	}
}

func within(found []signatures.Failure, lines truncation.Range) []signatures.Failure {
	return slices.DeleteFunc(slices.Clone(found), func(f signatures.Failure) bool {
		return f.Line < lines.First || lines.Last < f.Line
	})
}

// binary treats content that is no text: all of it in base64 if that fits, else
// what it is.
func (p *processing) binary(buf []byte) (ToolResult, error) {
	start := buf
	if len(start) > 512 {
		start = slices.Clone(start[:512])
	}
	var size text.Counter
	sum := sha256.New()
	small := base64.StdEncoding.EncodedLen(len(buf)) <= p.tool.InlineLimit
	if small { // perhaps that is all
		all, done, err := p.read(buf, len(buf)+1)
		if err != nil {
			return ToolResult{}, err
		}
		if done && base64.StdEncoding.EncodedLen(len(all)) <= p.tool.InlineLimit {
			return inBase64(all), nil
		}
		buf = all
	}
	if _, err := p.copy(io.MultiWriter(&size, sum), buf); err != nil {
		return ToolResult{}, err
	}
	return binaryResult(start, &size, sum.Sum(nil)), nil
}

// inBase64 shows all of a binary.
func inBase64(all []byte) ToolResult {
	r := ToolResult{ContentType: mediaType(all[:min(len(all), 512)]), Binary: true}
	r.Result = truncation.Result{Content: base64.StdEncoding.EncodeToString(all), Strategy: "binary", OriginalBytes: len(all)}
	r.OriginalCharacters = text.CodePoints(view(all))
	r.TruncatedBytes, r.TruncatedCharacters = len(r.Content), len(r.Content)
	return r
}

// binaryResult says what a binary is.
func binaryResult(start []byte, size *text.Counter, sum []byte) ToolResult {
	r := ToolResult{ContentType: mediaType(start), Binary: true}
	r.Result = truncation.Result{
		Content:            fmt.Sprintf("[Binary file: %s, %d bytes, sha256 %x]\n", r.ContentType, size.Bytes(), sum),
		WasTruncated:       true,
		Strategy:           "binary",
		OriginalCharacters: size.Characters(),
		OriginalBytes:      int(size.Bytes()),
		OmittedCharacters:  size.Characters(),
		Omissions:          []truncation.Omission{{Lines: truncation.Range{First: 1, Last: size.Lines()}, End: int(size.Bytes()), Characters: size.Characters()}},
		OmittedLines:       size.Lines(),
	}
	r.TruncatedCharacters, r.TruncatedBytes = len(r.Content), len(r.Content)
	return r
}

// mediaType names what a binary begins as.
func mediaType(start []byte) string {
	t := http.DetectContentType(start)
	if t == "text/plain; charset=utf-8" { // what it calls all it does not know
		return truncation.TypeBinary
	}
	return t
}
