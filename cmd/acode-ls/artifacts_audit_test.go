package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestArtifactStatuses: what a script can tell apart (C-72, C-109).
func TestArtifactStatuses(t *testing.T) {
	root := t.TempDir()
	id := put(t, root, "text\n")
	long := strings.Repeat("x", 500)
	for _, test := range []struct {
		args   []string
		status int
		code   string
	}{
		{[]string{"show", id}, exitOK, ""},
		{[]string{"show", id + "x"}, exitFailed, "NOT_FOUND"},
		{[]string{"show", "../" + id}, exitFailed, "NOT_FOUND"},
		{[]string{"show", id, "--session", "other"}, exitFailed, "NOT_FOUND"},
		{[]string{"show", id, "--lines", "9-10"}, exitUsage, "USAGE"},
		{[]string{"show", id, "--query", "$"}, exitUsage, "USAGE"},
		{[]string{"show"}, exitUsage, "USAGE"},
		{[]string{"put", "--source", long}, exitUsage, "FIELD_TOO_LARGE"},
		{[]string{"put", "--summary", long}, exitUsage, "FIELD_TOO_LARGE"},
		{[]string{"put", "--type", long}, exitUsage, "FIELD_TOO_LARGE"},
		{[]string{"list", "--session", long}, exitUsage, "FIELD_TOO_LARGE"},
		{[]string{"clean"}, exitOK, ""},
	} {
		r := start(t, "x", append([]string{"artifacts", "--json", "--root", root}, test.args...)...)
		var got shown
		if err := json.Unmarshal([]byte(r.stdout), &got); err != nil || r.status != test.status || got.Error.Code != test.code {
			t.Errorf("artifacts %q = %d, %s, %v, want %d, %s", test.args, r.status, got.Error.Code, err, test.status, test.code)
		}
	}
}

// TestArtifactBounds has the sizes where one thing becomes another (AC-095,
// AC-096, C-02, C-03).
func TestArtifactBounds(t *testing.T) {
	const most = 10_485_760
	for _, test := range []struct {
		size   int
		stored bool
		code   string
	}{{49_999, false, ""}, {50_000, true, ""}, {50_001, true, ""}, {most - 1, true, ""}, {most, false, "TOO_LARGE"}, {most + 1, false, "TOO_LARGE"}} {
		root := t.TempDir()
		content := strings.Repeat("123456789\n", test.size/10+1)[:test.size]
		r := start(t, content, "truncate", "--tool", "execute_command", "--root", root, "--json")
		var got struct {
			Data struct {
				ID string `json:"artifact_id"`
			}
			Error struct{ Code string }
		}
		if err := json.Unmarshal([]byte(r.stdout), &got); err != nil || got.Error.Code != test.code || (got.Data.ID != "") != test.stored {
			t.Errorf("%d bytes: %+v, %v, want stored: %v, %q", test.size, got, err, test.stored, test.code)
		}
		if !test.stored {
			continue
		}
		if r := start(t, "", "artifacts", "show", got.Data.ID, "--root", root); r.stdout != content {
			t.Errorf("of %d bytes %d are shown, status %d", test.size, len(r.stdout), r.status)
		}
	}
}

var created = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC`)

// TestReference shows what an agent gets instead of what was stored: the line
// of FR-059, then the manual's block (DESC-30, C-06, C-55).
func TestReference(t *testing.T) {
	const block = `Retrieval options:
- Full content: get_artifact(id="ID")
- Line range: get_artifact(id="ID", start_line=1, end_line=100)
- Byte range: get_artifact(id="ID", start_byte=0, end_byte=10240)
`
	users := `{"users":["` + strings.Repeat("é", 30_000) + strings.Repeat("x", 2_355_905) + `"]}`
	log := strings.Repeat("123456789\n", 6000)
	for name, test := range map[string]struct {
		args          []string
		content, want string
	}{
		"JSON": {[]string{"--tool", "http_request", "--source", "GET /api/v1/users?limit=50000&token=abc"}, users,
			"[Artifact: ID] output of GET /api/v1/users?limit=50000&token=[REDACTED], JSON, 1 line (2.3 MB)\n" +
				"Type: application/json\nSize: 2.3 MB (2,415,919 bytes, ~596,480 tokens)\n" +
				"Source: http_request GET /api/v1/users?limit=50000&token=[REDACTED]\nCreated: DATE\n\n" +
				"Preview (first 500 characters):\n" + string([]rune(users)[:500]) + "\n\n" + block +
				"- JSONPath query: get_artifact(id=\"ID\", query=\"$.users[0:5]\")\n"},
		"tail": {[]string{"--tool", "execute_command", "--source", "make"}, log,
			"[Artifact: ID] output of make, 6,000 lines (59 KB)\n" +
				"Type: text/plain\nSize: 59 KB (60,000 bytes, ~15,000 tokens)\nSource: execute_command make\nCreated: DATE\n\n" +
				"Preview (first 500 characters):\n" + log[:500] + "\nEnd, as output of execute_command is cut:\n" +
				"... [5850 lines / 58500 chars omitted] ...\n" + log[:1500] + "\n" + block},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			r := start(t, test.content, append([]string{"truncate", "--root", root}, test.args...)...)
			id := idPattern.FindString(r.stdout)
			got := created.ReplaceAllString(strings.ReplaceAll(r.stdout, id, "ID"), "DATE")
			if diff := cmp.Diff(test.want, got); diff != "" || r.status != exitOK {
				t.Errorf("truncate = %d (-want +got):\n%s", r.status, diff)
			}
		})
	}
}

// TestReferenceQuery: the query that a reference names runs, and what is stored
// of JSON with a secret in it is JSON (AC-101, NFR-006).
func TestReferenceQuery(t *testing.T) {
	root := t.TempDir()
	content := `{"api_key":"AKIAIOSFODNN7EXAMPLE","list":[` + strings.Repeat(`{"password":"hunter2secret","n":12345678901234567890},`, 2000) + `0]}`
	r := start(t, content, "truncate", "--tool", "http_request", "--root", root)
	query := regexp.MustCompile(`query="(.*)"\)`).FindStringSubmatch(r.stdout)
	id := idPattern.FindString(r.stdout)
	if query == nil {
		t.Fatalf("no query in %s", r.stdout)
	}
	all := start(t, "", "artifacts", "show", id, "--root", root)
	if !json.Valid([]byte(all.stdout)) || !strings.Contains(all.stdout, "12345678901234567890") || strings.Contains(all.stdout, "hunter2") {
		t.Errorf("not the JSON it was, without secrets: %.300s", all.stdout)
	}
	found := start(t, "", "artifacts", "show", id, "--query", query[1], "--root", root)
	var list []json.RawMessage
	if err := json.Unmarshal([]byte(found.stdout), &list); err != nil || len(list) != 5 {
		t.Errorf("query %s finds %d values, %v: %s%s", query[1], len(list), err, found.stdout, found.stderr)
	}
}

const secret = "hunter2secretvalue"

// TestNoSecretLeft: a secret that went in anywhere is nowhere on disk, in no
// answer and in no log (AC-101, AUD-8, SAN-07, C-169).
func TestNoSecretLeft(t *testing.T) {
	base := t.TempDir()
	root, log := filepath.Join(base, "ws"), filepath.Join(base, "log")
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	line := "password = \"" + secret + "\"\n"
	text := line + strings.Repeat("some text of the output\n", 3000) + line
	object := `{"password":"` + secret + `","list":["` + strings.Repeat("x", 60_000) + `"]}`
	url := "GET https://user:" + secret + "@example.com/x?limit=5&token=" + secret
	for _, test := range []struct {
		content string
		args    []string
	}{
		{text, []string{"truncate", "--tool", "execute_command", "--source", url}},
		{text, []string{"truncate", "--json", "--tool", "http_request", "--source", "curl -H 'password: " + secret + "'"}},
		{object, []string{"truncate", "--tool", "http_request", "--source", url}},
		{text + strings.Repeat(text, 10), []string{"truncate", "--tool", "x"}},
		{text, []string{"artifacts", "put", "--source", url, "--summary", "password: " + secret}},
		{line, []string{"artifacts", "put", "--json", "--source", url, "--summary", "secret=" + secret}},
		{object, []string{"artifacts", "put", "--type", "application/json"}},
		{line, []string{"artifacts", "put", "--source", strings.TrimPrefix(url, "GET ")}},
		{line, []string{"artifacts", "put", "--source", "password=" + secret + " x"}},
	} {
		r := start(t, test.content, append([]string{"--root", root, "--log-level", "debug", "--log-file", log}, test.args...)...)
		id := idPattern.FindString(r.stdout)
		if r.status != exitOK || id == "" {
			t.Fatalf("%q = %d: %.500s%s", test.args, r.status, r.stdout, r.stderr)
		}
		more := r.stdout + r.stderr
		for _, args := range [][]string{{"show", id}, {"show", id, "--json"}, {"info", id}, {"info", id, "--json"}, {"list", "--json"}, {"list"}} {
			r := start(t, "", append([]string{"--root", root, "--log-file", log, "artifacts"}, args...)...)
			if r.status != exitOK {
				t.Fatalf("%q = %d: %s", args, r.status, r.stderr)
			}
			more += r.stdout + r.stderr
		}
		if i := strings.Index(more, secret); i >= 0 {
			t.Errorf("%q shows the secret: …%s…", test.args, more[max(0, i-80):i+len(secret)])
		}
	}
	nowhere(t, base, secret)
	// A file that is read keeps its secret; what is made of it has none.
	file := filepath.Join(root, "a.txt")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := start(t, "", "--root", root, "--log-file", log, "read", file, "--json")
	if r.status != exitOK || !strings.Contains(r.stdout, "[Artifact: ") || strings.Contains(r.stdout+r.stderr, secret) {
		t.Errorf("read = %d: %.300s%s", r.status, r.stdout, r.stderr)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	nowhere(t, base, secret)
}

// nowhere looks through all files below dir.
func nowhere(t *testing.T, dir, what string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		b, err := os.ReadFile(path)
		if i := bytes.Index(b, []byte(what)); i >= 0 {
			t.Errorf("%s has it: …%s…", filepath.Base(path), b[max(0, i-80):i+len(what)])
		}
		return err
	})
	if err != nil || files < 10 {
		t.Errorf("%d files were looked at, %v", files, err)
	}
}

// TestAudit has each event of requirement group 19 in the log, with the fields
// that it has there and no others (AUD-1 to AUD-5, AUD-8).
func TestAudit(t *testing.T) {
	base := t.TempDir()
	root, log := filepath.Join(base, "ws"), filepath.Join(base, "log")
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	do := func(stdin string, args ...string) result {
		return start(t, stdin, append([]string{"--root", root, "--session", "s", "--log-file", log}, args...)...)
	}
	id := idPattern.FindString(do("password: "+secret+"\n"+numbered(9000), "truncate", "--tool", "execute_command").stdout)
	do("", "artifacts", "show", id, "--lines", "2-3")
	do("", "artifacts", "show", id)
	do("", "artifacts", "show", "art_1_a", "--bytes", "0-10")
	do("", "artifacts", "show", "../x")
	do(strings.Repeat("x", 10_485_760), "truncate", "--tool", "execute_command")
	do("x", "artifacts", "clean")
	want := map[string][]string{
		"secrets redacted":    {"detection_pattern", "redaction_count", "tool_name"},
		"artifact created":    {"artifact_id", "session_id", "size", "source_tool", "timestamp"},
		"output truncated":    {"artifact_created", "latency", "original_size", "strategy", "tool_name", "truncated_size"},
		"artifact retrieved":  {"artifact_id", "requester", "retrieval_range", "session_id", "success"},
		"artifact id refused": {"attempted_artifact_id", "reason", "session_id"},
		"output refused":      {"attempted_size", "configured_max_size", "tool_name"},
		"artifacts removed":   {"artifacts", "bytes", "session_id"},
	}
	events := map[string]int{}
	for record := range strings.Lines(contentOf(t, log)) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(record), &fields); err != nil {
			t.Fatalf("%v in %s", err, record)
		}
		name := fmt.Sprint(fields["msg"])
		events[name]++
		for _, f := range want[name] {
			if fields[f] == nil {
				t.Errorf("no %s in %s", f, record)
			}
		}
		for f := range fields {
			if !slices.Contains(want[name], f) && !slices.Contains([]string{"level", "ts", "msg", "reason", "session_id"}, f) {
				t.Errorf("%s nobody asked for in %s", f, record)
			}
		}
		switch name {
		case "artifact retrieved":
			if missing := fields["artifact_id"] != id; missing == fields["success"].(bool) || fields["requester"] != "user" {
				t.Errorf("a retrieval of %v is told as %s", fields["artifact_id"], record)
			}
		case "output refused":
			if fields["attempted_size"] != 10_485_760. || fields["configured_max_size"] != 10_485_760. {
				t.Errorf("other sizes in %s", record)
			}
		}
	}
	wantEvents := map[string]int{
		"secrets redacted": 1, "artifact created": 1, "output truncated": 1, "artifact retrieved": 3,
		"artifact id refused": 1, "output refused": 1, "artifacts removed": 1,
	}
	if diff := cmp.Diff(wantEvents, events); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// TestLogRotation: a log file is its owner's alone, and gives way to a new one
// when it is large (AUD-7).
func TestLogRotation(t *testing.T) {
	base := t.TempDir()
	root, log := filepath.Join(base, "ws"), filepath.Join(base, "log")
	settings(t, root, "logging: {max_size_mb: 1}")
	if err := os.WriteFile(log, bytes.Repeat([]byte("{}\n"), 1<<20/3), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := start(t, "x", "--root", root, "--log-file", log, "artifacts", "put"); r.status != exitOK {
		t.Fatal(r.stderr)
	}
	logs, err := filepath.Glob(log + "*")
	if err != nil || len(logs) != 2 || !strings.Contains(contentOf(t, log), "artifact created") {
		t.Fatalf("the logs are %q, %v", logs, err)
	}
	for _, name := range logs {
		if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", filepath.Base(name), info.Mode(), err)
		}
	}
}

func contentOf(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
