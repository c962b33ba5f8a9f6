package setup

import (
	"fmt"
	"strings"
)

// This file is the table of agents and editors, with the settings of each.

// ToolSet is the tools of an agent whose use it reports to hooks.
type ToolSet struct {
	Writing []string // reported before and after
	Reading []string // reported after
}

// Tools gives the tools by the agent's name. An agent that is not here reports
// all it has.
var Tools = map[string]ToolSet{
	"claude": {
		Writing: []string{"Edit", "MultiEdit", "Write", "NotebookEdit"},
		Reading: []string{"Read", "Grep", "Bash"},
	},
	"gemini": {
		Writing: []string{"write_file", "replace"},
		Reading: []string{"read_file", "read_many_files", "search_file_content", "grep_search", "run_shell_command"},
	},
}

// Agents are all that can be connected.
var Agents = []Agent{
	{
		Name: "claude", Title: "Claude Code", Gives: "hooks that guard its own tools, and MCP tools",
		targets: []target{
			{scope: Project, in: inRoot, path: ".claude/settings.json", settings: claudeHooks},
			{scope: Project, in: inRoot, path: ".mcp.json", settings: mcpServers("mcpServers", "mcp")},
			{scope: Local, in: inRoot, path: ".claude/settings.local.json", settings: claudeHooks},
			{scope: User, in: inClaude, path: "settings.json", settings: claudeHooks},
		},
		after: map[Scope]string{
			Project: "Start Claude Code anew and approve the server acode; /hooks and /mcp list what it uses.",
			Local:   "Start Claude Code anew; /hooks lists what it uses. For the MCP tools too: claude mcp add acode -- acode-ls mcp",
			User:    "Start Claude Code anew; /hooks lists what it uses. For the MCP tools too: claude mcp add --scope user acode -- acode-ls mcp",
		},
	},
	{
		Name: "vscode", Title: "VS Code", Gives: "MCP tools, and hooks that guard the agent's own tools",
		targets: []target{
			{scope: Project, in: inRoot, path: ".vscode/mcp.json", settings: vscodeServers},
			{scope: Project, in: inRoot, path: ".github/hooks/acode-ls.json", settings: vscodeHooks},
		},
		after: map[Scope]string{
			Project: "Start the server acode from .vscode/mcp.json. VS Code also runs hooks of .claude/settings.json: connect claude or vscode in a project, not both, or each event counts twice.",
		},
	},
	{
		Name: "gemini", Title: "Gemini CLI", Gives: "hooks that guard its own tools, and MCP tools",
		targets: []target{
			{scope: Project, in: inRoot, path: ".gemini/settings.json", settings: geminiSettings},
			{scope: User, in: inHome, path: ".gemini/settings.json", settings: geminiSettings},
		},
		after: map[Scope]string{
			Project: "Start Gemini CLI anew and trust the folder; /hooks panel and /mcp list what it uses.",
			User:    "Start Gemini CLI anew; /hooks panel and /mcp list what it uses.",
		},
	},
	{
		Name: "cursor", Title: "Cursor", Gives: "MCP tools",
		targets: []target{
			{scope: Project, in: inRoot, path: ".cursor/mcp.json", settings: mcpServers("mcpServers", "mcp", "--root", "${workspaceFolder}")},
			{scope: User, in: inHome, path: ".cursor/mcp.json", settings: mcpServers("mcpServers", "mcp", "--root", "${workspaceFolder}")},
		},
		after: map[Scope]string{
			Project: "Enable the server acode in Cursor's settings.",
			User:    "Enable the server acode in Cursor's settings.",
		},
	},
	{
		Name: "mcp", Title: "any MCP client", Gives: "MCP tools, from the .mcp.json many clients read",
		targets: []target{{scope: Project, in: inRoot, path: ".mcp.json", settings: mcpServers("mcpServers", "mcp")}},
		after:   map[Scope]string{Project: "Start the client anew."},
	},
	{
		Name: "neovim", Title: "Neovim", Gives: "what agents have not read, shown in the editor",
		Snippet: func(p Program) string {
			return "-- in init.lua\nvim.lsp.config('acode_ls', " + neovimConfig(p) + ")\nvim.lsp.enable('acode_ls')\n"
		},
		targets: []target{{scope: User, in: inNeovim, path: "lsp/acode_ls.lua", text: neovimFile}},
		after:   map[Scope]string{User: "Put vim.lsp.enable('acode_ls') into init.lua."},
	},
	{
		Name: "codex", Title: "Codex", Gives: "MCP tools",
		Snippet: func(p Program) string {
			return fmt.Sprintf("# in ~/.codex/config.toml\n[mcp_servers.acode]\ncommand = %s\nargs = [\"mcp\"]\n", quoteJSON(p.Path))
		},
	},
	{
		Name: "helix", Title: "Helix", Gives: "what agents have not read, shown in the editor",
		Snippet: func(p Program) string {
			return fmt.Sprintf(`# in languages.toml of Helix's configuration
[language-server.acode-ls]
command = %s
args = ["serve"]

# and for each language, beside the servers it has
[[language]]
name = "go"
language-servers = ["gopls", "acode-ls"]
`, quoteJSON(p.Path))
		},
	},
	{
		Name: "zed", Title: "Zed", Gives: "MCP tools; it takes language servers from extensions alone",
		Snippet: func(p Program) string {
			d := &document{eol: "\n", unit: "  "}
			return "// in Zed's settings.json\n" + d.render(mcpServers("context_servers", "mcp")(p), "", false) + "\n"
		},
	},
}

func inRoot(p Places) string   { return p.Root }
func inHome(p Places) string   { return p.Home }
func inClaude(p Places) string { return p.Claude }
func inNeovim(p Places) string { return p.Neovim }

// serverName is the name of the MCP server in all settings.
const serverName = "acode"

func mcpServers(key string, args ...string) func(Program) object {
	return func(p Program) object {
		return object{{key, object{{serverName, server{{"command", p.command()}, {"args", list(args)}}}}}}
	}
}

func vscodeServers(p Program) object {
	return object{{"servers", object{{serverName, server{
		{"type", "stdio"}, {"command", p.command()}, {"args", list([]string{"mcp", "--root", "${workspaceFolder}"})},
	}}}}}
}

// claudeHooks has timeouts in seconds.
func claudeHooks(p Program) object {
	tools := Tools["claude"]
	run := object{{"type", "command"}, {"command", p.hook()}, {"timeout", 10}}
	return object{{"hooks", events{
		{"PreToolUse", matched(matcher(tools.Writing), run)},
		{"PostToolUse", matched(matcher(tools.Reading, tools.Writing), run)},
		{"UserPromptSubmit", matched("", run)},
		{"SessionStart", matched("", run)},
		{"SessionEnd", matched("", run)},
	}}}
}

// vscodeHooks has timeouts in seconds. VS Code has no matchers, and no event
// for the end of a session.
func vscodeHooks(p Program) object {
	run := object{{"type", "command"}, {"command", p.hook()}, {"timeout", 10}}
	return object{{"hooks", events{
		{"PreToolUse", run}, {"PostToolUse", run}, {"UserPromptSubmit", run}, {"SessionStart", run},
	}}}
}

// geminiSettings has timeouts in milliseconds.
func geminiSettings(p Program) object {
	tools := Tools["gemini"]
	run := object{{"name", serverName}, {"type", "command"}, {"command", p.hook()}, {"timeout", 10_000}}
	hooks := events{
		{"BeforeTool", matched(matcher(tools.Writing), run)},
		{"AfterTool", matched(matcher(tools.Reading, tools.Writing), run)},
		{"BeforeAgent", matched("", run)},
		{"SessionStart", matched("", run)},
		{"SessionEnd", matched("", run)},
	}
	return append(object{{"hooks", hooks}}, mcpServers("mcpServers", "mcp")(p)...)
}

func (p Program) hook() string { return p.word() + hookSuffix }

func matcher(tools ...[]string) string {
	var all []string
	for _, t := range tools {
		all = append(all, t...)
	}
	return strings.Join(all, "|")
}

// matched runs a hook for some tools, or for all events if matcher is "".
func matched(matcher string, run object) object {
	group := object{{"hooks", array{run}}}
	if matcher != "" {
		group = append(object{{"matcher", matcher}}, group...)
	}
	return group
}

func list(words []string) array {
	var a array
	for _, w := range words {
		a = append(a, w)
	}
	return a
}

// mark begins each file that is ours as a whole.
const mark = "-- Made by acode-ls init, which rewrites and removes this file while this line stands.\n"

func neovimFile(p Program) string {
	return mark + "\n---@type vim.lsp.Config\nreturn " + neovimConfig(p) + "\n"
}

func neovimConfig(p Program) string {
	quote := strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\r", `\r`).Replace
	return `{
  cmd = { '` + quote(p.Path) + `', 'serve' },
  root_markers = { '.acode', '.git' },
  workspace_required = true,
  settings = { acode = vim.empty_dict() },
}`
}
