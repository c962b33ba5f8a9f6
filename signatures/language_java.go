//go:build cgo

package signatures

import (
	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/java"
)

func javaGrammar() *grammar {
	method := visible(rule{kind: Method}, isPublicJava)
	return &grammar{
		language: java.GetLanguage,
		rules: map[string]rule{
			"class_declaration":               visible(rule{kind: Class, body: "body"}, isPublicJava),
			"record_declaration":              visible(rule{kind: Class, word: "record", body: "body"}, isPublicJava),
			"interface_declaration":           visible(rule{kind: Interface, body: "body"}, isPublicJava),
			"annotation_type_declaration":     visible(rule{kind: Interface, word: "@interface", body: "body"}, isPublicJava),
			"enum_declaration":                visible(rule{kind: Enum, body: "body"}, isPublicJava),
			"enum_body_declarations":          {},
			"method_declaration":              method,
			"constructor_declaration":         method,
			"compact_constructor_declaration": method,
			"module_declaration":              {kind: Module},
		},
	}
}

func isPublicJava(w *walk, n *sitter.Node, in scope) bool {
	return in.kind == Interface || w.hasModifier(n, "public", "protected")
}
