package main

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// usualMemory is what the process takes before its garbage is collected sooner than usual.
const usualMemory = 64 << 20

// limitMemory keeps the memory of the process near usualMemory, or near one and a half times what is held where that is
// more, so that collecting never takes much of the time. A limit that is set already, such as by GOMEMLIMIT, stays. It
// returns a function that ends this: the limit is changed no more.
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

// memoryTick is how long more may be held than the limit allows for.
const memoryTick = 100 * time.Millisecond

// fitMemory sets the limit for what the last collection found to be held.
func fitMemory() {
	held := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(held)
	debug.SetMemoryLimit(max(usualMemory, int64(held[0].Value.Uint64())*3/2))
}
