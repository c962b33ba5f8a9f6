package search_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/search"
)

// FuzzList compares List with what git lists in random trees with random rules.
func FuzzList(f *testing.F) {
	for seed := range uint64(60) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 0))
		dir := repository(t)
		names := randomTree(t, r, dir)
		if r.IntN(3) == 0 {
			writeFile(t, filepath.Join(dir, ".git", "info", "exclude"), randomRules(r))
		}
		base := "."
		if r.IntN(3) == 0 {
			base = path.Dir(names[r.IntN(len(names))])
		}
		// An ignored folder is listed when it is asked for.
		if exec.Command("git", "-C", dir, "check-ignore", "-q", base).Run() == nil {
			base = "."
		}
		compareWithGit(t, dir, base)
	})
}

// FuzzRule compares one rule with git.
func FuzzRule(f *testing.F) {
	for _, rule := range []string{
		"*.go", "/*.go", "/a", "a/", "a/b", "**/b", "a/**", "a/**/b", "a**/b", "a**b", "***", "**", "*", "/**/", "a/***/b",
		"[ab]", "[!a]", "[^a]", "[a-c]", "[c-a]", "[]-a]", "[]a]", "[a", "[[:alpha:]]", "[[:digit:]x]", "[[:foo:]]",
		"[[:alpha]", "[[:]", "[\\]]", "[a\\-c]", "[--a]", "[a-]", "a[/]b", "a[^x]b", "?", "a?b", "\\*", "\\a", "a\\",
		"!a", "\\!a", "#a", "\\#a", "a ", "a\\ ", "a\\  ", " a", "a\t", "/", "//", "a//", "//a", "!", "!/", "a/b/",
		"**\\/b", "a\\/b", "/*", "/**", "a/*", "*/b", "*a*b*", "\xef\xbb\xbfa", "ä", "?b", "[ä]b", "a\r", "*.b.c", "**a", "a**", "[a-b-c]", "[a-\\c]",
	} {
		f.Add(rule)
	}
	f.Fuzz(func(t *testing.T, rule string) {
		if strings.Contains(rule, "\x00") || len(rule) > 100 {
			return // git takes a NUL as the end of a rule
		}
		dir := repository(t)
		for _, name := range []string{
			"a", "b/a", "b/b", "b/c/d/b", "c ", "!a", "#a", "*", "]", "-", "ab", "a.go", "ä", "äb", "d/a/b", "d/a/c/b",
			"e/ab", "e/z.go", "e/axb", "e/axx/b", "f/a ", "[a", "x.b.c", "\\", "0", " a", "d/a\t", "ax/y/b", "axb",
		} {
			writeFile(t, filepath.Join(dir, name), "")
		}
		writeFile(t, filepath.Join(dir, ".gitignore"), rule+"\n")
		writeFile(t, filepath.Join(dir, "g", ".gitignore"), "*\n!"+rule)
		for _, name := range []string{"g/a/b", "g/ab", "g/b/a", "g/x/y"} {
			writeFile(t, filepath.Join(dir, name), "")
		}
		compareWithGit(t, dir, ".")
	})
}

// compareWithGit lists folder base of the repository at dir, opened as a root of
// its own.
func compareWithGit(t *testing.T, dir, base string) {
	t.Helper()
	dir = filepath.Join(dir, base)
	cmd := exec.Command("git", "ls-files", "-z", "--others", "--cached", "--exclude-standard")
	cmd.Dir = dir
	output, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	want := strings.FieldsFunc(string(output), func(c rune) bool { return c == 0 })
	slices.Sort(want)
	root := openRoot(t, dir)
	got := []string{}
	for entry, err := range search.List(t.Context(), root, "", 0) {
		if err != nil {
			t.Fatal(err)
		}
		if entry.Kind != search.Dir {
			got = append(got, entry.Path)
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("List (-git ls-files +List):\n%s\nrules:\n%s", diff, rulesIn(dir))
	}
}

func rulesIn(dir string) string {
	var b strings.Builder
	_ = filepath.WalkDir(dir, func(name string, _ os.DirEntry, _ error) error {
		if filepath.Base(name) == ".gitignore" || strings.HasSuffix(name, "info/exclude") {
			content, _ := os.ReadFile(name)
			fmt.Fprintf(&b, "%s: %q\n", strings.TrimPrefix(name, dir), content)
		}
		return nil
	})
	return b.String()
}

var parts = []string{"a", "b", "c", "ab", "a.go", "b.txt", "x y", "ä", ".h", "a-b", "B"}

func randomTree(t *testing.T, r *rand.Rand, dir string) (names []string) {
	t.Helper()
	for range 5 + r.IntN(40) {
		name := parts[r.IntN(len(parts))]
		for range r.IntN(4) {
			name = path.Join(parts[r.IntN(len(parts))], name)
		}
		full := filepath.Join(dir, name)
		// What is a file already cannot be a folder, and the reverse.
		if os.MkdirAll(filepath.Dir(full), 0o700) != nil || throughLink(full) || exists(full) {
			continue
		}
		names = append(names, name)
		if r.IntN(10) == 0 {
			_ = os.Symlink("..", full)
			continue
		}
		writeFile(t, full, "text")
		if r.IntN(3) == 0 {
			writeFile(t, filepath.Join(filepath.Dir(full), ".gitignore"), randomRules(r))
		}
	}
	return names
}

func randomRules(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(4) {
		if r.IntN(4) == 0 {
			b.WriteString("!")
		}
		if r.IntN(4) == 0 {
			b.WriteString("/")
		}
		atoms := append([]string{"*", "**", "/", "**/", "/**", "?", "[ab]", "[!a]", "*.go", "\\", " "}, parts...)
		for range 1 + r.IntN(4) {
			b.WriteString(atoms[r.IntN(len(atoms))])
		}
		b.WriteString([]string{"\n", "\n", "\n", "/\n", "\r\n", " \n", "\n\n", "\n#x\n"}[r.IntN(8)])
	}
	return b.String()
}

func throughLink(full string) bool {
	real, err := filepath.EvalSymlinks(filepath.Dir(full))
	return err != nil || real != filepath.Dir(full)
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

func repository(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if output, err := exec.Command("git", "init", "-q", "--template=", dir).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v: %s", err, output)
	}
	return dir
}

func writeFile(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func openRoot(t *testing.T, dir string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}
