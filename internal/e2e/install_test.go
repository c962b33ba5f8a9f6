package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPack installs the plugin by vim.pack as the help says, from a repository
// that holds it in its folder.
func TestPack(t *testing.T) {
	help, err := os.ReadFile(filepath.Join("..", "..", "editors", "neovim", "doc", "acode.txt"))
	if err != nil {
		t.Fatal(err)
	}
	_, code, ok := strings.Cut(string(help), "With |vim.pack|: >lua\n")
	code, _, ok2 := strings.Cut(code, "\n<\n")
	if !ok || !ok2 {
		t.Fatal("the help has no code for vim.pack")
	}
	repository := realDir(t)
	if err := os.CopyFS(filepath.Join(repository, "editors", "neovim"), os.DirFS(filepath.Join("..", "..", "editors", "neovim"))); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=n", "-c", "user.email=n@localhost", "commit", "-qm", "all"}} {
		if out, err := exec.Command("git", append([]string{"-C", repository}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	code = strings.ReplaceAll(code, "https://github.com/acode-ls/acode-ls", "file://"+repository)
	code = strings.Replace(code, "    vim.pack.add({ '", "    vim.pack.add({ src = '", 1)
	code = strings.Replace(code, "vim.pack.add({ src = 'file://"+repository+"' }, {", "vim.pack.add({ { src = 'file://"+repository+"', name = 'acode-ls' } }, {\n      confirm = false,", 1)

	e := startBareNeovim(t)
	e.lua(nil, code)
	f := e.file("a.txt", numbered(30))
	f.open()
	var runtime string
	e.lua(&runtime, `return vim.api.nvim_get_runtime_file('lua/acode/view.lua', false)[1]`)
	if !strings.HasPrefix(runtime, e.home) {
		t.Errorf("the plugin comes from %s, want it installed below %s", runtime, e.home)
	}
	if n := e.number(`return vim.fn.exists(':Acode')`); n != 2 {
		t.Errorf("there is no command :Acode")
	}
}

// TestMissing starts Neovim where the program is not installed.
func TestMissing(t *testing.T) {
	e := startNeovim(t, `vim.o.columns = 500; vim.g.acode = { cmd = { 'no-such-program', 'serve' } }`)
	p := &plugin{editor: e}
	f := e.file("a.txt", numbered(30))
	e.lua(nil, `vim.cmd.edit(...)`, f.name)
	p.awaitMessage("acode: no-such-program is not on the PATH; install it, or name it with vim.g.acode.cmd, then :edit. :checkhealth acode says more")
	e.lua(nil, `vim.cmd.Acode('status')`)
	p.awaitMessage("no-such-program is not on the PATH")
	e.lua(nil, `vim.cmd.Acode('health')`)
	var report string
	if e.lua(&report, `return e2e.text(0)`); !strings.Contains(report, "❌ ERROR no-such-program is not on the PATH") ||
		!strings.Contains(report, "go install github.com/acode-ls/acode-ls/cmd/acode-ls@latest") {
		t.Errorf("the health report is\n%s", report)
	}

	// Named anew, it is found.
	e.lua(nil, `vim.g.acode = nil; vim.cmd.only({ bang = true }); vim.cmd.buffer(...); vim.cmd.edit()`, f.name)
	f.buf = e.number(`return vim.api.nvim_get_current_buf()`)
	f.awaitAttached()
}
