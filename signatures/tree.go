//go:build cgo

package signatures

import (
	"context"
	"slices"
	"strings"
	"sync"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/acode-ls/acode-ls/internal/text"
)

const (
	parseLimit = 50_000 // microseconds that parsing a text may take
	maxNesting = 200    // of declarations and of the nodes around them
)

// grammar says how to read the trees of a language: for each type of node that
// declares something or may have declarations in it, a rule. What no rule
// names is not looked into.
type grammar struct {
	language func() *sitter.Language
	rules    map[string]rule

	// refuses reports whether a text is one on which the time limit does not
	// hold, as a single step of the lexer takes too long; nil means none is.
	refuses func(src string) bool
}

// rule says what a node means. The zero rule is a node that declares nothing
// and is looked into, as a block at the top level is.
type rule struct {
	kind Kind   // of the declaration
	word string // the keyword in the label; "" stands for the kind
	name string // the field with the name; "" stands for "name"
	body string // the field whose children may be members, as in a class; "" for none

	// declare does the work where the fields above cannot say it.
	declare func(w *walk, n *sitter.Node, in scope)
}

// scope is what a node stands in.
type scope struct {
	kind     Kind   // of the declaration around it; "" at the top level
	name     string // of that declaration, qualified; "" at the top level
	depth    int
	exported bool // what is around it is visible outside the file
	hidden   bool // "export" does not make it visible
	broken   bool // the tree is not sound here
	nesting  int  // of nodes, to bound recursion
	start    int  // byte offset at which a declaration starts whose node is wrapped in another; -1: where the node does
}

// loaded is a grammar with its rules by symbol. A symbol is a number, so that
// no string is made for each node.
type loaded struct {
	language *sitter.Language
	rules    []*rule
	refuses  func(src string) bool
}

var grammars sync.Map // of *loaded by Language, filled as languages are met

func load(lang Language) *loaded {
	if l, ok := grammars.Load(lang); ok {
		return l.(*loaded)
	}
	g := grammarOf(lang)
	if g == nil {
		return nil
	}
	l := &loaded{language: g.language(), refuses: g.refuses}
	l.rules = make([]*rule, l.language.SymbolCount())
	for symbol := range l.rules {
		if r, ok := g.rules[l.language.SymbolName(sitter.Symbol(symbol))]; ok &&
			l.language.SymbolType(sitter.Symbol(symbol)) == sitter.SymbolTypeRegular {
			l.rules[symbol] = &r
		}
	}
	grammars.Store(lang, l)
	return l
}

// parse returns the declarations of src and the parts of it at the top level
// whose trees are not sound. It is not ok when lang has no grammar or parsing
// takes too long.
func parse(src string, lang Language) (found []Declaration, damaged []span, ok bool) {
	g := load(lang)
	if g == nil || g.refuses != nil && g.refuses(src) {
		return nil, nil, false
	}
	// A parser that was interrupted gives wrong trees, so each serves once. It
	// and the tree are closed here: their finalizers come too late for memory
	// that the collector does not see.
	parser := sitter.NewParser()
	defer parser.Close()
	parser.SetLanguage(g.language)
	parser.SetOperationLimit(parseLimit)
	tree, err := parser.ParseCtx(context.Background(), nil, []byte(src))
	if err != nil {
		return nil, nil, false
	}
	defer tree.Close()
	root := tree.RootNode()
	w := &walk{loaded: g, src: src, lines: text.Split(src)}
	w.inside(root, scope{start: -1, broken: root.IsError()})
	if root.IsError() {
		damaged = []span{{0, len(src)}}
	} else if root.HasError() {
		damaged = w.damaged(root)
	}
	slices.SortStableFunc(w.found, func(a, b Declaration) int { return a.Lines.First - b.Lines.First })
	return w.found, damaged, true
}

// walk collects the declarations of one tree.
type walk struct {
	*loaded
	src   string
	lines text.Lines
	found []Declaration
}

// inside visits the children of n.
func (w *walk) inside(n *sitter.Node, in scope) {
	if in.nesting++; in.nesting > maxNesting {
		return
	}
	each(n, func(child *sitter.Node, _ *sitter.TreeCursor) { w.visit(child, in) })
}

// visit applies the rule for n.
func (w *walk) visit(n *sitter.Node, in scope) {
	symbol := int(n.Symbol())
	if symbol >= len(w.rules) { // an ERROR node
		in.broken = true
		w.inside(n, in)
		return
	}
	r := w.rules[symbol]
	switch {
	case r == nil:
	case r.declare != nil:
		r.declare(w, n, in)
	case r.kind == "":
		w.inside(n, in)
	default:
		w.declare(n, *r, in)
	}
}

// declare adds n, as r says, and visits its members.
func (w *walk) declare(n *sitter.Node, r rule, in scope) {
	field := r.name
	if field == "" {
		field = "name"
	}
	name := n.ChildByFieldName(field)
	if name == nil {
		return
	}
	inner := w.add(n, r, w.text(name), in)
	if r.body == "" {
		return
	}
	if body := n.ChildByFieldName(r.body); body != nil {
		w.inside(body, inner)
	}
}

// add adds a declaration of name at n and returns the scope inside it. Names
// that cannot be searched for as one word, and blank ones, are passed over.
func (w *walk) add(n *sitter.Node, r rule, name string, in scope) scope {
	inner := scope{kind: r.kind, name: qualified(in.name, name), depth: in.depth + 1, exported: in.exported, broken: in.broken, nesting: in.nesting, start: -1}
	if !nameable(name) || in.broken && (r.kind == Variable || r.kind == Constant) {
		return inner // in a broken tree it may be local to a function
	}
	kind := r.kind
	if kind == Function && isType(in.kind) {
		kind = Method
	}
	start := int(n.StartByte())
	if in.start >= 0 {
		start = in.start
	}
	d := Declaration{
		Kind:     kind,
		Name:     inner.name,
		Label:    label(kind, r.word, inner.name),
		Lines:    Range{w.lines.LineAt(start), w.lines.LineAt(max(start, int(n.EndByte())-1))},
		Depth:    in.depth,
		Exported: in.exported,
	}
	w.found = append(w.found, d)
	return inner
}

// damaged returns the children of root that have an error in them.
func (w *walk) damaged(root *sitter.Node) []span {
	var spans []span
	each(root, func(child *sitter.Node, _ *sitter.TreeCursor) {
		if child.HasError() || child.IsMissing() {
			spans = append(spans, span{int(child.StartByte()), int(child.EndByte())})
		}
	})
	return spans
}

// text returns the source of n. It is a copy, since what is found outlives the
// source.
func (w *walk) text(n *sitter.Node) string {
	return strings.Clone(w.src[n.StartByte():n.EndByte()])
}

// each visits the children of n in their order. A cursor is the one way that
// does not begin at the first child for each. Its field name is that of the
// child within n.
func each(n *sitter.Node, visit func(child *sitter.Node, cursor *sitter.TreeCursor)) {
	cursor := sitter.NewTreeCursor(n)
	defer cursor.Close()
	for ok := cursor.GoToFirstChild(); ok; ok = cursor.GoToNextSibling() {
		visit(cursor.CurrentNode(), cursor)
	}
}

// eachField visits the children of n that stand in a field.
func eachField(n *sitter.Node, field string, visit func(child *sitter.Node)) {
	each(n, func(child *sitter.Node, cursor *sitter.TreeCursor) {
		if cursor.CurrentFieldName() == field {
			visit(child)
		}
	})
}

// childOfType returns the first child of n that is of one of the types, or nil.
func childOfType(n *sitter.Node, types ...string) *sitter.Node {
	var found *sitter.Node
	each(n, func(child *sitter.Node, _ *sitter.TreeCursor) {
		if found == nil && slices.Contains(types, child.Type()) {
			found = child
		}
	})
	return found
}
