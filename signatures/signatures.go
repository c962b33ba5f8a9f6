// Package signatures names what a part of a text declares: functions, types,
// headings, keys, each with the lines it takes; and, for the output of
// commands, the lines that tell of a failure.
//
// It rather says nothing than something wrong: what stands in a comment, a
// string or a template is no declaration. Lines are counted from 1, and ranges
// include both ends.
//
// The package does not know truncation, files or configuration, and opens
// nothing.
package signatures

// Kind is what a declaration declares. The words are those of the result's
// consumers, not of any one language.
type Kind string

const (
	Function  Kind = "function"
	Method    Kind = "method"
	Class     Kind = "class"
	Struct    Kind = "struct"
	Interface Kind = "interface" // and protocols
	Trait     Kind = "trait"
	Type      Kind = "type" // an alias or a type that is none of the above
	Enum      Kind = "enum"
	Module    Kind = "module" // and namespaces and packages inside a file
	Constant  Kind = "constant"
	Variable  Kind = "variable"
	Macro     Kind = "macro"
	Table     Kind = "table"   // of a database, or of TOML
	Message   Kind = "message" // of Protobuf, and its services
	Heading   Kind = "heading"
	Key       Kind = "key" // at the top of a data file
	Export    Kind = "export"
)

// Declaration is one thing that a text declares.
type Declaration struct {
	Kind     Kind
	Name     string // with what it is in: "TokenCache.get"
	Label    string // as a notice names it: "function handleAuth()", "def get()", "class TokenCache"
	Lines    Range  // of the declaration, without the comment and the decorators before it
	Depth    int    // 0 at the top level, 1 inside one other declaration
	Exported bool   // visible outside the file, by the language's own rule
}

// Range is a range of lines.
type Range struct {
	First, Last int // 1-based, both included
}
