package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"sync"
	"time"
)

// patience is how long a server may take over anything; gopls loads a
// workspace before it answers its first request.
const patience = 30 * time.Second

// client drives one server process over its stdin and stdout, one request at a
// time. Times end when the last byte of an answer is read, before it is
// decoded, so that they are the server's and not the client's.
type client struct {
	*child
	nextID    int
	replies   chan reply
	published chan publication
	closed    chan struct{} // closed when stdout ends
	writing   sync.Mutex    // requests, and answers to the server's own
}

type reply struct {
	at     time.Time
	id     int
	result json.RawMessage
	err    *wireError
}

type publication struct {
	at      time.Time
	version int // 0 if the server names none
}

type wireError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *wireError) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

// spawn starts a server. The caller ends it by close.
func spawn(argv, environment []string, folder string) (*client, error) {
	started, err := startChild(argv, environment, folder)
	if err != nil {
		return nil, err
	}
	c := &client{
		child:     started,
		replies:   make(chan reply, 64),
		published: make(chan publication, 1024),
		closed:    make(chan struct{}),
	}
	go c.read(bufio.NewReaderSize(c.stdout, 256<<10))
	return c, nil
}

// close asks the server to end and makes sure that it does.
func (c *client) close() {
	_, _, _ = c.request("shutdown", nil)
	_ = c.notify("exit", nil)
	_ = c.stdin.Close()
	timer := time.AfterFunc(5*time.Second, c.cancel)
	<-c.closed
	_ = c.command.Wait()
	timer.Stop()
	c.cancel()
}

// request returns the result and the time from the first byte written to the
// last byte read.
func (c *client) request(method string, params any) (json.RawMessage, time.Duration, error) {
	c.nextID++
	frame, err := frame(c.nextID, method, params)
	if err != nil {
		return nil, 0, err
	}
	start := time.Now()
	if err := c.write(frame); err != nil {
		return nil, 0, c.ended(method)
	}
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	for {
		select {
		case r := <-c.replies:
			if r.id != c.nextID {
				continue // of a request given up on
			}
			if r.err != nil {
				return nil, r.at.Sub(start), fmt.Errorf("%s: %w", method, r.err)
			}
			return r.result, r.at.Sub(start), nil
		case <-c.closed:
			return nil, 0, c.ended(method)
		case <-timeout.C:
			return nil, 0, fmt.Errorf("%s: no answer in %v", method, patience)
		}
	}
}

func (c *client) notify(method string, params any) error {
	frame, err := frame(0, method, params)
	if err != nil {
		return err
	}
	if err := c.write(frame); err != nil {
		return c.ended(method)
	}
	return nil
}

// change sends a didChange and returns the time until the diagnostics of that
// version are published. A server that names no version is believed to have
// meant this one, so what came earlier is dropped first.
func (c *client) change(params any, version int) (time.Duration, error) {
	frame, err := frame(0, "textDocument/didChange", params)
	if err != nil {
		return 0, err
	}
	for len(c.published) > 0 {
		<-c.published
	}
	start := time.Now()
	if err := c.write(frame); err != nil {
		return 0, c.ended("didChange")
	}
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	for {
		select {
		case p := <-c.published:
			if p.version == version || p.version == 0 {
				return p.at.Sub(start), nil
			}
		case <-c.closed:
			return 0, c.ended("didChange")
		case <-timeout.C:
			return 0, fmt.Errorf("didChange: no publishDiagnostics of version %d in %v", version, patience)
		}
	}
}

func (c *client) write(frame []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.stdin.Write(frame)
	return err
}

// frame encodes a request, or a notification if id is 0.
func frame(id int, method string, params any) ([]byte, error) {
	body, err := json.Marshal(struct {
		Version string `json:"jsonrpc"`
		ID      int    `json:"id,omitempty"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{"2.0", id, method, params})
	if err != nil {
		return nil, fmt.Errorf("encoding %s: %v", method, err)
	}
	return framed(body), nil
}

func framed(body []byte) []byte {
	return append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(body)), body...)
}

// read dispatches what the server says until its stdout ends; close waits for
// that.
func (c *client) read(in *bufio.Reader) {
	defer close(c.closed)
	for {
		header, err := textproto.NewReader(in).ReadMIMEHeader()
		if err != nil {
			return
		}
		n, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil {
			return
		}
		body := make([]byte, n)
		if _, err := io.ReadFull(in, body); err != nil {
			return
		}
		if err := c.dispatch(body, time.Now()); err != nil {
			fmt.Fprintf(c.stderr, "%v\n", err)
			return
		}
	}
}

func (c *client) dispatch(body []byte, at time.Time) error {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
		Result json.RawMessage `json:"result"`
		Error  *wireError      `json:"error"`
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return fmt.Errorf("decoding a message of the server: %v", err)
	}
	switch {
	case m.Method == "" && m.ID != nil:
		id, err := strconv.Atoi(string(m.ID))
		if err != nil {
			return fmt.Errorf("decoding a reply's id: %v", err)
		}
		c.replies <- reply{at, id, m.Result, m.Error}
	case m.Method == "textDocument/publishDiagnostics":
		var params struct {
			Version int `json:"version"`
		}
		if err := json.Unmarshal(m.Params, &params); err != nil {
			return fmt.Errorf("decoding publishDiagnostics: %v", err)
		}
		select {
		case c.published <- publication{at, params.Version}:
		default: // nobody has waited for the last thousand
		}
	case m.ID != nil:
		return c.write(framed(answerTo(m.ID, m.Method, m.Params)))
	}
	return nil
}

// answerTo answers the server's own requests as an editor without settings.
func answerTo(id json.RawMessage, method string, params json.RawMessage) []byte {
	result := []byte("null")
	if method == "workspace/configuration" {
		var asked struct {
			Items []json.RawMessage `json:"items"`
		}
		_ = json.Unmarshal(params, &asked)
		result, _ = json.Marshal(make([]any, len(asked.Items)))
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

// isWireError reports whether err is the server's answer rather than a failure
// to get one.
func isWireError(err error) bool {
	_, ok := errors.AsType[*wireError](err)
	return ok
}
