package search

import (
	"context"
	"os"
	"time"
)

// Ripgrep is what Search asks.
type Ripgrep = ripgrep

// FindRipgrep returns the ripgrep of the path, which is asked from the first file
// on.
func FindRipgrep(patience time.Duration) *Ripgrep { return findRipgrep(patience, head{}) }

// FindRipgrepAfter returns one that is asked after some files, or some bytes.
func FindRipgrepAfter(files int, bytes int64) *Ripgrep {
	return findRipgrep(time.Hour, head{files: files, bytes: bytes})
}

// IsStuck reports whether it took longer than it may.
func (rg *Ripgrep) IsStuck() bool { return rg.stuck.Load() }

// With is Search with a ripgrep of the caller's; nil is none.
func With(ctx context.Context, root *os.Root, q Query, rg *Ripgrep) (Result, error) {
	return search(ctx, root, q, rg)
}

// Candidates returns the files of root that rg names for q, whether or not that
// pays, and false if it does not say.
func (rg *Ripgrep) Candidates(ctx context.Context, root *os.Root, q Query, files ...string) ([]string, bool) {
	tree, err := q.parse()
	if err != nil {
		return nil, false
	}
	expr := approximate(tree)
	if expr == "" {
		return nil, false
	}
	return rg.candidates(ctx, root.Name(), expr, files, q.Unsaved)
}
