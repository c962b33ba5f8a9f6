package signatures

import "strings"

// scanHCL finds the blocks at the top level, with their labels, and the
// attributes there.
func scanHCL(src string) []Declaration {
	f := newFound(src)
	at := len(src) - len(strings.TrimPrefix(src, "\ufeff"))
	for at < len(src) {
		switch b := src[at]; {
		case !isWord(b) || isDigit(b):
			at = hclToken(src, at)
		default:
			at = hclItem(&f, src, at)
		}
	}
	return f.all
}

// hclItem takes a block or an attribute, whose name is at the offset at, and
// returns the offset behind it.
func hclItem(f *found, src string, at int) int {
	start := at
	at = hclNameEnd(src, at)
	head := at // the end of the type and the labels
	for at < len(src) {
		switch b := src[at]; {
		case b == ' ' || b == '\t':
			at++
		case b == '"':
			at = quoted(src, at)
			head = at
		case isWord(b):
			at = max(hclNameEnd(src, at), at+1)
			head = at
		case b == '{':
			end := afterHCLBlock(src, at+1)
			addHCLBlock(f, start, end, src[start:head])
			return end
		case b == '=' && !strings.HasPrefix(src[at:], "=="):
			end := afterHCLValue(src, at+1)
			f.close(f.open(start, Key, "", src[start:head], outside{}, true), end)
			return end
		default:
			return hclToken(src, at)
		}
	}
	return at
}

// addHCLBlock adds a block as it is written, without what is between its
// labels: `resource "aws_instance" "web"`. Its name are the labels.
func addHCLBlock(f *found, start, end int, head string) {
	word, labels, ok := strings.Cut(strings.Join(strings.Fields(head), " "), " ")
	if !ok { // "locals {"
		labels = word
	}
	index := f.open(start, Key, word, labels, outside{}, true)
	if index >= 0 && !ok {
		f.all[index].Label = f.all[index].Name
	}
	f.close(index, end)
}

func hclNameEnd(src string, at int) int {
	for at < len(src) && (isWord(src[at]) || src[at] == '-' || src[at] == '.') {
		at++
	}
	return at
}

// afterHCLBlock returns the offset behind the brace that closes the block whose
// opening one is before i.
func afterHCLBlock(src string, i int) int {
	for depth := 1; i < len(src); {
		switch src[i] {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i = hclToken(src, i)
	}
	return i
}

// afterHCLValue returns the offset of the end of the value at i: the first end
// of a line that is not in brackets.
func afterHCLValue(src string, i int) int {
	for depth := 0; i < len(src); {
		switch src[i] {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			depth--
		case '\n', '\r':
			if depth <= 0 {
				return i
			}
		}
		i = hclToken(src, i)
	}
	return i
}

// hclToken returns the end of the token at i: of a comment, a string, a text
// in "<<EOT ... EOT", or of a byte.
func hclToken(src string, i int) int {
	rest := src[i:]
	switch {
	case rest[0] == '#' || strings.HasPrefix(rest, "//"):
		return lineEnd(src, i)
	case strings.HasPrefix(rest, "/*"):
		return after(src, i+2, "*/")
	case rest[0] == '"':
		return hclString(src, i)
	case strings.HasPrefix(rest, "<<"):
		mark := strings.TrimPrefix(rest[2:], "-")
		mark = mark[:wordEnd(mark, 0)]
		if mark != "" {
			return afterMark(src, lineEnd(src, i), mark)
		}
	}
	return i + 1
}

// hclString returns the end of a string, which may have code in "${ ... }" and
// strings in that.
func hclString(src string, i int) int {
	depth := 0
	for i++; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '\n', '\r':
			return i
		case '$', '%':
			if i+1 < len(src) && src[i+1] == '{' {
				depth++
				i++
			}
		case '{':
			if depth > 0 {
				depth++
			}
		case '}':
			depth = max(depth-1, 0)
		case '"':
			if depth == 0 {
				return i + 1
			}
			i = quoted(src, i) - 1
		}
	}
	return len(src)
}

// afterMark returns the end of the first line after i that is mark alone, but
// for spaces before it, or the end of the text.
func afterMark(src string, i int, mark string) int {
	for i < len(src) {
		start := afterLineEnd(src, i)
		i = lineEnd(src, start)
		if strings.TrimSpace(src[start:i]) == mark {
			return i
		}
	}
	return len(src)
}
