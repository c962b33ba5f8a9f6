package search

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
)

// Kind is what a name stands for.
type Kind int

const (
	File Kind = iota // a regular file
	Dir
	Link // a symbolic link; what it leads to is not looked at
)

// Entry is a file, folder or link.
type Entry struct {
	Path string // slash-separated, relative to the root
	Kind Kind
	Size int64 // bytes of a file, else 0
}

// List goes through folder dir of root ("" and "." are the root), a folder
// before what is in it, names in the order of their bytes. Depth 1 is what is
// in dir itself, 0 is all depths. Ignored files, .git and .acode are left out,
// as is what is neither file, folder nor link; a file that git tracks although
// a rule ignores it is ignored. A folder below dir that cannot be read is
// listed without content; an error, such as for a dir that is not there, is the
// last thing yielded.
func List(ctx context.Context, root *os.Root, dir string, depth int) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		w := walker{ctx: ctx, root: root, hidden: true}
		for entry, err := range w.walk(dir, depth) {
			if err == nil && entry.Kind == File {
				info, statErr := root.Lstat(entry.Path)
				if statErr != nil {
					continue // it has gone in the meantime
				}
				entry.Size = info.Size()
			}
			if !yield(entry, err) {
				return
			}
		}
	}
}

// walker goes through folders.
type walker struct {
	ctx    context.Context
	root   *os.Root
	hidden bool // with names that begin with a dot

	outer outer
	yield func(Entry, error) bool
}

// walk is List without sizes.
func (w walker) walk(dir string, depth int) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		w.yield = yield
		dir, err := clean(dir)
		if err != nil {
			yield(Entry{}, fmt.Errorf("listing %q: %w", dir, err))
			return
		}
		w.outer = readOuter(w.ctx, w.root.Name())
		rules := w.outer.rules
		for parent := range parents(dir) {
			rules = w.addRules(rules, parent)
		}
		entries, err := w.readDir(dir)
		if err != nil {
			yield(Entry{}, fmt.Errorf("listing %q: %w", dir, err))
			return
		}
		w.list(dir, entries, rules, depth)
	}
}

// list yields the entries of dir and what is below them. It returns false when
// the walk is over.
func (w walker) list(dir string, entries []fs.DirEntry, rules []rule, depth int) bool {
	rules = w.addRules(rules, dir)
	for _, e := range entries {
		if err := w.ctx.Err(); err != nil {
			w.yield(Entry{}, fmt.Errorf("listing %q: %w", dir, err))
			return false
		}
		kind, ok := kindOf(e.Type())
		name := path.Join(dir, e.Name())
		if !ok || own(e.Name()) || !w.hidden && hidden(e.Name()) ||
			ignored(rules, w.outer.prefix+name, kind == Dir) {
			continue
		}
		if !w.yield(Entry{Path: name, Kind: kind}, nil) {
			return false
		}
		if kind != Dir || depth == 1 {
			continue
		}
		if below, err := w.readDir(name); err == nil && !w.list(name, below, rules, depth-1) {
			return false
		}
	}
	return true
}

// readDir returns the entries of a folder by name.
func (w walker) readDir(dir string) ([]fs.DirEntry, error) {
	// A pipe must not be waited for.
	f, err := w.root.OpenFile(cmp.Or(dir, "."), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// addRules adds the rules of the .gitignore in dir. The next call with the same
// rules may write over what it has added.
func (w walker) addRules(rules []rule, dir string) []rule {
	name := path.Join(dir, ".gitignore")
	// Git takes no rules from a link either.
	if info, err := w.root.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return rules
	}
	content, err := w.root.ReadFile(name)
	if err != nil {
		return rules
	}
	base := w.outer.prefix
	if dir != "" {
		base += dir + "/"
	}
	return append(rules, parseRules(string(content), base)...)
}

// clean returns a path of the root, "" for the root itself.
func clean(name string) (string, error) {
	cleaned := path.Clean(name)
	if name == "" || cleaned == "." {
		return "", nil
	}
	if !fs.ValidPath(cleaned) {
		return name, fmt.Errorf("the path is not in the folder")
	}
	if slices.ContainsFunc(strings.Split(cleaned, "/"), own) {
		return name, fmt.Errorf("what is in .git and .acode is not for reading")
	}
	return cleaned, nil
}

// parents goes through the folders above dir, the root ("") first.
func parents(dir string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if dir == "" || !yield("") {
			return
		}
		for i, c := range dir {
			if c == '/' && !yield(dir[:i]) {
				return
			}
		}
	}
}

func kindOf(mode fs.FileMode) (Kind, bool) {
	switch mode {
	case 0:
		return File, true
	case fs.ModeDir:
		return Dir, true
	case fs.ModeSymlink:
		return Link, true
	default:
		return 0, false
	}
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") }

// own reports whether a name is that of a folder that is no part of the work.
func own(name string) bool { return name == ".git" || name == ".acode" }
