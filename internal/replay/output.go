package replay

import (
	"path"
	"slices"
	"strings"

	"github.com/acode-ls/acode-ls/internal/shell"
)

// This file credits what searches and shell commands printed of files.

// output credits the lines of files that an output shows. Which files those
// are, and whether somebody changed them before, is found by comparing the
// output with what they hold, and with what they will hold when the recording
// next tells of them.
func (d *driver) output(m *memory, i int, s step) error {
	now, next := d.reader(i, false), d.reader(i, true)
	held, coming := s.output.shown(now), s.output.shown(next)
	paths := make([]string, 0, len(coming)+len(held))
	for p := range held {
		paths = append(paths, p)
	}
	for p := range coming {
		if held[p] == nil {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	for _, p := range paths {
		pieces := held[p]
		f := d.file(p)
		if lines := d.upcoming(i, p); lines != nil && (f.lines == nil || count(coming[p]) > count(held[p])) {
			pieces = coming[p]
			if err := d.put(f, p, lines, s.event, "somebody else"); err != nil {
				return err
			}
		}
		if err := d.credit(m, f, s.event, p, pieces); err != nil {
			return err
		}
	}
	return nil
}

// shown returns the pieces of files that an output shows, by path.
func (o *output) shown(from shell.Source) map[string][]piece {
	var found []shell.Piece
	if o.command == "" {
		found = from.Hits(o.dir, o.path, o.text)
	} else {
		found = from.Shown(o.dir, o.command, o.text)
	}
	out := map[string][]piece{}
	for _, f := range found {
		p := path.Clean(f.Path)
		lines := strings.Split(strings.TrimSuffix(f.Text, "\n"), "\n")
		out[p] = append(out[p], piece{f.StartLine, lines})
	}
	return out
}

// reader gives the files of the recording, not those of this machine.
func (d *driver) reader(i int, next bool) shell.Source {
	return shell.Source{
		Read: func(recorded string) (string, bool) {
			recorded = path.Clean(recorded)
			f := d.files[recorded]
			if held := f != nil && f.lines != nil; held && !next {
				return f.text, true
			}
			if lines := d.upcoming(i, recorded); lines != nil {
				return d.textOf(lines), true
			}
			return "", false
		},
		Folder: func(string) bool { return true }, // where a command went in the recording
	}
}

// upcoming returns what a file holds when step i or a later one tells of it,
// nil if none does.
func (d *driver) upcoming(i int, recorded string) []*line {
	steps := d.later[recorded]
	at, _ := slices.BinarySearch(steps, i)
	if at == len(steps) {
		return nil
	}
	return d.steps[steps[at]].before
}

func count(pieces []piece) int {
	n := 0
	for _, p := range pieces {
		n += len(p.lines)
	}
	return n
}
