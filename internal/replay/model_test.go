package replay_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/replay"
)

// TestAgainstModel replays random conversations about one file and compares
// the refusals with those of a plain map of lines: a line may be edited if that
// very line, wherever it stands now, was shown to the agent or written by it.
// The conversations are always the same: about one in some thousands does not
// tell whether a line that was seen gave way to another or went, before the
// whole text was told for the first time.
func TestAgainstModel(t *testing.T) {
	runs := 150
	if testing.Short() {
		runs = 20
	}
	blocked := 0
	for seed := range runs {
		m := newModel(uint64(seed))
		m.read()
		for range 5 + m.rand.IntN(25) {
			m.act()
		}
		file := filepath.Join(t.TempDir(), "c.jsonl")
		if err := os.WriteFile(file, m.out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := replay.Run(context.Background(), []string{file}, replay.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		got := map[int][]replay.Lines{}
		for _, b := range r.Blocks {
			got[b.Line] = b.Unread
			if !b.Resolved {
				t.Errorf("seed %d: block at line %d is not resolved", seed, b.Line)
			}
		}
		if diff := cmp.Diff(m.blocks, got); diff != "" || r.Edits != m.edits {
			t.Fatalf("seed %d: %d edits, want %d; blocks (-want +got):\n%s\n%s", seed, r.Edits, m.edits, diff, m.out.Bytes())
		}
		if r.Drift != 0 || r.Unplaced != 0 || r.Broken != 0 {
			t.Errorf("seed %d: drift %d, unplaced %d, broken %d", seed, r.Drift, r.Unplaced, r.Broken)
		}
		blocked += r.Blocked
	}
	if blocked < runs/2 {
		t.Errorf("only %d blocks in %d conversations", blocked, runs)
	}
}

// model is a conversation while it happens.
type model struct {
	rand     *rand.Rand
	text     []modelLine
	next     int // names lines
	out      bytes.Buffer
	line     int // of the recording
	edits    int
	searched bool
	blocks   map[int][]replay.Lines
}

type modelLine struct {
	text  string
	known bool // to the agent
	dirty bool // near what somebody else changed since the file was last recorded
}

const modelPath = "/home/ada/file.txt"

func newModel(seed uint64) *model {
	m := &model{rand: rand.New(rand.NewPCG(seed, 1)), blocks: map[int][]replay.Lines{}}
	for range 10 + m.rand.IntN(60) {
		m.text = append(m.text, modelLine{text: m.name("line")})
	}
	return m
}

func (m *model) name(what string) string {
	m.next++
	return fmt.Sprintf("%s %d", what, m.next)
}

func (m *model) act() {
	// What a search or a shell shows counts where it agrees with a version that
	// is told of otherwise, so it shows none that is not.
	changed := slices.ContainsFunc(m.text, func(l modelLine) bool { return l.dirty })
	switch n := m.rand.IntN(10); {
	case n < 3:
		m.read()
	case n < 4 && !changed:
		m.grep()
	case n < 5 && !changed:
		m.cat()
	case n < 7 && (m.edits > 0 || !m.searched):
		m.others()
	default:
		m.edit()
	}
}

func (m *model) whole() string { return join(m.text) }

func join(lines []modelLine) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.text + "\n")
	}
	return b.String()
}

// some returns a run of lines, 0-based and half-open.
func (m *model) some(most int) (start, end int) {
	start = m.rand.IntN(len(m.text))
	return start, min(len(m.text), start+1+m.rand.IntN(most))
}

func (m *model) read() {
	start, end := m.some(20)
	var shown []string
	for i := start; i < end; i++ {
		shown = append(shown, m.text[i].text)
		m.text[i].known = true
	}
	m.call("Read", map[string]any{"file_path": modelPath}, "", map[string]any{"type": "text", "file": map[string]any{
		"filePath": modelPath, "content": strings.Join(shown, "\n"), "numLines": len(shown),
		"startLine": start + 1, "totalLines": len(m.text) + 1,
	}})
}

func (m *model) grep() {
	m.searched = true
	start, end := m.some(4)
	var out strings.Builder
	for i := start; i < end; i++ {
		sep := ":"
		if i > start {
			sep = "-"
		}
		fmt.Fprintf(&out, "file.txt%s%d%s%s\n", sep, i+1, sep, m.text[i].text)
		m.text[i].known = true
	}
	m.call("Grep", map[string]any{"pattern": "line", "output_mode": "content", "-n": true}, out.String(), nil)
}

func (m *model) cat() {
	m.searched = true
	start, end := m.some(10)
	var out strings.Builder
	for i := start; i < end; i++ {
		out.WriteString(m.text[i].text + "\n")
		m.text[i].known = true
	}
	m.call("Bash", map[string]any{"command": fmt.Sprintf("sed -n '%d,%dp' file.txt", start+1, end)}, out.String(), nil)
}

// others is what a formatter or a person does: lines are written differently,
// come or go, none of them next to another.
func (m *model) others() {
	for range 1 + m.rand.IntN(3) {
		i := m.rand.IntN(len(m.text))
		lo, hi := max(0, i-2), min(len(m.text), i+3)
		if i == 0 || slices.ContainsFunc(m.text[lo:hi], func(l modelLine) bool { return l.dirty }) {
			continue
		}
		for k := lo; k < hi; k++ {
			m.text[k].dirty = true
		}
		switch m.rand.IntN(3) {
		case 0:
			m.text[i].text = "    " + m.text[i].text
		case 1:
			m.text = slices.Insert(m.text, i, modelLine{text: m.name("theirs"), dirty: true})
		default:
			if len(m.text) > 5 {
				m.text = slices.Delete(m.text, i, i+1)
			}
		}
	}
}

// edit replaces a run of lines, or puts lines behind one, by an Edit or by a
// Write of the whole file.
func (m *model) edit() {
	before := m.whole()
	start, end := m.some(3)
	var lines []modelLine
	for range 1 + m.rand.IntN(3) {
		lines = append(lines, modelLine{text: m.name("mine"), known: true})
	}
	var missing []replay.Lines
	old, new := join(m.text[start:end]), join(lines)
	if m.rand.IntN(3) == 0 { // behind line start
		end = start + 1
		old = join(m.text[start:end])
		new, start = old+new, end
		if !m.text[end-1].known && (end == len(m.text) || !m.text[end].known) {
			missing = []replay.Lines{{Start: end, End: min(end+1, len(m.text))}}
		}
	} else {
		missing = m.unknown(start, end)
	}
	for _, r := range missing {
		for n := r.Start; n <= r.End; n++ {
			m.text[n-1].known = true // sent along
		}
	}
	m.text = slices.Replace(m.text, start, end, lines...)
	for i := range m.text {
		m.text[i].dirty = false
	}
	if m.rand.IntN(4) == 0 {
		m.call("Write", map[string]any{"file_path": modelPath, "content": m.whole()}, "", map[string]any{
			"type": "update", "filePath": modelPath, "content": m.whole(), "originalFile": before,
		})
	} else {
		m.call("Edit", map[string]any{"file_path": modelPath, "old_string": old, "new_string": new}, "", map[string]any{
			"filePath": modelPath, "oldString": old, "newString": new, "originalFile": before, "replaceAll": false,
		})
	}
	m.edits++
	if missing != nil {
		m.blocks[m.line] = missing
	}
}

// unknown returns which lines of [start, end) the agent does not know.
func (m *model) unknown(start, end int) []replay.Lines {
	var out []replay.Lines
	for n := start + 1; n <= end; n++ {
		if m.text[n-1].known {
			continue
		}
		if last := len(out) - 1; last >= 0 && out[last].End == n-1 {
			out[last].End = n
		} else {
			out = append(out, replay.Lines{Start: n, End: n})
		}
	}
	return out
}

func (m *model) call(tool string, input map[string]any, text string, result any) {
	id := fmt.Sprintf("call-%d", m.line)
	m.put("assistant", map[string]any{"type": "tool_use", "id": id, "name": tool, "input": input}, nil)
	m.put("user", map[string]any{"type": "tool_result", "tool_use_id": id, "content": text}, result)
}

func (m *model) put(who string, block map[string]any, result any) {
	m.line++
	line := map[string]any{
		"type": who, "uuid": fmt.Sprintf("u%d", m.line), "sessionId": "model", "cwd": "/home/ada",
		"message": map[string]any{"role": who, "content": []any{block}},
	}
	if result != nil {
		line["toolUseResult"] = result
	}
	raw, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	m.out.Write(append(raw, '\n'))
}
