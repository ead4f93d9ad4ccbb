package planner

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner/privacy"
)

// The reward for a goal is that of a mission laid towards it.
func TestRewardsForAGoalAreThoseOfItsMission(t *testing.T) {
	const weight = 1.5
	start := r3.Vec{Z: 2}
	lay := func(target r3.Vec) *Grid {
		g, err := NewGrid(4, 3, 10, Cell{1, 0}, start, target)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	here := lay(r3.Vec{X: 20, Y: 20})
	for state := range here.States() {
		there := lay(here.Position(state))
		if !slices.Equal(here.RewardsFor(state, weight), there.rewards(weight)) {
			t.Errorf("goal %d: other rewards than of a grid with that goal", state)
		}
	}
	if here.Goal != here.State(Cell{3, 2}) {
		t.Errorf("the grid's own goal became %d", here.Goal)
	}
	for _, state := range here.FarFromStart(15) {
		if c := here.Cell(state); math.Hypot(float64(c.Column-1), float64(c.Row)) < 1.5 {
			t.Errorf("cell %v is not 15 km away", c)
		}
	}
	for _, km := range []float64{15, 20} { // two of them are exactly 20 km away
		if n := len(here.FarFromStart(km)); n != 12-6 {
			t.Errorf("%d cells are %g km away, want 6", n, km)
		}
	}
}

// The goal is as private as the distance of the rewards says; a grid of two cells has one rival.
func TestGoalPrivacy(t *testing.T) {
	g, err := NewGrid(2, 1, 1, Cell{0, 0}, r3.Vec{}, r3.Vec{X: 1})
	if err != nil {
		t.Fatal(err)
	}
	// Rewards for (1, 0) and for (0, 0): north, south and what ends at the grid stay, east and west move, to target
	// goes there. They differ by 1 in all but the 2 entries of to target, whose rewards are 0 for either goal.
	const sigma, delta = 3, 0.05
	got, err := g.GoalPrivacy(context.Background(), []int{0, 1}, 1, delta, sigma, 20_000, new(privacy.Noise), nil)
	if err != nil {
		t.Fatal(err)
	}
	mu := math.Sqrt(8) / sigma
	told := 0.5 * math.Erfc(-mu/2/math.Sqrt2)
	if got.Candidates != 2 || got.Nearest.Entries != 8 || !(math.Abs(got.Nearest.Mu-mu) <= 1e-15) ||
		!(math.Abs(got.Named.High-told) <= 1e-15) || !(math.Abs(got.Named.Low-told) <= 1e-15) {
		t.Errorf("%+v, want 8 entries, mu %g and %g", got, mu, told)
	}
	if p := got.Named.Probability; !(math.Abs(p.Mean-told) <= 5*p.StandardError) {
		t.Errorf("named with %+v, want %g", p, told)
	}
	if _, err := g.GoalPrivacy(context.Background(), []int{1}, 1, delta, sigma, 2, new(privacy.Noise), nil); err == nil {
		t.Error("no rival, and no error")
	}
}
