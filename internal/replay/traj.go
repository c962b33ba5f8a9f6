package replay

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strconv"
	"strings"
)

// trajectoryStep is one step of a conversation of SWE-agent.
type trajectoryStep struct {
	Action      string
	Observation string
	State       json.RawMessage // an object, or its JSON in a string
}

// trajectory reads one conversation step by step.
type trajectory struct {
	parsed
	at      Place
	open    string // the file in the window
	folder  string
	present map[string]bool // files that were shown or written
}

// readTrajectory reads a .traj file, one step at a time.
func readTrajectory(ctx context.Context, path string, _ map[string]bool, warn func(string)) (parsed, error) {
	in, err := os.Open(path)
	if err != nil {
		return parsed{}, err
	}
	defer in.Close()
	t := &trajectory{at: Place{File: path}, present: map[string]bool{}}
	if err := t.read(ctx, json.NewDecoder(bufio.NewReader(in))); err != nil {
		if _, ok := errors.AsType[*os.PathError](err); ok || ctx.Err() != nil {
			return t.parsed, err
		}
		t.broken++
		warn(fmt.Sprintf("%s is no trajectory from step %d on: %v", path, t.at.Line+1, err))
	}
	return t.parsed, nil
}

func (t *trajectory) read(ctx context.Context, dec *json.Decoder) error {
	if token, err := dec.Token(); err != nil || token != json.Delim('{') {
		return cmpError(err, "it is not an object")
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		if key != "trajectory" {
			var skip json.RawMessage
			if err := dec.Decode(&skip); err != nil {
				return err
			}
			continue
		}
		if token, err := dec.Token(); err != nil || token != json.Delim('[') {
			return cmpError(err, "its trajectory is not a list")
		}
		for dec.More() {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := t.step(dec); err != nil {
				return err
			}
		}
		if _, err := dec.Token(); err != nil {
			return err
		}
	}
	_, err := dec.Token()
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func cmpError(err error, otherwise string) error {
	if err == nil {
		err = errors.New(otherwise)
	}
	return err
}

func (t *trajectory) step(dec *json.Decoder) error {
	var raw json.RawMessage
	if err := dec.Decode(&raw); err != nil {
		return err
	}
	t.at.Line++
	t.found = true
	var s trajectoryStep
	_ = json.Unmarshal(raw, &s) // a part of another type is left out
	t.act(strings.TrimLeft(s.Action, " \n"), clean(s.Observation))
	t.follow(s.State)
	return nil
}

// follow takes over the state after a step.
func (t *trajectory) follow(raw json.RawMessage) {
	var quoted string
	if json.Unmarshal(raw, &quoted) == nil {
		raw = []byte(quoted)
	}
	var state struct {
		OpenFile   string `json:"open_file"`
		WorkingDir string `json:"working_dir"`
	}
	if json.Unmarshal(bytes.TrimSpace(raw), &state) != nil {
		return
	}
	if state.WorkingDir != "" {
		t.folder = state.WorkingDir
	}
	if state.OpenFile != "" && state.OpenFile != "n/a" {
		t.open = t.absolute(state.OpenFile)
	}
}

func (t *trajectory) absolute(p string) string {
	if !strings.HasPrefix(p, "/") && !isDrive(p) {
		p = t.folder + "/" + p
	}
	return path.Clean(p)
}

func (t *trajectory) add(e *event) {
	e.at = t.at
	t.events = append(t.events, e)
	t.present[e.path] = true
}

// act reads what one action did and showed.
func (t *trajectory) act(action, observed string) {
	first, rest, _ := strings.Cut(action, "\n")
	words := strings.Fields(first)
	if len(words) == 0 {
		return
	}
	w, hasWindow := parseWindow(observed)
	switch words[0] {
	case "open", "goto", "scroll_up", "scroll_down":
		t.window(words[0], w, hasWindow)
	case "create":
		if hasWindow {
			empty := ""
			t.add(&event{tool: "create", path: t.absolute(w.path), edit: &edit{content: &empty, created: true}})
			t.window("create", w, true)
		}
	case "edit":
		t.editLines(words, rest, observed)
	case "search_file":
		t.search(observed)
	case "str_replace_editor":
		t.replaceEditor(shellWords(action), observed)
	}
}

// window is what the file viewer shows.
type window struct {
	path   string
	total  int
	pieces []piece
}

func (t *trajectory) window(tool string, w window, ok bool) {
	if !ok {
		return
	}
	t.open = t.absolute(w.path)
	t.add(&event{tool: tool, path: t.open, pieces: w.pieces, total: w.total, sure: true})
}

// parseWindow finds the last window in an observation.
func parseWindow(observed string) (window, bool) {
	const head, middle, tail = "[File: ", " (", " lines total)]"
	at := strings.LastIndex(observed, head)
	if at < 0 {
		return window{}, false
	}
	first, rest, _ := strings.Cut(observed[at+len(head):], "\n")
	first, ok := strings.CutSuffix(first, tail)
	i := strings.LastIndex(first, middle)
	if !ok || i < 0 {
		return window{}, false
	}
	total, err := strconv.Atoi(first[i+len(middle):])
	if err != nil || total < 0 || total > maxLines {
		return window{}, false
	}
	w := window{path: first[:i], total: total}
	for l := range strings.SplitSeq(rest, "\n") {
		if strings.HasPrefix(l, "(") {
			continue // so many lines above or below
		}
		n, text, ok := number(l, ":")
		if !ok || n > total {
			break
		}
		w.pieces = add(w.pieces, n, text)
	}
	return w, true
}

// editLines is `edit A:B`, the new text, and end_of_edit.
func (t *trajectory) editLines(words []string, text, observed string) {
	w, ok := parseWindow(observed)
	if t.open == "" && ok {
		t.open = t.absolute(w.path)
	}
	if len(words) < 2 || t.open == "" {
		return
	}
	if strings.Contains(observed, "Your proposed edit has introduced") {
		t.window("edit", w, ok) // the last one is the file as it is
		return
	}
	a, b, isSpan := strings.Cut(words[1], ":")
	start, err := strconv.Atoi(a)
	end, err2 := strconv.Atoi(b)
	if !isSpan || err != nil || err2 != nil || !strings.Contains(observed, "File updated") {
		return
	}
	text, _, _ = strings.Cut("\n"+text, "\nend_of_edit")
	lines := []string{}
	if text != "" {
		lines = split(strings.TrimPrefix(text, "\n"))
	}
	t.add(&event{tool: "edit", path: t.open, edit: &edit{span: &spanEdit{start, end, lines}}})
	t.window("edit", w, ok)
}

// search is the answer of search_file: `Line 12:text` below a line that names
// the file.
func (t *trajectory) search(observed string) {
	p := t.open
	var pieces []piece
	for l := range strings.SplitSeq(observed, "\n") {
		if rest, ok := strings.CutPrefix(l, "Line "); ok {
			if n, text, ok := number(rest, ":"); ok {
				pieces = add(pieces, n, text)
			}
		} else if _, in, ok := strings.Cut(l, "\" in "); ok && strings.HasPrefix(l, "Found ") {
			p = t.absolute(strings.TrimSuffix(in, ":"))
		}
	}
	if p != "" && len(pieces) > 0 {
		t.add(&event{tool: "search_file", path: p, pieces: pieces})
	}
}

// replaceEditor is a call of str_replace_editor COMMAND PATH --OPTION VALUE…
func (t *trajectory) replaceEditor(words []string, observed string) {
	if len(words) < 3 || !strings.HasPrefix(words[2], "/") {
		return
	}
	command, p := words[1], path.Clean(words[2])
	options := map[string][]string{}
	name := ""
	for _, w := range words[3:] {
		if option, ok := strings.CutPrefix(w, "--"); ok && len(options[name]) > 0 || ok && name == "" {
			name = option
			options[name] = nil
			continue
		}
		options[name] = append(options[name], w)
	}
	value := func(name string) string { return clean(strings.Join(options[name], " ")) }
	shown := numbered(observed, "")
	edited := strings.Contains(observed, "has been edited")
	tool := "str_replace_editor " + command
	e := &edit{snippet: shown}
	switch command {
	case "view":
		total := 0
		if len(options["view_range"]) == 0 && len(shown) > 0 && !strings.Contains(observed, "<response clipped>") {
			total = shown[len(shown)-1].end()
		}
		if len(shown) > 0 {
			t.add(&event{tool: tool, path: p, pieces: shown, total: total, sure: true})
		}
		return
	case "create":
		content := value("file_text")
		e.content, e.created, edited = &content, !t.present[p], strings.Contains(observed, "created successfully")
	case "str_replace":
		e.texts = []replacement{{old: value("old_str"), new: value("new_str")}}
	case "insert":
		n, err := strconv.Atoi(value("insert_line"))
		edited = edited && err == nil
		e.span = &spanEdit{n + 1, n, split(strings.TrimSuffix(value("new_str"), "\n"))}
	default:
		return
	}
	if edited {
		t.add(&event{tool: tool, path: p, edit: e})
		if len(shown) > 0 {
			t.add(&event{tool: tool, path: p, pieces: shown})
		}
	}
}

// shellWords splits a command that was written for a shell, without carrying
// anything out.
func shellWords(s string) []string {
	var words []string
	var word strings.Builder
	in := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\'':
			in = true
			for i++; i < len(s) && s[i] != '\''; i++ {
				word.WriteByte(s[i])
			}
		case c == '"':
			in = true
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' && i+1 < len(s) && strings.IndexByte(`"\$`+"`", s[i+1]) >= 0 {
					i++
				}
				word.WriteByte(s[i])
			}
		case c == '\\' && i+1 < len(s):
			in = true
			i++
			word.WriteByte(s[i])
		case strings.IndexByte(" \t\n", c) >= 0:
			if in {
				words = append(words, word.String())
				word.Reset()
			}
			in = false
		default:
			in = true
			word.WriteByte(c)
		}
	}
	if in {
		words = append(words, word.String())
	}
	return words
}
