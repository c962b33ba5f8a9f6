package workspace

import (
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
	"unsafe"

	"go.uber.org/zap"

	"github.com/acode-ls/acode-ls/artifacts"
	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/config"
	"github.com/acode-ls/acode-ls/internal/redact"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/signatures"
	"github.com/acode-ls/acode-ls/truncation"
)

// This file is what every output goes through, that of a read and that of any
// other tool: redacted before it is measured, cut, and told about.

// ToolResult is the output of a tool as an agent gets it.
type ToolResult struct {
	truncation.Result
	Tool         string
	Session      string
	Settings     config.Tool
	ContentType  string
	Binary       bool
	Redactions   []redact.Count             // by type, sorted
	Declarations [][]signatures.Declaration // of each omission; nil if nothing is known
	FailureLines int                        // in what was left out
	Artifact     *artifacts.Info            // that the output became, if it did
	again        bool                       // the artifact was made by an earlier read of the same
	wholeOnly    bool                       // no part of it can be asked for
	Duration     time.Duration

	text text.Lines // what was cut, if it was all in memory
}

// Lines returns the lines of the output that are shown whole, as they are
// shown, by their numbers in it. Of an output that was too long for memory
// there are none.
func (r ToolResult) Lines() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for _, shown := range r.Shown {
			for n := shown.First; n <= min(shown.Last, r.text.Len()); n++ {
				if !yield(n, r.text.Line(n)) {
					return
				}
			}
		}
	}
}

// Redacted returns how many secrets were masked.
func (r ToolResult) Redacted() int {
	n := 0
	for _, c := range r.Redactions {
		n += c.Count
	}
	return n
}

// content is a text to be shown, without secrets.
type content struct {
	text.Lines
	first int // the number of its first line

	// What it is part of and its language, where declarations can be looked
	// for, else "".
	whole    string
	language signatures.Language

	failures failures // nil if lines that tell of failures are not worth a word
	numbered bool     // whether the numbers of lines mean something to the agent
}

// failures are the lines that tell of failures, by the range that was searched.
type failures map[truncation.Range]*signatures.FailureScanner

// fate returns what becomes of a text. What of a tool is not to be cut is not
// stored either.
func fate(s string, t config.Tool) truncation.Fate {
	f := boundsOf(t).Fate(text.CodePoints(s), int64(len(s)))
	if f == truncation.Store && !t.Enabled {
		return truncation.Pass
	}
	return f
}

// show cuts c, which is not stored, to the settings of a tool.
func (h *Hub) show(c content, t config.Tool) (truncation.Result, error) {
	strategy := truncation.Strategy(t.Strategy)
	if !t.Enabled || fate(c.Text(), t) == truncation.Pass {
		strategy = truncation.None
	}
	return truncation.Truncate(c.Lines, strategy, h.truncation(c, t))
}

func (h *Hub) truncation(c content, t config.Tool) truncation.Options {
	opts := truncation.Options{
		Limits: limitsOf(t), FirstLine: c.first, Notice: c.numbered,
		Structure: !t.PreserveJSON, InOrder: !t.PrioritizeErrors,
	}
	switch {
	case t.Strategy == string(truncation.Smart) && !c.numbered:
		// What matters is shown, and its markers have names of their own.
	case c.language != "":
		opts.Contains = func(r truncation.Range) string {
			if hint := signatures.Hint(h.declarations(c, r)); hint != "" {
				return "contains: " + hint
			}
			return ""
		}
	case c.failures != nil:
		opts.Contains = func(r truncation.Range) string { return signatures.FailureHint(c.failuresIn(r)) }
	}
	if c.language != "" && t.PreserveFunctions {
		opts.Units = func() []truncation.Unit { return units(h.declarations(c, truncation.Range(signatures.Whole))) }
	}
	return opts
}

func (h *Hub) declarations(c content, r truncation.Range) []signatures.Declaration {
	return h.finder.Declarations(c.whole, c.language, signatures.Range(r))
}

// Declarations returns what a file declares in the given lines, or in all if
// the range is zero, and whether its language is known. It credits nothing.
func (h *Hub) Declarations(path string, lines awareness.Range) (found []signatures.Declaration, known bool, err error) {
	d, err := h.TextOf(path)
	if err != nil {
		return nil, false, err
	}
	lines, err = Selection{Lines: lines}.lines(d)
	if err != nil || d.binary {
		return nil, false, err
	}
	_, redactor := h.configuration()
	language := signatures.Detect(d.Name, firstLine(d.Text))
	found = h.finder.Declarations(d.masked(redactor).Text.Text(), language, signatures.Range{First: lines.Start, Last: lines.End})
	return found, language != "", nil
}

// maxDeclarations is how many declarations are listed of one omission.
const maxDeclarations = 100

// outermost returns maxDeclarations of the given at most, in their order: as
// many levels of them as fit, or the first of the outermost.
func outermost(declarations []signatures.Declaration) []signatures.Declaration {
	if len(declarations) <= maxDeclarations {
		return declarations
	}
	var kept []signatures.Declaration
	for depth := 0; ; depth++ {
		outer := slices.DeleteFunc(slices.Clone(declarations), func(d signatures.Declaration) bool { return d.Depth > depth })
		switch {
		case len(outer) <= maxDeclarations:
			kept = outer
		case depth == 0:
			return outer[:maxDeclarations]
		default:
			return kept
		}
	}
}

// failuresIn returns how many lines in r tell of a failure, and the first of
// them.
func (c content) failuresIn(r truncation.Range) (int, []signatures.Failure) {
	scanner := c.failures[r]
	if scanner == nil {
		scanner = new(signatures.FailureScanner)
		part := c.Span(r.First-c.first+1, r.Last-c.first+1)
		_, _ = scanner.Write(unsafe.Slice(unsafe.StringData(part), len(part))) // is only read, and never fails
		c.failures[r] = scanner
	}
	found := slices.Clone(scanner.Failures())
	for i := range found {
		found[i].Line += r.First - 1
	}
	return scanner.Total(), found
}

// units returns the outermost of declarations.
func units(declarations []signatures.Declaration) []truncation.Unit {
	var out []truncation.Unit
	for _, d := range declarations {
		if d.Depth > 0 {
			continue
		}
		out = append(out, truncation.Unit{
			Name: d.Name, Kind: plural(d.Kind), Lines: truncation.Range(d.Lines), Exported: d.Exported,
		})
	}
	return out
}

func plural(k signatures.Kind) string {
	if k == signatures.Class {
		return "classes"
	}
	return string(k) + "s"
}

// finish adds to r what is told about it, and makes its content fit to be
// shown: Sanitize without a look at what is left out.
func (h *Hub) finish(r *ToolResult, c content) {
	if c.language != "" && len(r.Omissions) > 0 {
		r.Declarations = make([][]signatures.Declaration, len(r.Omissions))
		for i, o := range r.Omissions {
			r.Declarations[i] = outermost(h.declarations(c, o.Lines))
		}
	} else if c.failures != nil {
		for _, o := range r.Omissions {
			n, _ := c.failuresIn(o.Lines)
			r.FailureLines += n
		}
	}
	h.clean(r)
}

func (h *Hub) clean(r *ToolResult) {
	if !utf8.ValidString(r.Content) || strings.IndexByte(r.Content, 0) >= 0 {
		r.Content, _ = truncation.Sanitize(text.Split(r.Content))
		r.TruncatedBytes = len(r.Content)
	}
}

// record logs what was done to an output, and nothing of it.
func (h *Hub) record(r *ToolResult) {
	h.recordRedactions(r)
	if r.WasTruncated {
		h.log.Info("output truncated", zap.String("tool_name", r.Tool), zap.String("session_id", r.Session), zap.String("strategy", string(r.Strategy)),
			zap.Int("original_size", r.OriginalCharacters), zap.Int("truncated_size", r.TruncatedCharacters),
			zap.Bool("artifact_created", r.Artifact != nil), zap.Duration("latency", r.Duration))
	}
}

func (h *Hub) recordRedactions(r *ToolResult) {
	n := r.Redacted()
	if n == 0 {
		return
	}
	types := make([]string, len(r.Redactions))
	for i, c := range r.Redactions {
		types[i] = c.Type
	}
	h.log.Info("secrets redacted", zap.String("tool_name", r.Tool), zap.String("session_id", r.Session),
		zap.Strings("detection_pattern", types), zap.Int("redaction_count", n))
}

// refuse logs that an output is too large.
func (h *Hub) refuse(tool, session string, e *truncation.TooLargeError) error {
	h.log.Info("output refused", zap.String("tool_name", tool), zap.String("session_id", session),
		zap.Int64("attempted_size", e.Size), zap.Int64("configured_max_size", e.Max))
	return e
}

// isLog reports whether a file is named as logs are.
func isLog(name string) bool {
	return slices.Contains([]string{".log", ".out", ".err"}, strings.ToLower(filepath.Ext(name)))
}
