package text

import (
	"math/bits"
	"unicode/utf8"
)

// This file looks at blocks of 64 bytes with plain 64-bit arithmetic, eight
// bytes or 64 flags at a time and without branches that depend on the text.

const (
	blockSize = 64

	eachByte = 0x0101010101010101
	highBits = 0x80 * eachByte
	lowBits  = 0x7f * eachByte
)

// word returns the eight bytes of s at i, the first lowest. The compiler makes
// one load of it.
func word(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// equal returns the set of indexes of c in block, at most 64 bytes.
func equal(block string, c byte) (set uint64) {
	if len(block) < blockSize {
		for i := range len(block) {
			if block[i] == c {
				set |= 1 << i
			}
		}
		return set
	}
	block = block[:blockSize]
	pattern := uint64(c) * eachByte
	return equal8(word(block, 0), pattern) | equal8(word(block, 8), pattern)<<8 |
		equal8(word(block, 16), pattern)<<16 | equal8(word(block, 24), pattern)<<24 |
		equal8(word(block, 32), pattern)<<32 | equal8(word(block, 40), pattern)<<40 |
		equal8(word(block, 48), pattern)<<48 | equal8(word(block, 56), pattern)<<56
}

// equal8 returns the set of bytes in which a and b are equal, in its low eight
// bits.
func equal8(a, b uint64) uint64 {
	x := a ^ b
	zero := ^(x&lowBits + lowBits | x | lowBits) // the high bit of each zero byte
	const gather = 0x0002040810204081            // brings the high bits together in the top byte
	return zero * gather >> 56
}

// setBits is how many elements putBits writes at least.
const setBits = 4

// putBits writes base plus each element of set to dst and returns how many
// elements set has. It writes to the first setBits places of dst whether or
// not the set has so many: few blocks have more line ends.
func putBits[T uint32 | int](dst []T, base T, set uint64) int {
	n := bits.OnesCount64(set)
	first := dst[:setBits]
	first[0] = base + T(bits.TrailingZeros64(set))
	set &= set - 1
	first[1] = base + T(bits.TrailingZeros64(set))
	set &= set - 1
	first[2] = base + T(bits.TrailingZeros64(set))
	set &= set - 1
	first[3] = base + T(bits.TrailingZeros64(set))
	set &= set - 1
	for i := setBits; set != 0; i++ {
		dst[i] = base + T(bits.TrailingZeros64(set))
		set &= set - 1
	}
	return n
}

// windowSize is how many bytes of a block countWindow counts: a sequence that
// starts in one of them ends inside the block.
const windowSize = blockSize - (utf8.UTFMax - 1)

// countWindow counts in the first windowSize bytes of block the bytes that
// start a valid sequence of more than one byte: extra is how many bytes those
// sequences have after their first, wide how many of them have four bytes.
//
// It turns the 64 bytes into planes: words that hold one bit of every byte, so
// that one operation classifies all bytes at once.
func countWindow(block string) (extra, wide int) {
	block = block[:blockSize]
	w0, w1, w2, w3 := word(block, 0), word(block, 8), word(block, 16), word(block, 24)
	w4, w5, w6, w7 := word(block, 32), word(block, 40), word(block, 48), word(block, 56)
	if (w0|w1|w2|w3|w4|w5|w6|w7)&highBits == 0 {
		return 0, 0
	}
	w0, w4 = swap(w0, w4, 4, 0x0f*eachByte)
	w1, w5 = swap(w1, w5, 4, 0x0f*eachByte)
	w2, w6 = swap(w2, w6, 4, 0x0f*eachByte)
	w3, w7 = swap(w3, w7, 4, 0x0f*eachByte)
	w0, w2 = swap(w0, w2, 2, 0x33*eachByte)
	w1, w3 = swap(w1, w3, 2, 0x33*eachByte)
	w4, w6 = swap(w4, w6, 2, 0x33*eachByte)
	w5, w7 = swap(w5, w7, 2, 0x33*eachByte)
	b0, b1 := swap(w0, w1, 1, 0x55*eachByte)
	b2, b3 := swap(w2, w3, 1, 0x55*eachByte)
	b4, b5 := swap(w4, w5, 1, 0x55*eachByte)
	b6, b7 := swap(w6, w7, 1, 0x55*eachByte)

	// Byte 8*i+j of the block is now bit 8*j+i of each plane, so the last three
	// bytes are the top bits of its top three bytes.
	const window = 1<<64 - 1 - (1<<63 | 1<<55 | 1<<47)

	// The well-formed byte sequences of the Unicode Standard, table 3-7.
	lead := b7 & b6 & window
	cont1 := following(b7 &^ b6)
	cont2 := following(cont1)
	cont3 := following(cont2)
	next4, next5 := following(b4), following(b5)

	low4 := b3 | b2 | b1 | b0
	two := lead &^ b5 & (b4 | b3 | b2 | b1) & cont1
	overlong := ^low4 &^ next5              // E0 80..9F
	surrogate := b3 & b2 &^ b1 & b0 & next5 // ED A0..BF
	three := lead & b5 &^ b4 &^ overlong &^ surrogate & cont1 & cont2
	low3 := b2 | b1 | b0
	overlong = ^low3 &^ (next4 | next5)        // F0 80..8F
	tooLarge := b2 & (b1 | b0 | next4 | next5) // F4 90..BF, F5..F7
	four := lead & b5 & b4 &^ b3 &^ overlong &^ tooLarge & cont1 & cont2 & cont3

	wide = bits.OnesCount64(four)
	return bits.OnesCount64(two|three|four) + bits.OnesCount64(three|four) + wide, wide
}

// swap exchanges the bits of a selected by mask<<n with the bits of b selected
// by mask.
func swap(a, b uint64, n int, mask uint64) (uint64, uint64) {
	t := (a>>n ^ b) & mask
	return a ^ t<<n, b ^ t
}

// following gives each byte of a plane the flag of the byte after it.
func following(plane uint64) uint64 {
	return plane>>8 | plane<<55&(0x7f<<56)
}
