package search

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// outer is what git knows of a folder from elsewhere.
type outer struct {
	prefix string // the folder below the top of the repository, "" or with a slash at the end
	rules  []rule // by paths of the repository, not of the folder
}

// readOuter reads the rules that apply in dir but stand elsewhere: the user's,
// the repository's own, and those of the folders between the top of the
// repository and dir. There are none without git or a repository.
func readOuter(dir string) outer {
	answer, ok := git(dir, "rev-parse", "--show-prefix", "--git-path", "info/exclude")
	prefix, exclude, both := strings.Cut(answer, "\n")
	if !ok || !both {
		return outer{}
	}
	o := outer{prefix: prefix, rules: parseRules(readText(excludesFile(dir)), "")}
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
func excludesFile(dir string) string {
	if path, ok := git(dir, "config", "--path", "--get", "core.excludesFile"); ok {
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

// git returns what git prints, without the last line end.
func git(dir string, args ...string) (string, bool) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
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
