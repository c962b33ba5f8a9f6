//go:build cgo

package signatures

import (
	"unicode"
	"unicode/utf8"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/golang"
)

func goGrammar() *grammar {
	return &grammar{
		language: golang.GetLanguage,
		rules: map[string]rule{
			"function_declaration": {declare: declareGo(rule{kind: Function, word: "func"})},
			"method_declaration":   {declare: declareGoMethod},
			"type_declaration":     {},
			"type_spec":            {declare: declareGoType},
			"type_alias":           {declare: declareGo(rule{kind: Type})},
			"const_declaration":    {},
			"const_spec":           {declare: declareGo(rule{kind: Constant, word: "const"})},
			"var_declaration":      {},
			"var_spec_list":        {},
			"var_spec":             {declare: declareGo(rule{kind: Variable, word: "var"})},
		},
	}
}

// declareGo adds each of the names of n, as "a" and "b" in "const a, b = 1, 2".
// They may stand on lines of their own.
func declareGo(r rule) func(w *walk, n *sitter.Node, in scope) {
	return func(w *walk, n *sitter.Node, in scope) {
		eachField(n, "name", func(name *sitter.Node) {
			if !name.IsNamed() { // the commas are in the field, too
				return
			}
			in := in
			if r.kind == Constant || r.kind == Variable {
				in.start = int(name.StartByte())
			}
			w.addGo(n, r, w.text(name), in)
		})
	}
}

func (w *walk) addGo(n *sitter.Node, r rule, name string, in scope) {
	first, _ := utf8.DecodeRuneInString(name)
	in.exported = unicode.IsUpper(first)
	w.add(n, r, name, in)
}

func declareGoType(w *walk, n *sitter.Node, in scope) {
	r := rule{kind: Type, word: "type"}
	switch kind := n.ChildByFieldName("type"); {
	case kind == nil:
	case kind.Type() == "struct_type":
		r.kind = Struct
	case kind.Type() == "interface_type":
		r.kind = Interface
	}
	declareGo(r)(w, n, in)
}

// declareGoMethod names a method with its receiver's type: "Cache.Get".
func declareGoMethod(w *walk, n *sitter.Node, in scope) {
	receiver, name := n.ChildByFieldName("receiver"), n.ChildByFieldName("name")
	if receiver == nil || name == nil {
		return
	}
	method := w.text(name)
	first, _ := utf8.DecodeRuneInString(method)
	in.exported = unicode.IsUpper(first)
	in.name = w.goReceiver(receiver)
	if in.name == "" || !nameable(method) {
		return
	}
	w.add(n, rule{kind: Method, word: "func"}, method, in)
}

// goReceiver returns the name of the type in "(c *Cache[K, V])", or "".
func (w *walk) goReceiver(parameters *sitter.Node) string {
	n := childOfType(parameters, "parameter_declaration")
	if n == nil {
		return ""
	}
	for range maxNesting {
		if n.Type() == "type_identifier" {
			return w.text(n)
		}
		inner := n.ChildByFieldName("type")
		if inner == nil {
			inner = n.NamedChild(0)
		}
		if inner == nil {
			break
		}
		n = inner
	}
	return ""
}
