package setup

import "slices"

// Settings are the contents of one JSON file of an agent.
type Settings struct {
	Agent  string
	target target
}

// JSONSettings returns those of all agents.
func JSONSettings() []Settings {
	var all []Settings
	for _, a := range Agents {
		for _, t := range a.targets {
			if t.settings != nil {
				all = append(all, Settings{a.Name, t})
			}
		}
	}
	return all
}

// Path is relative to its folder.
func (s Settings) Path() string { return s.target.path }

// Keys are the members at the top that hold what is ours.
func (s Settings) Keys(p Program) []string {
	var keys []string
	for _, m := range s.target.settings(p) {
		keys = append(keys, m.name)
	}
	return keys
}

// Edit is what replaces Old.
type Edit struct{ Old, New string }

// Merge returns the text with what is ours, how it came to be, and whether
// there was something of ours.
func (s Settings) Merge(text []byte, p Program) (merged []byte, edits []Edit, found bool, err error) {
	d, err := parse(s.target.path, text)
	if err != nil {
		return nil, nil, false, err
	}
	all, found, err := d.merge(s.target.settings(p), p)
	if err != nil {
		return nil, nil, false, err
	}
	for _, e := range all {
		edits = append(edits, Edit{string(d.text[e.start:e.end]), e.text})
	}
	return append([]byte(d.bom), splices(d.text, all)...), edits, found, nil
}

// Remove returns the text without what is ours, and whether nothing is left.
func (s Settings) Remove(text []byte, p Program) (rest []byte, gone bool, err error) {
	d, err := parse(s.target.path, text)
	if err != nil {
		return nil, false, err
	}
	edits, gone := d.remove(s.target.settings(p))
	return append([]byte(d.bom), splices(d.text, edits)...), gone, nil
}

// Undo returns what the text was before, by means of that.
func (s Settings) Undo(text, before []byte, p Program) ([]byte, bool) {
	f := &File{Path: s.target.path, old: text}
	edits, ok := f.undone(s.target, p, before)
	return splices(text, slices.Clone(edits)), ok
}

// Unified is the diff that makes the edits of text.
func Unified(text string, edits ...Splice) (diff, after string) {
	var all []splice
	for _, e := range edits {
		all = append(all, splice(e))
	}
	return unified("a", "b", []byte(text), all), string(splices([]byte(text), all))
}

// Splice puts text in the place of bytes [start, end).
type Splice struct {
	start, end int
	text       string
}

// NewSplice returns a Splice.
func NewSplice(start, end int, text string) Splice { return Splice{start, end, text} }
