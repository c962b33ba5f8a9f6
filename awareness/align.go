package awareness

import (
	"sort"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// maxDiffCells bounds the work of all the exact diffs of one alignment: a gap
// whose two sides multiply to more than is left of it counts as replaced.
const maxDiffCells = 1 << 22

// maxAlignDepth bounds how often a gap between anchors is searched for anchors
// of its own.
const maxAlignDepth = 8

// Align returns the hunks that turn the lines of old into those of new.
// It is deterministic, and its time is bounded: lines that stand once on both
// sides anchor the alignment, and what lies between anchors is diffed exactly
// while that is cheap. A hunk neither begins nor ends with a line that both
// its sides share.
func Align(old, new []uint64) []Hunk {
	a := aligner{cells: maxDiffCells}
	a.align(old, new, 1, maxAlignDepth)
	return a.hunks
}

type aligner struct {
	hunks []Hunk
	cells int // what is left of maxDiffCells
}

// align appends the hunks between old and new, the first old line being start.
func (a *aligner) align(old, new []uint64, start, depth int) {
	for len(old) > 0 && len(new) > 0 && old[0] == new[0] {
		old, new, start = old[1:], new[1:], start+1
	}
	for len(old) > 0 && len(new) > 0 && old[len(old)-1] == new[len(new)-1] {
		old, new = old[:len(old)-1], new[:len(new)-1]
	}
	if len(old) == 0 || len(new) == 0 {
		a.append(Hunk{start, len(old), new})
		return
	}
	if depth > 0 {
		if pairs := anchors(old, new); len(pairs) > 0 {
			i, j := 0, 0
			for _, p := range append(pairs, pair{len(old), len(new)}) {
				a.align(old[i:p.old], new[j:p.new], start+i, depth-1)
				i, j = p.old+1, p.new+1
			}
			return
		}
	}
	cells := len(old) * len(new)
	if cells > a.cells {
		a.append(Hunk{start, len(old), new})
		return
	}
	a.cells -= cells
	a.diff(old, new, start)
}

// append adds h, melting it into the last hunk when no unchanged line lies
// between the two.
func (a *aligner) append(h Hunk) {
	if h.Old == 0 && len(h.New) == 0 {
		return
	}
	if n := len(a.hunks); n > 0 && a.hunks[n-1].end()+1 == h.Start {
		last := &a.hunks[n-1]
		last.Old += h.Old
		last.New = append(last.New[:len(last.New):len(last.New)], h.New...)
		return
	}
	a.hunks = append(a.hunks, h)
}

type pair struct{ old, new int } // 0-based indices of one line on both sides

// anchors returns the longest ascending run of lines that stand exactly once
// on each side.
func anchors(old, new []uint64) []pair {
	type place struct{ oldN, newN, old, new int }
	places := make(map[uint64]place, min(len(old), len(new)))
	for _, h := range shorter(old, new) {
		places[h] = place{}
	}
	for i, h := range old {
		if p, ok := places[h]; ok {
			p.oldN++
			p.old = i
			places[h] = p
		}
	}
	for j, h := range new {
		if p, ok := places[h]; ok {
			p.newN++
			p.new = j
			places[h] = p
		}
	}
	var unique []pair
	for i, h := range old {
		if p := places[h]; p.oldN == 1 && p.newN == 1 {
			unique = append(unique, pair{i, p.new})
		}
	}

	// Longest increasing subsequence by patience: tops[k] is the index of the
	// pair that ends the best run of length k+1.
	var tops []int
	before := make([]int, len(unique))
	for i, u := range unique {
		k := sort.Search(len(tops), func(k int) bool { return unique[tops[k]].new >= u.new })
		before[i] = -1
		if k > 0 {
			before[i] = tops[k-1]
		}
		if k == len(tops) {
			tops = append(tops, i)
		} else {
			tops[k] = i
		}
	}
	run := make([]pair, len(tops))
	for k, i := len(tops)-1, -1; k >= 0; k-- {
		if i < 0 {
			i = tops[k]
		}
		run[k] = unique[i]
		i = before[i]
	}
	return run
}

// diff appends the exact diff of old and new, in which every distinct line is
// one rune.
func (a *aligner) diff(old, new []uint64, start int) {
	oldRunes, newRunes := runes(old, new)
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0 // exact; maxDiffCells bounds the time
	line, next := start, 0
	for _, d := range dmp.DiffMainRunes(oldRunes, newRunes, false) {
		n := utf8.RuneCountInString(d.Text)
		switch d.Type {
		case diffmatchpatch.DiffEqual:
			line += n
			next += n
		case diffmatchpatch.DiffDelete:
			a.append(Hunk{Start: line, Old: n})
			line += n
		case diffmatchpatch.DiffInsert:
			a.append(Hunk{Start: line, New: new[next : next+n]})
			next += n
		}
	}
}

// runes numbers the lines of the shorter side; what the longer has besides is
// all one rune, which the shorter does not have. So the runes are no more than
// the lines of the shorter side, which maxDiffCells keeps below the surrogates,
// and all of them survive in a Go string.
func runes(old, new []uint64) (oldRunes, newRunes []rune) {
	const other, first = 1, 2
	ids := make(map[uint64]rune, min(len(old), len(new)))
	for _, h := range shorter(old, new) {
		if ids[h] == 0 {
			ids[h] = first + rune(len(ids))
		}
	}
	number := func(lines []uint64) []rune {
		out := make([]rune, len(lines))
		for i, h := range lines {
			if out[i] = ids[h]; out[i] == 0 {
				out[i] = other
			}
		}
		return out
	}
	return number(old), number(new)
}

func shorter(a, b []uint64) []uint64 {
	if len(a) < len(b) {
		return a
	}
	return b
}
