//go:build !unix

package main

import "time"

var started = time.Now()

// cpuTime stands in for the processor time, which is too coarse here.
func cpuTime() time.Duration { return time.Since(started) }
