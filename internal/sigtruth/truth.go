package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	_ "embed"

	"github.com/acode-ls/acode-ls/signatures"
)

// declaration is what is compared: a part of a signatures.Declaration.
type declaration struct {
	Kind  signatures.Kind `json:"kind"`
	Name  string          `json:"name"`
	First int             `json:"first"` // line, 1-based
	Last  int             `json:"last"`
}

// source is a file with what it truly declares.
type source struct {
	path    string
	content string
	truth   []declaration
}

var (
	//go:embed truth.py
	pythonTruth string
	//go:embed truth.cjs
	typeScriptTruth string
)

// goTruth parses with the standard library. Files that it refuses are left
// out, here and below: what they declare is a matter of opinion.
func goTruth(paths []string) ([]source, error) {
	var sources []source
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, content, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		g := goFile{positions: files.File(file.Pos())}
		for _, d := range file.Decls {
			g.declaration(d)
		}
		sources = append(sources, source{path, string(content), g.found})
	}
	return sources, nil
}

type goFile struct {
	positions *token.File
	found     []declaration
}

func (g *goFile) add(kind signatures.Kind, name string, n ast.Node, start token.Pos) {
	if !strings.HasSuffix("."+name, "._") {
		// A "//line" comment must not change the numbers.
		line := func(p token.Pos) int { return g.positions.PositionFor(p, false).Line }
		g.found = append(g.found, declaration{kind, name, line(start), line(n.End() - 1)})
	}
}

func (g *goFile) declaration(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			g.add(signatures.Function, d.Name.Name, d, d.Pos())
		} else if receiver := receiverName(d.Recv); receiver != "" {
			g.add(signatures.Method, receiver+"."+d.Name.Name, d, d.Type.Func)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			g.spec(d.Tok, spec)
		}
	}
}

func (g *goFile) spec(tok token.Token, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		kind := signatures.Type
		if !spec.Assign.IsValid() {
			switch spec.Type.(type) {
			case *ast.StructType:
				kind = signatures.Struct
			case *ast.InterfaceType:
				kind = signatures.Interface
			}
		}
		g.add(kind, spec.Name.Name, spec, spec.Pos())
	case *ast.ValueSpec:
		kind := signatures.Variable
		if tok == token.CONST {
			kind = signatures.Constant
		}
		for _, name := range spec.Names {
			g.add(kind, name.Name, spec, name.Pos())
		}
	}
}

func receiverName(receiver *ast.FieldList) string {
	if len(receiver.List) == 0 {
		return ""
	}
	t := receiver.List[0].Type
	for {
		switch inner := t.(type) {
		case *ast.StarExpr:
			t = inner.X
		case *ast.ParenExpr:
			t = inner.X
		case *ast.IndexExpr:
			t = inner.X
		case *ast.IndexListExpr:
			t = inner.X
		case *ast.Ident:
			return inner.Name
		default:
			return ""
		}
	}
}

// scriptTruth runs a program that prints the truth of the files on its stdin.
func scriptTruth(paths []string, program string, args ...string) ([]source, error) {
	cmd := exec.Command(program, args...)
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\n"))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var sources []source
	lines := bufio.NewReaderSize(out, 1<<20)
	for decoder := json.NewDecoder(lines); decoder.More(); {
		var file struct {
			Path         string
			Declarations *[]declaration
		}
		if err := decoder.Decode(&file); err != nil {
			return nil, err
		}
		if file.Declarations == nil {
			continue
		}
		content, err := os.ReadFile(file.Path)
		if err != nil {
			return nil, err
		}
		sources = append(sources, source{file.Path, string(content), *file.Declarations})
	}
	if err := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("running %s: %w", program, err)
	}
	return sources, nil
}

// withScript writes a script to a file of the name and calls do with its path.
func withScript(name, script string, do func(path string) ([]source, error)) ([]source, error) {
	dir, err := os.MkdirTemp("", "sigtruth")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
		return nil, err
	}
	return do(path)
}
