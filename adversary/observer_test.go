package adversary_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/sim"
)

// newObserver returns the observer with a name.
func newObserver(name string, s adversary.Settings) (adversary.Observer, error) {
	m, err := adversary.Find(name)
	if err != nil {
		return nil, err
	}
	return m.New(s)
}

// Every observer there is can be made by its name, foresees the end at the end except for the altitude (and for a
// step's way, where it does not know when that is), and does not depend on where the frame's origin lies.
func TestEveryModel(t *testing.T) {
	h := flights(t, 0.1)[1]
	last := len(h.Samples) - 1
	end := h.Samples[last].R
	origin := r3.Vec{X: 30, Y: -40, Z: 5}
	for _, m := range adversary.Models() {
		o, err := newObserver(m.Name, adversary.Settings{LambdaPerS: 0.1, Steering: adversary.SteeringOf(scenario(0.1)),
			Knowledge: knowledgeOf(h)})
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		if m.Meaning == "" || strings.HasSuffix(m.Meaning, ".") {
			t.Errorf("%s means %q, want words that end in no stop", m.Name, m.Meaning)
		}
		here, there := make([]r3.Vec, last+1), make([]r3.Vec, last+1)
		o.Foresee(h, r3.Vec{}, here)
		o.Foresee(h, origin, there)
		tolerance := distanceTolerance
		if m.Name == "impact_time" || m.Name == "handover_circle" { // they do not know when it ends
			tolerance = scenario(0.1).SpeedKmS * h.StepS * 1.01
		}
		if math.Hypot(here[last].X-end.X, here[last].Y-end.Y) > tolerance {
			t.Errorf("%s foresees %v at the end, which is at %v", m.Name, here[last], end)
		}
		for i := range here {
			if off := r3.Norm(r3.Sub(r3.Sub(here[i], origin), there[i])); off > distanceTolerance {
				t.Fatalf("%s, sample %d: %g km from itself in another frame", m.Name, i, off)
			}
		}
	}
}

// knowledgeOf is that of the end of a flight, of a goal that was ruled out at its start, and of the moves that it
// makes.
func knowledgeOf(h *sim.History) *adversary.Knowledge {
	commanded := map[int]int{}
	for _, v := range h.Visits {
		commanded[v.State] = v.Commanded
	}
	end := h.Samples[len(h.Samples)-1].R
	return &adversary.Knowledge{
		Candidates: []adversary.Candidate{{TargetKm: end, Prior: 0.25}, {TargetKm: h.Samples[0].R, Prior: 0.75}},
		HandoverKm: 80, Actions: 1, Next: func(_, state, _ int) int { return commanded[state] },
		Values:        func(_, _ int) []float64 { return []float64{0} },
		PathCost:      func(goal, _ int) float64 { return float64(goal) },
		Waypoint:      func(int) r3.Vec { return r3.Vec{} },
		Learned:       make([]float64, adversary.Features),
		Rationalities: []float64{1}, Chosen: func(_, _ int, to []float64) { to[0] = 1 }, Policies: 1,
	}
}

func TestNewRefusesWhatIsNotThere(t *testing.T) {
	if _, err := newObserver("seer", adversary.Settings{}); err == nil || !strings.Contains(err.Error(), `"seer"`) ||
		!strings.Contains(err.Error(), "constant_velocity_ground") {
		t.Errorf("an unknown observer: %v", err)
	}
	for _, lambda := range []float64{-1, math.Inf(1), math.NaN()} {
		if _, err := newObserver("ballistic", adversary.Settings{LambdaPerS: lambda}); err == nil {
			t.Errorf("a decay of %v 1/s was taken", lambda)
		}
	}
}
