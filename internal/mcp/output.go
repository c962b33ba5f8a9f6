package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"go.uber.org/zap"

	"github.com/acode-ls/acode-ls/artifacts"
	"github.com/acode-ls/acode-ls/internal/gitdiff"
	"github.com/acode-ls/acode-ls/internal/search"
	"github.com/acode-ls/acode-ls/internal/workspace"
	"github.com/acode-ls/acode-ls/truncation"
)

// This file has the tools that look at many files. Their output is not theirs:
// the hub masks, cuts and stores it.

// process makes output fit. What the hub refuses is a result that says so, and
// then the second value is false.
func (c *call) process(source string, content io.Reader) (workspace.ToolResult, bool, error) {
	r, err := c.opts.Hub.Process(workspace.Output{
		Tool: c.tool.output, Session: c.session, Source: source, Content: content, Size: -1,
	})
	if err == nil {
		if r.Artifact != nil {
			c.artifactsChanged(c.session)
		}
		return r, true, nil
	}
	_, isTooLarge := errors.AsType[*truncation.TooLargeError](err)
	_, isSpace := errors.AsType[*artifacts.SpaceError](err)
	_, isRate := errors.AsType[*artifacts.RateError](err)
	if !isTooLarge && !isSpace && !isRate {
		return r, false, err
	}
	r.Tool, r.Content = c.tool.output, err.Error()
	return r, false, nil
}

const maxDepth = 100

func listDirectory(a *arguments) run {
	path, depth := a.path("path"), 1
	if n := a.number("depth", 1, maxDepth); n != nil {
		depth = int(*n)
	}
	return func(ctx context.Context, c *call) (outcome, error) {
		dir, err := c.inRoot(path)
		if err != nil {
			return outcome{}, err
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		entries := 0
		listing := streamed(func(out io.Writer) error {
			for e, err := range search.List(ctx, c.files, dir, depth) {
				if err != nil {
					return err
				}
				entries++
				if _, err := io.WriteString(out, entry(e, dir)); err != nil {
					return err
				}
			}
			return nil
		})
		r, ok, err := c.process(dir, listing)
		if failed := listing.Close(); failed != nil {
			err = plain(dir, failed) // which says more
		}
		if err != nil {
			return outcome{}, err
		}
		return output{IsError: !ok, extra: extra{Path: dir, Entries: &entries}}.outcome(r), nil
	}
}

// entry is a line for an entry of dir: its path in dir and, for a file, its size.
func entry(e search.Entry, dir string) string {
	name := e.Path
	if dir != "." {
		name = strings.TrimPrefix(name, dir+"/")
	}
	if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		name = strconv.Quote(name)
	}
	switch e.Kind {
	case search.Dir:
		return name + "/\n"
	case search.Link:
		return name + " (link)\n"
	}
	return fmt.Sprintf("%s (%s)\n", name, workspace.Size(e.Size))
}

// stream is output that is written while it is read.
type stream struct {
	*io.PipeReader
	done chan error
}

// streamed returns what write writes.
func streamed(write func(io.Writer) error) *stream {
	r, w := io.Pipe()
	s := &stream{r, make(chan error, 1)}
	go func() {
		err := write(w)
		s.done <- err
		w.CloseWithError(err) // nil is the end
	}()
	return s
}

// Close ends the stream, waits for write and returns its error.
func (s *stream) Close() error {
	_ = s.PipeReader.Close() // never fails
	err := <-s.done
	if errors.Is(err, io.ErrClosedPipe) {
		return nil // nobody reads on
	}
	return err
}

const (
	defaultMatches = 1000
	maxMatches     = 100_000
	maxContext     = 100 // lines
)

func searchFiles(a *arguments) run {
	q := search.Query{Pattern: a.text("pattern"), Glob: a.text("glob"), Max: defaultMatches}
	path := a.path("path")
	if a.need("pattern"); a.has("pattern") && q.Pattern == "" {
		a.fail("pattern is empty")
	}
	if n := a.number("context", 0, maxContext); n != nil {
		q.Context = int(*n)
	}
	if n := a.number("max_results", 1, maxMatches); n != nil {
		q.Max = int(*n)
	}
	return func(ctx context.Context, c *call) (_ outcome, err error) {
		if q.Path, err = c.inRoot(path); err != nil {
			return outcome{}, err
		}
		q.Unsaved = c.unsaved(ctx)
		found, err := search.Search(ctx, c.files, q)
		if err != nil {
			return outcome{}, plain(q.Path, err)
		}
		rendered := search.Render(found)
		r, ok, err := c.process(q.Pattern, &lineReader{lines: rendered})
		if err != nil {
			return outcome{}, err
		}
		o := output{IsError: !ok, extra: extra{Path: q.Path, Matches: &found.Matches, More: &found.More}}.outcome(r, remark(found, q.Max)...)
		o.shown = slices.Collect(hitsShown(rendered, r))
		return o, nil
	}
}

// remark says what the lines of a result do not, nothing if they say all.
func remark(found search.Result, most int) []string {
	switch {
	case found.More && found.Matches < most:
		return []string{"There are more matching lines, but together they are too long: narrow the search."}
	case found.More:
		return []string{fmt.Sprintf("There are more than these %s: narrow the search, or raise max_results.", counted(found.Matches, "matching line"))}
	case found.Matches == 0:
		return []string{"No line matches."}
	}
	return nil
}

// lineReader reads lines of output.
type lineReader struct {
	lines []search.Line
	rest  string
}

// Read implements [io.Reader].
func (r *lineReader) Read(p []byte) (n int, _ error) {
	for n < len(p) {
		if r.rest == "" {
			if len(r.lines) == 0 {
				if n == 0 {
					return 0, io.EOF
				}
				return n, nil
			}
			r.rest, r.lines = r.lines[0].Text+"\n", r.lines[1:]
		}
		k := copy(p[n:], r.rest)
		n, r.rest = n+k, r.rest[k:]
	}
	return n, nil
}

// passage is one or more lines of a file that the model is shown.
type passage struct {
	path  string // as an agent writes it
	first int    // 1-based
	text  string // without the last line end
}

// hitsShown gives the lines of files that r shows as they were found.
func hitsShown(rendered []search.Line, r workspace.ToolResult) iter.Seq[passage] {
	return func(yield func(passage) bool) {
		for n, text := range r.Lines() {
			if n > len(rendered) {
				return
			}
			line := rendered[n-1]
			if line.Hit != nil && strings.TrimRight(text, "\r\n") == strings.TrimRight(line.Text, "\r") && !yield(passage{line.Hit.Path, line.Hit.Line, line.Hit.Text}) {
				return
			}
		}
	}
}

func gitDiff(a *arguments) run {
	o := gitdiff.Options{Paths: a.texts("paths"), Base: a.text("base"), Staged: a.flag("staged")}
	if a.has("base") && o.Base == "" {
		a.fail("base is empty")
	}
	return func(ctx context.Context, c *call) (outcome, error) {
		for i, path := range o.Paths {
			rel, err := c.entryInRoot(path)
			if err != nil {
				return outcome{}, err
			}
			o.Paths[i] = rel
		}
		diff, err := gitdiff.Run(ctx, c.opts.Hub.Root(), o)
		if err != nil {
			return outcome{}, err
		}
		r, ok, err := c.process(strings.Join(o.Paths, " "), diff)
		if closed := diff.Close(); err == nil && ok {
			err = closed
		}
		if err != nil {
			return outcome{}, err
		}
		shown := slices.Collect(diffShown(r))
		last := c.notSaved(ctx, shown)
		if r.OriginalBytes == 0 && ok {
			last = c.noDifferences(ctx, o)
		}
		out := output{IsError: !ok}.outcome(r, last...)
		if !o.Staged { // what is staged is not what the files hold
			out.shown = shown
		}
		return out, nil
	}
}

// noDifferences says why a diff is empty.
func (c *call) noDifferences(ctx context.Context, o gitdiff.Options) []string {
	untracked, err := gitdiff.Untracked(ctx, c.opts.Hub.Root(), o)
	if err != nil {
		c.log.Info("looking for untracked paths", zap.Error(err))
	}
	var said []string
	if len(untracked) == 0 || len(untracked) < len(o.Paths) {
		said = append(said, "No differences.")
	}
	if len(untracked) > 0 {
		said = append(said, fmt.Sprintf("Git does not track %s.", strings.Join(untracked, ", ")))
	}
	return said
}

// diffShown gives the lines of files that r shows on the new side of a diff.
func diffShown(r workspace.ToolResult) iter.Seq[passage] {
	return func(yield func(passage) bool) {
		for l := range gitdiff.NewSide(r.Lines()) {
			if !yield(passage{l.Path, l.Number, l.Text}) {
				return
			}
		}
	}
}
