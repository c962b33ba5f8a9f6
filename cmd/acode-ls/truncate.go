package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/envelope"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

var strategies = []string{"head_tail", "tail", "head", "element", "smart", "none"}

func (a *app) truncateCommand() *cobra.Command {
	var out workspace.Output
	var schema bool
	cmd := &cobra.Command{
		Use: "truncate --tool NAME [--strategy S] [--source TEXT] [FILE]", Short: "Make the output of a tool fit: FILE, or stdin",
		Long: `Puts FILE, or stdin, through all that the output of a tool goes through: secrets
are masked, what is over the tool's limit is cut by the tool's strategy, and what
is far over it is stored as an artifact, with a reference instead.
The result goes to stdout, what was done to it to stderr.`,
		DisableFlagsInUseLine: true, Args: fileOrNone,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case schema:
				return a.writeSchema("truncate", fieldSource, fieldSession)
			case out.Tool == "":
				return usageError("%s needs --tool NAME, such as execute_command or search_files", commandName(cmd))
			case cmd.Flag("strategy").Changed && !slices.Contains(strategies, out.Strategy):
				return usageError("--strategy %q is none of %s", out.Strategy, strings.Join(strategies, ", "))
			}
			if err := checkFields(value{fieldSource, out.Source}); err != nil {
				return err
			}
			done, err := a.openOutput(&out, args)
			if err != nil {
				return err
			}
			defer done()
			return a.truncate(out)
		},
	}
	cmd.Flags().StringVar(&out.Tool, "tool", "", "treat it as output of tool `NAME`")
	cmd.Flags().StringVar(&out.Strategy, "strategy", "", "cut by `S` instead: "+strings.Join(strategies, ", "))
	cmd.Flags().StringVar(&out.Source, "source", "", "where it comes from, such as the command, in at most 255 bytes of `TEXT`")
	cmd.Flags().BoolVar(&schema, "schema", false, schemaUsage)
	return cmd
}

// fieldTooLarge refuses a field before anything is written.
func fieldTooLarge(field, flag string, bytes, most int) error {
	return &failure{status: exitUsage, what: envelope.Error{
		Code: envelope.FieldTooLarge, Phase: "validation",
		Message: fmt.Sprintf("%s has %d bytes, over the limit of %d", flag, bytes, most),
		Details: map[string]any{"field": field, "max_bytes": most, "bytes": bytes},
	}}
}

// sizeOf returns how many bytes are left of a file, or -1 if that is not known.
func sizeOf(f *os.File) int64 {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return -1
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil || at > info.Size() {
		return -1
	}
	return info.Size() - at
}

func (a *app) truncate(out workspace.Output) error {
	h, err := a.openWith(workspace.Options{NoSessions: true})
	if err != nil {
		return err
	}
	defer h.Close()
	out.Session = a.session()
	r, err := h.Process(out)
	if err != nil {
		return artifactError("", err)
	}
	if a.json {
		return a.answer(a.toolAnswer(h, out, r))
	}
	if err := a.write(r.Content); err != nil {
		return err
	}
	if isTerminal(a.out) && !strings.HasSuffix(r.Content, "\n") {
		_, _ = io.WriteString(a.err, "\n")
	}
	fmt.Fprintln(a.err, colours(a.err).faint(processed(r)))
	return nil
}

func (a *app) toolAnswer(h *workspace.Hub, out workspace.Output, r workspace.ToolResult) envelope.Answer {
	rest := a.readRest(h, out.Name, r)
	data := toolData{Content: r.Content, Metadata: newMetadata(r, rest, nil)}
	if r.Artifact != nil {
		rest = a.artifactCommand(r.Artifact.Session, "show", r.Artifact.ID)
		data.ArtifactID, data.ArtifactReference = r.Artifact.ID, workspace.ReferenceLine(*r.Artifact)
	}
	answer := envelope.Answer{Data: data, Rest: func(envelope.Cut) string { return rest }}
	if r.WasTruncated {
		answer.Cut = &envelope.Cut{
			Field: "data.content", Total: r.OriginalBytes, Returned: r.TruncatedBytes,
			OriginalSize: r.OriginalBytes, Size: r.TruncatedBytes,
		}
	}
	return answer
}

// readRest returns the command that shows what was left out of FILE, or "" if
// no command does.
func (a *app) readRest(h *workspace.Hub, file string, r workspace.ToolResult) string {
	if file == "" || r.Binary || len(r.Omissions) == 0 {
		return ""
	}
	if _, err := h.Name(a.path(h, file)); err != nil {
		return "" // outside of the workspace
	}
	o := r.Omissions[0].Lines
	return a.readCommandLine(file, workspace.Selection{Lines: awareness.Range{Start: o.First, End: o.Last}})
}

// processed says in one line what was done to an output.
func processed(r workspace.ToolResult) string {
	parts := []string{number(r.OriginalCharacters) + " characters"}
	switch {
	case !r.WasTruncated && r.Binary:
		parts = append(parts, "not text: in base64")
	case !r.WasTruncated:
		parts = append(parts, "nothing left out")
	case r.Artifact != nil:
		parts = append(parts, "stored as "+r.Artifact.ID)
	case r.Binary:
		parts[0] = number(r.OriginalBytes) + " bytes"
		parts = append(parts, "not text: nothing shown")
	default:
		left := number(r.OmittedLines) + " lines"
		if r.OmittedElements > 0 {
			left = number(r.OmittedElements) + " elements"
		}
		by := string(r.Strategy)
		if r.FallbackFrom != "" {
			by += ", as " + string(r.FallbackFrom) + " does not apply"
		}
		parts = append(parts, fmt.Sprintf("%s, %s characters left out (%s)", left, number(r.OmittedCharacters), by))
	}
	if n := r.Redacted(); n > 0 {
		parts = append(parts, secrets(n))
	}
	return strings.Join(parts, " · ")
}

func secrets(n int) string {
	if n == 1 {
		return "1 secret masked"
	}
	return number(n) + " secrets masked"
}

func number(n int) string { return workspace.Number(int64(n)) }

func (a *app) signaturesCommand() *cobra.Command {
	var lines string
	cmd := &cobra.Command{
		Use: "signatures FILE [--lines A-B]", Short: "What a file declares, or some lines of it",
		DisableFlagsInUseLine: true, Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			var asked awareness.Range
			if cmd.Flag("lines").Changed {
				var err error
				if asked, err = parseLines(lines, false); err != nil {
					return err
				}
			}
			return a.signatures(args[0], asked)
		},
	}
	cmd.Flags().StringVar(&lines, "lines", "", "only what starts in lines `A-B`, from 1, both included")
	return cmd
}

func (a *app) signatures(file string, lines awareness.Range) error {
	h, err := a.openWith(workspace.Options{NoSessions: true})
	if err != nil {
		return err
	}
	defer h.Close()
	found, known, err := h.Declarations(a.path(h, file), lines)
	if err != nil {
		return fileError("reading", file, err)
	}
	if !known && !a.json {
		fmt.Fprintf(a.err, "acode-ls: %s is in no language of which the declarations are known\n", printable(file))
	}
	if a.json {
		data := make([]declaration, len(found))
		for i, d := range found {
			data[i] = newDeclaration(d)
		}
		return a.answer(envelope.Answer{Data: data, Rest: func(c envelope.Cut) string {
			if c.Field != "data" || c.Returned == 0 || c.Returned == len(found) {
				return ""
			}
			last := max(lines.End, found[len(found)-1].Lines.First)
			return a.again("signatures", asFile(file), "--lines", fmt.Sprintf("%d-%d", found[c.Returned].Lines.First, last))
		}})
	}
	if len(found) == 0 {
		return nil
	}
	rows := [][]string{{"LINES", "DECLARATION"}}
	for _, d := range found {
		rows = append(rows, []string{
			awareness.Ranges([]awareness.Range{{Start: d.Lines.First, End: d.Lines.Last}}),
			strings.Repeat("  ", d.Depth) + printable(d.Label),
		})
	}
	return a.write(table(colours(a.out), rows))
}
