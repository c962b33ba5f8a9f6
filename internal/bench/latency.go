package main

import (
	"math"
	"slices"
	"time"
)

// latency is what many single exchanges took, as costs on the wall.
type latency struct{ p50, p99 outcome }

// failing is the latency of what could not be measured.
func failing(err error) latency { return latency{outcome{err: err}, outcome{err: err}} }

// latencies does n exchanges of each of works, which are told how many came
// before, after some to warm up. Works take turns at every single exchange, for
// the reason that serverBench.add gives. The first failure of a work ends it.
func latencies(n, warmUp int, works ...func(i int) (time.Duration, error)) []latency {
	took := make([][]time.Duration, len(works))
	errs := make([]error, len(works))
	for i := range warmUp + n {
		for k, do := range works {
			if errs[k] != nil {
				continue
			}
			d, err := do(i)
			errs[k] = err
			if i >= warmUp {
				took[k] = append(took[k], d)
			}
		}
	}
	out := make([]latency, len(works))
	for k := range works {
		if errs[k] != nil {
			out[k] = failing(errs[k])
			continue
		}
		slices.Sort(took[k])
		out[k] = latency{percentile(took[k], 50), percentile(took[k], 99)}
	}
	return out
}

// percentile returns the smallest of sorted values that p percent of them do
// not exceed. There is at least one value.
func percentile(sorted []time.Duration, p float64) outcome {
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return outcome{cost: cost{wall: sorted[max(rank, 1)-1]}}
}
