package mcp

import (
	"fmt"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/acode-ls/acode-ls/internal/workspace"
	"github.com/acode-ls/acode-ls/truncation"
)

// This file has the structured content of tools whose output goes through the
// hub. Lines are 1-based and ranges of them include both ends.

// output is the structured content; what only some tools have is in extra.
type output struct {
	Content           jsontext.Value `json:"content,omitzero"` // a string
	IsError           bool           `json:"is_error"`
	ArtifactID        string         `json:"artifact_id,omitzero"`
	ArtifactReference string         `json:"artifact_reference,omitzero"` // the first line of the content
	Metadata          metadata       `json:"metadata"`
	extra
}

// extra is what only some tools tell.
type extra struct {
	Path       string `json:"path,omitzero"`        // what was listed or searched
	Entries    *int   `json:"entries,omitzero"`     // that were listed
	Matches    *int   `json:"matches,omitzero"`     // that were found
	More       *bool  `json:"more,omitzero"`        // there are more matches than were asked for
	ExitStatus *int   `json:"exit_status,omitzero"` // of a command
	Signal     string `json:"signal,omitzero"`      // that ended it
	TimedOut   *bool  `json:"timed_out,omitzero"`
}

// metadata describes the result of a tool. What may be left out by setting is
// a pointer.
type metadata struct {
	Version            int         `json:"version"`
	ToolName           string      `json:"tool_name"`
	WasTruncated       bool        `json:"was_truncated"`
	StrategyUsed       *string     `json:"strategy_used,omitzero"`
	Strategy           *string     `json:"strategy,omitzero"`
	TruncationStrategy *string     `json:"truncation_strategy,omitzero"`
	FallbackFrom       string      `json:"fallback_from,omitzero"`
	OriginalSize       *int        `json:"original_size,omitzero"` // characters
	TruncatedSize      int         `json:"truncated_size"`         // characters
	OmittedCharacters  int         `json:"omitted_characters"`
	OriginalBytes      *int        `json:"original_bytes,omitzero"`
	TruncatedBytes     int         `json:"truncated_bytes"`
	OriginalTokens     *int        `json:"original_tokens,omitzero"`
	TruncatedTokens    *int        `json:"truncated_tokens,omitzero"`
	OmittedLines       int         `json:"omitted_lines"`
	OmittedElements    int         `json:"omitted_elements,omitzero"`
	OmittedFailures    int         `json:"omitted_failure_lines,omitzero"`
	OmissionSummary    string      `json:"omission_summary"`
	Omissions          []omission  `json:"omissions"`
	ArtifactCreated    bool        `json:"artifact_created"`
	ArtifactID         string      `json:"artifact_id,omitzero"`
	Retrieval          string      `json:"retrieval_instructions,omitzero"`
	RedactionCount     int         `json:"redaction_count"`
	Redactions         []redaction `json:"redactions"`
	ContentType        string      `json:"content_type"`
	ValidJSON          *bool       `json:"valid_json,omitzero"`
	DurationMS         float64     `json:"duration_ms"`
}

type omission struct {
	StartLine  int `json:"start_line"`
	EndLine    int `json:"end_line"`
	Lines      int `json:"lines"`
	Characters int `json:"characters"`
}

type redaction struct {
	Type  string `json:"type"`
	Count int    `json:"count"`
}

func newMetadata(r workspace.ToolResult) metadata {
	told := r.Settings
	m := metadata{
		Version: 1, ToolName: r.Tool, WasTruncated: r.WasTruncated, FallbackFrom: string(r.FallbackFrom),
		TruncatedSize: r.TruncatedCharacters, OmittedCharacters: r.OmittedCharacters, TruncatedBytes: r.TruncatedBytes,
		OmittedLines: r.OmittedLines, OmittedElements: r.OmittedElements, OmittedFailures: r.FailureLines,
		OmissionSummary: r.Summary(), Omissions: make([]omission, len(r.Omissions)),
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
		if told.IncludeRetrievalInstructions {
			m.Retrieval = r.Retrieval()
		}
	}
	if r.JSON != truncation.Unknown {
		valid := r.JSON == truncation.Valid
		m.ValidJSON = &valid
	}
	for i, c := range r.Redactions {
		m.Redactions[i] = redaction(c)
	}
	for i, o := range r.Omissions {
		m.Omissions[i] = omission{o.Lines.First, o.Lines.Last, o.Lines.Len(), o.Characters}
	}
	return m
}

// outcome returns what becomes of r; last are lines for the model behind its
// content.
func (o output) outcome(r workspace.ToolResult, last ...string) outcome {
	o.Metadata, o.ArtifactReference = newMetadata(r), r.Reference()
	o.ArtifactID = o.Metadata.ArtifactID
	o.Content = quoted(r.Content)
	texts := []jsontext.Value{o.Content}
	if len(last) > 0 {
		texts = append(texts, lines(last...))
	}
	return outcome{texts: texts, isError: o.IsError, structured: func(withContent bool) (jsontext.Value, error) {
		if !withContent {
			o.Content = nil
		}
		out, err := jsonv2.Marshal(o)
		if err != nil {
			return nil, fmt.Errorf("writing the result of %s: %w", r.Tool, err)
		}
		return out, nil
	}}
}
