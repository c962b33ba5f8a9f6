package main

import (
	"bufio"
	"fmt"
	"go/build"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// This file makes up the texts that are measured. The same size gives the same
// text.

// mixed returns size bytes of what agents see: prose, a log, code and the
// listing of a folder, mostly ASCII.
func mixed(size int) string {
	words := strings.Fields("the agent reads what a tool gave and token keeps für Größe naïve 世界 “quoted” line of text → output file error value")
	r := rand.New(rand.NewPCG(1, 2))
	var s strings.Builder
	for i := 0; s.Len() < size; i++ {
		switch i % 4 {
		case 0:
			for range r.IntN(16) {
				s.WriteString(words[r.IntN(len(words))])
				s.WriteByte(' ')
			}
			s.WriteByte('\n')
		case 1:
			fmt.Fprintf(&s, "2026-03-01 12:%02d:%02d.%03d INFO  [worker-%d] handled GET /api/v1/items/%d in %d ms\n", i/60%60, i%60, i%1000, i%8, r.IntN(100_000), r.IntN(900))
		case 2:
			fmt.Fprintf(&s, "\tif value%d, err := something.Call(ctx, %d); err != nil {\n", i, r.IntN(1000))
		case 3:
			fmt.Fprintf(&s, "-rw-r--r--  1 user staff %8d Mar  1 12:00 src/component/part%d.ts\n", r.IntN(1<<20), i)
		}
	}
	return cutTo(s.String(), size)
}

// cutTo cuts s, which is longer, to size bytes, of which the last may be spaces
// instead of half a character.
func cutTo(s string, size int) string {
	return strings.ToValidUTF8(s[:size-4], " ") + strings.Repeat(" ", 4)
}

// repeated returns size bytes or a little more of lines made by format, whose
// only argument is a number.
func repeated(size int, format string) string {
	var s strings.Builder
	for i := 0; s.Len() < size; i++ {
		fmt.Fprintf(&s, format, i)
	}
	return s.String()
}

func logText(size int) string {
	return repeated(size, "2026-05-01T12:00:00.%06dZ INFO  http: request handled method=GET path=/api/v1/users/42 status=200 duration=12ms remote=10.1.2.3:5123\n")
}

func secretText(size int) string {
	return repeated(size, "%06d connect user=app password=hunter2x9 host=db.internal port=5432 to the first database of the list\n")
}

// jsonText returns a list of about size bytes.
func jsonText(size int) string {
	const element = `{"id":%d,"name":"Ada Lovelace","email":"ada@example.com","tags":["admin","staff"],"active":true,"note":"über 100 \"words\"","balance":1024.50},` + "\n"
	return "[" + strings.TrimSuffix(repeated(size, element), ",\n") + "]\n"
}

// xmlText returns a document of about size bytes.
func xmlText(size int) string {
	const element = `  <user id="%d" active="true"><name>Ada Lovelace</name><email>ada@example.com</email><tags><tag>admin</tag><tag>staff</tag></tags></user>` + "\n"
	return "<users>\n" + repeated(size, element) + "</users>\n"
}

// libraryFolder is where the sources of Go's library are.
func libraryFolder() string { return filepath.Join(build.Default.GOROOT, "src") }

// sources returns the files below folder whose names have one of the endings,
// in the order of their paths, until they are size bytes or more. Headers of
// TypeScript are left out: they only declare.
func sources(folder string, size int, endings ...string) (paths, texts []string, err error) {
	total := 0
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		wanted := func(end string) bool { return strings.HasSuffix(path, end) }
		if err != nil || !entry.Type().IsRegular() || !slices.ContainsFunc(endings, wanted) || wanted(".d.ts") {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		paths, texts = append(paths, path), append(texts, string(content))
		if total += len(content); total >= size {
			return fs.SkipAll
		}
		return nil
	})
	if err == nil && len(paths) == 0 {
		err = errNotHere
	}
	return paths, texts, err
}

// goCode returns size bytes of Go's library.
func goCode(size int) (string, error) {
	_, texts, err := sources(libraryFolder(), size, ".go")
	if err != nil {
		return "", err
	}
	code := strings.Join(texts, "")
	return strings.Repeat(code, size/len(code)+1)[:size], nil
}

// file writes a text to the folder of the run, or so much of its repetition as
// fills size bytes, and returns its path.
func (b *bench) file(name, text string, size int) (string, error) {
	path := filepath.Join(b.folder, name)
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	for size > 0 {
		n, err := w.WriteString(text[:min(size, len(text))])
		if err != nil {
			return "", fmt.Errorf("writing %s: %v", name, err)
		}
		size -= n
	}
	return path, w.Flush()
}
