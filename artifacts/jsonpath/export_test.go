package jsonpath

import "io"

// EachWhole is Each with the whole text in memory.
func (q *Query) EachWhole(open func() (io.ReadCloser, error), maxMemory int64, yield func(value []byte) bool) error {
	return q.each(open, maxMemory, 0, yield)
}

// Streamed returns how many segments are followed while reading.
func (q *Query) Streamed() int { return q.streamed }
