package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// world is a workspace in which a person, an editor and two agents do things
// in any order, and beside it the truth: what each file holds, and which lines
// each agent has ever seen or written in it. New lines are always ones that
// were never there, so that the text of a line says which line it is.
type world struct {
	t       *testing.T
	dice    dice
	h       *workspace.Hub
	ed      *editor
	disk    map[string]string             // by name; with the byte order mark
	seen    map[string]map[string]lineSet // by session and name
	history map[string][]string           // texts a file had
	serial  int
}

type lineSet map[string]bool

// dice are choices taken from the fuzzer's bytes.
type dice struct{ data []byte }

func (d *dice) roll(n int) int {
	if len(d.data) == 0 || n <= 1 {
		return 0
	}
	v := int(d.data[0]) % n
	d.data = d.data[1:]
	return v
}

var (
	worldNames = []string{"a.txt", "b.txt", "sub/c.txt", "d.txt"}
	worldOpts  = workspace.Options{
		Config:       configured("tools: {truncation: {overrides: {read_file: {inline_limit: 120}}}, awareness: {auto_expand_lines: 3}}"),
		ReplyTimeout: 5 * time.Millisecond, SyncTimeout: 5 * time.Millisecond,
	}
)

func (w *world) eol(name string) string {
	if name == "b.txt" {
		return "\r\n"
	}
	return "\n"
}

func newWorld(t *testing.T, data []byte) *world {
	w := &world{t: t, dice: dice{data}, disk: map[string]string{}, history: map[string][]string{},
		seen: map[string]map[string]lineSet{"s": {}, "t": {}}}
	root := t.TempDir()
	w.write(root, "a.txt", w.lines("\n", 12))
	w.write(root, "b.txt", w.lines("\r\n", 8))
	w.write(root, "sub/c.txt", "\ufeff"+w.lines("\n", 5)+"last")
	w.h = open(t, root, worldOpts)
	w.ed = attach(t, w.h)
	return w
}

func (w *world) lines(eol string, n int) string {
	var b strings.Builder
	for range n {
		w.serial++
		fmt.Fprintf(&b, "line %d%s", w.serial, eol)
	}
	return b.String()
}

func (w *world) write(root, name, content string) {
	write(w.t, root, name, content)
	w.disk[name] = content
}

// text is what a file holds for everyone; false if there is none.
func (w *world) text(name string) (string, bool) {
	if b := w.ed.buffers[name]; b != nil {
		return b.text, true
	}
	content, ok := w.disk[name]
	return strings.TrimPrefix(content, "\ufeff"), ok
}

func (w *world) see(id, name string, l text.Lines, ranges ...awareness.Range) {
	if w.seen[id][name] == nil {
		w.seen[id][name] = lineSet{}
	}
	for _, r := range ranges {
		for n := r.Start; n <= r.End; n++ {
			w.seen[id][name][l.Line(n)] = true
		}
	}
}

func (w *world) session() string { return []string{"s", "s", "s", "t"}[w.dice.roll(4)] }

// span is some lines of a text.
func (w *world) span(l text.Lines) (first, last int) {
	first = 1 + w.dice.roll(l.Len()+1)
	return first, min(l.Len(), first-1+w.dice.roll(4))
}

func (w *world) step() {
	name := worldNames[w.dice.roll(len(worldNames))]
	content, exists := w.text(name)
	l := text.Split(content)
	opened := w.ed.buffers[name] != nil
	op := w.dice.roll(16)
	w.t.Logf("operation %d on %s, open %v: %q", op, name, opened, content)
	switch op {
	case 0, 1:
		w.read(w.session(), name, l, exists)
	case 2, 3, 4:
		w.agentEdit(w.session(), name, l, exists)
	case 5: // a person types
		w.keep(name, content)
		if opened {
			w.change(name, content)
		}
	case 6, 7: // a formatter, or a person, at several places
		if exists {
			w.keep(name, content)
			w.put(name, w.formatted(l, op == 6))
		}
	case 8: // undo
		if past := w.history[name]; len(past) > 0 && exists {
			w.put(name, past[w.dice.roll(len(past))])
		}
	case 9:
		if opened {
			w.close(name)
		} else if exists {
			w.open(name)
		}
	case 10: // under the buffer, if there is one
		if old, ok := w.disk[name]; ok {
			w.write(w.h.Root(), name, bomOf(old)+w.formatted(text.Split(strings.TrimPrefix(old, "\ufeff")), true))
			w.ed.must(w.h.DiskChanged(name))
		}
	case 11:
		w.rename(name, worldNames[w.dice.roll(len(worldNames))], exists)
	case 12:
		w.deleteOrCreate(w.session(), name, l, exists)
	case 13:
		id := w.session()
		first, last := w.span(l)
		if exists && first <= last {
			r := awareness.Range{Start: first, End: last}
			if _, err := w.h.Observe(id, name, []awareness.Range{r}, nil); err != nil {
				w.t.Fatal(err)
			}
			w.see(id, name, l, r)
		}
	case 14:
		id := w.session()
		if w.dice.roll(2) == 0 {
			w.ed.must(w.h.Round(id))
		} else {
			w.ed.must(w.h.Forget(id, name))
			delete(w.seen[id], name)
		}
	case 15:
		w.restart()
	}
}

func bomOf(content string) string {
	if strings.HasPrefix(content, "\ufeff") {
		return "\ufeff"
	}
	return ""
}

// put makes a file hold a text: in its buffer if it is open, else on disk.
func (w *world) put(name, content string) {
	if w.ed.buffers[name] != nil {
		w.ed.replace(name, content)
		return
	}
	w.write(w.h.Root(), name, bomOf(w.disk[name])+content)
}

func (w *world) keep(name, content string) { w.history[name] = append(w.history[name], content) }

func (w *world) open(name string) {
	content, _ := w.text(name)
	w.ed.buffers[name] = &buffer{content, 1}
	w.ed.must(w.h.DidOpen(name, 1, content))
}

func (w *world) close(name string) {
	if content := w.ed.buffers[name].text; w.dice.roll(2) == 0 && w.disk[name] != "" {
		w.write(w.h.Root(), name, bomOf(w.disk[name])+content)
	}
	w.ed.close(name)
}

// change makes one to three changes anywhere in a buffer.
func (w *world) change(name, content string) {
	var edits []awareness.Edit
	for range 1 + w.dice.roll(3) {
		start := w.dice.roll(len(content) + 1)
		e := awareness.Edit{Start: start, End: min(len(content), start+w.dice.roll(12))}
		switch w.dice.roll(4) {
		case 0:
			e.New = w.lines(w.eol(name), 1)
		case 1:
			w.serial++
			e.New = fmt.Sprintf("typed %d", w.serial)
		case 2:
			e.New = w.eol(name)
		}
		edits = append(edits, e)
		content = content[:e.Start] + e.New + content[e.End:]
	}
	w.ed.change(name, edits...)
}

// formatted changes, inserts and takes out lines; where it only formats it
// indents them.
func (w *world) formatted(l text.Lines, only bool) string {
	var b strings.Builder
	for n := 1; n <= l.Len(); n++ {
		line := l.Full(n)
		switch w.dice.roll(8) {
		case 0:
			line = " " + line
		case 1:
			line = strings.TrimPrefix(line, " ")
		case 2:
			if !only {
				line = w.lines("\n", 1) + line
			}
		case 3:
			if !only {
				line = ""
			}
		}
		b.WriteString(line)
	}
	return b.String()
}

func (w *world) read(id, name string, l text.Lines, exists bool) {
	sel := workspace.Selection{}
	first, last := w.span(l)
	if w.dice.roll(3) > 0 && first <= last {
		sel.Lines = awareness.Range{Start: first, End: last}
	}
	r, err := w.h.Read(id, name, sel)
	if exists != (err == nil) {
		w.t.Fatalf("Read(%s): %v", name, err)
	}
	if err != nil {
		return
	}
	for _, shown := range r.Shown {
		if !strings.Contains(r.Content, strings.TrimRight(l.Span(shown.Start, shown.End), "\r\n")) {
			w.t.Fatalf("Read(%s) credits lines %v and shows %q", name, shown, r.Content)
		}
	}
	w.see(id, name, l, r.Shown...)
	_, states, err := w.h.State(id, name)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, shown := range r.Shown {
		for n := shown.Start; n <= shown.End; n++ {
			if !within(states[0].Read, n) || within(states[0].Changed, n) {
				w.t.Fatalf("line %d of %s was shown and is %s", n, name, told(states[0]))
			}
		}
	}
}

func (w *world) agentEdit(id, name string, l text.Lines, exists bool) {
	w.keep(name, l.Text())
	old := l.Text()
	var es []awareness.Edit
	var touched []int
	end := 0
	for range 1 + w.dice.roll(2) {
		first, last := w.span(l)
		e := awareness.Edit{Start: l.Start(first), End: l.Start(max(first, last+1))}
		if e.Start < end {
			continue
		}
		end = e.End + 1
		for n := first; n <= last; n++ {
			touched = append(touched, n)
		}
		e.New = w.lines("\n", w.dice.roll(3))
		es = append(es, e)
	}
	want := ""
	at := 0
	for _, e := range es {
		want += old[at:e.Start] + strings.ReplaceAll(e.New, "\n", eolOf(l))
		at = e.End
	}
	want += old[at:]
	was := lineSet{}
	for n := 1; n <= l.Len(); n++ {
		was[l.Line(n)] = true
	}
	written := text.Split(want) // also a line that new text is joined to
	for n := 1; n <= written.Len(); n++ {
		if !was[written.Line(n)] {
			w.see(id, name, written, awareness.Range{Start: n, End: n})
		}
	}
	w.ed.answer = w.answer()
	_, before, err := w.h.State(id, name)
	if err != nil {
		w.t.Fatal(err)
	}
	out, err := w.h.Apply(context.Background(), id, "", []workspace.Op{{Path: name, Edits: edits(es...)}})
	if err != nil {
		w.t.Fatal(err)
	}
	w.ed.later.Wait()
	w.expanded(id, out.Verdict, name, l)
	if out.Allowed() {
		for _, n := range touched {
			if !w.seen[id][name][l.Line(n)] && !within(before[0].Changed, n) && want != old {
				w.t.Fatalf("an edit of line %d of %s was allowed: %q was never shown to %s, who knows %s", n, name, l.Line(n), id, told(before[0]))
			}
		}
	}
	w.follow(name)
	if got, _ := w.text(name); out.Applied && got != want {
		w.t.Fatalf("%s after the edit = %q, want %q", name, got, want)
	} else if !out.Allowed() && got != old {
		w.t.Fatalf("%s after a refused edit = %q, want %q", name, got, old)
	}
}

func eolOf(l text.Lines) string {
	if eol := l.EOL(); eol != "" {
		return eol
	}
	return "\n"
}

func (w *world) expanded(id string, v workspace.Verdict, name string, l text.Lines) {
	for _, e := range v.Expanded {
		w.see(id, name, l, e.Lines)
	}
}

// follow takes over what is on disk, where files that are not open may have
// been edited. All else there is known.
func (w *world) follow(name string) {
	if w.ed.buffers[name] != nil {
		return
	}
	b, err := os.ReadFile(filepath.Join(w.h.Root(), name))
	if err != nil {
		delete(w.disk, name)
		return
	}
	if bomOf(w.disk[name]) != bomOf(string(b)) && w.disk[name] != "" {
		w.t.Fatalf("%s lost its byte order mark", name)
	}
	w.disk[name] = string(b)
}

// answer is how the editor takes the next edit.
func (w *world) answer() func(context.Context, *editor, workspace.EditorEdit) error {
	typed := func(ed *editor, e workspace.EditorEdit) {
		for _, d := range e.Docs {
			at := w.dice.roll(len(ed.text(d.Name)) + 1)
			w.serial++
			ed.change(d.Name, awareness.Edit{Start: at, End: at, New: fmt.Sprintf("typed %d\n", w.serial)})
		}
	}
	switch w.dice.roll(12) {
	case 0:
		return honest(inPieces)
	case 1:
		return honest(inHalves)
	case 2:
		return honest(inFull)
	case 3:
		return late(inPieces)
	case 4: // nothing
		return func(context.Context, *editor, workspace.EditorEdit) error { return nil }
	case 5: // false, but done
		return func(ctx context.Context, ed *editor, e workspace.EditorEdit) error {
			_ = honest(inOne)(ctx, ed, e)
			return errors.New("refused")
		}
	case 6: // something else
		return func(_ context.Context, ed *editor, e workspace.EditorEdit) error { typed(ed, e); return nil }
	case 7: // half of it
		return func(_ context.Context, ed *editor, e workspace.EditorEdit) error {
			for _, d := range e.Docs {
				ed.change(d.Name, lastFirst(d)[0])
			}
			return errors.New("refused")
		}
	case 8: // an agent looks while it is typed
		return func(_ context.Context, ed *editor, e workspace.EditorEdit) error {
			typed(ed, e)
			for _, d := range e.Docs {
				id := w.session()
				l := text.Split(ed.text(d.Name))
				if r, err := w.h.Read(id, d.Name, workspace.Selection{}); err == nil {
					w.see(id, d.Name, l, r.Shown...)
				}
			}
			return errors.New("refused")
		}
	case 9: // an agent looks at half of it
		return func(_ context.Context, ed *editor, e workspace.EditorEdit) error {
			for _, d := range e.Docs {
				for _, edit := range lastFirst(d) {
					id := w.session()
					l := text.Split(ed.text(d.Name))
					if r, err := w.h.Read(id, d.Name, workspace.Selection{}); err == nil {
						w.see(id, d.Name, l, r.Shown...)
					}
					ed.change(d.Name, edit)
				}
			}
			return nil
		}
	}
	return honest(inOne)
}

func (w *world) rename(from, to string, exists bool) {
	_, taken := w.text(to)
	if !exists || taken || w.ed.buffers[from] != nil && w.disk[from] == "" {
		return
	}
	w.ed.answer = honest(inOne)
	if w.dice.roll(2) == 0 { // an agent
		if failure := apply(w.t, w.h, workspace.Op{Kind: workspace.RenameFile, Path: from, NewPath: to}); failure != "" {
			w.t.Fatalf("renaming %s to %s: %s", from, to, failure)
		}
		delete(w.seen["s"], to)
	} else {
		opened := w.ed.buffers[from] != nil
		w.ed.must(os.Rename(filepath.Join(w.h.Root(), from), filepath.Join(w.h.Root(), to)))
		if opened {
			content := w.ed.text(from)
			w.ed.close(from)
			w.ed.buffers[to] = &buffer{content, 1}
		}
		w.ed.must(w.h.Moved(from, to))
		if opened {
			w.ed.must(w.h.DidOpen(to, 1, w.ed.text(to)))
		}
	}
	for _, files := range w.seen {
		moved := maps.Clone(files[to]) // whoever knew nothing of from still knows what was here
		if moved == nil {
			moved = lineSet{}
		}
		maps.Copy(moved, files[from])
		files[to] = moved
		delete(files, from)
	}
	w.disk[to] = w.disk[from]
	delete(w.disk, from)
}

func (w *world) deleteOrCreate(id, name string, l text.Lines, exists bool) {
	if w.ed.buffers[name] != nil {
		return
	}
	op := workspace.Op{Kind: workspace.DeleteFile, Path: name}
	if !exists {
		op = insert(name, w.lines("\n", 1+w.dice.roll(4)))
	}
	out, err := w.h.Apply(context.Background(), id, "", []workspace.Op{op})
	if err != nil || out.Failure != "" {
		w.t.Fatalf("%s: %+v, %v", name, out, err)
	}
	w.expanded(id, out.Verdict, name, l)
	w.disk[name] = ""
	w.follow(name)
	if _, left := w.disk[name]; left == (out.Applied && exists) {
		w.t.Fatalf("%s: applied %v, and on disk: %v", name, out.Applied, left)
	}
	if out.Applied {
		delete(w.seen[id], name)
		content, _ := w.text(name)
		l := text.Split(content)
		w.see(id, name, l, awareness.Range{Start: 1, End: l.Len()})
	}
}

// restart begins anew from the journals.
func (w *world) restart() {
	for _, name := range slices.Sorted(maps.Keys(w.ed.buffers)) {
		w.close(name)
	}
	w.ed.must(w.h.Close())
	w.h = open(w.t, w.h.Root(), worldOpts)
	w.ed.hub = w.h
	w.h.Attach(w.ed)
}

// check compares what the hub says with the truth.
func (w *world) check() {
	for id, files := range w.seen {
		for _, name := range worldNames {
			content, exists := w.text(name)
			_, states, err := w.h.State(id, name)
			if err != nil {
				w.t.Fatal(err)
			}
			l := text.Split(content)
			if exists && states[0].Total != l.Len() {
				w.t.Fatalf("%s has %d lines for session %s, want %d", name, states[0].Total, id, l.Len())
			}
			for _, r := range states[0].Read {
				for n := r.Start; n <= r.End; n++ {
					if !files[name][l.Line(n)] && !within(states[0].Changed, n) {
						w.t.Fatalf("line %d of %s, %q, was never shown to %s, who knows %s", n, name, l.Line(n), id, told(states[0]))
					}
				}
			}
		}
	}
}

// reopen compares the hub with one that is opened on a copy, where all buffers
// are saved.
func (w *world) reopen() {
	root := w.t.TempDir()
	for _, name := range worldNames {
		if content, ok := w.text(name); ok {
			write(w.t, root, name, content)
		}
	}
	if err := os.CopyFS(filepath.Join(root, ".acode/sessions"), os.DirFS(filepath.Join(w.h.Root(), ".acode/sessions"))); err != nil {
		w.t.Fatal(err)
	}
	for id := range w.seen {
		if err := os.Chmod(filepath.Join(root, ".acode/sessions", id+".jsonl"), 0o600); err != nil && !os.IsNotExist(err) {
			w.t.Fatal(err)
		}
	}
	fresh := open(w.t, root, worldOpts)
	for id := range w.seen {
		if live, reopened := all(w.t, w.h, id), all(w.t, fresh, id); live != reopened {
			w.t.Fatalf("session %s lives as\n%s\nand reopens as\n%s", id, live, reopened)
		}
	}
}

func FuzzHub(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		data := make([]byte, 300)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		w := newWorld(t, data)
		for i := 0; i < 60 && len(w.dice.data) > 0; i++ {
			w.step()
			w.check()
		}
		w.reopen()
	})
}
