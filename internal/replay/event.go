package replay

import (
	"strings"
	"time"
	"unicode"
)

// event is one thing that happened to one file in a conversation, or the
// beginning of a turn, or output that may show lines of any file.
type event struct {
	at    Place
	when  time.Time
	chain string // whose context: "" is the conversation's own, else a sub-agent's
	tool  string
	path  string // of the file; empty if it is about none
	news  string // the id of a message that may also stand elsewhere, else empty

	output *output // nil if there is none

	// What the agent was shown. Sure pieces are what the file held at that
	// moment; others, as from a search or a shell, count where the file agrees.
	pieces []piece
	sure   bool
	total  int // lines of the file, 0 if that is not told

	whole *string // the text before the event, nil if that is not told
	all   bool    // shown whole, whatever it holds
	edit  *edit   // nil if nothing was edited
}

// output is what a shell command or a search printed.
type output struct {
	dir     string // the working folder
	command string // empty for a search
	path    string // what was searched, if that was told
	text    string
}

// piece is a run of lines from line start on, 1-based, without line ends.
type piece struct {
	start int
	lines []string
}

func (p piece) end() int { return p.start + len(p.lines) - 1 }

// edit is what the agent's tool did to a file. One of content, span and texts
// says it.
type edit struct {
	content *string       // the whole file afterwards
	created bool          // and there was none before
	span    *spanEdit     // lines of the file before
	texts   []replacement // one after the other
	patch   []patchHunk   // what really happened, nil if that is not told
	snippet []piece       // lines afterwards, where the tool showed them
	altered bool          // the person changed the edit before it was made
}

// spanEdit replaces lines start to end; end == start-1 inserts before start.
type spanEdit struct {
	start, end int
	text       []string
}

type replacement struct {
	old, new string
	all      bool
}

// clean returns text from a recording as it is put into files: lines end with
// LF alone, and no character makes a file count as binary.
func clean(s string) string {
	if strings.IndexFunc(s, isOdd) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case !isOdd(r):
			return r
		case r < ' ':
			return '␀' + r
		}
		return unicode.ReplacementChar
	}, strings.ReplaceAll(s, "\r\n", "\n"))
}

// isOdd is true of a byte order mark too: at the start of a file it would be
// no part of the text.
func isOdd(r rune) bool {
	return r != '\n' && r != '\t' && unicode.IsControl(r) || r == '\ufeff'
}

// split cuts cleaned text at its line ends: a final one leaves an empty string
// at the end, so that joining gives the text again.
func split(s string) []string { return strings.Split(clean(s), "\n") }
