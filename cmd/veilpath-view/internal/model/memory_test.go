package model

import (
	"math"
	"runtime"
	"testing"
)

// Dragging, and going from run to run, takes no more memory after a thousand steps than after a hundred.
func TestDraggingKeepsMemoryFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	m := newModel(t, 0)
	finish(t, m)
	complete(t, m)
	m.KeepWorld()
	step := 0
	drag := func(steps int) uint64 {
		for range steps {
			step++
			share := 0.5 + 0.5*math.Sin(float64(step)/17)
			m.SetEpsilon(Rounded(AxisRange.Low * math.Pow(AxisRange.High/AxisRange.Low, share)))
			if step%20 == 0 {
				m.Select(step / 20 % fewRuns)
			}
			if step%50 == 0 {
				m.MoveWaypoint(m.Private.Visits[0].Commanded, share, share)
			}
			m.SetRadius(0.5 + share)
			m.Advance(0)
		}
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	first := drag(200)
	const most = 4 << 20 // flights of a run that is on show in the one case and not in the other
	if last := drag(1000); last > first+most {
		t.Errorf("%d bytes after 1,200 steps, %d after 200", last, first)
	}
}
