package replay

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// recording is one conversation: its files, and what it is called.
type recording struct {
	name  string
	files []string
}

func isTrajectory(path string) bool { return strings.EqualFold(filepath.Ext(path), ".traj") }

// list returns the files that are meant, each once.
func list(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, readError(path, err)
		}
		if !info.IsDir() {
			if !info.Mode().IsRegular() {
				return nil, fmt.Errorf("reading %q: not a regular file", path)
			}
			files = append(files, path)
			continue
		}
		err = filepath.WalkDir(path, func(below string, d fs.DirEntry, err error) error {
			if err != nil {
				return readError(below, err)
			}
			if ext := strings.ToLower(filepath.Ext(below)); d.Type().IsRegular() && (ext == ".jsonl" || ext == ".traj") {
				files = append(files, below)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(files, func(f string) bool {
		again := seen[filepath.Clean(f)]
		seen[filepath.Clean(f)] = true
		return again
	}), nil
}

// readError says once which file it is about.
func readError(path string, err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	return fmt.Errorf("reading %q: %w", path, err)
}

// start is how a file of a recording begins.
type start struct {
	path      string
	SessionID string
	UUID      string // of the first message
	Timestamp string
}

// group puts files of one conversation together, the earliest first: those of
// one session, as with sub-agents, and those that begin with the same line, as
// when a conversation was resumed in a file of its own.
func group(ctx context.Context, files []string) ([]recording, error) {
	var groups []recording
	var starts []start
	for _, path := range files {
		if isTrajectory(path) {
			groups = append(groups, recording{baseName(path), []string{path}})
			continue
		}
		s, err := begin(ctx, path)
		if err != nil {
			return nil, readError(path, err)
		}
		starts = append(starts, s)
	}
	slices.SortStableFunc(starts, func(a, b start) int { return moment(a.Timestamp).Compare(moment(b.Timestamp)) })
	byKey := map[string]int{}
	for _, s := range starts {
		at := len(groups)
		keys := []string{"file " + s.path}
		if s.SessionID != "" {
			keys = append(keys, "session "+s.SessionID)
		}
		if s.UUID != "" {
			keys = append(keys, "line "+s.UUID)
		}
		for _, key := range keys {
			if i, ok := byKey[key]; ok {
				at = i
			}
		}
		if at == len(groups) {
			groups = append(groups, recording{name: cmp.Or(s.SessionID, baseName(s.path))})
		}
		groups[at].files = append(groups[at].files, s.path)
		for _, key := range keys {
			byKey[key] = at
		}
	}
	return groups, nil
}

func baseName(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

// begin reads the first message of a file.
func begin(ctx context.Context, path string) (start, error) {
	s := start{path: path}
	err := eachLine(ctx, path, func(_ int, raw []byte) bool {
		l := start{path: path}
		if err := json.Unmarshal(raw, &l); err == nil && l.UUID != "" {
			s = l
			return false
		}
		return true
	})
	return s, err
}

// maxLine is the longest line that is read, in bytes.
const maxLine = 256 << 20

// eachLine gives f the lines of a file, without blank ones, until it returns
// false. The bytes are f's only until it returns.
func eachLine(ctx context.Context, path string, f func(n int, raw []byte) bool) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	r := bufio.NewReaderSize(in, 256<<10)
	var buf []byte
	for n := 1; ; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		var more bool
		buf, more, err = readLine(r, buf[:0])
		if errors.Is(err, errTooLong) {
			return fmt.Errorf("line %d is over the limit of %d bytes", n, maxLine)
		} else if err != nil {
			return err
		}
		if line := bytes.TrimSpace(buf); len(line) > 0 && !f(n, line) || !more {
			return nil
		}
	}
}

var errTooLong = errors.New("line too long")

// readLine appends one line to buf and reports whether another may follow.
func readLine(r *bufio.Reader, buf []byte) (line []byte, more bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		buf = append(buf, part...)
		switch {
		case len(buf) > maxLine:
			return buf, false, errTooLong
		case errors.Is(err, io.EOF):
			return buf, false, nil
		case err == nil:
			return buf, true, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return buf, false, err
		}
	}
}
