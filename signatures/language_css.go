package signatures

import "strings"

// scanCSS finds the rules of style sheets by their selectors, also those in
// "@media" and its like, and the mixins and functions of SCSS and Less.
func scanCSS(src string) []Declaration {
	s := &cssScanner{src: src, found: newFound(src)}
	s.scan()
	return s.found.all
}

// cssScanner goes from brace to brace.
type cssScanner struct {
	src    string
	found  found
	groups []int // index of the declaration of each "@media" around
	depth  int   // of braces in a rule
	rule   int   // index of the declaration of that rule
	start  int   // of the statement, negative before its first byte
}

func (s *cssScanner) scan() {
	s.start = -1
	for at := len(s.src) - len(strings.TrimPrefix(s.src, "\ufeff")); at < len(s.src); {
		switch b := s.src[at]; {
		case isSpace(b):
			at++
		case strings.HasPrefix(s.src[at:], "/*"):
			at = after(s.src, at+2, "*/")
		case strings.HasPrefix(s.src[at:], "//"): // of SCSS; a URL has it in parentheses
			at = lineEnd(s.src, at)
		case b == '(':
			s.begin(at)
			at = afterParenthesis(s.src, at)
		case b == '"' || b == '\'':
			s.begin(at)
			at = quoted(s.src, at)
		case strings.HasPrefix(s.src[at:], "#{"): // a value of SCSS
			s.begin(at)
			at = after(s.src, at+2, "}")
		case b == '{':
			s.open(at)
			at++
		case b == '}':
			at++
			s.close(at)
		case b == ';':
			s.start = -1
			at++
		case b == '\\':
			s.begin(at)
			at += 2
		default:
			s.begin(at)
			at++
		}
	}
}

func (s *cssScanner) begin(at int) {
	if s.start < 0 {
		s.start = at
	}
}

// afterParenthesis returns the offset behind the parenthesis that closes the
// one at i, and at most the end of a line that a brace or semicolon is on.
func afterParenthesis(src string, i int) int {
	for depth := 0; i < len(src); {
		switch src[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		case '{', '}':
			return i
		case '"', '\'':
			i = quoted(src, i)
			continue
		}
		i++
	}
	return len(src)
}

// open takes the brace of a rule, or of what has rules in it.
func (s *cssScanner) open(at int) {
	start := s.start
	s.start = -1
	if s.depth > 0 {
		s.depth++
		return
	}
	index := -1
	if start >= 0 {
		index = s.add(start, at)
	}
	if start >= 0 && isRuleGroup(s.src[start:at]) {
		s.groups = append(s.groups, index)
		return
	}
	s.depth, s.rule = 1, index
}

func (s *cssScanner) close(end int) {
	s.start = -1
	if s.depth > 0 {
		if s.depth--; s.depth == 0 {
			s.found.close(s.rule, end)
		}
		return
	}
	if n := len(s.groups); n > 0 {
		s.found.close(s.groups[n-1], end)
		s.groups = s.groups[:n-1]
	}
}

// isRuleGroup reports whether rules stand in what begins with head.
func isRuleGroup(head string) bool {
	for _, word := range []string{"@media", "@supports", "@layer", "@container", "@scope", "@document", "@-moz-document"} {
		if strings.HasPrefix(head, word) {
			return true
		}
	}
	return false
}

// add adds a rule by its selector, which is its label, too. A long one tells
// nothing, nor does one that is put together.
func (s *cssScanner) add(start, end int) int {
	const longest = 120
	head := s.src[start:trimmedEnd(s.src, end)]
	if len(head) > 4*longest || strings.Contains(head, "#{") || strings.Contains(head, "/*") {
		return -1
	}
	selector := strings.Join(strings.Fields(head), " ")
	if len(selector) > longest {
		return -1
	}
	index := s.found.open(start, Key, "rule", selector, outside{depth: len(s.groups)}, true)
	if index >= 0 {
		s.found.all[index].Label = s.found.all[index].Name
	}
	return index
}
