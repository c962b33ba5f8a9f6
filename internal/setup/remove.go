package setup

import (
	"bytes"
	"slices"

	"github.com/tailscale/hujson"
)

// remove returns the edits that take out what is ours, none if nothing is, and
// whether nothing else is left.
func (d *document) remove(want object) (edits []splice, gone bool) {
	if d.root == nil {
		return nil, false
	}
	r := remover{document: d}
	if r.object(d.root, want) {
		end := d.root.EndOffset - 1
		return []splice{{d.root.StartOffset + 1, end, ""}}, blankSpace(d.root.BeforeExtra) && blankSpace(d.root.AfterExtra)
	}
	return r.edits, false
}

type remover struct {
	*document
	edits []splice
}

// Each of these takes what is ours out of a container. If nothing is left, not
// even a comment, it makes no edit and reports true, and the container goes.

func (r *remover) object(v *hujson.Value, want object) (gone bool) {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return false
	}
	return r.drop(v, func(i int) bool {
		name, _ := o.Members[i].Name.Value.(hujson.Literal)
		for _, w := range want {
			if w.name == name.String() {
				return r.value(&o.Members[i].Value, w.value)
			}
		}
		return false
	})
}

func (r *remover) value(v *hujson.Value, want any) (gone bool) {
	switch w := want.(type) {
	case server:
		command, _ := ownServer(v)
		return command != nil
	case object:
		return r.object(v, w)
	}
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return false
	}
	// Another version may have known other events.
	return r.drop(v, func(i int) bool { return r.event(&o.Members[i].Value) })
}

func (r *remover) event(v *hujson.Value) (gone bool) {
	if v.Value.Kind() != '[' {
		return false
	}
	ours := map[int][]handler{}
	for _, h := range handlers(v) {
		ours[h.element] = append(ours[h.element], h)
	}
	return r.drop(v, func(i int) bool {
		hooks := map[int]bool{}
		for _, h := range ours[i] {
			hooks[h.at] = true
		}
		if len(hooks) == 0 || hooks[-1] {
			return hooks[-1]
		}
		return r.drop(hookList(ours[i][0].group), func(j int) bool { return hooks[j] })
	})
}

// drop takes items out of a container, with their commas and lines, or reports
// that all of it can go.
func (r *remover) drop(v *hujson.Value, goes func(int) bool) (gone bool) {
	items, tail := itemsOf(v)
	kept, commented := -1, !blankSpace(tail)
	dropped := make([]bool, len(items))
	any := false
	for i, it := range items {
		dropped[i] = goes(i)
		if any = any || dropped[i]; !dropped[i] {
			kept = i
		}
		commented = commented || !blankSpace(it.before) || it.comma >= 0 && !blankSpace(r.text[it.end:it.comma])
	}
	if any && kept < 0 && !commented {
		return true
	}
	next, follows := -1, 0 // where the next cut starts, and what follows it
	for i, it := range slices.Backward(items) {
		if !dropped[i] {
			continue
		}
		if next != it.rest() {
			follows = it.rest()
		}
		next = r.cut(it, follows)
	}
	if n := len(items); any && dropped[n-1] && items[n-1].comma < 0 && kept >= 0 {
		r.edits = append(r.edits, splice{items[kept].comma, items[kept].comma + 1, ""})
	}
	return false
}

// endsInLineComment reports whether the last of comments and space is a comment
// up to the end of its line.
func endsInLineComment(extra []byte) bool {
	is := false
	for i := 0; i < len(extra); i++ {
		if extra[i] == '/' {
			is = bytes.HasPrefix(extra[i:], []byte("//"))
			i += commentLength(extra[i:]) - 1
		}
	}
	return is
}

// rest is the offset of what follows the item and its comma.
func (it item) rest() int { return max(it.end, it.comma+1) }

// cut takes an item out, with the space before it, and returns where that
// starts. follows is the offset of what comes next then.
func (r *remover) cut(it item, follows int) int {
	start := it.start - len(it.before) + len(trimRight(it.before))
	// What follows must not become part of a line comment before it.
	after := bytes.TrimLeft(r.text[follows:], " \t\r")
	if endsInLineComment(it.before) && !bytes.HasPrefix(after, []byte("\n")) {
		start = it.start
	}
	r.edits = append(r.edits, splice{start, it.end, ""})
	if it.comma >= 0 {
		r.edits = append(r.edits, splice{it.comma, it.comma + 1, ""})
	}
	return start
}
