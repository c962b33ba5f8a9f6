package hook

import (
	"fmt"
	"os"
)

// change is what a tool does to one file. With none of content, edits, lines
// and deletes it is not known what.
type change struct {
	path    string
	content *string // the whole text
	edits   []textEdit
	lines   *lineEdit // that it changes, it is not known how
	deletes bool
	texts   []string // what the agent wrote
}

// textEdit and lineEdit are edits of acode/edit.
type (
	textEdit struct {
		Old string `json:"oldText"`
		New string `json:"newText"`
		All bool   `json:"replaceAll,omitempty"`
	}
	lineEdit struct {
		First int    `json:"startLine"`
		Last  int    `json:"endLine"`
		New   string `json:"newText"`
	}
)

// changes returns what the tool does, file by file.
func (c *call) changes() ([]change, error) {
	path, named := c.input.text(c.tool.path)
	written, _ := c.input.text(c.tool.text)
	if !named && c.tool.does != patches && c.tool.list == "" {
		return nil, fmt.Errorf("%s names no file in %s", c.event.tool, c.tool.path)
	}
	switch c.tool.does {
	case edits:
		return c.replacements(path)
	case writes:
		if written, named = c.input.text(c.tool.text); !named {
			return nil, fmt.Errorf("%s has no %s", c.event.tool, c.tool.text)
		}
		return []change{{path: path, content: &written, texts: []string{written}}}, nil
	case merges:
		return []change{{path: path, texts: []string{written}}}, nil
	case patches:
		return parsePatch(written)
	case notebook:
		return c.cellChange(path)
	}
	return nil, nil
}

// replacements returns the changes of a tool that replaces texts, of which
// those of one file belong together.
func (c *call) replacements(path string) ([]change, error) {
	list := []object{c.input}
	if c.tool.list != "" {
		list = c.input.list(c.tool.list)
	}
	var out []change
	at := map[string]int{}
	for i, o := range list {
		old, isOld := o.text(c.tool.from)
		text, isNew := o.text(c.tool.to)
		own, isNamed := o.text(c.tool.path)
		if !isNamed {
			own = path
		}
		if !isOld || !isNew || own == "" {
			return nil, fmt.Errorf("edit %d of %s lacks its file, %s or %s", i+1, c.event.tool, c.tool.from, c.tool.to)
		}
		if _, met := at[own]; !met {
			at[own] = len(out)
			out = append(out, change{path: own})
		}
		known := &out[at[own]]
		known.edits = append(known.edits, textEdit{old, text, c.tool.all != "" && o.flag(c.tool.all)})
		known.texts = append(known.texts, text)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s has no %s", c.event.tool, c.tool.list)
	}
	return out, nil
}

// regular reports whether path is a regular file.
func regular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
