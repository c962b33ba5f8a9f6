package signatures

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/acode-ls/acode-ls/internal/text"
)

const (
	maxFailures    = 50      // that a FailureScanner keeps
	maxFailureText = 200     // characters of a Failure
	lineWindow     = 4 << 10 // bytes of a line that are looked at
	scanBuffer     = 32 << 10
)

// Failure is a line in the output of a command that tells of a failure: of a
// failed test, an error of a compiler, a record of level error, a crash.
type Failure struct {
	Line int    // 1-based
	Text string // without escape sequences and outer white space, at most 200 characters
}

// Failures returns the first 50 failures in the output s.
func Failures(s string) []Failure {
	var scanner FailureScanner
	scanner.WriteString(s)
	return scanner.Failures()
}

// FailureHint tells a reader that has not seen the lines of them: "contains 3
// failure lines: 4233: FAIL TestX; 4301: panic: boom, +1 more". It has at most
// 500 characters. total counts all failures, of which f has the first. Without
// any it is "".
func FailureHint(total int, f []Failure) string {
	if total == 0 {
		return ""
	}
	hint := fmt.Sprintf("contains %d failure lines", total)
	if total == 1 {
		hint = "contains 1 failure line"
	}
	length := len(hint)
	for i, failure := range f {
		item := fmt.Sprintf("; %d: %s", failure.Line, failure.Text)
		if i == 0 {
			item = ":" + item[1:]
		}
		length += text.CodePoints(item)
		if left := total - i - 1; left > 0 && length+len(more(left)) > hintLimit || length > hintLimit {
			return hint + more(total-i)
		}
		hint += item
	}
	if left := total - len(f); left > 0 {
		hint += more(left)
	}
	return hint
}

// FailureScanner finds failures in a stream. It takes the same few kilobytes
// of memory for any output, also for one line without end, of which it looks
// at the first 4 KiB. The zero value is ready; it must not be copied.
type FailureScanner struct {
	failures []Failure
	total    int
	line     int    // line ends so far
	start    []byte // the start of the line that has not ended yet, at most lineWindow bytes
	afterCR  bool   // the last byte was a CR: a LF now belongs to it
	pytest   pytest
	buffer   []byte // of WriteString
}

// Write reads the next part of the output. It never fails.
func (s *FailureScanner) Write(p []byte) (int, error) {
	n := len(p)
	if n == 0 {
		return 0, nil
	}
	if s.afterCR && p[0] == '\n' {
		p = p[1:]
	}
	s.afterCR = n > 0 && len(p) > 0 && p[len(p)-1] == '\r'
	if len(s.start) > 0 {
		end := bytes.IndexAny(p, "\r\n")
		if end < 0 {
			s.keep(p)
			return n, nil
		}
		s.keep(p[:end])
		s.judge(s.start, s.line+1, false)
		s.start = s.start[:0]
		s.line++
		p = afterTerminator(p[end:])
	}
	s.lines(p)
	return n, nil
}

// WriteString is Write.
func (s *FailureScanner) WriteString(text string) (int, error) {
	if s.buffer == nil {
		s.buffer = make([]byte, scanBuffer)
	}
	for rest := text; rest != ""; {
		n := copy(s.buffer, rest)
		rest = rest[n:]
		s.Write(s.buffer[:n])
	}
	return len(text), nil
}

// Total returns the number of failures so far. A last line without a line end
// counts.
func (s *FailureScanner) Total() int {
	if s.unended() {
		return s.total + 1
	}
	return s.total
}

// Failures returns the first 50 failures so far, also from a last line without
// a line end.
func (s *FailureScanner) Failures() []Failure {
	if s.unended() && len(s.failures) < maxFailures {
		return append(s.failures[:len(s.failures):len(s.failures)], newFailure(s.start, s.line+1))
	}
	return s.failures
}

func (s *FailureScanner) unended() bool {
	state := s.pytest
	return len(s.start) > 0 && state.isFailure(s.start, false)
}

// keep adds to the start of the unfinished line.
func (s *FailureScanner) keep(part []byte) {
	s.start = append(s.start, part[:min(len(part), lineWindow-len(s.start))]...)
}

// lines reads a part that begins at the start of a line.
func (s *FailureScanner) lines(p []byte) {
	hasCR := bytes.IndexByte(p, '\r') >= 0
	for len(p) > 0 {
		at := 0
		if !s.pytest.reports {
			if at = nextKeyword(p); at < 0 {
				at = len(p)
			}
		}
		start := lineStart(p[:at])
		s.line += terminators(p[:start], hasCR)
		p = p[start:]
		end := bytes.IndexByte(p, '\n')
		if hasCR {
			end = bytes.IndexAny(p, "\r\n")
		}
		if end < 0 {
			s.keep(p)
			return
		}
		s.judge(p[:min(end, lineWindow)], s.line+1, !s.pytest.reports && at < start+min(end, lineWindow))
		s.line++
		p = afterTerminator(p[end:])
	}
}

func (s *FailureScanner) judge(line []byte, number int, found bool) {
	if !s.pytest.isFailure(line, found) {
		return
	}
	s.total++
	if len(s.failures) < maxFailures {
		s.failures = append(s.failures, newFailure(line, number))
	}
}

func newFailure(line []byte, number int) Failure {
	shown := strings.ToValidUTF8(strings.TrimSpace(stripEscapes(line)), "\ufffd")
	n := 0
	for i := range shown {
		if n == maxFailureText {
			shown = shown[:i]
			break
		}
		n++
	}
	return Failure{Line: number, Text: strings.Clone(shown)} // not the whole line
}

// lineStart returns the offset at which the line that p ends in starts.
func lineStart(p []byte) int {
	i := len(p)
	for i > 0 && p[i-1] != '\n' && p[i-1] != '\r' {
		i--
	}
	return i
}

// terminators returns the number of line ends in p, which is no part of a
// CRLF.
func terminators(p []byte, hasCR bool) int {
	n := bytes.Count(p, []byte{'\n'})
	if hasCR {
		n += bytes.Count(p, []byte{'\r'}) - bytes.Count(p, []byte("\r\n"))
	}
	return n
}

// afterTerminator returns what follows the line end that p starts with.
func afterTerminator(p []byte) []byte {
	if len(p) > 1 && p[0] == '\r' && p[1] == '\n' {
		return p[2:]
	}
	return p[1:]
}
