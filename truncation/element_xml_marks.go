package truncation

import (
	"strconv"
	"strings"
)

// This file says how XML is cut, so that it stays well-formed.

// open returns what is inside e, which has elements in it.
func (x *xmlText) open(e *entry, depth int) *container {
	if e.inside == nil {
		e.inside, _ = x.container(e.value, depth)
	}
	return e.inside
}

// between returns what of the text from start to end remains without the
// whitespace around it.
func (x *xmlText) between(start, end int) span {
	rest := strings.TrimLeft(x.s[start:end], xmlSpace)
	start = end - len(rest)
	return span{start, start + len(strings.TrimRight(rest, xmlSpace))}
}

// gap returns the comment that stands for n elements.
func (x *xmlText) gap(_ *container, _, n, _ int) string { return itemsComment(n) }

// replacement returns the comment that stands for all elements in e.
func (x *xmlText) replacement(e *entry) (span, string) {
	return span{e.inside.start, e.inside.end}, itemsComment(e.inside.members)
}

func itemsComment(n int) string { return "<!-- " + strconv.Itoa(n) + " items omitted -->" }

// shorten cuts the long values of attributes, texts, CDATA sections and
// comments.
func (x *xmlText) shorten(o *outline, part span) {
	for i := part.start; part.end-i > o.characters && !o.tooLong(i); {
		end := part.end
		if n := strings.IndexByte(x.s[i:end], '<'); n >= 0 {
			end = i + n
		}
		if x.space(i) >= end {
			o.dropBlanks(span{i, end})
		} else {
			o.cutString(span{i, end}, x.whole)
		}
		if i = end; i < part.end {
			i = x.shortenMarkup(o, i)
		}
	}
}

// shortenMarkup is shorten for the markup at i, and returns its end.
func (x *xmlText) shortenMarkup(o *outline, i int) int {
	switch {
	case x.at(i, "<!DOCTYPE"):
		return x.docType(i)
	case x.at(i, "</"):
		return x.after(i, ">")
	case x.at(i, "<?"):
		return x.aside(i)
	case x.at(i, "<!--"):
		end := x.aside(i)
		o.cutString(span{i + 4, end - 3}, anywhere)
		return end
	case x.at(i, "<![CDATA["):
		end := x.aside(i)
		o.cutString(span{i + 9, end - 3}, anywhere)
		return end
	}
	for i = x.space(x.nameEnd(i + 1)); isNameStart(x.s[i]) && !o.tooLong(i); {
		value := x.attribute(i)
		o.cutString(value, x.whole)
		i = x.space(value.end + 1)
	}
	if x.s[i] == '/' {
		i++
	}
	return i + 1
}

func anywhere(_, at int) int { return at }

// whole returns at, or the start of the reference that at is inside of.
func (x *xmlText) whole(start, at int) int {
	start = max(start, at-longestReference-1)
	if i := strings.LastIndexAny(x.s[start:at], "&;"); i >= 0 && x.s[start+i] == '&' {
		return start + i
	}
	return at
}
