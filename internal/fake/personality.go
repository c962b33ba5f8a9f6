package fake

import (
	"slices"
	"strings"
)

// Personality is the editor that is played.
type Personality string

// The personalities.
const (
	// VSCode counts in UTF-16 only, refuses a whole edit if one version in it
	// is not current, and pays no heed to the versions of diagnostics.
	VSCode Personality = "vscode"

	// Neovim, of version 0.12, prefers UTF-8, checks the version of the first
	// document of an edit alone and says of an edit it has not applied that it
	// has. It tells of changes some time after they were made.
	Neovim Personality = "neovim"
)

func (p Personality) encodings() []Encoding {
	if p == Neovim {
		return []Encoding{UTF8, UTF16, UTF32}
	}
	return []Encoding{UTF16}
}

// load returns a text as a buffer holds it. VS Code gives all lines the same
// end, Neovim ends the last line too.
func (p Personality) load(text, eol string) string {
	if p == Neovim {
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += eol
		}
		return text
	}
	return withEOL(text, eol)
}

// InitializeParams returns what the editor says of itself.
func (e *Editor) InitializeParams() object {
	with := func(name string) bool { return !slices.Contains(e.opts.Without, name) }
	var operations []string
	for _, kind := range []string{"create", "rename", "delete"} {
		if with(kind) {
			operations = append(operations, kind)
		}
	}
	vscode := e.opts.Personality == VSCode
	workspaceEdit := object{"resourceOperations": operations, "changeAnnotationSupport": object{"groupsOnLabel": true}}
	if vscode {
		workspaceEdit["documentChanges"] = true
		workspaceEdit["failureHandling"] = "textOnlyTransactional"
	}
	documents := object{
		"synchronization":    object{"dynamicRegistration": vscode, "didSave": true},
		"publishDiagnostics": object{"tagSupport": object{"valueSet": []int{1, 2}}, "versionSupport": !vscode, "dataSupport": true},
	}
	if e.opts.Pull {
		documents["diagnostic"] = object{"dynamicRegistration": vscode}
	}
	general := object{"positionEncodings": e.opts.Personality.encodings()}
	var folders []object
	for _, root := range e.opts.Roots {
		folders = append(folders, object{"uri": e.URI(root), "name": root})
	}
	params := object{
		"processId": nil, "clientInfo": object{"name": "fake " + string(e.opts.Personality)},
		"workspaceFolders": folders,
		"capabilities": object{
			"general": general,
			"window":  object{"showDocument": object{"support": with("showDocument")}, "workDoneProgress": true},
			"workspace": object{
				"applyEdit": with("applyEdit"), "configuration": with("configuration"), "workspaceEdit": workspaceEdit,
				"workspaceFolders": true, "didChangeWatchedFiles": object{"dynamicRegistration": vscode},
				"codeLens": object{"refreshSupport": true}, "diagnostics": object{"refreshSupport": e.opts.Pull},
				"fileOperations": object{"didRename": vscode, "didDelete": vscode},
			},
			"textDocument": documents,
		},
	}
	if len(e.opts.Roots) > 0 {
		params["rootUri"] = e.URI(e.opts.Roots[0])
	}
	if e.opts.Init != nil {
		params["initializationOptions"] = e.opts.Init
	}
	return params
}

// Misbehaviour is how the editor mishandles an edit.
type Misbehaviour string

// The misbehaviours.
const (
	Lie         Misbehaviour = "lie"          // says it applied the edit and does nothing
	LiePartly   Misbehaviour = "lie-partly"   // applies the first document only
	Other       Misbehaviour = "other"        // applies something else
	Silent      Misbehaviour = "silent"       // never answers, does nothing
	Mute        Misbehaviour = "mute"         // applies the edit and never answers
	Refuse      Misbehaviour = "refuse"       // answers that it did not, and why
	RefuseMute  Misbehaviour = "refuse-mute"  // answers that it did not
	Fail        Misbehaviour = "fail"         // answers an error
	TypeAfter   Misbehaviour = "type-after"   // a person types right after the edit
	TypeBefore  Misbehaviour = "type-before"  // a person types right before the edit
	Merge       Misbehaviour = "merge"        // reports the edit together with what a person types
	MergeInOne  Misbehaviour = "merge-in-one" // and as a single change
	CloseDuring Misbehaviour = "close"        // closes the documents, then answers that it applied the edit
	Twice       Misbehaviour = "twice"        // reports each change twice under one version
	Backwards   Misbehaviour = "backwards"    // reports another text under an older version after each change
	HangUp      Misbehaviour = "hang-up"      // disconnects
)

// Misbehaviours lists them all.
var Misbehaviours = []Misbehaviour{
	Lie, LiePartly, Other, Silent, Mute, Refuse, RefuseMute, Fail, TypeAfter, TypeBefore,
	Merge, MergeInOne, CloseDuring, Twice, Backwards, HangUp,
}
