// Package awareness keeps, for one agent session, the exact lines of each file
// the agent has been shown, and judges edits by it.
//
// The ledger is a plain state machine over line hashes: it is told what was
// shown, what changed and who changed it, and it answers which lines are read,
// unread or changed since they were read. The guard reduces an edit to the
// lines it really modifies and asks whether they were read.
//
// It knows no files, editors or wire formats, holds no text, reads no clock
// (rounds are given) and takes no locks: the caller serialises access.
//
// Lines are counted from 1 and ranges include both ends. Bytes are counted
// from 0 and byte ranges are half-open.
package awareness

import (
	"crypto/sha256"

	"github.com/cespare/xxhash/v2"

	"github.com/acode-ls/acode-ls/internal/text"
)

// Hash identifies a text by its content.
type Hash [sha256.Size]byte

// Sum returns the hash of a text.
func Sum(s string) Hash {
	var buf [8192]byte
	h := sha256.New()
	for len(s) > 0 {
		n := copy(buf[:], s)
		h.Write(buf[:n])
		s = s[n:]
	}
	var sum Hash
	h.Sum(sum[:0])
	return sum
}

// Print is what the ledger needs to know about a text: its content hash and
// one hash per line. Line hashes leave the terminator out, so that a change of
// line ends alone does not make a line unknown.
type Print struct {
	Sum   Hash
	Lines []uint64
}

// Fingerprint returns the print of a text.
func Fingerprint(l text.Lines) Print {
	p := Print{Sum: Sum(l.Text()), Lines: make([]uint64, l.Len())}
	for i := range p.Lines {
		p.Lines[i] = xxhash.Sum64String(l.Line(i + 1))
	}
	return p
}

// Hunk is one run of lines that gave way to another: Old lines from line Start
// on were replaced by lines with the hashes New. With Old zero the new lines
// stand before line Start. A list of hunks is ascending and disjoint, and all
// of it is in line numbers of the text before the change.
type Hunk struct {
	Start int // 1-based
	Old   int // number of lines
	New   []uint64
}

// end returns the last old line of the hunk, Start-1 when it only inserts.
func (h Hunk) end() int { return h.Start + h.Old - 1 }

// Cause says who changed a text.
type Cause int

const (
	ByOther Cause = iota // a person, a formatter, another agent, the disk
	ByAgent              // the agent whose ledger this is
)
