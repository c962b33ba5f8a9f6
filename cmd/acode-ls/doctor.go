package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/spf13/cobra"

	"github.com/acode-ls/acode-ls/internal/config"
	"github.com/acode-ls/acode-ls/internal/envelope"
	"github.com/acode-ls/acode-ls/lsp"
)

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "What works on this machine, and how to mend the rest", Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.doctor(cmd.Context()) },
	}
}

// finding is what a check found out.
type finding struct {
	Check  string `json:"check"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
	Mend   string `json:"mend"` // what to do; empty if OK
}

// checks are what the doctor looks at, in order. Without the essential ones
// nothing works.
var checks = []struct {
	name      string
	essential bool
	check     func(ctx context.Context, root string) (detail, mend string)
}{
	{"workspace", true, checkRoot},
	{"state folder", true, checkStateFolder},
	{"journal", true, checkJournal},
	{"git", false, checkGit},
	{"file watching", false, checkWatching},
	{"neovim", false, checkNeovim},
	{"vscode", false, checkVSCode},
	{"agent socket", false, checkSocket},
	{"settings", true, checkSettings},
	{"acode-ls", true, checkSelf},
}

func (a *app) doctor(ctx context.Context) error {
	root, err := filepath.Abs(a.root)
	if err != nil {
		return err
	}
	findings := make([]finding, len(checks))
	var failed []string
	for i, c := range checks {
		detail, mend := c.check(ctx, root)
		findings[i] = finding{c.name, mend == "", detail, mend}
		if mend != "" && c.essential {
			failed = append(failed, c.name+": "+detail)
		}
	}
	var ill error
	if len(failed) > 0 {
		ill = &failure{status: exitFailed, data: findings, told: true,
			what: envelope.Error{Code: envelope.Config, Message: strings.Join(failed, "; ")}}
	}
	if a.json {
		if ill != nil {
			return ill
		}
		return a.answer(envelope.Answer{Data: findings})
	}
	if err := a.write(findingsTable(colours(a.out), findings)); err != nil {
		return err
	}
	return ill
}

func findingsTable(p paint, findings []finding) string {
	rows := [][]string{{"CHECK", "OK", "DETAIL", "MEND"}}
	for _, f := range findings {
		ok, mend := "yes", "-"
		if !f.OK {
			ok, mend = "no", f.Mend
		}
		rows = append(rows, []string{f.Check, ok, printable(f.Detail), printable(mend)})
	}
	return table(p, rows)
}

// Each check returns what it found and, if that is not as it should be, what
// to do about it.

func checkRoot(_ context.Context, root string) (detail, mend string) {
	f, err := os.CreateTemp(root, ".acode-doctor-*")
	if err != nil {
		return fmt.Sprintf("%s cannot be written: %v", root, reason(err)), "give yourself the right to write there, or name another --root"
	}
	_ = f.Close()
	if err := os.Remove(f.Name()); err != nil {
		return fmt.Sprintf("%s stays behind: %v", f.Name(), reason(err)), "remove it"
	}
	return root, ""
}

func checkStateFolder(_ context.Context, root string) (detail, mend string) {
	dir := filepath.Join(root, ".acode")
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ".acode is not there yet", ""
	case err != nil:
		return fmt.Sprintf(".acode: %v", reason(err)), "make it yours: chown -R $USER .acode"
	case !info.IsDir():
		return ".acode is not a folder", "remove or rename it"
	case runtime.GOOS != "windows" && info.Mode().Perm() != 0o700:
		return fmt.Sprintf(".acode has mode %04o, open to others", info.Mode().Perm()), "chmod 700 .acode"
	}
	if f, err := os.CreateTemp(dir, "doctor-*"); err != nil {
		return fmt.Sprintf(".acode cannot be written: %v", reason(err)), "make it yours: chown -R $USER .acode"
	} else {
		_ = f.Close()
		_ = os.Remove(f.Name())
	}
	return ".acode is yours alone", ""
}

func checkSocket(ctx context.Context, root string) (detail, mend string) {
	if err := lsp.CheckSocket(); err != nil {
		return err.Error(), "make the folder yours alone; until then agents do not see unsaved text"
	}
	l, err := lsp.OpenLink(root, lsp.LinkOptions{Version: lsp.BuildVersion()})
	if err != nil {
		return err.Error(), "name another --root"
	}
	defer l.Close()
	if s := l.Server(ctx); s != nil {
		return fmt.Sprintf("a server runs here: %s, process %d", s.Version, s.PID), ""
	}
	return "no server runs here; agents work on the disk", ""
}

func checkSettings(_ context.Context, root string) (detail, mend string) {
	_, err := config.Load(root)
	problems, bad := errors.AsType[config.Problems](err)
	switch {
	case bad && len(problems) == 1:
		return problems[0].String(), "mend it, then run acode-ls config check"
	case bad:
		return fmt.Sprintf("%s, and %d more problems", problems[0], len(problems)-1), "run acode-ls config check for all of them"
	case exists(filepath.Join(root, filepath.FromSlash(config.File))):
		return config.File + " holds", ""
	}
	return "no " + config.File + ": the defaults hold", ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func checkJournal(ctx context.Context, root string) (detail, mend string) {
	dir := filepath.Join(root, ".acode", "sessions")
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return "no session yet", ""
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	lock := flock.New(filepath.Join(dir, "lock"), flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 5*time.Millisecond); err != nil {
		return fmt.Sprintf("the journals cannot be locked: %v", reason(err)),
			"end the acode-ls that holds .acode/sessions/lock, or move to a file system with locks"
	}
	if err := lock.Unlock(); err != nil {
		return fmt.Sprintf("the journals cannot be unlocked: %v", reason(err)), "move to a file system with locks"
	}
	journals, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	return fmt.Sprintf("can be locked; sessions: %d", len(journals)), ""
}

func checkGit(_ context.Context, root string) (detail, mend string) {
	const none = "without git, switching branches goes unnoticed; git init begins a repository"
	for dir := root; ; dir = filepath.Dir(dir) {
		git := filepath.Join(dir, ".git")
		if b, err := os.ReadFile(git); err == nil { // a linked work tree
			git = strings.TrimSpace(strings.TrimPrefix(string(b), "gitdir:"))
			if !filepath.IsAbs(git) {
				git = filepath.Join(dir, git)
			}
		}
		head, err := os.ReadFile(filepath.Join(git, "HEAD"))
		switch {
		case err == nil:
			return "on " + strings.TrimPrefix(strings.TrimSpace(string(head)), "ref: refs/heads/"), ""
		case !errors.Is(err, fs.ErrNotExist):
			return fmt.Sprintf("HEAD: %v", reason(err)), "make the repository readable"
		case dir == filepath.Dir(dir):
			return "no repository", none
		}
	}
}

func checkWatching(context.Context, string) (detail, mend string) {
	if runtime.GOOS != "linux" {
		return "no limit on " + runtime.GOOS, ""
	}
	const setting, enough = "fs.inotify.max_user_watches", 8192
	b, err := os.ReadFile("/proc/sys/fs/inotify/max_user_watches")
	if err != nil {
		return fmt.Sprintf("%s: %v", setting, reason(err)), "mount /proc"
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil || n < enough {
		return fmt.Sprintf("%s is %s", setting, strings.TrimSpace(string(b))), fmt.Sprintf("sudo sysctl %s=%d", setting, enough)
	}
	return fmt.Sprintf("%s is %d", setting, n), ""
}

func checkNeovim(ctx context.Context, _ string) (detail, mend string) {
	const want = "for Neovim, install 0.12 or later"
	path, err := exec.LookPath("nvim")
	if err != nil {
		return "no nvim on PATH", want
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.WaitDelay = time.Second
	cmd.Env = append(os.Environ(), "NVIM_LOG_FILE="+os.DevNull)
	out, err := cmd.Output()
	if err != nil {
		return fmt.Sprintf("%s --version: %v", path, err), want
	}
	first, _, _ := strings.Cut(string(out), "\n")
	var major, minor int
	if _, err := fmt.Sscanf(first, "NVIM v%d.%d", &major, &minor); err != nil {
		return fmt.Sprintf("%s calls itself %q", path, first), want
	}
	if major == 0 && minor < 12 {
		return fmt.Sprintf("%s is %d.%d", path, major, minor), want
	}
	return fmt.Sprintf("%s is %d.%d", path, major, minor), ""
}

func checkVSCode(context.Context, string) (detail, mend string) {
	path, err := exec.LookPath("code")
	if err != nil {
		return "no code on PATH", "for VS Code, install it and its shell command"
	}
	return path, ""
}

func checkSelf(context.Context, string) (detail, mend string) {
	return fmt.Sprintf("%s, %s", lsp.BuildVersion(), runtime.Version()), ""
}

// reason leaves out of a system's error what is said already.
func reason(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}
