// Package arch holds the rules of architecture as tests: which package may
// import which, and what may appear where. ARCHITECTURE.md gives the reasons at
// length; a rule here is a row in a table with its reason in short.
//
// A package that does not exist yet breaks no rule. Rules about types or names
// do not belong here, nor does anything staticcheck finds.
package arch

import (
	"path/filepath"
	"slices"
	"testing"
)

const module = "github.com/acode-ls/acode-ls"

// leaves are the packages that do the work on content and plain paths; the hub
// composes them.
var leaves = []string{"awareness", "truncation", "signatures", "artifacts", "internal/redact"}

// limits names, for each folder, all that it and its subfolders may import
// besides the standard library and themselves. A folder that is not here may
// import anything that bans allows.
var limits = map[string][]string{
	"internal/text":     {},
	"internal/filelock": {"golang.org/x/sys/windows"},
	"awareness":         {own("internal/text"), "github.com/sergi/go-diff", "github.com/cespare/xxhash/v2"},
	"truncation":        {own("internal/text"), "github.com/rivo/uniseg", "github.com/go-json-experiment/json"},
	"signatures":        {own("internal/text"), "github.com/smacker/go-tree-sitter"},
	"artifacts":         {own("internal/text"), own("internal/filelock"), "github.com/go-json-experiment/json", "golang.org/x/sys/unix"},
	"internal/redact":   {own("internal/text")},
	"internal/command":  {"golang.org/x/sys/unix"},
	"internal/search":   {own("internal/text")},
	"internal/gitdiff":  {},
	"internal/config":   {"go.yaml.in/yaml/v4", "github.com/invopop/jsonschema"},
	"internal/shell":    {own("internal/text")},
	"internal/replay": {
		own("internal/text"), own("internal/config"), own("internal/shell"), own("internal/workspace"), own("awareness"),
	},
	"internal/setup": {"github.com/tailscale/hujson"},
	"internal/workspace": {
		own("internal/text"), own("internal/config"), own("internal/filelock"),
		own("awareness"), own("truncation"), own("signatures"), own("artifacts"), own("internal/redact"),
		"github.com/fsnotify/fsnotify", "go.uber.org/zap", "github.com/go-json-experiment/json",
	},
}

// bans gives, for each folder, what it and its subfolders must not reach even
// through others, and why.
var bans = map[string]map[string]string{
	"internal/workspace": {
		own("lsp"):           "the hub does not know who asks",
		own("internal/mcp"):  "the hub does not know who asks",
		own("internal/hook"): "the hub does not know who asks",
		own("cmd"):           "the hub does not know who asks",
		"go.lsp.dev":         "only lsp knows URIs, positions and JSON-RPC",
	},
	"lsp":           {own("internal/mcp"): facesApart, own("internal/hook"): facesApart, own("cmd"): facesApart},
	"internal/mcp":  {own("lsp"): facesApart, own("internal/hook"): facesApart, own("cmd"): facesApart},
	"internal/hook": {own("lsp"): facesApart, own("internal/mcp"): facesApart, own("cmd"): facesApart},
}

// Faces each speak one protocol to the outside.
const facesApart = "faces never import each other; what they share belongs in the hub"

// exclusive names imports that one folder alone may name, but for exceptions,
// each with its reason.
var exclusive = map[string]struct {
	folder, reason string
	exceptions     map[string]string
}{
	"go.lsp.dev": {"lsp", "only lsp knows URIs, positions and JSON-RPC", nil},
	"github.com/modelcontextprotocol": {"internal/mcp", "only internal/mcp knows MCP", map[string]string{
		"internal/bench/mcpecho": "it is the SDK and nothing else, which internal/mcp is measured against",
	}},
}

// ambient are the functions by which a leaf would read state that it was not
// given.
var ambient = map[string]string{
	"os.Getwd":     "a leaf is given its folder",
	"os.Getenv":    "a leaf is given its settings",
	"os.LookupEnv": "a leaf is given its settings",
	"os.Environ":   "a leaf is given its settings",
	"time.Now":     "a leaf is given the time",
	"time.Since":   "a leaf is given the time",
	"time.Until":   "a leaf is given the time",
}

// topLevel are the folders at the root, apart from hidden ones and what make
// builds (bin).
var topLevel = []string{
	"artifacts", "awareness", "bin", "cmd", "docs", "editors", "internal",
	"lsp", "scripts", "signatures", "testdata", "truncation",
}

// exiting are the folders of development programs, which may end by log.Fatal.
var exiting = []string{"internal/bench", "internal/sigtruth", "internal/testreport"}

const (
	exitFile         = "cmd/acode-ls/main.go"
	maxLines         = 800 // of a source file outside tests
	maxArchitecture  = 199 // lines of ARCHITECTURE.md
	architectureFile = "ARCHITECTURE.md"
)

func own(folder string) string { return module + "/" + folder }

func TestArchitecture(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, complaint := range check(t, root) {
		t.Error(complaint)
	}
}

// check returns what breaks a rule in the module at root, sorted.
func check(t *testing.T, root string) []string {
	t.Helper()
	var complaints []string
	for _, rule := range []func(*testing.T, string) []string{imports, sources, layout} {
		complaints = append(complaints, rule(t, root)...)
	}
	slices.Sort(complaints)
	return slices.Compact(complaints)
}
