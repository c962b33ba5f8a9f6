package redact

import (
	"math"
	"math/bits"
	"slices"
	"strings"
	"sync"
)

// This file finds the keywords of all rules in one pass: every three bytes,
// letter case folded, are looked up in a table of hashes, eight places at a
// time, and the rare hit is compared with the keywords that share the hash. A
// keyword is in the table with its three bytes that are least frequent in
// text.

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

	stride   = 8
	hashBits = 14
	fold8    = 0x2020202020202020
)

// A keyword starts a look for secrets.
type keyword struct {
	text       string // as it was written
	head, mask uint64 // its first eight bytes, folded
	offset     int    // of its bytes in the table
	next       uint16 // the next keyword with the same hash, 0 = none
	kind       kind
	rule       int // the index of the token or service
}

// tables are the keywords by the hash of three of their bytes.
type tables struct {
	filter   [1 << hashBits]uint8  // 1 if a keyword has the hash
	heads    [1 << hashBits]uint16 // the first keyword with the hash, 0 = none
	keywords []keyword             // the first is not used
}

var keywords = sync.OnceValue(func() *tables {
	t := &tables{keywords: make([]keyword, 1, 512)}
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
	return t
})

// add inserts a keyword so that of those with one hash the longest comes first.
func (t *tables) add(text string, kind kind, rule int) {
	k := keyword{text: text, kind: kind, rule: rule, mask: 1<<64 - 1, offset: rarest(text)}
	if len(text) < 8 {
		k.mask = 1<<(8*len(text)) - 1
	}
	k.head = load(text, 0) & k.mask
	h := hash(uint32(load(text, k.offset)))
	t.filter[h] = 1
	at := &t.heads[h]
	for *at != 0 && len(t.keywords[*at].text) >= len(text) {
		at = &t.keywords[*at].next
	}
	k.next = *at
	*at = uint16(len(t.keywords))
	t.keywords = append(t.keywords, k)
}

// frequency has the characters of text by how seldom they are.
const frequency = " etaonirslcdmupfhgb._-y/v0w1k2:3456789xjqz"

// rarest returns the offset of the three bytes of text that are least frequent
// in text.
func rarest(text string) int {
	best, offset := -1, 0
	for i := range len(text) - 2 {
		rarity := 0
		for _, c := range []byte(text[i : i+3]) {
			if 'A' <= c && c <= 'Z' {
				c |= 0x20
			}
			rank := strings.IndexByte(frequency, c)
			if rank < 0 {
				rank = len(frequency)
			}
			rarity += rank
		}
		if rarity > best {
			best, offset = rarity, i
		}
	}
	return offset
}

// hash mixes the low three bytes of gram.
func hash(gram uint32) uint32 { return gram << 8 * 0x9E3779B1 >> (32 - hashBits) }

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
func (sc *scanner) scan(from, to int) {
	const samples = 1<<(longRun/stride) - 1
	t := keywords()
	s := sc.s
	var run uint32              // one bit for each sample: it is urlSafe
	full := ^uint32(0)          // one bit for each block: it may be all urlSafe
	const before = samples >> 1 // the blocks that a run has whole, before the last
	for i := from - longRun; i < from; i += stride {
		run <<= 1
		if i >= 0 {
			run |= urlSafe.bit(s[i])
		}
	}
	filter := &t.filter
	later := sc.nextLater()
	for i := from; i < to; i += stride {
		var hits uint32
		var isRun bool
		if i+stride+2 <= len(s) {
			w, v := word8(s, i)|fold8, word8(s, i+2)|fold8
			h0, h1, h2, h3 := filter[hash(uint32(w))], filter[hash(uint32(w>>8))], filter[hash(uint32(w>>16))], filter[hash(uint32(w>>24))]
			h4, h5, h6, h7 := filter[hash(uint32(w>>32))], filter[hash(uint32(w>>40))], filter[hash(uint32(v>>32))], filter[hash(uint32(v>>40))]
			run = run<<1 | urlSafe.bit(s[i])
			full = full<<1 | spaceless(w)
			isRun = run&samples == samples && full>>1&before == before
			if h0|h1|h2|h3|h4|h5|h6|h7 == 0 && !isRun && later >= i+stride {
				continue
			}
			hits = uint32(h0) | uint32(h1)<<1 | uint32(h2)<<2 | uint32(h3)<<3 | uint32(h4)<<4 | uint32(h5)<<5 | uint32(h6)<<6 | uint32(h7)<<7
		} else {
			for j := range min(stride, len(s)-i) {
				hits |= uint32(filter[hash(uint32(load(s, i+j)))]) << j
			}
			run = run<<1 | urlSafe.bit(s[i])
			full = full<<1 | 1
			isRun = run&samples == samples && full>>1&before == before
			if hits == 0 && !isRun && later >= i+stride {
				continue
			}
		}
		end := -1
		if isRun {
			end = sc.runEnd(i)
		}
		sc.block(t, i, min(i+stride, to), hits, end)
		later = sc.nextLater()
	}
	sc.merge(to)
}

// spaceless returns 1 if none of eight folded bytes is a space, else 0. Some
// other bytes look like one.
func spaceless(w uint64) uint32 {
	const ones = 0x0101010101010101
	x := w ^ fold8
	if (x-ones)&^x&(ones<<7) != 0 {
		return 0
	}
	return 1
}

// nextLater returns where the first of the secrets starts that were found
// early.
func (sc *scanner) nextLater() int {
	if len(sc.later) == 0 {
		return math.MaxInt
	}
	return sc.later[0].start
}

// runEnd returns the end of the first longRun characters of a run of urlSafe if
// it is in the block at i, else -1.
func (sc *scanner) runEnd(i int) int {
	s := sc.s
	start := urlSafe.runBack(s, i-longRun+stride, stride)
	if start > 0 && start > sc.last && urlSafe.has(s[start-1]) {
		start = -1 // it starts further back
	}
	if sc.last > i-longRun && sc.last > start {
		start = sc.last
	}
	if end := start + longRun; start >= 0 && i < end && end <= i+stride && urlSafe.run(s, start, longRun) == end {
		return end
	}
	return -1
}

// block looks at the places from i to end: at hits for keywords, and at runEnd
// for a long run. The order of places decides between matches that overlap, and
// it must not depend on where blocks start, which differs in a stream.
func (sc *scanner) block(t *tables, i, end int, hits uint32, runEnd int) {
	hits &= 1<<(end-i) - 1
	for ; hits != 0; hits &= hits - 1 {
		p := i + bits.TrailingZeros32(hits)
		if 0 <= runEnd && runEnd <= p {
			sc.longRun(runEnd - longRun)
			runEnd = -1
		}
		sc.keyword(t, p)
	}
	if 0 <= runEnd && runEnd <= end {
		sc.longRun(runEnd - longRun)
	}
	sc.merge(end)
}

// keyword looks for a secret that hangs on a keyword with its bytes at p.
func (sc *scanner) keyword(t *tables, p int) {
	h := hash(uint32(load(sc.s, p)))
	for k := t.heads[h]; k != 0; k = t.keywords[k].next {
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
	sc.found = slices.Replace(sc.found, i, j, match{start, end, kind})
	sc.last = max(sc.last, end)
	return true
}

// addNamed records a secret that is known by its name. If it starts as a token
// does, it is that.
func (sc *scanner) addNamed(start, end int, kind string) bool {
	t := keywords()
	for p := start; p < min(end, start+8); p++ {
		for k := t.heads[hash(uint32(load(sc.s, p)))]; k != 0; k = t.keywords[k].next {
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
