package replay_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// said adds a message to the agent; more are further fields of the line.
func (c *talk) said(text string, more object) {
	l := object{"type": "user", "message": object{"content": text}}
	for k, v := range more {
		l[k] = v
	}
	c.line(l)
}

func TestMentions(t *testing.T) {
	const shown, refused = "1", "1, never_read [{3 3}]"
	for _, test := range []struct {
		name, text string
		more       object
		want       string
	}{
		{"in a sentence", "mend @f.go, please", nil, shown},
		{"one below another", "@g.go\n@f.go\n@h.go", object{"isMeta": true}, shown},
		{"absolute and quoted", `"@x" @"/w/f.go"`, nil, shown},
		{"of some lines", "@f.go#L1-2", nil, refused},
		{"inside a word", "me@f.go", nil, refused},
		{"in a folder of the person", "@~/w/f.go", nil, refused},
		{"in a summary", "@f.go", object{"isCompactSummary": true}, refused},
		{"to a sub-agent", "@f.go", object{"agentId": "b"}, refused},
	} {
		t.Run(test.name, func(t *testing.T) {
			var c talk
			c.said(test.text, test.more)
			c.edit(f, "c", "C", object{"originalFile": abcd})
			if r, _ := run(t, "c.jsonl", c.text()); figures(r) != test.want {
				t.Errorf("%s, want %s", figures(r), test.want)
			}
		})
	}
	t.Run("as parts", func(t *testing.T) {
		var c talk
		c.line(object{"type": "user", "message": object{"content": []any{object{"type": "text", "text": "@f.go"}}}})
		c.edit(f, "c", "C", object{"originalFile": abcd})
		if r, _ := run(t, "c.jsonl", c.text()); figures(r) != shown {
			t.Errorf("%s, want %s", figures(r), shown)
		}
	})
	t.Run("of a long file", func(t *testing.T) {
		var c talk
		long := strings.Repeat("x\n", 1999) + "last\nnext\n"
		c.said("@f.go", nil)
		c.edit(f, "last", "LAST", object{"originalFile": long})
		c.edit(f, "next", "NEXT", object{"originalFile": strings.Replace(long, "last", "LAST", 1)})
		if r, _ := run(t, "c.jsonl", c.text()); figures(r) != "2, no_coverage [{2001 2001}]" {
			t.Error(figures(r))
		}
	})
	t.Run("of a file that nothing tells of whole", func(t *testing.T) {
		var c talk
		c.call("Grep", object{"output_mode": "content"}, "f.go:3:c", nil)
		c.said("@f.go", nil)
		c.side = object{"agentId": "b"}
		c.read(f, 1, 5, "a", "b", "c", "d", "")
		c.side = nil
		c.edit(f, "c", "C", nil)
		if r, _ := run(t, "c.jsonl", c.text()); figures(r) != "1" {
			t.Error(figures(r))
		}
	})
}

// news adds the lines of a sub-agent's conversation as its progress is told in
// the conversation that started it: without what results tell beside their text.
func (c *talk) news(t *testing.T, agent string, sub talk) {
	t.Helper()
	for _, l := range sub.lines {
		var message object
		if err := json.Unmarshal([]byte(l), &message); err != nil {
			t.Fatal(err)
		}
		delete(message, "toolUseResult")
		delete(message, "agentId")
		c.line(object{"type": "progress", "data": object{"type": "agent_progress", "agentId": agent, "message": message}})
	}
}

func TestProgressOfSubAgents(t *testing.T) {
	var c, sub talk
	sub.call("Read", object{"file_path": f}, "     3\tc\n", nil)
	sub.call("Edit", object{"file_path": f, "old_string": "c", "new_string": "C"}, "done", nil)
	sub.call("Edit", object{"file_path": f, "old_string": "d", "new_string": "D"}, "done", nil)
	c.read(f, 1, 5, "a", "b", "c", "d", "")
	c.news(t, "b", sub)
	c.news(t, "b", sub)
	c.edit(f, "a", "A", object{"originalFile": "a\nb\nC\nD\n"})
	if r, _ := run(t, "c.jsonl", c.text()); figures(r) != "3, no_coverage [{4 4}]" {
		t.Error(figures(r))
	}
}

// TestProgressToldTwice has messages of a sub-agent in a file of its own too,
// which tells more.
func TestProgressToldTwice(t *testing.T) {
	var c, sub talk
	sub.side = object{"agentId": "b"}
	sub.read(f, 3, 5, "c")
	sub.edit(f, "c", "C", object{"originalFile": abcd})
	c.news(t, "b", sub)
	c.news(t, "b", sub)
	if r, _ := run(t, "1.jsonl", c.text(), "2.jsonl", sub.text()); figures(r) != "1" {
		t.Error(figures(r))
	}
}

func TestNewFileToldInText(t *testing.T) {
	var c talk
	c.call("Write", object{"file_path": f, "content": "x\n"}, "File created successfully at: "+f, nil)
	c.edit(f, "x", "y", object{"originalFile": "x\n"})
	if r, _ := run(t, "c.jsonl", c.text()); figures(r) != "1" {
		t.Error(figures(r))
	}
}

func TestLinesThatRanTogether(t *testing.T) {
	var c talk
	c.read(f, 3, 5, "c")
	c.edit(f, "c", "C", object{"originalFile": abcd})
	joined := strings.Join(c.lines[:2], "\n") + "\n" + strings.Join(c.lines[2:], "") + "\n"
	if r, warned := run(t, "c.jsonl", joined); figures(r) != "1" || len(warned) > 0 {
		t.Errorf("%s, warned %q", figures(r), warned)
	}
	for _, tail := range []string{"{", "[]", "}", "1", c.lines[1] + "{"} {
		if r, warned := run(t, "c.jsonl", joined+c.lines[0]+tail); r.Broken != 1 || len(warned) != 1 {
			t.Errorf("with %q behind a line: %d broken, warned %q", tail, r.Broken, warned)
		}
	}
}

func TestBeginsInTheMiddle(t *testing.T) {
	for _, first := range []object{
		{"type": "system", "uuid": "1", "parentUuid": "gone"},
		{"type": "user", "uuid": "1", "parentUuid": "gone", "message": object{"content": "on"}},
	} {
		var c talk
		c.line(first)
		c.side = object{"parentUuid": "1"}
		c.edit(f, "c", "C", object{"originalFile": abcd})
		r, _ := run(t, "c.jsonl", c.text())
		if len(r.Blocks) != 1 || !strings.Contains(r.Blocks[0].Explanation, "begins in the middle") {
			t.Errorf("after %v: %+v", first["type"], r.Blocks)
		}
	}
}

// TestNoDrift has a text that stood twice in the file when one of the two was
// shown and went.
func TestNoDrift(t *testing.T) {
	var c talk
	c.read(f, 1, 5, "x")
	c.edit(f, "x\n", "", object{"originalFile": "x\nb\nc\nx\n"})
	c.edit(f, "x\n", "", object{"originalFile": "b\nc\nx\n"})
	if r, _ := run(t, "c.jsonl", c.text()); figures(r) != "2, never_read [{3 3}]" {
		t.Error(figures(r))
	}
}
