package arch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// listed is what "go list -json" says of a package.
type listed struct {
	ImportPath string
	Standard   bool
	Imports    []string // without those of tests
	Deps       []string // Imports, and theirs
}

// imports checks limits, bans and exclusive for each system the program is
// built for, as files for one system may import what others do not.
func imports(t *testing.T, root string) []string {
	var complaints []string
	for _, system := range []string{"linux", "darwin", "windows"} {
		packages := list(t, root, system)
		standard := map[string]bool{"C": true}
		for _, p := range packages {
			standard[p.ImportPath] = p.Standard
		}
		for _, p := range packages {
			if folder, ok := strings.CutPrefix(p.ImportPath, module+"/"); ok {
				complaints = append(complaints, importsOf(p, folder, standard)...)
			}
		}
	}
	return complaints
}

func importsOf(p listed, folder string, standard map[string]bool) []string {
	var complaints []string
	complain := func(path, reason string) {
		complaints = append(complaints, fmt.Sprintf("%s imports %s: %s", folder, path, reason))
	}
	for limited, allowed := range limits {
		if !within(folder, limited) {
			continue
		}
		for _, path := range p.Imports {
			if !standard[path] && !within(path, own(limited)) && !withinAny(path, allowed) {
				complain(path, "not among its limits; a new import is a change of architecture")
			}
		}
	}
	for banning, banned := range bans {
		if !within(folder, banning) {
			continue
		}
		for _, path := range p.Deps {
			for prefix, reason := range banned {
				if within(path, prefix) {
					complain(path, reason)
				}
			}
		}
	}
	for prefix, only := range exclusive {
		if _, ok := only.exceptions[folder]; ok {
			continue
		}
		for _, path := range p.Imports {
			if within(path, prefix) && !within(folder, only.folder) {
				complain(path, only.reason)
			}
		}
	}
	return complaints
}

// within reports whether path is prefix or below it.
func within(path, prefix string) bool {
	return path == prefix || strings.HasPrefix(path, prefix+"/")
}

func withinAny(path string, prefixes []string) bool {
	for _, prefix := range prefixes {
		if within(path, prefix) {
			return true
		}
	}
	return false
}

// list returns the packages of the module at root and all they import.
func list(t *testing.T, root, system string) []listed {
	t.Helper()
	// -e: a package that does not compile, or cannot be found, is other tests' affair.
	command := exec.Command("go", "list", "-e", "-deps", "-json=ImportPath,Standard,Imports,Deps", "./...")
	command.Dir = root
	command.Env = append(os.Environ(), "GOOS="+system, "GOFLAGS=-mod=readonly", "GOWORK=off", "GOPROXY=off")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("listing packages for %s: %v\n%s", system, err, &stderr)
	}
	var packages []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatalf("reading the list of packages: %v", err)
		}
		packages = append(packages, p)
	}
}
