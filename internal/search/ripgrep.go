package search

import (
	"bytes"
	"context"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// ripgrep is a ripgrep that is installed. It only tells which files cannot have
// a match; the lines are found in the others as without it, so results are the
// same.
type ripgrep struct {
	program   string        // absolute, without links
	patience  time.Duration // how long it may take at a time
	isRipgrep func() bool   // whether the program says that it is one
	stuck     atomic.Bool   // it took longer, so it is not asked again
	headStart head
}

// head is how much of a search is done before ripgrep is asked. A process is not
// worth starting for less, and a pattern that is found often has reached its
// limit by then.
type head struct {
	files int
	bytes int64
}

// batch is how many files ripgrep gets at a time. Their names fit in the
// arguments of a process; where they do not, ripgrep cannot say anything.
const batch = 4000

// installed returns the ripgrep of the user's path, nil without one.
var installed = sync.OnceValue(func() *ripgrep {
	return findRipgrep(10*time.Second, head{files: 400, bytes: 8 << 20})
})

func findRipgrep(patience time.Duration, headStart head) *ripgrep {
	program, err := exec.LookPath("rg")
	if err != nil {
		return nil // there is none, or it depends on the working directory
	}
	if program, err = filepath.EvalSymlinks(program); err != nil || !filepath.IsAbs(program) {
		return nil
	}
	rg := &ripgrep{program: program, patience: patience, headStart: headStart}
	rg.isRipgrep = sync.OnceValue(func() bool {
		version, ok := rg.run(context.Background(), filepath.Dir(program), "--version")
		return ok && strings.HasPrefix(version, "ripgrep ")
	})
	return rg
}

// serves reports whether ripgrep can be asked about the files of root. A folder
// must not bring the program that searches it.
func (rg *ripgrep) serves(root *os.Root) bool {
	if rg == nil || rg.stuck.Load() {
		return false
	}
	dir, err := filepath.Abs(root.Name())
	if err != nil {
		return false
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return false
	}
	rel, err := filepath.Rel(dir, rg.program)
	return err == nil && !filepath.IsLocal(rel) && isAt(root, dir) && rg.isRipgrep()
}

// isAt reports whether root, which stays open when its folder is moved, is
// still at dir.
func isAt(root *os.Root, dir string) bool {
	opened, err := root.Stat(".")
	if err != nil {
		return false
	}
	named, err := os.Stat(dir)
	return err == nil && os.SameFile(opened, named)
}

// narrow goes through files in parts, without those in which expr cannot match.
// An expr of "" says that ripgrep is not to be asked. It sees only the disk, so
// what is unsaved is never left out.
func (rg *ripgrep) narrow(ctx context.Context, root *os.Root, expr string, files []string, unsaved map[string]string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		n := len(files)
		if rg != nil && expr != "" {
			n = rg.headStart.of(root.Name(), files)
		}
		if !yield(files[:n]) || n == len(files) {
			return
		}
		if !rg.serves(root) {
			yield(files[n:])
			return
		}
		ask := true
		for part := range slices.Chunk(files[n:], batch) {
			if ask {
				named, ok := rg.candidates(ctx, root.Name(), expr, part, unsaved)
				ask = ok && len(named) <= len(part)/2
				if ok {
					part = named
				}
			}
			if !yield(part) {
				return
			}
		}
	}
}

// of returns how many of files are within the head start.
func (h head) of(dir string, files []string) int {
	for i, name := range files {
		if h.files <= 0 || h.bytes <= 0 {
			return i
		}
		h.files--
		if info, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			h.bytes -= info.Size()
		}
	}
	return len(files)
}

// candidates returns those of files that may have a match of expr, in order, and
// false if ripgrep does not say.
func (rg *ripgrep) candidates(ctx context.Context, dir, expr string, files []string, unsaved map[string]string) ([]string, bool) {
	keep := make(map[string]bool, len(files))
	var asked []string
	for _, name := range files {
		// A pipe has no end, and what is too large is to be reported.
		info, err := os.Lstat(filepath.Join(dir, name))
		_, isUnsaved := unsaved[name]
		keep[argument(name)] = isUnsaved || err != nil || !info.Mode().IsRegular() || info.Size() >= maxFile
		if !keep[argument(name)] {
			asked = append(asked, argument(name))
		}
	}
	if asked == nil {
		return files, true // without names it would search the folder
	}
	named, ok := rg.run(ctx, dir, append([]string{
		"--no-config", "--files-with-matches", "--null", "--color=never", "--text", "--encoding=none",
		"--no-ignore", "--hidden", "-e", expr, "--",
	}, asked...)...)
	for name := range strings.SplitAfterSeq(named, "\x00") {
		name, ended := strings.CutSuffix(name, "\x00")
		if _, known := keep[name]; ended && !known || !ended && name != "" {
			return nil, false
		}
		keep[name] = true
	}
	return slices.DeleteFunc(slices.Clone(files), func(name string) bool { return !keep[argument(name)] }), ok
}

// argument returns a name that is neither a flag nor standard input.
func argument(name string) string { return "." + string(filepath.Separator) + filepath.FromSlash(name) }

// run returns what ripgrep prints, and false unless it is certain that this is
// all there is to say.
func (rg *ripgrep) run(ctx context.Context, dir string, args ...string) (string, bool) {
	limited, cancel := context.WithTimeout(ctx, rg.patience)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(limited, rg.program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	cmd.WaitDelay = 100 * time.Millisecond // for what it may have left behind
	err := cmd.Run()
	if limited.Err() != nil && ctx.Err() == nil {
		rg.stuck.Store(true)
	}
	none := cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == 1 && stdout.Len() == 0
	return stdout.String(), (err == nil || none) && stderr.Len() == 0
}
