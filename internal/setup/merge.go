package setup

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// merge returns the edits that make settings hold what is wanted, none if they
// do, and whether something of ours was there.
func (d *document) merge(want object, p Program) (edits []splice, found bool, err error) {
	if d.root == nil {
		lead := ""
		if n := len(d.text); n > 0 && d.text[n-1] != '\n' {
			lead = d.eol
		}
		return []splice{{len(d.text), len(d.text), lead + d.render(want, "", false) + d.eol}}, false, nil
	}
	m := merger{document: d, program: p}
	if err := m.object(d.root, want, ""); err != nil {
		return nil, false, err
	}
	return m.edits, m.found, nil
}

type merger struct {
	*document
	program Program
	edits   []splice
	found   bool
}

// object adds the members that are missing. path names v in messages.
func (m *merger) object(v *hujson.Value, want object, path string) error {
	var missing []string
	insert := m.place(v)
	for _, w := range want {
		name := strings.TrimPrefix(path+"."+w.name, ".")
		have, err := m.member(v, w.name, name)
		if err != nil {
			return err
		}
		if have == nil {
			missing = append(missing, quoteJSON(w.name)+": "+m.render(w.value, insert.indent, insert.compact))
			continue
		}
		if err := m.value(have, w.value, name); err != nil {
			return err
		}
	}
	m.insert(insert, missing)
	return nil
}

func (m *merger) value(have *hujson.Value, want any, path string) error {
	belongs := "an object"
	if _, ok := want.(array); ok {
		belongs = "an array"
	}
	if kind(have) != belongs {
		return m.problem(have.StartOffset, "%s is %s where %s belongs", path, kind(have), belongs)
	}
	switch w := want.(type) {
	case object:
		return m.object(have, w, path)
	case events:
		m.others(have, w)
		return m.object(have, w.arrays(), path)
	case array:
		m.hook(have, w[0].(object))
	case server:
		return m.server(have, object(w), path)
	}
	return nil
}

// others brings hooks of ours up to date that are for events not wanted, as of
// another agent that reads the same file.
func (m *merger) others(have *hujson.Value, wanted events) {
	o := have.Value.(*hujson.Object)
	for i := range o.Members {
		name, _ := o.Members[i].Name.Value.(hujson.Literal)
		if slices.ContainsFunc(wanted, func(w member) bool { return w.name == name.String() }) {
			continue
		}
		for _, h := range handlers(&o.Members[i].Value) {
			m.found = true
			m.move(h)
		}
	}
}

// hook adds a hook to those of an event, unless one of ours is there. That gets
// the present path and matcher; the rest of it may be as a person likes it.
func (m *merger) hook(event *hujson.Value, want object) {
	have := handlers(event)
	if len(have) == 0 {
		insert := m.place(event)
		m.insert(insert, []string{m.render(want, insert.indent, insert.compact)})
		return
	}
	m.found = true
	for _, h := range have {
		m.move(h)
	}
	if len(have) > 1 || !have[0].alone {
		return // a person has divided the tools among groups
	}
	if v, _ := stringIn(have[0].group, "matcher"); v != nil && want[0].name == "matcher" {
		m.replace(v, want[0].value.(string))
	}
}

func (m *merger) move(h handler) {
	m.replace(h.command, movedCommand(h.command.Value.(hujson.Literal).String(), m.program))
}

// server brings one of our name up to date. What it has besides the path of
// this program may be as a person likes it, unless it runs another command of
// it. One that runs another program is not ours to change.
func (m *merger) server(have *hujson.Value, want object, path string) error {
	command, old := ownServer(have)
	if command == nil {
		return m.problem(have.StartOffset, "%s runs another program; rename it, init needs this name", path)
	}
	m.found = true
	switch {
	case !runsMCP(have):
		indent := m.indentation(have.StartOffset)
		m.edits = append(m.edits, splice{have.StartOffset, have.EndOffset, m.render(want, indent, m.isCompact(have))})
	case fixed.MatchString(old) && !m.program.isAt(old):
		m.replace(command, m.program.command())
	}
	return nil
}

// runsMCP reports whether the arguments of a server are for our command mcp.
func runsMCP(v *hujson.Value) bool {
	o := v.Value.(*hujson.Object)
	for i := range o.Members {
		name, _ := o.Members[i].Name.Value.(hujson.Literal)
		args, ok := o.Members[i].Value.Value.(*hujson.Array)
		if !ok || name.String() != "args" {
			continue
		}
		return slices.ContainsFunc(args.Elements, func(arg hujson.Value) bool {
			text, ok := arg.Value.(hujson.Literal)
			return ok && text.String() == "mcp"
		})
	}
	return false
}

// replace gives a string another text, if it has not that.
func (m *merger) replace(v *hujson.Value, text string) {
	if v.Value.(hujson.Literal).String() != text {
		m.edits = append(m.edits, splice{v.StartOffset, v.EndOffset, quoteJSON(text)})
	}
}

// place is where a container takes more items.
type place struct {
	last    item // the last there is; comma and end are set
	any     bool // there is one
	at, end int  // the text between is space before the bracket
	indent  string
	closing string // indentation of the bracket, where it gets a line of its own
	compact bool
}

func (d *document) place(v *hujson.Value) place {
	items, tail := itemsOf(v)
	p := place{any: len(items) > 0, end: v.EndOffset - 1, compact: d.isCompact(v)}
	p.at = p.end - len(tail) + len(trimRight(tail))
	p.closing = d.indentation(v.StartOffset)
	p.indent = p.closing + d.unit
	if p.any {
		p.last = items[len(items)-1]
		p.indent = lineIndent(items, p.indent)
	}
	return p
}

// lineIndent is the indentation of the last item that begins a line, or that
// given.
func lineIndent(items []item, indent string) string {
	for _, it := range slices.Backward(items) {
		if i := bytes.LastIndexByte(it.before, '\n'); i >= 0 && blankSpace(it.before[i+1:]) {
			return string(it.before[i+1:])
		}
	}
	return indent
}

// isCompact reports whether a container is written on one line, or would be.
func (d *document) isCompact(v *hujson.Value) bool {
	items, tail := itemsOf(v)
	if bytes.IndexByte(tail, '\n') >= 0 {
		return false
	}
	if len(items) == 0 {
		all, space := itemsOf(d.root)
		return len(all) > 0 && bytes.IndexByte(all[0].before, '\n') < 0 && bytes.IndexByte(space, '\n') < 0
	}
	return !slices.ContainsFunc(items, func(it item) bool { return bytes.IndexByte(it.before, '\n') >= 0 })
}

// indentation returns the space that begins the line of an offset.
func (d *document) indentation(at int) string {
	line := d.text[bytes.LastIndexByte(d.text[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// insert puts items behind those that are there, and behind their comments.
func (m *merger) insert(p place, items []string) {
	if len(items) == 0 {
		return
	}
	lead := m.eol + p.indent
	if p.compact {
		lead = " "
	}
	text := lead + strings.Join(items, ","+lead)
	switch {
	case !p.any && p.compact:
		m.edits = append(m.edits, splice{p.at, p.end, strings.TrimPrefix(text, lead)})
	case !p.any && bytes.IndexByte(m.text[p.at:p.end], '\n') >= 0:
		m.edits = append(m.edits, splice{p.at, p.at, text})
	case !p.any:
		m.edits = append(m.edits, splice{p.at, p.end, text + m.eol + p.closing})
	case p.last.comma >= 0:
		m.edits = append(m.edits, splice{p.at, p.at, text + ","})
	case p.last.end == p.at:
		m.edits = append(m.edits, splice{p.at, p.at, "," + text})
	default:
		m.edits = append(m.edits, splice{p.last.end, p.last.end, ","}, splice{p.at, p.at, text})
	}
}
