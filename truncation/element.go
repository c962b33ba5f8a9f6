package truncation

import "strings"

// element keeps the first and the last elements of the lists in JSON and XML,
// at any depth, or the first and the last lines of another text.
//
// Of an object with more members than FirstElements and LastElements together it
// keeps the first and the last too, but of a wrapper, a member of which is more
// than a quarter of it, such members and the scalars. XML is alike: the runs of children with one
// tag are the members. When a text is within the limit is said at marksLimit.
func element(src source, opts Options) Result {
	s := src.Text()
	if src.characters <= opts.Limits.Inline {
		return unchanged(src, opts)
	}
	// As each element takes a character at least, more cannot remain.
	opts.Limits.FirstElements = min(opts.Limits.FirstElements, opts.Limits.Inline)
	opts.Limits.LastElements = min(opts.Limits.LastElements, opts.Limits.Inline)
	start := strings.TrimLeft(strings.TrimPrefix(s, "\ufeff"), " \t\r\n")
	switch {
	case start == "":
	case startsJSON(start):
		return elementJSON(src, opts)
	case startsXML(start):
		return elementXML(src, opts)
	case start[0] == '"' && src.isWhole(): // a string, or lines with quotes
		form := &jsonText{s: s, limits: opts.Limits}
		if root, ok := form.root(); ok {
			return outlineJSON(src, root, form, opts)
		}
	}
	return listOfLines(src, opts, false)
}

// startsJSON reports whether s starts with a bracket of JSON and is no log that
// starts like "[INFO]".
func startsJSON(s string) bool {
	if s[0] != '[' {
		return s[0] == '{'
	}
	s = strings.TrimLeft(s[1:], " \t\r\n")
	for _, word := range []string{"true", "false", "null"} {
		if strings.HasPrefix(s, word) {
			return true
		}
	}
	return s == "" || strings.IndexByte(`{["]-0123456789`, s[0]) >= 0
}

func elementJSON(src source, opts Options) Result {
	if src.isWhole() {
		form := &jsonText{s: src.Text(), limits: opts.Limits}
		if root, ok := form.root(); ok {
			return outlineJSON(src, root, form, opts)
		}
	}
	if isJSONLines(src, opts.Limits) {
		return listOfLines(src, opts, true)
	}
	r := fallBack(Element, src, opts)
	if opts.Structure && !src.isWhole() {
		r = textual(src, opts)
	}
	r.JSON = Invalid
	return r
}

// outlineJSON cuts a text that is valid JSON.
func outlineJSON(src source, root entry, form *jsonText, opts Options) Result {
	if opts.Structure {
		return shapeJSON(src, root, form, opts)
	}
	r, ok := structured(src, root, form, opts)
	if !ok {
		r = fallBack(Element, src, opts)
	}
	r.JSON = Valid
	if r.Strategy == HeadTail {
		r.JSON = Invalid
	}
	return r
}

// startsXML reports whether s starts like an element, a comment or a
// declaration.
func startsXML(s string) bool {
	return len(s) > 1 && s[0] == '<' && (s[1] == '?' || s[1] == '!' || isNameStart(s[1]))
}

func elementXML(src source, opts Options) Result {
	opts.Structure = false // is of JSON alone
	if src.isWhole() {
		form := &xmlText{s: src.Text(), limits: opts.Limits}
		if root, ok := form.root(); ok {
			if r, ok := structured(src, root, form, opts); ok {
				return r
			}
		}
	}
	return fallBack(Element, src, opts)
}

// textual cuts a text in the middle although it has structure.
func textual(src source, opts Options) Result {
	r := headTail(src, opts)
	if r.WasTruncated {
		r.Strategy = Element
	}
	return r
}
