// Package envelope writes the answer of a command as one JSON object,
//
//	{"ok", "data", "error", "warnings", "meta"}
//
// followed by a line feed, and no longer than a cap: what is too long is cut,
// the cut is announced in warnings and meta, and the result is complete JSON
// whatever happens.
//
// It does not know the commands, reads no environment and writes to no stream.
package envelope

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// DefaultCap is the size in bytes an envelope has at most.
const DefaultCap = 1 << 20

// ParseCap returns the cap that value sets, DefaultCap if it is empty.
func ParseCap(value string) (int, error) {
	if value == "" {
		return DefaultCap, nil
	}
	const most = 1 << 53 // the integers that every JSON reader holds exactly
	n, err := strconv.ParseInt(value, 10, strconv.IntSize)
	if err != nil || n < 1 || int64(n) > most {
		return 0, fmt.Errorf("%q is not a whole number of bytes from 1 to 2^53", value)
	}
	return int(n), nil
}

// Code is a machine's word for what went wrong.
type Code string

const (
	Usage         Code = "USAGE"
	Config        Code = "CONFIG"
	FieldTooLarge Code = "FIELD_TOO_LARGE"
	NotFound      Code = "NOT_FOUND"
	Integrity     Code = "INTEGRITY"
	Blocked       Code = "BLOCKED"
	StaleVersion  Code = "STALE_VERSION"
	TooLarge      Code = "TOO_LARGE"
	NoSpace       Code = "NO_SPACE"
	IO            Code = "IO"
	Internal      Code = "INTERNAL"
)

// Error is why a command did not do what it was asked.
type Error struct {
	Code    Code           `json:"code"`
	Status  int            `json:"status,omitempty"` // as of HTTP, where that has one
	Message string         `json:"message"`
	Phase   string         `json:"phase,omitempty"` // "validation": nothing was written
	Details map[string]any `json:"details,omitempty"`
}

// Cut says what is missing from one field.
type Cut struct {
	Field           string // its path, such as data.files
	Total, Returned int    // items of a list, bytes of a string

	// Size is in bytes: of a string with its marker, of a list as JSON.
	OriginalSize, Size int
}

func (c Cut) missing() int { return c.OriginalSize - c.Size }

// Answer is what a command has to say.
type Answer struct {
	Data     any    // in JSON; nil is null
	Error    *Error // nil if all went well
	Cut      *Cut   // what the command itself left out of Data, nil if nothing
	Duration time.Duration

	// Totals gives, by field, the number of items in all of a list of which
	// Data has only a page. It may be nil.
	Totals map[string]int

	// Rest returns a command that runs as it is printed and yields the next
	// part of what a cut left out, or "" if there is none. It may be nil.
	Rest func(Cut) string
}

// Encode returns the envelope in at most limit bytes, line feed included. If
// not even an envelope without data fits, it reports false and the smallest
// there is, which is longer than limit.
func (a Answer) Encode(limit int) (envelope []byte, ok bool) {
	data, err := encode(a.Data)
	if err != nil {
		a = Answer{Error: &Error{Code: Internal, Message: err.Error()}, Duration: a.Duration}
		data = []byte("null")
	}
	problem, err := encode(a.Error)
	if err != nil {
		problem, _ = encode(Error{Code: Internal, Message: err.Error()})
	}
	var cuts []Cut
	if a.Cut != nil {
		cuts = append(cuts, *a.Cut)
	}
	if out := a.wrap(data, problem, cuts); len(out) <= limit {
		return out, true
	}
	return a.fit(data, problem, cuts, limit)
}

// wrap puts an envelope around the JSON of its data and its error.
func (a Answer) wrap(data, problem []byte, cuts []Cut) []byte {
	type warning struct {
		Code            string `json:"code"`
		Category        string `json:"category"`
		Field           string `json:"field"`
		OriginalLength  int    `json:"original_length"`
		TruncatedLength int    `json:"truncated_length"`
		OriginalBytes   int    `json:"original_bytes"`
		ReturnedBytes   int    `json:"returned_bytes"`
	}
	type missing struct {
		Field         string `json:"field"`
		TotalCount    int    `json:"total_count"`
		ReturnedCount int    `json:"returned_count"`
		Hint          string `json:"truncation_hint,omitempty"`
	}
	out := struct {
		OK       bool            `json:"ok"`
		Data     json.RawMessage `json:"data"`
		Error    json.RawMessage `json:"error"`
		Warnings []warning       `json:"warnings"`
		Meta     struct {
			DurationMS float64 `json:"duration_ms"`
			Truncated  bool    `json:"truncated"`
			*missing
		} `json:"meta"`
	}{OK: a.Error == nil, Data: data, Error: problem, Warnings: []warning{}}
	out.Meta.DurationMS = float64(a.Duration.Microseconds()) / 1000
	for _, c := range cuts {
		out.Warnings = append(out.Warnings, warning{
			Code: "FIELD_TRUNCATED", Category: "TRUNCATION", Field: c.Field,
			OriginalLength: c.OriginalSize, TruncatedLength: c.Size,
			OriginalBytes: c.OriginalSize, ReturnedBytes: c.Size,
		})
	}
	if len(cuts) > 0 {
		first := cuts[0]
		out.Meta.Truncated = true
		total := cmp.Or(a.Totals[first.Field], first.Total)
		out.Meta.missing = &missing{Field: first.Field, TotalCount: total, ReturnedCount: first.Returned}
		if a.Rest != nil {
			out.Meta.Hint = a.Rest(first)
		}
	}
	line, err := encode(out)
	if err != nil { // both parts are JSON and the rest is plain
		panic(err)
	}
	return append(line, '\n')
}

// encode returns the JSON of v. Unlike json.Marshal it leaves <, > and & as
// they are: nothing here is put into HTML.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
