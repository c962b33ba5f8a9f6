package workspace

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/acode-ls/acode-ls/artifacts"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/truncation"
)

// This file writes what an agent gets instead of what was stored.

const (
	previewLength = 500 // characters
	maxSummary    = 100 // characters
)

// stored is a text that was stored, with what its reference shows of it.
type stored struct {
	info    artifacts.Info
	head    string            // the start of the text, longer than a preview or all
	first   int               // the number of its first line
	tail    truncation.Result // the end as its tool cuts it; empty if that is not shown
	preview string            // set by reference

	notice func(truncation.Range) string // what is said of lines that are not shown; nil for nothing
}

// reference returns the result that stands for s: its first line, what it is,
// how it begins and, where that matters, ends, and how to get at it.
func (p *processing) reference(s *stored) truncation.Result {
	s.preview = preview(s.head)
	r := s.counted()
	i := s.info
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", ReferenceLine(i))
	fmt.Fprintf(&b, "Type: %s\n", i.Type)
	tokens := ""
	if p.tool.IncludeTokenEstimate {
		tokens = ", ~" + Number(int64(truncation.Tokens(int(i.Characters)))) + " tokens"
	}
	fmt.Fprintf(&b, "Size: %s (%s bytes%s)\n", Size(i.Size), Number(i.Size), tokens)
	fmt.Fprintf(&b, "Source: %s\n", Source(i))
	fmt.Fprintf(&b, "Created: %s\n", i.Created.UTC().Format(CreatedFormat))
	fmt.Fprintf(&b, "\nPreview (first %d characters):\n", previewLength)
	shown, _ := truncation.Sanitize(text.Split(s.preview))
	writeLine(&b, shown)
	switch {
	case s.tail.Content != "":
		fmt.Fprintf(&b, "\nEnd, as output of %s is cut:\n", i.Tool)
		writeLine(&b, s.tail.Content)
	case s.notice != nil && len(r.Omissions) > 0:
		lines := r.Omissions[0].Lines
		if notice := s.notice(lines); notice != "" {
			fmt.Fprintf(&b, "\n[Lines %d-%d truncated — %s]\n", lines.First, lines.Last, notice)
		}
	}
	if p.tool.IncludeRetrievalInstructions {
		b.WriteByte('\n')
		p.retrievalOptions(&b, s)
	}
	r.Content = b.String()
	r.TruncatedCharacters, r.TruncatedBytes = text.CodePoints(r.Content), len(r.Content)
	return r
}

// ReferenceLine returns the line by which an artifact is referred to.
func ReferenceLine(i artifacts.Info) string {
	return fmt.Sprintf("[Artifact: %s] %s (%s)", i.ID, i.Summary, Size(i.Size))
}

// CreatedFormat is how a person is told when an artifact was made.
const CreatedFormat = "2006-01-02 15:04:05 UTC"

// Source names what an artifact is from.
func Source(i artifacts.Info) string {
	return strings.TrimSpace(i.Tool + " " + i.Source)
}

// lineRange returns the n lines from first on.
func lineRange(first, n int) []truncation.Range {
	if n < 1 {
		return nil
	}
	return []truncation.Range{{First: first, Last: first + n - 1}}
}

func writeLine(b *strings.Builder, s string) {
	b.WriteString(s)
	if s != "" && !strings.HasSuffix(s, "\n") {
		b.WriteByte('\n')
	}
}

// preview returns the first characters of a text, with a CRLF whole.
func preview(s string) string {
	p := text.Prefix(s, previewLength)
	if strings.HasSuffix(p, "\r") && strings.HasPrefix(s[len(p):], "\n") {
		return p[:len(p)-1]
	}
	return p
}

// counted returns the numbers of a result that shows the preview and the tail.
func (s *stored) counted() truncation.Result {
	r := truncation.Result{
		WasTruncated: true, Strategy: Stored,
		OriginalCharacters: int(s.info.Characters), OriginalBytes: int(s.info.Size),
	}
	whole := text.Split(s.preview).Len() // lines of the preview
	if len(s.preview) == len(s.head) && int64(len(s.head)) == s.info.Size {
		r.Shown = lineRange(s.first, whole)
		return r
	}
	if !text.Split(s.preview).Terminated() {
		whole--
	}
	rest := truncation.Omission{
		Lines: truncation.Range{First: s.first + whole, Last: s.first + s.info.Lines - 1},
		Start: len(s.preview), End: int(s.info.Size), Characters: int(s.info.Characters) - text.CodePoints(s.preview),
	}
	r.Shown = lineRange(s.first, whole)
	r.Omissions = []truncation.Omission{rest}
	if len(s.tail.Omissions) > 0 {
		for _, t := range s.tail.Shown { // the preview may have the first of them too
			if t.First = max(t.First, s.first+whole); t.First <= t.Last {
				r.Shown = append(r.Shown, t)
			}
		}
		r.Omissions = nil
		for _, o := range s.tail.Omissions {
			if o.End <= len(s.preview) {
				continue
			}
			if o.Start < len(s.preview) {
				o.Characters -= text.CodePoints(s.preview[o.Start:])
				o.Start, o.Lines.First = len(s.preview), rest.Lines.First
			}
			r.Omissions = append(r.Omissions, o)
		}
	}
	for _, o := range r.Omissions {
		r.OmittedCharacters += o.Characters
		r.OmittedLines += o.Lines.Len()
	}
	return r
}

// Stored is what is named as the strategy of output that became an artifact.
const Stored truncation.Strategy = "artifact"

func (p *processing) retrievalOptions(b *strings.Builder, s *stored) {
	id := s.info.ID
	fmt.Fprintf(b, "Retrieval options:\n- Full content: get_artifact(id=%q)\n", id)
	if !p.artifacts.EnablePartialRetrieval {
		return
	}
	fmt.Fprintf(b, "- Line range: get_artifact(id=%q, start_line=1, end_line=100)\n", id)
	fmt.Fprintf(b, "- Byte range: get_artifact(id=%q, start_byte=0, end_byte=10240)\n", id)
	if query := sampleQuery(s.info.Type, s.head); query != "" {
		fmt.Fprintf(b, "- JSONPath query: get_artifact(id=%q, query=%s)\n", id, strconv.Quote(query))
	}
}

// sampleQuery returns a query that finds something in the JSON text that begins
// with head, "" if there is nothing to ask for.
func sampleQuery(contentType, head string) string {
	if contentType != truncation.TypeJSON {
		return ""
	}
	d := jsontext.NewDecoder(strings.NewReader(strings.TrimPrefix(head, "\ufeff")),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	switch d.PeekKind() {
	case '[':
		return "$[0:5]"
	case '{':
	default:
		return ""
	}
	first := ""
	_, _ = d.ReadToken() // was seen
	for d.PeekKind() == '"' {
		token, err := d.ReadToken()
		if err != nil {
			break
		}
		name := token.String()
		query := "$[" + strconv.Quote(name) + "]"
		if isName(name) {
			query = "$." + name
		}
		if d.PeekKind() == '[' {
			return query + "[0:5]"
		}
		if first == "" {
			first = query
		}
		if d.SkipValue() != nil {
			break
		}
	}
	return first
}

// isName reports whether a query may name a member without quotes.
func isName(s string) bool {
	for i, c := range []byte(s) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_'
		if !letter && (i == 0 || c < '0' || '9' < c) {
			return false
		}
	}
	return s != ""
}

// Reference returns the first line of the content that stands for an artifact,
// "" if there is none.
func (r ToolResult) Reference() string {
	if r.Artifact == nil {
		return ""
	}
	return ReferenceLine(*r.Artifact)
}

// Retrieval says how to get at an artifact.
func (r ToolResult) Retrieval() string {
	if r.Artifact == nil {
		return ""
	}
	if r.wholeOnly {
		return fmt.Sprintf("get_artifact(id=%q)", r.Artifact.ID)
	}
	return fmt.Sprintf("get_artifact(id=%q) for all of it, get_artifact(id=%[1]q, start_line=1, end_line=100) for a part", r.Artifact.ID)
}

// PutTool is the tool of artifacts of which no other is told.
const PutTool = "put"

// summarize says in a line what an output is, in at most maxSummary characters.
func summarize(tool, source, contentType string, lines, failures int) string {
	what := tool + " output"
	switch {
	case tool == PutTool:
		what = cmp.Or(source, "stdin")
	case source == "":
	case tool == readTool:
		what = source
	default:
		what = "output of " + source
	}
	kind := ""
	switch contentType {
	case truncation.TypeJSON:
		kind = ", JSON"
	case truncation.TypeXML:
		kind = ", XML"
	case truncation.TypeDiff:
		kind = ", diff"
	}
	kind += ", " + counted(lines, "line")
	if failures > 0 {
		kind += ", " + counted(failures, "failure line")
	}
	return clip(oneLine(what), maxSummary-len(kind)) + kind
}

func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Number(int64(n)) + " " + noun
}

// oneLine returns s without line breaks and control characters.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(c rune) bool { return c <= ' ' || c == 0x7f || c == 0x85 || c == 0x2028 || c == 0x2029 }), " ")
}

// clip cuts s to n characters.
func clip(s string, n int) string {
	if text.CodePoints(s) <= n {
		return s
	}
	return text.Prefix(s, n-1) + "…"
}

// Size writes a number of bytes for a person: 500 B, 890 KB, 2.3 MB.
func Size(n int64) string {
	const kb, mb, gb = 1 << 10, 1 << 20, 1 << 30
	switch {
	case n < kb:
		return fmt.Sprintf("%d B", n)
	case n < mb-kb/2: // which rounds to 1024 KB
		return fmt.Sprintf("%d KB", (n+kb/2)/kb)
	case n < gb-gb/20480:
		return fmt.Sprintf("%.1f MB", float64(n)/mb)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/gb)
}

// Number writes n with a comma before each three digits.
func Number(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
