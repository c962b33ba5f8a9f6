package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// arguments are the members of a JSON object, which are asked for one by one;
// end then tells of the first that was wrong. A null is a member left out.
type arguments struct {
	what   string // whose arguments they are, such as edit_file or edit_file: edits[0]
	values map[string]jsontext.Value
	asked  []string
	wrong  error // the first thing
}

// parseArguments reads a JSON object. No object at all has no members.
func parseArguments(what string, raw []byte) (*arguments, error) {
	a := &arguments{what: what, values: map[string]jsontext.Value{}}
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || string(raw) == "null" {
		return a, nil
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(raw))
	if d.PeekKind() != '{' {
		return nil, fmt.Errorf("%s: the arguments are no object", what)
	}
	for _, err := d.ReadToken(); d.PeekKind() != '}'; {
		if err != nil {
			return nil, a.syntax(err)
		}
		name, err := d.ReadToken()
		if err != nil {
			return nil, a.syntax(err)
		}
		key := name.String()
		value, err := d.ReadValue()
		if err != nil {
			return nil, a.syntax(err)
		}
		if value.Kind() != 'n' {
			a.values[key] = value.Clone()
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, a.syntax(err)
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return nil, fmt.Errorf("%s: there is more than one object of arguments", what)
	}
	return a, nil
}

func (a *arguments) syntax(err error) error {
	return fmt.Errorf("%s: reading the arguments: %s", a.what, strings.TrimPrefix(err.Error(), "jsontext: "))
}

// end returns what was wrong with what was asked for, or an error if there is
// an argument that was not asked for.
func (a *arguments) end() error {
	if a.wrong != nil {
		return a.wrong
	}
	known := 0
	for _, name := range a.asked {
		if _, ok := a.values[name]; ok {
			known++
		}
	}
	if known == len(a.values) {
		return nil
	}
	for _, name := range a.asked {
		delete(a.values, name)
	}
	least := ""
	for name := range a.values {
		if least == "" || name < least {
			least = name
		}
	}
	return fmt.Errorf("%s has no argument %q; it takes %s", a.what, least, strings.Join(a.asked, ", "))
}

func (a *arguments) fail(format string, args ...any) {
	if a.wrong == nil {
		a.wrong = fmt.Errorf("%s: %w", a.what, fmt.Errorf(format, args...))
	}
}

// value returns the argument name, nil if it was left out.
func (a *arguments) value(name string) jsontext.Value {
	a.asked = append(a.asked, name)
	return a.values[name]
}

func (a *arguments) has(name string) bool { return a.values[name] != nil }

func (a *arguments) need(name string) {
	if !a.has(name) {
		a.fail("%s is missing", name)
	}
}

// text returns a string, "" if it was left out.
func (a *arguments) text(name string) string {
	v := a.value(name)
	if v == nil {
		return ""
	}
	if v.Kind() != '"' {
		a.fail("%s must be a string, not %s", name, describe(v))
		return ""
	}
	s, err := jsontext.AppendUnquote(nil, v)
	if err != nil {
		a.fail("%s: %v", name, err)
	}
	return string(s)
}

// path returns the name of a file or folder, "" if it was left out.
func (a *arguments) path(name string) string {
	p := a.text(name)
	switch {
	case a.has(name) && p == "":
		a.fail("%s is empty", name)
	case strings.IndexByte(p, 0) >= 0:
		a.fail("%s has a zero byte", name)
	}
	return p
}

// flag returns a boolean, false if it was left out.
func (a *arguments) flag(name string) bool {
	v := a.value(name)
	if k := v.Kind(); v != nil && k != 't' && k != 'f' {
		a.fail("%s must be true or false, not %s", name, describe(v))
	}
	return v.Kind() == 't'
}

// number returns a whole number from least to most, nil if it was left out.
func (a *arguments) number(name string, least, most int64) *int64 {
	v := a.value(name)
	if v == nil {
		return nil
	}
	if v.Kind() != '0' {
		a.fail("%s must be a whole number, not %s", name, describe(v))
		return nil
	}
	n, err := strconv.ParseInt(string(v), 10, 64)
	if err != nil { // 1e3 and 5.0 are whole too
		f, err := strconv.ParseFloat(string(v), 64)
		if err != nil || f != math.Trunc(f) || math.Abs(f) > maxNumber {
			a.fail("%s must be a whole number, not %s", name, describe(v))
			return nil
		}
		n = int64(f)
	}
	switch {
	case n < least:
		a.fail("%s is %d, and the least is %d", name, n, least)
	case n > most:
		a.fail("%s is %d, and the most is %d", name, n, most)
	}
	return &n
}

// maxNumber is the largest number that every reader of JSON holds exactly.
const maxNumber = 1<<53 - 1

// list returns the elements of a list, nil if it was left out.
func (a *arguments) list(name string) []jsontext.Value {
	v := a.value(name)
	if v == nil {
		return nil
	}
	var list []json.RawMessage
	if err := json.Unmarshal(v, &list); err != nil {
		a.fail("%s must be a list, not %s", name, describe(v))
	}
	out := make([]jsontext.Value, len(list))
	for i, e := range list {
		out[i] = jsontext.Value(e)
	}
	return out
}

// texts returns a list of strings, nil if it was left out.
func (a *arguments) texts(name string) []string {
	var out []string
	for i, v := range a.list(name) {
		if v.Kind() != '"' {
			a.fail("%s[%d] must be a string, not %s", name, i, describe(v))
			return nil
		}
		s, err := jsontext.AppendUnquote(nil, v)
		if err != nil {
			a.fail("%s[%d]: %v", name, i, err)
		}
		out = append(out, string(s))
	}
	return out
}

// describe names a value in an error, all of it if it is short.
func describe(v jsontext.Value) string {
	switch v.Kind() {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case 'n':
		return "null"
	}
	const most = 40
	if s := string(v); len(s) <= most {
		return s
	}
	if v.Kind() == '"' {
		return "a long string"
	}
	return "a long number"
}
