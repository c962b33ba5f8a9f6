package lsp

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/workspace"
	"github.com/acode-ls/acode-ls/truncation"
)

// This file holds the wire form of the acode/* requests, which
// docs/lsp-extensions.md documents. Lines are 1-based and include both ends.

type documentID struct {
	URI string `json:"uri"`
}

type lineRange struct {
	StartLine int `json:"startLine"`
	EndLine   int `json:"endLine"`
}

func lineRanges(ranges []awareness.Range) []lineRange {
	out := make([]lineRange, len(ranges))
	for i, r := range ranges {
		out[i] = lineRange{r.Start, r.End}
	}
	return out
}

func awarenessRanges(ranges []lineRange) []awareness.Range {
	out := make([]awareness.Range, len(ranges))
	for i, r := range ranges {
		out[i] = awareness.Range{Start: r.StartLine, End: r.EndLine}
	}
	return out
}

type sessionParams struct {
	Session string `json:"session,omitempty"`
}

type readParams struct {
	sessionParams
	TextDocument documentID `json:"textDocument"`
	StartLine    *int       `json:"startLine"`
	EndLine      *int       `json:"endLine"`
	StartByte    *int       `json:"startByte"` // of a line too long to be shown
	EndByte      *int       `json:"endByte"`
	MaxBytes     int        `json:"maxBytes"` // of the JSON text of the content; 0 for any that fits
}

type readResult struct {
	Content     string      `json:"content"`
	ShownRanges []lineRange `json:"shownRanges"`
	TotalLines  int         `json:"totalLines"`
	SHA256      string      `json:"sha256"`
	Omissions   []omission  `json:"omissions"`
	ArtifactID  string      `json:"artifactId,omitempty"`
	Reference   string      `json:"artifactReference,omitempty"` // the first line of the content
	Metadata    metadata    `json:"metadata"`
}

type omission struct {
	lineRange
	Lines      int         `json:"lines"`
	Characters int         `json:"characters"`
	Signatures []signature `json:"signatures,omitempty"`
}

// signature is a declaration that was left out.
type signature struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	lineRange
	Read *signatureRead `json:"read,omitempty"`
}

// signatureRead is the params of the acode/read that shows a declaration.
type signatureRead struct {
	TextDocument documentID `json:"textDocument"`
	lineRange
}

// metadata describes the result of a tool. What may be left out by setting is
// a pointer.
type metadata struct {
	Version            int         `json:"version"`
	ToolName           string      `json:"toolName"`
	WasTruncated       bool        `json:"wasTruncated"`
	StrategyUsed       *string     `json:"strategyUsed,omitempty"`
	Strategy           *string     `json:"strategy,omitempty"`
	TruncationStrategy *string     `json:"truncationStrategy,omitempty"`
	FallbackFrom       string      `json:"fallbackFrom,omitempty"`
	OriginalSize       *int        `json:"originalSize,omitempty"` // characters
	TruncatedSize      int         `json:"truncatedSize"`          // characters
	OmittedCharacters  int         `json:"omittedCharacters"`
	OriginalBytes      *int        `json:"originalBytes,omitempty"`
	TruncatedBytes     int         `json:"truncatedBytes"`
	OriginalTokens     *int        `json:"originalTokens,omitempty"`
	TruncatedTokens    *int        `json:"truncatedTokens,omitempty"`
	OmittedLines       int         `json:"omittedLines"`
	OmittedElements    int         `json:"omittedElements,omitempty"`
	OmittedFailures    *int        `json:"omittedFailureLines,omitempty"`
	OmissionSummary    string      `json:"omissionSummary"`
	Omissions          []omission  `json:"omissions"`
	ArtifactCreated    bool        `json:"artifactCreated"`
	ArtifactID         string      `json:"artifactId,omitempty"`
	Retrieval          string      `json:"retrievalInstructions,omitempty"`
	RedactionCount     int         `json:"redactionCount"`
	Redactions         []redaction `json:"redactions"`
	ContentType        string      `json:"contentType"`
	ValidJSON          *bool       `json:"validJson,omitempty"`
	DurationMS         float64     `json:"durationMs"`
}

type redaction struct {
	Type  string `json:"type"`
	Count int    `json:"count"`
}

// newMetadata describes r. uri is that of the file that was read, if it was
// one.
func newMetadata(r workspace.ToolResult, uri string) metadata {
	told := r.Settings
	m := metadata{
		Version: 1, ToolName: r.Tool, WasTruncated: r.WasTruncated, FallbackFrom: string(r.FallbackFrom),
		TruncatedSize: r.TruncatedCharacters, OmittedCharacters: r.OmittedCharacters, TruncatedBytes: r.TruncatedBytes,
		OmittedLines: r.OmittedLines, OmittedElements: r.OmittedElements, OmissionSummary: r.Summary(),
		Omissions:      make([]omission, len(r.Omissions)),
		RedactionCount: r.Redacted(), Redactions: make([]redaction, len(r.Redactions)),
		ContentType: r.ContentType, DurationMS: float64(r.Duration.Microseconds()) / 1000,
	}
	if told.IncludeOriginalSize {
		m.OriginalSize, m.OriginalBytes = &r.OriginalCharacters, &r.OriginalBytes
	}
	if told.IncludeTokenEstimate {
		before, after := truncation.Tokens(r.OriginalCharacters), truncation.Tokens(r.TruncatedCharacters)
		m.OriginalTokens, m.TruncatedTokens = &before, &after
	}
	if told.IncludeStrategy {
		strategy := string(r.Strategy)
		m.StrategyUsed, m.Strategy, m.TruncationStrategy = &strategy, &strategy, &strategy
	}
	if r.Artifact != nil {
		m.ArtifactCreated, m.ArtifactID = true, r.Artifact.ID
	}
	switch {
	case !told.IncludeRetrievalInstructions:
	case r.Artifact != nil:
		m.Retrieval = r.Retrieval()
	case uri != "" && !r.Binary && len(r.Omissions) > 0:
		o := r.Omissions[0].Lines
		m.Retrieval = fmt.Sprintf("read_file with start_line=%d and end_line=%d", o.First, o.Last)
	}
	if r.FailureLines > 0 {
		m.OmittedFailures = &r.FailureLines
	}
	if r.JSON != truncation.Unknown {
		valid := r.JSON == truncation.Valid
		m.ValidJSON = &valid
	}
	for i, c := range r.Redactions {
		m.Redactions[i] = redaction(c)
	}
	for i, o := range r.Omissions {
		m.Omissions[i] = omission{lineRange: lineRange{o.Lines.First, o.Lines.Last}, Lines: o.Lines.Len(), Characters: o.Characters}
		if r.Declarations == nil {
			continue
		}
		for _, d := range r.Declarations[i] {
			s := signature{Kind: string(d.Kind), Name: d.Name, lineRange: lineRange{d.Lines.First, d.Lines.Last}}
			if m.Retrieval != "" {
				s.Read = &signatureRead{documentID{uri}, s.lineRange}
			}
			m.Omissions[i].Signatures = append(m.Omissions[i].Signatures, s)
		}
	}
	return m
}

// bare returns omissions without what they hold, which the metadata lists.
func bare(omissions []omission) []omission {
	out := slices.Clone(omissions)
	for i := range out {
		out[i].Signatures = nil
	}
	return out
}

// newReadResult converts the result of a read of uri.
func newReadResult(r workspace.ReadResult, uri string) readResult {
	m := newMetadata(r.ToolResult, uri)
	return readResult{
		ArtifactID: m.ArtifactID, Reference: r.Reference(),
		Content: r.Content, ShownRanges: lineRanges(r.Shown), TotalLines: r.Total,
		SHA256: hexSum(r.Bytes), Omissions: bare(m.Omissions), Metadata: m,
	}
}

type processParams struct {
	sessionParams
	Tool        string  `json:"tool"`
	Content     *string `json:"content"`
	Source      string  `json:"source"`
	ContentType string  `json:"contentType"`
}

type toolResult struct {
	Content           string   `json:"content"`
	IsError           bool     `json:"isError"`
	ArtifactID        string   `json:"artifactId,omitempty"`
	ArtifactReference string   `json:"artifactReference,omitempty"` // the first line of the content
	Metadata          metadata `json:"metadata"`
}

type artifactParams struct {
	sessionParams
	ID        string `json:"id"`
	StartLine *int   `json:"startLine"`
	EndLine   *int   `json:"endLine"`
	StartByte *int64 `json:"startByte"`
	EndByte   *int64 `json:"endByte"`
	Query     string `json:"query"`
}

type artifactPart struct {
	Content    string         `json:"content"`
	Encoding   string         `json:"encoding,omitempty"` // base64 if it is no text
	Range      *artifactRange `json:"range"`              // null for what a query finds
	TotalLines int            `json:"totalLines"`
	TotalBytes int64          `json:"totalBytes"`
	Truncated  bool           `json:"truncated,omitempty"` // there was no room for all that was asked for
	Values     *int           `json:"values,omitempty"`    // of a query, in the content
	Found      *int           `json:"found,omitempty"`     // by a query
}

type artifactRange struct {
	lineRange
	StartByte int64 `json:"startByte"`
	EndByte   int64 `json:"endByte"`
}

type artifactsParams struct {
	sessionParams
	Cursor string `json:"cursor"`
	Limit  int    `json:"limit"`
}

type artifactsResult struct {
	Artifacts  []artifactInfo `json:"artifacts"`
	NextCursor string         `json:"nextCursor,omitempty"`
}

type artifactInfo struct {
	ID      string `json:"id"`
	Size    int64  `json:"size"` // bytes
	Type    string `json:"type"`
	Source  string `json:"source"`
	Summary string `json:"summary"`
	Created string `json:"created"` // RFC 3339, UTC
	URI     string `json:"uri"`
}

type artifactsChanged struct {
	Session string `json:"session"`
}

type textDocumentContent struct {
	Text string `json:"text"`
}

func hexSum(h awareness.Hash) string { return hex.EncodeToString(h[:]) }

func parseSum(s string) (awareness.Hash, error) {
	var h awareness.Hash
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(h) {
		return h, Errorf(CodeInvalidParams, "sha256 %q is not 64 hexadecimal digits", s)
	}
	copy(h[:], b)
	return h, nil
}

type observeParams struct {
	sessionParams
	TextDocument documentID  `json:"textDocument"`
	Ranges       []lineRange `json:"ranges"`
	SHA256       string      `json:"sha256"`
	Shown        []shownText `json:"shown"`
}

// shownText is text that was shown as a part of a file.
type shownText struct {
	StartLine int    `json:"startLine"`
	Text      string `json:"text"`
}

// fileEdit is an edit of one file, by texts or lines or as a whole.
type fileEdit struct {
	sessionParams
	TextDocument documentID  `json:"textDocument"`
	Edits        []pieceEdit `json:"edits"`
	Content      *string     `json:"content"`
	Expected     string      `json:"expectedSha256"`
	DryRun       bool        `json:"dryRun"`   // only judge
	Expect       bool        `json:"expect"`   // only judge: a tool of the agent's own is about to do it
	NoExpand     bool        `json:"noExpand"` // a refusal carries no lines
	Label        string      `json:"label"`
}

// pieceEdit replaces a text, or lines.
type pieceEdit struct {
	OldText    *string `json:"oldText"`
	NewText    *string `json:"newText"`
	ReplaceAll bool    `json:"replaceAll"`
	StartLine  *int    `json:"startLine"`
	EndLine    *int    `json:"endLine"` // one less than startLine for an insertion
}

type editedParams struct {
	sessionParams
	TextDocument documentID `json:"textDocument"`
	Texts        []string   `json:"texts"`
}

type sessionEventParams struct {
	sessionParams
	Event string `json:"event"` // start or end
	Agent string `json:"agent"`
}

type sessionResult struct {
	Session string `json:"session"`
	Summary string `json:"summary"` // of what it has seen
}

type unsavedResult struct {
	Documents []unsavedDocument `json:"documents"`
}

// unsavedDocument is a document whose text is not that of the file on disk.
type unsavedDocument struct {
	URI  string `json:"uri"`
	Text string `json:"text"`
}

// hello is the first message on the socket for agents, and its answer.
type hello struct {
	Protocol int    `json:"protocol"`
	Version  string `json:"version"` // of the program
	Root     string `json:"root"`
	PID      int    `json:"pid"`
}

type editParams struct {
	sessionParams
	Edit  json.RawMessage `json:"edit"`
	Label string          `json:"label"`
}

type verdict struct {
	Allowed  bool      `json:"allowed"`
	Blocks   []block   `json:"blocks"`
	Warnings []warning `json:"warnings"`
	Expanded []excerpt `json:"expanded"`
}

type block struct {
	URI          string      `json:"uri"`
	Reason       string      `json:"reason"`
	UnreadRanges []lineRange `json:"unreadRanges"`
	Message      string      `json:"message"`
}

type warning struct {
	URI           string      `json:"uri"`
	Code          string      `json:"code"`
	Message       string      `json:"message"`
	ChangedRanges []lineRange `json:"changedRanges"`
}

type excerpt struct {
	URI       string `json:"uri"`
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	Content   string `json:"content"`
}

// newVerdict converts a verdict; uri gives the URI of a path as it was asked
// about.
func newVerdict(v workspace.Verdict, uri func(path string) string) verdict {
	out := verdict{Allowed: v.Allowed(), Blocks: []block{}, Warnings: []warning{}, Expanded: []excerpt{}}
	for _, b := range v.Blocks {
		out.Blocks = append(out.Blocks, newBlock(b, uri))
	}
	for _, w := range v.Warnings {
		out.Warnings = append(out.Warnings, warning{uri(w.Path), codeStale, w.Message, lineRanges(w.Changed)})
	}
	for _, e := range v.Expanded {
		out.Expanded = append(out.Expanded, excerpt{uri(e.Path), e.Lines.Start, e.Lines.End, e.Text})
	}
	return out
}

func newBlock(b workspace.Block, uri func(path string) string) block {
	return block{uri(b.Path), string(b.Reason), lineRanges(b.Unread), b.Message}
}

type applyResult struct {
	verdict
	Applied       bool              `json:"applied"`
	FailureReason string            `json:"failureReason,omitempty"`
	SHA256        map[string]string `json:"sha256"`
}

type stateParams struct {
	sessionParams
	TextDocument *documentID `json:"textDocument"`
}

type stateResult struct {
	Session string      `json:"session"`
	Files   []fileState `json:"files"`
	Summary string      `json:"summary"`
}

type fileState struct {
	URI           string      `json:"uri"`
	State         string      `json:"state"`
	Stale         bool        `json:"stale"`
	ReadRanges    []lineRange `json:"readRanges"`
	UnreadRanges  []lineRange `json:"unreadRanges"`
	ChangedRanges []lineRange `json:"changedRanges"`
	TotalLines    int         `json:"totalLines"`
	Coverage      float64     `json:"coverage"` // fraction
	Rounds        int         `json:"rounds"`   // since the agent last looked
}

func newFileState(uri string, f workspace.FileState) fileState {
	return fileState{
		URI: uri, State: string(f.State), Stale: f.Stale,
		ReadRanges: lineRanges(f.Read), UnreadRanges: lineRanges(f.Unread), ChangedRanges: lineRanges(f.Changed),
		TotalLines: f.Total, Coverage: f.Coverage, Rounds: f.Rounds,
	}
}

type sessionsResult struct {
	Sessions []sessionInfo `json:"sessions"`
}

type sessionInfo struct {
	ID       string `json:"id"`
	Agent    string `json:"agent"`
	Active   bool   `json:"active"`
	Files    int    `json:"files"`
	LastUsed string `json:"lastUsed"`           // RFC 3339, UTC
	Selected bool   `json:"selected,omitempty"` // by acode.selectSession; else the active one is the latest used
	Ended    bool   `json:"ended,omitempty"`    // and nothing happened since
}

// view is what a person sees of a file.
type view struct {
	Session        string        `json:"session"`
	Agent          string        `json:"agent"`
	Version        *int32        `json:"version"` // of the text that the lines are of; null if it is not open
	State          string        `json:"state"`
	Stale          bool          `json:"stale"`
	Coverage       float64       `json:"coverage"` // fraction
	TotalLines     int           `json:"totalLines"`
	Rounds         int           `json:"rounds"` // since the agent last looked
	ReadRanges     []lineRange   `json:"readRanges"`
	ChangedRanges  []lineRange   `json:"changedRanges"` // with the lines that others put in since
	RedactedRanges []lineRange   `json:"redactedRanges"`
	Unread         []unreadRange `json:"unread"` // the others that the agent has not seen
}

type unreadRange struct {
	lineRange
	Declares string `json:"declares"` // "func Parse(), type Node"
}

func newView(v workspace.View, gaps []workspace.Gap) view {
	out := view{
		Session: v.Session, Agent: v.Agent, State: string(v.State), Stale: v.Stale,
		Coverage: v.Coverage, TotalLines: v.Total, Rounds: v.Rounds,
		ReadRanges: lineRanges(v.Read), ChangedRanges: lineRanges(v.Since()), RedactedRanges: lineRanges(v.Redacted),
		Unread: make([]unreadRange, len(gaps)),
	}
	if v.Open {
		out.Version = &v.Version
	}
	for i, g := range gaps {
		out.Unread[i] = unreadRange{lineRange{g.Lines.Start, g.Lines.End}, g.Declares}
	}
	return out
}

// editRefused tells of an edit that the guard refused.
type editRefused struct {
	Session string  `json:"session"`
	Agent   string  `json:"agent"`
	Blocks  []block `json:"blocks"`
}

type stateChanged struct {
	Session string   `json:"session"`
	URIs    []string `json:"uris"`
}

// diagnosticData is the data of our diagnostics, which comes back with a
// request for code actions.
type diagnosticData struct {
	Session string      `json:"session"`
	Ranges  []lineRange `json:"ranges"`
}
