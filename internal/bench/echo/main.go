// Command echo is the least a language server in Go can do, and so the floor
// that a real one is measured against: it reads framed messages, decodes them
// with encoding/json, answers every request with a small result and every
// change of a document with an empty list of diagnostics.
//
// It keeps no documents and checks nothing.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/textproto"
	"os"
	"strconv"
)

func main() {
	log.SetFlags(0)
	if err := serve(os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

type message struct {
	ID     json.RawMessage `json:"id"` // nil for a notification
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// serve answers the messages of r on w until an exit notification or the end
// of r.
func serve(r io.Reader, w io.Writer) error {
	in := bufio.NewReaderSize(r, 64<<10)
	for {
		body, err := readBody(in)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var m message
		if err := json.Unmarshal(body, &m); err != nil {
			return fmt.Errorf("decoding message: %v", err)
		}
		if m.Method == "exit" {
			return nil
		}
		reply, err := answer(m)
		if err != nil {
			return err
		}
		if reply == nil {
			continue
		}
		if _, err := fmt.Fprintf(w, "Content-Length: %d\r\n\r\n%s", len(reply), reply); err != nil {
			return fmt.Errorf("writing message: %v", err)
		}
	}
}

func readBody(in *bufio.Reader) ([]byte, error) {
	header, err := textproto.NewReader(in).ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil || n < 0 {
		return nil, fmt.Errorf("reading Content-Length %q", header.Get("Content-Length"))
	}
	body := make([]byte, n)
	_, err = io.ReadFull(in, body)
	return body, err
}

// answer returns the message due after m, nil if there is none.
func answer(m message) ([]byte, error) {
	switch {
	case m.Method == "textDocument/didChange":
		var params struct {
			TextDocument struct {
				URI     string `json:"uri"`
				Version int    `json:"version"`
			} `json:"textDocument"`
		}
		if err := json.Unmarshal(m.Params, &params); err != nil {
			return nil, fmt.Errorf("decoding didChange: %v", err)
		}
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":%q,"version":%d,"diagnostics":[]}}`,
			params.TextDocument.URI, params.TextDocument.Version), nil
	case m.ID == nil:
		return nil, nil
	}
	result := []byte(`{}`)
	switch m.Method {
	case "initialize":
		result = []byte(`{"capabilities":{"textDocumentSync":2,"hoverProvider":true}}`)
	case "bench/sized":
		var params struct {
			Bytes int `json:"bytes"` // of the result to answer with
		}
		if err := json.Unmarshal(m.Params, &params); err != nil {
			return nil, fmt.Errorf("decoding bench/sized: %v", err)
		}
		result = append(append([]byte{'"'}, bytes.Repeat([]byte("x"), max(0, params.Bytes-2))...), '"')
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result), nil
}
