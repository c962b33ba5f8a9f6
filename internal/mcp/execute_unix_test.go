//go:build unix

package mcp_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/acode-ls/acode-ls/internal/mcp"
)

// fifo makes a named pipe, by which a command says that it has come so far.
func fifo(t *testing.T, root string) (path string, await func() string) {
	t.Helper()
	path = filepath.Join(root, "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path, func() string {
		b, err := os.ReadFile(path) // waits until somebody writes
		if err != nil {
			t.Error(err)
		}
		return strings.TrimSpace(string(b))
	}
}

// isGone reports whether no process of a group is left, but for ones that wait
// for their parent.
func isGone(t *testing.T, pid string) bool {
	t.Helper()
	n, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatal(err)
	}
	if syscall.Kill(n, 0) == syscall.ESRCH {
		return true
	}
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	return err != nil || strings.Contains(string(stat), ") Z ")
}

func TestExecute(t *testing.T) {
	root := folder(t, map[string]string{"dir/a": "x\n"})
	c := connect(t, root)
	for _, test := range []struct {
		arguments, text string
		status          float64
		isError         bool
	}{
		{`{"command":"echo out; echo err >&2"}`, "out\nerr\n", 0, false},
		{`{"command":"cat a","cwd":"dir"}`, "x\n", 0, false},
		{`{"command":"cat"}`, "", 0, false},
		{`{"command":"printf 'no line end'; exit 3"}`, "no line end\n[exit status 3]", 3, false},
		{`{"command":"kill -KILL $$"}`, "\n[exit status 137, SIGKILL]", 137, false},
		{`{"command":"echo before; sleep 1000","timeout_ms":300}`, "before\n\n[timed out after 300 ms and was killed; timeout_ms sets the limit]", 143, true},
		{`{"command":"no-such-program-here 2>/dev/null"}`, "\n[exit status 127]", 127, false},
	} {
		r := c.call("execute_command", test.arguments)
		if r.text != test.text || r.isError != test.isError || r.at("exit_status") != test.status || r.at("is_error") != test.isError {
			t.Errorf("%s:\n%q %v %v\nwant\n%q %v %v", test.arguments, r.text, r.isError, r.raw, test.text, test.isError, test.status)
		}
	}
	if err := os.Symlink("/", filepath.Join(root, "out")); err != nil {
		t.Fatal(err)
	}
	for cwd, want := range map[string]string{
		"..": "outside", "/": "outside", "out": "outside", "out/usr": "outside", "none": "no such file", "dir/a": "not a folder",
	} {
		if got := c.refused("run_command", fmt.Sprintf(`{"command":"pwd","cwd":%q}`, cwd)); !strings.Contains(got, want) {
			t.Errorf("in %s: %s, want %q", cwd, got, want)
		}
	}
	c.must("run_command", `{"command":"true"}`)
}

// TestExecuteIsCut holds that output is cut whatever the status, and stored if
// it is far too long.
func TestExecuteIsCut(t *testing.T) {
	c := connect(t, folder(t, nil))
	r := c.must("execute_command", `{"command":"seq 1 5000; exit 4"}`)
	if len(r.texts) != 2 || len(r.texts[0]) > 20_000 || r.texts[1] != "[exit status 4]" || r.at("metadata", "was_truncated") != true {
		t.Errorf("%d characters, %q, %s", len(r.texts[0]), r.texts[1:], r.raw)
	}
	r = c.must("execute_command", `{"command":"seq 1 1000000; exit 5"}`)
	id, _ := r.at("artifact_id").(string)
	if reference, _ := r.at("artifact_reference").(string); id == "" || !strings.HasPrefix(r.text, reference+"\n") || r.at("exit_status") != 5.0 {
		t.Fatalf("no artifact: %s", r.raw)
	}
	if part := c.must("get_artifact", fmt.Sprintf(`{"id":%q,"start_line":999999}`, id)); part.text != "999999\n1000000\n" {
		t.Errorf("the end of the artifact: %q", part.text)
	}
}

// TestExecuteTooMuch ends a command that prints more than an artifact may have.
func TestExecuteTooMuch(t *testing.T) {
	r := connect(t, folder(t, nil)).call("execute_command", `{"command":"yes"}`)
	if !r.isError || !strings.HasPrefix(r.text, "Output size (more than 10.0 MB) exceeds") || len(r.texts) != 1 || r.at("is_error") != true {
		t.Errorf("got %q, %s", r.text, r.raw)
	}
}

func TestProgress(t *testing.T) {
	root := folder(t, nil)
	path, _ := fifo(t, root)
	c := connect(t, root)
	params := &sdk.CallToolParams{Name: "execute_command", Arguments: map[string]any{"command": "echo one; echo two; cat " + path}}
	params.SetProgressToken("token")
	done := make(chan error, 1)
	go func() {
		_, err := c.session.CallTool(t.Context(), params)
		done <- err
	}()
	p := <-c.progress
	if p.ProgressToken != "token" || p.Progress != 8 || p.Message != "2 lines, 8 bytes" {
		t.Errorf("progress %+v", p)
	}
	if err := os.WriteFile(path, nil, 0); err != nil { // which lets cat end
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestCancel(t *testing.T) {
	root := folder(t, nil)
	path, await := fifo(t, root)
	c := connect(t, root)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := c.try(ctx, "execute_command", fmt.Sprintf(`{"command":"trap '' TERM; sleep 1000 & echo $! > %s; wait"}`, path))
		done <- err
	}()
	pid := await()
	cancel()
	if err := <-done; err == nil {
		t.Error("a cancelled call has a result")
	}
	c.session.Close()
	if err := c.wait(); err != nil {
		t.Errorf("Serve: %v", err)
	}
	if !isGone(t, pid) {
		t.Errorf("process %s goes on", pid)
	}
}

// TestClientLeaves ends a command whose client has closed its input, and
// answers.
func TestClientLeaves(t *testing.T) {
	root := folder(t, nil)
	path, await := fifo(t, root)
	p := serve(t, root)
	var pid string
	go func() {
		_, _ = io.WriteString(p.in, hello+callTool(1, "execute_command", fmt.Sprintf(`{"command":"echo before; sleep 1000 & echo $! > %s; wait"}`, path)))
		pid = await()
		p.in.Close()
	}()
	out, err := io.ReadAll(p.out)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(out), `"isError":true`) || !strings.Contains(string(out), "before") {
		t.Errorf("got %s", out)
	}
	if err := p.wait(); err != nil {
		t.Errorf("Serve: %v", err)
	}
	if !isGone(t, pid) {
		t.Errorf("process %s goes on", pid)
	}
}

// TestServeEnds ends a server whose client is still there.
func TestServeEnds(t *testing.T) {
	root := folder(t, nil)
	path, await := fifo(t, root)
	c := connect(t, root)
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		_, _ = c.try(t.Context(), "execute_command", fmt.Sprintf(`{"command":"sleep 1000 & echo $! > %s; wait"}`, path)) // whatever is still said
	}()
	pid := await()
	c.end()
	if err := c.wait(); err == nil || !strings.Contains(err.Error(), "canceled") {
		t.Errorf("Serve: %v", err)
	}
	<-answered
	if !isGone(t, pid) {
		t.Errorf("process %s goes on", pid)
	}
}

// TestManyCommands starts more commands than run at once, and reads meanwhile.
func TestManyCommands(t *testing.T) {
	root := folder(t, map[string]string{"a": "1\n"})
	path, await := fifo(t, root)
	c := connect(t, root)
	const calls = 30
	done := make(chan error, calls)
	for i := range calls {
		go func() {
			r, err := c.try(t.Context(), "execute_command", fmt.Sprintf(`{"command":"echo %d; cat %s"}`, i, path))
			if err == nil && r.text != fmt.Sprintf("%d\n", i) {
				err = fmt.Errorf("call %d: %q", i, r.text)
			}
			done <- err
		}()
	}
	c.must("read_file", `{"path":"a"}`)
	_ = await
	for left := calls; left > 0; {
		if f, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
			f.Close() // which ends all that read now
		}
		select {
		case err := <-done:
			if left--; err != nil {
				t.Error(err)
			}
		default:
		}
	}
}

// TestExecuteCredits counts what a command shows of a file as read.
func TestExecuteCredits(t *testing.T) {
	root := folder(t, map[string]string{"dir/a": numbered(30)})
	c := connect(t, root)
	c.must("execute_command", `{"command":"sed -n 3,5p a","cwd":"dir"}`)
	if r := c.must("awareness_state", `{"path":"dir/a"}`); r.text != "dir/a: partial read, lines 3-5 of 30\n" {
		t.Errorf("got %q", r.text)
	}
	c.must("execute_command", `{"command":"cat dir/a; exit 1"}`)
	if r := c.must("awareness_state", `{"path":"dir/a"}`); r.text != "dir/a: partial read, lines 3-5 of 30\n" {
		t.Errorf("a command that failed: %q", r.text)
	}
}

// TestMaxResult holds the limit of a result.
func TestMaxResult(t *testing.T) {
	for _, test := range []struct {
		tool, arguments string
		most, least     int
	}{
		{"read_file", `{"path":"a"}`, 18_000, 10_000},
		{"execute_command", `{"command":"printf 'x%.0s' $(seq 1 4900)"}`, 8_000, 4_900},
	} {
		c := connect(t, folder(t, map[string]string{"a": numbered(2000)}), func(o *mcp.Options) { o.MaxResult = test.most })
		r := c.must(test.tool, test.arguments)
		if r.at("content") != nil || len(r.text) < test.least || len(r.text)+len(r.raw) > test.most {
			t.Errorf("%s: %d characters of text, %d bytes of structured content", test.tool, len(r.text), len(r.raw))
		}
	}
	c := connect(t, folder(t, nil), func(o *mcp.Options) { o.MaxResult = 8_000 })
	if got := c.refused("execute_command", `{"command":"printf '\\033%.0s' $(seq 1 3000)"}`); !strings.Contains(got, "the most is 8000") {
		t.Errorf("got %.200q", got)
	}
}

// TestNameIsNotUTF8 reaches a file whose name JSON cannot hold.
func TestNameIsNotUTF8(t *testing.T) {
	root := folder(t, map[string]string{"\xff": "1\n"})
	c := connect(t, root)
	uri := "file://" + root + "/%FF"
	if r := c.must("read_file", fmt.Sprintf(`{"path":%q}`, uri)); r.text != "1\n" || r.at("path") != uri {
		t.Errorf("got %q of %v", r.text, r.at("path"))
	}
}

// TestLongCommand holds that a command may be longer than what is told of it.
func TestLongCommand(t *testing.T) {
	c := connect(t, folder(t, nil))
	r := c.must("execute_command", `{"command":"seq 1 20000 #`+strings.Repeat(" ü", 5000)+`"}`)
	if r.at("artifact_id") == nil {
		t.Errorf("no artifact: %s", r.raw)
	}
}
