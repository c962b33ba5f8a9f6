package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/acode-ls/acode-ls/internal/envelope"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"acode-ls": main})
}

// TestScripts runs the program as a user does. Besides the commands of
// testscript there are:
//
//	lines N FILE        write FILE with lines "line 1" to "line N"
//	bytes FILE STRING   write FILE with a Go string literal, without its quotes
//	frames IN OUT       write OUT with each line of IN as a message of LSP
//	[!] json PATH WANT  check a value of the envelope on stdout by its JSON text;
//	                    * is any value, and a trailing ... any that goes on
//	hint                set $HINT to the truncation_hint on stdout
//
// $TRANSCRIPTS is the folder of recorded conversations.
func TestScripts(t *testing.T) {
	transcripts, err := filepath.Abs(filepath.Join("..", "..", "testdata", "transcripts"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("ACODE_SESSION", "")
			env.Setenv("TRANSCRIPTS", transcripts)
			env.Setenv("TOOL_MAX_OUTPUT_BYTES", "")
			env.Setenv("GORACE", "atexit_sleep_ms=10") // a second each, else
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"lines": writeLines, "bytes": writeBytes, "frames": writeFrames, "json": checkJSON, "hint": setHint,
		},
	})
}

func writeLines(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(numbered(n)), 0o644))
}

// numbered returns n lines that say their numbers.
func numbered(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

func writeBytes(ts *testscript.TestScript, _ bool, args []string) {
	s, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(s), 0o644))
}

func writeFrames(ts *testscript.TestScript, _ bool, args []string) {
	var b strings.Builder
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		line = strings.TrimSuffix(line, "\n")
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(line), line)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(b.String()), 0o644))
}

func checkJSON(ts *testscript.TestScript, neg bool, args []string) {
	raw, err := lookUp(ts.ReadFile("stdout"), args[0])
	if neg {
		if err == nil {
			ts.Fatalf("%s is there: %s", args[0], raw)
		}
		return
	}
	ts.Check(err)
	start, cut := strings.CutSuffix(args[1], "...")
	if args[1] != "*" && args[1] != raw && !(cut && strings.HasPrefix(raw, start)) {
		ts.Fatalf("%s is %s, want %s", args[0], raw, args[1])
	}
}

func setHint(ts *testscript.TestScript, _ bool, _ []string) {
	raw, err := lookUp(ts.ReadFile("stdout"), "meta.truncation_hint")
	ts.Check(err)
	hint, err := strconv.Unquote(raw)
	ts.Check(err)
	ts.Setenv("HINT", hint)
}

// lookUp returns the JSON text of a value of an envelope, which must be all
// that stdout holds.
func lookUp(stdout, path string) (string, error) {
	body, ok := strings.CutSuffix(stdout, "\n")
	if !ok || strings.Contains(body, "\n") {
		return "", fmt.Errorf("stdout is not one line: %q", stdout)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(body), &members); err != nil {
		return "", fmt.Errorf("%v in %s", err, body)
	}
	for _, name := range []string{"ok", "data", "error", "warnings", "meta"} {
		if _, ok := members[name]; !ok || len(members) != 5 {
			return "", fmt.Errorf("not an envelope: %s", body)
		}
	}
	raw := json.RawMessage(body)
	for _, name := range strings.Split(path, ".") {
		var next json.RawMessage
		if i, err := strconv.Atoi(name); err == nil {
			var list []json.RawMessage
			if err := json.Unmarshal(raw, &list); err != nil || i >= len(list) {
				return "", fmt.Errorf("no %s in %s", path, body)
			}
			next = list[i]
		} else {
			var object map[string]json.RawMessage
			if err := json.Unmarshal(raw, &object); err != nil || object[name] == nil {
				return "", fmt.Errorf("no %s in %s", path, body)
			}
			next = object[name]
		}
		raw = next
	}
	return string(raw), nil
}

// result is what came of one run of the program.
type result struct {
	status         int
	stdout, stderr string
}

// start runs the program in this process.
func start(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var out, err bytes.Buffer
	status := run(context.Background(), args, streams{io.NopCloser(strings.NewReader(stdin)), writeCloser{&out}, &err})
	return result{status, out.String(), err.String()}
}

type writeCloser struct{ io.Writer }

func (writeCloser) Close() error { return nil }

func TestFileError(t *testing.T) {
	for _, test := range []struct {
		err    error
		status int
		want   envelope.Error
	}{
		{fmt.Errorf("a.go: %w", syscall.ENOENT), exitFailed, envelope.Error{Code: envelope.NotFound, Status: 404, Message: `reading "a.go": no such file`}},
		{fmt.Errorf("a.go: %w", syscall.EACCES), exitFailed, envelope.Error{Code: envelope.IO, Message: `reading "a.go": permission denied`}},
		{fmt.Errorf("locking: %w", syscall.ENOSPC), exitFailed, envelope.Error{Code: envelope.NoSpace, Message: `reading "a.go": locking: no space left on device`}},
		{errors.New("a.go is a directory"), exitUsage, envelope.Error{Code: envelope.Usage, Message: "a.go is a directory"}},
	} {
		got := failureOf(fileError("reading", "a.go", test.err))
		if diff := cmp.Diff(test.want, got.what); diff != "" || got.status != test.status {
			t.Errorf("fileError(%v) exits %d, want %d (-want +got):\n%s", test.err, got.status, test.status, diff)
		}
	}
}

// TestHints follows the hints of capped reads from part to part: together the
// parts are the file, and after each of them no line counts as read that was
// not delivered whole.
func TestHints(t *testing.T) {
	files := map[string]string{
		"plain":       numbered(900),
		"escapes":     strings.Repeat("\"\\\t\x01<é😀\u2028 and so on\n", 300),
		"long line":   "first\n" + strings.Repeat("0123456789", 900) + "\nlast\n",
		"longer line": strings.Repeat("é", 60_000) + "\n" + numbered(20),
		"no end":      strings.Repeat("x", 5000),
	}
	for name, content := range files {
		for _, limit := range []int{2500, 5000, 12_000, 40_000, 1 << 20} {
			t.Run(fmt.Sprintf("%s/%d", name, limit), func(t *testing.T) {
				root := t.TempDir()
				if err := os.WriteFile(filepath.Join(root, "f"), []byte(content), 0o644); err != nil {
					t.Fatal(err)
				}
				followHints(t, root, strings.Split(content, "\n"), limit)
			})
		}
	}
}

// spans is how an envelope names lines.
type spans []struct {
	Start int `json:"start_line"`
	End   int `json:"end_line"`
}

func (s spans) each(f func(line int)) {
	for _, r := range s {
		for line := r.Start; line <= r.End; line++ {
			f(line)
		}
	}
}

func followHints(t *testing.T, root string, lines []string, limit int) {
	delivered := map[int]bool{}
	for i, line := range lines {
		delivered[i+1] = len(line) > 1000 // may come in pieces
	}
	args := []string{"read", "f", "--root", root, "--json"}
	for part := 1; len(args) > 0; part++ {
		if part > 500 {
			t.Fatalf("no end after %d parts, at %v", part, args)
		}
		t.Setenv("TOOL_MAX_OUTPUT_BYTES", strconv.Itoa(limit))
		r := start(t, "", args...)
		if r.status != exitOK || len(r.stdout) > limit {
			t.Fatalf("%v = %d with %d bytes: %.300s", args, r.status, len(r.stdout), r.stdout)
		}
		var got struct {
			Data struct {
				Content string
				Shown   spans `json:"shown_ranges"`
			}
			Meta struct {
				Truncated bool
				Hint      string `json:"truncation_hint"`
			}
		}
		if err := json.Unmarshal([]byte(r.stdout), &got); err != nil {
			t.Fatal(err)
		}
		content := strings.Split(got.Data.Content, "\n")
		got.Data.Shown.each(func(line int) {
			delivered[line] = true
			if !slices.Contains(content, lines[line-1]) {
				t.Fatalf("%v: line %d is said to be shown", args, line)
			}
		})
		args = strings.Fields(strings.TrimPrefix(got.Meta.Hint, "acode-ls "))
		if got.Meta.Truncated != (len(args) > 0) {
			t.Fatalf("part %d: truncated is %v, the hint %q", part, got.Meta.Truncated, got.Meta.Hint)
		}
		read, state := ledger(t, root)
		read.each(func(line int) {
			if !delivered[line] {
				t.Fatalf("line %d counts as read after part %d", line, part)
			}
		})
		if done := state == "fully_read"; done != (len(args) == 0) {
			t.Fatalf("the file is %s, and the hint %q", state, got.Meta.Hint)
		}
	}
}

// ledger returns what is known of file f.
func ledger(t *testing.T, root string) (read spans, state string) {
	t.Helper()
	t.Setenv("TOOL_MAX_OUTPUT_BYTES", "")
	r := start(t, "", "state", "f", "--root", root, "--json")
	var got struct {
		Data struct {
			Files []struct {
				State string
				Read  spans `json:"read_ranges"`
			}
		}
	}
	if err := json.Unmarshal([]byte(r.stdout), &got); err != nil || len(got.Data.Files) != 1 {
		t.Fatalf("state: %v in %s", err, r.stdout)
	}
	return got.Data.Files[0].Read, got.Data.Files[0].State
}
