package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// editor is an editor with buffers of its own. How it answers an edit is up to
// the test.
type editor struct {
	t      *testing.T
	hub    *workspace.Hub
	answer func(ctx context.Context, ed *editor, e workspace.EditorEdit) error
	later  sync.WaitGroup // reports that come after the answer

	mu      sync.Mutex
	buffers map[string]*buffer
}

type buffer struct {
	text    string
	version int32
}

func attach(t *testing.T, h *workspace.Hub, names ...string) *editor {
	ed := &editor{t: t, hub: h, answer: honest(inOne), buffers: map[string]*buffer{}}
	h.Attach(ed)
	for _, name := range names {
		ed.open(name)
	}
	return ed
}

func (ed *editor) Supports(workspace.OpKind) bool { return true }

func (ed *editor) Apply(ctx context.Context, e workspace.EditorEdit) error {
	return ed.answer(ctx, ed, e)
}

// open opens a file with the text it has on disk.
func (ed *editor) open(name string) {
	ed.t.Helper()
	b := &buffer{text: read(ed.t, ed.hub.Root(), name), version: 1}
	ed.mu.Lock()
	ed.buffers[name] = b
	ed.mu.Unlock()
	ed.must(ed.hub.DidOpen(name, b.version, b.text))
}

func (ed *editor) close(name string) {
	ed.t.Helper()
	ed.mu.Lock()
	delete(ed.buffers, name)
	ed.mu.Unlock()
	ed.must(ed.hub.DidClose(name))
}

func (ed *editor) save(name string) {
	ed.t.Helper()
	write(ed.t, ed.hub.Root(), name, ed.text(name))
}

func (ed *editor) text(name string) string {
	ed.mu.Lock()
	defer ed.mu.Unlock()
	return ed.buffers[name].text
}

func (ed *editor) must(err error) {
	ed.t.Helper()
	if err != nil {
		ed.t.Error(err)
	}
}

// change makes changes of a buffer, each to what the ones before it left, and
// reports them in one notification.
func (ed *editor) change(name string, edits ...awareness.Edit) {
	ed.t.Helper()
	ed.mu.Lock()
	b := ed.buffers[name]
	var changes []workspace.Splice
	for _, e := range edits {
		b.text = b.text[:e.Start] + e.New + b.text[e.End:]
		changes = append(changes, splice(e))
	}
	b.version++
	version := b.version
	ed.mu.Unlock()
	ed.must(ed.hub.DidChange(name, version, changes))
}

// replace makes a buffer hold another text and reports all of it.
func (ed *editor) replace(name, text string) {
	ed.t.Helper()
	ed.mu.Lock()
	b := ed.buffers[name]
	b.text = text
	b.version++
	version := b.version
	ed.mu.Unlock()
	ed.must(ed.hub.DidChange(name, version, []workspace.Splice{{Full: text}}))
}

// line replaces one line of a buffer, as a person does.
func (ed *editor) line(name string, n int, with string) {
	ed.t.Helper()
	l := text.Split(ed.text(name))
	ed.change(name, awareness.Edit{Start: l.Start(n), End: l.Start(n + 1), New: with})
}

// edits returns the edits of an operation, as they are.
func edits(e ...awareness.Edit) func(text.Lines) ([]awareness.Edit, error) {
	return func(text.Lines) ([]awareness.Edit, error) { return e, nil }
}

func splice(e awareness.Edit) workspace.Splice {
	return workspace.Splice{Edit: func(text.Lines) (awareness.Edit, error) { return e, nil }}
}

// lastFirst returns the edits of a document in the order in which their
// offsets stay true.
func lastFirst(d workspace.DocumentEdit) []awareness.Edit {
	edits := slices.Clone(d.Edits)
	slices.Reverse(edits)
	return edits
}

func spliced(s string, lastFirst []awareness.Edit) string {
	for _, e := range lastFirst {
		s = s[:e.Start] + e.New + s[e.End:]
	}
	return s
}

// The ways in which editors report one edit of several places.
type reporter func(ed *editor, d workspace.DocumentEdit)

func inOne(ed *editor, d workspace.DocumentEdit) { ed.change(d.Name, lastFirst(d)...) }

func inPieces(ed *editor, d workspace.DocumentEdit) {
	for _, e := range lastFirst(d) {
		ed.change(d.Name, e)
	}
}

func inHalves(ed *editor, d workspace.DocumentEdit) { // first out, then in
	for _, e := range lastFirst(d) {
		ed.change(d.Name, awareness.Edit{Start: e.Start, End: e.End})
		ed.change(d.Name, awareness.Edit{Start: e.Start, End: e.Start, New: e.New})
	}
}

func inFull(ed *editor, d workspace.DocumentEdit) {
	ed.replace(d.Name, spliced(ed.text(d.Name), lastFirst(d)))
}

// merged is an edit and a person's typing behind it in one notification.
func merged(ed *editor, d workspace.DocumentEdit) {
	end := len(spliced(ed.text(d.Name), lastFirst(d)))
	ed.change(d.Name, append(lastFirst(d), awareness.Edit{Start: end, End: end, New: "typed\n"})...)
}

// honest does what it is asked, reports it, and then answers.
func honest(report reporter) func(context.Context, *editor, workspace.EditorEdit) error {
	return func(_ context.Context, ed *editor, e workspace.EditorEdit) error {
		for _, d := range e.Docs {
			report(ed, d)
		}
		for _, op := range e.Files {
			ed.file(op)
		}
		return nil
	}
}

// late answers first.
func late(report reporter) func(context.Context, *editor, workspace.EditorEdit) error {
	return func(ctx context.Context, ed *editor, e workspace.EditorEdit) error {
		defer ed.later.Go(func() { ed.must(honest(report)(ctx, ed, e)) })
		return nil
	}
}

func (ed *editor) file(op workspace.FileOp) {
	from := ed.hub.Path(op.From)
	if op.Kind == workspace.DeleteFile {
		ed.must(os.Remove(from))
		ed.close(op.From)
		return
	}
	ed.must(os.Rename(from, ed.hub.Path(op.To)))
	content := ed.text(op.From)
	ed.close(op.From)
	ed.mu.Lock()
	ed.buffers[op.To] = &buffer{content, 1}
	ed.mu.Unlock()
	ed.must(ed.hub.DidOpen(op.To, 1, content))
}

// look reads lines of a file as an agent.
func look(t *testing.T, h *workspace.Hub, id, name string, first, last int) {
	t.Helper()
	if _, err := h.Read(id, name, workspace.Selection{Lines: awareness.Range{Start: first, End: last}}); err != nil {
		t.Fatal(err)
	}
}

// state tells in a line what a session knows of a file.
func state(t *testing.T, h *workspace.Hub, id, name string) string {
	t.Helper()
	_, states, err := h.State(id, name)
	if err != nil {
		t.Fatal(err)
	}
	return told(states[0])
}

func told(f workspace.FileState) string {
	s := fmt.Sprintf("%s %s of %d", f.State, awareness.Ranges(f.Read), f.Total)
	if len(f.Changed) > 0 {
		s += " changed " + awareness.Ranges(f.Changed)
	}
	if f.Stale {
		s += " stale"
	}
	return s
}

func mustState(t *testing.T, h *workspace.Hub, id, name, want string) {
	t.Helper()
	if got := state(t, h, id, name); got != want {
		t.Errorf("state of %s for %q = %q, want %q", name, id, got, want)
	}
}

// apply applies operations of session s and returns why that failed, or "".
func apply(t *testing.T, h *workspace.Hub, ops ...workspace.Op) string {
	t.Helper()
	return applyAs(t, context.Background(), h, "s", ops...)
}

func applyAs(t *testing.T, ctx context.Context, h *workspace.Hub, id string, ops ...workspace.Op) string {
	t.Helper()
	out, err := h.Apply(ctx, id, "test", ops)
	switch {
	case err != nil:
		return "error: " + err.Error()
	case !out.Allowed():
		return "blocked: " + out.Blocks[0].Message
	case out.Applied != (out.Failure == ""):
		t.Errorf("Applied = %v with the failure %q", out.Applied, out.Failure)
	}
	return out.Failure
}

// twoEdits makes two lines of line 2 and none of line 4.
func twoEdits(path string) workspace.Op {
	return workspace.Op{Path: path, Edits: func(l text.Lines) ([]awareness.Edit, error) {
		return []awareness.Edit{
			{Start: l.Start(2), End: l.Start(3), New: "two\nzwei\n"},
			{Start: l.Start(4), End: l.Start(5)},
		}, nil
	}}
}

var afterTwoEdits = "line 1\ntwo\nzwei\nline 3\n" + strings.TrimPrefix(numbered(10), numbered(4))

// timeouts are short where an answer is to fail to come, and long where it
// must not.
var (
	patient   = workspace.Options{ReplyTimeout: time.Minute, SyncTimeout: time.Minute}
	impatient = workspace.Options{ReplyTimeout: 30 * time.Millisecond, SyncTimeout: 30 * time.Millisecond}
)

func TestEditorApplies(t *testing.T) { // C-127, C-174, C-187
	tests := []struct {
		name        string
		answer      func(context.Context, *editor, workspace.EditorEdit) error
		text, state string
	}{
		{"in one", honest(inOne), afterTwoEdits, "partial_read 1-5 of 10"},
		{"in pieces", honest(inPieces), afterTwoEdits, "partial_read 1-5 of 10"},
		{"in halves", honest(inHalves), afterTwoEdits, "partial_read 1-5 of 10"},
		{"in full", honest(inFull), afterTwoEdits, "partial_read 1-5 of 10"},
		{"in one, late", late(inOne), afterTwoEdits, "partial_read 1-5 of 10"},
		{"in pieces, late", late(inPieces), afterTwoEdits, "partial_read 1-5 of 10"},
		{"in full, late", late(inFull), afterTwoEdits, "partial_read 1-5 of 10"},
		{"merged", honest(merged), afterTwoEdits + "typed\n", "partial_read 1-5 of 11 stale"},
		{"merged, late", late(merged), afterTwoEdits + "typed\n", "partial_read 1-5 of 11 stale"},
		{"with other line ends", func(_ context.Context, ed *editor, e workspace.EditorEdit) error {
			ed.replace("a.txt", strings.ReplaceAll(afterTwoEdits, "\n", "\r\n"))
			return nil
		}, strings.ReplaceAll(afterTwoEdits, "\n", "\r\n"), "partial_read 1-5 of 10"},
		{"without the final line end", func(_ context.Context, ed *editor, e workspace.EditorEdit) error {
			ed.replace("a.txt", strings.TrimSuffix(afterTwoEdits, "\n"))
			return nil
		}, strings.TrimSuffix(afterTwoEdits, "\n"), "partial_read 1-5 of 10"},
		{"looked at halfway", func(_ context.Context, ed *editor, e workspace.EditorEdit) error {
			for _, edit := range lastFirst(e.Docs[0]) {
				state(ed.t, ed.hub, "s", "a.txt")
				ed.must(ed.hub.DiskChanged("a.txt"))
				if _, err := ed.hub.Check("s", []workspace.Op{twoEdits("a.txt")}); err != nil {
					return err
				}
				ed.change("a.txt", edit)
			}
			return nil
		}, afterTwoEdits, "partial_read 1-5 of 10"},
		{"opened once more", func(_ context.Context, ed *editor, e workspace.EditorEdit) error {
			ed.buffers["a.txt"] = &buffer{afterTwoEdits, 9}
			return ed.hub.DidOpen("a.txt", 9, afterTwoEdits)
		}, afterTwoEdits, "partial_read 1-5 of 10"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, "a.txt", numbered(10))
			h := open(t, root, patient)
			ed := attach(t, h, "a.txt")
			look(t, h, "s", "a.txt", 1, 5)
			look(t, h, "other", "a.txt", 1, 5)
			ed.answer = test.answer
			if failure := apply(t, h, twoEdits("a.txt")); failure != "" {
				t.Fatalf("Apply failed: %s", failure)
			}
			ed.later.Wait()
			if got := ed.text("a.txt"); got != test.text {
				t.Errorf("buffer = %q, want %q", got, test.text)
			}
			if got := read(t, root, "a.txt"); got != numbered(10) {
				t.Errorf("the file on disk = %q: only the buffer was to change", got)
			}
			mustState(t, h, "s", "a.txt", test.state)
			// C-193: to others it is a change from outside. What it is exactly
			// depends on how it was reported.
			if got := state(t, h, "other", "a.txt"); !strings.HasSuffix(got, "stale") {
				t.Errorf("state for another session = %q, want it stale", got)
			}
			ed.save("a.txt")
			ed.close("a.txt")
			reopened := open(t, root, patient)
			for _, id := range []string{"s", "other"} {
				mustState(t, reopened, id, "a.txt", state(t, h, id, "a.txt"))
			}
		})
	}
}

func TestEditorMisbehaves(t *testing.T) { // C-137, C-174, C-187
	const read5 = "partial_read 1-5 of 10"
	typed := strings.Replace(numbered(10), "line 3\n", "typed\n", 1)
	errFalse := errors.New("the editor refused: stale")
	tests := []struct {
		name    string
		answer  func(context.Context, *editor, workspace.EditorEdit) error
		failure string
		text    string // of the buffer; of the disk if the editor closed it
		state   string
	}{
		{"nothing", func(context.Context, *editor, workspace.EditorEdit) error { return nil },
			"the editor said it applied the edit, but a.txt does not hold the expected text", numbered(10), read5},
		{"the old text again", func(_ context.Context, ed *editor, _ workspace.EditorEdit) error {
			ed.replace("a.txt", numbered(10))
			return nil
		}, "does not hold the expected text", numbered(10), read5},
		{"something else", func(_ context.Context, ed *editor, _ workspace.EditorEdit) error {
			ed.line("a.txt", 3, "typed\n")
			return nil
		}, "does not hold the expected text", typed, read5 + " changed 3 stale"},
		{"half of it", func(_ context.Context, ed *editor, e workspace.EditorEdit) error {
			ed.change("a.txt", lastFirst(e.Docs[0])[0])
			return nil
		}, "does not hold the expected text", strings.Replace(numbered(10), "line 4\n", "", 1), "partial_read 1-4 of 9 stale"},
		{"no answer", func(ctx context.Context, _ *editor, _ workspace.EditorEdit) error {
			<-ctx.Done()
			return ctx.Err()
		}, "the editor did not answer within 30ms and may yet make the edit", numbered(10), read5},
		{"false", func(context.Context, *editor, workspace.EditorEdit) error { return errFalse },
			"the editor refused: stale", numbered(10), read5},
		{"false, after it did it", func(ctx context.Context, ed *editor, e workspace.EditorEdit) error {
			_ = honest(inOne)(ctx, ed, e)
			return errFalse
		}, "the editor refused: stale; the edit of a.txt is in the editor all the same", afterTwoEdits, read5},
		{"false, as a person typed", func(_ context.Context, ed *editor, _ workspace.EditorEdit) error {
			ed.line("a.txt", 3, "typed\n")
			return errFalse
		}, "the editor refused: stale", typed, read5 + " changed 3 stale"},
		{"over a person's typing", func(_ context.Context, ed *editor, e workspace.EditorEdit) error {
			ed.change("a.txt", awareness.Edit{New: "typed\n"})
			inOne(ed, e.Docs[0]) // at the offsets of the text before
			return nil
		}, "does not hold the expected text", "typed\nltwo\nzwei\nine 2\nline 4\n" + strings.TrimPrefix(numbered(10), numbered(4)), ""},
		{"closed", func(_ context.Context, ed *editor, _ workspace.EditorEdit) error {
			ed.line("a.txt", 3, "typed\n")
			ed.close("a.txt")
			return nil
		}, "the editor closed the document", numbered(10), read5},
		{"closed, then opened and edited", func(_ context.Context, ed *editor, e workspace.EditorEdit) error {
			ed.close("a.txt")
			ed.open("a.txt")
			inOne(ed, e.Docs[0])
			return nil
		}, "the editor closed the document", afterTwoEdits, "partial_read 1-2, 4-5 of 10 changed 2 stale"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, "a.txt", numbered(10))
			h := open(t, root, impatient)
			ed := attach(t, h, "a.txt")
			look(t, h, "s", "a.txt", 1, 5)
			ed.answer = test.answer
			if got := apply(t, h, twoEdits("a.txt")); !strings.HasSuffix(got, test.failure) {
				t.Errorf("Apply failed with %q, want %q", got, test.failure)
			}
			got := read(t, root, "a.txt")
			if b := ed.buffers["a.txt"]; b != nil {
				got = b.text
			}
			if got != test.text {
				t.Errorf("text = %q, want %q", got, test.text)
			}
			if test.state != "" {
				mustState(t, h, "s", "a.txt", test.state)
			}
			sound(t, h, "s", "a.txt", got, numbered(5)+"two\nzwei\n")
		})
	}
}

// sound looks whether all lines that count as read and unchanged are among
// those that the agent has seen.
func sound(t *testing.T, h *workspace.Hub, id, name, content, seen string) {
	t.Helper()
	known := map[string]bool{}
	for line := range strings.Lines(seen) {
		known[strings.TrimRight(line, "\r\n")] = true
	}
	_, states, err := h.State(id, name)
	if err != nil {
		t.Fatal(err)
	}
	l := text.Split(content)
	if states[0].Total != l.Len() {
		t.Fatalf("%s has %d lines for session %s, want %d", name, states[0].Total, id, l.Len())
	}
	for _, r := range states[0].Read {
		for n := r.Start; n <= r.End; n++ {
			if !within(states[0].Changed, n) && !known[l.Line(n)] {
				t.Errorf("line %d of %s counts as read, but nobody showed %q", n, name, l.Line(n))
			}
		}
	}
}

func within(ranges []awareness.Range, line int) bool {
	return slices.ContainsFunc(ranges, func(r awareness.Range) bool { return r.Start <= line && line <= r.End })
}

// TestOnlyTheLineEnd: an edit of nothing but the final line end was not applied
// as long as the document holds the text from before (C-187).
func TestOnlyTheLineEnd(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", "one\ntwo")
	h := open(t, root, impatient)
	ed := attach(t, h, "a.txt")
	look(t, h, "s", "a.txt", 1, 2)
	ed.answer = func(_ context.Context, ed *editor, _ workspace.EditorEdit) error {
		ed.replace("a.txt", "one\ntwo")
		return nil
	}
	if failure := apply(t, h, replace("a.txt", 2, 2, "two\n")); failure == "" {
		t.Error("Apply says it was applied")
	}
	ed.answer = honest(inOne)
	if failure := apply(t, h, replace("a.txt", 2, 2, "two\n")); failure != "" {
		t.Error(failure)
	}
}

// TestLateEdit is an edit that the editor makes when nobody waits for it any
// more: it is the agent's all the same, known by its text (C-127).
func TestLateEdit(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", numbered(10))
	h := open(t, root, impatient)
	ed := attach(t, h, "a.txt")
	look(t, h, "s", "a.txt", 1, 5)
	var edit workspace.DocumentEdit
	ed.answer = func(_ context.Context, _ *editor, e workspace.EditorEdit) error {
		edit = e.Docs[0]
		return nil
	}
	if failure := apply(t, h, twoEdits("a.txt")); failure == "" {
		t.Fatal("Apply says it was applied")
	}
	inOne(ed, edit)
	mustState(t, h, "s", "a.txt", "partial_read 1-5 of 10")
}

func TestApplyCancelled(t *testing.T) { // C-137
	for _, when := range []string{"before", "while the editor works", "while the text is awaited", "after the text came"} {
		t.Run(when, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, "a.txt", numbered(10))
			h := open(t, root, patient)
			ed := attach(t, h, "a.txt")
			look(t, h, "s", "a.txt", 1, 5)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			want, wantState := "context canceled", "partial_read 1-5 of 10"
			switch when {
			case "before":
				cancel()
				want = "error: context canceled"
			case "while the editor works":
				ed.answer = func(ctx context.Context, _ *editor, _ workspace.EditorEdit) error {
					cancel()
					<-ctx.Done()
					return ctx.Err()
				}
			case "while the text is awaited":
				ed.answer = func(context.Context, *editor, workspace.EditorEdit) error {
					cancel()
					return nil
				}
			case "after the text came":
				ed.answer = func(ctx context.Context, ed *editor, e workspace.EditorEdit) error {
					defer cancel()
					return honest(inOne)(ctx, ed, e)
				}
				want = ""
			}
			if got := applyAs(t, ctx, h, "s", twoEdits("a.txt")); got != want {
				t.Errorf("Apply failed with %q, want %q", got, want)
			}
			mustState(t, h, "s", "a.txt", wantState)
		})
	}
}

// TestApplyWaitsForItsTurn cancels an edit that waits behind another.
func TestApplyWaitsForItsTurn(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", numbered(10))
	write(t, root, "b.txt", numbered(10))
	h := open(t, root, patient)
	ed := attach(t, h, "a.txt")
	look(t, h, "s", "a.txt", 1, 5)
	look(t, h, "s", "b.txt", 1, 5)
	ed.answer = func(ctx context.Context, ed *editor, e workspace.EditorEdit) error {
		second, cancel := context.WithCancel(ctx)
		cancel()
		if got := applyAs(t, second, h, "s", replace("b.txt", 1, 1, "b\n")); got != "error: context canceled" {
			t.Errorf("the second Apply failed with %q", got)
		}
		return honest(inOne)(ctx, ed, e)
	}
	if failure := apply(t, h, twoEdits("a.txt")); failure != "" {
		t.Errorf("the first Apply failed: %s", failure)
	}
	if got := read(t, root, "b.txt"); got != numbered(10) {
		t.Errorf("b.txt = %q", got)
	}
}

// TestWhileAnEditIsPending does other things between the question to the
// editor and the text that answers it.
func TestWhileAnEditIsPending(t *testing.T) {
	typeAtLine8 := func(ed *editor) {
		at := len(numbered(7))
		ed.change("a.txt", awareness.Edit{Start: at, End: at, New: "typed\n"})
	}
	tests := []struct {
		name    string
		do      func(t *testing.T, ed *editor, e workspace.EditorEdit)
		failure string
		seen    string // besides what was read and written
	}{
		{"read", func(t *testing.T, ed *editor, e workspace.EditorEdit) {
			look(t, ed.hub, "s", "a.txt", 10, 10)
			inOne(ed, e.Docs[0])
		}, "", "line 10\n"},
		{"read of what was typed", func(t *testing.T, ed *editor, e workspace.EditorEdit) {
			typeAtLine8(ed)
			look(t, ed.hub, "s", "a.txt", 8, 8)
		}, "does not hold the expected text", "typed\n"},
		{"read of half the edit", func(t *testing.T, ed *editor, e workspace.EditorEdit) {
			edits := lastFirst(e.Docs[0])
			ed.change("a.txt", edits[0])
			look(t, ed.hub, "s", "a.txt", 5, 5)
			ed.change("a.txt", edits[1])
		}, "", "line 6\n"},
		{"observe", func(t *testing.T, ed *editor, e workspace.EditorEdit) {
			typeAtLine8(ed)
			if _, err := ed.hub.Observe("s", "a.txt", []awareness.Range{{Start: 8, End: 8}}, nil); err != nil {
				t.Error(err)
			}
		}, "does not hold the expected text", "typed\n"},
		{"check", func(t *testing.T, ed *editor, e workspace.EditorEdit) {
			typeAtLine8(ed)
			v, err := ed.hub.Check("s", []workspace.Op{replace("a.txt", 8, 8, "")})
			if err != nil || v.Allowed() || len(v.Blocks[0].Unread) != 1 || v.Blocks[0].Unread[0].End != 8 {
				t.Errorf("Check of what was typed meanwhile = %+v, %v", v, err)
			}
		}, "does not hold the expected text", "typed\n"}, // handed out with the refusal
		{"state", func(t *testing.T, ed *editor, e workspace.EditorEdit) {
			typeAtLine8(ed)
			mustState(t, ed.hub, "s", "a.txt", "partial_read 1-5 of 11 stale")
		}, "does not hold the expected text", ""},
		{"forget", func(t *testing.T, ed *editor, e workspace.EditorEdit) {
			if err := ed.hub.Forget("s", "a.txt"); err != nil {
				t.Error(err)
			}
			inOne(ed, e.Docs[0])
			mustState(t, ed.hub, "s", "a.txt", "never_read  of 10")
		}, "", ""},
		{"journals removed", func(t *testing.T, ed *editor, e workspace.EditorEdit) {
			if err := os.RemoveAll(filepath.Join(ed.hub.Root(), ".acode")); err != nil {
				t.Error(err)
			}
			inOne(ed, e.Docs[0])
			mustState(t, ed.hub, "s", "a.txt", "never_read  of 10")
		}, "", ""},
		{"moved", func(t *testing.T, ed *editor, e workspace.EditorEdit) {
			if err := ed.hub.Moved("a.txt", "b.txt"); err != nil {
				t.Error(err)
			}
			inOne(ed, e.Docs[0])
		}, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, "a.txt", numbered(10))
			h := open(t, root, impatient)
			ed := attach(t, h, "a.txt")
			look(t, h, "s", "a.txt", 1, 5)
			ed.answer = func(_ context.Context, ed *editor, e workspace.EditorEdit) error {
				test.do(t, ed, e)
				return nil
			}
			if got := apply(t, h, twoEdits("a.txt")); !strings.HasSuffix(got, test.failure) || (got == "") != (test.failure == "") {
				t.Errorf("Apply failed with %q, want %q", got, test.failure)
			}
			sound(t, h, "s", "a.txt", ed.text("a.txt"), numbered(5)+"two\nzwei\n"+test.seen)
			text := ed.text("a.txt")
			ed.save("a.txt")
			ed.close("a.txt")
			sound(t, open(t, root, impatient), "s", "a.txt", text, numbered(5)+"two\nzwei\n"+test.seen)
		})
	}
}

// TestActiveSessionChangesMeanwhile: an edit of no named session stays with
// the one that was meant when it began (C-193).
func TestActiveSessionChangesMeanwhile(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", numbered(10))
	write(t, root, "b.txt", numbered(10))
	h := open(t, root, patient)
	ed := attach(t, h, "a.txt")
	look(t, h, "s", "a.txt", 1, 5)
	look(t, h, "s", "b.txt", 1, 5)
	ed.answer = func(ctx context.Context, ed *editor, e workspace.EditorEdit) error {
		defer look(t, h, "newcomer", "b.txt", 9, 9)
		return honest(inOne)(ctx, ed, e)
	}
	if failure := applyAs(t, context.Background(), h, "", twoEdits("a.txt"), replace("b.txt", 1, 1, "b\n")); failure != "" {
		t.Fatal(failure)
	}
	mustState(t, h, "s", "b.txt", "partial_read 1-5 of 10")
	mustState(t, h, "newcomer", "b.txt", "partial_read 9 of 10 stale")
}

// TestSeveralDocuments: an editor that does only part of an edit (C-137).
func TestSeveralDocuments(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"a.txt", "b.txt", "c.txt"} {
		write(t, root, name, numbered(10))
	}
	h := open(t, root, impatient)
	ed := attach(t, h, "a.txt", "b.txt")
	ops := []workspace.Op{replace("a.txt", 1, 1, "A\n"), replace("b.txt", 1, 1, "B\n"), replace("c.txt", 1, 1, "C\n")}
	for _, name := range []string{"a.txt", "b.txt", "c.txt"} {
		look(t, h, "s", name, 1, 5)
	}
	ed.answer = func(_ context.Context, ed *editor, e workspace.EditorEdit) error {
		inOne(ed, e.Docs[0])
		return nil
	}
	want := "the editor said it applied the edit, but b.txt does not hold the expected text; the edit of a.txt is in the editor all the same"
	if got := apply(t, h, ops...); got != want {
		t.Errorf("Apply failed with %q, want %q", got, want)
	}
	if got := read(t, root, "c.txt"); got != numbered(10) {
		t.Errorf("c.txt = %q, want it as it was", got)
	}
	leftovers(t, root)
	for _, name := range []string{"a.txt", "b.txt", "c.txt"} {
		mustState(t, h, "s", name, "partial_read 1-5 of 10")
	}

	ed.answer = honest(inPieces)
	if got := apply(t, h, replace("a.txt", 2, 2, "A\n"), replace("b.txt", 2, 2, "B\n"), replace("c.txt", 2, 2, "C\n")); got != "" {
		t.Errorf("Apply failed: %s", got)
	}
	if got := read(t, root, "c.txt"); got != strings.Replace(numbered(10), "line 2\n", "C\n", 1) {
		t.Errorf("c.txt = %q", got)
	}
}

// TestRenameToldTwice: an editor that renames a file as it is asked to also
// says that the file was renamed (C-136, C-193).
func TestRenameToldTwice(t *testing.T) {
	for _, when := range []string{"before the answer", "after the answer"} {
		t.Run(when, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, "a.txt", numbered(10))
			write(t, root, "b.txt", numbered(10))
			write(t, root, "c.txt", numbered(10))
			h := open(t, root, patient)
			ed := attach(t, h, "a.txt")
			look(t, h, "s", "a.txt", 1, 5)
			look(t, h, "other", "a.txt", 3, 4)
			look(t, h, "s", "b.txt", 1, 0)
			ed.answer = func(ctx context.Context, ed *editor, e workspace.EditorEdit) error {
				err := honest(inOne)(ctx, ed, e)
				if when == "before the answer" {
					ed.must(h.Moved("a.txt", "d.txt"))
				}
				return err
			}
			if failure := apply(t, h, workspace.Op{Kind: workspace.RenameFile, Path: "a.txt", NewPath: "d.txt"}); failure != "" {
				t.Fatal(failure)
			}
			if when == "after the answer" {
				ed.must(h.Moved("a.txt", "d.txt"))
			}
			mustState(t, h, "s", "d.txt", "partial_read 1-5 of 10")
			mustState(t, h, "other", "d.txt", "partial_read 3-4 of 10")

			// What the agent knows of b.txt is not known of c.txt, which replaces it.
			if failure := apply(t, h, workspace.Op{Kind: workspace.RenameFile, Path: "c.txt", NewPath: "b.txt", Overwrite: true}); failure != "" {
				t.Fatal(failure)
			}
			mustState(t, h, "s", "b.txt", "never_read  of 10")
		})
	}
}

func TestOpenFileRenamedAndDeleted(t *testing.T) { // C-136
	root := t.TempDir()
	write(t, root, "a.txt", numbered(10))
	write(t, root, "b.txt", numbered(10))
	h := open(t, root, impatient)
	ed := attach(t, h, "a.txt", "b.txt")
	look(t, h, "s", "a.txt", 1, 5)
	look(t, h, "s", "b.txt", 1, 9)
	remove := workspace.Op{Kind: workspace.DeleteFile, Path: "b.txt"}
	if got := apply(t, h, remove); got != "blocked: Line 10 was not read. Read that line first." {
		t.Errorf("deleting b.txt: %q", got)
	}
	ed.answer = func(context.Context, *editor, workspace.EditorEdit) error { return nil }
	if got := apply(t, h, remove); got != "the editor said it applied the edit, but b.txt is still there" {
		t.Errorf("an editor that does not delete b.txt: %q", got)
	}
	ed.answer = honest(inOne)
	if got := apply(t, h, remove); got != "" {
		t.Errorf("deleting b.txt: %q", got)
	}
	if got := apply(t, h, twoEdits("a.txt"), workspace.Op{Kind: workspace.RenameFile, Path: "a.txt", NewPath: "c.txt"}); got != "" {
		t.Errorf("renaming a.txt: %q", got)
	}
	mustState(t, h, "s", "c.txt", "partial_read 1-5 of 10")
	mustState(t, h, "s", "a.txt", "never_read  of 0")
	mustState(t, h, "s", "b.txt", "never_read  of 0")
	if got := ed.text("c.txt"); got != afterTwoEdits {
		t.Errorf("c.txt = %q", got)
	}
}

// TestMovedByHand: an editor may close a file before it says that the file was
// renamed (C-136).
func TestMovedByHand(t *testing.T) {
	for _, first := range []string{"close", "moved"} {
		t.Run(first, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, "a.txt", numbered(10))
			h := open(t, root, workspace.Options{Watch: true})
			ed := attach(t, h, "a.txt")
			look(t, h, "s", "a.txt", 1, 5)
			if err := os.Rename(filepath.Join(root, "a.txt"), filepath.Join(root, "b.txt")); err != nil {
				t.Fatal(err)
			}
			steps := []func(){func() { ed.close("a.txt"); ed.open("b.txt") }, func() { ed.must(h.Moved("a.txt", "b.txt")) }}
			if first == "moved" {
				slices.Reverse(steps)
			}
			for _, step := range steps {
				step()
			}
			mustState(t, h, "s", "b.txt", "partial_read 1-5 of 10")
			mustState(t, h, "s", "a.txt", "never_read  of 0")
		})
	}
}

// TestVersions: changes out of order and edits of other versions (C-138).
func TestVersions(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", numbered(10))
	h := open(t, root, impatient)
	ed := attach(t, h, "a.txt")
	look(t, h, "s", "a.txt", 1, 5)
	ed.line("a.txt", 9, "typed\n") // version 2
	for _, version := range []int32{0, 1, 2} {
		if err := h.DidChange("a.txt", version, []workspace.Splice{{Full: "x"}}); !errors.Is(err, workspace.ErrVersion) {
			t.Errorf("DidChange to version %d after 2: %v", version, err)
		}
	}
	broken := workspace.Splice{Edit: func(text.Lines) (awareness.Edit, error) { return awareness.Edit{Start: 5, End: 4}, nil }}
	if err := h.DidChange("a.txt", 3, []workspace.Splice{{Full: "x"}, broken}); err == nil {
		t.Error("DidChange took an edit that runs backwards")
	}
	if d, err := h.TextOf("a.txt"); err != nil || d.Text.Text() != ed.text("a.txt") || d.Version != 2 {
		t.Errorf("the document moved by refused changes: %v", err)
	}
	version := func(n int32) *int32 { return &n }
	sum := func(s string) *awareness.Hash { h := awareness.Sum(s); return &h }
	for _, test := range []struct {
		op   workspace.Op
		want string
	}{
		{workspace.Op{Version: version(1)}, "blocked: Version 1 was given, but the document is at version 2. Read the file again."},
		{workspace.Op{Version: version(3)}, "blocked: Version 3 was given, but the document is at version 2. Read the file again."},
		{workspace.Op{Sum: sum(numbered(10))}, "blocked: The file no longer has the expected content. Read it again."},
		{workspace.Op{Version: version(2)}, ""},
		{workspace.Op{Version: nil}, ""},
	} {
		op := test.op
		op.Path, op.Edits = "a.txt", replace("a.txt", 1, 1, fmt.Sprintf("new %v\n", op.Version)).Edits
		if got := apply(t, h, op); got != test.want {
			t.Errorf("Apply = %q, want %q", got, test.want)
		}
	}
}

// TestBufferBeforeDisk: an open document counts as it is in the editor (C-151).
func TestBufferBeforeDisk(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", numbered(3))
	h := open(t, root, impatient)
	ed := attach(t, h, "a.txt")
	look(t, h, "s", "a.txt", 1, 3)
	write(t, root, "a.txt", "disk\n")
	if err := h.DiskChanged("a.txt"); err != nil {
		t.Fatal(err)
	}
	mustState(t, h, "s", "a.txt", "fully_read 1-3 of 3")
	ed.line("a.txt", 2, "typed\n")
	r, err := h.Read("s", "a.txt", workspace.Selection{})
	if err != nil || r.Content != "line 1\ntyped\nline 3\n" {
		t.Errorf("Read = %q, %v", r.Content, err)
	}
	mustState(t, h, "s", "a.txt", "fully_read 1-3 of 3")
	ed.close("a.txt")
	mustState(t, h, "s", "a.txt", "fully_read 1 of 1 changed 1 stale")
	r, err = h.Read("s", "a.txt", workspace.Selection{})
	if err != nil || r.Content != "disk\n" {
		t.Errorf("Read = %q, %v", r.Content, err)
	}
}

// TestFinalLineEnd: a buffer that leaves out or adds the final line end is the
// same text, as is one in which the editor gave all lines one end; but an empty
// line is not (C-166).
func TestFinalLineEnd(t *testing.T) {
	for _, test := range []struct{ disk, buffer, want string }{
		{"a\nb\n", "a\nb", "fully_read 1-2 of 2"},
		{"a\nb", "a\nb\n", "fully_read 1-2 of 2"},
		{"a\r\nb", "a\r\nb\r\n", "fully_read 1-2 of 2"},
		{"\ufeffa\nb\n", "a\nb\n", "fully_read 1-2 of 2"},
		{"a\nb\n", "a\nb\n\n", "partial_read 1-2 of 3 stale"},
		{"", "\n", "partial_read  of 1 stale"},
		{"a\r\nb\n", "a\r\nb\r\n", "fully_read 1-2 of 2"},
		{"a\rb\r", "a\nb\n", "fully_read 1-2 of 2"},
	} {
		root := t.TempDir()
		write(t, root, "a.txt", test.disk)
		h := open(t, root, impatient)
		if _, err := h.Read("s", "a.txt", workspace.Selection{}); err != nil {
			t.Fatal(err)
		}
		before := state(t, h, "s", "a.txt")
		if err := h.DidOpen("a.txt", 1, test.buffer); err != nil {
			t.Fatal(err)
		}
		got := state(t, h, "s", "a.txt")
		if test.disk == "" {
			got = strings.Replace(got, "never_read", "partial_read", 1) // what the ledger calls a file shown empty
		}
		if got != test.want {
			t.Errorf("%q opened as %q = %q, want %q", test.disk, test.buffer, got, test.want)
		}
		if err := h.DidClose("a.txt"); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(test.want, "stale") {
			continue
		}
		mustState(t, h, "s", "a.txt", before)
	}
}
