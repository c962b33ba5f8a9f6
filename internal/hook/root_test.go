package hook_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/acode-ls/acode-ls/internal/hook"
)

// tree makes folders in a new one and returns that, links resolved.
func tree(t *testing.T, dirs ...string) string {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return base
}

// setFolders says where the home folder and that for temporary files are.
func setFolders(t *testing.T, home, temporary string) {
	t.Helper()
	names := map[string]string{"HOME": home, "TMPDIR": temporary}
	if runtime.GOOS == "windows" {
		names = map[string]string{"USERPROFILE": home, "TMP": temporary}
	}
	for name, dir := range names {
		t.Setenv(name, dir)
	}
}

// rootOf returns the folder that is opened for an event, "" if none is.
func rootOf(t *testing.T, cwd string, opts hook.Options) (root, told string) {
	t.Helper()
	opts.Open = func(dir string) (hook.Workspace, error) {
		root = dir
		return nil, errors.New("enough")
	}
	var errs bytes.Buffer
	event := `{"hook_event_name":"UserPromptSubmit","session_id":"s","cwd":` + quote(cwd) + `}`
	hook.Run(t.Context(), strings.NewReader(event), io.Discard, &errs, opts)
	return root, errs.String()
}

// TestRoot sees which folder is taken for the workspace.
func TestRoot(t *testing.T) {
	base := tree(t, "repo/.git", "repo/sub/deep", "ledger/.acode", "ledger/sub", "ledger/repo/.git", "ledger/repo/sub",
		"repo/part/.acode", "repo/part/sub", "plain", "work/.git", "work/home/.acode", "work/home/.git", "work/home/sub",
		"home/.acode", "home/.git", "home/sub", "home/repo/.git", "home/repo/sub", "tmp/.acode", "tmp/.git", "tmp/sub/deep", "tmp/led/.acode")
	for name, test := range map[string]struct{ given, claude, gemini, cwd, home, want string }{
		"of git":                             {cwd: "repo/sub/deep", want: "repo"},
		"of a ledger":                        {cwd: "ledger/sub", want: "ledger"},
		"of git, nearer than a ledger":       {cwd: "ledger/repo/sub", want: "ledger/repo"},
		"of a ledger, nearer than git":       {cwd: "repo/part/sub", want: "repo/part"},
		"itself":                             {cwd: "repo", want: "repo"},
		"none":                               {cwd: "plain", want: "plain"},
		"of the environment":                 {claude: "plain", gemini: "repo", cwd: "repo/sub", want: "plain"},
		"of Gemini's environment":            {gemini: "plain", cwd: "repo/sub", want: "plain"},
		"given":                              {given: "repo", claude: "plain", cwd: "ledger", want: "repo"},
		"of a missing folder":                {cwd: "repo/gone/by", want: "repo"},
		"below home":                         {cwd: "home/sub", want: "home/sub"},
		"of git below home":                  {cwd: "home/repo/sub", want: "home/repo"},
		"home, where the agent is":           {cwd: "home", want: "home"},
		"home, where it is said":             {claude: "home", cwd: "home/sub", want: "home"},
		"above a home":                       {cwd: "work/home/sub", home: "work/home", want: "work"},
		"below the folder for temporary":     {cwd: "tmp/sub/deep", want: "tmp/sub/deep"},
		"of a ledger there":                  {cwd: "tmp/led", want: "tmp/led"},
		"that of temporary, where one is":    {cwd: "tmp", want: "tmp"},
		"a missing folder of temporary ones": {cwd: "tmp/gone/by", want: ""},
	} {
		t.Run(name, func(t *testing.T) {
			at := func(dir string) string {
				if dir == "" {
					return ""
				}
				return filepath.Join(base, dir)
			}
			home := test.home
			if home == "" {
				home = "home"
			}
			setFolders(t, at(home), at("tmp"))
			got, told := rootOf(t, at(test.cwd), hook.Options{Root: at(test.given), Getenv: func(name string) string {
				return map[string]string{"CLAUDE_PROJECT_DIR": at(test.claude), "GEMINI_PROJECT_DIR": at(test.gemini)}[name]
			}})
			if got != at(test.want) {
				t.Errorf("the workspace is %q, want %q; told %q", got, at(test.want), told)
			}
		})
	}
}

// TestNoRoot sees that the whole file system is never a workspace.
func TestNoRoot(t *testing.T) {
	base := tree(t, "sub")
	top := filepath.VolumeName(base) + string(filepath.Separator)
	for name, test := range map[string]struct {
		cwd  string
		opts hook.Options
	}{
		"where the agent is": {top, hook.Options{}},
		"given":              {base, hook.Options{Root: top}},
		"of the environment": {base, hook.Options{Getenv: func(string) string { return top }}},
	} {
		root, told := rootOf(t, test.cwd, test.opts)
		if root != "" || !strings.Contains(told, "the root of the file system is no workspace") || strings.Count(told, "\n") != 1 {
			t.Errorf("%s: the workspace is %q, told %q", name, root, told)
		}
	}
}
