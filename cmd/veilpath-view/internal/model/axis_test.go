package model

import (
	"math"
	"testing"
)

// Where the axis is there a change of epsilon has the new ensemble at once: nothing is left to be flown.
func TestEpsilonOnTheAxisNeedsNoFlights(t *testing.T) {
	m := newModel(t, 0)
	finish(t, m)
	complete(t, m)
	for _, epsilon := range []float64{AxisRange.Low, 0.2, 0.734, 4, AxisRange.High} {
		m.SetEpsilon(epsilon)
		if !m.Ensemble.Complete() || m.pool.next() != nil {
			t.Errorf("epsilon %v: %d of %d flights are there, and some are asked for", epsilon, m.Ensemble.Fresh, m.Runs())
		}
	}
}

// A run is recognised along the axis where its flight is.
func TestDetectionAlong(t *testing.T) {
	m := newModel(t, 0)
	complete(t, m)
	const radius = 1.3
	m.SetRadius(radius)
	for _, p := range m.Axis.pieces(0) {
		m.SetEpsilon(math.Sqrt(p.Low * p.High))
		if km, ok := m.Axis.DetectionKm(0, m.Config.Privacy.Epsilon, radius); !ok || km != m.Private.Run.DetectionKm {
			t.Errorf("epsilon %v: %v km, %v, flown %v", m.Config.Privacy.Epsilon, km, ok, m.Private.Run.DetectionKm)
		}
	}
}

// The mean along the axis is that of the ensemble at every epsilon.
func TestMeanAlongIsTheEnsembles(t *testing.T) {
	m := newModel(t, 0)
	finish(t, m)
	complete(t, m)
	c := m.MeanAlong(true)
	if c.Runs != m.axisRuns() || c.Low == nil {
		t.Fatalf("a mean of %d runs with the band %v, want %d", c.Runs, c.Low, m.axisRuns())
	}
	const summation = 1e-9 // km
	for i := 0; i < len(c.Epsilons); i += 37 {
		m.SetEpsilon(c.Epsilons[i])
		s := m.Ensemble.Summary()
		if math.Abs(s.MeanKm-c.Mean[i]) > summation || c.Low[i] > s.CILowKm || c.High[i] < s.CIHighKm {
			t.Errorf("epsilon %v: mean %v in %v to %v, the ensemble's %v in %v to %v", c.Epsilons[i], c.Mean[i], c.Low[i],
				c.High[i], s.MeanKm, s.CILowKm, s.CIHighKm)
		}
	}
}

// A run far beyond the ensemble has its axis found too.
func TestAxisOfAnyRun(t *testing.T) {
	m := newModel(t, 0)
	m.Select(123456)
	m.Work()
	m.Advance(0)
	if pieces := m.Axis.pieces(123456); len(pieces) < 2 {
		t.Errorf("run 123456 has %d pieces", len(pieces))
	}
}
