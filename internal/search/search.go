// Package search lists and searches the files of a folder as git sees them:
// without what is ignored, without git's own files, and never through a link.
//
// It keeps no index, and of buffers it knows only what a query brings.
package search

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"regexp"
	"regexp/syntax"
	"strings"
)

// Query says what to search for. Pattern is a regular expression in the syntax
// of package regexp, tried on each line by itself.
type Query struct {
	Pattern    string
	IgnoreCase bool
	Path       string // slash-separated file or folder in the root; "" and "." are all
	Glob       string // as a line of a .gitignore, from the root, with {a,b} for either; "!*.go" excludes; "" is all
	Context    int    // how many lines before and after each match to add
	Max        int    // at most so many matching lines; 0 is no limit

	Unsaved map[string]string // texts to search instead of those of files that are there, by path as in Hit
}

// Hit is a line of a file: one that matches, or one near it.
type Hit struct {
	Path    string // slash-separated, relative to the root
	Line    int    // 1-based
	Text    string // the bytes of the line, without its end
	IsMatch bool   // false for a line of context
}

// Result holds the hits by path and line, each line of a file at most once.
type Result struct {
	Hits    []Hit
	Matches int      // hits that are matches
	More    bool     // there are matches beyond Query.Max, or beyond 16 MiB of hits
	Skipped []string // files not searched because they are too large
}

// Search searches the files that List gives, except hidden and binary ones. A
// file that is named in q.Path itself is searched in any case if it is text;
// one with a NUL byte is not. Files that cannot be read are passed over. It is
// an error when the pattern or the glob is not well formed, and when q.Path is
// not there.
func Search(ctx context.Context, root *os.Root, q Query) (Result, error) {
	return search(ctx, root, q, installed())
}

func search(ctx context.Context, root *os.Root, q Query, rg *ripgrep) (Result, error) {
	m, err := newMatcher(q)
	if err != nil {
		return Result{}, fmt.Errorf("reading pattern %q: %w", q.Pattern, err)
	}
	selects, err := newSelection(q.Glob)
	if err != nil {
		return Result{}, fmt.Errorf("reading glob %q: %w", q.Glob, err)
	}
	if q.Context < 0 || q.Max < 0 {
		return Result{}, fmt.Errorf("searching %q: context %d and limit %d must not be negative", q.Pattern, q.Context, q.Max)
	}
	files, err := filesOf(ctx, root, q.Path, selects)
	if err != nil {
		return Result{}, fmt.Errorf("searching %q: %w", q.Path, err)
	}
	var r Result
	for part := range rg.narrow(ctx, root, m.rough, files, q.Unsaved) {
		if err := m.searchFiles(ctx, root, part, &r); err != nil {
			return Result{}, fmt.Errorf("searching %d files: %w", len(files), err)
		}
		if r.More {
			break
		}
	}
	return r, nil
}

// matcher finds the lines of a text that match.
type matcher struct {
	expr    *regexp.Regexp
	filter  filter // what all matching lines contain
	rough   string // an expression for ripgrep, "" where that does not pay
	context int
	max     int // matches at most, 0 is no limit
	unsaved map[string]string
}

func newMatcher(q Query) (*matcher, error) {
	tree, err := q.parse()
	if err != nil {
		return nil, err
	}
	expr := q.Pattern
	if q.IgnoreCase {
		expr = "(?i)" + expr
	}
	compiled, err := regexp.Compile(expr)
	if err != nil {
		return nil, patternError(err)
	}
	m := &matcher{expr: compiled, filter: required(tree), context: q.Context, max: q.Max, unsaved: q.Unsaved}
	if !m.isFast() && !compiled.MatchString("") {
		m.rough = approximate(tree)
	}
	return m, nil
}

// isFast reports whether files without a match cost little: a literal is found
// in them as fast as they are read. To fold the case costs more.
func (m *matcher) isFast() bool { return m.filter.weight() > 1 && !m.filter.fold }

func (q Query) parse() (*syntax.Regexp, error) {
	flags := syntax.Perl
	if q.IgnoreCase {
		flags |= syntax.FoldCase
	}
	tree, err := syntax.Parse(q.Pattern, flags)
	if err != nil {
		return nil, patternError(err)
	}
	if spansLines(tree) {
		return nil, errors.New("it has a line end in it, but lines are searched one by one")
	}
	return tree, nil
}

// patternError says which features there are not, where a pattern uses them.
func patternError(err error) error {
	syntaxErr, ok := errors.AsType[*syntax.Error](err)
	if !ok {
		return err
	}
	switch {
	case syntaxErr.Code == syntax.ErrInvalidPerlOp,
		strings.HasPrefix(syntaxErr.Expr, "(?<!"), strings.HasPrefix(syntaxErr.Expr, "(?<="):
		return fmt.Errorf("%s: %s (there is no lookaround)", syntaxErr.Code, syntaxErr.Expr)
	case syntaxErr.Code == syntax.ErrInvalidEscape && '1' <= syntaxErr.Expr[1] && syntaxErr.Expr[1] <= '9':
		return fmt.Errorf("%s: %s (there are no backreferences)", syntaxErr.Code, syntaxErr.Expr)
	default:
		return fmt.Errorf("%s: %s", syntaxErr.Code, syntaxErr.Expr)
	}
}

// spansLines reports whether tree asks for a line end.
func spansLines(tree *syntax.Regexp) bool {
	if tree.Op == syntax.OpLiteral && strings.ContainsAny(string(tree.Rune), "\r\n") {
		return true
	}
	for _, sub := range tree.Sub {
		if spansLines(sub) {
			return true
		}
	}
	return false
}

var errKind = errors.New("it is neither a file nor a folder")

// filesOf returns the files to search, in order.
func filesOf(ctx context.Context, root *os.Root, name string, selects selection) ([]string, error) {
	name, err := clean(name)
	if err != nil {
		return nil, err
	}
	if name != "" {
		info, err := root.Stat(name)
		if err != nil {
			return nil, err
		}
		if info.Mode().IsRegular() {
			return []string{name}, nil
		}
		if !info.IsDir() {
			return nil, errKind
		}
	}
	var files []string
	for entry, err := range (walker{ctx: ctx, root: root}).walk(name, 0) {
		if err != nil {
			return nil, err
		}
		if entry.Kind == File && selects.has(entry.Path) {
			files = append(files, entry.Path)
		}
	}
	return files, nil
}

// selection is a glob of a query: any of the patterns selects a file, or
// excludes it. None selects all.
type selection struct {
	rules    []rule
	excludes bool
}

func newSelection(glob string) (selection, error) {
	if glob == "" {
		return selection{}, nil
	}
	var s selection
	glob, s.excludes = strings.CutPrefix(glob, "!")
	alternatives, err := expandBraces(glob)
	if err != nil {
		return selection{}, err
	}
	for _, line := range alternatives {
		r, err := parseRule(line, "")
		if err != nil {
			return selection{}, err
		}
		s.rules = append(s.rules, r)
	}
	return s, nil
}

// has reports whether the file, or a folder it is in, is selected.
func (s selection) has(file string) bool {
	if len(s.rules) == 0 {
		return true
	}
	for dir := false; file != "."; file, dir = path.Dir(file), true {
		for _, r := range s.rules {
			if r.matches(file, dir) {
				return !s.excludes
			}
		}
	}
	return s.excludes
}

const maxAlternatives = 256

// expandBraces turns a{b,c}d into abd and acd. A brace that is not closed, that
// has no comma in it, or that follows a backslash stands for itself.
func expandBraces(glob string) ([]string, error) {
	done, todo := []string(nil), []string{glob}
	for len(todo) > 0 {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		before, options, after := splitBraces(next)
		if options == nil {
			done = append(done, next)
		}
		for _, option := range options {
			todo = append(todo, before+option+after)
		}
		if len(done)+len(todo) > maxAlternatives {
			return nil, fmt.Errorf("its braces stand for more than %d globs", maxAlternatives)
		}
	}
	return done, nil
}

// splitBraces splits at the first braces without braces in them.
func splitBraces(glob string) (before string, options []string, after string) {
	open := -1
	for i := 0; i < len(glob); i++ {
		switch glob[i] {
		case '\\':
			i++
		case '{':
			open = i
		case '}':
			if open >= 0 && strings.Contains(glob[open:i], ",") {
				return glob[:open], strings.Split(glob[open+1:i], ","), glob[i+1:]
			}
			open = -1
		}
	}
	return glob, nil, ""
}
