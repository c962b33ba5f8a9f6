// Sigtruth measures how true the declarations of package signatures are: it
// compares them with go/ast, Python's own ast and TypeScript's compiler over
// libraries that are on this machine, for whole files and for random gaps of
// 200 lines, beside the scanners that need no grammar and Universal Ctags.
//
// TypeScript and packages with sources in it are taken from node_modules in
// the folder given by -cache:
//
//	npm install --prefix .cache/sigtruth --ignore-scripts typescript@5 @types/node rxjs zod effect viem ...
//
// The patterns of languages without such a parser are compared with Universal
// Ctags over folders of sources, and sampled to be judged by reading:
//
//	sigtruth -only fallback -folders otp,ghc -sample 300 -context 2
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/acode-ls/acode-ls/signatures"
)

func main() {
	log.SetFlags(0)
	var o options
	flag.StringVar(&o.cache, "cache", ".cache/sigtruth", "folder with node_modules")
	flag.StringVar(&o.only, "only", "", "corpora to measure, with commas between: go,python,typescript,d.ts,javascript; or fallback")
	flag.StringVar(&o.folders, "folders", ".", "folders of sources for fallback, with commas between")
	flag.IntVar(&o.sample, "sample", 0, "how many declarations of a language fallback prints, taken at random")
	flag.IntVar(&o.context, "context", 0, "how many lines around them it prints")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the random gaps and samples")
	flag.IntVar(&o.diff, "diff", 0, "how many differences from the truth to print for each finder")
	flag.Parse()
	if err := run(os.Stdout, o); err != nil {
		log.Fatal(err)
	}
}

type options struct {
	cache, only string
	folders     string
	seed        uint64
	diff        int
	sample      int // declarations
	context     int // lines before and after each
}

func run(w io.Writer, o options) error {
	if o.only == "fallback" {
		return runFallback(w, o)
	}
	for _, c := range corpora(o.cache) {
		if o.only != "" && !slices.Contains(strings.Split(o.only, ","), c.name) {
			continue
		}
		paths, err := c.files()
		if err != nil || len(paths) == 0 {
			fmt.Fprintf(w, "%s: not here (%v)\n\n", c.name, err)
			continue
		}
		sources, err := c.truth(paths)
		if err != nil {
			fmt.Fprintf(w, "%s: no truth here (%v)\n\n", c.name, err)
			continue
		}
		report(w, c, sources, len(paths), o)
	}
	return nil
}

const row = "%-22s %-17s %-17s %-17s %8s  %s\n"

func report(w io.Writer, c corpus, sources []source, files int, o options) {
	size := 0
	for _, s := range sources {
		size += len(s.content)
	}
	fmt.Fprintf(w, "%s: %d files, %d MB; %d more have errors; precision / recall, goal %v\n",
		c.name, len(sources), size>>20, files-len(sources), c.goal)
	fmt.Fprintf(w, row, "", "whole files", "gaps", "with last lines", "MB/s", "gap p50, p99, max")
	finders := []struct {
		name     string
		scanOnly bool
	}{{"signatures", false}, {"signatures, scanners", true}}
	var kinds []measured
	for _, f := range finders {
		left := o.diff
		m := measure(sources, f.scanOnly, o.seed, func(s source, found []declaration) {
			if left > 0 {
				left -= differences(w, s.path, found, s.truth, left)
			}
		})
		all := m.counts[""]
		fmt.Fprintf(w, row, f.name, all.score(), m.gaps.score(), m.ranges.score(), speed(size, m.took), quantiles(m.slow))
		kinds = append(kinds, m)
	}
	reportCtags(w, c, sources, size)
	byKind(w, kinds[0], kinds[1])
	fmt.Fprintln(w)
}

func reportCtags(w io.Writer, c corpus, sources []source, size int) {
	found, took, err := ctags(sources, c.ctags...)
	if err != nil {
		fmt.Fprintf(w, "%-22s not here (%v)\n", "ctags, lines and names", err)
		return
	}
	var all count
	for i, s := range sources {
		all.add(compare(found[i], s.truth, true)[""])
	}
	fmt.Fprintf(w, row, "ctags, lines and names", all.score(), "", "", speed(size, took), "")
}

func byKind(w io.Writer, grammars, scanners measured) {
	fmt.Fprintf(w, "  %-20s %-17s %-17s %8s\n", "by kind", "signatures", "scanners", "number")
	for _, kind := range slices.Sorted(maps.Keys(grammars.counts)) {
		if kind != "" {
			c := grammars.counts[kind]
			fmt.Fprintf(w, "  %-20s %-17s %-17s %8d\n", kind, c.score(), scanners.counts[signatures.Kind(kind)].score(), c.truth)
		}
	}
}

func speed(size int, took time.Duration) string {
	return fmt.Sprintf("%.1f", float64(size)/1e6/took.Seconds())
}

func quantiles(sorted []time.Duration) string {
	if len(sorted) == 0 {
		return ""
	}
	at := func(q float64) time.Duration {
		return sorted[int(q*float64(len(sorted)-1))].Round(10 * time.Microsecond)
	}
	return fmt.Sprintf("%v, %v, %v", at(.5), at(.99), at(1))
}
