package lsp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// This file is a client for tests of artifacts, without documents.

// caller is a client that answers what the server asks, and keeps what it is
// told of artifacts.
type caller struct {
	t    *testing.T
	root string
	conn io.ReadWriteCloser

	writing sync.Mutex // held while a message is written

	mu      sync.Mutex
	last    int            // id of the last request
	answers map[int]answer // not yet taken
	order   []int          // ids, as they were answered
	changed map[string]int // acode/artifactsChanged by session
	shown   []string       // URIs of window/showDocument
	stir    chan struct{}  // closed when something came
	ended   chan struct{}  // closed when nothing more comes
	replies sync.WaitGroup // to the server's requests
}

type answer struct {
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
		Data    json.RawMessage
	}
}

// newCaller connects to a server and initializes it.
func newCaller(t *testing.T, conn io.ReadWriteCloser, root string) *caller {
	t.Helper()
	c := &caller{
		t: t, root: root, conn: conn, answers: map[int]answer{}, changed: map[string]int{},
		stir: make(chan struct{}), ended: make(chan struct{}),
	}
	go c.read()
	t.Cleanup(func() {
		conn.Close()
		<-c.ended
		c.replies.Wait()
	})
	c.must("initialize", map[string]any{
		"rootUri":      fileURI(root),
		"capabilities": map[string]any{"window": map[string]any{"showDocument": map[string]any{"support": true}}},
	})
	c.send(map[string]any{"method": "initialized", "params": map[string]any{}})
	return c
}

// fileURI returns the URI of an absolute path.
func fileURI(path string) string {
	return "file:///" + strings.TrimPrefix(filepath.ToSlash(path), "/")
}

func (c *caller) read() {
	defer close(c.ended)
	in := bufio.NewReader(c.conn)
	for {
		header, err := textproto.NewReader(in).ReadMIMEHeader()
		if err != nil {
			return
		}
		n, err := strconv.Atoi(header.Get("Content-Length"))
		body := make([]byte, n)
		if err == nil {
			_, err = io.ReadFull(in, body)
		}
		if err != nil {
			return
		}
		var m struct {
			ID     *int
			Method string
			Params struct{ Session, URI string }
			answer
		}
		if err := json.Unmarshal(body, &m); err != nil {
			c.t.Errorf("%v in %s", err, body)
			return
		}
		c.mu.Lock()
		switch {
		case m.Method == "":
			c.answers[*m.ID] = m.answer
			c.order = append(c.order, *m.ID)
		case m.Method == "acode/artifactsChanged":
			c.changed[m.Params.Session]++
		case m.Method == "window/showDocument":
			c.shown = append(c.shown, m.Params.URI)
		}
		if m.Method != "" && m.ID != nil {
			c.replies.Go(func() {
				c.send(map[string]any{"id": *m.ID, "result": map[string]bool{"success": true}})
			})
		}
		close(c.stir)
		c.stir = make(chan struct{})
		c.mu.Unlock()
	}
}

func (c *caller) send(m map[string]any) {
	m["jsonrpc"] = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		c.t.Error(err)
		return
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err = fmt.Fprintf(c.conn, "Content-Length: %d\r\n\r\n%s", len(body), body)
	if err != nil && !errors.Is(err, io.ErrClosedPipe) && !errors.Is(err, os.ErrClosed) {
		c.t.Errorf("writing to the server: %v", err)
	}
}

// start sends a request and returns its id.
func (c *caller) start(method string, params any) int {
	c.mu.Lock()
	c.last++
	id := c.last
	c.mu.Unlock()
	c.send(map[string]any{"id": id, "method": method, "params": params})
	return id
}

// await returns when done does, which is asked whenever something came.
func (c *caller) await(what string, done func() bool) {
	c.t.Helper()
	give := time.After(patience)
	for {
		c.mu.Lock()
		ok, stir := done(), c.stir
		c.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-stir:
		case <-c.ended:
			c.t.Fatalf("the server ended, but no %s came", what)
		case <-give:
			c.t.Fatalf("no %s comes", what)
		}
	}
}

func (c *caller) call(method string, params any) answer {
	c.t.Helper()
	id := c.start(method, params)
	var a answer
	c.await("answer to "+method, func() (ok bool) {
		a, ok = c.answers[id]
		return ok
	})
	return a
}

// must returns the result of a request that succeeds.
func (c *caller) must(method string, params any) json.RawMessage {
	c.t.Helper()
	a := c.call(method, params)
	if a.Error != nil {
		c.t.Fatalf("%s: %+v", method, a.Error)
	}
	return a.Result
}

// process has an output stored, and returns the id of the artifact.
func (c *caller) process(session, content string) string {
	c.t.Helper()
	var r struct {
		ID        string `json:"artifactId"`
		Reference string `json:"artifactReference"`
		Content   string `json:"content"`
	}
	raw := c.must("acode/process", map[string]any{"session": session, "tool": "execute_command", "source": "make", "content": content})
	if err := json.Unmarshal(raw, &r); err != nil || r.ID == "" || !strings.HasPrefix(r.Content, r.Reference+"\n") {
		c.t.Fatalf("acode/process: %v in %.300s", err, raw)
	}
	return r.ID
}

// files lists the artifacts that are on disk.
func (c *caller) files() []string {
	c.t.Helper()
	entries, err := os.ReadDir(filepath.Join(c.root, ".acode", "artifacts"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		c.t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "art_") && !strings.HasSuffix(e.Name(), ".meta.json") {
			names = append(names, e.Name())
		}
	}
	return names
}

// numberedLines returns n lines of 10 bytes.
func numberedLines(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "line %04d\n", i)
	}
	return b.String()
}

type rawJSON string

func (r rawJSON) MarshalJSON() ([]byte, error) { return []byte(r), nil }

func (a answer) String() string {
	if a.Error != nil {
		return strings.TrimSpace(fmt.Sprintf("error %d: %s %s", a.Error.Code, a.Error.Message, a.Error.Data))
	}
	return string(a.Result)
}

// sameDocument holds the document of an artifact to what it is to be (C-147,
// C-148).
func (c *caller) sameDocument(id, want string) {
	c.t.Helper()
	var doc struct{ Text string }
	raw := c.must("workspace/textDocumentContent", map[string]string{"uri": "acode-artifact:/" + id + ".txt"})
	if err := json.Unmarshal(raw, &doc); err != nil || doc.Text != want {
		c.t.Errorf("the document of %s is %.100q, %v, want %.100q", id, doc.Text, err, want)
	}
}

// quit ends a server as an editor does.
func (c *caller) quit(s *server) {
	c.t.Helper()
	c.must("shutdown", nil)
	c.send(map[string]any{"method": "exit"})
	c.ends(s.done)
}

func (c *caller) ends(done <-chan struct{}) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	select {
	case <-done:
	case <-ctx.Done():
		c.t.Fatal("the server does not end")
	}
}
