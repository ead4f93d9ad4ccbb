package cost_test

import (
	"context"
	"fmt"
	"slices"

	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
	"veilpath/sim/cost"
)

// corridor is five rooms in a row, where every move costs 1 and the last room is the end: action 0 stays, action 1 goes
// on.
func corridor() (*planner.Solved, error) {
	const rooms = 5
	law, err := mdp.NewModel(rooms, 2, func(s, a int) []mdp.Outcome {
		return []mdp.Outcome{{State: min(s+a, rooms-1), Probability: 1}}
	})
	if err != nil {
		return nil, err
	}
	rewards := slices.Repeat([]float64{-1}, 2*rooms)
	rewards[2*rooms-2], rewards[2*rooms-1] = 0, 0 // of the end
	p, err := planner.NewProblem(law, [][]float64{rewards}, 0.9, 0, []int32{rooms - 1})
	if err != nil {
		return nil, err
	}
	return p.Solve(1e-9, 0)
}

// What privacy costs at two epsilons, on the same noise.
func ExampleStudy() {
	solved, err := corridor()
	if err != nil {
		fmt.Println(err)
		return
	}
	s := cost.Study{
		Problem:    solved,
		Mechanisms: []planner.Mechanism{planner.OnReward(privacy.InputPerturbation{})},
		Guarantee:  privacy.Guarantee{Delta: 1e-3, Adjacency: 0.5, Calibration: privacy.Analytic},
		Epsilons:   []float64{1, 10},
		Seed:       1,
	}
	facts, err := s.Facts()
	if err != nil {
		fmt.Println(err)
		return
	}
	tally := cost.NewTally(facts, 0)
	for rows, err := range s.Rows(context.Background(), 0, 200) {
		if err != nil {
			fmt.Println(err)
			return
		}
		tally.Add(rows)
	}
	fmt.Printf("worth %.3f; no policy costs more than %.0f %%\n", facts.Value, 100*facts.Ceiling())
	for _, s := range tally.Summaries() {
		fmt.Printf("epsilon %g, sigma %.2f: %.0f %%\n", s.Epsilon, s.Sigma, 100*s.Mean)
	}
	// Output:
	// worth -3.439; no policy costs more than 191 %
	// epsilon 1, sigma 1.29: 133 %
	// epsilon 10, sigma 0.20: 0 %
}

// The strongest privacy that costs at most a fifth of the value.
func ExampleSearch() {
	solved, err := corridor()
	if err != nil {
		fmt.Println(err)
		return
	}
	search := cost.Search{
		Study: cost.Study{
			Problem:    solved,
			Mechanisms: []planner.Mechanism{planner.OnReward(privacy.InputPerturbation{})},
			Guarantee:  privacy.Guarantee{Delta: 1e-3, Adjacency: 0.5, Calibration: privacy.Analytic},
			Seed:       1,
		},
		Limit: 0.2, Low: 0.1, High: 100, Resolution: 0.5, Confidence: 0.95, MostRuns: 20_000,
	}
	answer, err := search.Find(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range answer.Trials {
		fmt.Printf("epsilon %.2g: %s\n", t.Epsilon, t.Decision)
	}
	fmt.Printf("the strongest is %.2g\n", answer.Epsilon)
	// Output:
	// epsilon 1e+02: met
	// epsilon 0.1: not met
	// epsilon 3.2: not met
	// epsilon 15: met
	// epsilon 6.8: met
	// epsilon 4.6: met
	// the strongest is 4.6
}
