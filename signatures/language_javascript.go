//go:build cgo

package signatures

import (
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
)

func javaScriptGrammar() *grammar {
	return &grammar{language: javascript.GetLanguage, rules: javaScriptRules()}
}

func typeScriptGrammar() *grammar {
	return &grammar{language: typescript.GetLanguage, rules: javaScriptRules()}
}

func typeScriptReactGrammar() *grammar {
	return &grammar{language: tsx.GetLanguage, rules: javaScriptRules()}
}

// javaScriptRules are those of TypeScript, of which JavaScript has some.
func javaScriptRules() map[string]rule {
	function := rule{kind: Function}
	class := rule{kind: Class, body: "body"}
	method := rule{declare: declareJavaScriptMethod}
	field := rule{declare: declareJavaScriptField}
	variables := rule{declare: declareJavaScriptVariables}
	return map[string]rule{
		"export_statement":               {declare: exportJavaScript},
		"ambient_declaration":            {declare: declareAmbient},
		"function_declaration":           function,
		"generator_function_declaration": function,
		"function_signature":             function,
		"class_declaration":              class,
		"abstract_class_declaration":     class,
		"interface_declaration":          {kind: Interface},
		"type_alias_declaration":         {kind: Type},
		"enum_declaration":               {kind: Enum},
		"expression_statement":           {declare: declareNamespace},
		"internal_module":                {declare: declareModule},
		"statement_block":                {declare: declareGlobal},
		"module":                         {declare: declareModule},
		"lexical_declaration":            variables,
		"variable_declaration":           variables,
		"method_definition":              method,
		"method_signature":               method,
		"abstract_method_signature":      method,
		"field_definition":               field,
		"public_field_definition":        field,
	}
}

// exportJavaScript adds what an export declares, or the name it exports by
// default. "export { a, b }" and "export * from" declare nothing.
func exportJavaScript(w *walk, n *sitter.Node, in scope) {
	in.exported = !in.hidden
	in.start = w.afterDecorators(n)
	if declaration := n.ChildByFieldName("declaration"); declaration != nil {
		w.visit(declaration, in)
		return
	}
	value := n.ChildByFieldName("value")
	if value == nil {
		return
	}
	switch value.Type() {
	case "identifier":
		w.add(n, rule{kind: Export, word: "export default"}, w.text(value), in)
	case "function_expression", "function", "generator_function", "arrow_function":
		w.add(n, rule{kind: Function, word: "export"}, "default", in)
	case "class":
		inner := w.add(n, rule{kind: Class, word: "export"}, "default", in)
		if body := value.ChildByFieldName("body"); body != nil {
			w.inside(body, inner)
		}
	}
}

// afterDecorators returns where n starts without its decorators.
func (w *walk) afterDecorators(n *sitter.Node) int {
	start := -1
	each(n, func(child *sitter.Node, _ *sitter.TreeCursor) {
		if start < 0 && child.Type() != "decorator" && child.Type() != "comment" {
			start = int(child.StartByte())
		}
	})
	return start
}

// declareAmbient looks behind "declare", which is part of the declaration.
func declareAmbient(w *walk, n *sitter.Node, in scope) {
	if in.start < 0 {
		in.start = int(n.StartByte())
	}
	if body := childOfType(n, "statement_block"); body != nil { // "declare global"
		w.addGlobal(n, body, in)
		return
	}
	each(n, func(child *sitter.Node, _ *sitter.TreeCursor) { w.visit(child, in) })
}

func declareModule(w *walk, n *sitter.Node, in scope) {
	name := n.ChildByFieldName("name")
	if name == nil {
		return
	}
	word := "module"
	if strings.HasPrefix(w.src[n.StartByte():], "namespace") {
		word = "namespace"
	}
	inner := w.add(n, rule{kind: Module, word: word}, strings.Trim(w.text(name), `"'`), in)
	inner.hidden, inner.exported = !in.exported, false
	if body := n.ChildByFieldName("body"); body != nil {
		w.inside(body, inner)
	}
}

// declareNamespace finds namespaces, which the grammar takes for expressions.
func declareNamespace(w *walk, n *sitter.Node, in scope) {
	if inner := n.NamedChild(0); inner != nil && inner.Type() == "internal_module" {
		w.visit(inner, in)
	}
}

// declareGlobal finds "global { }" in a module, which the grammar takes for an
// expression and a block.
func declareGlobal(w *walk, n *sitter.Node, in scope) {
	before := n.PrevSibling()
	if in.kind != Module || before == nil || w.src[before.StartByte():before.EndByte()] != "global" {
		return
	}
	in.start = int(before.StartByte())
	w.addGlobal(n, n, in)
}

func (w *walk) addGlobal(n, body *sitter.Node, in scope) {
	in.exported = true
	inner := w.add(n, rule{kind: Module, word: "declare"}, "global", in)
	inner.exported = false
	w.inside(body, inner)
}

// declareJavaScriptVariables adds each name of a declaration; one that holds a
// function or a class is that.
func declareJavaScriptVariables(w *walk, n *sitter.Node, in scope) {
	r := rule{kind: Variable, word: "let"}
	switch src := w.src[n.StartByte():]; {
	case strings.HasPrefix(src, "const"):
		r = rule{kind: Constant, word: "const"}
	case strings.HasPrefix(src, "var"):
		r.word = "var"
	}
	if in.start < 0 {
		in.start = int(n.StartByte())
	}
	each(n, func(declarator *sitter.Node, _ *sitter.TreeCursor) {
		if declarator.Type() != "variable_declarator" {
			return
		}
		w.declareVariable(declarator, r, in)
		in.start = -1 // the first alone starts with the keyword
	})
}

func (w *walk) declareVariable(n *sitter.Node, r rule, in scope) {
	name, value := n.ChildByFieldName("name"), n.ChildByFieldName("value")
	if name == nil {
		return
	}
	if name.Type() != "identifier" {
		in.start = -1
		w.bind(name, r, in)
		return
	}
	switch {
	case value == nil:
	case isFunction(value):
		r.kind = Function
	case value.Type() == "class":
		r.kind = Class
		inner := w.add(n, r, w.text(name), in)
		if body := value.ChildByFieldName("body"); body != nil {
			w.inside(body, inner)
		}
		return
	}
	w.add(n, r, w.text(name), in)
}

// bind adds the names that a pattern binds.
func (w *walk) bind(pattern *sitter.Node, r rule, in scope) {
	if in.nesting++; pattern == nil || in.nesting > maxNesting {
		return
	}
	switch pattern.Type() {
	case "identifier", "shorthand_property_identifier_pattern":
		w.add(pattern, r, w.text(pattern), in)
	case "object_pattern", "array_pattern", "rest_pattern":
		each(pattern, func(child *sitter.Node, _ *sitter.TreeCursor) { w.bind(child, r, in) })
	case "pair_pattern":
		w.bind(pattern.ChildByFieldName("value"), r, in)
	case "assignment_pattern", "object_assignment_pattern":
		w.bind(pattern.ChildByFieldName("left"), r, in)
	}
}

// declareJavaScriptMethod adds a method of a class.
func declareJavaScriptMethod(w *walk, n *sitter.Node, in scope) {
	if !isType(in.kind) {
		return
	}
	if name := n.ChildByFieldName("name"); name != nil {
		in.start = w.afterDecorators(n)
		w.addMember(n, w.text(name), in)
	}
}

// declareJavaScriptField adds a property of a class that holds a function.
func declareJavaScriptField(w *walk, n *sitter.Node, in scope) {
	value := n.ChildByFieldName("value")
	if !isType(in.kind) || value == nil || !isFunction(value) {
		return
	}
	name := n.ChildByFieldName("name")
	if name == nil {
		name = n.ChildByFieldName("property")
	}
	if name != nil {
		in.start = w.afterDecorators(n)
		w.addMember(n, w.text(name), in)
	}
}

// addMember adds a method whose name is a word; a computed one cannot be
// searched for.
func (w *walk) addMember(n *sitter.Node, name string, in scope) {
	if strings.HasPrefix(name, "[") {
		return
	}
	if strings.HasPrefix(name, "#") {
		in.exported = false
	}
	w.add(n, rule{kind: Method}, strings.Trim(name, `"'`), in)
}

// isFunction reports whether n is a function, be it under another type, as in
// "function () {} as Handler".
func isFunction(n *sitter.Node) bool {
	for range maxNesting {
		if t := n.Type(); t != "as_expression" && t != "satisfies_expression" {
			break
		}
		n = n.NamedChild(0)
	}
	switch n.Type() {
	case "function_expression", "function", "generator_function", "arrow_function":
		return true
	}
	return false
}
