package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"unsafe"

	"github.com/acode-ls/acode-ls/artifacts"
	"github.com/acode-ls/acode-ls/internal/config"
	"github.com/acode-ls/acode-ls/internal/redact"
	"github.com/acode-ls/acode-ls/signatures"
	"github.com/acode-ls/acode-ls/truncation"
)

// This file makes artifacts of outputs.

// keep begins the artifact that a stream may become, nil if it becomes none. A
// size of 0 is that of a file whose system does not know better.
func (p *processing) keep() (*artifacts.Writer, error) {
	if !p.tool.Enabled || 0 < p.out.Size && p.out.Size < int64(p.tool.ArtifactThreshold) { // a character has at least a byte
		return nil, nil
	}
	return p.begin()
}

// refusal returns err, or the refusal of an output if the store found it too
// large: masking secrets may have made it longer.
func refusal(err error) error {
	if over, ok := errors.AsType[*artifacts.TooLargeError](err); ok {
		return &truncation.TooLargeError{Size: over.Max, Max: over.Max, AtLeast: true}
	}
	return err
}

func (p *processing) begin() (*artifacts.Writer, error) {
	return p.hub.create(p.session, artifacts.Meta{
		Tool: p.out.Tool, Source: cleanSource(p.redactor, p.out.Source), Origin: p.origin, Max: p.tool.MaxArtifactSize,
	})
}

// showsTail reports whether the end of an output is what matters.
func (p *processing) showsTail() bool {
	return truncation.Strategy(p.tool.Strategy) == truncation.Tail
}

// store makes an artifact of c, and r the reference to it.
func (p *processing) store(r *ToolResult, c content) error {
	all := c.Text()
	opts := p.hub.truncation(c, p.tool)
	s := stored{head: all, first: c.first, notice: opts.Contains}
	if p.showsTail() {
		var err error
		if s.tail, err = truncation.Truncate(c.Lines, truncation.Tail, opts); err != nil {
			return err
		}
	}
	key := readKey{p.session, p.origin, p.out.Source, len(all), p.redactor, p.tool}
	if info, ok := p.hub.storedBefore(key); ok {
		r.Artifact, r.wholeOnly, r.again, s.info = &info, !p.artifacts.EnablePartialRetrieval, true, info
		r.Result = p.reference(&s)
		p.hub.finish(r, c)
		return nil
	}
	w, err := p.begin()
	if err != nil {
		return err
	}
	defer w.Abort()
	if _, err := w.Write(unsafe.Slice(unsafe.StringData(all), len(all))); err != nil { // which only reads it
		return err
	}
	failures := 0
	if c.failures != nil {
		failures, _ = c.failuresIn(truncation.Range{First: c.first, Last: c.first + c.Len() - 1})
	}
	if err := p.commit(r, w, &s, failures); err != nil {
		return err
	}
	p.hub.stored(key, *r.Artifact)
	p.hub.finish(r, c)
	return nil
}

// readKey says what a read that was stored was of. Such a read is stored once:
// to show the same lines again makes no other artifact.
type readKey struct {
	session, origin, source string
	size                    int
	redactor                *redact.Redactor
	tool                    config.Tool
}

// storedBefore returns the artifact of a read that was made already, if it is
// still there.
func (h *Hub) storedBefore(key readKey) (artifacts.Info, bool) {
	h.keeping.mu.Lock()
	info, ok := h.keeping.reads[key]
	h.keeping.mu.Unlock()
	if !ok || key.origin == "" {
		return info, false
	}
	s, err := h.store()
	if err != nil {
		return info, false
	}
	a, err := s.Get(key.session, info.ID)
	if err != nil {
		return info, false
	}
	return info, a.Close() == nil
}

func (h *Hub) stored(key readKey, info artifacts.Info) {
	const most = 256
	h.keeping.mu.Lock()
	defer h.keeping.mu.Unlock()
	if key.origin == "" {
		return
	}
	if h.keeping.reads == nil || len(h.keeping.reads) >= most {
		h.keeping.reads = map[readKey]artifacts.Info{}
	}
	h.keeping.reads[key] = info
}

// storeStream makes an artifact of what w was given.
func (p *processing) storeStream(r *ToolResult, kept *truncation.Stream, failures *signatures.FailureScanner, w *artifacts.Writer) error {
	s := stored{head: kept.Head(), first: 1}
	total, left := 0, 0
	var shown signatures.FailureScanner
	if failures != nil {
		_, _ = shown.WriteString(preview(s.head)) // never fails
		total = failures.Total()
		left = total - shown.Total()
		s.notice = func(lines truncation.Range) string {
			return signatures.FailureHint(left, within(failures.Failures(), lines))
		}
	}
	if p.showsTail() {
		var err error
		opts := truncation.Options{Limits: limitsOf(p.tool)}
		if s.tail, r.FailureLines, err = cutWithFailures(kept, truncation.Tail, opts, failures); err != nil {
			return err
		}
		r.FailureLines -= shown.Total() // the end of a stream is far from its start
	} else {
		r.FailureLines = left
	}
	if err := p.commit(r, w, &s, total); err != nil {
		return err
	}
	p.hub.clean(r)
	return nil
}

// commit ends the artifact, and makes r the reference to it.
func (p *processing) commit(r *ToolResult, w *artifacts.Writer, s *stored, failures int) error {
	info, evicted, err := w.Commit(r.ContentType, p.summaryOf(r.ContentType, w.Lines(), failures))
	if err != nil {
		return err
	}
	p.hub.created(info, evicted)
	r.Artifact, r.wholeOnly, s.info = &info, !p.artifacts.EnablePartialRetrieval, info
	r.Result = p.reference(s)
	return nil
}

// put makes an artifact of the content, whatever its size. Of a binary nothing
// is masked.
func (p *processing) put() (artifacts.Info, error) {
	buf, done, err := p.read(nil, sampleSize)
	if err != nil {
		return artifacts.Info{}, err
	}
	binary := truncation.IsBinary(view(buf))
	if !done && !binary && looksLikeJSON(buf) {
		if buf, done, err = p.read(buf, int(min(maxWhole, p.tool.MaxArtifactSize))); err != nil {
			return artifacts.Info{}, err
		}
	}
	w, err := p.begin()
	if err != nil {
		return artifacts.Info{}, err
	}
	defer w.Abort()
	r := ToolResult{Tool: p.out.Tool, Session: p.session, ContentType: p.out.ContentType}
	switch {
	case binary:
		if r.ContentType == "" || isText(r.ContentType) { // which it is not, whatever was said
			r.ContentType = mediaType(buf[:min(len(buf), 512)])
		}
		_, err = p.copy(w, buf)
	case done:
		s := view(buf)
		r.ContentType = cmp.Or(r.ContentType, truncation.Sniff(s))
		if int64(len(s)) >= p.tool.MaxArtifactSize {
			err = &truncation.TooLargeError{Size: int64(len(s)), Max: p.tool.MaxArtifactSize}
			break
		}
		if p.redactor != nil {
			masked := p.redact(s, r.ContentType)
			s, r.Redactions = masked.Text, masked.Types
		}
		_, err = w.Write(unsafe.Slice(unsafe.StringData(s), len(s))) // which only reads it
	default:
		kept := truncation.NewStream(truncation.Limits{})
		_, _, err = p.pour(&r, io.MultiWriter(kept, w), buf)
		kept.Close()
		r.ContentType = cmp.Or(r.ContentType, kept.Sniff())
	}
	if err != nil {
		return artifacts.Info{}, err
	}
	info, evicted, err := w.Commit(r.ContentType, p.summaryOf(r.ContentType, w.Lines(), 0))
	if err != nil {
		return artifacts.Info{}, err
	}
	p.hub.recordRedactions(&r)
	p.hub.created(info, evicted)
	r.Artifact = &info
	c := r.counts()
	stored := c.Tools[r.Tool]
	stored.Calls, stored.Latency = 0, Latency{} // no output of it was shown
	c.Tools[r.Tool] = stored
	p.hub.count(info.Session, c)
	return info, nil
}

func (p *processing) summaryOf(contentType string, lines, failures int) string {
	if p.summary != "" {
		return clip(cleanSource(p.redactor, p.summary), maxSummary)
	}
	return summarize(p.out.Tool, cleanSource(p.redactor, p.out.Source), contentType, lines, failures)
}

// origin is what an artifact was read from.
type origin struct {
	Name  string // of the file
	First int    // the line of the file that line 1 of the artifact is
	Sum   digest // of the file's bytes
}

func (o origin) String() string {
	sum, _ := o.Sum.MarshalText() // never fails
	return fmt.Sprintf("%s %d %s", sum, o.First, o.Name)
}

func parseOrigin(s string) (o origin, ok bool) {
	sum, rest, _ := strings.Cut(s, " ")
	first, name, _ := strings.Cut(rest, " ")
	if o.Sum.UnmarshalText([]byte(sum)) != nil {
		return o, false
	}
	n, err := fmt.Sscan(first, &o.First)
	o.Name = name
	return o, n == 1 && err == nil && o.First >= 1 && name != ""
}

// cleanSource returns where an output comes from without secrets, in a line.
func cleanSource(r *redact.Redactor, s string) string {
	s = oneLine(strings.ToValidUTF8(s, "\ufffd"))
	if r == nil {
		return s
	}
	return maskQuery(r.Text(s).Text)
}

// maskQuery masks the values of parameters of URLs whose names speak of a
// secret.
func maskQuery(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexAny(s, "?&;")
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i+1])
		s = s[i+1:]
		name, value, ok := strings.Cut(s, "=")
		if !ok || strings.ContainsAny(name, " ?&;/") {
			continue
		}
		end := len(value)
		if j := strings.IndexAny(value, "&;# \"'"); j >= 0 {
			end = j
		}
		if end > 0 && isSecretName(name) && !strings.HasPrefix(value, "[REDACTED") {
			b.WriteString(name + "=[REDACTED]")
			s = value[end:]
		}
	}
}

func isSecretName(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"key", "token", "secret", "password", "passwd", "pwd", "auth", "sig", "session", "credential"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// IsMediaType reports whether s has the form of a content type.
func IsMediaType(s string) bool {
	const most = 127 // bytes
	bare, _, _ := strings.Cut(s, ";")
	kind, sub, ok := strings.Cut(strings.TrimSpace(bare), "/")
	word := func(s string) bool {
		return s != "" && strings.IndexFunc(s, func(r rune) bool {
			return r > '~' || r <= ' ' || strings.ContainsRune(`()<>@,;:\"/[]?=`, r)
		}) < 0
	}
	return ok && len(s) <= most && word(kind) && word(sub) && strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}
