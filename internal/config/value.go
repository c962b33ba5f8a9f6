package config

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// This file reads single values and holds them against the tags of their
// fields.

// field is where the value of a key goes.
type field struct {
	name  string
	tag   reflect.StructTag
	value reflect.Value
}

// fieldsOf returns the fields of a struct, those of embedded ones among them.
func fieldsOf(v reflect.Value) []field {
	var out []field
	for i := range v.NumField() {
		switch f := v.Type().Field(i); {
		case f.Anonymous:
			out = append(out, fieldsOf(v.Field(i))...)
		case f.IsExported():
			out = append(out, field{nameOf(f), f.Tag, v.Field(i)})
		}
	}
	return out
}

// rules returns what the tags of a field allow: values by keyword.
func rules(tag reflect.StructTag) map[string][]string {
	out := map[string][]string{}
	for _, rule := range strings.Split(tag.Get("jsonschema"), ",") {
		keyword, value, _ := strings.Cut(rule, "=")
		out[keyword] = append(out[keyword], value)
	}
	return out
}

// value reads the value of a key into its field. at is the place of the key.
func (d *decoder) value(n *yaml.Node, key string, at place, f field) {
	switch f.value.Kind() {
	case reflect.Struct:
		if n.Kind != yaml.MappingNode {
			d.report(placeOf(n), key, "", "%s must hold keys such as %s, not %s", key, fieldsOf(f.value)[0].name, described(n))
			return
		}
		d.mapping(n, key, f.value)
		return
	case reflect.Map:
		if n.Kind != yaml.MappingNode {
			d.report(placeOf(n), key, "", "%s must hold names of tools, not %s", key, described(n))
			return
		}
		if most := bound(rules(f.tag), "maxProperties"); float64(len(n.Content)/2) > most {
			d.report(at, key, "", "%s must hold at most %.0f tools, not %d", key, most, len(n.Content)/2)
			return
		}
		d.overrides(n, key)
		return
	case reflect.Slice:
		d.patterns(n, key, f)
	default:
		d.scalar(n, key, f)
	}
	d.settings[strings.TrimPrefix(key, d.prefix)] = setting{f.value.Interface(), at}
}

func (d *decoder) scalar(n *yaml.Node, key string, f field) {
	allowed := rules(f.tag)
	want, suggestion := "", ""
	switch {
	case f.value.Type() == reflect.TypeFor[time.Duration]():
		want = setDuration(n, f, allowed)
	case f.value.CanInt():
		want = setInt(n, f, allowed)
	case f.value.CanFloat():
		want = setFloat(n, f, allowed)
	case f.value.Kind() == reflect.Bool:
		want = setBool(n, f)
	default:
		if want = setString(n, f, allowed); want != "" {
			suggestion = closest(n.Value, allowed["enum"])
		}
	}
	if want != "" {
		d.report(placeOf(n), key, suggestion, "%s must be %s, not %s", key, want, described(n))
	}
}

// Each of these sets a field, or returns what its value must be instead.

func setInt(n *yaml.Node, f field, allowed map[string][]string) (want string) {
	least, most := int64(bound(allowed, "minimum")), int64(bound(allowed, "maximum"))
	want = "a positive whole number"
	if least == 0 {
		want = "a whole number, 0 or more"
	}
	if n.ShortTag() != "!!int" || !decimal.MatchString(n.Value) {
		return want
	}
	x, err := strconv.ParseInt(n.Value, 10, 64)
	switch {
	case strings.HasPrefix(n.Value, "-"), err == nil && x < least:
		return want
	case err != nil, x > most:
		return fmt.Sprintf("at most %d", most)
	}
	f.value.SetInt(x)
	return ""
}

// decimal leaves out what YAML 1.1 and 1.2 read differently, such as 010.
var decimal = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)

func setFloat(n *yaml.Node, f field, allowed map[string][]string) (want string) {
	above, below := bound(allowed, "exclusiveMinimum"), bound(allowed, "exclusiveMaximum")
	x, err := strconv.ParseFloat(n.Value, 64)
	isNumber := n.ShortTag() == "!!float" || n.ShortTag() == "!!int"
	if err != nil || !isNumber || x <= above || x >= below {
		return fmt.Sprintf("a number above %v and below %v", above, below)
	}
	f.value.SetFloat(x)
	return ""
}

// bound returns the number after a keyword, NaN if there is none.
func bound(allowed map[string][]string, keyword string) float64 {
	x, err := strconv.ParseFloat(strings.Join(allowed[keyword], ""), 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

func setBool(n *yaml.Node, f field) (want string) {
	if n.ShortTag() != "!!bool" {
		return "true or false"
	}
	f.value.SetBool(strings.EqualFold(n.Value, "true"))
	return ""
}

func setDuration(n *yaml.Node, f field, allowed map[string][]string) (want string) {
	if !matches(n, allowed) {
		return f.tag.Get("want")
	}
	x, err := time.ParseDuration(n.Value)
	if err != nil {
		return f.tag.Get("want")
	}
	f.value.SetInt(int64(x))
	return ""
}

func setString(n *yaml.Node, f field, allowed map[string][]string) (want string) {
	if enum := allowed["enum"]; enum != nil {
		if !slices.Contains(enum, n.Value) {
			return "one of " + strings.Join(enum, ", ")
		}
	} else if !matches(n, allowed) {
		return f.tag.Get("want")
	}
	f.value.SetString(n.Value)
	return ""
}

// matches reports whether n is a text of an allowed form.
func matches(n *yaml.Node, allowed map[string][]string) bool {
	length := float64(utf8.RuneCountInString(n.Value))
	pattern := strings.Join(allowed["pattern"], "")
	return n.ShortTag() == "!!str" && length <= bound(allowed, "maxLength") && regexp.MustCompile(pattern).MatchString(n.Value)
}

// patterns reads the list of a user's own kinds of secrets.
func (d *decoder) patterns(n *yaml.Node, key string, f field) {
	most := bound(rules(f.tag), "maxItems")
	if n.Kind != yaml.SequenceNode {
		d.report(placeOf(n), key, "", "%s must be a list of patterns, not %s", key, described(n))
		return
	}
	if float64(len(n.Content)) > most {
		d.report(placeOf(n), key, "", "%s must hold at most %.0f patterns, not %d", key, most, len(n.Content))
		return
	}
	patterns := make([]Pattern, len(n.Content))
	for i, item := range n.Content {
		d.pattern(item, fmt.Sprintf("%s[%d]", key, i), &patterns[i])
	}
	f.value.Set(reflect.ValueOf(patterns))
}

func (d *decoder) pattern(n *yaml.Node, key string, p *Pattern) {
	if !d.readsAsIs(n, key, placeOf(n)) {
		return
	}
	if n.Kind != yaml.MappingNode {
		d.report(placeOf(n), key, "", "%s must hold name and regex, not %s", key, described(n))
		return
	}
	before := len(d.problems)
	d.mapping(n, key, reflect.ValueOf(p).Elem())
	for _, name := range []string{"name", "regex"} {
		if _, ok := d.settings[join(key, name)]; !ok && len(d.problems) == before {
			d.report(placeOf(n), join(key, name), "", "%s has no %s", key, name)
		}
	}
	if len(d.problems) > before {
		return
	}
	at := d.settings[join(key, "regex")].at
	if re, err := regexp.Compile(p.Regex); err != nil {
		d.report(at, join(key, "regex"), "", "%s.regex is no regular expression: %q", key, err)
	} else if re.MatchString("") {
		d.report(at, join(key, "regex"), "", "%s.regex matches the empty text", key)
	}
}

// described says what a node is, in a sentence after "not".
func described(n *yaml.Node) string {
	const most = 60 // characters of a value that are told
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Kind == yaml.AliasNode:
		return "an alias"
	}
	value := []rune(n.Value)
	if len(value) > most {
		value = append(value[:most], '…')
	}
	quoted := strconv.Quote(string(value))
	if bare := quoted[1 : len(quoted)-1]; n.ShortTag() != "!!str" && bare == string(value) {
		return bare
	}
	return quoted
}
