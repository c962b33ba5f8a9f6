//go:build cgo

package signatures

import (
	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/csharp"
)

func cSharpGrammar() *grammar {
	method := visible(rule{kind: Method}, isPublicCSharp)
	namespace := rule{declare: declareCSharpNamespace}
	return &grammar{
		language: csharp.GetLanguage,
		rules: map[string]rule{
			"namespace_declaration":             namespace,
			"file_scoped_namespace_declaration": namespace,
			"class_declaration":                 visible(rule{kind: Class, body: "body"}, isPublicCSharp),
			"record_declaration":                visible(rule{kind: Class, word: "record", body: "body"}, isPublicCSharp),
			"record_struct_declaration":         visible(rule{kind: Struct, word: "record struct", body: "body"}, isPublicCSharp),
			"struct_declaration":                visible(rule{kind: Struct, body: "body"}, isPublicCSharp),
			"interface_declaration":             visible(rule{kind: Interface, body: "body"}, isPublicCSharp),
			"enum_declaration":                  visible(rule{kind: Enum}, isPublicCSharp),
			"delegate_declaration":              visible(rule{kind: Type, word: "delegate"}, isPublicCSharp),
			"method_declaration":                method,
			"constructor_declaration":           method,
			"destructor_declaration":            {declare: declareDestructor},
			"operator_declaration":              {declare: declareCSharpOperator},
			"global_statement":                  {},
			"local_function_statement":          {kind: Function},
			"declaration_list":                  {},

			"preproc_if": {}, "preproc_elif": {}, "preproc_else": {},
			"preproc_if_in_top_level": {},
		},
	}
}

func isPublicCSharp(w *walk, n *sitter.Node, in scope) bool {
	return in.kind == Interface || w.hasModifier(n, "public", "protected", "internal")
}

// declareCSharpNamespace adds "namespace A.B { ... }", or "namespace A.B;",
// which the rest of the file belongs to.
func declareCSharpNamespace(w *walk, n *sitter.Node, in scope) {
	name := n.ChildByFieldName("name")
	if name == nil {
		return
	}
	in.exported = true
	inner := w.add(n, rule{kind: Module, word: "namespace"}, w.text(name), in)
	w.unqualified(n.ChildByFieldName("body"), in, inner)
}

func declareDestructor(w *walk, n *sitter.Node, in scope) {
	if name := n.ChildByFieldName("name"); name != nil {
		in.start = afterAnnotations(n)
		in.exported = false
		w.add(n, rule{kind: Method}, "~"+w.text(name), in)
	}
}

func declareCSharpOperator(w *walk, n *sitter.Node, in scope) {
	operator := n.ChildByFieldName("operator")
	if operator == nil {
		return
	}
	in.start = afterAnnotations(n)
	in.exported = in.exported && isPublicCSharp(w, n, in)
	w.add(n, rule{kind: Method}, "operator "+w.text(operator), in)
}
