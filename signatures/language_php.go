//go:build cgo

package signatures

import (
	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/php"
)

func phpGrammar() *grammar {
	return &grammar{
		language: php.GetLanguage,
		rules: map[string]rule{
			"namespace_definition":  {declare: declarePHPNamespace},
			"function_definition":   visible(rule{kind: Function}, isPublicPHP),
			"method_declaration":    visible(rule{kind: Method, word: "function"}, isPublicPHP),
			"class_declaration":     visible(rule{kind: Class, body: "body"}, isPublicPHP),
			"interface_declaration": visible(rule{kind: Interface, body: "body"}, isPublicPHP),
			"trait_declaration":     visible(rule{kind: Trait, body: "body"}, isPublicPHP),
			"enum_declaration":      visible(rule{kind: Enum, body: "body"}, isPublicPHP),
			"const_declaration":     {declare: declarePHPConstants},

			// These open no scope.
			"if_statement": {}, "else_clause": {}, "else_if_clause": {}, "compound_statement": {}, "colon_block": {},
		},
	}
}

func isPublicPHP(w *walk, n *sitter.Node, _ scope) bool {
	return !w.hasModifier(n, "private", "protected")
}

func declarePHPNamespace(w *walk, n *sitter.Node, in scope) {
	body := n.ChildByFieldName("body")
	name := n.ChildByFieldName("name")
	if name == nil { // the global one
		w.unqualified(body, in, in)
		return
	}
	in.exported = true
	inner := w.add(n, rule{kind: Module, word: "namespace"}, w.text(name), in)
	w.unqualified(body, in, inner)
}

func declarePHPConstants(w *walk, n *sitter.Node, in scope) {
	if isType(in.kind) {
		return
	}
	in.exported = true
	each(n, func(element *sitter.Node, _ *sitter.TreeCursor) {
		if name := childOfType(element, "name"); name != nil && element.Type() == "const_element" {
			w.add(element, rule{kind: Constant, word: "const"}, w.text(name), in)
		}
	})
}
