package shell

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/acode-ls/acode-ls/internal/text"
)

// maxRead is how many bytes of files are read for one command.
const maxRead = 32 << 20

// files reads files as lines of output.
type files struct {
	left int // bytes that may still be read
	read map[string][]line
}

// lines returns the lines of the regular file at path.
func (f *files) lines(path string) ([]line, bool) {
	if lines, ok := f.read[path]; ok {
		return lines, lines != nil
	}
	if f.read == nil {
		f.read = map[string][]line{}
	}
	f.read[path] = nil
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > int64(f.left) {
		return nil, false
	}
	data, err := os.ReadFile(path)
	if err != nil || len(data) > f.left {
		return nil, false
	}
	f.left -= len(data)
	lines := fileLines(path, string(data))
	f.read[path] = lines
	return lines, true
}

// fileLines numbers the lines that end with LF as package text counts, for
// which a lone CR ends a line too. It never returns nil.
func fileLines(path, content string) []line {
	lines := make([]line, 0, strings.Count(content, "\n")+1)
	strayed := strings.Contains(content, "\r")
	number := 1
	for _, full := range split(content) {
		lines = append(lines, line{text: full, path: path, number: number})
		if strayed {
			number += text.Split(full).Len()
		} else {
			number++
		}
	}
	return lines
}

// regular reports whether path is a regular file.
func regular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// folder reports whether path is a folder.
func folder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// join makes path absolute without cleaning it: after a link, ".." does not
// lead back.
func join(dir, path string) string {
	if filepath.IsAbs(path) || dir == "" {
		return path
	}
	return dir + string(filepath.Separator) + path
}
