package planner

import "gonum.org/v1/gonum/spatial/r3"

// RewardsFor returns the true reward that the grid has for another goal, a state inside it: states x 5
// entries. weight is the reward lost per spacing of distance.
func (g *Grid) RewardsFor(goal int, weight float64) []float64 {
	other := *g
	other.Goal = goal
	return other.rewards(weight)
}

// FarFromStart returns the states at least that many km from the start, in the plane of the grid: the goals
// that an observer of the start cannot rule out, when privacy is disabled nearer to a goal than that.
func (g *Grid) FarFromStart(km float64) []int {
	var far []int
	for state := range g.States() {
		if r3.Norm(r3.Sub(g.Position(state), g.Position(g.Start))) >= km {
			far = append(far, state)
		}
	}
	return far
}
