package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"
)

// parsed is what a file of a recording came to.
type parsed struct {
	events []*event
	broken int
	found  bool // it holds a conversation
	late   bool // which begins in the middle
}

// entryLine is one line of a conversation of Claude Code.
type entryLine struct {
	Type        string
	SessionID   string
	UUID        string
	ParentUUID  string
	IsSidechain bool
	AgentID     string
	IsMeta      bool
	Timestamp   string
	Cwd         string
	Message     struct{ Content json.RawMessage }
	Result      json.RawMessage `json:"toolUseResult"`
	Attachment  json.RawMessage
	Data        json.RawMessage

	IsCompactSummary bool
}

// contentBlock is a part of a message: text, a call of a tool or its result.
type contentBlock struct {
	Type      string
	ID, Name  string
	Input     json.RawMessage
	ToolUseID string `json:"tool_use_id"`
	Content   json.RawMessage
	IsError   bool `json:"is_error"`
	Text      string

	cwd string // of a call: where it was made
}

// claude reads one file line by line.
type claude struct {
	parsed
	path  string
	seen  map[string]bool   // ids of lines, in all files of the conversation
	roots map[string]string // the first line of a side chain, by id of its lines
	calls map[string]contentBlock
	now   time.Time
	line  entryLine
	at    Place
	begun bool   // a line with an id was read
	news  string // the id of the message that progress tells
}

// maxBroken is how many broken lines of a file are told one by one.
const maxBroken = 10

// readClaude reads a conversation of Claude Code. Lines whose ids are in seen
// were read before, from another file of the same conversation.
func readClaude(ctx context.Context, path string, seen map[string]bool, warn func(string)) (parsed, error) {
	c := &claude{path: path, seen: seen, roots: map[string]string{}, calls: map[string]contentBlock{}}
	err := eachLine(ctx, path, func(n int, raw []byte) bool {
		c.at = Place{path, n}
		if err := c.entries(raw); err != nil {
			if c.broken++; c.broken <= maxBroken {
				warn(fmt.Sprintf("%s:%d is no line of a conversation: %s", path, n, fault(err)))
			}
		}
		return true
	})
	switch more := c.broken - maxBroken; {
	case more == 1:
		warn(path + ": 1 more line is no line of a conversation")
	case more > 1:
		warn(fmt.Sprintf("%s: %d more lines are no lines of a conversation", path, more))
	}
	return c.parsed, err
}

// entries reads a line. It may hold several entries: of two processes that
// wrote at once, the line end of one may come late.
func (c *claude) entries(raw []byte) error {
	c.line = entryLine{}
	err := decode(raw, &c.line)
	if err == nil {
		c.read()
		return nil
	}
	var values []json.RawMessage
	for d := json.NewDecoder(bytes.NewReader(raw)); d.More(); {
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return err
		}
		values = append(values, value)
	}
	if len(values) < 2 {
		return err
	}
	for _, value := range values {
		c.line = entryLine{}
		if err := decode(value, &c.line); err != nil {
			return err
		}
		c.read()
	}
	return nil
}

// decode is json.Unmarshal for one line that must be an object. A field of
// another type than expected is left out.
func decode(raw []byte, to *entryLine) error {
	err := json.Unmarshal(raw, to)
	if _, ok := err.(*json.UnmarshalTypeError); ok && raw[0] == '{' {
		return nil
	}
	return err
}

// moment returns the time of a line, zero if it has none.
func moment(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}
	}
	return t
}

func (c *claude) read() {
	l := &c.line
	if l.UUID != "" {
		if c.seen[l.UUID] {
			return
		}
		c.late = c.late || !c.begun && l.ParentUUID != "" && !c.seen[l.ParentUUID]
		c.begun, c.seen[l.UUID] = true, true
	}
	if t := moment(l.Timestamp); t.After(c.now) {
		c.now = t // the order of lines is right, clocks are set
	}
	switch l.Type {
	case "assistant", "user":
		c.found = true
		c.message()
	case "attachment":
		c.attachment()
	case "progress":
		c.progress()
	}
}

// progress is news of a sub-agent: one of its messages, which may also stand
// in a file of its own, and there in full.
func (c *claude) progress() {
	var news struct {
		Type, AgentID string
		Message       json.RawMessage
	}
	_ = json.Unmarshal(c.line.Data, &news)
	if news.Type != "agent_progress" || news.AgentID == "" || len(news.Message) == 0 {
		return
	}
	l := entryLine{Cwd: c.line.Cwd}
	if decode(news.Message, &l) != nil || l.UUID == "" {
		return
	}
	l.AgentID = news.AgentID
	c.line, c.news = l, l.UUID
	if l.Type == "assistant" || l.Type == "user" {
		c.message()
	}
	c.news = ""
}

// chain returns whose context a line is in.
func (c *claude) chain() string {
	l := &c.line
	switch {
	case l.AgentID != "":
		return l.AgentID
	case !l.IsSidechain:
		return ""
	}
	root, ok := c.roots[l.ParentUUID]
	if !ok {
		root = l.UUID
	}
	c.roots[l.UUID] = root
	return root
}

func (c *claude) message() {
	chain := c.chain()
	var blocks []contentBlock
	if json.Unmarshal(c.line.Message.Content, &blocks) != nil {
		blocks = []contentBlock{{Type: "text", Text: textOf(c.line.Message.Content)}}
	}
	results := 0
	for _, b := range blocks {
		switch b.Type {
		case "tool_use":
			b.cwd = c.line.Cwd
			c.calls[b.ID] = b
		case "tool_result":
			results++
		}
	}
	if c.line.Type == "user" && results == 0 {
		if !c.line.IsMeta {
			c.add(&event{chain: chain})
		}
		if chain == "" && !c.line.IsCompactSummary {
			c.mentions(blocks)
		}
	}
	for _, b := range blocks {
		if b.Type != "tool_result" {
			continue
		}
		call := c.calls[b.ToolUseID]
		delete(c.calls, b.ToolUseID)
		if b.IsError {
			continue
		}
		r := result{c: c, chain: chain, call: call, text: textOf(b.Content)}
		if results == 1 {
			_ = json.Unmarshal(c.line.Result, &r.told) // what is told otherwise is in the text
		}
		_ = json.Unmarshal(call.Input, &r.asked)
		if call.cwd == "" {
			r.call.cwd = c.line.Cwd
		}
		r.read()
	}
}

// textOf returns the text of a message's content: a string, or parts.
func textOf(content json.RawMessage) string {
	var s string
	if json.Unmarshal(content, &s) == nil {
		return s
	}
	var blocks []contentBlock
	_ = json.Unmarshal(content, &blocks)
	var b strings.Builder
	for _, part := range blocks {
		b.WriteString(part.Text)
	}
	return b.String()
}

// attachment is a file the person named, or one that changed, of which the
// agent was shown text.
func (c *claude) attachment() {
	var a struct {
		Type              string
		Filename, Snippet string
		Content           struct{ File *shownFile }
	}
	_ = json.Unmarshal(c.line.Attachment, &a)
	chain := c.chain()
	switch {
	case a.Type == "file" && a.Content.File != nil:
		c.add(a.Content.File.event(c, chain, "Attachment"))
	case a.Type == "edited_text_file":
		c.show(chain, "Attachment", a.Filename, numbered(a.Snippet, ""), true)
	}
}

// mention is a file that a message names: @path or @"path".
var mention = regexp.MustCompile(`(?:^|\s)@(?:"([^"\n]+)"|([^\s"]+))`)

// mentions are files that a message to the agent names. Their text goes along
// with it, which most recordings leave out. A name that is none of a file of
// the recording, as with a range of lines behind it, comes to nothing.
func (c *claude) mentions(blocks []contentBlock) {
	for _, b := range blocks {
		for _, m := range mention.FindAllStringSubmatch(b.Text, -1) {
			path := m[1] + strings.TrimRight(m[2], ".,:;!?)]'`")
			if path != "" {
				c.add(&event{tool: "Mention", path: c.absolute(path), all: true})
			}
		}
	}
}

// add adds an event that happens now.
func (c *claude) add(e *event) {
	if e == nil {
		return
	}
	e.at, e.when, e.news = c.at, c.now, c.news
	c.events = append(c.events, e)
}

func (c *claude) show(chain, tool, path string, pieces []piece, sure bool) {
	if path != "" && len(pieces) > 0 {
		c.add(&event{chain: chain, tool: tool, path: c.absolute(path), pieces: pieces, sure: sure})
	}
}

// absolute returns the one spelling of a recorded path.
func (c *claude) absolute(p string) string {
	if !strings.HasPrefix(p, "/") && !isDrive(p) {
		p = c.line.Cwd + "/" + p
	}
	return path.Clean(p)
}

// isDrive reports whether a path begins with a drive letter.
func isDrive(p string) bool { return len(p) > 2 && p[1] == ':' && (p[2] == '\\' || p[2] == '/') }

// fault says what is wrong with JSON, without the names of Go types.
func fault(err error) string {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return "unexpected " + wrong.Value
	}
	return err.Error()
}
