package lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"
)

// This file reads and writes frames: a header that gives the length of a body, and the body.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.18/specification/#baseProtocol

const (
	readBuffer    = 64 << 10
	maxHeaderLine = 4 << 10

	// maxLengthLine is what a Content-Length line, with its line end, may take where one is searched for.
	maxLengthLine = 64

	lengthName = "content-length"
)

// A framer takes bodies from a byte stream. A frame that is not well formed costs the client one error:
// the framer then looks for the next line that can only be a header.
//
// What makes this safe is that a Content-Length line, with its line end, cannot occur within a JSON text:
// a string holds no raw line end, and outside a string there are no such letters.
type framer struct {
	in      *bufio.Reader
	maxBody int64

	lost bool // the next header has to be searched for
	tail int  // bytes at the end of the last body, still in the buffer
}

func newFramer(r io.Reader, maxBody int64) *framer {
	return &framer{in: bufio.NewReaderSize(r, readBuffer), maxBody: maxBody}
}

// next returns the next body. A refusal says what is wrong with the next frame, and body is then the
// beginning of the body if there is one; an error is that of the input, io.EOF only between two frames.
func (f *framer) next() (body []byte, refusal *Error, err error) {
	f.discard(f.tail)
	f.tail = 0
	if f.lost {
		if err := f.search(); err != nil {
			return nil, nil, err
		}
		f.lost = false
	}
	length, refusal, err := f.header()
	if refusal != nil || err != nil {
		return nil, refusal, err
	}
	if length > f.maxBody {
		f.lost = true // the search passes the body without storing it
		return f.beginning(), Errorf(CodeInvalidRequest, "body of %d bytes is over the limit of %d", length, f.maxBody), nil
	}
	return f.body(length)
}

// beginning returns the first bytes of a body without consuming them, fewer if it ends before.
func (f *framer) beginning() []byte {
	const enough = 512
	for {
		buf, _ := f.in.Peek(min(f.in.Buffered(), enough))
		if _, ended := findHeader(buf); ended || len(buf) == enough {
			return buf
		}
		if _, err := f.in.Peek(len(buf) + 1); err != nil {
			return buf
		}
	}
}

// distrust says that the last body was no JSON text, so that its Content-Length may have been wrong and
// the next header may begin in its last bytes.
func (f *framer) distrust() {
	f.tail = 0
	f.lost = true
}

// header reads a block of header lines and returns the length it gives.
func (f *framer) header() (length int64, refusal *Error, err error) {
	length = -1
	for begun := false; ; {
		line, err := f.line()
		switch {
		case err == io.EOF && !begun && len(line) == 0:
			return 0, nil, io.EOF
		case err == errGarbage:
			f.lost = true
			return 0, Errorf(CodeParse, "malformed header"), nil
		case err != nil:
			return 0, nil, inside(err)
		}
		if blank(line) {
			f.discard(len(line))
			switch {
			case length >= 0:
				return length, nil, nil
			case begun:
				f.lost = true
				return 0, Errorf(CodeParse, "header without Content-Length"), nil
			}
			continue // an empty line between two frames
		}
		if n, ok := contentLength(line); ok {
			length = n
		} else if !otherHeader(line) {
			f.lost = true
			return 0, Errorf(CodeParse, "malformed header"), nil
		}
		f.discard(len(line))
		begun = true
	}
}

var errGarbage = errors.New("not a header line")

// line returns the next line with its line end, without consuming it.
// It does not wait for the end of what cannot become a header line.
func (f *framer) line() ([]byte, error) {
	for n := 0; ; {
		buf, _ := f.in.Peek(f.in.Buffered())
		if i := bytes.IndexByte(buf[n:], '\n'); i >= 0 {
			return buf[:n+i+1], nil
		}
		n = len(buf)
		if name, _, _ := bytes.Cut(buf, []byte(":")); n > maxHeaderLine || !isToken(bytes.TrimSuffix(name, []byte("\r"))) {
			return nil, errGarbage
		}
		if _, err := f.in.Peek(n + 1); err != nil {
			return buf, err
		}
	}
}

// body reads a body, whose last bytes stay in the buffer until the caller has seen whether it is JSON.
func (f *framer) body(length int64) ([]byte, *Error, error) {
	// Only what has arrived is paid for in memory, whatever the header says.
	body := make([]byte, 0, min(length, 1<<20))
	for {
		need := length - int64(len(body))
		buf, _ := f.in.Peek(int(min(int64(f.in.Buffered()), need)))
		if start, ok := findHeader(buf); ok {
			f.discard(start)
			return nil, Errorf(CodeParse, "body ends before its Content-Length"), nil
		}
		if int64(len(buf)) == need {
			f.tail = min(len(buf), maxLengthLine)
			f.discard(len(buf) - f.tail)
			return append(body, buf...), nil, nil
		}
		// A header may have begun in the last bytes.
		if n := len(buf) - maxLengthLine; n > 0 {
			body = append(body, buf[:n]...)
			f.discard(n)
			buf = buf[n:]
		}
		if _, err := f.in.Peek(len(buf) + 1); err != nil {
			return nil, nil, inside(err)
		}
	}
}

// search moves to the next Content-Length line.
func (f *framer) search() error {
	for {
		buf, _ := f.in.Peek(f.in.Buffered())
		start, ok := findHeader(buf)
		f.discard(start)
		if ok {
			return nil
		}
		if _, err := f.in.Peek(len(buf) - start + 1); err != nil {
			return err
		}
	}
}

// discard drops n bytes of the buffer.
func (f *framer) discard(n int) {
	// Within what is buffered this cannot fail.
	f.in.Discard(n)
}

// findHeader returns the offset of the first Content-Length line in buf, which begins anywhere and has
// its line end. If there is none, it returns the offset from which more input could make one.
func findHeader(buf []byte) (start int, ok bool) {
	const dash = len("content")
	if bytes.IndexByte(buf, '\n') < 0 {
		return max(0, len(buf)-maxLengthLine+1), false
	}
	for i := 0; ; {
		j := bytes.IndexByte(buf[i:], '-')
		if j < 0 {
			break
		}
		start, i = i+j-dash, i+j+1
		if start < 0 || buf[start]|0x20 != lengthName[0] || len(buf) < start+len(lengthName) || !strings.EqualFold(string(buf[start:start+len(lengthName)]), lengthName) {
			continue
		}
		line := buf[start:min(len(buf), start+maxLengthLine)]
		end := bytes.IndexByte(line, '\n')
		if end < 0 && len(line) < maxLengthLine {
			return start, false
		}
		if _, ok := contentLength(line[:end+1]); ok {
			return start, true
		}
	}
	// The name itself may be cut off.
	return max(0, len(buf)-len(lengthName)+1), false
}

// contentLength returns the value of a Content-Length line.
func contentLength(line []byte) (n int64, ok bool) {
	name, value, ok := bytes.Cut(line, []byte(":"))
	if !ok || !strings.EqualFold(string(name), lengthName) {
		return 0, false
	}
	value = bytes.TrimSuffix(bytes.TrimSuffix(value, []byte("\n")), []byte("\r"))
	value = bytes.Trim(value, " \t")
	for _, c := range value {
		if c < '0' || '9' < c {
			return 0, false // ParseInt takes a sign
		}
	}
	n, err := strconv.ParseInt(string(value), 10, 64)
	return n, err == nil
}

// otherHeader reports whether line is a header line that may be ignored. One with a second name in it
// is the rest of something else, followed by the header of the next frame.
func otherHeader(line []byte) bool {
	name, _, ok := bytes.Cut(line, []byte(":"))
	return ok && isToken(name) && !strings.Contains(strings.ToLower(string(line)), lengthName)
}

// isToken reports whether name has only the characters of a header name (RFC 9110, section 5.6.2).
func isToken(name []byte) bool {
	for _, c := range name {
		if c <= ' ' || 0x7f <= c || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return false
		}
	}
	return true
}

func blank(line []byte) bool {
	return len(line) == 1 || len(line) == 2 && line[0] == '\r'
}

// inside returns err as seen from within a frame.
func inside(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// A frame is a message to the client, built behind room for its header.
type frame struct {
	bytes.Buffer
	enc *json.Encoder // into Buffer
}

const (
	frameHeader = "Content-Length: "
	headerRoom  = len(frameHeader) + len("9223372036854775807\r\n\r\n")

	// maxPooled keeps one large message from holding its memory for good.
	maxPooled = 1 << 20
)

var frames = sync.Pool{New: func() any {
	f := new(frame)
	f.enc = json.NewEncoder(&f.Buffer)
	f.enc.SetEscapeHTML(false)
	return f
}}

func newFrame() *frame {
	f := frames.Get().(*frame)
	f.Reset()
	f.Write(make([]byte, headerRoom))
	return f
}

func (f *frame) free() {
	if f.Cap() <= maxPooled {
		frames.Put(f)
	}
}

// encode appends the JSON text of v.
func (f *frame) encode(v any) error {
	if err := f.enc.Encode(v); err != nil {
		return err
	}
	f.Truncate(f.Len() - len("\n"))
	return nil
}

// wire returns header and body. The frame may not be changed after.
func (f *frame) wire() []byte {
	b := f.Bytes()
	var room [headerRoom]byte
	header := append(room[:0], frameHeader...)
	header = strconv.AppendInt(header, int64(len(b)-headerRoom), 10)
	header = append(header, "\r\n\r\n"...)
	b = b[headerRoom-len(header):]
	copy(b, header)
	return b
}
