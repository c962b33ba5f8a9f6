package signatures

import "strings"

// scanProto finds the messages, enums, services, calls and extensions of
// Protobuf.
func scanProto(src string) []Declaration {
	s := &protoScanner{src: src, found: newFound(src)}
	s.scan()
	return s.found.all
}

// protoScanner goes from word to word. It looks at those that begin a
// statement.
type protoScanner struct {
	src    string
	found  found
	scopes []int // index of the declaration that each open brace belongs to, negative for none
	begins bool  // a statement
}

func (s *protoScanner) scan() {
	s.begins = true
	pending := -1 // the declaration whose brace comes next
	for at := len(s.src) - len(strings.TrimPrefix(s.src, "\ufeff")); at < len(s.src); {
		switch b := s.src[at]; {
		case isSpace(b):
			at++
		case strings.HasPrefix(s.src[at:], "//"):
			at = lineEnd(s.src, at)
		case strings.HasPrefix(s.src[at:], "/*"):
			at = after(s.src, at+2, "*/")
		case b == '"' || b == '\'':
			at = quoted(s.src, at)
		case b == '{':
			s.scopes = append(s.scopes, pending)
			pending, s.begins = -1, true
			at++
		case b == '}':
			at++
			if n := len(s.scopes); n > 0 {
				s.found.close(s.scopes[n-1], at)
				s.scopes = s.scopes[:n-1]
			}
			s.begins = true
		case b == ';':
			at++
			s.found.close(pending, at)
			pending, s.begins = -1, true
		case isWord(b):
			end := max(wordEnd(s.src, at), at+1)
			if s.begins && len(s.scopes) < maxDepth {
				pending = s.word(at, end)
			}
			s.begins = false
			at = end
		default:
			s.begins = false
			at++
		}
	}
}

// maxDepth is how many declarations may be in one another for a scanner to name
// the innermost.
const maxDepth = 100

// word adds the declaration that begins with a word, if one does, and returns
// its index.
func (s *protoScanner) word(start, end int) int {
	var kind Kind
	word := s.src[start:end]
	switch word {
	case "message", "service", "extend", "group":
		kind = Message
	case "enum":
		kind = Enum
	case "rpc":
		kind = Method
	default:
		return -1
	}
	i := end
	for i < len(s.src) && isSpace(s.src[i]) {
		i++
	}
	nameEnd := i
	for nameEnd < len(s.src) && (isWord(s.src[nameEnd]) || s.src[nameEnd] == '.') {
		nameEnd++
	}
	name := s.src[i:nameEnd]
	for nameEnd < len(s.src) && isSpace(s.src[nameEnd]) {
		nameEnd++
	}
	if name == "" || i == end || nameEnd < len(s.src) && s.src[nameEnd] != '{' && s.src[nameEnd] != '(' && s.src[nameEnd] != '/' {
		return -1 // a field of that name
	}
	in := outside{}
	for _, index := range s.scopes {
		if index >= 0 {
			in = s.found.inside(index)
		}
	}
	return s.found.open(start, kind, word, name, in, true)
}
