package main

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
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
// processes of agents find it: only then a command knows of the unsaved line.
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
	line := strconv.Itoa(strings.Count(small.text, "\n") + 1)
	var said []byte
	for until := time.Now().Add(patience / 3); time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
		edit := exec.Command(acode, "edit", "--root", e.folder, "--session", "bench-await", small.path,
			"--lines", line+"-"+line, "--text", "x", "--dry-run")
		// It is refused, with the line that must be read first.
		if said, _ = edit.CombinedOutput(); strings.Contains(string(said), unsaved) {
			return nil
		}
	}
	return fmt.Errorf("the server lets no process in: an edit of what is not saved answers %q", said)
}
