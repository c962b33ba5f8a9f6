//go:build cgo

package signatures

import (
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/elixir"
)

func elixirGrammar() *grammar {
	return &grammar{
		language: elixir.GetLanguage,
		rules: map[string]rule{
			"call":           {declare: declareElixir},
			"unary_operator": {declare: declareElixirType},
		},
	}
}

// declareElixir adds what a call to a macro of the language declares: all
// declarations of Elixir are such calls.
func declareElixir(w *walk, n *sitter.Node, in scope) {
	target := n.ChildByFieldName("target")
	if target == nil || target.Type() != "identifier" {
		return
	}
	word := w.text(target)
	in.exported = (in.depth == 0 || in.exported) && word != "defp" && word != "defmacrop" && word != "defguardp"
	switch word {
	case "defmodule", "defimpl":
		w.elixirModule(n, rule{kind: Module, word: word}, in)
	case "defprotocol":
		w.elixirModule(n, rule{kind: Interface, word: word}, in)
	case "def", "defp", "defdelegate":
		w.elixirFunction(n, rule{kind: Function, word: word}, in)
	case "defmacro", "defmacrop", "defguard", "defguardp":
		w.elixirFunction(n, rule{kind: Macro, word: word}, in)
	case "if", "unless": // at the top level of a module
		if body := childOfType(n, "do_block"); body != nil {
			w.inside(body, in)
		}
	}
}

// declareElixirType adds the name in "@type t(x) :: map()".
func declareElixirType(w *walk, n *sitter.Node, in scope) {
	attribute := n.ChildByFieldName("operand")
	if attribute == nil || attribute.Type() != "call" {
		return
	}
	target, arguments := attribute.ChildByFieldName("target"), childOfType(attribute, "arguments")
	if target == nil || arguments == nil {
		return
	}
	word := w.text(target)
	if word != "type" && word != "typep" && word != "opaque" {
		return
	}
	definition := arguments.NamedChild(0)
	if definition == nil || definition.Type() != "binary_operator" {
		return
	}
	in.exported = in.exported && word != "typep"
	if name := w.elixirName(definition.ChildByFieldName("left")); name != "" {
		w.add(n, rule{kind: Type, word: "@" + word}, name, in)
	}
}

func (w *walk) elixirModule(n *sitter.Node, r rule, in scope) {
	arguments, body := childOfType(n, "arguments"), childOfType(n, "do_block")
	if arguments == nil || body == nil {
		return
	}
	name := arguments.NamedChild(0)
	if name == nil {
		return
	}
	switch name.Type() {
	case "alias":
		w.inside(body, w.add(n, r, w.text(name), in))
	case "dot": // "__MODULE__.Inner"
		if inner, ok := strings.CutPrefix(w.text(name), "__MODULE__."); ok {
			w.inside(body, w.add(n, r, inner, in))
		}
	}
}

func (w *walk) elixirFunction(n *sitter.Node, r rule, in scope) {
	arguments := childOfType(n, "arguments")
	if arguments == nil {
		return
	}
	if name := w.elixirName(arguments.NamedChild(0)); name != "" {
		w.add(n, r, name, in)
	}
}

// elixirName returns the name in the head of a function: "f" in "f(a) when
// a > 1", "+" in "a + b". It is "" where a macro makes the name.
func (w *walk) elixirName(head *sitter.Node) string {
	for range maxNesting {
		if head == nil {
			return ""
		}
		switch head.Type() {
		case "identifier":
			return w.text(head)
		case "call":
			head = head.ChildByFieldName("target")
			if head == nil || head.Type() != "identifier" {
				return ""
			}
		case "binary_operator":
			operator := head.ChildByFieldName("operator")
			if operator == nil {
				return ""
			}
			if name := w.text(operator); name != "when" {
				return name
			}
			head = head.ChildByFieldName("left")
		case "unary_operator":
			if operator := head.ChildByFieldName("operator"); operator != nil {
				return w.text(operator)
			}
			return ""
		default:
			return ""
		}
	}
	return ""
}
