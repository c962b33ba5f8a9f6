package arch

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sources checks what may appear in source files, whatever system they are for.
func sources(t *testing.T, root string) []string {
	var complaints, exits []string
	hasMain := false
	for _, name := range sourceFiles(t, root) {
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		isTest := strings.HasSuffix(name, "_test.go")
		if n := countLines(data); n > maxLines && !isTest && !isGenerated(data) {
			complaints = append(complaints, fmt.Sprintf("%s has %d lines: split it by %d", name, n, maxLines))
		}
		if path.Ext(name) != ".go" {
			continue
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, data, parser.SkipObjectResolution)
		if err != nil {
			continue // the compiler says it better
		}
		hasMain = hasMain || name == exitFile
		for at, function := range references(file) {
			place := fmt.Sprintf("%s:%d", name, files.Position(at).Line)
			switch reason := forbidden(name, isTest, function); {
			case reason != "":
				complaints = append(complaints, fmt.Sprintf("%s uses %s: %s", place, function, reason))
			case function == "os.Exit" && !isTest:
				exits = append(exits, place)
			}
		}
		if !isTest && withinAny(name, leaves) {
			for _, at := range jsonTags(file) {
				complaints = append(complaints, fmt.Sprintf("%s:%d has a json tag: each face owns its wire structs", name, files.Position(at).Line))
			}
		}
	}
	return append(complaints, checkExits(exits, hasMain)...)
}

// forbidden returns why the file must not use function, or "".
func forbidden(name string, isTest bool, function string) string {
	switch {
	case isTest && function == "time.Sleep":
		return "await a state instead"
	case !isTest && withinAny(name, leaves):
		if reason := ambient[function]; reason != "" {
			return reason
		}
	}
	if !isTest && strings.HasPrefix(function, "log.Fatal") && !withinAny(name, exiting) {
		return "it is os.Exit by another name"
	}
	return ""
}

// checkExits wants os.Exit once, in main.
func checkExits(exits []string, hasMain bool) []string {
	var complaints []string
	inMain := 0
	slices.Sort(exits)
	for _, place := range exits {
		if strings.HasPrefix(place, exitFile+":") && inMain == 0 {
			inMain++
			continue
		}
		complaints = append(complaints, place+" uses os.Exit: it appears once, in "+exitFile)
	}
	if hasMain && inMain == 0 {
		complaints = append(complaints, exitFile+" does not use os.Exit: it appears once, there")
	}
	return complaints
}

// references returns the exported functions of imported packages that file
// names, called or not, as "package.Name" by the package's true name.
func references(file *ast.File) map[token.Pos]string {
	imported := map[string]string{} // by the name used in file
	for _, spec := range file.Imports {
		full, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		used := path.Base(full)
		if spec.Name != nil {
			used = spec.Name.Name
		}
		imported[used] = full
	}
	found := map[token.Pos]string{}
	ast.Inspect(file, func(node ast.Node) bool {
		if selector, ok := node.(*ast.SelectorExpr); ok {
			if base, ok := selector.X.(*ast.Ident); ok && imported[base.Name] != "" {
				found[selector.Pos()] = imported[base.Name] + "." + selector.Sel.Name
			}
		}
		return true
	})
	return found
}

func jsonTags(file *ast.File) []token.Pos {
	var found []token.Pos
	ast.Inspect(file, func(node ast.Node) bool {
		if field, ok := node.(*ast.Field); ok && field.Tag != nil {
			tag, _ := strconv.Unquote(field.Tag.Value)
			if _, ok := reflect.StructTag(tag).Lookup("json"); ok {
				found = append(found, field.Tag.Pos())
			}
		}
		return true
	})
	return found
}

// sourceFiles returns the slash-separated names of the module's source files.
func sourceFiles(t *testing.T, root string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(root, func(full string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, full)
		if err != nil {
			return err
		}
		base := entry.Name()
		if entry.IsDir() {
			if name != "." && (strings.HasPrefix(base, ".") || base == "testdata" || base == "node_modules" || name == "bin") {
				return filepath.SkipDir
			}
			return nil
		}
		switch name = filepath.ToSlash(name); {
		case slices.Contains([]string{".go", ".lua", ".ts"}, path.Ext(name)), within(name, "scripts"):
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func isGenerated(data []byte) bool {
	first, _, _ := bytes.Cut(data, []byte("\n"))
	return bytes.Contains(first, []byte("Code generated ")) && bytes.Contains(first, []byte(" DO NOT EDIT."))
}

func countLines(data []byte) int {
	n := bytes.Count(data, []byte("\n"))
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n
}

// layout checks what lies at the root.
func layout(t *testing.T, root string) []string {
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	var complaints []string
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() && !strings.HasPrefix(name, ".") && !slices.Contains(topLevel, name) {
			complaints = append(complaints, "the folder "+name+" is not one of the known: a new one is a change of architecture")
		}
		if name != architectureFile {
			continue
		}
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if n := countLines(data); n > maxArchitecture {
			complaints = append(complaints, fmt.Sprintf("%s has %d lines: keep it to %d", name, n, maxArchitecture))
		}
	}
	return complaints
}
