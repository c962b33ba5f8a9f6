// Package setup connects agents and editors to this program: it knows which of
// their settings name it, and puts that in, brings it up to date or takes it
// out again.
//
// Of settings in JSON only what is ours is touched: the rest keeps its bytes,
// with comments, trailing commas, indentation and line ends. A Plan shows what
// would be written; Apply writes all of its files or none.
//
// It does not write TOML, nor settings an agent rewrites while it runs.
package setup

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Program is how settings name this program.
type Program struct {
	Path   string // absolute; its base name is one of the names
	Quoted string // Path as a word of a shell
	OnPath bool   // Name, looked up on the PATH, is this program

	bare bool // settings name it by Name
}

// in returns the program as settings for s name it: those that others share by
// a name that can be found on their machines too, if it is found here.
func (p Program) in(s Scope) Program {
	p.bare = s == Project && p.OnPath
	return p
}

func (p Program) command() string {
	if p.bare {
		return Name
	}
	return p.Path
}

// word is the command as a word of a shell.
func (p Program) word() string {
	if p.bare {
		return Name
	}
	return p.Quoted
}

// isAt reports whether an absolute path is one of this program. Paths of other
// machines are not looked up.
func (p Program) isAt(path string) bool {
	if path == p.Path || strings.HasPrefix(path, "//") {
		return path == p.Path
	}
	there, err := os.Stat(path)
	if err != nil {
		return false
	}
	self, err := os.Stat(p.Path)
	return err == nil && os.SameFile(there, self)
}

// Name is what this program is looked up by.
const Name = "acode-ls"

// names are what this program may be called: by its base name settings are
// recognised as ours.
var names = []string{Name, "acode"}

// IsNamed reports whether a path or a bare name is one of this program.
func IsNamed(path string) bool {
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	if len(base) > 4 && strings.EqualFold(base[len(base)-4:], ".exe") {
		base = base[:len(base)-4]
	}
	for _, name := range names {
		if base == name || runtime.GOOS == "windows" && strings.EqualFold(base, name) {
			return true
		}
	}
	return false
}

// Places are the folders that settings are in, all absolute.
type Places struct {
	Root   string // of the project
	Home   string // of the user
	Claude string // where Claude Code has the user's settings
	Neovim string // where Neovim has the user's
}

// Scope says for whom settings hold.
type Scope string

const (
	Project Scope = "project" // everybody who works on it
	Local   Scope = "local"   // the user, in this project
	User    Scope = "user"    // the user, everywhere
)

// Agent is an agent or an editor that can be connected.
type Agent struct {
	Name  string
	Title string
	Gives string // what the connection brings

	// Snippet is what a person puts into settings by hand where this program
	// writes none, or is "".
	Snippet func(Program) string

	targets []target
	after   map[Scope]string // what is left to do once the files are written
}

// target is a file of settings that names this program.
type target struct {
	scope Scope
	in    func(Places) string
	path  string // relative, with slashes

	settings func(Program) object // what a JSON file is to hold
	text     func(Program) string // or the whole file, which begins with mark
}

// Lookup returns the agent of that name.
func Lookup(name string) (Agent, bool) {
	for _, a := range Agents {
		if a.Name == name {
			return a, true
		}
	}
	return Agent{}, false
}

// Scopes returns for whom the agent can be connected, the usual first. It is
// empty if its settings are not written by this program.
func (a Agent) Scopes() []Scope {
	var scopes []Scope
	for _, t := range a.targets {
		if len(scopes) == 0 || scopes[len(scopes)-1] != t.scope {
			scopes = append(scopes, t.scope)
		}
	}
	return scopes
}

// After returns what is left to do by hand, as sentences for a person.
func (a Agent) After(s Scope) string { return a.after[s] }

func (t target) file(at Places) string {
	return filepath.Join(t.in(at), filepath.FromSlash(t.path))
}
