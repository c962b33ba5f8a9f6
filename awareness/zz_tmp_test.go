package awareness

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

func gen(n int, f func(i int) uint64) []uint64 {
	o := make([]uint64, n)
	for i := range o {
		o[i] = f(i)
	}
	return o
}

func TestTmpAlignTimes(t *testing.T) {
	run := func(name string, a, b []uint64) {
		s := time.Now()
		h := Align(a, b)
		fmt.Printf("%-40s %8d x %8d %6d hunks %v\n", name, len(a), len(b), len(h), time.Since(s))
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, k := range []uint64{2, 3, 5, 20, 100, 500} {
		run(fmt.Sprintf("random of %d", k), gen(1448, func(int) uint64 { return r.Uint64N(k) }), gen(1448, func(int) uint64 { return r.Uint64N(k) }))
	}
	run("disjoint dup", gen(1448, func(i int) uint64 { return uint64(i / 2) }), gen(1448, func(i int) uint64 { return 100000 + uint64(i/2) }))
	run("reverse dup", gen(1448, func(i int) uint64 { return uint64(i / 2) }), gen(1448, func(i int) uint64 { return uint64((1447 - i) / 2) }))
	run("A vs AB", gen(1448, func(i int) uint64 { return 1 }), gen(1448, func(i int) uint64 { return uint64(i % 2) }))
	for _, n := range []int{2, 3, 4, 8, 16, 64, 256} {
		m := (1 << 21) / n
		run("thin random", gen(n, func(int) uint64 { return r.Uint64N(3) }), gen(m, func(int) uint64 { return 2 + r.Uint64N(3) }))
		run("thin tail", gen(n, func(int) uint64 { return 1 }), gen(m, func(i int) uint64 { return uint64(i / (m - n/2)) }))
	}
	// anchored gaps
	for _, k := range []uint64{2, 20, 500, 1 << 40} {
		g := func() []uint64 {
			return gen(20000, func(i int) uint64 {
				if i%1448 == 0 {
					return 1<<50 + uint64(i)
				}
				return r.Uint64N(k) | 1
			})
		}
		run(fmt.Sprintf("anchored %d", k), g(), g())
	}
	run("equal vs alternating", gen(20000, func(i int) uint64 { return 1 }), gen(20000, func(i int) uint64 { return uint64(i % 2) }))
}
