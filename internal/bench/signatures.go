package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/acode-ls/acode-ls/signatures"
)

// signatures measures how long it takes to find declarations, beside Universal
// Ctags. How well it does that is another program's work.
func (b *bench) signatures() (*report, error) {
	r := &report{title: "Signatures"}
	for _, c := range []struct {
		language signatures.Language
		folder   string
		endings  []string
		large    string // a file of some 120 KB, or "" for that which comes nearest
	}{
		{signatures.Go, libraryFolder(), []string{".go"}, "net/http/server.go"},
		{signatures.Python, pythonLibrary(), []string{".py"}, "argparse.py"},
		{signatures.TypeScript, filepath.Join(".cache", "sigtruth", "node_modules"), []string{".ts", ".tsx"}, ""},
	} {
		folder, err := filepath.Abs(c.folder)
		if err != nil {
			return nil, err
		}
		paths, texts, err := sources(folder, b.size(20_000_000), c.endings...)
		if c.folder == "" || errors.Is(err, os.ErrNotExist) || errors.Is(err, errNotHere) {
			r.absent(string(c.language), "sources")
			continue
		} else if err != nil {
			return nil, err
		}
		large := nearest(paths, texts)
		if c.large != "" {
			large = filepath.Join(folder, filepath.FromSlash(c.large))
		}
		if err := b.gapRows(r, c.language, large); err != nil {
			return nil, err
		}
		if err := b.corpusRows(r, c.language, paths, texts); err != nil {
			return nil, err
		}
	}
	r.notes = append(r.notes, "precision and recall: go run ./internal/sigtruth")
	return r, nil
}

// pythonLibrary returns the folder of Python's library, "" if it is not here.
func pythonLibrary() string {
	out, err := exec.Command("python3", "-c", "import sysconfig; print(sysconfig.get_path('stdlib'))").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// nearest returns the path of the text whose size is nearest to 120 KB.
func nearest(paths, texts []string) string {
	const size = 120 << 10
	distance := func(s string) int { return max(len(s)-size, size-len(s)) }
	best := 0
	for i := range texts {
		if distance(texts[i]) < distance(texts[best]) {
			best = i
		}
	}
	return paths[best]
}

// gapRows looks into 30 KB of a file: about what a read of a large one leaves
// out.
func (b *bench) gapRows(r *report, language signatures.Language, path string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	src := string(content)
	within := gap(src)
	var warm signatures.Finder
	warm.Declarations(src, language, within)
	outcomes := turns(b.rounds,
		b.always(func() { var cold signatures.Finder; keep(len(cold.Declarations(src, language, within))) }),
		b.always(func() { keep(len(warm.Declarations(src, language, within))) }),
		b.process(b.acode, "signatures", "--root", filepath.Dir(path), filepath.Base(path)),
		b.process("ctags", "-x", path))
	name := string(language)
	r.alone(name+", 30 KB of "+filepath.Base(path)+", cold", cpuMilliseconds, outcomes[0], atMost(6))
	r.alone(name+", the same, seen before", cpuMilliseconds, outcomes[1], atMost(0.3))
	r.add(name+", all of it, process", cpuMilliseconds, outcomes[2], "ctags -x", outcomes[3], bound{})
	return nil
}

// gap returns the lines of 30 KB from a third of src on, or what there is.
func gap(src string) signatures.Range {
	const size = 30 << 10
	start := len(src) / 3
	first := strings.Count(src[:start], "\n") + 1
	return signatures.Range{First: first, Last: first + strings.Count(src[start:min(start+size, len(src))], "\n")}
}

// corpusRows looks at all of each source, by the grammars and by the scanners
// that stand in for them.
func (b *bench) corpusRows(r *report, language signatures.Language, paths, texts []string) error {
	list := strings.Join(paths, "\n") + "\n"
	listed, err := b.file("paths", list, len(list))
	if err != nil {
		return err
	}
	size := 0
	for _, s := range texts {
		size += len(s)
	}
	all := func(scanOnly bool) work {
		return b.always(func() {
			finder := signatures.Finder{ScanOnly: scanOnly}
			for _, s := range texts {
				keep(len(finder.Declarations(s, language, signatures.Whole)))
			}
		})
	}
	outcomes := turns(min(b.rounds, 3), all(false), all(true), b.process("ctags", "-x", "-L", listed))
	speed := megabytesPerSecond(size)
	r.add(string(language)+", many files", speed, outcomes[0], "ctags -x", outcomes[2], bound{})
	r.add(string(language)+", many files, scanners alone", speed, outcomes[1], "ctags -x", outcomes[2], atLeast(300))
	return nil
}
