package signatures

import "strings"

// maxName is the length of a name in bytes that a notice can make use of.
const maxName = 400

// label names a declaration as a notice does. The word is the keyword of the
// language, or "" where it has none for that kind.
func label(kind Kind, word, name string) string {
	if word == "" {
		word = string(kind)
	}
	switch kind {
	case Function, Method:
		return word + " " + name + "()"
	}
	return word + " " + name
}

// qualified puts a name behind that of what it is in.
func qualified(outer, name string) string {
	if outer == "" {
		return name
	}
	return outer + "." + name
}

// nameable reports whether a notice can show name: one short line that is not
// blank.
func nameable(name string) bool {
	return name != "" && name != "_" && len(name) <= maxName && !strings.ContainsAny(name, "\n\r\x00")
}

// isType reports whether functions in a declaration of that kind are methods.
func isType(kind Kind) bool {
	switch kind {
	case Class, Struct, Interface, Trait, Enum, Type:
		return true
	}
	return false
}
