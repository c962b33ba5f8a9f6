package lsp

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Error codes of JSON-RPC 2.0 and LSP 3.18.
const (
	CodeParse                = -32700
	CodeInvalidRequest       = -32600
	CodeMethodNotFound       = -32601
	CodeInvalidParams        = -32602
	CodeInternal             = -32603
	CodeServerNotInitialized = -32002
	CodeRequestFailed        = -32803
	CodeServerCancelled      = -32802
	CodeContentModified      = -32801
	CodeRequestCancelled     = -32800
)

// ErrClosed is returned for whatever the client can no longer answer or read.
var ErrClosed = errors.New("connection closed")

// Error is a JSON-RPC error a handler returns, alone or wrapped.
// If it is wrapped, the client gets its code and data with the text of the whole chain.
type Error struct {
	Code    int
	Message string
	Data    any // omitted if nil
}

func (e *Error) Error() string { return e.Message }

// Errorf returns an [Error] without data.
func Errorf(code int, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// ClientError is the client's refusal of a request made by [Conn.Call].
// It is not an [Error]: a handler that passes it on must not present the client's code as its own.
type ClientError struct {
	Method  string
	Code    int
	Message string
	Data    json.RawMessage
}

func (e *ClientError) Error() string {
	return fmt.Sprintf("%s: client answered %d: %s", e.Method, e.Code, e.Message)
}
