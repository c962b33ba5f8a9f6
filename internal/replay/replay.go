// Package replay runs recorded conversations of agents through the same ledger
// and guard as live ones, to tell how good the guard is.
//
// Each conversation gets a workspace of its own in a temporary folder, with
// real files that hold what the recording says they held, and one session for
// the agent and for each of its sub-agents. What the agent was shown is
// credited, and each edit that succeeded is judged before it is made.
//
// Recordings are data. Nothing in them is executed, and no path in them is
// used: each file gets a name made here. Of tools that are not known, and of
// calls that failed, nothing is taken over. What compaction or going back took
// out of an agent's context still counts as shown, as it does live.
package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
)

// Options set up a replay. Warn may be nil.
type Options struct {
	Warn func(string) // told what could not be used
}

// Report is what came of a replay.
type Report struct {
	Files, Conversations int

	Edits    int // of files that existed, judged
	Blocked  int
	ByReason map[string]int
	Resolved int // blocks after whose lines, sent along, the same edit passes
	Drift    int // blocks of lines that had been shown and only moved
	Blocks   []Block

	Broken   int // lines of the recordings that are no JSON
	Unplaced int // edits of which nothing tells where they were made
}

// Place is where a recording tells something: a line of a JSONL file, or a
// step of a trajectory, both counted from 1.
type Place struct {
	File string
	Line int
}

// Position names the line or the step.
func (p Place) Position() string {
	unit := "line"
	if isTrajectory(p.File) {
		unit = "step"
	}
	return fmt.Sprintf("%s %d", unit, p.Line)
}

// Lines is a run of lines of a file, 1-based, both ends included.
type Lines struct{ Start, End int }

// Block is one refusal.
type Block struct {
	Place
	Conversation string
	Path         string // as recorded
	Reason       string
	Unread       []Lines
	Message      string
	Missing      int  // lines
	Resolved     bool // the same edit passes after the lines sent along
	Drift        bool // each missing line had been shown and only moved
	Explanation  string
}

// TriggerRate is the fraction of edits that were blocked.
func (r Report) TriggerRate() float64 {
	if r.Edits == 0 {
		return 0
	}
	return float64(r.Blocked) / float64(r.Edits)
}

// MissingLines returns how many lines a block lacks: the median, the 90th
// percentile and the most.
func (r Report) MissingLines() (p50, p90, most int) {
	counts := make([]int, len(r.Blocks))
	for i, b := range r.Blocks {
		counts[i] = b.Missing
	}
	if len(counts) == 0 {
		return 0, 0, 0
	}
	slices.Sort(counts)
	rank := func(p int) int { return counts[(len(counts)*p+99)/100-1] }
	return rank(50), rank(90), counts[len(counts)-1]
}

// ErrNothing is what a replay without any conversation comes to.
var ErrNothing = errors.New("no recorded conversation")

// Run replays files; of folders it takes all *.jsonl and *.traj below. It needs
// memory for one conversation at a time.
func Run(ctx context.Context, paths []string, opts Options) (Report, error) {
	if opts.Warn == nil {
		opts.Warn = func(string) {}
	}
	r := Report{ByReason: map[string]int{}}
	files, err := list(paths)
	if err != nil {
		return r, err
	}
	r.Files = len(files)
	groups, err := group(ctx, files)
	if err != nil {
		return r, err
	}
	for _, g := range groups {
		if err := r.conversation(ctx, g, opts); err != nil {
			return r, err
		}
	}
	if r.Conversations == 0 {
		return r, fmt.Errorf("%w in %s; replay reads Claude Code's *.jsonl and SWE-agent's *.traj", ErrNothing, counted(len(files)))
	}
	return r, nil
}

// conversation replays the files of one conversation.
func (r *Report) conversation(ctx context.Context, g recording, opts Options) error {
	var events []*event
	seen := map[string]bool{}
	var found, late bool
	for _, path := range g.files {
		read := readClaude
		if isTrajectory(path) {
			read = readTrajectory
		}
		p, err := read(ctx, path, seen, opts.Warn)
		if err != nil {
			return fmt.Errorf("reading %q: %w", path, err)
		}
		events = append(events, p.events...)
		r.Broken += p.broken
		found, late = found || p.found, late || p.late
	}
	if !found {
		return nil
	}
	r.Conversations++
	events = unrepeated(events, seen)
	slices.SortStableFunc(events, func(a, b *event) int { return a.when.Compare(b.when) })
	if !slices.ContainsFunc(events, func(e *event) bool { return e.edit != nil }) {
		return nil // nothing would be judged
	}
	d, err := newDriver(r, g, late)
	if err != nil {
		return err
	}
	err = d.run(ctx, timeline(events), opts.Warn)
	return cmp.Or(err, d.close())
}

// unrepeated drops what news of a sub-agent told if the message itself was
// read, or other news told it before.
func unrepeated(events []*event, seen map[string]bool) []*event {
	first := map[string]Place{}
	return slices.DeleteFunc(events, func(e *event) bool {
		if e.news == "" {
			return false
		}
		if _, told := first[e.news]; !told {
			first[e.news] = e.at
		}
		return seen[e.news] || first[e.news] != e.at
	})
}

func counted(files int) string {
	if files == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", files)
}
