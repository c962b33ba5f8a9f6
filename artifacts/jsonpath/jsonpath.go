// Package jsonpath evaluates JSONPath queries (RFC 9535) on texts that are too
// long for memory.
//
// A query begins with segments that can be followed while the text is read
// once: a member name, a wildcard, indexes and slices that go forward, an index
// from the end, a filter, or ..name. What comes behind them is evaluated on one
// value at a time, which is held in memory. Queries inside filters that begin
// with $ are each evaluated in a pass of their own before.
//
// What RFC 9535 leaves open is decided so: members come in the order of the
// text, and descendants before what follows their parent. Of members with the
// same name, a name selects the first; wildcards, filters and descendants see
// all. Numbers are compared exactly, and escaped lone surrogates are characters
// of their own.
//
// It does not change or format values, give their paths, or know functions
// beyond the five of RFC 9535.
package jsonpath

import (
	"bytes"
	"cmp"
	"io"
	"math"
)

// DefaultMemory is the limit, in bytes, that Each uses when it is given none.
const DefaultMemory = 64 << 20

// Query is a compiled query. It never changes, so it may be used concurrently.
// The zero value selects the root.
type Query struct {
	text      string
	segments  []segment
	streamed  int         // segments that are followed while reading
	absolutes []*subquery // queries in filters that begin with $, inner ones first
}

// String returns the query as it was given to Parse.
func (q *Query) String() string { return cmp.Or(q.text, "$") }

// Each calls yield with every value that the query selects, in the order of
// RFC 9535, until yield returns false. A value is the bytes of the text itself,
// valid until yield returns.
//
// open is called once for each pass over the text, one JSON value in UTF-8 with
// or without a byte order mark, and must give the same text each time. Errors of
// open and of its readers can be found in the error returned.
//
// maxMemory limits the bytes of text held at once; 0 means DefaultMemory, and
// more than 4 GiB means 4 GiB. While a text that grows is held, the process may
// take three times as much. A query that needs more ends in a *MemoryError.
//
// A text that is not JSON ends in a *JSONError, though perhaps only after the
// values before the mistake were yielded; what follows a value at which yield
// returned false is not read.
func (q *Query) Each(open func() (io.ReadCloser, error), maxMemory int64, yield func(value []byte) bool) error {
	return q.each(open, maxMemory, q.streamed, yield)
}

// each follows no more than the given number of segments while reading.
func (q *Query) each(open func() (io.ReadCloser, error), maxMemory int64, streamed int, yield func([]byte) bool) error {
	maxMemory = min(cmp.Or(max(maxMemory, 0), DefaultMemory), math.MaxUint32)
	e := &evaluator{absolutes: make([]nodelist, len(q.absolutes))}
	for i, a := range q.absolutes {
		p := pass{query: q, segments: a.segments, streamed: min(streamed, a.streamed), maxMemory: maxMemory, evaluator: e}
		list := &e.absolutes[i]
		err := p.run(open, func(value []byte) bool {
			if list.count == 0 {
				list.first = standalone(bytes.Clone(value))
			}
			list.count++
			return list.count != a.enough
		})
		if err != nil {
			return err
		}
	}
	p := pass{query: q, segments: q.segments, streamed: streamed, maxMemory: maxMemory, evaluator: e}
	return p.run(open, yield)
}
