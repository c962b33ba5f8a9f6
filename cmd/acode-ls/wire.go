package main

import (
	"encoding/hex"
	"slices"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/fileuri"
	"github.com/acode-ls/acode-ls/internal/workspace"
	"github.com/acode-ls/acode-ls/signatures"
	"github.com/acode-ls/acode-ls/truncation"
)

// This file holds the data of envelopes. Lines are 1-based and ranges of them
// include both ends.

type lineRange struct {
	StartLine int `json:"start_line"`
	EndLine   int `json:"end_line"`
}

func lineRanges(ranges []awareness.Range) []lineRange {
	out := make([]lineRange, len(ranges))
	for i, r := range ranges {
		out[i] = lineRange{r.Start, r.End}
	}
	return out
}

type readData struct {
	Content           string      `json:"content"`
	ShownRanges       []lineRange `json:"shown_ranges"`
	TotalLines        int         `json:"total_lines"`
	SHA256            string      `json:"sha256"`
	Omissions         []omission  `json:"omissions"`
	ArtifactID        string      `json:"artifact_id,omitempty"`
	ArtifactReference string      `json:"artifact_reference,omitempty"` // the first line of the content
	Metadata          metadata    `json:"metadata"`
}

type omission struct {
	lineRange
	Lines      int         `json:"lines"`
	Characters int         `json:"characters"`
	Signatures []signature `json:"signatures,omitempty"`
}

// signature is a declaration that was left out.
type signature struct {
	declaration
	Read string `json:"read,omitempty"` // the command that shows it
}

type declaration struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	lineRange
}

func newDeclaration(d signatures.Declaration) declaration {
	return declaration{string(d.Kind), d.Name, lineRange{d.Lines.First, d.Lines.Last}}
}

// metadata describes the result of a tool. What may be left out by setting is
// a pointer.
type metadata struct {
	Version            int         `json:"version"`
	ToolName           string      `json:"tool_name"`
	WasTruncated       bool        `json:"was_truncated"`
	StrategyUsed       *string     `json:"strategy_used,omitempty"`
	Strategy           *string     `json:"strategy,omitempty"`
	TruncationStrategy *string     `json:"truncation_strategy,omitempty"`
	FallbackFrom       string      `json:"fallback_from,omitempty"`
	OriginalSize       *int        `json:"original_size,omitempty"` // characters
	TruncatedSize      int         `json:"truncated_size"`          // characters
	OmittedCharacters  int         `json:"omitted_characters"`
	OriginalBytes      *int        `json:"original_bytes,omitempty"`
	TruncatedBytes     int         `json:"truncated_bytes"`
	OriginalTokens     *int        `json:"original_tokens,omitempty"`
	TruncatedTokens    *int        `json:"truncated_tokens,omitempty"`
	OmittedLines       int         `json:"omitted_lines"`
	OmittedElements    int         `json:"omitted_elements,omitempty"`
	OmittedFailures    *int        `json:"omitted_failure_lines,omitempty"`
	OmissionSummary    string      `json:"omission_summary"`
	Omissions          []omission  `json:"omissions"`
	ArtifactCreated    bool        `json:"artifact_created"`
	ArtifactID         string      `json:"artifact_id,omitempty"`
	Retrieval          string      `json:"retrieval_instructions,omitempty"`
	RedactionCount     int         `json:"redaction_count"`
	Redactions         []redaction `json:"redactions"`
	ContentType        string      `json:"content_type"`
	ValidJSON          *bool       `json:"valid_json,omitempty"`
	DurationMS         float64     `json:"duration_ms"`
}

type redaction struct {
	Type  string `json:"type"`
	Count int    `json:"count"`
}

// newMetadata describes r. rest is the command that shows more, if there is
// more, and read that for some lines, which may be nil.
func newMetadata(r workspace.ToolResult, rest string, read func(first, last int) string) metadata {
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
		rest = r.Retrieval()
	}
	if told.IncludeRetrievalInstructions {
		m.Retrieval = rest
	} else {
		read = nil
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
			s := signature{declaration: newDeclaration(d)}
			if read != nil {
				s.Read = read(d.Lines.First, d.Lines.Last)
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

// newReadData converts the result of a read; rest is the command that shows
// more, if there is more, and read that for some lines.
func newReadData(r workspace.ReadResult, rest string, read func(first, last int) string) readData {
	m := newMetadata(r.ToolResult, rest, read)
	return readData{
		ArtifactID: m.ArtifactID, ArtifactReference: r.Reference(),
		Content: r.Content, ShownRanges: lineRanges(r.Shown), TotalLines: r.Total,
		SHA256: hex.EncodeToString(r.Bytes[:]), Omissions: bare(m.Omissions), Metadata: m,
	}
}

// toolData is the output of a tool.
type toolData struct {
	Content           string   `json:"content"`
	IsError           bool     `json:"is_error"`
	ArtifactID        string   `json:"artifact_id,omitempty"`
	ArtifactReference string   `json:"artifact_reference,omitempty"` // the first line of the content
	Metadata          metadata `json:"metadata"`
}

type editData struct {
	Allowed  bool      `json:"allowed"`
	Blocks   []block   `json:"blocks"`
	Warnings []warning `json:"warnings"`
	Expanded []excerpt `json:"expanded"`
	Applied  bool      `json:"applied"`
	SHA256   *string   `json:"sha256"` // of the file afterwards; null if it was not edited
}

type fileName struct {
	Path string `json:"path"` // relative to the root, with slashes
	URI  string `json:"uri"`
}

type block struct {
	fileName
	Reason       string      `json:"reason"`
	UnreadRanges []lineRange `json:"unread_ranges"`
	Message      string      `json:"message"`
}

type warning struct {
	fileName
	Code          string      `json:"code"`
	Message       string      `json:"message"`
	ChangedRanges []lineRange `json:"changed_ranges"`
}

type excerpt struct {
	fileName
	lineRange
	Content string `json:"content"` // with line numbers
}

// newEditData converts a verdict about one file.
func newEditData(v workspace.Verdict, file fileName) editData {
	out := editData{Allowed: v.Allowed(), Blocks: []block{}, Warnings: []warning{}, Expanded: []excerpt{}}
	for _, b := range v.Blocks {
		out.Blocks = append(out.Blocks, block{file, string(b.Reason), lineRanges(b.Unread), b.Message})
	}
	for _, w := range v.Warnings {
		out.Warnings = append(out.Warnings, warning{file, "stale", w.Message, lineRanges(w.Changed)})
	}
	for _, e := range v.Expanded {
		out.Expanded = append(out.Expanded, excerpt{file, lineRange{e.Lines.Start, e.Lines.End}, e.Text})
	}
	return out
}

type stateData struct {
	Session string      `json:"session"`
	Files   []fileState `json:"files"`
	Summary string      `json:"summary"`
}

type fileState struct {
	fileName
	State         string      `json:"state"`
	Stale         bool        `json:"stale"`
	ReadRanges    []lineRange `json:"read_ranges"`
	UnreadRanges  []lineRange `json:"unread_ranges"`
	ChangedRanges []lineRange `json:"changed_ranges"`
	TotalLines    int         `json:"total_lines"`
	Coverage      float64     `json:"coverage"` // fraction
	Rounds        int         `json:"rounds"`   // since the agent last looked
}

func newStateData(h *workspace.Hub, session string, files []workspace.FileState) stateData {
	out := stateData{Session: session, Files: make([]fileState, len(files)), Summary: workspace.Summary(files)}
	for i, f := range files {
		out.Files[i] = newFileState(h, f)
	}
	return out
}

func newFileState(h *workspace.Hub, f workspace.FileState) fileState {
	return fileState{
		fileName: fileName{f.Name, fileuri.Format(h.Path(f.Name))}, State: string(f.State), Stale: f.Stale,
		ReadRanges: lineRanges(f.Read), UnreadRanges: lineRanges(f.Unread), ChangedRanges: lineRanges(f.Changed),
		TotalLines: f.Total, Coverage: f.Coverage, Rounds: f.Rounds,
	}
}
