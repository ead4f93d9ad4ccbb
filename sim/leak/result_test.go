package leak

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/sim"
	"veilpath/sim/study"
)

// made is the result of two flights in two ways, to one of four goals on a grid of 2 x 2 cells. Two observers have left
// 1.5 and 0.5 bits in the first way and 0.25 bits less in the second. The first recognises at 30 and 50 km, and without
// one or the other of two groups of policies at 29 or 31 km and at 48 or 52 km.
func made(t *testing.T) *Result {
	t.Helper()
	grid, err := planner.NewGrid(2, 2, 1, planner.Cell{}, r3.Vec{}, r3.Vec{X: 1})
	if err != nil {
		t.Fatal(err)
	}
	w := &World{Setting: Setting{Scenario: sim.Scenario{Start: r3.Vec{X: 90}, SpeedKmS: 3, AccelLimitKmS2: 2}}}
	for range 4 {
		w.Goals = append(w.Goals, Goal{Prior: 0.25, Mission: &planner.Mission{Grid: grid}})
	}
	var models []adversary.GoalModel
	for _, name := range []string{"geometry", "moves"} {
		m, err := adversary.FindGoalModel(name)
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, m)
	}
	r := newResult(&Study{Ways: []Way{{World: w, Name: "a", Epsilon: 1}, {World: w, Name: "b", Epsilon: 1}}, Flights: 2,
		Observers: models, FlownKm: []float64{50}, RadiiKm: []float64{1}}, []float64{1, 1})
	for run, km := range []float64{30, 50} {
		var ways []sight
		for way := range 2 {
			s := sight{Goal: 3}
			for _, left := range []float64{1.5, 0.5} {
				bits, off := left-0.25*float64(way), 1+float64(run)
				a := assessment{Standing: []adversary.Standing{{Bits: bits}}, Stayed: []float64{km}, InARow: []float64{km}}
				for _, without := range []float64{km - off, km + off} {
					a.Without = append(a.Without, partial{Bits: []float64{bits}, Stayed: []float64{without},
						InARow: []float64{without}})
				}
				s.Belief = append(s.Belief, a)
			}
			ways = append(ways, s)
		}
		r.add(run, ways)
	}
	return r
}

// Of the two bits of the prior the hand-over reveals half a bit and the moves one bit more; in the second way the
// hand-over reveals a quarter more, which is what the first way saves.
func TestBitsAddUpToThePrior(t *testing.T) {
	r := made(t)
	want := map[string]float64{"a" + HandoverRule: 0.5, "a" + GridMoves: 1, "b" + HandoverRule: 0.75, "b" + GridMoves: 1}
	gains := r.InformationGains()
	for _, g := range gains {
		if g.Bits.Mean != want[g.Way+g.From] {
			t.Errorf("%s, %s: %v bits, want %v", g.Way, g.From, g.Bits.Mean, want[g.Way+g.From])
		}
	}
	if len(gains) != len(want) {
		t.Errorf("%d gains, want %d", len(gains), len(want))
	}
	for _, s := range r.Savings() {
		if s.Way != "b" || s.Bits.Mean != -0.25 {
			t.Errorf("%s saves %v bits", s.Way, s.Bits.Mean)
		}
	}
}

// The jackknife over two groups, whose sums are 77 and 83 km of two flights, has an error of sqrt(18/2)/2 = 1.5 km. The
// interval of the flights, up to the farthest distance of 90 km and two circles of 4.5 km radius, is widened by it.
func TestRecognitionsAllowForThePolicies(t *testing.T) {
	low, high := study.MeanInterval([]float64{30, 50}, 0, 90+4*4.5, 0.95)
	for _, got := range made(t).Recognitions() {
		d := got.Distance
		if d.Mean != 40 || math.Abs(d.PoliciesError-1.5) > 1e-12 || math.Abs(d.StandardError-math.Hypot(10, 1.5)) > 1e-12 {
			t.Errorf("%s: %+v", got.Observer, d)
		}
		if wantLow, wantHigh := 40-math.Hypot(40-low, 1.96*1.5), 40+math.Hypot(high-40, 1.96*1.5); math.Abs(
			got.Low-wantLow) > 1e-12 || math.Abs(got.High-wantHigh) > 1e-12 {
			t.Errorf("%s: %v .. %v km, want %v .. %v", got.Observer, got.Low, got.High, wantLow, wantHigh)
		}
		cells := row(d)[1:]
		if cells[0] != d.StandardError || cells[1] != 40-1.96*d.StandardError || cells[2] != 40+1.96*d.StandardError {
			t.Errorf("%s: cells %v", got.Observer, cells)
		}
	}
}

// An observer of several flights knows 25 policies a flight, at least 100 and at most 400.
func TestPoliciesForFlights(t *testing.T) {
	for flights, want := range map[int]int{1: 100, 4: 100, 5: 125, 15: 375, 16: 400, 50: 400} {
		if got := PoliciesFor(flights); got != want {
			t.Errorf("%d flights: %d policies, want %d", flights, got, want)
		}
	}
}
