package search

import (
	"errors"
	"strings"
)

// rule is a line of a .gitignore.
type rule struct {
	glob     glob   // for the whole path below base if anchored, else for a name
	base     string // folder of the file that has the line, "" or with a slash at the end
	anchored bool
	dirOnly  bool
	negated  bool
}

// parseRules reads the lines of a .gitignore in folder base.
func parseRules(content, base string) []rule {
	var rules []rule
	content = strings.TrimPrefix(content, "\ufeff")
	for line := range strings.Lines(content) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if strings.HasPrefix(line, "#") {
			continue
		}
		// Git, too, is silent on what is not well formed.
		if r, err := parseRule(trimSpaces(line), base); err == nil {
			rules = append(rules, r)
		}
	}
	return rules
}

var errEmpty = errors.New("it is empty")

func parseRule(line, base string) (rule, error) {
	r := rule{base: base}
	line, r.negated = strings.CutPrefix(line, "!")
	line, r.dirOnly = strings.CutSuffix(line, "/")
	r.anchored = strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return rule{}, errEmpty
	}
	var err error
	r.glob, err = parseGlob(line)
	return r, err
}

// trimSpaces removes spaces at the end that no backslash keeps.
func trimSpaces(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = min(i+1, len(line))
	}
	return line[:end]
}

// matches reports whether r is about path, a path below r.base.
func (r rule) matches(path string, dir bool) bool {
	if r.dirOnly && !dir {
		return false
	}
	if r.anchored {
		return r.glob.match(path[len(r.base):])
	}
	return r.glob.match(path[strings.LastIndexByte(path, '/')+1:])
}

// ignored reports whether the last rule that is about path says to ignore it.
// Rules of deeper folders come later. It does not look at the folders above
// path: who goes through a tree does not enter ignored ones.
func ignored(rules []rule, path string, dir bool) bool {
	for i := len(rules) - 1; i >= 0; i-- {
		if rules[i].matches(path, dir) {
			return !rules[i].negated
		}
	}
	return false
}
