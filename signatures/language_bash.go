//go:build cgo

package signatures

import (
	"slices"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/bash"
)

func bashGrammar() *grammar {
	return &grammar{
		language: bash.GetLanguage,
		rules: map[string]rule{
			"function_definition": {declare: declareBashFunction},
			"variable_assignment": {declare: declareBashVariable},
			"declaration_command": {declare: declareBashVariables},

			// These open no scope.
			"if_statement": {}, "elif_clause": {}, "else_clause": {}, "compound_statement": {}, "list": {},
			"case_statement": {}, "case_item": {}, "while_statement": {}, "for_statement": {}, "do_group": {},
			"variable_assignments": {},
		},
	}
}

func declareBashFunction(w *walk, n *sitter.Node, in scope) {
	in.exported = true
	w.declare(n, rule{kind: Function}, in)
}

// declareBashVariable adds "A=1"; of "a[0]=1" the name is no plain one.
func declareBashVariable(w *walk, n *sitter.Node, in scope) {
	if name := n.ChildByFieldName("name"); name != nil && name.Type() == "variable_name" {
		w.add(n, rule{kind: Variable}, w.text(name), in)
	}
}

// declareBashVariables adds the names of "export A=1 B" and of "readonly A=1".
func declareBashVariables(w *walk, n *sitter.Node, in scope) {
	keyword := n.Child(0)
	if keyword == nil || !slices.Contains([]string{"export", "readonly", "declare", "typeset"}, keyword.Type()) {
		return
	}
	r := rule{kind: Variable}
	if keyword.Type() == "readonly" {
		r.kind = Constant
	}
	in.exported = keyword.Type() == "export"
	each(n, func(child *sitter.Node, _ *sitter.TreeCursor) {
		if child.Type() != "variable_assignment" {
			return
		}
		if name := child.ChildByFieldName("name"); name != nil && name.Type() == "variable_name" {
			w.add(child, r, w.text(name), in)
		}
	})
}
