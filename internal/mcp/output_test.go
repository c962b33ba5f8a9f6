package mcp_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// seen returns what the ledger says of a file.
func (c *client) seen(path string) string {
	c.t.Helper()
	return c.must("awareness_state", fmt.Sprintf(`{"path":%q}`, path)).text
}

func TestListDirectory(t *testing.T) {
	root := folder(t, map[string]string{
		"a.go": "12345", "dir/b": strings.Repeat("x", 3000), "dir/deep/c": "", "ignored/d": "", ".gitignore": "ignored\n", "new\nline": "", "ü": "",
	})
	if err := os.Symlink("a.go", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	c := connect(t, root)
	r := c.must("list_directory", `{}`)
	if want := ".gitignore (8 B)\na.go (5 B)\ndir/\nlink (link)\n\"new\\nline\" (0 B)\nü (0 B)\n"; r.text != want || r.at("entries") != 6.0 || r.at("path") != "." {
		t.Errorf("got %q, want %q; %s", r.text, want, r.raw)
	}
	if r = c.must("list_directory", `{"path":"dir","depth":2}`); r.text != "b (3 KB)\ndeep/\ndeep/c (0 B)\n" || r.at("path") != "dir" {
		t.Errorf("dir: %q, %s", r.text, r.raw)
	}
	for path, want := range map[string]string{"none": "no such file", "..": "outside", "/etc": "outside", "a.go": "a.go"} {
		if got := c.refused("list_directory", fmt.Sprintf(`{"path":%q}`, path)); !strings.Contains(got, want) || strings.HasPrefix(got, "reading the output") {
			t.Errorf("%s: %s, want %q", path, got, want)
		}
	}
}

func TestListIsCut(t *testing.T) {
	root := folder(t, nil)
	for i := range 3000 {
		put(t, root, fmt.Sprintf("%s%04d", strings.Repeat("x", 20), i), "")
	}
	r := connect(t, root).must("list_directory", `{}`)
	if r.at("artifact_id") == nil || r.at("entries") != 3000.0 || r.at("metadata", "tool_name") != "list_directory" {
		t.Errorf("got %.300s", r.raw)
	}
}

func TestSearchFiles(t *testing.T) {
	root := folder(t, map[string]string{"a.go": "one\ntwo\nthree\nfour\nfive\n", "dir/b.txt": "two\r\nTWO\r\n", "other": "none\n"})
	c := connect(t, root)
	r := c.must("search_files", `{"pattern":"^(two|four)"}`)
	if want := "a.go:2:two\na.go:4:four\ndir/b.txt:1:two\r\n"; strings.ReplaceAll(r.text, "\r", "") != strings.ReplaceAll(want, "\r", "") || r.at("matches") != 3.0 || r.at("more") != false {
		t.Errorf("got %q, %s", r.text, r.raw)
	}
	if got := c.seen("a.go"); got != "a.go: partial read, lines 2, 4 of 5\n" {
		t.Errorf("seen: %q", got)
	}
	if got := c.seen("dir/b.txt"); got != "dir/b.txt: partial read, lines 1 of 2\n" {
		t.Errorf("seen: %q", got)
	}
	if r = c.must("search_files", `{"pattern":"four","context":1}`); r.text != "a.go-3-three\na.go:4:four\na.go-5-five\n" {
		t.Errorf("with context: %q", r.text)
	}
	if got := c.seen("a.go"); got != "a.go: partial read, lines 2-5 of 5\n" {
		t.Errorf("seen: %q", got)
	}
	if got := c.seen("other"); got != "other: never read\n" {
		t.Errorf("seen: %q", got)
	}
	r = c.must("search_files", `{"pattern":"(?i)two","max_results":1}`)
	if len(r.texts) != 2 || r.texts[0] != "a.go:2:two\n" || !strings.HasPrefix(r.texts[1], "There are more than these 1 matching line") || r.at("more") != true {
		t.Errorf("with a maximum: %q", r.texts)
	}
	if r = c.must("search_files", `{"pattern":"two","glob":"*.txt","path":"dir"}`); !strings.HasPrefix(r.text, "dir/b.txt:1:two") || r.at("matches") != 1.0 {
		t.Errorf("with a glob: %q", r.text)
	}
	if r = c.must("search_files", `{"pattern":"nowhere"}`); r.text != "\nNo line matches." {
		t.Errorf("without matches: %q", r.texts)
	}
	for arguments, want := range map[string]string{
		`{"pattern":"("}`: "(", `{"pattern":"x","path":"/"}`: "outside", `{"pattern":"x","path":"none"}`: "none",
	} {
		if got := c.refused("search_files", arguments); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %q", arguments, got, want)
		}
	}
}

// TestSearchIsCut credits only hits that are shown.
func TestSearchIsCut(t *testing.T) {
	root := folder(t, map[string]string{"a": strings.Repeat(strings.Repeat("x", 80)+"\n", 400)})
	c := connect(t, root)
	r := c.must("search_files", `{"pattern":"x"}`)
	if r.at("metadata", "was_truncated") != true || r.at("artifact_id") != nil {
		t.Fatalf("got %s", r.raw)
	}
	shown := strings.Count(r.text, strings.Repeat("x", 80))
	var seen float64
	files, _ := c.must("awareness_state", `{"path":"a"}`).at("files").([]any)
	file, _ := files[0].(map[string]any)
	seen, _ = file["coverage"].(float64)
	if shown == 0 || shown == 400 || int(seen*400+0.5) != shown {
		t.Errorf("%d lines are shown, %v of 400 count", shown, seen*400)
	}
}

// TestSearchOfTooMuch says that there is more than it holds.
func TestSearchOfTooMuch(t *testing.T) {
	c := connect(t, folder(t, map[string]string{"a": strings.Repeat("x", 17<<20)}))
	r := c.must("search_files", `{"pattern":"x"}`)
	if want := "\nThere are more matching lines, but together they are too long: narrow the search."; r.text != want || r.at("more") != true {
		t.Errorf("got %q, %s", r.text, r.raw)
	}
}

// TestSecretsInSearch holds that a masked line is not shown and not credited.
func TestSecretsInSearch(t *testing.T) {
	secret := "ghp_" + "0123456789abcdefghijABCDEFGHIJ123456"
	root := folder(t, map[string]string{"a": "token = \"" + secret + "\"\nplain token\n"})
	c := connect(t, root)
	r := c.must("search_files", `{"pattern":"token"}`)
	if strings.Contains(r.text, secret) || r.at("metadata", "redaction_count") != 1.0 {
		t.Errorf("got %q", r.text)
	}
	if got := c.seen("a"); got != "a: partial read, lines 2 of 2\n" {
		t.Errorf("seen: %q", got)
	}
}

// git runs git in a folder.
func git(t *testing.T, root string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

func TestGitDiff(t *testing.T) {
	root := folder(t, map[string]string{"a": numbered(20), "ü b": "1\n"})
	c := connect(t, root)
	if got := c.refused("git_diff", `{}`); !strings.Contains(got, "not a git repository") {
		t.Errorf("without a repository: %s", got)
	}
	git(t, root, "init", "-q")
	git(t, root, "add", "a", "ü b")
	git(t, root, "commit", "-q", "-m", "first")
	if r := c.must("git_diff", `{}`); r.text != "\nNo differences." {
		t.Errorf("without differences: %q", r.texts)
	}
	for paths, want := range map[string]string{
		`"a"`: "No differences.", `"nope"`: "Git does not track nope.", `"nope","no/pe"`: "Git does not track nope, no/pe.",
		`"a","nope"`: "No differences.\nGit does not track nope.",
	} {
		if r := c.must("git_diff", `{"paths":[`+paths+`]}`); r.text != "\n"+want {
			t.Errorf("%s: %q, want %q", paths, r.texts, want)
		}
	}
	put(t, root, "a", strings.Replace(numbered(20), "line xxx\n", "changed\n", 1))
	put(t, root, "ü b", "2\n")
	r := c.must("git_diff", `{"paths":["a"]}`)
	if !strings.Contains(r.text, "\n-line xxx\n+changed\n") || strings.Contains(r.text, "+2") {
		t.Errorf("got %q", r.text)
	}
	if got := c.seen("a"); got != "a: partial read, lines 1-7 of 20\n" {
		t.Errorf("seen: %q", got)
	}
	c.must("git_diff", fmt.Sprintf(`{"paths":[%q],"base":"HEAD"}`, filepath.Join(root, "ü b")))
	if got := c.seen("ü b"); got != "ü b: fully read\n" {
		t.Errorf("seen: %q", got)
	}
	git(t, root, "add", "a")
	if r = c.must("git_diff", `{"staged":true}`); !strings.Contains(r.text, "+changed\n") {
		t.Errorf("staged: %q", r.text)
	}
	for arguments, want := range map[string]string{
		`{"base":"no-such-revision"}`: "no-such-revision", `{"base":"--output=x"}`: "--output=x", `{"paths":[".."]}`: "outside",
	} {
		if got := c.refused("git_diff", arguments); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %q", arguments, got, want)
		}
	}
	if _, err := os.Stat(filepath.Join(root, "x")); !os.IsNotExist(err) {
		t.Errorf("an option was followed: %v", err)
	}
}
