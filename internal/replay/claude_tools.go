package replay

import "strings"

// result is what came of one call of a tool of Claude Code.
type result struct {
	c     *claude
	chain string
	call  contentBlock
	text  string

	// The arguments of the call.
	asked struct {
		FilePath     string `json:"file_path"`
		NotebookPath string `json:"notebook_path"`
		Path         string
		Command      string
		Content      *string
		stringEdit
		Edits []stringEdit
	}

	// What the result tells beside its text.
	told struct {
		Type      string
		File      *shownFile
		FilePath  string
		Original  *string `json:"originalFile"`
		Originals *string `json:"originalFileContents"`
		Content   *string
		OldString *string
		NewString string
		All       bool        `json:"replaceAll"`
		Altered   bool        `json:"userModified"`
		Patch     []patchHunk `json:"structuredPatch"`
		Edits     []stringEdit

		NotebookPath string  `json:"notebook_path"`
		Before       *string `json:"original_file"`
		After        *string `json:"updated_file"`

		Stdout      *string
		Interrupted bool
	}
}

type stringEdit struct {
	Old string `json:"old_string"`
	New string `json:"new_string"`
	All bool   `json:"replace_all"`
}

func (e stringEdit) replacement() replacement {
	return replacement{clean(e.Old), clean(e.New), e.All}
}

// shownFile is what a read tells of a file.
type shownFile struct {
	FilePath   string
	Content    *string
	StartLine  int
	TotalLines int
}

func (f *shownFile) event(c *claude, chain, tool string) *event {
	if f.Content == nil || f.FilePath == "" {
		return nil
	}
	return &event{
		chain: chain, tool: tool, path: c.absolute(f.FilePath), sure: true,
		pieces: run(max(f.StartLine, 1), split(*f.Content)),
		total:  min(max(f.TotalLines, 0), maxLines),
	}
}

// read makes events of a result. A conversation that begins in the middle has
// results of calls it does not have, so what a result tells goes first.
func (r *result) read() {
	switch {
	case r.told.File != nil:
		r.readFile()
	case r.told.NotebookPath != "" && r.told.Before != nil && r.told.After != nil:
		r.notebook()
	case r.told.FilePath != "" && (r.told.OldString != nil || len(r.told.Edits) > 0):
		r.edit(r.told.FilePath)
	case r.told.FilePath != "" && r.told.Content != nil:
		r.write(r.told.FilePath, *r.told.Content)
	default:
		r.byName()
	}
}

// byName reads a result that only its text tells.
func (r *result) byName() {
	switch r.call.Name {
	case "Read":
		r.c.show(r.chain, "Read", r.asked.FilePath, numbered(r.text, ""), true)
	case "Edit", "MultiEdit":
		if r.asked.FilePath != "" {
			r.edit(r.asked.FilePath)
		}
	case "Write":
		if r.asked.FilePath != "" && r.asked.Content != nil {
			r.write(r.asked.FilePath, *r.asked.Content)
		}
	case "Grep":
		r.output(&output{path: r.asked.Path, text: r.text})
	case "Bash":
		if r.told.Stdout != nil {
			r.text = *r.told.Stdout
		}
		if !r.told.Interrupted && r.asked.Command != "" {
			r.output(&output{command: r.asked.Command, text: r.text})
		}
	}
}

func (r *result) output(o *output) {
	o.dir = r.call.cwd
	if o.path != "" {
		o.path = r.c.absolute(o.path)
	}
	o.text = clean(o.text)
	r.c.add(&event{chain: r.chain, tool: r.call.Name, output: o})
}

func (r *result) readFile() {
	f := r.told.File
	if r.told.Type == "notebook" {
		r.c.add(&event{chain: r.chain, tool: "Read", path: r.c.absolute(f.FilePath), all: f.FilePath != ""})
		return
	}
	r.c.add(f.event(r.c, r.chain, "Read"))
}

// edit is an Edit or a MultiEdit.
func (r *result) edit(path string) {
	e := &edit{patch: r.told.Patch, altered: r.told.Altered, snippet: numbered(r.text, "")}
	switch {
	case len(r.told.Edits) > 0:
		e.texts = replacements(r.told.Edits)
	case r.told.OldString != nil:
		e.texts = replacements([]stringEdit{{*r.told.OldString, r.told.NewString, r.told.All}})
	case len(r.asked.Edits) > 0:
		e.texts = replacements(r.asked.Edits)
	default:
		e.texts = replacements([]stringEdit{r.asked.stringEdit})
	}
	whole := r.told.Original
	if whole == nil {
		whole = r.told.Originals
	}
	tool := "Edit"
	if len(e.texts) > 1 {
		tool = "MultiEdit"
	}
	if len(e.texts) == 1 && e.texts[0].old == "" && (whole == nil || *whole == "") {
		r.write(path, e.texts[0].new) // how this tool creates a file
		return
	}
	r.c.add(&event{chain: r.chain, tool: tool, path: r.c.absolute(path), whole: whole, edit: e})
	r.c.show(r.chain, tool, path, e.snippet, false)
}

func replacements(edits []stringEdit) []replacement {
	out := make([]replacement, len(edits))
	for i, e := range edits {
		out[i] = e.replacement()
	}
	return out
}

func (r *result) write(path, content string) {
	created := r.told.Type == "create" || r.told.Type == "" && strings.HasPrefix(r.text, "File created successfully")
	e := &edit{content: &content, patch: r.told.Patch, created: created}
	r.c.add(&event{chain: r.chain, tool: "Write", path: r.c.absolute(path), whole: r.told.Original, edit: e})
}

func (r *result) notebook() {
	e := &edit{content: r.told.After}
	r.c.add(&event{chain: r.chain, tool: "NotebookEdit", path: r.c.absolute(r.told.NotebookPath), whole: r.told.Before, edit: e})
}
