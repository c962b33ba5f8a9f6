package main

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// object is a JSON object under construction.
type object map[string]any

// kind says what a server is measured as.
type kind int

const (
	subject kind = iota // acode-ls
	floor               // the echo server
	peer                // gopls
	kinds
)

// server is how to start one server.
type server struct {
	kind    kind
	argv    []string // nil: not here
	env     []string
	options object // initializationOptions
}

// session is a server at work on its own copy of the workspace, with the small
// and the large document open.
type session struct {
	*client
	kind         kind
	small, large document
	versions     map[string]int  // of open documents by path
	inserted     map[string]bool // whether the first line is the one change inserts
}

// start spawns s for folder and returns how long it took until it was
// initialized.
func (s server) start(folder string) (*client, time.Duration, error) {
	begin := time.Now()
	c, err := spawn(s.argv, s.env, folder)
	if err != nil {
		return nil, 0, err
	}
	capabilities := object{"publishDiagnostics": object{"versionSupport": true}}
	if s.kind == peer {
		capabilities["diagnostic"] = object{}
	}
	_, _, err = c.request("initialize", object{
		"processId":             os.Getpid(),
		"rootUri":               fileURI(folder),
		"workspaceFolders":      []object{{"uri": fileURI(folder), "name": "bench"}},
		"capabilities":          object{"textDocument": capabilities},
		"initializationOptions": s.options,
	})
	took := time.Since(begin)
	if err == nil {
		err = c.notify("initialized", object{})
	}
	if err != nil {
		c.close()
		return nil, 0, err
	}
	return c, took, nil
}

// open starts a session in folder, which it fills.
func (s server) open(folder string) (*session, error) {
	small, large, err := generate(folder)
	if err != nil {
		return nil, err
	}
	c, _, err := s.start(folder)
	if err != nil {
		return nil, err
	}
	opened := &session{c, s.kind, small, large, map[string]int{}, map[string]bool{}}
	if err := opened.settle(); err != nil {
		c.close()
		return nil, err
	}
	for _, d := range []document{small, large} {
		if err := opened.openDocument(d); err != nil {
			c.close()
			return nil, err
		}
	}
	return opened, nil
}

func (s *session) openDocument(d document) error {
	s.versions[d.path] = 1
	err := s.notify("textDocument/didOpen", object{"textDocument": object{
		"uri": d.uri(), "languageId": "go", "version": 1, "text": d.text,
	}})
	if err == nil && s.kind == subject {
		// Diagnostics are about files that the agent has seen a part of.
		_, _, err = s.request("acode/read", readParams(d))
	}
	return err
}

// settle waits until the server has taken in its workspace.
func (s *session) settle() error {
	if s.kind == peer {
		_, _, err := s.request("workspace/symbol", object{"query": "small1"})
		return err
	}
	_, err := s.hello()
	return err
}

// hello is a request that no server knows: the price of framing alone.
func (s *session) hello() (time.Duration, error) {
	_, took, err := s.request("bench/unknown", object{})
	if err != nil && !isWireError(err) {
		return 0, err
	}
	return took, nil
}

// edit inserts a line at the head of d, or removes the one inserted before,
// and returns the time until the server has shown its diagnostics. Moving every
// line below makes sure that there is something new to say.
func (s *session) edit(d document, full bool) (time.Duration, error) {
	const line = "// inserted\n"
	s.versions[d.path]++
	s.inserted[d.path] = !s.inserted[d.path]
	text, end := "", 1
	if s.inserted[d.path] {
		text, end = line, 0
	}
	change := object{"text": text, "range": object{
		"start": object{"line": 0, "character": 0}, "end": object{"line": end, "character": 0},
	}}
	if full {
		change = object{"text": text + d.text}
	}
	version := s.versions[d.path]
	params := object{
		"textDocument":   object{"uri": d.uri(), "version": version},
		"contentChanges": []object{change},
	}
	if s.kind != peer {
		return s.change(params, version)
	}
	// gopls delays what it publishes, so it is asked instead.
	start := time.Now()
	if err := s.notify("textDocument/didChange", params); err != nil {
		return 0, err
	}
	asked := time.Since(start)
	_, took, err := s.request("textDocument/diagnostic", object{"textDocument": object{"uri": d.uri()}})
	return asked + took, err
}

// ask sends a request that only makes sense to some servers. The floor answers
// a request of its own that carries the same parameters with a result of size
// bytes.
func (s *session) ask(method string, params any, size int) (resultSize int, took time.Duration, err error) {
	if s.kind == floor {
		method, params = "bench/sized", object{"bytes": size, "like": params}
	}
	result, took, err := s.request(method, params)
	if err == nil && len(result) == 0 {
		err = errors.New(method + ": no result")
	}
	return len(result), took, err
}

func readParams(d document) object {
	return object{"textDocument": object{"uri": d.uri()}, "startLine": readFirst, "endLine": readLast}
}

// rss returns the resident memory of an idle server in bytes; with documents,
// after the agent has read a part of each.
func (s server) rss(folder string, documents []document, size int) (int64, error) {
	c, _, err := s.start(folder)
	if err != nil {
		return 0, err
	}
	defer c.close()
	fresh := &session{client: c, kind: s.kind}
	if err := fresh.settle(); err != nil {
		return 0, err
	}
	for _, d := range documents {
		if _, _, err := fresh.ask("acode/read", readParams(d), size); err != nil {
			return 0, err
		}
	}
	resident, err := residentMemory(c.command.Process.Pid)
	if err != nil {
		return 0, fmt.Errorf("reading memory: %v", err)
	}
	return resident, nil
}
