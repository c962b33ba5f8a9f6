package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"strconv"
	"time"

	"github.com/acode-ls/acode-ls/internal/fileuri"
	"github.com/acode-ls/acode-ls/lsp"
)

// client speaks to a language server of its own over a pipe, one request at a
// time.
type client struct {
	conn    net.Conn
	asked   int // requests so far; the last is the id of the next answer
	answers chan answered
	ended   chan error // gets what became of the server
}

type answered struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"` // of a request of the server's
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// dial starts a server and a client of it. The caller hangs up.
func dial(ctx context.Context, opts lsp.ServerOptions, settings any) (*client, error) {
	near, far := net.Pipe()
	if err := near.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		return nil, err
	}
	c := &client{conn: near, answers: make(chan answered), ended: make(chan error, 1)}
	go func() { c.ended <- lsp.Serve(ctx, far, opts) }()
	go c.listen()
	type object = map[string]any
	params := object{
		"processId": nil, "rootUri": fileuri.Format(opts.Root), "capabilities": object{}, "initializationOptions": settings,
	}
	if err := c.call("initialize", params, nil); err != nil {
		return nil, errors.Join(err, c.hangUp())
	}
	if err := c.notify("initialized", object{}); err != nil {
		return nil, errors.Join(err, c.hangUp())
	}
	return c, nil
}

// hangUp ends the server as an editor does, and waits for it.
func (c *client) hangUp() error {
	err := c.call("shutdown", nil, nil)
	if err == nil {
		err = c.notify("exit", nil)
	}
	return errors.Join(err, c.conn.Close(), <-c.ended)
}

// call sends a request and decodes its answer into result, unless that is nil.
func (c *client) call(method string, params, result any) error {
	c.asked++
	if err := c.send(map[string]any{"id": c.asked, "method": method, "params": params}); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	a, open := <-c.answers
	switch {
	case !open:
		return fmt.Errorf("%s: the server is gone", method)
	case a.Error != nil:
		return fmt.Errorf("%s: %s", method, a.Error.Message)
	case string(a.ID) != strconv.Itoa(c.asked):
		return fmt.Errorf("%s: the answer is to request %s", method, a.ID)
	case result == nil:
		return nil
	}
	return json.Unmarshal(a.Result, result)
}

func (c *client) notify(method string, params any) error {
	return c.send(map[string]any{"method": method, "params": params})
}

func (c *client) send(message map[string]any) error {
	message["jsonrpc"] = "2.0"
	if message["params"] == nil {
		delete(message, "params")
	}
	body, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = c.conn.Write(append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(body)), body...))
	return err
}

// listen hands answers on until the connection ends. Requests of the server's
// it answers with null, and notifications it drops.
func (c *client) listen() {
	defer close(c.answers)
	in := bufio.NewReader(c.conn)
	for {
		header, err := textproto.NewReader(in).ReadMIMEHeader()
		if err != nil {
			return
		}
		size, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil {
			return
		}
		body := make([]byte, size)
		var message answered
		if _, err := io.ReadFull(in, body); err != nil || json.Unmarshal(body, &message) != nil {
			return
		}
		switch {
		case message.Method == "":
			c.answers <- message
		case message.ID != nil:
			if c.send(map[string]any{"id": message.ID, "result": nil}) != nil {
				return
			}
		}
	}
}
