package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rivo/uniseg"
)

// This file has a test see what a person sees: it runs a program in a terminal
// and reads the characters on the screen and how they look.

// screen is a program in a terminal of its own.
type screen struct {
	t           *testing.T
	columns     int
	socket      string // of a tmux that nobody else uses
	dir         string
	environment []string
}

// shown is what a screen showed at one moment: rows of cells, as many in each
// as the screen has columns.
type shown [][]cell

// cell is a place on the screen.
type cell struct {
	text string // a character with what combines with it; empty in the second half of a wide one
	style
}

// style is how a cell looks. A colour is "#rrggbb", an index of the terminal's
// palette in decimal, or empty for the terminal's own.
type style struct {
	fg, bg, special                    string // special is that of the line under the text
	underline                          string // "", "single", "double", "curly", "dotted" or "dashed"
	bold, dim, italic, reverse, strike bool
}

// startScreen runs a command in a terminal with true colour. The environment is
// all that the command gets, but for TERM.
func startScreen(t *testing.T, columns, rows int, dir string, environment []string, command ...string) *screen {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not here, which is the terminal of these tests: install it")
	}
	runtime, err := os.MkdirTemp("", "acode") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	s := &screen{t, columns, filepath.Join(runtime, "tmux"), dir, append(slices.Clone(environment), "LC_ALL=C.UTF-8", "COLORTERM=truecolor")}
	t.Cleanup(func() {
		if _, err := s.tmux("kill-server"); err != nil {
			t.Errorf("ending the terminal: %v", err)
		}
		os.RemoveAll(runtime)
	})
	_, err = s.tmux(append([]string{"start-server", ";",
		"set", "-g", "default-terminal", "tmux-256color", ";",
		"set", "-g", "remain-on-exit", "on", ";", // what a program said last stays
		"set", "-s", "escape-time", "0", ";",
		"new-session", "-d", "-x", strconv.Itoa(columns), "-y", strconv.Itoa(rows), "--"}, command...)...)
	if err != nil {
		t.Fatalf("starting the terminal: %v", err)
	}
	return s
}

// tmux runs a command of the screen's tmux and returns what it prints.
func (s *screen) tmux(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := exec.CommandContext(ctx, "tmux", append([]string{"-u", "-S", s.socket, "-f", os.DevNull}, args...)...)
	c.Dir, c.Env = s.dir, s.environment
	var out, said strings.Builder
	c.Stdout, c.Stderr = &out, &said
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("tmux %q: %w %s", args, err, said.String())
	}
	return out.String(), nil
}

// keys presses keys: names of tmux such as Enter, C-w or Down, or text, of
// which each character is a key. What follows Escape at once is Alt and a key
// to many programs, so await what Escape does first.
func (s *screen) keys(keys ...string) {
	s.t.Helper()
	for i, key := range keys {
		if strings.HasSuffix(key, ";") { // which would end the command
			keys[i] = strings.TrimSuffix(key, ";") + `\;`
		}
	}
	if _, err := s.tmux(append([]string{"send-keys", "--"}, keys...)...); err != nil {
		s.t.Fatalf("pressing keys: %v", err)
	}
}

// now returns what the screen shows.
func (s *screen) now() shown {
	s.t.Helper()
	out, err := s.tmux("capture-pane", "-p", "-e", "-N")
	if err != nil {
		s.t.Fatalf("reading the screen: %v", err)
	}
	now, err := parseScreen(out, s.columns)
	if err != nil {
		s.t.Fatalf("reading the screen: %v\n%q", err, out)
	}
	return now
}

// await waits until check finds nothing missing on the screen, and returns what
// it then showed.
func (s *screen) await(what string, check func(shown) string) shown {
	s.t.Helper()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	deadline := time.After(patience)
	for {
		now := s.now()
		missing := check(now)
		if missing == "" {
			return now
		}
		select {
		case <-again.C:
		case <-deadline:
			s.t.Fatalf("waited %v in vain for %s:\n%s\nThe screen shows:\n%s", patience, what, missing, now)
		}
	}
}

// awaitText waits until the screen shows a text within one row.
func (s *screen) awaitText(text string) shown {
	s.t.Helper()
	return s.await(strconv.Quote(text), func(now shown) string {
		if row, _ := now.find(text); row < 0 {
			return "it is not there"
		}
		return ""
	})
}

// String returns the text, without the blanks at the ends of rows.
func (s shown) String() string {
	var b strings.Builder
	for row := range s {
		fmt.Fprintln(&b, strings.TrimRight(s.row(row), " "))
	}
	return b.String()
}

// row returns the text of row n, which counts from 0.
func (s shown) row(n int) string {
	var b strings.Builder
	for _, c := range s[n] {
		b.WriteString(c.text)
	}
	return b.String()
}

// find returns the first row that shows a text and the cells that do, or -1.
func (s shown) find(text string) (row int, cells []cell) {
	for row, cells := range s {
		before, _, found := strings.Cut(s.row(row), text)
		if !found {
			continue
		}
		var start, end, at int
		for i, c := range cells {
			if at <= len(before) && c.text != "" {
				start = i
			}
			if at < len(before)+len(text) || c.text == "" && end == i {
				end = i + 1
			}
			at += len(c.text)
		}
		return row, cells[start:end]
	}
	return -1, nil
}

// styles returns the styles of cells that show more than a blank, each once.
func styles(cells []cell) []style {
	var all []style
	for _, c := range cells {
		if strings.TrimSpace(c.text) != "" && !slices.Contains(all, c.style) {
			all = append(all, c.style)
		}
	}
	return all
}

// parseScreen parses what tmux's capture-pane prints with -e. A style goes on
// until the next, past the ends of rows.
func parseScreen(captured string, columns int) (shown, error) {
	var rows shown
	var now style
	for line := range strings.Lines(captured) {
		rest := strings.TrimSuffix(line, "\n")
		var cells []cell
		for rest != "" {
			if sgr, ok := strings.CutPrefix(rest, "\x1b["); ok {
				params, behind, ok := strings.Cut(sgr, "m")
				if !ok || strings.Trim(params, "0123456789:;") != "" {
					return nil, fmt.Errorf("row %d: unknown escape sequence %.20q", len(rows), rest)
				}
				if err := now.change(params); err != nil {
					return nil, fmt.Errorf("row %d: %w", len(rows), err)
				}
				rest = behind
				continue
			}
			if rest[0] < ' ' {
				return nil, fmt.Errorf("row %d: unknown control sequence %.20q", len(rows), rest)
			}
			text, behind, width, _ := uniseg.FirstGraphemeClusterInString(rest, -1)
			cells = append(cells, cell{text, now})
			for range width - 1 {
				cells = append(cells, cell{"", now})
			}
			rest = behind
		}
		for len(cells) < columns {
			cells = append(cells, cell{text: " "})
		}
		if len(cells) > columns {
			return nil, fmt.Errorf("row %d has %d cells, but the screen has %d columns", len(rows), len(cells), columns)
		}
		rows = append(rows, cells)
	}
	return rows, nil
}

var underlines = map[string]string{"": "single", "0": "", "1": "single", "2": "double", "3": "curly", "4": "dotted", "5": "dashed"}

// change applies the parameters of one Select Graphic Rendition, as of ECMA-48
// with what xterm and kitty added.
func (s *style) change(params string) error {
	list := strings.Split(params, ";")
	for len(list) > 0 {
		code, sub, _ := strings.Cut(list[0], ":")
		list = list[1:]
		switch code {
		case "", "0":
			*s = style{}
		case "1":
			s.bold = true
		case "2":
			s.dim = true
		case "3":
			s.italic = true
		case "4":
			line, ok := underlines[sub]
			if !ok {
				return fmt.Errorf("unknown underline %q", sub)
			}
			s.underline = line
		case "7":
			s.reverse = true
		case "9":
			s.strike = true
		case "22":
			s.bold, s.dim = false, false
		case "23":
			s.italic = false
		case "24":
			s.underline = ""
		case "27":
			s.reverse = false
		case "29":
			s.strike = false
		case "39":
			s.fg = ""
		case "49":
			s.bg = ""
		case "59":
			s.special = ""
		case "38", "48", "58":
			// With colons the colour is all in one parameter and may name a
			// colour space, which is empty; with semicolons it is in the next.
			from := &list
			if sub != "" {
				parts := strings.Split(strings.Replace(sub, "2::", "2:", 1), ":")
				from = &parts
			}
			colour, err := takeColour(from)
			if err != nil {
				return err
			}
			*map[string]*string{"38": &s.fg, "48": &s.bg, "58": &s.special}[code] = colour
		default:
			n, err := strconv.Atoi(code)
			switch {
			case err == nil && 30 <= n && n <= 37:
				s.fg = strconv.Itoa(n - 30)
			case err == nil && 40 <= n && n <= 47:
				s.bg = strconv.Itoa(n - 40)
			case err == nil && 90 <= n && n <= 97:
				s.fg = strconv.Itoa(n - 90 + 8)
			case err == nil && 100 <= n && n <= 107:
				s.bg = strconv.Itoa(n - 100 + 8)
			default:
				return fmt.Errorf("unknown graphic rendition %q in %q", code, params)
			}
		}
	}
	return nil
}

// takeColour takes 5;N or 2;R;G;B off a list.
func takeColour(list *[]string) (string, error) {
	parts := *list
	switch {
	case len(parts) >= 2 && parts[0] == "5":
		*list = parts[2:]
		return parts[1], nil
	case len(parts) >= 4 && parts[0] == "2":
		*list = parts[4:]
		var rgb [3]byte
		for i, part := range parts[1:4] {
			n, err := strconv.ParseUint(part, 10, 8)
			if err != nil {
				return "", fmt.Errorf("colour %q: %w", parts, err)
			}
			rgb[i] = byte(n)
		}
		return fmt.Sprintf("#%02x%02x%02x", rgb[0], rgb[1], rgb[2]), nil
	}
	return "", fmt.Errorf("unknown colour %q", parts)
}

func TestParseScreen(t *testing.T) {
	plain := func(text string) []cell {
		var cells []cell
		for _, r := range text {
			cells = append(cells, cell{text: string(r)})
		}
		return cells
	}
	in := func(s style, text string) []cell {
		cells := plain(text)
		for i := range cells {
			cells[i].style = s
		}
		return cells
	}
	for name, test := range map[string]struct {
		captured string
		want     shown
	}{
		"plain, short rows are filled": {"abc\n\nabcd\n", shown{plain("abc "), plain("    "), plain("abcd")}},
		"no last line end":             {"abcd", shown{plain("abcd")}},
		"true colour":                  {"\x1b[38;2;255;0;16;48;2;1;2;3mab\x1b[39mcd", shown{slices.Concat(in(style{fg: "#ff0010", bg: "#010203"}, "ab"), in(style{bg: "#010203"}, "cd"))}},
		"palette":                      {"\x1b[31ma\x1b[97;102mb\x1b[38;5;208mc\x1b[0md", shown{slices.Concat(in(style{fg: "1"}, "a"), in(style{fg: "15", bg: "10"}, "b"), in(style{fg: "208", bg: "10"}, "c"), plain("d"))}},
		"attributes":                   {"\x1b[1;3;4;7;9ma\x1b[23;24;29mb\x1b[22;2;27mc\x1b[md", shown{slices.Concat(in(style{bold: true, italic: true, underline: "single", reverse: true, strike: true}, "a"), in(style{bold: true, reverse: true}, "b"), in(style{dim: true}, "c"), plain("d"))}},
		"underlines":                   {"\x1b[4:3;58:2::1:2:3ma\x1b[4:0;58;5;9mb\x1b[4:2;59mc\x1b[58:5:7md", shown{slices.Concat(in(style{underline: "curly", special: "#010203"}, "a"), in(style{special: "9"}, "b"), in(style{underline: "double"}, "c"), in(style{underline: "double", special: "7"}, "d"))}},
		"a style goes on":              {"\x1b[1mab  \nabcd\n", shown{in(style{bold: true}, "ab  "), in(style{bold: true}, "abcd")}},
		"wide and combined":            {"日e\u0301\n", shown{{{text: "日"}, {}, {text: "e\u0301"}, {text: " "}}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := parseScreen(test.captured, 4)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(cell{}, style{})); diff != "" {
				t.Errorf("parseScreen(%q) (-want +got):\n%s", test.captured, diff)
			}
		})
	}

	for _, unknown := range []string{"abcde", "\x1b[2Kab", "\x1b[1", "\x1b]8;;x\x1b\\", "\x0eq\x0f", "\x1b[77m", "\x1b[38;2;1m", "\x1b[38;2;1;2;256m", "\x1b[38;7;1m", "\x1b[4:9m"} {
		if got, err := parseScreen(unknown, 4); err == nil {
			t.Errorf("parseScreen(%q) = %v, want an error", unknown, got)
		}
	}
}

func TestFind(t *testing.T) {
	s, err := parseScreen("none\n│ 日\x1b[1m本 ab\x1b[0mc\n", 12)
	if err != nil {
		t.Fatal(err)
	}
	bold := style{bold: true}
	for text, want := range map[string][]cell{
		"本 a": {{"本", bold}, {"", bold}, {" ", bold}, {"a", bold}},
		"bc":  {{"b", bold}, {"c", style{}}},
		"│":   {{text: "│"}},
		"日":   {{text: "日"}, {}},
		"x":   nil,
	} {
		row, got := s.find(text)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(cell{}, style{})); diff != "" || (row == 1) != (want != nil) {
			t.Errorf("find(%q) is in row %d (-want +got):\n%s", text, row, diff)
		}
	}
}

// TestScreen looks at a stock Neovim.
func TestScreen(t *testing.T) {
	command := os.Getenv("ACODE_NVIM")
	if command == "" {
		t.Skip("ACODE_NVIM is not set: run make check, or set it to the Neovim that scripts/fetch-neovim prints")
	}
	e := &editor{t: t, root: realDir(t), home: realDir(t)}
	e.write("prices.go", "package prices\n\nvar sum = 12 // größer, 日本語\n")
	s := startScreen(t, 60, 12, e.root, e.environment(t.TempDir()),
		command, "--clean", "--cmd", "set number termguicolors",
		"-c", "highlight LineNr guifg=#102030", "-c", "highlight Comment guifg=#405060 gui=italic", "prices.go")
	now := s.awaitText("  3 var sum = 12 // größer, 日本語")
	if got := strings.TrimRight(now.row(0), " "); got != "  1 package prices" {
		t.Errorf("the first row is %q, want a line number and the first line", got)
	}
	for text, want := range map[string]style{
		"  3 ":        {fg: "#102030"},
		"größer, 日本語": {fg: "#405060", italic: true},
	} {
		row, cells := now.find(text)
		for i := range cells {
			cells[i].bg = "" // that of the colour scheme
		}
		if diff := cmp.Diff([]style{want}, styles(cells), cmp.AllowUnexported(style{})); diff != "" || row != 2 {
			t.Errorf("%q is in row %d, want 2; it looks (-want +got):\n%s", text, row, diff)
		}
	}

	if len(now) != 12 {
		t.Errorf("the screen has %d rows, want 12", len(now))
	}
	s.keys("G", "o", "x", ";", "y;", "Enter", "C-o", ":", "echo 6*7", "Enter")
	now = s.awaitText("42")
	if got := strings.TrimRight(now.row(3), " "); got != "  4 x;y;" {
		t.Errorf("the typed line is %q\n%s", got, now)
	}
}

// TestDrawn looks at the cells that a person sees: lines that the agent has not
// read are dimmed, with a sign, and are no more once it has.
func TestDrawn(t *testing.T) {
	command := os.Getenv("ACODE_NVIM")
	if command == "" {
		t.Skip("ACODE_NVIM is not set: run make check, or set it to the Neovim that scripts/fetch-neovim prints")
	}
	repository, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	lookAt(t, repository)
	p := &plugin{editor: &editor{t: t, bin: build(t), root: realDir(t), home: realDir(t), files: map[string]*file{}, patience: patience}}
	p.write(".git/HEAD", "ref: refs/heads/main\n")
	f := p.file("drawn.txt", numbered(60))
	s := startScreen(t, 80, 24, p.root, p.environment(p.bin), command, "--clean",
		"--cmd", "set runtimepath^="+filepath.Join(repository, "editors", "neovim"),
		"--cmd", "set termguicolors number noswapfile shortmess+=I",
		"--cmd", "lua vim.lsp.enable('acode_ls')", "-c", "set statusline=%f\\ %{v:lua.require'acode'.status()}.", f.name)
	s.awaitText("line 0001")
	p.connect()
	p.call("read_file", object{"path": f.name, "start_line": 1, "end_line": 10})
	s.awaitText("drawn.txt agent 17%.")
	s.awaitText("not read by the agent: 50 lines")

	look := func(n int) style {
		t.Helper()
		_, cells := s.now().find(fmt.Sprintf("line %04d", n))
		if cells == nil {
			t.Fatalf("line %d is not on the screen:\n%s", n, s.now())
		}
		all := styles(cells)
		if len(all) != 1 {
			t.Fatalf("line %d has %d looks, want one", n, len(all))
		}
		return all[0]
	}
	if read, unread := look(10), look(11); read == unread || look(1) != read || look(20) != unread {
		t.Errorf("line 1 looks like %+v, 10 like %+v, 11 like %+v, 20 like %+v; want the first two alike, and the last two", look(1), read, unread, look(20))
	}
	for n, sign := range map[int]bool{10: false, 11: true, 20: true} {
		row, _ := s.now().find(fmt.Sprintf("line %04d", n))
		if got := strings.HasPrefix(s.now().row(row), "┊"); got != sign {
			t.Errorf("line %d has a sign: %v, want %v", n, got, sign)
		}
	}
	plain := look(10)
	p.call("read_file", object{"path": f.name})
	s.awaitText("drawn.txt agent 100%.")
	s.await("line 11 to look as if read", func(shown) string {
		if got := look(11); got != plain {
			return fmt.Sprintf("it looks like %+v", got)
		}
		return ""
	})
}
