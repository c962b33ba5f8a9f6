package e2e

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/neovim/go-client/nvim"
)

const (
	patience = 15 * time.Second // for one thing to happen; only a failure waits it out
	lifetime = 2 * time.Minute  // of Neovim: a call that hangs ends then
)

//go:embed testdata/driver.lua
var driver string

// editor is a running Neovim with the server attached, and the agent that
// works through it.
type editor struct {
	t     testing.TB // of the step that is running
	nvim  *nvim.Nvim
	bin   string // folder of the server's program
	root  string // of the workspace
	home  string // all that Neovim may write besides
	files map[string]*file

	patience time.Duration
}

// startNeovim builds the server and starts Neovim in an empty workspace. The
// Lua code setup is what the person has in init.lua.
func startNeovim(t testing.TB, setup string) *editor {
	t.Helper()
	repository, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	e := startBareNeovim(t, "--cmd", "set runtimepath^="+filepath.Join(repository, "editors", "neovim"))
	e.lua(nil, driver)
	e.lua(nil, setup)
	e.lua(nil, `vim.lsp.enable('acode_ls')`)
	return e
}

// startBareNeovim builds the server and starts Neovim in an empty workspace,
// without the plugin.
func startBareNeovim(t testing.TB, args ...string) *editor {
	t.Helper()
	command := os.Getenv("ACODE_NVIM")
	if command == "" {
		t.Skip("ACODE_NVIM is not set: run make check, or set it to the Neovim that scripts/fetch-neovim prints")
	}
	repository, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	lookAt(t, repository)
	bin := build(t)
	e := &editor{t: t, bin: bin, root: realDir(t), home: realDir(t), files: map[string]*file{}, patience: patience}
	e.write(".git/HEAD", "ref: refs/heads/main\n")

	ctx, cancel := context.WithTimeout(context.Background(), lifetime)
	e.nvim, err = nvim.NewChildProcess(
		nvim.ChildProcessCommand(command),
		nvim.ChildProcessArgs(append([]string{"--clean", "--headless", "--embed"}, args...)...),
		nvim.ChildProcessDir(e.root),
		nvim.ChildProcessEnv(e.environment(bin)),
		nvim.ChildProcessContext(ctx),
		nvim.ChildProcessLogf(t.Logf),
	)
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		e.nvim.Close() //nolint:errcheck // the last step has looked
		cancel()
	})
	return e
}

// environment keeps Neovim away from the settings and files of whoever runs the
// test, and has it find the server.
func (e *editor) environment(bin string) []string {
	var out []string
	for _, variable := range os.Environ() {
		own := slices.ContainsFunc([]string{"ACODE_", "NVIM", "VIM", "XDG_"}, func(prefix string) bool {
			return strings.HasPrefix(variable, prefix)
		})
		if !own {
			out = append(out, variable)
		}
	}
	in := func(name string) string { return filepath.Join(e.home, name) }
	return append(out, "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "HOME="+e.home,
		"NVIM_LOG_FILE="+in("nvim.log"), "XDG_CONFIG_HOME="+in("config"), "XDG_DATA_HOME="+in("data"),
		"XDG_STATE_HOME="+in("state"), "XDG_CACHE_HOME="+in("cache"), "XDG_RUNTIME_DIR="+in("run"))
}

// lookAt opens the folders of the repository. A test result is kept until
// something changes that the test has looked at; what its child processes
// read, the sources of the server and the editor's files, does not count.
func lookAt(t testing.TB, repository string) {
	t.Helper()
	err := filepath.WalkDir(repository, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && path != repository &&
			(strings.HasPrefix(entry.Name(), ".") || entry.Name() == "bin" || entry.Name() == "node_modules") {
			return filepath.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// realDir returns a temporary folder by the name the system gives it.
func realDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// lua runs code in Neovim and decodes what it returns into out, unless that is
// nil.
func (e *editor) lua(out any, code string, args ...any) {
	e.t.Helper()
	if out == nil {
		if err := e.nvim.ExecLua(code, nil, args...); err != nil {
			e.t.Fatal(err)
		}
		return
	}
	var answer string
	if err := e.nvim.ExecLua("return vim.json.encode((function(...) "+code+"\nend)(...))", &answer, args...); err != nil {
		e.t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(answer), out); err != nil {
		e.t.Fatalf("%s answers %s: %v", code, answer, err)
	}
}

func (e *editor) number(code string, args ...any) (n int) {
	e.t.Helper()
	e.lua(&n, code, args...)
	return n
}

// await waits until check returns "", which else says what is missing.
func (e *editor) await(what string, check func() string) {
	e.t.Helper()
	deadline := time.Now().Add(e.patience)
	for {
		missing := check()
		if missing == "" {
			return
		}
		if time.Now().After(deadline) {
			e.t.Fatalf("waited %v in vain for %s:\n%s", e.patience, what, missing)
		}
		e.lua(nil, `vim.wait(10)`) // in which Neovim handles what comes in
	}
}

// awaitLua waits until Lua code returns something true.
func (e *editor) awaitLua(what, code string, args ...any) {
	e.t.Helper()
	e.await(what, func() string {
		var ok bool
		if e.lua(&ok, code, args...); ok {
			return ""
		}
		return code + " is still false"
	})
}

// keys types as a person does, with notation like <Esc>.
func (e *editor) keys(keys string) {
	e.t.Helper()
	e.lua(nil, `vim.api.nvim_feedkeys(vim.keycode(...), 'tx', false)`, keys)
}

// explain logs what Neovim and the server said.
func (e *editor) explain(t *testing.T) {
	var messages string
	if err := e.nvim.ExecLua(`return vim.api.nvim_exec2('messages', { output = true }).output`, &messages); err != nil {
		t.Logf("Neovim does not answer: %v", err)
	}
	t.Logf(":messages\n%s", messages)
	log, err := os.ReadFile(filepath.Join(e.home, "state", "nvim", "lsp.log"))
	t.Logf("lsp.log (%v)\n%s", err, log)
}

// write writes a file of the workspace past the editor, in one step: half a
// file is another file.
func (e *editor) write(name, content string) {
	e.t.Helper()
	path := filepath.Join(e.root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		e.t.Fatal(err)
	}
	aside := filepath.Join(e.home, "aside")
	if err := os.WriteFile(aside, []byte(content), 0o644); err != nil {
		e.t.Fatal(err)
	}
	if err := os.Rename(aside, path); err != nil {
		e.t.Fatal(err)
	}
}

// settle waits until the server has seen all that happened to the files in the
// folder of f so far: it hears of one after the other, so a file behind them
// tells when it is through.
func (e *editor) settle(f *file) {
	e.t.Helper()
	name := path.Join(path.Dir(f.name), "barrier.txt")
	barrier := e.files[name]
	if barrier == nil {
		barrier = e.file(name, "")
		e.read(barrier, 0, 0)
		e.awaitNews(barrier)
	}
	e.write(name, barrier.disk()+"one more\n")
	e.awaitNews(barrier)
}

// awaitNews waits until the server tells that what it knows of a file changed,
// and forgets that it did.
func (e *editor) awaitNews(f *file) {
	e.t.Helper()
	e.awaitLua("the news of "+f.name, `return vim.list_contains(e2e.changed, ...)`, f.uri())
	e.lua(nil, `e2e.changed = {}`)
}

// server returns the process of the server.
func (e *editor) server() int {
	e.t.Helper()
	var children []int
	e.lua(&children, `return vim.api.nvim_get_proc_children(vim.fn.getpid())`)
	if len(children) != 1 {
		e.t.Fatalf("processes under Neovim: %v, want the server alone", children)
	}
	return children[0]
}

// awaitGone waits until a process has ended.
func (e *editor) awaitGone(pid int, within time.Duration) {
	e.t.Helper()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	deadline := time.After(within)
	for isRunning(pid) {
		select {
		case <-again.C:
		case <-deadline:
			if p, err := os.FindProcess(pid); err == nil {
				_ = p.Kill()
			}
			e.t.Fatalf("process %d was still there after %v", pid, within)
		}
	}
}

// file is a file of the workspace.
type file struct {
	editor *editor
	name   string
	buf    int // 0 until it is open
}

// file makes a file.
func (e *editor) file(name, content string) *file {
	e.t.Helper()
	e.write(name, content)
	f := &file{editor: e, name: name}
	e.files[name] = f
	return f
}

// open opens the file in the window and waits until the server follows it.
func (f *file) open() {
	e := f.editor
	e.t.Helper()
	e.lua(nil, `vim.cmd.edit(...)`, f.name)
	f.buf = e.number(`return vim.api.nvim_get_current_buf()`)
	f.awaitAttached()
}

// awaitAttached waits until the server follows the file.
func (f *file) awaitAttached() {
	f.editor.t.Helper()
	f.editor.awaitLua("the server to attach to "+f.name,
		`return vim.lsp.get_clients({ name = 'acode_ls', bufnr = ... })[1] ~= nil`, f.buf)
}

// write writes the buffer to its file, and waits until the server has seen it
// on disk.
func (f *file) write() {
	f.editor.t.Helper()
	f.editor.lua(nil, `local bufnr = ...; vim.api.nvim_buf_call(bufnr, vim.cmd.write)`, f.buf)
	if f.modified() {
		f.editor.t.Errorf("the buffer of %s is still modified", f.name)
	}
	f.editor.settle(f)
}

// close closes the file, of which the server hears before the next request.
func (f *file) close() {
	f.editor.t.Helper()
	f.editor.lua(nil, `vim.api.nvim_buf_delete(..., {})`, f.buf)
	f.buf = 0
}

func (f *file) path() string { return filepath.Join(f.editor.root, f.name) }

func (f *file) uri() string {
	path := filepath.ToSlash(f.path())
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

func (f *file) disk() string {
	f.editor.t.Helper()
	content, err := os.ReadFile(f.path())
	if err != nil {
		f.editor.t.Fatal(err)
	}
	return string(content)
}

// buffer returns the text of the file's buffer.
func (f *file) buffer() (content string) {
	f.editor.t.Helper()
	f.editor.lua(&content, `return e2e.text(...)`, f.buf)
	return content
}

func (f *file) wantBuffer(want string) {
	f.editor.t.Helper()
	if diff := gocmp.Diff(want, f.buffer()); diff != "" {
		f.editor.t.Errorf("buffer of %s (-want +got):\n%s", f.name, diff)
	}
}

func (f *file) modified() (is bool) {
	f.editor.t.Helper()
	f.editor.lua(&is, `return vim.bo[...].modified`, f.buf)
	return is
}

// tick returns Neovim's count of changes, which is the document's version.
func (f *file) tick() int {
	f.editor.t.Helper()
	return f.editor.number(`return vim.lsp.util.buf_versions[...]`, f.buf)
}

// request sends a request about a file to the server, as the agent does, and
// returns how many milliseconds the answer took.
func (e *editor) request(f *file, method string, params, result any) (ms float64) {
	e.t.Helper()
	answer := e.ask(f, method, params)
	if answer.Error != "" {
		e.t.Fatalf("%s: %s", method, answer.Error)
	}
	if err := json.Unmarshal(answer.Result, result); err != nil {
		e.t.Fatalf("%s answers %s: %v", method, answer.Result, err)
	}
	return answer.MS
}

type answer struct {
	Result json.RawMessage
	Error  string
	MS     float64
}

func (e *editor) ask(f *file, method string, params any) (a answer) {
	e.t.Helper()
	raw, err := json.Marshal(params)
	if err != nil {
		e.t.Fatal(err)
	}
	e.lua(&a, `local method, params, bufnr = ...; return e2e.request(method, vim.json.decode(params), bufnr)`,
		method, string(raw), f.buf)
	return a
}

type object = map[string]any

// lines is a range of lines, counted from 1, with both ends.
type lines struct {
	StartLine int
	EndLine   int
}

func (r lines) String() string {
	if r.StartLine == r.EndLine {
		return fmt.Sprintf("line %d", r.StartLine)
	}
	return fmt.Sprintf("lines %d-%d", r.StartLine, r.EndLine)
}

// gaps returns the lines up to total that are not in ranges.
func gaps(ranges []lines, total int) []lines {
	var out []lines
	next := 1
	for _, r := range append(ranges[:len(ranges):len(ranges)], lines{total + 1, total + 1}) {
		if next < r.StartLine {
			out = append(out, lines{next, r.StartLine - 1})
		}
		next = r.EndLine + 1
	}
	return out
}

// shift returns ranges moved as by so many lines more after line: a range
// around it grows.
func shift(ranges []lines, line, by int) []lines {
	out := make([]lines, len(ranges))
	for i, r := range ranges {
		if r.StartLine > line {
			r.StartLine += by
		}
		if r.EndLine >= line {
			r.EndLine += by
		}
		out[i] = r
	}
	return out
}

type readResult struct {
	Content     string
	ShownRanges []lines
	TotalLines  int
	SHA256      string
	Omissions   []struct{ StartLine, EndLine, Lines int }
	Metadata    struct{ WasTruncated bool }
}

// read reads lines of a file as the agent, all of it if they are 0.
func (e *editor) read(f *file, first, last int) (r readResult) {
	e.t.Helper()
	params := object{"textDocument": object{"uri": f.uri()}}
	if first > 0 {
		params["startLine"], params["endLine"] = first, last
	}
	e.request(f, "acode/read", params, &r)
	return r
}

// position is a place in a text: lines from 1 as everywhere in the test, and
// bytes from 0.
type position struct{ line, col int }

func (p position) MarshalJSON() ([]byte, error) {
	return json.Marshal(object{"line": p.line - 1, "character": p.col})
}

type textEdit struct {
	start, end position
	text       string
}

func (e textEdit) MarshalJSON() ([]byte, error) {
	return json.Marshal(object{"range": object{"start": e.start, "end": e.end}, "newText": e.text})
}

// verdict is what became of the agent's edit.
type verdict struct {
	Allowed bool
	Blocks  []struct {
		URI, Reason, Message string
		UnreadRanges         []lines
	}
	Warnings []struct {
		URI, Code, Message string
		ChangedRanges      []lines
	}
	Expanded []struct {
		URI                string
		StartLine, EndLine int
		Content            string
	}
	Applied       bool
	FailureReason string
	SHA256        map[string]string

	ms float64
}

// apply has the agent edit a file; version may be nil.
func (e *editor) apply(f *file, version *int, edits ...textEdit) (v verdict) {
	e.t.Helper()
	v.ms = e.request(f, "acode/applyEdit", object{"label": "e2e", "edit": object{"documentChanges": []object{{
		"textDocument": object{"uri": f.uri(), "version": version}, "edits": edits,
	}}}}, &v)
	return v
}

func (v verdict) wantApplied(t *testing.T) {
	t.Helper()
	if !v.Allowed || !v.Applied || v.FailureReason != "" || len(v.Blocks) > 0 {
		t.Fatalf("verdict = %+v, want it applied", v)
	}
}

func (v verdict) wantBlock(t *testing.T, reason, message string, unread []lines) {
	t.Helper()
	if v.Allowed || v.Applied || len(v.Blocks) != 1 {
		t.Fatalf("verdict = %+v, want one block", v)
	}
	b := v.Blocks[0]
	if b.Reason != reason || b.Message != message {
		t.Errorf("block = %s, %q, want %s, %q", b.Reason, b.Message, reason, message)
	}
	if diff := gocmp.Diff(unread, b.UnreadRanges, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("unread ranges (-want +got):\n%s", diff)
	}
}

// wantStale wants the warning that the file changed.
func (v verdict) wantStale(t *testing.T, rounds int, changed []lines) {
	t.Helper()
	if len(v.Warnings) != 1 {
		t.Fatalf("warnings = %v, want one", v.Warnings)
	}
	w := v.Warnings[0]
	want := fmt.Sprintf("You last saw this file %d rounds ago; it may have changed.", rounds)
	if rounds == 1 {
		want = "You last saw this file 1 round ago; it may have changed."
	}
	if w.Code != "stale" || w.Message != want {
		t.Errorf("warning = %s, %q, want %q", w.Code, w.Message, want)
	}
	if diff := gocmp.Diff(changed, w.ChangedRanges, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("changed ranges (-want +got):\n%s", diff)
	}
}

func (v verdict) expandedLines() (out []lines) {
	for _, x := range v.Expanded {
		out = append(out, lines{x.StartLine, x.EndLine})
	}
	return out
}

// state is what the ledger says of a file.
type state struct {
	State         string
	Stale         bool
	ReadRanges    []lines
	UnreadRanges  []lines
	ChangedRanges []lines
	TotalLines    int
}

func (e *editor) state(f *file) state {
	e.t.Helper()
	var r struct{ Files []state }
	e.request(f, "acode/state", object{"textDocument": object{"uri": f.uri()}}, &r)
	if len(r.Files) != 1 {
		e.t.Fatalf("state of %s = %v, want one file", f.name, r.Files)
	}
	return r.Files[0]
}

// wantState compares what the ledger says of a file and, if the file is open,
// waits until Neovim shows just that.
func (e *editor) wantState(f *file, want state) {
	e.t.Helper()
	if diff := gocmp.Diff(want, e.state(f), cmpopts.EquateEmpty()); diff != "" {
		e.t.Errorf("state of %s (-want +got):\n%s", f.name, diff)
	}
	if f.buf != 0 {
		e.wantDiagnostics(f, want)
	}
}

type diagnostic struct {
	StartLine   int
	EndLine     int
	StartByte   int
	EndByte     int
	Code        string
	Message     string
	Severity    string
	Source      string
	Unnecessary bool
}

func (e *editor) diagnostics(f *file) (d []diagnostic) {
	e.t.Helper()
	e.lua(&d, `return e2e.diagnostics(...)`, f.buf)
	return d
}

// wantDiagnostics waits until Neovim shows what the agent does not know of a
// file, and nothing else.
func (e *editor) wantDiagnostics(f *file, s state) {
	e.t.Helper()
	var want []diagnostic
	content := f.buffer()
	add := func(r lines, code, message, severity string) {
		want = append(want, diagnostic{r.StartLine, r.EndLine, 0, len(line(content, r.EndLine)),
			code, message, severity, "acode-ls", code == "unread"})
	}
	for _, r := range s.UnreadRanges {
		add(r, "unread", "Agent has not read "+r.String(), "HINT")
	}
	for _, r := range s.ChangedRanges {
		add(r, "stale", "Changed since the agent read it", "INFO")
	}
	if s.Stale && len(s.ChangedRanges) == 0 {
		add(lines{1, 1}, "stale", "The file changed since the agent read it", "INFO")
	}
	order := func(a, b diagnostic) int {
		return cmp.Or(strings.Compare(a.Code, b.Code), a.StartLine-b.StartLine)
	}
	slices.SortFunc(want, order)
	e.await("the diagnostics of "+f.name, func() string {
		got := e.diagnostics(f)
		slices.SortFunc(got, order)
		return gocmp.Diff(want, got, cmpopts.EquateEmpty())
	})
}

// line returns line n of a text without its end.
func line(content string, n int) string {
	return strings.TrimSuffix(strings.SplitAfter(content, "\n")[n-1], "\n")
}

// replaceLines returns a text with the lines first to last replaced.
func replaceLines(content string, first, last int, with string) string {
	all := strings.SplitAfter(content, "\n")
	return strings.Join(all[:first-1], "") + with + strings.Join(all[last:], "")
}

func sum(content string) string {
	h := sha256.Sum256([]byte(content))
	return hex.EncodeToString(h[:])
}

// isRunning reports whether a process is there.
func isRunning(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	if err := p.Signal(syscall.Signal(0)); err != nil {
		return false
	}
	if runtime.GOOS == "linux" {
		// Nobody may be there to reap a child that outlived its parent.
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return false
		}
		_, rest, _ := strings.Cut(string(stat), ") ")
		return !strings.HasPrefix(rest, "Z")
	}
	return true
}
