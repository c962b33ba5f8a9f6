package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// view returns what the person sees of the document a request is about.
func (s *Server) view(params json.RawMessage) (string, workspace.View, bool, error) {
	p, err := decode[struct {
		TextDocument documentID `json:"textDocument"`
	}](params)
	if err != nil {
		return "", workspace.View{}, false, err
	}
	doc, path, err := s.locate(p.TextDocument.URI)
	if err != nil {
		return p.TextDocument.URI, workspace.View{}, false, nil
	}
	v, ok := doc.hub.View(path)
	return p.TextDocument.URI, v, ok && v.Touched, nil
}

func (s *Server) codeLens(_ context.Context, params json.RawMessage) (any, error) {
	uri, v, ok, err := s.view(params)
	if err != nil || !ok || !s.settings.Load().CodeLens {
		return []protocol.CodeLens{}, err
	}
	return []protocol.CodeLens{{Command: &protocol.Command{
		Title: lensTitle(v.FileState), Command: cmdShowUnread, Arguments: []any{documentID{uri}},
	}}}, nil
}

// resolveCodeLens returns a lens as it is: ours are complete from the start.
func (s *Server) resolveCodeLens(_ context.Context, params json.RawMessage) (any, error) {
	return decode[json.RawMessage](params)
}

func lensTitle(f workspace.FileState) string {
	title := fmt.Sprintf("Agent has read %d %%", percent(f.Coverage))
	if f.State == awareness.ModelAuthored {
		title = "Written by the agent"
	}
	switch n := len(f.Unread); {
	case n == 1:
		title += " · 1 unread range"
	case n > 1:
		title += fmt.Sprintf(" · %d unread ranges", n)
	}
	if f.Stale {
		title += " · changed since"
	}
	return title
}

// percent rounds a fraction, but says 0 and 100 only of nothing and all.
func percent(fraction float64) int {
	switch p := int(fraction*100 + 0.5); {
	case p == 0 && fraction > 0:
		return 1
	case p == 100 && fraction < 1:
		return 99
	default:
		return p
	}
}

func (s *Server) hover(_ context.Context, params json.RawMessage) (any, error) {
	p, err := decode[struct {
		Position protocol.Position `json:"position"`
	}](params)
	if err != nil {
		return nil, err
	}
	uri, v, ok, err := s.view(params)
	if err != nil || !ok || !s.settings.Load().Hover {
		return nil, err
	}
	line := int(p.Position.Line) + 1
	said, r := hoverText(v.FileState, line)
	if said == "" {
		return nil, nil
	}
	if doc, _, err := s.locate(uri); err == nil {
		for _, gap := range doc.hub.Gaps(v) {
			if gap.Lines == r && gap.Declares != "" {
				said += fmt.Sprintf("\n\nDeclared there: `%s`", gap.Declares)
			}
		}
	}
	span := s.lineSpan(v.Text, line, line) // not r: editors highlight what is meant
	return protocol.Hover{Contents: protocol.MarkupContent{Kind: protocol.Markdown, Value: said}, Range: &span}, nil
}

// hoverText says what the agent knows of a line, and of which lines that
// holds. Of a file it knows whole there is nothing to say.
func hoverText(f workspace.FileState, line int) (string, awareness.Range) {
	if r, ok := rangeAt(f.Added, line); ok {
		return fmt.Sprintf("**acode**: %s added since the agent looked at the file %s.", was(r), ago(f.Rounds)), r
	}
	if r, ok := rangeAt(awareness.Minus(f.Unread, f.Added), line); ok {
		if slices.ContainsFunc(f.Redacted, func(x awareness.Range) bool { return x.Start <= line && line <= x.End }) {
			return "**acode**: the agent was shown this line with a secret redacted.", r
		}
		return fmt.Sprintf("**acode**: the agent has not read %s; it last looked at the file %s.", linesText(r), ago(f.Rounds)), r
	}
	if r, ok := rangeAt(f.Changed, line); ok {
		return fmt.Sprintf("**acode**: %s changed since the agent read the file %s.", linesText(r), ago(f.Rounds)), r
	}
	if r, ok := rangeAt(f.Read, line); ok && f.State == awareness.PartialRead {
		return fmt.Sprintf("**acode**: the agent has read %s; it last looked at the file %s.", linesText(r), ago(f.Rounds)), r
	}
	return "", awareness.Range{}
}

func linesText(r awareness.Range) string {
	if r.Len() == 1 {
		return fmt.Sprintf("line %d", r.Start)
	}
	return fmt.Sprintf("lines %d–%d", r.Start, r.End)
}

func was(r awareness.Range) string {
	if r.Len() == 1 {
		return linesText(r) + " was"
	}
	return linesText(r) + " were"
}

func ago(rounds int) string {
	if rounds == 1 {
		return "1 round ago"
	}
	return fmt.Sprintf("%d rounds ago", rounds)
}

func rangeAt(ranges []awareness.Range, line int) (awareness.Range, bool) {
	for _, r := range ranges {
		if r.Start <= line && line <= r.End {
			return r, true
		}
	}
	return awareness.Range{}, false
}

func (s *Server) codeAction(_ context.Context, params json.RawMessage) (any, error) {
	p, err := decode[struct {
		Range   protocol.Range `json:"range"`
		Context struct {
			Diagnostics []protocol.Diagnostic `json:"diagnostics"`
			Only        []string              `json:"only"`
		} `json:"context"`
	}](params)
	if err != nil {
		return nil, err
	}
	uri, v, ok, err := s.view(params)
	actions := []protocol.CodeAction{}
	if err != nil || !ok {
		return actions, err
	}
	wants := func(kind string) bool {
		return len(p.Context.Only) == 0 || slices.ContainsFunc(p.Context.Only, func(only string) bool {
			return kind == only || strings.HasPrefix(kind, only+".")
		})
	}
	add := func(title, kind, command string, ours []protocol.Diagnostic, args any) {
		if wants(kind) {
			actions = append(actions, protocol.CodeAction{
				Title: title, Kind: protocol.CodeActionKind(kind), Diagnostics: ours,
				Command: &protocol.Command{Title: title, Command: command, Arguments: []any{args}},
			})
		}
	}
	asked := awareness.Range{Start: int(p.Range.Start.Line) + 1, End: int(p.Range.End.Line) + 1}
	for _, r := range append(slices.Clone(v.Unread), v.Changed...) {
		if r.End < asked.Start || asked.End < r.Start {
			continue
		}
		var ours []protocol.Diagnostic
		for _, d := range p.Context.Diagnostics {
			if d.Source == source && int(d.Range.Start.Line)+1 == r.Start {
				ours = append(ours, d)
			}
		}
		add(fmt.Sprintf("Mark %s as read by the agent", linesText(r)), "quickfix", cmdMarkRead, ours,
			markReadArgs{URI: uri, Ranges: lineRanges([]awareness.Range{r})})
	}
	if len(v.Unread) > 0 {
		add("Show what the agent has not read", "source.acode.showUnread", cmdShowUnread, nil, documentID{uri})
	}
	add("Forget what the agent has read of this file", "source.acode.forget", cmdForget, nil, documentID{uri})
	return actions, nil
}

// Commands of workspace/executeCommand. Each takes one object.
const (
	cmdApplyEdit     = "acode.applyEdit"
	cmdCheckEdit     = "acode.checkEdit"
	cmdRead          = "acode.read"
	cmdState         = "acode.state"
	cmdMarkRead      = "acode.markRead"
	cmdForget        = "acode.forget"
	cmdOpenArtifact  = "acode.openArtifact"
	cmdExport        = "acode.exportArtifact"
	cmdRemove        = "acode.removeArtifact"
	cmdSelectSession = "acode.selectSession"
	cmdShowUnread    = "acode.showUnread"
)

func (s *Server) commands() map[string]Handler {
	return map[string]Handler{
		cmdApplyEdit:     s.applyEdit,
		cmdCheckEdit:     s.checkEdit,
		cmdRead:          s.read,
		cmdState:         s.state,
		cmdMarkRead:      s.markRead,
		cmdForget:        s.forget,
		cmdOpenArtifact:  s.openArtifact,
		cmdExport:        s.exportArtifact,
		cmdRemove:        s.removeArtifact,
		cmdSelectSession: s.selectSession,
		cmdShowUnread:    s.showUnread,
	}
}

func commandNames() []string { return slices.Sorted(maps.Keys((*Server)(nil).commands())) }

func (s *Server) executeCommand(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[struct {
		Command   string            `json:"command"`
		Arguments []json.RawMessage `json:"arguments"`
	}](params)
	if err != nil {
		return nil, err
	}
	run := s.commands()[p.Command]
	if run == nil {
		return nil, Errorf(CodeInvalidParams, "unknown command %q; known are %s", p.Command, strings.Join(commandNames(), ", "))
	}
	if len(p.Arguments) > 1 {
		return nil, Errorf(CodeInvalidParams, "%s takes one object, not %d arguments", p.Command, len(p.Arguments))
	}
	var args json.RawMessage
	if len(p.Arguments) == 1 {
		args = p.Arguments[0]
	}
	return run(ctx, args)
}

type markReadArgs struct {
	sessionParams
	URI    string      `json:"uri"`
	Ranges []lineRange `json:"ranges"`
}

// markRead lets the person vouch for lines.
func (s *Server) markRead(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[markReadArgs](params)
	if err != nil {
		return nil, err
	}
	if p.Ranges == nil {
		return nil, Errorf(CodeInvalidParams, "%s without ranges", cmdMarkRead)
	}
	raw, err := json.Marshal(observeParams{sessionParams: p.sessionParams, TextDocument: documentID{p.URI}, Ranges: p.Ranges})
	if err != nil {
		return nil, err
	}
	return s.observe(ctx, raw)
}

func (s *Server) forget(_ context.Context, params json.RawMessage) (any, error) {
	p, err := decode[struct {
		sessionParams
		documentID
	}](params)
	if err != nil {
		return nil, err
	}
	if err := checkSession(p.Session); err != nil {
		return nil, err
	}
	doc, path, err := s.locate(p.URI)
	if err != nil {
		return nil, err
	}
	return nil, doc.hub.Forget(p.Session, path)
}

func (s *Server) selectSession(_ context.Context, params json.RawMessage) (any, error) {
	p, err := decode[sessionParams](params)
	if err != nil {
		return nil, err
	}
	for _, h := range s.folders() {
		if err := h.Select(p.Session); err != nil {
			return nil, Errorf(CodeInvalidParams, "%v", err)
		}
	}
	s.news.everything()
	return nil, nil
}

// showUnread takes the person to the first line the agent has not read, and
// returns all of them.
func (s *Server) showUnread(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[documentID](params)
	if err != nil {
		return nil, err
	}
	doc, path, err := s.locate(p.URI)
	if err != nil {
		return nil, err
	}
	result := struct {
		URI    string      `json:"uri"`
		Ranges []lineRange `json:"ranges"`
	}{p.URI, []lineRange{}}
	v, ok := doc.hub.View(path)
	if ok && v.Touched {
		result.Ranges = lineRanges(v.Unread)
	}
	if len(result.Ranges) > 0 && s.client.Capabilities.Window.ShowDocument.Support {
		Release(ctx)
		span := s.lineSpan(v.Text, v.Unread[0].Start, v.Unread[0].End)
		show := struct {
			URI       string          `json:"uri"`
			TakeFocus bool            `json:"takeFocus"`
			Selection *protocol.Range `json:"selection"`
		}{p.URI, true, &span}
		if err := s.conn.Call(ctx, "window/showDocument", show, nil); err != nil {
			return nil, Errorf(CodeRequestFailed, "showing the document: %v", err)
		}
	}
	return result, nil
}
