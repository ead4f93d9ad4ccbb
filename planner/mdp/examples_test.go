package mdp_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"veilpath/planner/mdp"
)

// textbookSweeps counts the sweeps of value iteration by its definition.
func textbookSweeps(law mdp.Law, discount float64, rewards []float64, threshold float64) (sweeps int) {
	value := make([]float64, law.States())
	for {
		next, change := make([]float64, len(value)), 0.0
		for s := range value {
			next[s] = math.Inf(-1)
			for a := range law.Actions() {
				q := rewards[s*law.Actions()+a]
				for _, o := range law.AppendOutcomes(nil, s, a) {
					q += discount * o.Probability * value[o.State]
				}
				next[s] = max(next[s], q)
			}
			change = max(change, math.Abs(next[s]-value[s]))
		}
		value = next
		if sweeps++; change < threshold {
			return sweeps
		}
	}
}

// The predicted number of sweeps is the one that value iteration takes.
func TestSweepsToChange(t *testing.T) {
	law, rewards := waypointGrid(t, 6, 5, 0.2)
	solver, err := mdp.NewValueIteration(law, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(31, 32))
	private := make([]float64, len(rewards))
	for trial := range 40 {
		for i := range private {
			private[i] = rewards[i] + float64(trial%4)*rng.NormFloat64()
		}
		threshold := math.Pow(10, -8*rng.Float64())
		got, done := solver.SweepsToChange(private, nil, threshold)
		if want := textbookSweeps(law, 0.9, private, threshold); got != want {
			t.Errorf("trial %d, threshold %g: predicted %d sweeps after %d, value iteration takes %d", trial, threshold, got,
				done, want)
		}
	}
}

func ExampleSolver() {
	// A vehicle on a row of five cells moves left or right and slips the other way once in ten times;
	// the rightmost cell earns 1 a step.
	law, err := mdp.NewSlipModel(5, 2, 0.1, func(state, action int) int {
		return min(max(state+2*action-1, 0), 4)
	})
	if err != nil {
		panic(err)
	}
	rewards := make([]float64, 10)
	rewards[8], rewards[9] = 1, 1
	solver, err := mdp.NewSolver(law, 0.9)
	if err != nil {
		panic(err)
	}
	solution := solver.Solve(rewards, nil, 1e-9)
	fmt.Println("policy", solution.Policy)
	fmt.Printf("value  %.6f\n", solution.Value)
	fmt.Println("certified to 1e-9:", solution.Bound <= 1e-9)
	// Output:
	// policy [1 1 1 1 1]
	// value  [5.472404 6.148010 6.982091 7.936753 9.022672]
	// certified to 1e-9: true
}
