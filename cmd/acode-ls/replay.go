package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/envelope"
	"github.com/acode-ls/acode-ls/internal/replay"
)

func (a *app) replayCommand() *cobra.Command {
	var explain bool
	cmd := &cobra.Command{
		Use: "replay FILE… [--explain]", Short: "What the guard would have refused in recorded conversations",
		Long: `replay runs recorded conversations through the ledger and the guard, in a
temporary folder, and says how often the guard would have refused an edit that
succeeded, and why. FILE is a conversation of Claude Code (*.jsonl) or of
SWE-agent (*.traj), or a folder with such files.`,
		Example:               "  acode-ls replay ~/.claude/projects\n  acode-ls replay conversation.jsonl --explain",
		DisableFlagsInUseLine: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError("replay needs a FILE: a recorded conversation, or a folder of them")
			}
			if slices.Contains(args, "") {
				return usageError("the FILE is an empty string")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := replay.Run(cmd.Context(), args, replay.Options{
				Warn: func(s string) { fmt.Fprintf(a.err, "acode-ls: %s\n", printable(s)) },
			})
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return &failure{status: exitFailed, what: envelope.Error{Code: envelope.NotFound, Status: 404, Message: err.Error()}}
			case err != nil:
				return err
			case a.json:
				return a.answer(envelope.Answer{Data: newReplayData(r)})
			}
			return a.writeReplay(r, explain)
		},
	}
	cmd.Flags().BoolVar(&explain, "explain", false, "tell for each refusal what the agent had been shown, and what moved it")
	return cmd
}

// writeReplay prints the figures, then the refusals.
func (a *app) writeReplay(r replay.Report, explain bool) error {
	p := colours(a.out)
	p50, p90, most := r.MissingLines()
	rows := [][]string{
		{"REPLAY", ""},
		{"conversations", fmt.Sprintf("%d in %s", r.Conversations, counted(r.Files, "file"))},
		{"edits of files that existed", fmt.Sprint(r.Edits)},
		{"refused", fmt.Sprintf("%d (%.1f %%)", r.Blocked, 100*r.TriggerRate())},
	}
	for _, reason := range slices.Sorted(maps.Keys(r.ByReason)) {
		rows = append(rows, []string{"  " + strings.ReplaceAll(reason, "_", " "), fmt.Sprint(r.ByReason[reason])})
	}
	rows = append(rows,
		[]string{"lines missing", fmt.Sprintf("median %d, 90 %% up to %d, most %d", p50, p90, most)},
		[]string{"resolved by the lines sent along", fmt.Sprint(r.Resolved)},
		[]string{"refused though shown and only moved", fmt.Sprint(r.Drift)})
	if r.Unplaced > 0 {
		rows = append(rows, []string{"edits that could not be placed", fmt.Sprint(r.Unplaced)})
	}
	if r.Broken > 0 {
		rows = append(rows, []string{"lines that are no JSON", fmt.Sprint(r.Broken)})
	}
	out := table(p, rows)
	if explain {
		for _, b := range r.Blocks {
			out += "\n" + explained(p, b)
		}
	} else if r.Blocked > 0 {
		out += "\n" + blockTable(p, r.Blocks)
	}
	return a.write(out)
}

func counted(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

func blockTable(p paint, blocks []replay.Block) string {
	rows := [][]string{{"CONVERSATION", "LINE", "FILE", "REASON", "UNREAD", "RESOLVED"}}
	for _, b := range blocks {
		resolved := "no"
		if b.Resolved {
			resolved = "yes"
		}
		rows = append(rows, []string{
			printable(b.Conversation), fmt.Sprint(b.Line), printable(b.Path),
			strings.ReplaceAll(b.Reason, "_", " "), few(replayRanges(b.Unread)), resolved,
		})
	}
	return table(p, rows)
}

// explained is one refusal with its story.
func explained(p paint, b replay.Block) string {
	var out strings.Builder
	fmt.Fprintln(&out, p.bold(fmt.Sprintf("%s %s: %s", printable(b.Conversation), b.Position(), printable(b.Path))))
	fmt.Fprintf(&out, "  %s\n", printable(b.Message))
	for line := range strings.SplitSeq(b.Explanation, "\n") {
		fmt.Fprintf(&out, "    %s\n", printable(line))
	}
	verdict := "not resolved by lines sent along"
	if b.Resolved {
		verdict = "resolved by the lines sent along"
	}
	if b.Drift {
		verdict += "; false alarm: the lines had been shown and only moved"
	}
	fmt.Fprintf(&out, "  %s\n", verdict)
	return out.String()
}

func replayRanges(lines []replay.Lines) []awareness.Range {
	out := make([]awareness.Range, len(lines))
	for i, l := range lines {
		out[i] = awareness.Range(l)
	}
	return out
}

type replayData struct {
	Files            int            `json:"files"`
	Conversations    int            `json:"conversations"`
	Edits            int            `json:"edits"` // of files that existed
	Blocked          int            `json:"blocked"`
	TriggerRate      float64        `json:"trigger_rate"` // fraction
	ByReason         map[string]int `json:"by_reason"`
	MissingLines     missingLines   `json:"missing_lines"` // of a block
	ResolvedByExpand int            `json:"resolved_by_expand"`
	BlockedByDrift   int            `json:"blocked_by_drift"`
	UnplacedEdits    int            `json:"unplaced_edits"`
	BrokenLines      int            `json:"broken_lines"` // of the recordings
	Blocks           []replayBlock  `json:"blocks"`
}

type missingLines struct {
	P50 int `json:"p50"`
	P90 int `json:"p90"`
	Max int `json:"max"`
}

type replayBlock struct {
	Conversation string      `json:"conversation"`
	File         string      `json:"file"` // the recording
	Line         int         `json:"line"` // of it; of a trajectory the step
	Path         string      `json:"path"` // as recorded
	Reason       string      `json:"reason"`
	UnreadRanges []lineRange `json:"unread_ranges"`
	Message      string      `json:"message"`
	MissingLines int         `json:"missing_lines"`
	Resolved     bool        `json:"resolved"`
	Drift        bool        `json:"drift"`
	Explanation  string      `json:"explanation"`
}

func newReplayData(r replay.Report) replayData {
	p50, p90, most := r.MissingLines()
	out := replayData{
		Files: r.Files, Conversations: r.Conversations, Edits: r.Edits, Blocked: r.Blocked,
		TriggerRate: r.TriggerRate(), ByReason: r.ByReason, MissingLines: missingLines{p50, p90, most},
		ResolvedByExpand: r.Resolved, BlockedByDrift: r.Drift,
		UnplacedEdits: r.Unplaced, BrokenLines: r.Broken, Blocks: make([]replayBlock, len(r.Blocks)),
	}
	for i, b := range r.Blocks {
		out.Blocks[i] = replayBlock{
			Conversation: b.Conversation, File: b.File, Line: b.Line, Path: b.Path, Reason: b.Reason,
			UnreadRanges: lineRanges(replayRanges(b.Unread)), Message: b.Message, MissingLines: b.Missing,
			Resolved: b.Resolved, Drift: b.Drift, Explanation: b.Explanation,
		}
	}
	return out
}
