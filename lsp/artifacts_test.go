package lsp_test

import (
	"encoding/json"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// This file tests what the server does with outputs that did not fit.

var createdAt = regexp.MustCompile(`"created":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"`)

// TestArtifactRequests shows requests about artifacts with their answers, over
// each transport.
func TestArtifactRequests(t *testing.T) {
	l := newLab(t)
	for _, how := range []transport{pipe, socket, process} {
		t.Run(string(how), func(t *testing.T) {
			c := newCaller(t, l.start(t, how, serverOptions{}).rwc, l.folder(t))
			id := c.process("s", numberedLines(6000))
			c.await("news of artifacts", func() bool { return c.changed["s"] == 1 })
			json := c.process("s", `{"n":[`+strings.Repeat("12345678,", 8000)+`0]}`)
			names := strings.NewReplacer(id, "TEXT", json, "JSON")
			missing := `error -32803: 404: artifact not found: art_99999999999999_a {"status":404}`
			for _, test := range []struct{ method, params, want string }{
				{"acode/artifacts", `{"session":"s"}`, `{"artifacts":[` +
					`{"id":"TEXT","size":60000,"type":"text/plain","source":"execute_command make","summary":"output of make, 6,000 lines","created":"","uri":"acode-artifact:/TEXT.txt"},` +
					`{"id":"JSON","size":72009,"type":"application/json","source":"execute_command make","summary":"output of make, JSON, 1 line","created":"","uri":"acode-artifact:/JSON.json"}]}`},
				{"acode/artifacts", `{"session":"other"}`, `{"artifacts":[]}`},
				{"acode/artifacts", `{"session":"a/b"}`, `error -32602: session id "a/b": a session id has 1 to 128 characters out of A-Z a-z 0-9 . _ -`},
				{"acode/artifacts", `{"cursor":"x"}`, `error -32602: "x" is not a cursor of the list of artifacts`},
				{"acode/artifact", `{"session":"s","id":"TEXT","startLine":2,"endLine":3}`,
					`{"content":"line 0002\nline 0003\n","range":{"startLine":2,"endLine":3,"startByte":10,"endByte":30},"totalLines":6000,"totalBytes":60000}`},
				{"acode/artifact", `{"session":"s","id":"TEXT","startByte":59995}`,
					`{"content":"6000\n","range":{"startLine":6000,"endLine":6000,"startByte":59995,"endByte":60000},"totalLines":6000,"totalBytes":60000}`},
				{"acode/artifact", `{"session":"s","id":"JSON","query":"$.n[7999:]"}`,
					`{"content":"[\n12345678,\n0\n]\n","range":null,"totalLines":1,"totalBytes":72009,"values":2,"found":2}`},
				{"acode/artifact", `{"session":"s","id":"TEXT","query":"$"}`,
					`error -32602: asking for a part of an artifact: TEXT is text/plain, and only application/json can be queried`},
				{"acode/artifact", `{"session":"s","id":"TEXT","startLine":1,"startByte":0}`,
					`error -32602: asking for a part of an artifact: lines, bytes and a query exclude one another`},
				{"acode/artifact", `{"session":"s","id":"TEXT","startLine":0}`, `error -32602: startLine 0 is less than 1`},
				{"acode/artifact", `{"session":"s","id":"TEXT","startLine":6001}`,
					`error -32602: no lines 6001-: the artifact has 6000, and they must start at 1 or later, and end where they start or later`},
				{"acode/artifact", `{"session":"s"}`, `error -32602: an artifact without id`},
				// What is not there, is another's or is no id looks the same (C-72, DESC-34).
				{"acode/artifact", `{"session":"s","id":"art_99999999999999_a"}`, missing},
				{"acode/artifact", `{"session":"other","id":"TEXT"}`, strings.ReplaceAll(missing, "art_99999999999999_a", "TEXT")},
				{"acode/artifact", `{"session":"s","id":"../a"}`, strings.ReplaceAll(missing, "art_99999999999999_a", "../a")},
				// One of an earlier server went with its session (C-176).
				{"acode/artifact", `{"session":"s","id":"art_1_a"}`,
					`error -32803: 404: artifact not found: art_1_a (its session ended, and its artifacts were removed) {"status":404}`},
				{"workspace/textDocumentContent", `{"uri":"acode-artifact:/art_99999999999999_a.txt"}`, `{"text":"404: artifact not found: art_99999999999999_a\n"}`},
				{"workspace/textDocumentContent", `{"uri":"file:///etc/passwd"}`,
					`error -32602: "file:///etc/passwd" is not the URI of an artifact, such as acode-artifact:/art_1_a.txt`},
				{"workspace/textDocumentContent", `{"uri":"acode-artifact:/../art_99999999999999_a.txt"}`,
					`error -32602: "acode-artifact:/../art_99999999999999_a.txt" is not the URI of an artifact, such as acode-artifact:/art_1_a.txt`},
				{"workspace/executeCommand", `{"command":"acode.openArtifact","arguments":[{"id":"TEXT"}]}`, `{"uri":"acode-artifact:/TEXT.txt"}`},
				{"workspace/executeCommand", `{"command":"acode.openArtifact","arguments":[{"id":"art_99999999999999_a"}]}`, missing},
			} {
				params := strings.NewReplacer("TEXT", id, "JSON", json).Replace(test.params)
				got := names.Replace(createdAt.ReplaceAllString(c.call(test.method, rawJSON(params)).String(), `"created":""`))
				if diff := gocmp.Diff(test.want, got); diff != "" {
					t.Errorf("%s %s (-want +got):\n%s", test.method, test.params, diff)
				}
			}
			if want := []string{"acode-artifact:/" + id + ".txt"}; !slices.Equal(c.shown, want) {
				t.Errorf("shown are %q, want %q", c.shown, want)
			}
			c.sameDocument(id, numberedLines(6000))
			copied := filepath.Join(t.TempDir(), "copy of it.txt")
			if err := os.WriteFile(copied, []byte("mine"), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, test := range []struct{ command, args, want string }{
				{"exportArtifact", `{"id":"TEXT","uri":"untitled:a"}`, `error -32602: URI "untitled:a": only the scheme file is supported`},
				{"exportArtifact", `{"id":"art_99999999999999_a","uri":"COPY"}`, missing},
				{"exportArtifact", `{"id":"TEXT","uri":"COPY"}`, `error -32803: exporting artifact TEXT: copy of it.txt already exists`},
				{"exportArtifact", `{"id":"TEXT","uri":"COPY","overwrite":true}`, `null`},
				{"removeArtifact", `{"id":"../a"}`, strings.ReplaceAll(missing, "art_99999999999999_a", "../a")},
				{"removeArtifact", `{"id":"JSON"}`, `null`},
				{"removeArtifact", `{"id":"JSON"}`, strings.ReplaceAll(missing, "art_99999999999999_a", "JSON")},
			} {
				uri := (&url.URL{Scheme: "file", Path: filepath.ToSlash(copied)}).String()
				args := strings.NewReplacer("TEXT", id, "JSON", json, "COPY", uri).Replace(test.args)
				got := c.call("workspace/executeCommand", rawJSON(`{"command":"acode.`+test.command+`","arguments":[`+args+`]}`)).String()
				if diff := gocmp.Diff(test.want, names.Replace(got)); diff != "" {
					t.Errorf("%s %s (-want +got):\n%s", test.command, test.args, diff)
				}
			}
			if got, err := os.ReadFile(copied); string(got) != numberedLines(6000) {
				t.Errorf("the copy holds %d bytes, %v", len(got), err)
			}
			if err := os.Remove(filepath.Join(c.root, ".acode", "artifacts", id+".meta.json")); err != nil {
				t.Fatal(err)
			}
			c.sameDocument(id, "404: artifact not found: "+id+"\n")
		})
	}
}

// TestArtifactPages follows the cursors of a list.
func TestArtifactPages(t *testing.T) {
	l := newLab(t)
	c := newCaller(t, l.start(t, pipe, serverOptions{}).rwc, l.folder(t))
	var want, got []string
	for range 5 {
		want = append(want, c.process("s", numberedLines(5000)))
	}
	slices.Sort(want) // those of one millisecond
	for cursor, pages := "", 0; pages == 0 || cursor != ""; pages++ {
		var page struct {
			Artifacts  []struct{ ID string }
			NextCursor string
		}
		raw := c.must("acode/artifacts", map[string]any{"session": "s", "limit": 2, "cursor": cursor})
		if err := json.Unmarshal(raw, &page); err != nil || len(page.Artifacts) > 2 || pages > 3 {
			t.Fatalf("page %d: %v in %s", pages, err, raw)
		}
		for _, a := range page.Artifacts {
			got = append(got, a.ID)
		}
		cursor = page.NextCursor
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("all pages (-want +got):\n%s", diff)
	}
}

// TestLargeArtifactInParts: an answer has an end, and says so; from there on
// the next goes on, until all of the artifact came once (C-68, C-104).
func TestLargeArtifactInParts(t *testing.T) {
	l := newLab(t)
	c := newCaller(t, l.start(t, pipe, serverOptions{}).rwc, l.folder(t))
	want := strings.Repeat("\"é\\\t😀<\n", 200_000)
	id := c.process("s", want)
	var got strings.Builder
	for more := true; more; {
		raw := c.must("acode/artifact", map[string]any{"session": "s", "id": id, "startByte": got.Len()})
		var part struct {
			Content    string
			Range      struct{ StartByte, EndByte int }
			TotalBytes int
			Truncated  bool
		}
		if err := json.Unmarshal(raw, &part); err != nil || len(raw) > 1<<20 || part.Content == "" || part.Range.StartByte != got.Len() {
			t.Fatalf("after %d bytes come %d: %v in %.300s", got.Len(), len(raw), err, raw)
		}
		got.WriteString(part.Content)
		if more = part.Truncated; part.Range.EndByte != got.Len() || part.TotalBytes != len(want) || more != (got.Len() < len(want)) {
			t.Fatalf("%+v after %d bytes of %d", part.Range, got.Len(), len(want))
		}
	}
	if got.String() != want {
		t.Error("all parts are not the artifact")
	}
}

// TestArtifactOfRead: a read that became an artifact credits its preview, and
// what an agent gets out of the artifact then (C-134, C-135).
func TestArtifactOfRead(t *testing.T) {
	l := newLab(t)
	c := newCaller(t, l.start(t, pipe, serverOptions{}).rwc, l.folder(t))
	if err := os.WriteFile(filepath.Join(c.root, "a.txt"), []byte(numberedLines(6000)), 0o644); err != nil {
		t.Fatal(err)
	}
	doc := map[string]string{"uri": fileURI(filepath.Join(c.root, "a.txt"))}
	var r struct {
		ID    string          `json:"artifactId"`
		Shown json.RawMessage `json:"shownRanges"`
	}
	raw := c.must("acode/read", map[string]any{"session": "s", "textDocument": doc})
	if err := json.Unmarshal(raw, &r); err != nil || string(r.Shown) != `[{"startLine":1,"endLine":50}]` {
		t.Fatalf("acode/read: %v in %.500s", err, raw)
	}
	c.must("acode/artifact", map[string]any{"session": "s", "id": r.ID, "startLine": 2001, "endLine": 2010})
	state := string(c.must("acode/state", map[string]any{"session": "s", "textDocument": doc}))
	if want := `"readRanges":[{"startLine":1,"endLine":50},{"startLine":2001,"endLine":2010}]`; !strings.Contains(state, want) {
		t.Errorf("state %.500s, want %s", state, want)
	}
}

// TestProcessLeavesNoSecret: what is secret in an output, and in where it comes
// from, is nowhere on disk, in no answer and in no log (AC-101, AUD-8, C-169).
func TestProcessLeavesNoSecret(t *testing.T) {
	l := newLab(t)
	const secret = "hunter2secretvalue"
	line := "password = \"" + secret + "\"\n"
	s := l.start(t, pipe, serverOptions{})
	c := newCaller(t, s.rwc, l.folder(t))
	said := string(c.must("acode/process", map[string]any{
		"session": "s", "tool": "execute_command", "content": line + numberedLines(6000) + line,
		"source": "GET https://user:" + secret + "@example.com/?token=" + secret,
	}))
	id := regexp.MustCompile(`art_\d+_\w+`).FindString(said)
	for _, method := range []string{"acode/artifacts", "acode/artifact"} {
		said += string(c.must(method, map[string]any{"session": "s", "id": id}))
	}
	said += s.log.String()
	files := 0
	err := filepath.WalkDir(c.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		b, err := os.ReadFile(path)
		said += string(b)
		return err
	})
	if err != nil || files < 3 || !strings.Contains(said, "[REDACTED: PASSWORD]") {
		t.Errorf("%d files were looked at, %v", files, err)
	}
	if i := strings.Index(said, secret); i >= 0 {
		t.Errorf("the secret is left: …%s…", said[max(0, i-80):i+len(secret)])
	}
}

// TestProcessDoesNotBlock: a question is answered while a large output is on
// its way to the disk (NFR-004, C-60).
func TestProcessDoesNotBlock(t *testing.T) {
	l := newLab(t)
	c := newCaller(t, l.start(t, pipe, serverOptions{}).rwc, l.folder(t))
	large := c.start("acode/process", map[string]any{"session": "s", "tool": "execute_command", "content": strings.Repeat("123456789\n", 900_000)})
	state := c.start("acode/state", map[string]any{"session": "s"})
	c.await("answers", func() bool { return len(c.order) == 3 }) // with that to initialize
	if want := []int{1, state, large}; !slices.Equal(c.order, want) {
		t.Errorf("answered in the order %v, want %v", c.order, want)
	}
	if a := c.answers[large]; a.Error != nil || !strings.Contains(string(a.Result), `"artifactId":"art_`) {
		t.Errorf("the large output: %.300s", a)
	}
}

// TestKeptArtifacts: artifacts stay where that is set, until a server begins
// where it is not (C-164).
func TestKeptArtifacts(t *testing.T) {
	l := newLab(t)
	root := l.folder(t)
	config := filepath.Join(root, ".agent", "config.yml")
	if err := os.Mkdir(filepath.Dir(config), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte("tools: {truncation: {artifacts: {cleanup_on_exit: false}}}"), 0o644); err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 2; n++ {
		s := l.start(t, pipe, serverOptions{})
		c := newCaller(t, s.rwc, root)
		c.process("s", numberedLines(6000))
		c.quit(s)
		if got := len(c.files()); got != n {
			t.Fatalf("%d artifacts are left by %d servers", got, n)
		}
	}
	if err := os.Remove(config); err != nil {
		t.Fatal(err)
	}
	s := l.start(t, pipe, serverOptions{})
	c := newCaller(t, s.rwc, root)
	c.quit(s)
	if left := c.files(); len(left) > 0 {
		t.Errorf("%q are left where they are not to be kept", left)
	}
}

// TestTwoServersKeepTheirArtifacts: two servers on one root do not touch each
// other's (C-62).
func TestTwoServersKeepTheirArtifacts(t *testing.T) {
	l := newLab(t)
	root := l.folder(t)
	servers := []*server{l.start(t, pipe, serverOptions{}), l.start(t, pipe, serverOptions{})}
	a, b := newCaller(t, servers[0].rwc, root), newCaller(t, servers[1].rwc, root)
	ofA, ofB := a.process("s", numberedLines(6000)), b.process("s", numberedLines(7000))
	if got := len(a.files()); got != 2 {
		t.Errorf("%d artifacts are on disk, want 2", got)
	}
	a.quit(servers[0])
	if diff := gocmp.Diff([]string{ofB + ".txt"}, b.files()); diff != "" {
		t.Errorf("left after one server ended (-want +got):\n%s", diff)
	}
	b.sameDocument(ofB, numberedLines(7000))
	b.sameDocument(ofA, "404: artifact not found: "+ofA+"\n")
	third := l.start(t, pipe, serverOptions{}) // which sweeps
	c := newCaller(t, third.rwc, root)
	c.must("acode/artifacts", map[string]any{})
	b.sameDocument(ofB, numberedLines(7000))
	b.quit(servers[1])
	if got := c.files(); len(got) > 0 {
		t.Errorf("%q are left", got)
	}
}
