package main

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/acode-ls/acode-ls/internal/workspace"
)

// peers measures what others do with the same text. None of them masks secrets.
func (b *bench) peers() (*report, error) {
	r := &report{title: "Peers, mixed text, no redaction there"}
	h, err := b.openHub(raised)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	for _, n := range []struct {
		name   string
		size   int
		rounds int // of Gemini CLI in one process
	}{{"100 KB", 100_000, 100}, {"10 MB", 10_000_000, 10}} {
		s := mixed(b.size(n.size))
		path, err := b.file("text", s, len(s))
		if err != nil {
			return nil, err
		}
		outcomes := turns(b.rounds, b.truncate("head_tail", path), b.shell(path),
			b.process("openssl", "dgst", "-sha256", path), b.process("sha256sum", path))
		r.add(n.name+", process", cpuMilliseconds, outcomes[0], "wc, head, tail, sha256sum", outcomes[1], bound{})
		r.add(n.name+", process", cpuMilliseconds, outcomes[0], "openssl sha256", outcomes[2], bound{})
		r.add(n.name+", process", cpuMilliseconds, outcomes[0], "sha256sum", outcomes[3], bound{})
		if err := b.geminiRows(r, h, n.name, s, path, n.rounds); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"Codex", "opencode on bun", "opencode on node", "Roo", "Crush"} {
		r.absent("10 MB, call", name)
	}
	return r, nil
}

// shell is what a person would type.
func (b *bench) shell(path string) work {
	return b.process("sh", "-c", `wc -lm "$1"; head -n 100 "$1"; tail -n 100 "$1"; sha256sum "$1"`, "sh", path)
}

// nodePeer returns the paths of node and of what make bench installs for it;
// both are "" if one is not here.
func nodePeer(name ...string) (node, path string) {
	path, err := filepath.Abs(filepath.Join(append([]string{".cache", "bench-peers", "node_modules"}, name...)...))
	if err != nil {
		return "", ""
	}
	if _, err := os.Stat(path); err != nil {
		return "", ""
	}
	if node, err = exec.LookPath("node"); err != nil {
		return "", ""
	}
	return node, path
}

//go:embed gemini.mjs
var geminiScript []byte

// gemini is the command that has Gemini CLI's own function cut a file, many
// times in a process of node; nil if it is not here.
func (b *bench) gemini(path string, rounds int) ([]string, error) {
	node, module := nodePeer("@google", "gemini-cli-core")
	if node == "" {
		return nil, nil
	}
	script := filepath.Join(b.folder, "gemini.mjs")
	if b.quick {
		rounds = 1
	}
	return []string{node, script, module, path, b.folder, strconv.Itoa(rounds)}, os.WriteFile(script, geminiScript, 0o644)
}

// geminiRows shows the time of a call, as the script measures it, and the
// memory of the whole process.
func (b *bench) geminiRows(r *report, h *workspace.Hub, name, s, path string, rounds int) error {
	argv, err := b.gemini(path, rounds)
	if err != nil {
		return err
	}
	call, whole := work(missing), work(missing)
	if argv != nil {
		call = func() (cost, error) { return metered(exec.Command(argv[0], argv[1:]...)) }
		whole = b.process(argv...)
	}
	outcomes := turns(min(b.rounds, 3), b.processing(h, commandTool, "head_tail", s), call, b.truncate("head_tail", path), whole)
	const beside = "Gemini CLI, with file"
	r.add(name+", call", cpuMilliseconds, outcomes[0], beside, outcomes[1], bound{})
	r.add(name+", memory of a process", memory, outcomes[2], beside, outcomes[3], bound{})
	return nil
}
