package main

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// usualMemory is the memory up to which the garbage collector works as usual.
const usualMemory = 64 << 20

// limitMemory keeps the memory of the process near usualMemory, or near 1.5 times the live memory if that is more,
// so that collecting never takes much time. An existing limit, such as from GOMEMLIMIT, stays. It returns a
// function that stops the adjustment.
func limitMemory() (end func()) {
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return func() {}
	}
	fitMemory()
	ended := make(chan struct{})
	go func() {
		for {
			select {
			case <-ended:
				return
			case <-time.After(memoryTick):
				fitMemory()
			}
		}
	}()
	return func() { ended <- struct{}{} }
}

// memoryTick is the time between two adjustments of the limit.
const memoryTick = 100 * time.Millisecond

// fitMemory sets the limit for the live memory that the last collection found.
func fitMemory() {
	held := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(held)
	debug.SetMemoryLimit(max(usualMemory, int64(held[0].Value.Uint64())*3/2))
}
