package replay_test

import (
	"slices"
	"strings"
	"testing"
)

func TestBrokenLines(t *testing.T) {
	var c talk
	c.read(f, 3, 5, "c")
	c.lines = append(c.lines, "{", "", "null", strings.Repeat("[", 20_000), "\xff", `{"type":5,"message":[]}`)
	c.edit(f, "c", "C", object{"originalFile": abcd})
	r, warned := run(t, "c.jsonl", c.text())
	if r.Edits != 1 || r.Blocked != 0 || r.Broken != 3 {
		t.Errorf("%d edits, %d blocked, %d broken lines; want 1, 0, 3: %q", r.Edits, r.Blocked, r.Broken, warned)
	}
	if len(warned) != 3 || !strings.Contains(warned[1], "c.jsonl:6 is no line of a conversation") {
		t.Errorf("warned %q", warned)
	}
}

// TestManyBrokenLines: of each file only the first broken lines are told one by
// one.
func TestManyBrokenLines(t *testing.T) {
	for broken, more := range map[int]string{
		10: "", 11: "c.jsonl: 1 more line is no line of a conversation", 5000: "c.jsonl: 4990 more lines are no lines of a conversation",
	} {
		var c talk
		c.read(f, 3, 5, "c")
		for range broken {
			c.lines = append(c.lines, "{")
		}
		c.edit(f, "c", "C", object{"originalFile": abcd})
		r, warned := run(t, "c.jsonl", c.text(), "d.jsonl", "{\n")
		if r.Broken != broken+1 || r.Edits != 1 {
			t.Errorf("%d broken lines and %d edits, want %d and 1", r.Broken, r.Edits, broken+1)
		}
		all := len(warned)
		warned = slices.DeleteFunc(warned, func(s string) bool { return strings.Contains(s, "d.jsonl:1 ") })
		if told := all - len(warned); told != 1 {
			t.Errorf("the other file is told of %d times: %q", told, warned)
		}
		if want := min(broken, 11); len(warned) != want || !strings.HasSuffix(warned[want-1], more) {
			t.Errorf("%d warnings, want %d and in the end %q: %.300q", len(warned), want, more, warned)
		}
	}
}
