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
	feature := func(of func(next planner.Cell) float64) {
		table := make([]float64, g.States()*actions)
		for entry := range table {
			if state := entry / actions; !g.KeptOut(state) {
				table[entry] = of(g.Cell(g.Next(state, planner.Action(entry%actions))))
			}
		}
		features = append(features, table)
	}
	for state := range g.States() {
		if g.KeptOut(state) {
			continue
		}
		cell := g.Cell(state)
		feature(func(next planner.Cell) float64 {
			return -math.Hypot(float64(next.Column-cell.Column), float64(next.Row-cell.Row)) / diagonal
		})
		feature(func(next planner.Cell) float64 {
			if next == cell {
				return 1
			}
			return 0
		})
	}
	return features
}
