//go:build cgo

package signatures

import (
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/ruby"
)

func rubyGrammar() *grammar {
	return &grammar{
		language: ruby.GetLanguage,
		rules: map[string]rule{
			"module":           {declare: declareRubyModule(Module)},
			"class":            {declare: declareRubyModule(Class)},
			"singleton_class":  {declare: declareRubyBody},
			"body_statement":   {declare: declareRubyBody},
			"method":           {declare: declareRubyMethod},
			"singleton_method": {declare: declareSingletonMethod},
			"assignment":       {declare: declareRubyConstant},
			"call":             {declare: declareRubyCall},

			// These open no scope.
			"if": {}, "unless": {}, "elsif": {}, "then": {}, "else": {}, "begin": {}, "rescue": {}, "ensure": {},
			"if_modifier": {}, "unless_modifier": {}, "do_block": {}, "block": {}, "block_body": {},
		},
	}
}

func declareRubyModule(kind Kind) func(w *walk, n *sitter.Node, in scope) {
	return func(w *walk, n *sitter.Node, in scope) {
		name := n.ChildByFieldName("name")
		if name == nil {
			return
		}
		in.exported = in.depth == 0 || in.exported
		inner := w.add(n, rule{kind: kind}, strings.TrimPrefix(w.text(name), "::"), in)
		if body := n.ChildByFieldName("body"); body != nil {
			w.visit(body, inner)
		}
	}
}

// declareRubyBody visits the members of a module or class. A bare "private"
// changes what follows it.
func declareRubyBody(w *walk, n *sitter.Node, in scope) {
	if in.nesting++; in.nesting > maxNesting {
		return
	}
	outer := in.exported
	each(n, func(child *sitter.Node, _ *sitter.TreeCursor) {
		if child.Type() == "identifier" {
			switch w.src[child.StartByte():child.EndByte()] {
			case "private", "protected":
				in.exported = false
			case "public":
				in.exported = outer
			}
			return
		}
		w.visit(child, in)
	})
}

func declareRubyMethod(w *walk, n *sitter.Node, in scope) {
	in.exported = in.depth == 0 || in.exported
	w.declare(n, rule{kind: Function, word: "def"}, in)
}

// declareSingletonMethod adds "def self.a", which is a method of what is
// around it, and "def object.a".
func declareSingletonMethod(w *walk, n *sitter.Node, in scope) {
	object, name := n.ChildByFieldName("object"), n.ChildByFieldName("name")
	if object == nil || name == nil {
		return
	}
	method := w.text(name)
	if object.Type() != "self" {
		method = qualified(w.text(object), method)
	}
	in.exported = in.depth == 0 || in.exported
	w.add(n, rule{kind: Function, word: "def"}, method, in)
}

// declareRubyConstant adds "A = 1" and "A, B = 1, 2"; variables are local.
func declareRubyConstant(w *walk, n *sitter.Node, in scope) {
	left := n.ChildByFieldName("left")
	if left == nil || isType(in.kind) {
		return
	}
	in.exported = in.depth == 0 || in.exported
	switch left.Type() {
	case "constant":
		w.add(n, rule{kind: Constant}, w.text(left), in)
	case "left_assignment_list":
		each(left, func(child *sitter.Node, _ *sitter.TreeCursor) {
			if child.Type() == "constant" {
				w.add(n, rule{kind: Constant}, w.text(child), in)
			}
		})
	}
}

// declareRubyCall looks for methods among the arguments of a call, as in
// "private def a", and in its block, as in "class_methods do".
func declareRubyCall(w *walk, n *sitter.Node, in scope) {
	if in.nesting++; in.nesting > maxNesting {
		return
	}
	if n.ChildByFieldName("receiver") != nil {
		return
	}
	if arguments := n.ChildByFieldName("arguments"); arguments != nil {
		private := in
		if method := n.ChildByFieldName("method"); method != nil && strings.HasPrefix(w.text(method), "pr") {
			private.exported = false
		}
		each(arguments, func(child *sitter.Node, _ *sitter.TreeCursor) {
			switch child.Type() {
			case "method", "singleton_method":
				w.visit(child, private)
			}
		})
	}
	if block := n.ChildByFieldName("block"); block != nil {
		w.visit(block, in)
	}
}
