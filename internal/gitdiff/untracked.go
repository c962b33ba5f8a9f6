package gitdiff

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// Untracked returns those of o.Paths that git knows nothing of, whose diff is
// empty for that reason: they are not in the index, nor, where revisions are
// compared with each other, in one of these.
func Untracked(ctx context.Context, dir string, o Options) ([]string, error) {
	var untracked []string
	for _, path := range o.Paths {
		isTracked, err := prints(ctx, dir, "ls-files", "--cached", "--", path)
		if err != nil {
			return nil, fmt.Errorf("looking for %q in the index: %w", path, err)
		}
		for _, revision := range revisions(o.Base) {
			if isTracked {
				break
			}
			if isTracked, err = prints(ctx, dir, "ls-tree", "--name-only", "--end-of-options", revision, "--", path); err != nil {
				return nil, fmt.Errorf("looking for %q in %s: %w", path, revision, err)
			}
		}
		if !isTracked {
			untracked = append(untracked, path)
		}
	}
	return untracked, nil
}

// revisions returns the ends of a range, nothing for a single revision: what is
// in there and not in the index is a difference.
func revisions(base string) []string {
	from, to, isRange := strings.Cut(base, "..")
	if !isRange {
		return nil
	}
	ends := []string{from, strings.TrimPrefix(to, ".")}
	for i, end := range ends {
		if end == "" {
			ends[i] = "HEAD"
		}
	}
	return ends
}

// prints reports whether git prints anything.
func prints(ctx context.Context, dir string, args ...string) (bool, error) {
	out, err := start(ctx, dir, args...)
	if err != nil {
		return false, err
	}
	defer out.Close()
	n, err := io.ReadFull(out, make([]byte, 1))
	if err == io.EOF {
		err = nil
	}
	return n > 0, err
}
