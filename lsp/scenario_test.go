package lsp_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/acode-ls/acode-ls/internal/fake"
)

// A scenario is a txtar archive in testdata/scenarios: the files of a
// workspace, and before them a script. Its first line says what is shown and
// which requirements that meets. Then come settings, each "name: value":
//
//	editors:    which of vscode, vscode+pull, neovim, neovim+push play it; vscode and neovim if not set
//	transports: which of pipe, socket, process; all if not set
//	options:    initializationOptions, as JSON
//	settings:   the section acode of the configuration, as JSON
//	without:    capabilities the editor does not have
//	timeouts:   how long the server waits for an editor (not for a process)
//	session:    --session of the server
//	sync:       full, if the editor reports whole texts
//	roots:      workspace folders
//
// The rest are commands, each on a line that begins with ">", with the output
// below it that is expected. [vscode] before a command has only that editor
// run it, @2 gives it to a second editor with a server of its own on the same
// folder; one after ">?" is tried again until it prints what is expected, where
// nothing tells when that will be. The commands are in commands_test.go. A "#" begins a comment, an
// empty line ends an output. Lines of the script count from 1, positions as
// LSP has them.
//
// go test -update writes what the commands now print into the files, as it is
// over a pipe. Read the difference.
var update = flag.Bool("update", false, "rewrite the expected output of scenarios")

type scenario struct {
	file     string
	settings map[string]string
	archive  *txtar.Archive
	head     []string // lines before the first command
	steps    []*step
}

// step is a command with its expected output, and what stands behind it.
type step struct {
	line    int
	editor  string // that alone runs it, if not empty
	client  int
	command string
	want    string
	raw     string
	again   bool     // is tried again until it is as expected
	rest    []string // comments and empty lines up to the next command
}

var title = regexp.MustCompile(`^# .+ \((?:[A-Z]+-\d+)(?:, [A-Z]+-\d+)*\)\.?$`)

func parseScenario(file string) (*scenario, error) {
	a, err := txtar.ParseFile(file)
	if err != nil {
		return nil, err
	}
	sc := &scenario{file: file, archive: a, settings: map[string]string{}}
	lines := strings.Split(strings.TrimRight(string(a.Comment), "\n"), "\n")
	if !title.MatchString(lines[0]) {
		return nil, fmt.Errorf("%s: the first line must be like # What is shown (C-118, GRD-03)", file)
	}
	known := []string{"editors", "transports", "options", "settings", "without", "timeouts", "session", "sync", "roots"}
	var last *step
	inOutput := false
	for i, line := range lines {
		command, isCommand := strings.CutPrefix(line, "> ")
		again := strings.HasPrefix(line, ">? ")
		switch {
		case isCommand || again:
			if again {
				command = line[len(">? "):]
			}
			last = &step{line: i + 1, client: 1, raw: line, command: command, again: again}
			if rest, ok := strings.CutPrefix(last.command, "["); ok {
				last.editor, last.command, _ = strings.Cut(rest, "] ")
			}
			if rest, ok := strings.CutPrefix(last.command, "@2 "); ok {
				last.client, last.command = 2, rest
			}
			sc.steps = append(sc.steps, last)
			inOutput = true
		case inOutput && line != "" && line[0] != '#':
			last.want += line + "\n"
		case last != nil:
			inOutput = false
			last.rest = append(last.rest, line)
		default:
			sc.head = append(sc.head, line)
			if line == "" || line[0] == '#' {
				continue
			}
			name, value, _ := strings.Cut(line, ":")
			if !slices.Contains(known, name) {
				return nil, fmt.Errorf("%s:%d: unknown setting %q", file, i+1, name)
			}
			sc.settings[name] = strings.TrimSpace(value)
		}
	}
	return sc, nil
}

// write writes the scenario with the outputs that got holds.
func (sc *scenario) write(got map[*step]string) error {
	var b strings.Builder
	for _, line := range sc.head {
		b.WriteString(line + "\n")
	}
	for _, st := range sc.steps {
		b.WriteString(st.raw + "\n")
		out, ran := got[st]
		if !ran {
			out = st.want
		}
		b.WriteString(out)
		rest := st.rest
		if len(rest) == 0 || rest[0] != "" && rest[0][0] != '#' {
			rest = append([]string{}, rest...)
		}
		for _, line := range rest {
			b.WriteString(line + "\n")
		}
	}
	sc.archive.Comment = []byte(strings.TrimRight(b.String(), "\n") + "\n")
	return os.WriteFile(sc.file, txtar.Format(sc.archive), 0o644)
}

func (sc *scenario) list(name, otherwise string) []string {
	return strings.Fields(cmp.Or(sc.settings[name], otherwise))
}

// players is how many scenarios are played at once. They wait for disks and
// processes more than they compute, so it is not the number of processors.
const players = 8

func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/scenarios/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	var scenarios []*scenario
	for _, file := range files {
		sc, err := parseScenario(file)
		if err != nil {
			t.Error(err)
			continue
		}
		scenarios = append(scenarios, sc)
	}
	l := newLab(t)
	if *update {
		for _, sc := range scenarios {
			got := map[*step]string{}
			for _, editor := range sc.editors() {
				t.Run(sc.name()+"/"+editor, func(t *testing.T) { maps.Copy(got, sc.run(t, l, editor, pipe)) })
			}
			if err := sc.write(got); err != nil {
				t.Error(err)
			}
		}
		return
	}
	var playing sync.WaitGroup
	free := make(chan struct{}, players)
	for _, sc := range scenarios {
		for _, editor := range sc.editors() {
			for _, how := range sc.list("transports", "pipe socket process") {
				free <- struct{}{}
				playing.Go(func() {
					defer func() { <-free }()
					t.Run(sc.name()+"/"+editor+"/"+how, func(t *testing.T) { sc.run(t, l, editor, transport(how)) })
				})
			}
		}
	}
	playing.Wait()
}

func (sc *scenario) name() string { return strings.TrimSuffix(filepath.Base(sc.file), ".txtar") }

func (sc *scenario) editors() []string { return sc.list("editors", "vscode neovim") }

// scene is a scenario while it is played.
type scene struct {
	*testing.T
	sc        *scenario
	lab       *lab
	root      string
	editor    string
	transport transport
	clients   map[int]*client
	failed    bool // something did not come that was waited for
}

// client is an editor and its server.
type client struct {
	*fake.Editor
	server  *server
	pending map[string]*fake.Request
	ended   bool // as it should
}

func (sc *scenario) run(t *testing.T, l *lab, editor string, how transport) map[*step]string {
	base := l.folder(t)
	s := &scene{T: t, sc: sc, lab: l, root: filepath.Join(base, "ws"), editor: editor, transport: how, clients: map[int]*client{}}
	if err := os.Mkdir(s.root, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, f := range sc.archive.Files {
		if !strings.HasPrefix(f.Name, "@") { // those are for commands
			s.write(f.Name, string(f.Data))
		}
	}
	plain, _, _ := strings.Cut(editor, "+")
	out := map[*step]string{}
	for _, st := range sc.steps {
		if st.editor != "" && st.editor != editor && st.editor != plain {
			continue
		}
		got := s.play(st)
		out[st] = got
		if got != st.want && !*update {
			t.Errorf("%s:%d: %s (-want +got):\n%s", sc.file, st.line, st.raw, gocmp.Diff(st.want, got))
			s.failed = true
		}
		for _, c := range s.clients {
			for _, fault := range c.Faults() {
				t.Fatalf("%s:%d: %s: the editor found: %v", sc.file, st.line, st.raw, fault)
			}
		}
	}
	s.leave()
	return out
}

// play runs a command. What depends on news of the server is tried again until
// it is as expected or can no longer become so.
func (s *scene) play(st *step) string {
	cmd, args, err := s.parse(st.command)
	if err != nil {
		s.Fatalf("%s:%d: %v", s.sc.file, st.line, err)
	}
	once := func() string {
		got, err := cmd.run(s, st.client, args)
		if err != nil {
			got += s.complaint(err)
		}
		if got = s.anonymous(got); got != "" && !strings.HasSuffix(got, "\n") {
			got += "\n"
		}
		return got
	}
	if st.again {
		return s.again(st, once)
	}
	if !cmd.awaits {
		return once()
	}
	give := time.After(patience)
	if *update {
		give = time.After(300 * time.Millisecond)
	}
	c := s.client(st.client)
	if cmd.take != nil {
		defer c.Inspect(cmd.take)
	}
	for {
		activity := c.Activity()
		var set <-chan struct{}
		if c.server.clock != nil {
			_, set = c.server.clock.waiting()
		}
		s.settle(c)
		got := once()
		if got == st.want || s.failed {
			return got
		}
		select {
		case <-activity:
		case <-set:
		case <-give:
			return got
		}
	}
}

// again runs a command until it prints what is expected. Each time the server
// is asked something, so that it does not starve.
func (s *scene) again(st *step, once func() string) string {
	end := time.Now().Add(patience)
	if *update {
		end = time.Now().Add(300 * time.Millisecond)
	}
	for {
		got := once()
		if got == st.want || s.failed || time.Now().After(end) {
			return got
		}
		s.settle(s.client(st.client))
	}
}

// settle has the server say all it has to say for now, as far as its clock is
// ours, and the editor hear it.
func (s *scene) settle(c *client) {
	s.barrier(c)
	if c.server.clock == nil {
		return
	}
	for c.server.clock.fire() {
		s.barrier(c)
	}
}

// barrier returns when the server has handled all it was told before.
func (s *scene) barrier(c *client) {
	select {
	case <-c.Closed():
		return
	default:
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if _, err := c.Call(ctx, "codeLens/resolve", map[string]int{}); err != nil && ctx.Err() != nil {
		s.Fatalf("the server does not answer: %v", err)
	}
}

// client returns an editor, which is started with its server the first time.
func (s *scene) client(n int) *client {
	if c := s.clients[n]; c != nil {
		return c
	}
	c := s.connect(n)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := c.Initialize(ctx); err != nil {
		s.Fatalf("%v\n%s", err, c.server.log)
	}
	return c
}

// connect starts an editor and a server that have not spoken yet.
func (s *scene) connect(n int) *client {
	s.Helper()
	opts := serverOptions{session: s.sc.settings["session"]}
	if d := s.sc.settings["timeouts"]; d != "" {
		timeout, err := time.ParseDuration(d)
		if err != nil || s.transport == process {
			s.Fatalf("timeouts: %q over a %s: %v", d, s.transport, err)
		}
		opts.syncTimeout, opts.replyTimeout = timeout, timeout
	}
	personality, how, _ := strings.Cut(s.editor, "+")
	editor := fake.Options{
		Personality: fake.Personality(personality),
		Pull:        personality == "neovim" && how != "push" || how == "pull",
		Full:        s.sc.settings["sync"] == "full",
		Without:     s.sc.list("without", ""),
	}
	for _, root := range s.sc.list("roots", ".") {
		editor.Roots = append(editor.Roots, s.path(root))
	}
	init := map[string]any{}
	s.decode(s.sc.settings["options"], &init)
	if s.transport == process {
		init["diagnosticsDelayMs"] = 0 // its clock is not ours
	}
	editor.Init = init
	s.decode(s.sc.settings["settings"], &editor.Settings)
	srv := s.lab.start(s.T, s.transport, opts)
	c := &client{Editor: fake.New(srv.rwc, editor), server: srv, pending: map[string]*fake.Request{}}
	s.clients[n] = c
	s.Cleanup(func() { c.Disconnect() })
	return c
}

// leave ends what still runs and holds the servers to their manners: no
// message is left over, and all texts are known to both sides.
func (s *scene) leave() {
	for n := 1; n <= 2; n++ {
		c := s.clients[n]
		if c == nil || c.ended {
			continue
		}
		if s.failed || s.Failed() {
			continue
		}
		s.settle(c)
		s.sameTexts(c)
		c.Inspect(func(e *fake.Events) {
			for _, m := range e.Messages {
				s.Errorf("nobody asked for the message %q", s.anonymous(m))
			}
			for _, m := range e.Shown {
				s.Errorf("nobody asked for the document %q", s.anonymous(m))
			}
		})
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := c.Exit(ctx); err != nil {
			s.Errorf("leaving: %v", err)
			continue
		}
		select {
		case <-c.server.done:
		case <-ctx.Done():
			s.Fatal("the server does not exit")
		}
		if c.server.status != 0 {
			s.Errorf("the server exits with status %d after shutdown and exit", c.server.status)
		}
		if err := c.Wait(); err != nil {
			s.Errorf("the connection ended with %v", err)
		}
		for _, fault := range c.Faults() {
			s.Errorf("the editor found: %v", fault)
		}
		if log := c.server.log.String(); strings.Contains(log, "panic") {
			s.Errorf("the server panicked:\n%s", log)
		}
	}
}
