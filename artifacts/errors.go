package artifacts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Evicted is the reason of a NotFoundError for an artifact that made room.
const Evicted = "evicted by session quota"

// NotFoundError is returned for an artifact that does not exist, or not for the
// session that asks.
type NotFoundError struct {
	ID     string
	Reason string // "" or Evicted
}

func (e *NotFoundError) Error() string {
	if e.Reason != "" {
		return fmt.Sprintf("artifact not found: %s (%s)", e.ID, e.Reason)
	}
	return "artifact not found: " + e.ID
}

// IDError is returned for what cannot be the id of an artifact.
type IDError struct{ ID string }

func (e *IDError) Error() string {
	id := e.ID
	if len(id) > maxID {
		id = id[:maxID] + "…"
	}
	return fmt.Sprintf("%q is not the id of an artifact: it must be art_, digits, _, letters or digits", id)
}

// IntegrityError is returned for an artifact that is not as it was made.
type IntegrityError struct {
	ID   string
	What string // the sentence's end: what is wrong
}

func (e *IntegrityError) Error() string {
	return fmt.Sprintf("artifact %s is refused: %s", e.ID, e.What)
}

// RangeError is returned for lines or bytes an artifact does not have.
type RangeError struct {
	Unit        string // "lines" or "bytes"
	First, Last int64  // as asked for; 0 in Last: open
	Total       int64  // of the artifact, in Unit
}

func (e *RangeError) Error() string {
	last, what := "", "they must start at 1 or later, and end where they start or later"
	if e.Last != 0 {
		last = fmt.Sprint(e.Last)
	}
	if e.Unit == "bytes" {
		what = "they must start at 0 or later, and end after their start"
	}
	return fmt.Sprintf("no %s %d-%s: the artifact has %d, and %s", e.Unit, e.First, last, e.Total, what)
}

// ExistsError is returned instead of overwriting a file.
type ExistsError struct{ Name string }

func (e *ExistsError) Error() string { return e.Name + " already exists" }

func (e *ExistsError) Is(target error) bool { return target == fs.ErrExist }

// RateError is returned for one artifact too many in a minute.
type RateError struct{ Limit int }

func (e *RateError) Error() string {
	return fmt.Sprintf("the session has made %d artifacts in the last minute, the most it may", e.Limit)
}

// SpaceError is returned when there is no room for an artifact: on the disk if
// Err is set, else in the session's quota.
type SpaceError struct {
	Quota int64 // bytes
	Err   error
}

func (e *SpaceError) Error() string {
	if e.Err != nil {
		return "no room on the disk: " + e.Err.Error()
	}
	return fmt.Sprintf("no room in the session's quota of %d bytes", e.Quota)
}

func (e *SpaceError) Unwrap() error { return e.Err }

// TooLargeError is returned for content that reaches Meta.Max.
type TooLargeError struct{ Max int64 } // bytes

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the artifact reaches %d bytes, from which it is refused", e.Max)
}

// CursorError is returned for a cursor that List did not return.
type CursorError struct{ Cursor string }

func (e *CursorError) Error() string {
	cursor := e.Cursor
	if len(cursor) > maxID {
		cursor = cursor[:maxID] + "…"
	}
	return fmt.Sprintf("%q is not a cursor of the list of artifacts", cursor)
}

// irregularError is returned for a name that is not what it must be.
type irregularError struct{ name, what string }

func (e *irregularError) Error() string { return e.name + " is " + e.what }

// named returns err as an error of name alone: those of files name the absolute
// path.
func named(name string, err error) error {
	if err == nil {
		return nil
	}
	inner := err
	var pe *fs.PathError
	var le *os.LinkError
	var se *os.SyscallError
	switch {
	case errors.As(err, &pe):
		inner = pe.Err
	case errors.As(err, &le):
		inner = le.Err
	case errors.As(err, &se):
		inner = se.Err
	}
	inner = fmt.Errorf("%s: %w", name, inner)
	if isFull(err) {
		return &SpaceError{Err: inner}
	}
	return inner
}
