package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/acode-ls/acode-ls/internal/envelope"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

func (a *app) artifactsShow() *cobra.Command {
	var lines, bytes, query string
	var skip int
	cmd := &cobra.Command{
		Use: "show ID [--lines A-B | --bytes A-B | --query P [--skip N]]", Short: "An artifact, or a part of it",
		DisableFlagsInUseLine: true, Args: oneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			wanted, err := parseWanted(cmd, lines, bytes, query)
			if err != nil {
				return err
			}
			if wanted.Skip = skip; skip < 0 || skip > 0 && query == "" {
				return usageError("--skip %d: it leaves out the first values that --query finds", skip)
			}
			return a.withStore(func(h *workspace.Hub, session string) error {
				if a.json {
					return a.showEnvelope(h, session, args[0], wanted)
				}
				err := h.Show(session, args[0], wanted, workspace.ForUser, a.out)
				return artifactError(args[0], err)
			})
		},
	}
	cmd.Flags().StringVar(&lines, "lines", "", "lines `A-B`, from 1, both included")
	cmd.Flags().StringVar(&bytes, "bytes", "", "bytes `A-B`, from 0, B not included")
	cmd.Flags().StringVar(&query, "query", "", "what JSONPath `P` finds in an artifact of JSON, such as '$.users[?(@.age > 40)]'")
	cmd.Flags().IntVar(&skip, "skip", 0, "leave out the first `N` values that the query finds")
	return cmd
}

// parseWanted reads which part of an artifact is asked for.
func parseWanted(cmd *cobra.Command, lines, bytes, query string) (workspace.Wanted, error) {
	var w workspace.Wanted
	n := 0
	for _, name := range []string{"lines", "bytes", "query"} {
		if cmd.Flag(name).Changed {
			n++
		}
	}
	switch {
	case n > 1:
		return w, usageError("--lines, --bytes and --query exclude one another; give one of them")
	case cmd.Flag("lines").Changed:
		r, err := parseLines(lines, false)
		w.ByLines, w.FirstLine, w.LastLine = true, r.Start, r.End
		return w, err
	case cmd.Flag("bytes").Changed:
		w.ByBytes = true
		var err error
		w.Start, w.End, err = parseByteSpan(bytes)
		return w, err
	case cmd.Flag("query").Changed && query == "":
		return w, usageError("--query is an empty string")
	}
	w.Query = query
	return w, nil
}

// parseByteSpan reads a half-open range of bytes of any size.
func parseByteSpan(s string) (start, end int64, err error) {
	first, last, ok := strings.Cut(s, "-")
	a, errA := strconv.ParseUint(first, 10, 53)
	b, errB := strconv.ParseUint(last, 10, 53)
	switch {
	case !ok || errA != nil || errB != nil:
		return 0, 0, usageError("--bytes %q: write two whole numbers, as in --bytes 0-1000", s)
	case b <= a:
		return 0, 0, usageError("--bytes %q holds no byte: bytes count from 0 and the last is not included", s)
	}
	return int64(a), int64(b), nil
}

type showData struct {
	ID         string     `json:"id"`
	Content    string     `json:"content"`
	Encoding   string     `json:"encoding,omitempty"` // base64 if it is no text
	Range      *showRange `json:"range"`              // of Content in the artifact; null for what a query finds
	TotalLines int        `json:"total_lines"`
	TotalBytes int64      `json:"total_bytes"`
}

type showRange struct {
	lineRange
	StartByte int64 `json:"start_byte"`
	EndByte   int64 `json:"end_byte"`
}

// showEnvelope prints as much of what is wanted as one envelope holds, and the
// command that shows the rest.
func (a *app) showEnvelope(h *workspace.Hub, session, id string, w workspace.Wanted) error {
	w.Limit, w.Cost = a.roomToShow(session, id, w), envelope.Size
	if w.Limit <= 0 { // which would mean any number
		w.Limit, w.Cost = 1, func(string) int { return 2 }
	}
	p, err := h.Retrieve(session, id, w, workspace.ForUser)
	if err != nil {
		return artifactError(id, err)
	}
	data := showData{ID: p.Info.ID, Content: p.Content, TotalLines: p.Info.Lines, TotalBytes: p.Info.Size}
	if p.Base64 {
		data.Encoding = "base64"
	}
	var answer envelope.Answer
	switch {
	case p.IsQuery && p.Values < p.Found:
		answer.Cut = &envelope.Cut{
			Field: "data.content", Total: w.Skip + p.Found, Returned: p.Values,
			OriginalSize: p.FoundSize, Size: len(p.Content),
		}
		answer.Rest = func(envelope.Cut) string { return a.nextValues(session, id, w, p.Values) }
	case !p.IsQuery:
		data.Range = &showRange{lineRange{p.Span.FirstLine, p.Span.LastLine}, p.Span.Start, p.Span.End}
		if p.Omitted == 0 {
			break
		}
		if !p.Base64 { // in which a marker cannot be told from what is there
			data.Content += envelope.Marker(p.Omitted)
		}
		answer.Cut = &envelope.Cut{
			Field: "data.content", Total: int(p.Left.End - p.Span.Start), Returned: int(p.Span.End - p.Span.Start),
			OriginalSize: int(p.Left.End - p.Span.Start), Size: len(data.Content),
		}
		answer.Rest = func(envelope.Cut) string {
			return a.nextBytes(h, session, id, p)
		}
	}
	answer.Data = data
	return a.answer(answer)
}

// nextBytes returns the command that shows what is left of an artifact: if not
// a character had room, without an envelope.
func (a *app) nextBytes(h *workspace.Hub, session, id string, p workspace.Portion) string {
	plain := *a
	if p.Content == "" {
		plain.json = false
	}
	if c, _ := h.Configuration(); !c.Tools.Truncation.Artifacts.EnablePartialRetrieval {
		plain.json = false
		return plain.artifactCommand(session, "show", id) // all at once is all there is
	}
	return plain.artifactCommand(session, "show", id, "--bytes", fmt.Sprintf("%d-%d", p.Left.Start, p.Left.End))
}

// nextValues returns the command that shows the values a query finds behind
// those that were shown: if none had room, all without an envelope.
func (a *app) nextValues(session, id string, w workspace.Wanted, shown int) string {
	plain := *a
	if shown == 0 {
		plain.json = false
	}
	return plain.artifactCommand(session, "show", id, "--query", w.Query, "--skip", fmt.Sprint(w.Skip+shown))
}

// artifactCommand returns a command line for an artifact of session.
func (a *app) artifactCommand(session string, args ...string) string {
	args = append([]string{"artifacts"}, args...)
	if a.named == "" {
		args = append(args, "--session", session)
	}
	return a.again(args...)
}

// roomToShow returns how many bytes of JSON an answer has for its content.
func (a *app) roomToShow(session, id string, w workspace.Wanted) int {
	const big = 1<<53 - 1
	rest := a.artifactCommand(session, "show", id, "--bytes", fmt.Sprintf("%d-%d", big, big))
	if w.Query != "" {
		rest = a.artifactCommand(session, "show", id, "--query", w.Query, "--skip", fmt.Sprint(big))
	}
	empty, _ := envelope.Answer{
		Data: showData{ID: id, Encoding: "base64", Range: &showRange{lineRange{big, big}, big, big}, TotalLines: big, TotalBytes: big},
		Cut:  &envelope.Cut{Field: "data.content", Total: big, Returned: big, OriginalSize: big, Size: big},
		Rest: func(envelope.Cut) string { return rest }, Duration: big,
	}.Encode(1 << 40)
	return max(0, a.limit-len(empty)-len(envelope.Marker(big)))
}
