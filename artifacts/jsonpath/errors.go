package jsonpath

import (
	"errors"
	"fmt"
)

// SyntaxError reports a query that is not well-formed, not well-typed, or uses
// what RFC 9535 does not have.
type SyntaxError struct {
	Query   string
	Offset  int // in bytes of Query, 0-based
	Message string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("parsing JSONPath %q at byte %d: %s", e.Query, e.Offset, e.Message)
}

// JSONError reports a text that is not JSON.
type JSONError struct {
	Offset  int64 // in bytes of the text, 0-based, at or before the mistake
	Message string
}

func (e *JSONError) Error() string {
	return fmt.Sprintf("reading JSON at byte %d: %s", e.Offset, e.Message)
}

// MemoryError reports a query that needs more of the text at once than the
// caller allowed.
type MemoryError struct {
	Query   string
	Segment string // the part of the query that needs the value; empty if it is a result
	Offset  int64  // in bytes of the text, 0-based, at or before the value that is too large
	Limit   int64  // in bytes
}

func (e *MemoryError) Error() string {
	need, what := e.Segment, fmt.Sprintf("the value at byte %d", e.Offset)
	if need == "" {
		need = "the result"
	}
	if e.Offset == 0 {
		what = "the whole text"
	}
	return fmt.Sprintf("evaluating JSONPath %q: %s needs more memory than the limit of %d bytes, for %s", e.Query, need, e.Limit, what)
}

var (
	errStopped     = errors.New("stopped by the caller")
	errOverLimit   = errors.New("value over the limit of memory")
	errLongPattern = errors.New("pattern longer than 4,096 bytes")
)
