package config

import (
	"fmt"
	"reflect"
	"strings"
	"time"
)

// Value is one setting as it holds, and where it comes from.
type Value struct {
	Key    string // in full, with dots
	Value  any    // bool, int, int64, float64, string or []Pattern
	Origin string // "default", or the file and line that set it
}

// Values returns every setting, those for all tools first. For a tool with an
// override there is all that applies to it, whether its override says so or not.
func (c *Config) Values() []Value {
	var out []Value
	leaves(reflect.ValueOf(*c), "", func(key string, v reflect.Value) {
		out = append(out, Value{key, shown(v.Interface()), c.user[key].at.String()})
	})
	for _, tool := range c.overridden() {
		prefix := globalPrefix + "overrides." + segment(tool)
		leaves(reflect.ValueOf(c.Tools.Truncation.Overrides[tool]), "", func(key string, v reflect.Value) {
			out = append(out, Value{join(prefix, key), v.Interface(), c.origin(tool, key).String()})
		})
	}
	return out
}

// String returns the origin of a setting.
func (p place) String() string {
	if p.line == 0 {
		return "default"
	}
	return fmt.Sprintf("%s:%d", File, p.line)
}

// shown returns a setting as it is written in the file.
func shown(value any) any {
	d, ok := value.(time.Duration)
	if !ok {
		return value
	}
	s := d.String() // such as 24h0m0s
	for _, zero := range []struct{ after, unit string }{{"m", "0s"}, {"h", "0m"}} {
		if strings.HasSuffix(s, zero.after+zero.unit) {
			s = strings.TrimSuffix(s, zero.unit)
		}
	}
	return s
}
