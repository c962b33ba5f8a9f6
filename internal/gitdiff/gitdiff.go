// Package gitdiff runs git diff and says which lines of which files its output
// shows.
//
// It makes no diffs of its own, and of a diff it reads the new side only.
package gitdiff

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Options says what to compare. The zero value compares the work tree with the
// index.
type Options struct {
	Paths  []string // files and folders, relative to the folder git runs in, taken literally; none is all of it
	Base   string   // revision to compare with instead, or a range a..b
	Staged bool     // compare the index, with HEAD or Base
}

// Run starts git diff in dir and returns its output; paths in it are relative
// to dir, and what is outside of dir is left out. The caller must read to the
// end or close. Close ends git. What git says of a mistake (no repository, an
// unknown revision) is an error here; if git fails later, the last Read returns
// the error in place of io.EOF.
func Run(ctx context.Context, dir string, o Options) (io.ReadCloser, error) {
	// Outside of a work tree git diff compares any two files.
	top, err := start(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, fmt.Errorf("comparing in %q: %w", dir, err)
	}
	top.Close()
	r, err := start(ctx, dir, arguments(o)...)
	if err != nil {
		return nil, fmt.Errorf("comparing in %q: %w", dir, err)
	}
	return r, nil
}

// settings are those of the user's that would change the form of a diff or run
// programs, and that have no flag.
var settings = []string{
	"diff.suppressBlankEmpty=false", "core.fsmonitor=false", "core.quotePath=true", "color.ui=false",
}

func arguments(o Options) []string {
	args := []string{
		"diff", "--patch", "--no-color", "--no-ext-diff", "--no-textconv", "--relative",
		"--src-prefix=a/", "--dst-prefix=b/", "--find-renames", "--unified=3",
		"--inter-hunk-context=0", "--submodule=short", "--word-diff=none",
		"--ws-error-highlight=none", "--color-moved=no", "--no-function-context", "-O/dev/null",
	}
	if o.Staged {
		args = append(args, "--cached")
	}
	args = append(args, "--end-of-options")
	if o.Base != "" {
		args = append(args, o.Base)
	}
	return append(append(args, "--"), o.Paths...)
}

// repositoryVariables are those that name another repository than that of the
// folder, as git sets them for its hooks, or that change the form of a diff.
var repositoryVariables = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY",
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS",
	"GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
}

func environment() []string {
	env := slices.DeleteFunc(os.Environ(), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return slices.Contains(repositoryVariables, name)
	})
	return append(env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_LITERAL_PATHSPECS=1", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0")
}

// waitDelay is how long a filter that git has started may hold its output when
// git has ended.
const waitDelay = time.Second

// start runs git until it prints something or ends. It is an error if git fails
// before it prints.
func start(ctx context.Context, dir string, args ...string) (*output, error) {
	ctx, cancel := context.WithCancel(ctx)
	var global []string
	for _, setting := range settings {
		global = append(global, "-c", setting)
	}
	cmd := exec.CommandContext(ctx, "git", append(append(global, "--no-pager"), args...)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, environment(), waitDelay
	r, w := io.Pipe()
	o := &output{pipe: r, cancel: cancel, done: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = w, &o.complaint
	if err := cmd.Start(); err != nil {
		cancel()
		return nil, err
	}
	go func() {
		defer close(o.done)
		w.CloseWithError(o.problem(ctx, cmd.Wait()))
	}()
	if err := o.peek(); err != nil {
		return nil, errors.Join(err, o.Close())
	}
	return o, nil
}

// output is what git prints.
type output struct {
	pipe      *io.PipeReader
	first     []byte // read already
	ended     bool   // there is no more than first
	complaint complaint
	cancel    context.CancelFunc
	done      chan struct{} // closed when git was waited for
}

const firstSize = 4 << 10 // bytes

func (o *output) peek() error {
	o.first = make([]byte, firstSize)
	n, err := o.pipe.Read(o.first)
	o.first = o.first[:n]
	if err == io.EOF {
		o.ended, err = true, nil
	}
	return err
}

func (o *output) Read(p []byte) (int, error) {
	if len(o.first) > 0 {
		n := copy(p, o.first)
		o.first = o.first[n:]
		return n, nil
	}
	if o.ended {
		return 0, io.EOF
	}
	return o.pipe.Read(p)
}

// Close ends git, if it still runs, and waits for it.
func (o *output) Close() error {
	o.cancel()
	_ = o.pipe.Close()
	<-o.done
	return nil
}

// problem returns what went wrong with git in its own words, nil if nothing did.
func (o *output) problem(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	if words := o.complaint.words(); words != "" {
		return fmt.Errorf("git: %s", words)
	}
	return fmt.Errorf("git: %w", err)
}

// complaint keeps the beginning of what git says on standard error.
type complaint struct{ bytes.Buffer }

const maxComplaint = 4 << 10 // bytes

func (c *complaint) Write(p []byte) (int, error) {
	c.Buffer.Write(p[:min(len(p), maxComplaint-c.Len())])
	return len(p), nil
}

// words returns the first line that says what is wrong, without git's marks.
func (c *complaint) words() string {
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(c.String(), "\ufffd")), "\n")
	for _, mark := range []string{"fatal: ", "error: "} {
		for _, line := range lines {
			if words, ok := strings.CutPrefix(line, mark); ok {
				return words
			}
		}
	}
	return lines[0]
}
