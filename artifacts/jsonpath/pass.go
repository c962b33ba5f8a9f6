package jsonpath

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/go-json-experiment/json/jsontext"
)

// pass evaluates segments while it reads the text once.
type pass struct {
	query     *Query
	segments  []segment
	streamed  int // segments that are followed while reading
	maxMemory int64
	evaluator *evaluator

	input    *input
	decoder  *jsontext.Decoder
	document document
	yield    func([]byte) bool
}

func (p *pass) run(open func() (io.ReadCloser, error), yield func([]byte) bool) error {
	source, err := open()
	if err != nil {
		return fmt.Errorf("opening the text: %w", err)
	}
	defer source.Close()
	p.yield, p.input = yield, newInput(source)
	p.decoder = jsontext.NewDecoder(p.input, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err = p.follow(p.segments, p.streamed); err == nil {
		err = p.end()
	}
	if err == errStopped {
		return nil
	}
	return p.explain(err)
}

// end checks that nothing follows the value.
func (p *pass) end() error {
	offset := p.decoder.InputOffset()
	switch _, err := p.decoder.ReadToken(); {
	case err == io.EOF:
		return nil
	case err != nil:
		return err
	}
	return &JSONError{Offset: p.input.mark + offset, Message: "a second value follows the first"}
}

// explain returns an error of the decoder as one of this package.
func (p *pass) explain(err error) error {
	if mistake, ok := errors.AsType[*JSONError](err); ok {
		return mistake
	}
	if cause := p.input.err; cause != nil && cause != io.EOF && errors.Is(err, cause) {
		return fmt.Errorf("reading the text: %w", cause)
	}
	if err == io.EOF {
		return &JSONError{Offset: p.input.mark + p.input.given, Message: "the text ends before its value"}
	}
	if mistake, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		message := mistake.Err.Error()
		if mistake.Err == io.ErrUnexpectedEOF {
			message = "the text ends within its value"
		}
		return &JSONError{Offset: p.input.mark + mistake.ByteOffset, Message: message}
	}
	return err
}

// follow reads the next value and yields what the segments select from it. The
// given number of them is followed while reading.
func (p *pass) follow(segments []segment, streamed int) error {
	if streamed == 0 {
		return p.hold(segments)
	}
	kind := p.decoder.PeekKind()
	first := &segments[0]
	switch {
	case first.descendant:
		d := descent{pass: p, segments: segments}
		return d.follow()
	case !first.enters(kind):
		return p.decoder.SkipValue()
	case first.fromEnd():
		return p.followTail(segments)
	}
	return p.children(func(name []byte, i int64, taken bool) (bool, error) {
		switch {
		case taken && first.selectors[0].kind == nameSelector || !first.includes(name, i):
			return false, p.decoder.SkipValue()
		case first.selectors[0].kind == filterSelector:
			return true, p.filter(segments)
		}
		return true, p.follow(segments[1:], streamed-1)
	})
}

// children reads an array or object. It calls each for every child, which has to
// read it, with its name in quotes or its index, and whether each has returned
// true before.
func (p *pass) children(each func(name []byte, i int64, taken bool) (bool, error)) error {
	open, err := p.decoder.ReadToken()
	if err != nil {
		return err
	}
	object, taken := open.Kind() == '{', false
	for i := int64(0); ; i++ {
		if kind := p.decoder.PeekKind(); kind == '}' || kind == ']' {
			_, err := p.decoder.ReadToken()
			return err
		}
		var name []byte
		if object {
			if name, err = p.decoder.ReadValue(); err != nil {
				return err
			}
		}
		took, err := each(name, i, taken)
		if err != nil {
			return err
		}
		taken = taken || took
	}
}

// enters reports whether a streamed segment could select a child of a value of
// the kind.
func (s *segment) enters(kind jsontext.Kind) bool {
	switch s.selectors[0].kind {
	case nameSelector:
		return kind == '{'
	case indexSelector, sliceSelector:
		return kind == '['
	}
	return kind == '{' || kind == '['
}

// includes reports whether a streamed segment selects the child with the name,
// which is nil in an array, or the index, if its filter holds.
func (s *segment) includes(name []byte, i int64) bool {
	for _, c := range s.selectors {
		switch {
		case c.kind == wildcardSelector, c.kind == filterSelector,
			c.kind == nameSelector && name != nil && isName(name, c.name),
			c.kind == indexSelector && name == nil && c.index == i,
			c.kind == sliceSelector && name == nil && c.slice.includes(i):
			return true
		}
	}
	return false
}

// hold reads the next value into memory and yields what the segments select
// from it.
func (p *pass) hold(segments []segment) error {
	root, err := p.load(segments)
	if err != nil {
		return err
	}
	return p.evaluate(root, segments)
}

func (p *pass) filter(segments []segment) error {
	root, err := p.load(segments)
	if err != nil || !segments[0].selectors[0].filter.holds(p.evaluator, root) {
		return err
	}
	return p.evaluate(root, segments[1:])
}

func (p *pass) evaluate(root node, segments []segment) error {
	if !p.evaluator.each(root, segments, func(n node) bool { return p.yield(n.text()) }) {
		return errStopped
	}
	return nil
}

// load reads the next value, which stays valid until more is read. The segments
// are why it is needed.
func (p *pass) load(segments []segment) (node, error) {
	start := p.decoder.InputOffset()
	p.input.limit = start + p.maxMemory + readAhead
	text, err := p.decoder.ReadValue()
	p.input.limit = math.MaxInt64
	if errors.Is(err, errOverLimit) || int64(len(text)) > p.maxMemory {
		return node{}, p.overLimit(segments, start)
	}
	if err != nil {
		return node{}, err
	}
	root, ok := p.document.load(text, p.maxMemory)
	if !ok {
		return node{}, p.overLimit(segments, start)
	}
	return root, nil
}

func (p *pass) overLimit(segments []segment, offset int64) error {
	err := &MemoryError{Query: p.query.String(), Limit: p.maxMemory, Offset: offset}
	if offset > 0 {
		err.Offset += p.input.mark
	}
	if len(segments) > 0 {
		err.Segment = segments[0].text
	}
	return err
}

// followTail yields what the segments select, of which the first is an index
// from the end. It holds as many elements as it counts back.
func (p *pass) followTail(segments []segment) error {
	back := -segments[0].selectors[0].index
	var tail [][]byte // a ring, the element i at i modulo back
	held, count := int64(0), int64(0)
	err := p.children(func(_ []byte, i int64, _ bool) (bool, error) {
		start := p.decoder.InputOffset()
		root, err := p.load(segments)
		if err != nil {
			return false, err
		}
		if i < back {
			tail = append(tail, nil)
		}
		element := &tail[i%back]
		held -= int64(cap(*element))
		if cap(*element) < len(root.text()) {
			*element = make([]byte, 0, len(root.text()))
		}
		*element = append((*element)[:0], root.text()...)
		held += int64(cap(*element))
		count++
		if held > p.maxMemory {
			return false, p.overLimit(segments, start)
		}
		return true, nil
	})
	if err != nil || count < back {
		return err
	}
	root, ok := p.document.load(tail[count%back], p.maxMemory)
	if !ok {
		return p.overLimit(segments, p.decoder.InputOffset())
	}
	return p.evaluate(root, segments[1:])
}
