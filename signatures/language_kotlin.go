//go:build cgo

package signatures

import (
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/kotlin"
)

func kotlinGrammar() *grammar {
	return &grammar{
		language: kotlin.GetLanguage,
		rules: map[string]rule{
			"function_declaration":  {declare: declareKotlinFunction},
			"class_declaration":     {declare: declareKotlinClass},
			"object_declaration":    {declare: declareKotlinClass},
			"companion_object":      {},
			"class_body":            {},
			"enum_class_body":       {},
			"secondary_constructor": {declare: declareKotlinConstructor},
			"property_declaration":  {declare: declareKotlinProperty},
			"type_alias":            {declare: declareKotlinAlias},
		},
	}
}

// kotlinScope returns in as it is for the declaration n.
func (w *walk) kotlinScope(n *sitter.Node, in scope) scope {
	in.exported = (in.depth == 0 || in.exported) && !w.hasModifier(n, "private")
	in.start = afterAnnotations(n)
	return in
}

// declareKotlinFunction adds "fun f" and, with its receiver, "fun String.f".
func declareKotlinFunction(w *walk, n *sitter.Node, in scope) {
	if name := w.kotlinName(n, "simple_identifier"); name != "" {
		w.add(n, rule{kind: Function, word: "fun"}, name, w.kotlinScope(n, in))
	}
}

// kotlinName returns the name in n, which is of type kind, behind that of the
// type it extends.
func (w *walk) kotlinName(n *sitter.Node, kind string) string {
	var receiver, name string
	each(n, func(child *sitter.Node, _ *sitter.TreeCursor) {
		switch child.Type() {
		case kind:
			if name == "" {
				name = strings.Trim(w.text(child), "`")
			}
		case "user_type", "nullable_type":
			if name == "" {
				receiver = strings.TrimSuffix(beforeByte(w.text(child), '<'), "?")
			}
		}
	})
	if name == "" {
		return ""
	}
	return qualified(receiver, name)
}

func declareKotlinClass(w *walk, n *sitter.Node, in scope) {
	name := childOfType(n, "type_identifier")
	if name == nil {
		return
	}
	r := rule{kind: Class}
	switch {
	case n.Type() == "object_declaration":
		r.word = "object"
	case childOfType(n, "interface") != nil:
		r.kind = Interface
	case childOfType(n, "enum") != nil:
		r = rule{kind: Enum, word: "enum class"}
	}
	inner := w.add(n, r, w.text(name), w.kotlinScope(n, in))
	if body := childOfType(n, "class_body", "enum_class_body"); body != nil {
		w.inside(body, inner)
	}
}

func declareKotlinConstructor(w *walk, n *sitter.Node, in scope) {
	w.add(n, rule{kind: Method}, "constructor", w.kotlinScope(n, in))
}

// declareKotlinProperty adds the names of "val a", "val String.a" and
// "val (a, b)" outside of classes.
func declareKotlinProperty(w *walk, n *sitter.Node, in scope) {
	if in.depth > 0 {
		return
	}
	r := rule{kind: Variable, word: "val"}
	if keyword := childOfType(n, "binding_pattern_kind"); keyword != nil && w.text(keyword) == "var" {
		r.word = "var"
	}
	if modifiers := childOfType(n, "modifiers"); modifiers != nil && childOfType(modifiers, "property_modifier") != nil &&
		strings.Contains(w.text(modifiers), "const") {
		r = rule{kind: Constant, word: "const val"}
	}
	in = w.kotlinScope(n, in)
	declared := n
	if several := childOfType(n, "multi_variable_declaration"); several != nil {
		declared = several
	}
	var receiver string
	each(declared, func(child *sitter.Node, _ *sitter.TreeCursor) {
		switch child.Type() {
		case "user_type", "nullable_type":
			receiver = strings.TrimSuffix(beforeByte(w.text(child), '<'), "?")
		case "variable_declaration":
			if name := childOfType(child, "simple_identifier"); name != nil {
				w.add(n, r, qualified(receiver, w.text(name)), in)
			}
		}
	})
}

func declareKotlinAlias(w *walk, n *sitter.Node, in scope) {
	if name := childOfType(n, "type_identifier"); name != nil {
		w.add(n, rule{kind: Type, word: "typealias"}, w.text(name), w.kotlinScope(n, in))
	}
}
