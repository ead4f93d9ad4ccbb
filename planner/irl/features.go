package irl

import (
	"math"

	"veilpath/planner"
)

// MissionFeatures returns the family of rewards of missions on a grid, for Problem.Features: for every cell that is
// not kept out of, the distance of the commanded waypoint to it in spacings, negative, as if it were the only goal; and
// for every such cell 1 where it is the commanded waypoint, which makes a cell costly.
func MissionFeatures(g *planner.Grid) (features [][]float64) {
	actions := g.Moves.Count()
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
			return -math.Hypot(float64(next.Column-cell.Column), float64(next.Row-cell.Row))
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
