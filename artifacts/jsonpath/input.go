package jsonpath

import (
	"bytes"
	"io"
	"math"
	"unicode/utf8"
)

// input reads a text without its byte order mark, and fails where it is not
// UTF-8 and where a value grows over the limit.
type input struct {
	source io.Reader
	buffer []byte
	unread []byte // of the buffer
	begun  bool
	mark   int64 // length of the byte order mark
	read   int64 // bytes taken from source, without the mark
	given  int64 // bytes given to the decoder
	limit  int64 // of given
	err    error // of source, or what is wrong with what it gave
}

const (
	bufferSize = 16 << 10
	// readAhead is what the decoder may have read beyond a value.
	readAhead = 4 << 10
)

var byteOrderMark = []byte("\uFEFF")

func newInput(source io.Reader) *input {
	return &input{source: source, buffer: make([]byte, bufferSize), limit: math.MaxInt64}
}

func (in *input) Read(p []byte) (int, error) {
	if in.given >= in.limit {
		return 0, errOverLimit
	}
	for len(in.unread) == 0 {
		if in.err != nil {
			return 0, in.err
		}
		in.fill()
	}
	n := copy(p[:min(int64(len(p)), in.limit-in.given)], in.unread)
	in.unread = in.unread[n:]
	in.given += int64(n)
	return n, nil
}

// fill reads at least utf8.UTFMax bytes if there are as many, and keeps half a
// character for the next time.
func (in *input) fill() {
	rest := copy(in.buffer, in.partial())
	n, err := io.ReadAtLeast(in.source, in.buffer[rest:], utf8.UTFMax)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	in.err = err
	text := in.buffer[:rest+n]
	if !in.begun {
		in.begun = true
		if without, found := bytes.CutPrefix(text, byteOrderMark); found {
			in.mark, text = int64(len(byteOrderMark)), without
		}
	}
	in.check(text)
}

// partial is the beginning of a character at the end of what was read last.
func (in *input) partial() []byte {
	return in.unread[len(in.unread):cap(in.unread)]
}

// check takes over the text up to where it is not UTF-8, or up to where its last
// character is not complete.
func (in *input) check(text []byte) {
	end := len(text)
	if in.err != io.EOF {
		end -= incomplete(text)
	}
	if valid := firstInvalid(text[:end]); valid < end {
		in.err = &JSONError{Offset: in.mark + in.read + int64(valid), Message: "the text is not UTF-8"}
		end = valid
		text = text[:end]
	}
	in.unread = text[:end:len(text)]
	in.read += int64(end)
}

// incomplete returns the length of the beginning of a character at the end of a
// text.
func incomplete(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}
