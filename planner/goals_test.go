package planner

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
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
	if n := len(here.FarFromStart(15)); n != 12-6 {
		t.Errorf("%d cells are 15 km away, want 6", n)
	}
}
