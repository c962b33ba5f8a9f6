package search

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// outer is what git knows of a folder from elsewhere.
type outer struct {
	prefix string // the folder below the top of the repository, "" or with a slash at the end
	rules  []rule // by paths of the repository, not of the folder
}

// readOuter reads the rules that apply in dir but stand elsewhere: the user's,
// the repository's own, and those of the folders between the top of the
// repository and dir. There are none without git or a repository.
func readOuter(ctx context.Context, dir string) outer {
	answer, ok := git(ctx, dir, "rev-parse", "--show-prefix", "--git-path", "info/exclude")
	prefix, exclude, both := strings.Cut(answer, "\n")
	if !ok || !both {
		return outer{}
	}
	o := outer{prefix: prefix, rules: parseRules(readText(excludesFile(ctx, dir)), "")}
	if !filepath.IsAbs(exclude) {
		exclude = filepath.Join(dir, exclude)
	}
	o.rules = append(o.rules, parseRules(readText(exclude), "")...)
	for at := 0; at < len(prefix); at += strings.IndexByte(prefix[at:], '/') + 1 {
		up := strings.Repeat("../", strings.Count(prefix[at:], "/"))
		path := filepath.Join(dir, filepath.FromSlash(up), ".gitignore")
		o.rules = append(o.rules, parseRules(readText(path), prefix[:at])...)
	}
	return o
}

// excludesFile returns the user's own file of rules, "" if that is not known.
func excludesFile(ctx context.Context, dir string) string {
	if path, ok := git(ctx, dir, "config", "--path", "--get", "core.excludesFile"); ok {
		return path
	}
	config := os.Getenv("XDG_CONFIG_HOME")
	if config == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		config = filepath.Join(home, ".config")
	}
	return filepath.Join(config, "git", "ignore")
}

// foreign are variables that name another repository than that of the folder, as
// git sets them for its hooks, or other settings than those in use.
var foreign = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY",
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_CONFIG",
}

func environment() []string {
	env := slices.DeleteFunc(os.Environ(), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return slices.Contains(foreign, name)
	})
	return append(env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0")
}

// gitPatience is how long git may take to say what it knows, which takes it
// milliseconds.
const gitPatience = 5 * time.Second

// git returns what git prints, without the last line end.
func git(ctx context.Context, dir string, args ...string) (string, bool) {
	ctx, cancel := context.WithTimeout(ctx, gitPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, environment(), 100*time.Millisecond
	output, err := cmd.Output()
	return strings.TrimSuffix(string(output), "\n"), err == nil
}

// readText returns the text of a regular file, "" where it cannot.
func readText(path string) string {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(content)
}
