package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/acode-ls/acode-ls/signatures"
)

// This file measures the patterns of languages that have no truth here, over
// folders of sources somebody has. Ctags is the judge where it knows the
// language; it errs, too, and some languages it does not know, so declarations
// can be sampled to be judged by reading.

// judge is how Universal Ctags is asked for what the patterns of a language
// declare. Of the patterns' declarations, those count whose kind it knows, too.
// An empty one is that of a language it does not know, or looks at in another
// way: in Haskell it finds equations, not signatures.
type judge struct {
	name, kinds string
	known       []signatures.Kind // nil: all
}

var judges = map[signatures.Language]judge{
	signatures.Clojure:    {"Clojure", "fn", []signatures.Kind{signatures.Function, signatures.Module}},
	signatures.Dart:       {},
	signatures.Erlang:     {"Erlang", "dfrt", nil},
	signatures.Groovy:     {},
	signatures.Haskell:    {},
	signatures.Julia:      {"Julia", "fmnst", nil},
	signatures.ObjectiveC: {"ObjectiveC", "iIPmcC", nil},
	signatures.OCaml:      {},
	signatures.Perl:       {"Perl", "ps", nil},
	signatures.PowerShell: {"PowerShell", "f", []signatures.Kind{signatures.Function}},
	signatures.R:          {"R", "f", []signatures.Kind{signatures.Function, signatures.Method}},
	signatures.VimScript:  {"Vim", "f", []signatures.Kind{signatures.Function, signatures.Method}},
	signatures.Zig:        {},
}

func runFallback(w io.Writer, o options) error {
	texts, err := folders(strings.Split(o.folders, ","))
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "fallback: lines and names in ctags, of the patterns' and of ctags' declarations\n")
	fmt.Fprintf(w, "  %-12s %6s %13s  %s\n", "language", "files", "declarations", "precision / recall")
	for _, lang := range slices.Sorted(maps.Keys(texts)) {
		if err := reportPatterns(w, lang, texts[lang], o); err != nil {
			return err
		}
	}
	return nil
}

// folders reads the sources in them, by language.
func folders(roots []string) (map[signatures.Language][]source, error) {
	texts := make(map[signatures.Language][]source)
	for _, root := range roots {
		paths, err := find(root, func(path string) bool {
			_, ok := judges[signatures.Detect(path, "")]
			return ok
		})
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			content, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			lang := signatures.Detect(path, "")
			texts[lang] = append(texts[lang], source{path: path, content: string(content)})
		}
	}
	return texts, nil
}

func reportPatterns(w io.Writer, lang signatures.Language, sources []source, o options) error {
	finder := signatures.Finder{ScanOnly: true}
	var patterns [][]declaration
	number := 0
	for _, s := range sources {
		found := convert(finder.Declarations(s.content, lang, signatures.Whole))
		patterns = append(patterns, found)
		number += len(found)
	}
	agreed := "ctags cannot judge it"
	if j := judges[lang]; j.name != "" {
		tags, _, err := tagsOf(sources, func(_, _ string) bool { return true },
			"--language-force="+j.name, "--kinds-"+j.name+"="+j.kinds)
		if err != nil {
			return err
		}
		var all count
		for i, s := range sources {
			found := slices.DeleteFunc(unnested(patterns[i], lang), func(d declaration) bool {
				return j.known != nil && !slices.Contains(j.known, d.Kind)
			})
			truth := unnested(tags[i], lang)
			all.add(compare(found, truth, true)[""])
			o.diff -= differences(w, s.path, unkinded(found), unkinded(truth), o.diff)
		}
		agreed = all.score().String()
	}
	fmt.Fprintf(w, "  %-12s %6d %13d  %s\n", lang, len(sources), number, agreed)
	sample(w, sources, patterns, o)
	return nil
}

// unnested leaves of names the last part, and of the selectors of Objective-C
// the first.
func unnested(found []declaration, lang signatures.Language) []declaration {
	found = slices.Clone(found)
	for i, d := range found {
		name := d.Name[strings.LastIndexByte(d.Name, '.')+1:]
		if lang == signatures.ObjectiveC {
			name, _, _ = strings.Cut(name, ":")
		}
		found[i].Name = name
	}
	return found
}

func unkinded(found []declaration) []declaration {
	for i := range found {
		found[i].Kind = ""
	}
	return found
}

// sample prints declarations taken at random, each with its line and those
// around it.
func sample(w io.Writer, sources []source, found [][]declaration, o options) {
	type place struct {
		file int
		declaration
	}
	var all []place
	for i, declarations := range found {
		for _, d := range declarations {
			all = append(all, place{i, d})
		}
	}
	random := rand.New(rand.NewPCG(o.seed, 0))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	all = all[:min(len(all), o.sample)]
	slices.SortFunc(all, func(a, b place) int { return cmp.Or(a.file-b.file, a.First-b.First) })
	for _, p := range all {
		lines := strings.Split(sources[p.file].content, "\n")
		fmt.Fprintf(w, "%s:%d-%d %s %s\n", sources[p.file].path, p.First, p.Last, p.Kind, p.Name)
		for n := max(p.First-o.context, 1); n <= min(p.First+o.context, len(lines)); n++ {
			fmt.Fprintf(w, "%6d| %s\n", n, strings.TrimRight(lines[n-1], "\r"))
		}
	}
}
