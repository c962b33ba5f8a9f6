package mcp

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/acode-ls/acode-ls/internal/fileuri"
)

// This file passes JSON on between the form of acode/* requests and that of
// MCP, where keys are in snake_case and documents are named by path.

// path returns the path by which an agent knows a document: relative to the
// root and with slashes if it is in there. One that JSON cannot hold, as it is
// not UTF-8, stays a URI.
func (s *server) path(uri string) string {
	abs, err := fileuri.Parse(uri)
	if err != nil || !utf8.ValidString(abs) {
		return uri
	}
	rel, err := filepath.Rel(s.opts.Hub.Root(), abs)
	if err != nil || !filepath.IsLocal(rel) {
		return abs
	}
	return filepath.ToSlash(rel)
}

// rewriting copies JSON with other names.
type rewriting struct {
	in     *jsontext.Decoder
	out    []byte
	rename func(r *rewriting, depth int, key string) error // writes a member, whose key was read
}

var rewriteOptions = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// rewrite appends value to out.
func rewrite(out, value []byte, rename func(*rewriting, int, string) error) ([]byte, error) {
	r := &rewriting{in: jsontext.NewDecoder(bytes.NewBuffer(value), rewriteOptions...), out: out, rename: rename}
	err := r.value(0)
	return r.out, err
}

// value copies the next value, which is depth deep in others.
func (r *rewriting) value(depth int) error {
	switch r.in.PeekKind() {
	case '{':
		return r.members(func(key string) error { return r.rename(r, depth+1, key) })
	case '[':
		return r.elements(depth)
	}
	v, err := r.in.ReadValue()
	r.out = append(r.out, v...)
	return err
}

// members copies an object; member writes what becomes of a member.
func (r *rewriting) members(member func(key string) error) error {
	if _, err := r.in.ReadToken(); err != nil {
		return err
	}
	r.out = append(r.out, '{')
	for start := len(r.out); r.in.PeekKind() != '}'; {
		key, err := r.in.ReadToken()
		if err != nil {
			return err
		}
		before := len(r.out)
		if before > start {
			r.out = append(r.out, ',')
		}
		after := len(r.out)
		if err := member(key.String()); err != nil {
			return err
		}
		if len(r.out) == after { // nothing became of it
			r.out = r.out[:before]
		}
	}
	r.out = append(r.out, '}')
	_, err := r.in.ReadToken()
	return err
}

func (r *rewriting) elements(depth int) error {
	if _, err := r.in.ReadToken(); err != nil {
		return err
	}
	r.out = append(r.out, '[')
	for first := true; r.in.PeekKind() != ']'; first = false {
		if !first {
			r.out = append(r.out, ',')
		}
		if err := r.value(depth + 1); err != nil {
			return err
		}
	}
	r.out = append(r.out, ']')
	_, err := r.in.ReadToken()
	return err
}

// key begins a member.
func (r *rewriting) key(name string) { r.out = append(appendQuoted(r.out, name), ':') }

// text copies the next value with other text, if it is a string.
func (r *rewriting) text(change func(string) string) error {
	v, err := r.in.ReadValue()
	if err != nil || v.Kind() != '"' {
		r.out = append(r.out, v...)
		return err
	}
	s, err := jsontext.AppendUnquote(nil, v)
	r.out = appendQuoted(r.out, change(string(s)))
	return err
}

// appendQuoted appends s as a JSON string; bytes that are no UTF-8 become
// U+FFFD.
func appendQuoted(out []byte, s string) []byte {
	out, _ = jsontext.AppendQuote(out, s)
	return out
}

func quoted(s string) jsontext.Value { return appendQuoted(make([]byte, 0, len(s)+len(s)/8+2), s) }

// snakeCase returns the answer of a request in the form of MCP, and the value of
// its member content, if it has one. It begins with the members in lead, if
// any, and does not have the member without.
func (s *server) snakeCase(answer []byte, lead, without string) (out, content jsontext.Value, err error) {
	var from, to int
	rename := func(r *rewriting, depth int, key string) error {
		switch {
		case depth == 1 && key == "content":
			if key == without {
				return r.in.SkipValue()
			}
			r.key(key)
			from = len(r.out)
			err := r.value(depth)
			to = len(r.out)
			return err
		case key == "uri":
			return s.document(r)
		case key == "textDocument" && r.in.PeekKind() == '{':
			return s.textDocument(r)
		case key == "sha256" && r.in.PeekKind() == '{':
			r.key(key)
			return r.members(func(uri string) error {
				r.key(s.path(uri))
				return r.value(depth + 1)
			})
		}
		r.key(snake(key))
		return r.value(depth)
	}
	out, err = rewrite(make([]byte, 0, len(answer)+len(answer)/8+len(lead)+64), answer, rename)
	if err != nil {
		return nil, nil, fmt.Errorf("reading an answer of the workspace: %w", err)
	}
	content = out[from:to:to]
	if lead != "" {
		out = insert(out, lead)
	}
	return out, content, nil
}

// insert returns an object with the members in lead before its own.
func insert(object jsontext.Value, lead string) jsontext.Value {
	out := append(make([]byte, 0, len(object)+len(lead)+1), '{')
	out = append(out, lead...)
	if len(object) > len("{}") {
		out = append(out, ',')
	}
	return append(out, object[1:]...)
}

// document copies the value of a key uri. Documents get a path instead.
func (s *server) document(r *rewriting) error {
	v, err := r.in.ReadValue()
	if err != nil {
		return err
	}
	uri, err := jsontext.AppendUnquote(nil, v)
	if err != nil || !strings.HasPrefix(string(uri), fileScheme) {
		r.key("uri")
		r.out = append(r.out, v...)
		return nil
	}
	r.key("path")
	r.out = appendQuoted(r.out, s.path(string(uri)))
	return nil
}

// textDocument writes the path of {"uri": URI} in place of the object.
func (s *server) textDocument(r *rewriting) error {
	if _, err := r.in.ReadToken(); err != nil {
		return err
	}
	for r.in.PeekKind() != '}' {
		key, err := r.in.ReadToken()
		if err != nil {
			return err
		}
		if key.String() == "uri" {
			err = s.document(r)
		} else {
			err = r.in.SkipValue()
		}
		if err != nil {
			return err
		}
	}
	_, err := r.in.ReadToken()
	return err
}

// snake returns a key in snake_case.
func snake(key string) string {
	upper := func(r rune) bool { return 'A' <= r && r <= 'Z' }
	if strings.IndexFunc(key, upper) < 0 {
		return key
	}
	var b strings.Builder
	for _, r := range key {
		if upper(r) {
			b.WriteByte('_')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// workspaceEdit returns a WorkspaceEdit in which documents may be named by path
// with their URIs.
func (s *server) workspaceEdit(edit jsontext.Value) (jsontext.Value, error) {
	name := func(document string) string {
		if document == "" || strings.HasPrefix(document, fileScheme) {
			return document
		}
		return s.uri(document)
	}
	return rewrite(nil, edit, func(r *rewriting, depth int, key string) error {
		r.key(key)
		switch {
		case key == "uri" || key == "oldUri" || key == "newUri":
			return r.text(name)
		case key == "changes" && depth == 1 && r.in.PeekKind() == '{':
			return r.members(func(document string) error {
				r.key(name(document))
				return r.value(depth + 1)
			})
		}
		return r.value(depth)
	})
}
