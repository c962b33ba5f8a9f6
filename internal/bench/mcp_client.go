package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// mcpClient drives one MCP server, a message a line, one request at a time. It
// is as bare as it can be, so that times are the server's.
type mcpClient struct {
	*child
	in     *bufio.Reader
	nextID int
}

// startMCP spawns a server and returns how long it took until it was
// initialized. The caller ends it by close.
func startMCP(argv []string, folder string) (*mcpClient, time.Duration, error) {
	begin := time.Now()
	started, err := startChild(argv, nil, folder)
	if err != nil {
		return nil, 0, err
	}
	c := &mcpClient{child: started, in: bufio.NewReaderSize(started.stdout, 256<<10)}
	_, _, err = c.request("initialize", object{
		"protocolVersion": "2025-06-18", "capabilities": object{}, "clientInfo": object{"name": "bench", "version": "1"},
	})
	took := time.Since(begin)
	if err == nil {
		_, err = c.stdin.Write([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"))
	}
	if err != nil {
		c.close()
		return nil, 0, err
	}
	return c, took, nil
}

// close ends the server, which is to go when its stdin does.
func (c *mcpClient) close() {
	_ = c.stdin.Close()
	timer := time.AfterFunc(5*time.Second, c.cancel)
	_ = c.command.Wait()
	timer.Stop()
	c.cancel()
}

// request returns the result and the time from the first byte written to the
// last byte read.
func (c *mcpClient) request(method string, params any) (json.RawMessage, time.Duration, error) {
	c.nextID++
	text, err := json.Marshal(object{"jsonrpc": "2.0", "id": c.nextID, "method": method, "params": params})
	if err != nil {
		return nil, 0, fmt.Errorf("encoding %s: %v", method, err)
	}
	timer := time.AfterFunc(patience, c.cancel) // which ends the read below
	defer timer.Stop()
	start := time.Now()
	if _, err := c.stdin.Write(append(text, '\n')); err != nil {
		return nil, 0, c.ended(method)
	}
	for {
		answer, err := c.in.ReadBytes('\n')
		took := time.Since(start)
		if err != nil {
			return nil, 0, c.ended(method)
		}
		var m struct {
			ID     int             `json:"id"`
			Method string          `json:"method"`
			Result json.RawMessage `json:"result"`
			Error  *wireError      `json:"error"`
		}
		switch err := json.Unmarshal(answer, &m); {
		case err != nil:
			return nil, 0, fmt.Errorf("%s: decoding a message of the server: %v", method, err)
		case m.Method != "" || m.ID != c.nextID: // news, or what it asks an empty client for
		case m.Error != nil:
			return nil, 0, fmt.Errorf("%s: %w", method, m.Error)
		default:
			return m.Result, took, nil
		}
	}
}

// toolCall is a call of a tool, and a text that only a right answer holds.
type toolCall struct {
	tool      string
	arguments object
	want      string
}

func (c *mcpClient) call(t toolCall) (time.Duration, error) {
	result, took, err := c.request("tools/call", object{"name": t.tool, "arguments": t.arguments})
	if err == nil && (bytes.Contains(result, []byte(`"isError":true`)) || !bytes.Contains(result, []byte(t.want))) {
		err = fmt.Errorf("%s answers %.200s, want %q in it", t.tool, result, t.want)
	}
	return took, err
}
