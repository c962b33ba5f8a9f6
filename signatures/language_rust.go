//go:build cgo

package signatures

import (
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/rust"
)

func rustGrammar() *grammar {
	function := visible(rule{kind: Function, word: "fn"}, isPublicRust)
	return &grammar{
		language: rust.GetLanguage,
		rules: map[string]rule{
			"function_item":           function,
			"function_signature_item": function,
			"struct_item":             visible(rule{kind: Struct}, isPublicRust),
			"union_item":              visible(rule{kind: Struct, word: "union"}, isPublicRust),
			"enum_item":               visible(rule{kind: Enum}, isPublicRust),
			"trait_item":              visible(rule{kind: Trait, body: "body"}, isPublicRust),
			"impl_item":               {declare: declareImpl},
			"mod_item":                visible(rule{kind: Module, word: "mod", body: "body"}, isPublicRust),
			"foreign_mod_item":        {declare: declareForeign},
			"macro_definition":        {declare: declareRustMacro},
			"type_item":               outsideImpl(rule{kind: Type}),
			"const_item":              outsideImpl(rule{kind: Constant, word: "const"}),
			"static_item":             outsideImpl(rule{kind: Variable, word: "static"}),
		},
	}
}

func isPublicRust(w *walk, n *sitter.Node, in scope) bool {
	if in.kind == Trait {
		return true
	}
	modifier := childOfType(n, "visibility_modifier")
	return modifier != nil && w.text(modifier) != "pub(self)"
}

func outsideImpl(r rule) rule {
	r = visible(r, isPublicRust)
	return rule{declare: func(w *walk, n *sitter.Node, in scope) {
		if !isType(in.kind) {
			r.declare(w, n, in)
		}
	}}
}

// declareImpl visits the methods of "impl T" and "impl Trait for T", which are
// named with T. Those of a trait are as visible as it is.
func declareImpl(w *walk, n *sitter.Node, in scope) {
	body := n.ChildByFieldName("body")
	name := w.rustType(n.ChildByFieldName("type"))
	if body == nil || name == "" {
		return
	}
	inner := in
	inner.kind, inner.name = Struct, qualified(in.name, name)
	inner.depth++
	inner.exported = true
	if n.ChildByFieldName("trait") != nil {
		inner.kind = Trait
	}
	w.inside(body, inner)
}

// rustType returns the name of a type without its path and its arguments:
// "Display" for "&mut fmt::Display<T>". One that has no name is told as it is
// written, if that is short.
func (w *walk) rustType(n *sitter.Node) string {
	for range maxNesting {
		if n == nil {
			return ""
		}
		switch n.Type() {
		case "type_identifier", "primitive_type":
			return w.text(n)
		case "generic_type", "reference_type", "pointer_type":
			n = n.ChildByFieldName("type")
		case "scoped_type_identifier":
			n = n.ChildByFieldName("name")
		case "dynamic_type":
			n = n.ChildByFieldName("trait")
		default:
			const short = 40
			if text := w.text(n); len(text) <= short {
				return text
			}
			return ""
		}
	}
	return ""
}

// declareForeign visits what `extern "C" { ... }` declares, which belongs to
// the module around it.
func declareForeign(w *walk, n *sitter.Node, in scope) {
	if body := n.ChildByFieldName("body"); body != nil {
		w.inside(body, in)
	}
}

func declareRustMacro(w *walk, n *sitter.Node, in scope) {
	before := strings.TrimRight(w.src[:n.StartByte()], " \t\r\n")
	in.exported = strings.HasSuffix(before, "#[macro_export]")
	w.declare(n, rule{kind: Macro, word: "macro_rules!"}, in)
}
