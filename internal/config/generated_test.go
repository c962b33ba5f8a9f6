package config_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"

	"github.com/acode-ls/acode-ls/internal/config"
)

// This file makes, from the structs, what is said about them elsewhere. It is
// a test because that takes their source, and a library that would only slow
// the start of the program.

var update = flag.Bool("update", false, "write the generated files")

// TestGenerated holds the schema and its copy for editors, and the tables of
// the documentation, against the structs (NFR-018, CFG-46).
func TestGenerated(t *testing.T) {
	schema := newSchema(t)
	raw, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	raw = append(raw, '\n')
	docs := filepath.Join("..", "..", "docs")
	page := filepath.Join(docs, "configuration.md")
	before, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string][]byte{
		"schema.json": raw,
		filepath.Join(docs, "config.schema.json"): raw,
		page: withTables(t, before, schema),
	} {
		if *update {
			if err := os.WriteFile(file, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
		}
		got = bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n"))
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s is not as the structs make it; run go generate ./internal/config (-want +got):\n%s", file, diff)
		}
	}
}

// newSchema returns the schema of the file.
func newSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	reflector := jsonschema.Reflector{
		Anonymous: true, DoNotReference: true, RequiredFromJSONSchemaTags: true,
		Mapper: func(t reflect.Type) *jsonschema.Schema {
			if t == reflect.TypeFor[time.Duration]() {
				return &jsonschema.Schema{Type: "string"}
			}
			return nil
		},
	}
	if err := reflector.AddGoComments("github.com/acode-ls/acode-ls/internal/config", "."); err != nil {
		t.Fatal(err)
	}
	schema := reflector.Reflect(&config.Config{})
	schema.Title = "Settings of acode-ls (" + config.File + ")"
	schema.Description = ""
	for key, value := range settings(config.Default()) {
		if !strings.Contains(key, ".overrides.") {
			property(t, schema, key).Default = value
		}
	}

	tools := property(t, schema, "tools.truncation.overrides")
	one, least, most := "#/$defs/override", uint64(1), uint64(1000)
	schema.Definitions = jsonschema.Definitions{"override": tools.AdditionalProperties}
	tools.AdditionalProperties = &jsonschema.Schema{Ref: one}
	tools.PropertyNames, tools.MaxProperties = &jsonschema.Schema{MinLength: &least}, &most
	tools.Properties = jsonschema.NewProperties()
	for _, tool := range builtIn() {
		tools.Properties.Set(tool, &jsonschema.Schema{Ref: one})
	}
	for _, elements := range []*jsonschema.Schema{
		property(t, schema, "tools.truncation.element_truncation"),
		property(t, schema.Definitions["override"], "element_truncation"),
	} {
		elements.Not = &jsonschema.Schema{
			Properties: jsonschema.NewProperties(), Required: []string{"first_elements", "last_elements"},
		}
		for _, name := range elements.Not.Required {
			elements.Not.Properties.Set(name, &jsonschema.Schema{Const: 0})
		}
	}
	return schema
}

// property returns the schema of a key below that of a section.
func property(t *testing.T, schema *jsonschema.Schema, key string) *jsonschema.Schema {
	t.Helper()
	for name := range strings.SplitSeq(key, ".") {
		inner, ok := schema.Properties.Get(name)
		if !ok {
			t.Fatalf("the schema has no %s", key)
		}
		schema = inner
	}
	return schema
}

// settings returns the values of all keys.
func settings(c *config.Config) map[string]any {
	out := map[string]any{}
	for _, v := range c.Values() {
		out[v.Key] = v.Value
	}
	return out
}

// builtIn returns the tools with built-in overrides.
func builtIn() []string {
	var tools []string
	for tool := range config.Default().Tools.Truncation.Overrides {
		tools = append(tools, tool)
	}
	slices.Sort(tools)
	return tools
}

// withTables returns a page with its tables made anew. Each stands between
// <!-- keys KEY --> and <!-- end -->.
func withTables(t *testing.T, page []byte, schema *jsonschema.Schema) []byte {
	t.Helper()
	var out strings.Builder
	inside := false
	for line := range strings.Lines(strings.ReplaceAll(string(page), "\r\n", "\n")) {
		if line == "<!-- end -->\n" {
			inside = false
		}
		if inside {
			continue
		}
		out.WriteString(line)
		name, ok := strings.CutPrefix(line, "<!-- keys ")
		if !ok {
			continue
		}
		inside = true
		out.WriteString("\n")
		switch name := strings.TrimSuffix(name, " -->\n"); name {
		case "override":
			out.WriteString("| key | value | meaning |\n|---|---|---|\n")
			writeRows(&out, schema.Definitions["override"], "", false)
		case "built-in":
			out.WriteString("| tool | key | value |\n|---|---|---|\n")
			writeBuiltIn(&out)
		default:
			out.WriteString("| key | default | value | meaning |\n|---|---|---|---|\n")
			writeRows(&out, property(t, schema, name), "", true)
		}
		out.WriteString("\n")
	}
	return []byte(out.String())
}

// writeRows writes a row for each key below a section.
func writeRows(out *strings.Builder, section *jsonschema.Schema, prefix string, defaults bool) {
	for pair := section.Properties.Oldest(); pair != nil; pair = pair.Next() {
		key, s := prefix+pair.Key, pair.Value
		if s.Properties != nil {
			if s.PropertyNames == nil { // the overrides have a table of their own
				writeRows(out, s, key+".", defaults)
			}
			continue
		}
		fmt.Fprintf(out, "| `%s` |", key)
		switch {
		case defaults && s.Default == nil: // of a part of a list
			out.WriteString(" - |")
		case defaults:
			fmt.Fprintf(out, " `%v` |", s.Default)
		}
		fmt.Fprintf(out, " %s | %s |\n", allowed(s), s.Description)
		if s.Items != nil {
			writeRows(out, s.Items, key+"[].", defaults)
		}
	}
}

// allowed says what values a key takes.
func allowed(s *jsonschema.Schema) string {
	switch {
	case s.Enum != nil:
		words := make([]string, len(s.Enum))
		for i, word := range s.Enum {
			words[i] = fmt.Sprintf("`%v`", word)
		}
		return strings.Join(words, ", ")
	case s.Type == "integer":
		return fmt.Sprintf("whole number, %s to %s", s.Minimum, s.Maximum)
	case s.Type == "number":
		return fmt.Sprintf("number above %s and below %s", s.ExclusiveMinimum, s.ExclusiveMaximum)
	case s.Type == "boolean":
		return "`true`, `false`"
	case s.Type == "array":
		return fmt.Sprintf("list of at most %d", *s.MaxItems)
	}
	return fmt.Sprintf("text of at most %d characters", *s.MaxLength)
}

// writeBuiltIn writes what built-in overrides change.
func writeBuiltIn(out *strings.Builder) {
	values := settings(config.Default())
	for _, v := range config.Default().Values() {
		inner, ok := strings.CutPrefix(v.Key, "tools.truncation.overrides.")
		if !ok {
			continue
		}
		tool, key, _ := strings.Cut(inner, ".")
		if general, ok := values["tools.truncation."+key]; key == "strategy" || ok && general != v.Value {
			fmt.Fprintf(out, "| `%s` | `%s` | `%v` |\n", tool, key, v.Value)
		}
	}
}
