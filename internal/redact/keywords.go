package redact

import (
	"math"
	"strings"
	"sync"
)

// This file is the table of the keywords of all rules.
//
// A keyword is known by its gram: three bytes of it that text seldom has. Its
// place in a text is where the gram starts. A filter tells from two
// neighbouring pairs of bytes whether a place may be one; letter case and the
// highest bit of a byte do not count. Pairs start at every second offset only,
// so the first starts at the place or one byte before it, and the byte behind
// the gram or before it counts too, if the keyword has it.

// A keyword starts a look for secrets.
type keyword struct {
	text       string // as it was written
	head, mask uint64 // its first eight bytes, folded
	offset     int    // of its gram
	next       uint16 // the next keyword with the same hash, 0 = none
	kind       kind
	bare       bool // it has nothing but letters and digits
	rule       int  // the index of the token or service
}

const (
	hashBits = 12
	pairBits = 12
	fold8    = 0x2020202020202020

	// A filter's entry has one bit for each group of keywords: the lower half
	// for those that have the pair first, the upper half for those that have
	// it second. Half of the groups are for places where the first pair
	// starts, the others for places one byte further on.
	groups     = 16
	here       = 1<<(groups/2) - 1
	secondPair = groups
)

// tables are the keywords by the hash of their grams, and the filter.
type tables struct {
	pairs    [1 << pairBits]uint32
	heads    [1 << hashBits]uint16 // the first keyword with the hash, 0 = none
	keywords []keyword             // the first is not used
	starts   [1 << pairBits]bool   // the first pairs of tokens
	likely   *likelihood           // what the groups are made by
	reach    int                   // how far before its place a keyword may start
}

var keywords = sync.OnceValue(buildTables)

func buildTables() *tables {
	t := &tables{keywords: make([]keyword, 1, 512), likely: newLikelihood()}
	for i, token := range tokens {
		for _, start := range token.starts() {
			t.add(start, tokenKind, i)
		}
	}
	for i, service := range services {
		for name := range strings.FieldsSeq(service.names) {
			t.add(name, serviceKind, i)
		}
	}
	for _, w := range words {
		for text := range strings.FieldsSeq(w.texts) {
			t.add(strings.ReplaceAll(text, "␣", " "), w.kind, 0)
		}
	}
	t.fillFilter()
	return t
}

// add inserts a keyword so that of those with one hash the longest comes first.
func (t *tables) add(text string, kind kind, rule int) {
	k := keyword{text: text, kind: kind, bare: alnum.only(text), rule: rule, mask: 1<<64 - 1, offset: gramOf(text, t.likely)}
	if len(text) < 8 {
		k.mask = 1<<(8*len(text)) - 1
	}
	k.head = load(text, 0) & k.mask
	t.reach = max(t.reach, k.offset)
	at := &t.heads[hash(load(text, k.offset))]
	for *at != 0 && len(t.keywords[*at].text) >= len(text) {
		at = &t.keywords[*at].next
	}
	k.next = *at
	*at = uint16(len(t.keywords))
	t.keywords = append(t.keywords, k)
	if kind == tokenKind || kind == jwtKind {
		t.starts[pairIndexes(k.head)&0xfff] = true
	}
}

// gramOf returns the offset of the gram of text: the one with which the filter
// passes the least text.
func gramOf(text string, likely *likelihood) int {
	least, offset := math.Inf(1), 0
	for i := range len(text) - 2 {
		w := windowOf(text, i-1)
		gram := likely[w[1]] * likely[w[2]] * likely[w[3]]
		if p := gram * (likely.of(w[0]) + likely.of(windowOf(text, i)[3])); p < least {
			least, offset = p, i
		}
	}
	return offset
}

// hash mixes the low three bytes of gram.
func hash(gram uint64) uint32 { return uint32(gram) << 8 * 0x9E3779B1 >> (32 - hashBits) }

// sixBits is what counts of a byte in the filter.
func sixBits(c byte) int { return int(c&0x1f | c>>1&0x20) }

// pairIndexes returns the indexes in the filter of the four pairs of w, in 16
// bits each.
func pairIndexes(w uint64) uint64 {
	const ones = 0x0001000100010001
	w = w&(0x1f1f*ones) | w>>1&(0x2020*ones)
	return w&(0x003f*ones) | w>>2&(0x0fc0*ones)
}

// placesOf returns one bit for each of the two places that a pair is for.
func placesOf(first, second uint32) uint32 {
	passed := first & (second >> secondPair)
	return (passed&here+here)>>(groups/2) | (passed>>(groups/2)+here)>>(groups/2)<<1
}

// A window is what four neighbouring bytes must be: six bits of each, or any.
type window [4]int

const any6 = -1

// windowOf returns the window of s at i. Bytes that s does not have are any.
func windowOf(s string, i int) (w window) {
	for j := range w {
		w[j] = any6
		if k := i + j; 0 <= k && k < len(s) {
			w[j] = sixBits(s[k])
		}
	}
	return w
}

// A group is a set of keywords that the filter does not tell apart.
type group struct{ first, second pairSet }

// A pairSet is the pairs that have one bit in the filter.
type pairSet struct {
	bit     int
	likely  float64 // that a pair of text is one of them
	anyThen uint64  // bits for the second bytes that are with any first one
	thenAny uint64  // bits for the first bytes that are with any second one
}

// fillFilter lays the keywords into groups so that text seldom has the first
// pair of one keyword of a group and the second pair of another.
func (t *tables) fillFilter() {
	var all [groups]group
	for i := range all {
		all[i].first.bit, all[i].second.bit = i, i+secondPair
	}
	for _, k := range t.keywords[1:] {
		t.addWindow(windowOf(k.text, k.offset), all[:groups/2])
		t.addWindow(windowOf(k.text, k.offset-1), all[groups/2:])
	}
}

// addWindow adds w to the one of all that passes the least more text with it.
func (t *tables) addWindow(w window, all []group) {
	best, least := 0, math.Inf(1)
	for i := range all {
		first, second := &all[i].first, &all[i].second
		with := (first.likely + t.more(first, w[0], w[1])) * (second.likely + t.more(second, w[2], w[3]))
		if cost := with - first.likely*second.likely; cost < least {
			best, least = i, cost
		}
	}
	t.set(&all[best].first, w[0], w[1])
	t.set(&all[best].second, w[2], w[3])
}

// more returns how much more likely a pair of text is in set with a and b, of
// which one may be any.
func (t *tables) more(set *pairSet, a, b int) float64 {
	switch {
	case a == any6 && set.anyThen>>b&1 == 0:
		return t.likely[b]
	case b == any6 && set.thenAny>>a&1 == 0:
		return t.likely[a]
	case a != any6 && b != any6 && t.pairs[a|b<<6]>>set.bit&1 == 0:
		return t.likely[a] * t.likely[b]
	}
	return 0
}

// set adds the pairs a and b to set.
func (t *tables) set(set *pairSet, a, b int) {
	set.likely += t.more(set, a, b)
	first, step, n := a|b<<6, 0, 1
	switch {
	case a == any6:
		first, step, n = b<<6, 1, 64
		set.anyThen |= 1 << b
	case b == any6:
		first, step, n = a, 64, 64
		set.thenAny |= 1 << a
	}
	for i := range n {
		t.pairs[first+i*step] |= 1 << set.bit
	}
}

// A likelihood is that of the characters of text by their six bits.
type likelihood [64]float64

// frequency has characters that stand for all six bits but the rarest, by how
// seldom they are in logs, code and prose.
const frequency = " etraosin012dulphcm*.)f/=:-g35v,64ywb({k879}\"_xqz;!<&j'%|?+>"

func newLikelihood() *likelihood {
	l := new(likelihood)
	p, sum := 1.0, 0.0
	for i := range len(frequency) {
		l[sixBits(frequency[i])] = p
		sum += p
		p *= 15.0 / 16
	}
	for i := range l {
		l[i] = max(l[i], p) / sum
	}
	return l
}

// of returns the likelihood of c, which may be any.
func (l *likelihood) of(c int) float64 {
	if c == any6 {
		return 1
	}
	return l[c]
}
