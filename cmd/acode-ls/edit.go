package main

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/envelope"
	"github.com/acode-ls/acode-ls/internal/fileuri"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

func (a *app) editCommand() *cobra.Command {
	var lines string
	var e edit
	var schema bool
	cmd := &cobra.Command{
		Use: "edit FILE --lines A-B [--text T] [--dry-run]", Short: "Replace lines the agent has seen, by --text or stdin",
		DisableFlagsInUseLine: true, Args: fileOrNone,
		Example: `  acode-ls edit a.go --lines 10-12 <new.txt    replaces lines 10 to 12
  acode-ls edit a.go --lines 10-12 --text ''   deletes them
  acode-ls edit a.go --lines 5-4 --text '// x' inserts a line before line 5`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if schema {
				return a.writeSchema("edit", fieldSession)
			}
			if err := oneFile(cmd, args); err != nil {
				return err
			}
			if !cmd.Flag("lines").Changed {
				return usageError("edit needs --lines A-B")
			}
			var err error
			if e.lines, err = parseLines(lines, true); err != nil {
				return err
			}
			if !cmd.Flag("text").Changed {
				if e.text, err = a.textFromStdin(); err != nil {
					return err
				}
			}
			if !utf8.ValidString(e.text) {
				return usageError("the new text is not valid UTF-8")
			}
			if e.file = args[0]; e.text == "" && e.lines.Len() == 0 {
				return usageError("there is nothing to insert")
			}
			return a.edit(cmd.Context(), e)
		},
	}
	cmd.Flags().StringVar(&lines, "lines", "", "lines `A-B`, from 1, both included; with B one less than A, the place before A")
	cmd.Flags().StringVar(&e.text, "text", "", "new `TEXT` of these lines; what stdin says if left out")
	cmd.Flags().BoolVar(&e.dryRun, "dry-run", false, "ask the guard, change nothing")
	cmd.Flags().BoolVar(&schema, "schema", false, schemaUsage)
	return cmd
}

// edit is an edit of one run of lines.
type edit struct {
	file   string
	lines  awareness.Range // empty for an insertion before Start
	text   string
	dryRun bool
}

// textFromStdin wants some text: a forgotten --text must not delete lines.
func (a *app) textFromStdin() (string, error) {
	if isTerminal(a.in) {
		fmt.Fprintln(a.err, "acode-ls: the new text, please, and Ctrl-D")
	}
	b, err := io.ReadAll(a.in)
	if err != nil {
		return "", fmt.Errorf("reading the new text from stdin: %w", err)
	}
	if len(b) == 0 {
		return "", usageError("no new text: give --text or write it to stdin; --text '' deletes the lines")
	}
	return string(b), nil
}

// roomToExpand is the cap below which a refusal in an envelope carries no
// lines: those that the cap would cut must not count as read.
const roomToExpand = 256 << 10

func (a *app) mayExpand() bool { return !a.json || a.limit >= roomToExpand }

func (a *app) edit(ctx context.Context, e edit) error {
	l, h, err := a.link()
	if err != nil {
		return err
	}
	defer l.Close()
	path := a.path(h, e.file)
	if _, err := h.TextOf(path); workspace.IsNotExist(err) {
		return fileError("editing", e.file, err)
	}
	name, err := h.Name(path)
	file := fileName{name, fileuri.Format(h.Path(name))}
	if err != nil { // the guard will say so
		file = fileName{path, fileuri.Format(h.Path(path))}
	}
	if a.json && !e.dryRun {
		if err := a.roomForEdit(file); err != nil {
			return err
		}
	}
	target := path
	if err == nil {
		target = h.Path(name)
	}
	out, err := a.editThrough(ctx, l, target, e)
	if err != nil {
		return fileError("editing", e.file, err)
	}
	data := newEditData(out.Verdict, file)
	switch {
	case !out.Allowed():
		return a.refused(e, data)
	case out.Failure != "":
		return fmt.Errorf("not edited: %s", out.Failure)
	}
	return a.edited(e, data, out)
}

// roomForEdit refuses an edit whose answer could not be given once it is done.
func (a *app) roomForEdit(file fileName) error {
	sum := strings.Repeat("0", 64)
	done := envelope.Answer{Duration: math.MaxInt32, Data: editData{
		Allowed: true, Blocks: []block{}, Warnings: []warning{{fileName: file}}, Expanded: []excerpt{}, Applied: true, SHA256: &sum,
	}}
	if out, _ := done.Encode(math.MaxInt); len(out) > a.limit {
		return configError("TOOL_MAX_OUTPUT_BYTES: %d is too small for the answer to an edit", a.limit)
	}
	return nil
}

// refused says what the guard said, and shows the lines that it handed out.
func (a *app) refused(e edit, data editData) error {
	first := data.Blocks[0]
	f := &failure{status: exitBlocked, what: envelope.Error{Code: envelope.Blocked, Message: first.Message}, data: data}
	if a.json {
		return f
	}
	f.told = true
	p := colours(a.err)
	fmt.Fprintln(a.err, p.red(printable(first.Message)))
	for _, x := range data.Expanded {
		fmt.Fprint(a.err, x.Content)
	}
	switch {
	case len(data.Expanded) > 0:
		fmt.Fprintln(a.err, p.faint("The agent has these lines now; the same edit can pass."))
	case len(first.UnreadRanges) > 0:
		r := first.UnreadRanges[0]
		fmt.Fprintln(a.err, p.faint(a.readCommandLine(e.file, workspace.Selection{Lines: awareness.Range{Start: r.StartLine, End: r.EndLine}})))
	}
	return f
}

// edited says what became of an edit that the guard allowed.
func (a *app) edited(e edit, data editData, out workspace.Outcome) error {
	data.Applied = out.Applied
	for _, sum := range out.Sums { // one at most
		s := hex.EncodeToString(sum[:])
		data.SHA256 = &s
	}
	if a.json {
		return a.answer(envelope.Answer{Data: data})
	}
	for _, w := range data.Warnings {
		fmt.Fprintln(a.err, colours(a.err).yellow(w.Message))
	}
	name := printable(e.file)
	switch {
	case e.dryRun:
		return a.write(fmt.Sprintf("%s: the edit of %s may pass\n", name, e.place()))
	case e.lines.Len() == 0:
		return a.write(fmt.Sprintf("edited %s: inserted before line %d\n", name, e.lines.Start))
	case e.text == "":
		return a.write(fmt.Sprintf("edited %s: %s deleted\n", name, e.place()))
	}
	return a.write(fmt.Sprintf("edited %s: %s replaced\n", name, e.place()))
}

// place names the lines of an edit.
func (e edit) place() string {
	switch e.lines.Len() {
	case 0:
		return fmt.Sprintf("the place before line %d", e.lines.Start)
	case 1:
		return fmt.Sprintf("line %d", e.lines.Start)
	}
	return fmt.Sprintf("lines %d-%d", e.lines.Start, e.lines.End)
}
