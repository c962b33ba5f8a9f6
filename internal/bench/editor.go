package main

import (
	"errors"
	"fmt"
	"time"
)

// editor is a running acode-ls serve, as an editor starts it.
type editor struct {
	*client
	folder string
}

// unsaved is a line that only the editor's buffer of the small document has, as
// its last.
const unsaved = "// unsaved"

// openEditor starts a server for a folder made by generate and waits until
// processes of agents find it: only then a hook knows of the unsaved line.
func (b *bench) openEditor(folder string, small document) (*editor, error) {
	path, err := findProgram(b.acode)
	if err != nil {
		return nil, errNotHere
	}
	c, _, err := server{kind: subject, argv: []string{path, "serve"}}.start(folder)
	if err != nil {
		return nil, err
	}
	e := &editor{c, folder}
	err = e.notify("textDocument/didOpen", object{"textDocument": object{
		"uri": small.uri(), "languageId": "go", "version": 1, "text": small.text + unsaved + "\n",
	}})
	if err == nil {
		err = e.awaitAgents(path, small)
	}
	if err != nil {
		e.close()
		return nil, err
	}
	return e, nil
}

func (e *editor) awaitAgents(acode string, small document) error {
	event := hookEvent{name: "PreToolUse", tool: "Edit", want: unsaved, // as the line that must be read first
		input: object{"file_path": small.path, "old_string": unsaved, "new_string": "// changed"}}
	var err error
	for until := time.Now().Add(patience / 3); time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
		if _, err = event.run([]string{acode, "hook"}, e.folder, "bench-await"); err == nil {
			return nil
		}
		if !errors.Is(err, errUnexpected) {
			return err
		}
	}
	return fmt.Errorf("the server lets no process in: %w", err)
}
