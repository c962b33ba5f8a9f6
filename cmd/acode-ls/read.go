package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/envelope"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

func (a *app) readCommand() *cobra.Command {
	var lines, bytes string
	var schema bool
	cmd := &cobra.Command{
		Use: "read FILE [--lines A-B | --bytes A-B]", Short: "Show a file as an agent sees it, and remember what it saw",
		DisableFlagsInUseLine: true, Args: fileOrNone,
		RunE: func(cmd *cobra.Command, args []string) error {
			if schema {
				return a.writeSchema("read", fieldSession)
			}
			if err := oneFile(cmd, args); err != nil {
				return err
			}
			var asked workspace.Selection
			var err error
			switch byLines, byBytes := cmd.Flag("lines").Changed, cmd.Flag("bytes").Changed; {
			case byLines && byBytes:
				return usageError("--lines and --bytes at once; give one of them")
			case byLines:
				asked.Lines, err = parseLines(lines, false)
			case byBytes:
				asked, err = parseBytes(bytes)
			}
			if err != nil {
				return err
			}
			return a.read(args[0], asked)
		},
	}
	cmd.Flags().StringVar(&lines, "lines", "", "lines `A-B`, from 1, both included")
	cmd.Flags().StringVar(&bytes, "bytes", "", "bytes `A-B`, from 0, B not included: for a line too long to be shown")
	cmd.Flags().BoolVar(&schema, "schema", false, schemaUsage)
	return cmd
}

func (a *app) read(file string, asked workspace.Selection) error {
	h, err := a.open()
	if err != nil {
		return err
	}
	defer h.Close()
	path := a.path(h, file)
	p, err := a.choose(h, file, path, asked)
	if err != nil {
		return err
	}
	r, err := h.Read(a.session(), path, p.shown)
	if err != nil {
		return fileError("reading", file, err)
	}
	p.mark(&r)
	if !a.json {
		if err := a.write(r.Content); err != nil {
			return err
		}
		if isTerminal(a.out) && !strings.HasSuffix(r.Content, "\n") {
			_, _ = io.WriteString(a.err, "\n")
		}
		fmt.Fprintln(a.err, colours(a.err).faint(footer(r, p)))
		return nil
	}
	answer := a.readAnswer(h, file, path, r, p)
	if whole, _ := answer.Encode(math.MaxInt); len(whole) > a.limit {
		// More than could be foreseen would be cut out of the answer: what was
		// not delivered must not count as read.
		if err := h.Forget(a.session(), path); err != nil {
			return err
		}
	}
	return a.answer(answer)
}

func (a *app) readAnswer(h *workspace.Hub, file, path string, r workspace.ReadResult, p portion) envelope.Answer {
	rest := ""
	switch {
	case p.tail.text != "":
		rest = a.readCommandLine(file, p.tail.Selection)
	case len(r.Omissions) > 0 && !r.Binary:
		o := r.Omissions[0].Lines
		left := workspace.Selection{Lines: awareness.Range{Start: o.First, End: o.Last}}
		if r.Artifact != nil {
			// Read by lines, it would be stored again; by bytes, as much is shown as
			// there is room for.
			if doc, err := h.TextOf(path); err == nil {
				left = workspace.Selection{StartByte: doc.Text.Start(o.First), EndByte: doc.Text.Start(o.Last + 1)}
			}
		} else if left == p.shown { // the line is too long even alone
			if doc, err := h.TextOf(path); err == nil {
				left = workspace.Selection{StartByte: doc.Text.Start(o.First), EndByte: doc.Text.Start(o.First + 1)}
			}
		}
		rest = a.readCommandLine(file, left)
	}
	answer := envelope.Answer{Data: newReadData(r, rest, func(first, last int) string {
		return a.readCommandLine(file, workspace.Selection{Lines: awareness.Range{Start: first, End: last}})
	}), Rest: func(envelope.Cut) string { return rest }}
	if r.WasTruncated {
		answer.Cut = &envelope.Cut{
			Field: "data.content", Total: r.OriginalBytes, Returned: r.TruncatedBytes,
			OriginalSize: r.OriginalBytes, Size: r.TruncatedBytes,
		}
	}
	return answer
}

// readCommandLine returns the command that reads a part of FILE.
func (a *app) readCommandLine(file string, sel workspace.Selection) string {
	if sel.EndByte > 0 {
		return a.again("read", asFile(file), "--bytes", fmt.Sprintf("%d-%d", sel.StartByte, sel.EndByte))
	}
	return a.again("read", asFile(file), "--lines", fmt.Sprintf("%d-%d", sel.Lines.Start, sel.Lines.End))
}

// footer says in one line what was shown.
func footer(r workspace.ReadResult, p portion) string {
	var what string
	switch {
	case r.Binary && r.WasTruncated:
		what = "not text: nothing shown"
	case r.Binary:
		what = "not text: in base64"
	case p.shown.EndByte > 0:
		what = fmt.Sprintf("bytes %d-%d of %d shown", p.shown.StartByte, min(p.shown.EndByte, p.size), p.size)
	case r.Total == 0:
		what = "empty"
	case len(r.Shown) == 0:
		what = fmt.Sprintf("no line of %d shown whole", r.Total)
	case len(r.Shown) == 1 && r.Shown[0].Len() == 1:
		what = fmt.Sprintf("line %s of %d shown", awareness.Ranges(r.Shown), r.Total)
	default:
		what = fmt.Sprintf("lines %s of %d shown", awareness.Ranges(r.Shown), r.Total)
	}
	if r.WasTruncated && !r.Binary {
		what += fmt.Sprintf(" · %s of %s characters left out", number(r.OmittedCharacters), number(r.OriginalCharacters))
	}
	if r.Artifact != nil {
		what += " · stored as " + r.Artifact.ID
	}
	if n := r.Redacted(); n > 0 {
		what += " · " + secrets(n)
	}
	return fmt.Sprintf("%s · sha256 %x", what, r.Bytes)
}
