package awareness

import (
	"sort"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// maxDiffCells bounds the work of one exact diff: a gap without anchors whose
// two sides multiply to more counts as replaced.
const maxDiffCells = 1 << 21

// maxAlignDepth bounds how often a gap between anchors is searched for anchors
// of its own.
const maxAlignDepth = 8

// Align returns the hunks that turn the lines of old into those of new.
// Unchanged lines are never part of a hunk. It is deterministic, and its time
// is bounded: lines that stand once on both sides anchor the alignment, and
// what lies between anchors is diffed exactly while that is cheap.
func Align(old, new []uint64) []Hunk {
	return align(nil, old, new, 1, maxAlignDepth)
}

// align appends the hunks between old and new, the first old line being start.
func align(hunks []Hunk, old, new []uint64, start, depth int) []Hunk {
	for len(old) > 0 && len(new) > 0 && old[0] == new[0] {
		old, new, start = old[1:], new[1:], start+1
	}
	for len(old) > 0 && len(new) > 0 && old[len(old)-1] == new[len(new)-1] {
		old, new = old[:len(old)-1], new[:len(new)-1]
	}
	switch {
	case len(old) == 0 && len(new) == 0:
		return hunks
	case len(old) == 0 || len(new) == 0:
		return join(hunks, Hunk{start, len(old), new})
	}
	if depth > 0 {
		if pairs := anchors(old, new); len(pairs) > 0 {
			i, j := 0, 0
			for _, p := range append(pairs, pair{len(old), len(new)}) {
				hunks = align(hunks, old[i:p.old], new[j:p.new], start+i, depth-1)
				i, j = p.old+1, p.new+1
			}
			return hunks
		}
	}
	if len(old)*len(new) > maxDiffCells {
		return join(hunks, Hunk{start, len(old), new})
	}
	return diff(hunks, old, new, start)
}

// join appends h, melting it into the last hunk when no unchanged line lies
// between the two.
func join(hunks []Hunk, h Hunk) []Hunk {
	if n := len(hunks); n > 0 && hunks[n-1].end()+1 == h.Start {
		last := &hunks[n-1]
		last.Old += h.Old
		last.New = append(last.New[:len(last.New):len(last.New)], h.New...)
		return hunks
	}
	return append(hunks, h)
}

type pair struct{ old, new int } // 0-based indices of one line on both sides

// anchors returns the longest ascending run of lines that stand exactly once
// on each side.
func anchors(old, new []uint64) []pair {
	type place struct{ oldN, newN, old, new int }
	places := make(map[uint64]place, len(old))
	for i, h := range old {
		p := places[h]
		p.oldN++
		p.old = i
		places[h] = p
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
func diff(hunks []Hunk, old, new []uint64, start int) []Hunk {
	ids := make(map[uint64]rune)
	runes := func(lines []uint64) []rune {
		out := make([]rune, len(lines))
		for i, h := range lines {
			id, ok := ids[h]
			if !ok {
				id = rune(len(ids)) + 1
				if id >= 0xD800 {
					id += 0x800 // surrogates do not survive in a Go string
				}
				ids[h] = id
			}
			out[i] = id
		}
		return out
	}
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0 // exact; maxDiffCells bounds the time
	line, next := start, 0
	for _, d := range dmp.DiffMainRunes(runes(old), runes(new), false) {
		n := utf8.RuneCountInString(d.Text)
		switch d.Type {
		case diffmatchpatch.DiffEqual:
			line += n
			next += n
		case diffmatchpatch.DiffDelete:
			hunks = join(hunks, Hunk{Start: line, Old: n})
			line += n
		case diffmatchpatch.DiffInsert:
			hunks = join(hunks, Hunk{Start: line, New: new[next : next+n]})
			next += n
		}
	}
	return hunks
}
