package main

import (
	"crypto/sha256"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// corpus is a kind of files with the way to know what they declare.
type corpus struct {
	name  string
	goal  score // of whole files
	ctags []string
	files func() ([]string, error)
	truth func(paths []string) ([]source, error)
}

func corpora(cache string) []corpus {
	typeScript := func(paths []string) ([]source, error) {
		return withScript("truth.cjs", typeScriptTruth, func(script string) ([]source, error) {
			return scriptTruth(paths, "node", script, cache)
		})
	}
	packages := func(wanted func(path string) bool) func() ([]string, error) {
		return func() ([]string, error) { return find(filepath.Join(cache, "node_modules"), wanted) }
	}
	isDeclarations := func(path string) bool { return strings.HasSuffix(path, ".d.ts") }
	return []corpus{
		{
			name: "go", goal: score{.9995, .997},
			files: func() ([]string, error) {
				return library(func(path string) bool { return strings.HasSuffix(path, ".go") }, "src", "go", "env", "GOROOT")
			},
			truth: goTruth,
		},
		{
			name: "python", goal: score{.9995, .9995}, ctags: []string{"--python-kinds=cfmv"},
			files: func() ([]string, error) {
				return library(func(path string) bool {
					return strings.HasSuffix(path, ".py") && !strings.Contains(path, "site-packages")
				},
					"", "python3", "-c", "import sysconfig; print(sysconfig.get_path('stdlib'))")
			},
			truth: func(paths []string) ([]source, error) {
				return withScript("truth.py", pythonTruth, func(script string) ([]source, error) {
					return scriptTruth(paths, "python3", script)
				})
			},
		},
		{
			name: "typescript", goal: score{.995, .99},
			files: packages(func(path string) bool {
				return (strings.HasSuffix(path, ".ts") || strings.HasSuffix(path, ".tsx")) && !isDeclarations(path)
			}),
			truth: typeScript,
		},
		{name: "d.ts", goal: score{.999, .999}, files: packages(isDeclarations), truth: typeScript},
		{
			name: "javascript", goal: score{.995, .99},
			files: packages(func(path string) bool {
				return strings.HasSuffix(path, ".js") && !strings.Contains(path, ".min.")
			}),
			truth: typeScript,
		},
	}
}

// library returns the wanted files below the folder that a command prints.
func library(wanted func(path string) bool, below, command string, args ...string) ([]string, error) {
	out, err := exec.Command(command, args...).Output()
	if err != nil {
		return nil, err
	}
	return find(filepath.Join(strings.TrimSpace(string(out)), below), wanted)
}

// maxSource leaves out files that no person wrote.
const maxSource = 2 << 20 // bytes

// find returns the wanted files below root, of equal ones the first.
func find(root string, wanted func(path string) bool) ([]string, error) {
	var paths []string
	seen := make(map[[sha256.Size]byte]bool)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || !wanted(path) {
			return err
		}
		content, err := os.ReadFile(path)
		if sum := sha256.Sum256(content); err == nil && len(content) <= maxSource && !seen[sum] {
			seen[sum] = true
			paths = append(paths, path)
		}
		return err
	})
	slices.Sort(paths)
	return paths, err
}
