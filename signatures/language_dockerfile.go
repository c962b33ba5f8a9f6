package signatures

import "strings"

// scanDockerfile finds stages, each to the next one.
func scanDockerfile(src string) []Declaration {
	f := newFound(src)
	open := -1
	for at := len(src) - len(strings.TrimPrefix(src, "\ufeff")); at < len(src); {
		start := at
		end := lineEnd(src, at)
		words := strings.Fields(src[start:end])
		if len(words) > 1 && strings.EqualFold(words[0], "FROM") {
			f.close(open, trimmedEnd(src, start))
			open = openStage(&f, start, words)
		}
		at = afterInstruction(src, start)
	}
	f.close(open, trimmedEnd(src, len(src)))
	return f.all
}

// openStage adds "FROM image AS name". The stage is named by its image where it
// has no name.
func openStage(f *found, start int, words []string) int {
	words = words[1:]
	for len(words) > 1 && strings.HasPrefix(words[0], "--") {
		words = words[1:]
	}
	index := f.open(start, Module, "FROM", words[0], outside{}, true)
	if index >= 0 && len(words) > 2 && strings.EqualFold(words[1], "AS") && len(words[2]) <= maxName {
		f.all[index].Label += " AS " + words[2]
		f.all[index].Name = strings.Clone(words[2])
	}
	return index
}

// afterInstruction returns the start of the line behind the instruction at i:
// a backslash takes it on to the next line that is no comment, and texts like
// "<<EOF" follow it.
func afterInstruction(src string, i int) int {
	var marks []string
	for goesOn := false; i < len(src); {
		end := lineEnd(src, i)
		line := strings.TrimSpace(src[i:end])
		i = afterLineEnd(src, end)
		if strings.HasPrefix(line, "#") {
			if goesOn {
				continue
			}
			return i
		}
		marks = append(marks, heredocMarks(line)...)
		if goesOn = strings.HasSuffix(line, `\`); !goesOn {
			break
		}
	}
	for _, mark := range marks {
		i = afterLineEnd(src, afterMark(src, max(i-1, 0), mark))
	}
	return i
}

// heredocMarks returns the marks of the texts that begin on a line: "EOF" in
// "RUN <<EOF" and in "<<-'EOF'".
func heredocMarks(line string) []string {
	var marks []string
	for {
		_, after, ok := strings.Cut(line, "<<")
		if !ok {
			return marks
		}
		after = strings.TrimLeft(strings.TrimPrefix(after, "-"), `"'`)
		if end := wordEnd(after, 0); end > 0 {
			marks = append(marks, after[:end])
		}
		line = after
	}
}
