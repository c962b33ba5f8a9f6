package setup_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/setup"
)

const twenty = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20"

func TestUnified(t *testing.T) {
	for _, test := range []struct {
		name, text string
		edits      []setup.Splice
		want       string
	}{
		{"none", "a\n", nil, ""},
		{"in a line", "a\nbc\nd\n", []setup.Splice{setup.NewSplice(3, 3, "X")},
			"--- a\n+++ b\n@@ -1,3 +1,3 @@\n a\n-bc\n+bXc\n d\n"},
		{"new lines at the end of one", "a\n}\n", []setup.Splice{setup.NewSplice(1, 1, ",\nb")},
			"--- a\n+++ b\n@@ -1,2 +1,3 @@\n-a\n+a,\n+b\n }\n"},
		{"into nothing", "", []setup.Splice{setup.NewSplice(0, 0, "a\nb\n")},
			"--- a\n+++ b\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"all out", "a\nb\n", []setup.Splice{setup.NewSplice(0, 4, "")},
			"--- a\n+++ b\n@@ -1,2 +0,0 @@\n-a\n-b\n"},
		{"behind the last line", "a\n", []setup.Splice{setup.NewSplice(2, 2, "b\n")},
			"--- a\n+++ b\n@@ -1 +1,2 @@\n a\n+b\n"},
		{"no final newline", "a\nb", []setup.Splice{setup.NewSplice(3, 3, "\nc")},
			"--- a\n+++ b\n@@ -1,2 +1,3 @@\n a\n-b\n\\ No newline at end of file\n+b\n+c\n\\ No newline at end of file\n"},
		{"two in a line", "abc\n", []setup.Splice{setup.NewSplice(2, 2, "Y"), setup.NewSplice(1, 1, "X")},
			"--- a\n+++ b\n@@ -1 +1 @@\n-abc\n+aXbYc\n"},
		{"near and far", twenty, []setup.Splice{setup.NewSplice(1, 1, "\nnew"), setup.NewSplice(15, 15, "x"), setup.NewSplice(41, 44, "")},
			"--- a\n+++ b\n@@ -1,11 +1,12 @@\n 1\n+new\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+8x\n 9\n 10\n 11\n@@ -15,6 +16,5 @@\n 15\n 16\n 17\n-18\n 19\n 20\n\\ No newline at end of file\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			diff, after := setup.Unified(test.text, test.edits...)
			if d := cmp.Diff(test.want, diff); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if test.want != "" {
				checkDiff(t, test.text, diff, after)
			}
		})
	}
}

// checkDiff lets git make the change that a diff says.
func checkDiff(t *testing.T, before, diff, after string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "f"), []byte(before), 0o644); err != nil {
		t.Fatal(err)
	}
	diff = strings.Replace(diff, "--- a\n+++ b\n", "--- a/f\n+++ b/f\n", 1)
	git := exec.Command("git", "-c", "core.autocrlf=false", "apply", "--unidiff-zero", "-")
	git.Dir, git.Stdin = dir, strings.NewReader(diff)
	git.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	if out, err := git.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s\n%s", err, out, diff)
	}
	got, err := os.ReadFile(filepath.Join(dir, "f"))
	if err != nil || string(got) != after {
		t.Errorf("git makes %q of it, want %q (%v)", got, after, err)
	}
}

func TestDiffOfPlans(t *testing.T) {
	const path = "root/.mcp.json"
	w := newWorld(t, nil)
	a := agent(t, "mcp")
	show := func(p *setup.Plan) string {
		return strings.ReplaceAll(p.Files[0].Diff(), filepath.Join(w.at.Root, ".mcp.json"), "F")
	}
	snippet := "{\n  \"mcpServers\": {\n    \"acode\": {\n      \"command\": \"/opt/acode ls/acode-ls\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n"
	added := "+" + strings.ReplaceAll(strings.TrimSuffix(snippet, "\n"), "\n", "\n+") + "\n"

	plan := w.plan(a.Connect(setup.Project, w.at, program))
	if diff := cmp.Diff("--- /dev/null\n+++ F\n@@ -0,0 +1,8 @@\n"+added, show(plan)); diff != "" {
		t.Errorf("of a new file (-want +got):\n%s", diff)
	}
	w.must(plan.Apply())
	plan = w.plan(a.Disconnect(setup.Project, w.at, program))
	if diff := cmp.Diff("--- F\n+++ /dev/null\n@@ -1,8 +0,0 @@\n"+strings.ReplaceAll("\n"+added, "\n+", "\n-")[1:], show(plan)); diff != "" {
		t.Errorf("of a deleted file (-want +got):\n%s", diff)
	}
	w.must(plan.Apply())

	// Taking back to the backup, with a byte order mark.
	w.write(path, "\ufeff{\n  \"a\": 1\n}\n")
	w.connect(a, setup.Project)
	text := w.read(path)
	plan = w.plan(a.Disconnect(setup.Project, w.at, program))
	checkDiff(t, text, strings.Replace(show(plan), "--- F\n+++ F\n", "--- a\n+++ b\n", 1), "\ufeff{\n  \"a\": 1\n}\n")
}
