package lsp

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"go.lsp.dev/jsonrpc2"
)

// A message is a request or notification of the client, or a refusal to be sent in the place of one.
//
// To the library it is a notification, which needs no answer: answers are ours, since the library's ids
// are strings or 32-bit integers and a client's may be any number.
type message struct {
	jsonrpc2.Notification
	id      string // JSON text of the id byte for byte, "" for a notification
	method  string
	params  json.RawMessage
	refusal *Error
}

var _ jsonrpc2.Request = (*message)(nil)

func (m *message) Method() string          { return m.method }
func (m *message) Params() json.RawMessage { return m.params }

// An answer is the client's answer to a request of ours.
type answer struct {
	result json.RawMessage // nil means null
	err    json.RawMessage // not nil if the client refused
}

func (a answer) decode(method string, result any) error {
	if a.err != nil {
		e := ClientError{Method: method}
		var wire struct {
			Code    json.Number
			Message string
			Data    json.RawMessage
		}
		if err := json.Unmarshal(a.err, &wire); err != nil {
			e.Message = string(a.err)
			return &e
		}
		e.Code, _ = strconv.Atoi(wire.Code.String())
		e.Message, e.Data = wire.Message, wire.Data
		return &e
	}
	if result == nil || a.result == nil {
		return nil
	}
	if raw, ok := result.(*json.RawMessage); ok {
		*raw = a.result // which was checked when it was read, and is not shared
		return nil
	}
	if err := json.Unmarshal(a.result, result); err != nil {
		return fmt.Errorf("decoding the answer to %s: %w", method, err)
	}
	return nil
}

// encodeParams encodes with the standard library, whose rules (omitzero among them) the wire structs are
// written for; what the library gets is JSON already.
func encodeParams(params any) (json.RawMessage, error) {
	if params == nil {
		return nil, nil
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(params); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// encodeResult and encodeError return errors for what json.Marshal panics on, too: the value is a handler's.

func encodeResult(id string, result any) (f *frame, err error) {
	return encodeMember(id, `,"result":`, result)
}

func encodeError(id string, e *Error) (*frame, error) {
	type wireError struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Data    any    `json:"data,omitempty"`
	}
	return encodeMember(id, `,"error":`, wireError{e.Code, e.Message, e.Data})
}

func encodeMember(id, name string, value any) (f *frame, err error) {
	f = newFrame()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
		if err != nil {
			f.free()
			f = nil
		}
	}()
	f.WriteString(`{"jsonrpc":"2.0","id":`)
	f.WriteString(id)
	f.WriteString(name)
	if value == nil {
		f.WriteString("null")
	} else if err := f.encode(value); err != nil {
		return f, err
	}
	f.WriteByte('}')
	return f, nil
}

// encodeRequest encodes a request to the client, or a notification if id is "".
func encodeRequest(id, method string, params json.RawMessage) (*frame, error) {
	f := newFrame()
	f.WriteString(`{"jsonrpc":"2.0",`)
	if id != "" {
		f.WriteString(`"id":`)
		f.WriteString(id)
		f.WriteByte(',')
	}
	f.WriteString(`"method":`)
	if err := f.encode(method); err != nil {
		f.free()
		return nil, err
	}
	// JSON-RPC 2.0, section 4.2: params are an object or an array, or left out.
	if len(params) > 0 && string(params) != "null" {
		f.WriteString(`,"params":`)
		f.Write(params)
	}
	f.WriteByte('}')
	return f, nil
}

// idKey returns equal strings for ids that are equal. Numbers are compared by their text.
func idKey(id string) string {
	if strings.IndexByte(id, '\\') < 0 {
		return id
	}
	s, _ := unquote([]byte(id))
	return `"` + s + `"`
}

// unquote decodes a JSON string, and reports false for any other value.
func unquote(raw []byte) (s string, ok bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1]), true
	}
	err := json.Unmarshal(raw, &s)
	return s, err == nil
}

// A wrapper has the members of a message, each the JSON text of its value, nil if it is not there.
type wrapper struct {
	version, id, method, params, result, err json.RawMessage
}

var errNoObject = errors.New("not an object")

// scanEnvelope slices a JSON text into the members of a message in one pass, checking all of it.
// If the text is malformed, the wrapper has the members before that place; if it is well formed but
// not an object, the error is errNoObject.
func scanEnvelope(text []byte) (wrapper, error) {
	var e wrapper
	s := scanner{text: text}
	s.space()
	if s.peek() != '{' {
		if err := s.value(0); err != nil {
			return e, err
		}
		if err := s.end(); err != nil {
			return e, err
		}
		return e, errNoObject
	}
	if err := s.object(0, &e); err != nil {
		return e, err
	}
	return e, s.end()
}

func (e *wrapper) set(key, value []byte) {
	name := key[1 : len(key)-1]
	if bytes.IndexByte(name, '\\') >= 0 {
		unquoted, _ := unquote(key)
		name = []byte(unquoted)
	}
	switch string(name) {
	case "jsonrpc":
		e.version = value
	case "id":
		e.id = value
	case "method":
		e.method = value
	case "params":
		e.params = value
	case "result":
		e.result = value
	case "error":
		e.err = value
	}
}

// A scanner checks a JSON text (RFC 8259) without decoding it. It accepts what json.Valid accepts.
type scanner struct {
	text []byte
	pos  int
}

// maxDepth is the nesting json.Unmarshal accepts. A scanner without a limit can be made to exhaust the
// stack, which ends the process.
const maxDepth = 10000

func (s *scanner) fail() error {
	if s.pos >= len(s.text) {
		return errors.New("unexpected end of JSON text")
	}
	return fmt.Errorf("unexpected %q at byte %d of the JSON text", s.text[s.pos], s.pos)
}

// peek returns the next byte, 0 at the end.
func (s *scanner) peek() byte {
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

func (s *scanner) space() {
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case ' ', '\t', '\r', '\n':
			s.pos++
		default:
			return
		}
	}
}

// end checks that nothing but space is left.
func (s *scanner) end() error {
	s.space()
	if s.pos < len(s.text) {
		return s.fail()
	}
	return nil
}

// value passes a value that begins at pos, within depth others.
func (s *scanner) value(depth int) error {
	switch c := s.peek(); c {
	case '{':
		return s.object(depth, nil)
	case '[':
		return s.array(depth)
	case '"':
		return s.str()
	case 't':
		return s.literal("true")
	case 'f':
		return s.literal("false")
	case 'n':
		return s.literal("null")
	default:
		return s.number()
	}
}

// object passes an object, setting each member in e, if not nil, once it is known to be complete.
func (s *scanner) object(depth int, e *wrapper) error {
	if depth >= maxDepth {
		return errors.New("JSON text is nested too deeply")
	}
	s.pos++
	s.space()
	if s.peek() == '}' {
		s.pos++
		return nil
	}
	for {
		key := s.pos
		if s.peek() != '"' {
			return s.fail()
		}
		if err := s.str(); err != nil {
			return err
		}
		keyEnd := s.pos
		s.space()
		if s.peek() != ':' {
			return s.fail()
		}
		s.pos++
		s.space()
		value := s.pos
		if err := s.value(depth + 1); err != nil {
			return err
		}
		valueEnd := s.pos
		s.space()
		c := s.peek()
		if c != ',' && c != '}' {
			return s.fail()
		}
		if e != nil {
			e.set(s.text[key:keyEnd], s.text[value:valueEnd:valueEnd])
		}
		s.pos++
		if c == '}' {
			return nil
		}
		s.space()
	}
}

func (s *scanner) array(depth int) error {
	if depth >= maxDepth {
		return errors.New("JSON text is nested too deeply")
	}
	s.pos++
	s.space()
	if s.peek() == ']' {
		s.pos++
		return nil
	}
	for {
		if err := s.value(depth + 1); err != nil {
			return err
		}
		s.space()
		switch s.peek() {
		case ',':
			s.pos++
			s.space()
		case ']':
			s.pos++
			return nil
		default:
			return s.fail()
		}
	}
}

func (s *scanner) literal(word string) error {
	for i := range len(word) {
		if s.peek() != word[i] {
			return s.fail()
		}
		s.pos++
	}
	return nil
}

func (s *scanner) number() error {
	if s.peek() == '-' {
		s.pos++
	}
	if s.peek() == '0' {
		s.pos++
	} else if err := s.digits(); err != nil {
		return err
	}
	if s.peek() == '.' {
		s.pos++
		if err := s.digits(); err != nil {
			return err
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.pos++
		if c := s.peek(); c == '+' || c == '-' {
			s.pos++
		}
		return s.digits()
	}
	return nil
}

func (s *scanner) digits() error {
	if c := s.peek(); c < '0' || '9' < c {
		return s.fail()
	}
	for c := s.peek(); '0' <= c && c <= '9'; c = s.peek() {
		s.pos++
	}
	return nil
}

// str passes a string. Most of a large message is one, so plain bytes are passed eight at a time.
func (s *scanner) str() error {
	text, i := s.text, s.pos+1
	for {
		for i+8 <= len(text) {
			if m := special(binary.LittleEndian.Uint64(text[i:])); m != 0 {
				i += bits.TrailingZeros64(m) / 8
				break
			}
			i += 8
		}
		s.pos = i
		if i >= len(text) {
			return s.fail()
		}
		switch c := text[i]; {
		case c == '"':
			s.pos++
			return nil
		case c == '\\':
			if err := s.escape(); err != nil {
				return err
			}
			i = s.pos
		case c < ' ':
			return s.fail()
		default:
			i++
		}
	}
}

// special marks the high bit of the first byte of x that is a control character, a quote or a backslash;
// marks above the first mean nothing.
func special(x uint64) uint64 {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	control := (x - ones*' ') &^ x
	quote := x ^ ones*'"'
	quote = (quote - ones) &^ quote
	backslash := x ^ ones*'\\'
	backslash = (backslash - ones) &^ backslash
	return (control | quote | backslash) & highs
}

func (s *scanner) escape() error {
	s.pos++
	switch s.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.pos++
		return nil
	case 'u':
		s.pos++
		for range 4 {
			c := s.peek()
			if (c < '0' || '9' < c) && (c < 'a' || 'f' < c) && (c < 'A' || 'F' < c) {
				return s.fail()
			}
			s.pos++
		}
		return nil
	}
	return s.fail()
}
