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

// Going through runs and epsilons keeps the axes of the first runs and of the one on show.
func TestMemoriesAreBounded(t *testing.T) {
	m := newModelOf(t, 0, 1)
	m.SetRuns(10)
	for i := range 30 {
		m.Select(100 * i)
		m.Work()
		m.Advance(0)
		for _, epsilon := range []float64{0.2, 0.5, 1, 3, 9} {
			m.SetEpsilon(epsilon)
		}
		if axes, most := len(m.Axis.runs), m.axisRuns()+1; axes > most {
			t.Fatalf("after %d runs there are %d axes, want at most %d", i+1, axes, most)
		}
	}
	m.Advance(0)
	for kind, j := range m.pool.jobs {
		if j != nil && len(j.results) > 0 {
			t.Errorf("job %d keeps %d results that were taken over", kind, len(j.results))
		}
	}
}
