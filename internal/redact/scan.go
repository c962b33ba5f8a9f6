package redact

import (
	"math"
	"math/bits"
	"slices"
	"strings"
)

// This file finds the secrets of a text in one pass: eight bytes at a time go
// through the filter of the keywords, and the rare place that passes is compared
// with them.

const (
	// ahead is how far, in bytes, a match may look and reach beyond the start
	// of the keyword it hangs on.
	ahead = 64 << 10

	// behind is how far, in bytes, a match may look and reach before the
	// start of its keyword.
	behind = 1 << 10

	// longRun is the length from which a run of urlSafe may be a secret by
	// its looks alone.
	longRun = 40

	// stride is how many bytes go through the filter together.
	stride = 8

	// sampling is the distance of the places where a long run is looked for, a
	// power of two. Every long run has all stride bytes at one of them.
	sampling = longRun - stride
)

// load returns the eight folded bytes of s at i, the first lowest. Bytes
// behind the end are 0x20.
func load(s string, i int) uint64 {
	if i+8 <= len(s) {
		return word8(s, i) | fold8
	}
	var w uint64
	for j := len(s) - 1; j >= i; j-- {
		w = w<<8 | uint64(s[j])
	}
	return w | fold8
}

// word8 returns the eight bytes of s at i, the first lowest. The compiler
// makes one load of it.
func word8(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// A scanner finds the secrets of one text.
type scanner struct {
	s      string
	strict bool

	found       []match // ascending, not overlapping
	last        int     // where the last secret or placeholder ends
	placeholder int     // where the last placeholder ends
	later       []match // secrets found before the scan came to their place, by their start

	// Where the last curl command and Kubernetes resource end, and the last
	// place that ended a token's header: so that no input makes the scan look
	// at a place too often.
	command, resource, gap int
}

// scan looks at every place of s from the offset from up to the offset to.
// What it looks at may reach further.
//
// The order of places decides between matches that overlap. It must not depend
// on where scans start, which differs in a stream.
func (sc *scanner) scan(from, to int) {
	t := keywords()
	s := sc.s
	runEnd := math.MaxInt
	if from >= stride {
		runEnd = sc.runEnd(from-stride, runEnd)
	}
	event := from     // the block where runEnd or a sample is
	last := uint32(0) // the filter's entry for the pair before the block
	// A pair waits for the next one, so a block is about the places from i-2.
	for i := from; i-2 < to; i += stride {
		var w uint64
		if i+stride <= len(s) {
			w = word8(s, i)
		} else {
			w = load(s, i)
		}
		x := pairIndexes(w)
		e0, e1, e2, e3 := t.pairs[x&0xfff], t.pairs[x>>16&0xfff], t.pairs[x>>32&0xfff], t.pairs[x>>48]
		if last&(e0>>secondPair)|e0&(e1>>secondPair)|e1&(e2>>secondPair)|e2&(e3>>secondPair) != 0 {
			places := placesOf(last, e0) | placesOf(e0, e1)<<2 | placesOf(e1, e2)<<4 | placesOf(e2, e3)<<6
			runEnd = sc.block(t, i-2, to, places, runEnd)
		}
		last = e3
		if i < event {
			continue
		}
		if runEnd < i+stride-2 && runEnd <= to {
			sc.longRun(runEnd)
			runEnd = math.MaxInt
		}
		if (i-from)&(sampling-1) == 0 && mayBeURLSafe(w) {
			runEnd = sc.runEnd(i, runEnd)
		}
		event = min(from+(i-from)&^(sampling-1)+sampling, runEnd-(stride-3))
	}
	if runEnd <= to {
		sc.longRun(runEnd)
	}
	// A keyword whose place comes behind to may still start before.
	sc.merge(to - t.reach)
}

// block looks at the places from i on that have a bit in places and lie before
// the offset to, and at the long run that ends at runEnd if that comes first.
// It returns the end of the run that is still to be looked at.
func (sc *scanner) block(t *tables, i, to int, places uint32, runEnd int) int {
	for ; places != 0; places &= places - 1 {
		p := i + bits.TrailingZeros32(places)
		if p >= to {
			break
		}
		if runEnd <= p {
			sc.longRun(runEnd)
			runEnd = math.MaxInt
		}
		sc.keyword(t, p)
	}
	return runEnd
}

// mayBeURLSafe reports whether no byte of w is below the lowest of urlSafe.
func mayBeURLSafe(w uint64) bool {
	const ones = 0x0101010101010101
	return (w-'-'*ones)&^w&(ones<<7) == 0
}

// runEnd returns the end of the first longRun characters of the run of urlSafe
// that has the stride bytes at the sample i. It returns otherwise if there is
// none, or an earlier sample has met it.
func (sc *scanner) runEnd(i, otherwise int) int {
	s := sc.s
	const beside = (longRun - stride) / 2 // so much is on one side at least
	if beside <= i && i+stride+beside <= len(s) &&
		!(mayBeURLSafe(word8(s, i+8)) && mayBeURLSafe(word8(s, i+16))) &&
		!(mayBeURLSafe(word8(s, i-8)) && mayBeURLSafe(word8(s, i-16))) {
		return otherwise
	}
	if urlSafe.run(s, i, stride) < i+stride {
		return otherwise
	}
	sc.merge(i)
	start := max(urlSafe.runBack(s, i, longRun), sc.last)
	end := start + longRun
	if i < start || end <= i+stride || urlSafe.run(s, start, longRun) < end {
		return otherwise
	}
	return end
}

// keyword looks for a secret that hangs on a keyword with its bytes at p.
func (sc *scanner) keyword(t *tables, p int) {
	for k := t.heads[hash(load(sc.s, p))]; k != 0; k = t.keywords[k].next {
		key := &t.keywords[k]
		start := p - key.offset
		if start < 0 || load(sc.s, start)&key.mask != key.head || !key.hasRest(sc.s, start) {
			continue
		}
		sc.merge(start)
		if sc.covered(start) || sc.at(key, start) {
			return
		}
	}
}

// hasRest reports whether s has the rest of the keyword, whose first eight
// bytes it has at p.
func (k *keyword) hasRest(s string, p int) bool {
	if p+len(k.text) > len(s) {
		return false
	}
	for i := 8; i < len(k.text); i++ {
		if s[p+i]|0x20 != k.text[i]|0x20 {
			return false
		}
	}
	return true
}

// covered reports whether p is in a secret or a placeholder.
func (sc *scanner) covered(p int) bool {
	for i := len(sc.found) - 1; i >= 0 && p < sc.found[i].end; i-- {
		if sc.found[i].start <= p {
			return true
		}
	}
	return p < sc.placeholder
}

// add records a secret, unless it touches a placeholder. Secrets that overlap
// become one, of the type of the first. It reports whether it recorded it.
func (sc *scanner) add(start, end int, kind string) bool {
	if start >= end || start < sc.placeholder || sc.hasPlaceholder(start, end) {
		return false
	}
	i := len(sc.found)
	for i > 0 && start < sc.found[i-1].end {
		i--
	}
	j := i
	for ; j < len(sc.found) && sc.found[j].start < end; j++ {
		if sc.found[j].start <= start {
			kind = sc.found[j].kind
		}
		start, end = min(start, sc.found[j].start), max(end, sc.found[j].end)
	}
	if n := len(sc.found); n == cap(sc.found) && n >= 16 && start > 0 {
		// As many for the rest of the text as there were up to here, but no more
		// than would be many.
		rest := float64(n) * float64(len(sc.s)-start) / float64(start)
		sc.found = slices.Grow(sc.found, 16+min(int(rest), len(sc.s)/64))
	}
	sc.found = slices.Replace(sc.found, i, j, match{start, end, kind})
	sc.last = max(sc.last, end)
	return true
}

// addNamed records a secret that is known by its name. If it starts as a token
// does, it is that.
func (sc *scanner) addNamed(start, end int, kind string) bool {
	t := keywords()
	for p := start; p < min(end, start+8) && t.starts[pairIndexes(load(sc.s, start))&0xfff]; p++ {
		for k := t.heads[hash(load(sc.s, p))]; k != 0; k = t.keywords[k].next {
			key := &t.keywords[k]
			if (key.kind == tokenKind || key.kind == jwtKind) && key.offset == p-start &&
				load(sc.s, start)&key.mask == key.head && key.hasRest(sc.s, start) && sc.at(key, start) {
				return true
			}
		}
	}
	return sc.add(start, end, kind)
}

// hasPlaceholder reports whether a placeholder starts in s[start:end].
func (sc *scanner) hasPlaceholder(start, end int) bool {
	return strings.Contains(sc.s[start:min(len(sc.s), end+len(opening)-1)], opening)
}

// addLater records a secret whose place the scan has not reached yet.
func (sc *scanner) addLater(start, end int, kind string) {
	sc.later = insert(sc.later, match{start, end, kind})
}

// merge adds the secrets that were found early and start before the offset to.
func (sc *scanner) merge(to int) {
	for len(sc.later) > 0 && sc.later[0].start < to {
		m := sc.later[0]
		sc.later = sc.later[1:]
		sc.add(m.start, m.end, m.kind)
	}
}
