package main

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/acode-ls/acode-ls/internal/envelope"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// field is something that is written down as a user gives it.
type field struct {
	name, flag    string
	maxBytes      int
	maxCharacters int // 0: no limit of its own
	what          string
}

var (
	fieldSource  = field{"source", "--source", 255, 0, "where it comes from"}
	fieldType    = field{"type", "--type", 127, 0, "content type, as type/subtype"}
	fieldSummary = field{"summary", "--summary", 400, 100, "what it is, in one line"}
	fieldSession = field{"session", "--session", 128, 0, "id of the session: letters, digits, . _ -"}
)

type value struct {
	field
	text string
}

// checkFields refuses values over their limits, before anything is written.
func checkFields(values ...value) error {
	for _, v := range values {
		if len(v.text) > v.maxBytes {
			return fieldTooLarge(v.name, v.flag, len(v.text), v.maxBytes)
		}
		if n := utf8.RuneCountInString(v.text); v.maxCharacters > 0 && n > v.maxCharacters {
			return &failure{status: exitUsage, what: envelope.Error{
				Code: envelope.FieldTooLarge, Phase: "validation",
				Message: fmt.Sprintf("%s has %d characters, over the limit of %d", v.flag, n, v.maxCharacters),
				Details: map[string]any{"field": v.name, "max_characters": v.maxCharacters, "characters": n},
			}}
		}
		if v.name == fieldType.name && v.text != "" && !workspace.IsMediaType(v.text) {
			return usageError("--type %q is not a content type such as text/plain", v.text)
		}
	}
	return nil
}

const schemaUsage = "print the limits of the fields as JSON Schema, and do nothing else"

// writeSchema prints the JSON Schema of the fields of a command that writes.
func (a *app) writeSchema(command string, fields ...field) error {
	type property struct {
		Type        string `json:"type"`
		Description string `json:"description"`
		MaxBytes    int    `json:"max_bytes"`
		MaxLength   int    `json:"maxLength"` // characters
	}
	schema := struct {
		Schema               string              `json:"$schema"`
		Title                string              `json:"title"`
		Type                 string              `json:"type"`
		Properties           map[string]property `json:"properties"`
		AdditionalProperties bool                `json:"additionalProperties"`
	}{"https://json-schema.org/draft/2020-12/schema", "acode-ls " + command, "object", map[string]property{}, false}
	for _, f := range fields {
		most := f.maxCharacters
		if most == 0 {
			most = f.maxBytes
		}
		schema.Properties[f.name] = property{"string", f.what, f.maxBytes, most}
	}
	if a.json {
		return a.answer(envelope.Answer{Data: schema})
	}
	out, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		return err
	}
	return a.write(string(out) + "\n")
}
