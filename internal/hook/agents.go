package hook

// kind is what an event of an agent means.
type kind int

const (
	unknown  kind = iota
	before        // a tool is about to run
	after         // a tool has run
	round         // a turn of the agent begins
	start         // a session, or a sub-agent
	end           // likewise
	unheeded      // nothing follows from it
)

// meaning is what a tool does.
type meaning int

const (
	other    meaning = iota // nothing to files that the guard could judge
	reads                   // shows lines of files: searches and shells too
	edits                   // replaces texts
	writes                  // writes a file whole
	merges                  // changes a file in a way that the event does not tell
	patches                 // applies a patch
	notebook                // changes a cell
)

// agent is a program whose hooks are understood.
type agent struct {
	name   string
	answer form
	events []namedKind
	tools  []tool
}

type namedKind struct {
	name string
	kind kind
}

// form is how an agent wants to be answered.
type form int

const (
	permission form = iota // hookSpecificOutput.permissionDecision
	decision               // decision and reason
)

// tool says what a tool does and how its input is written. Names of input
// members that differ between versions are separated by "|".
type tool struct {
	name string
	does meaning
	path string // of the file
	// list is the edits, where there may be several: objects with the members
	// below, and path if each names a file.
	list           string
	from, to, all  string // the old text, the new one, and whether to replace it everywhere
	text           string // of the file, the patch or the cell
	cell, mode     string // which cell, and what to do to it
	shows          func(*call) []piece
	line           string // the first line asked for
	longest        int    // UTF-16 units of output; of more the model is shown a part, which the event does not tell
	command, where string // of a shell
}

const (
	claude = iota
	vscode
	gemini
)

// agents is what is known of agents: the one place to look when a new version
// calls something by another name.
var agents = [...]agent{
	claude: {
		name: "claude-code",
		events: []namedKind{
			{"PreToolUse", before}, {"PostToolUse", after}, {"UserPromptSubmit", round},
			{"SessionStart", start}, {"SessionEnd", end}, {"SubagentStart", start}, {"SubagentStop", end},
			{"PreCompact", unheeded}, {"PostToolUseFailure", unheeded}, {"Stop", unheeded}, {"Notification", unheeded},
			{"PermissionRequest", unheeded}, {"PostCompact", unheeded},
		},
		tools: []tool{
			{name: "Read", does: reads, path: "file_path", line: "offset", shows: readByClaude},
			{name: "Grep", does: reads, path: "path", shows: foundByClaude, longest: 20_000},
			{name: "Bash", does: reads, command: "command", shows: ranByClaude, longest: 30_000},
			{name: "Edit", does: edits, path: "file_path", from: "old_string", to: "new_string", all: "replace_all"},
			{name: "MultiEdit", does: edits, path: "file_path", list: "edits", from: "old_string", to: "new_string", all: "replace_all"},
			{name: "Write", does: writes, path: "file_path", text: "content"},
			{name: "NotebookEdit", does: notebook, path: "notebook_path", cell: "cell_id", mode: "edit_mode", text: "new_source"},
			{name: "Glob"}, {name: "LS"}, {name: "Task"}, {name: "Agent"}, {name: "TodoWrite"}, {name: "WebFetch"}, {name: "WebSearch"},
			{name: "BashOutput"}, {name: "KillShell"}, {name: "ExitPlanMode"}, {name: "AskUserQuestion"}, {name: "Skill"}, {name: "SlashCommand"},
		},
	},
	vscode: {
		name: "vscode",
		events: []namedKind{
			{"PreToolUse", before}, {"PostToolUse", after}, {"UserPromptSubmit", round},
			{"SessionStart", start}, {"SubagentStart", start}, {"SubagentStop", end},
			{"PreCompact", unheeded}, {"Stop", unheeded},
		},
		tools: []tool{
			{name: "read_file", does: reads, path: "filePath", line: "startLine|offset", shows: readByVSCode},
			{name: "grep_search", does: reads, shows: foundByVSCode},
			{name: "run_in_terminal", does: reads, command: "command", shows: ranByVSCode},
			{name: "replace_string_in_file", does: edits, path: "filePath", from: "oldString", to: "newString"},
			{name: "multi_replace_string_in_file", does: edits, path: "filePath", list: "replacements", from: "oldString", to: "newString"},
			{name: "create_file", does: writes, path: "filePath", text: "content"},
			{name: "insert_edit_into_file", does: merges, path: "filePath", text: "code"},
			{name: "apply_patch", does: patches, text: "input"},
			{name: "edit_notebook_file", does: notebook, path: "filePath", cell: "cellId", mode: "editType", text: "newCode"},
			{name: "create_directory"}, {name: "file_search"}, {name: "semantic_search"}, {name: "list_dir"}, {name: "get_errors"},
			{name: "get_terminal_output"}, {name: "manage_todo_list"}, {name: "fetch_webpage"}, {name: "runSubagent"}, {name: "run_notebook_cell"},
		},
	},
	gemini: {
		name:   "gemini-cli",
		answer: decision,
		events: []namedKind{
			{"BeforeTool", before}, {"AfterTool", after}, {"BeforeAgent", round},
			{"SessionStart", start}, {"SessionEnd", end},
			{"AfterAgent", unheeded}, {"BeforeModel", unheeded}, {"AfterModel", unheeded},
			{"BeforeToolSelection", unheeded}, {"PreCompress", unheeded}, {"Notification", unheeded},
		},
		tools: []tool{
			{name: "read_file", does: reads, path: "file_path|absolute_path", shows: readByGemini},
			{name: "read_many_files", does: reads, shows: readManyByGemini},
			{name: "grep_search", does: reads, where: "dir_path|path", shows: foundByGemini},
			{name: "search_file_content", does: reads, where: "dir_path|path", shows: foundByGemini},
			{name: "run_shell_command", does: reads, command: "command", where: "dir_path|directory", shows: ranByGemini, longest: 40_000},
			{name: "replace", does: edits, path: "file_path", from: "old_string", to: "new_string", all: "allow_multiple|expected_replacements"},
			{name: "write_file", does: writes, path: "file_path", text: "content"},
			{name: "list_directory"}, {name: "glob"}, {name: "google_web_search"}, {name: "web_fetch"}, {name: "save_memory"}, {name: "write_todos"},
		},
	},
}

func (a *agent) kind(event string) kind {
	for _, e := range a.events {
		if e.name == event {
			return e.kind
		}
	}
	return unknown
}

func (a *agent) tool(name string) (tool, bool) {
	for _, t := range a.tools {
		if t.name == name {
			return t, true
		}
	}
	return tool{}, false
}

// toolOf returns the tool of an event. VS Code and Claude Code are known apart
// by little, so a tool that one does not have may be the other's.
func (e event) toolOf() (tool, bool) {
	t, ok := e.agent.tool(e.tool)
	for i := range agents {
		if !ok && agents[i].kind(e.name) == e.agent.kind(e.name) {
			t, ok = agents[i].tool(e.tool)
		}
	}
	return t, ok
}
