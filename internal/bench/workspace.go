package main

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

const (
	smallLines = 200
	largeLines = 10_000
	manyFiles  = 1000
	readFirst  = 51  // 1-based
	readLast   = 150 // 1-based, included
)

// document is a generated file, by its absolute path.
type document struct {
	path, text string
	lines      int
}

func (d document) uri() string { return fileURI(d.path) }

// generate writes a Go module with a small and a large document to folder.
func generate(folder string) (small, large document, err error) {
	small = newDocument(folder, "small", smallLines)
	large = newDocument(folder, "large", largeLines)
	files := map[string]string{
		filepath.Join(folder, "go.mod"): "module example.com/bench\n\ngo 1.26\n",
		small.path:                      small.text,
		large.path:                      large.text,
	}
	return small, large, write(files)
}

// generateMany writes manyFiles documents of smallLines lines to folder.
func generateMany(folder string) ([]document, error) {
	files := map[string]string{}
	var documents []document
	for i := range manyFiles {
		d := newDocument(folder, fmt.Sprintf("file%d", i), smallLines)
		documents = append(documents, d)
		files[d.path] = d.text
	}
	return documents, write(files)
}

// newDocument makes up a Go file of functions of five lines each.
func newDocument(folder, name string, lines int) document {
	var text strings.Builder
	text.WriteString("package bench\n\n// Made up.\n//\n//\n")
	for i := 1; i < lines/5; i++ {
		fmt.Fprintf(&text, "\n// %[1]s%[2]d adds a and b and returns their sum.\nfunc %[1]s%[2]d(a, b int) int {\n\treturn a + b\n}\n", name, i)
	}
	return document{filepath.Join(folder, name+".go"), text.String(), lines}
}

func write(files map[string]string) error {
	for path, text := range files {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return fmt.Errorf("writing the workspace: %v", err)
		}
	}
	return nil
}

func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
