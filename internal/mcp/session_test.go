package mcp_test

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/acode-ls/acode-ls/internal/mcp"
	"github.com/acode-ls/acode-ls/lsp"
)

// sessions lists the sessions of a workspace as name:agent, and ! for ended.
func sessions(t *testing.T, link *lsp.Link) string {
	t.Helper()
	var answer struct {
		Sessions []struct {
			ID, Agent string
			Ended     bool
		}
	}
	if err := link.Call(t.Context(), "acode/sessions", struct{}{}, &answer); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range answer.Sessions {
		name := s.ID + ":" + s.Agent
		if s.Ended {
			name += "!"
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

func begin(t *testing.T, link *lsp.Link, id, agent string) {
	t.Helper()
	if err := link.Call(t.Context(), "acode/session", map[string]string{"session": id, "event": "start", "agent": agent}, nil); err != nil {
		t.Fatal(err)
	}
}

func TestSession(t *testing.T) {
	for _, test := range []struct{ client, want string }{
		{"claude-code", "hooks-claude"},
		{"Visual Studio Code - Insiders", "hooks-vscode"},
		{"gemini-cli-mcp-client-acode", `gemini-cli-[0-9a-f]{8}`},
		{"Some Ünknown  Client/2!", `some-nknown-client-2-[0-9a-f]{8}`},
		{"", `agent-[0-9a-f]{8}`},
		{strings.Repeat("long ", 100), `long(-long){7}-[0-9a-f]{8}`},
	} {
		root := folder(t, nil)
		c := connectAs(t, test.client, root)
		begin(t, c.link, "hooks-claude", "claude-code")
		begin(t, c.link, "claude-code-0123abcd", "claude-code") // of another such process
		begin(t, c.link, "hooks-vscode", "vscode")
		begin(t, c.link, "gone-gemini", "gemini-cli")
		if err := c.link.Call(t.Context(), "acode/session", map[string]string{"session": "gone-gemini", "event": "end"}, nil); err != nil {
			t.Fatal(err)
		}
		got, _ := c.must("awareness_state", `{}`).at("session").(string)
		if !regexp.MustCompile("^" + test.want + "$").MatchString(got) {
			t.Errorf("%q has session %s, want %s", test.client, got, test.want)
		}
		if again := c.must("awareness_state", `{}`).at("session"); again != got {
			t.Errorf("%q has session %s and then %s", test.client, got, again)
		}
	}
}

func TestSessionIsNamed(t *testing.T) {
	c := connectAs(t, "claude-code", folder(t, nil), func(o *mcp.Options) { o.Session = "mine" })
	begin(t, c.link, "hooks-claude", "claude-code")
	if got := c.must("awareness_state", `{}`).at("session"); got != "mine" {
		t.Errorf("session %s", got)
	}
}

// TestSessionEnds ends a client's own session with it, and no other.
func TestSessionEnds(t *testing.T) {
	for client, want := range map[string]string{"claude-code": "hooks-claude:claude-code", "other": "other-X:other! hooks-claude:claude-code"} {
		root := folder(t, nil)
		c := connectAs(t, client, root)
		begin(t, c.link, "hooks-claude", "claude-code")
		c.must("awareness_state", `{}`)
		c.session.Close()
		if err := c.wait(); err != nil {
			t.Errorf("Serve: %v", err)
		}
		got := regexp.MustCompile(`other-[0-9a-f]{8}`).ReplaceAllString(sessions(t, c.link), "other-X")
		if got != want {
			t.Errorf("%s: sessions %s, want %s", client, got, want)
		}
	}
}

// TestOneSession begins one session however many calls come first.
func TestOneSession(t *testing.T) {
	c := connect(t, folder(t, nil))
	got := make(chan any)
	for range 50 {
		go func() {
			r, err := c.try(t.Context(), "awareness_state", `{}`)
			if err != nil {
				t.Error(err)
			}
			got <- r.at("session")
		}()
	}
	first := <-got
	for range 49 {
		if s := <-got; s != first {
			t.Errorf("sessions %v and %v", first, s)
		}
	}
}

// refusing answers no request about sessions.
type refusing struct{ *lsp.Link }

func (r refusing) Call(ctx context.Context, method string, params, result any) error {
	if method == "acode/session" {
		return &lsp.Error{Code: lsp.CodeRequestFailed, Message: "no room"}
	}
	return r.Link.Call(ctx, method, params, result)
}

func TestSessionCannotBegin(t *testing.T) {
	c := connect(t, folder(t, nil), func(o *mcp.Options) { o.Workspace = refusing{o.Workspace.(*lsp.Link)} })
	if got := c.refused("awareness_state", `{}`); got != "beginning a session: no room" {
		t.Errorf("got %q", got)
	}
}

// panicking breaks while it answers.
type panicking struct{ *lsp.Link }

func (p panicking) Call(ctx context.Context, method string, params, result any) error {
	if method == "acode/read" {
		panic("broken")
	}
	return p.Link.Call(ctx, method, params, result)
}

func TestPanic(t *testing.T) {
	c := connect(t, folder(t, nil), func(o *mcp.Options) { o.Workspace = panicking{o.Workspace.(*lsp.Link)} })
	if got := c.refused("read_file", `{"path":"a"}`); got != "read_file: internal error" {
		t.Errorf("got %q", got)
	}
	c.must("awareness_state", `{}`)
	if n := c.logs.FilterMessage("panic in a tool").Len(); n != 1 {
		t.Errorf("%d records of the panic", n)
	}
}

// TestNoTrace holds that a client that only looks begins no session, and sees
// nothing of others.
func TestNoTrace(t *testing.T) {
	root := folder(t, map[string]string{"long.txt": strings.Repeat("0123456789\n", 10_000)})
	c := connect(t, root)
	look := func() {
		t.Helper()
		listed, err := c.session.ListResources(t.Context(), nil)
		if err != nil || len(listed.Resources) != 0 {
			t.Fatalf("%+v, %v", listed, err)
		}
	}
	if look(); sessions(t, c.link) != "" {
		t.Errorf("sessions %s", sessions(t, c.link))
	}
	read := map[string]any{"session": "default", "textDocument": map[string]string{"uri": "file://" + root + "/long.txt"}}
	if err := c.link.Call(t.Context(), "acode/read", read, nil); err != nil {
		t.Fatal(err)
	}
	look()
}

func TestArtifacts(t *testing.T) {
	root := folder(t, map[string]string{"long.txt": strings.Repeat("0123456789\n", 10_000), "data.json": "[" + strings.Repeat(`{"a":1},`, 10_000) + "0]"})
	c := connect(t, root)
	if r := c.must("list_artifacts", `{}`); r.text != "There are no artifacts." {
		t.Errorf("at the start: %q", r.text)
	}
	r := c.must("read_file", `{"path":"long.txt"}`)
	id, _ := r.at("artifact_id").(string)
	if reference, _ := r.at("artifact_reference").(string); id == "" || !strings.HasPrefix(r.text, reference+"\n") {
		t.Fatalf("no artifact: %s", r.raw)
	}
	<-c.changed
	jsonID, _ := c.must("read_file", `{"path":"data.json"}`).at("artifact_id").(string)

	part := c.must("get_artifact", `{"id":"`+id+`","start_line":500,"end_line":501}`)
	if part.text != "0123456789\n0123456789\n" || part.at("content") != part.text || part.at("range", "start_line") != 500.0 || part.at("id") != id {
		t.Errorf("part %q, %s", part.text, part.raw)
	}
	if state := c.must("awareness_state", `{"path":"long.txt"}`); !strings.Contains(state.text, "500-501") {
		t.Errorf("the lines of the part do not count: %q", state.text)
	}
	found := c.must("get_artifact", `{"id":"`+jsonID+`","query":"$[9999:]"}`)
	if found.text != "[\n{\"a\":1},\n0\n]\n" || found.at("values") != 2.0 || found.at("range") != nil {
		t.Errorf("query %q, %s", found.text, found.raw)
	}
	for arguments, want := range map[string]string{
		`{"id":"art_1_gone"}`:                            "404: artifact not found: art_1_gone",
		`{"id":"../../etc/passwd"}`:                      "404: artifact not found: ../../etc/passwd",
		`{"id":"` + id + `","start_line":1,"query":"$"}`: "exclude one another",
		`{"id":"` + id + `","query":"$.x"}`:              "only application/json can be queried",
		`{"id":"` + jsonID + `","query":"$["}`:           "$[",
		`{"id":"` + id + `","start_line":20000}`:         "20000",
	} {
		if got := c.refused("get_artifact", arguments); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %q", arguments, got, want)
		}
	}

	list := c.must("list_artifacts", `{"limit":1}`)
	cursor, _ := list.at("next_cursor").(string)
	if !strings.HasPrefix(list.text, id+": 110000 bytes, text/plain, ") || !strings.Contains(list.text, `list_artifacts(cursor="`+cursor+`")`) {
		t.Errorf("page 1: %q", list.text)
	}
	if list = c.must("list_artifacts", `{"limit":1,"cursor":"`+cursor+`"}`); !strings.HasPrefix(list.text, jsonID) {
		t.Errorf("page 2: %q", list.text)
	}
	c.refused("list_artifacts", `{"cursor":"nonsense"}`)
}

func TestArtifactWithoutRoom(t *testing.T) {
	root := folder(t, map[string]string{"long.txt": strings.Repeat("0123456789\n", 200_000)})
	c := connect(t, root)
	id, _ := c.must("read_file", `{"path":"long.txt"}`).at("artifact_id").(string)
	r := c.must("get_artifact", `{"id":"`+id+`"}`)
	const most = 1 << 20
	if len(r.texts) != 2 || r.at("content") != nil || r.at("truncated") != true || len(r.texts[0]) < most*8/10 || len(r.texts[0])+len(r.raw) > most {
		t.Fatalf("%d texts, %d characters, structured content %.300s", len(r.texts), len(r.text), r.raw)
	}
	end, _ := r.at("range", "end_byte").(float64)
	if !strings.Contains(r.texts[1], "goes on") || int(end) != len(r.texts[0]) {
		t.Errorf("%q after %v bytes", r.texts[1], end)
	}
}

func TestResources(t *testing.T) {
	root := folder(t, map[string]string{"long.txt": strings.Repeat("0123456789\n", 10_000)})
	c := connect(t, root)
	id, _ := c.must("read_file", `{"path":"long.txt"}`).at("artifact_id").(string)
	<-c.changed
	listed, err := c.session.ListResources(t.Context(), nil)
	if err != nil || len(listed.Resources) != 1 {
		t.Fatalf("%+v, %v", listed, err)
	}
	r := listed.Resources[0]
	if r.Name != id || r.Size != 110_000 || r.MIMEType != "text/plain" || !strings.HasPrefix(r.URI, "acode-artifact:/"+id+".") || r.Description == "" || listed.CacheScope != "private" {
		t.Errorf("resource %+v, cache %+v", r, listed.Cacheable)
	}
	got, err := c.session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: r.URI})
	if err != nil || len(got.Contents) != 1 || got.Contents[0].Text != content(t, root, "long.txt") || got.CacheScope != "private" {
		t.Errorf("%v", err)
	}
	templates, err := c.session.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 1 || templates.ResourceTemplates[0].URITemplate != "acode-artifact:/{name}" {
		t.Errorf("templates %+v, %v", templates, err)
	}
	for uri, want := range map[string]string{
		"acode-artifact:/art_1_gone.txt": "404: artifact not found: art_1_gone",
		"acode-artifact:/.txt":           "an artifact is acode-artifact:/ID.EXT",
		"acode-artifact:/a/b.txt":        "Resource not found",
		"file:///etc/passwd":             "Resource not found",
	} {
		if _, err := c.session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", uri, err, want)
		}
	}
	if _, err := c.session.ListResources(t.Context(), &sdk.ListResourcesParams{Cursor: "nonsense"}); err == nil {
		t.Error("a cursor that is none is followed")
	}
}

// TestStructuredOnly holds that no result has a key in camelCase or a URI of a
// file.
func TestNames(t *testing.T) {
	root := folder(t, map[string]string{"camelCase.go": "package a\n" + strings.Repeat("func F() {}\n", 3000)})
	c := connect(t, root)
	for tool, arguments := range map[string]string{
		"read_file": `{"path":"camelCase.go"}`, "awareness_state": `{}`,
		"edit_file":  `{"path":"camelCase.go","edits":[{"start_line":1,"end_line":1,"new_text":"package b\n"}]}`,
		"write_file": `{"path":"newFile.txt","content":"x"}`,
	} {
		r := c.call(tool, arguments)
		var keys func(v any)
		keys = func(v any) {
			switch v := v.(type) {
			case map[string]any:
				for key, value := range v {
					if strings.ToLower(key) != key && !strings.HasPrefix(key, "camelCase.go") && key != "newFile.txt" {
						t.Errorf("%s has a key %s", tool, key)
					}
					keys(value)
				}
			case []any:
				for _, e := range v {
					keys(e)
				}
			case string:
				if strings.HasPrefix(v, "file:") {
					t.Errorf("%s has %s", tool, v)
				}
			}
		}
		var v any
		if err := json.Unmarshal([]byte(r.raw), &v); err != nil {
			t.Fatal(err)
		}
		keys(v)
	}
}
