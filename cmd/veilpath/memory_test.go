package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
)

// The process has a limit of memory, which leaves room where more is held.
func TestMemoryIsLimited(t *testing.T) {
	before := debug.SetMemoryLimit(math.MaxInt64)
	defer debug.SetMemoryLimit(before)
	defer limitMemory()()
	first := debug.SetMemoryLimit(-1)
	held := make([]byte, 100<<20)
	runtime.GC()
	fitMemory()
	more := debug.SetMemoryLimit(-1)
	runtime.KeepAlive(held)
	runtime.GC()
	fitMemory()
	if last := debug.SetMemoryLimit(-1); first < usualMemory || first == math.MaxInt64 || more < int64(len(held))*3/2 ||
		last >= more {
		t.Errorf("the limit is %d bytes, %d while %d are held, %d when they are not", first, more, len(held), last)
	}
}

// A limit that was set stays.
func TestMemoryLimitOfTheEnvironmentStays(t *testing.T) {
	const own = 300 << 20
	before := debug.SetMemoryLimit(own)
	defer debug.SetMemoryLimit(before)
	defer limitMemory()()
	if debug.SetMemoryLimit(-1) != own {
		t.Errorf("the limit is %d bytes, want the %d that were set", debug.SetMemoryLimit(-1), own)
	}
}
