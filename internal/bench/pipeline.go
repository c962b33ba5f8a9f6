package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/acode-ls/acode-ls/internal/config"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// pipeline measures all that the output of a tool goes through: as a process
// beside a plain one that only counts and hashes, and as a call.
func (b *bench) pipeline() (*report, error) {
	r := &report{title: "Pipeline, head_tail"}
	if err := b.processes(r); err != nil {
		return nil, err
	}
	if err := b.artifactProcesses(r); err != nil {
		return nil, err
	}
	if err := b.elementMemory(r); err != nil {
		return nil, err
	}
	if b.huge {
		b.hugeProcess(r)
	}
	return r, b.inProcess(r)
}

// streamed is the most memory, in MB, that a text which is not taken into
// memory may cost.
const streamed = 16

func (b *bench) processes(r *report) error {
	text := mixed(b.size(10_000_000))
	for _, n := range []struct {
		name         string
		size, rounds int
		wall         bound // beside the plain program that hashes
		memory       bound
	}{
		{"empty", 0, b.rounds, bound{}, bound{}},
		{"100 KB", 100_000, b.rounds, bound{}, bound{}},
		{"10 MB", 10_000_000, b.rounds, atMostTimes(2.5), atMost(streamed)},
		{"1 GB", 999_999_999, min(b.rounds, 3), atMost(4000), atMost(streamed)},
	} {
		path, err := b.file("text", text, b.size(n.size))
		if err != nil {
			return err
		}
		outcomes := turns(n.rounds, b.truncate("head_tail", path),
			b.process(b.tool("reference"), "-sha256", path), b.process(b.tool("reference"), path))
		ours, hashing := outcomes[0], outcomes[1]
		r.add(n.name+", wall", wallMilliseconds, ours, "plain + sha256", hashing, n.wall)
		r.add(n.name+", wall", wallMilliseconds, ours, "plain", outcomes[2], bound{})
		r.add(n.name+", CPU", cpuMilliseconds, ours, "plain + sha256", hashing, bound{})
		r.add(n.name+", memory", memory, ours, "plain + sha256", hashing, n.memory)
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

// artifactProcesses measures outputs that become artifacts, beside a plain
// program that keeps them as safely.
func (b *bench) artifactProcesses(r *report) error {
	for _, n := range []struct {
		name string
		size int
	}{{"100 KB", 100_000}, {"10 MB", 10_000_000}} {
		text := mixed(b.size(n.size))
		path, err := b.file("text", text, len(text))
		if err != nil {
			return err
		}
		folder, err := b.newFolder()
		if err != nil {
			return err
		}
		outcomes := turns(b.rounds, b.process(b.acode, "truncate", "--root", b.keeping, "--tool", commandTool, path),
			b.process(b.tool("reference"), "-sha256", "-keep="+folder, path))
		r.add(n.name+" as an artifact, wall", wallMilliseconds, outcomes[0], "plain + file", outcomes[1], bound{})
		r.add(n.name+" as an artifact, CPU", cpuMilliseconds, outcomes[0], "plain + file", outcomes[1], bound{})
	}
	return nil
}

// elementMemory measures what a list in memory costs over a run on nothing.
func (b *bench) elementMemory(r *report) error {
	s := jsonText(b.size(10_000_000))
	full, err := b.file("list.json", s, len(s))
	if err != nil {
		return err
	}
	empty, err := b.file("empty.json", "", 0)
	if err != nil {
		return err
	}
	outcomes := turns(min(b.rounds, 3), b.truncate("element", full), b.truncate("element", empty))
	above := outcomes[0]
	above.memory = max(0, above.memory-outcomes[1].memory)
	if above.err == nil {
		above.err = outcomes[1].err
	}
	input := outcome{cost: cost{memory: int64(len(s))}}
	r.add("10 MB of JSON, element, memory over empty", memory, above, "input", input, atMostTimes(1.2))
	return nil
}

// hugeProcess reads 10 GB from a pipe, once.
func (b *bench) hugeProcess(r *report) {
	const size = 10_000_000_000
	block := mixed(b.size(1_000_000))
	feed := func() io.Reader { return io.LimitReader(&endless{text: block}, int64(b.size(size))) }
	outcomes := turns(1, b.fed(feed, b.acode, "truncate", "--root", b.keeping, "--tool", commandTool), b.fed(feed, b.tool("reference"), "-sha256"))
	r.add("10 GB as an artifact, CPU", cpuMilliseconds, outcomes[0], "plain + sha256", outcomes[1], bound{})
	r.add("10 GB as an artifact, wall", wallMilliseconds, outcomes[0], "plain + sha256", outcomes[1], bound{})
	r.add("10 GB as an artifact, memory", memory, outcomes[0], "plain + sha256", outcomes[1], atMost(streamed))
}

// endless reads as a text over and over.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.text[e.at:])
	e.at = (e.at + n) % len(e.text)
	return n, nil
}

// truncation is the command that makes the output of a tool fit, in a workspace
// where nothing becomes an artifact.
func (b *bench) truncation(strategy string) []string {
	return []string{b.acode, "truncate", "--root", b.raised, "--tool", commandTool, "--strategy", strategy}
}

func (b *bench) truncate(strategy, path string) work {
	return b.process(append(b.truncation(strategy), path)...)
}

const (
	raised  = "tools:\n  truncation:\n    artifact_threshold: 1000000000\n    max_artifact_size: 20000000000\n"
	keeping = "tools:\n  truncation:\n    max_artifact_size: 20000000000\n    artifacts: {session_quota: 100000000000, max_per_minute: 1000000000}\n"
)

// newWorkspace makes a workspace with the settings that yaml says.
func newWorkspace(root, yaml string) error {
	file := filepath.Join(root, filepath.FromSlash(config.File))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(yaml), 0o644)
}

// inProcess measures calls of an open hub.
func (b *bench) inProcess(r *report) error {
	h, err := b.openHub(raised)
	if err != nil {
		return err
	}
	defer h.Close()
	limited, err := b.openHub(raised + "    inline_limit: 10000\n")
	if err != nil {
		return err
	}
	defer limited.Close()
	call := func(name string, h *workspace.Hub, s string, m metric, goal bound) {
		outcomes := turns(b.rounds, b.processing(h, commandTool, "head_tail", s), b.always(func() { keep(utf8.RuneCountInString(s)) }))
		r.add(name, m, outcomes[0], "RuneCount", outcomes[1], goal)
	}
	text := mixed(10_000_000)
	call("call, 1,000 bytes", h, text[:1000], cpuMicroseconds, atMost(50))
	call("call, 7,900 bytes, cut", h, text[:7900], cpuMicroseconds, atMost(50))
	outcomes := turns(b.rounds, b.processing(h, "other", "head_tail", text[:7900]), b.always(func() { keep(utf8.RuneCountInString(text[:7900])) }))
	r.add("call, 7,900 bytes, shown whole", cpuMicroseconds, outcomes[0], "RuneCount", outcomes[1], atMost(50))
	call("call, 100 KB", h, text[:b.size(100_000)], cpuMilliseconds, atMost(1))
	call("call, 100 KB to 10,000 (TST-15, AC-071)", limited, text[:b.size(100_000)], cpuMilliseconds, atMost(10))
	call("call, 1 MB (AC-072)", h, text[:b.size(1_000_000)], cpuMilliseconds, atMost(100))
	call("call, 10 MB (AC-072)", h, text[:b.size(10_000_000)], cpuMilliseconds, atMost(100))
	b.strategyRows(r, h)
	return nil
}

func (b *bench) strategyRows(r *report, h *workspace.Hub) {
	s := logText(b.size(900_000))
	outcomes := turns(b.rounds, b.processing(h, commandTool, "head_tail", s), b.processing(h, commandTool, "smart", s))
	r.add("call, 900 KB log (AC-076)", cpuMilliseconds, outcomes[0], "smart", outcomes[1], atMostTimes(1))
	list := jsonText(b.size(49_900))
	outcomes = turns(b.rounds, b.processing(h, commandTool, "element", list), b.always(func() { keep(scanJSON(list)) }))
	r.add("call, element, 50 KB (AC-077)", cpuMilliseconds, outcomes[0], "scan", outcomes[1], atMost(15))
	outcomes = turns(b.rounds, b.calls(func() error { return atOnce(h, 10, 50_000) }))
	r.alone("10 calls at once, 50,000 each, wall (TST-16)", wallMilliseconds, outcomes[0], atMost(100))
}

// openHub opens a hub on a folder of its own with the settings that yaml says.
func (b *bench) openHub(yaml string) (*workspace.Hub, error) {
	root, err := b.newFolder()
	if err != nil {
		return nil, err
	}
	settings, problems := config.Parse(config.File, []byte(yaml))
	if len(problems) > 0 {
		return nil, config.Problems(problems)
	}
	return workspace.Open(root, workspace.Options{Config: settings})
}

// commandTool is the tool whose output is most often long. It has a limit of
// 5,000 characters; a tool that is not known has 8,000.
const commandTool = "execute_command"

func (b *bench) processing(h *workspace.Hub, tool, strategy, s string) work {
	return b.calls(func() error { _, err := process(h, tool, strategy, s); return err })
}

// process makes s fit. It fails if the strategy leaves s to another.
func process(h *workspace.Hub, tool, strategy, s string) (workspace.ToolResult, error) {
	r, err := h.Process(workspace.Output{
		Tool: tool, Strategy: strategy, Content: strings.NewReader(s), Size: int64(len(s)),
	})
	if err == nil && r.FallbackFrom != "" {
		err = fmt.Errorf("%s leaves it to %s", r.FallbackFrom, r.Strategy)
	}
	return r, err
}

// atOnce makes n texts of so many characters fit at the same time, and checks
// that each came to a result of its own.
func atOnce(h *workspace.Hub, n, characters int) error {
	results := make([]string, n)
	failures := make([]error, n)
	var calls sync.WaitGroup
	for i := range n {
		calls.Go(func() {
			r, err := process(h, commandTool, "head_tail", strings.Repeat(fmt.Sprintf("%9d\n", i), characters/10))
			results[i], failures[i] = r.Content, err
		})
	}
	calls.Wait()
	seen := map[string]bool{}
	for _, content := range results {
		seen[content] = true
	}
	if len(seen) != n {
		failures = append(failures, fmt.Errorf("%d results of %d differ", len(seen), n))
	}
	return errors.Join(failures...)
}
