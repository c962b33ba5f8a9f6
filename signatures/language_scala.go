//go:build cgo

package signatures

import (
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/scala"
)

func scalaGrammar() *grammar {
	function := visible(rule{kind: Function, word: "def"}, isPublicScala)
	return &grammar{
		language: scala.GetLanguage,
		refuses:  hasManyBackticks,
		rules: map[string]rule{
			"package_clause":       {declare: declareScalaPackage},
			"package_object":       visible(rule{kind: Module, word: "package object", body: "body"}, isPublicScala),
			"class_definition":     visible(rule{kind: Class, body: "body"}, isPublicScala),
			"object_definition":    visible(rule{kind: Class, word: "object", body: "body"}, isPublicScala),
			"trait_definition":     visible(rule{kind: Trait, body: "body"}, isPublicScala),
			"enum_definition":      visible(rule{kind: Enum, body: "body"}, isPublicScala),
			"given_definition":     {declare: declareGiven},
			"function_definition":  function,
			"function_declaration": function,
			"extension_definition": {},
			"type_definition":      visible(rule{kind: Type}, isPublicScala),
			"val_definition":       {declare: declareScalaValue(Constant, "val")},
			"var_definition":       {declare: declareScalaValue(Variable, "var")},
		},
	}
}

func isPublicScala(w *walk, n *sitter.Node, _ scope) bool {
	return !w.hasModifier(n, "private", "private[this]")
}

// declareScalaPackage visits "package a { ... }". What stands behind "package
// a" is not in its node.
func declareScalaPackage(w *walk, n *sitter.Node, in scope) {
	name, body := n.ChildByFieldName("name"), n.ChildByFieldName("body")
	if name == nil || body == nil {
		return
	}
	in.exported = true
	w.unqualified(body, in, w.add(n, rule{kind: Module, word: "package"}, w.text(name), in))
}

// declareGiven adds a given that has a name. Its members are methods.
func declareGiven(w *walk, n *sitter.Node, in scope) {
	name := n.ChildByFieldName("name")
	if name == nil {
		return
	}
	in.exported = (in.depth == 0 || in.exported) && isPublicScala(w, n, in)
	inner := w.add(n, rule{kind: Constant, word: "given"}, w.text(name), in)
	inner.kind = Class
	if body := n.ChildByFieldName("body"); body != nil && strings.HasSuffix(body.Type(), "template_body") {
		w.inside(body, inner)
	}
}

// declareScalaValue adds the names of "val a" and "val (a, b)" outside of
// classes.
func declareScalaValue(kind Kind, word string) func(w *walk, n *sitter.Node, in scope) {
	return func(w *walk, n *sitter.Node, in scope) {
		pattern := n.ChildByFieldName("pattern")
		if pattern == nil || isType(in.kind) {
			return
		}
		in.exported = (in.depth == 0 || in.exported) && isPublicScala(w, n, in)
		in.start = afterAnnotations(n)
		r := rule{kind: kind, word: word}
		switch pattern.Type() {
		case "identifier":
			w.add(n, r, w.text(pattern), in)
		case "tuple_pattern", "identifiers":
			each(pattern, func(child *sitter.Node, _ *sitter.TreeCursor) {
				if child.Type() == "identifier" {
					w.add(n, r, w.text(child), in)
				}
			})
		}
	}
}

// hasManyBackticks reports whether a line has so many that Scala's lexer, which
// looks for the closing one from each byte of the line on, takes too long: its
// time grows with their cube.
func hasManyBackticks(src string) bool {
	const most = 500
	if strings.Count(src, "`") <= most {
		return false
	}
	for line := range strings.Lines(src) {
		if strings.Count(line, "`") > most {
			return true
		}
	}
	return false
}
