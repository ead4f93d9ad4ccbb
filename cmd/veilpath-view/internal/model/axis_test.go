package model

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"veilpath/configs"
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

// The flight on show is the same whether its piece of the axis was shown before or is flown for this epsilon.
func TestShownFlightOnTheAxisIsThePlanned(t *testing.T) {
	m, direct := newModel(t, 0), newModel(t, 0)
	complete(t, m)
	random := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		epsilon := Rounded(MinEpsilon * math.Pow(MaxEpsilon/MinEpsilon, random.Float64()))
		m.SetEpsilon(epsilon)
		direct.Axis.clear()
		direct.SetEpsilon(epsilon)
		a, b := &m.Private, &direct.Private
		if diff := cmp.Diff(a.Run, b.Run); diff != "" {
			t.Fatalf("epsilon %v: by the axis and directly:\n%s", epsilon, diff)
		}
		if !slices.Equal(a.Samples, b.Samples) || !slices.Equal(a.Visits, b.Visits) || !slices.Equal(a.Rewards, b.Rewards) {
			t.Fatalf("epsilon %v: samples, waypoints, or rewards differ", epsilon)
		}
	}
	if len(m.pieces) == 0 || len(m.pieces) > len(m.Axis.pieces(0)) {
		t.Errorf("%d pieces were shown, of %d", len(m.pieces), len(m.Axis.pieces(0)))
	}
}

// The treads of a run are its flights, each one whole, with their detection distances.
func TestTreadsAreTheFlights(t *testing.T) {
	m := newModel(t, 0)
	complete(t, m)
	const radius = 1.3
	m.SetRadius(radius)
	treads, pieces := m.Axis.Treads(0, radius), m.Axis.pieces(0)
	if len(treads) < 3 || len(treads) >= len(pieces) || treads[0].Low != AxisRange.Low ||
		treads[len(treads)-1].High != AxisRange.High {
		t.Fatalf("treads %v of %d pieces do not cover the axis", treads, len(pieces))
	}
	var before Path
	at := 0
	for i, p := range pieces {
		first := at+1 < len(treads) && p.Low >= treads[at+1].Low
		if first {
			at++
		}
		m.SetEpsilon(math.Sqrt(p.Low * p.High))
		if run, tread := m.Private.Run, treads[at]; run.DetectionKm != tread.DetectionKm || run.Detected != tread.Detected ||
			p.High > tread.High {
			t.Errorf("epsilon %v: %+v, the tread is %+v", m.Config.Privacy.Epsilon, run, tread)
		}
		path := pathOf(m.Private.Samples, m.Private.Visits)
		if changes := !path.equal(before); i > 0 && changes != first {
			t.Errorf("at epsilon %v the flight changes: %v, a tread begins: %v", p.Low, changes, first)
		}
		before = path
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

// What was found along epsilon is there at once when settings come back that were left last.
func TestAxisComesBack(t *testing.T) {
	m := newModelOf(t, 0, 0)
	finish(t, m)
	complete(t, m)
	if !m.AxisComplete() || !m.Ensemble.Complete() {
		t.Fatal("the axis is not complete at first")
	}
	before, mean := m.Config, m.Ensemble.Summary().MeanKm
	for _, leave := range []func(){func() { m.SetObserver("constant_velocity") }, m.NewSample} {
		leave()
		if m.AxisComplete() {
			t.Error("the axis of other settings is there at once")
		}
		finish(t, m)
		complete(t, m)
		m.change(func(c *configs.Config) { *c = before })
		m.Advance(0)
		if !m.AxisComplete() || !m.Ensemble.Complete() || m.Ensemble.Summary().MeanKm != mean {
			t.Errorf("back again the axis is complete: %v, the ensemble: %v, mean %v, want %v", m.AxisComplete(),
				m.Ensemble.Complete(), m.Ensemble.Summary().MeanKm, mean)
		}
	}
}
