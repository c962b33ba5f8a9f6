package main

import (
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/acode-ls/acode-ls/signatures"
)

// score is what part of the found is true, and what part of the truth found.
type score struct{ precision, recall float64 }

// count is of declarations.
type count struct{ right, found, truth int }

func (c *count) add(d count) {
	c.right += d.right
	c.found += d.found
	c.truth += d.truth
}

func (c count) score() score {
	ratio := func(n, of int) float64 {
		if of == 0 {
			return 1
		}
		return float64(n) / float64(of)
	}
	return score{ratio(c.right, c.found), ratio(c.right, c.truth)}
}

func (s score) String() string { return fmt.Sprintf("%.4f / %.4f", s.precision, s.recall) }

// compare counts by kind; "" is all. Where lenient, a declaration is right if
// its line and the last part of its name are.
func compare(found, truth []declaration, lenient bool) map[signatures.Kind]count {
	key := func(d declaration) declaration {
		d.Last = 0
		if lenient {
			d.Kind = ""
			d.Name = d.Name[strings.LastIndexByte(d.Name, '.')+1:]
		}
		return d
	}
	open := make(map[declaration]int)
	counts := make(map[signatures.Kind]count)
	tally := func(kind signatures.Kind, c count) {
		for _, k := range slices.Compact([]signatures.Kind{"", kind}) {
			sum := counts[k]
			sum.add(c)
			counts[k] = sum
		}
	}
	for _, d := range truth {
		open[key(d)]++
		tally(key(d).Kind, count{truth: 1})
	}
	for _, d := range found {
		k := key(d)
		c := count{found: 1}
		if open[k] > 0 {
			open[k]--
			c.right = 1
		}
		tally(k.Kind, c)
	}
	return counts
}

// differences prints up to limit declarations that are only in one of both.
func differences(w io.Writer, path string, found, truth []declaration, limit int) int {
	order := func(a, b declaration) int {
		return cmp.Or(a.First-b.First, strings.Compare(a.Name, b.Name), strings.Compare(string(a.Kind), string(b.Kind)))
	}
	strip := func(list []declaration) []declaration {
		list = slices.Clone(list)
		for i := range list {
			list[i].Last = 0
		}
		slices.SortFunc(list, order)
		return list
	}
	found, truth = strip(found), strip(truth)
	printed := 0
	report := func(sign string, d declaration) {
		if printed < limit {
			fmt.Fprintf(w, "%s %s:%d %s %s\n", sign, path, d.First, d.Kind, d.Name)
			printed++
		}
	}
	for len(found) > 0 || len(truth) > 0 {
		switch {
		case len(truth) == 0 || len(found) > 0 && order(found[0], truth[0]) < 0:
			report("+", found[0])
			found = found[1:]
		case len(found) == 0 || order(found[0], truth[0]) > 0:
			report("-", truth[0])
			truth = truth[1:]
		default:
			found, truth = found[1:], truth[1:]
		}
	}
	return printed
}

// measured is what a finder did over a corpus.
type measured struct {
	counts map[signatures.Kind]count
	ranges count // declarations found right whose last line is right, too
	gaps   count
	took   time.Duration
	slow   []time.Duration // for each gap
}

// gapLines is about what one truncated read leaves out.
const gapLines = 200

func measure(sources []source, scanOnly bool, seed uint64, diff func(s source, found []declaration)) measured {
	m := measured{counts: make(map[signatures.Kind]count)}
	random := rand.New(rand.NewPCG(seed, 0))
	for _, s := range sources {
		lang := signatures.Detect(s.path, "")
		finder := signatures.Finder{ScanOnly: scanOnly}
		start := time.Now()
		all := finder.Declarations(s.content, lang, signatures.Whole)
		m.took += time.Since(start)
		found := convert(all)
		for kind, c := range compare(found, s.truth, false) {
			sum := m.counts[kind]
			sum.add(c)
			m.counts[kind] = sum
		}
		m.ranges.add(rangesOf(found, s.truth))
		diff(s, found)

		lines := strings.Count(s.content, "\n")
		if lines <= gapLines {
			continue
		}
		gap := signatures.Range{First: 1 + random.IntN(lines-gapLines)}
		gap.Last = gap.First + gapLines - 1
		cold := signatures.Finder{ScanOnly: scanOnly}
		start = time.Now()
		part := cold.Declarations(s.content, lang, gap)
		m.slow = append(m.slow, time.Since(start))
		inGap := slices.DeleteFunc(slices.Clone(s.truth), func(d declaration) bool {
			return d.First < gap.First || gap.Last < d.First
		})
		m.gaps.add(compare(convert(part), inGap, false)[""])
	}
	slices.Sort(m.slow)
	return m
}

func convert(found []signatures.Declaration) []declaration {
	converted := make([]declaration, len(found))
	for i, d := range found {
		converted[i] = declaration{d.Kind, d.Name, d.Lines.First, d.Lines.Last}
	}
	return converted
}

// rangesOf compares with the last lines.
func rangesOf(found, truth []declaration) count {
	open := make(map[declaration]bool, len(truth))
	for _, d := range truth {
		open[d] = true
	}
	c := count{found: len(found), truth: len(truth)}
	for _, d := range found {
		if open[d] {
			c.right++
		}
	}
	return c
}
