package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPluginEdges has the person do what gets in the way of the plugin: the
// file gets another name, the person types while asked, the server is none of
// ours. The steps share one editor and run in order.
func TestPluginEdges(t *testing.T) {
	p := &plugin{editor: startNeovim(t, "vim.o.lines = 40; vim.o.columns = 80")}
	p.connect()
	for _, step := range []struct {
		name string
		run  func(*testing.T, *plugin)
	}{
		{"news fit the command line", testNewsFit},
		{"another name", testRenamed},
		{"asked while typing", testAskedWhileTyping},
		{"unsaved changes are not deleted", testDeleteUnsaved},
		{"folds open", testFolds},
		{"no way to another buffer", testNoWay},
		{"arguments", testArguments},
		{"another protocol", testOtherProtocol},
	} {
		if !t.Run(step.name, func(t *testing.T) { p.t = t; step.run(t, p) }) {
			p.explain(t)
		}
	}
}

// testNewsFit has a refusal that is longer than the command line, on which
// Neovim would wait for Enter, and the agent with it.
func testNewsFit(t *testing.T, p *plugin) {
	f := p.file("a/folder/in/which/files/have/such/names.txt", numbered(60))
	p.open(f)
	p.call("read_file", object{"path": f.name, "start_line": 1, "end_line": 10})
	p.messages()
	if text, isError := p.edits(f, line(f.disk(), 20), "new"); !isError {
		t.Fatal(text)
	}
	p.awaitMessage("acode: refused claude to edit names.txt: line 20 unread\n")
	room := p.number(`return vim.v.echospace`)
	p.lua(nil, `require('acode.message').news(vim.log.levels.WARN, ('é'):rep(100))`)
	p.awaitMessage("acode: " + strings.Repeat("é", room-len("acode: ")-1) + "…\n")
}

func testRenamed(t *testing.T, p *plugin) {
	f := p.file("before.txt", numbered(30))
	p.open(f)
	p.call("read_file", object{"path": f.name, "start_line": 1, "end_line": 10})
	p.wantMarks(f, "AcodeUnread", lines{11, 30})
	if text, isError := p.call("rename_file", object{"path": f.name, "new_path": "after.txt"}); isError {
		t.Fatal(text)
	}
	f.name = "after.txt"
	p.call("read_file", object{"path": f.name, "start_line": 11, "end_line": 20})
	p.wantMarks(f, "AcodeUnread", lines{21, 30})

	p.lua(nil, `vim.cmd.file('named.txt'); vim.cmd.write()`)
	f.name = "named.txt"
	p.state(f) // once the server knows it
	p.call("read_file", object{"path": f.name, "start_line": 1, "end_line": 25})
	p.wantMarks(f, "AcodeUnread", lines{26, 30})
}

func testAskedWhileTyping(t *testing.T, p *plugin) {
	f := p.file("typing.txt", numbered(30))
	p.open(f)
	p.reads(f)
	mode := func() (mode string) {
		p.lua(&mode, `return vim.api.nvim_get_mode().mode`)
		return mode
	}
	// Keys that are pressed, as those of keys do not leave Neovim in a mode.
	p.lua(nil, `vim.api.nvim_input('20Gcwmine')`)
	p.awaitLua("insert mode", `return vim.api.nvim_get_mode().mode == 'i' and vim.api.nvim_get_current_line():find('mine') == 1`)
	p.state(f)
	before := f.buffer()
	p.lua(nil, `e2e.asked, e2e.answer_with = {}, 'Apply'
		e2e.around_apply(function(apply) e2e.edit_came = true; return apply() end)`)
	type answer struct {
		text    string
		isError bool
	}
	answers := make(chan answer, 1)
	go func() {
		defer close(answers)
		text, isError := p.edits(f, line(before, 10), "by the agent")
		answers <- answer{text, isError}
	}()
	p.awaitLua("the edit", `return e2e.edit_came == true`)
	p.lua(nil, `vim.wait(0)`)
	if n := p.number(`return #e2e.asked`); n != 0 || mode() != "i" {
		t.Errorf("asked %d times in mode %s", n, mode())
	}
	p.lua(nil, `vim.api.nvim_input('<Esc>')`)
	if a := <-answers; a.isError {
		t.Error(a.text)
	}
	if n := p.number(`return #e2e.asked`); n != 1 {
		t.Errorf("asked %d times, want once", n)
	}
	f.wantBuffer(replaceLines(before, 10, 10, "by the agent\n"))
	p.lua(nil, `vim.cmd.write()`)
}

func testDeleteUnsaved(t *testing.T, p *plugin) {
	f := p.file("deleted.txt", numbered(30))
	p.open(f)
	p.reads(f)
	p.keys("20Gcwmine<Esc>")
	before := f.buffer()
	p.reads(f)
	p.lua(nil, `e2e.asked, e2e.answer_with = {}, 'Refuse'`)
	if text, isError := p.call("delete_file", object{"path": f.name}); !isError || !strings.Contains(text, "the person refused it") {
		t.Errorf("the agent hears %q, error %v", text, isError)
	}
	f.wantBuffer(before)
	var asked string
	p.lua(&asked, `return e2e.asked[1] or ''`)
	if want := "deleted.txt: Unsaved changes that would be lost. Apply the edit of the agent?"; asked != want {
		t.Errorf("asked %q, want %q", asked, want)
	}
	p.lua(nil, `vim.cmd.write()`)
	if text, isError := p.call("delete_file", object{"path": f.name}); isError {
		t.Error(text)
	}
	if _, err := os.Stat(f.path()); !os.IsNotExist(err) {
		t.Errorf("deleted.txt is still there: %v", err)
	}
}

func testFolds(t *testing.T, p *plugin) {
	f := p.file("folds.txt", numbered(60))
	p.open(f)
	p.call("read_file", object{"path": f.name, "start_line": 1, "end_line": 20})
	p.wantMarks(f, "AcodeUnread", lines{21, 60})
	p.lua(nil, `vim.cmd('15,30fold'); vim.api.nvim_win_set_cursor(0, { 1, 0 }); vim.cmd.Acode('next')`)
	if p.cursor() != 21 || p.number(`return vim.fn.foldclosed('.')`) != -1 {
		t.Errorf(":Acode next leaves the cursor in line %d, in a closed fold", p.cursor())
	}
}

// testNoWay has a window that is to keep its buffer.
func testNoWay(t *testing.T, p *plugin) {
	p.messages()
	p.lua(nil, `vim.wo.winfixbuf = true; vim.cmd.Acode('refused')`)
	p.awaitMessage("acode: E1513: Cannot switch buffer.")
	p.lua(nil, `vim.wo.winfixbuf = false`)
}

func testArguments(t *testing.T, p *plugin) {
	p.messages()
	for command, said := range map[string]string{
		"Acode toggle now":  ":Acode toggle does not take now",
		"Acode session a b": ":Acode session does not take b",
		"Acode unread al":   ":Acode unread takes all or nothing, not al",
	} {
		p.lua(nil, `vim.cmd(...)`, command)
		p.awaitMessage(said)
	}
	p.lua(nil, `vim.cmd('Acode toggle | Acode toggle | let g:after_bar = 1')`)
	if p.number(`return vim.g.after_bar or 0`) != 1 {
		t.Errorf("what follows a bar is not done")
	}
	p.lua(nil, `e2e.problems = select(2, require('acode.config').resolve({ cmd = false }))`)
	p.awaitLua("a command that is none to be told", `return e2e.problems[1] == 'cmd must be a table, not false'`)
}

func testOtherProtocol(t *testing.T, p *plugin) {
	p.lua(nil, `e2e.client().server_capabilities.experimental.acode.protocol = 99`)
	for _, command := range []string{"status", "artifacts", "unread", "unread all", "forget"} {
		p.messages()
		p.lua(nil, `vim.cmd('Acode ' .. ...)`, command)
		p.awaitMessage("speaks protocol 99 and this plugin 1; update the older of the two")
	}
}

// TestPluginEndsAtOnce has a program that is no server, and is not started
// again and again.
func TestPluginEndsAtOnce(t *testing.T) {
	e := startNeovim(t, `vim.bo.buftype = 'nofile'; vim.o.columns = 80; vim.g.acode = { cmd = { 'sh', '-c', 'echo >>started; exit 3' } }`)
	p := &plugin{editor: e}
	f := e.file("a.txt", numbered(30))
	e.lua(nil, `vim.cmd.edit(...)`, f.name)
	p.awaitMessage("acode: the server ended with status 3 (:lsp restart acode_ls)\n")
	e.awaitLua("the client to be gone", `return #vim.lsp.get_clients({ _uninitialized = true }) == 0`)
	started, err := os.ReadFile(filepath.Join(e.root, "started"))
	if err != nil || string(started) != "\n" {
		t.Errorf("it was started %d times, want once: %v", len(started), err)
	}
	e.lua(nil, `vim.cmd.Acode('read')`)
	p.awaitMessage("no server is running for this buffer (:checkhealth acode)")
}

// TestPluginOldNeovim has the plugin believe that it is in Neovim 0.7.
func TestPluginOldNeovim(t *testing.T) {
	repository, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	e := startBareNeovim(t)
	p := &plugin{editor: e}
	e.lua(nil, `vim.opt.runtimepath:prepend(...)
		vim.fn.has = function() return 0 end
		vim.version = function() return { major = 0, minor = 7, patch = 2 } end
		said = {}
		vim.health = { report_error = function(text) table.insert(said, text) end }
		vim.cmd.runtime('plugin/acode.lua')`, filepath.Join(repository, "editors", "neovim"))
	e.lua(nil, `vim.cmd('1Acode status')`)
	p.awaitMessage("acode: Neovim 0.12 or later is needed, and this is 0.7.2")
	e.lua(nil, `require('acode.health').check()`)
	e.awaitLua("the report to say so", `return said[1] == 'Neovim 0.12 or later is needed'`)
}
