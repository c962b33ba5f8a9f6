package replay

import "slices"

// line is one line of a file through all versions of the file that have it.
// What it says may turn out later than that it is there.
type line struct {
	text  string
	known bool
}

func (l *line) says(text string) bool { return l.known && l.text == text }

// mayBe reports whether two lines can be the same.
func (l *line) mayBe(o *line) bool { return !l.known || !o.known || l.text == o.text }

// learn puts into a line what another says that is the same.
func (l *line) learn(o *line) {
	if o.known {
		l.text, l.known = o.text, true
	}
}

func unknown(n int) []*line {
	lines, all := make([]*line, max(n, 0)), make([]line, max(n, 0))
	for i := range lines {
		lines[i] = &all[i]
	}
	return lines
}

func knownLines(texts []string) []*line {
	lines := make([]*line, len(texts))
	for i, text := range texts {
		lines[i] = &line{text, true}
	}
	return lines
}

// same reports whether two versions can be the same text.
func same(old, new []*line) bool {
	return slices.EqualFunc(old, new, (*line).mayBe)
}

// bind makes new the next version of old: lines that stayed are the same in
// both, and what either version knows of them holds for the other. Lines nobody
// knows are taken to have stayed unless they cannot all have; then those go
// first that a later version, if it is not nil, does not have.
func bind(old, new, later []*line) []*line {
	var lasting map[*line]bool
	if later != nil {
		lasting = map[*line]bool{}
		for _, p := range pairs(old, later, nil) {
			lasting[old[p[0]]] = true
		}
	}
	out := slices.Clone(new)
	for _, p := range pairs(old, new, lasting) {
		if o := old[p[0]]; o.mayBe(new[p[1]]) {
			o.learn(new[p[1]])
			out[p[1]] = o
		}
	}
	return out
}

// pairs aligns two versions: it returns, as 0-based indices, the lines that
// stayed or gave way to one another.
func pairs(old, new []*line, lasting map[*line]bool) [][2]int {
	b := binder{old: old, new: new, lasting: lasting}
	if same(old, new) {
		b.straight(0, 0, len(old))
		return b.pairs
	}
	i, j := 0, 0
	for _, p := range append(anchors(old, new), [2]int{len(old), len(new)}) {
		b.gap(i, p[0], j, p[1])
		i, j = p[0], p[1]
	}
	return b.pairs
}

type binder struct {
	old, new []*line
	lasting  map[*line]bool // what is in a later version too
	pairs    [][2]int
}

func (b *binder) pair(i, j int) { b.pairs = append(b.pairs, [2]int{i, j}) }

func (b *binder) straight(i, j, n int) {
	for k := range n {
		b.pair(i+k, j+k)
	}
}

// maxCells bounds the work on one gap; a larger one is paired from its ends.
const maxCells = 1 << 22

// gap pairs the old lines [i, iEnd) with the new lines [j, jEnd).
func (b *binder) gap(i, iEnd, j, jEnd int) {
	n, m := iEnd-i, jEnd-j
	switch {
	case n == m && same(b.old[i:iEnd], b.new[j:jEnd]):
		b.straight(i, j, n)
	case n*m > maxCells:
		for ; i < iEnd && j < jEnd && b.old[i].mayBe(b.new[j]); i, j = i+1, j+1 {
			b.pair(i, j)
		}
		for ; i < iEnd && j < jEnd && b.old[iEnd-1].mayBe(b.new[jEnd-1]); iEnd, jEnd = iEnd-1, jEnd-1 {
			b.pair(iEnd-1, jEnd-1)
		}
	case n > 0 && m > 0:
		b.best(i, j, n, m)
	}
}

// What a pair of lines is worth. Many lines that stay where they are, unseen,
// outweigh a known one that looks like another elsewhere.
const (
	worthReplaced = 1 // one known line gave way to another
	worthLost     = 1 // what a later version does not have
	worthUnseen   = 2
	worthKept     = 3 // what is known, where the new version does not tell
	worthEqual    = 8
)

func (b *binder) worth(o, n *line) int32 {
	switch {
	case o.known && n.known && o.text == n.text:
		return worthEqual
	case o.known && n.known:
		return worthReplaced
	case b.lasting != nil && !b.lasting[o]:
		return worthLost
	case o.known:
		return worthKept
	}
	return worthUnseen
}

// best pairs n old lines from i with m new ones from j so that the worth of all
// pairs is the greatest.
func (b *binder) best(i, j, n, m int) {
	const (
		both = iota
		skipNew
		skipOld
	)
	steps := make([]byte, n*m)
	row := make([]int32, m+1)
	for x := range n {
		diagonal := row[0]
		for y := range m {
			paired := diagonal + b.worth(b.old[i+x], b.new[j+y])
			diagonal = row[y+1]
			step := byte(both)
			if row[y] >= paired {
				paired, step = row[y], skipNew
			}
			if row[y+1] > paired {
				paired, step = row[y+1], skipOld
			}
			row[y+1] = paired
			steps[x*m+y] = step
		}
	}
	for x, y := n-1, m-1; x >= 0 && y >= 0; {
		switch steps[x*m+y] {
		case skipNew:
			y--
		case skipOld:
			x--
		default:
			b.pair(i+x, j+y)
			x, y = x-1, y-1
		}
	}
}

// anchors returns the longest ascending run of known lines that stand once on
// each side, as pairs of 0-based indices.
func anchors(old, new []*line) [][2]int {
	places := once(new)
	var pairs [][2]int
	from := once(old)
	for i, l := range old {
		if j, ok := places[l.text]; l.known && ok && j >= 0 && from[l.text] == i {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	// Patience: tops[k] ends the best run of length k+1.
	var tops []int
	before := make([]int, len(pairs))
	for i, p := range pairs {
		k, _ := slices.BinarySearchFunc(tops, p[1], func(t, j int) int { return pairs[t][1] - j })
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
	run := make([][2]int, len(tops))
	for k, i := len(tops)-1, -1; k >= 0; k-- {
		if i < 0 {
			i = tops[k]
		}
		run[k] = pairs[i]
		i = before[i]
	}
	return run
}

// once maps the text of each known line that stands once to its index, and of
// those that stand more often to -1.
func once(lines []*line) map[string]int {
	places := make(map[string]int, len(lines))
	for i, l := range lines {
		if !l.known {
			continue
		}
		if _, ok := places[l.text]; ok {
			i = -1
		}
		places[l.text] = i
	}
	return places
}
