package gitdiff_test

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/gitdiff"
)

// hostile is a configuration that changes the form of diffs or runs programs.
const hostile = `
[diff]
	noprefix = true
	mnemonicPrefix = true
	external = touch ran; echo
	renames = false
	context = 0
	interHunkContext = 9
	suppressBlankEmpty = true
	wordRegex = .
	colorMoved = zebra
	wsErrorHighlight = all
	submodule = log
	orderFile = nothing
[diff "x"]
	command = touch ran; echo
	textconv = touch ran; echo
[color]
	ui = always
[core]
	pager = touch ran
	quotePath = false
	fsmonitor = touch ran; echo
	attributesFile = ../attributes
`

func TestForm(t *testing.T) {
	dir := repository(t)
	writeFile(t, dir, ".git/attributes", "")
	writeFile(t, dir, ".git/info/attributes", "*.x diff=x\n")
	writeFile(t, dir, "b.x", "1\n\n3\n4\n5\n6\n")
	writeFile(t, dir, "a ä.txt", "old\r\n")
	writeFile(t, dir, "gone", "gone\n")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "x")
	config, err := os.OpenFile(filepath.Join(dir, ".git", "config"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := config.WriteString(hostile); err != nil {
		t.Fatal(err)
	}
	config.Close()
	writeFile(t, dir, "b.x", "1\n\n3\nfour\n5\n6\n")
	writeFile(t, dir, "a ä.txt", "new\r\nno end")
	if err := os.Remove(filepath.Join(dir, "gone")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_EXTERNAL_DIFF", "touch ran; echo")
	t.Setenv("GIT_DIFF_OPTS", "-u0")
	t.Setenv("GIT_DIR", "/nonexistent")
	want := `diff --git "a/a \303\244.txt" "b/a \303\244.txt"
index HASH 100644
--- "a/a \303\244.txt"` + "\t" + `
+++ "b/a \303\244.txt"` + "\t" + `
@@ -1 +1,2 @@
-old` + "\r" + `
+new` + "\r" + `
+no end
\ No newline at end of file
diff --git a/b.x b/b.x
index HASH 100644
--- a/b.x
+++ b/b.x
@@ -1,6 +1,6 @@
 1
 
 3
-4
+four
 5
 6
diff --git a/gone b/gone
deleted file mode 100644
index HASH
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-gone
`
	got := hideHashes(diff(t, dir, gitdiff.Options{}))
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Run (-want +got):\n%s", d)
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Error("a program of the configuration ran")
	}
}

func TestRenaming(t *testing.T) {
	dir := repository(t)
	git(t, dir, "config", "diff.renames", "false")
	writeFile(t, dir, "from", "1\n2\n3\n")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "x")
	git(t, dir, "mv", "from", "to")
	if got := diff(t, dir, gitdiff.Options{Staged: true}); !strings.Contains(got, "\nrename from from\nrename to to\n") {
		t.Errorf("Run shows no renaming: %s", got)
	}
}

func hideHashes(diff string) string {
	var b strings.Builder
	for line := range strings.Lines(diff) {
		if rest, ok := strings.CutPrefix(line, "index "); ok {
			_, mode, _ := strings.Cut(strings.TrimSpace(rest), " ")
			line = strings.TrimSpace("index HASH "+mode) + "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

func TestOptions(t *testing.T) {
	dir := repository(t)
	writeFile(t, dir, "a", "1\n")
	writeFile(t, dir, "sub/b", "1\n")
	writeFile(t, dir, "sub/-c", "1\n")
	writeFile(t, dir, "sub/*", "1\n")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "x")
	for _, name := range []string{"a", "sub/b", "sub/-c", "sub/*"} {
		writeFile(t, dir, name, "2\n")
	}
	git(t, dir, "add", "a")
	writeFile(t, dir, "a", "3\n")
	for _, test := range []struct {
		name, dir string
		options   gitdiff.Options
		want      string // lines of the new side
	}{
		{"work tree", "", gitdiff.Options{}, "a:3 sub/*:2 sub/-c:2 sub/b:2"},
		{"staged", "", gitdiff.Options{Staged: true}, "a:2"},
		{"base", "", gitdiff.Options{Base: "HEAD"}, "a:3 sub/*:2 sub/-c:2 sub/b:2"},
		{"range", "", gitdiff.Options{Base: "HEAD..HEAD"}, ""},
		{"paths", "", gitdiff.Options{Paths: []string{"a"}}, "a:3"},
		{"paths are literal", "", gitdiff.Options{Paths: []string{"sub/*"}}, "sub/*:2"},
		{"no magic", "", gitdiff.Options{Paths: []string{":(top)a", ":!a"}}, ""},
		{"path like a flag", "sub", gitdiff.Options{Paths: []string{"-c"}}, "-c:2"},
		{"path like a flag of git", "", gitdiff.Options{Paths: []string{"--output=out"}}, ""},
		{"folder", "", gitdiff.Options{Paths: []string{"sub"}, Base: "HEAD"}, "sub/*:2 sub/-c:2 sub/b:2"},
		{"in a folder", "sub", gitdiff.Options{}, "*:2 -c:2 b:2"},
		{"outside of the folder", "sub", gitdiff.Options{Paths: []string{"../a"}}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			shown := numbered(diff(t, filepath.Join(dir, test.dir), test.options))
			for line := range gitdiff.NewSide(shown) {
				got = append(got, line.Path+":"+line.Text)
			}
			if got := strings.Join(got, " "); got != test.want {
				t.Errorf("Run(%+v) shows %q, want %q", test.options, got, test.want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	dir := repository(t)
	writeFile(t, dir, "a", "1\n")
	git(t, dir, "add", ".")
	plain := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(plain))
	for _, test := range []struct {
		name, dir string
		options   gitdiff.Options
		want      string
	}{
		{"no repository", plain, gitdiff.Options{}, "not a git repository"},
		{"no repository, two paths", plain, gitdiff.Options{Paths: []string{"/etc/passwd", "/etc/group"}}, "not a git repository"},
		{"no folder", filepath.Join(plain, "x"), gitdiff.Options{}, "no such file"},
		{"inside .git", filepath.Join(dir, ".git"), gitdiff.Options{}, "must be run in a work tree"},
		{"unknown revision", dir, gitdiff.Options{Base: "nowhere"}, "bad revision 'nowhere'"},
		{"no commit yet", dir, gitdiff.Options{Base: "HEAD"}, "bad revision 'HEAD'"},
		{"flag as base", dir, gitdiff.Options{Base: "--output=out"}, "bad revision '--output=out'"},
		{"short flag as base", dir, gitdiff.Options{Base: "-O/etc/passwd"}, "bad revision"},
		{"path as base", dir, gitdiff.Options{Base: "a"}, "bad revision 'a'"},
		{"NUL in the base", dir, gitdiff.Options{Base: "a\x00b"}, "invalid argument"},
		{"outside of the repository", dir, gitdiff.Options{Paths: []string{"../x"}}, "outside repository"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := gitdiff.Run(t.Context(), test.dir, test.options)
			if err == nil {
				content, _ := io.ReadAll(r)
				r.Close()
				t.Fatalf("Run(%+v) = %q, want an error", test.options, content)
			}
			if !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "fatal:") {
				t.Errorf("Run(%+v): %v, want %q", test.options, err, test.want)
			}
		})
	}
	if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
		t.Error("a file was written")
	}
}

// A diff can be closed before its end, and ends with its context.
func TestStopped(t *testing.T) {
	dir := repository(t)
	writeFile(t, dir, "a", strings.Repeat("old\n", 1<<20))
	git(t, dir, "add", ".")
	writeFile(t, dir, "a", strings.Repeat("new\n", 1<<20))
	r, err := gitdiff.Run(t.Context(), dir, gitdiff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(r, make([]byte, 10<<10)); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r, err = gitdiff.Run(ctx, dir, gitdiff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := io.Copy(io.Discard, r); !errors.Is(err, context.Canceled) {
		t.Errorf("reading after the end of the context: %v", err)
	}
	r.Close()
	if _, err := gitdiff.Run(ctx, dir, gitdiff.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Run after the end of the context: %v", err)
	}
}

// An object that is missing makes git fail after it has begun.
func TestFailsLate(t *testing.T) {
	dir := repository(t)
	writeFile(t, dir, "a", strings.Repeat("old\n", 1<<16))
	writeFile(t, dir, "b", "lost\n")
	git(t, dir, "add", ".")
	hash := strings.TrimSpace(git(t, dir, "rev-parse", ":b"))
	if err := os.Remove(filepath.Join(dir, ".git", "objects", hash[:2], hash[2:])); err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, "a", strings.Repeat("new\n", 1<<16))
	writeFile(t, dir, "b", "new\n")
	r, err := gitdiff.Run(t.Context(), dir, gitdiff.Options{})
	if err == nil {
		_, err = io.ReadAll(r)
		r.Close()
	}
	if err == nil || !strings.Contains(err.Error(), hash) {
		t.Errorf("error = %v, want one about %s", err, hash)
	}
}

func diff(t *testing.T, dir string, o gitdiff.Options) string {
	t.Helper()
	r, err := gitdiff.Run(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "config", "user.name", "x")
	git(t, dir, "config", "user.email", "x@example.org")
	return dir
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	output, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v: %s", args, err, output)
	}
	return string(output)
}

func writeFile(t *testing.T, dir, name, content string) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
