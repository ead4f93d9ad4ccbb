package study

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A step holds the values and the evidence of all runs at its epsilon, however often the runs changed before it.
func TestEvidenceStepsMatchTheirRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 0))
	e := ensemble{}
	e.begin(Range{1, 2})
	for run := range 60 {
		pieces := []Run{{Run: run, Epsilon: 1, DetectionKm: float64(r.IntN(9))}}
		for range r.IntN(4) {
			pieces = append(pieces, Run{Run: run, Epsilon: 1 + float64(1+r.IntN(19))/20, DetectionKm: float64(r.IntN(9))})
		}
		slices.SortFunc(pieces, func(a, b Run) int { return int(100 * (a.Epsilon - b.Epsilon)) })
		pieces = slices.CompactFunc(pieces, func(a, b Run) bool { return a.Epsilon == b.Epsilon })
		e.add(pieces)
	}
	d := Demand{Limit: 4, Bound: 10, Of: func(r *Run) float64 { return r.DetectionKm }}
	bet := func(run int) float64 { return 0.1 * float64(run/20) }
	all, err := e.evidenceSteps(&d, bet, Range{1.2, 1.9})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(all); n < 10 || n > 15 {
		t.Fatalf("%d steps, want one at each twentieth", n)
	}
	for _, step := range all {
		w, mean := newEvidence(d.Bound, d.Limit), 0.0
		for run := range e.each {
			value := d.Of(&run[pieceAt(run, step.low)])
			w.add(value, bet(run[0].Run))
			mean += value / 60
		}
		// Sums of some hundred logarithms.
		if below, above := w.logs(); !near(step.below, below) || !near(step.above, above) || !near(step.mean, mean) {
			t.Errorf("from %g on: %+v, want mean %g, below %g, above %g", step.low, step, mean, below, above)
		}
	}
}

func near(a, b float64) bool { return a-b < 1e-11 && b-a < 1e-11 }
