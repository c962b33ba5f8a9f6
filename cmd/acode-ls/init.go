package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/acode-ls/acode-ls/internal/envelope"
	"github.com/acode-ls/acode-ls/internal/setup"
)

// initRequest is what the flags of init ask for.
type initRequest struct {
	user, local   bool
	write, remove bool
}

func (a *app) initCommand() *cobra.Command {
	var ask initRequest
	var names []string
	for _, agent := range setup.Agents {
		names = append(names, agent.Name)
	}
	cmd := &cobra.Command{
		Use: "init [AGENT]", Short: "Connect an agent or editor: show its settings, or write them",
		Example: "  acode-ls init                          # which there are, and which are connected\n" +
			"  acode-ls init claude                   # shows what it would write\n" +
			"  acode-ls init claude --write\n" +
			"  acode-ls init claude --remove          # takes out what it wrote",
		ValidArgs: names,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usageError("%s takes one AGENT, not also %q", commandName(cmd), args[1])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				if ask != (initRequest{}) {
					return usageError("init needs an AGENT: %s", strings.Join(names, ", "))
				}
				return a.listAgents()
			}
			if ask.write && ask.remove {
				return usageError("choose --write or --remove; both write")
			}
			agent, ok := setup.Lookup(args[0])
			if !ok {
				return usageError("unknown agent %q; %s", args[0], suggestion(cmd, args[0], names))
			}
			ask.write = ask.write || ask.remove
			return a.connect(agent, ask)
		},
	}
	cmd.Flags().BoolVar(&ask.write, "write", false, "write the settings, each with a backup of what was there")
	cmd.Flags().BoolVar(&ask.remove, "remove", false, "take out what was added")
	cmd.Flags().BoolVar(&ask.user, "user", false, "in your own settings, for all projects")
	cmd.Flags().BoolVar(&ask.local, "local", false, "in your own settings for this project")
	return cmd
}

// scope returns for whom the agent is to be connected, "" if this program does
// not write its settings.
func (r initRequest) scope(agent setup.Agent) (setup.Scope, error) {
	scopes := agent.Scopes()
	switch {
	case r.user && r.local:
		return "", usageError("choose --user or --local")
	case len(scopes) == 0 && (r != initRequest{}):
		return "", usageError("the settings of %s are not written by init; init %s shows what to put in by hand", agent.Title, agent.Name)
	case len(scopes) == 0:
		return "", nil
	}
	asked := scopes[0]
	if r.user {
		asked = setup.User
	} else if r.local {
		asked = setup.Local
	}
	var have []string
	for _, s := range scopes {
		if s == asked {
			return s, nil
		}
		have = append(have, string(s))
	}
	return "", usageError("%s has no %s settings for this, only %s", agent.Title, asked, strings.Join(have, ", "))
}

type initData struct {
	Agent   string     `json:"agent"`
	Scope   string     `json:"scope,omitempty"`
	Files   []initFile `json:"files"`
	Snippet string     `json:"snippet,omitempty"` // to be put in by hand
	Written bool       `json:"written"`
	Next    string     `json:"next"` // what is left to do
}

type initFile struct {
	Path   string       `json:"path"`
	Change setup.Change `json:"change"`
	Diff   string       `json:"diff"`
}

// connect shows or writes the settings of an agent.
func (a *app) connect(agent setup.Agent, ask initRequest) error {
	scope, err := ask.scope(agent)
	if err != nil {
		return err
	}
	program, err := thisProgram()
	if err != nil {
		return err
	}
	data := initData{Agent: agent.Name, Scope: string(scope), Files: []initFile{}}
	if agent.Snippet != nil && !ask.write {
		data.Snippet = agent.Snippet(program)
	}
	if scope == "" {
		data.Next = "Put this in by hand."
		return a.answerInit(data, nil)
	}
	places, err := a.places()
	if err != nil {
		return err
	}
	plan, err := planInit(agent, scope, places, program, ask.remove)
	if err != nil {
		return settingsError(err)
	}
	defer plan.Close()
	if data.Written = ask.write && !plan.Empty(); data.Written {
		if err := plan.Apply(); err != nil {
			return err
		}
	}
	for _, f := range plan.Files {
		data.Files = append(data.Files, initFile{f.Path, f.Change, f.Diff()})
	}
	data.Next = a.next(agent, scope, ask, plan, program)
	return a.answerInit(data, plan)
}

// next says what is left to do, "" if nothing is.
func (a *app) next(agent setup.Agent, s setup.Scope, ask initRequest, plan *setup.Plan, p setup.Program) string {
	var next string
	switch {
	case plan.Empty():
		return ""
	case ask.remove:
		return "Start " + agent.Title + " anew."
	case !ask.write:
		next = "To write this: " + a.again(ask.words(agent)...) + "\n"
	default:
		next = agent.After(s) + " "
	}
	if s == setup.Project && !p.OnPath {
		next += "The settings name this program by its path on this machine; where others use them, put " + setup.Name + " on the PATH first."
	}
	return strings.TrimRight(next, " \n")
}

func planInit(agent setup.Agent, s setup.Scope, at setup.Places, p setup.Program, remove bool) (*setup.Plan, error) {
	if remove {
		return agent.Disconnect(s, at, p)
	}
	return agent.Connect(s, at, p)
}

// words are the command that writes what r asks for.
func (r initRequest) words(agent setup.Agent) []string {
	words := []string{"init", agent.Name}
	for _, flag := range []struct {
		set  bool
		name string
	}{{r.user, "--user"}, {r.local, "--local"}} {
		if flag.set {
			words = append(words, flag.name)
		}
	}
	return append(words, "--write")
}

func (a *app) answerInit(data initData, plan *setup.Plan) error {
	if a.json {
		return a.answer(envelope.Answer{Data: data})
	}
	var b strings.Builder
	if data.Snippet != "" {
		b.WriteString(data.Snippet + "\n")
	}
	for i, f := range data.Files {
		switch {
		case f.Change == setup.None || data.Written:
			fmt.Fprintf(&b, "%s: %s\n", printable(f.Path), done(f.Change))
		case f.Change == setup.Create:
			fmt.Fprintf(&b, "%s: %s\n%s\n", printable(f.Path), f.Change, visible(plan.Files[i].Text))
		default:
			fmt.Fprintf(&b, "%s: %s\n%s\n", printable(f.Path), f.Change, visible(f.Diff))
		}
	}
	if data.Next != "" {
		b.WriteString(data.Next + "\n")
	}
	return a.write(b.String())
}

func done(c setup.Change) string {
	switch c {
	case setup.Create:
		return "created"
	case setup.Update:
		return "updated"
	case setup.Delete:
		return "deleted"
	}
	return "nothing to change"
}

// visible is text with line ends and tabs as they are and without what would
// move the cursor elsewhere.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return -1
		case r == '\n' || r == '\t' || unicode.IsPrint(r):
			return r
		}
		return utf8.RuneError
	}, text)
}

type agentData struct {
	Agent     string        `json:"agent"`
	Title     string        `json:"title"`
	Gives     string        `json:"gives"`
	Connected []setup.Scope `json:"connected"` // where all is as init writes it
	Partly    []setup.Scope `json:"partly"`    // where something is missing or out of date
	Problem   string        `json:"problem,omitempty"`
}

func (a *app) listAgents() error {
	places, err := a.places()
	if err != nil {
		return err
	}
	program, err := thisProgram()
	if err != nil {
		return err
	}
	rows := [][]string{{"AGENT", "CONNECTED", "GIVES"}}
	var data []agentData
	for _, agent := range setup.Agents {
		d := connection(agent, places, program)
		data = append(data, d)
		rows = append(rows, []string{d.Agent, d.connected(agent), d.Gives})
		if d.Problem != "" && !a.json {
			fmt.Fprintf(a.err, "acode-ls: %s\n", printable(d.Problem))
		}
	}
	if a.json {
		return a.answer(envelope.Answer{Data: data})
	}
	return a.write(table(colours(a.out), rows) + "\n" + "To see the settings of one: " + a.again("init") + " AGENT\n")
}

// connection finds out where an agent is connected.
func connection(agent setup.Agent, at setup.Places, p setup.Program) agentData {
	d := agentData{Agent: agent.Name, Title: agent.Title, Gives: agent.Gives, Connected: []setup.Scope{}, Partly: []setup.Scope{}}
	for _, s := range agent.Scopes() {
		plan, err := agent.Connect(s, at, p)
		if err != nil {
			d.Problem = err.Error()
			continue
		}
		if plan.Empty() {
			d.Connected = append(d.Connected, s)
		} else if plan.Ours() {
			d.Partly = append(d.Partly, s)
		}
		_ = plan.Close() // nothing was written
	}
	return d
}

func (d agentData) connected(agent setup.Agent) string {
	var words []string
	for _, s := range d.Connected {
		words = append(words, string(s))
	}
	for _, s := range d.Partly {
		words = append(words, string(s)+" (partly)")
	}
	switch {
	case len(words) > 0:
		return strings.Join(words, ", ")
	case d.Problem != "":
		return "?"
	case len(agent.Scopes()) == 0:
		return "by hand"
	}
	return "no"
}

// settingsError is a usage error if the settings are at fault.
func settingsError(err error) error {
	p, ok := errors.AsType[*setup.Problem](err)
	if !ok {
		return err
	}
	f := &failure{status: exitUsage, what: envelope.Error{Code: envelope.Config, Message: p.Error() + "; nothing was written"}}
	if p.Line > 0 {
		f.what.Details = map[string]any{"path": p.Path, "line": p.Line, "column": p.Column}
	}
	return f
}

// places finds the folders of settings.
func (a *app) places() (setup.Places, error) {
	root, err := filepath.Abs(cmp.Or(a.root, "."))
	if err != nil {
		return setup.Places{}, err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return setup.Places{}, configError("finding your home folder: %v", err)
	}
	if !filepath.IsAbs(home) {
		return setup.Places{}, configError("your home folder %q is not an absolute path", home)
	}
	config := cmp.Or(os.Getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config"))
	if runtime.GOOS == "windows" {
		config = cmp.Or(os.Getenv("XDG_CONFIG_HOME"), os.Getenv("LOCALAPPDATA"), filepath.Join(home, "AppData", "Local"))
	}
	at := setup.Places{
		Root: root, Home: home,
		Claude: cmp.Or(os.Getenv("CLAUDE_CONFIG_DIR"), filepath.Join(home, ".claude")),
		Neovim: filepath.Join(config, cmp.Or(os.Getenv("NVIM_APPNAME"), "nvim")),
	}
	for _, dir := range []*string{&at.Claude, &at.Neovim} {
		if *dir, err = filepath.Abs(*dir); err != nil {
			return setup.Places{}, err
		}
	}
	return at, nil
}

// thisProgram names this program as settings do: by the path a person would
// find it under, which outlives an upgrade, else by its own.
func thisProgram() (setup.Program, error) {
	path, err := os.Executable()
	if err != nil {
		return setup.Program{}, fmt.Errorf("finding this program: %w", err)
	}
	self, err := os.Stat(path)
	if err != nil {
		return setup.Program{}, fmt.Errorf("finding this program: %w", err)
	}
	onPath := false
	if found, err := exec.LookPath(setup.Name); err == nil && filepath.IsAbs(found) {
		if info, err := os.Stat(found); err == nil && os.SameFile(info, self) {
			path, onPath = found, true
		}
	}
	p, err := programAt(path)
	p.OnPath = onPath
	return p, err
}

func programAt(path string) (setup.Program, error) {
	if !setup.IsNamed(path) {
		return setup.Program{}, configError("this program is called %q, by which init could not find its settings again; call it acode-ls", filepath.Base(path))
	}
	if !utf8.ValidString(path) {
		return setup.Program{}, configError("the path of this program, %q, is not UTF-8, which settings must be", path)
	}
	p := setup.Program{Path: filepath.ToSlash(path)} // hooks may run in a shell to which a backslash is an escape
	if p.Quoted = quote(p.Path); p.Quoted != p.Path && runtime.GOOS == "windows" {
		p.Quoted = `"` + p.Path + `"` // which all of its shells take
	}
	return p, nil
}
