package planner

import "veilpath/planner/privacy"

// Lattice returns the cells of the grid as mechanisms that draw a goal take them: the number of a cell is its state.
func (g *Grid) Lattice() privacy.Lattice { return privacy.Lattice{Columns: g.Columns, Rows: g.Rows} }

// CostOfDecoy returns what it costs a mission to follow the optimal plan of another, which differs in the goal alone:
// that plan's value under the mission's own reward, at the start, against that of the mission's own plan. weight is the
// reward lost per spacing of distance.
func (m *Mission) CostOfDecoy(decoy *Mission, weight float64) (Cost, error) {
	rewards := m.Grid.rewardsOf(weight, decoy.Grid)
	problem, err := NewProblem(decoy.Law, [][]float64{rewards}, m.Discount, m.Start)
	if err != nil {
		return Cost{}, err
	}
	p, err := NewPlanner(&Solved{Problem: problem, Tolerance: m.Tolerance, Accuracy: m.Accuracy, Optimal: m.Optimal}, privacy.InputPerturbation{})
	if err != nil {
		return Cost{}, err
	}
	p.LimitCores(1)
	return p.Cost(decoy.Optimal.Policy), nil
}
