package cost

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// Where moves are certain, what many epsilons cost follows from the pieces of the axis, and is what plans at each cost.
func TestCostsOfCertainMovesAreThoseOfPlans(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 0))
	const states, actions, runs = 30, 3, 40
	law, err := mdp.NewModel(states, actions, func(int, int) []mdp.Outcome {
		return []mdp.Outcome{{State: rng.IntN(states), Probability: 1}}
	})
	if err != nil {
		t.Fatal(err)
	}
	rewards := make([]float64, states*actions)
	for i := range rewards {
		rewards[i] = rng.NormFloat64()
	}
	problem, err := planner.NewProblem(law, [][]float64{rewards}, 0.9, 0)
	if err != nil {
		t.Fatal(err)
	}
	solved, err := problem.Solve(1e-10, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := Study{Problem: solved, Mechanisms: []privacy.Mechanism{privacy.InputPerturbation{}, privacy.OutputPerturbation{Norm: privacy.ExactL2}},
		Guarantee: privacy.Guarantee{Delta: 0.1, Adjacency: 1, Calibration: privacy.Classical}, Seed: 3, Workers: 2}
	for e := range 3 * planner.ManyPlans {
		s.Epsilons = append(s.Epsilons, 0.4*float64(e+1))
	}
	costs := func(s Study) (all []float64) {
		for rows, err := range s.Rows(context.Background(), 0, runs) {
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rows {
				all = append(append(all, r.Values...), r.Costs...)
			}
		}
		return all
	}
	got := costs(s)
	var alone [][]float64
	for _, epsilon := range s.Epsilons {
		one := s
		one.Epsilons = []float64{epsilon} // too few for the axis
		alone = append(alone, costs(one))
	}
	const row = 4 // two mechanisms' values and costs
	different := map[float64]bool{}
	for run := range runs {
		for e := range s.Epsilons {
			a, b := got[(run*len(s.Epsilons)+e)*row:][:row], alone[e][run*row:][:row]
			if !slices.Equal(a, b) {
				t.Fatalf("run %d, epsilon %g: %v from the axis, %v from a plan", run, s.Epsilons[e], a, b)
			}
			different[a[0]] = true
		}
	}
	if len(different) < runs {
		t.Errorf("%d different values in %d runs tell nothing", len(different), runs)
	}
}
