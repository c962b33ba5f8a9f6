package jsonpath

import "slices"

// descent evaluates ..name or ..[index] and what follows while it reads.
//
// RFC 9535 wants what is selected from a value before what is selected from its
// descendants. So what was found in them is kept until it is clear that nothing
// will come from the values around them.
type descent struct {
	pass     *pass
	segments []segment
	waiting  int // open values from which something may still be selected
	pending  []span
	held     []byte // the texts of pending, not in order
}

// span is a result in descent.held: byte offsets, half-open.
type span struct{ start, end uint32 }

const spanSize = 8 // bytes

func (d *descent) follow() error {
	decoder := d.pass.decoder
	first := &d.segments[0]
	kind := decoder.PeekKind()
	if kind != '{' && kind != '[' {
		return decoder.SkipValue()
	}
	waits, start := first.enters(kind), len(d.pending)
	if waits {
		d.waiting++
	}
	err := d.pass.children(func(name []byte, i int64, _ bool) (bool, error) {
		if !waits || !first.includes(name, i) {
			return false, d.follow()
		}
		waits = false
		d.waiting--
		return true, d.take(start)
	})
	if waits {
		d.waiting--
	}
	if err != nil {
		return err
	}
	return d.flush()
}

// take reads a value that was selected. Its results come before those pending
// from the index on, those of its descendants behind.
func (d *descent) take(index int) error {
	p := d.pass
	offset := p.decoder.InputOffset()
	root, err := p.load(d.segments)
	if err != nil {
		return err
	}
	if d.waiting == 0 && len(d.pending) == 0 {
		if err := p.evaluate(root, d.segments[1:]); err != nil {
			return err
		}
		return p.evaluate(root, d.segments)
	}
	own, ok := d.collect(root, d.segments[1:])
	inner, okInner := d.collect(root, d.segments)
	if !ok || !okInner {
		return p.overLimit(d.segments, offset)
	}
	d.pending = append(slices.Insert(d.pending, index, own...), inner...)
	return d.flush()
}

// collect copies what the segments select, and reports whether it is within the
// limit.
func (d *descent) collect(root node, segments []segment) (results []span, ok bool) {
	ok = d.pass.evaluator.each(root, segments, func(n node) bool {
		start := len(d.held)
		if int64(start+len(n.text())+spanSize*(len(d.pending)+len(results)+1)) > d.pass.maxMemory {
			return false
		}
		d.held = append(d.held, n.text()...)
		results = append(results, span{uint32(start), uint32(len(d.held))})
		return true
	})
	return results, ok
}

// flush yields what is pending if nothing can come before it any more.
func (d *descent) flush() error {
	if d.waiting > 0 {
		return nil
	}
	for _, result := range d.pending {
		if !d.pass.yield(d.held[result.start:result.end]) {
			return errStopped
		}
	}
	d.pending, d.held = d.pending[:0], d.held[:0]
	return nil
}
