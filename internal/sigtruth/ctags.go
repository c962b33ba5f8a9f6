package main

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// ctags asks Universal Ctags. Of what it finds, that is left out which the
// truth does not count: members, parameters, what is inside functions.
func ctags(sources []source, args ...string) (found [][]declaration, took time.Duration, err error) {
	return tagsOf(sources, counts, args...)
}

// tagsOf asks Universal Ctags for the tags that are wanted by their kind and
// that of their scope.
func tagsOf(sources []source, wanted func(kind, scope string) bool, args ...string) (found [][]declaration, took time.Duration, err error) {
	program, err := exec.LookPath("ctags")
	if err != nil {
		return nil, 0, err
	}
	index := make(map[string]int, len(sources))
	var paths strings.Builder
	for i, s := range sources {
		index[s.path] = i
		fmt.Fprintln(&paths, s.path)
	}
	cmd := exec.Command(program, append(args, "-x", "--_xformat=%F\t%n\t%K\t%N\t%p", "--sort=no", "--fields=+Kp", "-L", "-")...)
	cmd.Stdin = strings.NewReader(paths.String())
	start := time.Now()
	out, err := cmd.Output()
	if err != nil {
		return nil, 0, fmt.Errorf("running ctags: %w", err)
	}
	took = time.Since(start)
	found = make([][]declaration, len(sources))
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 5 || !wanted(fields[2], fields[4]) {
			continue
		}
		if i, ok := index[fields[0]]; ok {
			n, _ := strconv.Atoi(fields[1])
			found[i] = append(found[i], declaration{Name: fields[3], First: n})
		}
	}
	return found, took, nil
}

// counts reports whether the truth counts what ctags calls kind, in a thing it
// calls scope.
func counts(kind, scope string) bool {
	switch scope {
	case "function", "func", "method", "member", "generator":
		return false
	}
	switch kind {
	case "function", "func", "method", "generator", "class", "interface", "enum", "alias", "talias", "struct", "type":
		return true
	case "constant", "const", "var", "variable":
		return scope != "class"
	case "member": // in Python a method, in Go a field
		return scope == "class"
	case "namespace":
		return scope == ""
	}
	return false
}
