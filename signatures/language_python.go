//go:build cgo

package signatures

import (
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/python"
)

func pythonGrammar() *grammar {
	return &grammar{
		language: python.GetLanguage,
		rules: map[string]rule{
			"function_definition":  {declare: declarePython(rule{kind: Function, word: "def"})},
			"class_definition":     {declare: declarePython(rule{kind: Class, word: "class", body: "body"})},
			"decorated_definition": {},
			"expression_statement": {declare: declarePythonVariables},
			"type_alias_statement": {declare: declarePythonType},

			// These open no scope: what they hold belongs to the module or class.
			"if_statement": {}, "elif_clause": {}, "else_clause": {},
			"try_statement": {}, "except_clause": {}, "except_group_clause": {}, "finally_clause": {},
			"with_statement": {}, "for_statement": {}, "while_statement": {},
			"match_statement": {}, "case_clause": {}, "block": {},
		},
	}
}

func declarePython(r rule) func(w *walk, n *sitter.Node, in scope) {
	return func(w *walk, n *sitter.Node, in scope) {
		name := n.ChildByFieldName("name")
		if name == nil {
			return
		}
		in.exported = isPublicPython(in, w.text(name))
		w.declare(n, r, in)
	}
}

// isPublicPython goes by the underscore that private names begin with.
func isPublicPython(in scope, name string) bool {
	return (in.depth == 0 || in.exported) && !strings.HasPrefix(name, "_")
}

// declarePythonVariables adds the names that a module assigns to: "a", "b" and
// "c" in "a, b = c = 1, 2". Attributes and elements are no names.
func declarePythonVariables(w *walk, n *sitter.Node, in scope) {
	if in.depth > 0 {
		return
	}
	each(n, func(child *sitter.Node, _ *sitter.TreeCursor) {
		for range maxNesting {
			if child == nil || child.Type() != "assignment" {
				return
			}
			w.bindPython(n, child.ChildByFieldName("left"), in)
			child = child.ChildByFieldName("right")
		}
	})
}

func (w *walk) bindPython(statement, target *sitter.Node, in scope) {
	if in.nesting++; target == nil || in.nesting > maxNesting {
		return
	}
	switch target.Type() {
	case "identifier":
		name := w.text(target)
		r := rule{kind: Variable}
		if isUpperCase(name) {
			r.kind = Constant
		}
		in.exported = isPublicPython(in, name)
		w.add(statement, r, name, in)
	case "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern":
		each(target, func(child *sitter.Node, _ *sitter.TreeCursor) { w.bindPython(statement, child, in) })
	}
}

// isUpperCase reports whether name is written as constants are: MAX_SIZE.
func isUpperCase(name string) bool {
	return strings.ToUpper(name) == name && strings.ToLower(name) != name
}

// declarePythonType adds "type Name[T] = int".
func declarePythonType(w *walk, n *sitter.Node, in scope) {
	left := n.NamedChild(0)
	if left == nil || in.depth > 0 {
		return
	}
	name, _, _ := strings.Cut(w.text(left), "[")
	in.exported = isPublicPython(in, name)
	w.add(n, rule{kind: Type}, strings.TrimSpace(name), in)
}
