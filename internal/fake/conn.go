package fake

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// This file is JSON-RPC over Content-Length frames, strict in what it takes.

// ErrClosed is returned when the server is gone.
var ErrClosed = errors.New("the connection is closed")

// ResponseError is the server's refusal of a request.
type ResponseError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (e *ResponseError) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

// message is any JSON-RPC message.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *ResponseError  `json:"error,omitempty"`
}

type conn struct {
	rwc io.ReadWriteCloser

	writing sync.Mutex

	mu     sync.Mutex
	lastID int
	calls  map[int]chan message
	done   chan struct{} // closed when reading ended
	err    error         // why; written before done is closed
}

func newConn(rwc io.ReadWriteCloser) *conn {
	return &conn{rwc: rwc, calls: map[int]chan message{}, done: make(chan struct{})}
}

// run reads until the end and gives each message that is no answer to handle,
// which may write. answered is told of each answer before the caller is.
func (c *conn) run(handle func(message) error, answered func(id int)) {
	in := bufio.NewReader(c.rwc)
	var err error
	for err == nil {
		var m message
		if m, err = readMessage(in); err != nil {
			break
		}
		if m.Method != "" {
			err = handle(m)
			continue
		}
		var id int
		if err = json.Unmarshal(m.ID, &id); err != nil {
			if string(m.ID) == "null" && m.Error != nil {
				err = handle(m)
				continue
			}
			err = fmt.Errorf("answer with the id %s", m.ID)
			break
		}
		c.mu.Lock()
		answer := c.calls[id]
		delete(c.calls, id)
		c.mu.Unlock()
		if answer == nil {
			err = fmt.Errorf("answer to request %d, which waits for none", id)
			break
		}
		answered(id)
		answer <- m
	}
	c.err = err
	close(c.done)
	c.rwc.Close()
}

// readMessage reads one frame and holds it to the letter of the protocol.
func readMessage(in *bufio.Reader) (message, error) {
	var m message
	size := -1
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			if err == io.EOF && line != "" {
				err = io.ErrUnexpectedEOF
			}
			return m, err
		}
		header, ok := strings.CutSuffix(line, "\r\n")
		if !ok {
			return m, fmt.Errorf("header line %q does not end in CRLF", line)
		}
		if header == "" {
			break
		}
		value, ok := strings.CutPrefix(header, "Content-Length: ")
		if !ok {
			return m, fmt.Errorf("header %q", header)
		}
		if size, err = strconv.Atoi(value); err != nil {
			return m, fmt.Errorf("header %q", header)
		}
	}
	if size < 0 {
		return m, errors.New("frame without Content-Length")
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(in, body); err != nil {
		return m, fmt.Errorf("reading a body of %d bytes: %w", size, io.ErrUnexpectedEOF)
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return m, fmt.Errorf("body %.200q: %w", body, err)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		return m, err
	}
	_, hasResult := members["result"]
	switch {
	case m.Version != "2.0":
		return m, fmt.Errorf("message %.200q is not of JSON-RPC 2.0", body)
	case m.Method == "" && hasResult == (m.Error != nil):
		return m, fmt.Errorf("answer %.200q has both or neither of result and error", body)
	case m.Method != "" && (hasResult || m.Error != nil):
		return m, fmt.Errorf("message %.200q is both request and answer", body)
	}
	return m, nil
}

func (c *conn) write(m message) error {
	m.Version = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return c.writeRaw(body)
}

func (c *conn) writeRaw(body []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	frame := append([]byte(fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body))), body...)
	if _, err := c.rwc.Write(frame); err != nil {
		return fmt.Errorf("%w: %v", ErrClosed, err)
	}
	return nil
}

func (c *conn) notify(method string, params any) error {
	raw, err := encode(params)
	if err != nil {
		return err
	}
	return c.write(message{Method: method, Params: raw})
}

func encode(params any) (json.RawMessage, error) {
	if params == nil {
		return nil, nil
	}
	return json.Marshal(params)
}

// A call is a request on its way.
type call struct {
	conn   *conn
	id     int
	answer chan message
}

// start sends a request; before is run with its id before it is sent.
func (c *conn) start(method string, params any, before func(id int)) (*call, error) {
	raw, err := encode(params)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.lastID++
	p := &call{c, c.lastID, make(chan message, 1)}
	c.calls[p.id] = p.answer
	c.mu.Unlock()
	before(p.id)
	return p, c.write(message{ID: json.RawMessage(strconv.Itoa(p.id)), Method: method, Params: raw})
}

// wait returns the answer to a request, and tells the server when ctx ends
// before it comes.
func (p *call) wait(ctx context.Context) (json.RawMessage, error) {
	select {
	case m := <-p.answer:
		return m.outcome()
	default:
	}
	select {
	case m := <-p.answer:
		return m.outcome()
	case <-p.conn.done:
		select {
		case m := <-p.answer:
			return m.outcome()
		default:
			return nil, ErrClosed
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (m message) outcome() (json.RawMessage, error) {
	if m.Error != nil {
		return nil, m.Error
	}
	return m.Result, nil
}
