package leak

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/sim"
)

// guesses is a study of flights that leave every one of some observers 4 bits on average, with a standard deviation of
// 1, independently of the others.
func guesses(random *rand.Rand, observers, flights int) *Result {
	s := &Study{Ways: []Way{{World: &World{Goals: []Goal{{Prior: 1}}}, Epsilon: 1}}, FlownKm: []float64{50},
		Flights: flights}
	for range observers {
		s.Observers = append(s.Observers, adversary.GoalModel{})
	}
	r := newResult(s, []float64{0})
	for run := range flights {
		var seen sight
		for range observers {
			seen.Belief = append(seen.Belief,
				assessment{Standing: []adversary.Standing{{Bits: 4 + random.NormFloat64()}}})
		}
		r.add(run, []sight{seen})
	}
	return r
}

// Of twenty observers who are equally strong, the one who did best on some flights has learned nothing more: what it
// leaves on those flights is too low by far, and what it leaves on the others is right.
func TestTheStrongestIsMeasuredOnFlightsThatDidNotChooseIt(t *testing.T) {
	const studies, observers, flights = 400, 20, 40
	random := rand.New(rand.NewPCG(1, 2))
	var apart, same, covered float64
	for range studies {
		r := guesses(random, observers, flights)
		least := math.Inf(1)
		for _, row := range r.Rows() {
			least = min(least, row.BitsLeft)
		}
		same += least / studies
		b := r.Strongest()[0].BitsLeft
		apart += b.Mean / studies
		if math.Abs(b.Mean-4) < 2*b.StandardError {
			covered++
		}
		if b.Draws != flights/2 {
			t.Fatalf("%d flights measure it, want %d", b.Draws, flights/2)
		}
	}
	deviation := 1 / math.Sqrt(flights*studies/2) // of apart
	if math.Abs(apart-4) > 4*deviation {
		t.Errorf("the flights that did not choose it leave it %.4f bits, want 4 within %.4f", apart, 4*deviation)
	}
	// the least of 20 normal means lies 1.867 of their standard errors below their mean
	if want := 4 - 1.867/math.Sqrt(flights); math.Abs(same-want) > 4*deviation {
		t.Errorf("the flights that choose it leave it %.4f bits, want %.4f", same, want)
	}
	// the standard error has 19 degrees of freedom: 94 % in truth, 4 standard deviations less
	if covered/studies < 0.89 {
		t.Errorf("%.0f %% of the intervals of two standard errors hold the truth", 100*covered/studies)
	}
}

// The observer who leaves fewest bits is chosen, and never one who ruled out the goal of a flight.
func TestTheStrongestLeavesFewestBits(t *testing.T) {
	r := guesses(rand.New(rand.NewPCG(3, 4)), 3, 2)
	r.Study.Observers[0].Name, r.Study.Observers[1].Name, r.Study.Observers[2].Name = "wrong", "weak", "strong"
	for run := range 4 {
		var seen sight
		for _, bits := range []float64{math.Inf(1), 1, -9} {
			seen.Belief = append(seen.Belief, assessment{Standing: []adversary.Standing{{Bits: bits}}})
		}
		r.add(run, []sight{seen})
	}
	if b := r.Strongest()[0]; b.Observer != "strong" {
		t.Errorf("the strongest is %s, of %v", b.Observer, r.Rows())
	}
}

// The interval of where the target is recognised leaves room for flights that no run has shown: of five that are all
// recognised at 60 km it begins and ends, to 3 % of the error probability, as if a share 1 - 0.025^(1/5) of flights
// were recognised at the target, or as far out as is plausible.
func TestRecognitionLeavesRoomForFlightsNotSeen(t *testing.T) {
	const km, farthestKm, toleranceKm = 60., 80., 1.
	goal := Goal{Prior: 1, Mission: &planner.Mission{Grid: &planner.Grid{}}}
	w := &World{Goals: []Goal{goal}}
	w.Scenario = sim.Scenario{Start: r3.Vec{X: farthestKm}, AccelLimitKmS2: 1}
	r := newResult(&Study{Ways: []Way{{World: w, Epsilon: 1}}, RadiiKm: []float64{25}, Flights: 5,
		Observers: make([]adversary.GoalModel, 1)}, []float64{0})
	for run := range r.Study.Flights {
		r.add(run, []sight{{Belief: []assessment{{Stayed: []float64{km}, InARow: []float64{km}}}}})
	}
	got, share := r.Recognitions()[0], math.Pow(0.025, 1./5)
	if got.Distance.Mean != km || math.Abs(got.Low-km*share) > toleranceKm ||
		math.Abs(got.High-(farthestKm-(farthestKm-km)*share)) > toleranceKm {
		t.Errorf("recognised at %g (%g .. %g) km", got.Distance.Mean, got.Low, got.High)
	}
}
