package cost

import (
	"math/rand/v2"
	"testing"
)

// Mechanisms that share noise are compared run by run: a difference far below the scatter of each is shown, and one in
// the other direction or of a size that chance explains is not.
func TestDearer(t *testing.T) {
	facts := Facts{Mechanisms: []string{"a", "b", "c"}, Epsilons: []float64{1, 4}, LargestLoss: 2, Value: 1,
		Sigmas: [][]float64{{0, 0}, {0, 0}, {0, 0}}, Perturbing: []int{0, 0, 0}}
	tally, r := NewTally(facts, 0), rand.New(rand.NewPCG(1, 1))
	for run := range 500 {
		var rows []Row
		for _, epsilon := range facts.Epsilons {
			common := r.Float64()
			rows = append(rows, Row{Run: run, Epsilon: epsilon,
				Costs: []float64{common, common + 0.05 + 0.01*r.Float64(), r.Float64()}})
		}
		tally.Add(rows)
	}
	summaries := tally.Summaries()
	if a, b := summaries[0], summaries[2]; b.Low > a.High {
		t.Errorf("the intervals %v .. %v and %v .. %v do not overlap", a.Low, a.High, b.Low, b.High)
	}
	for _, c := range []struct {
		first, second string
		want          bool
	}{{"b", "a", true}, {"a", "b", false}, {"c", "a", false}, {"a", "c", false}, {"a", "a", false}, {"a", "none", false}} {
		if got := tally.Dearer(c.first, c.second, 4); got != c.want {
			t.Errorf("%s dearer than %s: %t", c.first, c.second, got)
		}
	}
	if tally.Dearer("b", "a", 2) {
		t.Error("an epsilon without runs shows a difference")
	}
}
