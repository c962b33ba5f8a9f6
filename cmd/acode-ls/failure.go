package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/acode-ls/acode-ls/internal/envelope"
	"github.com/acode-ls/acode-ls/truncation"
)

// failure is an error with what the program makes of it.
type failure struct {
	status int
	what   envelope.Error
	data   any  // where there is an answer all the same
	told   bool // a person was told already
}

func (f *failure) Error() string { return f.what.Message }

func usageError(format string, args ...any) error {
	return &failure{status: exitUsage, what: envelope.Error{Code: envelope.Usage, Message: fmt.Sprintf(format, args...)}}
}

func configError(format string, args ...any) error {
	return &failure{status: exitUsage, what: envelope.Error{Code: envelope.Config, Message: fmt.Sprintf(format, args...)}}
}

// fileError is what became of FILE: what the system says of it is a failure,
// what the workspace says a wrong argument.
func fileError(doing, file string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &failure{status: exitFailed, what: envelope.Error{Code: envelope.NotFound, Status: 404,
			Message: fmt.Sprintf("%s %q: no such file", doing, file)}}
	}
	if _, ok := errors.AsType[*truncation.TooLargeError](err); ok {
		return &failure{status: exitFailed, what: envelope.Error{Code: envelope.TooLarge, Message: err.Error()}}
	}
	if _, ok := errors.AsType[syscall.Errno](err); ok {
		return fmt.Errorf("%s %q: %w", doing, file, cause{err, strings.TrimPrefix(err.Error(), file+": ")})
	}
	return usageError("%v", err)
}

// cause is an error whose text leaves out what is said already.
type cause struct {
	error
	text string
}

func (c cause) Error() string { return c.text }
func (c cause) Unwrap() error { return c.error }

// failureOf classifies an error.
func failureOf(err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	f := &failure{status: exitFailed, what: envelope.Error{Code: envelope.IO, Message: err.Error()}}
	if errors.Is(err, syscall.ENOSPC) {
		f.what.Code = envelope.NoSpace
	}
	return f
}

// conclude says how a run ended and returns the exit status.
func (a *app) conclude(err error) int {
	if err == nil {
		return exitOK
	}
	f := failureOf(err)
	if a.json && !a.printed {
		if status, err := a.print(envelope.Answer{Data: f.data, Error: &f.what}); err == nil {
			return max(status, f.status)
		}
	}
	if !f.told {
		fmt.Fprintf(a.err, "acode-ls: %s\n", printable(f.what.Message))
	}
	return f.status
}

// answer prints the envelope of a command that succeeded.
func (a *app) answer(answer envelope.Answer) error {
	status, err := a.print(answer)
	if err == nil && status != exitOK {
		err = &failure{status: status, told: true}
	}
	return err
}

// print writes an envelope in one piece. The status is exitUsage if the cap is
// too small for any.
func (a *app) print(answer envelope.Answer) (status int, err error) {
	a.printed = true
	answer.Duration = time.Since(a.start)
	out, ok := answer.Encode(a.limit)
	if !ok {
		status = exitUsage
	}
	return status, a.write(string(out))
}

// write writes to stdout, which is the result.
func (a *app) write(s string) error {
	if _, err := a.out.Write([]byte(s)); err != nil {
		if pe, ok := errors.AsType[*os.PathError](err); ok {
			err = pe.Err
		}
		return fmt.Errorf("writing the result: %w", err)
	}
	return nil
}
