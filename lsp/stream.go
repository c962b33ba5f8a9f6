package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.uber.org/zap"
)

// A stream carries messages for the library's connection, which ends at the first one it cannot read.
// So the stream hands it nothing but well-formed requests and notifications (see message); it delivers
// the client's answers to those who wait for them itself.
type stream struct {
	rwc io.ReadWriteCloser
	in  *framer // of the reading goroutine
	log *zap.Logger

	// writing holds one token while a frame is written. As a channel it counts as blocked in synctest.
	writing chan struct{}

	mu      sync.Mutex
	failed  error // of the first write that failed before the connection was closed
	stopped bool  // failed is final
	lastID  int32
	waiting map[int32]chan<- answer // requests to the client
}

var _ jsonrpc2.Stream = (*stream)(nil)

func newStream(rwc io.ReadWriteCloser, maxBody int64, log *zap.Logger) *stream {
	return &stream{
		rwc:     rwc,
		in:      newFramer(rwc, maxBody),
		log:     log,
		writing: make(chan struct{}, 1),
		waiting: make(map[int32]chan<- answer),
	}
}

// Read returns the next request or notification, or a refusal in its place.
func (s *stream) Read(context.Context) (jsonrpc2.Message, int64, error) {
	for {
		body, refusal, err := s.in.next()
		if err != nil {
			return nil, 0, err
		}
		if refusal != nil {
			// The id usually stands before what made the body large.
			e, _ := scanEnvelope(body)
			return refuse(e.id, refusal), int64(len(body)), nil
		}
		if msg := s.decode(body); msg != nil {
			return msg, int64(len(body)), nil
		}
	}
}

// decode returns the message in body, nil for an answer of the client.
func (s *stream) decode(body []byte) *message {
	e, err := scanEnvelope(body)
	switch {
	case errors.Is(err, errNoObject):
		return refuse(nil, Errorf(CodeInvalidRequest, "a message must be an object; batches are not supported"))
	case err != nil:
		s.in.distrust()
		return refuse(nil, Errorf(CodeParse, "%v", err))
	case e.method == nil && (e.result != nil || e.err != nil):
		s.deliver(e)
		return nil
	case !isID(e.id):
		return refuse(nil, Errorf(CodeInvalidRequest, "an id must be a string or a number"))
	case string(e.version) != `"2.0"`:
		return refuse(e.id, Errorf(CodeInvalidRequest, `jsonrpc must be "2.0"`))
	}
	method, ok := unquote(e.method)
	if !ok {
		return refuse(e.id, Errorf(CodeInvalidRequest, "method must be a string"))
	}
	return &message{id: string(e.id), method: method, params: e.params}
}

// refuse returns the answer to a frame that holds no message.
func refuse(id json.RawMessage, refusal *Error) *message {
	if id == nil || !isID(id) {
		id = json.RawMessage("null")
	}
	return &message{id: string(id), refusal: refusal}
}

// isID reports whether id may be the id of a message: a string, a number, null, or none at all.
// LSP allows no null and integers only, JSON-RPC discourages the others: they are answered as they came.
func isID(id json.RawMessage) bool {
	if len(id) == 0 {
		return true
	}
	switch c := id[0]; c {
	case '"', '-', 'n':
		return true
	default:
		return '0' <= c && c <= '9'
	}
}

// deliver gives an answer to the one who waits for it.
func (s *stream) deliver(e wrapper) {
	id, ok := ownID(e.id)
	if ok {
		s.mu.Lock()
		var answers chan<- answer
		answers, ok = s.waiting[id]
		delete(s.waiting, id)
		s.mu.Unlock()
		if ok {
			if string(e.err) == "null" {
				e.err = nil // some clients send both members
			}
			answers <- answer{result: e.result, err: e.err} // has room for the one answer
		}
	}
	if !ok {
		s.log.Info("ignoring answer to no request", zap.ByteString("id", e.id))
	}
}

// ownID reads an id that expect has made, as a client may spell it that has only floats.
func ownID(id json.RawMessage) (int32, bool) {
	n, err := strconv.ParseFloat(string(id), 64)
	if err != nil || n != math.Trunc(n) || n < math.MinInt32 || math.MaxInt32 < n {
		return 0, false
	}
	return int32(n), true
}

// expect returns the id for a new request to the client, and where its answer will come.
func (s *stream) expect() (int32, <-chan answer) {
	answers := make(chan answer, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastID++
	s.waiting[s.lastID] = answers
	return s.lastID, answers
}

func (s *stream) forget(id int32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.waiting, id)
}

// Write writes a request or notification to the client. It ignores ctx: a frame is written whole or the
// connection is lost.
func (s *stream) Write(_ context.Context, msg jsonrpc2.Message) (int64, error) {
	var (
		f   *frame
		err error
	)
	switch msg := msg.(type) {
	case *jsonrpc2.Call:
		f, err = encodeRequest(fmt.Sprint(msg.ID()), msg.Method(), msg.Params())
	case *jsonrpc2.Notification:
		f, err = encodeRequest("", msg.Method(), msg.Params())
	default:
		err = fmt.Errorf("bug: %T is not written by the library", msg)
	}
	if err != nil {
		return 0, err
	}
	defer f.free()
	return int64(f.Len()), s.writeFrame(f)
}

func (s *stream) writeFrame(f *frame) error {
	wire := f.wire()
	s.writing <- struct{}{}
	defer func() { <-s.writing }()
	if err := s.writeErr(); err != nil {
		return err // after part of a frame nothing else can be read
	}
	_, err := s.rwc.Write(wire)
	if err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !s.stopped {
			s.failed, s.stopped = err, true
		}
	}
	return err
}

// writeErr returns the error of the first write that failed while the connection was open.
func (s *stream) writeErr() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

// stop says that writes may fail from now on.
func (s *stream) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
}

// Close does nothing: the library closes its stream when the input ends, but answers are still to be
// written then. Conn.Close closes rwc.
func (s *stream) Close() error { return nil }
