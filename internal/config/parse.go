package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// maxProblems is how many problems of a file are told.
const maxProblems = 100

// Parse reads settings from the YAML in data; name is what problems call the
// file. Either the settings are nil, or there are no problems. An empty file
// means the defaults.
//
// Of YAML, it takes mappings, lists and plain or quoted scalars. What would
// make the text say something else than it seems to is refused: aliases, merge
// keys, tags, a second document, and numbers in any other form than decimal.
func Parse(name string, data []byte) (*Config, []Problem) {
	d := decoder{file: name, c: plain()}
	d.c.user, d.c.tools = layer{}, map[string]layer{}
	if root := d.document(data); root != nil {
		d.settings = d.c.user
		d.mapping(root, "", reflect.ValueOf(d.c).Elem())
	}
	if len(d.problems) == 0 {
		d.c.complete()
		d.checkElements()
	}
	if len(d.problems) == 0 {
		return d.c, nil
	}
	slices.SortStableFunc(d.problems, func(a, b Problem) int {
		return place{a.Line, a.Column}.compare(place{b.Line, b.Column})
	})
	return nil, d.problems
}

// decoder fills a Config from the nodes of a file.
type decoder struct {
	file     string
	c        *Config
	settings layer  // what is being filled: that of the file, or of an override
	prefix   string // of the keys in settings
	problems []Problem
}

func (d *decoder) report(at place, key, suggestion, format string, args ...any) {
	if len(d.problems) == maxProblems {
		return
	}
	d.problems = append(d.problems, Problem{
		File: d.file, Line: at.line, Column: at.column,
		Key: key, Message: fmt.Sprintf(format, args...), Suggestion: suggestion,
	})
}

func placeOf(n *yaml.Node) place { return place{n.Line, n.Column} }

// document returns the mapping that is the file, nil if there is none.
func (d *decoder) document(data []byte) *yaml.Node {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !d.readable(data) {
		return nil
	}
	loader, err := yaml.NewLoader(bytes.NewReader(data))
	if err != nil {
		d.report(place{}, "", "", "cannot be read: %v", err)
		return nil
	}
	var first, second yaml.Node
	if err := loader.Load(&first); err != nil {
		d.syntax(data, err)
		return nil
	}
	switch err := loader.Load(&second); {
	case err == nil:
		d.report(placeOf(&second), "", "", "a second document starts here; only one is allowed")
		return nil
	case !errors.Is(err, io.EOF):
		d.syntax(data, err)
		return nil
	}
	root := first.Content[0]
	switch {
	case root.Kind == yaml.MappingNode:
		return root
	case root.ShortTag() != "!!null":
		d.report(placeOf(root), "", "", "the file must hold keys such as tools, not %s", described(root))
	}
	return nil
}

// readable reports whether data is text in which YAML and editors count lines
// alike, and reports the first place where it is not.
func (d *decoder) readable(data []byte) bool {
	for _, bom := range []string{"\xff\xfe", "\xfe\xff"} {
		if bytes.HasPrefix(data, []byte(bom)) {
			d.report(place{1, 1}, "", "", "the file is UTF-16; save it as UTF-8")
			return false
		}
	}
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			d.report(placeAt(data[:i]), "", "", "byte 0x%02x is not UTF-8", data[i])
			return false
		}
		if r != '\n' && r != '\r' && r != '\t' &&
			(unicode.IsControl(r) || strings.ContainsRune("\u2028\u2029\ufeff\ufffe\uffff", r)) {
			d.report(placeAt(data[:i]), "", "", "the character %U is not allowed", r)
			return false
		}
		i += size
	}
	return true
}

// placeAt returns the place right after the text before it.
func placeAt(before []byte) place {
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(before))
	line := text[strings.LastIndexByte(text, '\n')+1:]
	return place{1 + strings.Count(text, "\n"), 1 + utf8.RuneCountInString(line)}
}

// syntax reports what the YAML library found, in place of which there is no
// document.
func (d *decoder) syntax(data []byte, err error) {
	if errors.Is(err, io.EOF) {
		return // nothing but comments
	}
	end := placeAt(data)
	bad, ok := errors.AsType[*yaml.LoadError](err)
	if !ok || bad.Mark.Line < 1 || bad.Mark.Line > end.line {
		d.report(place{}, "", "", "is not YAML: %v", err)
		return
	}
	at, message := place{bad.Mark.Line, bad.Mark.Column}, bad.Message
	if bad.ContextMark.Line > 0 && bad.ContextMark.Line < at.line {
		message += fmt.Sprintf(" (%s that starts on line %d)", strings.TrimPrefix(bad.ContextMsg, "while "), bad.ContextMark.Line)
	}
	if tabAt(data, at) {
		message = "a tab; indent with spaces"
	}
	d.report(at, "", "", "is not YAML: %s", message)
}

// tabAt reports whether there is a tab at a place.
func tabAt(data []byte, at place) bool {
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(data)), "\n")
	rest := []rune(lines[at.line-1])
	return at.column <= len(rest) && rest[at.column-1] == '\t'
}

// mapping reads the keys of a mapping into the fields of a struct.
func (d *decoder) mapping(n *yaml.Node, key string, to reflect.Value) {
	fields := fieldsOf(to)
	d.pairs(n, key, func(name string, at place, value *yaml.Node) {
		full := join(key, name)
		for _, f := range fields {
			if f.name == name {
				d.value(value, full, at, f)
				return
			}
		}
		d.unknown(name, key, at, fields)
	})
}

// pairs calls visit for each key and value of a mapping that may be read.
func (d *decoder) pairs(n *yaml.Node, key string, visit func(name string, at place, value *yaml.Node)) {
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content) && len(d.problems) < maxProblems; i += 2 {
		k, value := n.Content[i], n.Content[i+1]
		full := join(key, segment(k.Value))
		switch line, twice := seen[k.Value]; {
		case k.ShortTag() == "!!merge":
			d.report(placeOf(k), key, "", "merge keys (<<) are not allowed; write the keys out")
		case k.Kind != yaml.ScalarNode || k.Style&yaml.TaggedStyle != 0:
			d.report(placeOf(k), key, "", "a key must be plain text, not %s", described(k))
		case twice:
			d.report(placeOf(k), full, "", "%s is set twice; first on line %d", full, line)
		case d.readsAsIs(value, full, placeOf(k)):
			visit(k.Value, placeOf(k), value)
		}
		seen[k.Value] = k.Line
	}
}

// readsAsIs reports whether a value is what is written at its place. at is
// where its key is.
func (d *decoder) readsAsIs(value *yaml.Node, key string, at place) bool {
	switch {
	case value.Kind == yaml.AliasNode:
		d.report(placeOf(value), key, "", "%s: aliases (*%s) are not allowed; write the value out", key, value.Value)
	case value.Style&yaml.TaggedStyle != 0:
		d.report(placeOf(value), key, "", "%s: tags such as %q are not allowed", key, value.Tag)
	case value.ShortTag() == "!!null":
		d.report(at, key, "", "%s has no value", key)
	default:
		return true
	}
	return false
}

// segment writes the name of a tool as part of a key.
func segment(name string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-'
	}
	if name != "" && strings.TrimFunc(name, plain) == "" {
		return name
	}
	return fmt.Sprintf("%q", name)
}

func (d *decoder) unknown(name, section string, at place, fields []field) {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	suggestion := closest(name, names)
	if suggestion == "" {
		suggestion = elsewhere(name)
	}
	in := ""
	if section != "" {
		in = " in " + section
	}
	d.report(at, join(section, segment(name)), suggestion, "unknown key %q%s", name, in)
}

// elsewhere returns the full key of the first section or setting with a name,
// or "".
func elsewhere(name string) string {
	found := ""
	leaves(reflect.ValueOf(*plain()), "", func(key string, _ reflect.Value) {
		for prefix := key; found == ""; {
			i := strings.LastIndexByte(prefix, '.')
			if prefix[i+1:] == name {
				found = prefix
			}
			if i < 0 {
				return
			}
			prefix = prefix[:i]
		}
	})
	return found
}

// overrides reads the settings of single tools.
func (d *decoder) overrides(n *yaml.Node, key string) {
	lines := map[string]int{}
	d.pairs(n, key, func(name string, at place, value *yaml.Node) {
		full := join(key, segment(name))
		tool := toolName(name)
		line, twice := lines[tool]
		switch {
		case name == "":
			d.report(at, full, "", "the name of the tool is empty")
		case twice:
			d.report(at, full, "", "%s names the same tool as the key on line %d", full, line)
		case value.Kind != yaml.MappingNode:
			d.report(placeOf(value), full, "", "%s must hold keys such as inline_limit, not %s", full, described(value))
		default:
			outer := d.settings
			d.settings, d.prefix = layer{}, full+"."
			d.mapping(value, full, reflect.ValueOf(new(Override)).Elem())
			d.c.tools[tool] = d.settings
			d.settings, d.prefix = outer, ""
		}
		lines[tool] = at.line
	})
}

// checkElements wants every tool to keep some element of a list.
func (d *decoder) checkElements() {
	const first, last = "element_truncation.first_elements", "element_truncation.last_elements"
	for _, tool := range append([]string{""}, d.c.overridden()...) {
		kept := d.c.Tool(tool)
		if kept.FirstElements+kept.LastElements > 0 {
			continue
		}
		key, at := last, d.c.origin(tool, last)
		if other := d.c.origin(tool, first); other.compare(at) > 0 {
			key, at = first, other
		}
		full := globalPrefix + key
		if _, own := d.c.tools[tool][key]; own {
			full = globalPrefix + "overrides." + segment(tool) + "." + key
		}
		d.report(at, full, "", "first_elements and last_elements are both 0; at least one element must be kept")
		if tool == "" {
			return // the tools would say the same
		}
	}
}
