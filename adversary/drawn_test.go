package adversary

import (
	"math"
	"testing"
)

// Three cells in a row, 0 1 2, from the middle: the plan for 0 goes left, those for 1 and 2 right. Of the two goals the
// first is drawn as 0 with probability 0.7, the second with 0.2.
func TestDrawnCountsThePlansThatMakeTheMoves(t *testing.T) {
	draws := &Draws{Probabilities: [][]float64{{0.7, 0.2, 0.1}, {0.2, 0.2, 0.6}}, Next: func(cell, state int) int {
		switch {
		case cell == 0:
			return 10
		case state == 11 && cell == 2:
			return 12
		}
		return 11
	}}
	o, err := newMechanism(&Knowledge{Candidates: make([]Candidate, 2), Draws: draws})
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, first, second float64) {
		t.Helper()
		got := make([]float64, 2)
		o.LogLikelihoods(got)
		for g, want := range []float64{first, second} {
			if !(math.Abs(math.Exp(got[g])-want) <= 1e-15) {
				t.Errorf("%s: likelihood of goal %d is %v, want %v", what, g, math.Exp(got[g]), want)
			}
		}
	}
	check("nothing seen", 1, 1)
	o.See(5, 11, false)
	check("to the right", 0.3, 0.8)
	o.See(11, 12, false)
	check("and on", 0.1, 0.6)
	o.See(12, 10, false)
	check("and back", 0, 0)
	o.Reset()
	o.See(5, 10, false)
	check("to the left", 0.7, 0.2)
	if _, err := newMechanism(&Knowledge{Candidates: make([]Candidate, 3), Draws: draws}); err == nil {
		t.Error("draws for 2 goals go with 3 candidates")
	}
}
