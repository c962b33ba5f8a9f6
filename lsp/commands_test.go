package lsp_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/acode-ls/acode-ls/internal/fake"
)

// This file holds the commands of scenarios.

type command struct {
	run    func(s *scene, client int, args []string) (string, error)
	awaits bool               // its output depends on news of the server, so that it may run often
	take   func(*fake.Events) // takes away what it printed
}

var commands map[string]command

func init() {
	do := func(f func(*scene, *client, []string) (string, error)) command {
		return command{run: func(s *scene, n int, args []string) (string, error) { return f(s, s.client(n), args) }}
	}
	await := func(f func(*scene, *client, []string) (string, error)) command {
		c := do(f)
		c.awaits = true
		return c
	}
	take := func(f func(*scene, *client, []string) (string, error), take func(*fake.Events)) command {
		c := await(f)
		c.take = take
		return c
	}
	disk := func(f func(*scene, []string) (string, error)) command {
		return command{run: func(s *scene, _ int, args []string) (string, error) { return f(s, args) }}
	}
	commands = map[string]command{
		// What happens on disk. These may come before a server is started.
		"gen":     disk(gen),       // gen FILE N [WIDTH]: a file of N lines "line 1"…
		"write":   disk(diskWrite), // write FILE TEXT
		"remove":  disk(diskRemove),
		"move":    disk(diskMove),
		"symlink": disk(symlink), // symlink TARGET LINK
		"fifo":    disk(fifo),
		"mkdir":   disk(mkdir),
		"chmod":   disk(chmod), // chmod MODE FILE
		"touch":   disk(touch), // touch FILE: sets its time back by an hour
		"git":     disk(git),
		"disk":    disk(showDisk), // disk FILE: what it holds
		"ls":      disk(ls),       // ls [DIR]
		"journal": disk(journal),  // journal SESSION: whether it is whole
		"cut":     disk(cut),      // cut SESSION N: cuts N bytes off a journal

		// What a person does in the editor.
		"open":   do(open), // open FILE [as URI]
		"close":  do(closeFile),
		"save":   do(save),
		"type":   do(typeText), // type FILE EDIT, EDIT…
		"format": do(format),   // format FILE TEXT: replaces the whole text
		"undo":   do(undo),
		"show":   do(showBuffer), // show FILE: what the buffer holds
		"rename": do(rename),
		"delete": do(deleteFile),

		// What an agent does.
		"read":     do(read),       // read [-v] [session=S] FILE [A-B]
		"observe":  do(observe),    // observe [session=S] [sha=TEXT|hex:HEX] FILE A-B,C-D
		"check":    do(check),      // check [-v] [session=S] [form=changes] OPERATION; OPERATION…
		"apply":    do(apply),      // apply likewise
		"start":    do(startApply), // start NAME, then as apply: does not wait
		"wait":     do(wait),
		"cancel":   do(cancel),
		"state":    do(state), // state [session=S] [FILE]
		"summary":  do(summary),
		"round":    do(round),
		"sessions": do(sessions),
		"process":  do(toolOutput), // process TOOL TEXT|@FILE: a tool's output

		// What the person sees.
		"diag":     await(diag), // diag FILE
		"clean":    await(clean),
		"count":    await(count), // count FILE: how often diagnostics were published
		"lens":     do(lens),
		"hover":    do(hover),      // hover FILE LINE
		"actions":  await(actions), // actions FILE A-B [KIND]
		"run":      do(runCommand),
		"messages": take(messages, func(e *fake.Events) { e.Messages = nil }),
		"news":     take(news, func(e *fake.Events) { clear(e.Changed) }),   // files whose state changed
		"refused":  take(refused, func(e *fake.Events) { e.Refused = nil }), // edits the person was told of
		"view":     do(viewOf),                                              // view FILE
		"shown":    take(shown, func(e *fake.Events) { e.Shown = nil }),
		"refresh":  await(refresh), // refresh METHOD: how often

		// Beneath.
		"misbehave": do(misbehave),
		"sent":      take(sent, func(e *fake.Events) { e.Applied = nil }), // edits the editor got
		"request":   do(request),                                          // request METHOD PARAMS
		"notify":    do(notify),
		"send":      do(send),
		"folders":   do(folders), // folders +DIR -DIR
		"set":       do(set),     // set SETTINGS: changes the configuration
		"flush":     do(flush),
		"timers":    do(timers),

		// Life and death.
		"connect": {run: connect}, // a connection without initialize
		"quit":    do(quit),
		"exit":    do(exit),
		"hangup":  do(hangup), // ends what the server reads
		"vanish":  do(vanish), // the editor is gone at once
		"kill":    do(kill),
		"gone":    do(gone), // waits for the server to have ended by itself
	}
}

// parse takes a command line apart.
func (s *scene) parse(line string) (c command, args []string, err error) {
	name, rest, _ := strings.Cut(line, " ")
	c, ok := commands[name]
	if !ok {
		return c, nil, fmt.Errorf("unknown command %q", name)
	}
	if slices.Contains([]string{"request", "notify", "run", "send", "set"}, name) {
		args = []string{rest}
	} else if args, err = words(rest); err != nil {
		return c, nil, err
	}
	return c, args, nil
}

// words splits a line at blanks, "," and ";". A word in quotes is a Go string
// and keeps its opening quote.
func words(line string) ([]string, error) {
	var out []string
	for line = strings.TrimLeft(line, " "); line != ""; line = strings.TrimLeft(line, " ") {
		switch line[0] {
		case '"', '`':
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", line, err)
			}
			text, err := strconv.Unquote(quoted)
			if err != nil {
				return nil, err
			}
			out = append(out, `"`+text)
			line = line[len(quoted):]
		case ';', ',':
			out = append(out, line[:1])
			line = line[1:]
		default:
			n := strings.IndexAny(line, " ;")
			if n < 0 {
				n = len(line)
			}
			out = append(out, line[:n])
			line = line[n:]
		}
	}
	return out, nil
}

// option takes name=VALUE out of args.
func option(args *[]string, name string) string {
	for i, a := range *args {
		if value, ok := strings.CutPrefix(a, name+"="); ok {
			*args = slices.Delete(slices.Clone(*args), i, i+1)
			return value
		}
	}
	return ""
}

func flagged(args *[]string, name string) bool {
	if i := slices.Index(*args, name); i >= 0 {
		*args = slices.Delete(slices.Clone(*args), i, i+1)
		return true
	}
	return false
}

// text returns the text an argument means: a quoted string, or a file @name of
// the archive.
func (s *scene) text(arg string) string {
	if text, ok := strings.CutPrefix(arg, `"`); ok {
		return text
	}
	for _, f := range s.sc.archive.Files {
		if f.Name == arg {
			return string(f.Data)
		}
	}
	s.Fatalf("%q is neither a quoted text nor a file @name", arg)
	return ""
}

// path returns the path of a file of the workspace. One that begins with ../
// is outside.
func (s *scene) path(name string) string {
	return filepath.Join(s.root, filepath.FromSlash(strings.TrimPrefix(name, `"`)))
}

func (s *scene) write(name, content string) {
	s.Helper()
	path := s.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.Fatal(err)
	}
	// At once, so that nobody sees half of it.
	temp, err := os.CreateTemp(filepath.Dir(s.root), "write")
	if err != nil {
		s.Fatal(err)
	}
	defer temp.Close()
	if _, err := temp.WriteString(content); err != nil {
		s.Fatal(err)
	}
	if err := temp.Chmod(0o644); err != nil {
		s.Fatal(err)
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		s.Fatal(err)
	}
}

func (s *scene) decode(raw string, v any) {
	if raw == "" {
		return
	}
	if err := json.Unmarshal([]byte(raw), v); err != nil {
		s.Fatalf("%s: %v", raw, err)
	}
}

var (
	versions = regexp.MustCompile(`"name":"acode-ls","version":"[^"]*"`)

	sums  = regexp.MustCompile(`\b[0-9a-f]{64}\b`)
	names = regexp.MustCompile(`\$(uri|sha|path)\(([^)]*)\)`)
)

// anonymous takes out of an output what differs from run to run.
func (s *scene) anonymous(out string) string {
	out = strings.ReplaceAll(out, "file://"+s.root+"/", "")
	out = strings.ReplaceAll(out, "file://"+s.root, "$ROOT")
	out = strings.ReplaceAll(out, s.root, "$ROOT")
	out = strings.ReplaceAll(out, strings.ReplaceAll(s.root, "/", "~1"), "$ROOT") // in a JSON pointer
	out = strings.ReplaceAll(out, filepath.Dir(s.root), "$BASE")
	out = versions.ReplaceAllString(out, `"name":"acode-ls","version":"$$VERSION"`)
	return sums.ReplaceAllString(out, "$$SHA")
}

// expand puts in what differs from run to run.
func (s *scene) expand(c *client, raw string) string {
	raw = strings.ReplaceAll(raw, "$ROOT", s.root)
	return names.ReplaceAllStringFunc(raw, func(m string) string {
		parts := names.FindStringSubmatch(m)
		switch parts[1] {
		case "uri":
			return c.URIOf(s.path(parts[2]))
		case "path":
			return s.path(parts[2])
		default:
			return s.sum(c, parts[2])
		}
	})
}

// sum returns the hash of a file as the editor has it.
func (s *scene) sum(c *client, name string) string {
	text, _, ok := c.Text(s.path(name))
	if !ok {
		b, err := os.ReadFile(s.path(name))
		if err != nil {
			s.Fatal(err)
		}
		text = string(b)
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
}

func (s *scene) complaint(err error) string {
	var refusal *fake.ResponseError
	if errors.As(err, &refusal) {
		return fmt.Sprintf("error %d: %s\n", refusal.Code, refusal.Message)
	}
	return fmt.Sprintf("error: %v\n", err)
}

// call sends a request and decodes its result strictly.
func (s *scene) call(c *client, method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	raw, err := c.Call(ctx, method, params)
	if err != nil {
		return err
	}
	return strict(raw, result)
}

func strict(raw json.RawMessage, result any) error {
	if result == nil {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(result); err != nil {
		return fmt.Errorf("result %s: %w", raw, err)
	}
	return nil
}

type object = map[string]any

func (s *scene) document(c *client, name string) object {
	return object{"uri": c.URIOf(s.path(name))}
}

func (s *scene) name(c *client, uri string) string {
	path, err := url.PathUnescape(strings.TrimPrefix(uri, "file://"))
	if err != nil {
		s.Fatal(err)
	}
	if rest, ok := strings.CutPrefix(path, s.root+"/"); ok {
		return rest
	}
	return uri
}

// sameTexts holds the server's texts against the editor's. An observation with
// a wrong hash is refused with the right one, and changes nothing.
func (s *scene) sameTexts(c *client) {
	if err := c.Flush(); err != nil {
		return
	}
	for _, path := range c.OpenFiles() {
		err := s.call(c, "acode/observe", object{
			"textDocument": object{"uri": c.URIOf(path)}, "ranges": []any{}, "sha256": strings.Repeat("0", 64),
		}, nil)
		text, version, ok := c.Text(path)
		if err == nil || !ok {
			s.Errorf("an observation of other content is taken")
			continue
		}
		var refusal *fake.ResponseError
		if errors.As(err, &refusal) && refusal.Code != -32801 {
			continue // not followed: outside, or no text
		}
		sum := fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
		if got := sums.FindString(err.Error()); got != sum {
			s.Errorf("%s at version %d: the server has another text than the editor: %v, want %s", filepath.Base(path), version, err, sum)
		}
	}
}

// Disk.

func gen(s *scene, args []string) (string, error) {
	n, err := strconv.Atoi(args[1])
	if err != nil {
		return "", err
	}
	width := 0
	if len(args) > 2 {
		if width, err = strconv.Atoi(args[2]); err != nil {
			return "", err
		}
	}
	var b strings.Builder
	for i := 1; i <= n; i++ {
		line := fmt.Sprintf("line %d", i)
		b.WriteString(line + strings.Repeat(".", max(0, width-len(line))) + "\n")
	}
	s.write(args[0], b.String())
	return "", nil
}

func diskWrite(s *scene, args []string) (string, error) {
	s.write(args[0], s.text(args[1]))
	return "", nil
}

func diskRemove(s *scene, args []string) (string, error) {
	return "", os.RemoveAll(s.path(args[0]))
}

func diskMove(s *scene, args []string) (string, error) {
	return "", os.Rename(s.path(args[0]), s.path(args[1]))
}

func symlink(s *scene, args []string) (string, error) {
	return "", os.Symlink(filepath.FromSlash(strings.TrimPrefix(args[0], `"`)), s.path(args[1]))
}

func mkdir(s *scene, args []string) (string, error) {
	return "", os.MkdirAll(s.path(args[0]), 0o755)
}

func chmod(s *scene, args []string) (string, error) {
	mode, err := strconv.ParseUint(args[0], 8, 32)
	if err != nil {
		return "", err
	}
	return "", os.Chmod(s.path(args[1]), os.FileMode(mode))
}

func touch(s *scene, args []string) (string, error) {
	then := time.Now().Add(-time.Hour)
	return "", os.Chtimes(s.path(args[0]), then, then)
}

func git(s *scene, args []string) (string, error) {
	for i, a := range args {
		args[i] = strings.TrimPrefix(a, `"`)
	}
	cmd := exec.Command("git", args...)
	cmd.Dir = s.root
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("git %v: %w\n%s", args, err, out)
	}
	return "", nil
}

// lined shows a text line by line, with what cannot be seen of it.
func lined(text string) string {
	if text == "" {
		return "(empty)\n"
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		body, ended := strings.CutSuffix(line, "\n")
		quoted := strconv.Quote(body)
		if inner := quoted[1 : len(quoted)-1]; inner == body || inner == strings.ReplaceAll(body, `"`, `\"`) {
			quoted = body
		}
		b.WriteString("| " + quoted)
		if !ended {
			b.WriteString(" (no line end)")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func showDisk(s *scene, args []string) (string, error) {
	b, err := os.ReadFile(s.path(args[0]))
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return "no such file", nil
		}
		return "", err
	}
	if slices.Contains(args, "mode") {
		info, err := os.Stat(s.path(args[0]))
		if err != nil {
			return "", err
		}
		return info.Mode().String() + "\n" + lined(string(b)), nil
	}
	return lined(string(b)), nil
}

// ls lists what is in a folder, so that nothing staged is left behind unseen.
func ls(s *scene, args []string) (string, error) {
	dir := s.root
	if len(args) > 0 {
		dir = s.path(args[0])
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var out []string
	for _, e := range entries {
		if e.Name() != ".git" {
			out = append(out, e.Name())
		}
	}
	return strings.Join(out, " "), nil
}

// journal says whether a journal is whole: JSON lines, the last one ended.
func journal(s *scene, args []string) (string, error) {
	b, err := os.ReadFile(s.path(".acode/sessions/" + args[0] + ".jsonl"))
	if err != nil {
		return "", err
	}
	for line := range bytes.Lines(b) {
		if !bytes.HasSuffix(line, []byte("\n")) || !json.Valid(line) {
			return "", fmt.Errorf("the journal holds %q", line)
		}
	}
	return "whole", nil
}

func cut(s *scene, args []string) (string, error) {
	path := s.path(".acode/sessions/" + args[0] + ".jsonl")
	n, err := strconv.Atoi(args[1])
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	return "", os.Truncate(path, info.Size()-int64(n))
}

// Editor.

func open(s *scene, c *client, args []string) (string, error) {
	if len(args) > 2 && args[1] == "as" {
		return "", c.OpenAs(s.expand(c, strings.TrimPrefix(args[2], `"`)), s.path(args[0]))
	}
	return "", c.Open(s.path(args[0]))
}

func closeFile(s *scene, c *client, args []string) (string, error) {
	return "", c.Close(s.path(args[0]))
}

func save(s *scene, c *client, args []string) (string, error) { return "", c.Save(s.path(args[0])) }

func typeText(s *scene, c *client, args []string) (string, error) {
	edits, err := s.edits(c, args[0], args[1:])
	if err != nil {
		return "", err
	}
	return "", c.Edit(s.path(args[0]), edits...)
}

func format(s *scene, c *client, args []string) (string, error) {
	return "", c.Set(s.path(args[0]), s.text(args[1]))
}

func undo(s *scene, c *client, args []string) (string, error) { return "", c.Undo(s.path(args[0])) }

func showBuffer(s *scene, c *client, args []string) (string, error) {
	text, _, ok := c.Text(s.path(args[0]))
	if !ok {
		return "not open", nil
	}
	return lined(text), nil
}

func rename(s *scene, c *client, args []string) (string, error) {
	return "", c.Rename(s.path(args[0]), s.path(args[1]))
}

func deleteFile(s *scene, c *client, args []string) (string, error) {
	return "", c.Delete(s.path(args[0]))
}

// Agent.

type lineRange struct {
	StartLine int `json:"startLine"`
	EndLine   int `json:"endLine"`
}

func ranges(rs []lineRange) string {
	if rs == nil {
		return "null"
	}
	var out []string
	for _, r := range rs {
		if r.StartLine == r.EndLine {
			out = append(out, strconv.Itoa(r.StartLine))
		} else {
			out = append(out, fmt.Sprintf("%d-%d", r.StartLine, r.EndLine))
		}
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, ", ")
}

func parseRange(arg string) (lineRange, error) {
	a, b, ok := strings.Cut(arg, "-")
	if !ok {
		b = a
	}
	start, err := strconv.Atoi(a)
	if err != nil {
		return lineRange{}, err
	}
	end, err := strconv.Atoi(b)
	return lineRange{start, end}, err
}

func read(s *scene, c *client, args []string) (string, error) {
	verbose := flagged(&args, "-v")
	params := object{}
	if session := option(&args, "session"); session != "" {
		params["session"] = session
	}
	params["textDocument"] = s.document(c, args[0])
	if len(args) > 1 {
		r, err := parseRange(args[1])
		if err != nil {
			return "", err
		}
		params["startLine"], params["endLine"] = r.StartLine, r.EndLine
	}
	var r struct {
		Content     string          `json:"content"`
		ShownRanges []lineRange     `json:"shownRanges"`
		TotalLines  int             `json:"totalLines"`
		SHA256      string          `json:"sha256"`
		Omissions   json.RawMessage `json:"omissions"`
		Metadata    struct {
			WasTruncated bool   `json:"wasTruncated"`
			Strategy     string `json:"strategy"`
			Omissions    json.RawMessage
			Retrieval    string `json:"retrievalInstructions"`
		} `json:"metadata"`
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	raw, err := c.Call(ctx, "acode/read", params)
	if err != nil {
		return "", err
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return "", err
	}
	out := fmt.Sprintf("shown %s of %d\n", ranges(r.ShownRanges), r.TotalLines)
	if r.Metadata.WasTruncated {
		out = fmt.Sprintf("shown %s of %d, cut by %s\n", ranges(r.ShownRanges), r.TotalLines, r.Metadata.Strategy)
		if r.Metadata.Retrieval != "" {
			out += "next: " + r.Metadata.Retrieval + "\n"
		}
	}
	if verbose {
		out += lined(r.Content)
	}
	if want := s.sum(c, args[0]); r.SHA256 != want {
		out += fmt.Sprintf("with a wrong hash %s, not %s\n", r.SHA256, want)
	}
	return out, nil
}

func toolOutput(s *scene, c *client, args []string) (string, error) {
	var r struct {
		Content  string `json:"content"`
		IsError  bool   `json:"isError"`
		Metadata struct {
			Version         int    `json:"version"`
			ToolName        string `json:"toolName"`
			Strategy        string `json:"strategyUsed"`
			OmittedLines    int    `json:"omittedLines"`
			Summary         string `json:"omissionSummary"`
			ContentType     string `json:"contentType"`
			OmittedFailures int    `json:"omittedFailureLines"`
			Redactions      []struct {
				Type  string `json:"type"`
				Count int    `json:"count"`
			} `json:"redactions"`
		} `json:"metadata"`
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	raw, err := c.Call(ctx, "acode/process", object{"tool": args[0], "content": s.text(args[1])})
	if err != nil {
		return "", err
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return "", err
	}
	m := r.Metadata
	if r.IsError {
		return "refused: " + r.Content, nil
	}
	out := fmt.Sprintf("%s of %s", m.ContentType, m.ToolName)
	if m.Strategy != "" {
		out += fmt.Sprintf(", cut by %s: %s, %d lines, %d failures", m.Strategy, m.Summary, m.OmittedLines, m.OmittedFailures)
	}
	for _, r := range m.Redactions {
		out += fmt.Sprintf(", %d %s", r.Count, r.Type)
	}
	return out + "\n" + lined(r.Content), nil
}

func observe(s *scene, c *client, args []string) (string, error) {
	params := object{}
	if session := option(&args, "session"); session != "" {
		params["session"] = session
	}
	switch sha := option(&args, "sha"); {
	case sha == "":
	case sha == "current":
		params["sha256"] = s.sum(c, args[0])
	case strings.HasPrefix(sha, "hex:"):
		params["sha256"] = sha[4:]
	default:
		params["sha256"] = fmt.Sprintf("%x", sha256.Sum256([]byte(sha)))
	}
	params["textDocument"] = s.document(c, args[0])
	list := []lineRange{}
	for _, arg := range args[1:] {
		if arg == "," {
			continue
		}
		r, err := parseRange(strings.TrimSuffix(arg, ","))
		if err != nil {
			return "", err
		}
		list = append(list, r)
	}
	params["ranges"] = list
	var f fileState
	if err := s.call(c, "acode/observe", params, &f); err != nil {
		return "", err
	}
	return s.line(c, f), nil
}

type fileState struct {
	URI           string      `json:"uri"`
	State         string      `json:"state"`
	Stale         bool        `json:"stale"`
	ReadRanges    []lineRange `json:"readRanges"`
	UnreadRanges  []lineRange `json:"unreadRanges"`
	ChangedRanges []lineRange `json:"changedRanges"`
	TotalLines    int         `json:"totalLines"`
	Coverage      float64     `json:"coverage"`
	Rounds        int         `json:"rounds"`
}

func (s *scene) line(c *client, f fileState) string {
	out := fmt.Sprintf("%s: %s, read %s, unread %s, of %d, coverage %.2f", s.name(c, f.URI), f.State,
		ranges(f.ReadRanges), ranges(f.UnreadRanges), f.TotalLines, f.Coverage)
	if f.Rounds != 1 {
		out += fmt.Sprintf(", %d rounds", f.Rounds)
	}
	if f.Stale {
		out += ", stale"
	}
	if len(f.ChangedRanges) > 0 {
		out += ", changed " + ranges(f.ChangedRanges)
	}
	return out + "\n"
}

func stateOf(s *scene, c *client, args []string) (session, summary string, files []fileState, err error) {
	params := object{}
	if session := option(&args, "session"); session != "" {
		params["session"] = session
	}
	if len(args) > 0 {
		params["textDocument"] = s.document(c, args[0])
	}
	var r struct {
		Session string      `json:"session"`
		Files   []fileState `json:"files"`
		Summary string      `json:"summary"`
	}
	err = s.call(c, "acode/state", params, &r)
	return r.Session, r.Summary, r.Files, err
}

func state(s *scene, c *client, args []string) (string, error) {
	session, _, files, err := stateOf(s, c, args)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if len(args) == 0 || strings.HasPrefix(args[0], "session=") && len(args) == 1 {
		fmt.Fprintf(&b, "session %s\n", session)
	}
	for _, f := range files {
		b.WriteString(s.line(c, f))
	}
	return b.String(), nil
}

func summary(s *scene, c *client, args []string) (string, error) {
	_, out, _, err := stateOf(s, c, args)
	return out, err
}

func round(s *scene, c *client, args []string) (string, error) {
	params := object{}
	if session := option(&args, "session"); session != "" {
		params["session"] = session
	}
	return "", c.Notify("acode/round", params)
}

func sessions(s *scene, c *client, _ []string) (string, error) {
	var r struct {
		Sessions []struct {
			ID       string `json:"id"`
			Agent    string `json:"agent"`
			Active   bool   `json:"active"`
			Selected bool   `json:"selected"`
			Files    int    `json:"files"`
			LastUsed string `json:"lastUsed"`
		} `json:"sessions"`
	}
	if err := s.call(c, "acode/sessions", object{}, &r); err != nil {
		return "", err
	}
	var b strings.Builder
	for _, x := range r.Sessions {
		if _, err := time.Parse(time.RFC3339, x.LastUsed); err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%s: %d files", x.ID, x.Files)
		if x.Active {
			b.WriteString(", active")
		}
		if x.Selected {
			b.WriteString(", selected")
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// position reads l:c.
func position(arg string) (fake.Position, error) {
	var p fake.Position
	if n, err := fmt.Sscanf(arg, "%d:%d", &p.Line, &p.Character); n != 2 {
		return p, fmt.Errorf("%q is no position: %v", arg, err)
	}
	return p, nil
}

// edits reads EDIT, EDIT…, each one of
//
//	A-B TEXT      replaces the lines A to B, which are not the last without line end
//	+N TEXT       inserts lines before line N
//	l:c-l:c TEXT  replaces a range, as LSP has it
//	all TEXT      replaces everything
func (s *scene) edits(c *client, file string, args []string) ([]fake.TextEdit, error) {
	var out []fake.TextEdit
	for len(args) > 0 {
		if args[0] == "," {
			args = args[1:]
			continue
		}
		if len(args) < 2 {
			return nil, fmt.Errorf("the edit %v has no text", args)
		}
		te := fake.TextEdit{NewText: s.text(args[1])}
		where := args[0]
		args = args[2:]
		switch {
		case where == "all":
			content, _, ok := c.Text(s.path(file))
			if !ok {
				b, err := os.ReadFile(s.path(file))
				if err != nil {
					return nil, err
				}
				content = string(b)
			}
			te.Range.End.Line = strings.Count(withLF(content), "\n")
			te.Range.End.Character = len(content) // past the end of its line, which is allowed
		case where[0] == '+':
			n, err := strconv.Atoi(where[1:])
			if err != nil {
				return nil, err
			}
			te.Range.Start.Line, te.Range.End.Line = n-1, n-1
		case strings.Contains(where, ":"):
			a, b, _ := strings.Cut(where, "-")
			var err error
			if te.Range.Start, err = position(a); err != nil {
				return nil, err
			}
			if te.Range.End, err = position(b); err != nil {
				return nil, err
			}
		default:
			r, err := parseRange(where)
			if err != nil {
				return nil, err
			}
			te.Range.Start.Line, te.Range.End.Line = r.StartLine-1, r.EndLine
		}
		out = append(out, te)
	}
	return out, nil
}

func withLF(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// workspaceEdit reads OPERATION; OPERATION…, each one of
//
//	FILE [v=VERSION|none|null] EDIT, EDIT…
//	create FILE [OPTION…]
//	rename FILE FILE [OPTION…]
//	delete FILE [OPTION…]
func (s *scene) workspaceEdit(c *client, args []string, changes bool) (object, error) {
	var members []any
	byURI := map[string]any{}
	for _, op := range split(args, ";") {
		switch op[0] {
		case "create", "delete":
			members = append(members, object{"kind": op[0], "uri": c.URIOf(s.path(op[1])), "options": options(op[2:])})
			continue
		case "rename":
			members = append(members, object{"kind": "rename", "oldUri": c.URIOf(s.path(op[1])), "newUri": c.URIOf(s.path(op[2])), "options": options(op[3:])})
			continue
		}
		v := option(&op, "v")
		edits, err := s.edits(c, op[0], op[1:])
		if err != nil {
			return nil, err
		}
		if edits == nil {
			edits = []fake.TextEdit{}
		}
		document := s.document(c, op[0])
		byURI[document["uri"].(string)] = edits
		switch _, version, open := c.Text(s.path(op[0])); {
		case v == "none":
		case v == "null" || v == "" && !open:
			document["version"] = nil
		case v == "":
			document["version"] = version
		case v[0] == '+' || v[0] == '-':
			n, err := strconv.Atoi(v)
			if err != nil {
				return nil, err
			}
			document["version"] = version + n
		default:
			if document["version"], err = strconv.Atoi(v); err != nil {
				return nil, err
			}
		}
		members = append(members, object{"textDocument": document, "edits": edits})
	}
	if changes {
		return object{"changes": byURI}, nil
	}
	return object{"documentChanges": members}, nil
}

func options(names []string) object {
	out := object{}
	for _, n := range names {
		out[n] = true
	}
	return out
}

func split(args []string, at string) [][]string {
	var out [][]string
	for len(args) > 0 {
		i := slices.Index(args, at)
		if i < 0 {
			i = len(args)
		}
		if i > 0 {
			out = append(out, args[:i])
		}
		args = args[min(i+1, len(args)):]
	}
	return out
}

type verdict struct {
	Allowed bool `json:"allowed"`
	Blocks  []struct {
		URI          string      `json:"uri"`
		Reason       string      `json:"reason"`
		UnreadRanges []lineRange `json:"unreadRanges"`
		Message      string      `json:"message"`
	} `json:"blocks"`
	Warnings []struct {
		URI           string      `json:"uri"`
		Code          string      `json:"code"`
		Message       string      `json:"message"`
		ChangedRanges []lineRange `json:"changedRanges"`
	} `json:"warnings"`
	Expanded []struct {
		URI       string `json:"uri"`
		StartLine int    `json:"startLine"`
		EndLine   int    `json:"endLine"`
		Content   string `json:"content"`
	} `json:"expanded"`
}

func (s *scene) verdict(c *client, v verdict, verbose bool) string {
	var b strings.Builder
	if v.Allowed {
		b.WriteString("allowed\n")
	}
	if v.Allowed != (len(v.Blocks) == 0) || v.Blocks == nil || v.Warnings == nil || v.Expanded == nil {
		fmt.Fprintf(&b, "contradictory: %+v\n", v)
	}
	for _, x := range v.Blocks {
		fmt.Fprintf(&b, "blocked %s: %s, unread %s: %s\n", s.name(c, x.URI), x.Reason, ranges(x.UnreadRanges), x.Message)
	}
	for _, x := range v.Warnings {
		fmt.Fprintf(&b, "warning %s: %s, changed %s: %s\n", s.name(c, x.URI), x.Code, ranges(x.ChangedRanges), x.Message)
	}
	for _, x := range v.Expanded {
		fmt.Fprintf(&b, "expanded %s: %d-%d\n", s.name(c, x.URI), x.StartLine, x.EndLine)
		if verbose {
			b.WriteString(lined(x.Content))
		}
	}
	return b.String()
}

// editCall is a checkEdit or applyEdit taken from a command line.
func (s *scene) editCall(c *client, args []string) (params object, verbose bool, err error) {
	verbose = flagged(&args, "-v")
	params = object{}
	if session := option(&args, "session"); session != "" {
		params["session"] = session
	}
	if label := option(&args, "label"); label != "" {
		params["label"] = label
	}
	form := option(&args, "form")
	params["edit"], err = s.workspaceEdit(c, args, form == "changes")
	return params, verbose, err
}

func check(s *scene, c *client, args []string) (string, error) {
	params, verbose, err := s.editCall(c, args)
	if err != nil {
		return "", err
	}
	var v verdict
	if err := s.call(c, "acode/checkEdit", params, &v); err != nil {
		return "", err
	}
	return s.verdict(c, v, verbose), nil
}

func apply(s *scene, c *client, args []string) (string, error) {
	params, verbose, err := s.editCall(c, args)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	raw, err := c.Call(ctx, "acode/applyEdit", params)
	return s.applied(c, raw, err, verbose)
}

func (s *scene) applied(c *client, raw json.RawMessage, err error, verbose bool) (string, error) {
	if err != nil {
		return "", err
	}
	var r struct {
		verdict
		Applied       bool              `json:"applied"`
		FailureReason string            `json:"failureReason"`
		SHA256        map[string]string `json:"sha256"`
	}
	// Embedded, verdict is no obstacle to strictness.
	if err := strict(raw, &r); err != nil {
		return "", err
	}
	out := s.verdict(c, r.verdict, verbose)
	switch {
	case r.Applied:
		out += "applied\n"
	case r.FailureReason != "":
		out += "failed: " + r.FailureReason + "\n"
	}
	if r.SHA256 == nil || !r.Applied && len(r.SHA256) > 0 || r.Applied && r.FailureReason != "" {
		out += fmt.Sprintf("contradictory: %s\n", raw)
	}
	for _, uri := range slices.Sorted(maps.Keys(r.SHA256)) {
		// By now a person may have gone on typing.
		var had []string
		for _, text := range c.Told(s.path(s.name(c, uri))) {
			had = append(had, fmt.Sprintf("%x", sha256.Sum256([]byte(text))))
		}
		if want := s.sum(c, s.name(c, uri)); r.SHA256[uri] != want && !slices.Contains(had, r.SHA256[uri]) {
			out += fmt.Sprintf("with a wrong hash of %s: %s, not %s\n", s.name(c, uri), r.SHA256[uri], want)
		}
	}
	return out, nil
}

func startApply(s *scene, c *client, args []string) (string, error) {
	params, _, err := s.editCall(c, args[1:])
	if err != nil {
		return "", err
	}
	r, err := c.Start("acode/applyEdit", params)
	c.pending[args[0]] = r
	return "", err
}

func wait(s *scene, c *client, args []string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	raw, err := c.pending[args[0]].Wait(ctx)
	return s.applied(c, raw, err, false)
}

func cancel(s *scene, c *client, args []string) (string, error) {
	return "", c.pending[args[0]].Cancel()
}

// Person.

var severities = map[int]string{1: "error", 2: "warning", 3: "information", 4: "hint"}

func diag(s *scene, c *client, args []string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	items, err := c.Diagnostics(ctx, s.path(args[0]))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, d := range items {
		var data struct {
			Session string      `json:"session"`
			Ranges  []lineRange `json:"ranges"`
		}
		if err := strict(d.Data, &data); err != nil {
			return "", err
		}
		tags := ""
		if slices.Equal(d.Tags, []int{1}) {
			tags = " unnecessary"
		} else if len(d.Tags) > 0 {
			tags = fmt.Sprint(" ", d.Tags)
		}
		fmt.Fprintf(&b, "%s %s %s%s: %s (%s, %s %s)\n", d.Range, severities[d.Severity], d.Code, tags, d.Message, d.Source, data.Session, ranges(data.Ranges))
	}
	if b.Len() == 0 {
		return "none", nil
	}
	return b.String(), nil
}

// clean says whether nothing is shown of a document that is closed.
func clean(s *scene, c *client, args []string) (string, error) {
	var items []fake.Diagnostic
	c.Inspect(func(e *fake.Events) { items = e.Diagnostics[c.URI(s.path(args[0]))].Diagnostics })
	if len(items) > 0 {
		return fmt.Sprintf("%d diagnostics are left", len(items)), nil
	}
	return "", nil
}

// count says how often diagnostics of a document were published.
func count(s *scene, c *client, args []string) (string, error) {
	var n int
	c.Inspect(func(e *fake.Events) { n = e.Diagnostics[c.URI(s.path(args[0]))].Count })
	return strconv.Itoa(n), nil
}

func lens(s *scene, c *client, args []string) (string, error) {
	var lenses []struct {
		Range   fake.Range `json:"range"`
		Command struct {
			Title     string            `json:"title"`
			Command   string            `json:"command"`
			Arguments []json.RawMessage `json:"arguments"`
		} `json:"command"`
	}
	if err := s.call(c, "textDocument/codeLens", object{"textDocument": s.document(c, args[0])}, &lenses); err != nil {
		return "", err
	}
	if lenses == nil {
		return "null", nil
	}
	var b strings.Builder
	for _, l := range lenses {
		fmt.Fprintf(&b, "%s %s (%s %s)\n", l.Range, l.Command.Title, l.Command.Command, l.Command.Arguments)
	}
	if b.Len() == 0 {
		return "none", nil
	}
	return b.String(), nil
}

func hover(s *scene, c *client, args []string) (string, error) {
	n, err := strconv.Atoi(args[1])
	if err != nil {
		return "", err
	}
	var h *struct {
		Contents struct {
			Kind  string `json:"kind"`
			Value string `json:"value"`
		} `json:"contents"`
		Range fake.Range `json:"range"`
	}
	params := object{"textDocument": s.document(c, args[0]), "position": object{"line": n - 1, "character": 0}}
	if err := s.call(c, "textDocument/hover", params, &h); err != nil {
		return "", err
	}
	if h == nil {
		return "nothing", nil
	}
	return fmt.Sprintf("%s %s: %s", h.Range, h.Contents.Kind, strings.ReplaceAll(h.Contents.Value, "\n\n", " ¶ ")), nil
}

func actions(s *scene, c *client, args []string) (string, error) {
	r, err := parseRange(args[1])
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	items, err := c.Diagnostics(ctx, s.path(args[0]))
	if err != nil {
		return "", err
	}
	about := object{"diagnostics": []fake.Diagnostic{}}
	var here []fake.Diagnostic
	for _, d := range items {
		if d.Range.Start.Line < r.EndLine && r.StartLine-1 <= d.Range.End.Line {
			here = append(here, d)
		}
	}
	if here != nil {
		about["diagnostics"] = here
	}
	if len(args) > 2 {
		about["only"] = args[2:]
	}
	var list []struct {
		Title       string            `json:"title"`
		Kind        string            `json:"kind"`
		Diagnostics []fake.Diagnostic `json:"diagnostics"`
		Command     struct {
			Title     string            `json:"title"`
			Command   string            `json:"command"`
			Arguments []json.RawMessage `json:"arguments"`
		} `json:"command"`
	}
	err = s.call(c, "textDocument/codeAction", object{
		"textDocument": s.document(c, args[0]), "context": about,
		"range": object{"start": object{"line": r.StartLine - 1, "character": 0}, "end": object{"line": r.EndLine - 1, "character": 0}},
	}, &list)
	if err != nil {
		return "", err
	}
	if list == nil {
		return "null", nil
	}
	var b strings.Builder
	for _, a := range list {
		fmt.Fprintf(&b, "%s: %s (%s %s)", a.Kind, a.Title, a.Command.Command, a.Command.Arguments)
		if len(a.Diagnostics) > 0 {
			fmt.Fprintf(&b, " mends %d", len(a.Diagnostics))
		}
		b.WriteByte('\n')
	}
	if b.Len() == 0 {
		return "none", nil
	}
	return b.String(), nil
}

func runCommand(s *scene, c *client, args []string) (string, error) {
	name, raw, _ := strings.Cut(args[0], " ")
	arguments := []json.RawMessage{}
	if raw != "" {
		arguments = append(arguments, json.RawMessage(s.expand(c, raw)))
	}
	return s.raw(c, "workspace/executeCommand", object{"command": name, "arguments": arguments})
}

// raw sends a request and returns the result as it is.
func (s *scene) raw(c *client, method string, params any) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	raw, err := c.Call(ctx, method, params)
	if err != nil {
		return "", err
	}
	return string(raw), nil
}

func messages(s *scene, c *client, _ []string) (string, error) {
	var out string
	c.Inspect(func(e *fake.Events) {
		out = strings.Join(e.Messages, "\n")
	})
	return out, nil
}

func news(s *scene, c *client, _ []string) (string, error) {
	var b strings.Builder
	c.Inspect(func(e *fake.Events) {
		for _, x := range slices.Sorted(maps.Keys(e.Changed)) {
			session, uri, _ := strings.Cut(x, " ")
			fmt.Fprintf(&b, "%s: %s\n", session, s.name(c, uri))
		}
	})
	return b.String(), nil
}

func refused(s *scene, c *client, _ []string) (string, error) {
	var b strings.Builder
	c.Inspect(func(e *fake.Events) {
		for _, x := range e.Refused {
			session, rest, _ := strings.Cut(x, " ")
			uri, message, _ := strings.Cut(rest, " ")
			fmt.Fprintf(&b, "%s: %s: %s\n", session, s.name(c, uri), message)
		}
	})
	return b.String(), nil
}

func viewOf(s *scene, c *client, args []string) (string, error) {
	var v json.RawMessage
	err := s.call(c, "acode/view", object{"textDocument": s.document(c, args[0])}, &v)
	return string(v), err
}

func shown(s *scene, c *client, _ []string) (string, error) {
	var out string
	c.Inspect(func(e *fake.Events) { out = strings.Join(e.Shown, "\n") })
	return out, nil
}

func refresh(s *scene, c *client, args []string) (string, error) {
	var n int
	c.Inspect(func(e *fake.Events) { n = e.Refreshed[args[0]] })
	if n > 0 {
		return "asked", nil
	}
	return "not asked", nil
}

// Beneath.

func misbehave(s *scene, c *client, args []string) (string, error) {
	how := fake.Misbehaviour(args[0])
	if !slices.Contains(fake.Misbehaviours, how) {
		return "", fmt.Errorf("unknown misbehaviour %q", how)
	}
	c.Misbehave(how)
	return "", nil
}

// sent prints the edits the editor got.
func sent(s *scene, c *client, args []string) (string, error) {
	var edits []string
	c.Inspect(func(e *fake.Events) {
		edits = e.Applied
	})
	var b strings.Builder
	for _, raw := range edits {
		if slices.Contains(args, "raw") {
			b.WriteString(raw + "\n")
			continue
		}
		var p struct {
			Label string `json:"label"`
			Edit  struct {
				DocumentChanges []struct {
					Kind         string `json:"kind"`
					URI          string `json:"uri"`
					OldURI       string `json:"oldUri"`
					NewURI       string `json:"newUri"`
					TextDocument struct {
						URI     string `json:"uri"`
						Version int    `json:"version"`
					} `json:"textDocument"`
					Edits []fake.TextEdit `json:"edits"`
				} `json:"documentChanges"`
			} `json:"edit"`
		}
		if err := json.Unmarshal([]byte(raw), &p); err != nil {
			return "", err
		}
		b.WriteString(strings.TrimSpace("edit "+p.Label) + "\n")
		for _, d := range p.Edit.DocumentChanges {
			switch d.Kind {
			case "rename":
				fmt.Fprintf(&b, "rename %s %s\n", s.name(c, d.OldURI), s.name(c, d.NewURI))
			case "":
				fmt.Fprintf(&b, "%s", s.name(c, d.TextDocument.URI))
				for _, e := range d.Edits {
					fmt.Fprintf(&b, " %s %q", e.Range, e.NewText)
				}
				b.WriteByte('\n')
			default:
				fmt.Fprintf(&b, "%s %s\n", d.Kind, s.name(c, d.URI))
			}
		}
	}
	return b.String(), nil
}

// params returns JSON params, nil for none.
func (s *scene) params(c *client, raw string) any {
	if raw == "" {
		return nil
	}
	expanded := s.expand(c, raw)
	if !json.Valid([]byte(expanded)) {
		s.Fatalf("%s is not JSON", expanded)
	}
	return json.RawMessage(expanded)
}

func request(s *scene, c *client, args []string) (string, error) {
	method, raw, _ := strings.Cut(args[0], " ")
	return s.raw(c, method, s.params(c, raw))
}

func notify(s *scene, c *client, args []string) (string, error) {
	method, raw, _ := strings.Cut(args[0], " ")
	return "", c.Notify(method, s.params(c, raw))
}

func send(s *scene, c *client, args []string) (string, error) {
	return "", c.Send(s.expand(c, args[0]))
}

func folders(s *scene, c *client, args []string) (string, error) {
	added, removed := []object{}, []object{}
	for _, arg := range args {
		f := object{"uri": c.URI(s.path(arg[1:])), "name": arg[1:]}
		if arg[0] == '+' {
			added = append(added, f)
		} else {
			removed = append(removed, f)
		}
	}
	return "", c.Notify("workspace/didChangeWorkspaceFolders", object{"event": object{"added": added, "removed": removed}})
}

func set(s *scene, c *client, args []string) (string, error) {
	var v any
	s.decode(args[0], &v)
	c.Configure(v)
	return "", c.Notify("workspace/didChangeConfiguration", object{"settings": object{"acode": v}})
}

func flush(s *scene, c *client, _ []string) (string, error) { return "", c.Flush() }

// timers says how many timers the server has set.
func timers(s *scene, c *client, _ []string) (string, error) {
	if c.server.clock == nil {
		return "", errors.New("the clock of a process is not ours")
	}
	s.barrier(c)
	n, _ := c.server.clock.waiting()
	return strconv.Itoa(n), nil
}

// Life and death.

func connect(s *scene, n int, _ []string) (string, error) {
	s.connect(n)
	return "", nil
}

// end waits for the server to end and returns its exit status.
func (s *scene) end(c *client) (string, error) {
	c.ended = true
	for n, other := range s.clients {
		if other == c {
			delete(s.clients, n)
		}
	}
	select {
	case <-c.server.done:
	case <-time.After(patience):
		return "", errors.New("the server does not exit")
	}
	for _, fault := range c.Faults() {
		s.Errorf("the editor found: %v", fault)
	}
	return fmt.Sprintf("exit %d", c.server.status), nil
}

func quit(s *scene, c *client, _ []string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := c.Exit(ctx); err != nil {
		return "", err
	}
	return s.end(c)
}

func exit(s *scene, c *client, _ []string) (string, error) {
	if err := c.Notify("exit", nil); err != nil {
		return "", err
	}
	return s.end(c)
}

// hangup ends what the server reads, after which it must end within a second.
func hangup(s *scene, c *client, _ []string) (string, error) {
	if err := c.server.closeInput(); err != nil && !errors.Is(err, io.ErrClosedPipe) {
		return "", err
	}
	begin := time.Now()
	out, err := s.end(c)
	if took := time.Since(begin); took > 2*time.Second { // one, and what a busy machine adds
		return out, fmt.Errorf("it took %v", took)
	}
	return out, err
}

// vanish ends both directions, as when an editor is killed. With what status a
// server ends that can no longer write depends on the transport.
func vanish(s *scene, c *client, _ []string) (string, error) {
	c.Disconnect()
	_, err := s.end(c)
	return "", err
}

func kill(s *scene, c *client, _ []string) (string, error) {
	c.server.kill()
	_, err := s.end(c)
	c.Disconnect()
	return "", err
}

// gone waits for the end. With what status a server ends that can no longer
// write depends on the transport.
func gone(s *scene, c *client, _ []string) (string, error) {
	_, err := s.end(c)
	return "", err
}
