package awareness

import (
	"maps"
	"slices"
)

// Ledger is what one session has seen, by the name under which the caller
// knows a file. The zero value is an empty ledger.
type Ledger struct {
	files map[string]*File
	round int
	told  bool // rounds are announced, so that guarded calls do not count
}

// File returns the record of a file, nil if there is none.
func (l *Ledger) File(name string) *File { return l.files[name] }

// Put sets the record of a file.
func (l *Ledger) Put(name string, f *File) {
	if l.files == nil {
		l.files = make(map[string]*File)
	}
	l.files[name] = f
}

// Forget drops the record of a file.
func (l *Ledger) Forget(name string) { delete(l.files, name) }

// Move takes the record of a file to its new name; what was there is gone.
func (l *Ledger) Move(from, to string) {
	f := l.files[from]
	delete(l.files, from)
	delete(l.files, to)
	if f != nil {
		l.Put(to, f)
	}
}

// Names returns the names of all records, sorted.
func (l *Ledger) Names() []string { return slices.Sorted(maps.Keys(l.files)) }

// Len returns the number of records.
func (l *Ledger) Len() int { return len(l.files) }

// Round returns the number of rounds so far.
func (l *Ledger) Round() int { return l.round }

// EndRound counts one announced turn of the agent.
func (l *Ledger) EndRound() {
	l.round++
	l.told = true
}

// Guarded counts a guarded call as a round of its own, for agents that do not
// announce their turns.
func (l *Ledger) Guarded() {
	if !l.told {
		l.round++
	}
}

// SetRounds restores the count of rounds after a restart.
func (l *Ledger) SetRounds(round int, told bool) { l.round, l.told = round, told }

// Told reports whether rounds are announced.
func (l *Ledger) Told() bool { return l.told }
