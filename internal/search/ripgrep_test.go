package search_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/search"
)

// forever is longer than any test takes.
const forever = time.Hour

// rough are expressions that ripgrep is asked about.
var rough = []search.Query{
	{Pattern: "[a-z]+[0-9]"}, {Pattern: `\bFUNC\b`, IgnoreCase: true}, {Pattern: "sk", IgnoreCase: true}, {Pattern: "ä", IgnoreCase: true},
	{Pattern: "^.b.$"}, {Pattern: `(?:a|b){2,}\s`}, {Pattern: `[^\x00-\x7f]`}, {Pattern: `\S{12}`, Max: 7}, {Pattern: "\ufffd"}, {Pattern: "."},
	{Pattern: `[A-Z]\w*\(`, Glob: "*.go", Context: 1}, {Pattern: "[ab]", Path: "b"}, {Pattern: `(\w+) \w*o{2}`}, {Pattern: `[\r\n]|[xy]`},
	{Pattern: "(?i:q)|z{3}[0-9]"}, {Pattern: "^$"}, {Pattern: `[^\x00-\x{10FFFF}]|[ab]c`}, {Pattern: "(?s:.)a(?-s:.)"},
}

func TestWithRipgrep(t *testing.T) {
	rg := search.FindRipgrep(forever)
	if rg == nil {
		t.Log("there is no ripgrep here to ask")
		return
	}
	generated := newTree(t).Name()
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 60 {
		writeFile(t, filepath.Join(generated, "texts", fmt.Sprintf("%d%s", i, parts[r.IntN(len(parts))])), randomText(r))
	}
	if err := os.Truncate(filepath.Join(generated, "b", "many"), 1<<40); err != nil {
		t.Fatal(err)
	}
	for _, query := range rough {
		compareWith(t, rg, generated, query)
		compareWith(t, search.FindRipgrepAfter(7, 1<<20), generated, query)
		compareWith(t, search.FindRipgrepAfter(1000, 300), generated, query)
		compareWith(t, search.FindRipgrepAfter(1000, 1<<50), generated, query)
		query.Max = 500
		compareWith(t, rg, filepath.Join("..", ".."), query)
	}
	if rg.IsStuck() {
		t.Error("ripgrep was given up")
	}
}

func compareWith(t *testing.T, rg *search.Ripgrep, dir string, q search.Query) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, q.Path)); err != nil {
		return
	}
	root := openRoot(t, dir)
	want, err := search.With(t.Context(), root, q, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := search.With(t.Context(), root, q, rg)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Search(%+v) in %s (-without ripgrep +with):\n%s", q, dir, diff)
	}
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(30) {
		b.WriteString([]string{
			"a", "b", " ", "ab", "ä", "Ä", "func", "Func (", "k", "\u212a", "ſ", "foo1", "1", "zzz", "_", "\t", "世", "\U0001f600",
			"\n", "\n", "\r\n", "\r", "\xff", "\xc3", "\xe2\x84", "\xef\xbb\xbf", "\ufffd", "\u0085", "\u2028", "\xed\xa0\x80",
		}[r.IntN(30)])
	}
	return b.String()
}

func randomPattern(r *rand.Rand, depth int) string {
	if depth == 0 {
		return []string{
			"a", "b", "k", "S", "ä", "\u212a", "世", "\ufffd", ".", `\w`, `\W`, `\s`, `\S`, `\d`, "[^a]", "[a-ä]", "[k-ſ]", `[^\n]`, `[\r\n]`,
			"^", "$", `\b`, `\B`, `\A`, `\z`, `\pL`, `[\x80-\x{10FFFF}]`, "(?i:k)", "(?s:.)", `\x{85}`, "(?i:ä)", "-",
		}[r.IntN(32)]
	}
	one, other := randomPattern(r, r.IntN(depth)), randomPattern(r, r.IntN(depth))
	switch r.IntN(6) {
	case 0:
		return "(" + one + "|" + other + ")"
	case 1:
		return "(?:" + one + ")" + []string{"*", "+", "?", "*?", "{2}", "{0,3}", "{2,}", "{9}", "{0}"}[r.IntN(9)]
	default:
		return one + other
	}
}

// FuzzCandidates holds that where Search finds something, ripgrep names the file.
func FuzzCandidates(f *testing.F) {
	r := rand.New(rand.NewPCG(5, 6))
	for seed := range uint64(100) {
		f.Add(randomPattern(r, 4), seed%3 == 0, seed)
	}
	for _, pattern := range patterns {
		f.Add(pattern, true, uint64(0))
	}
	rg := search.FindRipgrep(forever)
	f.Fuzz(func(t *testing.T, pattern string, ignoreCase bool, seed uint64) {
		if rg == nil || len(pattern) > 200 {
			return
		}
		root := openRoot(t, t.TempDir())
		r := rand.New(rand.NewPCG(seed, 0))
		names := []string{"-"}
		for i := range 30 {
			names = append(names, fmt.Sprint(i))
		}
		for _, name := range names {
			writeFile(t, filepath.Join(root.Name(), name), randomText(r))
		}
		query := search.Query{Pattern: pattern, IgnoreCase: ignoreCase}
		result, err := search.With(t.Context(), root, query, nil)
		if err != nil {
			return // a pattern that is not well formed
		}
		named, ok := rg.Candidates(t.Context(), root, query, names...)
		for _, hit := range result.Hits {
			if ok && !slices.Contains(named, hit.Path) {
				t.Errorf("ripgrep does not name the file with the line %q, where %+v has a match", hit.Text, query)
			}
		}
	})
}

// Where ripgrep answers, it leaves files out: it would be of no use otherwise.
func TestCandidates(t *testing.T) {
	rg := search.FindRipgrep(forever)
	if rg == nil {
		t.Log("there is no ripgrep here to ask")
		return
	}
	root := newTree(t)
	writeFile(t, filepath.Join(root.Name(), "wide"), "a世b\nc\ufffdd\n")
	for _, test := range []struct{ pattern, want string }{
		{`\bfo{2}$`, "a.go b/b.go b/c.txt b/-x umlaut/ä invalid"},
		{`[x-z]{20}needle`, "long"},
		{`^.{3} .lag$`, "b/-x"},
		{"Ä [fg]", "umlaut/ä"},
		{"\ufffdoo$", "invalid"},
		{"nothing[0-9]", ""},
		{"a[^z]b", "wide"},
		{"a[^a-z]?b", "wide"},
		{`a[\x80-\x{10FFFF}]b`, "wide"},
		{"c\ufffdd", "wide"},
	} {
		files := []string{"a.go", "b/b.go", "b/c.txt", "b/-x", "b/empty", "long", "umlaut/ä", "invalid", "wide"}
		named, ok := rg.Candidates(t.Context(), root, search.Query{Pattern: test.pattern}, files...)
		if got := strings.Join(named, " "); !ok || got != test.want {
			t.Errorf("Candidates(%q) = %q, %t; want %q", test.pattern, got, ok, test.want)
		}
	}
	// What ripgrep is not asked about may match.
	if named, ok := rg.Candidates(t.Context(), root, search.Query{Pattern: "[e-g]o+"}, "link", "links"); !ok || len(named) != 2 {
		t.Errorf("Candidates of links = %q, %t", named, ok)
	}
}

// What is no ripgrep, or does not work, changes no result.
func TestBrokenRipgrep(t *testing.T) {
	const isRipgrep = "#!/bin/sh\ncase $1 in --version) echo ripgrep 14.0.0; exit;; esac\n"
	for name, script := range map[string]string{
		"another program":           "#!/bin/sh\nexit 1\n",
		"not a program":             "\x00",
		"fails":                     isRipgrep + "exit 2\n",
		"fails after names":         isRipgrep + "printf './a.go\\0'\nexit 2\n",
		"says it found none":        isRipgrep + "printf './a.go\\0'\nexit 1\n",
		"complains":                 isRipgrep + "echo no such flag >&2\nexit 1\n",
		"names what is not there":   isRipgrep + "printf './nowhere\\0'\n",
		"names without an end":      isRipgrep + "printf './a.go'\n",
		"nonsense":                  isRipgrep + "head -c 100000 /dev/urandom\n",
		"is killed":                 isRipgrep + "kill -9 $$\n",
		"hangs":                     isRipgrep + "exec sleep 1000\n",
		"hangs in another process":  isRipgrep + "sleep 1000\n",
		"leaves a process with its": isRipgrep + "sleep 1000 & printf './a.go\\0'\n",
	} {
		t.Run(name, func(t *testing.T) {
			path := t.TempDir()
			if err := os.WriteFile(filepath.Join(path, "rg"), []byte(script), 0o700); err != nil {
				t.Fatal(err)
			}
			t.Setenv("PATH", path+string(filepath.ListSeparator)+os.Getenv("PATH"))
			patience := forever
			hangs := strings.HasPrefix(name, "hangs")
			if hangs {
				patience = time.Second
			}
			rg := search.FindRipgrep(patience)
			compareWith(t, rg, newTree(t).Name(), search.Query{Pattern: "[e-gE-G]o+"})
			if rg.IsStuck() != hangs {
				t.Errorf("ripgrep is given up: %t, want %t", rg.IsStuck(), hangs)
			}
		})
	}
}

// A folder that is searched brings no program that runs.
func TestRipgrepOfTheFolder(t *testing.T) {
	root := newTree(t)
	dir := root.Name()
	ran := filepath.Join(dir, "ran")
	if err := os.WriteFile(filepath.Join(dir, "rg"), []byte("#!/bin/sh\n: > '"+ran+"'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	links := t.TempDir()
	if err := os.Symlink(filepath.Join(dir, "rg"), filepath.Join(links, "rg")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, path := range []string{dir, ".", "", links} {
		t.Setenv("PATH", path)
		for _, name := range []string{dir, "."} {
			if _, err := search.With(t.Context(), openRoot(t, name), search.Query{Pattern: "[e-gE-G]o+"}, search.FindRipgrep(forever)); err != nil {
				t.Fatal(err)
			}
		}
		if exists(ran) {
			t.Errorf("with the path %q, Search ran a program of the folder", path)
		}
	}
}

// What ripgrep takes from elsewhere does not matter.
func TestRipgrepSettings(t *testing.T) {
	rg := search.FindRipgrep(forever)
	if rg == nil {
		t.Log("there is no ripgrep here to ask")
		return
	}
	dir := newTree(t).Name()
	config := filepath.Join(t.TempDir(), "config")
	writeFile(t, config, "--glob=!*.go\n--max-filesize=1\n--invert-match\n")
	t.Setenv("RIPGREP_CONFIG_PATH", config)
	writeFile(t, filepath.Join(dir, ".ignore"), "*\n")
	writeFile(t, filepath.Join(dir, ".rgignore"), "*\n")
	writeFile(t, filepath.Join(dir, "utf16"), "\xff\xfefoo\n")
	compareWith(t, rg, dir, search.Query{Pattern: "[e-gE-G]o+"})
	named, ok := rg.Candidates(t.Context(), openRoot(t, dir), search.Query{Pattern: "[e-gE-G]o+"}, "a.go", "b/many", "utf16")
	if diff := cmp.Diff([]string{"a.go", "utf16"}, named); diff != "" || !ok {
		t.Errorf("Candidates (-want +got):\n%s%t", diff, ok)
	}
}

// A root stays open when its folder is moved, but ripgrep would search what
// takes its place.
func TestMovedRoot(t *testing.T) {
	rg := search.FindRipgrep(forever)
	root := newTree(t)
	want, err := search.With(t.Context(), root, search.Query{Pattern: "[e-g]o+ [ft]"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	moved := filepath.Join(t.TempDir(), "moved")
	if err := os.Rename(root.Name(), moved); err != nil {
		t.Fatal(err)
	}
	if output, err := exec.Command("cp", "-R", moved, root.Name()).CombinedOutput(); err != nil {
		t.Fatalf("cp: %v: %s", err, output)
	}
	for name := range tree {
		if filepath.Base(name) != ".gitignore" {
			writeFile(t, filepath.Join(root.Name(), name), "else\n")
		}
	}
	got, err := search.With(t.Context(), root, search.Query{Pattern: "[e-g]o+ [ft]"}, rg)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Search in a folder that was moved (-want +got):\n%s", diff)
	}
}
