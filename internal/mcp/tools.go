package mcp

import (
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// tool is a tool as clients see it, and what carries it out.
type tool struct {
	name, title string
	description string // for a model: what it does, units and bases, what to do when something is missing
	input       []member
	result      schema
	hints       hints
	lane        lane
	output      string // name as which its output is cut; "" if that is not done here
	arguments   func(*arguments) run
}

type hints struct{ readOnly, destructive, idempotent, openWorld bool }

var (
	reads   = hints{readOnly: true, idempotent: true}
	changes = hints{destructive: true}
	settles = hints{destructive: true, idempotent: true}
)

// prepare returns what carries out a call, or what is wrong with its arguments.
func (t tool) prepare(a *arguments) (run, error) {
	r := t.arguments(a)
	return r, a.end()
}

func (t tool) declaration() *sdk.Tool {
	return &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.description,
		InputSchema: object(t.input...).raw(), OutputSchema: t.result.raw(),
		Annotations: &sdk.ToolAnnotations{
			Title: t.title, ReadOnlyHint: t.hints.readOnly, DestructiveHint: &t.hints.destructive,
			IdempotentHint: t.hints.idempotent, OpenWorldHint: &t.hints.openWorld,
		},
	}
}

const (
	paths   = "Paths are relative to the workspace root, or absolute inside it. "
	cut     = "Long output is cut: markers say what is missing, and output that is far too long becomes an artifact, of which get_artifact fetches parts. "
	guarded = "Lines that you have not read are not changed: the result is then an error whose first line says which lines to read, followed by these lines if they are few; read them, and send the edit again. "
)

var executeTool = tool{
	name: "execute_command", title: "Run a command",
	description: "Runs a command in a shell and returns what it prints, standard output and standard error together. " +
		"Standard input is empty, and the process group of the command ends with it (processes that start a session of their own do not). A status other than 0 stands in the last line. " + cut,
	input: []member{must("command", aString("Command line for the shell.")),
		may("cwd", aString("Folder to run it in, inside the workspace. The root if left out.")),
		may("timeout_ms", integer(1, maxTimeout).said("Milliseconds after which it is killed. 120000 if left out."))},
	result: commandResult,
	hints:  hints{destructive: true, openWorld: true}, lane: running, output: "execute_command", arguments: executeCommand,
}

// tools are all there are, in the order in which a reader meets them.
var tools = []tool{
	{
		name: "read_file", title: "Read a file",
		description: "Reads a text file, or lines of it. The lines shown whole count as read, and only such lines can be edited. " +
			"A long text keeps its start and its end, with a marker between them that names the lines left out and what they declare: read those by start_line and end_line. " +
			"Lines are 1-based, both ends included; bytes are 0-based and half-open, for lines too long to be shown. Secrets are masked. " + paths,
		input: []member{must("path", aString("File to read.")),
			may("start_line", integer(1, 0).said("First line. The first of the file if left out.")),
			may("end_line", integer(1, 0).said("Last line. The last of the file if left out.")),
			may("start_byte", integer(0, 0).said("First byte, instead of lines.")),
			may("end_byte", integer(1, 0).said("Byte behind the last one."))},
		result: readResult, hints: reads, arguments: readFile,
	},
	{
		name: "edit_file", title: "Edit a file",
		description: "Replaces texts, or lines, of a file: all edits or none. By text, each old_text must be found exactly once in what the edits before it leave, unless replace_all is set. " +
			"By lines, numbers mean the file as it is now, both ends included; an end_line of start_line - 1 inserts before start_line. One call is either by text or by lines. " + guarded + paths,
		input: []member{must("path", aString("File to edit.")), must("edits", list(either(replaceText, replaceLines)).said("Edits, by text or by lines.")),
			may("expected_sha256", aString("SHA-256 of the file as read, in hexadecimal: if it has changed since, nothing is done.")),
			may("dry_run", aBoolean("Only say whether the edit would be allowed."))},
		result: verdictResult, hints: changes, arguments: editFile,
	},
	{
		name: "write_file", title: "Write a file",
		description: "Creates a file, or replaces all of it. The lines of an existing file that change must have been read. " + guarded + paths,
		input: []member{must("path", aString("File to write.")), must("content", aString("All of its text.")),
			may("expected_sha256", aString("SHA-256 of the file as read, in hexadecimal: if it has changed since, nothing is done."))},
		result: verdictResult, hints: settles, arguments: writeFile,
	},
	{
		name: "delete_file", title: "Delete a file or folder",
		description: "Deletes a file, which must have been read as a whole, or an empty folder (apply_workspace_edit deletes others, with options {\"recursive\":true}). " + guarded + paths,
		input:       []member{must("path", aString("File or folder to delete."))},
		result:      verdictResult, hints: changes, arguments: deleteFile,
	},
	{
		name: "rename_file", title: "Rename a file or folder",
		description: "Renames or moves a file, or a folder with all that is in it. A file that is in the way is replaced only with overwrite, and if it has been read as a whole. " + guarded + paths,
		input: []member{must("path", aString("File or folder to rename.")), must("new_path", aString("Its new path.")),
			may("overwrite", aBoolean("Replace a file that has that path."))},
		result: verdictResult, hints: changes, arguments: renameFile,
	},
	{
		name: "apply_workspace_edit", title: "Apply a workspace edit",
		description: "Applies a WorkspaceEdit of the Language Server Protocol to one or more files: all of it or nothing. " +
			"Lines and characters of positions are 0-based, characters in UTF-16 code units; documents are named by file URI or by path. " + guarded,
		input:  []member{must("edit", anyObject.said("WorkspaceEdit with changes or documentChanges, which may create, rename and delete files."))},
		result: verdictResult, hints: changes, arguments: applyWorkspaceEdit,
	},
	{
		name: "list_directory", title: "List a folder",
		description: "Lists what is in a folder, one entry a line: folders with a slash at the end, files with their size. What git ignores is left out. " + cut + paths,
		input: []member{may("path", aString("Folder to list. The root if left out.")),
			may("depth", integer(1, maxDepth).said("Levels of folders to go down. 1 if left out."))},
		result: listResult, hints: reads, lane: walking, output: "list_directory", arguments: listDirectory,
	},
	{
		name: "search_files", title: "Search files",
		description: "Searches the files that git does not ignore for a regular expression, line by line, and gives lines path:line:text, with path-line-text for context. " +
			"Lines shown whole count as read. " + cut + paths,
		input: []member{must("pattern", aString("Regular expression in RE2 syntax; (?i) at its start ignores case.")),
			may("path", aString("File or folder to search. The root if left out.")),
			may("glob", aString("Only files like this line of a .gitignore, such as *.go; !*.go is all others.")),
			may("context", integer(0, maxContext).said("Lines to show before and after each match. 0 if left out.")),
			may("max_results", integer(1, maxMatches).said("Matching lines at most. 1000 if left out."))},
		result: searchResult, hints: reads, lane: walking, output: "search_files", arguments: searchFiles,
	},
	{
		name: "git_diff", title: "Show changes",
		description: "Shows what git diff does: changes in the work tree, or with staged in the index, or since a revision. Lines of the new side that are shown whole count as read. " + cut + paths,
		input: []member{may("paths", list(anyString).said("Files and folders to look at. All if left out.")),
			may("base", aString("Revision to compare with, or a range a..b. The index if left out; with staged, HEAD.")),
			may("staged", aBoolean("Compare the index instead of the work tree."))},
		result: diffResult, hints: reads, lane: walking, output: "git_diff", arguments: gitDiff,
	},
	executeTool,
	executeTool.as("run_command"),
	{
		name: "get_artifact", title: "Get a part of an artifact",
		description: "Fetches a stored output, or a part of it: lines (1-based, both ends included), bytes (0-based, half-open) or what a JSONPath query finds; these exclude one another. " +
			"Lines of a file that was read count as read when they are shown whole. If there is no room for all, the last line says where to go on.",
		input: []member{must("id", aString("Id of the artifact, from its reference [Artifact: ID].")),
			may("start_line", integer(1, 0).said("First line.")), may("end_line", integer(1, 0).said("Last line.")),
			may("start_byte", integer(0, 0).said("First byte.")), may("end_byte", integer(1, 0).said("Byte behind the last one.")),
			may("query", aString("JSONPath of RFC 9535, for JSON."))},
		result: artifactResult, hints: reads, arguments: getArtifact,
	},
	{
		name: "list_artifacts", title: "List artifacts",
		description: "Lists the stored outputs of this session, the oldest first.",
		input: []member{may("cursor", aString("next_cursor of the page before.")),
			may("limit", integer(1, maxPage).said("Artifacts on a page. 100 if left out."))},
		result: artifactsResult, hints: reads, arguments: listArtifacts,
	},
	{
		name: "awareness_state", title: "What has been read",
		description: "Says which lines of which files you have read, and what has changed since. It reads nothing. " + paths,
		input:       []member{may("path", aString("One file to tell of. All that were read if left out."))},
		result:      stateResult, hints: reads, arguments: awarenessState,
	},
}

// as returns the tool under another name.
func (t tool) as(name string) tool {
	t.name = name
	t.description = "Another name of " + executeTool.name + ". " + t.description
	return t
}
