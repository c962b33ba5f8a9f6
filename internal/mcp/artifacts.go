package mcp

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"
)

// This file has the tools that give out artifacts, and artifacts as resources.

type artifactParams struct {
	Session   string `json:"session"`
	ID        string `json:"id"`
	StartLine *int64 `json:"startLine,omitempty"`
	EndLine   *int64 `json:"endLine,omitempty"`
	StartByte *int64 `json:"startByte,omitempty"`
	EndByte   *int64 `json:"endByte,omitempty"`
	Query     string `json:"query,omitempty"`
}

// artifactPart is what is looked at of an answer to acode/artifact.
type artifactPart struct {
	Content  string `json:"content"`
	Encoding string `json:"encoding"` // base64 if it is no text
	Range    *struct {
		EndByte int64 `json:"endByte"`
	} `json:"range"` // null for what a query finds
	TotalBytes int64 `json:"totalBytes"`
	Truncated  bool  `json:"truncated"`
	Values     int   `json:"values"`
	Found      int   `json:"found"`
}

// rest says how to get at what there was no room for, "" if there was.
func (p artifactPart) rest(id string) string {
	switch {
	case !p.Truncated:
		return ""
	case p.Range == nil:
		return fmt.Sprintf("[%d of %d values; a narrower query shows the others]", p.Values, p.Found)
	}
	return fmt.Sprintf("[cut at byte %d of %d; get_artifact(id=%q, start_byte=%[1]d) goes on]", p.Range.EndByte, p.TotalBytes, id)
}

func getArtifact(a *arguments) run {
	p := artifactParams{ID: a.text("id"), Query: a.text("query")}
	p.StartLine, p.EndLine = a.number("start_line", 1, maxNumber), a.number("end_line", 1, maxNumber)
	p.StartByte, p.EndByte = a.number("start_byte", 0, maxNumber), a.number("end_byte", 1, maxNumber)
	if a.need("id"); a.has("id") && p.ID == "" {
		a.fail("id is empty")
	}
	return func(ctx context.Context, c *call) (outcome, error) {
		p.Session = c.session
		answer, err := c.ask(ctx, "acode/artifact", p)
		if err != nil {
			return outcome{}, err
		}
		var part artifactPart
		if err := jsonv2.Unmarshal(answer, &part); err != nil {
			return outcome{}, fmt.Errorf("reading an artifact: %w", err)
		}
		o, err := c.shown(answer, `"id":`+string(quoted(p.ID)))
		if rest := part.rest(p.ID); rest != "" {
			o.texts = append(o.texts, quoted(rest))
		}
		return o, err
	}
}

type artifactsParams struct {
	Session string `json:"session"`
	Cursor  string `json:"cursor,omitempty"`
	Limit   int64  `json:"limit,omitempty"`
}

type artifactsPage struct {
	Artifacts []struct {
		ID      string `json:"id"`
		Size    int64  `json:"size"` // bytes
		Type    string `json:"type"`
		Source  string `json:"source"`
		Summary string `json:"summary"`
		URI     string `json:"uri"`
	} `json:"artifacts"`
	Next string `json:"nextCursor"`
}

const (
	pageSize = 100 // artifacts
	maxPage  = 1000
)

func listArtifacts(a *arguments) run {
	p := artifactsParams{Cursor: a.text("cursor"), Limit: pageSize}
	if n := a.number("limit", 1, maxPage); n != nil {
		p.Limit = *n
	}
	return func(ctx context.Context, c *call) (outcome, error) {
		p.Session = c.session
		answer, err := c.ask(ctx, "acode/artifacts", p)
		if err != nil {
			return outcome{}, err
		}
		structured, _, err := c.snakeCase(answer, "", "")
		if err != nil {
			return outcome{}, err
		}
		var page artifactsPage
		if err := jsonv2.Unmarshal(answer, &page); err != nil {
			return outcome{}, fmt.Errorf("reading a list of artifacts: %w", err)
		}
		return outcome{texts: []jsontext.Value{quoted(page.String())}, structured: whole(structured)}, nil
	}
}

// String returns a line for each artifact.
func (p artifactsPage) String() string {
	if len(p.Artifacts) == 0 {
		return "There are no artifacts."
	}
	var b strings.Builder
	for _, i := range p.Artifacts {
		fmt.Fprintf(&b, "%s: %d bytes, %s", i.ID, i.Size, i.Type)
		if i.Summary != "" {
			b.WriteString(", " + i.Summary)
		}
		b.WriteByte('\n')
	}
	if p.Next != "" {
		fmt.Fprintf(&b, "There are more: list_artifacts(cursor=%q)\n", p.Next)
	}
	return b.String()
}

const (
	artifactPrefix   = "acode-artifact:/"
	artifactTemplate = artifactPrefix + "{name}"
)

func (s *server) addResources() {
	s.offerArtifacts()
	s.protocol.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, request sdk.Request) (sdk.Result, error) {
			if r, ok := request.(*sdk.ListResourcesRequest); ok {
				return s.listResources(ctx, r) // which change from call to call
			}
			return next(ctx, method, request)
		}
	})
}

// offerArtifacts adds the template of artifacts, or adds it again, which tells
// the client that resources have changed.
func (s *server) offerArtifacts() {
	s.protocol.AddResourceTemplate(&sdk.ResourceTemplate{
		Name: "artifact", Title: "Artifacts", URITemplate: artifactTemplate,
		Description: "Output that was too long to be shown, by its id and extension.",
	}, s.readResource)
}

// artifactsChanged tells the client of it if they are its own.
func (s *server) artifactsChanged(session string) {
	if id := s.session.name.Load(); id != nil && *id == session {
		s.offerArtifacts()
	}
}

// private says that what a client gets is for its person alone, and may change.
var private = sdk.Cacheable{CacheScope: "private"}

func (s *server) listResources(ctx context.Context, request *sdk.ListResourcesRequest) (sdk.Result, error) {
	out := &sdk.ListResourcesResult{Cacheable: private, Resources: []*sdk.Resource{}}
	session, err := s.session.known(ctx, request.ClientInfo())
	if err != nil || session == "" { // which is not begun to look for what it cannot have
		return out, err
	}
	p := artifactsParams{Session: session, Limit: pageSize}
	if request.Params != nil {
		p.Cursor = request.Params.Cursor
	}
	var page artifactsPage
	if err := s.opts.Workspace.Call(ctx, "acode/artifacts", p, &page); err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	}
	out.NextCursor = page.Next
	for _, i := range page.Artifacts {
		out.Resources = append(out.Resources, &sdk.Resource{
			URI: i.URI, Name: i.ID, Title: i.Source, Description: i.Summary, MIMEType: i.Type, Size: i.Size,
		})
	}
	return out, nil
}

var errNoArtifact = errors.New("an artifact is acode-artifact:/ID.EXT")

func (s *server) readResource(ctx context.Context, request *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	name, _ := strings.CutPrefix(request.Params.URI, artifactPrefix)
	id, _, _ := strings.Cut(name, ".")
	if id == "" {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: errNoArtifact.Error()}
	}
	session, err := s.session.id(ctx, request.ClientInfo())
	if err != nil {
		return nil, err
	}
	var part artifactPart
	if err := s.opts.Workspace.Call(ctx, "acode/artifact", artifactParams{Session: session, ID: id}, &part); err != nil {
		s.log.Debug("reading a resource", zap.String("artifact_id", id), zap.Error(err))
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	}
	contents := &sdk.ResourceContents{URI: request.Params.URI, Text: part.Content}
	if part.Encoding == "base64" {
		contents.Text = ""
		if contents.Blob, err = base64.StdEncoding.DecodeString(part.Content); err != nil {
			return nil, fmt.Errorf("reading artifact %s: %w", id, err)
		}
	}
	if rest := part.rest(id); rest != "" {
		contents.Meta = sdk.Meta{"truncated": true, "total_bytes": part.TotalBytes, "rest": rest}
	}
	return &sdk.ReadResourceResult{Cacheable: private, Contents: []*sdk.ResourceContents{contents}}, nil
}
