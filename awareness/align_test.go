package awareness_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/acode-ls/acode-ls/awareness"
)

// replayHunks applies hunks to old lines.
func replayHunks(old []uint64, hunks []awareness.Hunk) []uint64 {
	var out []uint64
	next := 1
	for _, h := range hunks {
		out = append(out, old[next-1:h.Start-1]...)
		out = append(out, h.New...)
		next = h.Start + h.Old
	}
	return append(out, old[next-1:]...)
}

// slowLCS returns the length of the longest common subsequence.
func slowLCS(a, b []uint64) int {
	best := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			above := best[j+1]
			if x == y {
				best[j+1] = diagonal + 1
			} else {
				best[j+1] = max(above, best[j])
			}
			diagonal = above
		}
	}
	return best[len(b)]
}

// trimmed takes the common head and tail off both.
func trimmed(a, b []uint64) (x, y []uint64) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

// slowUnique returns the lines that stand exactly once in each of a and b, in
// the order of a.
func slowUnique(a, b []uint64) []uint64 {
	times := func(list []uint64, x uint64) int {
		n := 0
		for _, y := range list {
			if x == y {
				n++
			}
		}
		return n
	}
	return slices.DeleteFunc(slices.Clone(a), func(x uint64) bool { return times(a, x) != 1 || times(b, x) != 1 })
}

// checkAlign checks what Align promises. How good an alignment is has two
// bounds: where no line stands once on both sides of what differs it is as
// short as can be, and otherwise it keeps at least the longest ascending run
// of such lines.
func checkAlign(t *testing.T, a, b []uint64) {
	t.Helper()
	hunks := awareness.Align(a, b)
	if again := awareness.Align(a, b); !reflect.DeepEqual(hunks, again) {
		t.Fatalf("Align(%v, %v) = %v and then %v", a, b, hunks, again)
	}
	next, kept := 0, len(a)
	for _, h := range hunks {
		end := h.Start + h.Old - 1
		if h.Start <= next || end > len(a) || h.Old == 0 && len(h.New) == 0 {
			t.Fatalf("Align(%v, %v) = %v, which is out of order or range", a, b, hunks)
		}
		old, new := trimmed(a[h.Start-1:end], h.New)
		if len(old) != h.Old || len(new) != len(h.New) {
			t.Fatalf("Align(%v, %v) = %v, with unchanged lines at an end of %v", a, b, hunks, h)
		}
		next = end + 1 // one unchanged line lies between two hunks
		kept -= h.Old
	}
	if got := replayHunks(a, hunks); !slices.Equal(got, b) {
		t.Fatalf("Align(%v, %v) = %v, which gives %v", a, b, hunks, got)
	}
	if len(a)*len(b) > 1<<14 {
		return
	}
	x, y := trimmed(a, b)
	least := len(a) - len(x)
	if unique := slowUnique(x, y); len(unique) > 0 {
		least += slowLCS(unique, slowUnique(y, x))
	} else {
		least += slowLCS(x, y)
	}
	if kept < least {
		t.Fatalf("Align(%v, %v) = %v keeps %d lines, want at least %d", a, b, hunks, kept, least)
	}
}

func TestAlign(t *testing.T) {
	type hunks = []awareness.Hunk
	tests := []struct {
		name     string
		old, new []uint64
		want     hunks
	}{
		{"both empty", nil, nil, nil},
		{"equal", []uint64{1, 2}, []uint64{1, 2}, nil},
		{"created", nil, []uint64{1, 2}, hunks{{1, 0, []uint64{1, 2}}}},
		{"emptied", []uint64{1, 2}, nil, hunks{{1, 2, nil}}},
		{"one replaced", []uint64{1, 2, 3}, []uint64{1, 9, 3}, hunks{{2, 1, []uint64{9}}}},
		{"equal head first", []uint64{1, 1, 1}, []uint64{1, 1}, hunks{{3, 1, nil}}},
		{"a unique line anchors among duplicates", []uint64{7, 7, 5, 7}, []uint64{8, 7, 5}, hunks{{1, 1, []uint64{8}}, {4, 1, nil}}},
		{"a moved block", []uint64{1, 2, 3, 4, 5}, []uint64{4, 5, 1, 2, 3}, hunks{{1, 0, []uint64{4, 5}}, {4, 2, nil}}},
		{"anchors nest", []uint64{1, 5, 2, 5, 3}, []uint64{1, 6, 5, 2, 3}, hunks{{2, 0, []uint64{6}}, {4, 1, nil}}},
		{"no line in common", []uint64{1, 1, 2}, []uint64{3, 3}, hunks{{1, 3, []uint64{3, 3}}}},
		{"duplicates only", []uint64{1, 2, 1, 2, 3, 3}, []uint64{2, 1, 2, 1, 4, 4}, hunks{{1, 1, nil}, {5, 2, []uint64{1, 4, 4}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkAlign(t, tt.old, tt.new)
			if diff := cmp.Diff(tt.want, awareness.Align(tt.old, tt.new), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("Align(%v, %v) (-want +got):\n%s", tt.old, tt.new, diff)
			}
		})
	}
}

// lines returns n lines made by line.
func lines(n int, line func(i int) uint64) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = line(i)
	}
	return out
}

// TestAlignLarge has two changes too far apart for an exact diff.
func TestAlignLarge(t *testing.T) {
	old := lines(20_000, func(i int) uint64 { return uint64(i) })
	new := slices.Clone(old)
	new[1], new[19_998] = 1<<40, 1<<41
	want := []awareness.Hunk{{Start: 2, Old: 1, New: new[1:2]}, {Start: 19_999, Old: 1, New: new[19_998:19_999]}}
	if diff := cmp.Diff(want, awareness.Align(old, new)); diff != "" {
		t.Errorf("Align (-want +got):\n%s", diff)
	}
}

// TestAlignIsBounded holds the time of the worst inputs known: many equal
// lines, gaps as large as an exact diff may be, and many such gaps.
func TestAlignIsBounded(t *testing.T) {
	limit := 300 * time.Millisecond
	if raceEnabled {
		limit *= 20
	}
	r := rand.New(rand.NewPCG(1, 2))
	random := func(n int, of uint64) []uint64 {
		return lines(n, func(int) uint64 { return r.Uint64N(of) })
	}
	gaps := func(n, size int, of uint64) []uint64 {
		return lines(n, func(i int) uint64 {
			if i%size == 0 {
				return 1<<60 + uint64(i)
			}
			return r.Uint64N(of)
		})
	}
	one := func(int) uint64 { return 1 }
	for _, tt := range []struct {
		name     string
		old, new []uint64
	}{
		{"equal, alternating", lines(20_000, one), lines(20_000, func(i int) uint64 { return uint64(i % 2) })},
		{"pairs reversed", lines(20_000, func(i int) uint64 { return uint64(i / 2) }), lines(20_000, func(i int) uint64 { return uint64((19_999 - i) / 2) })},
		{"unique reversed", lines(20_000, func(i int) uint64 { return uint64(i) }), lines(20_000, func(i int) uint64 { return uint64(20_000 - i) })},
		{"square of 2", random(2048, 2), random(2048, 2)},
		{"square of 100", random(2048, 100), random(2048, 100)},
		{"square of 500", random(2048, 500), random(2048, 500)},
		{"2 high", random(2, 3), random(1<<21, 3)},
		{"4 high", random(4, 3), random(1<<20, 3)},
		{"16 high", random(16, 3), random(1<<18, 3)},
		{"1 high", lines(1<<21, func(i int) uint64 { return uint64(i) }), []uint64{1 << 40}},
		{"gaps of 1,448", gaps(20_000, 1448, 100), gaps(20_000, 1448, 100)},
		{"gaps of 200", gaps(20_000, 200, 20), gaps(20_000, 200, 20)},
		{"gaps of 30", gaps(20_000, 30, 5), gaps(20_000, 30, 5)},
		{"gaps of 1,448 in 100,000", gaps(100_000, 1448, 100), gaps(100_000, 1448, 100)},
		{"gaps of 200 in 100,000", gaps(100_000, 200, 20), gaps(100_000, 200, 20)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			took := time.Hour
			for range 5 { // the machine may be busy
				start := time.Now()
				hunks := awareness.Align(tt.old, tt.new)
				took = min(took, time.Since(start))
				if got := replayHunks(tt.old, hunks); !slices.Equal(got, tt.new) {
					t.Fatal("Align gives other lines than it was asked for")
				}
				if took < limit {
					break
				}
			}
			if t.Logf("%v", took); took > limit {
				t.Errorf("Align took %v, want less than %v", took, limit)
			}
		})
	}
}

func FuzzAlign(f *testing.F) {
	f.Add([]byte("abcabcab\x00cabcbaab"))
	f.Add([]byte("aaaaaaaa\x00abababab"))
	f.Add([]byte("}\x00}a}b}c}"))
	f.Add([]byte("axbxcxd\x00dxcxbxa"))
	f.Fuzz(func(t *testing.T, b []byte) {
		b = b[:min(len(b), 200)]
		var sides [2][]uint64
		side := 0
		for _, c := range b {
			if c == 0 {
				side = 1
				continue
			}
			sides[side] = append(sides[side], uint64(c))
		}
		checkAlign(t, sides[0], sides[1])
	})
}
