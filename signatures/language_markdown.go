package signatures

import "strings"

// scanMarkdown finds headings, each with its section. What stands in fences,
// comments, raw HTML and front matter is none.
func scanMarkdown(src string) []Declaration {
	s := &markdownScanner{found: newFound(src), rest: src}
	s.frontMatter()
	for s.next() {
		s.look()
	}
	s.closeFrom(1, len(src))
	return s.found.all
}

// markdownScanner goes from line to line.
type markdownScanner struct {
	found found
	rest  string // behind the line
	at    int    // byte offset of the line
	line  string // without its end

	fence     string // that ends the block, "" outside of one
	end       string // of raw HTML, "" outside of it
	paragraph int    // offset at which the paragraph starts that the line before belongs to, negative for none
	title     string // of that paragraph, if it is one line
	inList    bool
	sections  []markdownSection
}

type markdownSection struct {
	level int
	index int
}

// next goes to the next line.
func (s *markdownScanner) next() bool {
	s.at = len(s.found.lines.src) - len(s.rest)
	if s.rest == "" {
		return false
	}
	end := lineEnd(s.rest, 0)
	s.line = s.rest[:end]
	s.rest = s.rest[afterLineEnd(s.rest, end):]
	return true
}

// frontMatter passes what stands between "---" at the start of the file and
// the next.
func (s *markdownScanner) frontMatter() {
	s.paragraph = -1
	all := s.rest
	s.rest = strings.TrimPrefix(s.rest, "\ufeff")
	start := s.rest
	if !s.next() || strings.TrimRight(s.line, " \t") != "---" {
		s.rest = start
		return
	}
	for s.next() {
		if line := strings.TrimRight(s.line, " \t"); line == "---" || line == "..." {
			return
		}
	}
	s.rest = all
}

func (s *markdownScanner) look() {
	text := strings.TrimLeft(s.line, " \t")
	indent := len(s.line) - len(text)
	if strings.HasPrefix(s.line, "\t") {
		indent = 4
	}
	text = strings.TrimRight(text, " \t")
	switch {
	case s.fence != "":
		if closesFence(text, s.fence) {
			s.fence = ""
		}
	case s.end != "":
		if strings.Contains(text, s.end) {
			s.end = ""
		}
	case text == "":
		s.paragraph = -1
	case s.opensFence(text, indent):
		s.paragraph = -1
	case indent > 3: // code, or the rest of a list or paragraph
	case s.opensHTML(text):
		s.paragraph = -1
	case text[0] == '#' && s.heading(text):
		s.paragraph, s.inList = -1, false
	case s.paragraph >= 0 && (allOf(text, '=') || allOf(text, '-')):
		s.underlined(text)
	default:
		s.other(text, indent)
	}
}

// opensFence takes "```" or "~~~". Deep in a list it is indented.
func (s *markdownScanner) opensFence(text string, indent int) bool {
	if indent > 3 && !s.inList {
		return false
	}
	mark := text[0]
	if mark != '`' && mark != '~' {
		return false
	}
	n := len(text) - len(strings.TrimLeft(text, string(mark)))
	if n < 3 || mark == '`' && strings.IndexByte(text[n:], '`') >= 0 {
		return false
	}
	s.fence = text[:n]
	return true
}

func closesFence(text, fence string) bool {
	return strings.HasPrefix(text, fence) && allOf(text, fence[0])
}

// allOf reports whether s is nothing but b.
func allOf(s string, b byte) bool {
	return s != "" && strings.Trim(s, string(b)) == ""
}

// opensHTML takes what begins a block of HTML that goes on over blank lines.
func (s *markdownScanner) opensHTML(text string) bool {
	if text[0] != '<' {
		return false
	}
	lower := strings.ToLower(text[:min(len(text), len("<textarea"))])
	for open, end := range map[string]string{"<!--": "-->", "<pre": "</pre>", "<script": "</script>", "<style": "</style>", "<textarea": "</textarea>"} {
		if strings.HasPrefix(lower, open) {
			if !strings.Contains(text[len(open):], end) {
				s.end = end
			}
			return true
		}
	}
	return false
}

// heading takes "## Title ##".
func (s *markdownScanner) heading(text string) bool {
	title := strings.TrimLeft(text, "#")
	level := len(text) - len(title)
	if level > 6 || title == "" || title[0] != ' ' && title[0] != '\t' {
		return false
	}
	title = strings.Trim(title, " \t")
	if cut := strings.TrimRight(title, "#"); cut == "" || strings.HasSuffix(cut, " ") {
		title = strings.TrimRight(cut, " \t")
	}
	s.add(s.at, level, title)
	return true
}

// underlined takes the line below a title: "===" or "---".
func (s *markdownScanner) underlined(text string) {
	level := 1
	if text[0] == '-' {
		level = 2
	}
	if s.title != "" {
		s.add(s.paragraph, level, s.title)
	}
	s.paragraph = -1
}

// other takes a line of text.
func (s *markdownScanner) other(text string, indent int) {
	switch {
	case startsItem(text):
		s.inList = true
		s.paragraph = -1
		if i := strings.IndexAny(text, "`~"); i > 0 {
			s.opensFence(text[i:], 0)
		}
	case text[0] == '>' || text[0] == '|':
		s.paragraph = -1
	case s.paragraph >= 0:
		s.title = "" // of more lines
	default:
		s.paragraph, s.title = s.at, text
		s.inList = s.inList && indent > 0
	}
}

// startsItem reports whether text begins an item of a list.
func startsItem(text string) bool {
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	if 0 < digits && digits < 10 && digits < len(text) && (text[digits] == '.' || text[digits] == ')') {
		return digits+1 == len(text) || text[digits+1] == ' '
	}
	return strings.IndexByte("-*+", text[0]) >= 0 && (len(text) == 1 || text[1] == ' ' || text[1] == '\t')
}

// add adds a heading and ends the sections that are not around it.
func (s *markdownScanner) add(start, level int, title string) {
	s.closeFrom(level, start)
	index := s.found.open(start, Heading, strings.Repeat("#", level), title, outside{depth: len(s.sections)}, true)
	if index >= 0 {
		s.sections = append(s.sections, markdownSection{level, index})
	}
}

// closeFrom ends the sections of level and deeper.
func (s *markdownScanner) closeFrom(level, end int) {
	for n := len(s.sections); n > 0 && s.sections[n-1].level >= level; n-- {
		s.found.close(s.sections[n-1].index, trimmedEnd(s.found.lines.src, end))
		s.sections = s.sections[:n-1]
	}
}
