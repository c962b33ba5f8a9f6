package replay

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/config"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// driver replays one conversation in a workspace of its own.
type driver struct {
	report       *Report
	conversation string
	folder       string
	hub          *workspace.Hub
	files        map[string]*replayed // by path as recorded
	chains       map[string]*memory
	late         bool // the recording begins in the middle
	unseen       int  // lines that nothing told of
	steps        []step
	later        map[string][]int // the steps of each path
}

// replayed is a file of the workspace.
type replayed struct {
	name  string
	lines []*line // what it holds; nil if it is not there
	text  string
}

func newDriver(r *Report, g recording, late bool) (*driver, error) {
	folder, err := os.MkdirTemp("", "acode-ls-replay-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for the replay: %w", err)
	}
	hub, err := workspace.Open(folder, workspace.Options{Config: config.Default()})
	if err != nil {
		return nil, cmp.Or(os.RemoveAll(folder), err)
	}
	return &driver{
		report: r, conversation: g.name, folder: folder, hub: hub, late: late,
		files: map[string]*replayed{}, chains: map[string]*memory{},
	}, nil
}

func (d *driver) close() error {
	return cmp.Or(d.hub.Close(), os.RemoveAll(d.folder))
}

func (d *driver) run(ctx context.Context, steps []step, warn func(string)) error {
	d.steps, d.later = steps, map[string][]int{}
	for i, s := range steps {
		if s.before != nil || s.after != nil {
			d.later[s.path] = append(d.later[s.path], i)
		}
	}
	for i, s := range steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.unplaced {
			d.report.Unplaced++
			warn(fmt.Sprintf("%s:%d: nothing tells where %s was edited", s.at.File, s.at.Line, s.path))
		}
		if err := d.step(ctx, i, s); err != nil {
			return fmt.Errorf("replaying %s:%d: %w", s.at.File, s.at.Line, err)
		}
	}
	return nil
}

// maxShown is how many lines of a file agents are shown at most unless they ask
// for more.
const maxShown = 2000

func (d *driver) step(ctx context.Context, i int, s step) error {
	m := d.memory(s.chain)
	switch {
	case s.output != nil:
		return d.output(m, i, s)
	case s.path == "":
		return d.hub.Round(m.session)
	}
	if s.before == nil && s.after == nil {
		return nil
	}
	f := d.file(s.path)
	if err := d.put(f, s.path, s.before, s.event, "somebody else"); err != nil {
		return err
	}
	if s.all {
		lines := strings.Split(f.text, "\n")
		s.pieces = []piece{{1, lines[:min(len(lines), maxShown)]}}
	}
	if len(s.pieces) > 0 && f.lines != nil {
		if err := d.credit(m, f, s.event, s.path, s.pieces); err != nil {
			return err
		}
	}
	if s.edit == nil || s.unplaced {
		return nil
	}
	return d.edit(ctx, m, f, s)
}

// memory returns what is known of the agent of a chain.
func (d *driver) memory(chain string) *memory {
	m := d.chains[chain]
	if m == nil {
		m = newMemory(fmt.Sprintf("agent-%d", len(d.chains)+1))
		d.chains[chain] = m
	}
	return m
}

// file returns the file of a recorded path. Its name has nothing of the path
// but a plain extension.
func (d *driver) file(recorded string) *replayed {
	f := d.files[recorded]
	if f == nil {
		ext := path.Ext(recorded)
		if len(ext) > 9 || strings.ContainsFunc(strings.TrimPrefix(ext, "."), func(r rune) bool {
			return (r < 'a' || 'z' < r) && (r < '0' || '9' < r)
		}) {
			ext = ""
		}
		f = &replayed{name: fmt.Sprintf("file-%d%s", len(d.files)+1, ext)}
		d.files[recorded] = f
	}
	return f
}

// textOf returns the text of lines. Those that nothing told of get one that no
// other line has.
func (d *driver) textOf(lines []*line) string {
	texts := make([]string, len(lines))
	for i, l := range lines {
		if !l.known {
			d.unseen++
			l.text, l.known = "⟨unseen line "+strconv.Itoa(d.unseen)+"⟩", true
		}
		texts[i] = l.text
	}
	return strings.Join(texts, "\n")
}

// put makes a file hold lines, which is a change by others unless it holds them
// already.
func (d *driver) put(f *replayed, path string, lines []*line, e *event, by string) error {
	if identical(f.lines, lines) {
		return nil
	}
	if lines == nil {
		f.lines, f.text = nil, ""
		return os.Remove(filepath.Join(d.folder, f.name))
	}
	content := d.textOf(lines)
	if f.lines != nil && content == f.text {
		f.lines = lines
		return nil
	}
	if f.lines != nil {
		d.note(e.at, path, nil, by, changes(f.text, content))
	}
	f.lines, f.text = lines, content
	return os.WriteFile(filepath.Join(d.folder, f.name), []byte(content), 0o600)
}

func identical(a, b []*line) bool {
	return (a == nil) == (b == nil) && len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// note tells all agents that know of a file what changed in it, and of m, who
// made the change, that it was that agent itself.
func (d *driver) note(at Place, path string, m *memory, by, changed string) {
	if changed == "" {
		return // but for the final line end
	}
	for _, other := range d.chains {
		h := other.files[path]
		switch {
		case h == nil:
		case other == m:
			h.note(at, "the agent made "+changed)
		default:
			h.note(at, by+" made "+changed)
		}
	}
}

// credit records the pieces of a file that it holds there.
func (d *driver) credit(m *memory, f *replayed, e *event, path string, pieces []piece) error {
	h, places := m.file(path), once(f.lines)
	var ranges []awareness.Range
	for _, p := range pieces {
		for i, shown := range p.lines {
			n := p.start + i
			if n > len(f.lines) || f.lines[n-1].text != shown || n == len(f.lines) && shown == "" {
				continue // what follows a final line end is no line
			}
			if last := len(ranges) - 1; last >= 0 && ranges[last].End == n-1 {
				ranges[last].End = n
			} else {
				ranges = append(ranges, awareness.Range{Start: n, End: n})
			}
			h.see(e.at, n, shown, places)
		}
	}
	if len(ranges) == 0 {
		return nil
	}
	h.note(e.at, e.tool+" showed "+noun(ranges)+" "+awareness.Ranges(ranges))
	_, err := d.hub.Observe(m.session, f.name, ranges, nil)
	return err
}

// edit judges an edit and makes it.
func (d *driver) edit(ctx context.Context, m *memory, f *replayed, s step) error {
	after := d.textOf(s.after)
	ops := []workspace.Op{{Kind: workspace.EditFile, Path: f.name, Edits: func(now text.Lines) ([]awareness.Edit, error) {
		return s.edit.bytes(now.Text(), after), nil
	}}}
	if f.lines != nil && after != f.text {
		if err := d.judge(ctx, m, f, s, ops); err != nil {
			return err
		}
	}
	if f.lines == nil || after != f.text {
		if err := d.apply(ctx, m, f, s, ops); err != nil {
			return err
		}
	}
	return d.put(f, s.path, s.happened, s.event, "the person")
}

// judge asks the guard.
func (d *driver) judge(ctx context.Context, m *memory, f *replayed, s step, ops []workspace.Op) error {
	v, err := d.hub.Check(m.session, ops)
	if err != nil {
		return err
	}
	d.report.Edits++
	if v.Allowed() {
		return nil
	}
	b := v.Blocks[0]
	block := Block{
		Place: s.at, Conversation: d.conversation, Path: s.path,
		Reason: string(b.Reason), Message: b.Message,
	}
	for _, r := range b.Unread {
		block.Unread = append(block.Unread, Lines(r))
		block.Missing += r.Len()
	}
	block.Drift = m.moved(s.path, f.lines, b.Unread)
	block.Explanation = m.explain(s, f.lines, b.Unread, d.late && s.chain == "")
	if len(v.Expanded) > 0 {
		again, err := d.hub.Check(m.session, ops)
		if err != nil {
			return err
		}
		block.Resolved = again.Allowed()
		places := once(f.lines)
		for _, e := range v.Expanded {
			for n := e.Lines.Start; n <= e.Lines.End; n++ {
				m.file(s.path).see(s.at, n, f.lines[n-1].text, places)
			}
		}
	}
	m.file(s.path).note(s.at, "the guard refused "+s.tool)
	if block.Resolved {
		m.file(s.path).note(s.at, "the guard sent along "+noun(b.Unread)+" "+awareness.Ranges(b.Unread))
	}
	d.report.add(block)
	return nil
}

func (r *Report) add(b Block) {
	r.Blocked++
	r.ByReason[b.Reason]++
	if b.Resolved {
		r.Resolved++
	}
	if b.Drift {
		r.Drift++
	}
	r.Blocks = append(r.Blocks, b)
}

// apply makes an edit as the agent's. One that is still refused is made past
// the guard: in the recording it happened.
func (d *driver) apply(ctx context.Context, m *memory, f *replayed, s step, ops []workspace.Op) error {
	before := *f
	out, err := d.hub.Apply(ctx, m.session, s.tool, ops)
	if err != nil {
		return err
	}
	if out.Allowed() && !out.Applied {
		return fmt.Errorf("editing %s: %s", f.name, out.Failure)
	}
	f.lines, f.text = s.after, d.textOf(s.after)
	written := d.wrote(m, s, before, f)
	if out.Applied {
		return nil
	}
	if err := os.WriteFile(filepath.Join(d.folder, f.name), []byte(f.text), 0o600); err != nil || len(written) == 0 {
		return err
	}
	_, err = d.hub.Observe(m.session, f.name, written, nil)
	return err
}

// wrote takes note of what the agent's own edit changed, and returns the lines
// it wrote.
func (d *driver) wrote(m *memory, s step, before replayed, now *replayed) []awareness.Range {
	var written []awareness.Range
	places := once(now.lines)
	shift := 0
	for _, h := range aligned(before.text, now.text) {
		r := awareness.Range{Start: h.Start + shift, End: h.Start + shift + len(h.New) - 1}
		for n := r.Start; n <= r.End; n++ {
			m.file(s.path).see(s.at, n, now.lines[n-1].text, places)
		}
		if r.Len() > 0 {
			written = append(written, r)
		}
		shift += len(h.New) - h.Old
	}
	m.file(s.path)
	if before.lines != nil {
		d.note(s.at, s.path, m, "another agent", changes(before.text, now.text))
	}
	return written
}

// bytes returns the edit as replacements in the text before, such as the tool
// made it if that is what came of it, else of the whole text.
func (e *edit) bytes(before, after string) []awareness.Edit {
	whole := []awareness.Edit{{End: len(before), New: after}}
	if len(e.texts) != 1 {
		return whole
	}
	r := e.texts[0]
	old := r.found(before)
	if result, ok := r.apply(before); !ok || result != after || old == "" {
		return whole
	}
	var edits []awareness.Edit
	for at := 0; ; {
		i := strings.Index(before[at:], old)
		if i < 0 || len(edits) > 0 && !r.all {
			return edits
		}
		edits = append(edits, awareness.Edit{Start: at + i, End: at + i + len(old), New: r.new})
		at += i + len(old)
	}
}
