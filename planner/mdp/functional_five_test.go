package mdp_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"veilpath/planner/mdp"
)

// Five actions have a loop of their own: they are solved, to the bit, as they are beside a sixth that no state has.
func TestFiveActionsAreSolvedAsAnyOthers(t *testing.T) {
	const states = 30
	rng := rand.New(rand.NewPCG(31, 0))
	for range 300 {
		five := randomLines(t, rng, states, 5)
		model, err := mdp.NewModel(states, 6, func(s, a int) []mdp.Outcome {
			if a == 5 {
				return []mdp.Outcome{{State: s, Probability: 1}}
			}
			return []mdp.Outcome{{State: five.next[s*5+a], Probability: 1}}
		})
		if err != nil {
			t.Fatal(err)
		}
		six := newFunctional(t, model, 0.9)
		rewards := five.at(rng.Float64())
		for i := range rewards {
			if rng.IntN(3) == 0 {
				rewards[i] = math.Round(rewards[i]) // ties
			}
		}
		var wide []float64
		for row := range slices.Chunk(rewards, 5) {
			wide = append(append(wide, row...), math.Inf(-1))
		}
		got, want := five.solver.Solve(rewards, nil, reducedTolerance), six.Solve(wide, nil, reducedTolerance)
		if !slices.Equal(got.Policy, want.Policy) || !slices.Equal(got.Value, want.Value) || got.Sweeps != want.Sweeps {
			t.Fatalf("policy %v with values %v, beside a sixth action %v with %v", got.Policy, got.Value, want.Policy,
				want.Value)
		}
	}
}

// A solve that starts from the best actions by a guess comes to what any other solve does.
func TestSolveNearIsSolve(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 0))
	for trial := range 300 {
		p := randomLines(t, rng, 40, 4+trial%2)
		rewards := p.at(rng.Float64())
		want := slices.Clone(p.solver.Solve(rewards, nil, reducedTolerance).Value)
		route := p.solver.Route(3, rewards, nil)
		guess := slices.Clone(want)
		for s := range guess {
			guess[s] += rng.NormFloat64()
		}
		before := slices.Clone(guess)
		solution := p.solver.SolveNear(guess, rewards, reducedTolerance)
		for s, v := range solution.Value {
			if !(math.Abs(want[s]-v) <= 2*reducedTolerance) {
				t.Fatalf("state %d is worth %g, by a solve %g", s, v, want[s])
			}
		}
		if got := p.solver.Route(3, rewards, nil); got.Gap > got.Margin && !slices.Equal(got.Pairs, route.Pairs) {
			t.Fatalf("the route is %v, that of a solve %v", got.Pairs, route.Pairs)
		}
		if !slices.Equal(guess, before) {
			t.Fatal("the guess was written to")
		}
	}
}

// A solve that starts from an optimum at another sigma comes to what any other solve does.
func TestSolveAlongIsSolve(t *testing.T) {
	rng := rand.New(rand.NewPCG(32, 0))
	var o mdp.Optimum
	along, sweeps := 0, 0
	for trial := range 300 {
		p := randomLines(t, rng, 40, 4+trial%2)
		low, high := rng.Float64(), 1+3*rng.Float64()
		p.solver.Solve(p.at(low), nil, reducedTolerance)
		o.Keep(p.solver, low, p.slope)
		rewards := p.at(high)
		solution := p.solver.SolveAlong(&o, high, rewards, reducedTolerance)
		along += solution.Sweeps
		got := p.solver.Route(3, rewards, nil)
		got.Pairs = slices.Clone(got.Pairs)
		value := slices.Clone(solution.Value)
		sweeps += p.solver.Solve(rewards, nil, reducedTolerance).Sweeps
		if want := p.solver.Route(3, rewards, nil); got.Gap > got.Margin && !slices.Equal(got.Pairs, want.Pairs) {
			t.Fatalf("the route is %v, that of a solve %v", got.Pairs, want.Pairs)
		}
		for s, v := range p.solver.Solve(rewards, nil, reducedTolerance).Value {
			if !(math.Abs(value[s]-v) <= 2*reducedTolerance) {
				t.Fatalf("state %d is worth %g, by a solve %g", s, value[s], v)
			}
		}
	}
	if along >= sweeps {
		t.Errorf("%d passes from another optimum, %d from nothing", along, sweeps)
	}
}
