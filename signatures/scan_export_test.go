package signatures

// The scanners by name, for tests of each alone.
var (
	ScanGo         = scanGo
	ScanPython     = scanPython
	ScanTypeScript = scanTypeScript
	ScanLines      = scanLines
)

// HasKeyword reports whether a line could be a failure by the words in it.
func HasKeyword(line string) bool { return nextKeyword([]byte(line)) >= 0 }

// LineAt returns the line numbers of offsets, asked for one after another.
func LineAt(src string, offsets ...int) []int {
	c := newLineCursor(src)
	var lines []int
	for _, offset := range offsets {
		lines = append(lines, c.at(offset))
	}
	return lines
}
