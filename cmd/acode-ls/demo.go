package main

import (
	"context"
	"errors"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/fileuri"
	"github.com/acode-ls/acode-ls/lsp"
)

func (a *app) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use: "demo", Short: "An agent, a formatter and the guard at work, in one screen", Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.demo(cmd.Context(), lsp.ServerOptions{Version: lsp.BuildVersion(), Log: a.log}, nil)
		},
	}
}

// demo plays a scripted agent against a real server in a temporary folder. It
// fails if anything goes otherwise than it tells. Settings are the editor's, nil
// for none.
func (a *app) demo(ctx context.Context, opts lsp.ServerOptions, settings any) (err error) {
	root, err := os.MkdirTemp("", "acode-ls-demo-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(root)) }()
	d := demo{paint: colours(a.out), root: root}
	d.out.WriteString("acode-ls keeps a ledger of the lines an agent has seen, and guards all others against its edits.\n")
	for name, content := range map[string]string{listFile: priceList(), limitsFile: limits} {
		if err := os.WriteFile(d.path(name), []byte(content), 0o644); err != nil {
			return err
		}
	}
	start := time.Now()
	opts.Root = root
	if d.client, err = dial(ctx, opts, settings); err != nil {
		return err
	}
	err = errors.Join(d.play(), d.client.hangUp())
	if err == nil {
		d.head(fmt.Sprintf("All answers are the server's own, to %d requests in %d ms. To go on: acode-ls --help",
			d.client.asked, time.Since(start).Milliseconds()))
	}
	return errors.Join(a.write(d.out.String()), err)
}

// demo is a play in progress.
type demo struct {
	paint
	root   string
	client *client
	out    strings.Builder

	first int   // line of the first row that the agent changes
	rows  []row // that it knows by then
}

func (d *demo) path(name string) string { return filepath.Join(d.root, name) }

func (d *demo) play() error {
	for i, step := range []func() error{d.read, d.guess, d.retry, d.overtake, d.remember} {
		if err := step(); err != nil {
			return fmt.Errorf("step %d of the demo: %w", i+1, err)
		}
	}
	return nil
}

// read has the agent read both files.
func (d *demo) read() error {
	d.head("1  An agent reads two files. One is too long for it, so the middle is left out.")
	for _, name := range []string{limitsFile, listFile} {
		d.agent("read %s", name)
		var r readAnswer
		if err := d.client.call("acode/read", d.document(name), &r); err != nil {
			return err
		}
		d.server("lines %s of %d", ranges(r.ShownRanges), r.TotalLines)
		if name == limitsFile {
			continue
		}
		if len(r.ShownRanges) != 2 || r.TotalLines != listLines {
			return fmt.Errorf("%s was not cut in two", name)
		}
		d.first = r.ShownRanges[0].EndLine
		lines := strings.Split(r.Content, "\n")
		for _, line := range lines[d.first : d.first+2] {
			d.quote("%s", d.yellow(line))
		}
		known, err := parseRow(lines[d.first-1])
		if err != nil {
			return fmt.Errorf("line %d is no price: %q", d.first, lines[d.first-1])
		}
		d.rows = []row{known}
	}
	return nil
}

// guess has the agent change three lines, of which it has seen the first.
func (d *demo) guess() error {
	d.head("2  It raises three prices by 50 cents. It has seen the first and makes up the others.")
	known := d.rows[0]
	v, err := d.edit(listFile, d.first, d.first+2,
		row{known.article, known.cents + 50}.String()+row{known.article + 1, 1050}.String()+row{known.article + 2, 1050}.String())
	if err != nil {
		return err
	}
	want := fmt.Sprintf("Lines %d-%d were not read. Read that range first.", d.first+1, d.first+2)
	if v.Applied || len(v.Blocks) != 1 || v.Blocks[0].Message != want || len(v.Expanded) != 1 {
		return fmt.Errorf("the edit was not refused as expected: %+v", v)
	}
	d.server("%s %s", d.red("refused."), v.Blocks[0].Message)
	for line := range strings.Lines(v.Expanded[0].Content) {
		d.quote("%s", d.yellow(strings.ReplaceAll(strings.TrimSpace(line), "\t", "  ")))
		_, content, _ := strings.Cut(strings.TrimSpace(line), "\t")
		r, err := parseRow(content)
		if err != nil {
			return fmt.Errorf("the missing line is no price: %q", line)
		}
		d.rows = append(d.rows, r)
	}
	if len(d.rows) != 3 {
		return fmt.Errorf("%d missing lines came with the refusal, not 2", len(d.rows)-1)
	}
	return nil
}

// retry has the agent change the three lines again, now that it knows them.
func (d *demo) retry() error {
	d.head("3  The refusal carried the missing lines. Now it knows them all and tries again.")
	before, err := os.ReadFile(d.path(listFile))
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, r := range d.rows {
		text.WriteString(row{r.article, r.cents + 50}.String())
	}
	v, err := d.edit(listFile, d.first, d.first+2, text.String())
	if err != nil {
		return err
	}
	if !v.Applied || len(v.Warnings) > 0 {
		return fmt.Errorf("the edit was not applied: %+v", v)
	}
	after, err := os.ReadFile(d.path(listFile))
	if err != nil {
		return err
	}
	line, gone, come := difference(string(before), string(after))
	if line != d.first || len(gone) != 3 || len(come) != 3 {
		return fmt.Errorf("%d lines from %d on became %d", len(gone), line, len(come))
	}
	d.server("%s %d of %d lines differ on disk:", d.green("applied."), len(come), strings.Count(string(after), "\n"))
	for i := range gone {
		d.quote("%s   %s", d.red("- "+strings.TrimSpace(gone[i])), d.green("+ "+strings.TrimSpace(come[i])))
	}
	return nil
}

// overtake has a formatter change a file before the agent edits it.
func (d *demo) overtake() error {
	d.head("4  A person saves the other file, gofmt lays it out anew, and then the agent edits it.")
	if err := d.client.notify("acode/round", map[string]any{}); err != nil {
		return err
	}
	before, err := os.ReadFile(d.path(limitsFile))
	if err != nil {
		return err
	}
	after, err := format.Source(before)
	if err == nil {
		err = os.WriteFile(d.path(limitsFile), after, 0o644)
	}
	if err != nil {
		return err
	}
	line, gone, come := difference(string(before), string(after))
	if len(gone) == 0 {
		return errors.New("gofmt changed nothing")
	}
	d.say(d.magenta, "person", "gofmt -w %s", limitsFile)
	d.quote("%s   %s", d.red("- "+strings.TrimSpace(gone[0])), d.green("+ "+strings.TrimSpace(come[0])))
	const currency = 4
	v, err := d.edit(limitsFile, currency, currency, "const Currency = \"CHF\"\n")
	if err != nil {
		return err
	}
	if !v.Applied || len(v.Warnings) != 1 || len(v.Warnings[0].ChangedRanges) == 0 || v.Warnings[0].ChangedRanges[0].StartLine != line {
		return fmt.Errorf("the agent was not warned: %+v", v)
	}
	w := v.Warnings[0]
	d.server("%s %s", d.green("applied,")+" with a warning:", d.yellow(w.Message))
	d.quote("changed since: line %s", ranges(w.ChangedRanges))
	return nil
}

// remember shows the ledger.
func (d *demo) remember() error {
	d.head("5  What the agent knows by now, kept line by line and shown in the editor:")
	var ledger stateAnswer
	if err := d.client.call("acode/state", map[string]any{}, &ledger); err != nil {
		return err
	}
	if len(ledger.Files) != 2 {
		return fmt.Errorf("the ledger has %d files, not 2", len(ledger.Files))
	}
	rows := [][]string{{"FILE", "STATE", "READ", "UNREAD", "CHANGED"}}
	for _, f := range ledger.Files {
		rows = append(rows, []string{
			filepath.Base(f.URI), strings.ReplaceAll(f.State, "_", " "), percent(f.Coverage), ranges(f.UnreadRanges), ranges(f.ChangedRanges),
		})
	}
	for line := range strings.Lines(table(d.paint, rows)) {
		d.out.WriteString("   " + line)
	}
	return nil
}

// edit has the agent replace lines of a file.
func (d *demo) edit(name string, first, last int, text string) (verdict, error) {
	if first == last {
		d.agent("edit %s, line %d", name, first)
	} else {
		d.agent("edit %s, lines %d-%d", name, first, last)
	}
	type position struct {
		Line      int `json:"line"` // 0-based
		Character int `json:"character"`
	}
	change := map[string]any{
		"range": map[string]any{"start": position{first - 1, 0}, "end": position{last, 0}}, "newText": text,
	}
	var v verdict
	err := d.client.call("acode/applyEdit", map[string]any{"edit": map[string]any{
		"changes": map[string]any{fileuri.Format(d.path(name)): []any{change}},
	}}, &v)
	return v, err
}

func (d *demo) document(name string) any {
	return map[string]any{"textDocument": map[string]any{"uri": fileuri.Format(d.path(name))}}
}

// difference returns the lines that differ between two texts, from the first
// to the last that does, and the number of the first.
func difference(before, after string) (line int, gone, come []string) {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	for line = 1; len(a) > 0 && len(b) > 0 && a[0] == b[0]; line++ {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return line, a, b
}

func (d *demo) head(s string) { fmt.Fprintf(&d.out, "\n%s\n", d.bold(s)) }

func (d *demo) agent(pattern string, args ...any)  { d.say(d.cyan, "agent →", pattern, args...) }
func (d *demo) server(pattern string, args ...any) { d.say(d.green, "← acode-ls", pattern, args...) }

func (d *demo) say(colour func(string) string, who, pattern string, args ...any) {
	fmt.Fprintf(&d.out, "   %s %s\n", colour(fmt.Sprintf("%-11s", who)), fmt.Sprintf(pattern, args...))
}

// quote writes a line of what was said before.
func (d *demo) quote(pattern string, args ...any) {
	fmt.Fprintf(&d.out, "%15s%s\n", "", fmt.Sprintf(pattern, args...))
}

// The server's answers, as far as the demo reads them.

type span struct {
	StartLine int `json:"startLine"`
	EndLine   int `json:"endLine"`
}

func ranges(spans []span) string {
	out := make([]awareness.Range, len(spans))
	for i, s := range spans {
		out[i] = awareness.Range{Start: s.StartLine, End: s.EndLine}
	}
	return few(out)
}

type readAnswer struct {
	Content     string `json:"content"`
	ShownRanges []span `json:"shownRanges"`
	TotalLines  int    `json:"totalLines"`
}

type verdict struct {
	Applied bool `json:"applied"`
	Blocks  []struct {
		Message string `json:"message"`
	} `json:"blocks"`
	Warnings []struct {
		Message       string `json:"message"`
		ChangedRanges []span `json:"changedRanges"`
	} `json:"warnings"`
	Expanded []struct {
		Content string `json:"content"`
	} `json:"expanded"`
}

type stateAnswer struct {
	Files []struct {
		URI           string  `json:"uri"`
		State         string  `json:"state"`
		Coverage      float64 `json:"coverage"`
		UnreadRanges  []span  `json:"unreadRanges"`
		ChangedRanges []span  `json:"changedRanges"`
	} `json:"files"`
}
