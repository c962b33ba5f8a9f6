package signatures

import (
	"hash/maphash"
	"math"
	"slices"
	"sync"
	"unsafe"
)

const (
	maxText = 16 << 20 // bytes of a text that is looked at at all
	maxScan = 4 << 20  // bytes that regular expressions are asked to scan

	// Bytes that a grammar is asked to parse at once: where a scanner is as
	// exact, what takes some 6 ms, else what may be done in the time limit.
	maxParseBesideScanner = 36 << 10
	maxParse              = 512 << 10

	cacheBytes = 8 << 20
)

// Whole is the range of all lines of any text.
var Whole = Range{First: 1, Last: math.MaxInt}

// Finder finds declarations and remembers those of texts it saw lately, piece
// by piece, so that after an edit only the piece around it is parsed again.
// The zero value is ready, and many goroutines may use one at once.
type Finder struct {
	// ScanOnly leaves the grammars aside, as a build without cgo does. It must
	// not change once the Finder is used.
	ScanOnly bool

	once sync.Once
	seed maphash.Seed

	mu     sync.Mutex
	texts  cache[outline]
	parsed cache[[]Declaration] // of pieces; lines count from the start of the piece
}

// Declarations returns what content declares in the lines of within: the
// declarations that start there, ordered by line. It gives nil for a language
// it does not know and for a text of more than 16 MiB. Of a text that is not
// well-formed it gives what is certain.
//
// It takes at most about 50 ms for a part of a text it has not seen: what a
// grammar cannot parse in that time is scanned in simpler ways.
func (f *Finder) Declarations(content string, lang Language, within Range) []Declaration {
	if lang == "" || content == "" || len(content) > maxText {
		return nil
	}
	o := f.outline(content, lang)
	pieces := o.meeting(within)
	if len(pieces) == 0 {
		return nil
	}
	// This must not depend on what is known already, so that the answer does not.
	limit := maxParse
	if o.exact {
		limit = maxParseBesideScanner
	}
	if f.ScanOnly || pieces[len(pieces)-1].end-pieces[0].start > limit {
		return slices.Clone(starting(o.scan(content, lang), within))
	}
	var found []Declaration
	for i, declarations := range f.look(content, lang, o, pieces) {
		found = append(found, starting(moved(declarations, pieces[i].line), within)...)
	}
	return found
}

// starting returns the declarations, which are ordered, that start in within.
func starting(declarations []Declaration, within Range) []Declaration {
	from := firstAt(declarations, within.First)
	to := len(declarations)
	if within.Last < math.MaxInt {
		to = max(from, firstAt(declarations, within.Last+1))
	}
	return declarations[from:to]
}

// firstAt returns the index of the first declaration that starts at line or
// behind it.
func firstAt(declarations []Declaration, line int) int {
	i, _ := slices.BinarySearchFunc(declarations, line, func(d Declaration, line int) int {
		return d.Lines.First - line
	})
	return i
}

// moved returns copies of declarations by lines further down.
func moved(declarations []Declaration, by int) []Declaration {
	declarations = slices.Clone(declarations)
	for i := range declarations {
		declarations[i].Lines.First += by
		declarations[i].Lines.Last += by
	}
	return declarations
}

// outline returns what is known of a text as a whole.
func (f *Finder) outline(content string, lang Language) outline {
	k := f.key(content, lang)
	f.mu.Lock()
	o, ok := f.texts.get(k)
	f.mu.Unlock()
	if ok {
		return o
	}
	o = newOutline(content, lang)
	for i, p := range o.pieces {
		o.pieces[i].key = f.key(content[p.start:p.end], lang)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.texts.add(k, o, sizeOf(o.scanned)+len(o.pieces)*int(unsafe.Sizeof(piece{})))
	return o
}

// look returns the declarations of each piece. The pieces are neighbors, so
// that those which are not known yet can be parsed together.
func (f *Finder) look(content string, lang Language, o outline, pieces []piece) [][]Declaration {
	found := make([][]Declaration, len(pieces))
	first, last := len(pieces), -1 // that are not known
	f.mu.Lock()
	for i, p := range pieces {
		declarations, ok := f.parsed.get(p.key)
		if !ok {
			first, last = min(first, i), i
		}
		found[i] = declarations
	}
	f.mu.Unlock()
	if last < 0 {
		return found
	}
	copy(found[first:], o.find(content, lang, pieces[first:last+1]))
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := first; i <= last; i++ {
		f.parsed.add(pieces[i].key, found[i], sizeOf(found[i]))
	}
	return found
}

func (f *Finder) key(content string, lang Language) key {
	f.once.Do(func() {
		f.seed = maphash.MakeSeed()
		f.texts.limit, f.parsed.limit = cacheBytes/2, cacheBytes/2
	})
	return key{lang: lang, length: len(content), hash: maphash.String(f.seed, content)}
}

func sizeOf(declarations []Declaration) int {
	const entry = 64 // of the map
	size := entry
	for _, d := range declarations {
		size += int(unsafe.Sizeof(d)) + len(d.Name) + len(d.Label)
	}
	return size
}
