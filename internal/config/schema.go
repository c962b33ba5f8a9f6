package config

import (
	_ "embed"
	"slices"
)

//go:generate go test -run Generated -update

//go:embed schema.json
var schema []byte

// Schema returns the JSON Schema (2020-12) of the file. It says no less than
// Parse where JSON Schema can: not that a regular expression is one, or which
// numbers of elements of several sections go together.
func Schema() []byte { return slices.Clone(schema) }
