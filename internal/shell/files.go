package shell

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/acode-ls/acode-ls/internal/text"
)

// maxRead is how many bytes of files are read for one command.
const maxRead = 32 << 20

// Source is where files are. The zero Source is the disk.
type Source struct {
	// Read returns the content of the regular file at an absolute path, and
	// false if there is none.
	Read func(path string) (string, bool)
	// Folder reports whether there is a folder at an absolute path.
	Folder func(path string) bool
}

// files reads files as lines of output.
type files struct {
	from Source
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
	content, ok := f.content(path)
	if !ok || len(content) > f.left {
		return nil, false
	}
	f.left -= len(content)
	lines := fileLines(path, content)
	f.read[path] = lines
	return lines, true
}

func (f *files) content(path string) (string, bool) {
	if f.from.Read != nil {
		return f.from.Read(path)
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > int64(f.left) {
		return "", false
	}
	file, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, int64(f.left)+1)) // files of the system are longer than they say
	return string(data), err == nil
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
func (f *files) regular(path string) bool {
	if f.from.Read != nil {
		_, ok := f.from.Read(path)
		return ok
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// folder reports whether path is a folder.
func (f *files) folder(path string) bool {
	if f.from.Folder != nil {
		return f.from.Folder(path)
	}
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
