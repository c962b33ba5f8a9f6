package hook

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/acode-ls/acode-ls/internal/text"
)

// cell is a cell of a Jupyter notebook. Its lines are those of the file that
// hold its source, which is what agents see and change of it.
type cell struct {
	id          string
	source      string
	first, last int // 0 if other members stand on the same lines
}

// maxNotebook is the size in bytes from which a notebook is not looked into.
const maxNotebook = 16 << 20

// readNotebook returns the cells of the notebook at path and its lines.
func readNotebook(path string) ([]cell, text.Lines, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, text.Lines{}, fmt.Errorf("reading the notebook: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxNotebook {
		return nil, text.Lines{}, fmt.Errorf("the notebook %s is no file of at most %d bytes", path, maxNotebook)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, text.Lines{}, fmt.Errorf("reading the notebook: %w", err)
	}
	lines := text.Split(string(data))
	cells, err := parseCells(data, lines)
	if err != nil {
		return nil, lines, fmt.Errorf("reading the notebook %s: %w", path, err)
	}
	return cells, lines, nil
}

func parseCells(data []byte, lines text.Lines) ([]cell, error) {
	d := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	var cells []cell
	err := members(d, func(name string, _ int) error {
		if name != "cells" || d.PeekKind() != '[' {
			return d.SkipValue()
		}
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		for d.PeekKind() != ']' {
			c, err := parseCell(d, lines)
			if err != nil {
				return err
			}
			cells = append(cells, c)
		}
		_, err := d.ReadToken()
		return err
	})
	return cells, err
}

func parseCell(d *jsontext.Decoder, lines text.Lines) (cell, error) {
	var c cell
	err := members(d, func(name string, start int) error {
		value, err := d.ReadValue()
		if err != nil {
			return err
		}
		switch name {
		case "id":
			err = decode(value, &c.id)
		case "source":
			c.source = joined(value)
			c.first, c.last = alone(lines, start, int(d.InputOffset()))
		}
		return err
	})
	return c, err
}

// members calls read for each member of the object that d is at; start is the
// byte offset of its name.
func members(d *jsontext.Decoder, read func(name string, start int) error) error {
	if d.PeekKind() != '{' {
		return d.SkipValue()
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != '}' {
		name, err := d.ReadValue()
		if err != nil {
			return err
		}
		var s string
		if err := decode(name, &s); err != nil {
			return err
		}
		if err := read(s, int(d.InputOffset())-len(name)); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

// joined returns the source of a cell, which is a string or a list of them.
func joined(value jsontext.Value) string {
	var parts []string
	var whole string
	if decode(value, &whole) == nil {
		return whole
	}
	if decode(value, &parts) == nil {
		return strings.Join(parts, "")
	}
	return ""
}

// alone returns the lines from byte start to end if nothing else stands on
// them.
func alone(lines text.Lines, start, end int) (first, last int) {
	first, last = lines.LineAt(start), lines.LineAt(end-1)
	head := lines.Text()[lines.Start(first):start]
	tail := lines.Text()[end:lines.Start(last+1)]
	if strings.TrimLeft(head, " \t") != "" || strings.Trim(tail, " \t,\r\n") != "" {
		return 0, 0
	}
	return first, last
}

// find returns the cell that an agent calls id: by its own, or by its place.
func find(cells []cell, id string) (cell, bool) {
	for _, c := range cells {
		if c.id != "" && c.id == id {
			return c, true
		}
	}
	n, err := strconv.Atoi(strings.TrimPrefix(id, "cell-"))
	if err != nil || n < 0 || len(cells) <= n {
		return cell{}, false
	}
	return cells[n], true
}

// cellChange returns the change of a cell. A new one changes no line, and what
// cannot be told apart from other cells is the tool's to refuse.
func (c *call) cellChange(path string) ([]change, error) {
	if c.agent.kind(c.name) == after {
		return []change{{path: path}}, nil
	}
	if mode, _ := c.input.text(c.tool.mode); mode == "insert" {
		return nil, nil
	}
	full, err := c.absolute(path)
	if err != nil {
		return nil, err
	}
	cells, _, err := readNotebook(full)
	if err != nil {
		return nil, err
	}
	id, _ := c.input.text(c.tool.cell)
	target, ok := find(cells, id)
	if !ok || target.first == 0 {
		return nil, nil
	}
	return []change{{path: path, lines: &lineEdit{First: target.first, Last: target.last}}}, nil
}

// cellWritten returns the lines of the cell that the agent wrote.
func (c *call) cellWritten() []piece {
	source, _ := c.input.text(c.tool.text)
	id, ok := c.responseObject().text(c.tool.cell)
	if !ok {
		id, _ = c.input.text(c.tool.cell)
	}
	path, _ := c.input.text(c.tool.path)
	return c.cells(path, []shownCell{{id, source}})
}

// shownCell is a cell as an agent was shown it.
type shownCell struct{ id, source string }

// cells returns the lines of the cells that were shown and are still the same.
func (c *call) cells(path string, shown []shownCell) []piece {
	full, err := c.absolute(path)
	if err != nil {
		return nil
	}
	cells, lines, err := readNotebook(full)
	if err != nil {
		return nil
	}
	var out []piece
	for _, s := range shown {
		if own, ok := find(cells, s.id); ok && own.first > 0 && own.source == s.source {
			out = append(out, piece{path, own.first, lines.Span(own.first, own.last)})
		}
	}
	return out
}
