package lsp

import (
	"encoding/json"

	"go.lsp.dev/protocol"
)

// This file holds the wire form of the standard messages that
// go.lsp.dev/protocol has wrong or not at all. Positions are 0-based, in the
// negotiated encoding.

type textEdit struct {
	Range        protocol.Range `json:"range"`
	NewText      string         `json:"newText"`
	AnnotationID string         `json:"annotationId,omitempty"`
}

type changeAnnotation struct {
	Label             string `json:"label"`
	NeedsConfirmation bool   `json:"needsConfirmation"`
	Description       string `json:"description"`
}

type optionalVersion struct {
	URI     string `json:"uri"`
	Version *int32 `json:"version"` // null must be sent
}

type textDocumentEdit struct {
	TextDocument optionalVersion `json:"textDocument"`
	Edits        []textEdit      `json:"edits"`
}

type renameFile struct {
	Kind    string       `json:"kind"`
	OldURI  string       `json:"oldUri"`
	NewURI  string       `json:"newUri"`
	Options *fileOptions `json:"options,omitempty"`
}

type deleteFile struct {
	Kind         string `json:"kind"`
	URI          string `json:"uri"`
	AnnotationID string `json:"annotationId,omitempty"`
}

type fileOptions struct {
	Overwrite         bool `json:"overwrite,omitempty"`
	IgnoreIfExists    bool `json:"ignoreIfExists,omitempty"`
	IgnoreIfNotExists bool `json:"ignoreIfNotExists,omitempty"`
	Recursive         bool `json:"recursive,omitempty"`
}

type applyEditParams struct {
	Label string `json:"label,omitempty"`
	Edit  struct {
		DocumentChanges   []any                       `json:"documentChanges"`
		ChangeAnnotations map[string]changeAnnotation `json:"changeAnnotations,omitempty"`
	} `json:"edit"`
}

type applyEditResult struct {
	Applied       bool   `json:"applied"`
	FailureReason string `json:"failureReason"`
}

type contentChange struct {
	Range *protocol.Range `json:"range"`
	Text  *string         `json:"text"`
}

type didChangeParams struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version *int32 `json:"version"`
	} `json:"textDocument"`
	ContentChanges []contentChange `json:"contentChanges"`
}

type publishParams struct {
	URI         string                `json:"uri"`
	Version     int32                 `json:"version"`
	Diagnostics []protocol.Diagnostic `json:"diagnostics"`
}

type clearParams struct {
	URI         string                `json:"uri"`
	Diagnostics []protocol.Diagnostic `json:"diagnostics"`
}

type documentDiagnosticParams struct {
	TextDocument     documentID `json:"textDocument"`
	PreviousResultID string     `json:"previousResultId"`
}

type documentDiagnosticReport struct {
	Kind     string                 `json:"kind"`
	ResultID string                 `json:"resultId"`
	Items    *[]protocol.Diagnostic `json:"items,omitempty"`
}

type initializeParams struct {
	RootPath              string          `json:"rootPath"`
	RootURI               string          `json:"rootUri"`
	WorkspaceFolders      []folder        `json:"workspaceFolders"`
	InitializationOptions json.RawMessage `json:"initializationOptions"`
	Capabilities          struct {
		General struct {
			PositionEncodings []string `json:"positionEncodings"`
		} `json:"general"`
		Window struct {
			ShowDocument struct {
				Support bool `json:"support"`
			} `json:"showDocument"`
		} `json:"window"`
		Workspace struct {
			ApplyEdit     bool `json:"applyEdit"`
			Configuration bool `json:"configuration"`
			WorkspaceEdit struct {
				ResourceOperations      []string  `json:"resourceOperations"`
				ChangeAnnotationSupport *struct{} `json:"changeAnnotationSupport"`
			} `json:"workspaceEdit"`
			DidChangeWatchedFiles struct {
				DynamicRegistration bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
			CodeLens struct {
				RefreshSupport bool `json:"refreshSupport"`
			} `json:"codeLens"`
			Diagnostics struct {
				RefreshSupport bool `json:"refreshSupport"`
			} `json:"diagnostics"`
		} `json:"workspace"`
		TextDocument struct {
			Diagnostic *struct{} `json:"diagnostic"`
		} `json:"textDocument"`
	} `json:"capabilities"`
}

type folder struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
}
