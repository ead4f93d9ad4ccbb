package irl

import (
	"math"

	"veilpath/planner"
)

// MissionFeatures returns the family of rewards of missions on a grid, for Problem.Features. For every cell that is not
// kept out of there are two: the distance of the commanded waypoint to it, negative, in diagonals of the grid, as if it
// were the only goal; and 1 where it is the commanded waypoint, which is what a cell costs. Both are of a size, because
// the search for the rewards takes hundreds of times as long otherwise.
func MissionFeatures(g *planner.Grid) (features [][]float64) {
	actions, diagonal := g.Moves.Count(), math.Hypot(float64(g.Columns), float64(g.Rows))
	for state := range g.States() {
		if g.KeptOut(state) {
			continue
		}
		goal, at := g.Cell(state), len(features)
		features = append(features, make([]float64, g.States()*actions), make([]float64, g.States()*actions))
		for entry := range features[at] {
			if from := entry / actions; !g.KeptOut(from) {
				next := g.Cell(g.Next(from, planner.Action(entry%actions)))
				features[at][entry] = -math.Hypot(float64(next.Column-goal.Column), float64(next.Row-goal.Row)) / diagonal
				if next == goal {
					features[at+1][entry] = 1
				}
			}
		}
	}
	return features
}
