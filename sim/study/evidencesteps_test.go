package study

import (
	"cmp"
	"math/rand/v2"
	"reflect"
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
	if n := len(all.list); n < 10 || n > 15 {
		t.Fatalf("%d steps, want one at each twentieth", n)
	}
	for i, step := range all.list {
		want := e.sample(step.low, d.Of)
		if got := all.sample(i); !reflect.DeepEqual(got, want) {
			t.Errorf("from %g on: %v, want %v", step.low, got, want)
		}
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

// sample returns the values of all runs on a step.
func (t *evidenceSteps) sample(i int) Sample {
	counts := make([]int, len(t.wagers.all))
	copy(counts, t.first)
	for _, s := range t.steps[:t.list[i].steps] {
		counts[s.old]--
		counts[s.new]++
	}
	return t.wagers.sample(counts)
}

// sample returns the values of wagers with the given counts.
func (s *wagers) sample(counts []int) (out Sample) {
	var there []int
	for number, times := range counts {
		if times > 0 {
			there = append(there, number)
		}
	}
	slices.SortFunc(there, func(a, b int) int { return cmp.Compare(s.all[a].value, s.all[b].value) })
	for _, number := range there {
		value := s.all[number].value
		if n := len(out.Values); n == 0 || value != out.Values[n-1] {
			out.Values, out.Counts = append(out.Values, value), append(out.Counts, 0)
		}
		out.Counts[len(out.Counts)-1] += counts[number]
	}
	return out
}
