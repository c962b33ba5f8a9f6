package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rivo/uniseg"
	"github.com/spf13/cobra"

	"github.com/acode-ls/acode-ls/artifacts"
	"github.com/acode-ls/acode-ls/internal/envelope"
	"github.com/acode-ls/acode-ls/internal/workspace"
	"github.com/acode-ls/acode-ls/truncation"
)

func (a *app) artifactsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "artifacts", Short: "What did not fit: list it, show it, take it out",
		Long: `The store of output that was too large to be shown. Without --session, the
session is the one that stored something last.`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usageError("%s needs one of list, info, show, export, clean, put", commandName(cmd))
		},
	}
	cmd.AddCommand(a.artifactsList(), a.artifactsInfo(), a.artifactsShow(), a.artifactsExport(), a.artifactsClean(), a.artifactsPut())
	return cmd
}

// withStore opens the workspace for f, with the session that is meant.
func (a *app) withStore(f func(h *workspace.Hub, session string) error) error {
	h, err := a.openWith(workspace.Options{NoSessions: true})
	if err != nil {
		return err
	}
	defer h.Close()
	session := a.named
	if session == "" {
		if session, err = h.LatestSession(a.session()); err != nil {
			return artifactError("", err)
		}
	}
	return f(h, session)
}

// artifactError is what became of a request for the artifact id.
func artifactError(id string, err error) error {
	fail := func(code envelope.Code, status int, message string) error {
		return &failure{status: exitFailed, what: envelope.Error{Code: code, Status: status, Message: message}}
	}
	missing, isMissing := errors.AsType[*artifacts.NotFoundError](err)
	_, isID := errors.AsType[*artifacts.IDError](err)
	_, isTooLarge := errors.AsType[*truncation.TooLargeError](err)
	integrity, isIntegrity := errors.AsType[*artifacts.IntegrityError](err)
	_, isSpace := errors.AsType[*artifacts.SpaceError](err)
	_, isRate := errors.AsType[*artifacts.RateError](err)
	_, isRange := errors.AsType[*artifacts.RangeError](err)
	_, isCursor := errors.AsType[*artifacts.CursorError](err)
	switch {
	case isMissing:
		return fail(envelope.NotFound, 404, "404: "+missing.Error())
	case isID: // which must not tell it from one that is missing
		return fail(envelope.NotFound, 404, "404: "+(&artifacts.NotFoundError{ID: id}).Error())
	case isIntegrity:
		return fail(envelope.Integrity, 0, integrity.Error())
	case isSpace, isRate:
		return fail(envelope.NoSpace, 0, err.Error())
	case isTooLarge:
		return fail(envelope.TooLarge, 0, err.Error())
	case isRange, isCursor, errors.Is(err, workspace.ErrWanted), errors.Is(err, workspace.ErrPartial), errors.Is(err, fs.ErrExist):
		return usageError("%v", err)
	}
	return err
}

type artifactData struct {
	ID      string `json:"id"`
	Size    int64  `json:"size"` // bytes
	Type    string `json:"type"`
	Source  string `json:"source"`
	Summary string `json:"summary"`
	Created string `json:"created"` // RFC 3339, UTC
	Session string `json:"session"`
	Path    string `json:"path"` // relative to the root
	URI     string `json:"uri"`
}

type artifactInfo struct {
	artifactData
	EstimatedTokens int64  `json:"estimated_tokens"`
	SHA256          string `json:"sha256"`
}

func newArtifactData(i artifacts.Info, detailed bool) artifactData {
	d := artifactData{
		ID: i.ID, Size: i.Size, Type: i.Type, Source: workspace.Source(i), Summary: i.Summary,
		Created: i.Created.UTC().Format(time.RFC3339Nano), Session: i.Session, Path: i.Path, URI: workspace.ArtifactURI(i),
	}
	if !detailed {
		d.Source, d.Summary = "", ""
	}
	return d
}

func newArtifactInfo(i artifacts.Info) artifactInfo {
	return artifactInfo{newArtifactData(i, true), int64(truncation.Tokens(int(i.Characters))), i.SHA256}
}

func (a *app) artifactsList() *cobra.Command {
	var limit int
	var cursor string
	cmd := &cobra.Command{
		Use: "list [--limit N] [--cursor T]", Short: "A session's artifacts, the oldest first",
		DisableFlagsInUseLine: true, Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flag("limit").Changed && limit < 1 {
				return usageError("--limit %d: a list has at least one line", limit)
			}
			return a.withStore(func(h *workspace.Hub, session string) error { return a.listArtifacts(h, session, cursor, limit) })
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 0, "at most `N` artifacts")
	cmd.Flags().StringVar(&cursor, "cursor", "", "go on behind `T`, which an earlier answer names")
	return cmd
}

func (a *app) listArtifacts(h *workspace.Hub, session, cursor string, limit int) error {
	c, _ := h.Configuration()
	detailed := c.Tools.Truncation.Artifacts.DetailedListing
	all, _, err := h.Artifacts(session, "", 0)
	if err != nil {
		return artifactError("", err)
	}
	page, next, err := h.Artifacts(session, cursor, limit)
	if err != nil {
		return artifactError("", err)
	}
	again := func(cursor string) string {
		args := []string{"artifacts", "list", "--cursor", cursor}
		if limit > 0 {
			args = append(args, "--limit", fmt.Sprint(limit))
		}
		if a.named == "" {
			args = append(args, "--session", session)
		}
		return a.again(args...)
	}
	if !a.json {
		if err := a.write(artifactTable(page, all, detailed)); err != nil {
			return err
		}
		if next != "" {
			fmt.Fprintf(a.err, "%d of %d artifacts; the next: %s\n", len(page), len(all), again(next))
		}
		return nil
	}
	data := make([]artifactData, len(page))
	for i, info := range page {
		data[i] = newArtifactData(info, detailed)
	}
	answer := envelope.Answer{Data: data, Totals: map[string]int{"data": len(all)}, Rest: func(c envelope.Cut) string {
		switch {
		case c.Field != "data":
			return ""
		case c.Returned == 0: // not even one has room
			plain := *a
			plain.json = false
			return plain.artifactCommand(session, "list")
		case c.Returned < len(page):
			return again(artifacts.Cursor(page[c.Returned-1]))
		}
		return again(next)
	}}
	if next != "" {
		answer.Cut = &envelope.Cut{Field: "data", Total: len(all), Returned: len(page)}
	}
	return a.answer(answer)
}

// The inner widths of the columns of the list, in cells of a terminal.
var artifactColumns = [...]struct {
	title string
	width int
}{{"ID", 29}, {"Size", 10}, {"Type", 24}, {"Source", 17}}

// artifactTable draws a page of the list of all artifacts.
func artifactTable(page, all []artifacts.Info, detailed bool) string {
	var b strings.Builder
	rule := func(left, middle, right string) {
		b.WriteString(left)
		for i, c := range artifactColumns {
			if i > 0 {
				b.WriteString(middle)
			}
			b.WriteString(strings.Repeat("─", c.width))
		}
		b.WriteString(right + "\n")
	}
	row := func(cells ...string) {
		for i, c := range artifactColumns {
			b.WriteString("│" + cell(cells[i], c.width))
		}
		b.WriteString("│\n")
	}
	width := len(artifactColumns) - 1
	for _, c := range artifactColumns {
		width += c.width
	}
	rule("┌", "─", "┐")
	b.WriteString("│" + cell("Session Artifacts", width) + "│\n")
	rule("├", "┬", "┤")
	row("ID", "Size", "Type", "Source")
	rule("├", "┼", "┤")
	for _, i := range page {
		source := i.Tool
		if !detailed {
			source = ""
		}
		row(i.ID, workspace.Size(i.Size), printable(i.Type), printable(source))
	}
	rule("└", "┴", "┘")
	var total int64
	for _, i := range all {
		total += i.Size
	}
	fmt.Fprintf(&b, "Total: %d artifacts, %s\n", len(all), workspace.Size(total))
	return b.String()
}

// cell fits s into width cells, with a space on its left and one or more on its
// right.
func cell(s string, width int) string {
	if uniseg.StringWidth(s) > width-2 {
		var kept strings.Builder
		left := width - 3
		for rest, state := s, -1; rest != ""; {
			var cluster string
			var w int
			cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
			if left -= w; left < 0 {
				break
			}
			kept.WriteString(cluster)
		}
		s = kept.String() + "…"
	}
	return " " + s + strings.Repeat(" ", width-1-uniseg.StringWidth(s))
}

// oneID wants exactly one ID.
func oneID(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usageError("%s needs one ID, as artifacts list shows them", commandName(cmd))
	}
	return nil
}

func (a *app) artifactsInfo() *cobra.Command {
	return &cobra.Command{
		Use: "info ID", Short: "What an artifact is", DisableFlagsInUseLine: true, Args: oneID,
		RunE: func(_ *cobra.Command, args []string) error {
			return a.withStore(func(h *workspace.Hub, session string) error {
				artifact, err := h.Artifact(session, args[0], workspace.ForUser)
				if err != nil {
					return artifactError(args[0], err)
				}
				defer artifact.Close()
				i := artifact.Info()
				if a.json {
					return a.answer(envelope.Answer{Data: newArtifactInfo(i)})
				}
				return a.write(fmt.Sprintf("Artifact: %s\nType: %s\nSize: %s bytes (%s)\nEstimated tokens: ~%s\nCreated: %s\nSource: %s\nPath: %s\n",
					i.ID, i.Type, workspace.Number(i.Size), workspace.Size(i.Size),
					workspace.Number(int64(truncation.Tokens(int(i.Characters)))),
					i.Created.UTC().Format(workspace.CreatedFormat), printable(workspace.Source(i)), i.Path))
			})
		},
	}
}

func (a *app) artifactsExport() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use: "export ID FILE [--force]", Short: "Copy an artifact to a file", DisableFlagsInUseLine: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 || args[1] == "" {
				return usageError("%s needs an ID and a FILE", commandName(cmd))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return a.withStore(func(h *workspace.Hub, session string) error {
				path, err := filepath.Abs(args[1])
				if err != nil {
					return err
				}
				i, err := h.Export(session, args[0], path, force)
				if exists, ok := errors.AsType[*artifacts.ExistsError](err); ok {
					return usageError("%s; --force replaces it", exists)
				} else if err != nil {
					return artifactError(args[0], err)
				}
				if a.json {
					return a.answer(envelope.Answer{Data: newArtifactInfo(i)})
				}
				fmt.Fprintf(a.err, "%s written to %s\n", workspace.Size(i.Size), printable(args[1]))
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace FILE if it exists")
	return cmd
}

func (a *app) artifactsClean() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use: "clean [--force]", Short: "Remove a session's artifacts, and those of sessions that are gone",
		DisableFlagsInUseLine: true, Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			return a.withStore(func(h *workspace.Hub, session string) error {
				removed, err := h.Clean(session, force)
				if err != nil {
					return artifactError("", err)
				}
				return a.tellRemoved(removed)
			})
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "remove all there is, of any session, whole or broken")
	return cmd
}

func (a *app) tellRemoved(r artifacts.Removed) error {
	if a.json {
		return a.answer(envelope.Answer{Data: struct {
			Removed int   `json:"removed"`
			Freed   int64 `json:"freed_bytes"`
		}{r.Artifacts, r.Bytes}})
	}
	return a.write(fmt.Sprintf("Removed %d artifacts (%s freed)\n", r.Artifacts, workspace.Size(r.Bytes)))
}

func (a *app) artifactsPut() *cobra.Command {
	var contentType, source, summary string
	var schema bool
	cmd := &cobra.Command{
		Use: "put [--type T] [--source S] [--summary S] [FILE]", Short: "Store FILE, or stdin, with secrets masked",
		DisableFlagsInUseLine: true, Args: fileOrNone,
		RunE: func(_ *cobra.Command, args []string) error {
			if schema {
				return a.writeSchema("artifacts put", fieldSource, fieldType, fieldSummary, fieldSession)
			}
			if err := checkFields(value{fieldSource, source}, value{fieldType, contentType}, value{fieldSummary, summary}); err != nil {
				return err
			}
			out := workspace.Output{Session: a.session(), Source: source, ContentType: contentType}
			if strings.TrimSpace(source) == "" {
				if out.Tool, out.Source = workspace.PutTool, ""; len(args) == 1 {
					out.Source = filepath.Base(args[0])
				}
			}
			h, err := a.openWith(workspace.Options{NoSessions: true})
			if err != nil {
				return err
			}
			defer h.Close()
			done, err := a.openOutput(&out, args)
			if err != nil {
				return err
			}
			defer done()
			i, err := h.Put(out, summary)
			if err != nil {
				return artifactError("", err)
			}
			if a.json {
				return a.answer(envelope.Answer{Data: newArtifactInfo(i)})
			}
			return a.write(workspace.ReferenceLine(i) + "\n")
		},
	}
	cmd.Flags().StringVar(&contentType, "type", "", "content type, such as application/json (default: found out)")
	cmd.Flags().StringVar(&source, "source", "", "where it comes from: the tool and what it was asked, in at most 255 bytes of `S`")
	cmd.Flags().StringVar(&summary, "summary", "", "what it is, in at most 100 characters of `S` (default: made up)")
	cmd.Flags().BoolVar(&schema, "schema", false, schemaUsage)
	return cmd
}

// openOutput lets out be read from FILE, or from stdin.
func (a *app) openOutput(out *workspace.Output, args []string) (done func(), err error) {
	if len(args) == 0 {
		if isTerminal(a.in) {
			fmt.Fprintln(a.err, "acode-ls: reading the output from stdin; end it with Ctrl-D")
		}
		out.Content, out.Size = a.in, -1
		if f, ok := a.in.(*os.File); ok {
			out.Size = sizeOf(f)
		}
		return func() {}, nil
	}
	f, err := os.Open(args[0])
	if err != nil {
		return nil, fileError("reading", args[0], err)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, usageError("%s is a directory", args[0])
	}
	out.Content, out.Size, out.Name = io.Reader(f), sizeOf(f), args[0]
	return func() { f.Close() }, nil
}
