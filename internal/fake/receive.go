package fake

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// This file is how the editor takes what the server sends.

// receive handles one message. It runs in the goroutine that reads, so that
// messages are handled in order. An error ends the connection.
func (e *Editor) receive(m message) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	defer e.stir()
	err := e.handle(m)
	if errors.Is(err, ErrClosed) {
		return nil // nothing can be told any more, but all is read to the end
	}
	return err
}

func (e *Editor) handle(m message) error {
	switch {
	case m.Method == "":
		e.fault("the server refuses a message of ours: %v", m.Error)
		return nil
	case m.ID == nil:
		return e.notified(m.Method, m.Params)
	}
	switch m.Method {
	case "workspace/applyEdit":
		return e.applyEdit(m)
	case "window/showDocument":
		return e.showDocument(m)
	}
	result, refusal := e.requested(m.Method, m.Params)
	return e.answer(m.ID, result, refusal)
}

func (e *Editor) answer(id json.RawMessage, result any, refusal *ResponseError) error {
	if refusal != nil {
		return e.conn.write(message{ID: id, Error: refusal})
	}
	raw, err := json.Marshal(result)
	if err != nil {
		return err
	}
	return e.conn.write(message{ID: id, Result: raw})
}

func (e *Editor) requested(method string, params json.RawMessage) (any, *ResponseError) {
	switch method {
	case "workspace/configuration":
		var p struct {
			Items []struct {
				Section string `json:"section"`
			} `json:"items"`
		}
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, &ResponseError{Code: -32602, Message: err.Error()}
		}
		answer := make([]any, len(p.Items))
		for i, item := range p.Items {
			if item.Section == "acode" {
				answer[i] = e.opts.Settings
			}
		}
		return answer, nil
	case "client/registerCapability":
		var p struct {
			Registrations []struct {
				Method string `json:"method"`
			} `json:"registrations"`
		}
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, &ResponseError{Code: -32602, Message: err.Error()}
		}
		for _, r := range p.Registrations {
			if e.opts.Personality != VSCode {
				e.fault("the server registers %s, which was not offered", r.Method)
			}
			e.events.Registered = append(e.events.Registered, r.Method)
		}
		return nil, nil
	case "workspace/codeLens/refresh", "workspace/diagnostic/refresh":
		if method == "workspace/diagnostic/refresh" && !e.opts.Pull {
			e.fault("the server refreshes diagnostics that are pushed")
		}
		e.events.Refreshed[method]++
		return nil, nil
	}
	e.fault("the server asks for %s", method)
	return nil, &ResponseError{Code: -32601, Message: "method not found: " + method}
}

func (e *Editor) notified(method string, params json.RawMessage) error {
	switch method {
	case "textDocument/publishDiagnostics":
		var p struct {
			URI         string        `json:"uri"`
			Version     *int          `json:"version"`
			Diagnostics *[]Diagnostic `json:"diagnostics"`
		}
		if err := json.Unmarshal(params, &p); err != nil {
			return err
		}
		if p.Diagnostics == nil {
			e.fault("diagnostics of %s are null", p.URI)
			return nil
		}
		e.published(p.URI, p.Version, *p.Diagnostics)
	case "window/showMessage":
		var p struct {
			Type    int    `json:"type"`
			Message string `json:"message"`
		}
		if err := json.Unmarshal(params, &p); err != nil {
			return err
		}
		kind := map[int]string{1: "error", 2: "warning", 3: "info"}[p.Type]
		e.events.Messages = append(e.events.Messages, kind+": "+p.Message)
	case "acode/stateChanged":
		var p struct {
			Session string   `json:"session"`
			URIs    []string `json:"uris"`
		}
		if err := json.Unmarshal(params, &p); err != nil {
			return err
		}
		for _, uri := range p.URIs {
			e.events.Changed[p.Session+" "+uri] = true
		}
	case "acode/editRefused":
		var p struct {
			Session string `json:"session"`
			Blocks  []struct {
				URI     string `json:"uri"`
				Message string `json:"message"`
			} `json:"blocks"`
		}
		if err := json.Unmarshal(params, &p); err != nil {
			return err
		}
		for _, b := range p.Blocks {
			e.events.Refused = append(e.events.Refused, p.Session+" "+b.URI+" "+b.Message)
		}
	case "$/cancelRequest":
		e.events.Cancelled++
	default:
		e.fault("the server notifies of %s", method)
	}
	return nil
}

// published takes pushed diagnostics and holds them to the text they speak of.
func (e *Editor) published(uri string, version *int, items []Diagnostic) {
	if e.opts.Pull {
		e.fault("diagnostics of %s are pushed to a client that pulls", uri)
	}
	p := Published{Diagnostics: items, Count: e.events.Diagnostics[uri].Count + 1}
	e.events.Diagnostics[uri] = p
	b := e.buffers[uri]
	if b == nil {
		// Closed meanwhile, or never open under this spelling.
		if len(items) > 0 && e.heard == e.told {
			e.fault("diagnostics of %s, which is not open", uri)
		}
		return
	}
	if version == nil {
		if len(items) > 0 {
			e.fault("diagnostics of %s without version", uri)
		}
		return
	}
	p.Version = *version
	e.events.Diagnostics[uri] = p
	if e.lax {
		return
	}
	about, ok := b.texts[*version]
	if !ok {
		if e.heard >= b.opened { // else they are of an earlier time it was open
			e.fault("diagnostics of %s at version %d, which never was", uri, *version)
		}
		return
	}
	for v, t := range b.texts {
		if v > *version && t.at <= e.heard {
			e.fault("diagnostics of %s at version %d, though the server knows version %d", uri, *version, v)
			return
		}
	}
	e.inside(uri, about.text, items)
}

// inside faults diagnostics that do not lie in the text.
func (e *Editor) inside(uri, text string, items []Diagnostic) {
	for _, d := range items {
		if err := check(text, d.Range, e.encoding); err != nil {
			e.fault("diagnostic %q of %s: %v", d.Message, uri, err)
		}
	}
}

// Diagnostics returns what is known of a document: it asks, if the editor
// pulls, else it returns what was published last.
func (e *Editor) Diagnostics(ctx context.Context, path string) ([]Diagnostic, error) {
	uri := e.URIOf(path)
	if !e.opts.Pull {
		e.mu.Lock()
		defer e.mu.Unlock()
		return e.events.Diagnostics[uri].Diagnostics, nil
	}
	e.mu.Lock()
	last := e.pulled[uri]
	e.mu.Unlock()
	first, err := e.pull(ctx, uri, path, last)
	if err != nil {
		return nil, err
	}
	// Asked again at once, little can have changed.
	second, err := e.pull(ctx, uri, path, first)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if second.id == first.id && second.kind != "unchanged" {
		e.fault("a full report of %s with the result id that was named", uri)
	}
	e.pulled[uri] = second
	return second.items, nil
}

// pulled is the last diagnostic report of a document.
type pulled struct {
	kind, id string
	items    []Diagnostic
}

func (e *Editor) pull(ctx context.Context, uri, path string, last pulled) (pulled, error) {
	params := object{"textDocument": object{"uri": uri}, "identifier": "acode-ls"}
	if last.id != "" {
		params["previousResultId"] = last.id
	}
	raw, err := e.Call(ctx, "textDocument/diagnostic", params)
	if err != nil {
		return pulled{}, err
	}
	var r struct {
		Kind     string        `json:"kind"`
		ResultID string        `json:"resultId"`
		Items    *[]Diagnostic `json:"items"`
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return pulled{}, err
	}
	switch {
	case r.Kind == "unchanged" && r.Items == nil && r.ResultID == last.id && last.id != "":
		return pulled{r.Kind, r.ResultID, last.items}, nil
	case r.Kind != "full" || r.Items == nil:
		return pulled{}, fmt.Errorf("diagnostic report %s", raw)
	}
	if text, _, ok := e.Text(path); ok {
		e.mu.Lock()
		e.inside(uri, text, *r.Items)
		e.mu.Unlock()
	}
	return pulled{r.Kind, r.ResultID, *r.Items}, nil
}

// showDocument shows a document. Neovim opens it first and asks the server
// about it before it answers.
func (e *Editor) showDocument(m message) error {
	var p struct {
		URI       string `json:"uri"`
		Selection *Range `json:"selection"`
	}
	if err := json.Unmarshal(m.Params, &p); err != nil {
		return err
	}
	path, err := pathOf(p.URI)
	if err != nil {
		e.fault("showing a document: %v", err)
		return e.answer(m.ID, object{"success": false}, nil)
	}
	shown := filepath.Base(path)
	if p.Selection != nil {
		shown += " " + p.Selection.String()
	}
	e.events.Shown = append(e.events.Shown, shown)
	if e.opts.Personality != Neovim {
		return e.answer(m.ID, object{"success": true}, nil)
	}
	if _, err := e.buffer(path); err != nil {
		if err := e.open(p.URI, path); err != nil {
			return err
		}
	}
	e.running.Go(func() {
		_, err := e.Call(context.Background(), "textDocument/hover", object{
			"textDocument": object{"uri": p.URI}, "position": Position{},
		})
		e.mu.Lock()
		defer e.mu.Unlock()
		if err != nil && !errors.Is(err, ErrClosed) {
			e.fault("asking while a document is shown: %v", err)
		}
		if err := e.answer(m.ID, object{"success": true}, nil); err != nil && !errors.Is(err, ErrClosed) && !errors.Is(err, os.ErrClosed) {
			e.fault("answering: %v", err)
		}
	})
	return nil
}
