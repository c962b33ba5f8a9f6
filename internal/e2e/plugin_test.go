package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestPlugin drives a real Neovim with the plugin and an agent that works over
// MCP beside it, and looks at what the person sees. The steps share one editor
// and run in order.
func TestPlugin(t *testing.T) {
	p := &plugin{editor: startNeovim(t, "vim.o.lines = 40; vim.o.columns = 500")}
	p.connect()
	for _, step := range []struct {
		name string
		run  func(*testing.T, *plugin)
	}{
		{"nothing of an untouched file", testUntouched},
		{"a truncated read", testTruncated},
		{"only the window is drawn", testWindow},
		{"edits move it", testMoves},
		{"jumps", testJumps},
		{"quickfix", testQuickfix},
		{"toggle", testToggle},
		{"a refused edit", testRefusal},
		{"the retry is one undo step", testUndoStep},
		{"unseen changes ask", testAsk},
		{"all or nothing", testAllOrNothing},
		{"changed on disk", testStaleMarks},
		{"vouching and forgetting", testVouch},
		{"sessions", testSessions},
		{"an artifact", testArtifact},
		{"beside another server", testBeside},
		{"commands and their mistakes", testCommands},
		{"health", testHealth},
		{"the server is killed", testRevived},
	} {
		if !t.Run(step.name, func(t *testing.T) { p.t = t; step.run(t, p) }) {
			p.explain(t)
		}
	}
}

type plugin struct {
	*editor
	agent   *sdk.ClientSession
	session string // of the agent, once it has done something
}

// connect starts an agent's MCP server as the agent would.
func (p *plugin) connect() {
	p.t.Helper()
	cmd := exec.Command(filepath.Join(p.bin, "acode-ls"), "--root", p.root, "mcp")
	cmd.Env, cmd.Stderr = p.environment(p.bin), os.Stderr
	client := sdk.NewClient(&sdk.Implementation{Name: "claude", Version: "1"}, nil)
	s, err := client.Connect(p.t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { s.Close() })
	p.agent = s
}

// call calls a tool of the agent's and returns the text of the answer.
func (p *plugin) call(tool string, args object) (text string, isError bool) {
	p.t.Helper()
	r, err := p.agent.CallTool(p.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		p.t.Fatal(err)
	}
	return r.Content[0].(*sdk.TextContent).Text, r.IsError
}

func (p *plugin) reads(f *file) {
	p.t.Helper()
	if text, isError := p.call("read_file", object{"path": f.name}); isError {
		p.t.Fatal(text)
	}
}

func (p *plugin) edits(f *file, old, new string) (text string, isError bool) {
	p.t.Helper()
	return p.call("edit_file", object{"path": f.name, "edits": []object{{"old_text": old, "new_text": new}}})
}

// open opens a file, and waits until the agent finds the server that has it.
func (p *plugin) open(f *file) {
	p.t.Helper()
	f.open()
}

type marked struct {
	lines
	Text string
}

func (p *plugin) marks(f *file, group string) (m []marked) {
	p.t.Helper()
	p.lua(&m, `return e2e.marks(...)`, f.buf, group)
	return m
}

// wantMarks waits until a group marks these lines.
func (p *plugin) wantMarks(f *file, group string, want ...lines) {
	p.t.Helper()
	p.await(group+" in "+f.name, func() string {
		var got []lines
		for _, m := range p.marks(f, group) {
			got = append(got, m.lines)
		}
		return cmp.Diff(want, got, cmpopts.EquateEmpty())
	})
}

func (p *plugin) goTo(line int) {
	p.t.Helper()
	p.lua(nil, `vim.api.nvim_win_set_cursor(0, { ..., 0 }); vim.cmd.normal({ 'zz', bang = true }); vim.cmd.redraw()`, line)
}

// messages returns what was said since the last call.
func (p *plugin) messages() (said string) {
	p.t.Helper()
	p.lua(&said, `local out = vim.api.nvim_exec2('messages', { output = true }).output
		vim.cmd.messages('clear')
		return out`)
	return said
}

func (p *plugin) awaitMessage(want string) {
	p.t.Helper()
	said := ""
	p.await("the message "+want, func() string {
		if more := p.messages(); more != "" {
			said += more + "\n"
		}
		if strings.Contains(said, want) {
			return ""
		}
		return "Neovim has said: " + said
	})
}

// functions returns Go code of n functions, each of 10 lines.
func functions(n int) string {
	var b strings.Builder
	b.WriteString("package big\n\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "// F%d returns its number and more.\nfunc F%d(a, b int) int {\n", i, i)
		for k := range 5 {
			fmt.Fprintf(&b, "\ta += b * %d\n", i*10+k)
		}
		b.WriteString("\treturn a\n}\n\n")
	}
	return b.String()
}

func testUntouched(t *testing.T, p *plugin) {
	f := p.file("untouched.go", functions(3))
	p.open(f)
	var status string
	if p.lua(&status, `return require('acode').status()`); status != "" || len(p.marks(f, "AcodeUnreadSign")) > 0 {
		t.Errorf("the status of an untouched file is %q, and its marks %v", status, p.marks(f, "AcodeUnreadSign"))
	}
}

func testTruncated(t *testing.T, p *plugin) {
	f := p.file("big.go", functions(120))
	p.open(f)
	p.reads(f)
	var known struct{ Sessions []struct{ ID, Agent string } }
	p.request(f, "acode/sessions", object{}, &known)
	if len(known.Sessions) != 1 || known.Sessions[0].Agent != "claude" {
		t.Fatalf("sessions are %v, want that of the agent alone", known.Sessions)
	}
	p.session = known.Sessions[0].ID
	gap := p.state(f).UnreadRanges
	if len(gap) != 1 || gap[0].StartLine < 100 || gap[0].EndLine > 1100 {
		t.Fatalf("unread are %v, want one range in the middle of 1202 lines", gap)
	}
	p.goTo(gap[0].StartLine)
	p.await("marks from the first unread line on", func() string {
		for _, group := range []string{"AcodeUnread", "AcodeUnreadSign"} {
			m := p.marks(f, group)
			if len(m) != 1 || m[0].StartLine != gap[0].StartLine {
				return fmt.Sprintf("%s marks %v", group, m)
			}
		}
		return ""
	})
	text := p.marks(f, "AcodeUnreadSign")[0].Text
	first := fmt.Sprintf("func F%d()", (gap[0].StartLine+15)/10) // which begin in lines 4, 14, …
	if want := fmt.Sprintf("%d lines · ", gap[0].EndLine-gap[0].StartLine+1); !strings.Contains(text, want) || !strings.Contains(text, first) {
		t.Errorf("the virtual text is %q, want %q and %q in it", text, want, first)
	}
	p.goTo(gap[0].EndLine)
	if m := p.marks(f, "AcodeUnread"); len(m) != 1 || m[0].EndLine != gap[0].EndLine {
		t.Errorf("marks are %v at the end of the unread lines, want them to end with %d", m, gap[0].EndLine)
	}
	var status string
	if p.lua(&status, `return require('acode').status()`); !strings.HasPrefix(status, "agent ") || !strings.HasSuffix(status, "%") {
		t.Errorf("status = %q", status)
	}
}

// testWindow has a file whose every second line is unread.
func testWindow(t *testing.T, p *plugin) {
	f := p.file("striped.txt", numbered(4000))
	p.open(f)
	var ranges []object
	for n := 1; n <= 4000; n += 2 {
		ranges = append(ranges, object{"startLine": n, "endLine": n})
	}
	var ignored json.RawMessage
	p.request(f, "acode/observe", object{"session": p.session, "textDocument": object{"uri": f.uri()}, "ranges": ranges}, &ignored)
	p.goTo(2000)
	near := func() string {
		m := p.marks(f, "AcodeUnreadSign")
		has := slices.ContainsFunc(m, func(m marked) bool { return m.lines == lines{2000, 2000} })
		if !has || len(m) > 200 {
			return fmt.Sprintf("%d marks, line 2000 among them: %v", len(m), has)
		}
		return ""
	}
	p.await("marks about line 2000 alone", near)
	for _, m := range p.marks(f, "AcodeUnread") {
		if m.StartLine != m.EndLine || m.StartLine%2 != 0 {
			t.Fatalf("marks %v, want even lines alone", m.lines)
		}
	}
}

func testMoves(t *testing.T, p *plugin) {
	f := p.file("moves.txt", numbered(60))
	p.open(f)
	p.call("read_file", object{"path": f.name, "start_line": 1, "end_line": 20})
	p.wantMarks(f, "AcodeUnread", lines{21, 60})
	// At once, before the server hears of it.
	p.lua(nil, `vim.api.nvim_buf_set_lines(0, 0, 0, true, { 'typed', 'typed' })`)
	if m := p.marks(f, "AcodeUnread"); len(m) != 1 || m[0].lines != (lines{23, 62}) {
		t.Errorf("two lines typed above leave marks at %v, want 23-62", m)
	}
	p.wantMarks(f, "AcodeStale", lines{1, 2})
	p.wantMarks(f, "AcodeUnread", lines{23, 62})

	// A formatter that replaces lines one for one.
	p.lua(nil, `vim.api.nvim_buf_set_lines(0, 30, 40, true, vim.api.nvim_buf_get_lines(0, 30, 40, true)); vim.cmd.redraw()`)
	if m := p.marks(f, "AcodeUnread"); len(m) != 1 || m[0].lines != (lines{23, 62}) {
		t.Errorf("lines replaced by themselves leave marks at %v, want 23-62", m)
	}

	// What the person types is no gap.
	p.keys("30Gotyped<Esc>")
	p.wantMarks(f, "AcodeUnread", lines{23, 30}, lines{32, 63})
	p.wantMarks(f, "AcodeStale", lines{1, 2}, lines{31, 31})
	p.keys("u")
	p.wantMarks(f, "AcodeUnread", lines{23, 62})
	p.keys("25Gd3j")
	p.wantMarks(f, "AcodeUnread", lines{23, 58})
	p.keys("5Gcwchanged<Esc>")
	p.wantMarks(f, "AcodeStale", lines{1, 2}, lines{5, 5})
	p.wantMarks(f, "AcodeUnread", lines{23, 58})
}

func (p *plugin) cursor() int {
	p.t.Helper()
	return p.number(`return vim.api.nvim_win_get_cursor(0)[1]`)
}

func testJumps(t *testing.T, p *plugin) {
	f := p.file("jumps.txt", numbered(100))
	p.open(f)
	for _, r := range []lines{{1, 10}, {21, 30}, {41, 100}} {
		p.call("read_file", object{"path": f.name, "start_line": r.StartLine, "end_line": r.EndLine})
	}
	p.wantMarks(f, "AcodeUnread", lines{11, 20}, lines{31, 40})
	p.lua(nil, `vim.keymap.set('n', ']u', '<Plug>(acode-next-unread)'); vim.keymap.set('n', '[u', '<Plug>(acode-previous-unread)')`)
	press := func(keys string, want int) {
		t.Helper()
		p.lua(nil, `vim.api.nvim_feedkeys(..., 'mtx', false)`, keys)
		if got := p.cursor(); got != want {
			t.Errorf("%s goes to line %d, want %d", keys, got, want)
		}
	}
	p.goTo(1)
	press("]u", 11)
	press("]u", 31)
	press("]u", 11) // round the end
	press("[u", 31)
	press("[u", 11)
	press("2]u", 11)
	p.lua(nil, `vim.o.wrapscan = false`)
	press("[u", 11)
	p.awaitMessage("nothing unread above")
	p.lua(nil, `vim.o.wrapscan = true`)
}

func testQuickfix(t *testing.T, p *plugin) {
	f := p.files["jumps.txt"]
	p.lua(nil, `vim.cmd.Acode('unread')`)
	type entry struct {
		Lnum, End_lnum int
		Text           string
	}
	var list struct {
		Title string
		Items []entry
	}
	get := `return vim.fn.getqflist({ title = 1, items = 1 })`
	p.lua(&list, get)
	want := []entry{{11, 20, "10 lines"}, {31, 40, "10 lines"}}
	if diff := cmp.Diff(want, list.Items); diff != "" || list.Title != "Not read by the agent" {
		t.Errorf("quickfix %q (-want +got):\n%s", list.Title, diff)
	}
	p.lua(nil, `vim.cmd.cclose(); vim.cmd.Acode({ args = { 'unread', 'all' } })`)
	p.await("all unread ranges", func() string {
		p.lua(&list, get)
		if len(list.Items) < 4 {
			return fmt.Sprintf("%d entries", len(list.Items))
		}
		return ""
	})
	p.lua(nil, `vim.cmd.cclose(); vim.cmd.buffer(...)`, f.buf)
}

func testToggle(t *testing.T, p *plugin) {
	f := p.files["jumps.txt"]
	p.lua(nil, `vim.cmd.Acode('toggle')`)
	p.wantMarks(f, "AcodeUnread")
	p.goTo(50)
	p.wantMarks(f, "AcodeUnread")
	p.goTo(1)
	p.lua(nil, `vim.cmd.Acode('toggle')`)
	p.wantMarks(f, "AcodeUnread", lines{11, 20}, lines{31, 40})
}

func testRefusal(t *testing.T, p *plugin) {
	f := p.file("refused.txt", numbered(60))
	p.open(f)
	p.call("read_file", object{"path": f.name, "start_line": 1, "end_line": 20})
	before, tick := f.buffer(), f.tick()
	p.messages()
	text, isError := p.edits(f, line(before, 20)+"\n"+line(before, 21)+"\n"+line(before, 22)+"\n", "new\n")
	if !isError || !strings.HasPrefix(text, "Lines 21-22 were not read. Read that range first.\n") {
		t.Errorf("the edit of unread lines says %q, error %v", text, isError)
	}
	if f.buffer() != before || f.tick() != tick {
		t.Errorf("the refused edit touched the buffer")
	}
	p.awaitMessage("acode: refused claude to edit refused.txt: lines 21-22 unread (:Acode refused)")
	p.lua(nil, `vim.cmd.Acode('refused')`)
	if got := p.cursor(); got != 21 {
		t.Errorf(":Acode refused goes to line %d, want 21", got)
	}
	// The refusal handed the lines out.
	p.wantMarks(f, "AcodeUnread", lines{23, 60})
}

// testUndoStep tries the edit of testRefusal again while the person types.
func testUndoStep(t *testing.T, p *plugin) {
	f := p.files["refused.txt"]
	before := f.buffer()
	p.keys("1GOtyped<Esc>")
	typed := "typed\n" + before
	f.wantBuffer(typed)
	p.state(f) // so that the server knows at once
	p.call("read_file", object{"path": f.name, "start_line": 1, "end_line": 1})
	if text, isError := p.edits(f, line(before, 20)+"\n"+line(before, 21)+"\n"+line(before, 22)+"\n", "new\n"); isError {
		t.Fatal(text)
	}
	want := replaceLines(typed, 21, 23, "new\n")
	f.wantBuffer(want)
	if n := p.number(`return #vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_get_namespaces()['acode.edit'], { 20, 0 }, { 20, -1 }, {})`); n == 0 {
		t.Errorf("line 21 does not flash")
	}
	p.awaitLua("the flash to end", `return #vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_get_namespaces()['acode.edit'], 0, -1, {}) == 0`)
	p.keys("u")
	f.wantBuffer(typed)
	p.keys("u")
	f.wantBuffer(before)
	p.keys("<C-r><C-r>")
	f.wantBuffer(want)
	p.lua(nil, `vim.cmd.write()`)
	if f.disk() != want {
		t.Errorf("the file is not as the buffer")
	}
}

func testAsk(t *testing.T, p *plugin) {
	f := p.file("ask.txt", numbered(30))
	p.open(f)
	p.reads(f)
	if text, isError := p.edits(f, line(f.disk(), 3), "by the agent"); isError {
		t.Fatal(text)
	}
	if text, isError := p.edits(f, line(f.disk(), 4), "its own unsaved change asks nobody"); isError {
		t.Fatal(text)
	}
	var asked []string
	if p.lua(&asked, `return e2e.asked`); len(asked) != 0 {
		t.Errorf("asked %q over what the agent wrote itself", asked)
	}
	p.keys("20Gcwmine<Esc>")
	p.state(f)
	before := f.buffer()
	p.lua(nil, `e2e.answer_with = 'Refuse'`)
	text, isError := p.edits(f, line(before, 10), "over the person's changes")
	if !isError || !strings.Contains(text, "the person refused it") {
		t.Errorf("after a refusal the agent hears %q, error %v", text, isError)
	}
	f.wantBuffer(before)
	p.lua(&asked, `return e2e.asked`)
	want := []string{"ask.txt: Unsaved changes the agent has not seen. Apply the edit of the agent?"}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	p.lua(nil, `e2e.answer_with = 'Apply'`)
	if text, isError = p.edits(f, line(before, 10), "with leave"); isError {
		t.Error(text)
	}
	f.wantBuffer(replaceLines(before, 10, 10, "with leave\n"))

	// Who types while asked is not overrun.
	p.keys("21Gcwmine<Esc>")
	p.state(f)
	before = f.buffer()
	p.lua(nil, `e2e.before_answer = function() vim.api.nvim_buf_set_lines(0, 0, 0, true, { 'meanwhile' }) end`)
	text, isError = p.edits(f, line(before, 12), "too late")
	if !isError || !strings.Contains(text, "and the edit is for version") {
		t.Errorf("an edit for an old text says %q, error %v", text, isError)
	}
	f.wantBuffer("meanwhile\n" + before)
	p.lua(nil, `e2e.before_answer = nil; e2e.asked = {}; vim.cmd.write()`)
}

// testAllOrNothing has an edit of two documents, one of which cannot be edited.
func testAllOrNothing(t *testing.T, p *plugin) {
	a, b := p.file("a.txt", numbered(10)), p.file("b.txt", numbered(10))
	p.open(a)
	p.open(b)
	p.reads(a)
	p.reads(b)
	edit := func() (string, bool) {
		change := func(f *file) object {
			return object{
				"textDocument": object{"uri": f.uri(), "version": nil},
				"edits": []object{{"newText": "x\n", "range": object{
					"start": object{"line": 1, "character": 0}, "end": object{"line": 2, "character": 0},
				}}},
			}
		}
		return p.call("apply_workspace_edit", object{"edit": object{"documentChanges": []object{change(a), change(b)}}})
	}
	p.lua(nil, `vim.bo[...].modifiable = false`, b.buf)
	text, isError := edit()
	if !isError || !strings.Contains(text, "b.txt is not 'modifiable'") {
		t.Errorf("an edit of a locked buffer says %q, error %v", text, isError)
	}
	a.wantBuffer(a.disk())
	b.wantBuffer(b.disk())
	if a.modified() {
		t.Errorf("a.txt was touched")
	}
	p.lua(nil, `vim.bo[...].modifiable = true`, b.buf)
	if text, isError = edit(); isError {
		t.Fatal(text)
	}
	want := replaceLines(a.disk(), 2, 2, "x\n")
	a.wantBuffer(want)
	b.wantBuffer(want)
}

func testStaleMarks(t *testing.T, p *plugin) {
	f := p.file("stale.txt", numbered(30))
	p.open(f)
	p.reads(f)
	p.lua(nil, `vim.o.autoread = true`)
	p.write(f.name, replaceLines(replaceLines(f.disk(), 20, 20, "by a formatter\n"), 5, 5, "by a formatter\nand more\n"))
	p.lua(nil, `vim.cmd.checktime()`)
	f.wantBuffer(f.disk())
	p.wantMarks(f, "AcodeStale", lines{5, 6}, lines{21, 21})
	var status string
	if p.lua(&status, `return require('acode').status()`); status != "agent 97% changed" {
		t.Errorf("status = %q", status)
	}
}

func testVouch(t *testing.T, p *plugin) {
	f := p.file("vouch.txt", numbered(30))
	p.open(f)
	p.call("read_file", object{"path": f.name, "start_line": 1, "end_line": 10})
	p.wantMarks(f, "AcodeUnread", lines{11, 30})
	p.lua(nil, `vim.cmd('12,14Acode read')`)
	p.wantMarks(f, "AcodeUnread", lines{11, 11}, lines{15, 30})
	p.goTo(20)
	p.lua(nil, `vim.cmd.Acode('read')`)
	p.wantMarks(f, "AcodeUnread", lines{11, 11})
	p.lua(nil, `vim.cmd.Acode('forget')`)
	p.wantMarks(f, "AcodeUnread")
	p.messages()
	p.lua(nil, `vim.cmd.Acode('read')`)
	p.awaitMessage("the cursor is on no unread line")
}

func testSessions(t *testing.T, p *plugin) {
	f := p.file("sessions.txt", numbered(30))
	p.open(f)
	p.call("read_file", object{"path": f.name, "start_line": 1, "end_line": 10})
	p.wantMarks(f, "AcodeUnread", lines{11, 30})
	var ignored json.RawMessage
	p.request(f, "acode/observe", object{"session": "other", "textDocument": object{"uri": f.uri()}, "ranges": []object{{"startLine": 1, "endLine": 20}}}, &ignored)
	p.wantMarks(f, "AcodeUnread", lines{21, 30}) // the latest used
	p.lua(nil, `vim.cmd.Acode({ args = { 'session', ... } })`, p.session)
	p.wantMarks(f, "AcodeUnread", lines{11, 30})
	p.lua(nil, `vim.cmd.Acode({ args = { 'session', 'latest' } })`)
	p.wantMarks(f, "AcodeUnread", lines{21, 30})
	p.call("awareness_state", object{})
	p.lua(nil, `vim.cmd.Acode({ args = { 'session', ... } })`, p.session)
	p.wantMarks(f, "AcodeUnread", lines{11, 30})
	p.messages()
	p.lua(nil, `vim.cmd.Acode('status')`)
	p.awaitMessage("Session " + p.session + " (claude)")
}

func testArtifact(t *testing.T, p *plugin) {
	text, isError := p.call("execute_command", object{"command": "seq 1 20000"})
	if isError {
		t.Fatal(text)
	}
	id := text[strings.Index(text, "art_"):strings.IndexByte(text, ']')]
	var want strings.Builder
	for n := 1; n <= 20000; n++ {
		fmt.Fprintf(&want, "%d\n", n)
	}
	type buffer struct {
		Name, Type, Filetype string
		Modifiable, Readonly bool
		Text                 string
	}
	look := func() (b buffer) {
		p.lua(&b, `return { name = vim.api.nvim_buf_get_name(0), type = vim.bo.buftype, filetype = vim.bo.filetype,
			modifiable = vim.bo.modifiable, readonly = vim.bo.readonly, text = e2e.text(0) }`)
		return b
	}
	p.lua(nil, `e2e.asked = {}; vim.cmd.Acode('artifacts')`)
	shown := buffer{"acode-artifact:/" + id + ".txt", "nofile", "text", false, true, want.String()}
	p.await("the artifact in a buffer", func() string { return cmp.Diff(shown, look()) })
	p.lua(nil, `vim.cmd.bwipeout(); vim.cmd.edit('acode-artifact://`+id+`.txt')`)
	if b := look(); b.Text != want.String() {
		t.Errorf("acode-artifact:// shows %d bytes, want %d", len(b.Text), want.Len())
	}
	p.lua(nil, `vim.cmd.bwipeout(); vim.cmd.edit('acode-artifact:/art_99999999999999_a.txt')`)
	if b := look(); b.Text != "404: artifact not found: art_99999999999999_a\n" {
		t.Errorf("an artifact that is not there shows %q", b.Text)
	}
	p.lua(nil, `vim.cmd.bwipeout()
		e2e.client():exec_cmd({ title = '', command = 'acode.openArtifact', arguments = { { id = ... } } })`, id)
	p.await("the artifact that the server shows", func() string { return cmp.Diff(shown, look()) })
	p.lua(nil, `vim.cmd.bwipeout()`)
}

// testBeside has a second server in the same buffer, whose diagnostics stay.
func testBeside(t *testing.T, p *plugin) {
	f := p.file("beside.txt", numbered(30))
	p.open(f)
	p.call("read_file", object{"path": f.name, "start_line": 1, "end_line": 10})
	p.lua(nil, `local ns = vim.api.nvim_create_namespace('other')
		vim.diagnostic.set(ns, ..., { { lnum = 14, col = 0, message = 'theirs', severity = vim.diagnostic.severity.ERROR } })
		vim.api.nvim_create_autocmd('LspAttach', { callback = function() e2e.attached = (e2e.attached or 0) + 1 end })
		vim.lsp.start({ name = 'other', cmd = function(dispatchers)
			return {
				request = function(method, _, callback)
					vim.schedule(function()
						callback(nil, method == 'initialize' and { capabilities = { textDocumentSync = 1 } } or nil)
					end)
					return true, 1
				end,
				notify = function() return true end,
				is_closing = function() return false end,
				terminate = function() dispatchers.on_exit(0, 15) end,
			}
		end })`, f.buf)
	p.awaitLua("the other server", `return #vim.lsp.get_clients({ bufnr = ... }) == 2`, f.buf)
	p.wantMarks(f, "AcodeUnread", lines{11, 30})
	if n := p.number(`return #vim.diagnostic.get(..., { namespace = vim.api.nvim_create_namespace('other') })`, f.buf); n != 1 {
		t.Errorf("%d diagnostics of the other server are left, want 1", n)
	}
	p.lua(nil, `vim.lsp.get_clients({ name = 'other' })[1]:stop(true)`)
	p.awaitLua("the other server to leave", `return #vim.lsp.get_clients({ bufnr = ... }) == 1`, f.buf)
	p.wantMarks(f, "AcodeUnread", lines{11, 30})
	if text, isError := p.edits(f, line(f.disk(), 2), "by the agent"); isError {
		t.Error(text)
	}
}

func testCommands(t *testing.T, p *plugin) {
	var names []string
	p.lua(&names, `return vim.fn.getcompletion('Acode ', 'cmdline')`)
	want := []string{"artifacts", "forget", "health", "log", "next", "previous", "read", "refused", "session", "status", "toggle", "unread"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("completion (-want +got):\n%s", diff)
	}
	p.lua(&names, `return vim.fn.getcompletion('Acode unread a', 'cmdline')`)
	if !slices.Equal(names, []string{"all"}) {
		t.Errorf("completion of unread is %q", names)
	}
	p.awaitLua("sessions in the completion", `return vim.list_contains(vim.fn.getcompletion('Acode session ', 'cmdline'), ...)`, p.session)
	p.messages()
	for command, said := range map[string]string{
		"Acode nonsense":   ":Acode has no nonsense; it has artifacts, forget",
		"1,2Acode status":  ":Acode status takes no lines",
		"new | Acode read": "this buffer is no file of a project with .git or .acode",
	} {
		p.lua(nil, `vim.cmd(...)`, command)
		p.awaitMessage(said)
	}
	p.lua(nil, `vim.cmd.close()`)
	p.lua(nil, `vim.cmd.Acode('log')`)
	var name string
	if p.lua(&name, `return vim.api.nvim_buf_get_name(0)`); filepath.Base(name) != "lsp.log" {
		t.Errorf(":Acode log opens %s", name)
	}
	p.lua(nil, `vim.cmd.tabclose()`)

	p.lua(nil, `vim.g.acode = { unread = { sgin = 'x', sign = 'wide' }, flash_ms = 'long', nonsense = 1 }`)
	p.lua(nil, `require('acode.config').get()`)
	p.awaitMessage("flash_ms must be a number, not \"long\"; nonsense is no setting; known are changed, cmd, code_lens, " +
		"confirm, flash_ms, notify_refused, picker, read, restart, unread; unread.sgin is no setting; known are dim, sign, virtual_text; " +
		"unread.sign must take at most two cells, and \"wide\" takes more")
	p.lua(nil, `vim.g.acode = nil`)
}

func testHealth(t *testing.T, p *plugin) {
	p.lua(nil, `vim.cmd.Acode('health')`)
	var report string
	p.lua(&report, `return e2e.text(0)`)
	for _, want := range []string{"✅ OK Neovim 0.12", "acode-ls, ", "✅ OK vim.g.acode is right", "✅ OK the server runs in"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if strings.Contains(report, "❌") || strings.Contains(report, "stack traceback") {
		t.Errorf("the report is not clean")
	}
	if t.Failed() {
		t.Log(report)
	}
	p.lua(nil, `vim.cmd.bwipeout()`)
}

// testRevived kills the server, which is started again and knows all.
func testRevived(t *testing.T, p *plugin) {
	f := p.files["beside.txt"]
	p.lua(nil, `vim.cmd.only({ bang = true }); vim.cmd.buffer(...)`, f.buf)
	old, id := p.server(), p.number(`return e2e.client().id`)
	process, err := os.FindProcess(old)
	if err == nil {
		err = process.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	p.awaitLua("another server", `return e2e.client() ~= nil and e2e.client().id ~= ... and e2e.client().initialized`, id)
	f.awaitAttached()
	p.wantMarks(f, "AcodeUnread", lines{11, 30})
	p.awaitMessage("the server ended with signal 9 and is started again")
	text, isError := p.edits(f, line(f.disk(), 5), "by the agent")
	if isError {
		t.Error(text)
	}
	if got := line(f.buffer(), 5); got != "by the agent" {
		t.Errorf("line 5 of the buffer is %q after the restart", got)
	}
	if said := p.messages(); strings.Contains(said, "traceback") || strings.Contains(said, "_ERROR") {
		t.Errorf("Neovim has complained:\n%s", said)
	}
}
