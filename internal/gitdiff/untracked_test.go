package gitdiff_test

import (
	"strings"
	"testing"

	"github.com/acode-ls/acode-ls/internal/gitdiff"
)

func TestUntracked(t *testing.T) {
	dir := repository(t)
	for _, name := range []string{"a", "dir/ü*", "gone"} {
		writeFile(t, dir, name, "1\n")
	}
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "first")
	git(t, dir, "rm", "-q", "gone")
	git(t, dir, "commit", "-q", "-m", "second")
	writeFile(t, dir, "new", "1\n")
	writeFile(t, dir, "dir/new", "1\n")
	writeFile(t, dir, "other/new", "1\n")
	writeFile(t, dir, "staged", "1\n")
	git(t, dir, "add", "staged")
	for _, test := range []struct{ base, paths, want string }{
		{"", "a|dir|dir/ü*|.|staged", ""},
		{"", "nope|new|other|a|dir/new|dir/*|nowhere/at/all", "nope|new|other|dir/new|dir/*|nowhere/at/all"},
		{"", "gone", "gone"},
		{"HEAD", "gone|a", "gone"},
		{"HEAD~1..HEAD~1", "gone|new|.|dir", "new"},
		{"HEAD~1...HEAD", "gone", ""},
		{"HEAD..", "gone|dir/ü*|dir/*", "gone|dir/*"},
	} {
		got, err := gitdiff.Untracked(t.Context(), dir, gitdiff.Options{Base: test.base, Paths: strings.Split(test.paths, "|")})
		if err != nil || strings.Join(got, "|") != test.want {
			t.Errorf("Untracked(%q, %s) = %q, %v; want %s", test.base, test.paths, got, err, test.want)
		}
	}
	if _, err := gitdiff.Untracked(t.Context(), dir, gitdiff.Options{Base: "no..such", Paths: []string{"x"}}); err == nil {
		t.Error("an unknown revision is no error")
	}
}
