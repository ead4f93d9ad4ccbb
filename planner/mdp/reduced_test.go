package mdp_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"veilpath/planner/mdp"
)

// lines is a problem with certain moves whose rewards are base + sigma slope.
type lines struct {
	next        []int // of every state and action
	solver      *mdp.Functional
	actions     int
	base, slope []float64
}

func randomLines(t *testing.T, rng *rand.Rand, states, actions int) lines {
	t.Helper()
	next := make([]int, states*actions)
	for i := range next {
		next[i] = rng.IntN(states)
		if rng.IntN(2) == 0 { // as often to a neighbour, so that routes are long
			next[i] = (i/actions + 1 + rng.IntN(3)) % states
		}
	}
	model, err := mdp.NewModel(states, actions, func(s, a int) []mdp.Outcome {
		return []mdp.Outcome{{State: next[s*actions+a], Probability: 1}}
	})
	if err != nil {
		t.Fatal(err)
	}
	p := lines{next: next, solver: newFunctional(t, model, 0.9), actions: actions}
	for i := range next {
		p.base, p.slope = append(p.base, rng.NormFloat64()), append(p.slope, rng.NormFloat64())
		if i%actions > 0 && rng.IntN(10) == 0 {
			p.base[i] = math.Inf(-1) // the state lacks the action
		}
	}
	return p
}

func (p *lines) at(sigma float64) []float64 {
	rewards := make([]float64, len(p.base))
	for i, b := range p.base {
		rewards[i] = b + sigma*p.slope[i]
	}
	return rewards
}

// route solves the whole problem at a sigma.
func (p *lines) route(start int, sigma float64) (pairs []int32) {
	rewards := p.at(sigma)
	p.solver.Solve(rewards, nil, reducedTolerance)
	return p.solver.Route(start, rewards, nil).Pairs
}

const reducedTolerance = 1e-10

// What is left of a problem gives the whole problem's route from the start at every sigma between, however often
// it is reduced, and little is left before long.
func TestReducedGivesTheRouteOfTheWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 0))
	left := 0
	const problems, depth = 400, 8
	for range problems {
		p := randomLines(t, rng, 40, 4)
		start := rng.IntN(40)
		low, high := rng.Float64(), 1+10*rng.Float64()
		var ends [2]mdp.Optimum
		for i, sigma := range []float64{low, high} {
			p.solver.Solve(p.at(sigma), nil, reducedTolerance)
			ends[i].Keep(p.solver, sigma, p.slope)
		}
		part := p.solver.NewReduced(start, reducedTolerance)
		part.Between(p.base, p.slope, &ends[0], &ends[1])
		if rng.IntN(2) == 0 {
			rest := new(mdp.Reduced)
			part.Rest(rest)
			part = rest
		}
		for range depth {
			for range 3 {
				checkReduced(t, &p, part, start, low+(high-low)*rng.Float64())
			}
			sigma := low + (high-low)*rng.Float64()
			part.Solve(sigma)
			next := new(mdp.Reduced)
			if rng.IntN(2) == 0 {
				part.Left(next)
				high = sigma
			} else {
				part.Right(next)
				low = sigma
			}
			part = next
		}
		left += part.Arcs()
	}
	if mean := left / problems; mean > 40 {
		t.Errorf("%d of 160 actions are left in intervals within each other, on average; want few", mean)
	}
}

func checkReduced(t *testing.T, p *lines, part *mdp.Reduced, start int, sigma float64) {
	t.Helper()
	part.Solve(sigma)
	got, want := part.Route(nil), p.route(start, sigma)
	if got.Gap > got.Margin && !slices.Equal(got.Pairs, want) {
		t.Fatalf("at %g the route of what is left is %v, of the whole problem %v", sigma, got.Pairs, want)
	}
	if short, other := part.Shortfalls(); short < 0 || other < 0 {
		t.Fatalf("shortfalls %g and %g", short, other)
	}
}
