package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxMessage is how many bytes a message of the client may have.
const maxMessage = 64 << 20

// transport is JSON-RPC, a message a line. It differs from the SDK's own in
// what happens when the input ends: the SDK drops the replies to calls that
// are under way, so the end is kept from it until they are out. A line that is
// no message is answered with an error instead of ending the connection.
type transport struct {
	in      io.ReadCloser
	out     io.WriteCloser
	left    func() // told when the input ends or the output breaks
	splices *splices
}

// Connect implements [sdk.Transport].
func (t *transport) Connect(context.Context) (sdk.Connection, error) {
	c := &connection{
		transport: t, lines: make(chan line), closed: make(chan struct{}),
		pending: map[jsonrpc.ID]bool{}, drained: make(chan struct{}),
	}
	go c.readLines()
	return c, nil
}

type connection struct {
	*transport
	lines chan line

	closing sync.Once
	closed  chan struct{}

	writing sync.Mutex // held to write to out

	mu      sync.Mutex // guards all below
	pending map[jsonrpc.ID]bool
	ended   bool
	drained chan struct{} // closed when the input has ended and nothing is pending
}

type line struct {
	text []byte
	err  error
}

var errTooLong = fmt.Errorf("a message is longer than %d bytes", maxMessage)

// readLines reads until the input ends. It is a goroutine of its own as a read
// of a standard input cannot be ended.
func (c *connection) readLines() {
	in := bufio.NewReaderSize(c.in, 64<<10)
	for {
		text, err := readLine(in)
		if err == nil && len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		select {
		case c.lines <- line{text, err}:
		case <-c.closed:
			return
		}
		if err != nil && !errors.Is(err, errTooLong) {
			return
		}
	}
}

// readLine returns the next line, which the caller may keep. Of one that is too
// long nothing is kept; the last one needs no line end.
func readLine(in *bufio.Reader) (text []byte, err error) {
	length := 0
	for {
		part, err := in.ReadSlice('\n')
		if length += len(part); length <= maxMessage {
			text = append(text, part...)
		} else {
			text = nil
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil && (length == 0 || !errors.Is(err, io.EOF)):
			return nil, err
		case length > maxMessage:
			return nil, errTooLong
		default:
			return text, nil
		}
	}
}

// Read implements [sdk.Connection].
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case l := <-c.lines:
			msg, err := l.message()
			refused, isRefused := errors.AsType[*jsonrpc.Error](err)
			switch {
			case isRefused:
				if err := c.refuse(refused); err != nil {
					return nil, err
				}
				continue
			case err != nil:
				c.drain()
				return nil, err
			}
			c.await(msg)
			return msg, nil
		}
	}
}

const notMessage = `a line is no JSON-RPC message: it must be one object with "jsonrpc":"2.0", and "method" or "id"`

func (l line) message() (jsonrpc.Message, error) {
	switch {
	case errors.Is(l.err, errTooLong):
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: l.err.Error()}
	case l.err != nil:
		return nil, l.err
	case !json.Valid(l.text):
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "a line is not JSON; each message is one line"}
	}
	msg, err := jsonrpc.DecodeMessage(l.text)
	if err != nil { // also for a batch, which no version since 2025-06-18 has
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: notMessage}
	}
	return msg, nil
}

// await notes that msg is to be answered. Subscriptions are answered only when
// the connection ends.
func (c *connection) await(msg jsonrpc.Message) {
	request, ok := msg.(*jsonrpc.Request)
	if !ok || !request.IsCall() || request.Method == "subscriptions/listen" {
		return
	}
	c.mu.Lock()
	c.pending[request.ID] = true
	c.mu.Unlock()
}

func (c *connection) answered(id jsonrpc.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pending, id)
	if c.ended && len(c.pending) == 0 {
		c.ended = false // which is told once
		close(c.drained)
	}
}

// drain waits until all calls are answered.
func (c *connection) drain() {
	c.left()
	c.mu.Lock()
	pending := len(c.pending)
	c.ended = pending > 0
	c.mu.Unlock()
	if pending == 0 {
		return
	}
	select {
	case <-c.drained:
	case <-c.closed:
	}
}

// refuse answers what was no message.
func (c *connection) refuse(e *jsonrpc.Error) error {
	reply, err := json.Marshal(struct {
		Version string         `json:"jsonrpc"`
		ID      *int           `json:"id"` // null, as it is not known
		Error   *jsonrpc.Error `json:"error"`
	}{"2.0", nil, e})
	if err != nil {
		return err
	}
	return c.write(reply)
}

// Write implements [sdk.Connection].
func (c *connection) Write(_ context.Context, msg jsonrpc.Message) error {
	text, err := c.encode(msg)
	if err != nil {
		return err
	}
	if reply, ok := msg.(*jsonrpc.Response); ok {
		c.answered(reply.ID) // now, as a client that has the reply may use the id again
	}
	return c.write(text)
}

func (c *connection) write(text []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.out.Write(append(text, '\n'))
	if err != nil {
		c.left()
	}
	return err
}

// encode writes a message. A result, which may be long, is not looked at again.
func (c *connection) encode(msg jsonrpc.Message) ([]byte, error) {
	reply, ok := msg.(*jsonrpc.Response)
	if ok && reply.Error != nil {
		reply.Error = withoutTypes(reply.Error)
	}
	if !ok || reply.Error != nil || !reply.ID.IsValid() || len(reply.Result) == 0 {
		return jsonrpc.EncodeMessage(msg)
	}
	id, err := json.Marshal(reply.ID.Raw())
	if err != nil {
		return nil, fmt.Errorf("encoding an id: %w", err)
	}
	const start, between = `{"jsonrpc":"2.0","id":`, `,"result":`
	text := make([]byte, 0, len(start)+len(id)+len(between)+len(reply.Result)+2)
	text = append(append(append(text, start...), id...), between...)
	return append(c.splices.fill(text, reply.Result), '}'), nil
}

// decoding is what the SDK says of params that are not as they should be, with
// the params and the names of its types.
var decoding = regexp.MustCompile(`(?s)(invalid params: )?unmarshaling ".*" into a \*.*`)

// withoutTypes returns an error for the client.
func withoutTypes(err error) error {
	text := err.Error()
	if !decoding.MatchString(text) {
		return err
	}
	return &jsonrpc.Error{
		Code:    jsonrpc.CodeInvalidParams,
		Message: decoding.ReplaceAllLiteralString(text, "invalid params: a member has the wrong type"),
	}
}

// Close implements [sdk.Connection].
func (c *connection) Close() (err error) {
	c.closing.Do(func() {
		close(c.closed)
		err = errors.Join(c.in.Close(), c.out.Close())
	})
	return err
}

// SessionID implements [sdk.Connection].
func (c *connection) SessionID() string { return "" }
