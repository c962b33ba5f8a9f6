//go:build cgo

package signatures

import (
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/swift"
)

func swiftGrammar() *grammar {
	function := rule{declare: declareSwiftFunction}
	return &grammar{
		language: swift.GetLanguage,
		rules: map[string]rule{
			"class_declaration":             {declare: declareSwiftType},
			"protocol_declaration":          visible(rule{kind: Interface, word: "protocol", body: "body"}, isPublicSwift),
			"function_declaration":          function,
			"protocol_function_declaration": function,
			"init_declaration":              {declare: declareSwiftInit},
			"typealias_declaration":         visible(rule{kind: Type, word: "typealias"}, isPublicSwift),
			"property_declaration":          {declare: declareSwiftProperty},
			"macro_declaration":             {declare: declareSwiftMacro},
		},
	}
}

func isPublicSwift(w *walk, n *sitter.Node, _ scope) bool {
	return !w.hasModifier(n, "private", "fileprivate")
}

// declareSwiftType adds a class, struct, enum, actor or extension.
func declareSwiftType(w *walk, n *sitter.Node, in scope) {
	name, body := n.ChildByFieldName("name"), n.ChildByFieldName("body")
	if name == nil {
		return
	}
	r := rule{kind: Class}
	switch keyword := childOfType(n, "class", "struct", "enum", "actor", "extension"); {
	case keyword == nil:
		return
	case keyword.Type() == "struct":
		r.kind = Struct
	case keyword.Type() == "enum":
		r.kind = Enum
	default:
		r.word = keyword.Type()
	}
	in.exported = (in.depth == 0 || in.exported) && isPublicSwift(w, n, in)
	in.start = afterAnnotations(n)
	inner := w.add(n, r, beforeByte(w.text(name), '<'), in)
	if body != nil {
		w.inside(body, inner)
	}
}

// declareSwiftFunction adds a function, which may be named by an operator.
func declareSwiftFunction(w *walk, n *sitter.Node, in scope) {
	name := n.ChildByFieldName("name")
	if name == nil || name.Type() == "user_type" { // that of the result
		return
	}
	in.exported = (in.depth == 0 || in.exported) && isPublicSwift(w, n, in)
	in.start = afterAnnotations(n)
	w.add(n, rule{kind: Function, word: "func"}, w.text(name), in)
}

func declareSwiftInit(w *walk, n *sitter.Node, in scope) {
	in.exported = in.exported && isPublicSwift(w, n, in)
	in.start = afterAnnotations(n)
	w.add(n, rule{kind: Method}, "init", in)
}

// declareSwiftProperty adds the names of "let a = 1, b = 2" outside of types.
func declareSwiftProperty(w *walk, n *sitter.Node, in scope) {
	if in.depth > 0 {
		return
	}
	r := rule{kind: Variable, word: "var"}
	if keyword := childOfType(n, "value_binding_pattern"); keyword != nil && strings.HasPrefix(w.text(keyword), "let") {
		r = rule{kind: Constant, word: "let"}
	}
	in.exported = isPublicSwift(w, n, in)
	in.start = afterAnnotations(n)
	eachField(n, "name", func(pattern *sitter.Node) {
		if name := pattern.ChildByFieldName("bound_identifier"); name != nil {
			w.add(n, r, w.text(name), in)
		}
	})
}

func declareSwiftMacro(w *walk, n *sitter.Node, in scope) {
	if name := childOfType(n, "simple_identifier"); name != nil {
		in.exported = isPublicSwift(w, n, in)
		in.start = afterAnnotations(n)
		w.add(n, rule{kind: Macro}, w.text(name), in)
	}
}
