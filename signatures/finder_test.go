package signatures_test

import (
	"fmt"
	"go/build"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/signatures"
)

// large returns copies of a tricky source with names that differ, until there
// are at least size bytes, so that the text is cut into many pieces.
func large(t testing.TB, file string, size int) string {
	t.Helper()
	var b strings.Builder
	src := read(t, file)
	for b.Len() < size {
		b.WriteString(src)
	}
	return b.String()
}

// TestPieces checks that looking at small parts finds what looking at the whole
// does. The tricky sources one behind the other are no good programs, but
// where one starts is plain.
func TestPieces(t *testing.T) {
	for _, test := range tricky {
		src := large(t, test.file, 20<<10)
		lang := signatures.Detect(test.file, "")
		for _, f := range finders {
			finder := signatures.Finder{ScanOnly: f.scanOnly}
			want := finder.Declarations(src, lang, signatures.Whole)
			var got []signatures.Declaration
			const window = 7
			for first := 1; first <= strings.Count(src, "\n")+1; first += window {
				fresh := signatures.Finder{ScanOnly: f.scanOnly}
				got = append(got, fresh.Declarations(src, lang, signatures.Range{First: first, Last: first + window - 1})...)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %s: by parts (-whole +parts):\n%s", test.file, f.name, diff)
			}
		}
	}
}

// TestPiecesOfLibrary does the same with sources as people write them.
func TestPiecesOfLibrary(t *testing.T) {
	for _, file := range []string{"net/http/server.go", "go/parser/parser.go", "reflect/value.go", "regexp/syntax/parse.go"} {
		content, err := os.ReadFile(filepath.Join(build.Default.GOROOT, "src", filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		src := string(content)
		scanner := signatures.Finder{ScanOnly: true}
		want := scanner.Declarations(src, signatures.Go, signatures.Whole)
		var finder signatures.Finder
		var got []signatures.Declaration
		const window = 100
		for first := 1; first <= strings.Count(src, "\n")+1; first += window {
			got = append(got, finder.Declarations(src, signatures.Go, signatures.Range{First: first, Last: first + window - 1})...)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-scanner of the whole +grammar by parts):\n%s", file, diff)
		}
	}
}

// TestEdits asks one Finder about a text again and again while it changes.
func TestEdits(t *testing.T) {
	for _, test := range tricky {
		lang := signatures.Detect(test.file, "")
		lines := strings.SplitAfter(large(t, test.file, 30<<10), "\n")
		var finder signatures.Finder
		for i := 0; i < len(lines); i += 97 {
			lines[i] = "\n" + lines[i]
			src := strings.Join(lines, "")
			var fresh signatures.Finder
			within := signatures.Range{First: i - 50, Last: i + 150}
			want := fresh.Declarations(src, lang, within)
			if diff := cmp.Diff(want, finder.Declarations(src, lang, within)); diff != "" {
				t.Fatalf("%s, after an edit in line %d (-fresh +used):\n%s", test.file, i+1, diff)
			}
		}
	}
}

// TestOneTextInLanguages asks one Finder about one text in several languages.
func TestOneTextInLanguages(t *testing.T) {
	const src = "def f(): pass\n"
	var finder signatures.Finder
	for _, test := range []struct {
		lang signatures.Language
		want string
	}{{signatures.Go, ""}, {signatures.Python, "def f()"}, {signatures.JavaScript, ""}, {signatures.Python, "def f()"}} {
		if got := signatures.Hint(finder.Declarations(src, test.lang, signatures.Whole)); got != test.want {
			t.Errorf("%q in %s declares %q, want %q", src, test.lang, got, test.want)
		}
	}
}

func TestConcurrent(t *testing.T) {
	var finder signatures.Finder
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for j := range 20 {
				test := tricky[(i+j)%len(tricky)]
				src := read(t, test.file)
				got := finder.Declarations(src, signatures.Detect(test.file, ""), signatures.Whole)
				if diff := cmp.Diff(wantedLabels(src, test.sign), labels(got)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", test.file, diff)
				}
			}
		})
	}
	group.Wait()
}

// TestRetainsNoSource fills a Finder with names of large texts and checks that
// the texts go.
func TestRetainsNoSource(t *testing.T) {
	comment := strings.Repeat("x", 3<<10)
	var finder signatures.Finder
	for i := range 50 {
		src := fmt.Sprintf("package p\n\n//%s\nfunc F%d() {\n}\n\nvar rest = `%s`\n", comment, i, strings.Repeat("x", 1<<20))
		for _, last := range []int{5, 100} { // by the grammar, by the scanner
			if got := finder.Declarations(src, signatures.Go, signatures.Range{First: 1, Last: last}); len(got) == 0 {
				t.Fatal("nothing was found")
			}
		}
	}
	wantHeap(t, 20<<20)
	runtime.KeepAlive(&finder)
}

// TestBounded lets a Finder see more than it can remember.
func TestBounded(t *testing.T) {
	functions := strings.Repeat("func F() {}\n", 200)
	finder := signatures.Finder{ScanOnly: true}
	for i := range 4000 {
		finder.Declarations(fmt.Sprintf("package p%d\n%s", i, functions), signatures.Go, signatures.Whole)
	}
	wantHeap(t, 20<<20)
	runtime.KeepAlive(&finder)
}

// wantHeap checks that at most so many bytes are in use.
func wantHeap(t *testing.T, limit uint64) {
	t.Helper()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	if stats.HeapAlloc > limit {
		t.Errorf("heap: %d bytes, want at most %d", stats.HeapAlloc, limit)
	}
}

// TestResultIsACopy changes a result and asks again.
func TestResultIsACopy(t *testing.T) {
	const src = "package p\nfunc F() {}\n"
	for _, f := range finders {
		finder := signatures.Finder{ScanOnly: f.scanOnly}
		finder.Declarations(src, signatures.Go, signatures.Whole)[0].Label = "changed"
		if got := finder.Declarations(src, signatures.Go, signatures.Whole)[0].Label; got != "func F()" {
			t.Errorf("%s: the label is %q, want %q", f.name, got, "func F()")
		}
	}
}

// fuzzed are the languages that fuzzing goes through.
var fuzzed = []signatures.Language{
	signatures.Go, signatures.Python, signatures.TypeScript, signatures.TypeScriptReact, signatures.JavaScript,
}

func FuzzDeclarations(f *testing.F) {
	for i, test := range tricky {
		f.Add(i, read(f, test.file), 10, 40)
	}
	for i := range fuzzed {
		f.Add(i, "", 1, 1)
		f.Add(i, "\ufeff\x00`${'\"\"\"/*{([", 1, 1)
		f.Add(i, "export\ndeclare\nnamespace _ {\nvar a,\r\r\nb", 1, 9)
	}
	f.Fuzz(func(t *testing.T, which int, src string, first, last int) {
		lang := fuzzed[uint(which)%uint(len(fuzzed))]
		lines := text.Split(src).Len()
		for _, mode := range finders {
			finder := signatures.Finder{ScanOnly: mode.scanOnly}
			all := finder.Declarations(src, lang, signatures.Whole)
			outer := 0
			for _, d := range all {
				if d.Lines.First < 1 || d.Lines.Last < d.Lines.First || lines < d.Lines.Last {
					t.Errorf("%s: %+v is not within the %d lines of %q", mode.name, d, lines, src)
				}
				if d.Lines.First < outer {
					t.Errorf("%s: %+v comes behind line %d in %q", mode.name, d, outer, src)
				}
				if d.Name == "" || d.Label == "" || d.Kind == "" || d.Depth < 0 {
					t.Errorf("%s: %+v lacks something, in %q", mode.name, d, src)
				}
				outer = d.Lines.First
			}
			if again := finder.Declarations(src, lang, signatures.Whole); !slices.Equal(all, again) {
				t.Errorf("%s: %q\nfirst %+v\nthen  %+v", mode.name, src, all, again)
			}
			if len(src) > 2<<10 {
				return // in pieces, where what is not a program may differ
			}
			within := signatures.Range{First: first, Last: last}
			want := slices.DeleteFunc(slices.Clone(all), func(d signatures.Declaration) bool {
				return d.Lines.First < first || last < d.Lines.First
			})
			if part := finder.Declarations(src, lang, within); !slices.Equal(want, part) {
				t.Errorf("%s: lines %d-%d of %q: %+v, want %+v", mode.name, first, last, src, part, want)
			}
		}
	})
}
