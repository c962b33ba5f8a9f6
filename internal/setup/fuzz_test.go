package setup_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/tailscale/hujson"

	"github.com/acode-ls/acode-ls/internal/setup"
)

var program = setup.Program{Path: "/opt/acode ls/acode-ls", Quoted: "'/opt/acode ls/acode-ls'"}

// FuzzMerge holds, for settings of every agent, that merging keeps what was
// there and says enough, that doing it again changes nothing, and that removing
// brings back what was.
func FuzzMerge(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "// only a comment", "/* a */\n", "{}", "{ }", "{\n}\n", "\ufeff{}", "\ufeff", "{\r\n\t\"a\": 1\r\n}\r\n",
		`{"a": 1}`, `{"a": 1,}`, `{"a": 1 // c` + "\n}", "{\n  \"a\": 1, // c\n}\n", "{\n  \"a\": 1 // c\n  // d\n}",
		`{"hooks": {}}`, `{"hooks": {"PreToolUse": []}}`, "{\n    \"hooks\": {\n        \"Stop\": [ { \"hooks\": [] } ],\n    },\n}",
		`{"mcpServers": {"x": {"command": "y"}}, "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "lint"}]}]}}`,
		`{"hooks": {"BeforeTool": [{"hooks": [{"command": "/old/acode-ls hook"}, {"command": "x"}]}]}}`,
		`{"hooks": {"PreToolUse": [{"command": "/old/acode-ls hook", "timeout": 3}] /* end */}}`,
		`{"servers": {"acode": {"url": "z"}}}`, `{"hooks": []}`, `{"hooks": 1, "hooks": 2}`, `{"a": "\ud800"}`, "{\"a\": \"\xff\"}",
		"{\"x\": 1, // c\n\"hooks\": {}}", `{"a": 1 // c` + "\n, \"b\": 2}", "{/* x */}", "{// x\n}", `{"hooks":/*1*/{/*2*/}/*3*/,/*4*/}`, "[1]", "{\"a\":[[[[]]]]",
	} {
		f.Add([]byte(seed))
	}
	all := setup.JSONSettings()
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, s := range all {
			checkMerge(t, s, text)
		}
	})
}

func checkMerge(t *testing.T, s setup.Settings, text []byte) {
	t.Helper()
	merged, edits, found, err := s.Merge(text, program)
	if err != nil {
		return
	}
	again, more, nowFound, err := s.Merge(merged, program)
	if err != nil || len(more) > 0 || !nowFound || !bytes.Equal(again, merged) {
		t.Fatalf("%s %s: merging again into\n%s\ngives %q, %v", s.Agent, s.Path(), merged, more, err)
	}
	rest, _, err := s.Remove(merged, program)
	if err != nil {
		t.Fatalf("%s %s: removing from\n%s\n%v", s.Agent, s.Path(), merged, err)
	}
	if _, edits, _, err := s.Merge(rest, program); err != nil || len(edits) == 0 {
		t.Fatalf("%s %s: removing from\n%s\nleaves\n%s\n%v", s.Agent, s.Path(), merged, rest, err)
	}
	first, _, err := s.Remove(text, program)
	if err != nil {
		t.Fatalf("%s %s: removing from\n%s\n%v", s.Agent, s.Path(), text, err)
	}
	ours := !bytes.Equal(first, text)
	if undone, ok := s.Undo(merged, text, program); ok == ours || ok && !bytes.Equal(undone, text) {
		t.Fatalf("%s %s: undoing\n%s\ngives\n%s", s.Agent, s.Path(), merged, undone)
	}
	if found {
		return
	}
	for _, e := range edits {
		if len(bytes.TrimSpace([]byte(e.Old))) > 0 {
			t.Fatalf("%s %s: %q gives way to %q", s.Agent, s.Path(), e.Old, e.New)
		}
	}
	was, is, left := decode(t, text), decode(t, merged), decode(t, rest)
	if !contains(is, was) {
		t.Fatalf("%s %s: of\n%s\nthere is\n%s", s.Agent, s.Path(), text, merged)
	}
	if ours || holdsEmpty(was, s.Keys(program)) {
		return // what was of another event, or empty, goes with what was put in
	}
	if !reflect.DeepEqual(was, left) || !bytes.Equal(text, rest) {
		t.Fatalf("%s %s: removing from\n%s\nleaves\n%s\nof\n%s", s.Agent, s.Path(), merged, rest, text)
	}
}

func decode(t *testing.T, text []byte) any {
	t.Helper()
	text = append(bytes.TrimPrefix(slices.Clone(text), []byte("\ufeff")), '\n')
	standard, err := hujson.Standardize(text)
	if err != nil {
		return nil // there are only comments
	}
	var v any
	d := json.NewDecoder(bytes.NewReader(standard))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("decoding %q: %v", standard, err)
	}
	return v
}

// contains reports whether b is in a: members under their names, elements at
// the start.
func contains(a, b any) bool {
	switch b := b.(type) {
	case map[string]any:
		a, ok := a.(map[string]any)
		for key, value := range b {
			ok = ok && contains(a[key], value)
		}
		return ok
	case []any:
		a, ok := a.([]any)
		if !ok || len(a) < len(b) {
			return false
		}
		for i := range b {
			ok = ok && contains(a[i], b[i])
		}
		return ok
	case nil:
		return true
	}
	return reflect.DeepEqual(a, b)
}

// holdsEmpty reports whether an object is empty or a container in it that
// would hold what is ours.
func holdsEmpty(v any, keys []string) bool {
	root, _ := v.(map[string]any)
	if len(root) == 0 {
		return true
	}
	for _, key := range keys {
		o, ok := root[key].(map[string]any)
		if ok && len(o) == 0 {
			return true
		}
		for _, event := range o {
			if list, ok := event.([]any); ok && len(list) == 0 {
				return true
			}
		}
	}
	return false
}

// FuzzMergeShapes holds the same for documents made of what matters.
func FuzzMergeShapes(f *testing.F) {
	for seed := range uint64(64) {
		f.Add(seed, seed*7)
	}
	all := setup.JSONSettings()
	f.Fuzz(func(t *testing.T, a, b uint64) {
		text := (&shaper{Rand: rand.New(rand.NewPCG(a, b))}).document()
		for _, s := range all {
			checkMerge(t, s, []byte(text))
		}
	})
}

// shaper writes settings as nobody would, but might.
type shaper struct {
	*rand.Rand
	eol string
}

func (s *shaper) pick(of ...string) string { return of[s.IntN(len(of))] }

func (s *shaper) document() string {
	s.eol = s.pick("\n", "\r\n")
	return s.pick("", "\ufeff") + s.space() + s.object(3, "hooks", "mcpServers", "servers", "x") + s.space()
}

func (s *shaper) space() string {
	switch s.IntN(8) {
	case 0:
		return s.eol + s.pick("", "  ", "\t")
	case 1:
		return " // " + s.pick("note", "{", "\"") + s.eol
	case 2:
		return "/* ] */"
	}
	return s.pick("", "", " ")
}

func (s *shaper) items(open, end string, item func(i int) string) string {
	text, n := open, s.IntN(4)
	for i := range n {
		text += s.space() + item(i) + s.space()
		if i < n-1 || s.IntN(4) == 0 {
			text += ","
		}
	}
	return text + s.space() + end
}

func (s *shaper) object(depth int, keys ...string) string {
	first := s.IntN(len(keys))
	return s.items("{", "}", func(i int) string {
		key := fmt.Sprintf("k%d", i)
		if i < len(keys) {
			key = keys[(first+i)%len(keys)]
		}
		return strconv.Quote(key) + s.space() + ":" + s.space() + s.value(depth, key)
	})
}

func (s *shaper) value(depth int, key string) string {
	switch {
	case depth == 0 || s.IntN(16) == 0:
		return s.pick("1", "null", "true", `"text"`, `"/old/acode-ls hook"`, "[]", "{}")
	case key == "hooks" && depth == 3:
		return s.object(2, "PreToolUse", "PostToolUse", "BeforeTool", "SessionStart", "Stop")
	case key == "mcpServers" || key == "servers":
		return s.object(1, "acode", "other")
	case key == "hooks":
		return s.items("[", "]", func(int) string { return s.handler() })
	case depth == 2:
		return s.items("[", "]", func(int) string {
			if s.IntN(3) == 0 {
				return s.handler()
			}
			return s.object(1, "matcher", "hooks")
		})
	}
	return s.object(depth-1, "command", "args", "y")
}

func (s *shaper) handler() string {
	return `{"type": "command",` + s.space() + `"command": ` + s.pick(`"lint"`, `"acode-ls hook"`, `"/old/acode hook"`, `"'/opt/acode ls/acode-ls' hook"`) + s.space() + "}"
}
