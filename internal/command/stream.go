package command

import (
	"io"
	"os"
)

// stream carries the output of a group to a writer. It is a pipe of our own,
// because that of os/exec ends with the loss of what was not yet read when a
// background job holds it.
type stream struct {
	r      *os.File
	failed chan struct{} // closed when the writer returned an error
	done   chan struct{} // closed when copyTo has ended
	err    error         // of the writer; valid after done
}

const chunkSize = 32 << 10 // bytes

// openStream also returns the end to write to.
func openStream() (*stream, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	return &stream{r: r, failed: make(chan struct{}), done: make(chan struct{})}, w, nil
}

// copyTo writes to out until the output ends, reading is stopped or out fails.
func (s *stream) copyTo(out io.Writer) {
	defer close(s.done)
	chunk := make([]byte, chunkSize)
	for {
		n, err := s.r.Read(chunk)
		if s.write(out, chunk[:n]); s.err != nil {
			close(s.failed)
			return
		}
		if err != nil {
			return
		}
	}
}

func (s *stream) write(out io.Writer, chunk []byte) {
	if len(chunk) == 0 {
		return
	}
	n, err := out.Write(chunk)
	if err == nil && n < len(chunk) {
		err = io.ErrShortWrite
	}
	s.err = err
}

// finish writes what is left in the pipe once all processes of the group have
// ended. It does not wait for the end of the output, which a process that left
// the group may hold.
func (s *stream) finish(out io.Writer) error {
	defer s.r.Close()
	s.stopReading()
	<-s.done
	if s.err == nil {
		s.drain(out)
	}
	return s.err
}
