// Package e2e holds the tests that run the real program under a real editor.
// They follow the stories of one afternoon, not the corners: those have tests
// beside the code.
package e2e

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestNeovim drives a real Neovim through what an agent, which asks the server
// itself, and a person do to each other, and looks at what the server says. The
// steps share one editor and run in order; each has a file of its own unless it
// says so.
func TestNeovim(t *testing.T) {
	e := startNeovim(t, `vim.g.acode = { code_lens = true }
		vim.lsp.config('acode_ls', { settings = { acode = { diagnostics = true } } })`)
	for _, step := range []struct {
		name string
		run  func(*testing.T, *editor)
	}{
		{"attach", testAttach},
		{"read", testRead},
		{"refuse", testRefuse},
		{"apply and undo", testApply},
		{"lens and hover", testLens},
		{"type above", testType},
		{"write", testWrite},
		{"substitute", testSubstitute},
		{"not open", testNotOpen},
		{"changed on disk", testDisk},
		{"stale version", testStaleVersion},
		{"type before apply", testRace},
		{"type behind apply", testDebounce},
		{"no final line end", testNoEOL},
		{"byte order mark", testBOM},
		{"kill", testKill},
		{"quit", testQuit},
	} {
		if !t.Run(step.name, func(t *testing.T) { e.t = t; step.run(t, e) }) {
			e.explain(t)
			e.patience = 2 * time.Second // what fails now may fail for the same reason
		}
	}
}

// bigLines is more than one read shows.
const bigLines = 1300 // too long to be shown, and not long enough to be stored

// numbered returns lines that are all different and not all ASCII.
func numbered(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "line %04d:\tgrößer, 日本語, 🙂 = %d\n", i, i*i)
	}
	return b.String()
}

func testAttach(t *testing.T, e *editor) {
	f := e.file("big.txt", numbered(bigLines))
	f.open()
	var client struct {
		Encoding string
		Root     string
		Pulls    bool
	}
	e.lua(&client, `local c = e2e.client()
		return { encoding = c.offset_encoding, root = c.root_dir, pulls = c:supports_method('textDocument/diagnostic') }`)
	if client.Encoding != "utf-8" || client.Root != e.root || !client.Pulls {
		t.Errorf("client = %+v, want utf-8, root %s and pull diagnostics", client, e.root)
	}
	if n := len(e.diagnostics(f)); n != 0 {
		t.Errorf("%d diagnostics on a file the agent never touched, want none", n)
	}
}

// testRead reads all of the file of testAttach.
func testRead(t *testing.T, e *editor) {
	f := e.files["big.txt"]
	refreshed := e.number(`return e2e.refreshed`)
	r := e.read(f, 0, 0)
	if r.TotalLines != bigLines || !r.Metadata.WasTruncated || len(r.Omissions) == 0 {
		t.Fatalf("read = %d lines, truncated %v, omissions %v; want %d lines, cut", r.TotalLines, r.Metadata.WasTruncated, r.Omissions, bigLines)
	}
	all, notice := strings.SplitAfter(f.disk(), "\n"), r.Content
	for _, s := range r.ShownRanges {
		shown := strings.Join(all[s.StartLine-1:s.EndLine], "")
		if !strings.Contains(notice, shown) {
			t.Errorf("%v are said to be shown but are not in the content", s)
		}
		notice = strings.Replace(notice, shown, "", 1)
	}
	for _, o := range r.Omissions {
		if !strings.Contains(notice, strconv.Itoa(o.Lines)) {
			t.Errorf("what the content says of itself is %q, want the number of lines left out, %d", notice, o.Lines)
		}
	}

	unread := gaps(r.ShownRanges, bigLines)
	want := state{State: "partial_read", ReadRanges: r.ShownRanges, UnreadRanges: unread, TotalLines: bigLines}
	e.wantState(f, want)
	if e.number(`return e2e.refreshed`) <= refreshed {
		t.Errorf("the diagnostics came without a refresh")
	}
}

// testRefuse edits lines of the file of testRead that the agent has not seen.
func testRefuse(t *testing.T, e *editor) {
	f := e.files["big.txt"]
	before, tick := f.buffer(), f.tick()
	unread := e.state(f).UnreadRanges
	hole := unread[0]

	v := e.apply(f, nil, textEdit{position{hole.StartLine + 100, 0}, position{hole.StartLine + 200, 0}, "gone\n"})
	missing := []lines{{hole.StartLine + 100, hole.StartLine + 199}}
	v.wantBlock(t, "no_coverage", "File was partially read — use read_file with target line range first.", missing)
	if len(v.Expanded) != 0 {
		t.Errorf("a refusal for want of 100 lines hands out %v, want nothing", v.Expanded)
	}

	// One line above the hole was read, four inside were not.
	first, last := hole.StartLine, hole.StartLine+3
	v = e.apply(f, nil, textEdit{position{first - 1, 6}, position{last, 4}, "X"})
	v.wantBlock(t, "partial_overlap", fmt.Sprintf("Lines %d-%d were not read. Read that range first.", first, last), []lines{{first, last}})
	var excerpt strings.Builder
	for n := first; n <= last; n++ {
		fmt.Fprintf(&excerpt, "%6d\t%s\n", n, line(before, n))
	}
	if diff := cmp.Diff([]lines{{first, last}}, v.expandedLines()); diff != "" {
		t.Errorf("expanded lines (-want +got):\n%s", diff)
	} else if diff := cmp.Diff(excerpt.String(), v.Expanded[0].Content); diff != "" {
		t.Errorf("expanded (-want +got):\n%s", diff)
	}

	if f.buffer() != before || f.tick() != tick {
		t.Errorf("a refused edit changed the buffer")
	}
	// What was handed out is read from now on.
	now := state{State: "partial_read", UnreadRanges: append([]lines{{last + 1, hole.EndLine}}, unread[1:]...), TotalLines: bigLines}
	now.ReadRanges = gaps(now.UnreadRanges, bigLines)
	e.wantState(f, now)
}

// testApply tries the edit that testRefuse had refused again, together with
// one far away, and takes both back.
func testApply(t *testing.T, e *editor) {
	f := e.files["big.txt"]
	before, was := f.buffer(), e.state(f)
	last := was.UnreadRanges[0].StartLine - 1
	first := last - 3
	col := len("line 0002:\tgrößer, 日本語, ") // UTF-8: a column is a byte
	v := e.apply(f, nil,
		textEdit{position{first - 1, 6}, position{last, 4}, "X"},
		textEdit{position{2, col}, position{2, col + len("🙂")}, "🙃🙃"})
	v.wantApplied(t)
	t.Logf("acode/applyEdit to the buffer: %.0f ms", v.ms)

	joined := line(before, first-1)[:6] + "X" + line(before, last)[4:]
	want := replaceLines(before, first-1, last, joined+"\n")
	want = replaceLines(want, 2, 2, strings.Replace(line(before, 2), "🙂", "🙃🙃", 1)+"\n")
	f.wantBuffer(want)
	if disk := f.disk(); disk != before {
		t.Errorf("the file on disk changed")
	}
	if !f.modified() {
		t.Errorf("the buffer is not modified")
	}
	if got, want := v.SHA256[f.uri()], sum(want); got != want {
		t.Errorf("sha256 = %s, want %s", got, want)
	}
	now := was
	now.TotalLines -= 4
	now.ReadRanges, now.UnreadRanges = shift(was.ReadRanges, last, -4), shift(was.UnreadRanges, last, -4)
	e.wantState(f, now)

	v = e.apply(f, nil, textEdit{position{3, 0}, position{3, 0}, "second edit\n"})
	v.wantApplied(t)
	t.Logf("acode/applyEdit, a second one: %.0f ms", v.ms)
	e.keys("u")
	f.wantBuffer(want)
	e.keys("u")
	f.wantBuffer(before)
	// The agent believes that its first edit is there.
	now = was
	now.Stale, now.ChangedRanges = true, []lines{{2, 2}, {first - 1, first - 1}}
	e.wantState(f, now)
}

// testLens looks at the file of testApply as a person does.
func testLens(t *testing.T, e *editor) {
	f := e.files["big.txt"]
	unread := e.state(f).UnreadRanges[0]
	read := 100 * float64(bigLines-(unread.EndLine-unread.StartLine+1)) / bigLines
	want := fmt.Sprintf("Agent has read %.0f %% · 1 unread range · changed since", read)
	e.await("the code lens", func() string {
		var titles []string
		e.lua(&titles, `return vim.tbl_map(function(l) return l.lens.command.title end, vim.lsp.codelens.get({ bufnr = ... }))`, f.buf)
		return cmp.Diff([]string{want}, titles)
	})

	e.lua(nil, `vim.api.nvim_win_set_cursor(0, { ..., 0 }); vim.lsp.buf.hover()`, unread.StartLine)
	e.await("the hover", func() string {
		var said []string
		e.lua(&said, `for _, win in ipairs(vim.api.nvim_list_wins()) do
				if vim.api.nvim_win_get_config(win).relative ~= '' then
					return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(win), 0, -1, true)
				end
			end
			return {}`)
		return cmp.Diff([]string{fmt.Sprintf("**acode**: the agent has not read lines %d–%d; it last looked at the file 3 rounds ago.", unread.StartLine, unread.EndLine)}, said)
	})
	e.keys("j") // closes it
}

func testType(t *testing.T, e *editor) {
	f := e.file("type.txt", numbered(100))
	f.open()
	e.read(f, 10, 20)
	e.read(f, 50, 60)
	e.keys("ggOtyped<Esc>")
	f.wantBuffer("typed\n" + f.disk())
	e.wantState(f, state{
		State: "partial_read", Stale: true, TotalLines: 101,
		ReadRanges:   []lines{{11, 21}, {51, 61}},
		UnreadRanges: []lines{{1, 10}, {22, 50}, {62, 101}},
	})
}

func testWrite(t *testing.T, e *editor) {
	f := e.file("write.txt", numbered(60))
	f.open()
	e.read(f, 0, 0)
	e.apply(f, nil, textEdit{position{5, 0}, position{6, 0}, "by the agent\n"}).wantApplied(t)
	whole := state{State: "fully_read", ReadRanges: []lines{{1, 60}}, TotalLines: 60}
	e.wantState(f, whole)
	f.write()
	e.wantState(f, whole)

	e.keys("Gotyped<Esc>")
	typed := state{State: "partial_read", Stale: true, ReadRanges: []lines{{1, 60}}, UnreadRanges: []lines{{61, 61}}, TotalLines: 61}
	e.wantState(f, typed)
	f.write()
	e.wantState(f, typed)
	e.read(f, 61, 61)
	whole.ReadRanges, whole.TotalLines = []lines{{1, 61}}, 61
	e.wantState(f, whole)
}

func testSubstitute(t *testing.T, e *editor) {
	f := e.file("substitute.txt", numbered(40))
	f.open()
	e.read(f, 1, 30)
	e.lua(nil, `vim.cmd([[%s/\t/    /]])`)
	want := state{
		State: "partial_read", Stale: true, TotalLines: 40,
		ReadRanges: []lines{{1, 30}}, ChangedRanges: []lines{{1, 30}}, UnreadRanges: []lines{{31, 40}},
	}
	e.wantState(f, want)

	v := e.apply(f, nil, textEdit{position{5, 0}, position{6, 0}, "by the agent\n"})
	v.wantApplied(t)
	v.wantStale(t, 1, []lines{{1, 30}})
	f.wantBuffer(replaceLines(strings.ReplaceAll(f.disk(), "\t", "    "), 5, 5, "by the agent\n"))
	want.ChangedRanges = []lines{{1, 4}, {6, 30}}
	e.wantState(f, want)
}

func testNotOpen(t *testing.T, e *editor) {
	f := e.file("sub/not open.txt", numbered(20))
	before := f.disk()
	v := e.apply(f, nil, textEdit{position{3, 0}, position{4, 0}, "by the agent\n"})
	v.wantBlock(t, "never_read", "File has not been read — use read_file with target line range first.", []lines{{3, 3}})
	v = e.apply(f, nil, textEdit{position{3, 0}, position{4, 0}, "by the agent\n"})
	v.wantApplied(t)
	t.Logf("acode/applyEdit to the disk: %.0f ms", v.ms)
	want := replaceLines(before, 3, 3, "by the agent\n")
	if diff := cmp.Diff(want, f.disk()); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
	if got := v.SHA256[f.uri()]; got != sum(want) {
		t.Errorf("sha256 = %s, want %s", got, sum(want))
	}
	if n := e.number(`return vim.fn.bufexists(...)`, f.path()); n != 0 {
		t.Errorf("Neovim has made a buffer of it")
	}
	e.wantState(f, state{State: "partial_read", ReadRanges: []lines{{3, 3}}, UnreadRanges: []lines{{1, 2}, {4, 20}}, TotalLines: 20})
}

func testDisk(t *testing.T, e *editor) {
	f := e.file("disk.txt", numbered(20))
	e.read(f, 0, 0)
	e.awaitNews(f)
	// In place, as many programs write: for a moment the file is empty.
	if err := os.WriteFile(f.path(), []byte(replaceLines(f.disk(), 7, 7, "by somebody\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	e.awaitNews(f)
	e.wantState(f, state{State: "fully_read", Stale: true, ReadRanges: []lines{{1, 20}}, ChangedRanges: []lines{{7, 7}}, TotalLines: 20})
	v := e.apply(f, nil, textEdit{position{1, 0}, position{2, 0}, "by the agent\n"})
	v.wantApplied(t)
	v.wantStale(t, 1, []lines{{7, 7}})
}

func testStaleVersion(t *testing.T, e *editor) {
	f := e.file("version.txt", numbered(20))
	f.open()
	e.read(f, 0, 0)
	e.keys("Gotyped<Esc>")
	before, version := f.buffer(), f.tick()
	old := version - 1
	v := e.apply(f, &old, textEdit{position{1, 0}, position{2, 0}, "by the agent\n"})
	v.wantBlock(t, "version",
		fmt.Sprintf("Version %d was given, but the document is at version %d. Read the file again.", old, version), nil)
	f.wantBuffer(before)
	if f.tick() != version {
		t.Errorf("the buffer was touched")
	}
	e.apply(f, &version, textEdit{position{1, 0}, position{2, 0}, "by the agent\n"}).wantApplied(t)
	f.wantBuffer(replaceLines(before, 1, 1, "by the agent\n"))
}

// testRace types between the server's check and the editor's edit, which then
// is for another text.
func testRace(t *testing.T, e *editor) {
	f := e.file("race.txt", numbered(50))
	f.open()
	e.read(f, 0, 0)
	typeFirst := func(line int) {
		e.lua(nil, `e2e.around_apply(function(apply)
				vim.api.nvim_feedkeys(vim.keycode('ggOtyped<Esc>'), 'tx', false)
				return apply()
			end)`)
		v := e.apply(f, nil, textEdit{position{line, 0}, position{line + 1, 0}, "by the agent\n"})
		t.Logf("acode/applyEdit that went wrong: %.0f ms; %s", v.ms, v.FailureReason)
		if !v.Allowed || v.Applied || v.FailureReason == "" {
			t.Errorf("verdict = %+v, want it allowed, but not applied for a reason", v)
		}
		var answer struct {
			Applied       bool
			FailureReason string
		}
		if e.lua(&answer, `return e2e.answer`); answer.Applied || !strings.Contains(answer.FailureReason, "the edit is for version") {
			t.Errorf("Neovim answers %+v", answer)
		}
	}

	// A document that was never changed has version 0, which is one like others.
	typeFirst(9)
	text := "typed\n" + f.disk()
	want := state{
		State: "partial_read", Stale: true, TotalLines: 51,
		ReadRanges: []lines{{2, 51}}, UnreadRanges: []lines{{1, 1}},
	}
	f.wantBuffer(text)
	e.wantState(f, want)

	typeFirst(30)
	text = "typed\n" + text
	f.wantBuffer(text)
	want.ReadRanges = []lines{{3, 52}}
	want.UnreadRanges, want.TotalLines = []lines{{1, 2}}, 52
	e.wantState(f, want)

	// Nothing of that is in the way of the next edit.
	v := e.apply(f, nil, textEdit{position{11, 0}, position{12, 0}, "by the agent\n"})
	v.wantApplied(t)
	v.wantStale(t, 2, want.ChangedRanges)
	f.wantBuffer(replaceLines(text, 11, 11, "by the agent\n"))
}

// testDebounce types right behind the edit, so that Neovim, which waits a
// moment, tells the server of both at once.
func testDebounce(t *testing.T, e *editor) {
	f := e.file("debounce.txt", numbered(50))
	f.open()
	e.read(f, 0, 0)
	e.lua(nil, `e2e.around_apply(function(apply)
			local answer = apply()
			vim.api.nvim_feedkeys(vim.keycode('ggOtyped<Esc>'), 'tx', false)
			return answer
		end)`)
	v := e.apply(f, nil,
		textEdit{position{9, 0}, position{10, 0}, "by the agent\nand this\n"},
		textEdit{position{20, 0}, position{21, 0}, ""})
	v.wantApplied(t)
	want := replaceLines(replaceLines(f.disk(), 20, 20, ""), 9, 9, "by the agent\nand this\n")
	f.wantBuffer("typed\n" + want)
	e.wantState(f, state{
		State: "partial_read", Stale: true, TotalLines: 51,
		ReadRanges: []lines{{2, 51}}, UnreadRanges: []lines{{1, 1}},
	})
}

// testNoEOL opens a file after the agent has read it from the disk. Neovim adds
// the missing line end when it writes.
func testNoEOL(t *testing.T, e *editor) {
	f := e.file("noeol.txt", strings.TrimSuffix(numbered(20), "\n"))
	whole := state{State: "fully_read", ReadRanges: []lines{{1, 20}}, TotalLines: 20}
	e.read(f, 0, 0)
	f.open()
	e.wantState(f, whole)
	e.apply(f, nil, textEdit{position{5, 0}, position{6, 0}, "by the agent\n"}).wantApplied(t)
	want := replaceLines(f.disk(), 5, 5, "by the agent\n")
	f.wantBuffer(want)
	e.wantState(f, whole)
	f.write()
	if got := f.disk(); got != want+"\n" {
		t.Errorf("Neovim has written %q, want the missing line end", got)
	}
	e.wantState(f, whole)
	f.close()
	e.wantState(f, whole)
}

// testBOM does the same with a byte order mark, which Neovim keeps from the
// server.
func testBOM(t *testing.T, e *editor) {
	f := e.file("bom.txt", "\ufeff"+numbered(20))
	whole := state{State: "fully_read", ReadRanges: []lines{{1, 20}}, TotalLines: 20}
	e.read(f, 0, 0)
	f.open()
	e.wantState(f, whole)
	e.apply(f, nil, textEdit{position{1, 0}, position{2, 0}, "by the agent\n"}).wantApplied(t)
	e.wantState(f, whole)
	f.write()
	if got := line(f.disk(), 1); got != "\ufeffby the agent" {
		t.Errorf("line 1 on disk = %q, want it with its byte order mark", got)
	}
	e.wantState(f, whole)
	f.close()
	e.wantState(f, whole)
}

// testKill kills the server, as a crash does, while a buffer holds what no file
// has.
func testKill(t *testing.T, e *editor) {
	f := e.file("kill.txt", numbered(60))
	f.open()
	e.read(f, 1, 30)
	e.apply(f, nil, textEdit{position{5, 0}, position{6, 0}, "by the agent\n"}).wantApplied(t)
	want := state{State: "partial_read", ReadRanges: []lines{{1, 30}}, UnreadRanges: []lines{{31, 60}}, TotalLines: 60}
	e.wantState(f, want)
	before := map[string]state{}
	for name, f := range e.files {
		before[name] = e.state(f)
	}

	old, id := e.server(), e.number(`return e2e.client().id`)
	if p, err := os.FindProcess(old); err != nil || p.Kill() != nil {
		t.Fatalf("killing the server, process %d: %v", old, err)
	}
	e.awaitLua("Neovim to notice", `return e2e.client() == nil or e2e.client().id ~= ...`, id)
	for _, f := range e.files {
		if f.buf != 0 {
			f.awaitAttached()
		}
	}
	if now := e.server(); now == old {
		t.Errorf("process %d is still the server", old)
	}
	e.wantState(f, want)
	for name, f := range e.files {
		e.wantState(f, before[name])
	}
}

func testQuit(t *testing.T, e *editor) {
	var said []string
	if e.lua(&said, `return e2e.messages`); len(said) > 0 {
		t.Errorf("the server has complained: %q", said)
	}
	var messages string
	if e.lua(&messages, `return vim.api.nvim_exec2('messages', { output = true }).output`); strings.Contains(messages, "traceback") || strings.Contains(messages, "_ERROR") {
		t.Errorf("Neovim has complained:\n%s", messages)
	}
	server := e.server()
	if err := e.nvim.Command("qall!"); err == nil {
		t.Errorf("Neovim answers after it has quit")
	}
	start := time.Now()
	e.awaitGone(server, time.Second)
	t.Logf("the server ended %v after Neovim began to", time.Since(start).Round(time.Millisecond))
	if err := e.nvim.Close(); err != nil {
		t.Errorf("Neovim: %v", err)
	}

	want := []string{".acode/.gitignore", ".acode/sessions/default.jsonl", ".acode/sessions/lock", ".git/HEAD"}
	for name := range e.files {
		want = append(want, name)
	}
	slices.Sort(want)
	var got []string
	err := fs.WalkDir(os.DirFS(e.root), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			got = append(got, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files in the workspace (-want +got):\n%s", diff)
	}
}
