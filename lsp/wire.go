package lsp

import (
	"encoding/hex"
	"encoding/json"
	"fmt"

	"go.lsp.dev/protocol"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/workspace"
	"github.com/acode-ls/acode-ls/truncation"
)

// This file holds the wire form of the acode/* requests, which
// docs/lsp-extensions.md documents, and of the standard messages that
// go.lsp.dev/protocol has wrong or not at all. Lines in acode/* messages are
// 1-based and include both ends; positions in standard ones are 0-based, in
// the negotiated encoding.

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
}

type readResult struct {
	Content     string      `json:"content"`
	ShownRanges []lineRange `json:"shownRanges"`
	TotalLines  int         `json:"totalLines"`
	SHA256      string      `json:"sha256"`
	Omissions   []omission  `json:"omissions"`
	Metadata    metadata    `json:"metadata"`
}

type omission struct {
	StartLine  int `json:"startLine"`
	EndLine    int `json:"endLine"`
	Lines      int `json:"lines"`
	Characters int `json:"characters"`
}

// metadata describes the result of a tool.
type metadata struct {
	Version            int        `json:"version"`
	ToolName           string     `json:"toolName"`
	WasTruncated       bool       `json:"wasTruncated"`
	StrategyUsed       string     `json:"strategyUsed"`
	Strategy           string     `json:"strategy"`
	TruncationStrategy string     `json:"truncationStrategy"`
	OriginalSize       int        `json:"originalSize"`  // characters
	TruncatedSize      int        `json:"truncatedSize"` // characters
	OmittedCharacters  int        `json:"omittedCharacters"`
	OriginalBytes      int        `json:"originalBytes"`
	TruncatedBytes     int        `json:"truncatedBytes"`
	OriginalTokens     int        `json:"originalTokens"`
	TruncatedTokens    int        `json:"truncatedTokens"`
	OmittedLines       int        `json:"omittedLines"`
	OmissionSummary    string     `json:"omissionSummary"`
	Omissions          []omission `json:"omissions"`
	ArtifactCreated    bool       `json:"artifactCreated"`
	Retrieval          string     `json:"retrievalInstructions,omitempty"`
	RedactionCount     int        `json:"redactionCount"`
	Redactions         []struct{} `json:"redactions"`
	ContentType        string     `json:"contentType"`
	DurationMS         float64    `json:"durationMs"`
}

func newReadResult(r workspace.ReadResult) readResult {
	omissions := make([]omission, len(r.Omissions))
	for i, o := range r.Omissions {
		omissions[i] = omission{o.Lines.First, o.Lines.Last, o.Lines.Len(), o.Characters}
	}
	m := metadata{
		Version: 1, ToolName: "read_file", WasTruncated: r.WasTruncated,
		StrategyUsed: string(r.Strategy), Strategy: string(r.Strategy), TruncationStrategy: string(r.Strategy),
		OriginalSize: r.OriginalCharacters, TruncatedSize: r.TruncatedCharacters, OmittedCharacters: r.OmittedCharacters,
		OriginalBytes: r.OriginalBytes, TruncatedBytes: r.TruncatedBytes,
		OriginalTokens: truncation.Tokens(r.OriginalCharacters), TruncatedTokens: truncation.Tokens(r.TruncatedCharacters),
		OmittedLines: r.OmittedLines, OmissionSummary: r.Summary(), Omissions: omissions,
		Redactions: []struct{}{}, ContentType: r.ContentType, DurationMS: float64(r.Duration.Microseconds()) / 1000,
	}
	if len(omissions) > 0 {
		m.Retrieval = fmt.Sprintf("read_file with start_line=%d and end_line=%d", omissions[0].StartLine, omissions[0].EndLine)
	}
	return readResult{
		Content: r.Content, ShownRanges: lineRanges(r.Shown), TotalLines: r.Total,
		SHA256: hexSum(r.Bytes), Omissions: omissions, Metadata: m,
	}
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
		out.Blocks = append(out.Blocks, block{uri(b.Path), string(b.Reason), lineRanges(b.Unread), b.Message})
	}
	for _, w := range v.Warnings {
		out.Warnings = append(out.Warnings, warning{uri(w.Path), codeStale, w.Message, lineRanges(w.Changed)})
	}
	for _, e := range v.Expanded {
		out.Expanded = append(out.Expanded, excerpt{uri(e.Path), e.Lines.Start, e.Lines.End, e.Text})
	}
	return out
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
	LastUsed string `json:"lastUsed"` // RFC 3339, UTC
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

// Standard messages.

type textEdit struct {
	Range   protocol.Range `json:"range"`
	NewText string         `json:"newText"`
}

type optionalVersion struct {
	URI     string `json:"uri"`
	Version *int32 `json:"version"` // null must be sent
}

type textDocumentEdit struct {
	TextDocument optionalVersion `json:"textDocument"`
	Edits        []textEdit      `json:"edits"`
}

type renameFile struct {
	Kind    string       `json:"kind"`
	OldURI  string       `json:"oldUri"`
	NewURI  string       `json:"newUri"`
	Options *fileOptions `json:"options,omitempty"`
}

type deleteFile struct {
	Kind string `json:"kind"`
	URI  string `json:"uri"`
}

type fileOptions struct {
	Overwrite         bool `json:"overwrite,omitempty"`
	IgnoreIfExists    bool `json:"ignoreIfExists,omitempty"`
	IgnoreIfNotExists bool `json:"ignoreIfNotExists,omitempty"`
	Recursive         bool `json:"recursive,omitempty"`
}

type applyEditParams struct {
	Label string `json:"label,omitempty"`
	Edit  struct {
		DocumentChanges []any `json:"documentChanges"`
	} `json:"edit"`
}

type applyEditResult struct {
	Applied       bool   `json:"applied"`
	FailureReason string `json:"failureReason"`
}

type contentChange struct {
	Range *protocol.Range `json:"range"`
	Text  *string         `json:"text"`
}

type didChangeParams struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version *int32 `json:"version"`
	} `json:"textDocument"`
	ContentChanges []contentChange `json:"contentChanges"`
}

type publishParams struct {
	URI         string                `json:"uri"`
	Version     int32                 `json:"version"`
	Diagnostics []protocol.Diagnostic `json:"diagnostics"`
}

type clearParams struct {
	URI         string                `json:"uri"`
	Diagnostics []protocol.Diagnostic `json:"diagnostics"`
}

type documentDiagnosticParams struct {
	TextDocument     documentID `json:"textDocument"`
	PreviousResultID string     `json:"previousResultId"`
}

type documentDiagnosticReport struct {
	Kind     string                 `json:"kind"`
	ResultID string                 `json:"resultId"`
	Items    *[]protocol.Diagnostic `json:"items,omitempty"`
}

type initializeParams struct {
	RootPath              string          `json:"rootPath"`
	RootURI               string          `json:"rootUri"`
	WorkspaceFolders      []folder        `json:"workspaceFolders"`
	InitializationOptions json.RawMessage `json:"initializationOptions"`
	Capabilities          struct {
		General struct {
			PositionEncodings []string `json:"positionEncodings"`
		} `json:"general"`
		Window struct {
			ShowDocument struct {
				Support bool `json:"support"`
			} `json:"showDocument"`
		} `json:"window"`
		Workspace struct {
			ApplyEdit     bool `json:"applyEdit"`
			Configuration bool `json:"configuration"`
			WorkspaceEdit struct {
				ResourceOperations []string `json:"resourceOperations"`
			} `json:"workspaceEdit"`
			DidChangeWatchedFiles struct {
				DynamicRegistration bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
			CodeLens struct {
				RefreshSupport bool `json:"refreshSupport"`
			} `json:"codeLens"`
			Diagnostics struct {
				RefreshSupport bool `json:"refreshSupport"`
			} `json:"diagnostics"`
		} `json:"workspace"`
		TextDocument struct {
			Diagnostic *struct{} `json:"diagnostic"`
		} `json:"textDocument"`
	} `json:"capabilities"`
}

type folder struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
}
