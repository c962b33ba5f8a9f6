package signatures

import "strings"

// scanYAML finds the keys at the top level of each document. They are all at
// the start of a line, and nearly nothing else is.
func scanYAML(src string) []Declaration {
	f := newFound(src)
	open := -1
	scalar := false   // the document is one block scalar
	budget := 1 << 20 // bytes of values that turn out not to be closed
	start := len(src) - len(strings.TrimPrefix(src, "\ufeff"))
	for at := start; at < len(src); {
		end := lineEnd(src, at)
		line := src[at:end]
		next := afterLineEnd(src, end)
		switch {
		case line == "" || line[0] == ' ' || line[0] == '\t' || line[0] == '#':
		case strings.HasPrefix(line, "---") || strings.HasPrefix(line, "..."):
			f.close(open, trimmedEnd(src, at))
			open = -1
			scalar = strings.ContainsAny(line, "|>")
		case scalar:
		default:
			key, value := yamlKey(line)
			if key == "" {
				break
			}
			f.close(open, trimmedEnd(src, at))
			open = f.open(at, Key, "", key, outside{}, true)
			next = afterYAMLValue(src, end-len(value), next, &budget)
		}
		at = next
	}
	f.close(open, trimmedEnd(src, len(src)))
	return f.all
}

// yamlKey returns the key that a line begins with, without quotes, and what
// stands behind its colon. The key is "" where there is none.
func yamlKey(line string) (key, value string) {
	switch line[0] {
	case '"', '\'':
		end := quoted(line, 0)
		rest := strings.TrimLeft(line[end:], " \t")
		if end < 2 || !strings.HasPrefix(rest, ":") || line[end-1] != line[0] {
			return "", ""
		}
		return line[1 : end-1], rest[1:]
	case '-', '?', '{', '[', '}', ']', '%', '|', '>', '&', '*', '!', ',', '@', '`', ':', '<':
		if !strings.HasPrefix(line, "<<:") {
			return "", ""
		}
	}
	for i := range len(line) {
		switch line[i] {
		case ':':
			if i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\t' {
				return strings.TrimRight(line[:i], " \t"), line[i+1:]
			}
		case '#':
			if line[i-1] == ' ' {
				return "", ""
			}
		}
	}
	return "", ""
}

// afterYAMLValue returns the start of the line behind the quoted string or the
// flow collection that begins at i and goes on over lines, or next.
func afterYAMLValue(src string, i, next int, budget *int) int {
	for i < len(src) && (src[i] == ' ' || src[i] == '\t') {
		i++
	}
	if i >= len(src) || strings.IndexByte(`"'{[`, src[i]) < 0 {
		return next
	}
	start, depth := i, 0
	end := min(i+*budget, len(src))
	for ; i < end; i++ {
		switch src[i] {
		case '"', '\'':
			i = yamlQuoted(src[:end], i)
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '#':
			if isSpace(src[i-1]) {
				i = lineEnd(src, i)
			}
		}
		if depth <= 0 && i < end {
			return max(next, afterLineEnd(src, lineEnd(src, i)))
		}
	}
	*budget -= end - start
	return next
}

// yamlQuoted returns the offset of the quote that ends the string at i, or the
// length of src.
func yamlQuoted(src string, i int) int {
	quote := src[i]
	for i++; i < len(src); i++ {
		switch {
		case src[i] == '\\' && quote == '"':
			i++
		case src[i] == quote:
			return i
		}
	}
	return len(src)
}
