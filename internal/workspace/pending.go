package workspace

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/text"
)

// pendingEdit is an approved edit on its way through the editor to one open
// document. Until its text arrives, the ledger of its session stands still.
type pendingEdit struct {
	name    string
	session *Session
	before  Document // as the guard judged it
	expect  text.Lines
	change  record
	replied bool       // the editor said it applied the edit; guarded by the hub's lock
	applied bool       // the text arrived; guarded by the hub's lock
	done    chan error // gets one value
	other   chan struct{}
}

func (p *pendingEdit) holds(s *Session) bool { return p != nil && p.session == s }

// arrived reports whether a document now holds the expected text. Line ends
// may differ: editors write those of the document.
func (p *pendingEdit) arrived(l text.Lines) bool {
	if p == nil || l.Len() != p.expect.Len() {
		return false
	}
	got, want := l.Text(), p.expect.Text()
	return got == want || got != p.before.Text.Text() && trimEOL(withLF(got)) == trimEOL(withLF(want))
}

func withLF(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

func (p *pendingEdit) fail(err error) {
	if p != nil {
		select {
		case p.done <- err:
		default:
		}
	}
}

// otherwise notes that the document changed after the editor's answer, but not
// to the expected text: what is still to come must come soon.
func (p *pendingEdit) otherwise() {
	select {
	case p.other <- struct{}{}:
	default:
	}
}

// soon is how long the rest of an edit may take that an editor reports in
// pieces.
const soon = 250 * time.Millisecond

func (p *pendingEdit) missing() error {
	return fmt.Errorf("the editor said it applied the edit, but %s does not hold the expected text", p.name)
}

// wait returns when the text arrived, or why it will not.
func (p *pendingEdit) wait(ctx context.Context, deadline *time.Timer) error {
	var late <-chan time.Time
	for {
		select {
		case err := <-p.done:
			return err
		case <-ctx.Done():
			return p.or(context.Cause(ctx))
		case <-p.other:
			late = time.After(soon)
		case <-late:
			return p.or(p.missing())
		case <-deadline.C:
			return p.or(p.missing())
		}
	}
}

// or returns what became of the edit if that is known, else err.
func (p *pendingEdit) or(err error) error {
	select {
	case known := <-p.done:
		return known
	default:
		return err
	}
}

// await makes d wait for the agent's edit that turns it into expect.
func (h *Hub) await(s *Session, d *Document, expect text.Lines, c *awareness.Change) *pendingEdit {
	h.track(s, d)
	return &pendingEdit{
		name: d.Name, session: s, before: *d, expect: expect, done: make(chan error, 1), other: make(chan struct{}, 1),
		change: changeRecord(d.Name, c.Hunks, awareness.Sum(expect.Text()), awareness.ByAgent),
	}
}

// arrive moves the ledger by the agent's edit that has just reached d. A
// record that did not wait for it, as the agent was shown lines meanwhile or
// forgot the file, is left to be aligned.
func (h *Hub) arrive(d *Document) {
	p := d.pending
	d.pending, p.applied = nil, true
	err := h.with(p.session, func() error {
		if f := p.session.ledger.File(d.Name); f == nil || f.Sum() != p.before.Sum {
			return nil
		}
		p.session.do(p.change)
		if d.Sum != awareness.Hash(p.change.Sum) {
			p.session.do(record{Kind: recRebase, Path: d.Name, Sum: digest(d.Sum)})
		}
		return nil
	})
	h.changed(p.session, d.Name)
	p.fail(err)
}

// release lets documents go whose edit did not arrive and drops what was
// staged.
func (t *transaction) release() {
	for _, w := range t.waits {
		if d := t.hub.open[w.name]; d != nil && d.pending == w {
			d.pending = nil
		}
	}
	t.unstage()
}

// abandon is release, after which the ledger follows the text as it really is.
func (t *transaction) abandon(s *Session) {
	t.release()
	for _, w := range t.waits {
		if d := t.hub.open[w.name]; d != nil && !w.applied {
			t.hub.refresh(s, d)
			t.hub.changed(s, w.name)
		}
	}
}

// admit adds to a failure which documents hold their part of the edit: an
// editor cannot be made to take it back.
func (t *transaction) admit(failure error) error {
	var names []string
	for _, w := range t.waits {
		if w.applied {
			names = append(names, w.name)
		}
	}
	if len(names) == 0 {
		return failure
	}
	return fmt.Errorf("%w; the edit of %s is in the editor all the same", failure, strings.Join(names, ", "))
}
