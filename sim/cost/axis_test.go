package cost

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
	"veilpath/sim/study"
)

// Where moves are certain, what many epsilons cost follows from the pieces of the axis, and is what plans at each cost.
func TestCostsOfCertainMovesAreThoseOfPlans(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 0))
	const states, actions, runs = 30, 3, 40
	solved := drawn(t, rng, states, actions, 1)
	s := Study{Problem: solved, Mechanisms: []planner.Mechanism{planner.OnReward(privacy.InputPerturbation{}),
		planner.OnReward(privacy.OutputPerturbation{Norm: privacy.ExactL2})},
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

// On every piece of a range of epsilon any plan costs between its bounds, which are the same where moves are certain.
func TestPiecesHoldWhatPlansCost(t *testing.T) {
	const states, actions, runs = 20, 3, 25
	for name, outcomes := range map[string]int{"certain": 1, "uncertain": 3} {
		rng := rand.New(rand.NewPCG(15, 0))
		solved := drawn(t, rng, states, actions, outcomes)
		over := study.Range{Low: 0.3, High: 6}
		s := Study{Problem: solved, Mechanisms: []planner.Mechanism{planner.OnReward(privacy.InputPerturbation{}),
			planner.OnReward(privacy.OutputPerturbation{Norm: privacy.ExactL2})},
			Guarantee: privacy.Guarantee{Delta: 0.1, Adjacency: 1, Calibration: privacy.Classical}, Seed: 3,
			Epsilons: []float64{1, 2}, Workers: 2}
		var pieces []Piece
		for found, err := range s.Pieces(context.Background(), over, 0, runs) {
			if err != nil {
				t.Fatal(err)
			}
			pieces = append(pieces, found...)
		}
		direct := s
		for range 12 {
			direct.Epsilons = append(direct.Epsilons[:0:0], over.Low+(over.High-over.Low)*rng.Float64()*rng.Float64())
			epsilon, wide := direct.Epsilons[0], 0
			sums := [2]float64{}
			for rows, err := range direct.Rows(context.Background(), 0, runs) {
				if err != nil {
					t.Fatal(err)
				}
				for m, cost := range rows[0].Costs {
					sums[m] += cost / runs
					i := slices.IndexFunc(pieces, func(p Piece) bool {
						return p.Run == rows[0].Run && p.Mechanism == m && p.Low <= epsilon && epsilon < p.High
					})
					const tolerance = 1e-8 // of what a plan may lose, relative to the value
					if p := pieces[i]; !(p.Least-tolerance <= cost && cost <= p.Most+tolerance) {
						t.Errorf("%s: run %d costs %v at epsilon %v, on a piece of %v", name, rows[0].Run, cost, epsilon, p)
					} else if p.Most > p.Least {
						wide++
					}
				}
			}
			if (wide > 0) != (name == "uncertain") {
				t.Errorf("%s: %d costs between bounds that differ", name, wide)
			}
			for m, c := range Curves(pieces, []string{"a", "b"}, over, runs) {
				k, _ := slices.BinarySearch(c.Epsilons, epsilon)
				if k == 0 || k == len(c.Epsilons) {
					continue
				}
				if low, high := min(c.Least[k-1], c.Least[k]),
					max(c.Most[k-1], c.Most[k]); !(low-1e-8 <= sums[m] && sums[m] <= high+1e-8) || math.IsNaN(low) {
					t.Errorf("%s, epsilon %v: the mean is %v, the curve %v to %v", name, epsilon, sums[m], low, high)
				}
				if c.Exact() != (name == "certain") {
					t.Errorf("%s: exact %v", name, c.Exact())
				}
			}
		}
	}
}

// drawn draws a problem in which every action has so many outcomes, equally likely.
func drawn(t *testing.T, rng *rand.Rand, states, actions, outcomes int) *planner.Solved {
	t.Helper()
	law, err := mdp.NewModel(states, actions, func(int, int) (all []mdp.Outcome) {
		for range outcomes {
			all = append(all, mdp.Outcome{State: rng.IntN(states), Probability: 1 / float64(outcomes)})
		}
		return all
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
	return solved
}
