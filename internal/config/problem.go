package config

import (
	"fmt"
	"strings"
)

// File is where the settings are, relative to the root.
const File = ".agent/config.yml"

// Problem is something wrong with a file of settings.
type Problem struct {
	File string `json:"file"`

	// Where it is, both counted from 1, columns in characters. Both are 0 if
	// the file as a whole is meant.
	Line   int `json:"line"`
	Column int `json:"column"`

	Key        string `json:"key"` // in full, with dots; "" if it is no key that is wrong
	Message    string `json:"message"`
	Suggestion string `json:"suggestion"` // the key or value that may have been meant, or ""
}

// String returns the problem as compilers print theirs, on one line of printable
// characters.
func (p Problem) String() string {
	s := p.File
	if p.Line > 0 {
		s = fmt.Sprintf("%s:%d:%d", s, p.Line, p.Column)
	}
	s += ": " + p.Message
	if p.Suggestion != "" {
		s += fmt.Sprintf("; did you mean %q?", p.Suggestion)
	}
	return s
}

// Problems is all that is wrong with a file, in the order of the lines.
type Problems []Problem

// Error returns one line for each problem.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}

// closest returns which of the words may have been meant by another, or "".
func closest(word string, words []string) string {
	const longest = 64 // bytes of a word that is worth the search
	if len(word) > longest {
		return ""
	}
	best, distance := "", 1+min(2, len(word)/2)
	for _, w := range words {
		if d := editDistance(strings.ToLower(word), w); d < distance {
			best, distance = w, d
		}
	}
	if best != "" {
		return best
	}
	for _, w := range words {
		if word != "" && strings.Contains("_"+w+"_", "_"+word+"_") { // as threshold for artifact_threshold
			return w
		}
	}
	return ""
}

// editDistance returns how many bytes must be put in, left out or replaced to
// make b of a.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
