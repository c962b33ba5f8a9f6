package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/text"
)

// OpKind is what an operation of an edit does.
type OpKind int

const (
	EditFile OpKind = iota
	CreateFile
	RenameFile
	DeleteFile
)

// Op is one operation of an edit. The operations of an edit apply in order,
// each to what the ones before it left.
type Op struct {
	Kind    OpKind
	Path    string
	NewPath string // RenameFile

	// EditFile: Edits returns the edits of the text it is given. A file that
	// does not exist is created. Version, if not nil, must be that of the open
	// document; Sum, if not nil, must be the hash of the file's bytes.
	Edits   func(text.Lines) ([]awareness.Edit, error)
	Version *int32
	Sum     *awareness.Hash

	// Of one operation, both apply to all of the edit: a tool of the agent's own
	// makes it, on disk whatever editors have open; a refusal carries no lines.
	ByTool, Silent bool

	Overwrite         bool // CreateFile, RenameFile
	IgnoreIfExists    bool // CreateFile, RenameFile
	IgnoreIfNotExists bool // DeleteFile
	Recursive         bool // DeleteFile
}

// Block is the refusal of an edit to one file.
type Block struct {
	Path string // as in the Op
	awareness.Block
}

// Warning accompanies an edit to one file that may pass.
type Warning struct {
	Path string
	awareness.Warning
}

// Excerpt is a run of lines handed to the agent along with a refusal.
type Excerpt struct {
	Path  string
	Lines awareness.Range
	Text  string // with line numbers
}

// Verdict is what the guard says of an edit.
type Verdict struct {
	Blocks   []Block
	Warnings []Warning
	Expanded []Excerpt
}

// Allowed reports whether the edit may pass.
func (v Verdict) Allowed() bool { return len(v.Blocks) == 0 }

// Outcome is what became of an edit.
type Outcome struct {
	Verdict
	Applied bool
	Failure string                    // why an allowed edit was not applied
	Sums    map[string]awareness.Hash // by path as in the Op: the bytes of each file afterwards
}

// Editor applies edits to the documents it has open.
type Editor interface {
	// Apply asks the editor to apply all of the edit or none of it and returns
	// when the editor has answered or ctx ends. Nil means that the editor says
	// it has.
	Apply(ctx context.Context, e EditorEdit) error
	// Supports reports whether the editor can do the operation to open files.
	Supports(OpKind) bool
}

// EditorEdit is an edit of open documents.
type EditorEdit struct {
	Label string
	Docs  []DocumentEdit
	Files []FileOp
}

// DocumentEdit is an edit of one open document: whole lines of Before,
// ascending and disjoint.
type DocumentEdit struct {
	Name    string
	Version int32
	Before  text.Lines
	Edits   []awareness.Edit
	Unseen  bool // the document has unsaved changes that the agent has not seen
}

// FileOp renames or deletes one file that is open.
type FileOp struct {
	Kind     OpKind
	From, To string // names; To for RenameFile
	Replace  bool   // RenameFile: the target may exist
	Unsaved  bool   // DeleteFile: the document has unsaved changes, which would be lost
}

// Check says what the guard makes of an edit, and changes nothing but the
// ledger: it counts a round, and lines handed out with a refusal are read.
func (h *Hub) Check(id string, ops []Op) (Verdict, error) {
	var v Verdict
	err := h.update(id, func(s *Session) error {
		p := h.plan(s, ops, true)
		v = p.verdict
		h.judged(s, &v, p)
		return nil
	})
	return v, err
}

// plan is an edit, worked out on the side: what each file would hold and how
// the ledger would move.
type plan struct {
	hub     *Hub
	began   time.Time
	session *Session
	verdict Verdict
	nodes   map[string]*node // by the name a file has in the end
	order   []string         // names in the order they came up
	asked   bool             // only the verdict counts
	byTool  bool             // a tool of the agent's own makes the edit, on disk
	silent  bool             // a refusal carries no lines
	records []planned
	fileOps []FileOp
	folders map[string][]string // the files in folders that are deleted
	taken   []string            // names of folders that are gone, or come, with all in them
	blocked map[string]bool     // by path as given

	blockStale bool // refuse edits of files that changed since they were read
}

// planned is a record that the ledger will get. About the text of an open
// document the ledger hears when the text arrives, so those are told apart.
type planned struct {
	record
	base *Document
}

// node is one file in the course of an edit.
type node struct {
	path   string    // as the agent wrote it
	doc    *Document // under this name now; nil if there is none
	base   *Document // whose file is under this name after renames; nil for a new file
	exists bool
	now    text.Lines
	seen   *awareness.File   // the ledger's record, moved along
	only   *awareness.Change // the only change so far
	many   bool              // there was more than one
}

// plan judges the operations and, unless it is only asked for the verdict,
// works out their outcome.
func (h *Hub) plan(s *Session, ops []Op, asked bool) *plan {
	p := &plan{hub: h, began: time.Now(), session: s, asked: asked, nodes: map[string]*node{}, folders: map[string][]string{}, blocked: map[string]bool{}}
	_, _, p.blockStale = h.guard()
	p.byTool = slices.ContainsFunc(ops, func(op Op) bool { return op.ByTool })
	p.silent = slices.ContainsFunc(ops, func(op Op) bool { return op.Silent })
	for _, op := range ops {
		name, err := h.Name(op.Path)
		if err != nil {
			p.refuse(op.Path, err)
			continue
		}
		if (op.Kind == RenameFile || op.Kind == DeleteFile) && h.isLink(op.Path) {
			p.refuse(op.Path, fmt.Errorf("path %s is a link; name the file itself, %s", op.Path, name))
			continue
		}
		n, err := p.node(name, op.Path)
		if err != nil {
			if op.Kind == DeleteFile || op.Kind == RenameFile {
				if info, statErr := h.stat(name); statErr == nil && info.IsDir() {
					p.directory(op, name)
					continue
				}
			}
			p.refuse(op.Path, err)
			continue
		}
		if p.blocked[op.Path] {
			continue
		}
		switch op.Kind {
		case EditFile:
			p.edit(op, name, n)
		case CreateFile:
			p.create(op, name, n)
		case RenameFile:
			p.rename(op, name, n)
		case DeleteFile:
			p.delete(op, name, n)
		}
	}
	return p
}

// node returns the file of a name as the edit has it so far.
func (p *plan) node(name, path string) (*node, error) {
	if n := p.nodes[name]; n != nil {
		if p.asked && n.only != nil {
			n.now = n.only.Result()
		}
		return n, nil
	}
	for _, folder := range p.taken {
		if name == folder || strings.HasPrefix(name, folder+"/") {
			return nil, fmt.Errorf("the edit also moves or deletes %s as a whole; make two edits of it", folder)
		}
	}
	d, err := p.hub.document(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	n := &node{path: path, doc: d, base: d, exists: d != nil}
	if d != nil {
		n.now = d.Text
		n.seen = p.hub.view(p.session, d)
		if saved := p.hub.saved(d); p.byTool && saved != d { // tools of others know nothing of buffers
			if n.seen != nil {
				n.seen.Change(awareness.Align(n.seen.Lines(), saved.print().Lines), saved.Sum, awareness.ByOther)
			}
			n.doc, n.base, n.now = saved, saved, saved.Text
		}
	}
	p.nodes[name] = n
	p.order = append(p.order, name)
	return n, nil
}

func (p *plan) note(n *node, r record) { p.records = append(p.records, planned{r, n.base}) }

func (p *plan) block(path string, b awareness.Block) {
	p.blocked[path] = true
	p.verdict.Blocks = append(p.verdict.Blocks, Block{path, b})
}

// refuse blocks an impossible operation.
func (p *plan) refuse(path string, err error) {
	reason := awareness.ReasonInvalid
	if errors.Is(err, ErrOutsideRoot) {
		reason = awareness.ReasonOutsideRoot
	}
	message := err.Error()
	if name, nameErr := p.hub.Name(path); nameErr == nil && strings.HasPrefix(message, name) {
		message = "file " + message // a name is not written with a capital
	}
	p.block(path, awareness.Block{Reason: reason, Message: sentence(message)})
}

func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + strings.TrimSuffix(s[1:], ".") + "."
}

func (p *plan) edit(op Op, name string, n *node) {
	if b := checkVersion(op, n); b != nil {
		p.block(op.Path, *b)
		return
	}
	if n.base != nil && n.base.binary {
		p.block(op.Path, binaryBlock)
		return
	}
	edits, err := op.Edits(n.now)
	var c awareness.Change
	if err == nil {
		reduce := awareness.Reduce
		if p.asked {
			reduce = awareness.Touch // the text afterwards is made if another operation needs it
		}
		c, err = reduce(n.now, edits)
	}
	if err != nil {
		p.refuse(op.Path, err)
		return
	}
	if len(c.Hunks) == 0 && n.exists {
		return
	}
	round := p.session.ledger.Round()
	if !n.exists {
		p.begin(name, n)
	}
	if p.blockStale {
		if b := n.seen.JudgeStale(round); b != nil {
			p.block(op.Path, *b)
			return
		}
	}
	if b := n.seen.Judge(&c); b != nil {
		p.block(op.Path, *b)
		return
	}
	if w := n.seen.Warn(round); w != nil {
		p.warn(op.Path, *w)
	}
	p.apply(name, n, c)
}

// begin makes a new, empty file written by the agent.
func (p *plan) begin(name string, n *node) {
	round := p.session.ledger.Round()
	n.base, n.exists, n.now = nil, true, text.Lines{}
	n.seen = awareness.NewAuthoredFile(round)
	p.note(n, record{Kind: recCreate, Path: name, Round: round})
}

// apply moves a node by a change that was allowed.
func (p *plan) apply(name string, n *node, c awareness.Change) {
	var sum awareness.Hash
	if !p.asked {
		sum = awareness.Sum(c.After.Text())
	}
	if n.seen == nil { // an empty file the agent never looked at
		n.seen = awareness.NewFile(awareness.Fingerprint(n.now))
		p.note(n, record{Kind: recTrack, Path: name, Sum: digest(n.seen.Sum()), Lines: n.seen.Lines()})
	}
	n.seen.Change(c.Hunks, sum, awareness.ByAgent)
	p.note(n, changeRecord(name, c.Hunks, sum, awareness.ByAgent))
	n.many = n.many || n.only != nil
	n.only, n.now = &c, c.After
}

func (p *plan) warn(path string, w awareness.Warning) {
	if !slices.ContainsFunc(p.verdict.Warnings, func(o Warning) bool { return o.Path == path }) {
		p.verdict.Warnings = append(p.verdict.Warnings, Warning{path, w})
	}
}

var binaryBlock = awareness.Block{Reason: awareness.ReasonBinary,
	Message: "File is not UTF-8 text. An agent cannot edit it."}

func checkVersion(op Op, n *node) *awareness.Block {
	var message string
	switch d := n.doc; {
	case op.Version != nil && (d == nil || !d.Open):
		message = fmt.Sprintf("Version %d was given, but the document is not open. Read the file again.", *op.Version)
	case op.Version != nil && d.Version != *op.Version:
		message = fmt.Sprintf("Version %d was given, but the document is at version %d. Read the file again.", *op.Version, d.Version)
	case op.Sum != nil && (d == nil || d.Bytes != *op.Sum):
		message = "The file no longer has the expected content. Read it again."
	default:
		return nil
	}
	return &awareness.Block{Reason: awareness.ReasonVersion, Message: message}
}

func (p *plan) create(op Op, name string, n *node) {
	if n.exists {
		switch {
		case op.Overwrite:
			if !p.mayReplace(op.Path, n) {
				return
			}
		case op.IgnoreIfExists:
			return
		default:
			p.refuse(op.Path, fmt.Errorf("file %s exists already", name))
			return
		}
		c, err := awareness.Reduce(n.now, []awareness.Edit{{End: len(n.now.Text())}})
		if err != nil {
			p.refuse(op.Path, err)
			return
		}
		p.apply(name, n, c)
		return
	}
	p.begin(name, n)
}

// mayReplace blocks an operation that would take away text the agent has not
// read.
func (p *plan) mayReplace(path string, n *node) bool {
	if n.base != nil && n.base.binary {
		p.block(path, binaryBlock)
		return false
	}
	if b := n.seen.JudgeWhole(n.now, awareness.ReasonOverwrite); b != nil {
		p.block(path, *b)
		return false
	}
	return true
}

func (p *plan) rename(op Op, name string, n *node) {
	if !n.exists {
		p.refuse(op.Path, fmt.Errorf("file %s does not exist", name))
		return
	}
	to, err := p.hub.Name(op.NewPath)
	if err == nil && to == name {
		return
	}
	var target *node
	if err == nil {
		target, err = p.node(to, op.NewPath)
	}
	if err != nil {
		p.refuse(op.NewPath, err)
		return
	}
	if target.exists {
		switch {
		case op.Overwrite:
			if !p.mayReplace(op.NewPath, target) {
				return
			}
		case op.IgnoreIfExists:
			return
		default:
			p.refuse(op.NewPath, fmt.Errorf("file %s exists already", to))
			return
		}
	}
	if n.base != nil || target.exists { // else it is only on its way
		p.fileOps = append(p.fileOps, FileOp{Kind: RenameFile, From: name, To: to, Replace: target.exists})
	}
	moved := record{Kind: recMove, Path: name, To: to}
	if n.seen == nil {
		moved = record{Kind: recForget, Path: to} // what was there
	}
	p.records = append(p.records, planned{record: moved})
	target.base, target.exists, target.now = n.base, true, n.now
	target.seen, target.only, target.many = n.seen, n.only, n.many
	n.leave()
}

// leave makes the node a name without a file.
func (n *node) leave() {
	n.base, n.exists, n.now = nil, false, text.Lines{}
	n.seen, n.only, n.many = nil, nil, false
}

func (p *plan) delete(op Op, name string, n *node) {
	if !n.exists {
		if !op.IgnoreIfNotExists {
			p.refuse(op.Path, fmt.Errorf("file %s does not exist", name))
		}
		return
	}
	if n.base == nil || !n.base.binary {
		if b := n.seen.JudgeWhole(n.now, awareness.ReasonDelete); b != nil {
			p.block(op.Path, *b)
			return
		}
	}
	p.fileOps = append(p.fileOps, FileOp{Kind: DeleteFile, From: name})
	p.records = append(p.records, planned{record: record{Kind: recForget, Path: name}})
	n.leave()
}

// maxDirectory is how many files a directory may hold that is deleted or
// renamed in one operation.
const maxDirectory = 10_000

// directory judges the renaming or deletion of a whole directory, which is
// then one step on disk.
func (p *plan) directory(op Op, name string) {
	if name == "." {
		p.refuse(op.Path, errors.New("the workspace itself cannot be renamed or deleted"))
		return
	}
	files, err := p.hub.filesUnder(name)
	if err != nil {
		p.refuse(op.Path, err)
		return
	}
	for other := range p.nodes {
		if strings.HasPrefix(other, name+"/") {
			p.refuse(op.Path, fmt.Errorf("the edit also touches %s inside it; make two edits of it", other))
			return
		}
	}
	if other := p.hub.openUnder(name); other != "" {
		p.refuse(op.Path, fmt.Errorf("file %s is open in the editor; close it first", other))
		return
	}
	if op.Kind == RenameFile {
		p.renameDirectory(op, name)
		return
	}
	if len(files) > 0 && !op.Recursive {
		p.refuse(op.Path, fmt.Errorf("folder %s is not empty; delete it recursively", name))
		return
	}
	for _, file := range files {
		n, err := p.node(file, path.Join(op.Path, strings.TrimPrefix(file, name+"/")))
		if err != nil {
			p.refuse(op.Path, err)
			continue
		}
		if b := n.seen.JudgeWhole(n.now, awareness.ReasonDelete); b != nil && !n.base.binary {
			p.block(n.path, *b)
			continue
		}
		p.records = append(p.records, planned{record: record{Kind: recForget, Path: file}})
		n.leave()
	}
	p.folders[name] = files
	p.taken = append(p.taken, name)
	p.fileOps = append(p.fileOps, FileOp{Kind: DeleteFile, From: name})
}

func (p *plan) renameDirectory(op Op, name string) {
	to, err := p.hub.Name(op.NewPath)
	if err != nil {
		p.refuse(op.NewPath, err)
		return
	}
	if _, err := p.hub.stat(to); err == nil {
		p.refuse(op.NewPath, fmt.Errorf("file %s exists already", to))
		return
	}
	if strings.HasPrefix(to, name+"/") {
		p.refuse(op.NewPath, fmt.Errorf("folder %s lies inside %s", to, name))
		return
	}
	for _, file := range p.session.ledger.Names() {
		if rest, ok := strings.CutPrefix(file, name+"/"); ok {
			p.records = append(p.records, planned{record: record{Kind: recMove, Path: file, To: to + "/" + rest}})
		}
	}
	p.taken = append(p.taken, name, to)
	p.fileOps = append(p.fileOps, FileOp{Kind: RenameFile, From: name, To: to})
}
