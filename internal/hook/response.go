package hook

import (
	"strings"
	"unicode/utf16"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/acode-ls/acode-ls/internal/shell"
)

// failed reports whether a response says that the tool has failed.
func failed(response jsontext.Value) bool {
	o := asObject(response)
	fault := string(o["error"])
	return fault != "" && fault != "null" && fault != `""` || o.flag("is_error|isError")
}

// cut reports whether a response says that the model is shown a part of it.
// Which part, it does not say.
func cut(response jsontext.Value) bool {
	o := asObject(response)
	for _, name := range []string{"persistedOutputPath", "rawOutputPath"} {
		if path, _ := o.text(name); path != "" {
			return true
		}
	}
	return o.number("persistedOutputSize", 0) > 0 || o.flag("truncated") ||
		strings.HasPrefix(strings.TrimLeft(plain(response), "\r\n"), "<persisted-output>")
}

// tooLong reports whether a text is longer than what the model is shown whole
// of the tool's output.
func (t tool) tooLong(text string) bool {
	return t.longest > 0 && len(text) > t.longest && len(utf16.Encode([]rune(text))) > t.longest
}

// responseObject returns the response if it is an object, else nil.
func (c *call) responseObject() object {
	return asObject(c.response)
}

// plain returns the text of a value: a string, or a list of strings and of
// objects with a text.
func plain(value jsontext.Value) string {
	var s string
	if len(value) > 0 && value[0] == '"' && decode(value, &s) == nil {
		return s
	}
	return strings.Join(parts(value), "")
}

// parts returns the texts of a list.
func parts(value jsontext.Value) []string {
	var list []jsontext.Value
	if len(value) == 0 || value[0] != '[' || decode(value, &list) != nil {
		return nil
	}
	var out []string
	for _, v := range list {
		if v[0] == '"' {
			out = append(out, plain(v))
		} else if s, ok := asObject(v).text("text"); ok {
			out = append(out, s)
		}
	}
	return out
}

// hits returns the pieces that the output of a search shows; path is what was
// searched if it is one file.
func (c *call) hits(path, output string) []piece {
	dir, err := c.folder()
	if err != nil {
		return nil
	}
	if c.tool.tooLong(output) {
		return nil
	}
	if full, err := c.absolute(path); path != "" && (err != nil || !regular(full)) {
		path = ""
	}
	return pieces(shell.Hits(dir, path, output))
}

// ran returns the pieces that the output of a shell command shows. A shell that
// the agent keeps may have changed to the folder it tells of by this very
// command, which began where agents begin.
func (c *call) ran(output string) []piece {
	command, ok := c.input.text(c.tool.command)
	dir, err := c.folder()
	if !ok || err != nil || c.tool.tooLong(output) {
		return nil
	}
	if where, ok := c.input.text(c.tool.where); ok && where != "" {
		if dir, err = c.absolute(where); err != nil {
			return nil
		}
	}
	shown := shell.Shown(dir, command, output)
	if root, err := c.findRoot(); len(shown) == 0 && err == nil && root != dir {
		shown = shell.Shown(root, command, output)
	}
	return pieces(shown)
}

func pieces(shown []shell.Piece) []piece {
	out := make([]piece, len(shown))
	for i, p := range shown {
		out[i] = piece{p.Path, p.StartLine, p.Text}
	}
	return out
}

// numbered returns the lines of a listing such as "    12→text", where a tab
// may stand for the arrow. What follows it is no part of it.
func numbered(path, listing string) []piece {
	listing = strings.TrimLeft(listing, "\n")
	start, _, ok := listed(listing)
	if !ok {
		return nil
	}
	var b strings.Builder
	next := start
	for full := range strings.Lines(listing) {
		n, text, ok := listed(full)
		if !ok || n != next {
			break
		}
		b.WriteString(text)
		next++
	}
	return []piece{{path, start, b.String()}}
}

func listed(full string) (n int, text string, ok bool) {
	label := strings.TrimLeft(full, " ")
	digits := len(label) - len(strings.TrimLeft(label, "0123456789"))
	if digits == 0 || digits > 9 {
		return 0, "", false
	}
	text, ok = strings.CutPrefix(label[digits:], "→")
	if !ok {
		text, ok = strings.CutPrefix(label[digits:], "\t")
	}
	for _, d := range label[:digits] {
		n = n*10 + int(d-'0')
	}
	return n, text, ok
}

// cutLines returns at most n lines of text; 0 or less means all.
func cutLines(text string, n int) string {
	if n <= 0 {
		return text
	}
	end := 0
	for range n {
		next := strings.IndexByte(text[end:], '\n')
		if next < 0 {
			return text
		}
		end += next + 1
	}
	return text[:end]
}

// span returns the two numbers of "head A-B" or "head A to B", wherever it
// stands in s.
func span(s, head, between string) (first, last int, ok bool) {
	_, rest, ok := strings.Cut(s, head)
	if !ok {
		return 0, 0, false
	}
	first, rest = leadingNumber(rest)
	rest, ok = strings.CutPrefix(rest, between)
	last, _ = leadingNumber(rest)
	return first, last, ok && 0 < first && first <= last
}

func leadingNumber(s string) (int, string) {
	n, i := 0, 0
	for ; i < len(s) && i < 9 && '0' <= s[i] && s[i] <= '9'; i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n, s[i:]
}
