package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// This file has the tools that ask the workspace about files and have it
// change them.

// run carries out a call whose arguments were right.
type run func(context.Context, *call) (outcome, error)

// document names a file in requests.
type document struct {
	URI string `json:"uri"`
}

// ask sends a request and returns its answer.
func (c *call) ask(ctx context.Context, method string, params any) (jsontext.Value, error) {
	var answer json.RawMessage
	if err := c.opts.Workspace.Call(ctx, method, params, &answer); err != nil {
		return nil, err
	}
	return jsontext.Value(answer), nil
}

// shown returns an answer with a member content that the model gets as it is.
func (c *call) shown(answer jsontext.Value, lead string) (outcome, error) {
	structured, content, err := c.snakeCase(answer, lead, "")
	if err != nil {
		return outcome{}, err
	}
	return outcome{
		texts: []jsontext.Value{content},
		structured: func(withContent bool) (jsontext.Value, error) {
			if withContent {
				return structured, nil
			}
			shorter, _, err := c.snakeCase(answer, lead, "content")
			return shorter, err
		},
	}, nil
}

func readFile(a *arguments) run {
	path := a.path("path")
	a.need("path")
	type params struct {
		Session   string   `json:"session"`
		Document  document `json:"textDocument"`
		StartLine *int64   `json:"startLine,omitempty"`
		EndLine   *int64   `json:"endLine,omitempty"`
		StartByte *int64   `json:"startByte,omitempty"`
		EndByte   *int64   `json:"endByte,omitempty"`
		MaxBytes  int      `json:"maxBytes"` // of the content in JSON
	}
	p := params{StartLine: a.number("start_line", 1, maxNumber), EndLine: a.number("end_line", 1, maxNumber)}
	p.StartByte, p.EndByte = a.number("start_byte", 0, maxNumber), a.number("end_byte", 1, maxNumber)
	return func(ctx context.Context, c *call) (outcome, error) {
		p.Session, p.Document.URI, p.MaxBytes = c.session, c.uri(path), c.room()
		answer, err := c.ask(ctx, "acode/read", p)
		if err != nil {
			return outcome{}, err
		}
		return c.shown(answer, `"path":`+string(quoted(c.path(p.Document.URI))))
	}
}

// edit is params of acode/edit.
type edit struct {
	Session  string   `json:"session"`
	Document document `json:"textDocument"`
	Edits    []any    `json:"edits,omitempty"`
	Content  *string  `json:"content,omitempty"`
	SHA256   string   `json:"expectedSha256,omitempty"`
	DryRun   bool     `json:"dryRun,omitempty"`
	Label    string   `json:"label"`
}

type textReplacement struct {
	OldText    string `json:"oldText"`
	NewText    string `json:"newText"`
	ReplaceAll bool   `json:"replaceAll,omitempty"`
}

type lineReplacement struct {
	StartLine int64  `json:"startLine"`
	EndLine   int64  `json:"endLine"`
	NewText   string `json:"newText"`
}

func editFile(a *arguments) run {
	path := a.path("path")
	a.need("path")
	p := edit{Label: a.what}
	for i, raw := range a.list("edits") {
		e, err := parseEdit(fmt.Sprintf("%s: edits[%d]", a.what, i), raw)
		if err != nil && a.wrong == nil {
			a.wrong = err
		}
		p.Edits = append(p.Edits, e)
	}
	if a.need("edits"); a.wrong == nil && len(p.Edits) == 0 {
		a.fail("edits is empty")
	}
	p.SHA256, p.DryRun = a.text("expected_sha256"), a.flag("dry_run")
	done := fmt.Sprintf("Edited %%s: %s.", counted(len(p.Edits), "edit"))
	if p.DryRun {
		done = "The edit of %s would be allowed; nothing was changed."
	}
	return func(ctx context.Context, c *call) (outcome, error) {
		p.Session, p.Document.URI = c.session, c.uri(path)
		return c.change(ctx, "acode/edit", p, fmt.Sprintf(done, c.path(p.Document.URI)), p.DryRun)
	}
}

func parseEdit(what string, raw jsontext.Value) (any, error) {
	a, err := parseArguments(what, raw)
	if err != nil {
		return nil, err
	}
	byLines := a.has("start_line") || a.has("end_line")
	switch {
	case a.has("old_text") && byLines:
		return nil, fmt.Errorf("%s: either old_text, or start_line and end_line", what)
	case byLines:
		e := lineReplacement{NewText: a.text("new_text")}
		for _, n := range []struct {
			name  string
			to    *int64
			least int64
		}{{"start_line", &e.StartLine, 1}, {"end_line", &e.EndLine, 0}} {
			if v := a.number(n.name, n.least, maxNumber); v != nil {
				*n.to = *v
			}
			a.need(n.name)
		}
		a.need("new_text")
		return e, a.end()
	}
	e := textReplacement{OldText: a.text("old_text"), NewText: a.text("new_text"), ReplaceAll: a.flag("replace_all")}
	a.need("old_text") // or lines, but an agent that names neither means this
	a.need("new_text")
	return e, a.end()
}

func writeFile(a *arguments) run {
	path, content := a.path("path"), a.text("content")
	a.need("path")
	a.need("content")
	p := edit{Content: &content, SHA256: a.text("expected_sha256"), Label: a.what}
	return func(ctx context.Context, c *call) (outcome, error) {
		p.Session, p.Document.URI = c.session, c.uri(path)
		return c.change(ctx, "acode/edit", p, fmt.Sprintf("Wrote %s.", c.path(p.Document.URI)), false)
	}
}

// operations is params of acode/applyEdit.
type operations struct {
	Session string `json:"session"`
	Edit    any    `json:"edit"`
	Label   string `json:"label"`
}

type documentChanges struct {
	Changes []any `json:"documentChanges"`
}

func deleteFile(a *arguments) run {
	path := a.path("path")
	a.need("path")
	type deletion struct {
		Kind string `json:"kind"`
		URI  string `json:"uri"`
	}
	return func(ctx context.Context, c *call) (outcome, error) {
		uri := c.uri(path)
		p := operations{c.session, documentChanges{[]any{deletion{"delete", uri}}}, c.tool.name}
		return c.change(ctx, "acode/applyEdit", p, fmt.Sprintf("Deleted %s.", c.path(uri)), false)
	}
}

func renameFile(a *arguments) run {
	from, to, overwrite := a.path("path"), a.path("new_path"), a.flag("overwrite")
	a.need("path")
	a.need("new_path")
	type options struct {
		Overwrite bool `json:"overwrite"`
	}
	type renaming struct {
		Kind    string  `json:"kind"`
		OldURI  string  `json:"oldUri"`
		NewURI  string  `json:"newUri"`
		Options options `json:"options"`
	}
	return func(ctx context.Context, c *call) (outcome, error) {
		r := renaming{"rename", c.uri(from), c.uri(to), options{overwrite}}
		p := operations{c.session, documentChanges{[]any{r}}, c.tool.name}
		return c.change(ctx, "acode/applyEdit", p, fmt.Sprintf("Renamed %s to %s.", c.path(r.OldURI), c.path(r.NewURI)), false)
	}
}

func applyWorkspaceEdit(a *arguments) run {
	edit := a.value("edit")
	if a.need("edit"); edit != nil && edit.Kind() != '{' {
		a.fail("edit must be an object, not %s", describe(edit))
	}
	return func(ctx context.Context, c *call) (outcome, error) {
		named, err := c.workspaceEdit(edit)
		if err != nil {
			return outcome{}, fmt.Errorf("reading the edit: %w", err)
		}
		return c.change(ctx, "acode/applyEdit", operations{c.session, json.RawMessage(named), c.tool.name}, "Applied the edit.", false)
	}
}

// change sends a request that is answered with a verdict; done says what was
// done if it is allowed.
func (c *call) change(ctx context.Context, method string, params any, done string, dryRun bool) (outcome, error) {
	answer, err := c.ask(ctx, method, params)
	if err != nil {
		return outcome{}, err
	}
	structured, _, err := c.snakeCase(answer, "", "")
	if err != nil {
		return outcome{}, err
	}
	var v verdict
	if err := jsonv2.Unmarshal(structured, &v); err != nil {
		return outcome{}, fmt.Errorf("reading a verdict: %w", err)
	}
	said, isError := v.said(done, dryRun)
	return outcome{texts: []jsontext.Value{quoted(said)}, isError: isError, structured: whole(structured)}, nil
}

// verdict is what the model is told of one.
type verdict struct {
	Allowed  bool     `json:"allowed"`
	Blocks   []judged `json:"blocks"`
	Warnings []judged `json:"warnings"`
	Expanded []judged `json:"expanded"`
	Applied  bool     `json:"applied"`
	Failure  string   `json:"failure_reason"`
}

type judged struct {
	Path    string `json:"path"`
	Message string `json:"message"`
	Unread  []any  `json:"unread_ranges"`
	Content string `json:"content"` // numbered lines
}

// said returns the text for the model, and whether the edit failed.
func (v verdict) said(done string, dryRun bool) (string, bool) {
	var b strings.Builder
	switch {
	case len(v.Blocks) > 0:
		several := isSeveral(v.Blocks) || isSeveral(v.Expanded)
		write(&b, v.Blocks[0].Message) // alone, as it is exactly this that says what to do
		if several {
			fmt.Fprintf(&b, "(%s)\n", v.Blocks[0].Path)
		}
		for _, block := range v.Blocks[1:] {
			write(&b, named(several, block.Path, block.Message))
		}
		for i, e := range v.Expanded {
			if several && (i == 0 || v.Expanded[i-1].Path != e.Path) {
				write(&b, e.Path+":")
			}
			write(&b, e.Content)
		}
		if len(v.Expanded) > 0 {
			write(&b, v.next())
		}
		return b.String(), true
	case !v.Applied && !dryRun:
		write(&b, "The edit was not applied: "+v.Failure)
	default:
		write(&b, done)
	}
	for _, w := range v.Warnings {
		write(&b, named(isSeveral(v.Warnings), w.Path, w.Message))
	}
	return b.String(), !v.Applied && !dryRun
}

// next says what to do when lines that were missing are shown.
func (v verdict) next() string {
	for _, block := range v.Blocks {
		isShown := func(e judged) bool { return e.Path == block.Path }
		if len(block.Unread) == 0 || !slices.ContainsFunc(v.Expanded, isShown) {
			return "These lines count as read now."
		}
	}
	return "These lines count as read now: send the same edit again."
}

// isSeveral reports whether more than one file is told of.
func isSeveral(all []judged) bool {
	for _, j := range all {
		if j.Path != all[0].Path {
			return true
		}
	}
	return false
}

func named(several bool, path, message string) string {
	if several {
		return path + ": " + message
	}
	return message
}

// write writes lines, the last with a line end.
func write(b *strings.Builder, s string) {
	b.WriteString(s)
	if !strings.HasSuffix(s, "\n") {
		b.WriteByte('\n')
	}
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func awarenessState(a *arguments) run {
	path := a.path("path")
	type params struct {
		Session  string    `json:"session"`
		Document *document `json:"textDocument,omitempty"`
	}
	return func(ctx context.Context, c *call) (outcome, error) {
		p := params{Session: c.session}
		if path != "" {
			p.Document = &document{c.uri(path)}
		}
		answer, err := c.ask(ctx, "acode/state", p)
		if err != nil {
			return outcome{}, err
		}
		structured, _, err := c.snakeCase(answer, "", "")
		if err != nil {
			return outcome{}, err
		}
		var state struct {
			Summary jsontext.Value `json:"summary"`
		}
		if err := jsonv2.Unmarshal(answer, &state); err != nil {
			return outcome{}, fmt.Errorf("reading a state: %w", err)
		}
		return outcome{texts: []jsontext.Value{state.Summary}, structured: whole(structured)}, nil
	}
}
